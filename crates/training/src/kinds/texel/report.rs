//! Report of a Texel tuning.

use super::{EpochErrors, TexelSettings};
use crate::{
    Recipe, RunReport,
    report::{CHART, series, tuning_summary, weight_changes},
};
use ludus_arena::plot::{LineChart, Unit, line_chart};
use ludus_core::{Weights, linear::Group};

/// Report of a Texel tuning.
pub(super) struct TexelReport<'a> {
    pub recipe: &'a Recipe,
    pub settings: &'a TexelSettings,
    pub groups: &'static [Group],
    pub start: &'a Weights,
    pub tuned: &'a Weights,
    /// Training positions and held-out positions.
    pub positions: (usize, usize),
    pub entries: usize,
    pub k: f64,
    pub history: &'a [EpochErrors],
    /// Errors of the rounded weights.
    pub rounded: (f64, f64),
    pub epoch_seconds: f64,
}

impl TexelReport<'_> {
    /// The report with its chart.
    pub fn report(&self) -> RunReport {
        RunReport::with_chart(self.summary(), self.text(), self.chart())
    }

    /// Summary in one line.
    fn summary(&self) -> String {
        let errors = (self.history[0].validation, self.rounded.1);
        tuning_summary(&self.recipe.game, self.positions, errors, self.history.len() - 1)
    }

    /// Chart of errors by epoch.
    fn chart(&self) -> String {
        let line = |name: &str, error: fn(&EpochErrors) -> f64| {
            let points = self.history.iter().enumerate();
            series(name, points.map(|(epoch, errors)| (epoch as f64, error(errors))))
        };
        line_chart(&LineChart {
            title: &format!("Tuning {}", self.recipe.game),
            x_label: "Epoch",
            y_label: "Mean error",
            unit: Unit::Number,
            reference: None,
            series: &[line("trained on", |e| e.train), line("held out", |e| e.validation)],
        })
    }

    /// Report as Markdown.
    fn text(&self) -> String {
        let (train, held_out) = self.positions;
        let terms = self.entries as f64 / (train + held_out).max(1) as f64;
        let mut text = format!(
            "# Tuning {}\n\n{}.\n\n| | |\n|---|---|\n\
             | player | `{}` |\n| positions trained on | {train} |\n| positions held out | {held_out} |\n\
             | terms a position | {terms:.1} |\n| steepness K | {:.4} |\n\
             | target | {:?}, lambda {} |\n| seconds an epoch | {:.2} |\n\
             | error of the rounded weights | {:.6}, held out {:.6} |\n\n\
             ![Errors by epoch]({CHART})\n\n| epoch | trained on | held out | rate |\n|---|---|---|---|\n",
            self.recipe.game,
            self.summary(),
            self.recipe.player,
            self.k,
            self.settings.target,
            self.settings.lambda,
            self.epoch_seconds,
            self.rounded.0,
            self.rounded.1,
        );
        for (epoch, errors) in self.history.iter().enumerate() {
            let EpochErrors { train, validation, rate } = errors;
            text += &format!("| {epoch} | {train:.6} | {validation:.6} | {rate} |\n");
        }
        text + &weight_changes(self.groups, self.start, self.tuned)
    }
}
