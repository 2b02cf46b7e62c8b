//! A move is its column, `a` to `g` (or `1` to `7`); a position is its six rows from the top with
//! digits for empty cells, such as `7/7/7/7/3o3/3x3 x`.

use super::position::{COLUMNS, Connect4, FULL, ROWS, STRIDE, has_four};
use ludus_core::{
    BoardView, Grid, Notation, Options, Piece, PieceKind, Position, Side, TextError, notation,
};

const WHAT: &str = "connect4 position";

fn bit(row_from_top: usize, column: usize) -> u64 {
    1 << (column * STRIDE + ROWS - 1 - row_from_top)
}

impl Notation for Connect4 {
    const ID: &'static str = "connect4";
    const NAME: &'static str = "Connect Four";
    const ABOUT: &'static str = "drop discs into seven columns: four in a line wins";

    fn start(_: &Options) -> Result<Connect4, TextError> {
        Ok(Connect4::default())
    }

    fn parse(_: &Options, text: &str) -> Result<Connect4, TextError> {
        let error = |at, expected: &str| TextError::at(WHAT, text, at, expected);
        let mut discs = [0u64; 2];
        let (mut row, mut column) = (0, 0);
        let mut characters = text.char_indices();
        for (at, character) in characters.by_ref() {
            match character {
                'x' | 'o' if column < COLUMNS => {
                    discs[usize::from(character == 'o')] |= bit(row, column);
                    column += 1;
                }
                '1'..='7' if column + (character as usize - '0' as usize) <= COLUMNS => {
                    column += character as usize - '0' as usize;
                }
                '/' if column == COLUMNS && row + 1 < ROWS => (row, column) = (row + 1, 0),
                ' ' if column == COLUMNS && row + 1 == ROWS => break,
                _ => return Err(error(at, "six rows of seven cells: x, o, digits, split by /")),
            }
        }
        let turn_at = characters.offset();
        if column != COLUMNS || row + 1 != ROWS {
            return Err(error(text.len(), "six rows of seven cells, then the side to move"));
        }
        let [first, second] = discs;
        let turn = if first.count_ones() == second.count_ones() { "x" } else { "o" };
        if !matches!(first.count_ones().wrapping_sub(second.count_ones()), 0 | 1) {
            return Err(error(0, "as many x as o, or one x more"));
        }
        if &text[turn_at..] != turn {
            return Err(error(turn_at, &format!("{turn:?} to move, by the number of discs")));
        }
        let own = if turn == "x" { first } else { second };
        Connect4 { own, all: first | second }.check_reachable(text)
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for row in 0..ROWS {
            let mut empty = 0;
            for column in 0..COLUMNS {
                let Some(side) = self.owner(row, column) else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(letter(side));
            }
            if empty > 0 {
                text += &empty.to_string();
            }
            text.push(if row + 1 < ROWS { '/' } else { ' ' });
        }
        text.push(letter(self.turn()));
        text
    }

    fn move_text(&self, column: u8) -> String {
        char::from(b'a' + column).to_string()
    }

    fn parse_move(&self, text: &str) -> Result<u8, TextError> {
        let column = match text.trim().as_bytes() {
            [digit @ b'1'..=b'7'] => char::from(b'a' + digit - b'1').to_string(),
            _ => text.trim().to_owned(),
        };
        notation::find_move(self, &column).ok_or_else(|| self.illegal_move(text))
    }

    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "Yellow",
            Side::Second => "Red",
        }
    }

    fn view(&self) -> BoardView {
        let mut view = BoardView::lettered(Grid::Holes, COLUMNS, ROWS);
        for (index, cell) in view.cells.iter_mut().enumerate() {
            let side = self.owner(index / COLUMNS, index % COLUMNS);
            cell.piece =
                side.map(|side| Piece { side, light: side == Side::First, kind: PieceKind::Disc });
        }
        view
    }

    fn move_cells(&self, column: u8) -> Vec<usize> {
        let column = usize::from(column);
        let landing = (0..ROWS).rev().find(|&row| self.all & bit(row, column) == 0);
        landing.map(|row| row * COLUMNS + column).into_iter().collect()
    }
}

fn letter(side: Side) -> char {
    match side {
        Side::First => 'x',
        Side::Second => 'o',
    }
}

impl Connect4 {
    fn owner(&self, row_from_top: usize, column: usize) -> Option<Side> {
        let bit = bit(row_from_top, column);
        Side::BOTH.into_iter().find(|&side| self.discs(side) & bit != 0)
    }

    /// Rejects a position read from `text` that no game leads to.
    fn check_reachable(self, text: &str) -> Result<Connect4, TextError> {
        let error = |expected: &str| TextError::at(WHAT, text, 0, expected);
        let floating = self.all & !((self.all << 1) | (FULL & !(FULL << 1)));
        if floating != 0 {
            return Err(error("discs that rest on the floor or on other discs"));
        }
        if has_four(self.own) {
            return Err(error("a game that stops at the first four in a line"));
        }
        Ok(self)
    }
}
