//! Games in progress: `/api/tables`. A game is saved at every change and survives the server.

mod clock;
mod keeper;
pub mod live;
mod mind;
mod play;
mod table;
mod view;

pub use keeper::Tables;
pub use play::{NewTable, Summary};
pub use view::TableView;

use super::{
    App,
    error::{ApiError, Input, Path, Query},
    positions,
    view::{SideName, View},
};
use crate::records::{self, FileKind};
use axum::{
    Json, Router,
    extract::State,
    http::{HeaderName, StatusCode, header},
    routing::{get, post},
};
use ludus_core::Limits;
use ludus_formats::WriteOptions;
use ludus_players::{Analysis, Progress};
use play::Play;
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};
use utoipa::ToSchema;

/// Who gives hints and, for players that do not judge, answers offers of a draw.
const ADVISOR: &str = "engine";
/// How long the advisor thinks.
const ADVICE: Duration = Duration::from_secs(1);
/// How long an answer about a table may be held back.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

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
        .route("/api/tables/{id}/live", get(live::live))
}

/// The tables that changed last.
#[derive(Serialize, ToSchema)]
pub struct TableList {
    #[schema(value_type = Vec<Summary>)]
    tables: Vec<serde_json::Value>,
}

/// A move to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MoveInput {
    /// As `legal` has it, or as people write it.
    #[serde(rename = "move")]
    mv: String,
}

/// Who resigns.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ResignInput {
    side: SideName,
}

/// Who offers a draw or accepts one.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawInput {
    /// The human to move if not given.
    side: Option<SideName>,
}

/// How to look at a table.
#[derive(Deserialize)]
pub struct ShowQuery {
    /// Answer when no player thinks any more, or after so many milliseconds (at most 60,000).
    #[serde(default)]
    wait: u64,
    /// Only look: a player whose game nobody watched does not think on.
    #[serde(default)]
    asleep: bool,
}

/// Which record.
#[derive(Deserialize)]
pub struct RecordQuery {
    /// `pgn`, `pdn`, `sgf` or `json`; the game's own if not given.
    format: Option<String>,
    /// 1 to save it as a file.
    download: Option<u8>,
}

/// Advice.
#[derive(Serialize, ToSchema)]
pub struct Hint {
    #[serde(rename = "move")]
    mv: Option<String>,
    cells: Vec<usize>,
    #[schema(value_type = Object)]
    analysis: Analysis,
}

/// The game as it stood after some of its moves.
#[derive(Serialize, ToSchema)]
pub struct MomentView {
    view: View,
    last_cells: Vec<usize>,
    position: String,
    /// The move that led here, as records write it.
    label: Option<String>,
}

/// Starts a game.
#[utoipa::path(post, path = "/api/tables", tag = "tables", request_body = NewTable,
    responses((status = 201, body = TableView), (status = 400, body = super::error::ErrorBody)))]
pub async fn create(
    State(app): State<Arc<App>>,
    Input(input): Input<NewTable>,
) -> Result<(StatusCode, Json<TableView>), ApiError> {
    let id = Tables::new_id();
    let seed = u32::from_str_radix(&id[..8], 16).unwrap_or(1);
    let (name, app_too) = (id.clone(), Arc::clone(&app));
    let play = app.errand(move || {
        let position = input.position.as_deref();
        let board = positions::open(&input.game, position, input.record.as_deref())?;
        let play = Play::new(name, board.session, input, seed)?;
        play.check_players(&app_too.resources(1))?;
        Ok(play)
    });
    let table = app.tables.add(&id, play.await?);
    table.change(&app, |_| Ok(()))?;
    Ok((StatusCode::CREATED, Json(table.view())))
}

/// The 100 tables that changed last.
#[utoipa::path(get, path = "/api/tables", tag = "tables", responses((status = 200, body = TableList)))]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<TableList>, ApiError> {
    Ok(Json(TableList { tables: app.tables.latest().await? }))
}

/// A table.
#[utoipa::path(get, path = "/api/tables/{id}", tag = "tables",
    params(("id" = String, Path, description = "The table"),
        ("wait" = Option<u64>, Query, description = "Answer when no player thinks any more, or \
         after so many milliseconds (at most 60,000)"),
        ("asleep" = Option<bool>, Query, description = "Only look: a player whose game nobody \
         watched does not think on")),
    responses((status = 200, body = TableView), (status = 404, body = super::error::ErrorBody)))]
pub async fn show(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(query): Query<ShowQuery>,
) -> Result<Json<TableView>, ApiError> {
    let table = match query.asleep {
        true => app.tables.find(&id).await?,
        false => app.table(&id).await?,
    };
    let wait = Duration::from_millis(query.wait).min(LONGEST_WAIT);
    let mut news = table.subscribe();
    let rested = async { while table.play().thinking && news.changed().await.is_ok() {} };
    // What stands on the table when the time is up is the answer as well.
    let _ = tokio::time::timeout(wait, rested).await;
    Ok(Json(table.view()))
}

/// Takes a table away for ever.
#[utoipa::path(delete, path = "/api/tables/{id}", tag = "tables",
    params(("id" = String, Path, description = "The table")),
    responses((status = 204), (status = 404, body = super::error::ErrorBody)))]
pub async fn remove(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let table = app.tables.find(&id).await?;
    app.tables.delete(&table);
    Ok(StatusCode::NO_CONTENT)
}

/// Makes a move for the human to move; a player answers by itself.
#[utoipa::path(post, path = "/api/tables/{id}/move", tag = "tables", request_body = MoveInput,
    params(("id" = String, Path, description = "The table")),
    responses((status = 200, body = TableView), (status = 400, body = super::error::ErrorBody),
        (status = 409, body = super::error::ErrorBody)))]
pub async fn play_move(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Input(input): Input<MoveInput>,
) -> Result<Json<TableView>, ApiError> {
    let table = app.table(&id).await?;
    table.change(&app, |play| play.play_human(&input.mv))?;
    Ok(Json(table.view()))
}

/// Takes back to the last turn of a human.
#[utoipa::path(post, path = "/api/tables/{id}/undo", tag = "tables",
    params(("id" = String, Path, description = "The table")),
    responses((status = 200, body = TableView), (status = 409, body = super::error::ErrorBody)))]
pub async fn undo(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<TableView>, ApiError> {
    let table = app.tables.find(&id).await?;
    table.change(&app, Play::undo)?;
    Ok(Json(table.view()))
}

/// Gives the game up for a human.
#[utoipa::path(post, path = "/api/tables/{id}/resign", tag = "tables", request_body = ResignInput,
    params(("id" = String, Path, description = "The table")),
    responses((status = 200, body = TableView), (status = 409, body = super::error::ErrorBody)))]
pub async fn resign(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Input(input): Input<ResignInput>,
) -> Result<Json<TableView>, ApiError> {
    let table = app.tables.find(&id).await?;
    table.change(&app, |play| play.resign(input.side.into()))?;
    Ok(Json(table.view()))
}

/// Offers a draw for a human, or accepts the other one's. Between humans an offer stands until the
/// other one moves or declines. A player answers at once: it agrees if it is not better off and the
/// game is not young.
#[utoipa::path(post, path = "/api/tables/{id}/draw", tag = "tables", request_body = Option<DrawInput>,
    params(("id" = String, Path, description = "The table")),
    responses((status = 200, body = TableView), (status = 409, body = super::error::ErrorBody)))]
pub async fn draw(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    input: Option<Input<DrawInput>>,
) -> Result<Json<TableView>, ApiError> {
    let table = app.tables.find(&id).await?;
    let side = input.and_then(|Input(input)| input.side).map(Into::into);
    let offer = |play: &mut Play| play.offer_draw(side);
    let Some(player) = table.change(&app, offer)? else {
        return Ok(Json(table.view()));
    };
    let (analysis, version) = ask(&app, &id, &player).await?;
    let score = match analysis.score {
        Some(score) => Some(score),
        None => ask(&app, &id, ADVISOR).await?.0.score,
    };
    table.change(&app, |play| {
        if play.version() == version {
            play.answer_draw(score);
        }
        Ok(())
    })?;
    Ok(Json(table.view()))
}

/// Declines the draw that is offered.
#[utoipa::path(post, path = "/api/tables/{id}/draw/decline", tag = "tables",
    params(("id" = String, Path, description = "The table")),
    responses((status = 200, body = TableView), (status = 409, body = super::error::ErrorBody)))]
pub async fn decline_draw(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<TableView>, ApiError> {
    let table = app.tables.find(&id).await?;
    table.change(&app, Play::decline_draw)?;
    Ok(Json(table.view()))
}

/// What the strongest player would do.
#[utoipa::path(post, path = "/api/tables/{id}/hint", tag = "tables",
    params(("id" = String, Path, description = "The table")),
    responses((status = 200, body = Hint), (status = 409, body = super::error::ErrorBody)))]
pub async fn hint(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Hint>, ApiError> {
    let (analysis, _) = ask(&app, &id, ADVISOR).await?;
    Ok(Json(Hint { mv: analysis.best.clone(), cells: analysis.best_cells.clone(), analysis }))
}

/// What `player` thinks of the game, and of which version of it.
async fn ask(app: &Arc<App>, id: &str, player: &str) -> Result<(Analysis, u64), ApiError> {
    let table = app.tables.find(id).await?;
    let (start, moves, game, options, version) = {
        let play = table.play();
        if play.finish().is_some() {
            return Err(ApiError::conflict("the game is over: there is nothing to think about"));
        }
        let session = play.session();
        let (start, moves) = (session.start_position(), session.moves());
        (start, moves, play.game(), play.options().clone(), play.version())
    };
    let (player, resources) = (player.to_owned(), app.resources(1));
    let thought = app.moves.submit(table::THINKING, move |stop| {
        let mut session = game.open(&options, Some(&start))?;
        for mv in &moves {
            session.play(mv)?;
        }
        let limits = Limits { time: Some(ADVICE), ..Limits::default() };
        let mut progress = Progress { limits, stop, on_report: &mut |_| {} };
        Ok(session.analyze(&player, &resources, &mut progress)?)
    })?;
    let analysis: Result<Analysis, ApiError> = thought.await?;
    Ok((analysis?, version))
}

/// Lets the player to move play at once.
#[utoipa::path(post, path = "/api/tables/{id}/go", tag = "tables",
    params(("id" = String, Path, description = "The table")),
    responses((status = 200, body = TableView), (status = 409, body = super::error::ErrorBody)))]
pub async fn go(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<TableView>, ApiError> {
    let table = app.tables.find(&id).await?;
    table.hurry(&app)?;
    Ok(Json(table.view()))
}

/// The game as a record.
#[utoipa::path(get, path = "/api/tables/{id}/record", tag = "tables",
    params(("id" = String, Path, description = "The table"),
        ("format" = Option<String>, Query, description = "pgn, pdn, sgf or json; the game's own"),
        ("download" = Option<u8>, Query, description = "1 to save it as a file")),
    responses((status = 200, body = String, content_type = "text/plain"),
        (status = 400, body = super::error::ErrorBody)))]
pub async fn record(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    Query(query): Query<RecordQuery>,
) -> Result<([(HeaderName, String); 2], String), ApiError> {
    let table = app.tables.find(&id).await?;
    let play = table.play();
    let own = play.session().record_format();
    let kind = match &query.format {
        None => FileKind::Records(own),
        Some(name) => FileKind::from_name(name).ok_or_else(|| {
            ApiError::bad(format!("format {name:?}: expected pgn, pdn, sgf or json"))
        })?,
    };
    let record = records::record(play.session(), &play.names(), play.finish());
    let (record, starts) = play.game().translate(play.options(), &record, kind.format())?;
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

/// The game as it stood after some of its moves.
#[utoipa::path(get, path = "/api/tables/{id}/at/{ply}", tag = "tables",
    params(("id" = String, Path, description = "The table"),
        ("ply" = usize, Path, description = "How many moves; 0 for the start")),
    responses((status = 200, body = MomentView), (status = 404, body = super::error::ErrorBody)))]
pub async fn at(
    State(app): State<Arc<App>>,
    Path((id, ply)): Path<(String, usize)>,
) -> Result<Json<MomentView>, ApiError> {
    let table = app.tables.find(&id).await?;
    let play = table.play();
    let played = play.session().moves_played();
    let moment = play.session().moment(ply).ok_or_else(|| {
        ApiError::missing(format!("move {ply}: expected a number from 0 to {played}"))
    })?;
    let arrived = moment.arrived;
    Ok(Json(MomentView {
        view: moment.view.into(),
        position: moment.position,
        label: arrived.as_ref().map(|arrived| arrived.label.clone()),
        last_cells: arrived.map_or_else(Vec::new, |arrived| arrived.cells),
    }))
}
