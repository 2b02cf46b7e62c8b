//! Recorded search trees, of positions and of trees typed by hand.

mod tree_search;
mod tree_text;
mod typed_tree;

use super::{
    App,
    error::{ApiError, JsonBody},
    learn, schema,
    search_queue::{SearchOrder, Urgency},
    search_root::SearchRoot,
    view::OptionView,
};
use axum::{
    Json, Router,
    extract::State,
    routing::{get, post},
};
use ludus_core::Limits;
use ludus_players::{Analysis, AnalysisControl, TraceDocument};
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};
use tree_text::MoveOrder;
use utoipa::ToSchema;

/// Name of these searches among those of a client.
const JOB: &str = "explain";
/// Maximum time of a recorded search.
const MAX_SEARCH_TIME: Duration = Duration::from_secs(60);
/// Maximum and default number of recorded visits.
const MAX_VISITS: usize = 20_000;
const DEFAULT_VISITS: usize = 5_000;
const MAX_NODES: u64 = 100_000_000;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/api/explain", post(explain))
        .route("/api/explain/tree", post(explain_tree))
        .route("/api/algorithms", get(algorithms))
}

/// A search to record.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainRequest {
    /// Game with its options, such as `draughts:rules=english`.
    game: String,
    /// Starting position; the standard one if absent.
    position: Option<String>,
    /// Moves from the starting position.
    #[serde(default)]
    moves: Vec<String>,
    /// Player whose search can be recorded, such as `alphabeta:depth=3`.
    player: String,
    /// Number of visits or simulations to record, up to 20,000.
    size: Option<usize>,
    /// Maximum number of positions or simulations; turns on iterative deepening in depth-first searches.
    nodes: Option<u64>,
}

/// Result and recorded tree of a search.
#[derive(Serialize)]
struct Explanation {
    analysis: Analysis,
    trace: TraceDocument,
}

/// Records a search of a position
#[utoipa::path(post, path = "/api/explain", tag = "explain", request_body = ExplainRequest,
    responses((status = 200, description = "{ analysis, trace }: the result, and the visits in order or the growth of the tree", body = schema::ExplanationSchema),
              (status = 400, description = "Invalid input", body = super::error::ErrorBody)))]
pub async fn explain(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<ExplainRequest>,
) -> Result<Json<impl Serialize>, ApiError> {
    let root = SearchRoot::new(&request.game, request.position.as_deref(), &request.moves)?;
    root.check_player(&request.player)?;
    let size = request.size.unwrap_or(DEFAULT_VISITS);
    if !(1..=MAX_VISITS).contains(&size) {
        return Err(ApiError::bad(format!("size {size}: expected 1 to {MAX_VISITS}")));
    }
    if request.nodes.is_some_and(|nodes| !(1..=MAX_NODES).contains(&nodes)) {
        return Err(ApiError::bad(format!("nodes: expected 1 to {MAX_NODES}")));
    }
    let resources = app.resources(1);
    let order = SearchOrder::new(Urgency::Waited, JOB);
    let search = app.analysis_searches.submit(order, MAX_SEARCH_TIME, move |stop| {
        let limits = Limits { nodes: request.nodes, ..Limits::default() };
        let mut control = AnalysisControl { limits, stop, on_report: &mut |_| {} };
        let (analysis, trace) =
            root.board().trace(&request.player, size, &resources, &mut control)?;
        Ok::<_, ApiError>(Explanation { analysis, trace })
    })?;
    Ok(Json(search.await??))
}

/// A typed tree to search.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TreeRequest {
    /// Tree such as `((3 5) (6 9) (1 2))`, or with one indented line per node.
    tree: String,
    /// Algorithm from `/api/algorithms`, optionally with options.
    algorithm: String,
    /// Move ordering: as written, best first or worst first.
    #[serde(default)]
    order: TreeOrder,
}

/// Move ordering in a typed tree.
#[derive(Copy, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TreeOrder {
    #[default]
    Written,
    Best,
    Worst,
}

impl From<TreeOrder> for MoveOrder {
    fn from(order: TreeOrder) -> MoveOrder {
        match order {
            TreeOrder::Written => MoveOrder::Written,
            TreeOrder::Best => MoveOrder::BestFirst,
            TreeOrder::Worst => MoveOrder::WorstFirst,
        }
    }
}

/// Records a search of a tree typed by hand
#[utoipa::path(post, path = "/api/explain/tree", tag = "explain", request_body = TreeRequest,
    responses((status = 200, description = "{ analysis, trace, tree }: as /api/explain, with labels and numbers of nodes, and the whole tree", body = tree_search::TreeExplanation),
              (status = 400, description = "Invalid tree or algorithm", body = super::error::ErrorBody)))]
pub async fn explain_tree(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<TreeRequest>,
) -> Result<Json<tree_search::TreeExplanation>, ApiError> {
    let order = SearchOrder::new(Urgency::Waited, JOB);
    let search = app.analysis_searches.submit(order, MAX_SEARCH_TIME, move |stop| {
        tree_search::search(&request.tree, &request.algorithm, request.order.into(), stop)
    })?;
    Ok(Json(search.await??))
}

/// A search algorithm that can be recorded.
#[derive(Serialize, ToSchema)]
pub struct Algorithm {
    id: &'static str,
    name: String,
    idea: String,
    options: Vec<OptionView>,
    kind: tree_search::AlgorithmKind,
}

/// Lists the algorithms whose search can be recorded
#[utoipa::path(get, path = "/api/algorithms", tag = "explain",
    responses((status = 200, description = "[{ id, name, idea, options, kind }]", body = Vec<Algorithm>)))]
pub async fn algorithms() -> Json<Vec<Algorithm>> {
    let algorithm = |(id, kind, options): (_, _, &'static [ludus_core::OptionSpec])| {
        let (name, idea) =
            learn::title_and_summary(id).unwrap_or_else(|| (id.to_owned(), String::new()));
        Algorithm { id, name, idea, options: options.iter().map(OptionView::from).collect(), kind }
    };
    Json(tree_search::algorithms().into_iter().map(algorithm).collect())
}
