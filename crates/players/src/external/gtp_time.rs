//! Time limits as commands of the Go Text Protocol, which has whole seconds and no increments.

use ludus_core::{Clock, Limits};
use std::time::Duration;

/// The kind of a time limit. The settings are sent once for each.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TimeKind {
    /// A time for every move.
    Move(Duration),
    /// A number of moves in the remaining time.
    Period,
    /// The rest of the game in the remaining time.
    Game,
    /// The same, with an increment after every move.
    Increment(Duration),
}

/// The commands for time limits that an engine supports.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TimeDialect {
    /// The protocol's own `time_settings`: whole seconds.
    Standard,
    /// KataGo's `kata-time_settings`: fractions of seconds and increments.
    Kata,
}

impl TimeDialect {
    /// The command for the settings.
    pub fn settings_command(self) -> &'static str {
        match self {
            TimeDialect::Standard => "time_settings",
            TimeDialect::Kata => "kata-time_settings",
        }
    }
}

/// The commands to send before the next move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeCommands {
    pub kind: TimeKind,
    pub settings: String,
    pub left: String,
    /// The longest time for this move under these limits.
    pub max_for_move: Duration,
}

/// Expected number of moves to the end of the game, as in our own searches.
const EXPECTED_MOVES_TO_GO: u32 = 28;
/// Least remaining time for which whole seconds are exact enough, without an increment.
const MIN_TIME_IN_WHOLE_SECONDS: Duration = Duration::from_secs(20);
/// Largest number of stones in a period, which bounds the shortest time a stone.
const MAX_PERIOD_STONES: u32 = 1000;

/// A Canadian period: a number of stones in whole seconds.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Period {
    seconds: u64,
    stones: u32,
}

impl Period {
    /// The shortest period that gives every stone at least `share`, and at most a hundredth more.
    fn of(share: Duration) -> Period {
        const SECOND: u128 = 1_000_000_000;
        let share = share.as_nanos();
        let of = |stones: u32| {
            let seconds = (share * u128::from(stones)).div_ceil(SECOND).max(1) as u64;
            Period { seconds, stones }
        };
        let fits = |period: &Period| {
            u128::from(period.seconds) * SECOND * 100 <= share * u128::from(period.stones) * 101
        };
        (1..=MAX_PERIOD_STONES).map(of).find(fits).unwrap_or_else(|| of(MAX_PERIOD_STONES))
    }
}

/// The commands for the time limits of `colour`; `None` if there are none.
pub fn time_commands(colour: &str, limits: &Limits, dialect: TimeDialect) -> Option<TimeCommands> {
    let command = dialect.settings_command();
    let commands = |kind, settings: String, left: String, max_for_move| {
        let settings = format!("{command} {settings}");
        Some(TimeCommands {
            kind,
            settings,
            left: format!("time_left {colour} {left}"),
            max_for_move,
        })
    };
    let exact = |time: Duration| format!("{:.3}", time.as_secs_f64());
    let period = |kind, share| {
        let Period { seconds, stones } = Period::of(share);
        let max_for_move = Duration::from_secs(seconds);
        commands(kind, format!("0 {seconds} {stones}"), format!("{seconds} {stones}"), max_for_move)
    };
    if let Some(time) = limits.time {
        let kind = TimeKind::Move(time);
        return match dialect {
            TimeDialect::Standard => period(kind, time),
            TimeDialect::Kata => {
                let text = exact(time);
                commands(kind, format!("byoyomi 0 {text} 1"), format!("{text} 1"), time)
            }
        };
    }
    let Clock { remaining, increment, moves_to_go } = limits.clock?;
    match (dialect, moves_to_go) {
        (TimeDialect::Kata, None) if increment.is_zero() => {
            let text = exact(remaining);
            commands(TimeKind::Game, format!("absolute {text}"), format!("{text} 0"), remaining)
        }
        (TimeDialect::Kata, None) => {
            let (left, each) = (exact(remaining), exact(increment));
            let kind = TimeKind::Increment(increment);
            commands(kind, format!("fischer {left} {each}"), format!("{left} 0"), remaining)
        }
        (TimeDialect::Kata, Some(stones)) => {
            let (left, stones) = (exact(remaining), stones.max(1));
            let settings = format!("canadian 0 {left} {stones}");
            commands(TimeKind::Period, settings, format!("{left} {stones}"), remaining)
        }
        (TimeDialect::Standard, None)
            if increment.is_zero() && remaining >= MIN_TIME_IN_WHOLE_SECONDS =>
        {
            let seconds = (remaining + Duration::from_millis(500)).as_secs();
            commands(TimeKind::Game, format!("{seconds} 0 0"), format!("{seconds} 0"), remaining)
        }
        (TimeDialect::Standard, _) => period(TimeKind::Period, fair_share(limits.clock?)),
    }
}

/// The average time a move if the clock is to last; an increment is added after the move.
fn fair_share(Clock { remaining, increment, moves_to_go }: Clock) -> Duration {
    let moves = moves_to_go.unwrap_or(EXPECTED_MOVES_TO_GO).max(1);
    let share = (remaining + increment * (moves - 1)) / moves;
    // The last move of a period may take everything; before it some time must be left.
    if moves == 1 { share } else { share.min(remaining / 2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(limits: Limits, dialect: TimeDialect) -> Option<(String, String)> {
        let time = time_commands("b", &limits, dialect)?;
        Some((time.settings, time.left))
    }

    fn for_move(milliseconds: u64) -> Limits {
        Limits { time: Some(Duration::from_millis(milliseconds)), ..Limits::default() }
    }

    fn on_clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Limits {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        let clock = Some(Clock { remaining, increment, moves_to_go });
        Limits { clock, ..Limits::default() }
    }

    #[track_caller]
    fn check(limits: Limits, dialect: TimeDialect, settings: &str, left: &str) {
        assert_eq!(said(limits, dialect), Some((settings.to_owned(), left.to_owned())));
    }

    #[test]
    fn fractions_of_seconds_are_sent_as_periods() {
        let standard = TimeDialect::Standard;
        assert_eq!(said(Limits::default(), standard), None);
        check(for_move(2000), standard, "time_settings 0 2 1", "time_left b 2 1");
        check(for_move(200), standard, "time_settings 0 1 5", "time_left b 1 5");
        check(for_move(1500), standard, "time_settings 0 3 2", "time_left b 3 2");
        check(on_clock(60_040, 0, None), standard, "time_settings 60 0 0", "time_left b 60 0");
        check(on_clock(10_000, 0, Some(5)), standard, "time_settings 0 2 1", "time_left b 2 1");
        check(on_clock(2_800, 0, None), standard, "time_settings 0 1 10", "time_left b 1 10");
        check(on_clock(1_000, 1_000, None), standard, "time_settings 0 1 2", "time_left b 1 2");
    }

    #[test]
    fn periods_give_a_fair_share_and_not_much_more() {
        for milliseconds in (1..1000).chain((1000..100_000).step_by(77)) {
            let share = Duration::from_millis(milliseconds);
            let Period { seconds, stones } = Period::of(share);
            let given = seconds as f64 / f64::from(stones);
            let ratio = given / share.as_secs_f64();
            assert!((1.0 - 1e-9..1.01 + 1e-9).contains(&ratio), "{share:?}: {seconds}/{stones}");
        }
        assert_eq!(Period::of(Duration::ZERO), Period { seconds: 1, stones: MAX_PERIOD_STONES });
        for remaining in [0, 1, 30, 500, 5_000, 19_999, 20_000, 600_000] {
            for increment in [0, 50, 10_000] {
                let Limits { clock: Some(clock), .. } = on_clock(remaining, increment, None) else {
                    unreachable!()
                };
                assert!(fair_share(clock) <= clock.remaining / 2);
            }
        }
    }

    #[test]
    fn kata_commands_have_fractions() {
        let kata = TimeDialect::Kata;
        let settings = "kata-time_settings byoyomi 0 0.150 1";
        check(for_move(150), kata, settings, "time_left b 0.150 1");
        let settings = "kata-time_settings fischer 10.250 0.100";
        check(on_clock(10_250, 100, None), kata, settings, "time_left b 10.250 0");
        let settings = "kata-time_settings absolute 9.999";
        check(on_clock(9_999, 0, None), kata, settings, "time_left b 9.999 0");
        let settings = "kata-time_settings canadian 0 4.500 3";
        check(on_clock(4_500, 0, Some(3)), kata, settings, "time_left b 4.500 3");
    }
}
