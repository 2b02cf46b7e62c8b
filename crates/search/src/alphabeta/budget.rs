//! The budget of a search: nodes, time and the stop flag.

use super::clock::TimeLimits;
use ludus_core::Limits;
use std::{
    sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// Nodes between two looks at the clock and the stop flag.
const CHECK_INTERVAL_NODES: u64 = 256;

/// The state that the threads of one search share: nodes spent, and whether to stop.
#[derive(Default)]
pub struct Shared {
    nodes: AtomicU64,
    done: AtomicBool,
}

impl Shared {
    /// Signals all threads to stop.
    #[inline]
    pub fn finish(&self) {
        self.done.store(true, Relaxed);
    }
}

/// Counts the nodes of one thread and says when nodes or time are used up or the caller wants an end.
pub struct Budget<'a> {
    stop: &'a AtomicBool,
    shared: Option<&'a Shared>,
    nodes: u64,
    /// Nodes reported to the other threads.
    reported: u64,
    node_limit: u64,
    started: Instant,
    allowance: TimeLimits,
    spent: bool,
}

impl<'a> Budget<'a> {
    /// The budget of one move under `limits`, starting now.
    pub fn new(limits: &Limits, stop: &'a AtomicBool) -> Budget<'a> {
        Budget {
            stop,
            shared: None,
            nodes: 0,
            reported: 0,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            started: Instant::now(),
            allowance: TimeLimits::of(limits),
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
        if self.nodes.is_multiple_of(CHECK_INTERVAL_NODES) {
            self.check_limits();
        }
        self.spent
    }

    #[cold]
    #[inline]
    fn check_limits(&mut self) {
        let late = self.allowance.hard.is_some_and(|hard| self.started.elapsed() >= hard);
        self.spent = late || self.stop.load(Relaxed);
        if let Some(shared) = self.shared {
            let total = shared.nodes.fetch_add(self.nodes - self.reported, Relaxed);
            self.reported = self.nodes;
            self.spent |= total >= self.node_limit || shared.done.load(Relaxed);
        }
    }

    /// Whether the budget is used up.
    #[inline]
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Whether no further iteration should begin: the soft time limit, times `factor`, is over, or the
    /// caller wants an end.
    pub fn is_soft_limit_reached(&self, factor: f64) -> bool {
        let late = self.allowance.soft.is_some_and(|soft| self.elapsed() >= soft.mul_f64(factor));
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

    /// Nodes of all threads that share the budget, as far as they have reported them.
    pub fn nodes_of_all(&self) -> u64 {
        let reported = self.shared.map_or(self.reported, |shared| shared.nodes.load(Relaxed));
        reported + self.nodes - self.reported
    }

    /// Nodes of this thread.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_of_all_threads_are_reported_in_steps() {
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
        spend(&mut helper, CHECK_INTERVAL_NODES - 1);
        assert_eq!(lead.nodes_of_all(), 10, "the helper has not reported yet");
        spend(&mut helper, 1);
        assert_eq!(lead.nodes_of_all(), 10 + CHECK_INTERVAL_NODES);
        spend(&mut lead, CHECK_INTERVAL_NODES);
        assert_eq!(lead.nodes_of_all(), 10 + 2 * CHECK_INTERVAL_NODES);
        assert_eq!(
            (lead.nodes(), helper.nodes()),
            (10 + CHECK_INTERVAL_NODES, CHECK_INTERVAL_NODES)
        );
        let mut alone = Budget::new(&Limits::default(), &stop);
        spend(&mut alone, 300);
        assert_eq!(alone.nodes_of_all(), 300);
    }
}
