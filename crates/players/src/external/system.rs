//! The two calls to the operating system that the standard library lacks: ending a whole group of
//! processes, and tying the life of a child to ours.

use std::process::Command;

#[cfg(unix)]
mod unix {
    pub const SIGKILL: i32 = 9;

    unsafe extern "C" {
        /// POSIX `kill`: takes no pointers, and a wrong number only gives an error back.
        pub safe fn kill(pid: i32, signal: i32) -> i32;
    }
}

#[cfg(target_os = "linux")]
mod linux {
    /// From `<linux/prctl.h>`.
    pub const PR_SET_PDEATHSIG: i32 = 1;

    unsafe extern "C" {
        pub unsafe fn prctl(option: i32, ...) -> i32;
    }
}

/// Puts the child into a group of its own and, on Linux, has it killed when the thread that starts
/// it ends: an engine must not outlive us, however we end.
pub fn tie_to_this_thread(command: &mut Command) {
    #[cfg(not(unix))]
    let _ = command;
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(target_os = "linux")]
    {
        let die_with_parent = || {
            // SAFETY: PR_SET_PDEATHSIG takes one number and touches no memory.
            unsafe { linux::prctl(linux::PR_SET_PDEATHSIG, unix::SIGKILL as std::ffi::c_ulong) };
            Ok(())
        };
        // SAFETY: the closure runs between fork and exec; it only makes an async-signal-safe call.
        unsafe { std::os::unix::process::CommandExt::pre_exec(command, die_with_parent) };
    }
}

/// Kills everything in the group that `leader` leads: the engine's own children too.
pub fn kill_group(leader: u32) {
    #[cfg(unix)]
    if let Ok(leader) = i32::try_from(leader)
        && leader > 1
    {
        unix::kill(-leader, unix::SIGKILL);
    }
    #[cfg(not(unix))]
    let _ = leader;
}
