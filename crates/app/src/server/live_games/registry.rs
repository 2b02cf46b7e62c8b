//! Registry of live games: those in memory, and the store they are saved to.
//!
//! Every change is saved before anybody sees it. The store commits all changes that wait at the same time
//! together, so that many games share one disk sync.

use super::{
    game_state::{GameState, SavedGame},
    live_game::{ChangeError, LiveGame},
};
use crate::{
    error::print_message,
    server::{App, error::ApiError, state::run_blocking},
};
use ludus_arena::store::{DocumentChange, Store, StoreError, StoredDocument};
use serde_json::json;
use std::{
    collections::{HashMap, VecDeque},
    hash::{BuildHasher, RandomState},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::{SystemTime, UNIX_EPOCH},
};
use tokio::sync::{self, oneshot};

const GAME_KIND: &str = "table";
/// Kind of the documents that lead from the key of a request to the game that it made.
const REQUEST_KIND: &str = "table-request";
/// Games kept in memory; games in use stay beyond this limit.
const MAX_OPEN_GAMES: usize = 512;
/// Games kept on disk.
const MAX_STORED_GAMES: u32 = 10_000;
/// Games in a list.
const MAX_LISTED_GAMES: u32 = 100;
/// New games between two deletions of surplus games.
const GAMES_PER_TRIM: u64 = 32;
/// Locks shared by all keys of requests.
const REQUEST_LOCKS: usize = 64;

/// All live games.
pub struct GameRegistry {
    store: Store,
    open: Mutex<HashMap<String, Arc<LiveGame>>>,
    /// Held while a game is loaded, so that an older version never takes the place of a newer one.
    loading: sync::Mutex<()>,
    /// Number of games created so far.
    created: AtomicU64,
    /// Locks that make repeated requests for a new game wait for the first one.
    request_locks: [sync::Mutex<()>; REQUEST_LOCKS],
    hasher: RandomState,
    /// Whether the last change could not be saved.
    failing: AtomicBool,
    /// Games with players and their size in bytes, least recently used first.
    player_memory: Mutex<VecDeque<(Weak<LiveGame>, u64)>>,
    /// Bytes that the players of all games may keep between moves.
    max_player_bytes: u64,
}

impl GameRegistry {
    pub fn new(store: Store, max_player_bytes: u64) -> GameRegistry {
        GameRegistry {
            store,
            open: Mutex::default(),
            loading: sync::Mutex::default(),
            created: AtomicU64::new(0),
            request_locks: std::array::from_fn(|_| sync::Mutex::new(())),
            hasher: RandomState::new(),
            failing: AtomicBool::new(false),
            player_memory: Mutex::default(),
            max_player_bytes,
        }
    }

    /// An id of 128 random bits of the operating system, which nobody can guess.
    pub fn new_id() -> Result<String, ApiError> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| ApiError::unavailable(format!("no random numbers: {error}")))?;
        Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
    }

    /// Adds a new game once it is saved, with the key of the request for it.
    pub async fn add(
        &self,
        state: GameState,
        request: Option<&str>,
    ) -> Result<Arc<LiveGame>, ApiError> {
        let game = document(&state);
        let id = game.id.clone();
        let request = request.map(|key| StoredDocument {
            kind: REQUEST_KIND.to_owned(),
            id: key.to_owned(),
            summary: json!({}),
            document: json!({ "table": id }),
            finished: true,
            updated_at: game.updated_at,
        });
        let documents = [Some(game), request].into_iter().flatten();
        self.write(documents.map(DocumentChange::Save).collect())
            .await
            .map_err(ChangeError::NotSaved)?;
        let live_game = Arc::new(LiveGame::new(id.clone(), state));
        self.open().insert(id, Arc::clone(&live_game));
        if self.created.fetch_add(1, Relaxed).is_multiple_of(GAMES_PER_TRIM) {
            self.trim();
        }
        Ok(live_game)
    }

    /// Lock of a request's key: repeated requests for a new game run one after another.
    pub async fn lock_request(&self, key: &str) -> sync::MutexGuard<'_, ()> {
        let index = self.hasher.hash_one(key) as usize % REQUEST_LOCKS;
        self.request_locks[index].lock().await
    }

    /// Finds the game that an earlier request with this key made.
    pub async fn find_requested(&self, key: &str) -> Result<Option<Arc<LiveGame>>, ApiError> {
        let (store, key) = (self.store.clone(), key.to_owned());
        let found = run_blocking(move || Ok(store.document(REQUEST_KIND, &key)?)).await?;
        match found.as_ref().and_then(|found| found.document["table"].as_str()) {
            Some(id) => Ok(Some(self.find(id).await?)),
            None => Ok(None),
        }
    }

    /// Finds a game by id, in memory or on disk.
    pub async fn find(&self, id: &str) -> Result<Arc<LiveGame>, ApiError> {
        let found = match self.find_open(id) {
            Some(live_game) => Some(live_game),
            None => self.load(id).await?,
        };
        let found = found.filter(|live_game| !live_game.is_deleted());
        found.ok_or_else(|| ApiError::missing(format!("there is no game {id:?}")))
    }

    fn find_open(&self, id: &str) -> Option<Arc<LiveGame>> {
        self.open().get(id).cloned()
    }

    async fn load(&self, id: &str) -> Result<Option<Arc<LiveGame>>, ApiError> {
        let _lock = self.loading.lock().await;
        if let Some(live_game) = self.find_open(id) {
            return Ok(Some(live_game));
        }
        let (store, name) = (self.store.clone(), id.to_owned());
        let state = run_blocking(move || read(&store, &name)).await?;
        let live_game = state.map(|state| Arc::new(LiveGame::new(id.to_owned(), state)));
        if let Some(live_game) = &live_game {
            self.open().insert(id.to_owned(), Arc::clone(live_game));
        }
        Ok(live_game)
    }

    /// The most recently changed games.
    pub async fn latest(&self) -> Result<Vec<serde_json::Value>, ApiError> {
        let store = self.store.clone();
        run_blocking(move || {
            let documents = store.latest_documents(GAME_KIND, MAX_LISTED_GAMES)?;
            Ok(documents.into_iter().map(|document| document.summary).collect())
        })
        .await
    }

    /// Saves a game; returns once it is on disk.
    pub async fn save(&self, state: &GameState) -> Result<(), StoreError> {
        self.write(vec![DocumentChange::Save(document(state))]).await?;
        self.remove_idle();
        Ok(())
    }

    /// Deletes a game from the disk.
    pub async fn delete(&self, id: &str) -> Result<(), StoreError> {
        let (kind, id) = (GAME_KIND.to_owned(), id.to_owned());
        self.write(vec![DocumentChange::Delete { kind, id }]).await
    }

    async fn write(&self, changes: Vec<DocumentChange>) -> Result<(), StoreError> {
        let (reply, done) = oneshot::channel();
        // The receiver is gone if the server is shutting down.
        let submitted =
            self.store.submit_documents(changes, move |result| drop(reply.send(result)));
        let result = match submitted {
            Ok(()) => done.await.unwrap_or_else(|_| {
                Err(StoreError::Invalid("anything more: the store has stopped".to_owned()))
            }),
            Err(error) => Err(error),
        };
        self.report(result.as_ref().err());
        result
    }

    /// Prints the first of several failures, and when saving works again.
    fn report(&self, error: Option<&StoreError>) {
        let failed_before = self.failing.swap(error.is_some(), Relaxed);
        match error {
            Some(error) if !failed_before => {
                print_message(&format!("games cannot be saved: {error}"));
            }
            None if failed_before => print_message("games are saved again"),
            _ => {}
        }
    }

    /// Removes idle games from memory if there are many.
    fn remove_idle(&self) {
        let mut open = self.open();
        if open.len() > MAX_OPEN_GAMES {
            open.retain(|_, live_game| Arc::strong_count(live_game) > 1);
        }
    }

    /// Deletes surplus games from the disk, in the background.
    fn trim(&self) {
        let store = self.store.clone();
        tokio::task::spawn_blocking(move || {
            for kind in [GAME_KIND, REQUEST_KIND] {
                if let Err(error) = store.trim_documents(kind, MAX_STORED_GAMES) {
                    print_message(&format!("old games were not deleted: {error}"));
                }
            }
        });
    }

    /// Records the size of a game's players. When the total is too large, the least
    /// recently used ones are dropped.
    pub fn track_memory(&self, live_game: &Arc<LiveGame>, bytes: u64) {
        let mut player_memory = self.player_memory.lock().unwrap_or_else(PoisonError::into_inner);
        player_memory.retain(|(other, _)| {
            other.strong_count() > 0 && !std::ptr::eq(other.as_ptr(), Arc::as_ptr(live_game))
        });
        player_memory.push_back((Arc::downgrade(live_game), bytes));
        let mut total: u64 = player_memory.iter().map(|(_, bytes)| bytes).sum();
        let mut evicted = Vec::new();
        while total > self.max_player_bytes
            && let Some((live_game, bytes)) = player_memory.pop_front()
        {
            total -= bytes;
            evicted.extend(live_game.upgrade());
        }
        drop(player_memory);
        for live_game in evicted {
            live_game.drop_players();
        }
    }

    /// Waits until all changes under way are saved, and saves running clocks.
    pub async fn close(&self) {
        let open: Vec<Arc<LiveGame>> = self.open().values().cloned().collect();
        let mut locks = Vec::new();
        let mut clocks = Vec::new();
        for live_game in &open {
            locks.push(live_game.lock_changes().await);
            let state = live_game.state();
            if state.flag_falls_at().is_some() && !live_game.is_deleted() {
                clocks.push(DocumentChange::Save(document(&state)));
            }
        }
        let _ = self.write(clocks).await; // printed
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Arc<LiveGame>>> {
        // No code that panics runs under the lock.
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The stored form of a game.
fn document(state: &GameState) -> StoredDocument {
    let updated_at = now();
    StoredDocument {
        kind: GAME_KIND.to_owned(),
        id: state.id().to_owned(),
        summary: json!(state.summary(updated_at)),
        document: json!(state.save()),
        finished: state.finish().is_some(),
        updated_at,
    }
}

fn read(store: &Store, id: &str) -> Result<Option<GameState>, ApiError> {
    let Some(stored) = store.document(GAME_KIND, id)? else { return Ok(None) };
    let damaged = |error: &dyn std::fmt::Display| {
        ApiError::unavailable(format!("game {id} cannot be read: {error}"))
    };
    let saved: SavedGame =
        serde_json::from_value(stored.document).map_err(|error| damaged(&error))?;
    let state = GameState::restore(id.to_owned(), saved);
    Ok(Some(state.map_err(|error| damaged(&error.message))?))
}

impl App {
    /// Finds a game and resumes it: its player starts to search if it is to move.
    pub async fn live_game(self: &Arc<Self>, id: &str) -> Result<Arc<LiveGame>, ApiError> {
        let live_game = self.live_games.find(id).await?;
        live_game.resume(self).await;
        Ok(live_game)
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
