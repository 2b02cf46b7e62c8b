//! Self-play games, and the training positions taken from them.
//!
//! Game `n` draws all its randomness from the seed and `n`, and games are stored in their order, so
//! the data are the same on any number of threads and after any number of interruptions.

pub mod file;
mod play;
pub(crate) mod stage;

pub use play::{AdjudicationRules, GameEnd, RandomOpening, play_out};

use crate::{TrainingError, parallel::in_order, self_play::file::SelfPlayGame};
use ludus_core::{
    Choice, History, Limits, Notation, Outcome, Player, PlayerError, Random, SearchControl,
    SearchHints, Side,
};
use ludus_players::Roster;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// Self-play settings. Everything but `games` has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SelfPlaySettings {
    /// Number of games.
    pub games: u64,
    /// Random openings.
    pub opening: RandomOpening,
    /// Rules for stopping games early.
    pub rules: AdjudicationRules,
    /// Plies after the opening from which no positions are taken.
    pub skip: usize,
    /// Takes one quiet position in `every`.
    pub every: usize,
}

impl Default for SelfPlaySettings {
    fn default() -> SelfPlaySettings {
        SelfPlaySettings {
            games: 0,
            opening: RandomOpening::default(),
            rules: AdjudicationRules::default(),
            skip: 2,
            every: 1,
        }
    }
}

/// Builds a player; called once on every thread.
pub type PlayerFactory<'a, P> = &'a (dyn Fn() -> Result<Box<dyn Player<P>>, PlayerError> + Sync);

/// Self-play games of one player.
pub struct SelfPlay<'a, P: Notation> {
    /// Position before the random opening.
    pub start: &'a P,
    /// Builds the player.
    pub build: PlayerFactory<'a, P>,
    /// Self-play settings.
    pub settings: &'a SelfPlaySettings,
    /// Seed of everything random.
    pub seed: u64,
    /// Games played at once.
    pub threads: usize,
    /// Stop flag; games in progress are dropped.
    pub stop: &'a AtomicBool,
}

impl<P: Roster> SelfPlay<'_, P> {
    /// Plays all games from number `first` on and passes them to `keep` in their order.
    ///
    /// # Errors
    /// If a player fails, `keep` does, or the stop flag is raised.
    pub fn run(
        &self,
        first: u64,
        keep: impl FnMut(SelfPlayGame) -> Result<(), TrainingError>,
    ) -> Result<(), TrainingError> {
        let make = || Ok((self.build)()?);
        let work = |player: &mut Box<dyn Player<P>>, number| self.game(player.as_mut(), number);
        in_order(first..self.settings.games, self.threads, make, work, keep)
    }

    /// Plays game `number` and takes its quiet positions.
    fn game(&self, player: &mut dyn Player<P>, number: u64) -> Result<SelfPlayGame, TrainingError> {
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
        Ok(SelfPlayGame {
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
        let mut control = SearchControl { stop: self.stop, on_report: &mut |_| {} };
        let choice = player.choose(game, &Limits::default(), &mut control)?;
        // The result of a stopped search is not the one it would have come to.
        if self.stop.load(Ordering::Relaxed) { Err(TrainingError::Stopped) } else { Ok(choice) }
    }
}

/// 1 for a win of the first side, 0.5 for a draw, 0 for a loss.
fn result_of(outcome: Outcome) -> f32 {
    (outcome.value(Side::First) + 1.0) / 2.0
}

/// Whether the static evaluation is meaningful: nothing hangs, no move is forced, no result is
/// proven.
fn is_quiet<P: Roster>(position: &P, choice: &Choice<P::Move>) -> bool {
    let ludus_core::Action::Play(mv) = choice.action else { return false };
    let hints = P::Knowledge::default();
    !hints.must_respond(position)
        && hints.material_gain(position, mv) == 0
        && choice.report.score.is_none_or(|score| score.win_in().is_none())
}
