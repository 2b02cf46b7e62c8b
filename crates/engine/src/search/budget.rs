//! When a search has to stop.

use ludus_core::Limits;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// How many nodes pass between two looks at the clock.
const CLOCK_INTERVAL: u64 = 1024;

/// Counts nodes and says when nodes, time or the caller's patience are used up.
pub struct Budget<'a> {
    stop: &'a AtomicBool,
    nodes: u64,
    node_limit: u64,
    deadline: Option<Instant>,
    spent: bool,
}

impl<'a> Budget<'a> {
    /// The budget of one move under `limits`, starting now.
    pub fn new(limits: &Limits, stop: &'a AtomicBool) -> Budget<'a> {
        let time = limits.time.or_else(|| limits.clock.map(|clock| share(clock.remaining)));
        Budget {
            stop,
            nodes: 0,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            deadline: time.map(|time| Instant::now() + time),
            spent: false,
        }
    }

    /// Counts one node. Once it has returned `true` it always does.
    #[inline]
    pub fn spend(&mut self) -> bool {
        if self.spent || self.nodes >= self.node_limit {
            self.spent = true;
            return true;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(CLOCK_INTERVAL) {
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            self.spent = late || self.stop.load(Ordering::Relaxed);
        }
        self.spent
    }

    /// Whether the budget is used up.
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Nodes counted so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

/// A plain share of the time left on a clock.
fn share(remaining: Duration) -> Duration {
    remaining / 30
}
