//! Random moves that put own stones in atari: most of them are blunders.

use super::super::{point::Point, stones::Stones};

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize> Stones<ROOM, STRIDE, LENGTH> {
    /// For a move of `SIDE` that leaves a chain with one liberty: that liberty, if a stone there is
    /// the better way to use the two.
    pub(super) fn correct<const SIDE: usize>(&self, point: Point) -> Option<Point> {
        if self.beside::<SIDE>(point)[0] == 0 {
            return None;
        }
        let other = self.liberty_after::<SIDE>(point)?;
        let better = self.is_sensible::<SIDE>(other) && !self.is_self_atari::<SIDE>(other);
        better.then_some(other)
    }

    /// Whether a move of `SIDE` that leaves its chain with one liberty gives stones away: it joins
    /// some, captures none, and is no attack on an eye. A single stone may be a throw-in.
    pub(super) fn is_waste<const SIDE: usize>(&self, point: Point) -> bool {
        self.beside::<SIDE>(point)[0] != 0
            && self.liberty_after::<SIDE>(point).is_some()
            && !self.makes_nakade::<SIDE>(point)
    }
}
