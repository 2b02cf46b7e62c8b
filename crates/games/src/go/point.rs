//! Points of a board.

use std::fmt;

/// A point of a board. Its number depends on the size of the board.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(pub(super) u16);

impl Point {
    /// Point number `index` of a board.
    #[inline]
    pub fn from_index(index: usize) -> Point {
        Point(index as u16)
    }

    /// No point of any board.
    pub const NOWHERE: Point = Point(u16::MAX);

    /// Its number.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The sums of one pseudo-liberty at this point.
    #[inline]
    pub fn liberty(self) -> u64 {
        let number = u64::from(self.0);
        1 | number << 12 | (number * number) << 33
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}
