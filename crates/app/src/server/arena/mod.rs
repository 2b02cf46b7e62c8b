//! Contests: started, watched, stopped and resumed; those of the command line are here too.

mod live;
mod request;

use super::{
    App,
    error::{ApiError, Input, Path, Query},
    watched::Phase,
};
use axum::{
    Json, Router,
    extract::{State, WebSocketUpgrade, ws::WebSocket},
    http::StatusCode,
    response::Response,
    routing::{any, get, post},
};
use live::{Document, Live, phase_of};
use ludus_arena::{
    contest::{self, Setup, Start},
    identity,
    run::RunError,
    store::{ContestFilter, GameFilter, GameRow, Order, Store, StoredContest},
};
use ludus_players::{DataFolder, Finds, Resources, external};
use request::ContestRequest;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};
use utoipa::ToSchema;

/// Contests held at the same time.
const MOST_RUNNING: usize = 4;
/// Contests kept in memory that nobody plays any more.
const MOST_KEPT: usize = 64;
/// Contests listed.
const LISTED: u64 = 200;
/// Games of a page.
const PAGE: u64 = 100;
/// From one message of a watched contest to the next.
const PAUSE: Duration = Duration::from_millis(200);

/// The contests this process knows of beyond the store.
#[derive(Default)]
pub struct Contests {
    live: Mutex<BTreeMap<i64, Arc<Live>>>,
    /// Held while a contest is started, so that no two take the last place.
    starting: Mutex<()>,
}

impl Contests {
    fn live(&self) -> MutexGuard<'_, BTreeMap<i64, Arc<Live>>> {
        // Nothing that can panic happens under the lock.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, id: i64) -> Option<Arc<Live>> {
        self.live().get(&id).cloned()
    }

    fn running(&self) -> usize {
        self.live().values().filter(|live| live.work.phase() == Phase::Running).count()
    }

    /// Keeps a contest, and lets go of some that are over.
    fn keep(&self, live: &Arc<Live>) {
        let mut all = self.live();
        all.insert(live.id, Arc::clone(live));
        while all.len() > MOST_KEPT {
            let over = |live: &&Arc<Live>| live.work.phase() != Phase::Running;
            let Some(old) = all.values().find(over).map(|live| live.id) else { return };
            all.remove(&old);
        }
    }
}

impl Drop for Contests {
    fn drop(&mut self) {
        self.live().values().for_each(|live| live.work.stop());
    }
}

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/contests", get(list).post(start))
        .route("/api/contests/{id}", get(one))
        .route("/api/contests/{id}/stop", post(stop))
        .route("/api/contests/{id}/resume", post(resume))
        .route("/api/contests/{id}/games", get(games))
        .route("/api/contests/{id}/live", any(watch))
        .route("/api/games/{id}", get(game))
}

/// Does work that waits for the disk on a thread that may wait.
async fn waiting<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let failed = |_| ApiError::unavailable("the store failed: look at the data directory");
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}

/// What the players of a contest may use: what happens to be in the data directory must not change
/// results.
fn resources(app: &App) -> Resources {
    let path = app.settings.data.clone();
    let data = DataFolder { path, finds: Finds::Ignored, on_step: None };
    Resources { data: Some(data), ..Resources::default() }
}

/// Starts a contest
#[utoipa::path(post, path = "/api/contests", tag = "arena", request_body = ContestRequest,
    responses((status = 201, description = "The contest", body = Document),
              (status = 400, description = "The input is wrong", body = super::error::ErrorBody),
              (status = 429, description = "Too many contests are under way", body = super::error::ErrorBody)))]
pub async fn start(
    State(app): State<Arc<App>>,
    Input(request): Input<ContestRequest>,
) -> Result<(StatusCode, Json<Document>), ApiError> {
    let document = waiting(move || {
        // Players are made to be checked, and some build tables of endings first.
        let setup = request.set_up(resources(&app))?;
        let _turn = app.contests.starting.lock();
        make_room(&app)?;
        let id = contest::register(&setup, &app.store, Start::Anew).map_err(in_words)?;
        hold(&app, id, setup)
    });
    Ok((StatusCode::CREATED, Json(document.await?)))
}

fn make_room(app: &App) -> Result<(), ApiError> {
    if app.contests.running() >= MOST_RUNNING {
        let message = format!("{MOST_RUNNING} contests are under way: stop one, or wait");
        return Err(ApiError::too_many(message));
    }
    Ok(())
}

fn in_words(error: RunError) -> ApiError {
    match error {
        RunError::Player(error) => error.into(),
        RunError::Opening(error) => error.into(),
        RunError::Store(error) => error.into(),
        other @ RunError::OtherBuild { .. } => ApiError::conflict(other.to_string()),
    }
}

/// Holds a contest on a thread of its own.
fn hold(app: &App, id: i64, setup: Setup) -> Result<Document, ApiError> {
    let live = Arc::new(Live::new(id, &setup, Phase::Running));
    app.contests.keep(&live);
    let document = live.document();
    let (store, held) = (app.store.clone(), Arc::clone(&live));
    let thread = thread::Builder::new().name(format!("contest {id}"));
    let spawned = thread.spawn(move || held.hold(&setup, &store));
    if spawned.is_err() {
        live.fail("no thread for another contest");
        return Err(ApiError::unavailable("no thread for another contest: try again later"));
    }
    Ok(document)
}

/// A contest in the list.
#[derive(Serialize, ToSchema)]
pub struct Summary {
    id: String,
    name: String,
    game: String,
    players: Vec<String>,
    form: String,
    done: u64,
    planned: u64,
    /// `running`, `stopped`, `finished` or `failed`.
    state: Phase,
    error: Option<String>,
    /// Seconds since 1970.
    started: i64,
}

#[derive(Serialize, ToSchema)]
pub struct Summaries {
    contests: Vec<Summary>,
}

/// The contests, newest first
#[utoipa::path(get, path = "/api/contests", tag = "arena",
    responses((status = 200, description = "The contests", body = Summaries)))]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<Summaries>, ApiError> {
    let contests = waiting(move || {
        let stored = app.store.contests(LISTED)?;
        Ok(stored.iter().map(|contest| summary(&app, contest)).collect())
    });
    Ok(Json(Summaries { contests: contests.await? }))
}

fn summary(app: &App, stored: &StoredContest) -> Summary {
    let live = app.contests.get(stored.id);
    let setup = Setup::of_stored(stored, Resources::default(), 1).ok();
    let texts = |name: &str| {
        let list = stored.config[name].as_array().into_iter().flatten();
        list.filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    Summary {
        id: stored.id.to_string(),
        name: stored.name.clone(),
        game: stored.game.clone(),
        players: texts("players"),
        form: stored.config["form"].as_str().unwrap_or_default().to_owned(),
        done: live.as_ref().map_or(stored.games, |live| live.done().max(stored.games)),
        planned: setup.map_or(stored.games, |setup| setup.planned()),
        state: live.as_ref().map_or_else(|| phase_of(stored), |live| live.work.phase()),
        error: live.and_then(|live| live.error()),
        started: stored.started_at,
    }
}

/// The contest in memory, or as the store has it.
async fn find(app: &Arc<App>, id: &str) -> Result<Arc<Live>, ApiError> {
    let id = key(id)?;
    if let Some(live) = app.contests.get(id) {
        return Ok(live);
    }
    let app = Arc::clone(app);
    waiting(move || {
        let stored = stored(&app.store, id)?;
        let setup = Setup::of_stored(&stored, resources(&app), 1)?;
        let live = Live::new(id, &setup, phase_of(&stored));
        live.show(&contest::so_far(&setup, &app.store, id).map_err(in_words)?);
        let live = Arc::new(live);
        // Another process may go on with one that is not finished.
        if live.work.phase() == Phase::Finished {
            app.contests.keep(&live);
        }
        Ok(live)
    })
    .await
}

fn key(id: &str) -> Result<i64, ApiError> {
    id.parse().map_err(|_| no_contest(id))
}

fn no_contest(id: &str) -> ApiError {
    let shown: String = id.chars().take(40).collect();
    ApiError::missing(format!("there is no contest {shown:?}: GET /api/contests lists them"))
}

fn stored(store: &Store, id: i64) -> Result<StoredContest, ApiError> {
    store.contest(id)?.ok_or_else(|| no_contest(&id.to_string()))
}

/// A contest
#[utoipa::path(get, path = "/api/contests/{id}", tag = "arena",
    responses((status = 200, description = "The contest", body = Document),
              (status = 404, description = "There is none", body = super::error::ErrorBody)))]
pub async fn one(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Document>, ApiError> {
    Ok(Json(find(&app, &id).await?.document()))
}

/// Stops a contest; its finished games stay
#[utoipa::path(post, path = "/api/contests/{id}/stop", tag = "arena",
    responses((status = 200, description = "The contest", body = Document),
              (status = 409, description = "It is not under way", body = super::error::ErrorBody)))]
pub async fn stop(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Document>, ApiError> {
    let live = find(&app, &id).await?;
    if live.work.phase() != Phase::Running {
        return Err(ApiError::conflict("the contest is not under way"));
    }
    live.work.stop();
    live.work.ended().await;
    Ok(Json(live.document()))
}

/// Goes on with a contest that was stopped
#[utoipa::path(post, path = "/api/contests/{id}/resume", tag = "arena",
    responses((status = 200, description = "The contest", body = Document),
              (status = 409, description = "It is under way or finished", body = super::error::ErrorBody)))]
pub async fn resume(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Document>, ApiError> {
    let id = key(&id)?;
    let document = waiting(move || {
        let stored = stored(&app.store, id)?;
        let _turn = app.contests.starting.lock();
        let phase = app.contests.get(id).map_or(phase_of(&stored), |live| live.work.phase());
        if matches!(phase, Phase::Running | Phase::Finished) {
            return Err(ApiError::conflict("only a contest that was stopped can go on"));
        }
        make_room(&app)?;
        let setup = Setup::of_stored(&stored, resources(&app), request::usual_concurrency())?;
        let outside =
            |player: &&String| external::IDS.contains(&ludus_core::options::split_name(player).0);
        if let Some(player) = setup.players.iter().find(outside) {
            let message =
                format!("{player} starts a program: go on with it by ludus match --resume");
            return Err(ApiError::bad(message));
        }
        let players = setup.identities()?;
        identity::check(&app.store, id, &players).map_err(in_words)?;
        hold(&app, id, setup)
    });
    Ok(Json(document.await?))
}

#[derive(Deserialize)]
pub struct Offset {
    #[serde(default)]
    offset: u64,
}

/// A game in the list.
#[derive(Serialize, ToSchema)]
pub struct GameEntry {
    id: String,
    first: String,
    second: String,
    /// `first`, `second` or `draw`.
    result: String,
    reason: String,
    /// The reason for programs, such as `no-progress`: it never changes.
    reason_id: &'static str,
    plies: u32,
}

#[derive(Serialize, ToSchema)]
pub struct GameList {
    games: Vec<GameEntry>,
}

/// The games of a contest, 100 at a time
#[utoipa::path(get, path = "/api/contests/{id}/games", tag = "arena",
    params(("offset" = Option<u64>, Query, description = "Games to leave out")),
    responses((status = 200, description = "The games", body = GameList)))]
pub async fn games(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(Offset { offset }): Query<Offset>,
) -> Result<Json<GameList>, ApiError> {
    let id = key(&id)?;
    let games = waiting(move || {
        stored(&app.store, id)?;
        let filter = GameFilter {
            contest: Some(ContestFilter::Id(id)),
            limit: Some(PAGE),
            offset,
            order: Order::Oldest,
            ..GameFilter::default()
        };
        let entry = |row: GameRow| GameEntry {
            id: row.id.to_string(),
            first: row.played.first,
            second: row.played.second,
            result: row.played.result,
            reason: row.played.reason.to_string(),
            reason_id: row.played.reason.id(),
            plies: row.played.plies,
        };
        let games = app.store.games(&filter).map(|row| row.map(entry));
        Ok(games.collect::<Result<Vec<_>, _>>()?)
    });
    Ok(Json(GameList { games: games.await? }))
}

/// A finished game of a contest.
#[derive(Serialize, ToSchema)]
pub struct GameDocument {
    id: String,
    contest: String,
    contest_name: String,
    /// With its options.
    game: String,
    first: String,
    second: String,
    /// The build of the first player; see docs/RECORDS.md.
    first_build: String,
    second_build: String,
    result: String,
    reason: String,
    /// The reason for programs, such as `no-progress`: it never changes.
    reason_id: &'static str,
    /// `forced`, `loop`, `forfeit` or `time`, if it is counted apart.
    category: Option<String>,
    plies: u32,
    moves: Vec<String>,
    /// As PGN, PDN or SGF.
    record: String,
    /// Seconds since 1970.
    finished_at: i64,
}

/// A game
#[utoipa::path(get, path = "/api/games/{id}", tag = "arena",
    responses((status = 200, description = "The game", body = GameDocument),
              (status = 404, description = "There is none", body = super::error::ErrorBody)))]
pub async fn game(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<GameDocument>, ApiError> {
    let missing = || ApiError::missing("there is no such game: GET /api/contests lists contests");
    let id: i64 = id.parse().map_err(|_| missing())?;
    let row = waiting(move || Ok(app.store.game(id)?)).await?.ok_or_else(missing)?;
    let played = row.played;
    Ok(Json(GameDocument {
        id: row.id.to_string(),
        contest: row.contest.to_string(),
        contest_name: row.contest_name,
        game: row.game,
        first_build: row.first_build,
        second_build: row.second_build,
        first: played.first,
        second: played.second,
        result: played.result,
        reason: played.reason.to_string(),
        reason_id: played.reason.id(),
        category: played.category,
        plies: played.plies,
        moves: played.moves.split_whitespace().map(str::to_owned).collect(),
        record: played.record,
        finished_at: played.finished_at,
    }))
}

/// Watches a contest
#[utoipa::path(get, path = "/api/contests/{id}/live", tag = "arena",
    responses((status = 101, description = "A WebSocket that sends {type: contest, contest}, at most five times a second")))]
pub async fn watch(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let live = find(&app, &id).await?;
    Ok(upgrade.on_upgrade(move |socket| follow(live, socket)))
}

#[derive(Serialize)]
struct Message {
    r#type: &'static str,
    contest: Document,
}

async fn follow(live: Arc<Live>, socket: WebSocket) {
    let changes = live.work.changes();
    let message = move || Message { r#type: "contest", contest: live.document() };
    super::feed::follow(socket, changes, PAUSE, message).await;
}
