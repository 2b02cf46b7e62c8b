//! Shared state of the server.

use super::{
    arena::Contests, client::ClientLimit, error::ApiError, guard::Guard, limits::ServerLimits,
    live_games::GameRegistry, memory::MemoryBudget, search_pool::SearchPool, train::Runs,
};
use ludus_arena::store::Store;
use ludus_players::{DataFolder, FoundData, Resources};
use std::{path::PathBuf, sync::Arc};
use tokio::sync::Semaphore;

/// Maximum number of moves and hints that a client may wait for.
const MAX_MOVE_SEARCHES: usize = 4_000;

/// Settings of the server.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Data directory: store, training runs and endgame tables.
    pub data: PathBuf,
    pub limits: ServerLimits,
}

/// The state of the server.
pub struct App {
    pub settings: ServerSettings,
    pub guard: Guard,
    pub store: Store,
    pub live_games: GameRegistry,
    pub memory: MemoryBudget,
    pub contests: Contests,
    pub runs: Runs,
    /// One permit per core for blocking work, so that pages are still served under load.
    blocking_permits: Semaphore,
    /// Searches for moves and hints: short.
    pub move_searches: SearchPool,
    /// Searches for analysis: possibly long, so kept apart from those of games.
    pub analysis_searches: SearchPool,
    /// Permits for WebSockets.
    pub sockets: Arc<ClientLimit>,
}

impl App {
    pub fn new(settings: ServerSettings, guard: Guard, store: Store) -> std::io::Result<App> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let limits = settings.limits.clone();
        let memory = MemoryBudget::new(limits.memory_bytes());
        Ok(App {
            settings,
            guard,
            live_games: GameRegistry::new(store.clone(), memory.live_games_bytes()),
            memory,
            contests: Contests::new(limits.max_contests_per_address),
            runs: Runs::default(),
            store,
            blocking_permits: Semaphore::new(cores),
            move_searches: SearchPool::start("moves", cores, MAX_MOVE_SEARCHES)?,
            analysis_searches: SearchPool::start(
                "studies",
                cores,
                limits.max_analyses_per_address,
            )?,
            sockets: ClientLimit::new(limits.sockets(), limits.sockets_per_address()),
        })
    }

    /// Runs short blocking work off the threads that serve requests.
    pub async fn run_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let _permit = self.blocking_permits.acquire().await.map_err(|_| internal_error())?;
        run_blocking(work).await
    }

    /// Resources of a player. A search has one thread, as many games are played at once. Endgame tables
    /// are used if present, but never built here.
    pub fn resources(&self, seed: u64) -> Resources {
        let path = self.settings.data.clone();
        let has_tables = path.join("endgame").is_dir();
        let data =
            has_tables.then(|| DataFolder { path, found_data: FoundData::Used, on_step: None });
        Resources { seed, threads: 1, data }
    }
}

/// Runs blocking work, such as disk access, off the threads that serve requests, without waiting for
/// others.
pub async fn run_blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| internal_error())?
}

pub fn internal_error() -> ApiError {
    ApiError::unavailable("internal server error")
}
