//! Game history: the positions and moves so far.

use crate::Position;

/// The history of a game: every position from the start, and the moves between them.
#[derive(Clone, Debug)]
pub struct History<P: Position> {
    positions: Vec<P>,
    keys: Vec<u64>,
    moves: Vec<P::Move>,
}

impl<P: Position> History<P> {
    /// A game that starts at `start`.
    pub fn new(start: P) -> History<P> {
        History { keys: vec![start.key()], positions: vec![start], moves: Vec::new() }
    }

    /// The position the game started from.
    pub fn start(&self) -> &P {
        &self.positions[0]
    }

    /// The current position.
    pub fn last(&self) -> &P {
        &self.positions[self.moves.len()]
    }

    /// Every position, the start first and the current one last.
    pub fn positions(&self) -> &[P] {
        &self.positions
    }

    /// The keys of [`positions`](History::positions).
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The moves played so far.
    pub fn moves(&self) -> &[P::Move] {
        &self.moves
    }

    /// Number of occurrences of the current position, including this one.
    pub fn repetitions(&self) -> usize {
        let last = self.moves.len();
        (0..=last)
            .rev()
            .step_by(2) // sides alternate, so the side to move agrees only every second ply
            .filter(|&ply| {
                self.keys[ply] == self.keys[last] && self.positions[ply] == self.positions[last]
            })
            .count()
    }

    /// Appends a legal move.
    pub fn push(&mut self, mv: P::Move) {
        let next = self.last().after(mv);
        self.keys.push(next.key());
        self.positions.push(next);
        self.moves.push(mv);
    }

    /// Takes back one move, if there is one.
    pub fn pop(&mut self) -> Option<P::Move> {
        let mv = self.moves.pop()?;
        self.positions.pop();
        self.keys.pop();
        Some(mv)
    }
}
