//! Game clock.

use crate::server::error::ApiError;
use ludus_core::{Clock, Side};
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use utoipa::ToSchema;

/// Time control: base time and increment for each side.
#[derive(Copy, Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TimeControl {
    /// Base time in seconds, from 1 to 86,400.
    seconds: f64,
    /// Increment per move in seconds, from 0 to 3,600.
    #[serde(default)]
    increment: f64,
}

/// Clock of both sides. It starts after the first move, then runs for the side to move.
#[derive(Clone, Debug)]
pub struct GameClock {
    remaining: [Duration; 2],
    increment: Duration,
    /// Start of the running turn; `None` while the clock is stopped.
    since: Option<Instant>,
}

/// Stored form of a clock. It stands still while the server is down.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SavedClock {
    remaining_ms: [u64; 2],
    increment_ms: u64,
}

impl GameClock {
    pub fn new(input: TimeControl) -> Result<GameClock, ApiError> {
        let TimeControl { seconds, increment } = input;
        if !(1.0..=86_400.0).contains(&seconds) || !(0.0..=3_600.0).contains(&increment) {
            let message = format!(
                "a clock of {seconds} s + {increment} s: expected 1 to 86400 seconds and an \
                 increment from 0 to 3600"
            );
            return Err(ApiError::bad(message));
        }
        Ok(GameClock {
            remaining: [Duration::from_secs_f64(seconds); 2],
            increment: Duration::from_secs_f64(increment),
            since: None,
        })
    }

    /// Time left for `side` when `turn` is the side to move.
    pub fn left(&self, side: Side, turn: Side, now: Instant) -> Duration {
        let left = self.remaining[side.index()];
        match self.since {
            Some(since) if side == turn => left.saturating_sub(now.duration_since(since)),
            _ => left,
        }
    }

    /// Clock of `side` as a search limit.
    pub fn of_player(&self, side: Side, now: Instant) -> Clock {
        Clock {
            remaining: self.left(side, side, now),
            increment: self.increment,
            moves_to_go: None,
        }
    }

    /// Ends the turn of `side`: adds the increment and starts the opponent's turn.
    pub fn press(&mut self, side: Side, now: Instant) {
        let left = self.left(side, side, now);
        self.remaining[side.index()] =
            if self.since.is_some() { left + self.increment } else { left };
        self.since = Some(now);
    }

    /// Starts the clock of the side to move, unless it runs already.
    pub fn start(&mut self, now: Instant) {
        self.since.get_or_insert(now);
    }

    /// Stops the clock; `turn` is the side to move.
    pub fn stop(&mut self, turn: Side, now: Instant) {
        self.remaining[turn.index()] = self.left(turn, turn, now);
        self.since = None;
    }

    /// Time at which the flag of `turn` falls, if the clock runs.
    pub fn flag_falls_at(&self, turn: Side) -> Option<Instant> {
        self.since?.checked_add(self.remaining[turn.index()])
    }

    pub fn save(&self, turn: Side, now: Instant) -> SavedClock {
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        SavedClock {
            remaining_ms: Side::BOTH.map(|side| ms(self.left(side, turn, now))),
            increment_ms: ms(self.increment),
        }
    }
}

impl From<SavedClock> for GameClock {
    fn from(saved: SavedClock) -> GameClock {
        GameClock {
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
        let mut clock = GameClock::new(TimeControl { seconds: 10.0, increment: 2.0 }).unwrap();
        assert_eq!(clock.flag_falls_at(Side::First), None);
        clock.press(Side::First, at(5));
        assert_eq!(clock.left(Side::First, Side::Second, at(9)).as_secs(), 10);
        assert_eq!(clock.left(Side::Second, Side::Second, at(9)).as_secs(), 6);
        assert_eq!(clock.flag_falls_at(Side::Second), Some(at(15)));
        clock.press(Side::Second, at(9));
        assert_eq!(clock.left(Side::Second, Side::First, at(9)).as_secs(), 8);
        let restored = GameClock::from(clock.save(Side::First, at(12)));
        assert_eq!(restored.left(Side::First, Side::First, at(99)).as_secs(), 7);
        assert!(GameClock::new(TimeControl { seconds: f64::NAN, increment: 0.0 }).is_err());
        assert!(GameClock::new(TimeControl { seconds: 1e300, increment: 0.0 }).is_err());
    }
}
