//! The limits of a plain search: nodes or simulations, time and the stop flag.

use crate::alphabeta::TimeLimits;
use ludus_core::Limits;
use std::{
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// The share of its limits that a search has used. It looks at the clock whenever it is asked, which costs less than the
/// evaluations between two nodes.
pub struct Effort<'a> {
    stop: &'a AtomicBool,
    max_nodes: u64,
    nodes: u64,
    started: Instant,
    time: Option<Duration>,
    spent: bool,
}

impl<'a> Effort<'a> {
    /// The effort of one move under `limits`, starting now.
    pub fn new(limits: &Limits, stop: &'a AtomicBool) -> Effort<'a> {
        Effort {
            stop,
            max_nodes: limits.nodes.unwrap_or(u64::MAX).max(1),
            nodes: 0,
            started: Instant::now(),
            time: TimeLimits::of(limits).hard,
            spent: false,
        }
    }

    /// Counts a node; false, for good, once a limit is reached.
    pub fn spend(&mut self) -> bool {
        if self.nodes >= self.max_nodes {
            self.spent = true;
        }
        if !self.spent {
            self.nodes += 1;
        }
        !self.spent
    }

    /// Looks at the clock and the stop flag: false, for good, once the search has to stop.
    pub fn go_on(&mut self) -> bool {
        let late = || self.time.is_some_and(|time| self.started.elapsed() >= time);
        self.spent = self.spent || self.stop.load(Relaxed) || late();
        !self.spent
    }

    /// Whether a limit was reached.
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Nodes counted.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}
