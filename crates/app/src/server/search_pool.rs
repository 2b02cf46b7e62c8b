//! Thread pool for searches, so that none runs on a thread that serves requests.
//!
//! Searches run in the order of a [`SearchQueue`]. The caller holds a [`SearchTask`]; dropping it cancels the
//! search: a queued one never starts, a running one finds its stop flag set. `stop_early` only sets the
//! flag: a queued search still runs, as briefly as it can.

use super::{
    error::ApiError,
    search_queue::{Capacity, SearchOrder, SearchQueue},
};
use std::{
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
/// Searches beyond one per core, for clients that have none.
const GUEST_SEARCHES: usize = 8;

/// A pool of search threads.
pub struct SearchPool {
    shared: Arc<Shared>,
    max_per_client: usize,
}

struct Shared {
    queue: Mutex<Queue>,
    work: Condvar,
}

struct Queue {
    searches: SearchQueue<QueuedSearch>,
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
        let mut queue = self.queue();
        while !queue.closed {
            let Some((running, search)) = queue.searches.pop() else {
                queue = self.work.wait(queue).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(queue);
            search.run_search();
            queue = self.queue();
            queue.searches.end(running);
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
    /// Starts a pool that runs one search per core and urgency, and some of clients that have none. Of one
    /// client `max_per_client` may run and wait.
    pub fn start(name: &str, cores: usize, max_per_client: usize) -> io::Result<SearchPool> {
        SearchPool::with_capacity(
            name,
            Capacity { shared: cores, guests: GUEST_SEARCHES },
            max_per_client,
        )
    }

    fn with_capacity(
        name: &str,
        capacity: Capacity,
        max_per_client: usize,
    ) -> io::Result<SearchPool> {
        let queue = Queue { searches: SearchQueue::new(capacity), closed: false };
        let shared = Arc::new(Shared { queue: Mutex::new(queue), work: Condvar::new() });
        for number in 0..capacity.threads() {
            let shared = Arc::clone(&shared);
            thread::Builder::new()
                .name(format!("{name} {number}"))
                .spawn(move || shared.work_loop())?;
        }
        Ok(SearchPool { shared, max_per_client })
    }

    /// Queues a search. Its stop flag is set at the latest `limit` after it has started; it must return
    /// soon after.
    pub fn submit<T: Send + 'static>(
        &self,
        order: SearchOrder,
        limit: Duration,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<SearchTask<T>, ApiError> {
        let (sender, answer) = oneshot::channel();
        let flags = Arc::new(CancelFlags::default());
        let run = Box::new(move |stop: &AtomicBool| drop(sender.send(work(stop))));
        let runtime = Handle::current();
        let search = QueuedSearch { flags: Arc::clone(&flags), limit, runtime, run };
        let mut queue = self.shared.queue();
        let own = queue.searches.count(&order, |search| !search.flags.dropped.load(Relaxed));
        if own >= self.max_per_client {
            let message =
                format!("{own} searches from your address are open: wait for one of them");
            return Err(ApiError::too_many(message));
        }
        if queue.searches.waiting() >= MAX_QUEUED_SEARCHES {
            let message = "the server is busy: try again in a minute";
            return Err(ApiError::unavailable(message));
        }
        queue.searches.push(order, search);
        self.shared.work.notify_one();
        Ok(SearchTask { answer, flags })
    }
}

impl Drop for SearchPool {
    fn drop(&mut self) {
        let mut queue = self.shared.queue();
        queue.closed = true;
        queue.searches.clear();
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
    use super::{
        super::{client::Client, search_queue::Urgency},
        *,
    };
    use std::sync::mpsc;

    const MINUTE: Duration = Duration::from_secs(60);

    fn order(urgency: Urgency) -> SearchOrder {
        SearchOrder::new(urgency, "test")
    }

    /// A pool with one search of each urgency at a time.
    fn small_pool() -> SearchPool {
        SearchPool::with_capacity("test", Capacity { shared: 1, guests: 0 }, 10).unwrap()
    }

    /// Occupies a thread until the sender is used.
    fn occupy(pool: &SearchPool, urgency: Urgency) -> (mpsc::Sender<()>, SearchTask<()>) {
        let (release, held) = mpsc::channel();
        let wait = move |_: &AtomicBool| held.recv().unwrap_or_default();
        (release, pool.submit(order(urgency), MINUTE, wait).unwrap())
    }

    #[tokio::test]
    async fn work_that_waits_is_hurried_but_done_and_dropped_work_is_not() {
        let pool = small_pool();
        let (release, first) = occupy(&pool, Urgency::Waited);
        let submit = || pool.submit(order(Urgency::Waited), MINUTE, |stop| stop.load(Relaxed));
        let (calm, hurried) = (submit().unwrap(), submit().unwrap());
        let begun = Arc::new(AtomicBool::new(false));
        let begin = Arc::clone(&begun);
        let begin = move |_: &AtomicBool| begin.store(true, Relaxed);
        drop(pool.submit(order(Urgency::Waited), MINUTE, begin));
        hurried.stop_early()();
        let last = submit().unwrap();
        release.send(()).unwrap();
        assert!(first.await.is_ok());
        assert!(!calm.await.ok().unwrap());
        assert!(hurried.await.ok().unwrap());
        assert!(!last.await.ok().unwrap());
        assert!(!begun.load(Relaxed));
    }

    #[tokio::test]
    async fn who_waits_is_served_while_other_searches_fill_the_pool() {
        let pool = small_pool();
        let long: Vec<_> = (0..3).map(|_| occupy(&pool, Urgency::Background)).collect();
        let answer = pool.submit(order(Urgency::Waited), MINUTE, |_| 42);
        assert_eq!(answer.ok().unwrap().await.ok(), Some(42));
        for (release, search) in long {
            release.send(()).unwrap();
            assert!(search.await.is_ok());
        }
    }

    #[tokio::test]
    async fn a_client_has_a_maximum_of_searches() {
        let pool = small_pool();
        let _held: Vec<_> = (0..10).map(|_| occupy(&pool, Urgency::Waited)).collect();
        let refused = pool.submit(order(Urgency::Waited), MINUTE, |_| ()).err().unwrap();
        assert_eq!(refused.status, 429);
        let other = Client::new([192, 0, 2, 1].into());
        let accepted =
            other.scope(async { pool.submit(order(Urgency::Waited), MINUTE, |_| ()).is_ok() });
        assert!(accepted.await);
    }
}
