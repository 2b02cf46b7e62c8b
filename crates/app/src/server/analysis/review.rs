//! Game review: analyses every position of a game.

use super::{
    super::{
        App,
        client::Client,
        error::ApiError,
        search_queue::{SearchOrder, Urgency},
        search_root::SearchRoot,
    },
    MAX_ANALYSIS_TIME, ServerMessage, error_message,
};
use ludus_core::{Limits, Score, Side};
use ludus_players::{AnalysisControl, Board, Resources};
use serde::{Deserialize, Serialize};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tokio::{sync::mpsc::Sender, task::JoinSet};
use utoipa::ToSchema;

const MAX_NODES: u64 = 10_000_000;
const DEFAULT_NODES: u64 = 20_000;

/// A game to review.
#[derive(Deserialize, ToSchema)]
pub struct ReviewRequest {
    pub id: String,
    game: String,
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    player: String,
    nodes: Option<u64>,
}

/// Analysis of one position of the game.
#[derive(Serialize, ToSchema)]
pub struct ReviewedPly {
    id: String,
    /// Number of moves played before.
    ply: usize,
    /// Score in hundredths, from the first side's point of view.
    score: Option<i32>,
    /// Plies to a proven result: positive if the first side wins.
    win: Option<i32>,
    /// Best move.
    best: Option<String>,
    /// Best move in the game's notation.
    label: Option<String>,
}

/// Starts the review.
pub fn start(
    app: &Arc<App>,
    review: ReviewRequest,
    sender: &Sender<ServerMessage>,
) -> Result<JoinSet<()>, ApiError> {
    let root = SearchRoot::new(&review.game, review.position.as_deref(), &review.moves)?;
    root.check_player(&review.player)?;
    let nodes = review.nodes.unwrap_or(DEFAULT_NODES);
    if !(1..=MAX_NODES).contains(&nodes) {
        return Err(ApiError::bad(format!("nodes: expected 1 to {MAX_NODES}")));
    }
    let resources = app.resources(1);
    let (app, sender) = (Arc::clone(app), sender.clone());
    let mut tasks = JoinSet::new();
    tasks.spawn(Client::inherit(async move {
        let (id, plies) = (review.id.clone(), sender.clone());
        let task = ReviewTask { id: review.id, player: review.player, nodes, resources };
        let order = SearchOrder::new(Urgency::Background, &id);
        let search = app
            .analysis_searches
            .submit(order, MAX_ANALYSIS_TIME, move |stop| task.run(&root, stop, &plies));
        let reviewed = match search {
            Ok(search) => search.await.and_then(|reviewed| reviewed),
            Err(error) => Err(error),
        };
        match reviewed {
            Ok(()) => drop(sender.send(ServerMessage::Done { id, player: None }).await),
            Err(error) => drop(sender.send(error_message(Some(id), error.message)).await),
        }
    }));
    Ok(tasks)
}

/// Review of a game by one player.
struct ReviewTask {
    id: String,
    player: String,
    nodes: u64,
    resources: Resources,
}

impl ReviewTask {
    fn run(
        &self,
        root: &SearchRoot,
        stop: &AtomicBool,
        plies: &Sender<ServerMessage>,
    ) -> Result<(), ApiError> {
        let moves = root.board().moves();
        let mut board = root.board().boxed_clone();
        board.set_moves(&[])?;
        for ply in 0..=moves.len() {
            if ply > 0 {
                board.play(&moves[ply - 1])?;
            }
            let answer = self.review_position(&*board, ply, stop)?;
            if stop.load(Ordering::Relaxed) {
                return Err(ApiError::bad(
                    "the review took longer than ten minutes: try fewer nodes",
                ));
            }
            // Blocking is fine: this is a search thread.
            if plies.blocking_send(ServerMessage::Ply(answer)).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn review_position(
        &self,
        board: &dyn Board,
        ply: usize,
        stop: &AtomicBool,
    ) -> Result<ReviewedPly, ApiError> {
        let id = self.id.clone();
        if let Some(finish) = board.ending() {
            let score = Score::terminal(finish.outcome, Side::First, 0);
            let (win, score) = (score.win_in(), Some(score.0));
            return Ok(ReviewedPly { id, ply, score, win, best: None, label: None });
        }
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let mut control = AnalysisControl { limits, stop, on_report: &mut |_| {} };
        let analysis = board.analyze(&self.player, &self.resources, &mut control)?;
        let sign = board.turn().sign();
        let best = analysis.best;
        let label = board.line(best.as_slice()).pop().map(|mv| mv.label);
        Ok(ReviewedPly {
            id,
            ply,
            score: analysis.score.map(|score| score * sign),
            win: analysis.win.map(|win| win * sign),
            best,
            label,
        })
    }
}
