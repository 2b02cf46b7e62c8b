//! Games of a contest that were played before, played again to see whether they are the same.

use crate::{
    contest::Setup,
    game::Opening,
    openings::OpeningBook,
    run::{self, RunError},
    schedule::{self, Planned},
    store::StoredGame,
};
use ludus_core::TextError;
use std::sync::atomic::AtomicBool;

/// The games of a match or a round robin, by number.
pub struct Replay<'a> {
    setup: &'a Setup,
    openings: OpeningBook<'a>,
    plan: Vec<Planned>,
}

impl<'a> Replay<'a> {
    /// The games of this contest.
    pub fn new(setup: &'a Setup) -> Replay<'a> {
        let pairings = schedule::pairings(setup.form, setup.players.len());
        let games = pairings.into_iter().zip(0..).flat_map(|(players, number)| {
            schedule::pairing(players, number * setup.games, setup.games)
        });
        let openings = OpeningBook::new(setup.game, &setup.options, &setup.openings, setup.seed);
        Replay { setup, openings, plan: games.collect() }
    }

    /// Where the game of that number begins.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn opening(&self, index: u64) -> Result<Opening, RunError> {
        self.openings.opening(self.planned(index)?.opening)
    }

    /// Plays the game of that number again, with the same seed and from the same opening.
    ///
    /// # Errors
    /// If there is no such game, or a player cannot be made.
    pub fn play(&self, index: u64, stop: &AtomicBool) -> Result<StoredGame, RunError> {
        let players = self.setup.identities()?;
        let contest = self.setup.contest(&self.openings, &players, None);
        Ok(run::play_planned(&contest, &mut None, self.planned(index)?, stop)?.1)
    }

    fn planned(&self, index: u64) -> Result<&Planned, RunError> {
        self.plan.get(index as usize).ok_or_else(|| {
            let expected = format!("a game from 1 to {}", self.plan.len());
            TextError::whole("number of a game", &(index + 1).to_string(), expected).into()
        })
    }
}
