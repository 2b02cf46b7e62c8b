//! Clocks of the Go Text Protocol: main time, then Canadian byo-yomi (a number of stones in each period)
//! or Japanese byo-yomi (one move per period, and a number of periods).
//!
//! `time_left` of the controller takes precedence; without it the engine keeps time itself.

use ludus_core::{Clock, Side};
use std::time::Duration;

/// Time settings.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum TimeSettings {
    /// No time limit.
    Unlimited,
    /// Main time only.
    Absolute { main: Duration },
    /// After the main time, periods for `stones` moves each.
    Canadian { main: Duration, period: Duration, stones: u32 },
    /// After the main time, `periods` periods; a move within one does not use it up.
    Japanese { main: Duration, period: Duration, periods: u32 },
}

#[derive(Copy, Clone, Debug)]
struct SideClock {
    left: Duration,
    /// Stones or periods left; 0 while there is main time.
    count: u32,
}

pub struct GtpClocks {
    settings: TimeSettings,
    sides: [SideClock; 2],
}

impl GtpClocks {
    pub fn new(settings: TimeSettings) -> GtpClocks {
        let side = match settings {
            TimeSettings::Unlimited => SideClock { left: Duration::ZERO, count: 0 },
            TimeSettings::Absolute { main } => SideClock { left: main, count: 0 },
            TimeSettings::Canadian { main, period, stones: count }
            | TimeSettings::Japanese { main, period, periods: count } => {
                if main.is_zero() {
                    SideClock { left: period, count }
                } else {
                    SideClock { left: main, count: 0 }
                }
            }
        };
        GtpClocks { settings, sides: [side; 2] }
    }

    /// Resets both clocks to the full time.
    pub fn restart(&mut self) {
        *self = GtpClocks::new(self.settings);
    }

    /// Sets the time left of `side`, by the controller. A `count` of 0 means main time.
    pub fn set_time_left(&mut self, side: Side, left: Duration, count: u32) {
        if self.settings == TimeSettings::Unlimited {
            self.settings = match count {
                0 => TimeSettings::Absolute { main: left },
                stones => TimeSettings::Canadian { main: Duration::ZERO, period: left, stones },
            };
            self.sides = [SideClock { left, count }; 2];
        }
        self.sides[side.index()] = SideClock { left, count };
    }

    /// Deducts the `time` that `side` used for a move.
    pub fn deduct(&mut self, side: Side, time: Duration) {
        let clock = &mut self.sides[side.index()];
        let (period, full) = match self.settings {
            TimeSettings::Unlimited => return,
            TimeSettings::Absolute { .. } => (Duration::ZERO, 0),
            TimeSettings::Canadian { period, stones, .. } => (period, stones),
            TimeSettings::Japanese { period, periods, .. } => (period, periods),
        };
        let over = time.saturating_sub(clock.left);
        clock.left = clock.left.saturating_sub(time);
        if clock.count == 0 && over.is_zero() || full == 0 {
            return;
        }
        if clock.count == 0 {
            *clock = SideClock { left: period.saturating_sub(over), count: full };
        }
        match self.settings {
            TimeSettings::Canadian { .. } => {
                clock.count -= 1;
                if clock.count == 0 {
                    *clock = SideClock { left: period, count: full };
                }
            }
            _ => {
                let used = u32::from(!over.is_zero());
                *clock = SideClock { left: period, count: clock.count.saturating_sub(used).max(1) };
            }
        }
    }

    /// The clock for the player. Byo-yomi time is given as an increment, which is also added to the
    /// main time that is left.
    pub fn clock(&self, side: Side) -> Option<Clock> {
        let SideClock { left, count } = self.sides[side.index()];
        let counted = |increment, moves_to_go| Clock { remaining: left, increment, moves_to_go };
        let main = |each| Clock { remaining: left + each, increment: each, moves_to_go: None };
        Some(match self.settings {
            TimeSettings::Unlimited => return None,
            TimeSettings::Absolute { .. } => counted(Duration::ZERO, None),
            TimeSettings::Canadian { .. } if count > 0 => counted(Duration::ZERO, Some(count)),
            TimeSettings::Canadian { period, stones, .. } => main(period / stones.max(1)),
            TimeSettings::Japanese { period, .. } if count > 0 => counted(period, Some(1)),
            TimeSettings::Japanese { period, .. } => main(period),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn canadian_periods_start_after_the_main_time_and_renew() {
        let settings = TimeSettings::Canadian { main: 10 * SECOND, period: 6 * SECOND, stones: 2 };
        let mut clocks = GtpClocks::new(settings);
        let main = clocks.clock(Side::First).unwrap();
        assert_eq!(
            (main.remaining, main.increment, main.moves_to_go),
            (13 * SECOND, 3 * SECOND, None)
        );
        clocks.deduct(Side::First, 11 * SECOND);
        let period = clocks.clock(Side::First).unwrap();
        assert_eq!((period.remaining, period.moves_to_go), (5 * SECOND, Some(1)));
        clocks.deduct(Side::First, SECOND);
        let renewed = clocks.clock(Side::First).unwrap();
        assert_eq!((renewed.remaining, renewed.moves_to_go), (6 * SECOND, Some(2)));
        assert_eq!(clocks.clock(Side::Second), Some(main));
        clocks.restart();
        assert_eq!(clocks.clock(Side::First), Some(main));
    }

    #[test]
    fn japanese_periods_are_lost_one_by_one_but_never_all() {
        let settings =
            TimeSettings::Japanese { main: Duration::ZERO, period: 5 * SECOND, periods: 2 };
        let mut clocks = GtpClocks::new(settings);
        for _ in 0..4 {
            clocks.deduct(Side::Second, 7 * SECOND);
            let clock = clocks.clock(Side::Second).unwrap();
            assert_eq!((clock.remaining, clock.moves_to_go), (5 * SECOND, Some(1)));
        }
        assert_eq!(clocks.sides[1].count, 1);
    }

    #[test]
    fn the_controller_has_the_last_word() {
        let mut clocks = GtpClocks::new(TimeSettings::Unlimited);
        assert_eq!(clocks.clock(Side::First), None);
        clocks.set_time_left(Side::First, 9 * SECOND, 3);
        let clock = clocks.clock(Side::First).unwrap();
        assert_eq!((clock.remaining, clock.moves_to_go), (9 * SECOND, Some(3)));
        let mut absolute = GtpClocks::new(TimeSettings::Absolute { main: SECOND });
        absolute.deduct(Side::First, 5 * SECOND);
        assert_eq!(absolute.clock(Side::First).unwrap().remaining, Duration::ZERO);
    }
}
