//! All tables: those in memory, and the store they are saved to.
//!
//! A table is written to the disk by a thread of its own, all changes since the last time in one
//! commit. Until then what waits to be written counts, not what the disk has.

use super::{
    play::{Play, SavedPlay},
    table::Table,
};
use crate::{
    error::say,
    server::{App, error::ApiError},
};
use ludus_arena::store::{Document, Store};
use std::{
    collections::{HashMap, VecDeque},
    hash::{BuildHasher, RandomState},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak},
    thread::{self, JoinHandle},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

const KIND: &str = "table";
/// Tables in memory; more stay as long as somebody uses them.
const OPEN: usize = 512;
/// Tables on the disk.
const KEPT: u32 = 10_000;
/// Tables in lists.
const LISTED: u32 = 100;
/// What players may take to remember what they thought, all together.
const MEMORY: u64 = 2 << 30;
/// Commits between two looks for tables too many.
const ROUNDS: u64 = 256;
/// How long to wait after the disk has failed.
const RETRY: Duration = Duration::from_secs(1);

/// Every table.
pub struct Tables {
    shared: Arc<Shared>,
    saver: Mutex<Option<JoinHandle<()>>>,
    /// Those whose players remember something, the longest ago first.
    minds: Mutex<VecDeque<(Weak<Table>, u64)>>,
}

struct Shared {
    store: Store,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    open: HashMap<String, Arc<Table>>,
    waiting: HashMap<String, Waiting>,
    /// Counts what was handed in.
    number: u64,
    closed: bool,
}

/// What is to be done on the disk.
#[derive(Clone)]
struct Waiting {
    number: u64,
    /// `None` if the table was deleted.
    document: Option<Document>,
}

impl Tables {
    pub fn start(store: Store) -> std::io::Result<Tables> {
        let shared = Arc::new(Shared { store, state: Mutex::default(), changed: Condvar::new() });
        let saver = Arc::clone(&shared);
        let saver = thread::Builder::new().name("saver".to_owned()).spawn(move || saver.serve())?;
        Ok(Tables { shared, saver: Mutex::new(Some(saver)), minds: Mutex::default() })
    }

    /// A key nobody can guess.
    pub fn new_id() -> String {
        let word = RandomState::new().hash_one(SystemTime::now());
        format!("{word:016x}")
    }

    /// Puts up a new table.
    pub fn add(&self, id: &str, play: Play) -> Arc<Table> {
        let table = Arc::new(Table::new(id.to_owned(), play));
        self.shared.state().open.insert(id.to_owned(), Arc::clone(&table));
        table
    }

    /// The table called `id`, from memory or from the disk.
    pub async fn find(&self, id: &str) -> Result<Arc<Table>, ApiError> {
        if let Some(table) = self.shared.state().open.get(id) {
            return Ok(Arc::clone(table));
        }
        let (shared, id) = (Arc::clone(&self.shared), id.to_owned());
        let loaded = tokio::task::spawn_blocking(move || shared.load(&id)).await;
        loaded.unwrap_or_else(|_| Err(ApiError::unavailable("the table could not be loaded")))
    }

    /// The tables that changed last.
    pub async fn latest(&self) -> Result<Vec<serde_json::Value>, ApiError> {
        let shared = Arc::clone(&self.shared);
        let listed = tokio::task::spawn_blocking(move || shared.latest()).await;
        listed.unwrap_or_else(|_| Err(ApiError::unavailable("the tables could not be listed")))
    }

    /// Hands in a game to be saved.
    pub fn save(&self, table: &Table, play: &Play) {
        let updated = now();
        // These types have only keys that are text, so that nothing can fail.
        let (Ok(summary), Ok(document)) =
            (serde_json::to_value(play.summary(updated)), serde_json::to_value(play.save()))
        else {
            return;
        };
        let finished = play.finish().is_some();
        let (kind, id) = (KIND.to_owned(), table.id().to_owned());
        let document = Document { kind, id, summary, document, finished, updated_at: updated };
        self.shared.hand_in(table.id(), Some(document));
    }

    /// Takes a table away for ever.
    pub fn delete(&self, table: &Table) {
        self.shared.state().open.remove(table.id());
        table.close();
        self.shared.hand_in(table.id(), None);
    }

    /// The players at `table` remember something of this size; if it is too much in all, those who
    /// thought the longest ago forget.
    pub fn remember(&self, table: &Arc<Table>, bytes: u64) {
        let mut minds = self.minds.lock().unwrap_or_else(PoisonError::into_inner);
        minds.retain(|(other, _)| {
            other.strong_count() > 0 && !std::ptr::eq(other.as_ptr(), Arc::as_ptr(table))
        });
        minds.push_back((Arc::downgrade(table), bytes));
        let mut total: u64 = minds.iter().map(|(_, bytes)| bytes).sum();
        let mut forgetful = Vec::new();
        while total > MEMORY
            && let Some((table, bytes)) = minds.pop_front()
        {
            total -= bytes;
            forgetful.extend(table.upgrade());
        }
        drop(minds);
        for table in forgetful {
            table.forget();
        }
    }

    /// Saves all that waits, and clocks that run, and ends the thread that saves. Later changes are
    /// not saved.
    pub fn close(&self) {
        let open: Vec<Arc<Table>> = self.shared.state().open.values().cloned().collect();
        for table in open {
            let play = table.play();
            if play.falls().is_some() {
                self.save(&table, &play);
            }
        }
        self.shared.state().closed = true;
        self.shared.changed.notify_all();
        let saver = self.saver.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(saver) = saver {
            let _ = saver.join(); // it does not panic
        }
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hand_in(&self, id: &str, document: Option<Document>) {
        let mut state = self.state();
        let deleted = |waiting: &Waiting| waiting.document.is_none();
        if state.waiting.get(id).is_some_and(deleted) {
            return; // a search that ended late must not bring a table back
        }
        state.number += 1;
        let number = state.number;
        state.waiting.insert(id.to_owned(), Waiting { number, document });
        self.changed.notify_all();
    }

    fn load(&self, id: &str) -> Result<Arc<Table>, ApiError> {
        let missing = || ApiError::missing(format!("there is no table {id:?}"));
        let waiting = self.state().waiting.get(id).cloned();
        let document = match waiting {
            Some(waiting) => waiting.document,
            None => self.store.document(KIND, id)?,
        };
        let document = document.ok_or_else(missing)?.document;
        let damaged = |error: &dyn std::fmt::Display| {
            ApiError::unavailable(format!("table {id} cannot be read: {error}"))
        };
        let saved: SavedPlay = serde_json::from_value(document).map_err(|error| damaged(&error))?;
        let play = Play::restore(id.to_owned(), saved).map_err(|error| damaged(&error.message))?;
        let mut state = self.state();
        let table = || Arc::new(Table::new(id.to_owned(), play));
        Ok(Arc::clone(state.open.entry(id.to_owned()).or_insert_with(table)))
    }

    fn latest(&self) -> Result<Vec<serde_json::Value>, ApiError> {
        // In this order: what is written in between is in both, not in neither.
        let waiting = self.state().waiting.clone();
        let mut documents = self.store.latest_documents(KIND, LISTED)?;
        documents.retain(|document| !waiting.contains_key(&document.id));
        documents.extend(waiting.into_values().filter_map(|waiting| waiting.document));
        documents.sort_by_key(|document| std::cmp::Reverse(document.updated_at));
        documents.truncate(LISTED as usize);
        Ok(documents.into_iter().map(|document| document.summary).collect())
    }

    /// Saves until it is told to end and nothing waits any more.
    fn serve(&self) {
        for round in 0_u64.. {
            let mut state = self.state();
            while state.waiting.is_empty() && !state.closed {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.waiting.is_empty() {
                return;
            }
            let (waiting, closed) = (state.waiting.clone(), state.closed);
            drop(state);
            let trimmed = || match round % ROUNDS {
                0 => self.store.trim_documents(KIND, KEPT).map(drop),
                _ => Ok(()),
            };
            match self.write(&waiting).and_then(|()| Ok(trimmed()?)) {
                Ok(()) => self.written(&waiting),
                Err(error) => {
                    say(&format!("games were not saved: {}", error.message));
                    if closed {
                        return;
                    }
                    thread::sleep(RETRY);
                }
            }
        }
    }

    fn write(&self, waiting: &HashMap<String, Waiting>) -> Result<(), ApiError> {
        let documents = waiting.values().filter_map(|waiting| waiting.document.clone());
        self.store.save_documents(documents.collect())?;
        for (id, _) in waiting.iter().filter(|(_, waiting)| waiting.document.is_none()) {
            self.store.delete_document(KIND, id)?;
        }
        Ok(())
    }

    /// What is on the disk need not wait any more, nor stay in memory.
    fn written(&self, written: &HashMap<String, Waiting>) {
        let mut state = self.state();
        let State { open, waiting, .. } = &mut *state;
        waiting.retain(|id, one| written.get(id).is_none_or(|done| done.number != one.number));
        if open.len() > OPEN {
            open.retain(|id, table| Arc::strong_count(table) > 1 || waiting.contains_key(id));
        }
    }
}

impl App {
    /// The table called `id`, awake: its player thinks if it is to move.
    pub async fn table(self: &Arc<Self>, id: &str) -> Result<Arc<Table>, ApiError> {
        let table = self.tables.find(id).await?;
        table.wake(self);
        Ok(table)
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
