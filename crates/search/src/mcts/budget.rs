//! The budget of a search: simulations, time and the stop flag.

use crate::alphabeta::TimeLimits;
use ludus_core::Limits;
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// Simulations a thread claims at once, so that threads rarely meet at the shared count.
pub(super) const BATCH_SIMULATIONS: u64 = 64;

/// Time between two looks at the clock, as long as a simulation takes less.
const CLOCK_POLL_INTERVAL: Duration = Duration::from_micros(500);

/// Largest number of simulations between two looks at the clock.
const MAX_POLL_SIMULATIONS: u32 = 1024;

/// The budget that the threads of a search share.
pub(super) struct SimulationBudget<'a> {
    stop: &'a AtomicBool,
    limit: u64,
    claimed: AtomicU64,
    done: AtomicBool,
    started: Instant,
    time_limits: TimeLimits,
}

impl<'a> SimulationBudget<'a> {
    pub fn new(limits: &Limits, stop: &'a AtomicBool) -> SimulationBudget<'a> {
        SimulationBudget {
            stop,
            limit: limits.nodes.unwrap_or(u64::MAX),
            claimed: AtomicU64::new(0),
            done: AtomicBool::new(false),
            started: Instant::now(),
            time_limits: TimeLimits::of(limits),
        }
    }

    /// The number of simulations the caller is to do next; 0 when the search is over. The first is always
    /// granted, so that there is a move to choose.
    #[inline]
    pub fn claim(&self) -> u64 {
        if self.done.load(Relaxed) {
            return 0;
        }
        let before = self.claimed.fetch_add(BATCH_SIMULATIONS, Relaxed);
        self.limit.max(1).saturating_sub(before).min(BATCH_SIMULATIONS)
    }

    /// Signals all threads to stop.
    #[inline]
    pub fn finish(&self) {
        self.done.store(true, Relaxed);
    }

    pub fn is_finished(&self) -> bool {
        self.done.load(Relaxed)
    }

    /// Whether the hard time limit is reached or the caller wants an end.
    #[inline]
    fn is_over(&self) -> bool {
        let late = self.time_limits.hard.is_some_and(|hard| self.started.elapsed() >= hard);
        late || self.is_finished() || self.stop.load(Relaxed)
    }

    /// Whether the soft time limit is reached. It may be exceeded while the best move is unclear.
    #[inline]
    pub fn is_soft_limit_reached(&self) -> bool {
        self.time_limits.soft.is_some_and(|soft| self.started.elapsed() >= soft)
    }

    /// The largest number of simulations still to come after `simulations` of all threads: under a time
    /// limit as many as the speed so far predicts, and a quarter more. Threads have begun more than they
    /// have reported: these count for the speed, and are to come.
    pub fn remaining(&self, simulations: u64) -> u64 {
        let by_count = self.limit.saturating_sub(simulations);
        let Some(end) = self.time_limits.soft.or(self.time_limits.hard) else { return by_count };
        let elapsed = self.started.elapsed().as_secs_f64();
        let share = (end.as_secs_f64() - elapsed).max(0.0) / elapsed.max(1e-9);
        let begun = self.claimed.load(Relaxed).max(simulations);
        let expected = (begun as f64 * share * 1.25) as u64;
        by_count.min(expected.saturating_add(begun - simulations))
    }
}

/// Polls the clock after several simulations, the more the faster they are.
pub(super) struct ClockPoller {
    /// Simulations between two looks at the clock.
    interval: u32,
    waited: u32,
    last: Instant,
}

impl ClockPoller {
    pub fn new() -> ClockPoller {
        ClockPoller { interval: 1, waited: 0, last: Instant::now() }
    }

    /// Whether the search has to stop now.
    #[inline]
    pub fn is_over(&mut self, budget: &SimulationBudget<'_>) -> bool {
        self.waited += 1;
        if self.waited < self.interval {
            return false;
        }
        let now = Instant::now();
        self.interval = match now - self.last < CLOCK_POLL_INTERVAL {
            true => (2 * self.interval).min(MAX_POLL_SIMULATIONS),
            false => (self.interval / 2).max(1),
        };
        (self.waited, self.last) = (0, now);
        budget.is_over()
    }
}
