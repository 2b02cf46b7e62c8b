//! Chart of many small boards, each with notes.

use super::palette;
use super::svg::{Align, Area, BODY, Canvas, SMALL, TITLE, TextStyle, number};
use ludus_core::{BoardView, PieceKind};

/// One board with its notes.
#[derive(Clone, Debug)]
pub struct BoardCard {
    /// Heading.
    pub heading: String,
    /// Count, as text.
    pub amount: String,
    /// Count as a share of the largest, drawn as a bar.
    pub share: f64,
    /// The board; any board of squares.
    pub board: BoardView,
    /// Lines under the board.
    pub notes: Vec<String>,
}

/// A chart of boards.
#[derive(Clone, Debug)]
pub struct BoardChart<'a> {
    /// Heading of the chart.
    pub title: &'a str,
    /// A line under it.
    pub subtitle: &'a str,
    /// The boards, row by row.
    pub cards: &'a [BoardCard],
}

const MARGIN: f64 = 28.0;
const TOP: f64 = 92.0;
const COLUMNS: usize = 5;
const BOARD: f64 = 192.0;
const GAP: f64 = 26.0;
const HEAD: f64 = 34.0;
const NOTE: f64 = 17.0;

const LIGHT_SQUARE: &str = "#f3ead9";
const DARK_SQUARE: &str = "#b58a63";
const LIGHT_PIECE: &str = "#fffdf8";
const DARK_PIECE: &str = "#2a2622";
const CROWN: &str = "#e69f00";

/// The boards as an SVG document.
pub fn board_chart(chart: &BoardChart<'_>) -> String {
    let columns = chart.cards.len().clamp(1, COLUMNS);
    let rows = chart.cards.len().div_ceil(columns);
    let notes = chart.cards.iter().map(|card| card.notes.len()).max().unwrap_or(0);
    let height = HEAD + BOARD + NOTE * notes as f64 + 10.0;
    // Never narrower than a full row, to leave room for the heading.
    let width = 2.0 * MARGIN + COLUMNS as f64 * (BOARD + GAP) - GAP;
    let bottom = TOP + rows as f64 * (height + GAP);
    let mut canvas = Canvas::new(width, bottom, chart.title, chart.subtitle);
    let room = width - 2.0 * MARGIN;
    let heading = TextStyle::new(TITLE, Align::Start).bold();
    canvas.text_within((MARGIN, 42.0), chart.title, heading, room);
    let quiet = TextStyle::new(BODY, Align::Start).quiet();
    canvas.text_within((MARGIN, 66.0), chart.subtitle, quiet, 1.2 * room);
    for (index, card) in chart.cards.iter().enumerate() {
        let x = MARGIN + (index % columns) as f64 * (BOARD + GAP);
        let y = TOP + (index / columns) as f64 * (height + GAP);
        draw_card(&mut canvas, card, x, y);
    }
    canvas.finish()
}

fn draw_card(canvas: &mut Canvas, card: &BoardCard, x: f64, y: f64) {
    let heading = TextStyle::new(BODY, Align::Start).bold();
    canvas.text_within((x, y + 14.0), &card.heading, heading, BOARD / 2.0);
    let amount = TextStyle::new(SMALL, Align::End).quiet();
    canvas.text_within((x + BOARD, y + 14.0), &card.amount, amount, BOARD / 2.0);
    let bar = Area { x, y: y + 22.0, width: BOARD, height: 4.0 };
    canvas.rectangle(bar, palette::EMPTY);
    let share = if card.share.is_finite() { card.share.clamp(0.0, 1.0) } else { 0.0 };
    canvas.rectangle(Area { width: BOARD * share, ..bar }, palette::BLUE);
    draw_board(canvas, &card.board, x, y + HEAD);
    let note = TextStyle::new(SMALL, Align::Start).quiet();
    for (line, text) in card.notes.iter().enumerate() {
        let at = y + HEAD + BOARD + NOTE * (line + 1) as f64;
        canvas.text_within((x, at), text, note, 1.1 * BOARD);
    }
}

fn draw_board(canvas: &mut Canvas, board: &BoardView, x: f64, y: f64) {
    let size = BOARD / board.columns.max(board.rows).max(1) as f64;
    let whole = Area { x, y, width: BOARD, height: BOARD };
    canvas.rectangle(whole, LIGHT_SQUARE);
    for (index, cell) in board.cells.iter().enumerate() {
        let (row, column) = (index / board.columns, index % board.columns);
        let (left, top) = (x + column as f64 * size, y + row as f64 * size);
        if board.is_dark(row, column) {
            let square = Area { x: left, y: top, width: size, height: size };
            canvas.rectangle(square, DARK_SQUARE);
        }
        let Some(piece) = cell.piece else { continue };
        let (middle_x, middle_y) = (number(left + size / 2.0), number(top + size / 2.0));
        let (fill, edge) =
            if piece.light { (LIGHT_PIECE, DARK_PIECE) } else { (DARK_PIECE, LIGHT_PIECE) };
        let mut disc = |radius: f64, fill: &str, stroke: &str, width: f64| {
            canvas.raw(&format!(
                "<circle cx=\"{middle_x}\" cy=\"{middle_y}\" r=\"{}\" fill=\"{fill}\" \
                 stroke=\"{stroke}\" stroke-width=\"{}\"/>",
                number(radius * size),
                number(width),
            ));
        };
        disc(0.38, fill, edge, 1.0);
        if piece.kind == PieceKind::DraughtsKing {
            disc(0.17, CROWN, edge, 1.0);
        }
    }
}
