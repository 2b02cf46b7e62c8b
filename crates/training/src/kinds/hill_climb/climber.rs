//! The climb itself: challenges, matches and restarts.

use super::HillClimbSettings;
use crate::{TrainingError, parallel::in_order, self_play::play_out};
use ludus_arena::elo::Wdl;
use ludus_core::{
    History, Limits, Outcome, Player, PlayerError, Position, Random, SearchControl, Side, Weight,
    Weights,
};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// Result of a match between a mutant and the champion.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Challenge {
    /// Climb it belongs to, from 0.
    pub climb: u32,
    /// The challenger's results; in the last challenge of a climb the champion's against the best.
    #[serde(rename = "tally")]
    pub wdl: Wdl,
    /// Whether the challenger took over.
    pub won: bool,
    /// Whether it ended the climb: then the champion met the best of the climbs before.
    pub last: bool,
}

/// State of a climb; saved after every challenge.
#[derive(Clone, Debug, PartialEq)]
pub struct HillClimbState {
    /// Champion of this climb.
    pub champion: Weights,
    /// Best of all climbs before.
    pub best: Weights,
    /// Number of this climb, from 0.
    pub climb: u32,
    /// Challenges in a row without success.
    pub idle: u32,
    /// All challenges so far.
    pub history: Vec<Challenge>,
}

/// Builds a player with given weights.
pub type WeightedPlayerFactory<'a, P> =
    &'a (dyn Fn(&Weights) -> Result<Box<dyn Player<P>>, PlayerError> + Sync);

/// Hill climbing in one game.
pub struct HillClimber<'a, P> {
    /// Position before the random opening.
    pub start_position: &'a P,
    /// Builds the players.
    pub build: WeightedPlayerFactory<'a, P>,
    /// Hill climbing settings.
    pub settings: &'a HillClimbSettings,
    /// Weights to start from.
    pub start: &'a Weights,
    /// Terms that may change.
    pub free: &'a [bool],
    /// Seed of everything random.
    pub seed: u64,
    /// Games played at once.
    pub threads: usize,
    /// Stop flag; the challenge in progress is dropped.
    pub stop: &'a AtomicBool,
}

impl<P: Position> HillClimber<'_, P> {
    /// State before the first challenge.
    pub fn begin(&self) -> HillClimbState {
        HillClimbState {
            champion: self.start.clone(),
            best: self.start.clone(),
            climb: 0,
            idle: 0,
            history: Vec::new(),
        }
    }

    /// Whether all challenges have been played and the last climb has ended.
    pub fn is_done(&self, state: &HillClimbState) -> bool {
        let ended = state.history.last().is_none_or(|challenge| challenge.last);
        self.challenges(state) >= self.settings.steps && ended
    }

    /// Challenges by mutants so far.
    pub fn challenges(&self, state: &HillClimbState) -> u32 {
        state.history.iter().filter(|challenge| !challenge.last).count() as u32
    }

    /// Plays one challenge. When the climb is stuck or at its end, plays the match of its champion
    /// against the best of the climbs before, and starts the next climb.
    pub fn step(&self, state: &mut HillClimbState) -> Result<(), TrainingError> {
        let name = format!("challenge {}", state.history.len());
        let mut random = Random::new(self.seed).split(&name);
        let last =
            state.idle >= self.settings.patience || self.challenges(state) >= self.settings.steps;
        let HillClimbSettings { games, final_games, accept, mutation, share, .. } = *self.settings;
        if last {
            let unchanged = state.champion == state.best;
            let wdl = if unchanged {
                Wdl::default()
            } else {
                self.play_match(&state.champion, &state.best, final_games, &mut random)?
            };
            let won = wdl.score().is_some_and(|score| score > 0.5);
            if won {
                state.best.clone_from(&state.champion);
            }
            state.history.push(Challenge { climb: state.climb, wdl, won, last });
            state.climb += 1;
            state.idle = 0;
            state.champion = self.mutated(self.start, self.settings.restart, 1.0, &mut random);
            return Ok(());
        }
        let mutated = self.mutated(&state.champion, mutation, share, &mut random);
        let wdl = self.play_match(&mutated, &state.champion, games, &mut random)?;
        let won = wdl.score().is_some_and(|score| score >= accept);
        state.idle = if won { 0 } else { state.idle + 1 };
        if won {
            state.champion = mutated;
        }
        state.history.push(Challenge { climb: state.climb, wdl, won, last });
        Ok(())
    }

    /// Mutates a copy of `weights`: about a `share` of them, by about `size` hundredths.
    fn mutated(&self, weights: &Weights, size: f64, share: f64, random: &mut Random) -> Weights {
        let mut moved = |weight: i32| {
            if random.unit() >= share {
                return weight;
            }
            let step = (random.normal() * size).round() as i32;
            (weight + step).clamp(i16::MIN.into(), i16::MAX.into())
        };
        let terms = weights.terms.iter().zip(self.free).map(|(weight, &free)| {
            let Weight { opening, ending } = *weight;
            if free { Weight::tapered(moved(opening), moved(ending)) } else { *weight }
        });
        Weights { terms: terms.collect() }
    }

    /// Plays a match between two sets of weights; results are the first's.
    pub fn play_match(
        &self,
        first: &Weights,
        second: &Weights,
        games: u64,
        random: &mut Random,
    ) -> Result<Wdl, TrainingError> {
        let seed = random.bits();
        let make = || Ok([(self.build)(first)?, (self.build)(second)?]);
        let work = |players: &mut [Box<dyn Player<P>>; 2], pair: u64| {
            let seed = Random::new(seed).split(&format!("pair {pair}")).bits();
            Ok::<_, TrainingError>(
                self.game(players, Side::First, seed)? + self.game(players, Side::Second, seed)?,
            )
        };
        let mut total = Wdl::default();
        in_order(0..games.div_ceil(2), self.threads, make, work, |wdl| {
            total += wdl;
            Ok(())
        })?;
        Ok(total)
    }

    /// Plays one game in which the first player has `side`. Both games of a pair draw the same
    /// opening, evaluated by the second player.
    fn game(
        &self,
        players: &mut [Box<dyn Player<P>>; 2],
        side: Side,
        seed: u64,
    ) -> Result<Wdl, TrainingError> {
        let mut random = Random::new(seed);
        for player in &mut *players {
            player.new_game(random.bits());
        }
        let mut choose = |player: usize, game: &History<P>| {
            let mut control = SearchControl { stop: self.stop, on_report: &mut |_| {} };
            let choice = players[player].choose(game, &Limits::default(), &mut control)?;
            if self.stop.load(Ordering::Relaxed) { Err(TrainingError::Stopped) } else { Ok(choice) }
        };
        let evaluate = &mut |game: &History<P>| choose(1, game);
        let mut game = self.settings.opening.play(self.start_position, &mut random, evaluate)?;
        let ended = play_out(&mut game, &self.settings.rules, &mut |game| {
            choose(usize::from(game.last().turn() != side), game)
        })?;
        Ok(match ended.outcome {
            Outcome::Draw => Wdl::new(0, 1, 0),
            Outcome::Win(winner) if winner == side => Wdl::new(1, 0, 0),
            Outcome::Win(_) => Wdl::new(0, 0, 1),
        })
    }
}
