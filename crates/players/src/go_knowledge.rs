//! What the Monte-Carlo players of Go know: playouts, priors and how the tree is searched. Every
//! rule and every figure has a name, by which options switch it off or change it.

use crate::settings::text;
use ludus_core::{OptionSpec, Options, TextError};
use ludus_games::go::{
    guide::GoGuide,
    policy::Policy,
    priors::{Manner, Priors},
};
use ludus_search::mcts::{Rave, Schedule, Selection, Settings};

/// The option that switches knowledge off.
pub const WITHOUT: OptionSpec = text(
    "without",
    "",
    "knowledge to do without, joined by +: ko, nakade, capture, defence, ladders, low-liberty, \
     patterns, global-capture, correction, shift, rejection, seki, mercy, priors, rave",
);

/// The option that changes figures.
pub const SET: OptionSpec = text(
    "set",
    "",
    "figures to change, such as patterns:80+rave-last:3000; docs/MCTS.md names them all",
);

/// What one of these players knows.
#[derive(Clone)]
pub struct Knowledge {
    /// What plays the playouts.
    pub policy: Policy,
    /// What is known of moves before they are tried.
    pub priors: Priors,
    /// How the tree is searched.
    pub search: Settings,
    /// The part of a playout's value that is its margin.
    pub score_weight: f32,
    /// The size of boards from which on nobody runs into a ladder.
    pub ladders_from: usize,
    /// Runs that are caught with fewer ataris are made all the same.
    pub fewest_ataris: u32,
    /// Whether moves on the edge are looked at where nobody is near.
    pub bare_edges: bool,
}

impl Knowledge {
    /// A policy and a search without priors, with the score bonus of Fuego.
    pub fn new(policy: Policy, search: Settings) -> Knowledge {
        Knowledge {
            policy,
            priors: Priors::none(),
            search,
            score_weight: 0.02,
            ladders_from: usize::MAX,
            fewest_ataris: 0,
            bare_edges: true,
        }
    }

    /// The same without what the option `without` names, and with what the option `set` changes.
    ///
    /// # Errors
    /// If they name something else.
    pub fn changed(mut self, options: &Options) -> Result<Knowledge, TextError> {
        for name in items(options, WITHOUT.name) {
            let known = self.remove(name);
            known
                .ok_or_else(|| TextError::whole("knowledge to do without", name, WITHOUT.about))?;
        }
        for item in items(options, SET.name) {
            let change = item.split_once(':').and_then(|(name, value)| {
                let value = value.parse().ok().filter(|value| (0.0..=1e9).contains(value));
                self.set(name, value?)
            });
            change.ok_or_else(|| TextError::whole("a figure to change", item, SET.about))?;
        }
        Ok(self)
    }

    fn remove(&mut self, name: &str) -> Option<()> {
        match name {
            "priors" => self.priors = Priors::none(),
            "rave" => {
                self.search.rave = None;
                // Without RAVE somebody else has to explore.
                self.search.selection = Selection::Ucb(0.5);
            }
            rule => return self.policy.set(rule, 0),
        }
        Some(())
    }

    fn set(&mut self, name: &str, value: f32) -> Option<()> {
        match name {
            "score" => self.score_weight = value.min(1.0),
            "ladders-from" => self.ladders_from = value as usize,
            "ladder-ataris" => self.fewest_ataris = value as u32,
            "bare-edges" => self.bare_edges = value > 0.0,
            _ if value <= 100.0 && self.policy.set(name, value as u8).is_some() => {}
            _ => match name.strip_prefix("prior-") {
                Some(prior) => set_prior(&mut self.priors, prior, value)?,
                None => set_search(&mut self.search, name, value)?,
            },
        }
        Some(())
    }

    /// A guide with this knowledge.
    pub fn guide(&self) -> GoGuide {
        let mut guide = GoGuide::new(self.policy.clone(), self.priors.clone());
        guide.score_weight = self.score_weight;
        guide.ladders_from = self.ladders_from;
        guide.fewest_ataris = self.fewest_ataris;
        guide.bare_edges = self.bare_edges;
        guide
    }
}

/// The items of an option, which are joined by `+`.
fn items<'a>(options: &'a Options, name: &str) -> impl Iterator<Item = &'a str> {
    options.text(name).split('+').filter(|item| !item.is_empty())
}

fn set_prior(priors: &mut Priors, name: &str, visits: f32) -> Option<()> {
    match name {
        "loose" => priors.manner = if visits > 0.0 { Manner::Loose } else { Manner::Fuego },
        "policy" => priors.policy = visits,
        "policy-large" => priors.policy_large = visits,
        "near" => priors.near = visits,
        "near-large" => priors.near_large = visits,
        "line" => priors.line = visits,
        "capture" => priors.capture = visits,
        "ladder" => priors.ladder = visits,
        "even" => priors.even = visits,
        _ => return None,
    }
    Some(())
}

fn set_search(search: &mut Settings, name: &str, value: f32) -> Option<()> {
    match name {
        "c" => search.selection = Selection::Ucb(value),
        "puct" => search.selection = Selection::Puct(value),
        "expand" => search.expand = value as u32,
        "first-play" => search.first_play = Some(value),
        "early" => search.early = value > 0.0,
        "solver" => search.solver = value > 0.0,
        _ => set_rave(search.rave.as_mut()?, name.strip_prefix("rave-")?, value)?,
    }
    Some(())
}

fn set_rave(rave: &mut Rave, name: &str, value: f32) -> Option<()> {
    match (name, &mut rave.schedule) {
        ("initial", Schedule::Fuego { initial, .. }) => *initial = value,
        ("last", Schedule::Fuego { last, .. }) => *last = value,
        ("skip", _) => rave.skip = value as u32,
        ("first", _) => rave.first_only = value > 0.0,
        ("near", _) => rave.nearness = value,
        ("priors", _) => rave.priors = value > 0.0,
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fuego_like, go_search};

    fn changed(spec: &str) -> Result<Knowledge, TextError> {
        fuego_like::knowledge(&Options::parse(spec, &go_search::OPTIONS)?)
    }

    #[test]
    fn every_name_changes_something() {
        let base = changed("fuego-like").unwrap();
        for name in [
            "ko",
            "nakade",
            "capture",
            "defence",
            "ladders",
            "low-liberty",
            "patterns",
            "global-capture",
            "correction",
            "shift",
            "rejection",
            "mercy",
            "prior-loose",
            "prior-policy",
            "prior-policy-large",
            "prior-near",
            "prior-near-large",
            "prior-line",
            "prior-capture",
            "prior-ladder",
            "prior-even",
            "c",
            "puct",
            "expand",
            "first-play",
            "solver",
            "rave-initial",
            "rave-last",
            "rave-skip",
            "rave-first",
            "rave-near",
            "rave-priors",
            "early",
            "seki",
            "score",
            "ladders-from",
            "ladder-ataris",
            "bare-edges",
        ] {
            let differs = |value| {
                let other = changed(&format!("fuego-like:set={name}:{value}")).unwrap();
                other.policy != base.policy
                    || other.priors != base.priors
                    || other.search != base.search
                    || other.score_weight != base.score_weight
                    || other.ladders_from != base.ladders_from
                    || other.fewest_ataris != base.fewest_ataris
                    || other.bare_edges != base.bare_edges
            };
            assert!(differs(7) || differs(0), "{name}");
        }
    }

    #[test]
    fn what_is_left_out_is_gone() {
        let knowledge = changed("fuego-like:without=patterns+priors+rave").unwrap();
        assert_eq!((knowledge.policy.patterns, knowledge.search.rave), (0, None));
        assert_eq!(knowledge.priors, Priors::none());
    }

    #[test]
    fn what_nobody_knows_is_named() {
        for spec in [
            "without=pattern",
            "set=patterns",
            "set=patterns:much",
            "set=patterns:200",
            "set=prior-luck:3",
            "set=rave-last:-1",
            "without=rave,set=rave-last:7",
        ] {
            let Err(error) = changed(&format!("fuego-like:{spec}")) else { panic!("{spec}") };
            let name = spec.rsplit('=').next().unwrap();
            assert!(error.to_string().contains(name), "{error}");
        }
    }
}
