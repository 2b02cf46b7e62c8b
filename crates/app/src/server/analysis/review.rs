//! A whole game, position by position.

use super::{
    super::{App, error::ApiError, place::Place},
    Answer, LONGEST, refusal,
};
use ludus_core::{Limits, Score, Side};
use ludus_players::{Progress, Resources, Session};
use serde::{Deserialize, Serialize};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tokio::{sync::mpsc::Sender, task::JoinSet};

const MOST_NODES: u64 = 10_000_000;
const USUAL_NODES: u64 = 20_000;

/// A game to be looked at.
#[derive(Deserialize)]
pub struct Review {
    pub id: String,
    game: String,
    position: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    player: String,
    nodes: Option<u64>,
}

/// What the player thinks of a position of the game.
#[derive(Serialize)]
pub struct Ply {
    id: String,
    /// Moves before it.
    ply: usize,
    /// In hundredths, as the first side sees it.
    score: Option<i32>,
    /// Plies to a proven end: positive if the first side wins.
    win: Option<i32>,
    /// The move it would make.
    best: Option<String>,
    /// The same as records write it.
    label: Option<String>,
}

/// Starts to look at the game.
pub fn begin(
    app: &Arc<App>,
    review: Review,
    sender: &Sender<Answer>,
) -> Result<JoinSet<()>, ApiError> {
    let place = Place::new(&review.game, review.position.as_deref(), &review.moves)?;
    place.check_player(&review.player)?;
    let nodes = review.nodes.unwrap_or(USUAL_NODES);
    if !(1..=MOST_NODES).contains(&nodes) {
        return Err(ApiError::bad(format!("nodes: expected 1 to {MOST_NODES}")));
    }
    let resources = app.resources(1);
    let (app, sender) = (Arc::clone(app), sender.clone());
    let mut tasks = JoinSet::new();
    tasks.spawn(async move {
        let (id, plies) = (review.id.clone(), sender.clone());
        let walk = Walk { id: review.id, player: review.player, nodes, resources };
        let search = app.studies.submit(LONGEST, move |stop| walk.run(&place, stop, &plies));
        let walked = match search {
            Ok(search) => search.await.and_then(|walked| walked),
            Err(error) => Err(error),
        };
        match walked {
            Ok(()) => drop(sender.send(Answer::Done { id, player: None }).await),
            Err(error) => drop(sender.send(refusal(Some(id), error.message)).await),
        }
    });
    Ok(tasks)
}

/// A walk through a game.
struct Walk {
    id: String,
    player: String,
    nodes: u64,
    resources: Resources,
}

impl Walk {
    fn run(
        &self,
        place: &Place,
        stop: &AtomicBool,
        plies: &Sender<Answer>,
    ) -> Result<(), ApiError> {
        let mut board = place.open_at(0)?;
        for ply in 0..=place.plies() {
            if ply > 0 {
                board.play(place.mv(ply - 1))?;
            }
            let answer = self.look(&*board, ply, stop)?;
            if stop.load(Ordering::Relaxed) {
                return Err(ApiError::bad(
                    "the game took longer than ten minutes: try fewer nodes",
                ));
            }
            // This thread may wait: it is not one of those that answer requests.
            if plies.blocking_send(Answer::Ply(answer)).is_err() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn look(&self, board: &dyn Session, ply: usize, stop: &AtomicBool) -> Result<Ply, ApiError> {
        let id = self.id.clone();
        if let Some(finish) = board.ending() {
            let score = Score::terminal(finish.outcome, Side::First, 0);
            let (win, score) = (score.win_in(), Some(score.0));
            return Ok(Ply { id, ply, score, win, best: None, label: None });
        }
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let mut progress = Progress { limits, stop, on_report: &mut |_| {} };
        let analysis = board.analyze(&self.player, &self.resources, &mut progress)?;
        let sign = board.turn().sign();
        let best = analysis.best;
        let label = board.line(best.as_slice()).pop().map(|mv| mv.label);
        Ok(Ply {
            id,
            ply,
            score: analysis.score.map(|score| score * sign),
            win: analysis.win.map(|win| win * sign),
            best,
            label,
        })
    }
}
