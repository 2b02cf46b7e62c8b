//! Live games: `/api/tables`. A change is answered and shown once it is saved, so that games survive
//! a kill of the server and a power failure.

mod clock;
mod game_state;
mod live_game;
mod players;
mod registry;
pub mod socket;
mod view;

pub use game_state::{LiveGameSummary, NewGameInput};
pub use registry::GameRegistry;
pub use view::LiveGameView;

use super::{
    App,
    error::{ApiError, JsonBody, PathParams, QueryParams},
    positions,
    schema::AnalysisSchema,
    search_queue::{SearchOrder, Urgency},
    view::{BoardDiagram, SideName},
};
use crate::records::{self, FileKind};
use axum::{
    Json, Router,
    extract::State,
    http::{HeaderName, StatusCode, header},
    routing::{get, post},
};
use game_state::{GameState, StateChange};
use ludus_core::Limits;
use ludus_formats::WriteOptions;
use ludus_players::{Analysis, AnalysisControl};
use serde::{Deserialize, Serialize};
use std::{ops::RangeInclusive, sync::Arc, time::Duration};
use utoipa::ToSchema;

/// Player that gives hints, and answers draw offers for players without an evaluation.
const HINT_PLAYER: &str = "engine";
/// Search time of a hint.
const HINT_TIME: Duration = Duration::from_secs(1);
/// Maximum time a response waits for a player's move.
const MAX_WAIT: Duration = Duration::from_secs(60);
/// Length of a request's key in characters.
const REQUEST_KEY_LENGTHS: RangeInclusive<usize> = 16..=64;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/tables", get(list).post(create))
        .route("/api/tables/{id}", get(show).delete(remove))
        .route("/api/tables/{id}/move", post(play_move))
        .route("/api/tables/{id}/undo", post(undo))
        .route("/api/tables/{id}/resign", post(resign))
        .route("/api/tables/{id}/draw", post(draw))
        .route("/api/tables/{id}/draw/decline", post(decline_draw))
        .route("/api/tables/{id}/hint", post(hint))
        .route("/api/tables/{id}/go", post(go))
        .route("/api/tables/{id}/record", get(record))
        .route("/api/tables/{id}/at/{ply}", get(at))
        .route("/api/tables/{id}/live", get(socket::live))
}

/// The most recently changed games.
#[derive(Serialize, ToSchema)]
pub struct LiveGameList {
    #[schema(value_type = Vec<LiveGameSummary>)]
    tables: Vec<serde_json::Value>,
}

/// A move to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveInput {
    /// Move text from `legal`, or in the usual notation.
    #[serde(rename = "move")]
    mv: String,
    /// Number of moves played before this one. A request that is sent again is then answered with the game
    /// as it is, not played twice; another move than the one played there is refused (409).
    ply: Option<usize>,
}

/// The side that resigns.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResignInput {
    side: SideName,
}

/// The side that offers or accepts a draw.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawInput {
    /// Default: the side to move.
    side: Option<SideName>,
}

/// Query of a game.
#[derive(Deserialize)]
pub struct ShowQuery {
    /// Milliseconds to wait for a player's move, at most 60,000.
    #[serde(default)]
    wait: u64,
    /// Does not resume the search of a game without watchers.
    #[serde(default)]
    asleep: bool,
}

/// Query of a game record.
#[derive(Deserialize)]
pub struct RecordQuery {
    /// `pgn`, `pdn`, `sgf` or `json`; by default the usual format of the game.
    format: Option<String>,
    /// 1 to download it as a file.
    download: Option<u8>,
}

/// A suggested move.
#[derive(Serialize, ToSchema)]
pub struct Hint {
    #[serde(rename = "move")]
    mv: Option<String>,
    cells: Vec<usize>,
    #[schema(value_type = AnalysisSchema)]
    analysis: Analysis,
}

/// Position after some moves of a game.
#[derive(Serialize, ToSchema)]
pub struct SnapshotView {
    view: BoardDiagram,
    last_cells: Vec<usize>,
    position: String,
    /// Last move in the game's notation.
    label: Option<String>,
}

/// Starts a game. Answered once it is saved.
#[utoipa::path(post, path = "/api/tables", tag = "tables", request_body = NewGameInput,
    responses((status = 201, body = LiveGameView),
        (status = 200, description = "The game was started by an earlier request with this key",
         body = LiveGameView),
        (status = 400, body = super::error::ErrorBody), (status = 503, body = super::error::ErrorBody)))]
pub async fn create(
    State(app): State<Arc<App>>,
    JsonBody(input): JsonBody<NewGameInput>,
) -> Result<(StatusCode, Json<LiveGameView>), ApiError> {
    let key = input.request.clone();
    let Some(key) = key.as_deref() else {
        return Ok((StatusCode::CREATED, start_game(&app, input).await?));
    };
    if !REQUEST_KEY_LENGTHS.contains(&key.chars().count()) {
        let message = format!("request {key:?}: expected a random text of 16 to 64 characters");
        return Err(ApiError::bad(message));
    }
    let _lock = app.live_games.lock_request(key).await;
    if let Some(live_game) = app.live_games.find_requested(key).await? {
        live_game.resume(&app).await;
        return Ok((StatusCode::OK, Json(live_game.view())));
    }
    Ok((StatusCode::CREATED, start_game(&app, input).await?))
}

async fn start_game(app: &Arc<App>, input: NewGameInput) -> Result<Json<LiveGameView>, ApiError> {
    let id = GameRegistry::new_id()?;
    let key = input.request.clone();
    let shared_app = Arc::clone(app);
    let state = app.run_blocking(move || {
        let position = input.position.as_deref();
        let loaded = positions::open(&input.game, position, input.record.as_deref())?;
        // Not taken from the id, which is a secret.
        let seed = getrandom::u32().unwrap_or(1);
        let state = GameState::new(id, loaded.board, input, seed)?;
        state.check_players(&shared_app.resources(1))?;
        Ok(state)
    });
    let live_game = app.live_games.add(state.await?, key.as_deref()).await?;
    live_game.resume(app).await;
    Ok(Json(live_game.view()))
}

/// Lists the 100 most recently changed games.
#[utoipa::path(get, path = "/api/tables", tag = "tables", responses((status = 200, body = LiveGameList)))]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<LiveGameList>, ApiError> {
    Ok(Json(LiveGameList { tables: app.live_games.latest().await? }))
}

/// Returns a game.
#[utoipa::path(get, path = "/api/tables/{id}", tag = "tables",
    params(("id" = String, Path, description = "The game"),
        ("wait" = Option<u64>, Query, description = "Milliseconds to wait for a \
         player's move, at most 60,000"),
        ("asleep" = Option<bool>, Query, description = "Do not resume the search of a game \
         without watchers")),
    responses((status = 200, body = LiveGameView), (status = 404, body = super::error::ErrorBody)))]
pub async fn show(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    QueryParams(query): QueryParams<ShowQuery>,
) -> Result<Json<LiveGameView>, ApiError> {
    let live_game = match query.asleep {
        true => app.live_games.find(&id).await?,
        false => app.live_game(&id).await?,
    };
    let wait = Duration::from_millis(query.wait).min(MAX_WAIT);
    let mut updates = live_game.subscribe();
    let idle = async { while live_game.state().thinking && updates.changed().await.is_ok() {} };
    // On timeout the response is the game as it stands.
    let _ = tokio::time::timeout(wait, idle).await;
    Ok(Json(live_game.view()))
}

/// Deletes a game.
#[utoipa::path(delete, path = "/api/tables/{id}", tag = "tables",
    params(("id" = String, Path, description = "The game")),
    responses((status = 204), (status = 404, body = super::error::ErrorBody),
        (status = 503, body = super::error::ErrorBody)))]
pub async fn remove(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
) -> Result<StatusCode, ApiError> {
    let live_game = app.live_games.find(&id).await?;
    live_game.delete(&app).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Plays a move for the human to move; a computer player replies by itself. Answered once the move is
/// saved: one that cannot be saved is not made (503).
#[utoipa::path(post, path = "/api/tables/{id}/move", tag = "tables", request_body = MoveInput,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = LiveGameView), (status = 400, body = super::error::ErrorBody),
        (status = 409, body = super::error::ErrorBody),
        (status = 503, body = super::error::ErrorBody)))]
pub async fn play_move(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    JsonBody(input): JsonBody<MoveInput>,
) -> Result<Json<LiveGameView>, ApiError> {
    let live_game = app.live_game(&id).await?;
    let play = move |state: &mut GameState| state.play_human_move(&input.mv, input.ply);
    live_game.change(&app, play).await?;
    Ok(Json(live_game.view()))
}

/// Takes back to the last turn of a human.
#[utoipa::path(post, path = "/api/tables/{id}/undo", tag = "tables",
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = LiveGameView), (status = 409, body = super::error::ErrorBody),
        (status = 503, body = super::error::ErrorBody)))]
pub async fn undo(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<LiveGameView>, ApiError> {
    let live_game = app.live_games.find(&id).await?;
    live_game.change(&app, |state| state.undo().map(|()| StateChange::Made)).await?;
    Ok(Json(live_game.view()))
}

/// Resigns for a human.
#[utoipa::path(post, path = "/api/tables/{id}/resign", tag = "tables", request_body = ResignInput,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = LiveGameView), (status = 409, body = super::error::ErrorBody),
        (status = 503, body = super::error::ErrorBody)))]
pub async fn resign(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    JsonBody(input): JsonBody<ResignInput>,
) -> Result<Json<LiveGameView>, ApiError> {
    let live_game = app.live_games.find(&id).await?;
    let resign = move |state: &mut GameState| state.resign(input.side.into());
    live_game.change(&app, move |state| resign(state).map(|()| StateChange::Made)).await?;
    Ok(Json(live_game.view()))
}

/// Offers or accepts a draw for a human. Between humans an offer stands until the opponent moves or
/// declines. A computer player answers at once: it accepts if it is not better and at least 20 plies
/// have been played.
#[utoipa::path(post, path = "/api/tables/{id}/draw", tag = "tables", request_body = Option<DrawInput>,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = LiveGameView), (status = 409, body = super::error::ErrorBody),
        (status = 503, body = super::error::ErrorBody)))]
pub async fn draw(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    input: Option<JsonBody<DrawInput>>,
) -> Result<Json<LiveGameView>, ApiError> {
    let live_game = app.live_games.find(&id).await?;
    let side = input.and_then(|JsonBody(input)| input.side).map(Into::into);
    let asked = live_game.state().player_to_ask(side)?;
    let Some(player) = asked else {
        live_game.change(&app, move |state| state.offer_draw(side)).await?;
        return Ok(Json(live_game.view()));
    };
    let (analysis, version) = analyse(&app, &id, &player).await?;
    let score = match analysis.score {
        Some(score) => Some(score),
        None => analyse(&app, &id, HINT_PLAYER).await?.0.score,
    };
    let answer = move |state: &mut GameState| match state.version() == version {
        true => Ok(state.answer_draw(score)),
        false => Ok(StateChange::None),
    };
    live_game.change(&app, answer).await?;
    Ok(Json(live_game.view()))
}

/// Declines a draw offer.
#[utoipa::path(post, path = "/api/tables/{id}/draw/decline", tag = "tables",
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = LiveGameView), (status = 409, body = super::error::ErrorBody),
        (status = 503, body = super::error::ErrorBody)))]
pub async fn decline_draw(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<LiveGameView>, ApiError> {
    let live_game = app.live_games.find(&id).await?;
    live_game.change(&app, |state| state.decline_draw().map(|()| StateChange::Made)).await?;
    Ok(Json(live_game.view()))
}

/// Suggests a move, found by the engine.
#[utoipa::path(post, path = "/api/tables/{id}/hint", tag = "tables",
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = Hint), (status = 409, body = super::error::ErrorBody)))]
pub async fn hint(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<Hint>, ApiError> {
    let (analysis, _) = analyse(&app, &id, HINT_PLAYER).await?;
    Ok(Json(Hint { mv: analysis.best.clone(), cells: analysis.best_cells.clone(), analysis }))
}

/// Analysis of the current position by `player`, with the version of the game.
async fn analyse(app: &Arc<App>, id: &str, player: &str) -> Result<(Analysis, u64), ApiError> {
    let live_game = app.live_games.find(id).await?;
    let (board, version) = {
        let state = live_game.state();
        if state.finish().is_some() {
            return Err(ApiError::conflict("the game is over"));
        }
        (Arc::clone(state.board()), state.version())
    };
    let (player, resources) = (player.to_owned(), app.resources(1));
    let order = SearchOrder::new(Urgency::Waited, id);
    let task = app.move_searches.submit(order, live_game::MAX_SEARCH_TIME, move |stop| {
        let limits = Limits { time: Some(HINT_TIME), ..Limits::default() };
        let mut control = AnalysisControl { limits, stop, on_report: &mut |_| {} };
        Ok(board.analyze(&player, &resources, &mut control)?)
    })?;
    let analysis: Result<Analysis, ApiError> = task.await?;
    Ok((analysis?, version))
}

/// Makes the player to move play its best move so far.
#[utoipa::path(post, path = "/api/tables/{id}/go", tag = "tables",
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, body = LiveGameView), (status = 409, body = super::error::ErrorBody)))]
pub async fn go(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
) -> Result<Json<LiveGameView>, ApiError> {
    let live_game = app.live_games.find(&id).await?;
    live_game.move_now(&app).await?;
    Ok(Json(live_game.view()))
}

/// Returns the record of a game.
#[utoipa::path(get, path = "/api/tables/{id}/record", tag = "tables",
    params(("id" = String, Path, description = "The game"),
        ("format" = Option<String>, Query, description = "pgn, pdn, sgf or json; by default the usual \
         format of the game"),
        ("download" = Option<u8>, Query, description = "1 to download it as a file")),
    responses((status = 200, body = String, content_type = "text/plain"),
        (status = 400, body = super::error::ErrorBody)))]
pub async fn record(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    QueryParams(query): QueryParams<RecordQuery>,
) -> Result<([(HeaderName, String); 2], String), ApiError> {
    let live_game = app.live_games.find(&id).await?;
    let state = live_game.state();
    let own = state.board().record_format();
    let kind = match &query.format {
        None => FileKind::Records(own),
        Some(name) => FileKind::from_name(name).ok_or_else(|| {
            ApiError::bad(format!("format {name:?}: expected pgn, pdn, sgf or json"))
        })?,
    };
    let record = records::record(&**state.board(), &state.names(), state.finish());
    let (record, starts) =
        state.game().translate(state.board().options(), &record, kind.format())?;
    let (text, extension) = match kind {
        FileKind::Json => {
            let text = serde_json::to_string_pretty(&record);
            (text.map_err(|error| ApiError::unavailable(error.to_string()))?, "json")
        }
        FileKind::Records(format) => {
            let options = WriteOptions { starts: Some(starts), first_number: None };
            (format.write(&record, &options), format.name())
        }
    };
    let disposition = match query.download {
        Some(1..) => format!("attachment; filename=\"ludus-{id}.{extension}\""),
        _ => "inline".to_owned(),
    };
    let kind = "text/plain; charset=utf-8".to_owned();
    Ok(([(header::CONTENT_TYPE, kind), (header::CONTENT_DISPOSITION, disposition)], text))
}

/// Returns the position after some moves of a game.
#[utoipa::path(get, path = "/api/tables/{id}/at/{ply}", tag = "tables",
    params(("id" = String, Path, description = "The game"),
        ("ply" = usize, Path, description = "Number of moves; 0 for the start")),
    responses((status = 200, body = SnapshotView), (status = 404, body = super::error::ErrorBody)))]
pub async fn at(
    State(app): State<Arc<App>>,
    PathParams((id, ply)): PathParams<(String, usize)>,
) -> Result<Json<SnapshotView>, ApiError> {
    let live_game = app.live_games.find(&id).await?;
    let state = live_game.state();
    let played = state.board().moves_played();
    let snapshot = state.board().snapshot(ply).ok_or_else(|| {
        ApiError::missing(format!("move {ply}: expected a number from 0 to {played}"))
    })?;
    let arrived = snapshot.arrived;
    Ok(Json(SnapshotView {
        view: snapshot.view.into(),
        position: snapshot.position,
        label: arrived.as_ref().map(|arrived| arrived.label.clone()),
        last_cells: arrived.map_or_else(Vec::new, |arrived| arrived.cells),
    }))
}
