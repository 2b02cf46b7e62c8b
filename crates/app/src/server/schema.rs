//! Schemas of JSON that crates below the server write, and of strings with a fixed set of values.
//!
//! They are only described here, never built: tests compare the descriptions with real responses.
#![expect(dead_code, clippy::large_enum_variant, reason = "described, never built")]

use super::live_games::LiveGameView;
use serde::Serialize;
use utoipa::ToSchema;

/// Kind of a board diagram.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GridKind {
    Checkered,
    Squares,
    Intersections,
    Holes,
    Text,
}

/// Kind of a piece.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PieceName {
    Disc,
    Man,
    Crowned,
    Cross,
    Nought,
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
    Coins,
}

/// Outcome of a game.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OutcomeName {
    First,
    Second,
    Draw,
}

/// Format of a game record.
#[derive(Serialize, ToSchema)]
#[schema(as = RecordFormat)]
#[serde(rename_all = "snake_case")]
pub enum RecordFormatName {
    Pgn,
    Pdn,
    Sgf,
    Json,
}

/// Kind of an option's value.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    Integer,
    Number,
    Choice,
    Switch,
    Bytes,
    Text,
}

/// Kind of bound that a value is.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BoundName {
    Exact,
    Lower,
    Upper,
}

/// A proven result.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProofName {
    Win,
    Loss,
    Draw,
}

/// A player's analysis of a position: `ludus_players::Analysis`.
#[derive(Serialize, ToSchema)]
#[schema(as = Analysis)]
pub struct AnalysisSchema {
    /// Game with its options.
    game: String,
    position: String,
    player: String,
    /// Best move; null if the player would resign.
    best: Option<String>,
    /// Cells of the best move.
    best_cells: Vec<usize>,
    /// Score in hundredths for the side to move.
    score: Option<i32>,
    score_words: String,
    /// Plies to a proven end: positive if the side to move wins.
    win: Option<i32>,
    /// Whether the score is the game-theoretic value.
    proven: bool,
    margin: Option<MarginSchema>,
    depth: u32,
    nodes: u64,
    leaves: u64,
    seconds: f64,
    /// Principal variation.
    pv: Vec<String>,
    /// Principal variation in the game's notation.
    pv_labels: Vec<String>,
    /// Root moves with their scores, if the player reports them.
    moves: Vec<RootMoveSchema>,
    table: Option<TableSchema>,
}

/// Lead of the first side at the end of the game, in points.
#[derive(Serialize, ToSchema)]
#[schema(as = FinalMargin)]
pub struct MarginSchema {
    /// On the board alone.
    board: f32,
    /// Including komi.
    total: f32,
}

/// Score of a root move.
#[derive(Serialize, ToSchema)]
#[schema(as = RootMove)]
pub struct RootMoveSchema {
    #[serde(rename = "move")]
    mv: String,
    score: Option<i32>,
    visits: u64,
    /// Rank among the best moves, from 1.
    rank: Option<usize>,
    pv: Vec<String>,
    score_words: String,
    /// Plies to a proven end: positive if the side to move wins.
    win: Option<i32>,
    /// Whether the score is the game-theoretic value.
    proven: bool,
    margin: Option<MarginSchema>,
}

/// Statistics of a transposition table.
#[derive(Serialize, ToSchema)]
#[schema(as = TranspositionTableUse)]
pub struct TableSchema {
    capacity: u64,
    used: u64,
    probes: u64,
    hits: u64,
    cutoffs: u64,
    stores: u64,
    overwrites: u64,
    lost: u64,
}

/// Message of a live game's WebSocket: the game at once and after every change, and the analysis of the player that
/// is searching.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LiveGameMessage {
    Table { table: LiveGameView },
    Thinking { analysis: AnalysisSchema },
}

/// A recorded search with its result.
#[derive(Serialize, ToSchema)]
#[schema(as = Explanation)]
pub struct ExplanationSchema {
    analysis: AnalysisSchema,
    trace: TraceSchema,
}

/// A recorded search.
#[derive(Serialize, ToSchema)]
#[schema(as = Trace)]
#[serde(untagged)]
pub enum TraceSchema {
    Search(SearchTraceSchema),
    Growth(GrowthTraceSchema),
}

/// A recorded depth-first search.
#[derive(Serialize, ToSchema)]
#[schema(as = SearchTrace)]
pub struct SearchTraceSchema {
    game: String,
    position: String,
    player: String,
    depth: u32,
    /// Nodes visited, recorded or not.
    visits: u64,
    passes: Vec<SearchPassSchema>,
    nodes: Vec<SearchNodeSchema>,
}

/// One search from the root.
#[derive(Serialize, ToSchema)]
#[schema(as = SearchPass)]
pub struct SearchPassSchema {
    depth: i32,
    alpha: Option<i32>,
    beta: Option<i32>,
    /// Null if the search was stopped.
    value: Option<i32>,
}

/// One visit of a node. Scores are for the side to move.
#[derive(Serialize, ToSchema)]
#[schema(as = SearchNode)]
pub struct SearchNodeSchema {
    id: usize,
    parent: Option<usize>,
    /// Null at the root and for a null move.
    #[serde(rename = "move")]
    mv: Option<String>,
    ply: usize,
    depth: i32,
    /// Lower edge of the window; null if open.
    alpha: Option<i32>,
    /// Upper edge of the window; null if open.
    beta: Option<i32>,
    /// Null if the search was stopped.
    value: Option<i32>,
    bound: Option<BoundName>,
    /// The reason why no moves, or not all, were searched.
    cause: Option<String>,
    /// Bound in the transposition table that caused the cutoff.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    stored: Option<BoundName>,
    /// Moves not searched after a beta cutoff.
    cut: usize,
    /// Moves pruned without a search.
    skipped: Vec<String>,
    /// Visits of the subtree, recorded or not.
    nodes: u64,
    /// Children visited but not recorded.
    omitted: u64,
    pass: usize,
}

/// A recorded Monte Carlo tree search.
#[derive(Serialize, ToSchema)]
#[schema(as = GrowthTrace)]
pub struct GrowthTraceSchema {
    game: String,
    position: String,
    player: String,
    depth: u32,
    /// Simulations run, recorded or not.
    visits: u64,
    simulations: Vec<SimulationSchema>,
    nodes: Vec<GrowthNodeSchema>,
    /// Scale of a tree of raw values: then values, points and means are those of the first side.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    raw: Option<RawScaleSchema>,
}

/// Scale of a tree whose nodes keep raw values of the first side.
#[derive(Serialize, ToSchema)]
#[schema(as = RawScale)]
pub struct RawScaleSchema {
    /// Exploration constant of UCB1.
    exploration: f32,
    /// Parity of the plies whose moves are selected by the negated mean; null if no side's are.
    negated_parity: Option<usize>,
}

/// One simulation.
#[derive(Serialize, ToSchema)]
#[schema(as = Simulation)]
pub struct SimulationSchema {
    /// Moves in the tree.
    path: Vec<String>,
    /// Result from -1 to 1 for the side to move at the root; a raw value is the first side's.
    value: f32,
    /// Playout moves after those in the tree.
    played_on: usize,
}

/// A node of the final tree. Points are those of the side that made the move.
#[derive(Serialize, ToSchema)]
#[schema(as = GrowthNode)]
pub struct GrowthNodeSchema {
    id: usize,
    parent: Option<usize>,
    #[serde(rename = "move")]
    mv: Option<String>,
    visits: u32,
    points: f32,
    mean: f32,
    /// Selection value.
    uct: Option<f32>,
    rave_visits: Option<u32>,
    rave_mean: Option<f32>,
    proof: Option<ProofName>,
    expanded: bool,
}

/// A visit of a node of a typed tree.
#[derive(Serialize, ToSchema)]
#[schema(as = LabelledSearchNode)]
pub struct LabelledSearchNodeSchema {
    #[serde(flatten)]
    node: SearchNodeSchema,
    /// Moves that lead to the node, such as `a.b`.
    label: String,
    /// Number typed at the node.
    leaf: Option<i32>,
}

/// A node of a typed tree after its last simulation.
#[derive(Serialize, ToSchema)]
#[schema(as = LabelledGrowthNode)]
pub struct LabelledGrowthNodeSchema {
    #[serde(flatten)]
    node: GrowthNodeSchema,
    /// Moves that lead to the node, such as `a.b`.
    label: String,
    /// Number typed at the node.
    leaf: Option<i32>,
}
