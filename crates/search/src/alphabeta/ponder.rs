//! Pondering: thinking on the opponent's time.

use super::searcher::Searcher;
use crate::Search;
use ludus_core::{Evaluator, History, Limits, Position, SearchControl, SearchHints};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread::JoinHandle,
};

/// A search in the background that fills a table while the opponent thinks.
pub struct Ponder {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Ponder {
    /// Searches `game`, in which the opponent is to move and has a move, until dropped. The results go
    /// into the table of `searcher`, which it should [share](Searcher::sharing) with the next search of
    /// the game.
    pub fn start<P, E, H>(mut searcher: Searcher<P, E, H>, game: History<P>) -> Ponder
    where
        P: Position,
        E: Evaluator<P> + Clone + 'static,
        H: SearchHints<P>,
    {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let endless =
                Limits { depth: Some(u32::MAX), nodes: Some(u64::MAX), ..Limits::default() };
            let control = &mut SearchControl { stop: &stopped, on_report: &mut |_| {} };
            searcher.search(&game, &endless, control);
        });
        Ponder { stop, thread: Some(thread) }
    }
}

impl Drop for Ponder {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A panic there has been reported already and must not become ours.
            let _ = thread.join();
        }
    }
}
