//! Report of a fit of move strengths.

use super::{
    MoveStrengthsSettings,
    fit::{ChoiceData, FeatureCount, FitState, FitStep},
};
use crate::{
    Recipe, RunReport,
    report::{CHART, series},
};
use ludus_arena::plot::{LineChart, Unit, line_chart};
use ludus_knowledge::go::move_features::{FEATURE_GROUPS, FEATURE_NAMES, feature_name};

/// Features shown at either end of the list.
const SHOWN_FEATURES: usize = 20;

/// Report of a fit of move strengths.
pub(super) struct MoveStrengthsReport<'a> {
    pub recipe: &'a Recipe,
    pub settings: &'a MoveStrengthsSettings,
    pub data: &'a ChoiceData,
    pub state: &'a FitState,
}

impl MoveStrengthsReport<'_> {
    fn last(&self) -> &FitStep {
        &self.state.history[self.state.steps()]
    }

    /// The report with its chart.
    pub fn report(&self) -> RunReport {
        RunReport::with_chart(self.summary(), self.text(), self.chart())
    }

    /// Summary in one line.
    fn summary(&self) -> String {
        let FitStep { held_out, .. } = self.last();
        format!(
            "{}: {} moves of {} games, {:.1} % of held-out moves ranked first, mean rank {:.2}, \
             log-likelihood {:.4} -> {:.4} after {} steps",
            self.recipe.game,
            self.data.train.len() + self.data.held_out.len(),
            self.data.games.iter().sum::<u64>(),
            100.0 * held_out.first,
            held_out.mean_rank + 1.0,
            self.state.history[0].held_out.log_likelihood,
            held_out.log_likelihood,
            self.state.steps(),
        )
    }

    /// Chart of likelihoods by step.
    fn chart(&self) -> String {
        let line = |name: &str, value: fn(&FitStep) -> f64| {
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

    /// Report as Markdown.
    fn text(&self) -> String {
        let settings = self.settings;
        let [train, held_out] = self.data.games;
        let mut text = format!(
            "# Strengths of moves of {}\n\n{}.\n\n| | |\n|---|---|\n| player | `{}` |\n\
             | learned from | {} moves of {train} games |\n| held out | {} moves of {held_out} games |\n\
             | prior | {} |\n\n![Likelihood by step]({CHART})\n\n\
             | step | log-likelihood | held out | ranked first | held out | mean rank | held out |\n\
             |---:|---:|---:|---:|---:|---:|---:|\n",
            self.recipe.game,
            self.summary(),
            self.recipe.player,
            self.data.train.len(),
            self.data.held_out.len(),
            settings.prior,
        );
        for (number, FitStep { train, held_out }) in self.state.history.iter().enumerate() {
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

    /// Table of every feature of the named groups.
    fn named(&self) -> String {
        let mut text = "\n## Features\n".to_owned();
        text += HEADING;
        for (group, (_, names)) in FEATURE_NAMES.iter().enumerate().take(FEATURE_GROUPS - 1) {
            for feature in 0..names.len() {
                text += &self.line(group, feature);
            }
        }
        text
    }

    /// Tables of the strongest and the weakest features.
    fn extremes(&self) -> String {
        let groups = self.state.strengths.groups.iter().enumerate();
        let mut all: Vec<(usize, usize)> = groups
            .flat_map(|(group, features)| (0..features.len()).map(move |it| (group, it)))
            .filter(|&(group, feature)| self.data.counts[group][feature].offered > 0)
            .collect();
        let strength =
            |&(group, feature): &(usize, usize)| self.state.strengths.groups[group][feature];
        all.sort_by(|one, other| strength(other).total_cmp(&strength(one)));
        let lines = |places: &mut dyn Iterator<Item = &(usize, usize)>| -> String {
            places.take(SHOWN_FEATURES).map(|&(group, feature)| self.line(group, feature)).collect()
        };
        format!(
            "\n## The strongest\n{HEADING}{}\n## The weakest\n{HEADING}{}",
            lines(&mut all.iter()),
            lines(&mut all.iter().rev()),
        )
    }

    fn line(&self, group: usize, feature: usize) -> String {
        let FeatureCount { chosen, offered } = self.data.counts[group][feature];
        format!(
            "| {} | `{}` | {:.3} | {chosen} | {offered} |\n",
            FEATURE_NAMES[group].0,
            feature_name(group, feature),
            self.state.strengths.groups[group][feature],
        )
    }
}

const HEADING: &str =
    "\n| group | feature | strength | chosen | offered |\n|---|---|---:|---:|---:|\n";
