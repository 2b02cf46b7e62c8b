//! Time as the Go Text Protocol says it: in whole seconds, without increments.

use ludus_core::{Clock, Limits};
use std::time::Duration;

/// How the time of a game is limited. The settings are said once for each.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TimeKind {
    /// So much for every move.
    Move(Duration),
    /// So many moves in what is left.
    Period,
    /// The rest of the game in what is left.
    Game,
    /// The same, and so much more after every move.
    Increment(Duration),
}

/// Which commands say it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Words {
    /// The protocol's own `time_settings`: whole seconds.
    Standard,
    /// KataGo's `kata-time_settings`: fractions of seconds and increments.
    Kata,
}

impl Words {
    /// The command for the settings.
    pub fn settings_command(self) -> &'static str {
        match self {
            Words::Standard => "time_settings",
            Words::Kata => "kata-time_settings",
        }
    }
}

/// What to say before the next move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeCommands {
    pub kind: TimeKind,
    pub settings: String,
    pub left: String,
    /// What it may take for this one move, as it was told.
    pub most: Duration,
}

/// Moves a game is expected to last still, as our own searches expect it.
const MOVES_TO_GO: u32 = 28;
/// From here on whole seconds are exact enough for a clock without increments.
const WHOLE_SECONDS_FROM: Duration = Duration::from_secs(20);
/// Stones in a period; with fewer seconds than this many stones share there is no saying it.
const MOST_STONES: u32 = 1000;

/// So many whole seconds for so many stones.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Period {
    seconds: u64,
    stones: u32,
}

impl Period {
    /// The shortest one that gives every stone at least `share`, and at most a hundredth more.
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
        (1..=MOST_STONES).map(of).find(fits).unwrap_or_else(|| of(MOST_STONES))
    }
}

/// What `color` is told of its time under `limits`; `None` if there is no such limit.
pub fn time_commands(color: &str, limits: &Limits, words: Words) -> Option<TimeCommands> {
    let command = words.settings_command();
    let said = |kind, settings: String, left: String, most| {
        let settings = format!("{command} {settings}");
        Some(TimeCommands { kind, settings, left: format!("time_left {color} {left}"), most })
    };
    let exact = |time: Duration| format!("{:.3}", time.as_secs_f64());
    let period = |kind, share| {
        let Period { seconds, stones } = Period::of(share);
        let most = Duration::from_secs(seconds);
        said(kind, format!("0 {seconds} {stones}"), format!("{seconds} {stones}"), most)
    };
    if let Some(time) = limits.time {
        let kind = TimeKind::Move(time);
        return match words {
            Words::Standard => period(kind, time),
            Words::Kata => {
                let text = exact(time);
                said(kind, format!("byoyomi 0 {text} 1"), format!("{text} 1"), time)
            }
        };
    }
    let Clock { remaining, increment, moves_to_go } = limits.clock?;
    match (words, moves_to_go) {
        (Words::Kata, None) if increment.is_zero() => {
            let text = exact(remaining);
            said(TimeKind::Game, format!("absolute {text}"), format!("{text} 0"), remaining)
        }
        (Words::Kata, None) => {
            let (left, each) = (exact(remaining), exact(increment));
            let kind = TimeKind::Increment(increment);
            said(kind, format!("fischer {left} {each}"), format!("{left} 0"), remaining)
        }
        (Words::Kata, Some(stones)) => {
            let (left, stones) = (exact(remaining), stones.max(1));
            let settings = format!("canadian 0 {left} {stones}");
            said(TimeKind::Period, settings, format!("{left} {stones}"), remaining)
        }
        (Words::Standard, None) if increment.is_zero() && remaining >= WHOLE_SECONDS_FROM => {
            let seconds = (remaining + Duration::from_millis(500)).as_secs();
            said(TimeKind::Game, format!("{seconds} 0 0"), format!("{seconds} 0"), remaining)
        }
        (Words::Standard, _) => period(TimeKind::Period, fair_share(limits.clock?)),
    }
}

/// What a move may take on average if the clock is to last; an increment comes after the move.
fn fair_share(Clock { remaining, increment, moves_to_go }: Clock) -> Duration {
    let moves = moves_to_go.unwrap_or(MOVES_TO_GO).max(1);
    let share = (remaining + increment * (moves - 1)) / moves;
    // With the last move of a period everything may go, otherwise something must be left.
    if moves == 1 { share } else { share.min(remaining / 2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(limits: Limits, words: Words) -> Option<(String, String)> {
        let time = time_commands("b", &limits, words)?;
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
    fn check(limits: Limits, words: Words, settings: &str, left: &str) {
        assert_eq!(said(limits, words), Some((settings.to_owned(), left.to_owned())));
    }

    #[test]
    fn parts_of_seconds_are_said_as_periods() {
        let standard = Words::Standard;
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
    fn nobody_is_told_less_than_a_fair_share_nor_much_more() {
        for milliseconds in (1..1000).chain((1000..100_000).step_by(77)) {
            let share = Duration::from_millis(milliseconds);
            let Period { seconds, stones } = Period::of(share);
            let told = seconds as f64 / f64::from(stones);
            let ratio = told / share.as_secs_f64();
            assert!((1.0 - 1e-9..1.01 + 1e-9).contains(&ratio), "{share:?}: {seconds}/{stones}");
        }
        assert_eq!(Period::of(Duration::ZERO), Period { seconds: 1, stones: MOST_STONES });
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
    fn who_understands_fractions_is_told_them() {
        let kata = Words::Kata;
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
