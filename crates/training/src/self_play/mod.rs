//! Games of a player against itself, and what tuning wants of them.
//!
//! Game `n` draws all its randomness from the seed and `n`, and games are kept in their order, so
//! the data are the same on any number of threads and after any number of interruptions.

mod play;

pub use play::{Ended, Opening, Rules, play_out};

use crate::{TrainingError, data::Block, parallel::in_order};
use ludus_core::{
    Choice, Ending, History, Limits, Notation, Outcome, Player, PlayerError, Random, SearchHints,
    Side, Watch,
};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// How games are played and what is taken from them. Everything but `games` has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlaySettings {
    /// How many games.
    pub games: u64,
    /// How they start.
    pub opening: Opening,
    /// When they are stopped early.
    pub rules: Rules,
    /// Plies after the opening from which nothing is taken.
    pub skip: usize,
    /// One of so many quiet positions is taken.
    pub every: usize,
}

impl Default for SelfPlaySettings {
    fn default() -> SelfPlaySettings {
        SelfPlaySettings {
            games: 0,
            opening: Opening::default(),
            rules: Rules::default(),
            skip: 2,
            every: 1,
        }
    }
}

/// Makes a player; called once on every thread.
pub type Build<'a, P> = &'a (dyn Fn() -> Result<Box<dyn Player<P>>, PlayerError> + Sync);

/// Games of one player against itself.
pub struct SelfPlay<'a, P: Notation> {
    /// The position before the random opening.
    pub start: &'a P,
    /// Makes the player.
    pub build: Build<'a, P>,
    /// How games are played.
    pub settings: &'a SelfPlaySettings,
    /// Decides everything random.
    pub seed: u64,
    /// Games played at once.
    pub threads: usize,
    /// Raised to stop; games under way are dropped.
    pub stop: &'a AtomicBool,
}

impl<P: Notation + Ending + SearchHints> SelfPlay<'_, P> {
    /// Plays all games from number `first` on and gives them to `keep` in their order.
    ///
    /// # Errors
    /// If a player fails, `keep` does, or the stop flag is raised.
    pub fn run(
        &self,
        first: u64,
        keep: impl FnMut(Block) -> Result<(), TrainingError>,
    ) -> Result<(), TrainingError> {
        let make = || Ok((self.build)()?);
        let work = |player: &mut Box<dyn Player<P>>, number| self.game(player.as_mut(), number);
        in_order(first..self.settings.games, self.threads, make, work, keep)
    }

    /// Game `number`, with its quiet positions.
    fn game(&self, player: &mut dyn Player<P>, number: u64) -> Result<Block, TrainingError> {
        let mut random = Random::new(self.seed).split(&format!("game {number}"));
        player.new_game(random.bits());
        let mut choose = |game: &History<P>| self.choose(player, game);
        let mut game = self.settings.opening.play(self.start, &mut random, &mut choose)?;
        let opening = game.moves().len();
        let mut positions = Vec::new();
        let ended = play_out(&mut game, &self.settings.rules, &mut |game| {
            let choice = choose(game)?;
            let late = game.moves().len() >= opening + self.settings.skip;
            if late && is_quiet(game.last(), &choice) && random.below(self.settings.every) == 0 {
                let score = choice.report.score.map(|score| score.0 * game.last().turn().sign());
                positions.push((score, game.last().text()));
            }
            Ok(choice)
        })?;
        Ok(Block {
            number,
            result: result_of(ended.outcome),
            margin: ended.margin,
            plies: game.moves().len(),
            positions,
        })
    }

    fn choose(
        &self,
        player: &mut dyn Player<P>,
        game: &History<P>,
    ) -> Result<Choice<P::Move>, TrainingError> {
        let mut watch = Watch { stop: self.stop, on_report: &mut |_| {} };
        let choice = player.choose(game, &Limits::default(), &mut watch)?;
        // A search that was stopped has not said what it would have said.
        if self.stop.load(Ordering::Relaxed) { Err(TrainingError::Stopped) } else { Ok(choice) }
    }
}

/// 1, 0.5 or 0, for the first side.
fn result_of(outcome: Outcome) -> f32 {
    (outcome.value(Side::First) + 1.0) / 2.0
}

/// Whether the static evaluation can be expected to foretell the game: nothing hangs, nothing is
/// forced, nothing is proven.
fn is_quiet<P: SearchHints>(position: &P, choice: &Choice<P::Move>) -> bool {
    let ludus_core::Action::Play(mv) = choice.action else { return false };
    !position.is_pressed()
        && position.gain(mv) == 0
        && choice.report.score.is_none_or(|score| score.win_in().is_none())
}
