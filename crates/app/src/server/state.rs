//! What all requests share.

use super::{
    arena::Contests, error::ApiError, guard::Guard, tables::Tables, thinking::Thinking, train::Runs,
};
use ludus_arena::store::Store;
use ludus_players::{DataFolder, Finds, Resources};
use std::path::PathBuf;
use tokio::sync::Semaphore;

/// How the server was started.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where games, runs and tables of endings are kept.
    pub data: PathBuf,
}

/// The state of the server.
pub struct App {
    pub settings: Settings,
    pub guard: Guard,
    pub store: Store,
    pub tables: Tables,
    pub contests: Contests,
    pub runs: Runs,
    /// As many errands at once as there are cores: the rest waits, and pages are still served.
    errands: Semaphore,
    /// Searches somebody waits for in a game: short.
    pub moves: Thinking,
    /// Searches that study a position: they may be long, and must not keep games waiting.
    pub studies: Thinking,
}

impl App {
    pub fn new(settings: Settings, guard: Guard, store: Store) -> std::io::Result<App> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(App {
            settings,
            guard,
            tables: Tables::start(store.clone())?,
            contests: Contests::default(),
            runs: Runs::default(),
            store,
            errands: Semaphore::new(threads),
            moves: Thinking::start("moves", threads)?,
            studies: Thinking::start("studies", threads)?,
        })
    }

    /// Does work that takes a while, but not long, off the threads that answer.
    pub async fn errand<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let fault = || ApiError::unavailable("this request met a fault of the server");
        let _turn = self.errands.acquire().await.map_err(|_| fault())?;
        tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(fault()))
    }

    /// What a player may use here. A search has one thread: many games go on at once. Tables of
    /// endings are used if there are any, but nobody waits for a player to build them.
    pub fn resources(&self, seed: u64) -> Resources {
        let path = self.settings.data.clone();
        let has_tables = path.join("endgame").is_dir();
        let data = has_tables.then(|| DataFolder { path, finds: Finds::Used, on_step: None });
        Resources { seed, threads: 1, data }
    }
}
