//! Values of positions, as the plain searches see them.

use ludus_core::{Position, Score, TableReport};

/// Values of positions from the first side's point of view, and what ends a game.
pub trait Values<P: Position>: Send {
    /// The value of a finished game; `None` while it goes on.
    fn ending(&self, position: &P) -> Option<f64>;

    /// Appends the value of each of `positions`, in all of which the game goes on.
    fn evaluate(&mut self, positions: &[P], out: &mut Vec<f64>);

    /// A value as a score of the first side, for reports.
    fn score(&self, value: f64) -> Score;

    /// Positions looked up and found in the cache of the search under way, if there is a cache.
    fn cache(&self) -> Option<TableReport> {
        None
    }

    /// Clears what is kept from one search to the next.
    fn clear(&mut self) {}
}

impl<P: Position, V: Values<P> + ?Sized> Values<P> for Box<V> {
    fn ending(&self, position: &P) -> Option<f64> {
        (**self).ending(position)
    }

    fn evaluate(&mut self, positions: &[P], out: &mut Vec<f64>) {
        (**self).evaluate(positions, out);
    }

    fn score(&self, value: f64) -> Score {
        (**self).score(value)
    }

    fn cache(&self) -> Option<TableReport> {
        (**self).cache()
    }

    fn clear(&mut self) {
        (**self).clear();
    }
}
