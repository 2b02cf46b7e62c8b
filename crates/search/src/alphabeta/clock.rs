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

fn share(clock: Clock) -> TimeLimits {
    let overhead = MOVE_OVERHEAD.min(clock.remaining / 5);
    let usable = clock.remaining - overhead;
    let moves = clock
        .moves_to_go
        .map_or(EXPECTED_MOVES_TO_GO, |moves| moves.clamp(1, EXPECTED_MOVES_TO_GO));
    let base = usable / moves + clock.increment * 3 / 4;
    // With the last move before more time comes, everything may go.
    let most = if moves == 1 { usable * 9 / 10 } else { usable * 2 / 5 };
    TimeLimits { soft: Some((base * 3 / 4).min(most)), hard: Some((base * 5 / 2).min(most)) }
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
