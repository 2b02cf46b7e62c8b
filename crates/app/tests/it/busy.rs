//! Progress of a running program, by its processor time and its files: tests wait for that instead of sleeping.

use std::{
    fs,
    path::Path,
    process::{Child, Command},
    thread,
    time::{Duration, Instant, SystemTime},
};

/// Processor time, in hundredths of a second, after which a search is surely under way.
const BUSY_TICKS: u64 = 5;
/// Time after which a waiting test fails.
const TEST_TIMEOUT: Duration = Duration::from_secs(600);

/// Waits until a process has used some processor time; returns at once where `/proc` does not exist.
pub fn until_it_has_worked(process: u32) {
    let Some(before) = ticks(process) else { return };
    let started = Instant::now();
    while ticks(process).is_some_and(|now| now < before + BUSY_TICKS) {
        assert!(started.elapsed() < TEST_TIMEOUT, "process {process} does nothing");
        thread::sleep(Duration::from_millis(5));
    }
}

/// CPU time of a process, in hundredths of a second.
fn ticks(process: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The process name, the second field, may contain anything up to the last parenthesis.
    let (_, rest) = stat.rsplit_once(") ")?;
    let times = rest.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<u64>().ok());
    times.sum()
}

/// Kills a program once the files of `folder` have changed this many times, unless it ends before.
pub fn kill_after_changes(mut child: Child, folder: &Path, changes: usize) {
    wait_for_changes(&mut child, folder, changes);
    child.kill().unwrap(); // SIGKILL
    child.wait().unwrap();
}

/// Interrupts a program, as Ctrl-C does, once the files of `folder` have changed this many times, and
/// waits for its end.
pub fn interrupt_after_changes(mut child: Child, folder: &Path, changes: usize) {
    wait_for_changes(&mut child, folder, changes);
    if child.try_wait().unwrap().is_none() {
        let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(interrupted.unwrap().success());
        child.wait().unwrap();
    }
}

/// Waits until the files of `folder` have changed this many times, or the program has ended.
fn wait_for_changes(child: &mut Child, folder: &Path, changes: usize) {
    let mut before = files(folder);
    let mut seen = 0;
    while seen < changes && child.try_wait().unwrap().is_none() {
        let now = files(folder);
        seen += usize::from(now != before);
        before = now;
        thread::sleep(Duration::from_millis(1));
    }
}

/// Size and modification time of each file.
fn files(folder: &Path) -> Vec<(u64, Option<SystemTime>)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let known = entries.filter_map(|entry| entry.metadata().ok());
    known.map(|file| (file.len(), file.modified().ok())).collect()
}
