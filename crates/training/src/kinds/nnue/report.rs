//! Report of an NNUE training.

use super::NnueSettings;
use crate::{
    Recipe, RunReport,
    report::{CHART, series, tuning_summary},
};
use ludus_arena::plot::{LineChart, Unit, line_chart};

/// Report of an NNUE training.
pub(super) struct NnueReport<'a> {
    pub recipe: &'a Recipe,
    pub settings: &'a NnueSettings,
    /// Training positions and held-out positions.
    pub positions: (usize, usize),
    /// Validation error of the handcrafted evaluation alone.
    pub uncorrected: f64,
    /// Validation error with the quantised network.
    pub rounded: f64,
    /// Training error of each epoch.
    pub history: &'a [f64],
}

impl NnueReport<'_> {
    /// The report with its chart.
    pub fn report(&self) -> RunReport {
        RunReport::with_chart(self.summary(), self.text(), self.chart())
    }

    /// Summary in one line.
    fn summary(&self) -> String {
        let errors = (self.uncorrected, self.rounded);
        tuning_summary(&self.recipe.game, self.positions, errors, self.history.len())
    }

    /// Chart of errors by epoch.
    fn chart(&self) -> String {
        let points = self.history.iter().enumerate();
        line_chart(&LineChart {
            title: &format!("A network for {}", self.recipe.game),
            x_label: "Epoch",
            y_label: "Mean error",
            unit: Unit::Number,
            reference: None,
            series: &[series(
                "trained on",
                points.map(|(epoch, &error)| ((epoch + 1) as f64, error)),
            )],
        })
    }

    /// Report as Markdown.
    fn text(&self) -> String {
        let (train, held_out) = self.positions;
        let net = self.settings;
        let mut text = format!(
            "# A network for {}\n\n{}.\n\n| | |\n|---|---|\n\
             | player | `{}` |\n| positions trained on | {train} |\n| positions held out | {held_out} |\n\
             | steepness K | {} |\n| lambda | {} |\n\
             | error of the handcrafted evaluation, held out | {:.6} |\n\
             | error with the network in integers, held out | {:.6} |\n\n\
             ![Errors by epoch]({CHART})\n\n| epoch | trained on |\n|---|---|\n",
            self.recipe.game,
            self.summary(),
            self.recipe.player,
            net.k,
            net.lambda,
            self.uncorrected,
            self.rounded,
        );
        for (epoch, error) in self.history.iter().enumerate() {
            text += &format!("| {} | {error:.6} |\n", epoch + 1);
        }
        text
    }
}
