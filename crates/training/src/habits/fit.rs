//! Habits on their way.

use super::{
    HabitsSettings,
    balance::{Odds, Taught, advise, error_of, numbers},
    lessons::{Lesson, Lessons},
};
use crate::{TrainingError, parallel::in_order};
use ludus_core::Random;
use ludus_games::go::policy::Policy;
use serde::{Deserialize, Serialize};

/// Positions held out that are looked at, and playouts of each.
const LOOKED_AT: usize = 2000;
const PLAYOUTS: usize = 40;

/// How fast the means of directions and of their squares forget (Adam, Kingma and Ba 2015).
const MEMORY: f64 = 0.9;
const SQUARE_MEMORY: f64 = 0.999;
/// Numbers that are hardly ever asked for go no faster than this lets them.
const SMALLEST: f64 = 1e-6;

/// Numbers on their way, and how far off their playouts were.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub odds: Odds,
    means: Vec<f64>,
    squares: Vec<f64>,
    /// Steps done.
    pub steps: u64,
    /// Squared errors since the last look at what is held out, and how many.
    recent: (f64, f64),
    pub history: Vec<Look>,
}

/// How far off playouts are, as mean squared errors.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Look {
    pub steps: u64,
    /// Of the positions learned from since the last look.
    pub train: f64,
    /// Of positions held out.
    pub held_out: f64,
}

/// What a fit works with.
pub(super) struct Fit<'a> {
    pub settings: &'a HabitsSettings,
    pub lessons: &'a Lessons,
    pub seed: u64,
    pub threads: usize,
}

impl State {
    pub fn begin() -> State {
        let zeros = vec![0.0; numbers()];
        State {
            odds: Odds::untaught(),
            means: zeros.clone(),
            squares: zeros,
            steps: 0,
            recent: (0.0, 0.0),
            history: Vec::new(),
        }
    }

    /// Goes one way: less far towards the end.
    fn go(&mut self, direction: &[f64], settings: &HabitsSettings) {
        let done = self.steps as f64 / settings.steps as f64;
        self.steps += 1;
        let rate = settings.rate * (1.0 - done);
        let known = |memory: f64| 1.0 - memory.powi(self.steps.min(100_000) as i32);
        let (mean_known, square_known) = (known(MEMORY), known(SQUARE_MEMORY));
        for (number, &way) in direction.iter().enumerate() {
            let mean = &mut self.means[number];
            let square = &mut self.squares[number];
            *mean = MEMORY * *mean + (1.0 - MEMORY) * way;
            *square = SQUARE_MEMORY * *square + (1.0 - SQUARE_MEMORY) * way * way;
            let spread = (*square / square_known).sqrt() + SMALLEST;
            self.odds.grow(number, rate * (*mean / mean_known) / spread);
        }
    }
}

impl Fit<'_> {
    /// One step. The positions depend on the seed and its number only, and what they say is added in
    /// their order, so threads and interruptions change nothing.
    pub fn step(&self, state: &mut State) -> Result<(), TrainingError> {
        let taught = Taught::new(&state.odds);
        let mut random = Random::new(self.seed).split(&format!("habits, step {}", state.steps));
        let train = &self.lessons.train;
        let batch: Vec<(Lesson, u64)> = (0..self.settings.batch)
            .map(|_| (train[random.below(train.len())], random.bits()))
            .collect();
        let mut direction = vec![0.0; numbers()];
        let share = 1.0 / batch.len() as f64;
        in_order(
            0..batch.len() as u64,
            self.threads,
            || Ok::<(), TrainingError>(()),
            |(), number| {
                let (lesson, seed) = &batch[number as usize];
                let position = self.lessons.position(lesson);
                let playouts = self.settings.playouts;
                Ok(advise(&taught, &position, lesson, playouts, Random::new(*seed)))
            },
            |advice| {
                for (number, way) in advice.direction {
                    direction[number] += share * way;
                }
                state.recent.0 += advice.error;
                state.recent.1 += 1.0;
                Ok(())
            },
        )?;
        state.go(&direction, self.settings);
        Ok(())
    }

    /// Sees how far off the playouts are now.
    pub fn look(&self, state: &mut State) -> Result<(), TrainingError> {
        let (sum, count) = std::mem::take(&mut state.recent);
        let train = if count > 0.0 { sum / count } else { f64::NAN };
        let held_out = self.held_out_error(&Taught::new(&state.odds).policy)?;
        state.history.push(Look { steps: state.steps, train, held_out });
        Ok(())
    }

    /// The mean squared error of `policy` over positions held out.
    pub fn held_out_error(&self, policy: &Policy) -> Result<f64, TrainingError> {
        let all = &self.lessons.held_out;
        let every = all.len().div_ceil(LOOKED_AT).max(1);
        let looked_at: Vec<Lesson> = all.iter().copied().step_by(every).collect();
        let mut sum = 0.0;
        in_order(
            0..looked_at.len() as u64,
            self.threads,
            || Ok::<(), TrainingError>(()),
            |(), number| {
                let lesson = &looked_at[number as usize];
                let random = Random::new(self.seed).split(&format!("held out {number}"));
                let position = self.lessons.position(lesson);
                Ok(error_of(policy, &position, lesson, PLAYOUTS, random))
            },
            |error| {
                sum += error;
                Ok(())
            },
        )?;
        Ok(sum / looked_at.len() as f64)
    }
}

/// A state as it is kept: the bits of its numbers, for what is read must be what was written.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    odds: Vec<u64>,
    means: Vec<u64>,
    squares: Vec<u64>,
    steps: u64,
    recent: [u64; 2],
    history: Vec<[u64; 3]>,
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

fn floats(bits: &[u64]) -> Vec<f64> {
    bits.iter().copied().map(f64::from_bits).collect()
}

impl Kept {
    pub fn of(state: &State) -> Kept {
        let look = |look: &Look| [look.steps, look.train.to_bits(), look.held_out.to_bits()];
        Kept {
            odds: bits(&state.odds.0),
            means: bits(&state.means),
            squares: bits(&state.squares),
            steps: state.steps,
            recent: [state.recent.0.to_bits(), state.recent.1.to_bits()],
            history: state.history.iter().map(look).collect(),
        }
    }

    /// The state, unless it is one of other numbers.
    pub fn state(&self) -> Option<State> {
        let fits =
            [&self.odds, &self.means, &self.squares].iter().all(|row| row.len() == numbers());
        let look = |&[steps, train, held_out]: &[u64; 3]| Look {
            steps,
            train: f64::from_bits(train),
            held_out: f64::from_bits(held_out),
        };
        let [sum, count] = self.recent.map(f64::from_bits);
        fits.then(|| State {
            odds: Odds(floats(&self.odds)),
            means: floats(&self.means),
            squares: floats(&self.squares),
            steps: self.steps,
            recent: (sum, count),
            history: self.history.iter().map(look).collect(),
        })
    }
}
