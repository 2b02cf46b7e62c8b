//! The seam for tests: every operation on the program's own files is counted, recorded and, if a
//! test asks for it, made to fail.
//!
//! A [`watch`] covers the files below one folder, from any thread, so that tests do not disturb each
//! other. Without any, an operation costs one load of an atomic number more.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

/// An operation on a file or folder.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FileOperation<'a> {
    /// Opens a file that exists.
    Open,
    /// Reads a file.
    Read,
    /// Creates an empty file, or empties an existing one.
    Create,
    /// Appends these bytes.
    Write(&'a [u8]),
    /// Cuts a file to this length.
    Cut(u64),
    /// Syncs the contents of a file.
    Sync,
    /// Renames a file or folder to this path.
    Rename(&'a Path),
    /// Removes a file.
    Remove,
    /// Creates a folder.
    CreateFolder,
    /// Syncs the entries of a folder.
    SyncFolder,
}

/// A recorded operation that changes what is on the disk, or makes it durable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileChange {
    /// An empty file is created, or an existing one emptied.
    Create(PathBuf),
    /// Bytes are appended.
    Write(PathBuf, Vec<u8>),
    /// A file is cut.
    Cut(PathBuf, u64),
    /// The contents of a file are durable.
    Sync(PathBuf),
    /// A file or folder is renamed.
    Rename(PathBuf, PathBuf),
    /// A file is removed.
    Remove(PathBuf),
    /// A folder is created.
    CreateFolder(PathBuf),
    /// The entries of a folder are durable.
    SyncFolder(PathBuf),
}

impl FileChange {
    fn of(path: &Path, operation: FileOperation<'_>) -> Option<FileChange> {
        let path = path.to_owned();
        match operation {
            FileOperation::Open | FileOperation::Read => None,
            FileOperation::Create => Some(FileChange::Create(path)),
            FileOperation::Write(bytes) => Some(FileChange::Write(path, bytes.to_owned())),
            FileOperation::Cut(length) => Some(FileChange::Cut(path, length)),
            FileOperation::Sync => Some(FileChange::Sync(path)),
            FileOperation::Rename(to) => Some(FileChange::Rename(path, to.to_owned())),
            FileOperation::Remove => Some(FileChange::Remove(path)),
            FileOperation::CreateFolder => Some(FileChange::CreateFolder(path)),
            FileOperation::SyncFolder => Some(FileChange::SyncFolder(path)),
        }
    }
}

/// The operations that fail, by their number, counted from 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FaultPlan {
    /// None: the operations are only recorded.
    Record,
    /// One operation.
    Fail(usize),
    /// One operation and all after it, as on a disk that stays full.
    FailFrom(usize),
}

struct Watch {
    folder: PathBuf,
    plan: FaultPlan,
    log: Mutex<WatchLog>,
}

#[derive(Default)]
struct WatchLog {
    operations: usize,
    faults: usize,
    journal: Vec<FileChange>,
}

impl Watch {
    fn log(&self) -> MutexGuard<'_, WatchLog> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts an operation; an error if it is to fail.
    fn admit(&self) -> io::Result<()> {
        let mut log = self.log();
        let number = log.operations;
        log.operations += 1;
        let fails = match self.plan {
            FaultPlan::Record => false,
            FaultPlan::Fail(one) => number == one,
            FaultPlan::FailFrom(first) => number >= first,
        };
        if !fails {
            return Ok(());
        }
        log.faults += 1;
        Err(io::Error::new(io::ErrorKind::StorageFull, "injected fault"))
    }
}

static WATCHES: Mutex<Vec<Arc<Watch>>> = Mutex::new(Vec::new());
/// Number of [`WATCHES`].
static ACTIVE: AtomicUsize = AtomicUsize::new(0);

fn watches() -> MutexGuard<'static, Vec<Arc<Watch>>> {
    WATCHES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Watches the files below `folder` until the guard is dropped.
pub fn watch(folder: &Path, plan: FaultPlan) -> WatchGuard {
    let watch = Arc::new(Watch { folder: folder.to_owned(), plan, log: Mutex::default() });
    watches().push(Arc::clone(&watch));
    ACTIVE.fetch_add(1, Ordering::SeqCst);
    WatchGuard(watch)
}

/// A watch over the files below a folder.
pub struct WatchGuard(Arc<Watch>);

impl WatchGuard {
    /// Number of operations so far.
    pub fn operations(&self) -> usize {
        self.0.log().operations
    }

    /// Whether an operation was made to fail.
    pub fn is_hit(&self) -> bool {
        self.0.log().faults > 0
    }

    /// The changes so far.
    pub fn journal(&self) -> Vec<FileChange> {
        self.0.log().journal.clone()
    }
}

impl Drop for WatchGuard {
    fn drop(&mut self) {
        watches().retain(|watch| !Arc::ptr_eq(watch, &self.0));
        ACTIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

fn watches_of(path: &Path) -> Vec<Arc<Watch>> {
    if ACTIVE.load(Ordering::Relaxed) == 0 {
        return Vec::new();
    }
    watches().iter().filter(|watch| path.starts_with(&watch.folder)).cloned().collect()
}

/// Counts an operation before it is done; an error if it is to fail.
pub(crate) fn before(path: &Path) -> io::Result<()> {
    watches_of(path).iter().try_for_each(|watch| watch.admit())
}

/// Records an operation that was done.
pub(crate) fn after(path: &Path, operation: FileOperation<'_>) {
    for watch in watches_of(path) {
        watch.log().journal.extend(FileChange::of(path, operation));
    }
}

/// Does an operation, unless a test makes it fail.
pub fn perform<T>(
    path: &Path,
    operation: FileOperation<'_>,
    act: impl FnOnce() -> io::Result<T>,
) -> io::Result<T> {
    before(path)?;
    let done = act()?;
    after(path, operation);
    Ok(done)
}
