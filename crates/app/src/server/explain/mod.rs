//! Searches shown as trees: of real positions, and of trees typed by hand.

mod text;
mod tree;
mod typed;

use super::{
    App,
    error::{ApiError, Input},
    learn,
    place::Place,
    view::OptionView,
};
use axum::{
    Json, Router,
    extract::State,
    routing::{get, post},
};
use ludus_core::Limits;
use ludus_players::{Analysis, Progress, TraceDocument};
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};
use text::Order;
use utoipa::ToSchema;

/// How long a search that is recorded may take.
const LONGEST: Duration = Duration::from_secs(60);
/// Visits recorded at most, and if nobody says how many.
const MOST_VISITS: usize = 20_000;
const USUAL_VISITS: usize = 5_000;
const MOST_NODES: u64 = 100_000_000;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/explain", post(explain))
        .route("/api/explain/tree", post(explain_tree))
        .route("/api/algorithms", get(algorithms))
}

/// A search to be recorded.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainRequest {
    /// The game with its options, such as `draughts:rules=english`.
    game: String,
    /// The position; the start of the game if there is none.
    position: Option<String>,
    /// Moves from there.
    #[serde(default)]
    moves: Vec<String>,
    /// Who searches, such as `alphabeta:depth=3`: a player that is traced.
    player: String,
    /// Visits or simulations to record, up to 20,000.
    size: Option<usize>,
    /// Positions or simulations to look at; makes depth-first searches deepen ply by ply.
    nodes: Option<u64>,
}

/// What a search found, and how.
#[derive(Serialize)]
struct Explanation {
    analysis: Analysis,
    trace: TraceDocument,
}

/// Records a search of a position
#[utoipa::path(post, path = "/api/explain", tag = "explain", request_body = ExplainRequest,
    responses((status = 200, description = "{ analysis, trace }: what it found, and the visits in their order or the growth of the tree", body = Object),
              (status = 400, description = "The input is wrong", body = super::error::ErrorBody)))]
pub async fn explain(
    State(app): State<Arc<App>>,
    Input(request): Input<ExplainRequest>,
) -> Result<Json<impl Serialize>, ApiError> {
    let place = Place::new(&request.game, request.position.as_deref(), &request.moves)?;
    place.check_player(&request.player)?;
    let size = request.size.unwrap_or(USUAL_VISITS);
    if !(1..=MOST_VISITS).contains(&size) {
        return Err(ApiError::bad(format!("size {size}: expected 1 to {MOST_VISITS}")));
    }
    if request.nodes.is_some_and(|nodes| !(1..=MOST_NODES).contains(&nodes)) {
        return Err(ApiError::bad(format!("nodes: expected 1 to {MOST_NODES}")));
    }
    let resources = app.resources(1);
    let search = app.studies.submit(LONGEST, move |stop| {
        let board = place.open()?;
        let limits = Limits { nodes: request.nodes, ..Limits::default() };
        let mut progress = Progress { limits, stop, on_report: &mut |_| {} };
        let (analysis, trace) = board.trace(&request.player, size, &resources, &mut progress)?;
        Ok::<_, ApiError>(Explanation { analysis, trace })
    })?;
    Ok(Json(search.await??))
}

/// A typed tree to be searched.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeRequest {
    /// `((3 5) (6 9) (1 2))`, or one line a node, indented.
    tree: String,
    /// How: one of `/api/algorithms`, with options if wanted.
    algorithm: String,
    /// In which order moves are tried: as written, the best or the worst first.
    #[serde(default)]
    order: TreeOrder,
}

/// In which order the moves of a typed tree are tried.
#[derive(Copy, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TreeOrder {
    #[default]
    Written,
    Best,
    Worst,
}

impl From<TreeOrder> for Order {
    fn from(order: TreeOrder) -> Order {
        match order {
            TreeOrder::Written => Order::Written,
            TreeOrder::Best => Order::BestFirst,
            TreeOrder::Worst => Order::WorstFirst,
        }
    }
}

/// Records a search of a tree typed by hand
#[utoipa::path(post, path = "/api/explain/tree", tag = "explain", request_body = TreeRequest,
    responses((status = 200, description = "{ analysis, trace, tree }: as /api/explain, nodes with their labels and numbers, and the whole tree", body = Object),
              (status = 400, description = "The tree or the algorithm is wrong", body = super::error::ErrorBody)))]
pub async fn explain_tree(
    State(app): State<Arc<App>>,
    Input(request): Input<TreeRequest>,
) -> Result<Json<tree::Explained>, ApiError> {
    let search = app.studies.submit(LONGEST, move |stop| {
        tree::search(&request.tree, &request.algorithm, request.order.into(), stop)
    })?;
    Ok(Json(search.await??))
}

/// A way to search that can be watched.
#[derive(Serialize)]
pub struct Algorithm {
    id: &'static str,
    name: String,
    idea: String,
    options: Vec<OptionView>,
    kind: tree::Kind,
}

/// The searches that can be watched
#[utoipa::path(get, path = "/api/algorithms", tag = "explain",
    responses((status = 200, description = "[{ id, name, idea, options, kind }]", body = Vec<Object>)))]
pub async fn algorithms() -> Json<Vec<Algorithm>> {
    let algorithm = |(id, kind, options): (_, _, &'static [ludus_core::OptionSpec])| {
        let (name, idea) =
            learn::title_and_summary(id).unwrap_or_else(|| (id.to_owned(), String::new()));
        Algorithm { id, name, idea, options: options.iter().map(OptionView::from).collect(), kind }
    };
    Json(tree::algorithms().into_iter().map(algorithm).collect())
}
