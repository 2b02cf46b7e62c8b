//! Report of a fit of playout weights.

use super::{PlayoutWeightsSettings, dataset::Dataset, fit::BalancingState};
use crate::{
    Recipe, RunReport,
    report::{CHART, series},
};
use ludus_arena::plot::{LineChart, Unit, line_chart};
use ludus_knowledge::go::policy::playout_weights::shape_name;
use ludus_players::go::playout_weights::{PolicyWeights, RULES};

/// Shapes shown at either end of the list.
const SHOWN_SHAPES: usize = 20;

/// Report of a fit of playout weights.
pub(super) struct PlayoutWeightsReport<'a> {
    pub recipe: &'a Recipe,
    pub settings: &'a PlayoutWeightsSettings,
    pub dataset: &'a Dataset,
    pub state: &'a BalancingState,
    /// Error of the policy without learned weights.
    pub strong: f64,
}

impl PlayoutWeightsReport<'_> {
    /// The report with its chart.
    pub fn report(&self) -> RunReport {
        RunReport::with_chart(self.summary(), self.text(), self.chart())
    }

    /// Summary in one line.
    fn summary(&self) -> String {
        let last = self.state.history[self.state.history.len() - 1];
        format!(
            "{}: {} positions of {} games, mean squared error of 40 playouts of positions held out \
             {:.5} -> {:.5} after {} steps ({:.5} by rules alone)",
            self.recipe.game,
            self.dataset.train.len() + self.dataset.held_out.len(),
            self.dataset.games(),
            self.state.history[0].held_out,
            last.held_out,
            last.steps,
            self.strong,
        )
    }

    /// Chart of errors by step.
    fn chart(&self) -> String {
        let points = || self.state.history.iter();
        line_chart(&LineChart {
            title: &format!("Playout weights of {}", self.recipe.game),
            x_label: "Step",
            y_label: "Mean squared error",
            unit: Unit::Number,
            reference: None,
            series: &[
                series(
                    "learned from",
                    points().skip(1).map(|point| (point.steps as f64, point.train)),
                ),
                series("held out", points().map(|point| (point.steps as f64, point.held_out))),
            ],
        })
    }

    /// Report as Markdown.
    fn text(&self) -> String {
        let settings = self.settings;
        let mut text = format!(
            "# Playout weights of {}\n\n{}.\n\n| | |\n|---|---|\n| player | `{}` |\n\
             | learned from | {} positions |\n| held out | {} positions |\n\
             | positions a step | {} |\n| playouts a position | {} |\n| rate | {} |\n\n\
             ![Error by step]({CHART})\n\n| step | learned from | held out |\n|---:|---:|---:|\n",
            self.recipe.game,
            self.summary(),
            self.recipe.player,
            self.dataset.train.len(),
            self.dataset.held_out.len(),
            settings.batch,
            settings.playouts,
            settings.rate,
        );
        for point in &self.state.history {
            let train =
                if point.steps == 0 { String::new() } else { format!("{:.5}", point.train) };
            text += &format!("| {} | {train} | {:.5} |\n", point.steps, point.held_out);
        }
        let (weights, before) = (self.state.odds.weights(), PolicyWeights::untrained());
        text += "\n## Rules\n\n| rule | chance | before |\n|---|---:|---:|\n";
        for (number, rule) in RULES.iter().enumerate() {
            let (now, then) = (weights.rules[number], before.rules[number]);
            text += &format!("| {rule} | {now} % | {then} % |\n");
        }
        text + &extremes(&weights, &before)
    }
}

/// Tables of the shapes with the highest and the lowest weights as answers.
fn extremes(weights: &PolicyWeights, before: &PolicyWeights) -> String {
    let mut changed: Vec<usize> =
        (0..weights.shapes.len()).filter(|&it| weights.shapes[it] != before.shapes[it]).collect();
    let weight = |shape: &usize| weights.shapes[*shape].answers[0];
    changed.sort_by(|one, other| weight(other).total_cmp(&weight(one)));
    let line = |&shape: &usize| {
        let shape_weights = weights.shapes[shape];
        let answers = shape_weights.answers.map(|weight| format!("{weight:.3}")).join(" | ");
        let then = before.shapes[shape].answers[0];
        format!(
            "| `{}` | {answers} | {:.3} | {then} |\n",
            shape_name(shape),
            shape_weights.anywhere
        )
    };
    let first: String = changed.iter().take(SHOWN_SHAPES).map(line).collect();
    let last: String = changed.iter().rev().take(SHOWN_SHAPES).map(line).collect();
    format!("\n## Likely answers\n{HEADING}{first}\n## Unlikely answers\n{HEADING}{last}")
}

const HEADING: &str = "\n| shape | beside the last move | diagonal | beside the one before | diagonal | \
                       anywhere | before |\n|---|---:|---:|---:|---:|---:|---:|\n";
