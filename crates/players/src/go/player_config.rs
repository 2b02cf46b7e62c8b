//! Configuration of the Monte-Carlo players of Go: playout policy, priors and search settings. Every rule
//! and every parameter has a name, by which options switch it off or change it.

use crate::settings::text;
use ludus_core::{OptionSpec, Options, TextError};
use ludus_knowledge::go::{
    leaf_evaluator::GoLeafEvaluator,
    policy::PlayoutPolicy,
    priors::{GoPriors, PriorMode},
};
use ludus_search::mcts::{MctsSettings, RaveSchedule, RaveSettings, SelectionPolicy};

/// The option that switches knowledge off.
pub const WITHOUT: OptionSpec = text(
    "without",
    "",
    "knowledge to switch off, joined by +: ko, nakade, capture, defence, ladders, low-liberty, \
     patterns, global-capture, correction, shift, rejection, seki, mercy, priors, rave",
);

/// The option that changes parameters.
pub const SET: OptionSpec = text(
    "set",
    "",
    "parameters to change, such as patterns:80+rave-last:3000; docs/MCTS.md lists them",
);

/// Policy, priors and search settings of one player.
#[derive(Clone)]
pub struct GoPlayerConfig {
    /// The playout policy.
    pub policy: PlayoutPolicy,
    /// The priors of moves.
    pub priors: GoPriors,
    /// The search settings.
    pub search: MctsSettings,
    /// The share of the margin in the value of a playout.
    pub score_weight: f32,
    /// Smallest board size on which moves that lose a ladder are left out.
    pub min_ladder_size: usize,
    /// Ladder escapes that are caught with fewer ataris are kept.
    pub min_ladder_ataris: u32,
    /// Whether moves on the edge are searched where no stone is near.
    pub empty_edges: bool,
}

impl GoPlayerConfig {
    /// A policy and a search without priors, with the score bonus of Fuego.
    pub fn new(policy: PlayoutPolicy, search: MctsSettings) -> GoPlayerConfig {
        GoPlayerConfig {
            policy,
            priors: GoPriors::none(),
            search,
            score_weight: 0.02,
            min_ladder_size: usize::MAX,
            min_ladder_ataris: 0,
            empty_edges: true,
        }
    }

    /// The same without the knowledge the option `without` names, and with the parameters the option `set`
    /// changes.
    ///
    /// # Errors
    /// If a name or a value is unknown.
    pub fn changed(mut self, options: &Options) -> Result<GoPlayerConfig, TextError> {
        for name in items(options, WITHOUT.name) {
            let known = self.remove(name);
            known
                .ok_or_else(|| TextError::whole("knowledge to switch off", name, WITHOUT.about))?;
        }
        for item in items(options, SET.name) {
            let change = item.split_once(':').and_then(|(name, value)| {
                let value = value.parse().ok().filter(|value| (0.0..=1e9).contains(value));
                self.set(name, value?)
            });
            change.ok_or_else(|| TextError::whole("parameter to change", item, SET.about))?;
        }
        Ok(self)
    }

    fn remove(&mut self, name: &str) -> Option<()> {
        match name {
            "priors" => self.priors = GoPriors::none(),
            "rave" => {
                self.search.rave = None;
                // Without RAVE, exploration comes from UCB.
                self.search.selection = SelectionPolicy::Ucb(0.5);
            }
            rule => return self.policy.set(rule, 0),
        }
        Some(())
    }

    fn set(&mut self, name: &str, value: f32) -> Option<()> {
        match name {
            "score" => self.score_weight = value.min(1.0),
            "ladders-from" => self.min_ladder_size = value as usize,
            "ladder-ataris" => self.min_ladder_ataris = value as u32,
            "bare-edges" => self.empty_edges = value > 0.0,
            _ if value <= 100.0 && self.policy.set(name, value as u8).is_some() => {}
            _ => match name.strip_prefix("prior-") {
                Some(prior) => set_prior(&mut self.priors, prior, value)?,
                None => set_search(&mut self.search, name, value)?,
            },
        }
        Some(())
    }

    /// A leaf evaluator with this knowledge.
    pub fn leaf_evaluator(&self) -> GoLeafEvaluator {
        let mut evaluator = GoLeafEvaluator::new(self.policy.clone(), self.priors.clone());
        evaluator.score_weight = self.score_weight;
        evaluator.min_ladder_size = self.min_ladder_size;
        evaluator.min_ladder_ataris = self.min_ladder_ataris;
        evaluator.empty_edges = self.empty_edges;
        evaluator
    }
}

/// The items of an option, which are joined by `+`.
fn items<'a>(options: &'a Options, name: &str) -> impl Iterator<Item = &'a str> {
    options.text(name).split('+').filter(|item| !item.is_empty())
}

fn set_prior(priors: &mut GoPriors, name: &str, visits: f32) -> Option<()> {
    match name {
        "loose" => priors.mode = if visits > 0.0 { PriorMode::Loose } else { PriorMode::Fuego },
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

fn set_search(search: &mut MctsSettings, name: &str, value: f32) -> Option<()> {
    match name {
        "c" => search.selection = SelectionPolicy::Ucb(value),
        "puct" => search.selection = SelectionPolicy::Puct(value),
        "expand" => search.expansion_threshold = value as u32,
        "first-play" => search.first_play_urgency = Some(value),
        "early" => search.early_stop = value > 0.0,
        "solver" => search.solver = value > 0.0,
        _ => set_rave(search.rave.as_mut()?, name.strip_prefix("rave-")?, value)?,
    }
    Some(())
}

fn set_rave(rave: &mut RaveSettings, name: &str, value: f32) -> Option<()> {
    match (name, &mut rave.schedule) {
        ("initial", RaveSchedule::Fuego { initial, .. }) => *initial = value,
        ("last", RaveSchedule::Fuego { last, .. }) => *last = value,
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
    use crate::go::{fuego_like, mcts_player};

    fn changed(spec: &str) -> Result<GoPlayerConfig, TextError> {
        fuego_like::knowledge(&Options::parse(spec, mcts_player::OPTIONS)?)
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
                    || other.min_ladder_size != base.min_ladder_size
                    || other.min_ladder_ataris != base.min_ladder_ataris
                    || other.empty_edges != base.empty_edges
            };
            assert!(differs(7) || differs(0), "{name}");
        }
    }

    #[test]
    fn knowledge_can_be_switched_off() {
        let knowledge = changed("fuego-like:without=patterns+priors+rave").unwrap();
        assert_eq!((knowledge.policy.patterns, knowledge.search.rave), (0, None));
        assert_eq!(knowledge.priors, GoPriors::none());
    }

    #[test]
    fn unknown_names_are_refused() {
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
