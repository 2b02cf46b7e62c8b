//! Clocks of a Go game as its protocol sets them: main time, then Canadian periods (so many stones
//! in a period) or Japanese ones (a period a move, so many periods to lose).
//!
//! The controller's `time_left` counts; without it we keep time ourselves.

use ludus_core::{Clock, Side};
use std::time::Duration;

/// How time is limited.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Setting {
    /// Not at all.
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

pub struct Clocks {
    setting: Setting,
    sides: [SideClock; 2],
}

impl Clocks {
    pub fn new(setting: Setting) -> Clocks {
        let side = match setting {
            Setting::Unlimited => SideClock { left: Duration::ZERO, count: 0 },
            Setting::Absolute { main } => SideClock { left: main, count: 0 },
            Setting::Canadian { main, period, stones: count }
            | Setting::Japanese { main, period, periods: count } => {
                if main.is_zero() {
                    SideClock { left: period, count }
                } else {
                    SideClock { left: main, count: 0 }
                }
            }
        };
        Clocks { setting, sides: [side; 2] }
    }

    /// Everybody has the full time again.
    pub fn restart(&mut self) {
        *self = Clocks::new(self.setting);
    }

    /// The controller says what `side` has left. A `count` of 0 means main time.
    pub fn set_left(&mut self, side: Side, left: Duration, count: u32) {
        if self.setting == Setting::Unlimited {
            self.setting = match count {
                0 => Setting::Absolute { main: left },
                stones => Setting::Canadian { main: Duration::ZERO, period: left, stones },
            };
            self.sides = [SideClock { left, count }; 2];
        }
        self.sides[side.index()] = SideClock { left, count };
    }

    /// `side` has thought for `time` about a move it then made.
    pub fn spend(&mut self, side: Side, time: Duration) {
        let clock = &mut self.sides[side.index()];
        let (period, full) = match self.setting {
            Setting::Unlimited => return,
            Setting::Absolute { .. } => (Duration::ZERO, 0),
            Setting::Canadian { period, stones, .. } => (period, stones),
            Setting::Japanese { period, periods, .. } => (period, periods),
        };
        let over = time.saturating_sub(clock.left);
        clock.left = clock.left.saturating_sub(time);
        if clock.count == 0 && over.is_zero() || full == 0 {
            return;
        }
        if clock.count == 0 {
            *clock = SideClock { left: period.saturating_sub(over), count: full };
        }
        match self.setting {
            Setting::Canadian { .. } => {
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

    /// What a player has to know. Time that comes back every move is an increment; in the main time a
    /// move may take this much longer than what is left.
    pub fn clock(&self, side: Side) -> Option<Clock> {
        let SideClock { left, count } = self.sides[side.index()];
        let counted = |increment, moves_to_go| Clock { remaining: left, increment, moves_to_go };
        let main = |each| Clock { remaining: left + each, increment: each, moves_to_go: None };
        Some(match self.setting {
            Setting::Unlimited => return None,
            Setting::Absolute { .. } => counted(Duration::ZERO, None),
            Setting::Canadian { .. } if count > 0 => counted(Duration::ZERO, Some(count)),
            Setting::Canadian { period, stones, .. } => main(period / stones.max(1)),
            Setting::Japanese { period, .. } if count > 0 => counted(period, Some(1)),
            Setting::Japanese { period, .. } => main(period),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn canadian_periods_start_after_the_main_time_and_renew() {
        let setting = Setting::Canadian { main: 10 * SECOND, period: 6 * SECOND, stones: 2 };
        let mut clocks = Clocks::new(setting);
        let main = clocks.clock(Side::First).unwrap();
        assert_eq!(
            (main.remaining, main.increment, main.moves_to_go),
            (13 * SECOND, 3 * SECOND, None)
        );
        clocks.spend(Side::First, 11 * SECOND);
        let period = clocks.clock(Side::First).unwrap();
        assert_eq!((period.remaining, period.moves_to_go), (5 * SECOND, Some(1)));
        clocks.spend(Side::First, SECOND);
        let renewed = clocks.clock(Side::First).unwrap();
        assert_eq!((renewed.remaining, renewed.moves_to_go), (6 * SECOND, Some(2)));
        assert_eq!(clocks.clock(Side::Second), Some(main));
        clocks.restart();
        assert_eq!(clocks.clock(Side::First), Some(main));
    }

    #[test]
    fn japanese_periods_are_lost_one_by_one_but_never_all() {
        let setting = Setting::Japanese { main: Duration::ZERO, period: 5 * SECOND, periods: 2 };
        let mut clocks = Clocks::new(setting);
        for _ in 0..4 {
            clocks.spend(Side::Second, 7 * SECOND);
            let clock = clocks.clock(Side::Second).unwrap();
            assert_eq!((clock.remaining, clock.moves_to_go), (5 * SECOND, Some(1)));
        }
        assert_eq!(clocks.sides[1].count, 1);
    }

    #[test]
    fn the_controller_has_the_last_word() {
        let mut clocks = Clocks::new(Setting::Unlimited);
        assert_eq!(clocks.clock(Side::First), None);
        clocks.set_left(Side::First, 9 * SECOND, 3);
        let clock = clocks.clock(Side::First).unwrap();
        assert_eq!((clock.remaining, clock.moves_to_go), (9 * SECOND, Some(3)));
        let mut absolute = Clocks::new(Setting::Absolute { main: SECOND });
        absolute.spend(Side::First, 5 * SECOND);
        assert_eq!(absolute.clock(Side::First).unwrap().remaining, Duration::ZERO);
    }
}
