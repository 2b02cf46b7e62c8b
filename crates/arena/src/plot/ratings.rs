//! Rating chart with error bars, best player on top.

use super::axis::Axis;
use super::palette;
use super::svg::{Align, Area, BODY, Canvas, SMALL, TITLE, TextStyle, number, text_width};
use crate::elo::Estimate;

/// One player of the chart.
#[derive(Clone, Debug)]
pub struct RatingBar {
    /// The player.
    pub name: String,
    /// Rating and 95 % interval; an open end is drawn as an arrow.
    pub elo: Estimate,
    /// Number of games.
    pub games: u64,
}

/// A rating chart.
#[derive(Clone, Debug)]
pub struct RatingChart<'a> {
    /// Heading of the chart.
    pub title: &'a str,
    /// The players, in any order.
    pub bars: &'a [RatingBar],
}

const MARGIN: f64 = 28.0;
const ROW: f64 = 32.0;
const TOP: f64 = 92.0;
const PLOT_WIDTH: f64 = 460.0;
const COLUMN_GAP: f64 = 16.0;
const TICKS: usize = 6;

/// The ratings as an SVG document.
pub fn rating_chart(chart: &RatingChart<'_>) -> String {
    let mut bars: Vec<&RatingBar> = chart.bars.iter().collect();
    let value = |bar: &RatingBar| bar.elo.value.unwrap_or(f64::NEG_INFINITY);
    bars.sort_by(|a, b| value(b).total_cmp(&value(a)));

    let longest = bars.iter().map(|bar| text_width(&bar.name, BODY)).fold(0.0, f64::max);
    let names = longest.clamp(60.0, 300.0);
    let plot = Area {
        x: MARGIN + names + 20.0,
        y: TOP,
        width: PLOT_WIDTH,
        height: ROW * bars.len().max(1) as f64,
    };
    let widest = |text: &dyn Fn(&RatingBar) -> String| {
        bars.iter().map(|bar| text_width(&text(bar), SMALL)).fold(60.0, f64::max)
    };
    let values = plot.right() + COLUMN_GAP + widest(&value_text);
    let games = values + COLUMN_GAP + widest(&games_text);
    let width = games + MARGIN;
    let mut canvas = Canvas::new(
        width,
        plot.bottom() + 66.0,
        chart.title,
        "Ratings in Elo with 95 % error bars, the best player on top.",
    );
    let heading = TextStyle::new(TITLE, Align::Start).bold();
    canvas.text_within((MARGIN, 42.0), chart.title, heading, width - 2.0 * MARGIN);
    let note = "Points are ratings, bars are 95 % intervals";
    canvas.text((MARGIN, 64.0), note, TextStyle::new(SMALL, Align::Start).quiet());

    let axis = axis(&bars, plot);
    draw_axis(&mut canvas, &axis, plot);
    for (index, bar) in bars.iter().enumerate() {
        let y = plot.y + (index as f64 + 0.5) * ROW;
        let style = TextStyle::new(BODY, Align::End);
        canvas.text_within((plot.x - 14.0, y + 5.0), &bar.name, style, names);
        draw_bar(&mut canvas, bar, &axis, plot, y);
        let text = TextStyle::new(SMALL, Align::End);
        canvas.text((values, y + 4.0), &value_text(bar), text);
        canvas.text((games, y + 4.0), &games_text(bar), text.quiet());
    }
    canvas.finish()
}

fn value_text(bar: &RatingBar) -> String {
    bar.elo.to_string().replace('-', "−")
}

fn games_text(bar: &RatingBar) -> String {
    format!("{} {}", bar.games, if bar.games == 1 { "game" } else { "games" })
}

/// The range of all ratings and bars.
fn axis(bars: &[&RatingBar], plot: Area) -> Axis {
    let ends = |bar: &&RatingBar| [bar.elo.value, bar.elo.low, bar.elo.high];
    let values: Vec<f64> = bars.iter().flat_map(ends).flatten().filter(|v| v.is_finite()).collect();
    let (low, high) = if values.is_empty() {
        (-100.0, 100.0)
    } else {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        (low, values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    };
    Axis::rounded(low, high, plot.x + 8.0, plot.right() - 8.0, TICKS)
}

fn draw_axis(canvas: &mut Canvas, axis: &Axis, plot: Area) {
    for (value, label) in axis.ticks(TICKS) {
        let x = axis.place(value);
        let colour = if value == 0.0 { palette::AXIS } else { palette::GRID };
        canvas.line((x, plot.y - 4.0), (x, plot.bottom()), colour, 1.0);
        let style = TextStyle::new(SMALL, Align::Middle).quiet();
        canvas.text((x, plot.bottom() + 18.0), &label, style);
    }
    canvas.line((plot.x, plot.bottom()), (plot.right(), plot.bottom()), palette::AXIS, 1.0);
    let label = TextStyle::new(SMALL, Align::Middle).quiet().bold();
    canvas.text((plot.middle().0, plot.bottom() + 40.0), "Elo", label);
}

fn draw_bar(canvas: &mut Canvas, bar: &RatingBar, axis: &Axis, plot: Area, y: f64) {
    let Estimate { value, low, high } = bar.elo;
    if (value, low, high) == (None, None, None) {
        return;
    }
    let from = low.map_or(plot.x, |low| axis.place(low));
    let to = high.map_or(plot.right(), |high| axis.place(high));
    canvas.line((from, y), (to, y), palette::BLUE, 2.0);
    for (end, x, outwards) in [(low, from, -1.0), (high, to, 1.0)] {
        if end.is_some() {
            canvas.line((x, y - 5.0), (x, y + 5.0), palette::BLUE, 2.0);
        } else {
            let back = x - 7.0 * outwards;
            canvas.line((x, y), (back, y - 5.0), palette::BLUE, 2.0);
            canvas.line((x, y), (back, y + 5.0), palette::BLUE, 2.0);
        }
    }
    if let Some(value) = value {
        canvas.raw(&format!(
            "<circle cx=\"{}\" cy=\"{}\" r=\"5\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"/>",
            number(axis.place(value)),
            number(y),
            palette::BLUE,
            palette::PAPER
        ));
    }
}
