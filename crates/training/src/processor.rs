//! Processor time of threads.

use std::{fs, time::Instant};

/// Measures the processor time of this thread, or wall-clock time where the system does not report
/// it.
pub struct CpuStopwatch {
    wall: Instant,
    ran: Option<u64>,
}

impl CpuStopwatch {
    /// Starts measuring.
    pub fn start() -> CpuStopwatch {
        CpuStopwatch { wall: Instant::now(), ran: nanoseconds() }
    }

    /// Seconds since the start.
    pub fn seconds(&self) -> f64 {
        match (self.ran, nanoseconds()) {
            (Some(before), Some(now)) => now.saturating_sub(before) as f64 / 1e9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// Time this thread has run so far, according to Linux.
fn nanoseconds() -> Option<u64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_takes_time() {
        // No upper bound: the kernel brings its count up to date now and then.
        let watch = CpuStopwatch::start();
        let mut sum = 0_u64;
        while watch.seconds() == 0.0 {
            sum = std::hint::black_box(sum + 1);
        }
        let first = watch.seconds();
        while watch.seconds() == first {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(watch.seconds() > first);
    }
}
