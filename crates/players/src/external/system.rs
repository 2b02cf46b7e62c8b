//! Operating system calls that the standard library lacks: killing a process group, and killing a child
//! process when its parent dies.

use std::process::Command;

/// Puts the child into its own process group and, on Linux, has it killed when the thread that starts
/// it ends: an engine must not outlive us, however we end.
pub fn kill_with_parent_thread(command: &mut Command) {
    #[cfg(not(unix))]
    let _ = command;
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        let die_with_parent = || {
            // Without it the engine is still killed when we end in an orderly way.
            set_parent_process_death_signal(Some(Signal::KILL)).ok();
            Ok(())
        };
        // SAFETY: the closure runs between fork and exec; it only makes an async-signal-safe call.
        unsafe { std::os::unix::process::CommandExt::pre_exec(command, die_with_parent) };
    }
}

/// Kills all processes in the group of `leader`, including the engine's own children.
pub fn kill_group(leader: u32) {
    #[cfg(unix)]
    if let Some(leader) = i32::try_from(leader).ok().filter(|&leader| leader > 1)
        && let Some(leader) = rustix::process::Pid::from_raw(leader)
    {
        // A group that has ended is killed already.
        rustix::process::kill_process_group(leader, rustix::process::Signal::KILL).ok();
    }
    #[cfg(not(unix))]
    let _ = leader;
}
