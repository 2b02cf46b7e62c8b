//! Analysis over a WebSocket: several players on one position, or one player on a whole game.

mod lines;
mod review;

use super::{App, error::ApiError, place::Place};
use axum::{
    Router,
    extract::{
        State, WebSocketUpgrade,
        ws::{Message, WebSocket},
    },
    response::Response,
    routing::any,
};
use lines::Line;
use ludus_core::{Limits, Notation, Random};
use ludus_games::go::{Go, ownership, policy::Policy};
use ludus_players::{Analysis, Progress, Session, endgames::EndgameAnswer};
use ludus_search::tables::Value;
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

/// Bytes of a message.
const LONGEST_MESSAGE: usize = 64 << 10;
/// Questions of one page at the same time.
const MOST_QUESTIONS: usize = 8;
/// Players asked at the same time.
const MOST_PLAYERS: usize = 4;
const MOST_LINES: usize = 8;
/// Answers that may wait for a slow reader.
const WAITING: usize = 256;
/// The longest a question may take.
pub const LONGEST: Duration = Duration::from_secs(600);
/// From one report of a search to the next.
const PAUSE: Duration = Duration::from_millis(100);
/// How long what is known may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// Tables of endings with so many pieces are built in minutes.
const SOON_BUILT: usize = 5;
/// Playouts that tell who owns what.
const PLAYOUTS: u32 = 200;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/api/analysis", any(analysis))
}

/// What a page asks.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Question {
    /// What players think of a position.
    Analyse(Analyse),
    /// What a player thinks of every position of a game.
    Review(review::Review),
    /// Nothing any more.
    Stop { id: String },
}

#[derive(Deserialize)]
struct Analyse {
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

/// What the page is told.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Answer {
    Analysis { id: String, player: String, analysis: Box<Thought> },
    Ply(review::Ply),
    Ownership { id: String, owners: Vec<f32> },
    Verdict { id: String, words: String },
    Done { id: String, player: Option<String> },
    Error { id: Option<String>, player: Option<String>, message: String },
}

/// What a player thinks, with other lines than the best.
#[derive(Serialize)]
struct Thought {
    #[serde(flatten)]
    analysis: Analysis,
    /// The lines asked for, best first, once they are known.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lines: Vec<Line>,
}

/// Analyses positions and games while the page is open
#[utoipa::path(get, path = "/api/analysis", tag = "analysis",
    responses((status = 101, description = "A WebSocket. Sent: {type: analyse, id, game, position?, moves, players, lines, seconds}, {type: review, id, game, position?, moves, player, nodes}, {type: stop, id}. Received: analysis, ply, ownership, verdict, done, error")))]
pub async fn analysis(State(app): State<Arc<App>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade.max_message_size(LONGEST_MESSAGE).on_upgrade(move |socket| talk(app, socket))
}

/// Answers until the page goes away; then all searches it asked for end.
async fn talk(app: Arc<App>, mut socket: WebSocket) {
    let (sender, mut answers) = mpsc::channel(WAITING);
    let mut open = HashMap::new();
    loop {
        // Refusals go straight to the page: only this task empties the queue of answers.
        let answer = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => hear(&app, &text, &mut open, &sender),
                Some(Ok(Message::Binary(_))) => Some(refusal(None, "expected text")),
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => None,
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
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

async fn send(socket: &mut WebSocket, answer: &Answer) -> Result<(), axum::Error> {
    let text = serde_json::to_string(answer).map_err(axum::Error::new)?;
    socket.send(Message::Text(text.into())).await
}

fn refusal(id: Option<String>, message: impl Into<String>) -> Answer {
    Answer::Error { id, player: None, message: message.into() }
}

/// The questions that are being answered; dropping one ends its searches.
type Open = HashMap<String, JoinSet<()>>;

/// Begins what a message asks for, or says why not.
fn hear(app: &Arc<App>, text: &str, open: &mut Open, sender: &Sender<Answer>) -> Option<Answer> {
    let question = match serde_json::from_str(text) {
        Ok(question) => question,
        Err(error) => {
            let id = serde_json::from_str::<Named>(text).ok().map(|named| named.id);
            let message = format!("{error}: expected analyse, review or stop");
            return Some(refusal(id, message));
        }
    };
    open.retain(|_, tasks| {
        while tasks.try_join_next().is_some() {}
        !tasks.is_empty()
    });
    let id = match &question {
        Question::Stop { id } => {
            open.remove(id);
            return None;
        }
        Question::Analyse(analyse) => analyse.id.clone(),
        Question::Review(review) => review.id.clone(),
    };
    if open.len() >= MOST_QUESTIONS && !open.contains_key(&id) {
        let message = format!("{MOST_QUESTIONS} questions are open: stop one of them");
        return Some(refusal(Some(id), message));
    }
    let begun = match question {
        Question::Analyse(analyse) => begin(app, &analyse, sender),
        Question::Review(review) => review::begin(app, review, sender),
        Question::Stop { .. } => return None,
    };
    match begun {
        Ok(tasks) => {
            open.insert(id, tasks);
            None
        }
        Err(error) => Some(refusal(Some(id), error.message)),
    }
}

/// The name of a question that is wrong otherwise.
#[derive(Deserialize)]
struct Named {
    id: String,
}

/// Starts the searches of a question.
fn begin(
    app: &Arc<App>,
    analyse: &Analyse,
    sender: &Sender<Answer>,
) -> Result<JoinSet<()>, ApiError> {
    let place = Place::new(&analyse.game, analyse.position.as_deref(), &analyse.moves)?;
    let count = analyse.players.len();
    if !(1..=MOST_PLAYERS).contains(&count) {
        return Err(ApiError::bad(format!("{count} players: expected 1 to {MOST_PLAYERS}")));
    }
    if !(1..=MOST_LINES).contains(&analyse.lines) {
        return Err(ApiError::bad(format!("lines: expected 1 to {MOST_LINES}")));
    }
    if !(0.05..=LONGEST.as_secs_f64()).contains(&analyse.seconds) {
        return Err(ApiError::bad("seconds: expected 0.05 to 600"));
    }
    for player in &analyse.players {
        place.check_player(player)?;
    }
    if place.open()?.ending().is_some() {
        return Err(ApiError::bad("the game is over in this position: nothing is left to analyse"));
    }
    let mut tasks = JoinSet::new();
    for player in &analyse.players {
        let study = Study {
            id: analyse.id.clone(),
            place: place.clone(),
            player: player.clone(),
            lines: analyse.lines,
            time: Duration::from_secs_f64(analyse.seconds),
        };
        tasks.spawn(study.run(Arc::clone(app), sender.clone()));
    }
    tasks.spawn(tell_what_is_known(Arc::clone(app), analyse.id.clone(), place, sender.clone()));
    Ok(tasks)
}

/// One player on one position.
struct Study {
    id: String,
    place: Place,
    player: String,
    lines: usize,
    time: Duration,
}

impl Study {
    async fn run(self, app: Arc<App>, sender: Sender<Answer>) {
        let (id, player) = (self.id.clone(), self.player.clone());
        let resources = app.resources(1);
        let reports = sender.clone();
        let search = app
            .studies
            .submit(self.time + PAUSE, move |stop| self.search(&resources, stop, &reports));
        let found = match search {
            Ok(search) => search.await.and_then(|found| found),
            Err(error) => Err(error),
        };
        match found {
            Ok(thought) => {
                let analysis = Box::new(thought);
                let answer = Answer::Analysis { id: id.clone(), player: player.clone(), analysis };
                let _ = sender.send(answer).await;
                let _ = sender.send(Answer::Done { id, player: Some(player) }).await;
            }
            Err(error) => {
                let (id, player, message) = (Some(id), Some(player), error.message);
                let _ = sender.send(Answer::Error { id, player, message }).await;
            }
        }
    }

    /// Searches the best line, telling of it on the way, and then the others.
    fn search(
        &self,
        resources: &ludus_players::Resources,
        stop: &AtomicBool,
        reports: &Sender<Answer>,
    ) -> Result<Thought, ApiError> {
        let session = self.place.open()?;
        let share = if self.lines > 1 { lines::SHARE_OF_BEST } else { 1.0 };
        let limits = Limits { time: Some(self.time.mul_f64(share)), ..Limits::default() };
        let mut next = Instant::now();
        let mut on_report = |analysis: &Analysis| {
            if Instant::now() < next {
                return;
            }
            next = Instant::now() + PAUSE;
            let analysis = analysis.clone();
            // A reader that is too slow for a report gets the next one.
            let _ = reports.try_send(Answer::Analysis {
                id: self.id.clone(),
                player: self.player.clone(),
                analysis: Box::new(Thought { analysis, lines: Vec::new() }),
            });
        };
        let mut progress = Progress { limits, stop, on_report: &mut on_report };
        let mut analysis = session.analyze(&self.player, resources, &mut progress)?;
        let mut board = self.place.open()?;
        let mut lines = Vec::new();
        if self.lines > 1 {
            let time = self.time.mul_f64(1.0 - lines::SHARE_OF_BEST);
            let wanted = lines::Wanted { player: &self.player, count: self.lines, time };
            lines = lines::search(&mut *board, &mut analysis, &wanted, resources, stop)?;
        }
        Ok(Thought { analysis, lines })
    }
}

/// Tells what can be known without a player: who owns the points of Go, what tables of endings say.
async fn tell_what_is_known(app: Arc<App>, id: String, place: Place, sender: Sender<Answer>) {
    let folder = app.settings.data.join("endgame").join(place.game.id());
    // It takes a moment, and should not wait for the searches of the same question.
    let Ok(search) = app.moves.submit(PATIENCE, move |_| known(&place, &folder)) else { return };
    let Ok((owners, words)) = search.await else { return };
    if let Some(owners) = owners {
        let _ = sender.send(Answer::Ownership { id: id.clone(), owners }).await;
    }
    if let Some(words) = words {
        let _ = sender.send(Answer::Verdict { id, words }).await;
    }
}

fn known(place: &Place, folder: &std::path::Path) -> (Option<Vec<f32>>, Option<String>) {
    let Ok(board) = place.open() else { return (None, None) };
    let position = board.position();
    let owners = (place.game.id() == Go::ID)
        .then(|| Go::parse(&place.options, &position).ok())
        .flatten()
        .map(|go| ownership::ownership(&go, &Policy::strong(), PLAYOUTS, &mut Random::new(1)));
    let words = place.game.endgames().and_then(|tables| {
        let pieces = board.view().cells.iter().filter(|cell| cell.piece.is_some()).count();
        if !tables.know(&place.options).unwrap_or(false) || pieces > tables.most_pieces() {
            return None;
        }
        let has_tables = folder.is_dir();
        let answer = has_tables.then(|| tables.probe(folder, &place.options, &position).ok());
        match answer.flatten() {
            Some(answer) => verdict(&*board, &answer),
            None => (pieces <= SOON_BUILT).then(|| advice(place.game.id(), pieces)),
        }
    });
    (owners, words)
}

/// What the tables of endings say.
fn verdict(board: &dyn Session, answer: &EndgameAnswer) -> Option<String> {
    let length = answer.distance.map_or(String::new(), |plies| format!(" in {plies} plies"));
    let (mover, other) = (board.side_name(board.turn()), board.side_name(!board.turn()));
    Some(match answer.value {
        Value::Win => format!("{mover} wins{length}, by the tables of endings"),
        Value::Loss => format!("{other} wins{length}, by the tables of endings"),
        Value::Draw => "a draw, by the tables of endings".to_owned(),
        Value::Unknown => return None,
    })
}

/// How to get tables for an ending of so many pieces.
fn advice(game: &str, pieces: usize) -> String {
    format!("ludus endgame build {game} --pieces {pieces} makes the tables that know this ending")
}
