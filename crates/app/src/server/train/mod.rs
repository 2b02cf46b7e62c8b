//! Training: recipes, runs with their curves, the clusters of MP-Draughts and the features of learned
//! networks.

mod chess_study;
pub mod clusters;
mod curves;
pub mod features;
mod recipes;
mod run;

use super::{
    App,
    background_job::Phase,
    client_socket::SocketUpgrade,
    error::{ApiError, JsonBody, PathParams},
    state::run_blocking,
};
use axum::{
    Json, Router,
    body::Body,
    extract::State,
    http::{StatusCode, header},
    response::Response,
    routing::{any, get, post},
};
use run::{LiveRun, RunView};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use utoipa::ToSchema;

/// Maximum number of concurrent runs.
const MAX_RUNNING: usize = 2;
/// Maximum number of runs in the list.
const MAX_LISTED: usize = 500;
const MAX_NAME_BYTES: usize = 64;
/// Minimum time between two updates to a watcher.
const MIN_UPDATE_INTERVAL: Duration = Duration::from_millis(250);

/// Runs started by this process.
#[derive(Default)]
pub struct Runs {
    live: Mutex<BTreeMap<String, Arc<LiveRun>>>,
    /// Held while a run is started, so that the limit is not exceeded.
    starting: Mutex<()>,
}

impl Runs {
    fn live(&self) -> MutexGuard<'_, BTreeMap<String, Arc<LiveRun>>> {
        // No code that panics runs under the lock.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, name: &str) -> Option<Arc<LiveRun>> {
        self.live().get(name).cloned()
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        self.live().values().for_each(|live| live.job.stop());
    }
}

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/recipes", get(list_recipes))
        .route("/api/runs", get(list).post(start))
        .route("/api/runs/{name}", get(one))
        .route("/api/runs/{name}/stop", post(stop))
        .route("/api/runs/{name}/resume", post(resume))
        .route("/api/runs/{name}/file/{what}", get(file))
        .route("/api/runs/{name}/live", any(watch))
        .route("/api/clusters", get(clusters::list))
        .route("/api/features", post(features::list))
}

/// Lists the built-in recipes
#[utoipa::path(get, path = "/api/recipes", tag = "train",
    responses((status = 200, description = "The recipes", body = Vec<recipes::RecipeView>)))]
pub async fn list_recipes() -> Json<Vec<recipes::RecipeView>> {
    Json(recipes::all())
}

/// A run to start.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// Name: lower-case letters, digits and dashes. Default: generated from the recipe.
    name: Option<String>,
    /// Recipe as TOML.
    recipe: String,
}

fn folder(app: &App) -> PathBuf {
    app.settings.data.join("runs")
}

fn check_name(name: &str) -> Result<(), ApiError> {
    let fits =
        |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-';
    if (1..=MAX_NAME_BYTES).contains(&name.len()) && name.bytes().all(fits) {
        return Ok(());
    }
    let shown: String = name.chars().take(40).collect();
    let expected = format!("1 to {MAX_NAME_BYTES} lower-case letters, digits and dashes");
    Err(ApiError::bad(format!("name {shown:?}: expected {expected}")))
}

fn check_capacity(app: &App) -> Result<(), ApiError> {
    let running =
        app.runs.live().values().filter(|live| live.job.phase() == Phase::Running).count();
    if running >= MAX_RUNNING {
        let message = format!("{MAX_RUNNING} runs are in progress: stop one, or wait");
        return Err(ApiError::too_many(message));
    }
    Ok(())
}

/// Starts a training run
#[utoipa::path(post, path = "/api/runs", tag = "train", request_body = RunRequest,
    responses((status = 201, description = "The run", body = RunView),
              (status = 400, description = "Invalid recipe", body = super::error::ErrorBody),
              (status = 409, description = "A run of that name exists", body = super::error::ErrorBody),
              (status = 429, description = "Too many runs in progress", body = super::error::ErrorBody)))]
pub async fn start(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<RunRequest>,
) -> Result<(StatusCode, Json<RunView>), ApiError> {
    let document = run_blocking(move || {
        let recipe = recipes::parse_checked(&request.recipe, run::RunMode::New)?;
        let _starting = app.runs.starting.lock();
        let name = match request.name {
            Some(name) => name,
            None => free_name(&app, &recipes::default_name(&recipe)),
        };
        check_name(&name)?;
        if folder(&app).join(&name).exists() {
            return Err(ApiError::conflict(format!(
                "a run named {name} exists: resume it, or choose another name"
            )));
        }
        check_capacity(&app)?;
        start_run(&app, &name, request.recipe, run::RunMode::New)
    });
    Ok((StatusCode::CREATED, Json(document.await?)))
}

/// First unused name of NAME-1, NAME-2 …
fn free_name(app: &App, name: &str) -> String {
    let folder = folder(app);
    let names = (1..).map(|number| format!("{name}-{number}"));
    names.into_iter().find(|name| !folder.join(name).exists()).unwrap_or_default()
}

fn start_run(app: &App, name: &str, text: String, mode: run::RunMode) -> Result<RunView, ApiError> {
    let live = run::start(&folder(app).join(name), name, text, mode)?;
    app.runs.live().insert(name.to_owned(), Arc::clone(&live));
    Ok(live.document())
}

#[derive(Serialize, ToSchema)]
pub struct RunList {
    runs: Vec<RunView>,
}

/// Lists the runs, newest first
#[utoipa::path(get, path = "/api/runs", tag = "train",
    responses((status = 200, description = "The runs", body = RunList)))]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<RunList>, ApiError> {
    let runs = run_blocking(move || {
        let Ok(entries) = fs::read_dir(folder(&app)) else { return Ok(Vec::new()) };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let names = names.filter(|name| check_name(name).is_ok()).take(MAX_LISTED);
        let mut runs: Vec<RunView> =
            names.filter_map(|name| Some(find_run(&app, &name).ok()?.document())).collect();
        runs.sort_by_key(|run| std::cmp::Reverse(run.started));
        Ok(runs)
    });
    Ok(Json(RunList { runs: runs.await? }))
}

/// Finds a run in memory or in its folder.
fn find_run(app: &App, name: &str) -> Result<Arc<LiveRun>, ApiError> {
    check_name(name).map_err(|error| ApiError::missing(error.message))?;
    if let Some(live) = app.runs.get(name) {
        return Ok(live);
    }
    let stored = run::load(&folder(app).join(name), name);
    stored.map(Arc::new).ok_or_else(|| {
        ApiError::missing(format!("there is no run {name}: GET /api/runs lists them"))
    })
}

async fn find(app: &Arc<App>, name: String) -> Result<Arc<LiveRun>, ApiError> {
    let app = Arc::clone(app);
    run_blocking(move || find_run(&app, &name)).await
}

/// Returns a run
#[utoipa::path(get, path = "/api/runs/{name}", tag = "train",
    responses((status = 200, description = "The run", body = RunView),
              (status = 404, description = "Not found", body = super::error::ErrorBody)))]
pub async fn one(
    State(app): State<Arc<App>>,
    PathParams(name): PathParams<String>,
) -> Result<Json<RunView>, ApiError> {
    let live = find(&app, name).await?;
    Ok(Json(run_blocking(move || Ok(live.document())).await?))
}

/// Stops a run; it can be resumed
#[utoipa::path(post, path = "/api/runs/{name}/stop", tag = "train",
    responses((status = 200, description = "The run", body = RunView),
              (status = 409, description = "It is not running", body = super::error::ErrorBody)))]
pub async fn stop(
    State(app): State<Arc<App>>,
    PathParams(name): PathParams<String>,
) -> Result<Json<RunView>, ApiError> {
    let live = find(&app, name).await?;
    if live.job.phase() != Phase::Running {
        return Err(ApiError::conflict("the run is not in progress"));
    }
    live.job.stop();
    live.job.ended().await;
    Ok(Json(run_blocking(move || Ok(live.document())).await?))
}

/// Resumes a stopped run
#[utoipa::path(post, path = "/api/runs/{name}/resume", tag = "train",
    responses((status = 200, description = "The run", body = RunView),
              (status = 409, description = "It is running, here or in another process, or finished", body = super::error::ErrorBody)))]
pub async fn resume(
    State(app): State<Arc<App>>,
    PathParams(name): PathParams<String>,
) -> Result<Json<RunView>, ApiError> {
    let document = run_blocking(move || {
        let _starting = app.runs.starting.lock();
        let live = find_run(&app, &name)?;
        if matches!(live.job.phase(), Phase::Running | Phase::Finished) {
            return Err(ApiError::conflict("only a stopped run can be resumed"));
        }
        check_capacity(&app)?;
        recipes::parse_checked(&live.recipe, run::RunMode::Resume)?;
        start_run(&app, &name, live.recipe.clone(), run::RunMode::Resume)
    });
    Ok(Json(document.await?))
}

/// Returns an output file of a run: weights, report or chart
#[utoipa::path(get, path = "/api/runs/{name}/file/{what}", tag = "train",
    responses((status = 200, description = "The file"),
              (status = 404, description = "Not found, or not written yet", body = super::error::ErrorBody)))]
pub async fn file(
    State(app): State<Arc<App>>,
    PathParams((name, what)): PathParams<(String, String)>,
) -> Result<Response, ApiError> {
    let (kind, bytes) = run_blocking(move || {
        find_run(&app, &name)?;
        let files: &[(&str, &'static str)] = match what.as_str() {
            "weights" => &[
                ("weights.txt", "text/plain; charset=utf-8"),
                ("weights.net", "application/octet-stream"),
            ],
            "report" => &[("report.md", "text/markdown; charset=utf-8")],
            "chart" => &[("progress.svg", "image/svg+xml")],
            _ => return Err(ApiError::missing("expected weights, report or chart")),
        };
        let folder = folder(&app).join(&name);
        let found = files
            .iter()
            .find_map(|(file, kind)| fs::read(folder.join(file)).ok().map(|bytes| (*kind, bytes)));
        found.ok_or_else(|| ApiError::missing(format!("run {name} has no {what} yet")))
    })
    .await?;
    let mut response = Response::new(Body::from(bytes));
    let value = header::HeaderValue::from_static(kind);
    response.headers_mut().insert(header::CONTENT_TYPE, value);
    Ok(response)
}

/// Message of a training run's WebSocket.
#[derive(Serialize, ToSchema)]
pub struct RunMessage {
    r#type: &'static str,
    run: RunView,
}

/// Watches a run
#[utoipa::path(get, path = "/api/runs/{name}/live", tag = "train",
    responses((status = 101, description = "A WebSocket that sends {type: run, run}"),
              (status = 429, description = "Too many WebSockets", body = super::error::ErrorBody)))]
pub async fn watch(
    State(app): State<Arc<App>>,
    PathParams(name): PathParams<String>,
    upgrade: SocketUpgrade,
) -> Result<Response, ApiError> {
    let live = find(&app, name).await?;
    let changes = live.job.changes();
    let message = move || RunMessage { r#type: "run", run: live.document() };
    Ok(upgrade.on_upgrade(move |socket| {
        super::feed::push_changes(socket, changes, MIN_UPDATE_INTERVAL, message)
    }))
}
