//! Report of a training of specialists.

use super::{SpecialistsSettings, clusters::Clusters, training::Specialist};
use crate::{
    RunReport,
    kinds::td::SessionResult,
    report::{CHART, TEST_CHART},
};
use ludus_arena::{
    elo::Estimate,
    plot::{BoardCard, BoardChart, LineChart, Series, Unit, board_chart, line_chart},
};
use ludus_core::Notation;

/// File of the picture of the clusters.
const CLUSTER_CHART: &str = "clusters.svg";

/// Report of a training of specialists.
pub(super) struct SpecialistsReport<'a> {
    /// Specification of the player.
    pub player: &'a str,
    pub settings: &'a SpecialistsSettings,
    pub clusters: &'a Clusters,
    pub specialists: &'a [Specialist],
}

impl SpecialistsReport<'_> {
    fn sessions(&self) -> impl Iterator<Item = &SessionResult> {
        self.specialists.iter().flat_map(|specialist| &specialist.state.sessions)
    }

    /// Mean, minimum and maximum of the specialists in the session of this number.
    fn spread(&self, number: usize, value: fn(&SessionResult) -> f64) -> Option<Estimate> {
        let values: Vec<f64> = self
            .specialists
            .iter()
            .filter_map(|specialist| specialist.state.sessions.get(number).map(value))
            .collect();
        (!values.is_empty()).then(|| Estimate {
            value: Some(values.iter().sum::<f64>() / values.len() as f64),
            low: values.iter().copied().reduce(f64::min),
            high: values.iter().copied().reduce(f64::max),
        })
    }

    fn line(&self, name: &str, band: bool, value: fn(&SessionResult) -> f64) -> Series {
        let points = (0..self.settings.school.td.sessions as usize)
            .filter_map(|number| Some(((number + 1) as f64, self.spread(number, value)?)))
            .collect();
        Series { name: name.to_owned(), points, band }
    }

    /// The report with its charts.
    pub fn report(&self) -> RunReport {
        let charts = vec![
            (CHART, self.error_chart()),
            (TEST_CHART, self.test_chart()),
            (CLUSTER_CHART, self.cluster_chart()),
        ];
        RunReport { summary: self.summary(), text: self.text(), charts }
    }

    /// Summary in one line.
    fn summary(&self) -> String {
        let games: u32 = self.sessions().map(|session| session.training.games()).sum();
        let copies: usize = self.specialists.iter().map(Specialist::renewals).sum();
        let error = |number: usize| {
            let spread = self.spread(number, |session| session.error);
            spread.and_then(|spread| spread.value).unwrap_or(0.0)
        };
        let last = self.settings.school.td.sessions as usize - 1;
        format!(
            "{}: {} specialists, {games} games from {} boards, {copies} new copies, error {:.4} -> {:.4}",
            self.player,
            self.specialists.len(),
            self.clusters.boards(),
            error(0),
            error(last),
        )
    }

    /// Chart of errors by session.
    fn error_chart(&self) -> String {
        line_chart(&LineChart {
            title: "Errors of the specialists",
            x_label: "Session",
            y_label: "Mean squared error",
            unit: Unit::Number,
            reference: None,
            series: &[self.line("mean, from the least to the greatest", true, |it| it.error)],
        })
    }

    /// Chart of scores by session.
    fn test_chart(&self) -> String {
        let mean = "test, mean, from the lowest to the highest";
        line_chart(&LineChart {
            title: "Scores of the specialists against their copies",
            x_label: "Session",
            y_label: "Score",
            unit: Unit::Percent,
            reference: Some(self.settings.school.td.accept),
            series: &[
                self.line(mean, true, |it| it.test.score()),
                self.line("training games, mean", false, |it| it.training.score()),
            ],
        })
    }

    /// Picture of every cluster with its most typical position.
    fn cluster_chart(&self) -> String {
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

    /// Report as Markdown.
    fn text(&self) -> String {
        let SpecialistsSettings { boards, map, school } = self.settings;
        let td = &school.td;
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
            self.player,
            self.summary(),
            boards.games,
            pairings.join(", "),
            map.units,
            self.clusters.errors.len(),
            self.clusters.errors.first().unwrap_or(&0.0),
            self.clusters.error(),
            sizes.iter().min().unwrap_or(&0),
            sizes.iter().max().unwrap_or(&0),
            td.sessions,
            td.games,
            school.boards,
            td.look_ahead,
            td.rate,
            100.0 * td.accept,
        );
        text += &self.specialists();
        text + &self.all_sessions()
    }

    /// Table with a row for each specialist.
    fn specialists(&self) -> String {
        let mut text = "## Specialists\n\n| | boards | copies | chosen | error, first and last | \
                        best test | loops a training game |\n|---:|---:|---:|---:|---|---:|---:|\n"
            .to_owned();
        for (index, (specialist, size)) in
            self.specialists.iter().zip(self.clusters.sizes()).enumerate()
        {
            let sessions = &specialist.state.sessions;
            let error =
                |session: Option<&SessionResult>| session.map_or(0.0, |session| session.error);
            let best = sessions.iter().map(|session| session.test.score()).fold(0.0, f64::max);
            let games: u32 = sessions.iter().map(|session| session.training.games()).sum();
            let loops: u32 = sessions.iter().map(|session| session.training.loops).sum();
            text += &format!(
                "| {} | {size} | {} | {} | {:.5}, {:.5} | {:.0} % | {:.3} |\n",
                index + 1,
                specialist.renewals(),
                specialist.chosen(),
                error(sessions.first()),
                error(sessions.last()),
                100.0 * best,
                f64::from(loops) / f64::from(games.max(1)),
            );
        }
        text
    }

    /// Table with a row for each session of each specialist.
    fn all_sessions(&self) -> String {
        let mut text = "\n## Sessions\n\n| specialist | session | error | training: won, drawn \
                        (loops), lost | test | new copy |\n|---:|---:|---:|---|---|---|\n"
            .to_owned();
        for (index, specialist) in self.specialists.iter().enumerate() {
            for (number, session) in specialist.state.sessions.iter().enumerate() {
                text += &format!(
                    "| {} | {} | {:.5} | {} | {} | {} |\n",
                    index + 1,
                    number + 1,
                    session.error,
                    session.training.text(),
                    session.test.text(),
                    if session.cloned { "yes" } else { "" },
                );
            }
        }
        text
    }
}
