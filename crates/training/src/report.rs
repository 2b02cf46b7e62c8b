//! Reports of runs.

use crate::{
    Recipe,
    hill_climb::{self, Challenge},
    td_self_play::{SessionResult, TdState},
    texel::EpochErrors,
};
use ludus_arena::{
    elo::{Estimate, ScoreSample},
    plot::{LineChart, Series, Unit, line_chart},
};
use ludus_core::{Weight, Weights, linear::Group};

/// File of the chart, in the run's folder.
pub const CHART: &str = "progress.svg";
/// File of the second chart of trainings with tests.
pub const TEST_CHART: &str = "tests.svg";

pub(crate) fn series(name: &str, points: impl Iterator<Item = (f64, f64)>) -> Series {
    let value = |number| Estimate { value: Some(number), ..Estimate::default() };
    let points = points.map(|(x, y)| (x, value(y))).collect();
    Series { name: name.to_owned(), points, band: false }
}

/// Report of a Texel tuning.
pub struct TexelReport<'a> {
    pub recipe: &'a Recipe,
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
    /// Summary in one line.
    pub fn summary(&self) -> String {
        let (train, held_out) = self.positions;
        format!(
            "{}: {} positions, error {:.6} -> {:.6} on held-out games after {} epochs",
            self.recipe.game,
            train + held_out,
            self.history[0].validation,
            self.rounded.1,
            self.history.len() - 1,
        )
    }

    /// Chart of errors by epoch.
    pub fn chart(&self) -> String {
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
    pub fn text(&self) -> String {
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
            self.recipe.texel.target,
            self.recipe.texel.lambda,
            self.epoch_seconds,
            self.rounded.0,
            self.rounded.1,
        );
        for (epoch, errors) in self.history.iter().enumerate() {
            let EpochErrors { train, validation, rate } = errors;
            text += &format!("| {epoch} | {train:.6} | {validation:.6} | {rate} |\n");
        }
        text + &changes(self.groups, self.start, self.tuned)
    }
}

/// Report of an NNUE training.
pub struct NnueReport<'a> {
    pub recipe: &'a Recipe,
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
    /// Summary in one line.
    pub fn summary(&self) -> String {
        let (train, held_out) = self.positions;
        format!(
            "{}: {} positions, error {:.6} -> {:.6} on held-out games after {} epochs",
            self.recipe.game,
            train + held_out,
            self.uncorrected,
            self.rounded,
            self.history.len(),
        )
    }

    /// Chart of errors by epoch.
    pub fn chart(&self) -> String {
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
    pub fn text(&self) -> String {
        let (train, held_out) = self.positions;
        let net = &self.recipe.nnue;
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

/// Report of a TD learning by self-play.
pub struct TdReport<'a> {
    pub recipe: &'a Recipe,
    pub state: &'a TdState,
}

impl TdReport<'_> {
    /// Summary in one line.
    pub fn summary(&self) -> String {
        let sessions = &self.state.sessions;
        let games: u32 = sessions.iter().map(|session| session.training.games()).sum();
        let error = |session: Option<&SessionResult>| session.map_or(0.0, |session| session.error);
        format!(
            "{}: {games} games in {} sessions, {} new copies, error {:.4} -> {:.4}",
            self.recipe.player,
            sessions.len(),
            self.state.clones.len() - 1,
            error(sessions.first()),
            error(sessions.last()),
        )
    }

    fn chart(&self, title: &str, y_label: &str, unit: Unit, lines: &[Series]) -> String {
        line_chart(&LineChart {
            title: &format!("{title} of {}", self.recipe.player),
            x_label: "Session",
            y_label,
            reference: matches!(unit, Unit::Percent).then_some(0.5),
            unit,
            series: lines,
        })
    }

    fn line(&self, name: &str, value: fn(&SessionResult) -> f64) -> Series {
        let sessions = self.state.sessions.iter().enumerate();
        series(name, sessions.map(|(number, session)| ((number + 1) as f64, value(session))))
    }

    /// Chart of errors by session.
    pub fn error_chart(&self) -> String {
        let error = self.line("from one prediction to the next", |session| session.error);
        self.chart("Errors", "Mean squared error", Unit::Number, &[error])
    }

    /// Chart of scores by session.
    pub fn test_chart(&self) -> String {
        let lines = [
            self.line("test", |session| session.test.score()),
            self.line("training games", |session| session.training.score()),
        ];
        self.chart("Scores against the copy", "Score", Unit::Percent, &lines)
    }

    /// Report as Markdown.
    pub fn text(&self) -> String {
        let td = &self.recipe.td;
        let mut text = format!(
            "# {} learns\n\n{}.\n\n| | |\n|---|---|\n| look-ahead | {} |\n| lambda | {} |\n\
             | gamma | {} |\n| momentum | {} |\n| rate | {} |\n| TDLeaf | {} |\n\n\
             ![Errors by session]({CHART})\n\n![Scores by session]({TEST_CHART})\n\n\
             | session | error | training: won, drawn (loops), lost | test | new copy |\n\
             |---:|---:|---|---|---|\n",
            self.recipe.player,
            self.summary(),
            td.look_ahead,
            td.lambda,
            td.gamma,
            td.momentum,
            td.rate,
            if td.leaf { "yes" } else { "no" },
        );
        for (number, session) in self.state.sessions.iter().enumerate() {
            let SessionResult { error, training, test, cloned, .. } = session;
            text += &format!(
                "| {} | {error:.5} | {} | {} | {} |\n",
                number + 1,
                training.text(),
                test.text(),
                if *cloned { "yes" } else { "" },
            );
        }
        text
    }
}

/// Report of a hill climbing.
pub struct HillClimbReport<'a> {
    pub recipe: &'a Recipe,
    pub groups: &'static [Group],
    pub start: &'a Weights,
    pub state: &'a hill_climb::HillClimbState,
}

impl HillClimbReport<'_> {
    /// Summary in one line.
    pub fn summary(&self) -> String {
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
    pub fn chart(&self) -> String {
        let score = |challenge: &Challenge| challenge.tally.score().unwrap_or(0.5);
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
    pub fn text(&self) -> String {
        let mut text = format!(
            "# Hill climbing in {}\n\n{}. Player: `{}`.\n\n![Scores of the challengers]({CHART})\n\n\
             ## Champions against the best before\n\n| climb | games | score | Elo | took over |\n\
             |---|---|---|---|---|\n",
            self.recipe.game,
            self.summary(),
            self.recipe.player,
        );
        for challenge in self.state.history.iter().filter(|challenge| challenge.last) {
            let Challenge { climb, tally, won, .. } = challenge;
            let number = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.1}"));
            let Estimate { value, low, high } = ScoreSample::from(*tally).elo();
            text += &format!(
                "| {} | {} | {} % | {} ({} to {}) | {} |\n",
                climb + 1,
                tally.games(),
                number(tally.score().map(|score| 100.0 * score)),
                number(value),
                number(low),
                number(high),
                if *won { "yes" } else { "no" },
            );
        }
        text + &changes(self.groups, self.start, &self.state.best)
    }
}

/// Table of the changes of each group of weights.
fn changes(groups: &[Group], start: &Weights, tuned: &Weights) -> String {
    let mut text = "\n## Weights\n\n| group | terms | moved | mean change, opening/ending | \
                    largest change | mean before | mean after |\n|---|---|---|---|---|---|---|\n"
        .to_owned();
    let mut first = 0;
    for group in groups {
        let range = first..first + group.terms;
        first += group.terms;
        let (before, after) = (&start.terms[range.clone()], &tuned.terms[range]);
        let pairs = || before.iter().zip(after);
        let moved = pairs().filter(|(before, after)| before != after).count();
        let change =
            |half: fn(&Weight) -> i32| move |(a, b): (&Weight, &Weight)| (half(b) - half(a)).abs();
        let count = group.terms.max(1) as f64;
        let opening: i32 = pairs().map(change(|weight| weight.opening)).sum();
        let ending: i32 = pairs().map(change(|weight| weight.ending)).sum();
        let largest = pairs()
            .map(change(|weight| weight.opening))
            .chain(pairs().map(change(|weight| weight.ending)))
            .max();
        let mean = |weights: &[Weight]| {
            let sum = |half: fn(&Weight) -> i32| weights.iter().map(half).sum::<i32>() as f64;
            let (opening, ending) = (sum(|w| w.opening), sum(|w| w.ending));
            format!("{:.1}/{:.1}", opening / count, ending / count)
        };
        text += &format!(
            "| {} | {} | {moved} | {:.1}/{:.1} | {} | {} | {} |\n",
            group.name,
            group.terms,
            f64::from(opening) / count,
            f64::from(ending) / count,
            largest.unwrap_or(0),
            mean(before),
            mean(after),
        );
    }
    text
}
