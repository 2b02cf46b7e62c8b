//! The position and the rules.

use ludus_core::{EndReason, Outcome, Position, Side, position::mix};

/// Columns of the board.
pub const COLUMNS: usize = 7;
/// Rows of the board.
pub const ROWS: usize = 6;
/// Bits of a column, the empty one on top included.
pub const STRIDE: usize = ROWS + 1;

/// The lowest cell of every column.
pub const BOTTOM: u64 = 0x0408_1020_4081;
/// The highest cell of every column.
const TOP: u64 = BOTTOM << (ROWS - 1);
/// Every cell.
pub const FULL: u64 = BOTTOM * ((1 << ROWS) - 1);

/// Distances between neighbouring bits: up, across, and along both diagonals.
pub const DIRECTIONS: [usize; 4] = [1, STRIDE, STRIDE - 1, STRIDE + 1];

/// A position: the discs of the side to move, and all discs.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Connect4 {
    pub(super) own: u64,
    pub(super) all: u64,
}

/// Whether `discs` hold four in a line.
#[inline]
pub fn has_four(discs: u64) -> bool {
    let line = |distance: usize| {
        let pairs = discs & (discs >> distance);
        pairs & (pairs >> (2 * distance))
    };
    line(DIRECTIONS[0]) | line(DIRECTIONS[1]) | line(DIRECTIONS[2]) | line(DIRECTIONS[3]) != 0
}

impl Connect4 {
    /// The position with the discs `own` of the side to move among `all`, which must be stacked.
    pub fn new(own: u64, all: u64) -> Connect4 {
        debug_assert!(own & !all == 0 && all & !FULL == 0, "discs off the board");
        Connect4 { own, all }
    }

    /// The discs of the side to move.
    #[inline]
    pub fn own(&self) -> u64 {
        self.own
    }

    /// All discs.
    #[inline]
    pub fn all(&self) -> u64 {
        self.all
    }

    /// The discs of the side that has just moved.
    #[inline]
    pub fn other(&self) -> u64 {
        self.own ^ self.all
    }

    /// The discs of `side`.
    #[inline]
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.turn() { self.own } else { self.other() }
    }

    /// The number of empty cells.
    pub fn empty_cells(&self) -> u32 {
        (FULL & !self.all).count_ones()
    }

    /// The cells that a disc can fall to, one bit in each open column.
    #[inline]
    pub fn landings(&self) -> u64 {
        if has_four(self.other()) { 0 } else { (self.all + BOTTOM) & FULL }
    }
}

impl Position for Connect4 {
    /// A column, 0 for the leftmost.
    type Move = u8;

    #[inline]
    fn turn(&self) -> Side {
        if self.all.count_ones().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    #[inline]
    fn legal_moves(&self, out: &mut Vec<u8>) {
        let mut landings = self.landings();
        while landings != 0 {
            out.push((landings.trailing_zeros() as usize / STRIDE) as u8);
            landings &= landings - 1;
        }
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if has_four(self.other()) {
            return 0;
        }
        (!self.all & TOP).count_ones() as usize
    }

    #[inline]
    fn play(&mut self, column: u8) {
        let bottom = 1 << (usize::from(column) * STRIDE);
        debug_assert!(self.all & (bottom << (ROWS - 1)) == 0, "column {column} is full");
        self.own ^= self.all;
        self.all |= self.all + bottom;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if has_four(self.other()) {
            Some(Outcome::Win(!self.turn()))
        } else {
            (self.all == FULL).then_some(Outcome::Draw)
        }
    }

    /// `own + all` marks the first empty cell of every column, so it identifies
    /// the position; two positions never share a key.
    #[inline]
    fn key(&self) -> u64 {
        mix(self.own + self.all + BOTTOM)
    }

    fn terminal_reason(&self) -> EndReason {
        if has_four(self.other()) { EndReason::FourInARow } else { EndReason::FullBoard }
    }

    #[inline]
    fn move_count(&self) -> usize {
        COLUMNS
    }

    #[inline]
    fn move_index(&self, column: u8) -> usize {
        usize::from(column)
    }
}
