//! The lock of a contest: one process plays it at a time.

use super::OnWait;
use crate::store::Store;
use ludus_files::{FileLock, LockError, LockHolder};
use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

/// File of the lock, beside the store: `ludus.sqlite-contest-3.lock`.
fn path(store: &Store, id: i64) -> PathBuf {
    let mut name = store.path().as_os_str().to_owned();
    name.push(format!("-contest-{id}.lock"));
    name.into()
}

/// The process that plays contest `id`, if there is one.
pub fn holder(store: &Store, id: i64) -> Option<LockHolder> {
    FileLock::holder(&path(store, id))
}

/// Locks contest `id`; waits for another process that plays it. `None` once `stop` is set.
pub(super) fn acquire(
    store: &Store,
    id: i64,
    stop: &AtomicBool,
    on_wait: Option<OnWait<'_>>,
) -> Result<Option<FileLock>, LockError> {
    let mut is_told = false;
    FileLock::wait(&path(store, id), &mut |holder| {
        if let Some(on_wait) = on_wait.filter(|_| !is_told) {
            on_wait(id, holder);
        }
        is_told = true;
        !stop.load(Ordering::Relaxed)
    })
}
