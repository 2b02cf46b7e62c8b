//! Report of a network training.

use super::{GoNetSettings, dataset::Dataset, steps::ValidationPoint};
use crate::{
    Recipe, RunReport,
    report::{CHART, series},
};
use ludus_arena::plot::{LineChart, Unit, line_chart};

/// Report of a network training.
pub(super) struct GoNetReport<'a> {
    pub recipe: &'a Recipe,
    pub settings: &'a GoNetSettings,
    pub dataset: &'a Dataset,
    pub validations: &'a [ValidationPoint],
}

impl GoNetReport<'_> {
    fn last(&self) -> ValidationPoint {
        self.validations[self.validations.len() - 1]
    }

    /// The report with its chart.
    pub fn report(&self) -> RunReport {
        RunReport::with_chart(self.summary(), self.text(), self.chart())
    }

    /// Summary in one line.
    fn summary(&self) -> String {
        let last = self.last();
        format!(
            "{}: {} positions of {} games; of positions held out {:.1} % of first moves, cross \
             entropy {:.3}, squared error of the winner {:.4} and of owners {:.4} after {} steps",
            self.recipe.game,
            self.dataset.train.len() + self.dataset.held_out.len(),
            self.dataset.games,
            100.0 * last.first,
            last.moves,
            last.winner,
            last.owners,
            last.steps,
        )
    }

    /// Chart of errors by step.
    fn chart(&self) -> String {
        let line = |name: &str, error: fn(&ValidationPoint) -> f64| {
            series(name, self.validations.iter().map(|point| (point.steps as f64, error(point))))
        };
        line_chart(&LineChart {
            title: &format!("A network of {}", self.recipe.game),
            x_label: "Step",
            y_label: "On positions held out",
            unit: Unit::Number,
            reference: None,
            series: &[
                line("first moves foreseen", |point| point.first),
                line("squared error of the winner", |point| point.winner),
                line("squared error of owners", |point| point.owners),
            ],
        })
    }

    /// Report as Markdown.
    fn text(&self) -> String {
        let settings = self.settings;
        let mut text = format!(
            "# A network of {}\n\n{}.\n\n| | |\n|---|---|\n| player | `{}` |\n\
             | learned from | {} positions |\n| held out | {} positions |\n\
             | blocks | {} |\n| positions a step | {} |\n| rate | {} |\n\n\
             ![By step]({CHART})\n\n\
             | step | first moves | cross entropy | winner | owners |\n|---:|---:|---:|---:|---:|\n",
            self.recipe.game,
            self.summary(),
            self.recipe.player,
            self.dataset.train.len(),
            self.dataset.held_out.len(),
            settings.blocks,
            settings.batch,
            settings.rate,
        );
        for point in self.validations {
            let ValidationPoint { steps, moves, first, winner, owners } = point;
            let first = 100.0 * first;
            text +=
                &format!("| {steps} | {first:.1} % | {moves:.3} | {winner:.4} | {owners:.4} |\n");
        }
        text
    }
}
