//! A table everybody can sit down at: one game, who watches it, and the search for its next move.

use super::{
    mind::Mind,
    play::{Order, Play},
    view::TableView,
};
use crate::server::{App, error::ApiError, thinking::Thought};
use ludus_core::{Outcome, Reason};
use ludus_players::{Analysis, Turn};
use serde_json::json;
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use tokio::{
    sync::{broadcast, watch},
    task::JoinHandle,
};

/// The longest search for a move.
pub const THINKING: Duration = Duration::from_secs(60);
/// How long a search goes on after the last page that showed the table was closed: a reload must not
/// cost the player its thoughts.
const PATIENCE: Duration = Duration::from_secs(5);
/// The least time between two reports of a search.
const REPORTS: Duration = Duration::from_millis(100);

/// A table. Whoever holds one keeps it in memory.
pub struct Table {
    id: String,
    play: Mutex<Play>,
    /// The version of the game.
    news: watch::Sender<u64>,
    /// What the player thinks, as messages for pages.
    thoughts: broadcast::Sender<Arc<str>>,
    watchers: AtomicUsize,
    /// The player's own board, kept from move to move for what it remembers.
    mind: Mutex<Option<Mind>>,
    work: Mutex<Work>,
}

/// What goes on at a table by itself.
#[derive(Default)]
struct Work {
    search: Option<Search>,
    _flag: Option<Alarm>,
}

/// A search under way. Dropping it cancels it.
struct Search {
    hurry: Box<dyn Fn() + Send + Sync>,
    _task: Alarm,
}

/// A task that ends when it is dropped.
struct Alarm(JoinHandle<()>);

impl Drop for Alarm {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing that panics runs under these locks.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Table {
    pub fn new(id: String, play: Play) -> Table {
        Table {
            id,
            news: watch::Sender::new(play.version()),
            play: Mutex::new(play),
            thoughts: broadcast::Sender::new(16),
            watchers: AtomicUsize::new(0),
            mind: Mutex::new(None),
            work: Mutex::default(),
        }
    }

    pub fn id(&self) -> &str {
        &self.id
    }

    pub fn play(&self) -> MutexGuard<'_, Play> {
        lock(&self.play)
    }

    pub fn view(&self) -> TableView {
        self.play().view()
    }

    /// Hears of every change.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    /// Hears what the player thinks.
    pub fn listen(&self) -> broadcast::Receiver<Arc<str>> {
        self.thoughts.subscribe()
    }

    /// Changes the game and sees to all that follows from it.
    pub fn change<T>(
        self: &Arc<Self>,
        app: &Arc<App>,
        act: impl FnOnce(&mut Play) -> Result<T, ApiError>,
    ) -> Result<T, ApiError> {
        let mut play = self.play();
        let value = act(&mut play)?;
        play.touch();
        self.settle(app, &mut play);
        Ok(value)
    }

    /// Lets the player to move think and the clock to move run, if they do not; for a game that was
    /// just loaded, or that nobody watched.
    pub fn wake(self: &Arc<Self>, app: &Arc<App>) {
        let mut play = self.play();
        let idle = lock(&self.work).search.is_none() && play.fault.is_none();
        if play.is_halted() || (idle && play.order().is_some()) {
            play.go_on();
            self.settle(app, &mut play);
        }
    }

    fn settle(self: &Arc<Self>, app: &Arc<App>, play: &mut Play) {
        let mut work = lock(&self.work);
        *work = Work { search: self.start_search(app, play), _flag: self.watch_flag(app, play) };
        drop(work);
        app.tables.save(self, play);
        self.news.send_replace(play.version());
    }

    fn watch_flag(self: &Arc<Self>, app: &Arc<App>, play: &Play) -> Option<Alarm> {
        let (falls, version) = (play.falls()?, play.version());
        let (table, app) = (Arc::clone(self), Arc::clone(app));
        Some(Alarm(tokio::spawn(async move {
            tokio::time::sleep_until(falls.into()).await;
            let _ = table.change(&app, |play| {
                check_version(play, version)?;
                play.fall();
                Ok(())
            });
        })))
    }

    fn start_search(self: &Arc<Self>, app: &Arc<App>, play: &mut Play) -> Option<Search> {
        let order = play.order().filter(|_| play.fault.is_none())?;
        let version = order.version;
        let thought = match self.submit(app, order) {
            Ok(thought) => thought,
            Err(error) => {
                play.fault = Some(error.message);
                return None;
            }
        };
        play.thinking = true;
        let hurry = Box::new(thought.hurry());
        let (table, app) = (Arc::clone(self), Arc::clone(app));
        let task = Alarm(tokio::spawn(async move {
            let answer = thought.await.and_then(|turn| turn);
            // A game that has changed meanwhile has no use for it.
            let _ = table.change(&app, |play| {
                check_version(play, version)?;
                apply(play, answer);
                Ok(())
            });
        }));
        Some(Search { hurry, _task: task })
    }

    fn submit(
        self: &Arc<Self>,
        app: &Arc<App>,
        order: Order,
    ) -> Result<Thought<Result<Turn, ApiError>>, ApiError> {
        let (table, app_too) = (Arc::clone(self), Arc::clone(app));
        let asked = Instant::now();
        app.moves.submit(THINKING, move |stop| {
            let order = order.begun_after(asked.elapsed());
            let version = order.version;
            let mut reported = None;
            let mut on_report =
                |analysis: &Analysis| table.report(version, analysis, &mut reported);
            let known = lock(&table.mind).take();
            let (mind, turn) = Mind::think(known, &order, &app_too, stop, &mut on_report)?;
            if let Turn::Moved(thought) = &turn {
                table.tell(version, thought);
            }
            let bytes = mind.bytes();
            *lock(&table.mind) = Some(mind);
            app_too.tables.remember(&table, bytes);
            Ok(turn)
        })
    }

    /// Tells those who watch what the player thinks, not too often.
    fn report(&self, version: u64, analysis: &Analysis, last: &mut Option<Instant>) {
        let soon = last.is_some_and(|last| last.elapsed() < REPORTS);
        if soon || self.thoughts.receiver_count() == 0 {
            return;
        }
        *last = Some(Instant::now());
        self.tell(version, analysis);
    }

    /// Tells a thought about this version of the game, if it is still the one.
    fn tell(&self, version: u64, analysis: &Analysis) {
        if self.play().version() != version {
            return;
        }
        let _ = self.thoughts.send(thinking_message(analysis).into()); // nobody has to listen
    }

    /// The table for a page that has just come, with what the player that moved last thought.
    pub fn greetings(&self) -> Vec<String> {
        let play = self.play();
        let table = json!({ "type": "table", "table": play.view() }).to_string();
        std::iter::once(table).chain(play.thought().map(thinking_message)).collect()
    }

    /// Forgets what the player remembers between its moves.
    pub fn forget(&self) {
        lock(&self.mind).take();
    }

    /// Lets the player to move play at once, or try again if it failed.
    pub fn hurry(self: &Arc<Self>, app: &Arc<App>) -> Result<(), ApiError> {
        let mut play = self.play();
        if let Some(search) = &lock(&self.work).search {
            (search.hurry)();
            return Ok(());
        }
        play.fault = None;
        if play.order().is_none() {
            let message = "no player is to move: a human is, or the game is over";
            return Err(ApiError::conflict(message));
        }
        play.go_on();
        self.settle(app, &mut play);
        Ok(())
    }

    /// Ends all work at the table.
    pub fn close(&self) {
        *lock(&self.work) = Work::default();
    }

    /// A page shows the table until what is returned is dropped.
    pub fn watched(self: &Arc<Self>) -> Watcher {
        self.watchers.fetch_add(1, Relaxed);
        Watcher(Arc::clone(self))
    }

    /// Gives up the search if nobody has come back to see its move.
    fn pause(&self) {
        let mut play = self.play();
        // A clock would go on against a player that may not think.
        let wanted = self.watchers.load(Relaxed) > 0 || play.has_clocks();
        if !wanted && lock(&self.work).search.take().is_some() {
            play.touch(); // a move that comes late is not made
            self.news.send_replace(play.version());
        }
    }
}

/// A page that shows a table.
pub struct Watcher(Arc<Table>);

impl Watcher {
    pub fn table(&self) -> &Table {
        &self.0
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if self.0.watchers.fetch_sub(1, Relaxed) > 1 {
            return;
        }
        let table = Arc::clone(&self.0);
        // Outside of the server, as it ends, there is nothing left to pause.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                tokio::time::sleep(PATIENCE).await;
                table.pause();
            });
        }
    }
}

fn thinking_message(analysis: &Analysis) -> String {
    json!({ "type": "thinking", "analysis": analysis }).to_string()
}

fn check_version(play: &Play, version: u64) -> Result<(), ApiError> {
    if play.version() == version {
        return Ok(());
    }
    Err(ApiError::conflict("the game has changed meanwhile"))
}

/// What a player did, or why it did nothing.
fn apply(play: &mut Play, answer: Result<Turn, ApiError>) {
    let done = answer.and_then(|turn| match turn {
        Turn::Resigned => {
            play.decide(Outcome::Win(!play.turn()), Reason::Resignation);
            Ok(())
        }
        Turn::Moved(thought) => play.make_thought(thought),
    });
    play.fault = done.err().map(|error| error.message);
}
