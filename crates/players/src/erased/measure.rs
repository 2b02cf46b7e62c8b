//! Measurements: perft, random games per second, bench signatures.

use super::{AnalysisControl, ErasedGame, Game};
use crate::{Resources, Roster, records};
use ludus_core::{
    Limits, Options, PlayerError, Random, TextError,
    perft::{divide, perft, perft_paths},
};
use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

/// Measurements that need the moves of a game, not their text.
pub trait Measure: Sync {
    /// Perft, the leaf count of the move tree: one entry for each root move, or a single one without a
    /// name if the depth is 0 or the game is over.
    fn perft(&self, options: &Options, job: &PerftJob<'_>)
    -> Result<Vec<(String, u64)>, TextError>;

    /// Plays random games from the start for about `time`: their number and the time it took.
    fn rollouts(
        &self,
        options: &Options,
        seed: u64,
        time: Duration,
    ) -> Result<(u64, Duration), TextError>;
}

/// A perft to run.
pub struct PerftJob<'a> {
    /// The root position; the start if `None`.
    pub position: Option<&'a str>,
    /// Depth in plies.
    pub depth: u32,
    /// Threads to count on.
    pub threads: usize,
    /// Whether a move counts once for every capture path that makes it.
    pub keep_duplicates: bool,
}

/// Bench signature: the nodes `player` visits in the first `positions` of one random game, a number
/// that changes only with the player's behaviour.
pub fn signature(
    game: &dyn Game,
    options: &Options,
    player: &str,
    limits: Limits,
    positions: usize,
) -> Result<u64, PlayerError> {
    let mut player = game.player(player, &Resources::default())?;
    let mut board = game.open(options, None)?;
    let (mut random, mut nodes) = (Random::new(1), 0);
    let stop = AtomicBool::new(false);
    for _ in 0..positions {
        if board.ending().is_some() {
            break;
        }
        let control = &mut AnalysisControl { limits, stop: &stop, on_report: &mut |_| {} };
        nodes += player.choose(&*board, control)?.report.numbers.nodes;
        let moves = board.legal_moves();
        board.play(&moves[random.below(moves.len())])?;
    }
    Ok(nodes)
}

impl<P: Roster> Measure for ErasedGame<P> {
    fn perft(
        &self,
        options: &Options,
        job: &PerftJob<'_>,
    ) -> Result<Vec<(String, u64)>, TextError> {
        let position: P = records::position(options, job.position)?;
        let mut moves = Vec::new();
        let count = if job.keep_duplicates {
            position.legal_paths(&mut moves);
            perft_paths
        } else {
            position.legal_moves(&mut moves);
            perft
        };
        if job.depth == 0 || moves.is_empty() {
            return Ok(vec![(String::new(), count(&position, job.depth))]);
        }
        let counts = divide(&position, &moves, job.depth, job.threads, count);
        Ok(moves.iter().map(|&mv| position.move_text(mv)).zip(counts).collect())
    }

    fn rollouts(
        &self,
        options: &Options,
        seed: u64,
        time: Duration,
    ) -> Result<(u64, Duration), TextError> {
        /// Rollouts between two readings of the clock.
        const BATCH: u64 = 16;
        let position = P::start(options)?;
        let (mut random, mut moves) = (Random::new(seed), Vec::new());
        let started = Instant::now();
        let mut played = 0;
        while played == 0 || started.elapsed() < time {
            for _ in 0..BATCH {
                std::hint::black_box(position.rollout(&mut random, &mut moves));
            }
            played += BATCH;
        }
        Ok((played, started.elapsed()))
    }
}
