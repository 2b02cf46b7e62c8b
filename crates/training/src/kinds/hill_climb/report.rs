//! Report of a hill climbing.

use super::{Challenge, HillClimbState};
use crate::{
    Recipe, RunReport,
    report::{CHART, series, weight_changes},
};
use ludus_arena::{
    elo::{Estimate, ScoreSample},
    plot::{LineChart, Unit, line_chart},
};
use ludus_core::{Weights, linear::Group};

/// Report of a hill climbing.
pub(super) struct HillClimbReport<'a> {
    pub recipe: &'a Recipe,
    pub groups: &'static [Group],
    pub start: &'a Weights,
    pub state: &'a HillClimbState,
}

impl HillClimbReport<'_> {
    /// The report with its chart.
    pub fn report(&self) -> RunReport {
        RunReport::with_chart(self.summary(), self.text(), self.chart())
    }

    /// Summary in one line.
    fn summary(&self) -> String {
        let count = |of: fn(&Challenge) -> bool| {
            self.state.history.iter().filter(|challenge| of(challenge)).count()
        };
        format!(
            "{}: {} of {} challengers won in {} climbs, the best weights changed {} times",
            self.recipe.game,
            count(|challenge| challenge.won && !challenge.last),
            count(|challenge| !challenge.last),
            self.state.climb,
            count(|challenge| challenge.won && challenge.last),
        )
    }

    /// Chart of the challengers' scores.
    fn chart(&self) -> String {
        let score = |challenge: &Challenge| challenge.wdl.score().unwrap_or(0.5);
        let steps = || self.state.history.iter().enumerate().filter(|(_, step)| !step.last);
        let points = |won: bool| {
            steps()
                .filter(move |(_, step)| step.won == won)
                .map(move |(number, step)| (number as f64, score(step)))
        };
        line_chart(&LineChart {
            title: &format!("Hill climbing in {}", self.recipe.game),
            x_label: "Challenge",
            y_label: "Score of the challenger",
            unit: Unit::Percent,
            reference: Some(0.5),
            series: &[series("refused", points(false)), series("took over", points(true))],
        })
    }

    /// Report as Markdown.
    fn text(&self) -> String {
        let mut text = format!(
            "# Hill climbing in {}\n\n{}. Player: `{}`.\n\n![Scores of the challengers]({CHART})\n\n\
             ## Champions against the best before\n\n| climb | games | score | Elo | took over |\n\
             |---|---|---|---|---|\n",
            self.recipe.game,
            self.summary(),
            self.recipe.player,
        );
        for challenge in self.state.history.iter().filter(|challenge| challenge.last) {
            let Challenge { climb, wdl, won, .. } = challenge;
            let number = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.1}"));
            let Estimate { value, low, high } = ScoreSample::from(*wdl).elo();
            text += &format!(
                "| {} | {} | {} % | {} ({} to {}) | {} |\n",
                climb + 1,
                wdl.games(),
                number(wdl.score().map(|score| 100.0 * score)),
                number(value),
                number(low),
                number(high),
                if *won { "yes" } else { "no" },
            );
        }
        text + &weight_changes(self.groups, self.start, &self.state.best)
    }
}
