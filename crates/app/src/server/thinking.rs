//! Threads for searches, so that none runs on a thread that answers requests.
//!
//! Work waits in one queue and is done in order. Whoever asked holds a [`Thought`]; to drop it is to
//! want it no longer: work that waits is never begun, a search under way finds its stop flag raised.
//! To hurry it only raises the flag: work that waits is still done, as quickly as it can be.

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

/// Work that may wait; more is refused.
const QUEUE: usize = 20_000;

/// A pool of threads that think.
pub struct Thinking {
    shared: Arc<Shared>,
}

struct Shared {
    queue: Mutex<Queue>,
    work: Condvar,
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Task>,
    closed: bool,
}

struct Task {
    wish: Arc<Wish>,
    /// How long it may take once it has begun.
    limit: Duration,
    clock: Handle,
    run: Box<dyn FnOnce(&AtomicBool) + Send>,
}

/// What is wanted of a task by now.
#[derive(Default)]
struct Wish {
    stop: AtomicBool,
    /// Whether nobody waits for an answer.
    dropped: AtomicBool,
}

/// An answer on its way. Dropping it cancels the work.
#[must_use = "dropping it cancels the work"]
pub struct Thought<T> {
    answer: oneshot::Receiver<T>,
    wish: Arc<Wish>,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // A task panics outside the lock, so the queue is whole.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does tasks until the pool is closed.
    fn serve(&self) {
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
            task.perform();
        }
    }
}

impl Task {
    fn perform(self) {
        let Task { wish, limit, clock, run } = self;
        if wish.dropped.load(Relaxed) {
            return;
        }
        let late = Arc::clone(&wish);
        let alarm = clock.spawn(async move {
            tokio::time::sleep(limit).await;
            late.stop.store(true, Relaxed);
        });
        // Who waits learns of a panic because the answer never comes.
        let _ = catch_unwind(AssertUnwindSafe(|| run(&wish.stop)));
        alarm.abort();
    }
}

impl Thinking {
    pub fn start(name: &str, threads: usize) -> io::Result<Thinking> {
        let shared = Arc::new(Shared { queue: Mutex::default(), work: Condvar::new() });
        for number in 0..threads {
            let shared = Arc::clone(&shared);
            thread::Builder::new()
                .name(format!("{name} {number}"))
                .spawn(move || shared.serve())?;
        }
        Ok(Thinking { shared })
    }

    /// Hands in work that stops soon after its flag is raised, which happens at the latest `limit`
    /// after it began.
    pub fn submit<T: Send + 'static>(
        &self,
        limit: Duration,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> Result<Thought<T>, ApiError> {
        let (sender, answer) = oneshot::channel();
        let wish = Arc::new(Wish::default());
        let run = Box::new(move |stop: &AtomicBool| drop(sender.send(work(stop))));
        let clock = Handle::current();
        let task = Task { wish: Arc::clone(&wish), limit, clock, run };
        let mut queue = self.shared.queue();
        queue.tasks.retain(|task| !task.wish.dropped.load(Relaxed));
        if queue.tasks.len() >= QUEUE {
            let message = "too many searches wait already: try again in a minute";
            return Err(ApiError::unavailable(message));
        }
        queue.tasks.push_back(task);
        self.shared.work.notify_one();
        Ok(Thought { answer, wish })
    }
}

impl Drop for Thinking {
    fn drop(&mut self) {
        let mut queue = self.shared.queue();
        queue.closed = true;
        queue.tasks.clear();
        self.shared.work.notify_all();
    }
}

impl<T> Thought<T> {
    /// Raises the stop flag; the answer, the best so far, still comes.
    pub fn hurry(&self) -> impl Fn() + Send + Sync + use<T> {
        let wish = Arc::clone(&self.wish);
        move || wish.stop.store(true, Relaxed)
    }
}

impl<T> Future for Thought<T> {
    type Output = Result<T, ApiError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let failed = |_| ApiError::unavailable("the search failed: this is a fault of the player");
        Pin::new(&mut self.answer).poll(context).map(|answer| answer.map_err(failed))
    }
}

impl<T> Drop for Thought<T> {
    fn drop(&mut self) {
        self.wish.dropped.store(true, Relaxed);
        self.wish.stop.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// A pool of one thread that is busy until something is sent.
    fn busy() -> (Thinking, mpsc::Sender<()>, Thought<()>) {
        let thinking = Thinking::start("test", 1).unwrap();
        let (release, held) = mpsc::channel();
        let wait = move |_: &AtomicBool| held.recv().unwrap_or_default();
        let thought = thinking.submit(Duration::from_secs(60), wait).unwrap();
        (thinking, release, thought)
    }

    #[tokio::test]
    async fn work_that_waits_is_hurried_but_done_and_dropped_work_is_not() {
        let (thinking, release, first) = busy();
        let submit = || thinking.submit(Duration::from_secs(60), |stop| stop.load(Relaxed));
        let (calm, hurried) = (submit().unwrap(), submit().unwrap());
        let begun = Arc::new(AtomicBool::new(false));
        let begin = Arc::clone(&begun);
        let dropped = thinking.submit(Duration::from_secs(60), move |_| begin.store(true, Relaxed));
        drop(dropped);
        hurried.hurry()();
        let last = submit().unwrap();
        release.send(()).unwrap();
        assert!(first.await.is_ok());
        assert!(!calm.await.ok().unwrap());
        assert!(hurried.await.ok().unwrap());
        assert!(!last.await.ok().unwrap());
        assert!(!begun.load(Relaxed));
    }
}
