//! How long the processor has worked for a thread.

use std::{fs, time::Instant};

/// Measures the processor time of this thread; the time on the wall where the system does not tell.
pub struct Stopwatch {
    wall: Instant,
    ran: Option<u64>,
}

impl Stopwatch {
    /// Begins to measure.
    pub fn start() -> Stopwatch {
        Stopwatch { wall: Instant::now(), ran: nanoseconds() }
    }

    /// Seconds since then.
    pub fn seconds(&self) -> f64 {
        match (self.ran, nanoseconds()) {
            (Some(before), Some(now)) => now.saturating_sub(before) as f64 / 1e9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// What Linux says this thread has run so far.
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
        let watch = Stopwatch::start();
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
