//! Positions after random plies.

use crate::{Run, TrainingError, TrainingStage, parallel::in_order};
use ludus_core::{Ending, Position, Random, TextError};
use ludus_games::chess::{Chess, Move, PackedChess};
use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
};

const DRAWING: TrainingStage = TrainingStage { activity: "drawing positions", unit: "positions" };

/// Draws of a piece of work.
const DRAWS_PER_PIECE: u64 = 512;
/// Draws for each position wanted after which there are too few to be found.
const MAX_DRAWS_PER_POSITION: u64 = 100;

/// Distinct positions, each from the initial position by a random number of random plies. Games that
/// end earlier or there are dropped.
pub(super) struct PositionDraw {
    /// Number of positions.
    pub count: usize,
    /// Most random plies.
    pub plies: usize,
    /// Seed of everything random.
    pub seed: u64,
}

/// Reason why no more positions are drawn.
enum DrawEnd {
    Enough,
    Stopped,
}

impl PositionDraw {
    /// Positions of a run, with progress.
    pub fn for_run(&self, run: &mut Run<'_>) -> Result<Vec<PackedChess>, TrainingError> {
        let (threads, stop) = (run.job.threads, run.stop);
        let total = self.count as u64;
        self.all(threads, stop, &mut |done| {
            run.progress(DRAWING, done as u64, total, String::new());
        })
    }

    /// All positions, in the order of their draws: the same on any number of threads.
    ///
    /// # Errors
    /// If there are not as many, or the stop flag is raised.
    pub fn all(
        &self,
        threads: usize,
        stop: &AtomicBool,
        on_progress: &mut dyn FnMut(usize),
    ) -> Result<Vec<PackedChess>, TrainingError> {
        let (mut positions, mut seen) = (Vec::with_capacity(self.count), HashSet::new());
        let pieces = (MAX_DRAWS_PER_POSITION * self.count as u64).div_ceil(DRAWS_PER_PIECE) + 1;
        let make = || Ok(Vec::new());
        let work = |moves: &mut Vec<Move>, piece| match stop.load(Ordering::Relaxed) {
            true => Err(DrawEnd::Stopped),
            false => Ok(self.piece(piece, moves)),
        };
        let keep = |piece: Vec<PackedChess>| {
            let new = piece.into_iter().filter(|position| seen.insert(position.without_clock()));
            positions.extend(new);
            positions.truncate(self.count);
            on_progress(positions.len());
            if positions.len() == self.count { Err(DrawEnd::Enough) } else { Ok(()) }
        };
        match in_order(0..pieces, threads, make, work, keep) {
            Err(DrawEnd::Enough) => Ok(positions),
            Err(DrawEnd::Stopped) => Err(TrainingError::Stopped),
            Ok(()) => {
                let what = format!("{} positions of at most {} plies", self.count, self.plies);
                let expected =
                    format!("fewer positions, or more plies: only {} were found", positions.len());
                Err(TextError::whole("recipe", &what, expected).into())
            }
        }
    }

    fn piece(&self, piece: u64, moves: &mut Vec<Move>) -> Vec<PackedChess> {
        let first = piece * DRAWS_PER_PIECE;
        (first..first + DRAWS_PER_PIECE).filter_map(|number| self.draw(number, moves)).collect()
    }

    /// Draw `number`; `None` if its game ends.
    fn draw(&self, number: u64, moves: &mut Vec<Move>) -> Option<PackedChess> {
        let mut random = Random::new(self.seed).split(&format!("position {number}"));
        let mut position = Chess::default();
        for _ in 0..=random.below(self.plies) {
            moves.clear();
            position.legal_moves(moves);
            position.play(random.pick(moves)?);
            if position.rule_draw().is_some() {
                return None;
            }
        }
        position.outcome().is_none().then(|| PackedChess::new(&position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Notation;

    fn drawn(
        count: usize,
        plies: usize,
        threads: usize,
    ) -> Result<Vec<PackedChess>, TrainingError> {
        let draw = PositionDraw { count, plies, seed: 3 };
        draw.all(threads, &AtomicBool::new(false), &mut |_| {})
    }

    #[test]
    fn positions_are_distinct_unfinished_and_independent_of_threads() {
        let positions = drawn(3000, 200, 1).unwrap();
        assert_eq!(drawn(3000, 200, 3).unwrap(), positions);
        assert_eq!(drawn(900, 200, 2).unwrap(), positions[..900]);
        let distinct: HashSet<PackedChess> =
            positions.iter().map(|position| position.without_clock()).collect();
        assert_eq!(distinct.len(), positions.len());
        let mut pieces = 0;
        for position in &positions {
            let position = position.unpack().unwrap();
            assert!(position.outcome().is_none() && position.rule_draw().is_none());
            pieces += position.board().occupied().len();
        }
        let mean = f64::from(pieces) / positions.len() as f64;
        assert!((18.0..26.0).contains(&mean), "random games lose pieces slowly: {mean}");
    }

    /// Each of the twenty first moves leads to a position of its own.
    #[test]
    fn positions_that_do_not_exist_are_not_waited_for() {
        let one_ply = drawn(20, 1, 2).unwrap();
        let texts: HashSet<String> =
            one_ply.iter().map(|position| position.unpack().unwrap().text()).collect();
        assert_eq!(texts.len(), 20);
        let error = drawn(21, 1, 2).unwrap_err().to_string();
        assert!(error.contains("only 20 were found"), "{error}");
    }

    #[test]
    fn a_stop_flag_ends_the_draws() {
        let draw = PositionDraw { count: 1_000_000, plies: 200, seed: 3 };
        let result = draw.all(2, &AtomicBool::new(true), &mut |_| {});
        assert!(matches!(result, Err(TrainingError::Stopped)));
    }
}
