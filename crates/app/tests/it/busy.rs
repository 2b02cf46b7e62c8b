//! What a running program has done so far, by its processor time and its files: tests wait for that, not for time to pass.

use std::{
    fs,
    path::Path,
    process::Child,
    thread,
    time::{Duration, Instant, SystemTime},
};

/// Hundredths of a second after which a search is in its midst.
const WORKED: u64 = 5;
/// Ends a test that waits for what never comes.
const HANG: Duration = Duration::from_secs(600);

/// Waits until a process has used the processor for a while; returns at once where the system does not tell.
pub fn until_it_has_worked(process: u32) {
    let Some(before) = ticks(process) else { return };
    let started = Instant::now();
    while ticks(process).is_some_and(|now| now < before + WORKED) {
        assert!(started.elapsed() < HANG, "process {process} does nothing");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Processor time of a process, in hundredths of a second.
fn ticks(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // Its name, the second entry, may hold anything up to the last parenthesis.
    let (_, rest) = stat.rsplit_once(") ")?;
    let times = rest.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().ok());
    times.sum()
}

/// Kills a program as soon as the files of `folder` have changed so often, if it has not ended before.
pub fn kill_after_changes(mut child: Child, folder: &Path, changes: usize) {
    let mut before = files(folder);
    let mut seen = 0;
    while seen < changes && child.try_wait().unwrap().is_none() {
        let now = files(folder);
        seen += usize::from(now != before);
        before = now;
        thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap(); // SIGKILL
    child.wait().unwrap();
}

/// The size of each file and when it was written.
fn files(folder: &Path) -> Vec<(u64, Option<SystemTime>)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let known = entries.filter_map(|entry| entry.metadata().ok());
    known.map(|file| (file.len(), file.modified().ok())).collect()
}
