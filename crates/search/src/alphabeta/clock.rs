//! Time management: the time for one move.

use ludus_core::{Clock, Limits};
use std::time::Duration;

/// The time for one move.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeLimits {
    /// Soft limit, after which no further iteration begins; scaled by the stability of the best move.
    pub soft: Option<Duration>,
    /// Hard limit, at which the search stops.
    pub hard: Option<Duration>,
}

/// Moves a game is expected to last still, when the clock does not say.
const EXPECTED_MOVES_TO_GO: u32 = 28;
/// Time a move costs besides the search: talking to the other program, waking up.
const MOVE_OVERHEAD: Duration = Duration::from_millis(15);

impl TimeLimits {
    /// The time that `limits` allow for this move. A time for the move is used up; that of a clock is
    /// divided among the moves to go.
    pub fn of(limits: &Limits) -> TimeLimits {
        let shared = limits.clock.map_or(TimeLimits::default(), share);
        match limits.time {
            None => shared,
            Some(time) => TimeLimits {
                soft: shared.soft.filter(|&soft| soft < time),
                hard: Some(shared.hard.map_or(time, |hard| hard.min(time))),
            },
        }
    }
}

/// A share of a time, as numerator and denominator.
type Share = (u32, u32);

/// Largest overhead, as a share of the clock.
const MAX_OVERHEAD: Share = (1, 5);
/// Share of the increment that a move may count on.
const INCREMENT_SHARE: Share = (3, 4);
/// Share of the usual time for a move after which no further iteration begins.
const SOFT_SHARE: Share = (3, 4);
/// Multiple of the usual time for a move at which the search stops.
const HARD_SHARE: Share = (5, 2);
/// Largest share of the clock for one of several moves to go.
const MOST_OF_CLOCK: Share = (2, 5);
/// Largest share of the clock for the last move before more time comes.
const MOST_FOR_LAST_MOVE: Share = (9, 10);

fn share(clock: Clock) -> TimeLimits {
    let of = |time: Duration, (numerator, denominator): Share| time * numerator / denominator;
    let overhead = MOVE_OVERHEAD.min(of(clock.remaining, MAX_OVERHEAD));
    let usable = clock.remaining - overhead;
    let moves = clock
        .moves_to_go
        .map_or(EXPECTED_MOVES_TO_GO, |moves| moves.clamp(1, EXPECTED_MOVES_TO_GO));
    let base = usable / moves + of(clock.increment, INCREMENT_SHARE);
    let most = of(usable, if moves == 1 { MOST_FOR_LAST_MOVE } else { MOST_OF_CLOCK });
    TimeLimits {
        soft: Some(of(base, SOFT_SHARE).min(most)),
        hard: Some(of(base, HARD_SHARE).min(most)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> TimeLimits {
        let [remaining, increment] = [remaining, increment].map(Duration::from_millis);
        share(Clock { remaining, increment, moves_to_go })
    }

    #[test]
    fn a_share_never_exceeds_what_is_left() {
        for remaining in [0, 1, 20, 100, 5_000, 600_000] {
            for increment in [0, 50, 10_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40)] {
                    let TimeLimits { soft, hard } = clock(remaining, increment, moves_to_go);
                    assert!(soft <= hard);
                    assert!(hard.unwrap() <= Duration::from_millis(remaining));
                }
            }
        }
    }

    #[test]
    fn a_time_for_the_move_is_used_up() {
        let time = Some(Duration::from_millis(50));
        let limits = Limits { time, ..Limits::default() };
        assert_eq!(TimeLimits::of(&limits), TimeLimits { soft: None, hard: time });
    }
}
