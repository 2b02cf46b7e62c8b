//! The rules.

use ludus_core::{Ending, MoveIndex, Outcome, Position, Rollout, Side, position::mix};

/// All nine cells.
pub(super) const FULL: u16 = 0o777;

/// The eight rows of three.
pub(super) const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// A position: the cells of each side. Whose turn it is follows from their number.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TicTacToe {
    pub(super) cells: [u16; 2],
}

impl TicTacToe {
    pub(super) fn occupied(&self) -> u16 {
        self.cells[0] | self.cells[1]
    }

    /// Whether `side` has three in a row.
    pub(super) fn has_won(&self, side: Side) -> bool {
        LINES.iter().any(|&line| self.cells[side.index()] & line == line)
    }

    fn open_cells(&self) -> u16 {
        if self.has_won(!self.turn()) { 0 } else { !self.occupied() & FULL }
    }
}

impl Position for TicTacToe {
    /// The index of a cell.
    type Move = u8;

    fn turn(&self) -> Side {
        if self.occupied().count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn legal_moves(&self, out: &mut Vec<u8>) {
        let mut open = self.open_cells();
        while open != 0 {
            out.push(open.trailing_zeros() as u8);
            open &= open - 1;
        }
    }

    fn count_moves(&self) -> usize {
        self.open_cells().count_ones() as usize
    }

    fn play(&mut self, cell: u8) {
        debug_assert!(self.occupied() >> cell & 1 == 0, "cell {cell} is taken");
        self.cells[self.turn().index()] |= 1 << cell;
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.has_won(!self.turn()) {
            Some(Outcome::Win(!self.turn()))
        } else {
            (self.occupied() == FULL).then_some(Outcome::Draw)
        }
    }

    /// One bit more than the cells, so that the empty board has another key than 0, which tables
    /// may take for an empty entry.
    fn key(&self) -> u64 {
        mix(1 << 32 | u64::from(self.cells[1]) << 16 | u64::from(self.cells[0]))
    }
}

impl Ending for TicTacToe {}

impl Rollout for TicTacToe {}

impl MoveIndex for TicTacToe {
    fn move_count(&self) -> usize {
        9
    }

    fn move_index(&self, cell: u8) -> usize {
        usize::from(cell)
    }
}
