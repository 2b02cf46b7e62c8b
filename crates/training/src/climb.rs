//! Hill climbing: mutate the weights, play a match against the champion, keep what wins, start
//! again somewhere else when nothing wins any more.
//!
//! This is the textbook's way to tune. It needs no gradient and no theory, and very many games: a
//! match of 100 games cannot see less than some 50 Elo, so `accept` and `games` decide between
//! climbing slowly and drifting with luck.

use crate::{
    TrainingError,
    parallel::in_order,
    self_play::{Opening, Rules, play_out},
};
use ludus_arena::elo::Tally;
use ludus_core::{
    Ending, History, Limits, Outcome, Player, PlayerError, Random, Side, Watch, Weight, Weights,
    linear::Group,
};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// How to climb. Every value has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ClimbSettings {
    /// Challenges in all.
    pub steps: u32,
    /// Games of a challenge, in pairs with sides exchanged.
    pub games: u64,
    /// The part of the points a challenger needs; more than one half keeps luck out.
    pub accept: f64,
    /// How far a mutated weight moves, in hundredths (one standard deviation).
    pub mutation: f64,
    /// The part of the weights that mutate.
    pub share: f64,
    /// Challenges in a row without success before starting again.
    pub patience: u32,
    /// How far weights are thrown off when starting again, in hundredths.
    pub restart: f64,
    /// Games between the champion of a climb and the best of those before.
    pub final_games: u64,
    /// How games start.
    pub opening: Opening,
    /// When they are stopped early.
    pub rules: Rules,
}

impl Default for ClimbSettings {
    fn default() -> ClimbSettings {
        ClimbSettings {
            steps: 200,
            games: 100,
            accept: 0.55,
            mutation: 10.0,
            share: 0.2,
            patience: 20,
            restart: 20.0,
            final_games: 400,
            opening: Opening::default(),
            rules: Rules::default(),
        }
    }
}

/// What came of a challenge.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Challenge {
    /// Which climb it belongs to, from 0.
    pub climb: u32,
    /// The challenger's results; in the last challenge of a climb the champion's against the best.
    pub tally: Tally,
    /// Whether it took over.
    pub won: bool,
    /// Whether it ended the climb: then the champion met the best of the climbs before.
    pub last: bool,
}

/// Everything that changes while climbing; saved after every challenge.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The champion of this climb.
    pub champion: Weights,
    /// The best of all climbs before.
    pub best: Weights,
    /// Which climb this is, from 0.
    pub climb: u32,
    /// Challenges in a row without success.
    pub idle: u32,
    /// All challenges so far.
    pub history: Vec<Challenge>,
}

/// Makes the player that judges by these weights.
pub type Contender<'a, P> =
    &'a (dyn Fn(&Weights) -> Result<Box<dyn Player<P>>, PlayerError> + Sync);

/// A climb on one game.
pub struct Climber<'a, P> {
    /// The position before the random opening.
    pub game_start: &'a P,
    /// Makes players.
    pub build: Contender<'a, P>,
    /// How to climb.
    pub settings: &'a ClimbSettings,
    /// The weights to start from.
    pub start: &'a Weights,
    /// Which terms may change.
    pub free: &'a [bool],
    /// Decides everything random.
    pub seed: u64,
    /// Games played at once.
    pub threads: usize,
    /// Raised to stop; the challenge under way is dropped.
    pub stop: &'a AtomicBool,
}

impl<P: Ending> Climber<'_, P> {
    /// The state before the first challenge.
    pub fn begin(&self) -> State {
        State {
            champion: self.start.clone(),
            best: self.start.clone(),
            climb: 0,
            idle: 0,
            history: Vec::new(),
        }
    }

    /// Whether all challenges have been played and the last climb is ended.
    pub fn is_done(&self, state: &State) -> bool {
        let ended = state.history.last().is_none_or(|challenge| challenge.last);
        self.challenges(state) >= self.settings.steps && ended
    }

    /// Challenges by mutants so far.
    pub fn challenges(&self, state: &State) -> u32 {
        state.history.iter().filter(|challenge| !challenge.last).count() as u32
    }

    /// One challenge; or, when the climb is stuck or at its end, the match of its champion against
    /// the best of the climbs before and the start of the next climb.
    pub fn step(&self, state: &mut State) -> Result<(), TrainingError> {
        let name = format!("challenge {}", state.history.len());
        let mut random = Random::new(self.seed).split(&name);
        let last =
            state.idle >= self.settings.patience || self.challenges(state) >= self.settings.steps;
        let ClimbSettings { games, final_games, accept, mutation, share, .. } = *self.settings;
        if last {
            let unchanged = state.champion == state.best;
            let tally = if unchanged {
                Tally::default()
            } else {
                self.duel(&state.champion, &state.best, final_games, &mut random)?
            };
            let won = tally.score().is_some_and(|score| score > 0.5);
            if won {
                state.best.clone_from(&state.champion);
            }
            state.history.push(Challenge { climb: state.climb, tally, won, last });
            state.climb += 1;
            state.idle = 0;
            state.champion = self.mutant(self.start, self.settings.restart, 1.0, &mut random);
            return Ok(());
        }
        let mutant = self.mutant(&state.champion, mutation, share, &mut random);
        let tally = self.duel(&mutant, &state.champion, games, &mut random)?;
        let won = tally.score().is_some_and(|score| score >= accept);
        state.idle = if won { 0 } else { state.idle + 1 };
        if won {
            state.champion = mutant;
        }
        state.history.push(Challenge { climb: state.climb, tally, won, last });
        Ok(())
    }

    /// A copy of `weights` of which about a `share` is moved by about `size` hundredths.
    fn mutant(&self, weights: &Weights, size: f64, share: f64, random: &mut Random) -> Weights {
        let mut moved = |weight: i32| {
            if random.unit() >= share {
                return weight;
            }
            let step = (random.normal() * size).round() as i32;
            (weight + step).clamp(i16::MIN.into(), i16::MAX.into())
        };
        let terms = weights.terms.iter().zip(self.free).map(|(weight, &free)| {
            let Weight { opening, ending } = *weight;
            if free { Weight::sliding(moved(opening), moved(ending)) } else { *weight }
        });
        Weights { terms: terms.collect() }
    }

    /// A match of `games` between two sets of weights, counted for the first.
    pub fn duel(
        &self,
        first: &Weights,
        second: &Weights,
        games: u64,
        random: &mut Random,
    ) -> Result<Tally, TrainingError> {
        let seed = random.bits();
        let make = || Ok([(self.build)(first)?, (self.build)(second)?]);
        let work = |players: &mut [Box<dyn Player<P>>; 2], pair: u64| {
            let seed = Random::new(seed).split(&format!("pair {pair}")).bits();
            Ok::<_, TrainingError>(
                self.game(players, Side::First, seed)? + self.game(players, Side::Second, seed)?,
            )
        };
        let mut total = Tally::default();
        in_order(0..games.div_ceil(2), self.threads, make, work, |tally| {
            total += tally;
            Ok(())
        })?;
        Ok(total)
    }

    /// One game in which the first player has `side`. Both games of a pair draw the same opening,
    /// judged by the second player.
    fn game(
        &self,
        players: &mut [Box<dyn Player<P>>; 2],
        side: Side,
        seed: u64,
    ) -> Result<Tally, TrainingError> {
        let mut random = Random::new(seed);
        for player in &mut *players {
            player.new_game(random.bits());
        }
        let mut choose = |player: usize, game: &History<P>| {
            let mut watch = Watch { stop: self.stop, on_report: &mut |_| {} };
            let choice = players[player].choose(game, &Limits::default(), &mut watch)?;
            if self.stop.load(Ordering::Relaxed) { Err(TrainingError::Stopped) } else { Ok(choice) }
        };
        let judge = &mut |game: &History<P>| choose(1, game);
        let mut game = self.settings.opening.play(self.game_start, &mut random, judge)?;
        let ended = play_out(&mut game, &self.settings.rules, &mut |game| {
            choose(usize::from(game.last().turn() != side), game)
        })?;
        Ok(match ended.outcome {
            Outcome::Draw => Tally::new(0, 1, 0),
            Outcome::Win(winner) if winner == side => Tally::new(1, 0, 0),
            Outcome::Win(_) => Tally::new(0, 0, 1),
        })
    }
}

/// A state as it is written down.
#[derive(Serialize, Deserialize)]
struct Written {
    champion: String,
    best: String,
    climb: u32,
    idle: u32,
    history: Vec<Challenge>,
}

impl State {
    /// The whole state, as JSON.
    pub fn bytes(&self, groups: &[Group]) -> Vec<u8> {
        let written = Written {
            champion: self.champion.text(groups),
            best: self.best.text(groups),
            climb: self.climb,
            idle: self.idle,
            history: self.history.clone(),
        };
        serde_json::to_vec(&written).expect("plain data can be written")
    }

    /// Reads what [`bytes`](State::bytes) wrote; `None` if it is anything else.
    pub fn from_bytes(bytes: &[u8], groups: &[Group]) -> Option<State> {
        let written: Written = serde_json::from_slice(bytes).ok()?;
        Some(State {
            champion: Weights::parse(&written.champion, groups).ok()?,
            best: Weights::parse(&written.best, groups).ok()?,
            climb: written.climb,
            idle: written.idle,
            history: written.history,
        })
    }
}
