//! Thread pool for searches, so that none runs on a thread that serves requests.
//!
//! Searches run in the order of one queue. The caller holds a [`SearchTask`]; dropping it cancels the
//! search: a queued one never starts, a running one finds its stop flag set. `stop_early` only sets the
//! flag: a queued search still runs, as briefly as it can.

use super::error::ApiError;
use std::{
    collections::VecDeque,
    future::Future,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    pin::Pin,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    task::{Context, Poll},
    thread,
    time::Duration,
};
use tokio::{runtime::Handle, sync::oneshot};

/// Maximum length of the queue; further searches are refused.
const MAX_QUEUED_SEARCHES: usize = 20_000;

/// A pool of search threads.
pub struct SearchPool {
    shared: Arc<Shared>,
}

struct Shared {
    queue: Mutex<Queue>,
    work: Condvar,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<QueuedSearch>,
    closed: bool,
}

struct QueuedSearch {
    flags: Arc<CancelFlags>,
    /// Time limit, counted from the start of the search.
    limit: Duration,
    runtime: Handle,
    run: Box<dyn FnOnce(&AtomicBool) + Send>,
}

/// Flags by which a caller ends a search.
#[derive(Default)]
struct CancelFlags {
    stop: AtomicBool,
    /// Set once the caller has dropped the task.
    dropped: AtomicBool,
}

/// Future of a search result. Dropping it cancels the search.
#[must_use = "dropping it cancels the search"]
pub struct SearchTask<T> {
    answer: oneshot::Receiver<T>,
    flags: Arc<CancelFlags>,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // A search panics outside the lock, so the queue is intact.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs searches until the pool is closed.
    fn work_loop(&self) {
        loop {
            let mut queue = self.queue();
            let task = loop {
                if queue.closed {
                    return;
                }
                match queue.tasks.pop_front() {
                    Some(task) => break task,
                    None => {
                        queue = self.work.wait(queue).unwrap_or_else(PoisonError::into_inner);
                    }
                }
            };
            drop(queue);
            task.run_search();
        }
    }
}

impl QueuedSearch {
    fn run_search(self) {
        let QueuedSearch { flags, limit, runtime, run } = self;
        if flags.dropped.load(Relaxed) {
            return;
        }
        let timer_flags = Arc::clone(&flags);
        let timer = runtime.spawn(async move {
            tokio::time::sleep(limit).await;
            timer_flags.stop.store(true, Relaxed);
        });
        // After a panic the caller gets an error because the sender is dropped.
        let _ = catch_unwind(AssertUnwindSafe(|| run(&flags.stop)));
        timer.abort();
    }
}

impl SearchPool {
    pub fn start(name: &str, threads: usize) -> io::Result<SearchPool> {
        let shared = Arc::new(Shared { queue: Mutex::default(), work: Condvar::new() });
        for number in 0..threads {
            let shared = Arc::clone(&shared);
            thread::Builder::new()
                .name(format!("{name} {number}"))
                .spawn(move || shared.work_loop())?;
        }
        Ok(SearchPool { shared })
    }

    /// Queues a search. Its stop flag is set at the latest `limit` after it has started; it must return
    /// soon after.
    pub fn submit<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<SearchTask<T>, ApiError> {
        let (sender, answer) = oneshot::channel();
        let flags = Arc::new(CancelFlags::default());
        let run = Box::new(move |stop: &AtomicBool| drop(sender.send(work(stop))));
        let runtime = Handle::current();
        let task = QueuedSearch { flags: Arc::clone(&flags), limit, runtime, run };
        let mut queue = self.shared.queue();
        queue.tasks.retain(|task| !task.flags.dropped.load(Relaxed));
        if queue.tasks.len() >= MAX_QUEUED_SEARCHES {
            let message = "the server is busy: try again in a minute";
            return Err(ApiError::unavailable(message));
        }
        queue.tasks.push_back(task);
        self.shared.work.notify_one();
        Ok(SearchTask { answer, flags })
    }
}

impl Drop for SearchPool {
    fn drop(&mut self) {
        let mut queue = self.shared.queue();
        queue.closed = true;
        queue.tasks.clear();
        self.shared.work.notify_all();
    }
}

impl<T> SearchTask<T> {
    /// Returns a handle that sets the stop flag; the best result so far is still returned.
    pub fn stop_early(&self) -> impl Fn() + Send + Sync + use<T> {
        let flags = Arc::clone(&self.flags);
        move || flags.stop.store(true, Relaxed)
    }
}

impl<T> Future for SearchTask<T> {
    type Output = Result<T, ApiError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let failed = |_| ApiError::unavailable("the search failed: internal error of the player");
        Pin::new(&mut self.answer).poll(context).map(|answer| answer.map_err(failed))
    }
}

impl<T> Drop for SearchTask<T> {
    fn drop(&mut self) {
        self.flags.dropped.store(true, Relaxed);
        self.flags.stop.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// A pool of one thread that is busy until the sender is used.
    fn busy() -> (SearchPool, mpsc::Sender<()>, SearchTask<()>) {
        let pool = SearchPool::start("test", 1).unwrap();
        let (release, held) = mpsc::channel();
        let wait = move |_: &AtomicBool| held.recv().unwrap_or_default();
        let task = pool.submit(Duration::from_secs(60), wait).unwrap();
        (pool, release, task)
    }

    #[tokio::test]
    async fn work_that_waits_is_hurried_but_done_and_dropped_work_is_not() {
        let (pool, release, first) = busy();
        let submit = || pool.submit(Duration::from_secs(60), |stop| stop.load(Relaxed));
        let (calm, hurried) = (submit().unwrap(), submit().unwrap());
        let begun = Arc::new(AtomicBool::new(false));
        let begin = Arc::clone(&begun);
        let dropped = pool.submit(Duration::from_secs(60), move |_| begin.store(true, Relaxed));
        drop(dropped);
        hurried.stop_early()();
        let last = submit().unwrap();
        release.send(()).unwrap();
        assert!(first.await.is_ok());
        assert!(!calm.await.ok().unwrap());
        assert!(hurried.await.ok().unwrap());
        assert!(!last.await.ok().unwrap());
        assert!(!begun.load(Relaxed));
    }
}
