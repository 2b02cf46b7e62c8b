//! Squares are `a1` (top left) to `h8`, a pass is `pass`. A position is written as in most Othello
//! programs: 64 squares row by row from `a1`, `X` dark, `O` light, `-` empty, then a space and
//! the side to move. Reading also takes small letters, `*` for a dark disc and `.` for an empty
//! square.

use super::position::{PASS, Reversi};
use ludus_core::{BoardView, Grid, Notation, Options, Piece, PieceKind, Side, TextError, notation};

const WHAT: &str = "reversi position";
const SQUARES: usize = 64;

impl Notation for Reversi {
    const ID: &'static str = "reversi";
    const NAME: &'static str = "Reversi";
    const ABOUT: &'static str = "enclose discs to turn them over; most discs win";

    fn start(_: &Options) -> Result<Reversi, TextError> {
        Ok(Reversi::default())
    }

    fn parse(_: &Options, text: &str) -> Result<Reversi, TextError> {
        let error = |at, expected: &str| Err(TextError::at(WHAT, text, at, expected));
        let mut discs = [0u64; 2];
        for square in 0..SQUARES {
            match text.as_bytes().get(square).map(|&byte| side_of(byte)) {
                Some(Some(Some(side))) => discs[side.index()] |= 1 << square,
                Some(Some(None)) => {}
                _ => {
                    let name = square_name(square as u8);
                    return error(square, &format!("X, O or - for {name}, one of 64 squares"));
                }
            }
        }
        if text.as_bytes().get(SQUARES) != Some(&b' ') {
            return error(SQUARES, "a space, then the side to move, X or O");
        }
        let Some(Some(Some(turn))) = text.as_bytes().get(SQUARES + 1).map(|&byte| side_of(byte))
        else {
            return error(SQUARES + 1, "the side to move, X or O");
        };
        if text.len() > SQUARES + 2 {
            return error(SQUARES + 2, "nothing more");
        }
        Ok(Reversi { own: discs[turn.index()], other: discs[(!turn).index()], turn })
    }

    fn text(&self) -> String {
        let square = |square| self.owner(square).map_or('-', letter);
        let mut text: String = (0..SQUARES).map(square).collect();
        text.push(' ');
        text.push(letter(self.turn));
        text
    }

    fn move_text(&self, mv: u8) -> String {
        if mv == PASS { "pass".to_owned() } else { square_name(mv) }
    }

    fn parse_move(&self, text: &str) -> Result<u8, TextError> {
        let name = match text.trim() {
            "--" | "ps" | "PS" | "pa" | "PA" => "pass",
            name => name,
        };
        notation::find_move(self, name).ok_or_else(|| self.illegal_move(text))
    }

    fn side_name(&self, side: Side) -> &'static str {
        ["Black", "White"][side.index()]
    }

    fn view(&self) -> BoardView {
        let mut view = BoardView::lettered(Grid::Squares, 8, 8);
        view.row_labels.reverse(); // the first row is the top one
        for (square, cell) in view.cells.iter_mut().enumerate() {
            cell.name = square_name(square as u8);
            let disc = |side| Piece { side, light: side == Side::Second, kind: PieceKind::Disc };
            cell.piece = self.owner(square).map(disc);
        }
        let count = |side| self.discs(side).count_ones();
        view.notes.push(format!("Black {}, White {}", count(Side::First), count(Side::Second)));
        view
    }

    fn move_cells(&self, mv: u8) -> Vec<usize> {
        if mv == PASS { Vec::new() } else { vec![usize::from(mv)] }
    }
}

/// The content of a square: `Some(None)` if it is empty, `None` for an invalid character.
fn side_of(byte: u8) -> Option<Option<Side>> {
    match byte {
        b'X' | b'x' | b'*' => Some(Some(Side::First)),
        b'O' | b'o' => Some(Some(Side::Second)),
        b'-' | b'.' => Some(None),
        _ => None,
    }
}

fn letter(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

fn square_name(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), 1 + square / 8)
}

impl Reversi {
    fn owner(&self, square: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.discs(side) >> square & 1 == 1)
    }
}
