//! Report of the logistic regression of chess moves.

use super::{
    LogRegSettings,
    fit::{FitState, RowQuality},
    rows::{DecisionRows, RowSets},
};
use crate::{
    Recipe, RunReport,
    report::{CHART, series},
};
use ludus_arena::plot::{LineChart, Unit, line_chart};
use ludus_knowledge::chess::{StudyMoveModel, study_feature_name};

/// Weights that the report lists by name.
const LISTED_WEIGHTS: usize = 20;

/// Report of a fit.
pub(super) struct LogRegReport<'a> {
    pub recipe: &'a Recipe,
    pub settings: &'a LogRegSettings,
    pub sets: &'a RowSets,
    pub state: &'a FitState,
    pub model: &'a StudyMoveModel,
}

/// Share of the winner's moves that are the likeliest of their position.
struct FirstChoices {
    model: f64,
    /// Expectation of a random choice.
    random: f64,
}

impl LogRegReport<'_> {
    /// The report with its chart.
    pub fn report(&self) -> RunReport {
        let summary = self.summary();
        let text = self.text(&summary);
        RunReport { summary, text, charts: vec![(CHART, self.chart())] }
    }

    fn last(&self) -> RowQuality {
        self.state.batches.last().copied().unwrap_or_default()
    }

    /// Summary in one line.
    fn summary(&self) -> String {
        let RowQuality { log_loss, accuracy, auc } = self.last();
        let rows = &self.sets.train.rows;
        format!(
            "chess: {} rows of {} decisive games, {}; on rows held out log-loss {log_loss:.4}, \
             {:.1} % right, AUC {auc:.4}",
            rows.len(),
            self.sets.games,
            if self.settings.interactions { "with interactions" } else { "without interactions" },
            100.0 * accuracy,
        )
    }

    /// Chart of qualities by batch.
    fn chart(&self) -> String {
        let line = |name: &str, quality: fn(&RowQuality) -> f64| {
            let points = self.state.batches.iter().enumerate();
            series(name, points.map(|(batch, point)| ((batch + 1) as f64, quality(point))))
        };
        line_chart(&LineChart {
            title: "Logistic regression of chess moves",
            x_label: "Batch",
            y_label: "On rows held out",
            unit: Unit::Number,
            reference: None,
            series: &[
                line("log-loss", |point| point.log_loss),
                line("share right", |point| point.accuracy),
                line("area under the curve", |point| point.auc),
            ],
        })
    }

    /// Share of the winner's moves held out that the model finds.
    fn first_choices(&self, rows: &DecisionRows) -> FirstChoices {
        let (mut moves, mut sums) = (Vec::new(), FirstChoices { model: 0.0, random: 0.0 });
        for number in 0..rows.decisions() {
            let (position, chosen) = rows.decision(number, &mut moves);
            let logits: Vec<f64> =
                moves.iter().map(|&mv| self.model.move_logit(&position, mv)).collect();
            let greatest = logits.iter().copied().fold(f64::MIN, f64::max);
            let first = logits.iter().position(|&logit| logit == greatest);
            sums.model += f64::from(u8::from(first == Some(chosen)));
            sums.random += 1.0 / moves.len() as f64;
        }
        let count = rows.decisions().max(1) as f64;
        FirstChoices { model: sums.model / count, random: sums.random / count }
    }

    /// Report as Markdown.
    fn text(&self, summary: &str) -> String {
        let (settings, sets) = (self.settings, self.sets);
        let FirstChoices { model, random } = self.first_choices(&sets.held_out);
        let mut text = format!(
            "# Logistic regression of chess moves\n\n{summary}.\n\n| | |\n|---|---|\n\
             | player | `{}` |\n| decisive games | {} |\n| rows learned from | {} |\n\
             | rows held out | {} |\n| weights | {} and a bias |\n| learning rate | {} |\n\
             | L2 | {} |\n| rows a step | {} |\n\n\
             Of {} moves of winners held out, the model finds {:.1} %, a random choice {:.1} %. The \
             inputs of the board are the same for all moves of a position: this choice depends on the \
             move alone.\n\n## By batch\n\n![By batch]({CHART})\n\n\
             | batch | log-loss | right | AUC |\n|---:|---:|---:|---:|\n",
            self.recipe.player,
            sets.games,
            sets.train.rows.len(),
            sets.held_out.rows.len(),
            self.model.weights().len(),
            settings.rate,
            settings.l2,
            settings.step,
            sets.held_out.decisions(),
            100.0 * model,
            100.0 * random,
        );
        for (batch, point) in self.state.batches.iter().enumerate() {
            let RowQuality { log_loss, accuracy, auc } = point;
            let (batch, right) = (batch + 1, 100.0 * accuracy);
            text += &format!("| {batch} | {log_loss:.4} | {right:.1} % | {auc:.4} |\n");
        }
        text + &self.greatest_weights()
    }

    /// Table of the weights that are greatest without their sign; the first of equals first.
    fn greatest_weights(&self) -> String {
        let mut weights: Vec<(usize, f32)> =
            self.model.weights().iter().copied().enumerate().collect();
        weights.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let mut text = "\n## Greatest weights\n\nWhite pieces are capital letters.\n\n\
                        | feature | weight |\n|---|---:|\n"
            .to_owned();
        for (feature, weight) in weights.into_iter().take(LISTED_WEIGHTS) {
            text += &format!("| {} | {weight:+.4} |\n", study_feature_name(feature));
        }
        text
    }
}
