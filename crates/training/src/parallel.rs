//! Numbered pieces of work on all threads, their results in order.

use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
};

/// Results that may wait to be kept before the workers wait too.
const WAITING: usize = 16;

/// Does `work` for every number on `threads` threads, each with a worker of its own from `make`,
/// and gives the results to `keep` in the order of the numbers. The first error ends everything.
pub fn in_order<W, T: Send, E: Send>(
    numbers: Range<u64>,
    threads: usize,
    make: impl Fn() -> Result<W, E> + Sync,
    work: impl Fn(&mut W, u64) -> Result<T, E> + Sync,
    mut keep: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicU64::new(numbers.start);
    let halt = AtomicBool::new(false);
    let (sender, results) = mpsc::sync_channel(WAITING);
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, next, halt, make, work) = (sender.clone(), &next, &halt, &make, &work);
            let end = numbers.end;
            scope.spawn(move || {
                let mut worker = match make() {
                    Ok(worker) => worker,
                    Err(error) => return drop(sender.send((0, Err(error)))),
                };
                while !halt.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end || sender.send((number, work(&mut worker, number))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut expected = numbers.start;
        let mut outcome = Ok(());
        for (number, result) in results {
            if outcome.is_err() {
                continue; // the workers are finishing what they had begun
            }
            outcome = result.and_then(|result| {
                early.insert(number, result);
                while let Some(result) = early.remove(&expected) {
                    expected += 1;
                    keep(result)?;
                }
                Ok(())
            });
            halt.fetch_or(outcome.is_err(), Ordering::Relaxed);
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
