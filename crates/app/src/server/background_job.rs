//! Background jobs that clients can watch: contests, training runs.

use serde::Serialize;
use std::sync::{
    Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering::Relaxed},
};
use tokio::sync::watch;
use utoipa::ToSchema;

/// Phase of a job.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    Running,
    Stopped,
    Finished,
    Failed,
}

/// A background job with progress of type `S`.
pub struct BackgroundJob<S> {
    stop: AtomicBool,
    state: Mutex<JobState<S>>,
    changes: watch::Sender<u64>,
}

#[derive(Clone)]
pub struct JobState<S> {
    pub phase: Phase,
    /// Error message, if it failed.
    pub error: Option<String>,
    /// Progress of the job.
    pub status: S,
}

impl<S> BackgroundJob<S> {
    pub fn new(phase: Phase, status: S) -> BackgroundJob<S> {
        BackgroundJob {
            stop: AtomicBool::new(false),
            state: Mutex::new(JobState { phase, error: None, status }),
            changes: watch::Sender::new(0),
        }
    }

    pub fn state(&self) -> MutexGuard<'_, JobState<S>> {
        // After a panic the state may be out of date, but it is consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the state and notifies watchers.
    pub fn change(&self, change: impl FnOnce(&mut JobState<S>)) {
        change(&mut self.state());
        self.changes.send_modify(|version| *version += 1);
    }

    /// Notifies of every change.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    pub fn phase(&self) -> Phase {
        self.state().phase
    }

    /// Requests the job to stop.
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
    }

    /// Flag that is set when the job should stop.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// Waits until the job is no longer running.
    pub async fn ended(&self) {
        let mut changes = self.changes();
        while self.phase() == Phase::Running && changes.changed().await.is_ok() {}
    }
}
