//! Locks on files: one process at a time.

use crate::{
    faults::{FileOperation, perform},
    output::OutputFile,
};
use std::{
    fs::{self, File, TryLockError},
    io::{self, Write},
    path::{Path, PathBuf},
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Interval at which a waiting process looks whether the lock is free.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A lock on a file, held until it is dropped. However a process ends, the system releases its
/// locks. The file says who holds it, and is removed with the lock; a process that is killed leaves
/// it behind, without a lock on it.
#[derive(Debug)]
pub struct FileLock {
    file: OutputFile,
}

/// Holder of a lock, in words: `process 4711 (ludus train) since 2026-11-19 22:52:26 UTC`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockHolder(String);

impl std::fmt::Display for LockHolder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The reason why a lock cannot be had.
#[derive(Debug)]
pub enum LockError {
    /// Another process, or this one, holds it.
    Held(LockHolder),
    /// The file cannot be opened or locked.
    File(PathBuf, io::Error),
}

impl std::fmt::Display for LockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LockError::Held(holder) => write!(f, "in use by {holder}"),
            LockError::File(path, error) => write!(f, "cannot lock {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for LockError {}

impl FileLock {
    /// Locks the file at `path`, which is created if there is none.
    ///
    /// # Errors
    /// If it is locked already, or cannot be opened.
    pub fn acquire(path: &Path) -> Result<FileLock, LockError> {
        let failed = |error| LockError::File(path.to_owned(), error);
        loop {
            let (mut file, _) = OutputFile::open(path).map_err(failed)?;
            match file.file().try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockError::Held(holder_in(path))),
                Err(TryLockError::Error(error)) => return Err(failed(error)),
            }
            // The holder before may have removed the file after it was opened here.
            if is_at(file.file(), path).map_err(failed)? {
                // Without the description the lock holds as well, as on a full disk.
                let _ = file.cut(0).and_then(|()| file.write_all(description().as_bytes()));
                return Ok(FileLock { file });
            }
        }
    }

    /// Locks the file at `path`, after waiting for whoever has locked it. `on_wait` is called again
    /// and again with the holder; `None` once it returns `false`.
    ///
    /// # Errors
    /// If the file cannot be opened.
    pub fn wait(
        path: &Path,
        on_wait: &mut dyn FnMut(&LockHolder) -> bool,
    ) -> Result<Option<FileLock>, LockError> {
        loop {
            match FileLock::acquire(path) {
                Ok(lock) => return Ok(Some(lock)),
                Err(LockError::Held(holder)) if on_wait(&holder) => thread::sleep(POLL_INTERVAL),
                Err(LockError::Held(_)) => return Ok(None),
                Err(error) => return Err(error),
            }
        }
    }

    /// The holder of the lock on the file at `path`; `None` if it is free.
    pub fn holder(path: &Path) -> Option<LockHolder> {
        let file = File::open(path).ok()?;
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)).then(|| holder_in(path))
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Elsewhere nobody could tell whether the file they have opened is still there.
        if cfg!(unix) {
            let path = self.file.path();
            let _ = perform(path, FileOperation::Remove, || fs::remove_file(path));
        }
    }
}

/// Whether `path` still leads to `file`.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let known = file.metadata()?;
    match fs::metadata(path) {
        Ok(found) => Ok((found.dev(), found.ino()) == (known.dev(), known.ino())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Locked files are not removed here.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}

/// The description in a lock's file.
fn holder_in(path: &Path) -> LockHolder {
    let text = fs::read_to_string(path).unwrap_or_default();
    let text = text.lines().next().unwrap_or_default();
    LockHolder(if text.is_empty() { "another process".to_owned() } else { text.to_owned() })
}

/// This process, in words.
fn description() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    format!("process {} ({}) since {}\n", std::process::id(), program(), utc(now))
}

/// The program and its command: `ludus train`.
fn program() -> String {
    let mut words = std::env::args_os();
    let path = PathBuf::from(words.next().unwrap_or_default());
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    match words.next().and_then(|word| word.into_string().ok()) {
        Some(command) if command.bytes().all(|byte| byte.is_ascii_lowercase()) => {
            format!("{name} {command}")
        }
        _ => name,
    }
}

/// Date and time in UTC, `seconds` after the beginning of 1970.
fn utc(seconds: u64) -> String {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut day) = (1970, seconds / 86_400);
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year}-{month:02}-{:02} {hour:02}:{minute:02}:{second:02} UTC", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01 00:00:00 UTC");
        assert_eq!(utc(951_782_400), "2000-02-29 00:00:00 UTC");
        assert_eq!(utc(1_704_067_199), "2023-12-31 23:59:59 UTC");
        assert_eq!(utc(1_795_128_746), "2026-11-19 22:52:26 UTC");
    }

    #[test]
    fn a_lock_is_held_once_and_says_by_whom() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        assert_eq!(FileLock::holder(&path), None);
        let lock = FileLock::acquire(&path).unwrap();
        let error = FileLock::acquire(&path).unwrap_err().to_string();
        let own = format!("in use by process {} (", std::process::id());
        assert!(error.starts_with(&own) && error.ends_with(" UTC"), "{error}");
        assert_eq!(format!("in use by {}", FileLock::holder(&path).unwrap()), error);
        let mut seen = 0;
        let waited = FileLock::wait(&path, &mut |_| {
            seen += 1;
            seen < 3
        });
        assert!(waited.unwrap().is_none() && seen == 3);
        drop(lock);
        assert!(!path.exists() || !cfg!(unix), "the file goes with the lock");
        drop(FileLock::acquire(&path).unwrap());
    }

    #[test]
    fn the_file_of_a_killed_process_is_no_lock() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        fs::write(&path, "process 1 (ludus train) since 1970-01-01 00:00:00 UTC\n").unwrap();
        assert_eq!(FileLock::holder(&path), None);
        FileLock::acquire(&path).unwrap();
    }

    /// Threads that take the lock in turn are never two at a time, although each removes the file.
    #[test]
    fn removing_the_file_lets_nobody_in_twice() {
        use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let (inside, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while taken.load(SeqCst) < 300 {
                        let Ok(lock) = FileLock::acquire(&path) else {
                            thread::yield_now();
                            continue;
                        };
                        assert_eq!(inside.fetch_add(1, SeqCst), 0);
                        taken.fetch_add(1, SeqCst);
                        inside.fetch_sub(1, SeqCst);
                        drop(lock);
                    }
                });
            }
        });
    }
}
