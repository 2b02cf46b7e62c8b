//! Analysis over a WebSocket: of a position by several players, or of a whole game by one player.

mod multi_pv;
mod review;

use super::{
    App,
    client::Client,
    client_socket::{ClientSocket, Disconnected, SocketUpgrade},
    error::ApiError,
    memory::player_bytes,
    schema::AnalysisSchema,
    search_queue::{SearchOrder, Urgency},
    search_root::SearchRoot,
};
use axum::{Router, extract::State, extract::ws::Message, response::Response, routing::any};
use ludus_core::{Limits, Notation, Random};
use ludus_games::go::Go;
use ludus_knowledge::go::{ownership, policy::PlayoutPolicy};
use ludus_players::{Analysis, AnalysisControl, Board, SearchReport, endgames::EndgameAnswer};
use ludus_search::tables::EndgameValue;
use multi_pv::AnalysisLine;
use serde::{Deserialize, Serialize};
use std::{
    collections::HashMap,
    sync::{Arc, atomic::AtomicBool},
    time::{Duration, Instant},
};
use tokio::{
    sync::mpsc::{self, Sender},
    task::JoinSet,
};
use utoipa::ToSchema;

/// Maximum number of open requests per connection.
const MAX_OPEN_REQUESTS: usize = 8;
/// Maximum number of players in a request.
const MAX_PLAYERS: usize = 4;
const MAX_LINES: usize = 8;
/// Maximum number of messages queued for a slow client.
const MAX_QUEUED_MESSAGES: usize = 256;
/// Maximum time of an analysis.
pub const MAX_ANALYSIS_TIME: Duration = Duration::from_secs(600);
/// Minimum time between two reports of a search.
const MIN_REPORT_INTERVAL: Duration = Duration::from_millis(100);
/// Time limit for ownership and endgame tables.
const LOOKUP_TIME_LIMIT: Duration = Duration::from_secs(10);
/// Maximum number of pieces for which building endgame tables is suggested: it takes minutes.
const MAX_SUGGESTED_PIECES: usize = 5;
/// Number of playouts for estimating ownership in Go.
const OWNERSHIP_PLAYOUTS: u32 = 200;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/api/analysis", any(analysis))
}

/// Message from a client.
#[derive(Deserialize, ToSchema)]
#[schema(as = AnalysisRequest)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ClientMessage {
    /// Analyses a position.
    Analyse(AnalyseRequest),
    /// Analyses every position of a game.
    Review(review::ReviewRequest),
    /// Stops a request.
    Stop { id: String },
}

#[derive(Deserialize, ToSchema)]
pub struct AnalyseRequest {
    id: String,
    game: String,
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    players: Vec<String>,
    #[serde(default = "one")]
    lines: usize,
    #[serde(default = "ten")]
    seconds: f64,
}

fn one() -> usize {
    1
}

fn ten() -> f64 {
    10.0
}

/// Message to a client.
#[derive(Serialize, ToSchema)]
#[schema(as = AnalysisMessage)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    Analysis { id: String, player: String, analysis: Box<AnalysisWithLines> },
    Ply(review::ReviewedPly),
    Ownership { id: String, owners: Vec<f32> },
    Verdict { id: String, words: String },
    Done { id: String, player: Option<String> },
    Error { id: Option<String>, player: Option<String>, message: String },
}

/// An analysis with the best lines (multi-PV).
#[derive(Serialize, ToSchema)]
pub struct AnalysisWithLines {
    #[serde(flatten)]
    #[schema(value_type = AnalysisSchema)]
    analysis: Analysis,
    /// Requested lines, best first; only in the final report.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<AnalysisLine>,
}

/// Analyses positions and games while the page is open
#[utoipa::path(get, path = "/api/analysis", tag = "analysis",
    responses((status = 101, description = "A WebSocket. Sent: {type: analyse, id, game, position?, moves, players, lines, seconds}, {type: review, id, game, position?, moves, player, nodes}, {type: stop, id}. Received: analysis, ply, ownership, verdict, done, error"),
              (status = 429, description = "Too many WebSockets", body = super::error::ErrorBody)))]
pub async fn analysis(State(app): State<Arc<App>>, upgrade: SocketUpgrade) -> Response {
    upgrade.on_upgrade(move |socket| serve_socket(app, socket))
}

/// Serves a connection until the client disconnects, which cancels its searches.
async fn serve_socket(app: Arc<App>, mut socket: ClientSocket) {
    let (sender, mut answers) = mpsc::channel(MAX_QUEUED_MESSAGES);
    let mut open = HashMap::new();
    loop {
        // Errors are sent directly: queueing could deadlock, as only this task empties the queue.
        let answer = tokio::select! {
            message = socket.receive() => match message {
                Ok(Message::Text(text)) => handle_message(&app, &text, &mut open, &sender),
                Ok(_) => Some(error_message(None, "expected text")),
                Err(Disconnected) => return,
            },
            answer = answers.recv() => answer,
        };
        if let Some(answer) = answer
            && send(&mut socket, &answer).await.is_err()
        {
            return;
        }
    }
}

async fn send(socket: &mut ClientSocket, answer: &ServerMessage) -> Result<(), Disconnected> {
    let text = serde_json::to_string(answer).map_err(|_| Disconnected)?;
    socket.send(text).await
}

fn error_message(id: Option<String>, message: impl Into<String>) -> ServerMessage {
    ServerMessage::Error { id, player: None, message: message.into() }
}

/// Open requests by id; dropping one cancels its searches.
type OpenRequests = HashMap<String, JoinSet<()>>;

/// Starts the request of a message; returns an error message if it is refused.
fn handle_message(
    app: &Arc<App>,
    text: &str,
    open: &mut OpenRequests,
    sender: &Sender<ServerMessage>,
) -> Option<ServerMessage> {
    let message = match serde_json::from_str(text) {
        Ok(message) => message,
        Err(error) => {
            let id = serde_json::from_str::<MessageId>(text).ok().map(|message| message.id);
            let message = format!("{error}: expected analyse, review or stop");
            return Some(error_message(id, message));
        }
    };
    open.retain(|_, tasks| {
        while tasks.try_join_next().is_some() {}
        !tasks.is_empty()
    });
    let id = match &message {
        ClientMessage::Stop { id } => {
            open.remove(id);
            return None;
        }
        ClientMessage::Analyse(analyse) => analyse.id.clone(),
        ClientMessage::Review(review) => review.id.clone(),
    };
    if open.len() >= MAX_OPEN_REQUESTS && !open.contains_key(&id) {
        let message = format!("{MAX_OPEN_REQUESTS} requests are open: stop one of them");
        return Some(error_message(Some(id), message));
    }
    let started = match message {
        ClientMessage::Analyse(analyse) => start_analysis(app, &analyse, sender),
        ClientMessage::Review(review) => review::start(app, review, sender),
        ClientMessage::Stop { .. } => return None,
    };
    match started {
        Ok(tasks) => {
            open.insert(id, tasks);
            None
        }
        Err(error) => Some(error_message(Some(id), error.message)),
    }
}

/// Id of a message that is otherwise invalid.
#[derive(Deserialize)]
struct MessageId {
    id: String,
}

/// Starts the searches of a request.
fn start_analysis(
    app: &Arc<App>,
    analyse: &AnalyseRequest,
    sender: &Sender<ServerMessage>,
) -> Result<JoinSet<()>, ApiError> {
    let root = SearchRoot::new(&analyse.game, analyse.position.as_deref(), &analyse.moves)?;
    let count = analyse.players.len();
    if !(1..=MAX_PLAYERS).contains(&count) {
        return Err(ApiError::bad(format!("{count} players: expected 1 to {MAX_PLAYERS}")));
    }
    if !(1..=MAX_LINES).contains(&analyse.lines) {
        return Err(ApiError::bad(format!("lines: expected 1 to {MAX_LINES}")));
    }
    if !(0.05..=MAX_ANALYSIS_TIME.as_secs_f64()).contains(&analyse.seconds) {
        return Err(ApiError::bad("seconds: expected 0.05 to 600"));
    }
    for player in &analyse.players {
        root.check_player(player)?;
    }
    if root.board().ending().is_some() {
        return Err(ApiError::bad(
            "the game is over in this position: there is nothing to analyse",
        ));
    }
    let mut tasks = JoinSet::new();
    for player in &analyse.players {
        let task = AnalysisTask {
            id: analyse.id.clone(),
            root: root.clone(),
            player: player.clone(),
            lines: analyse.lines,
            time: Duration::from_secs_f64(analyse.seconds),
        };
        tasks.spawn(Client::inherit(task.run(Arc::clone(app), sender.clone())));
    }
    let facts = send_position_facts(Arc::clone(app), analyse.id.clone(), root, sender.clone());
    tasks.spawn(Client::inherit(facts));
    Ok(tasks)
}

/// Analysis of one position by one player.
struct AnalysisTask {
    id: String,
    root: SearchRoot,
    player: String,
    lines: usize,
    time: Duration,
}

impl AnalysisTask {
    async fn run(self, app: Arc<App>, sender: Sender<ServerMessage>) {
        let (id, player) = (self.id.clone(), self.player.clone());
        let resources = app.resources(1);
        let (reports, memory) = (sender.clone(), app.memory.clone());
        let (order, limit) =
            (SearchOrder::new(Urgency::Background, &id), self.time + MIN_REPORT_INTERVAL);
        let search = app.analysis_searches.submit(order, limit, move |stop| {
            let bytes = player_bytes(self.root.game(), &self.player);
            let _share = memory.take(bytes, &self.player)?;
            self.search(&resources, stop, &reports)
        });
        let found = match search {
            Ok(search) => search.await.and_then(|found| found),
            Err(error) => Err(error),
        };
        match found {
            Ok(analysis) => {
                let analysis = Box::new(analysis);
                let answer =
                    ServerMessage::Analysis { id: id.clone(), player: player.clone(), analysis };
                let _ = sender.send(answer).await;
                let _ = sender.send(ServerMessage::Done { id, player: Some(player) }).await;
            }
            Err(error) => {
                let (id, player, message) = (Some(id), Some(player), error.message);
                let _ = sender.send(ServerMessage::Error { id, player, message }).await;
            }
        }
    }

    /// Searches for the best line with progress reports, then for the others.
    fn search(
        &self,
        resources: &ludus_players::Resources,
        stop: &AtomicBool,
        reports: &Sender<ServerMessage>,
    ) -> Result<AnalysisWithLines, ApiError> {
        let share = if self.lines > 1 { multi_pv::BEST_MOVE_TIME_SHARE } else { 1.0 };
        let limits = Limits { time: Some(self.time.mul_f64(share)), ..Limits::default() };
        let mut next = Instant::now();
        let mut on_report = |report: &SearchReport<'_>| {
            if Instant::now() < next {
                return;
            }
            next = Instant::now() + MIN_REPORT_INTERVAL;
            let analysis = report.analysis();
            // Reports are dropped while the client is slow.
            let _ = reports.try_send(ServerMessage::Analysis {
                id: self.id.clone(),
                player: self.player.clone(),
                analysis: Box::new(AnalysisWithLines { analysis, lines: Vec::new() }),
            });
        };
        let mut control = AnalysisControl { limits, stop, on_report: &mut on_report };
        let mut analysis = self.root.board().analyze(&self.player, resources, &mut control)?;
        let mut lines = Vec::new();
        if self.lines > 1 {
            let time = self.time.mul_f64(1.0 - multi_pv::BEST_MOVE_TIME_SHARE);
            let mut board = self.root.board().boxed_clone();
            let request =
                multi_pv::MultiPvRequest { player: &self.player, count: self.lines, time };
            lines = multi_pv::search(&mut *board, &mut analysis, &request, resources, stop)?;
        }
        Ok(AnalysisWithLines { analysis, lines })
    }
}

/// Sends information that needs no player: ownership in Go, and the verdict of endgame tables.
async fn send_position_facts(
    app: Arc<App>,
    id: String,
    root: SearchRoot,
    sender: Sender<ServerMessage>,
) {
    let folder = app.settings.data.join("endgame").join(root.game().id());
    // Short, so it uses the pool of short searches rather than waiting for those of this request.
    let order = SearchOrder::new(Urgency::Waited, "facts");
    let facts = move |_: &_| position_facts(root.board(), &folder);
    let Ok(search) = app.move_searches.submit(order, LOOKUP_TIME_LIMIT, facts) else { return };
    let Ok((owners, verdict)) = search.await else { return };
    if let Some(owners) = owners {
        let _ = sender.send(ServerMessage::Ownership { id: id.clone(), owners }).await;
    }
    if let Some(verdict) = verdict {
        let _ = sender.send(ServerMessage::Verdict { id, words: verdict }).await;
    }
}

fn position_facts(
    board: &dyn Board,
    folder: &std::path::Path,
) -> (Option<Vec<f32>>, Option<String>) {
    let position = board.position();
    let game = board.game();
    let owners = (game.id() == Go::ID)
        .then(|| Go::parse(board.options(), &position).ok())
        .flatten()
        .map(|go| {
            ownership::ownership(
                &go,
                &PlayoutPolicy::strong(),
                OWNERSHIP_PLAYOUTS,
                &mut Random::new(1),
            )
        });
    let verdict = game.endgames().and_then(|tables| {
        let pieces = board.view().cells.iter().filter(|cell| cell.piece.is_some()).count();
        if !tables.has_tables(board.options()).unwrap_or(false) || pieces > tables.max_pieces() {
            return None;
        }
        let has_tables = folder.is_dir();
        let answer = has_tables.then(|| tables.probe(folder, board.options(), &position).ok());
        match answer.flatten() {
            Some(answer) => endgame_verdict(board, &answer),
            None => (pieces <= MAX_SUGGESTED_PIECES).then(|| build_hint(game.id(), pieces)),
        }
    });
    (owners, verdict)
}

/// Result by endgame tables, in words.
fn endgame_verdict(board: &dyn Board, answer: &EndgameAnswer) -> Option<String> {
    let length = answer.distance.map_or(String::new(), |plies| format!(" in {plies} plies"));
    let (mover, other) = (board.side_name(board.turn()), board.side_name(!board.turn()));
    Some(match answer.value {
        EndgameValue::Win => format!("{mover} wins{length}, according to the endgame tables"),
        EndgameValue::Loss => format!("{other} wins{length}, according to the endgame tables"),
        EndgameValue::Draw => "a draw, according to the endgame tables".to_owned(),
        EndgameValue::Unknown => return None,
    })
}

/// Command that builds the endgame tables for this number of pieces, in words.
fn build_hint(game: &str, pieces: usize) -> String {
    format!(
        "to know the result, build endgame tables: ludus endgame build {game} --pieces {pieces}"
    )
}
