//! Drawing of any [`BoardView`].

use super::style::{Paint, TerminalStyle};
use ludus_core::{BoardView, Cell, Grid, Piece, PieceKind, Side};

const BLACK: u8 = 16;
const WHITE: u8 = 231;
const LIGHT_SQUARE: u8 = 137;
const DARK_SQUARE: u8 = 94;
const SQUARE_NUMBER: u8 = 180;
const LAST_MOVE: u8 = 100;
const FELT: u8 = 29;
const FELT_LINE: u8 = 23;
const WOOD: u8 = 179;
const WOOD_LINE: u8 = 94;
const RACK: u8 = 25;
const HOLE: u8 = 18;
const YELLOW: u8 = 226;
const RED: u8 = 196;
const COIN: u8 = 220;

/// The board as lines of text; `marked` cells are those of the last move.
pub fn draw(view: &BoardView, marked: &[usize], style: &TerminalStyle) -> String {
    let mut text = String::new();
    let margin = view.row_labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    for line in 0..view.rows {
        let row = if style.flipped { view.rows - 1 - line } else { line };
        let label = view.row_labels.get(row).map_or("", String::as_str);
        text += &format!(" {} ", style.faint(&format!("{label:>margin$}")));
        for place in 0..view.columns {
            let column = if style.flipped { view.columns - 1 - place } else { place };
            let index = row * view.columns + column;
            let drawer = Drawer { view, style, row: line, column: place, index };
            text += &drawer.cell(&view.cells[index], marked.contains(&index));
        }
        text.push('\n');
    }
    if !view.column_labels.is_empty() {
        text += &" ".repeat(margin + 2);
        let width = cell_width(view, style);
        let mut labels: Vec<&String> = view.column_labels.iter().collect();
        if style.flipped {
            labels.reverse();
        }
        for label in labels {
            text += &style.faint(&format!("{label:^width$}"));
        }
        text.push('\n');
    }
    for note in &view.notes {
        text += &format!(" {note}\n");
    }
    text
}

/// Width of a cell in characters.
fn cell_width(view: &BoardView, style: &TerminalStyle) -> usize {
    match view.grid {
        Grid::Intersections => 2,
        Grid::Checkered if names_are_numbers(view) => 4,
        Grid::Squares if holds_coins(view) => 6,
        _ if style.colour => 3,
        _ => 2,
    }
}

/// Whether squares have numbers, as in draughts, which are then shown on the board.
fn names_are_numbers(view: &BoardView) -> bool {
    let named = view.cells.iter().find(|cell| !cell.name.is_empty());
    named.is_some_and(|cell| cell.name.bytes().all(|byte| byte.is_ascii_digit()))
}

fn holds_coins(view: &BoardView) -> bool {
    let is_coins = |piece: Piece| matches!(piece.kind, PieceKind::Coins(_));
    view.cells.iter().any(|cell| cell.piece.is_some_and(is_coins))
}

struct Drawer<'a> {
    view: &'a BoardView,
    style: &'a TerminalStyle,
    /// Row and column on the screen.
    row: usize,
    column: usize,
    /// Index of the cell.
    index: usize,
}

impl Drawer<'_> {
    fn cell(&self, cell: &Cell, marked: bool) -> String {
        match (self.view.grid, self.style.colour) {
            (Grid::Text, _) => String::new(),
            (Grid::Intersections, true) => self.crossing(cell, marked),
            (_, true) => self.square(cell, marked),
            (_, false) => self.plain(cell, marked),
        }
    }

    /// A coloured square.
    fn square(&self, cell: &Cell, marked: bool) -> String {
        let ground = if marked { LAST_MOVE } else { self.ground() };
        let width = cell_width(self.view, self.style);
        let paint = |text| Paint { text, ground: Some(ground) };
        if names_are_numbers(self.view) {
            let number = format!("{:<2}", superscript(&cell.name));
            let number = self.style.paint(paint(SQUARE_NUMBER), &number);
            let piece =
                cell.piece.map_or((BLACK, " "), |piece| (self.colour(piece), symbol(piece)));
            return self.style.paint(paint(piece.0), &format!(" {}", piece.1)) + &number;
        }
        let Some(piece) = cell.piece else {
            let (colour, mark) = match self.view.grid {
                Grid::Holes => (HOLE, "●"),
                Grid::Squares => (FELT_LINE, "·"),
                _ => (ground, " "),
            };
            return self.style.paint(paint(colour), &format!("{mark:^width$}"));
        };
        let text = match piece.kind {
            PieceKind::Coins(count) => format!("● {count}"),
            _ => symbol(piece).to_owned(),
        };
        self.style.paint(paint(self.colour(piece)), &format!("{text:^width$}"))
    }

    fn ground(&self) -> u8 {
        let (row, column) = (self.index / self.view.columns, self.index % self.view.columns);
        match self.view.grid {
            Grid::Checkered if self.view.is_dark(row, column) => DARK_SQUARE,
            Grid::Checkered => LIGHT_SQUARE,
            Grid::Holes => RACK,
            _ => FELT,
        }
    }

    fn colour(&self, piece: Piece) -> u8 {
        match (self.view.grid, piece.kind) {
            (_, PieceKind::Coins(_)) => COIN,
            (Grid::Holes, _) if piece.light => YELLOW,
            (Grid::Holes, _) => RED,
            _ if piece.light => WHITE,
            _ => BLACK,
        }
    }

    /// A coloured intersection.
    fn crossing(&self, cell: &Cell, marked: bool) -> String {
        let right_edge = self.column + 1 == self.view.columns;
        let paint = |text| Paint { text, ground: Some(WOOD) };
        let point = match cell.piece {
            Some(piece) => {
                let ground = Some(if marked { LAST_MOVE } else { WOOD });
                let text = if piece.light { WHITE } else { BLACK };
                self.style.paint(Paint { text, ground }, "●")
            }
            None if cell.star => self.style.paint(paint(WOOD_LINE), "•"),
            None => self.style.paint(paint(WOOD_LINE), self.lines()),
        };
        point + &self.style.paint(paint(WOOD_LINE), if right_edge { " " } else { "─" })
    }

    /// The lines that meet at this intersection.
    fn lines(&self) -> &'static str {
        let vertical = match self.row {
            0 => 0,
            row if row + 1 == self.view.rows => 2,
            _ => 1,
        };
        let horizontal = match self.column {
            0 => 0,
            column if column + 1 == self.view.columns => 2,
            _ => 1,
        };
        [["┌", "┬", "┐"], ["├", "┼", "┤"], ["└", "┴", "┘"]][vertical][horizontal]
    }

    /// A cell in plain text; cells of the last move end in `<`.
    fn plain(&self, cell: &Cell, marked: bool) -> String {
        let text = match cell.piece {
            Some(piece) => letter(piece),
            None if names_are_numbers(self.view) => cell.name.clone(),
            None if cell.star => "+".to_owned(),
            None if self.view.grid == Grid::Checkered && !cell.name.is_empty() => ".".to_owned(),
            None if self.view.grid == Grid::Checkered => " ".to_owned(),
            None => ".".to_owned(),
        };
        let width = cell_width(self.view, self.style) - 1;
        format!("{text:>width$}{}", if marked { '<' } else { ' ' })
    }
}

fn superscript(digits: &str) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    digits.bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect()
}

fn symbol(piece: Piece) -> &'static str {
    match piece.kind {
        PieceKind::Disc | PieceKind::Man => "●",
        PieceKind::DraughtsKing | PieceKind::Queen => "♛",
        PieceKind::Cross => "╳",
        PieceKind::Nought => "◯",
        PieceKind::Pawn => "♟",
        PieceKind::Knight => "♞",
        PieceKind::Bishop => "♝",
        PieceKind::Rook => "♜",
        PieceKind::King => "♚",
        PieceKind::Coins(_) => "●",
    }
}

fn letter(piece: Piece) -> String {
    let by_shade = |light: char, dark: char| if piece.light { light } else { dark };
    let by_side =
        |first: char, second: char| if piece.side == Side::First { first } else { second };
    let letter = match piece.kind {
        PieceKind::Disc => by_side('X', 'O'),
        PieceKind::Cross => 'X',
        PieceKind::Nought => 'O',
        PieceKind::Man => by_shade('w', 'b'),
        PieceKind::DraughtsKing => by_shade('W', 'B'),
        PieceKind::Pawn => by_shade('P', 'p'),
        PieceKind::Knight => by_shade('N', 'n'),
        PieceKind::Bishop => by_shade('B', 'b'),
        PieceKind::Rook => by_shade('R', 'r'),
        PieceKind::Queen => by_shade('Q', 'q'),
        PieceKind::King => by_shade('K', 'k'),
        PieceKind::Coins(count) => return format!("({count})"),
    };
    letter.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_players::find_game;

    const PLAIN: TerminalStyle = TerminalStyle { colour: false, flipped: false };

    fn drawn(game: &str, moves: &[&str], style: &TerminalStyle) -> String {
        let (game, options) = find_game(game).unwrap();
        let mut board = game.open(&options, None).unwrap();
        for mv in moves {
            board.play(mv).unwrap();
        }
        draw(&board.view(), &board.last_move_cells(), style)
    }

    #[test]
    fn a_plain_board_marks_the_last_move() {
        let board = drawn("tictactoe", &["b2", "a3"], &PLAIN);
        assert_eq!(board, " 3 O<. . \n 2 . X . \n 1 . . . \n   a b c \n");
    }

    /// Relative luminance (WCAG) of a colour of the 6x6x6 cube.
    fn luminance(colour: u8) -> f64 {
        let linear = |level: u8| {
            let value = [0.0, 95.0, 135.0, 175.0, 215.0, 255.0][usize::from(level)] / 255.0;
            f64::powf((value + 0.055) / 1.055, 2.4)
        };
        let cube = colour - 16;
        let [red, green, blue] = [cube / 36, cube / 6 % 6, cube % 6].map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    #[test]
    fn pieces_of_both_colours_stand_out_from_every_square() {
        for ground in [LIGHT_SQUARE, DARK_SQUARE, LAST_MOVE, FELT] {
            for piece in [WHITE, BLACK] {
                let (one, other) = (luminance(ground) + 0.05, luminance(piece) + 0.05);
                let contrast = f64::max(one, other) / f64::min(one, other);
                assert!(contrast >= 3.0, "{piece} on {ground}: {contrast:.1}");
            }
        }
    }

    #[test]
    fn a_flipped_board_turns_the_labels_too() {
        let style = TerminalStyle { flipped: true, ..PLAIN };
        let board = drawn("tictactoe", &["b2", "a3"], &style);
        assert_eq!(board, " 1 . . . \n 2 . X . \n 3 . . O<\n   c b a \n");
    }

    #[test]
    fn every_game_draws_as_many_lines_in_both_styles() {
        for game in ludus_players::GAMES {
            let plain = drawn(game.id(), &[], &PLAIN);
            let coloured = drawn(game.id(), &[], &TerminalStyle { colour: true, flipped: false });
            assert_eq!(plain.lines().count(), coloured.lines().count(), "{}", game.id());
            assert!(coloured.contains("\x1b[") && !plain.contains('\x1b'), "{}", game.id());
        }
    }
}
