//! Report of a neuroevolution.

use super::{GenerationStats, NeuroevolutionSettings, NeuroevolutionState};
use crate::{
    RunReport,
    report::{CHART, series},
};
use ludus_arena::plot::{LineChart, Unit, line_chart};

const SPREAD_CHART: &str = "spread.svg";
const KING_CHART: &str = "king.svg";

/// Report of a neuroevolution.
pub(super) struct NeuroevolutionReport<'a> {
    /// Specification of the player.
    pub player: &'a str,
    pub settings: &'a NeuroevolutionSettings,
    pub state: &'a NeuroevolutionState,
}

/// A line of a chart: its name and its value in a generation.
type Line<'a> = (&'a str, &'a dyn Fn(&GenerationStats) -> f64);

impl NeuroevolutionReport<'_> {
    /// The report with its charts.
    pub fn report(&self) -> RunReport {
        let charts = self.charts().into();
        RunReport { summary: self.summary(), text: self.text(), charts }
    }

    /// Summary in one line.
    fn summary(&self) -> String {
        let settings = self.settings;
        let (population, generations) = (2 * settings.parents, self.state.past.len());
        let last = self.state.past.last();
        format!(
            "{}: {} games in {generations} generations of {population}, mean spread {:.4}, king {:.1}",
            self.player,
            generations * population * settings.games,
            last.map_or(0.0, |generation| generation.spread),
            last.map_or(0.0, |generation| generation.king),
        )
    }

    fn mean_points(&self, generation: &GenerationStats) -> f64 {
        f64::from(generation.total) / (2 * self.settings.parents) as f64
    }

    fn chart(&self, title: &str, y_label: &str, lines: &[Line<'_>]) -> String {
        let past = &self.state.past;
        let points = |(name, value): &Line<'_>| {
            let generations = past.iter().enumerate();
            series(name, generations.map(|(number, it)| ((number + 1) as f64, value(it))))
        };
        line_chart(&LineChart {
            title: &format!("{title} of {}", self.player),
            x_label: "Generation",
            y_label,
            unit: Unit::Number,
            reference: None,
            series: &lines.iter().map(points).collect::<Vec<_>>(),
        })
    }

    /// All charts, with their file names.
    fn charts(&self) -> [(&'static str, String); 3] {
        let best = |it: &GenerationStats| f64::from(it.best);
        let mean = |it: &GenerationStats| self.mean_points(it);
        let points = [("best", &best as &dyn Fn(&GenerationStats) -> f64), ("mean of all", &mean)];
        let spread = |it: &GenerationStats| f64::from(it.spread);
        let king = |it: &GenerationStats| f64::from(it.king);
        [
            (CHART, self.chart("Points", "Points", &points)),
            (SPREAD_CHART, self.chart("Mean spread", "Spread", &[("those that live on", &spread)])),
            (KING_CHART, self.chart("Worth of a king", "Men", &[("the best", &king)])),
        ]
    }

    /// Report as Markdown.
    fn text(&self) -> String {
        let settings = self.settings;
        let mut text = format!(
            "# {} evolves\n\n{}.\n\n| | |\n|---|---|\n| parents | {} |\n| look-ahead | {} |\n\
             | games each with the first move | {} |\n| points: won, drawn, lost | {}, {}, {} |\n\n\
             ![Points by generation]({CHART})\n\n![Spread by generation]({SPREAD_CHART})\n\n\
             ![King by generation]({KING_CHART})\n\n\
             | generation | best | mean | drawn | spread | king | children that live on |\n\
             |---:|---:|---:|---:|---:|---:|---:|\n",
            self.player,
            self.summary(),
            settings.parents,
            settings.depth,
            settings.games,
            settings.win,
            settings.draw,
            settings.loss,
        );
        for (number, generation) in self.state.past.iter().enumerate() {
            let GenerationStats { best, drawn, spread, king, children, .. } = generation;
            text += &format!(
                "| {} | {best} | {:.2} | {drawn} | {spread:.4} | {king:.1} | {children} |\n",
                number + 1,
                self.mean_points(generation),
            );
        }
        text
    }
}
