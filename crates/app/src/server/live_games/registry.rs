//! Registry of live games: those in memory, and the store they are saved to.
//!
//! One writer thread saves games to disk, all changes since the last commit in one transaction. Until
//! then a pending write takes precedence over the stored version.

use super::{
    game_state::{GameState, SavedGame},
    live_game::LiveGame,
};
use crate::{
    error::print_message,
    server::{App, error::ApiError},
};
use ludus_arena::store::{Store, StoredDocument};
use std::{
    collections::{HashMap, VecDeque},
    hash::{BuildHasher, RandomState},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak},
    thread::{self, JoinHandle},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

const DOCUMENT_KIND: &str = "table";
/// Games kept in memory; games in use stay beyond this limit.
const MAX_OPEN_GAMES: usize = 512;
/// Games kept on disk.
const MAX_STORED_GAMES: u32 = 10_000;
/// Games in a list.
const MAX_LISTED_GAMES: u32 = 100;
/// Commits between two deletions of surplus games.
const COMMITS_PER_TRIM: u64 = 256;
/// Delay before retrying a failed commit.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// All live games.
pub struct GameRegistry {
    shared: Arc<Shared>,
    writer: Mutex<Option<JoinHandle<()>>>,
    /// Games with players and their size in bytes, least recently used first.
    player_memory: Mutex<VecDeque<(Weak<LiveGame>, u64)>>,
    /// Bytes that the players of all games may keep between moves.
    max_player_bytes: u64,
}

struct Shared {
    store: Store,
    state: Mutex<SharedState>,
    changed: Condvar,
}

#[derive(Default)]
struct SharedState {
    open: HashMap<String, Arc<LiveGame>>,
    pending: HashMap<String, PendingWrite>,
    /// Number of the latest write.
    number: u64,
    closed: bool,
}

/// A write that is not on disk yet.
#[derive(Clone)]
struct PendingWrite {
    number: u64,
    /// `None` if the game was deleted.
    document: Option<StoredDocument>,
}

impl GameRegistry {
    pub fn start(store: Store, max_player_bytes: u64) -> std::io::Result<GameRegistry> {
        let shared = Arc::new(Shared { store, state: Mutex::default(), changed: Condvar::new() });
        let writer = Arc::clone(&shared);
        let writer = thread::Builder::new()
            .name("game writer".to_owned())
            .spawn(move || writer.write_loop())?;
        Ok(GameRegistry {
            shared,
            writer: Mutex::new(Some(writer)),
            player_memory: Mutex::default(),
            max_player_bytes,
        })
    }

    /// An unguessable id.
    pub fn new_id() -> String {
        let word = RandomState::new().hash_one(SystemTime::now());
        format!("{word:016x}")
    }

    /// Adds a new game.
    pub fn add(&self, id: &str, state: GameState) -> Arc<LiveGame> {
        let live_game = Arc::new(LiveGame::new(id.to_owned(), state));
        self.shared.lock().open.insert(id.to_owned(), Arc::clone(&live_game));
        live_game
    }

    /// Finds a game by id, in memory or on disk.
    pub async fn find(&self, id: &str) -> Result<Arc<LiveGame>, ApiError> {
        if let Some(live_game) = self.shared.lock().open.get(id) {
            return Ok(Arc::clone(live_game));
        }
        let (shared, id) = (Arc::clone(&self.shared), id.to_owned());
        let loaded = tokio::task::spawn_blocking(move || shared.load(&id)).await;
        loaded.unwrap_or_else(|_| Err(ApiError::unavailable("the game could not be loaded")))
    }

    /// The most recently changed games.
    pub async fn latest(&self) -> Result<Vec<serde_json::Value>, ApiError> {
        let shared = Arc::clone(&self.shared);
        let listed = tokio::task::spawn_blocking(move || shared.latest()).await;
        listed.unwrap_or_else(|_| Err(ApiError::unavailable("the games could not be listed")))
    }

    /// Queues a game for saving.
    pub fn save(&self, live_game: &LiveGame, state: &GameState) {
        let updated = now();
        // All map keys are strings, so serialisation cannot fail.
        let (Ok(summary), Ok(document)) =
            (serde_json::to_value(state.summary(updated)), serde_json::to_value(state.save()))
        else {
            return;
        };
        let finished = state.finish().is_some();
        let (kind, id) = (DOCUMENT_KIND.to_owned(), live_game.id().to_owned());
        let document =
            StoredDocument { kind, id, summary, document, finished, updated_at: updated };
        self.shared.enqueue(live_game.id(), Some(document));
    }

    /// Deletes a game.
    pub fn delete(&self, live_game: &LiveGame) {
        self.shared.lock().open.remove(live_game.id());
        live_game.close();
        self.shared.enqueue(live_game.id(), None);
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

    /// Saves pending changes and running clocks, then stops the writer thread. Later changes are not
    /// saved.
    pub fn close(&self) {
        let open: Vec<Arc<LiveGame>> = self.shared.lock().open.values().cloned().collect();
        for live_game in open {
            let state = live_game.state();
            if state.flag_falls_at().is_some() {
                self.save(&live_game, &state);
            }
        }
        self.shared.lock().closed = true;
        self.shared.changed.notify_all();
        let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(writer) = writer {
            let _ = writer.join(); // it does not panic
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, SharedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enqueue(&self, id: &str, document: Option<StoredDocument>) {
        let mut state = self.lock();
        let deleted = |pending: &PendingWrite| pending.document.is_none();
        if state.pending.get(id).is_some_and(deleted) {
            return; // a late search result must not revive a deleted game
        }
        state.number += 1;
        let number = state.number;
        state.pending.insert(id.to_owned(), PendingWrite { number, document });
        self.changed.notify_all();
    }

    fn load(&self, id: &str) -> Result<Arc<LiveGame>, ApiError> {
        let missing = || ApiError::missing(format!("there is no game {id:?}"));
        let pending = self.lock().pending.get(id).cloned();
        let document = match pending {
            Some(pending) => pending.document,
            None => self.store.document(DOCUMENT_KIND, id)?,
        };
        let document = document.ok_or_else(missing)?.document;
        let damaged = |error: &dyn std::fmt::Display| {
            ApiError::unavailable(format!("game {id} cannot be read: {error}"))
        };
        let saved: SavedGame = serde_json::from_value(document).map_err(|error| damaged(&error))?;
        let game =
            GameState::restore(id.to_owned(), saved).map_err(|error| damaged(&error.message))?;
        let mut state = self.lock();
        let live_game = || Arc::new(LiveGame::new(id.to_owned(), game));
        Ok(Arc::clone(state.open.entry(id.to_owned()).or_insert_with(live_game)))
    }

    fn latest(&self) -> Result<Vec<serde_json::Value>, ApiError> {
        // Pending first: a game written in between is then in both lists rather than in neither.
        let pending = self.lock().pending.clone();
        let mut documents = self.store.latest_documents(DOCUMENT_KIND, MAX_LISTED_GAMES)?;
        documents.retain(|document| !pending.contains_key(&document.id));
        documents.extend(pending.into_values().filter_map(|pending| pending.document));
        documents.sort_by_key(|document| std::cmp::Reverse(document.updated_at));
        documents.truncate(MAX_LISTED_GAMES as usize);
        Ok(documents.into_iter().map(|document| document.summary).collect())
    }

    /// Saves until the registry is closed and nothing is pending.
    fn write_loop(&self) {
        for round in 0_u64.. {
            let mut state = self.lock();
            while state.pending.is_empty() && !state.closed {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.pending.is_empty() {
                return;
            }
            let (pending, closed) = (state.pending.clone(), state.closed);
            drop(state);
            let trimmed = || match round % COMMITS_PER_TRIM {
                0 => self.store.trim_documents(DOCUMENT_KIND, MAX_STORED_GAMES).map(drop),
                _ => Ok(()),
            };
            match self.write(&pending).and_then(|()| Ok(trimmed()?)) {
                Ok(()) => self.mark_written(&pending),
                Err(error) => {
                    print_message(&format!("games were not saved: {}", error.message));
                    if closed {
                        return;
                    }
                    thread::sleep(RETRY_DELAY);
                }
            }
        }
    }

    fn write(&self, pending: &HashMap<String, PendingWrite>) -> Result<(), ApiError> {
        let documents = pending.values().filter_map(|pending| pending.document.clone());
        self.store.save_documents(documents.collect())?;
        for (id, _) in pending.iter().filter(|(_, pending)| pending.document.is_none()) {
            self.store.delete_document(DOCUMENT_KIND, id)?;
        }
        Ok(())
    }

    /// Removes saved games from the queue, and idle ones from memory.
    fn mark_written(&self, written: &HashMap<String, PendingWrite>) {
        let mut state = self.lock();
        let SharedState { open, pending, .. } = &mut *state;
        pending.retain(|id, one| written.get(id).is_none_or(|done| done.number != one.number));
        if open.len() > MAX_OPEN_GAMES {
            open.retain(|id, live_game| {
                Arc::strong_count(live_game) > 1 || pending.contains_key(id)
            });
        }
    }
}

impl App {
    /// Finds a game and resumes it: its player starts to search if it is to move.
    pub async fn live_game(self: &Arc<Self>, id: &str) -> Result<Arc<LiveGame>, ApiError> {
        let live_game = self.live_games.find(id).await?;
        live_game.resume(self);
        Ok(live_game)
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
