//! Report of a TD learning by self-play.

use super::{SessionResult, TdSettings, TdState};
use crate::report::{CHART, TEST_CHART, series};
use ludus_arena::plot::{LineChart, Series, Unit, line_chart};

/// Report of a TD learning by self-play.
pub struct TdReport<'a> {
    /// Specification of the player that learns.
    pub player: &'a str,
    pub settings: &'a TdSettings,
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
            self.player,
            sessions.len(),
            self.state.clones.len() - 1,
            error(sessions.first()),
            error(sessions.last()),
        )
    }

    fn chart(&self, title: &str, y_label: &str, unit: Unit, lines: &[Series]) -> String {
        line_chart(&LineChart {
            title: &format!("{title} of {}", self.player),
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

    /// Charts with their file names.
    pub fn charts(&self) -> [(&'static str, String); 2] {
        [(CHART, self.error_chart()), (TEST_CHART, self.test_chart())]
    }

    /// Chart of errors by session.
    fn error_chart(&self) -> String {
        let error = self.line("from one prediction to the next", |session| session.error);
        self.chart("Errors", "Mean squared error", Unit::Number, &[error])
    }

    /// Chart of scores by session.
    fn test_chart(&self) -> String {
        let lines = [
            self.line("test", |session| session.test.score()),
            self.line("training games", |session| session.training.score()),
        ];
        self.chart("Scores against the copy", "Score", Unit::Percent, &lines)
    }

    /// Report as Markdown.
    pub fn text(&self) -> String {
        let td = self.settings;
        let mut text = format!(
            "# {} learns\n\n{}.\n\n| | |\n|---|---|\n| look-ahead | {} |\n| lambda | {} |\n\
             | gamma | {} |\n| momentum | {} |\n| rate | {} |\n| TDLeaf | {} |\n\n\
             ![Errors by session]({CHART})\n\n![Scores by session]({TEST_CHART})\n\n\
             | session | error | training: won, drawn (loops), lost | test | new copy |\n\
             |---:|---:|---|---|---|\n",
            self.player,
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
