//! The position and the rules.

use ludus_core::{EndReason, Outcome, Position, Random, Side, position::mix};

/// All nine cells.
pub(super) const FULL: u16 = 0o777;

/// The eight rows of three.
pub const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// For every set of cells one bit: whether it contains a row of three.
static ROWS: [u64; 8] = rows();

const fn rows() -> [u64; 8] {
    let mut rows = [0; 8];
    let mut cells = 0;
    while cells <= FULL {
        let mut line = 0;
        while line < LINES.len() {
            if cells & LINES[line] == LINES[line] {
                rows[cells as usize / 64] |= 1 << (cells % 64);
            }
            line += 1;
        }
        cells += 1;
    }
    rows
}

/// A position: the cells of each side. The side to move follows from their number.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TicTacToe {
    pub(super) cells: [u16; 2],
}

impl TicTacToe {
    /// The cells of `side`.
    #[inline]
    pub fn cells(&self, side: Side) -> u16 {
        self.cells[side.index()]
    }

    /// The cells of both sides.
    #[inline]
    pub fn occupied(&self) -> u16 {
        self.cells[0] | self.cells[1]
    }

    /// Whether `side` has three in a row.
    pub(super) fn has_won(&self, side: Side) -> bool {
        let cells = self.cells[side.index()];
        ROWS[usize::from(cells) / 64] >> (cells % 64) & 1 == 1
    }

    fn open_cells(&self) -> u16 {
        if self.has_won(!self.turn()) { 0 } else { !self.occupied() & FULL }
    }
}

impl Position for TicTacToe {
    /// The index of a cell.
    type Move = u8;

    #[inline]
    fn turn(&self) -> Side {
        if self.occupied().count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline]
    fn legal_moves(&self, out: &mut Vec<u8>) {
        let mut open = self.open_cells();
        while open != 0 {
            out.push(open.trailing_zeros() as u8);
            open &= open - 1;
        }
    }

    #[inline]
    fn count_moves(&self) -> usize {
        self.open_cells().count_ones() as usize
    }

    #[inline]
    fn play(&mut self, cell: u8) {
        debug_assert!(self.occupied() >> cell & 1 == 0, "cell {cell} is taken");
        self.cells[self.turn().index()] |= 1 << cell;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.has_won(!self.turn()) {
            Some(Outcome::Win(!self.turn()))
        } else {
            (self.occupied() == FULL).then_some(Outcome::Draw)
        }
    }

    /// The cells and one more bit, so that the key of the empty board is not 0, which tables may
    /// use for empty entries.
    #[inline]
    fn key(&self) -> u64 {
        mix(1 << 32 | u64::from(self.cells[1]) << 16 | u64::from(self.cells[0]))
    }

    fn terminal_reason(&self) -> EndReason {
        if self.has_won(!self.turn()) { EndReason::ThreeInARow } else { EndReason::FullBoard }
    }

    /// The same random draws as the default, but without a move list.
    fn rollout(&self, random: &mut Random, _moves: &mut Vec<u8>) -> Outcome {
        let mut position = *self;
        let mut turn = self.turn();
        let mut open = self.open_cells();
        while open != 0 {
            let cell = nth_cell(open, random.below(open.count_ones() as usize));
            position.cells[turn.index()] |= cell;
            if position.has_won(turn) {
                return Outcome::Win(turn);
            }
            open &= !cell;
            turn = !turn;
        }
        position.outcome().expect("a position without moves has an outcome")
    }

    fn move_count(&self) -> usize {
        9
    }

    fn move_index(&self, cell: u8) -> usize {
        usize::from(cell)
    }
}

/// The cell with `before` others of `cells` before it.
fn nth_cell(mut cells: u16, before: usize) -> u16 {
    for _ in 0..before {
        cells &= cells - 1;
    }
    cells & cells.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_found_in_every_set_of_cells() {
        for cells in 0..=FULL {
            let plain = LINES.iter().filter(|&&line| line & !cells == 0).count() > 0;
            let position = TicTacToe { cells: [cells, 0] };
            assert_eq!(position.has_won(Side::First), plain, "{cells:o}");
        }
    }

    #[test]
    fn rollouts_are_those_that_list_their_moves() {
        let (mut fast, mut plain) = (Random::new(5), Random::new(5));
        let (mut moves, mut played) = (Vec::new(), Vec::new());
        for _ in 0..500 {
            let mut position = TicTacToe::default();
            while position.count_moves() > 0 {
                let outcome = position.recorded_rollout(&mut plain, &mut moves, &mut played);
                assert_eq!(position.rollout(&mut fast, &mut moves), outcome, "{position:?}");
                moves.clear();
                position.legal_moves(&mut moves);
                position.play(fast.pick(&moves).unwrap());
                plain.pick(&moves);
            }
        }
    }
}
