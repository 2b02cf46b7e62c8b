//! Contests: start, watch, stop and resume, including those of the command line.

mod live;
mod request;

use super::{
    App,
    background_job::Phase,
    client::{Client, ClientLimit, ClientPermit},
    client_socket::{ClientSocket, SocketUpgrade},
    error::{ApiError, JsonBody, PathParams, QueryParams},
    memory::{MemoryShare, contest_bytes},
    state::run_blocking,
};
use axum::{
    Json, Router,
    extract::State,
    http::StatusCode,
    response::Response,
    routing::{any, get, post},
};
use live::{ContestView, LiveContest, phase_of};
use ludus_arena::{
    contest::{self, ContestSpec, StartMode},
    game::Category,
    identity,
    parallel::ContestError,
    store::{ContestFilter, GameFilter, GameOrder, GameRow, Store, StoredContest},
};
use ludus_players::{DataFolder, FoundData, Resources, external};
use request::ContestRequest;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread,
    time::Duration,
};
use utoipa::ToSchema;

/// Maximum number of running contests.
const MAX_RUNNING: usize = 4;
/// Maximum number of contests in memory.
const MAX_IN_MEMORY: usize = 64;
/// Maximum number of contests in the list.
const MAX_LISTED: u64 = 200;
/// Games per page.
const GAMES_PER_PAGE: u64 = 100;
/// Minimum time between two updates to a watcher.
const MIN_UPDATE_INTERVAL: Duration = Duration::from_millis(200);

/// Contests in memory: running, or recently requested.
pub struct Contests {
    live: Mutex<BTreeMap<i64, Arc<LiveContest>>>,
    /// Held while a contest is started, so that it is started once.
    starting: Mutex<()>,
    running: Arc<ClientLimit>,
}

impl Contests {
    pub fn new(max_per_client: usize) -> Contests {
        Contests {
            live: Mutex::default(),
            starting: Mutex::default(),
            running: ClientLimit::new(MAX_RUNNING, max_per_client),
        }
    }

    fn live(&self) -> MutexGuard<'_, BTreeMap<i64, Arc<LiveContest>>> {
        // No code that panics runs under the lock.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, id: i64) -> Option<Arc<LiveContest>> {
        self.live().get(&id).cloned()
    }

    /// Adds a contest, and removes surplus ones that are not running.
    fn keep(&self, live: &Arc<LiveContest>) {
        let mut all = self.live();
        all.insert(live.id, Arc::clone(live));
        while all.len() > MAX_IN_MEMORY {
            let not_running = |live: &&Arc<LiveContest>| live.job.phase() != Phase::Running;
            let Some(old) = all.values().find(not_running).map(|live| live.id) else { return };
            all.remove(&old);
        }
    }
}

impl Drop for Contests {
    fn drop(&mut self) {
        self.live().values().for_each(|live| live.job.stop());
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

/// Resources of the players of a contest: files found in the data directory must not change results.
fn resources(app: &App) -> Resources {
    let path = app.settings.data.clone();
    let data = DataFolder { path, found_data: FoundData::Ignored, on_step: None };
    Resources { data: Some(data), ..Resources::default() }
}

/// Starts a contest
#[utoipa::path(post, path = "/api/contests", tag = "arena", request_body = ContestRequest,
    responses((status = 201, description = "The contest", body = ContestView),
              (status = 400, description = "Invalid input", body = super::error::ErrorBody),
              (status = 429, description = "Too many contests in progress", body = super::error::ErrorBody)))]
pub async fn start(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<ContestRequest>,
) -> Result<(StatusCode, Json<ContestView>), ApiError> {
    let client = Client::current();
    let document = run_blocking(move || {
        // Slow: players are created for validation, and some build endgame tables first.
        let setup = request.into_spec(resources(&app))?;
        let _starting = app.contests.starting.lock();
        let resources = take_resources(&app, client, &setup)?;
        let id = contest::register(&setup, &app.store, StartMode::New).map_err(to_api_error)?;
        spawn_contest(&app, id, setup, resources)
    });
    Ok((StatusCode::CREATED, Json(document.await?)))
}

fn run_permit(app: &App, client: Client) -> Result<ClientPermit, ApiError> {
    app.contests.running.acquire(client).map_err(|max| {
        ApiError::too_many(format!("{max} contests are in progress: stop one, or wait"))
    })
}

/// Resources of a running contest: its place among those of its caller, and the memory of its players.
pub struct ContestResources {
    _permit: ClientPermit,
    _memory: MemoryShare,
}

fn take_resources(
    app: &App,
    client: Client,
    setup: &ContestSpec,
) -> Result<ContestResources, ApiError> {
    let bytes = contest_bytes(setup.game, &setup.players, setup.concurrency);
    let purpose = format!("a contest of {} games at once", setup.concurrency);
    Ok(ContestResources {
        _permit: run_permit(app, client)?,
        _memory: app.memory.take(bytes, &purpose)?,
    })
}

fn to_api_error(error: ContestError) -> ApiError {
    match error {
        ContestError::Player(error) => error.into(),
        ContestError::Opening(error) => error.into(),
        ContestError::Store(error) => error.into(),
        ContestError::Lock(error) => ApiError::unavailable(error.to_string()),
        other @ ContestError::OtherBuild { .. } => ApiError::conflict(other.to_string()),
    }
}

/// Runs a contest on its own thread, which gives the resources back at its end.
fn spawn_contest(
    app: &App,
    id: i64,
    setup: ContestSpec,
    resources: ContestResources,
) -> Result<ContestView, ApiError> {
    let live = Arc::new(LiveContest::new(id, &setup, Phase::Running));
    app.contests.keep(&live);
    let document = live.document();
    let (store, contest) = (app.store.clone(), Arc::clone(&live));
    let thread = thread::Builder::new().name(format!("contest {id}"));
    let spawned = thread.spawn(move || contest.run(&setup, &store, resources));
    if spawned.is_err() {
        live.fail("no thread for another contest");
        return Err(ApiError::unavailable("no thread for another contest: try again later"));
    }
    Ok(document)
}

/// A contest in the list.
#[derive(Serialize, ToSchema)]
pub struct ContestSummary {
    id: String,
    name: String,
    game: String,
    players: Vec<String>,
    form: String,
    done: u64,
    planned: u64,
    /// `running`, `stopped`, `finished` or `failed`.
    state: Phase,
    /// Reason of a failure, or the reason why the stored settings cannot be read.
    error: Option<String>,
    /// Seconds since 1970.
    started: i64,
}

#[derive(Serialize, ToSchema)]
pub struct ContestList {
    contests: Vec<ContestSummary>,
}

/// Lists the contests, newest first
#[utoipa::path(get, path = "/api/contests", tag = "arena",
    responses((status = 200, description = "The contests", body = ContestList)))]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<ContestList>, ApiError> {
    let contests = run_blocking(move || {
        let stored = app.store.contests(MAX_LISTED)?;
        Ok(stored.iter().map(|contest| summary(&app, contest)).collect())
    });
    Ok(Json(ContestList { contests: contests.await? }))
}

fn summary(app: &App, stored: &StoredContest) -> ContestSummary {
    let live = app.contests.get(stored.id);
    let (setup, damage) = match ContestSpec::from_stored(stored, Resources::default(), 1) {
        Ok(setup) => (Some(setup), None),
        Err(error) => (None, Some(error.to_string())),
    };
    // As stored, also if the rest cannot be read.
    let texts = |name: &str| {
        let list = stored.config[name].as_array().into_iter().flatten();
        list.filter_map(|text| text.as_str().map(str::to_owned)).collect()
    };
    ContestSummary {
        id: stored.id.to_string(),
        name: stored.name.clone(),
        game: stored.game.clone(),
        players: texts("players"),
        form: stored.config["form"].as_str().unwrap_or_default().to_owned(),
        done: live.as_ref().map_or(stored.games, |live| live.done().max(stored.games)),
        planned: setup.map_or(stored.games, |setup| setup.planned()),
        state: live.as_ref().map_or_else(|| phase_of(stored), |live| live.job.phase()),
        error: live.and_then(|live| live.error()).or(damage),
        started: stored.started_at,
    }
}

/// Finds a contest in memory or in the store.
async fn find(app: &Arc<App>, id: &str) -> Result<Arc<LiveContest>, ApiError> {
    let id = parse_id(id)?;
    if let Some(live) = app.contests.get(id) {
        return Ok(live);
    }
    let app = Arc::clone(app);
    run_blocking(move || {
        let stored = stored(&app.store, id)?;
        let setup = ContestSpec::from_stored(&stored, resources(&app), 1)?;
        let live = LiveContest::new(id, &setup, phase_of(&stored));
        live.set_result(&contest::load(&setup, &app.store, id).map_err(to_api_error)?);
        let live = Arc::new(live);
        // An unfinished one is loaded every time: another process may continue it.
        if live.job.phase() == Phase::Finished {
            app.contests.keep(&live);
        }
        Ok(live)
    })
    .await
}

fn parse_id(id: &str) -> Result<i64, ApiError> {
    id.parse().map_err(|_| no_contest(id))
}

fn no_contest(id: &str) -> ApiError {
    let shown: String = id.chars().take(40).collect();
    ApiError::missing(format!("there is no contest {shown:?}: GET /api/contests lists them"))
}

fn stored(store: &Store, id: i64) -> Result<StoredContest, ApiError> {
    store.contest(id)?.ok_or_else(|| no_contest(&id.to_string()))
}

/// Returns a contest
#[utoipa::path(get, path = "/api/contests/{id}", tag = "arena",
    responses((status = 200, description = "The contest", body = ContestView),
              (status = 404, description = "Not found", body = super::error::ErrorBody)))]
pub async fn one(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<ContestView>, ApiError> {
    Ok(Json(find(&app, &id).await?.document()))
}

/// Stops a contest; finished games are kept
#[utoipa::path(post, path = "/api/contests/{id}/stop", tag = "arena",
    responses((status = 200, description = "The contest", body = ContestView),
              (status = 409, description = "It is not running", body = super::error::ErrorBody)))]
pub async fn stop(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<ContestView>, ApiError> {
    let live = find(&app, &id).await?;
    if live.job.phase() != Phase::Running {
        return Err(ApiError::conflict("the contest is not in progress"));
    }
    live.job.stop();
    live.job.ended().await;
    Ok(Json(live.document()))
}

/// Resumes a stopped contest
#[utoipa::path(post, path = "/api/contests/{id}/resume", tag = "arena",
    responses((status = 200, description = "The contest", body = ContestView),
              (status = 409, description = "It is running, here or in another process, or finished", body = super::error::ErrorBody)))]
pub async fn resume(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<ContestView>, ApiError> {
    let (id, client) = (parse_id(&id)?, Client::current());
    let document = run_blocking(move || {
        let stored = stored(&app.store, id)?;
        let _starting = app.contests.starting.lock();
        let phase = app.contests.get(id).map_or(phase_of(&stored), |live| live.job.phase());
        if matches!(phase, Phase::Running | Phase::Finished) {
            return Err(ApiError::conflict("only a stopped contest can be resumed"));
        }
        if let Some(holder) = contest::holder(&app.store, id) {
            let message = format!("the contest is being played by {holder}");
            return Err(ApiError::conflict(message));
        }
        let setup =
            ContestSpec::from_stored(&stored, resources(&app), request::default_concurrency())?;
        let outside =
            |player: &&String| external::IDS.contains(&ludus_core::options::split_name(player).0);
        if let Some(player) = setup.players.iter().find(outside) {
            let message =
                format!("{player} starts a program: resume the contest with ludus match --resume");
            return Err(ApiError::bad(message));
        }
        let players = setup.identities()?;
        identity::require_same_builds(&app.store, id, &players).map_err(to_api_error)?;
        let resources = take_resources(&app, client, &setup)?;
        spawn_contest(&app, id, setup, resources)
    });
    Ok(Json(document.await?))
}

#[derive(Deserialize)]
pub struct OffsetQuery {
    #[serde(default)]
    offset: u64,
}

/// A game in the list.
#[derive(Serialize, ToSchema)]
pub struct ContestGameSummary {
    id: String,
    first: String,
    second: String,
    /// `first`, `second` or `draw`.
    result: &'static str,
    reason: String,
    /// Stable identifier of the reason, such as `no-progress`.
    reason_id: &'static str,
    plies: u32,
}

#[derive(Serialize, ToSchema)]
pub struct GameList {
    games: Vec<ContestGameSummary>,
}

/// Lists the games of a contest, 100 per page
#[utoipa::path(get, path = "/api/contests/{id}/games", tag = "arena",
    params(("offset" = Option<u64>, Query, description = "Number of games to skip")),
    responses((status = 200, description = "The games", body = GameList)))]
pub async fn games(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    QueryParams(OffsetQuery { offset }): QueryParams<OffsetQuery>,
) -> Result<Json<GameList>, ApiError> {
    let id = parse_id(&id)?;
    let games = run_blocking(move || {
        stored(&app.store, id)?;
        let filter = GameFilter {
            contest: Some(ContestFilter::Id(id)),
            limit: Some(GAMES_PER_PAGE),
            offset,
            order: GameOrder::Oldest,
            ..GameFilter::default()
        };
        let entry = |row: GameRow| ContestGameSummary {
            id: row.id.to_string(),
            first: row.played.first,
            second: row.played.second,
            result: row.played.result.id(),
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
pub struct ContestGameView {
    id: String,
    contest: String,
    contest_name: String,
    /// Game with its options.
    game: String,
    first: String,
    second: String,
    /// Build of the first player; see docs/RECORDS.md.
    first_build: String,
    second_build: String,
    result: &'static str,
    reason: String,
    /// Stable identifier of the reason, such as `no-progress`.
    reason_id: &'static str,
    /// `forced`, `loop`, `forfeit` or `time`, if the game is counted separately.
    category: Option<&'static str>,
    plies: u32,
    moves: Vec<String>,
    /// Record in PGN, PDN or SGF.
    record: String,
    /// Seconds since 1970.
    finished_at: i64,
}

/// Returns a game of a contest
#[utoipa::path(get, path = "/api/games/{id}", tag = "arena",
    responses((status = 200, description = "The game", body = ContestGameView),
              (status = 404, description = "Not found", body = super::error::ErrorBody)))]
pub async fn game(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<ContestGameView>, ApiError> {
    let missing = || ApiError::missing("there is no such game: GET /api/contests lists contests");
    let id: i64 = id.parse().map_err(|_| missing())?;
    let row = run_blocking(move || Ok(app.store.game(id)?)).await?.ok_or_else(missing)?;
    let played = row.played;
    Ok(Json(ContestGameView {
        id: row.id.to_string(),
        contest: row.contest.to_string(),
        contest_name: row.contest_name,
        game: row.game,
        first_build: row.first_build,
        second_build: row.second_build,
        first: played.first,
        second: played.second,
        result: played.result.id(),
        reason: played.reason.to_string(),
        reason_id: played.reason.id(),
        category: played.category.map(Category::id),
        plies: played.plies,
        moves: played.moves.split_whitespace().map(str::to_owned).collect(),
        record: played.record,
        finished_at: played.finished_at,
    }))
}

/// Watches a contest
#[utoipa::path(get, path = "/api/contests/{id}/live", tag = "arena",
    responses((status = 101, description = "A WebSocket that sends {type: contest, contest}, at most five times a second"),
              (status = 429, description = "Too many WebSockets", body = super::error::ErrorBody)))]
pub async fn watch(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    upgrade: SocketUpgrade,
) -> Result<Response, ApiError> {
    let live = find(&app, &id).await?;
    Ok(upgrade.on_upgrade(move |socket| push_updates(live, socket)))
}

/// Message of a contest's WebSocket.
#[derive(Serialize, ToSchema)]
pub struct ContestMessage {
    r#type: &'static str,
    contest: ContestView,
}

async fn push_updates(live: Arc<LiveContest>, socket: ClientSocket) {
    let changes = live.job.changes();
    let message = move || ContestMessage { r#type: "contest", contest: live.document() };
    super::feed::push_changes(socket, changes, MIN_UPDATE_INTERVAL, message).await;
}
