//! Replay: plays games of a contest again to check that they are reproducible.

use crate::{
    contest::ContestSpec,
    game::Opening,
    openings::OpeningBook,
    parallel::{self, ContestError},
    schedule::{self, PlannedGame},
    store::StoredGame,
};
use ludus_core::TextError;
use std::sync::atomic::AtomicBool;

/// Replays games of a match or a round robin by number.
pub struct Replay<'a> {
    spec: &'a ContestSpec,
    openings: OpeningBook<'a>,
    plan: Vec<PlannedGame>,
}

impl<'a> Replay<'a> {
    /// The games of this contest.
    pub fn new(spec: &'a ContestSpec) -> Replay<'a> {
        let pairings = schedule::pairings(spec.form, spec.players.len());
        let games = pairings.into_iter().zip(0..).flat_map(|(players, number)| {
            schedule::pairing(players, number * spec.games, spec.games)
        });
        let openings = OpeningBook::new(spec.game, &spec.options, &spec.openings, spec.seed);
        Replay { spec, openings, plan: games.collect() }
    }

    /// The opening of game `index`.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn opening(&self, index: u64) -> Result<Opening, ContestError> {
        self.openings.opening(self.planned(index)?.opening)
    }

    /// Plays game `index` again, with the same seed and opening.
    ///
    /// # Errors
    /// If there is no such game, or a player cannot be created.
    pub fn play(&self, index: u64, stop: &AtomicBool) -> Result<StoredGame, ContestError> {
        let players = self.spec.identities()?;
        let contest = self.spec.game_context(&self.openings, &players, None);
        Ok(parallel::play_planned(&contest, &mut None, self.planned(index)?, stop)?.1)
    }

    fn planned(&self, index: u64) -> Result<&PlannedGame, ContestError> {
        self.plan.get(index as usize).ok_or_else(|| {
            let expected = format!("a game from 1 to {}", self.plan.len());
            TextError::whole("number of a game", &(index + 1).to_string(), expected).into()
        })
    }
}
