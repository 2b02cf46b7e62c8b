//! What came of a fit, for people.

use super::fit::{Count, Lessons, State, Step};
use crate::{
    Recipe,
    report::{CHART, series},
};
use ludus_arena::plot::{LineChart, Unit, line_chart};
use ludus_games::go::move_features::{GROUPS, NAMES, feature_name};

/// Features shown at either end of the list.
const SHOWN: usize = 20;

/// All there is to say about strengths of moves.
pub(super) struct MovesReport<'a> {
    pub recipe: &'a Recipe,
    pub lessons: &'a Lessons,
    pub state: &'a State,
}

impl MovesReport<'_> {
    fn last(&self) -> &Step {
        &self.state.history[self.state.steps()]
    }

    /// What was learned, in one line.
    pub fn summary(&self) -> String {
        let Step { held_out, .. } = self.last();
        format!(
            "{}: {} moves of {} games, {:.1} % of held-out moves ranked first, mean rank {:.2}, \
             log-likelihood {:.4} -> {:.4} after {} steps",
            self.recipe.game,
            self.lessons.train.len() + self.lessons.held_out.len(),
            self.lessons.games.iter().sum::<u64>(),
            100.0 * held_out.first,
            held_out.mean_rank + 1.0,
            self.state.history[0].held_out.log_likelihood,
            held_out.log_likelihood,
            self.state.steps(),
        )
    }

    /// Likelihoods by step.
    pub fn chart(&self) -> String {
        let line = |name: &str, value: fn(&Step) -> f64| {
            let steps = self.state.history.iter().enumerate();
            series(name, steps.map(|(number, step)| (number as f64, value(step))))
        };
        line_chart(&LineChart {
            title: &format!("Strengths of moves of {}", self.recipe.game),
            x_label: "Step",
            y_label: "Mean log-likelihood of the move made",
            unit: Unit::Number,
            reference: None,
            series: &[
                line("learned from", |step| step.train.log_likelihood),
                line("held out", |step| step.held_out.log_likelihood),
            ],
        })
    }

    /// The report as Markdown.
    pub fn text(&self) -> String {
        let settings = &self.recipe.moves;
        let [train, held_out] = self.lessons.games;
        let mut text = format!(
            "# Strengths of moves of {}\n\n{}.\n\n| | |\n|---|---|\n| player | `{}` |\n\
             | learned from | {} moves of {train} games |\n| held out | {} moves of {held_out} games |\n\
             | prior | {} |\n\n![Likelihood by step]({CHART})\n\n\
             | step | log-likelihood | held out | ranked first | held out | mean rank | held out |\n\
             |---:|---:|---:|---:|---:|---:|---:|\n",
            self.recipe.game,
            self.summary(),
            self.recipe.player,
            self.lessons.train.len(),
            self.lessons.held_out.len(),
            settings.prior,
        );
        for (number, Step { train, held_out }) in self.state.history.iter().enumerate() {
            text += &format!(
                "| {number} | {:.4} | {:.4} | {:.1} % | {:.1} % | {:.2} | {:.2} |\n",
                train.log_likelihood,
                held_out.log_likelihood,
                100.0 * train.first,
                100.0 * held_out.first,
                train.mean_rank + 1.0,
                held_out.mean_rank + 1.0,
            );
        }
        text += &self.named();
        text + &self.extremes()
    }

    /// Every feature that was offered, of the groups with names.
    fn named(&self) -> String {
        let mut text = "\n## Features\n".to_owned();
        text += HEADING;
        for (group, (_, names)) in NAMES.iter().enumerate().take(GROUPS - 1) {
            for feature in 0..names.len() {
                text += &self.line(group, feature);
            }
        }
        text
    }

    /// The features that say most for and most against a move.
    fn extremes(&self) -> String {
        let groups = self.state.strengths.groups.iter().enumerate();
        let mut all: Vec<(usize, usize)> = groups
            .flat_map(|(group, features)| (0..features.len()).map(move |it| (group, it)))
            .filter(|&(group, feature)| self.lessons.counts[group][feature].offered > 0)
            .collect();
        let strength =
            |&(group, feature): &(usize, usize)| self.state.strengths.groups[group][feature];
        all.sort_by(|one, other| strength(other).total_cmp(&strength(one)));
        let lines = |places: &mut dyn Iterator<Item = &(usize, usize)>| -> String {
            places.take(SHOWN).map(|&(group, feature)| self.line(group, feature)).collect()
        };
        format!(
            "\n## The strongest\n{HEADING}{}\n## The weakest\n{HEADING}{}",
            lines(&mut all.iter()),
            lines(&mut all.iter().rev()),
        )
    }

    fn line(&self, group: usize, feature: usize) -> String {
        let Count { chosen, offered } = self.lessons.counts[group][feature];
        format!(
            "| {} | `{}` | {:.3} | {chosen} | {offered} |\n",
            NAMES[group].0,
            feature_name(group, feature),
            self.state.strengths.groups[group][feature],
        )
    }
}

const HEADING: &str =
    "\n| group | feature | strength | chosen | offered |\n|---|---|---:|---:|---:|\n";
