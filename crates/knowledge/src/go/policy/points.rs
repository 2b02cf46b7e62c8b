//! Short lists of points without allocation.

use ludus_core::Random;
use ludus_games::go::Point;

/// Capacity of a list.
const CAPACITY: usize = 64;

/// A short list of distinct points; points beyond the capacity are dropped.
#[derive(Clone)]
pub(in super::super) struct Points {
    points: [Point; CAPACITY],
    count: usize,
}

impl Points {
    /// No points.
    pub(in super::super) fn new() -> Points {
        Points { points: [Point::NOWHERE; CAPACITY], count: 0 }
    }

    #[inline(always)]
    pub(in super::super) fn clear(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    pub(in super::super) fn as_slice(&self) -> &[Point] {
        &self.points[..self.count.min(CAPACITY)]
    }

    #[inline(always)]
    pub(in super::super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    #[inline(always)]
    pub(in super::super) fn is_full(&self) -> bool {
        self.count >= CAPACITY
    }

    /// Adds `point` unless it is present; returns whether it was added.
    #[inline]
    pub(in super::super) fn add(&mut self, point: Point) -> bool {
        let is_new = !self.is_full() && !self.as_slice().contains(&point);
        if is_new {
            self.points[self.count] = point;
            self.count += 1;
        }
        is_new
    }

    /// Removes and returns a random point.
    #[inline]
    pub(in super::super) fn draw(&mut self, random: &mut Random) -> Option<Point> {
        if self.is_empty() {
            return None;
        }
        let place = if self.count == 1 { 0 } else { random.below(self.count) };
        let point = self.points[place];
        self.count -= 1;
        self.points[place] = self.points[self.count];
        Some(point)
    }

    /// Keeps the points for which `keep` is true.
    #[inline]
    pub(in super::super) fn retain(&mut self, mut keep: impl FnMut(Point) -> bool) {
        let mut kept = 0;
        for place in 0..self.count.min(CAPACITY) {
            let point = self.points[place];
            if keep(point) {
                self.points[kept] = point;
                kept += 1;
            }
        }
        self.count = kept;
    }
}
