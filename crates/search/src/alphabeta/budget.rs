//! When a search has to stop.

use super::clock::Allowance;
use ludus_core::Limits;
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// How many nodes pass between two looks at the clock.
const INTERVAL: u64 = 256;

/// What the threads of one search share: what they have spent, and the word to stop.
#[derive(Default)]
pub struct Shared {
    nodes: AtomicU64,
    done: AtomicBool,
}

impl Shared {
    /// Tells all threads to stop.
    #[inline]
    pub fn finish(&self) {
        self.done.store(true, Relaxed);
    }
}

/// Counts the nodes of one thread and says when nodes, time or the caller's patience are used up.
pub struct Budget<'a> {
    stop: &'a AtomicBool,
    shared: Option<&'a Shared>,
    nodes: u64,
    /// Nodes told to the other threads.
    told: u64,
    node_limit: u64,
    started: Instant,
    allowance: Allowance,
    spent: bool,
}

impl<'a> Budget<'a> {
    /// The budget of one move under `limits`, starting now.
    pub fn new(limits: &Limits, stop: &'a AtomicBool) -> Budget<'a> {
        Budget {
            stop,
            shared: None,
            nodes: 0,
            told: 0,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            started: Instant::now(),
            allowance: Allowance::of(limits),
            spent: false,
        }
    }

    /// The same budget, used up by several threads together.
    pub fn shared_by(&self, shared: &'a Shared) -> Budget<'a> {
        Budget { shared: Some(shared), ..*self }
    }

    /// Counts one node. Once it has returned `true` it always does.
    #[inline]
    pub fn spend(&mut self) -> bool {
        if self.spent || self.nodes >= self.node_limit {
            self.spent = true;
            return true;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(INTERVAL) {
            self.look_up();
        }
        self.spent
    }

    #[cold]
    #[inline]
    fn look_up(&mut self) {
        let late = self.allowance.hard.is_some_and(|hard| self.started.elapsed() >= hard);
        self.spent = late || self.stop.load(Relaxed);
        if let Some(shared) = self.shared {
            let total = shared.nodes.fetch_add(self.nodes - self.told, Relaxed);
            self.told = self.nodes;
            self.spent |= total >= self.node_limit || shared.done.load(Relaxed);
        }
    }

    /// Whether the budget is used up.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Whether the next iteration should not begin: the time meant for this move, times `patience`,
    /// is over, or the caller wants an end.
    pub fn is_enough(&self, patience: f64) -> bool {
        let late = self.allowance.soft.is_some_and(|soft| self.elapsed() >= soft.mul_f64(patience));
        self.spent || late || self.stop.load(Relaxed)
    }

    /// Whether time limits it.
    pub fn is_timed(&self) -> bool {
        self.allowance.hard.is_some()
    }

    /// Time since the search began.
    #[inline]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Nodes counted so far by all threads that share the budget, as far as they have told.
    pub fn nodes_of_all(&self) -> u64 {
        let told = self.shared.map_or(self.told, |shared| shared.nodes.load(Relaxed));
        told + self.nodes - self.told
    }

    /// Nodes counted so far by this thread.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_all_threads_are_told_in_steps() {
        let (stop, shared) = (AtomicBool::new(false), Shared::default());
        let budget = Budget::new(&Limits::default(), &stop);
        let (mut lead, mut helper) = (budget.shared_by(&shared), budget.shared_by(&shared));
        let spend = |budget: &mut Budget<'_>, nodes: u64| {
            for _ in 0..nodes {
                budget.spend();
            }
        };
        spend(&mut lead, 10);
        assert_eq!(lead.nodes_of_all(), 10);
        spend(&mut helper, INTERVAL - 1);
        assert_eq!(lead.nodes_of_all(), 10, "the helper has not told yet");
        spend(&mut helper, 1);
        assert_eq!(lead.nodes_of_all(), 10 + INTERVAL);
        spend(&mut lead, INTERVAL);
        assert_eq!(lead.nodes_of_all(), 10 + 2 * INTERVAL);
        assert_eq!((lead.nodes(), helper.nodes()), (10 + INTERVAL, INTERVAL));
        let mut alone = Budget::new(&Limits::default(), &stop);
        spend(&mut alone, 300);
        assert_eq!(alone.nodes_of_all(), 300);
    }
}
