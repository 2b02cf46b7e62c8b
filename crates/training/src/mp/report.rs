//! What came of a training of specialists, for people.

use super::{clusters::Clusters, training::Pupil};
use crate::{
    Recipe,
    cloning::Session,
    report::{CHART, TEST_CHART},
};
use ludus_arena::{
    elo::Estimate,
    plot::{BoardCard, BoardChart, LineChart, Series, Unit, board_chart, line_chart},
};
use ludus_core::Notation;

/// The file of the picture of the clusters.
pub(super) const CLUSTER_CHART: &str = "clusters.svg";

/// All there is to say about a training of specialists.
pub(super) struct MpReport<'a> {
    pub recipe: &'a Recipe,
    pub clusters: &'a Clusters,
    pub pupils: &'a [Pupil],
}

impl MpReport<'_> {
    fn sessions(&self) -> impl Iterator<Item = &Session> {
        self.pupils.iter().flat_map(|pupil| &pupil.state.sessions)
    }

    /// The mean of the specialists in the session of this number, and the least and the greatest.
    fn spread(&self, number: usize, value: fn(&Session) -> f64) -> Option<Estimate> {
        let values: Vec<f64> = self
            .pupils
            .iter()
            .filter_map(|pupil| pupil.state.sessions.get(number).map(value))
            .collect();
        (!values.is_empty()).then(|| Estimate {
            value: Some(values.iter().sum::<f64>() / values.len() as f64),
            low: values.iter().copied().reduce(f64::min),
            high: values.iter().copied().reduce(f64::max),
        })
    }

    fn line(&self, name: &str, band: bool, value: fn(&Session) -> f64) -> Series {
        let points = (0..self.recipe.mp.school.sessions as usize)
            .filter_map(|number| Some(((number + 1) as f64, self.spread(number, value)?)))
            .collect();
        Series { name: name.to_owned(), points, band }
    }

    /// What was done, in one line.
    pub fn summary(&self) -> String {
        let games: u32 = self.sessions().map(|session| session.training.games()).sum();
        let copies: usize = self.pupils.iter().map(Pupil::renewals).sum();
        let error = |number: usize| {
            let spread = self.spread(number, |session| session.error);
            spread.and_then(|spread| spread.value).unwrap_or(0.0)
        };
        let last = self.recipe.mp.school.sessions as usize - 1;
        format!(
            "{}: {} specialists, {games} games from {} boards, {copies} new copies, error {:.4} -> {:.4}",
            self.recipe.player,
            self.pupils.len(),
            self.clusters.boards(),
            error(0),
            error(last),
        )
    }

    /// Errors by session.
    pub fn error_chart(&self) -> String {
        line_chart(&LineChart {
            title: "Errors of the specialists",
            x_label: "Session",
            y_label: "Mean squared error",
            unit: Unit::Number,
            reference: None,
            series: &[self.line("mean, from the least to the greatest", true, |it| it.error)],
        })
    }

    /// Scores by session.
    pub fn test_chart(&self) -> String {
        let mean = "test, mean, from the lowest to the highest";
        line_chart(&LineChart {
            title: "Scores of the specialists against their copies",
            x_label: "Session",
            y_label: "Score",
            unit: Unit::Percent,
            reference: Some(self.recipe.mp.school.accept),
            series: &[
                self.line(mean, true, |it| it.test.score()),
                self.line("training games, mean", false, |it| it.training.score()),
            ],
        })
    }

    /// Every cluster with its most typical board.
    pub fn cluster_chart(&self) -> String {
        let sizes = self.clusters.sizes();
        let largest = sizes.iter().copied().max().unwrap_or(1) as f64;
        let cards: Vec<BoardCard> = sizes
            .iter()
            .enumerate()
            .map(|(index, size)| {
                let [own, other] = self.clusters.forces(index);
                BoardCard {
                    heading: format!("Cluster {}", index + 1),
                    amount: format!("{size} boards"),
                    share: *size as f64 / largest,
                    board: self.clusters.typical(index).view(),
                    notes: vec![
                        format!("Black {:.1}, kings {:.1}", own.pieces, own.kings),
                        format!("White {:.1}, kings {:.1}", other.pieces, other.kings),
                    ],
                }
            })
            .collect();
        board_chart(&BoardChart {
            title: &format!("{} kinds of endings", sizes.len()),
            subtitle: &format!(
                "{} boards with twelve pieces, divided by a self-organising map; the most typical \
                 board and the mean forces of each; Black is to move",
                self.clusters.boards()
            ),
            cards: &cards,
        })
    }

    /// The report as Markdown.
    pub fn text(&self) -> String {
        let (boards, map, school) =
            (&self.recipe.mp.boards, &self.recipe.mp.map, &self.recipe.mp.school);
        let sizes = self.clusters.sizes();
        let pairings = boards.pairings.iter().map(|[one, other]| format!("`{one}` v `{other}`"));
        let pairings: Vec<String> = pairings.collect();
        let loops: u32 = self.sessions().map(|session| session.training.loops).sum();
        let mut text = format!(
            "# {} learns endings\n\n{}.\n\n| | |\n|---|---|\n| boards | {} from each of {} |\n\
             | map | {} units, {} epochs, quantisation error {:.4} -> {:.4} |\n\
             | cluster sizes | {} to {} |\n\
             | training | {} sessions of {} games from {} boards, look-ahead {}, rate {} |\n\
             | new copies | from {:.0} % of the points on |\n\
             | loops in training games | {loops} |\n\n\
             ![Clusters]({CLUSTER_CHART})\n\n![Errors by session]({CHART})\n\n\
             ![Scores by session]({TEST_CHART})\n\n",
            self.recipe.player,
            self.summary(),
            boards.games,
            pairings.join(", "),
            map.units,
            self.clusters.errors.len(),
            self.clusters.errors.first().unwrap_or(&0.0),
            self.clusters.error(),
            sizes.iter().min().unwrap_or(&0),
            sizes.iter().max().unwrap_or(&0),
            school.sessions,
            school.games,
            school.boards,
            school.look_ahead,
            school.rate,
            100.0 * school.accept,
        );
        text += &self.specialists();
        text + &self.all_sessions()
    }

    /// A line for each specialist.
    fn specialists(&self) -> String {
        let mut text = "## Specialists\n\n| | boards | copies | chosen | error, first and last | \
                        best test | loops a training game |\n|---:|---:|---:|---:|---|---:|---:|\n"
            .to_owned();
        for (index, (pupil, size)) in self.pupils.iter().zip(self.clusters.sizes()).enumerate() {
            let sessions = &pupil.state.sessions;
            let error = |session: Option<&Session>| session.map_or(0.0, |session| session.error);
            let best = sessions.iter().map(|session| session.test.score()).fold(0.0, f64::max);
            let games: u32 = sessions.iter().map(|session| session.training.games()).sum();
            let loops: u32 = sessions.iter().map(|session| session.training.loops).sum();
            text += &format!(
                "| {} | {size} | {} | {} | {:.5}, {:.5} | {:.0} % | {:.3} |\n",
                index + 1,
                pupil.renewals(),
                pupil.chosen(),
                error(sessions.first()),
                error(sessions.last()),
                100.0 * best,
                f64::from(loops) / f64::from(games.max(1)),
            );
        }
        text
    }

    /// A line for each session of each specialist.
    fn all_sessions(&self) -> String {
        let mut text = "\n## Sessions\n\n| specialist | session | error | training: won, drawn \
                        (loops), lost | test | new copy |\n|---:|---:|---:|---|---|---|\n"
            .to_owned();
        for (index, pupil) in self.pupils.iter().enumerate() {
            for (number, session) in pupil.state.sessions.iter().enumerate() {
                text += &format!(
                    "| {} | {} | {:.5} | {} | {} | {} |\n",
                    index + 1,
                    number + 1,
                    session.error,
                    session.training.in_words(),
                    session.test.in_words(),
                    if session.cloned { "yes" } else { "" },
                );
            }
        }
        text
    }
}
