//! Line chart over games or time: of a score, or an Elo difference with its band.

use super::axis::Axis;
use super::palette;
use super::svg::{Align, Area, BODY, Canvas, SMALL, TITLE, TextStyle, number, text_width};
use crate::elo::{Estimate, ScoreSample};

/// Unit of the values.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Plain numbers, such as Elo.
    Number,
    /// Shares of one, shown as percentages.
    Percent,
}

/// One line.
#[derive(Clone, Debug)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Points (x, value) in ascending order of x. A point without a value interrupts the line; one
    /// without an end of its interval opens the band there.
    pub points: Vec<(f64, Estimate)>,
    /// Whether to fill the interval.
    pub band: bool,
}

impl Series {
    /// Elo difference over games (or time), with its 95 % band.
    pub fn elo(name: &str, samples: impl IntoIterator<Item = (f64, ScoreSample)>) -> Series {
        let points = samples.into_iter().map(|(x, sample)| (x, sample.elo())).collect();
        Series { name: name.to_owned(), points, band: true }
    }

    /// Score over games (or time).
    pub fn score(name: &str, samples: impl IntoIterator<Item = (f64, ScoreSample)>) -> Series {
        let value = |sample: ScoreSample| Estimate { value: sample.score(), ..Estimate::default() };
        let points = samples.into_iter().map(|(x, sample)| (x, value(sample))).collect();
        Series { name: name.to_owned(), points, band: false }
    }
}

/// A line chart.
#[derive(Clone, Debug)]
pub struct LineChart<'a> {
    /// Heading of the chart.
    pub title: &'a str,
    /// Label of the x axis, such as `Games`.
    pub x_label: &'a str,
    /// Label of the y axis, such as `Elo`.
    pub y_label: &'a str,
    /// Unit of the y axis.
    pub unit: Unit,
    /// Reference value, such as 0 Elo or a score of one half.
    pub reference: Option<f64>,
    /// The lines.
    pub series: &'a [Series],
}

const MARGIN: f64 = 28.0;
const WIDTH: f64 = 880.0;
const PLOT_HEIGHT: f64 = 340.0;
const TICKS: usize = 6;
/// Maximum number of points; more than the pixels would show nothing more.
const MAX_POINTS: usize = 600;
const DASHES: [&str; 4] = ["", "8 4", "2 3", "10 4 2 4"];

/// The lines as an SVG document.
pub fn line_chart(chart: &LineChart<'_>) -> String {
    let legend = legend_rows(chart.series);
    let top = 66.0 + 22.0 * legend.len() as f64 + 8.0;
    let plot = Area { x: 92.0, y: top, width: WIDTH - 92.0 - MARGIN, height: PLOT_HEIGHT };
    let mut canvas = Canvas::new(
        WIDTH,
        plot.bottom() + 66.0,
        chart.title,
        &format!("Line chart: {} by {}.", chart.y_label, chart.x_label),
    );
    let heading = TextStyle::new(TITLE, Align::Start).bold();
    canvas.text_within((MARGIN, 42.0), chart.title, heading, WIDTH - 2.0 * MARGIN);
    for (row, entries) in legend.iter().enumerate() {
        for &(index, x) in entries {
            draw_legend_entry(
                &mut canvas,
                &chart.series[index],
                index,
                x,
                70.0 + 22.0 * row as f64,
            );
        }
    }
    let series: Vec<Series> = chart.series.iter().map(thinned).collect();
    let (x_axis, y_axis) = (x_axis(&series, plot), y_axis(chart, &series, plot));
    draw_axes(&mut canvas, chart, &x_axis, &y_axis, plot);
    // Slightly larger than the plot, so that a line along its edge keeps its width.
    let Area { x, y, width, height } = plot;
    let (y, height) = (y - 2.0, height + 4.0);
    let (x, y, width, height) = (number(x), number(y), number(width), number(height));
    canvas.raw(&format!(
        "<clipPath id=\"plot\"><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>\
         </clipPath>\n<g clip-path=\"url(#plot)\">"
    ));
    for (index, series) in series.iter().enumerate().filter(|(_, series)| series.band) {
        draw_band(&mut canvas, series, index, &x_axis, &y_axis);
    }
    for (index, series) in series.iter().enumerate() {
        draw_line(&mut canvas, series, index, &x_axis, &y_axis);
    }
    canvas.raw("</g>");
    canvas.finish()
}

fn colour(index: usize) -> &'static str {
    palette::LINES[index % palette::LINES.len()]
}

fn dashes(index: usize) -> String {
    match DASHES[index % DASHES.len()] {
        "" => String::new(),
        dashes => format!(" stroke-dasharray=\"{dashes}\""),
    }
}

/// Evenly sampled points including the last one; numbers that are not finite are dropped.
fn thinned(series: &Series) -> Series {
    let finite = |number: Option<f64>| number.filter(|number| number.is_finite());
    let points: Vec<(f64, Estimate)> = series
        .points
        .iter()
        .filter(|(x, _)| x.is_finite())
        .map(|&(x, Estimate { value, low, high })| {
            (x, Estimate { value: finite(value), low: finite(low), high: finite(high) })
        })
        .collect();
    let stride = points.len().div_ceil(MAX_POINTS).max(1);
    let mut kept: Vec<(f64, Estimate)> = points.iter().rev().step_by(stride).copied().collect();
    kept.reverse();
    Series { name: series.name.clone(), points: kept, band: series.band }
}

/// The series of each row of the legend, with their positions.
fn legend_rows(series: &[Series]) -> Vec<Vec<(usize, f64)>> {
    let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut x = f64::INFINITY;
    for (index, series) in series.iter().enumerate() {
        let width = 44.0 + text_width(&series.name, BODY).min(WIDTH / 2.0) + 22.0;
        if x + width > WIDTH - MARGIN {
            rows.push(Vec::new());
            x = MARGIN;
        }
        if let Some(row) = rows.last_mut() {
            row.push((index, x));
        }
        x += width;
    }
    rows
}

fn draw_legend_entry(canvas: &mut Canvas, series: &Series, index: usize, x: f64, y: f64) {
    if series.band {
        canvas.raw(&format!(
            "<rect x=\"{}\" y=\"{}\" width=\"34\" height=\"12\" fill=\"{}\" \
             fill-opacity=\"0.16\"/>",
            number(x),
            number(y - 6.0),
            colour(index)
        ));
    }
    canvas.raw(&format!(
        "<line x1=\"{}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"{}\" stroke-width=\"2.5\"{}/>",
        number(x),
        number(x + 34.0),
        colour(index),
        dashes(index)
    ));
    let style = TextStyle::new(BODY, Align::Start);
    canvas.text_within((x + 42.0, y + 5.0), &series.name, style, WIDTH / 2.0);
}

fn x_axis(series: &[Series], plot: Area) -> Axis {
    let all = || series.iter().flat_map(|series| &series.points).map(|(x, _)| *x);
    let (low, high) =
        (all().fold(f64::INFINITY, f64::min), all().fold(f64::NEG_INFINITY, f64::max));
    // Games and seconds start at zero.
    let low = if low > 0.0 && low < high / 4.0 { 0.0 } else { low };
    Axis::new(low, high, plot.x, plot.right())
}

/// Minimum number of points for cropping the first eighth.
const MIN_POINTS_TO_CROP: usize = 40;

/// The range of values and bands. Long series ignore the first eighth, where the bands are very wide;
/// these are clipped.
fn y_axis(chart: &LineChart<'_>, series: &[Series], plot: Area) -> Axis {
    let mut values: Vec<f64> = chart.reference.into_iter().collect();
    for series in series {
        let count = series.points.len();
        let early = if count < MIN_POINTS_TO_CROP { 0 } else { count / 8 };
        for (_, estimate) in &series.points[early..] {
            values.extend(estimate.value);
            if series.band {
                values.extend(estimate.low.into_iter().chain(estimate.high));
            }
        }
    }
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Axis::rounded(low, high, plot.bottom(), plot.y, TICKS)
}

fn draw_axes(canvas: &mut Canvas, chart: &LineChart<'_>, x: &Axis, y: &Axis, plot: Area) {
    let tick = TextStyle::new(SMALL, Align::End).quiet();
    let percent = chart.unit == Unit::Percent;
    let scaled =
        if percent { Axis::new(y.low * 100.0, y.high * 100.0, plot.bottom(), plot.y) } else { *y };
    for (value, label) in scaled.ticks(TICKS) {
        let at = scaled.place(value);
        canvas.line((plot.x, at), (plot.right(), at), palette::GRID, 1.0);
        let label = if percent { format!("{label} %") } else { label };
        canvas.text((plot.x - 10.0, at + 4.0), &label, tick);
    }
    for (value, label) in x.ticks(8) {
        let at = x.place(value);
        canvas.line((at, plot.bottom()), (at, plot.bottom() + 5.0), palette::AXIS, 1.0);
        let style = TextStyle { align: Align::Middle, ..tick };
        canvas.text((at, plot.bottom() + 20.0), &label, style);
    }
    canvas.line((plot.x, plot.bottom()), (plot.right(), plot.bottom()), palette::AXIS, 1.0);
    if let Some(reference) = chart.reference.filter(|r| (y.low..=y.high).contains(r)) {
        let at = y.place(reference);
        canvas.line((plot.x, at), (plot.right(), at), palette::QUIET_INK, 1.2);
    }
    let label = TextStyle::new(SMALL, Align::Middle).quiet().bold();
    canvas.text((plot.middle().0, plot.bottom() + 44.0), chart.x_label, label);
    let (left, middle) = (number(MARGIN), number(plot.middle().1));
    canvas.raw(&format!("<g transform=\"translate({left} {middle}) rotate(-90)\">"));
    canvas.text((0.0, 0.0), chart.y_label, label);
    canvas.raw("</g>");
}

/// Unbroken runs of points with a value.
fn runs(points: &[(f64, Estimate)]) -> impl Iterator<Item = &[(f64, Estimate)]> {
    points.split(|(_, estimate)| estimate.value.is_none()).filter(|run| !run.is_empty())
}

fn draw_band(canvas: &mut Canvas, series: &Series, index: usize, x: &Axis, y: &Axis) {
    // Also where all games were won, which gives a bound but no value.
    let known =
        |(_, estimate): &&(f64, Estimate)| estimate.low.is_some() || estimate.high.is_some();
    let points: Vec<&(f64, Estimate)> = series.points.iter().filter(known).collect();
    let place =
        |at: f64, value: f64| format!("{},{}", number(x.place(at)), number(y.place_beyond(value)));
    let upper = points.iter().map(|(at, estimate)| place(*at, estimate.high.unwrap_or(y.high)));
    let lower = points.iter().rev().map(|(at, estimate)| place(*at, estimate.low.unwrap_or(y.low)));
    let outline: Vec<String> = upper.chain(lower).collect();
    if points.len() > 1 {
        canvas.raw(&format!(
            "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.16\"/>",
            outline.join(" "),
            colour(index)
        ));
    }
}

fn draw_line(canvas: &mut Canvas, series: &Series, index: usize, x: &Axis, y: &Axis) {
    for run in runs(&series.points) {
        let place = |(at, estimate): &(f64, Estimate)| {
            let value = estimate.value.unwrap_or_default();
            (number(x.place(*at)), number(y.place_beyond(value)))
        };
        if let [only] = run {
            let (cx, cy) = place(only);
            let fill = colour(index);
            canvas.raw(&format!("<circle cx=\"{cx}\" cy=\"{cy}\" r=\"2.5\" fill=\"{fill}\"/>"));
            continue;
        }
        let points: Vec<String> = run.iter().map(place).map(|(x, y)| format!("{x},{y}")).collect();
        canvas.raw(&format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2.2\" \
             stroke-linejoin=\"round\"{}/>",
            points.join(" "),
            colour(index),
            dashes(index)
        ));
    }
}
