//! A full disk for one process: the system refuses to let its files grow.

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use std::{ffi::OsStr, process::Command};

/// A command that runs `program`, whose disk can be made full. It ignores the signal by which the system
/// would end it then.
pub fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ && exec \"$0\" \"$@\""]).arg(program);
    command
}

/// Makes every write of the process to a file fail.
pub fn fill(process: u32) {
    limit(process, Some(0));
}

/// Lets the process write again.
pub fn make_room(process: u32) {
    limit(process, None);
}

fn limit(process: u32, bytes: Option<u64>) {
    let process = i32::try_from(process).ok().and_then(Pid::from_raw).expect("a process");
    let limit = Rlimit { current: bytes, maximum: None };
    prlimit(Some(process), Resource::Fsize, limit).expect("the limit of an own process can be set");
}
