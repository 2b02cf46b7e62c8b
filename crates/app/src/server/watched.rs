//! Work that goes on by itself while people watch it: contests, training runs.

use serde::Serialize;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering::Relaxed},
};
use tokio::sync::watch;
use utoipa::ToSchema;

/// What becomes of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Running,
    Stopped,
    Finished,
    Failed,
}

/// Work whose state is an `S`.
pub struct Watched<S> {
    stop: AtomicBool,
    state: Mutex<State<S>>,
    changes: watch::Sender<u64>,
}

#[derive(Clone)]
pub struct State<S> {
    pub phase: Phase,
    /// Why it failed.
    pub error: Option<String>,
    /// How far it has come.
    pub so_far: S,
}

impl<S> Watched<S> {
    pub fn new(phase: Phase, so_far: S) -> Watched<S> {
        Watched {
            stop: AtomicBool::new(false),
            state: Mutex::new(State { phase, error: None, so_far }),
            changes: watch::Sender::new(0),
        }
    }

    pub fn state(&self) -> MutexGuard<'_, State<S>> {
        // What is shown may be out of date after a panic, but never half written.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state, and tells those who watch.
    pub fn change(&self, change: impl FnOnce(&mut State<S>)) {
        change(&mut self.state());
        self.changes.send_modify(|version| *version += 1);
    }

    /// Tells of changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    pub fn phase(&self) -> Phase {
        self.state().phase
    }

    /// Asks those who work on it to end soon.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Whether it was asked to end.
    pub fn stopping(&self) -> &AtomicBool {
        &self.stop
    }

    /// Waits until nobody works on it any more.
    pub async fn ended(&self) {
        let mut changes = self.changes();
        while self.phase() == Phase::Running && changes.changed().await.is_ok() {}
    }
}
