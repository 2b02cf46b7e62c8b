//! Report of a network that judges chess positions.

use super::{
    ChessCnnSettings,
    dataset::Dataset,
    epochs::{EpochPoint, best_epoch},
};
use crate::{
    Recipe, RunReport,
    report::{CHART, series},
};
use ludus_arena::plot::{LineChart, Unit, line_chart};
use ludus_core::{Evaluator, HasEval, Position, Score};
use ludus_games::chess::Chess;
use ludus_knowledge::chess::ChessKnowledge;
use ludus_models::nnue::{CorrectedEval, NnueEvaluator};
use ludus_players::common::engine::Networked;

/// Report of a training.
pub(super) struct ChessCnnReport<'a> {
    pub recipe: &'a Recipe,
    pub settings: &'a ChessCnnSettings,
    pub dataset: &'a Dataset,
    pub points: &'a [EpochPoint],
    pub parameters: usize,
}

/// Errors on the positions held out, of others than the network.
struct OtherErrors {
    mean: f64,
    hand: f64,
    engine: f64,
}

impl ChessCnnReport<'_> {
    /// The report with its chart.
    pub fn report(&self) -> RunReport {
        let best = *best_epoch(self.points).expect("a training has an epoch");
        let others = self.other_errors();
        let summary = self.summary(best, &others);
        let text = self.text(best, &summary, &others);
        RunReport { summary, text, charts: vec![(CHART, self.chart())] }
    }

    /// Errors of the mean target, the handcrafted evaluation and the engine's network, each without
    /// any search.
    fn other_errors(&self) -> OtherErrors {
        let mean = self.dataset.mean_target();
        let hand = ChessKnowledge::handcrafted();
        let net = NnueEvaluator::new(Chess::net());
        OtherErrors {
            mean: self.dataset.held_out_error(|_| mean),
            hand: self.evaluation_error(hand.clone()),
            engine: self.evaluation_error(CorrectedEval::<ChessKnowledge, _> { base: hand, net }),
        }
    }

    fn evaluation_error(&self, mut evaluation: impl Evaluator<Chess>) -> f64 {
        let target = self.settings.target;
        self.dataset.held_out_error(|position| {
            let score = evaluation.evaluate(position);
            target.target(Score(score.0 * position.turn().sign())).into()
        })
    }

    /// Summary in one line.
    fn summary(&self, best: EpochPoint, others: &OtherErrors) -> String {
        format!(
            "chess: {} positions, {} held out; squared error on these {:.5} after epoch {} of {} \
             (the mean {:.5}, the handcrafted evaluation {:.5}, the engine's network {:.5})",
            self.dataset.labelled.len(),
            self.dataset.held_out.len(),
            best.held_out,
            best.epoch,
            self.points.len(),
            others.mean,
            others.hand,
            others.engine,
        )
    }

    /// Chart of errors by epoch.
    fn chart(&self) -> String {
        let line = |name: &str, error: fn(&EpochPoint) -> f64| {
            series(name, self.points.iter().map(|point| (point.epoch.into(), error(point))))
        };
        line_chart(&LineChart {
            title: "A convolutional network of chess",
            x_label: "Epoch",
            y_label: "Squared error",
            unit: Unit::Number,
            reference: None,
            series: &[
                line("positions held out", |point| point.held_out),
                line("positions learned from", |point| point.train),
            ],
        })
    }

    /// Report as Markdown.
    fn text(&self, best: EpochPoint, summary: &str, others: &OtherErrors) -> String {
        let settings = self.settings;
        let mates = self.dataset.labelled.iter();
        let is_mate = |score: Score| score.win_in().is_some();
        let mates = mates.filter(|labelled| labelled.score().is_some_and(is_mate)).count();
        let planes =
            if settings.turn { "pieces, attacks, side to move" } else { "pieces, attacks" };
        let OtherErrors { mean, hand, engine } = others;
        let mut text = format!(
            "# A convolutional network of chess\n\n{summary}.\n\n| | |\n|---|---|\n\
             | judge | `{}` |\n| positions learned from | {} |\n| positions held out | {} |\n\
             | positions with a mate | {mates} |\n| planes | {} ({planes}) |\n\
             | weights | {} |\n| positions a step | {} |\n| learning rate | {} |\n\n\
             ## Squared error on positions held out\n\n\
             The target is the judge's score, searched. None of these searches.\n\n\
             | | squared error |\n|---|---:|\n\
             | the network | {:.5} |\n| mean of the targets learned from | {mean:.5} |\n\
             | handcrafted evaluation | {hand:.5} |\n| `engine`'s network | {engine:.5} |\n\n\
             ## By epoch\n\n![By epoch]({CHART})\n\n\
             | epoch | learned from | held out |\n|---:|---:|---:|\n",
            self.recipe.player,
            self.dataset.train.len(),
            self.dataset.held_out.len(),
            super::dataset::plane_count(settings),
            self.parameters,
            settings.batch,
            settings.rate,
            best.held_out,
        );
        for EpochPoint { epoch, train, held_out } in self.points {
            text += &format!("| {epoch} | {train:.5} | {held_out:.5} |\n");
        }
        text
    }
}
