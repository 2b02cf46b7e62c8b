//! A recorded search as a document: the JSON of `ludus analyze --trace`, described in docs/SEARCH.md.

use super::Analysis;
use crate::Roster;
use ludus_core::{Score, SearchHints};
use ludus_search::{
    Recording,
    alphabeta::{Bound, Cause, Trace, Visit},
    mcts::{MctsTrace, ProvenValue, TracedNode},
};
use serde::Serialize;

/// A recorded search.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum TraceDocument {
    /// A depth-first search.
    Search(SearchDocument),
    /// A Monte-Carlo tree search.
    Growth(GrowthDocument),
}

/// A depth-first search, recorded as a tree of bounded size.
#[derive(Clone, Debug, Serialize)]
pub struct SearchDocument {
    /// The game with its options.
    pub game: String,
    /// The position searched.
    pub position: String,
    /// The player that searched.
    pub player: String,
    /// Completed depth.
    pub depth: u32,
    /// Nodes visited, recorded or not.
    pub visits: u64,
    /// The searches from the root, one after the other.
    pub passes: Vec<TracePass>,
    /// The recorded visits, in order.
    pub nodes: Vec<TraceNode>,
}

/// One search from the root.
#[derive(Clone, Debug, Serialize)]
pub struct TracePass {
    /// Its depth.
    pub depth: i32,
    /// Lower edge of its window; `None` if open.
    pub alpha: Option<i32>,
    /// Upper edge.
    pub beta: Option<i32>,
    /// The value found; `None` if the search was stopped.
    pub value: Option<i32>,
}

/// One visit of a node. Scores are from the view of the side to move there.
#[derive(Clone, Debug, Serialize)]
pub struct TraceNode {
    /// Its number, in the order of visits.
    pub id: usize,
    /// The visit above it.
    pub parent: Option<usize>,
    /// The move that led here; `None` at the root and for a null move.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// Distance from the root.
    pub ply: usize,
    /// Depth left.
    pub depth: i32,
    /// Lower edge of the window; `None` if open.
    pub alpha: Option<i32>,
    /// Upper edge.
    pub beta: Option<i32>,
    /// The value found; `None` if the search was stopped.
    pub value: Option<i32>,
    /// The kind of bound the value is: `exact`, `lower` or `upper`.
    pub bound: Option<&'static str>,
    /// The reason why no moves, or not all, were searched.
    pub cause: Option<&'static str>,
    /// The bound stored in the transposition table, where it caused the cutoff.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<&'static str>,
    /// Moves not searched after a beta cutoff.
    pub cut: usize,
    /// Moves pruned without a search.
    pub skipped: Vec<String>,
    /// Visits below it, itself included, recorded or not.
    pub nodes: u64,
    /// Children visited but not recorded.
    pub omitted: u64,
    /// The pass it belongs to.
    pub pass: usize,
}

/// A Monte-Carlo search tree and its first simulations.
#[derive(Clone, Debug, Serialize)]
pub struct GrowthDocument {
    /// The game with its options.
    pub game: String,
    /// The position searched.
    pub position: String,
    /// The player that searched.
    pub player: String,
    /// The length of the principal variation.
    pub depth: u32,
    /// Simulations run, recorded or not.
    pub visits: u64,
    /// The first simulations, in order.
    pub simulations: Vec<TraceSimulation>,
    /// The tree at the end, level by level.
    pub nodes: Vec<TraceGrown>,
    /// The scale of a tree of raw values: then values, points and means are those of the first side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw: Option<TraceRaw>,
}

/// The scale of a tree of raw values.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct TraceRaw {
    /// The exploration constant.
    pub exploration: f32,
    /// The parity of the plies whose moves are selected by the negated mean; `None` if no side's are.
    pub negated_parity: Option<usize>,
}

/// One simulation.
#[derive(Clone, Debug, Serialize)]
pub struct TraceSimulation {
    /// Its moves in the tree.
    pub path: Vec<String>,
    /// Its result from -1 to 1, for the side to move at the root; a raw value is the first side's.
    pub value: f32,
    /// Playout moves after those in the tree, if the leaf evaluator reports them.
    pub played_on: usize,
}

/// A node of the final tree. Points are those of the side that made the move.
#[derive(Clone, Debug, Serialize)]
pub struct TraceGrown {
    /// Its number.
    pub id: usize,
    /// The node above it.
    pub parent: Option<usize>,
    /// The move that leads here; `None` at the root.
    #[serde(rename = "move")]
    pub mv: Option<String>,
    /// N, the number of visits.
    pub visits: u32,
    /// W, 1 for each simulation won and a half for each drawn; the total of raw values.
    pub points: f32,
    /// Q, the mean points a visit.
    pub mean: f32,
    /// The selection value (UCT); `None` at the root and for moves not tried yet.
    pub uct: Option<f32>,
    /// RAVE visits, if there are any.
    pub rave_visits: Option<u32>,
    /// Mean points a RAVE visit.
    pub rave_mean: Option<f32>,
    /// The proven result for the side that made the move: `win`, `loss` or `draw`.
    pub proof: Option<&'static str>,
    /// Whether it has children, here or left out.
    pub expanded: bool,
}

/// The document of a recorded search of `root`.
pub(crate) fn document<P: Roster>(
    root: &P,
    analysis: &Analysis,
    recording: &Recording<P::Move>,
) -> TraceDocument {
    let Analysis { game, position, player, depth, .. } = analysis.clone();
    match recording {
        Recording::Visits(trace) => TraceDocument::Search(SearchDocument {
            game,
            position,
            player,
            depth,
            visits: trace.entered(),
            passes: passes(trace),
            nodes: nodes(root, trace),
        }),
        Recording::Growth(growth) => TraceDocument::Growth(GrowthDocument {
            game,
            position,
            player,
            depth,
            visits: growth.total,
            simulations: simulations(root, growth),
            nodes: grown(root, &growth.nodes),
            raw: growth.raw.map(|raw| TraceRaw {
                exploration: raw.exploration,
                negated_parity: raw.negated_parity,
            }),
        }),
    }
}

fn simulations<P: Roster>(root: &P, growth: &MctsTrace<P::Move>) -> Vec<TraceSimulation> {
    let line = |path: &[P::Move]| {
        let mut position = root.clone();
        let text = |&mv: &P::Move| {
            let text = position.move_text(mv);
            position.play(mv);
            text
        };
        path.iter().map(text).collect()
    };
    let simulation = |simulation: &ludus_search::mcts::Simulation<P::Move>| TraceSimulation {
        path: line(&simulation.path),
        value: simulation.value,
        played_on: simulation.played_on,
    };
    growth.simulations.iter().map(simulation).collect()
}

fn grown<P: Roster>(root: &P, nodes: &[TracedNode<P::Move>]) -> Vec<TraceGrown> {
    // Positions are kept only where moves follow.
    let mut positions: Vec<Option<P>> = Vec::new();
    let mut described = Vec::new();
    for (id, node) in nodes.iter().enumerate() {
        let above = node.parent.and_then(|parent| positions[parent].as_ref()).zip(node.mv);
        let mv = above.map(|(position, mv)| position.move_text(mv));
        let position = above.map_or_else(|| root.clone(), |(position, mv)| position.after(mv));
        positions.push(node.expanded.then_some(position));
        described.push(TraceGrown {
            id,
            parent: node.parent,
            mv,
            visits: node.visits,
            points: node.points,
            mean: node.mean,
            uct: node.selection_value,
            rave_visits: node.rave.map(|(visits, _)| visits),
            rave_mean: node.rave.map(|(_, mean)| mean),
            proof: match node.proof {
                ProvenValue::Unknown => None,
                ProvenValue::Win => Some("win"),
                ProvenValue::Loss => Some("loss"),
                ProvenValue::Draw => Some("draw"),
            },
            expanded: node.expanded,
        });
    }
    described
}

fn bound(bound: Bound) -> Option<&'static str> {
    match bound {
        Bound::None => None,
        Bound::Upper => Some("upper"),
        Bound::Lower => Some("lower"),
        Bound::Exact => Some("exact"),
    }
}

fn edge(value: i32) -> Option<i32> {
    (value.abs() < Score::INFINITE.0).then_some(value)
}

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Horizon => "horizon",
        Cause::GameOver => "game over",
        Cause::Path => "path",
        Cause::Known => "known ending",
        Cause::Table(_) => "table",
        Cause::Futility => "futility",
        Cause::NullMove => "null move",
        Cause::Cut(_) => "cut",
        Cause::Stopped => "stopped",
    }
}

fn passes<M: Copy>(trace: &Trace<M>) -> Vec<TracePass> {
    let pass = |pass: &ludus_search::alphabeta::RootPass| TracePass {
        depth: pass.depth,
        alpha: edge(pass.window.alpha),
        beta: edge(pass.window.beta),
        value: pass.value,
    };
    trace.passes.iter().map(pass).collect()
}

/// The visits with their moves as text.
fn nodes<P: Roster>(root: &P, trace: &Trace<P::Move>) -> Vec<TraceNode> {
    let mut nodes = Vec::with_capacity(trace.visits.len());
    // The visits above the current one: numbers and positions.
    let mut line: Vec<(usize, P)> = Vec::new();
    for (id, visit) in trace.visits.iter().enumerate() {
        while line.last().is_some_and(|&(above, _)| Some(above) != visit.parent) {
            line.pop();
        }
        let above = line.last().map(|(_, position)| position);
        let position = match (above, visit.mv) {
            (Some(above), Some(mv)) => above.after(mv),
            (Some(above), None) if visit.ply > trace.visits[line[line.len() - 1].0].ply => {
                P::Knowledge::default().null_move(above).unwrap_or_else(|| above.clone())
            }
            (Some(above), None) => above.clone(),
            (None, _) => root.clone(),
        };
        let move_text = visit.mv.zip(above).map(|(mv, above)| above.move_text(mv));
        nodes.push(node(id, visit, move_text, &position));
        line.push((id, position));
    }
    nodes
}

fn node<P: Roster>(
    id: usize,
    visit: &Visit<P::Move>,
    move_text: Option<String>,
    position: &P,
) -> TraceNode {
    let known = bound(visit.bound);
    TraceNode {
        id,
        parent: visit.parent,
        mv: move_text,
        ply: visit.ply,
        depth: visit.depth,
        alpha: edge(visit.window.alpha),
        beta: edge(visit.window.beta),
        value: known.map(|_| visit.value),
        bound: known,
        cause: visit.cause.map(cause),
        stored: match visit.cause {
            Some(Cause::Table(stored)) => bound(stored),
            _ => None,
        },
        cut: match visit.cause {
            Some(Cause::Cut(moves)) => moves,
            _ => 0,
        },
        skipped: visit.skipped.iter().map(|&mv| position.move_text(mv)).collect(),
        nodes: visit.nodes,
        omitted: visit.omitted,
        pass: visit.pass,
    }
}
