//! Cross table, coloured by score.

use super::palette;
use super::svg::{Align, Area, BODY, Canvas, SMALL, TITLE, TextStyle, text_width};
use crate::{elo::Wdl, table::columns::GridColumn};

/// The results of all pairs of players.
#[derive(Clone, Debug)]
pub struct CrossTable<'a> {
    /// Heading of the chart.
    pub title: &'a str,
    /// Names, in the order in which they are shown.
    pub players: &'a [String],
    /// `results[a][b]` are the results of player `a` against player `b`, from `a`'s point of view.
    /// Missing entries have not been played.
    pub results: &'a [Vec<Wdl>],
    /// Columns beside the grid.
    pub columns: &'a [GridColumn],
}

impl CrossTable<'_> {
    fn wdl(&self, row: usize, column: usize) -> Wdl {
        let cell = self.results.get(row).and_then(|row| row.get(column));
        cell.copied().unwrap_or_default()
    }
}

const MARGIN: f64 = 28.0;
const CELL_HEIGHT: f64 = 46.0;
const CELL_WIDTH: f64 = 78.0;
const GAP: f64 = 2.0;
const HEAD: f64 = 96.0;
const FOOT: f64 = 78.0;
/// Least width of the last column, which is in bold.
const LAST_COLUMN_WIDTH: f64 = 72.0;
/// Gap before a column beside the grid.
const COLUMN_GAP: f64 = 14.0;
const MAX_NAME_WIDTH: f64 = 300.0;

/// The cross table as an SVG document: rows are players, columns their opponents, each cell the
/// score and wins-draws-losses of the row's player.
pub fn cross_table(table: &CrossTable<'_>) -> String {
    let count = table.players.len();
    let longest = table.players.iter().map(|name| text_width(name, BODY)).fold(0.0, f64::max);
    let names = longest.clamp(60.0, MAX_NAME_WIDTH);
    let left = MARGIN + 34.0 + names + 16.0;
    let grid = Area {
        x: left,
        y: HEAD,
        width: count as f64 * CELL_WIDTH,
        height: count as f64 * CELL_HEIGHT,
    };
    let ends = column_ends(table.columns, grid.right());
    // Room for the heading and the legend even if there are few players.
    let right = ends.last().copied().unwrap_or(grid.right());
    let width = (right + MARGIN).max(600.0);
    let width = width.max(2.0 * MARGIN + text_width(table.title, TITLE).min(900.0));
    let mut canvas = Canvas::new(
        width,
        grid.bottom() + FOOT,
        table.title,
        "Cross table: each cell holds the score and the wins, draws and losses of the player of \
         its row against the player of its column.",
    );
    let heading = TextStyle::new(TITLE, Align::Start).bold();
    canvas.text_within((MARGIN, 42.0), table.title, heading, width - 2.0 * MARGIN);
    let column_head = TextStyle::new(BODY, Align::Middle).quiet().bold();
    for column in 0..count {
        let x = grid.x + (column as f64 + 0.5) * CELL_WIDTH;
        canvas.text((x, HEAD - 10.0), &(column + 1).to_string(), column_head);
    }
    let total_head = TextStyle { align: Align::End, ..column_head };
    for (column, &end) in table.columns.iter().zip(&ends) {
        canvas.text((end, HEAD - 10.0), column.heading, total_head);
    }
    for row in 0..count {
        draw_row(&mut canvas, table, row, names, grid);
        draw_values(&mut canvas, table.columns, row, &ends, row_base(grid, row));
    }
    draw_legend(&mut canvas, MARGIN, grid.bottom() + 26.0);
    canvas.finish()
}

/// The right ends of the columns beside the grid.
fn column_ends(columns: &[GridColumn], grid_end: f64) -> Vec<f64> {
    let mut end = grid_end;
    let mut ends = Vec::new();
    for (index, column) in columns.iter().enumerate() {
        let values = column.values.iter().map(|value| text_width(value, SMALL));
        let width = values.fold(text_width(column.heading, BODY), f64::max);
        let is_last = index + 1 == columns.len();
        end += COLUMN_GAP + if is_last { width.max(LAST_COLUMN_WIDTH) } else { width };
        ends.push(end);
    }
    ends
}

/// Base line of the text of a row.
fn row_base(grid: Area, row: usize) -> f64 {
    grid.y + (row as f64 + 0.5) * CELL_HEIGHT + 5.0
}

fn draw_row(canvas: &mut Canvas, table: &CrossTable<'_>, row: usize, names: f64, grid: Area) {
    let top = grid.y + row as f64 * CELL_HEIGHT;
    let base = row_base(grid, row);
    let number = TextStyle::new(BODY, Align::End).quiet().bold();
    canvas.text((MARGIN + 22.0, base), &(row + 1).to_string(), number);
    let name = TextStyle::new(BODY, Align::Start);
    canvas.text_within((MARGIN + 34.0, base), &table.players[row], name, names);
    for column in 0..table.players.len() {
        let area = Area {
            x: grid.x + column as f64 * CELL_WIDTH + GAP / 2.0,
            y: top + GAP / 2.0,
            width: CELL_WIDTH - GAP,
            height: CELL_HEIGHT - GAP,
        };
        if row == column {
            canvas.rectangle(area, palette::DIAGONAL);
        } else {
            draw_cell(canvas, table.wdl(row, column), area);
        }
    }
}

fn draw_values(canvas: &mut Canvas, columns: &[GridColumn], row: usize, ends: &[f64], base: f64) {
    for (index, (column, &end)) in columns.iter().zip(ends).enumerate() {
        let Some(value) = column.values.get(row) else { continue };
        let style = if index + 1 == columns.len() {
            TextStyle::new(BODY, Align::End).bold()
        } else {
            TextStyle::new(SMALL, Align::End).quiet()
        };
        canvas.text((end, base), value, style);
    }
}

fn draw_cell(canvas: &mut Canvas, wdl: Wdl, area: Area) {
    let (x, y) = area.middle();
    let Some(score) = wdl.score() else {
        canvas.rectangle(area, palette::EMPTY);
        canvas.text((x, y + 5.0), "–", TextStyle::new(BODY, Align::Middle).quiet());
        return;
    };
    let fill = Shade::of_score(score);
    canvas.rectangle(area, &fill.hex());
    let ink = fill.readable_ink();
    let Wdl { wins, draws, losses } = wdl;
    canvas.text(
        (x, y - 2.0),
        &percent(score, 0),
        TextStyle::new(BODY, Align::Middle).bold().colour(ink),
    );
    let detail = format!("{wins}-{draws}-{losses}");
    // Counts of five digits still fit, a little smaller.
    let size = SMALL.min(SMALL * (area.width - 6.0) / text_width(&detail, SMALL));
    canvas.text((x, y + 15.0), &detail, TextStyle::new(size, Align::Middle).colour(ink));
}

fn draw_legend(canvas: &mut Canvas, x: f64, y: f64) {
    const STEPS: usize = 21;
    const WIDTH: f64 = 210.0;
    let step = WIDTH / STEPS as f64;
    for index in 0..STEPS {
        let shade = Shade::of_score(index as f64 / (STEPS - 1) as f64);
        // Slightly wider than the step, so that no gaps show.
        let area = Area { x: x + index as f64 * step, y, width: step + 0.4, height: 12.0 };
        canvas.rectangle(area, &shade.hex());
    }
    let quiet = TextStyle::new(SMALL, Align::Middle).quiet();
    for (part, label) in [(0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")] {
        let align = [Align::Start, Align::Middle, Align::End][(part * 2.0) as usize];
        canvas.text((x + part * WIDTH, y + 28.0), label, TextStyle { align, ..quiet });
    }
    let note = "Score and wins-draws-losses of the player of the row";
    canvas.text((x + WIDTH + 20.0, y + 11.0), note, TextStyle { align: Align::Start, ..quiet });
}

fn percent(part: f64, decimals: usize) -> String {
    format!("{:.decimals$} %", part * 100.0)
}

/// A colour as red, green and blue, from 0 to 255.
struct Shade([f64; 3]);

impl Shade {
    /// Orange for 0, near white for one half, blue for 1.
    fn of_score(score: f64) -> Shade {
        const LOST: [f64; 3] = [222.0, 127.0, 45.0];
        const EVEN: [f64; 3] = [247.0, 247.0, 245.0];
        const WON: [f64; 3] = [43.0, 110.0, 178.0];
        let (from, part) =
            if score < 0.5 { (LOST, 1.0 - 2.0 * score) } else { (WON, 2.0 * score - 1.0) };
        Shade(std::array::from_fn(|i| EVEN[i] + (from[i] - EVEN[i]) * part.clamp(0.0, 1.0)))
    }

    fn hex(&self) -> String {
        let [red, green, blue] = self.0.map(|part| part.round() as u8);
        format!("#{red:02x}{green:02x}{blue:02x}")
    }

    /// Black or white, whichever has more contrast (relative luminance of WCAG 2.1).
    fn readable_ink(&self) -> &'static str {
        let [red, green, blue] = self.0.map(|part| (part / 255.0).powf(2.2));
        let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        // The contrast to white and to the ink, which is nearly black, is the same at 0.2.
        if luminance < 0.2 { palette::PAPER } else { palette::INK }
    }
}
