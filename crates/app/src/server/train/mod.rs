//! Training runs: recipes, runs with their curves, what the map of MP-Draughts and what learned
//! networks see.

pub mod clusters;
mod curves;
pub mod features;
mod recipes;
mod run;

use super::{
    App,
    error::{ApiError, Input, Path},
    watched::Phase,
};
use axum::{
    Json, Router,
    body::Body,
    extract::{State, WebSocketUpgrade},
    http::{StatusCode, header},
    response::Response,
    routing::{any, get, post},
};
use run::{Document, Live};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use utoipa::ToSchema;

/// Runs at the same time.
const MOST_RUNNING: usize = 2;
/// Runs listed.
const LISTED: usize = 500;
const LONGEST_NAME: usize = 64;
/// From one message of a watched run to the next.
const PAUSE: Duration = Duration::from_millis(250);

/// The runs this process has started.
#[derive(Default)]
pub struct Runs {
    live: Mutex<BTreeMap<String, Arc<Live>>>,
    /// Held while a run is started, so that no two take the last place.
    starting: Mutex<()>,
}

impl Runs {
    fn live(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Live>>> {
        // Nothing that can panic happens under the lock.
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, name: &str) -> Option<Arc<Live>> {
        self.live().get(name).cloned()
    }
}

impl Drop for Runs {
    fn drop(&mut self) {
        self.live().values().for_each(|live| live.work.stop());
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

/// Does work that waits for the disk on a thread that may wait.
async fn waiting<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let failed = |_| ApiError::unavailable("the run failed: this is a fault of the server");
    tokio::task::spawn_blocking(work).await.map_err(failed)?
}

/// The recipes that are built in
#[utoipa::path(get, path = "/api/recipes", tag = "train",
    responses((status = 200, description = "The recipes", body = Vec<recipes::Entry>)))]
pub async fn list_recipes() -> Json<Vec<recipes::Entry>> {
    Json(recipes::all())
}

/// A run to be started.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// What to call it: small letters, digits and dashes.
    name: Option<String>,
    /// The recipe, as TOML.
    recipe: String,
}

fn folder(app: &App) -> PathBuf {
    app.settings.data.join("runs")
}

fn check_name(name: &str) -> Result<(), ApiError> {
    let fits =
        |letter: u8| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'-';
    if (1..=LONGEST_NAME).contains(&name.len()) && name.bytes().all(fits) {
        return Ok(());
    }
    let shown: String = name.chars().take(40).collect();
    let expected = format!("1 to {LONGEST_NAME} small letters, digits and dashes");
    Err(ApiError::bad(format!("name {shown:?}: expected {expected}")))
}

fn make_room(app: &App) -> Result<(), ApiError> {
    let running =
        app.runs.live().values().filter(|live| live.work.phase() == Phase::Running).count();
    if running >= MOST_RUNNING {
        let message = format!("{MOST_RUNNING} runs are under way: stop one, or wait");
        return Err(ApiError::too_many(message));
    }
    Ok(())
}

/// Starts a run
#[utoipa::path(post, path = "/api/runs", tag = "train", request_body = RunRequest,
    responses((status = 201, description = "The run", body = Document),
              (status = 400, description = "The recipe is wrong", body = super::error::ErrorBody),
              (status = 409, description = "There is a run of that name", body = super::error::ErrorBody),
              (status = 429, description = "Too many runs are under way", body = super::error::ErrorBody)))]
pub async fn start(
    State(app): State<Arc<App>>,
    Input(request): Input<RunRequest>,
) -> Result<(StatusCode, Json<Document>), ApiError> {
    let document = waiting(move || {
        let recipe = recipes::checked(&request.recipe)?;
        let _turn = app.runs.starting.lock();
        let name = match request.name {
            Some(name) => name,
            None => free_name(&app, &recipes::usual_name(&recipe)),
        };
        check_name(&name)?;
        if folder(&app).join(&name).exists() {
            return Err(ApiError::conflict(format!("there is a run {name} already: resume it")));
        }
        make_room(&app)?;
        begin(&app, &name, request.recipe, run::Begin::Anew)
    });
    Ok((StatusCode::CREATED, Json(document.await?)))
}

/// The first of NAME-1, NAME-2 … that is free.
fn free_name(app: &App, name: &str) -> String {
    let folder = folder(app);
    let names = (1..).map(|number| format!("{name}-{number}"));
    names.into_iter().find(|name| !folder.join(name).exists()).unwrap_or_default()
}

fn begin(app: &App, name: &str, text: String, begin: run::Begin) -> Result<Document, ApiError> {
    let live = run::begin(&folder(app).join(name), name, text, begin)?;
    app.runs.live().insert(name.to_owned(), Arc::clone(&live));
    Ok(live.document())
}

#[derive(Serialize, ToSchema)]
pub struct RunList {
    runs: Vec<Document>,
}

/// The runs, newest first
#[utoipa::path(get, path = "/api/runs", tag = "train",
    responses((status = 200, description = "The runs", body = RunList)))]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<RunList>, ApiError> {
    let runs = waiting(move || {
        let Ok(entries) = fs::read_dir(folder(&app)) else { return Ok(Vec::new()) };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        let names = names.filter(|name| check_name(name).is_ok()).take(LISTED);
        let mut runs: Vec<Document> =
            names.filter_map(|name| Some(known(&app, &name).ok()?.document())).collect();
        runs.sort_by_key(|run| std::cmp::Reverse(run.started));
        Ok(runs)
    });
    Ok(Json(RunList { runs: runs.await? }))
}

/// The run in memory, or as its folder has it.
fn known(app: &App, name: &str) -> Result<Arc<Live>, ApiError> {
    check_name(name).map_err(|error| ApiError::missing(error.message))?;
    if let Some(live) = app.runs.get(name) {
        return Ok(live);
    }
    let stored = run::of_folder(&folder(app).join(name), name);
    stored.map(Arc::new).ok_or_else(|| {
        ApiError::missing(format!("there is no run {name}: GET /api/runs lists them"))
    })
}

async fn find(app: &Arc<App>, name: String) -> Result<Arc<Live>, ApiError> {
    let app = Arc::clone(app);
    waiting(move || known(&app, &name)).await
}

/// A run
#[utoipa::path(get, path = "/api/runs/{name}", tag = "train",
    responses((status = 200, description = "The run", body = Document),
              (status = 404, description = "There is none", body = super::error::ErrorBody)))]
pub async fn one(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Json<Document>, ApiError> {
    let live = find(&app, name).await?;
    Ok(Json(waiting(move || Ok(live.document())).await?))
}

/// Stops a run; it can be resumed
#[utoipa::path(post, path = "/api/runs/{name}/stop", tag = "train",
    responses((status = 200, description = "The run", body = Document),
              (status = 409, description = "It is not under way", body = super::error::ErrorBody)))]
pub async fn stop(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Json<Document>, ApiError> {
    let live = find(&app, name).await?;
    if live.work.phase() != Phase::Running {
        return Err(ApiError::conflict("the run is not under way"));
    }
    live.work.stop();
    live.work.ended().await;
    Ok(Json(waiting(move || Ok(live.document())).await?))
}

/// Goes on with a run that was stopped
#[utoipa::path(post, path = "/api/runs/{name}/resume", tag = "train",
    responses((status = 200, description = "The run", body = Document),
              (status = 409, description = "It is under way or finished", body = super::error::ErrorBody)))]
pub async fn resume(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Json<Document>, ApiError> {
    let document = waiting(move || {
        let _turn = app.runs.starting.lock();
        let live = known(&app, &name)?;
        if matches!(live.work.phase(), Phase::Running | Phase::Finished) {
            return Err(ApiError::conflict("only a run that was stopped can go on"));
        }
        make_room(&app)?;
        recipes::checked(&live.recipe)?;
        begin(&app, &name, live.recipe.clone(), run::Begin::Resume)
    });
    Ok(Json(document.await?))
}

/// What a run has made: weights, report or chart
#[utoipa::path(get, path = "/api/runs/{name}/file/{what}", tag = "train",
    responses((status = 200, description = "The file"),
              (status = 404, description = "It is not there (yet)", body = super::error::ErrorBody)))]
pub async fn file(
    State(app): State<Arc<App>>,
    Path((name, what)): Path<(String, String)>,
) -> Result<Response, ApiError> {
    let (kind, bytes) = waiting(move || {
        known(&app, &name)?;
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
        found.ok_or_else(|| ApiError::missing(format!("the run {name} has made no {what} yet")))
    })
    .await?;
    let mut response = Response::new(Body::from(bytes));
    let value = header::HeaderValue::from_static(kind);
    response.headers_mut().insert(header::CONTENT_TYPE, value);
    Ok(response)
}

#[derive(Serialize)]
struct Message {
    r#type: &'static str,
    run: Document,
}

/// Watches a run
#[utoipa::path(get, path = "/api/runs/{name}/live", tag = "train",
    responses((status = 101, description = "A WebSocket that sends {type: run, run}")))]
pub async fn watch(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let live = find(&app, name).await?;
    let changes = live.work.changes();
    let message = move || Message { r#type: "run", run: live.document() };
    Ok(upgrade.on_upgrade(move |socket| super::feed::follow(socket, changes, PAUSE, message)))
}
