//! Cells are `a1` to `c3`; a position is its three rows from the top, such as `x.o/.x./... x`.

use super::position::{FULL, TicTacToe};
use ludus_core::{
    BoardView, Grid, Notation, Options, Outcome, Piece, PieceKind, Position, Side, TextError,
};

const EMPTY: &str = ".../.../... x";

impl Notation for TicTacToe {
    const ID: &'static str = "tictactoe";
    const NAME: &'static str = "Tic-tac-toe";
    const ABOUT: &'static str = "noughts and crosses: three in a row wins";

    fn start(_: &Options) -> Result<TicTacToe, TextError> {
        Ok(TicTacToe::default())
    }

    fn parse(_: &Options, text: &str) -> Result<TicTacToe, TextError> {
        let error = |at, expected: &str| TextError::at("tictactoe position", text, at, expected);
        let mut position = TicTacToe::default();
        for (index, pattern) in EMPTY.bytes().enumerate() {
            let found = text.as_bytes().get(index).copied();
            let cell = index - index / 4;
            match (pattern, found) {
                (b'.', Some(b'x')) => position.cells[0] |= 1 << cell,
                (b'.', Some(b'o')) => position.cells[1] |= 1 << cell,
                (b'.', Some(b'.')) | (b'x', Some(b'x' | b'o')) => {}
                (b'.', _) => return Err(error(index, "x, o or . for each of three cells")),
                (b'x', _) => return Err(error(index, "the side to move, x or o")),
                (_, found) if found == Some(pattern) => {}
                _ => return Err(error(index, &format!("rows and turn like {EMPTY:?}"))),
            }
        }
        if text.len() > EMPTY.len() {
            return Err(error(EMPTY.len(), "nothing more"));
        }
        position.check_reachable(text)
    }

    fn text(&self) -> String {
        let cell = |cell: usize| match self.owner(cell) {
            Some(Side::First) => 'x',
            Some(Side::Second) => 'o',
            None => '.',
        };
        let row = |row: usize| (0..3).map(|column| cell(3 * row + column)).collect::<String>();
        let turn = if self.turn() == Side::First { 'x' } else { 'o' };
        format!("{}/{}/{} {turn}", row(0), row(1), row(2))
    }

    fn move_text(&self, cell: u8) -> String {
        format!("{}{}", char::from(b'a' + cell % 3), 3 - cell / 3)
    }

    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "Crosses",
            Side::Second => "Noughts",
        }
    }

    fn view(&self) -> BoardView {
        let mut view = BoardView::lettered(Grid::Squares, 3, 3);
        for (index, cell) in view.cells.iter_mut().enumerate() {
            cell.piece = self.owner(index).map(|side| match side {
                Side::First => Piece { side, light: true, kind: PieceKind::Cross },
                Side::Second => Piece { side, light: false, kind: PieceKind::Nought },
            });
        }
        view
    }

    fn move_cells(&self, cell: u8) -> Vec<usize> {
        vec![cell.into()]
    }
}

impl TicTacToe {
    fn owner(&self, cell: usize) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.cells[side.index()] >> cell & 1 == 1)
    }

    /// Rejects a position read from `text` that no game leads to.
    fn check_reachable(self, text: &str) -> Result<TicTacToe, TextError> {
        let error = |at, expected: &str| TextError::at("tictactoe position", text, at, expected);
        let [crosses, noughts] = self.cells.map(u16::count_ones);
        if crosses != noughts && crosses != noughts + 1 {
            return Err(error(0, "as many crosses as noughts, or one more"));
        }
        if self.has_won(self.turn()) {
            return Err(error(0, "a game that stops at the first three in a row"));
        }
        if !text.ends_with(if self.turn() == Side::First { 'x' } else { 'o' }) {
            return Err(error(EMPTY.len() - 1, "the other side to move, by the number of cells"));
        }
        debug_assert!(self.occupied() <= FULL && self.outcome() != Some(Outcome::Win(self.turn())));
        Ok(self)
    }
}
