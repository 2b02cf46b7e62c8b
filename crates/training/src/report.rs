//! Reports of runs, and what several of them show.

use ludus_arena::{elo::Estimate, plot::Series};
use ludus_core::{Weight, Weights, linear::Group};

/// File of the chart, in the run's folder.
pub(crate) const CHART: &str = "progress.svg";
/// File of the second chart of trainings with tests.
pub(crate) const TEST_CHART: &str = "tests.svg";

/// Report of a run.
pub struct RunReport {
    /// Summary in one line.
    pub summary: String,
    /// Report as Markdown.
    pub text: String,
    /// Charts as SVG, with their file names.
    pub charts: Vec<(&'static str, String)>,
}

impl RunReport {
    /// A report with one chart.
    pub(crate) fn with_chart(summary: String, text: String, chart: String) -> RunReport {
        RunReport { summary, text, charts: vec![(CHART, chart)] }
    }
}

/// Summary of a tuning on training and held-out positions, with the held-out error before and after.
pub(crate) fn tuning_summary(
    game: &str,
    (train, held_out): (usize, usize),
    (before, after): (f64, f64),
    epochs: usize,
) -> String {
    format!(
        "{game}: {} positions, error {before:.6} -> {after:.6} on held-out games after {epochs} epochs",
        train + held_out
    )
}

pub(crate) fn series(name: &str, points: impl Iterator<Item = (f64, f64)>) -> Series {
    let value = |number| Estimate { value: Some(number), ..Estimate::default() };
    let points = points.map(|(x, y)| (x, value(y))).collect();
    Series { name: name.to_owned(), points, band: false }
}

/// Table of the changes of each group of weights.
pub(crate) fn weight_changes(groups: &[Group], start: &Weights, tuned: &Weights) -> String {
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
