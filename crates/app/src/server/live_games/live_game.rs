//! A live game: its state, its watchers, and the search for its next move.

use super::{
    game_state::{GameState, MoveRequest, StateChange},
    players::LivePlayers,
    view::LiveGameView,
};
use crate::server::{
    App,
    client::Client,
    error::ApiError,
    search_pool::SearchTask,
    search_queue::{SearchOrder, Urgency},
    state::internal_error,
};
use ludus_arena::store::StoreError;
use ludus_core::{EndReason, Outcome};
use ludus_players::{Analysis, SearchReport};
use serde_json::json;
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};
use tokio::{
    sync::{self, broadcast, watch},
    task::JoinHandle,
};

/// Maximum time of a search for a move.
pub const MAX_SEARCH_TIME: Duration = Duration::from_secs(60);
/// Time a search continues after the last watcher disconnects, so that a page reload does not cancel
/// it.
const DISCONNECT_GRACE: Duration = Duration::from_secs(5);
/// Minimum time between two progress reports of a search.
const MIN_REPORT_INTERVAL: Duration = Duration::from_millis(100);

/// Delay before a move of a player that could not be saved is tried again.
const SAVE_RETRY_DELAY: Duration = Duration::from_secs(1);

/// A game in progress. Holding a reference keeps it in memory.
pub struct LiveGame {
    id: String,
    /// Held during a change, until it is saved and shown: changes are made one after another.
    changes: sync::Mutex<()>,
    /// The game as it is on disk, and its search.
    state: Mutex<GameState>,
    is_deleted: AtomicBool,
    /// Version of the game, sent on every change.
    version_updates: watch::Sender<u64>,
    /// Analysis of the player to move, as JSON messages.
    analysis_messages: broadcast::Sender<Arc<str>>,
    watchers: AtomicUsize,
    /// The players, kept between moves for their tables and trees.
    players: Mutex<Option<LivePlayers>>,
    work: Mutex<BackgroundWork>,
}

/// Background tasks of a game.
#[derive(Default)]
struct BackgroundWork {
    search: Option<Search>,
    flag_timer: Option<AbortOnDrop>,
}

/// Reasons for which a change was not made.
#[derive(Debug)]
pub enum ChangeError {
    /// It is not possible.
    Refused(ApiError),
    /// It could not be saved.
    NotSaved(StoreError),
}

impl From<ApiError> for ChangeError {
    fn from(error: ApiError) -> ChangeError {
        ChangeError::Refused(error)
    }
}

impl From<ChangeError> for ApiError {
    fn from(error: ChangeError) -> ApiError {
        match error {
            ChangeError::Refused(error) => error,
            ChangeError::NotSaved(error) => {
                ApiError::unavailable(format!("not saved, so not done; try again: {error}"))
            }
        }
    }
}

/// A search under way. Dropping it cancels it.
struct Search {
    stop_early: Box<dyn Fn() + Send + Sync>,
    _task: AbortOnDrop,
}

/// A tokio task that is aborted on drop.
struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // No code that panics runs under these locks.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl LiveGame {
    pub fn new(id: String, state: GameState) -> LiveGame {
        LiveGame {
            id,
            changes: sync::Mutex::default(),
            is_deleted: AtomicBool::new(false),
            version_updates: watch::Sender::new(state.version()),
            state: Mutex::new(state),
            analysis_messages: broadcast::Sender::new(16),
            watchers: AtomicUsize::new(0),
            players: Mutex::new(None),
            work: Mutex::default(),
        }
    }

    pub fn state(&self) -> MutexGuard<'_, GameState> {
        lock(&self.state)
    }

    pub fn view(&self) -> LiveGameView {
        self.state().view()
    }

    /// Notifies of every change.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.version_updates.subscribe()
    }

    /// Receives the analysis of the player to move.
    pub fn subscribe_analysis(&self) -> broadcast::Receiver<Arc<str>> {
        self.analysis_messages.subscribe()
    }

    /// Changes the game: saves it as it will be, and only then shows it to everybody. If it cannot be saved,
    /// it stays as it was.
    ///
    /// The change is completed even if the caller does not wait for it, so that memory and disk agree.
    pub async fn change(
        self: &Arc<Self>,
        app: &Arc<App>,
        action: impl FnOnce(&mut GameState) -> Result<StateChange, ApiError> + Send + 'static,
    ) -> Result<(), ChangeError> {
        let (live_game, app) = (Arc::clone(self), Arc::clone(app));
        let change = async move { live_game.change_and_save(&app, action).await };
        let change = tokio::spawn(Client::inherit(change));
        change.await.unwrap_or_else(|_| Err(internal_error().into()))
    }

    async fn change_and_save(
        self: &Arc<Self>,
        app: &Arc<App>,
        action: impl FnOnce(&mut GameState) -> Result<StateChange, ApiError>,
    ) -> Result<(), ChangeError> {
        let _lock = self.lock_changes().await;
        if self.is_deleted() {
            return Err(ApiError::missing("the game was deleted").into());
        }
        let mut changed = self.state().clone();
        if action(&mut changed)? == StateChange::None {
            return Ok(());
        }
        changed.bump_version();
        if let Err(error) = app.live_games.save(&changed).await {
            self.pause_clock();
            return Err(ChangeError::NotSaved(error));
        }
        let mut state = self.state();
        *state = changed;
        self.restart_work(app, &mut state);
        Ok(())
    }

    /// Waits until no change is under way, and prevents changes until the result is dropped.
    pub async fn lock_changes(&self) -> sync::MutexGuard<'_, ()> {
        self.changes.lock().await
    }

    /// Stops the clock, as nobody can move. The next request for the game starts it again.
    fn pause_clock(&self) {
        self.state().stop_clock();
        lock(&self.work).flag_timer = None;
    }

    /// Starts the search and the clock of the side to move if they are idle: in a game that was just
    /// loaded, had no watchers or could not be saved.
    pub async fn resume(self: &Arc<Self>, app: &Arc<App>) {
        if !self.is_idle(&self.state()) {
            return;
        }
        let _lock = self.lock_changes().await;
        let mut state = self.state();
        if self.is_idle(&state) && !self.is_deleted() {
            state.resume_clock();
            self.restart_work(app, &mut state);
        }
    }

    fn is_idle(&self, state: &GameState) -> bool {
        let is_to_search = state.player_error.is_none() && state.move_request().is_some();
        lock(&self.work).search.is_none() && (state.is_clock_stopped() || is_to_search)
    }

    /// Restarts the background tasks and notifies watchers.
    fn restart_work(self: &Arc<Self>, app: &Arc<App>, state: &mut GameState) {
        let mut work = lock(&self.work);
        *work = BackgroundWork {
            search: self.start_search(app, state),
            flag_timer: self.start_flag_timer(app, state),
        };
        drop(work);
        self.version_updates.send_replace(state.version());
    }

    fn start_flag_timer(
        self: &Arc<Self>,
        app: &Arc<App>,
        state: &GameState,
    ) -> Option<AbortOnDrop> {
        let (flag_falls_at, version) = (state.flag_falls_at()?, state.version());
        let (live_game, app) = (Arc::clone(self), Arc::clone(app));
        Some(AbortOnDrop(tokio::spawn(Client::inherit(async move {
            tokio::time::sleep_until(flag_falls_at.into()).await;
            let fall = move |state: &mut GameState| {
                check_version(state, version)?;
                state.flag_fall();
                Ok(StateChange::Made)
            };
            // If it cannot be saved, the flag falls when the clock is started again.
            let _ = live_game.change(&app, fall).await;
        }))))
    }

    fn start_search(self: &Arc<Self>, app: &Arc<App>, state: &mut GameState) -> Option<Search> {
        let request = state.move_request().filter(|_| state.player_error.is_none())?;
        let version = request.version;
        // Nobody waits for a game between players, even if somebody watches it.
        let is_played = state.player(!request.side).is_none();
        let urgency = if is_played { Urgency::Waited } else { Urgency::Background };
        let search_task = match self.submit(app, request, urgency) {
            Ok(search_task) => search_task,
            Err(error) => {
                state.player_error = Some(error.message);
                return None;
            }
        };
        state.thinking = true;
        let stop_early = Box::new(search_task.stop_early());
        let (live_game, app) = (Arc::clone(self), Arc::clone(app));
        let task = AbortOnDrop(tokio::spawn(Client::inherit(async move {
            let answer = search_task.await.and_then(|found| found);
            live_game.play_found_move(&app, version, answer).await;
        })));
        Some(Search { stop_early, _task: task })
    }

    /// Makes the move that a search has found, unless the game has changed meanwhile. While it cannot be
    /// saved, the game says so, and it is tried again.
    async fn play_found_move(
        self: &Arc<Self>,
        app: &Arc<App>,
        version: u64,
        answer: Result<Arc<Analysis>, ApiError>,
    ) {
        loop {
            let answer = answer.clone();
            let play = move |state: &mut GameState| {
                check_version(state, version)?;
                apply_search_result(state, answer);
                Ok(StateChange::Made)
            };
            let Err(ChangeError::NotSaved(error)) = self.change(app, play).await else { return };
            self.show_not_saved(version, &error);
            tokio::time::sleep(SAVE_RETRY_DELAY).await;
        }
    }

    fn show_not_saved(&self, version: u64, error: &StoreError) {
        let mut state = self.state();
        if state.version() == version {
            state.not_saved = Some(error.to_string());
            self.version_updates.send_replace(version);
        }
    }

    fn submit(
        self: &Arc<Self>,
        app: &Arc<App>,
        request: MoveRequest,
        urgency: Urgency,
    ) -> Result<SearchTask<Result<Arc<Analysis>, ApiError>>, ApiError> {
        let (live_game, shared_app) = (Arc::clone(self), Arc::clone(app));
        let submitted = Instant::now();
        let order = SearchOrder::new(urgency, &self.id);
        app.move_searches.submit(order, MAX_SEARCH_TIME, move |stop| {
            let request = request.after_waiting(submitted.elapsed());
            let version = request.version;
            let mut last_report = None;
            let mut on_report = |report: &SearchReport<'_>| {
                live_game.report_throttled(version, report, &mut last_report);
            };
            // After an error the next search starts with new players.
            let mut players = lock(&live_game.players).take().unwrap_or_default();
            let analysis = players.choose(&request, &shared_app, stop, &mut on_report)?;
            if analysis.best.is_some() {
                live_game.broadcast_analysis(version, &analysis);
            }
            let bytes = players.bytes();
            *lock(&live_game.players) = Some(players);
            shared_app.live_games.track_memory(&live_game, bytes);
            Ok(Arc::new(analysis))
        })
    }

    /// Sends the analysis of a report to watchers, at most once per `MIN_REPORT_INTERVAL`.
    fn report_throttled(
        &self,
        version: u64,
        report: &SearchReport<'_>,
        last: &mut Option<Instant>,
    ) {
        let too_soon = last.is_some_and(|last| last.elapsed() < MIN_REPORT_INTERVAL);
        if too_soon || self.analysis_messages.receiver_count() == 0 {
            return;
        }
        *last = Some(Instant::now());
        self.broadcast_analysis(version, &report.analysis());
    }

    /// Sends analysis to watchers unless the game has moved past `version`.
    fn broadcast_analysis(&self, version: u64, analysis: &Analysis) {
        if self.state().version() != version {
            return;
        }
        let _ = self.analysis_messages.send(thinking_message(analysis).into()); // fails without watchers
    }

    /// Messages for a new watcher: the game, and the analysis behind the last move of a player.
    pub fn initial_messages(&self) -> Vec<String> {
        let state = self.state();
        let game = json!({ "type": "table", "table": state.view() }).to_string();
        std::iter::once(game).chain(state.last_analysis().map(thinking_message)).collect()
    }

    /// Drops the memory that players keep between moves.
    pub fn drop_players(&self) {
        lock(&self.players).take();
    }

    /// Makes the player to move play its best move so far, or search again if it failed.
    pub async fn move_now(self: &Arc<Self>, app: &Arc<App>) -> Result<(), ApiError> {
        let _lock = self.lock_changes().await;
        let mut state = self.state();
        if let Some(search) = &lock(&self.work).search {
            (search.stop_early)();
            return Ok(());
        }
        state.player_error = None;
        if state.move_request().is_none() {
            let message = "no computer player is to move";
            return Err(ApiError::conflict(message));
        }
        state.resume_clock();
        self.restart_work(app, &mut state);
        Ok(())
    }

    /// Deletes the game, and aborts its background tasks.
    pub async fn delete(self: &Arc<Self>, app: &Arc<App>) -> Result<(), ChangeError> {
        let (live_game, app) = (Arc::clone(self), Arc::clone(app));
        let deletion = tokio::spawn(async move {
            let _lock = live_game.lock_changes().await;
            app.live_games.delete(&live_game.id).await.map_err(ChangeError::NotSaved)?;
            live_game.is_deleted.store(true, Relaxed);
            *lock(&live_game.work) = BackgroundWork::default();
            Ok(())
        });
        deletion.await.unwrap_or_else(|_| Err(internal_error().into()))
    }

    pub fn is_deleted(&self) -> bool {
        self.is_deleted.load(Relaxed)
    }

    /// Registers a watcher until the result is dropped.
    pub fn watch(self: &Arc<Self>) -> Watcher {
        self.watchers.fetch_add(1, Relaxed);
        Watcher(Arc::clone(self))
    }

    /// Cancels the search if no watcher has reconnected.
    async fn stop_if_unwatched(&self) {
        let _lock = self.lock_changes().await;
        let mut state = self.state();
        // A game with a clock goes on: the clock would run against a stopped player.
        let wanted = self.watchers.load(Relaxed) > 0 || state.has_clock();
        if !wanted && lock(&self.work).search.take().is_some() {
            state.bump_version(); // a late result is discarded
            self.version_updates.send_replace(state.version());
        }
    }
}

/// A client connected to a game.
pub struct Watcher(Arc<LiveGame>);

impl Watcher {
    pub fn live_game(&self) -> &LiveGame {
        &self.0
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        if self.0.watchers.fetch_sub(1, Relaxed) > 1 {
            return;
        }
        let live_game = Arc::clone(&self.0);
        // Without a runtime, at shutdown, there is no search left to stop.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                tokio::time::sleep(DISCONNECT_GRACE).await;
                live_game.stop_if_unwatched().await;
            });
        }
    }
}

fn thinking_message(analysis: &Analysis) -> String {
    json!({ "type": "thinking", "analysis": analysis }).to_string()
}

fn check_version(state: &GameState, version: u64) -> Result<(), ApiError> {
    if state.version() == version {
        return Ok(());
    }
    Err(ApiError::conflict("the game has changed meanwhile"))
}

/// Makes the move found by a search, or records its error.
fn apply_search_result(state: &mut GameState, answer: Result<Arc<Analysis>, ApiError>) {
    let done = answer.and_then(|analysis| match &analysis.best {
        None => {
            state.decide(Outcome::Win(!state.turn()), EndReason::Resignation);
            Ok(())
        }
        Some(mv) => {
            state.play_move(mv)?;
            state.keep_analysis(analysis);
            Ok(())
        }
    });
    state.player_error = done.err().map(|error| error.message);
}
