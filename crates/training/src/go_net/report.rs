//! What came of it, for people.

use super::{Look, lessons::Lessons};
use crate::{
    Recipe,
    report::{CHART, series},
};
use ludus_arena::plot::{LineChart, Unit, line_chart};

/// All there is to say about a training.
pub(super) struct GoNetReport<'a> {
    pub recipe: &'a Recipe,
    pub lessons: &'a Lessons,
    pub looks: &'a [Look],
}

impl GoNetReport<'_> {
    fn last(&self) -> Look {
        self.looks[self.looks.len() - 1]
    }

    /// What was learned, in one line.
    pub fn summary(&self) -> String {
        let last = self.last();
        format!(
            "{}: {} positions of {} games; of positions held out {:.1} % of first moves, cross \
             entropy {:.3}, squared error of the winner {:.4} and of owners {:.4} after {} steps",
            self.recipe.game,
            self.lessons.train.len() + self.lessons.held_out.len(),
            self.lessons.games,
            100.0 * last.first,
            last.moves,
            last.winner,
            last.owners,
            last.steps,
        )
    }

    /// Errors by step.
    pub fn chart(&self) -> String {
        let line = |name: &str, error: fn(&Look) -> f64| {
            series(name, self.looks.iter().map(|look| (look.steps as f64, error(look))))
        };
        line_chart(&LineChart {
            title: &format!("A network of {}", self.recipe.game),
            x_label: "Step",
            y_label: "On positions held out",
            unit: Unit::Number,
            reference: None,
            series: &[
                line("first moves foreseen", |look| look.first),
                line("squared error of the winner", |look| look.winner),
                line("squared error of owners", |look| look.owners),
            ],
        })
    }

    /// The report as Markdown.
    pub fn text(&self) -> String {
        let settings = &self.recipe.go_net;
        let mut text = format!(
            "# A network of {}\n\n{}.\n\n| | |\n|---|---|\n| player | `{}` |\n\
             | learned from | {} positions |\n| held out | {} positions |\n\
             | blocks | {} |\n| positions a step | {} |\n| rate | {} |\n\n\
             ![By step]({CHART})\n\n\
             | step | first moves | cross entropy | winner | owners |\n|---:|---:|---:|---:|---:|\n",
            self.recipe.game,
            self.summary(),
            self.recipe.player,
            self.lessons.train.len(),
            self.lessons.held_out.len(),
            settings.blocks,
            settings.batch,
            settings.rate,
        );
        for look in self.looks {
            let Look { steps, moves, first, winner, owners } = look;
            let first = 100.0 * first;
            text +=
                &format!("| {steps} | {first:.1} % | {moves:.3} | {winner:.4} | {owners:.4} |\n");
        }
        text
    }
}
