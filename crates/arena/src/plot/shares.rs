//! Shares of games or problems as stacked bars of equal length.

use super::palette;
use super::svg::{Align, Area, BODY, Canvas, SMALL, TITLE, TextStyle, text_width};

/// One bar.
#[derive(Clone, Debug)]
pub struct ShareBar {
    /// Name.
    pub name: String,
    /// Count of each part, in the order of [`ShareChart::parts`].
    pub counts: Vec<u64>,
}

/// A chart of stacked bars.
#[derive(Clone, Debug)]
pub struct ShareChart<'a> {
    /// Heading of the chart.
    pub title: &'a str,
    /// Names of the parts of the bars.
    pub parts: &'a [&'a str],
    /// The bars, from top to bottom.
    pub bars: &'a [ShareBar],
    /// Name of the things that are counted, in the plural.
    pub unit: &'a str,
}

const MARGIN: f64 = 28.0;
const ROW: f64 = 44.0;
const BAR: f64 = 28.0;
const TOP: f64 = 96.0;
const PLOT_WIDTH: f64 = 520.0;
const SWATCH: f64 = 12.0;

/// The bars as an SVG document.
pub fn share_chart(chart: &ShareChart<'_>) -> String {
    let longest = chart.bars.iter().map(|bar| text_width(&bar.name, BODY)).fold(0.0, f64::max);
    let names = longest.clamp(60.0, 300.0);
    let plot = Area {
        x: MARGIN + names + 16.0,
        y: TOP,
        width: PLOT_WIDTH,
        height: ROW * chart.bars.len().max(1) as f64,
    };
    let total_text = |bar: &ShareBar| format!("{} {}", bar.counts.iter().sum::<u64>(), chart.unit);
    let totals =
        chart.bars.iter().map(|bar| text_width(&total_text(bar), SMALL)).fold(60.0, f64::max);
    let width = plot.right() + 12.0 + totals + MARGIN;
    let description = format!("Shares of {}, a bar a row.", chart.parts.join(", "));
    let mut canvas = Canvas::new(width, plot.bottom() + 20.0, chart.title, &description);
    let heading = TextStyle::new(TITLE, Align::Start).bold();
    canvas.text_within((MARGIN, 42.0), chart.title, heading, width - 2.0 * MARGIN);
    draw_legend(&mut canvas, chart.parts);
    for (row, bar) in chart.bars.iter().enumerate() {
        let y = plot.y + row as f64 * ROW;
        let middle = y + BAR / 2.0 + 5.0;
        let name = TextStyle::new(BODY, Align::End);
        canvas.text_within((plot.x - 12.0, middle), &bar.name, name, names);
        draw_bar(&mut canvas, bar, Area { y, height: BAR, ..plot });
        let total = TextStyle::new(SMALL, Align::Start).quiet();
        canvas.text((plot.right() + 12.0, middle), &total_text(bar), total);
    }
    canvas.finish()
}

fn colour(part: usize) -> &'static str {
    palette::LINES[part % palette::LINES.len()]
}

fn draw_legend(canvas: &mut Canvas, parts: &[&str]) {
    let mut x = MARGIN;
    for (part, name) in parts.iter().enumerate() {
        let swatch = Area { x, y: 58.0, width: SWATCH, height: SWATCH };
        canvas.rectangle(swatch, colour(part));
        canvas.text((x + SWATCH + 6.0, 68.0), name, TextStyle::new(SMALL, Align::Start));
        x += SWATCH + 6.0 + text_width(name, SMALL) + 18.0;
    }
}

/// The parts of a bar from left to right, with their counts where there is room.
fn draw_bar(canvas: &mut Canvas, bar: &ShareBar, area: Area) {
    let total: u64 = bar.counts.iter().sum();
    if total == 0 {
        return canvas.rectangle(area, palette::EMPTY);
    }
    let mut x = area.x;
    for (part, &count) in bar.counts.iter().enumerate() {
        let width = area.width * count as f64 / total as f64;
        let text = count.to_string();
        if count > 0 {
            canvas.rectangle(Area { x, width, ..area }, colour(part));
        }
        if count > 0 && text_width(&text, SMALL) < width {
            let style = TextStyle::new(SMALL, Align::Middle).colour(palette::PAPER);
            canvas.text((x + width / 2.0, area.y + area.height / 2.0 + 4.0), &text, style);
        }
        x += width;
    }
}
