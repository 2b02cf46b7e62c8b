//! The clocks of a game.

use crate::server::error::ApiError;
use ludus_core::{Clock, Side};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// How much time each side has.
#[derive(Copy, Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockInput {
    /// For the game, from 1 to 86,400.
    seconds: f64,
    /// For every move made, from 0 to 3,600.
    #[serde(default)]
    increment: f64,
}

/// Both clocks. The first move is made off the clock; then that of the side to move runs.
#[derive(Clone, Debug)]
pub struct Clocks {
    remaining: [Duration; 2],
    increment: Duration,
    /// Since when the clock of the side to move runs.
    since: Option<Instant>,
}

/// The clocks as they are saved: they stand still while nobody serves them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedClocks {
    remaining_ms: [u64; 2],
    increment_ms: u64,
}

impl Clocks {
    pub fn new(input: ClockInput) -> Result<Clocks, ApiError> {
        let ClockInput { seconds, increment } = input;
        if !(1.0..=86_400.0).contains(&seconds) || !(0.0..=3_600.0).contains(&increment) {
            let message = format!(
                "a clock of {seconds} s + {increment} s: expected 1 to 86400 seconds and an \
                 increment from 0 to 3600"
            );
            return Err(ApiError::bad(message));
        }
        Ok(Clocks {
            remaining: [Duration::from_secs_f64(seconds); 2],
            increment: Duration::from_secs_f64(increment),
            since: None,
        })
    }

    /// What `side` has left, if `turn` is the side to move.
    pub fn left(&self, side: Side, turn: Side, now: Instant) -> Duration {
        let left = self.remaining[side.index()];
        match self.since {
            Some(since) if side == turn => left.saturating_sub(now.duration_since(since)),
            _ => left,
        }
    }

    /// What a player may know of its own clock.
    pub fn of_player(&self, side: Side, now: Instant) -> Clock {
        Clock {
            remaining: self.left(side, side, now),
            increment: self.increment,
            moves_to_go: None,
        }
    }

    /// `side` has made its move; the other clock runs.
    pub fn press(&mut self, side: Side, now: Instant) {
        let left = self.left(side, side, now);
        self.remaining[side.index()] =
            if self.since.is_some() { left + self.increment } else { left };
        self.since = Some(now);
    }

    /// Lets the clock of `turn` run.
    pub fn start(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    /// Stops both.
    pub fn stop(&mut self, turn: Side, now: Instant) {
        self.remaining[turn.index()] = self.left(turn, turn, now);
        self.since = None;
    }

    /// When the flag of `turn` falls, if its clock runs.
    pub fn falls(&self, turn: Side) -> Option<Instant> {
        self.since?.checked_add(self.remaining[turn.index()])
    }

    pub fn save(&self, turn: Side, now: Instant) -> SavedClocks {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        SavedClocks {
            remaining_ms: Side::BOTH.map(|side| ms(self.left(side, turn, now))),
            increment_ms: ms(self.increment),
        }
    }
}

impl From<SavedClocks> for Clocks {
    fn from(saved: SavedClocks) -> Clocks {
        Clocks {
            remaining: saved.remaining_ms.map(Duration::from_millis),
            increment: Duration::from_millis(saved.increment_ms),
            since: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_move_is_free_and_flags_fall() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut clocks = Clocks::new(ClockInput { seconds: 10.0, increment: 2.0 }).unwrap();
        assert_eq!(clocks.falls(Side::First), None);
        clocks.press(Side::First, at(5));
        assert_eq!(clocks.left(Side::First, Side::Second, at(9)).as_secs(), 10);
        assert_eq!(clocks.left(Side::Second, Side::Second, at(9)).as_secs(), 6);
        assert_eq!(clocks.falls(Side::Second), Some(at(15)));
        clocks.press(Side::Second, at(9));
        assert_eq!(clocks.left(Side::Second, Side::First, at(9)).as_secs(), 8);
        let restored = Clocks::from(clocks.save(Side::First, at(12)));
        assert_eq!(restored.left(Side::First, Side::First, at(99)).as_secs(), 7);
        assert!(Clocks::new(ClockInput { seconds: f64::NAN, increment: 0.0 }).is_err());
        assert!(Clocks::new(ClockInput { seconds: 1e300, increment: 0.0 }).is_err());
    }
}
