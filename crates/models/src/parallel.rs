//! Work on items by several threads, whose results do not depend on the number of threads.

use std::{sync::Mutex, thread};

/// Calls `work` with each item and its number, once, by as many threads as there are `buffers`; each
/// thread has one of these to itself. The results must depend on the item alone. One thread is the
/// caller's, and then nothing is allocated.
pub(crate) fn for_each<T: Send, B: Send>(
    items: &mut [T],
    buffers: &mut [B],
    work: impl Fn(usize, &mut T, &mut B) + Sync,
) {
    let queue = Mutex::new(items.iter_mut().enumerate());
    let take = || queue.lock().expect("a thread that worked").next();
    let run = |buffer: &mut B| {
        while let Some((number, item)) = take() {
            work(number, item, buffer);
        }
    };
    let (first, others) = buffers.split_first_mut().expect("a thread");
    if others.is_empty() {
        return run(first);
    }
    thread::scope(|scope| {
        for buffer in others {
            scope.spawn(|| run(buffer));
        }
        run(first);
    });
}
