//! Search of a typed tree, recorded with the labels and values of that tree.

use super::{
    tree_text::{MoveOrder, ParsedTree},
    typed_tree::TypedTree,
};
use crate::server::{
    schema::{
        AnalysisSchema, LabelledGrowthNodeSchema, LabelledSearchNodeSchema, RawScaleSchema,
        SearchPassSchema, SimulationSchema,
    },
    view::SideName,
};
use ludus_core::{Limits, Options, PlayerError, Side, options::split_name};
use ludus_players::{
    Analysis, AnalysisControl, ErasedGame, Game, Resources, Roster, TraceDocument, TraceGrown,
    TraceNode, TracePass, TraceRaw, TraceSimulation, chess::study_mcts,
};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use utoipa::ToSchema;

const GAME: &dyn Game = &ErasedGame::<TypedTree>::NEW;

/// Maximum number of recorded visits.
const MAX_VISITS: usize = 20_000;
/// Number of simulations without a limit.
const DEFAULT_SIMULATIONS: u64 = 200;

/// Kind of an algorithm.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AlgorithmKind {
    /// Depth-first search.
    Search,
    /// Tree growing by simulations.
    Growth,
}

/// Algorithms whose search can be recorded: every common player that searches a tree, except `engine`.
pub fn algorithms() -> Vec<(&'static str, AlgorithmKind, &'static [ludus_core::OptionSpec])> {
    let recipes = TypedTree::recipes().into_iter();
    let watched = recipes.filter(|recipe| recipe.build_traced.is_some() && recipe.id != "engine");
    watched.map(|recipe| (recipe.id, kind(recipe.id), recipe.options)).collect()
}

fn kind(algorithm: &str) -> AlgorithmKind {
    let grows = ["flat", "mcts", study_mcts::ID].contains(&algorithm);
    if grows { AlgorithmKind::Growth } else { AlgorithmKind::Search }
}

/// Result and recorded search of a typed tree.
#[derive(Debug, Serialize, ToSchema)]
pub struct TreeExplanation {
    /// Result of the search.
    #[schema(value_type = AnalysisSchema)]
    pub analysis: Analysis,
    /// Recorded search.
    pub trace: TreeTrace,
    /// The whole tree, visited or not.
    pub tree: TreeDocument,
}

/// Recorded search: a [`TraceDocument`] whose nodes have labels.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LabelledTrace)]
#[serde(untagged)]
pub enum TreeTrace {
    /// Depth-first search.
    Search(LabelledSearchTrace),
    /// Tree grown by simulations.
    Growth(LabelledGrowthTrace),
}

/// A depth-first search; see [`ludus_players::SearchDocument`].
#[derive(Debug, Serialize, ToSchema)]
pub struct LabelledSearchTrace {
    pub game: String,
    pub position: String,
    pub player: String,
    pub depth: u32,
    pub visits: u64,
    #[schema(value_type = Vec<SearchPassSchema>)]
    pub passes: Vec<TracePass>,
    #[schema(value_type = Vec<LabelledSearchNodeSchema>)]
    pub nodes: Vec<Labelled<TraceNode>>,
}

/// A tree that grew by simulations; see [`ludus_players::GrowthDocument`].
#[derive(Debug, Serialize, ToSchema)]
pub struct LabelledGrowthTrace {
    pub game: String,
    pub position: String,
    pub player: String,
    pub depth: u32,
    pub visits: u64,
    #[schema(value_type = Vec<SimulationSchema>)]
    pub simulations: Vec<TraceSimulation>,
    #[schema(value_type = Vec<LabelledGrowthNodeSchema>)]
    pub nodes: Vec<Labelled<TraceGrown>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = RawScaleSchema, required = false, nullable = false)]
    pub raw: Option<TraceRaw>,
}

/// A trace node with its place in the typed tree.
#[derive(Debug, Serialize)]
pub struct Labelled<N> {
    #[serde(flatten)]
    pub node: N,
    /// Path, such as `a.b`.
    pub label: String,
    /// Value of a leaf, from the first side's point of view.
    pub leaf: Option<i32>,
}

/// The typed tree.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TypedTree)]
pub struct TreeDocument {
    /// The tree in parentheses, with move names.
    pub text: String,
    /// Number of visited nodes.
    pub visited: usize,
    /// Nodes, the root first; children come after their parents.
    pub nodes: Vec<TreeNode>,
}

/// A node of the typed tree.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TypedNode)]
pub struct TreeNode {
    /// Path from the root.
    pub label: String,
    /// Index of the parent.
    pub parent: Option<usize>,
    /// Indices of the children, in the order they are searched.
    pub children: Vec<usize>,
    /// Side to move: `first` maximises, `second` minimises.
    #[schema(value_type = SideName)]
    pub turn: &'static str,
    /// Value of a leaf.
    pub leaf: Option<i32>,
    /// Minimax value for the first side.
    pub minimax: i32,
    /// Number of visits; 0 for pruned nodes.
    pub visits: u64,
}

/// Searches a tree to its leaves by `algorithm`, such as `alphabeta` or `alphabeta:fail=hard`.
pub fn search(
    text: &str,
    algorithm: &str,
    order: MoveOrder,
    stop: &AtomicBool,
) -> Result<TreeExplanation, PlayerError> {
    let tree = ParsedTree::parse(text)?.ordered(order);
    let (name, _) = split_name(algorithm);
    check(name)?;
    let leaves = if kind(name) == AlgorithmKind::Growth { "results" } else { "values" };
    let options = Options::parse(&format!("tree:leaves={leaves}"), GAME.options())?;
    let board = GAME.open(&options, Some(&tree.text()))?;
    // No node limit for depth-first searches: it would turn on iterative deepening.
    let limits = match kind(name) {
        AlgorithmKind::Growth => Limits { nodes: Some(DEFAULT_SIMULATIONS), ..Limits::default() },
        AlgorithmKind::Search => Limits { depth: Some(tree.height() as u32), ..Limits::default() },
    };
    let player = left_to_right(algorithm);
    let mut control = AnalysisControl { limits, stop, on_report: &mut |_| {} };
    let (analysis, trace) =
        board.trace(&player, MAX_VISITS, &Resources::default(), &mut control)?;
    Ok(TraceLabeller { tree: &tree, visits: vec![0; tree.nodes().len()] }
        .label_trace(analysis, trace))
}

fn check(name: &str) -> Result<(), ludus_core::TextError> {
    let names: Vec<&str> = algorithms().into_iter().map(|(id, ..)| id).collect();
    if names.contains(&name) {
        return Ok(());
    }
    let expected = format!("one of {}", names.join(", "));
    Err(ludus_core::TextError::whole("algorithm", name, expected))
}

/// Player that searches moves in written order without iterative deepening, unless its options say
/// otherwise.
fn left_to_right(algorithm: &str) -> String {
    let (name, given) = split_name(algorithm);
    let own = |key: &str| given.split(',').any(|pair| pair.split('=').next() == Some(key));
    let usual: &[(&str, &str)] = match name {
        "minimax" | "flat" | "mcts" | study_mcts::ID => &[],
        "mtdf" | "sss" | "dual" => &[("ordering", "off"), ("step", "0"), ("table", "1MB")],
        _ => &[("ordering", "off"), ("step", "0"), ("table", "0")],
    };
    let mut pairs: Vec<String> =
        given.split(',').filter(|pair| !pair.is_empty()).map(str::to_owned).collect();
    pairs.extend(
        usual.iter().filter(|(key, _)| !own(key)).map(|(key, value)| format!("{key}={value}")),
    );
    if pairs.is_empty() { name.to_owned() } else { format!("{name}:{}", pairs.join(",")) }
}

/// Translates a recorded search into labels and values of the tree.
struct TraceLabeller<'a> {
    tree: &'a ParsedTree,
    visits: Vec<u64>,
}

impl TraceLabeller<'_> {
    fn label_trace(mut self, mut analysis: Analysis, trace: TraceDocument) -> TreeExplanation {
        let trace = match trace {
            TraceDocument::Search(document) => {
                let (nodes, passed) = self.visited(document.nodes);
                analysis.nodes = analysis.nodes.saturating_sub(passed);
                TreeTrace::Search(LabelledSearchTrace {
                    game: document.game,
                    position: document.position,
                    player: document.player,
                    depth: document.depth,
                    visits: document.visits.saturating_sub(passed),
                    passes: document.passes,
                    nodes,
                })
            }
            TraceDocument::Growth(document) => TreeTrace::Growth(LabelledGrowthTrace {
                game: document.game,
                position: document.position,
                player: document.player,
                depth: document.depth,
                visits: document.visits,
                simulations: document.simulations,
                nodes: self.grown(document.nodes),
                raw: document.raw,
            }),
        };
        analysis.pv.retain(|mv| mv != PASS);
        TreeExplanation { analysis, trace, tree: self.document() }
    }

    /// Removes the passes below leaves, which only pad lines to the search depth. Returns the other visits
    /// and the number of passes.
    fn visited(&mut self, nodes: Vec<TraceNode>) -> (Vec<Labelled<TraceNode>>, u64) {
        // For each visit: its tree node and its new id, unless it is below a leaf.
        let mut places: Vec<Option<(usize, usize)>> = Vec::with_capacity(nodes.len());
        let mut kept: Vec<Labelled<TraceNode>> = Vec::new();
        let mut passes = 0;
        for mut node in nodes {
            let place = match node.parent {
                None => Some((0, None)),
                Some(above) => places[above]
                    .filter(|&(at, _)| self.tree.leaf(at).is_none())
                    .map(|(at, id)| (self.child(at, node.mv.as_deref()), Some(id))),
            };
            places.push(place.map(|(at, _)| (at, kept.len())));
            let Some((at, parent)) = place else { continue };
            (node.id, node.parent) = (kept.len(), parent);
            self.visits[at] += 1;
            let leaf = self.tree.leaf(at);
            if leaf.is_some() {
                let below = node.nodes.saturating_sub(1);
                passes += below;
                end_here(&mut node);
                shorten(&mut kept, parent, below);
            }
            kept.push(Labelled { node, label: self.tree.label(at), leaf });
        }
        (kept, passes)
    }

    fn grown(&mut self, nodes: Vec<TraceGrown>) -> Vec<Labelled<TraceGrown>> {
        let mut places: Vec<usize> = Vec::with_capacity(nodes.len());
        let label = |node: TraceGrown| {
            let at = match node.parent {
                None => 0,
                Some(above) => self.child(places[above], node.mv.as_deref()),
            };
            places.push(at);
            self.visits[at] += u64::from(node.visits);
            Labelled { node, label: self.tree.label(at), leaf: self.tree.leaf(at) }
        };
        nodes.into_iter().map(label).collect()
    }

    /// Child of `at` by a move; without a move `at` itself.
    fn child(&self, at: usize, mv: Option<&str>) -> usize {
        let children = self.tree.children(at).iter().copied();
        children
            .into_iter()
            .find(|&child| Some(self.tree.node(child).name.as_str()) == mv)
            .unwrap_or(at)
    }

    fn document(self) -> TreeDocument {
        let values = self.tree.values();
        let node = |(index, node): (usize, &super::tree_text::TypedNode)| TreeNode {
            label: self.tree.label(index),
            parent: node.parent,
            children: self.tree.children(index).to_vec(),
            turn: match self.tree.turn(index) {
                Side::First => "first",
                Side::Second => "second",
            },
            leaf: self.tree.leaf(index),
            minimax: values[index],
            visits: self.visits[index],
        };
        TreeDocument {
            text: self.tree.text(),
            visited: self.visits.iter().filter(|&&visits| visits > 0).count(),
            nodes: self.tree.nodes().iter().enumerate().map(node).collect(),
        }
    }
}

const PASS: &str = "pass";

/// Turns the visit of a leaf into the end of its line.
fn end_here(node: &mut TraceNode) {
    node.nodes = 1;
    node.omitted = 0;
    node.cut = 0;
    node.stored = None;
    node.cause = Some("horizon");
}

/// Subtracts `below` from the node counts of a visit and its ancestors.
fn shorten(kept: &mut [Labelled<TraceNode>], from: Option<usize>, below: u64) {
    let mut at = from;
    while let Some(index) = at {
        kept[index].node.nodes = kept[index].node.nodes.saturating_sub(below);
        at = kept[index].node.parent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;

    const TEXTBOOK: &str = "((3 12 8) (2 4 6) (14 5 2))";

    fn explained(text: &str, algorithm: &str) -> TreeExplanation {
        search(text, algorithm, MoveOrder::Written, &AtomicBool::new(false)).unwrap()
    }

    fn unvisited(explained: &TreeExplanation) -> Vec<&str> {
        let nodes = explained.tree.nodes.iter().filter(|node| node.visits == 0);
        nodes.map(|node| node.label.as_str()).collect()
    }

    fn visits(explained: &TreeExplanation) -> &[Labelled<TraceNode>] {
        match &explained.trace {
            TreeTrace::Search(trace) => &trace.nodes,
            TreeTrace::Growth(_) => panic!("not depth first"),
        }
    }

    #[test]
    fn alpha_beta_cuts_the_four_and_the_six_of_the_textbook() {
        let explained = explained(TEXTBOOK, "alphabeta");
        assert_eq!(explained.analysis.score, Some(3));
        assert_eq!(explained.analysis.best.as_deref(), Some("a"));
        assert_eq!(explained.analysis.pv, ["a", "a"]);
        assert_eq!(unvisited(&explained), ["b.b", "b.c"]);
        let cut: Vec<_> =
            visits(&explained).iter().filter(|visit| visit.node.cause == Some("cut")).collect();
        assert_eq!(cut.len(), 1);
        assert_eq!((cut[0].label.as_str(), cut[0].node.cut), ("b", 2));
        assert_eq!(explained.tree.visited, 11);
        assert_eq!(visits(&explained).len(), 11);
    }

    #[test]
    fn minimax_visits_everything_once() {
        for algorithm in ["minimax", "negamax"] {
            let explained = explained(TEXTBOOK, algorithm);
            assert_eq!(explained.analysis.score, Some(3), "{algorithm}");
            assert!(explained.tree.nodes.iter().all(|node| node.visits == 1), "{algorithm}");
        }
    }

    #[test]
    fn numbers_at_any_level_end_their_lines() {
        let explained = explained("(3 (5 9) -2 (1 (7 8 (6 6)) 2))", "alphabeta");
        assert_eq!(explained.analysis.score, Some(5));
        for visit in visits(&explained) {
            assert_eq!(visit.leaf.is_some(), visit.node.cause == Some("horizon"), "{visit:?}");
            if visit.leaf.is_some() {
                assert_eq!(visit.node.nodes, 1, "{visit:?}");
            }
        }
        let root = &visits(&explained)[0];
        assert_eq!(root.node.nodes, visits(&explained).len() as u64);
    }

    #[test]
    fn every_algorithm_finds_the_value_of_minimax() {
        let mut random = Random::new(7).split("trees");
        for _ in 0..60 {
            let text = random_tree(&mut random, 4);
            let wanted = ParsedTree::parse(&text).unwrap().values()[0];
            for (algorithm, ..) in
                algorithms().iter().filter(|(_, kind, _)| *kind == AlgorithmKind::Search)
            {
                let found = explained(&text, algorithm);
                assert_eq!(found.analysis.score, Some(wanted), "{algorithm} on {text}");
                assert!(!visits(&found).is_empty());
            }
        }
    }

    fn random_tree(random: &mut Random, height: u32) -> String {
        let is_leaf = height == 0 || height < 4 && random.below(6) == 0;
        if is_leaf {
            return (random.below(41) as i32 - 20).to_string();
        }
        let children: Vec<String> =
            (0..1 + random.below(4)).map(|_| random_tree(random, height - 1)).collect();
        format!("({})", children.join(" "))
    }

    #[test]
    fn simulations_find_the_winning_move_and_grow_a_labelled_tree() {
        for algorithm in ["mcts", "flat:split=even"] {
            let explained = explained("((-1 1 1) (1 1) (-1 -1))", algorithm);
            assert_eq!(explained.analysis.best.as_deref(), Some("b"), "{algorithm}");
            let TreeTrace::Growth(trace) = &explained.trace else {
                panic!("{algorithm} grows a tree")
            };
            assert!(trace.simulations.len() > 2);
            assert!(trace.nodes.iter().any(|node| node.label == "b"), "{:?}", trace.nodes);
        }
    }

    /// Section 3 of the chess study, an example of the page: leaf 9 exceeds beta 7, and its sibling is cut.
    #[test]
    fn alpha_beta_cuts_what_the_chess_study_cuts() {
        let explained = explained("(((3 7) (9 4)) ((5 2) (6 8)))", "alphabeta");
        let visit = |label: &str| {
            visits(&explained).iter().find(|visit| visit.label == label).map(|visit| &visit.node)
        };
        // Windows are those of the side to move: White's alpha is Black's negated beta.
        assert_eq!(visit("a.a.b").unwrap().beta, Some(-3), "leaf 3 gives alpha 3");
        assert_eq!(visit("a.b").unwrap().beta, Some(7), "leaf 7 makes its parent 7, so beta is 7");
        let cut = visit("a.b").unwrap();
        assert_eq!((cut.value, cut.cause, cut.cut), (Some(9), Some("cut"), 1));
        assert_eq!(unvisited(&explained), ["a.b.b", "b.b", "b.b.a", "b.b.b"]);
        assert_eq!(
            (explained.analysis.score, explained.analysis.pv.join(" ")),
            (Some(7), "a a b".into())
        );
    }

    /// Sections 5.1 to 5.4 of the chess study, an example of the page: S1 has 11.48, S2 12.10 and is expanded.
    #[test]
    fn ucb1_chooses_what_the_chess_study_chooses() {
        let tree = "(S1:20:(S3:0 S4:0) S2:10:(S5:10 S6:10))";
        let grown = |iterations: u32| {
            let algorithm = format!("study-mcts:plies=0,iterations={iterations}");
            match explained(tree, &algorithm).trace {
                TreeTrace::Growth(trace) => trace,
                TreeTrace::Search(_) => panic!("it grows a tree"),
            }
        };
        let figures = |trace: &LabelledGrowthTrace, label: &str| {
            let node = trace.nodes.iter().find(|node| node.label == label).unwrap();
            (node.node.points, node.node.visits, node.node.uct.map(|uct| (uct * 100.0).round()))
        };
        let before = grown(3);
        assert_eq!(figures(&before, "S1"), (20.0, 2, Some(1148.0)));
        assert_eq!(figures(&before, "S2"), (10.0, 1, Some(1210.0)));
        let after = grown(4);
        assert_eq!(after.simulations[3].path[0], "S2");
        assert_eq!(after.simulations[3].value, 10.0);
        let (total, visits, _) = figures(&after, "S2");
        assert_eq!((total, visits, figures(&after, "").1), (20.0, 2, 4));
        assert_eq!(after.raw.map(|raw| raw.exploration), Some(2.0));
    }

    #[test]
    fn the_best_order_needs_the_fewest_visits() {
        let text = "((14 5 2) (2 4 6) (3 12 8))";
        let visited = |order| {
            let stop = AtomicBool::new(false);
            search(text, "alphabeta", order, &stop).unwrap().tree.visited
        };
        assert!(visited(MoveOrder::BestFirst) < visited(MoveOrder::Written));
        assert!(visited(MoveOrder::Written) < visited(MoveOrder::WorstFirst));
    }

    #[test]
    fn null_windows_of_mtd_come_in_passes() {
        for algorithm in ["mtdf", "sss", "dual"] {
            let explained = explained(TEXTBOOK, algorithm);
            let TreeTrace::Search(trace) = &explained.trace else { panic!() };
            assert!(trace.passes.len() > 1, "{algorithm}");
            assert_eq!(explained.analysis.score, Some(3), "{algorithm}");
        }
    }

    #[test]
    fn bad_algorithms_are_refused_by_name() {
        let stop = AtomicBool::new(false);
        let error = |algorithm| {
            search(TEXTBOOK, algorithm, MoveOrder::Written, &stop).unwrap_err().to_string()
        };
        assert!(error("engine").contains("one of minimax, negamax, alphabeta"));
        assert!(error("alphabeta:fail=maybe").contains("soft, hard"));
        assert!(error("alphabeta:,,=").contains("options"));
    }
}
