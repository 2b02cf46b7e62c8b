//! Parallel work on numbered items, with results in order.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{
        Condvar, Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

/// Numbers for each thread that may be worked on or wait to be kept, besides the next one to be kept.
const MAX_AHEAD_PER_THREAD: u64 = 16;

/// The numbers that may be worked on: those up to `max_ahead` beyond the next one to be kept.
struct WorkWindow {
    max_ahead: u64,
    state: Mutex<WindowState>,
    changed: Condvar,
}

struct WindowState {
    /// The next number to be kept.
    expected: u64,
    halted: bool,
}

impl WorkWindow {
    fn new(expected: u64, threads: usize) -> WorkWindow {
        let max_ahead = MAX_AHEAD_PER_THREAD * threads as u64;
        let state = Mutex::new(WindowState { expected, halted: false });
        WorkWindow { max_ahead, state, changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, WindowState> {
        self.state.lock().expect("no thread panics with the lock")
    }

    /// Waits until `number` may be worked on; `false` if no work is wanted any more.
    fn admits(&self, number: u64) -> bool {
        let is_ahead =
            |state: &mut WindowState| !state.halted && number - state.expected > self.max_ahead;
        let state = self.changed.wait_while(self.lock(), is_ahead);
        !state.expect("no thread panics with the lock").halted
    }

    fn advance(&self, expected: u64) {
        self.lock().expected = expected;
        self.changed.notify_all();
    }

    fn halt(&self) {
        self.lock().halted = true;
        self.changed.notify_all();
    }
}

/// Halts the work if its thread panics, so that no other thread waits for its result.
struct HaltOnPanic<'a>(&'a WorkWindow);

impl Drop for HaltOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.halt();
        }
    }
}

/// Calls `work` for every number on `threads` threads, each with a worker of its own from `make`,
/// and passes the results to `keep` in the order of the numbers. The first error ends everything.
pub fn in_order<W, T: Send, E: Send>(
    numbers: Range<u64>,
    threads: usize,
    make: impl Fn() -> Result<W, E> + Sync,
    work: impl Fn(&mut W, u64) -> Result<T, E> + Sync,
    mut keep: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicU64::new(numbers.start);
    let threads = threads.max(1);
    let window = WorkWindow::new(numbers.start, threads);
    let (sender, results) = mpsc::sync_channel(threads);
    thread::scope(|scope| {
        let _guard = HaltOnPanic(&window);
        for _ in 0..threads {
            let (sender, next, window, make, work) = (sender.clone(), &next, &window, &make, &work);
            let end = numbers.end;
            scope.spawn(move || {
                let _guard = HaltOnPanic(window);
                let mut worker = match make() {
                    Ok(worker) => worker,
                    Err(error) => return drop(sender.send((0, Err(error)))),
                };
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end
                        || !window.admits(number)
                        || sender.send((number, work(&mut worker, number))).is_err()
                    {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut pending = BTreeMap::new();
        let mut expected = numbers.start;
        let mut outcome = Ok(());
        for (number, result) in results {
            if outcome.is_err() {
                continue; // the workers are finishing what they had begun
            }
            outcome = result.and_then(|result| {
                pending.insert(number, result);
                while let Some(result) = pending.remove(&expected) {
                    expected += 1;
                    window.advance(expected);
                    keep(result)?;
                }
                Ok(())
            });
            if outcome.is_err() {
                window.halt();
            }
        }
        outcome
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_on_any_number_of_threads() {
        for threads in [1, 2, 7] {
            let mut kept = Vec::new();
            let work = |_: &mut (), number: u64| {
                thread::sleep(std::time::Duration::from_micros(number * 7 % 5 * 100));
                Ok::<u64, ()>(number * number)
            };
            let keep = |square| {
                kept.push(square);
                Ok(())
            };
            in_order(3..40, threads, || Ok(()), work, keep).unwrap();
            assert_eq!(kept, (3..40).map(|number| number * number).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_slow_number_holds_up_those_far_ahead_of_it() {
        let most_begun = AtomicU64::new(0);
        let work = |_: &mut (), number: u64| {
            most_begun.fetch_max(number, Ordering::Relaxed);
            if number == 0 {
                thread::sleep(std::time::Duration::from_millis(20));
                assert!(most_begun.load(Ordering::Relaxed) <= 4 * MAX_AHEAD_PER_THREAD);
            }
            Ok::<u64, ()>(number)
        };
        let mut kept = 0;
        let keep = |_| {
            kept += 1;
            Ok(())
        };
        in_order(0..200, 4, || Ok(()), work, keep).unwrap();
        assert_eq!(kept, 200);
    }

    #[test]
    fn an_error_ends_everything_and_keeps_what_came_before() {
        let mut kept = Vec::new();
        let work = |_: &mut (), number| if number == 9 { Err("nine") } else { Ok(number) };
        let result = in_order(
            0..1_000_000,
            3,
            || Ok(()),
            work,
            |number| {
                kept.push(number);
                Ok(())
            },
        );
        assert_eq!(result, Err("nine"));
        assert!(kept.len() <= 9 && kept.iter().copied().eq(0..kept.len() as u64));
        let failing = in_order(0..5, 2, || Err::<(), _>("no worker"), |_, n| Ok(n), |_| Ok(()));
        assert_eq!(failing, Err("no worker"));
    }
}
