//! How many simulations there are to do, and until when.

use crate::alphabeta::Allowance;
use ludus_core::Limits;
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// Simulations a thread takes at once: threads meet at the shared count once in so many.
pub(super) const BATCH: u64 = 64;

/// Looks at the clock are at most about this far apart, while a simulation takes less.
const BETWEEN_LOOKS: Duration = Duration::from_micros(500);

/// What the threads of a search share besides the tree.
pub(super) struct Quota<'a> {
    stop: &'a AtomicBool,
    limit: u64,
    claimed: AtomicU64,
    done: AtomicBool,
    started: Instant,
    allowance: Allowance,
}

impl<'a> Quota<'a> {
    pub fn new(limits: &Limits, stop: &'a AtomicBool) -> Quota<'a> {
        Quota {
            stop,
            limit: limits.nodes.unwrap_or(u64::MAX),
            claimed: AtomicU64::new(0),
            done: AtomicBool::new(false),
            started: Instant::now(),
            allowance: Allowance::of(limits),
        }
    }

    /// How many simulations the caller is to do next; none when it is over. The first is always
    /// granted, so that there is something to choose by.
    #[inline]
    pub fn claim(&self) -> u64 {
        if self.done.load(Relaxed) {
            return 0;
        }
        let before = self.claimed.fetch_add(BATCH, Relaxed);
        self.limit.max(1).saturating_sub(before).min(BATCH)
    }

    /// Tells all threads to stop.
    #[inline]
    pub fn finish(&self) {
        self.done.store(true, Relaxed);
    }

    pub fn is_finished(&self) -> bool {
        self.done.load(Relaxed)
    }

    /// Whether time or the caller's patience is used up.
    #[inline]
    fn is_over(&self) -> bool {
        let late = self.allowance.hard.is_some_and(|hard| self.started.elapsed() >= hard);
        late || self.is_finished() || self.stop.load(Relaxed)
    }

    /// Whether the time meant for the move is over. It may be overdrawn while the choice is open.
    #[inline]
    pub fn is_enough(&self) -> bool {
        self.allowance.soft.is_some_and(|soft| self.started.elapsed() >= soft)
    }

    /// At most how many simulations are still to come after `simulations` of all threads; under a
    /// time limit what the speed so far lets expect, and a quarter more. Threads have begun more
    /// than they have told of: these count for the speed, and are to come.
    pub fn left(&self, simulations: u64) -> u64 {
        let by_count = self.limit.saturating_sub(simulations);
        let Some(end) = self.allowance.soft.or(self.allowance.hard) else { return by_count };
        let elapsed = self.started.elapsed().as_secs_f64();
        let share = (end.as_secs_f64() - elapsed).max(0.0) / elapsed.max(1e-9);
        let begun = self.claimed.load(Relaxed).max(simulations);
        let expected = (begun as f64 * share * 1.25) as u64;
        by_count.min(expected.saturating_add(begun - simulations))
    }
}

/// Looks at the clock now and then: often enough where simulations are slow, rarely where they are
/// fast.
pub(super) struct Lookout {
    interval: u32,
    waited: u32,
    last: Instant,
}

impl Lookout {
    pub fn new() -> Lookout {
        Lookout { interval: 1, waited: 0, last: Instant::now() }
    }

    /// Whether the search has to stop now.
    #[inline]
    pub fn is_over(&mut self, quota: &Quota<'_>) -> bool {
        self.waited += 1;
        if self.waited < self.interval {
            return false;
        }
        let now = Instant::now();
        self.interval = match now - self.last < BETWEEN_LOOKS {
            true => (2 * self.interval).min(1024),
            false => (self.interval / 2).max(1),
        };
        (self.waited, self.last) = (0, now);
        quota.is_over()
    }
}
