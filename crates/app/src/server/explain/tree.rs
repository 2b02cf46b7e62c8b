//! A search of a typed tree, told with the labels and numbers of that tree.

use super::{
    text::{Order, Tree},
    typed::TypedTree,
};
use ludus_core::{Limits, Options, PlayerError, Side, options::split_name};
use ludus_players::{
    Analysis, Entry, Game, Progress, Resources, Roster, TraceDocument, TraceGrown, TraceNode,
    TracePass, TraceSimulation,
};
use serde::Serialize;
use std::sync::atomic::AtomicBool;

const GAME: &dyn Game = &Entry::<TypedTree>::NEW;

/// Visits recorded of a search of a typed tree.
const MOST_VISITS: usize = 20_000;
/// Simulations of a tree nobody limits: enough to see where they go.
const SIMULATIONS: u64 = 200;

/// How an algorithm searches.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Depth first.
    Search,
    /// By simulations.
    Growth,
}

/// The algorithms that can be watched, in the order of the textbook: every common player that
/// searches a tree and nothing but that.
pub fn algorithms() -> Vec<(&'static str, Kind, &'static [ludus_core::OptionSpec])> {
    let recipes = TypedTree::recipes().into_iter();
    let watched = recipes.filter(|recipe| recipe.build_traced.is_some() && recipe.id != "engine");
    watched.map(|recipe| (recipe.id, kind(recipe.id), recipe.options)).collect()
}

fn kind(algorithm: &str) -> Kind {
    if matches!(algorithm, "flat" | "mcts") { Kind::Growth } else { Kind::Search }
}

/// What a search of a typed tree did.
#[derive(Debug, Serialize)]
pub struct Explained {
    /// What it found.
    pub analysis: Analysis,
    /// How.
    pub trace: TreeTrace,
    /// The tree, whether it was visited or not.
    pub tree: TreeDocument,
}

/// The recorded search, in the way that suits it: a [`TraceDocument`] whose nodes have labels.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum TreeTrace {
    /// Depth first.
    Search(SearchTrace),
    /// By simulations.
    Growth(GrowthTrace),
}

/// A depth-first search; see [`ludus_players::SearchDocument`].
#[derive(Debug, Serialize)]
pub struct SearchTrace {
    pub game: String,
    pub position: String,
    pub player: String,
    pub depth: u32,
    pub visits: u64,
    pub passes: Vec<TracePass>,
    pub nodes: Vec<Labelled<TraceNode>>,
}

/// A tree that grew by simulations; see [`ludus_players::GrowthDocument`].
#[derive(Debug, Serialize)]
pub struct GrowthTrace {
    pub game: String,
    pub position: String,
    pub player: String,
    pub depth: u32,
    pub visits: u64,
    pub simulations: Vec<TraceSimulation>,
    pub nodes: Vec<Labelled<TraceGrown>>,
}

/// A node of a trace and where it is in the typed tree.
#[derive(Debug, Serialize)]
pub struct Labelled<N> {
    #[serde(flatten)]
    pub node: N,
    /// The moves that lead here, such as `a.b`.
    pub label: String,
    /// The number typed here, as the first side sees it.
    pub leaf: Option<i32>,
}

/// The typed tree.
#[derive(Debug, Serialize)]
pub struct TreeDocument {
    /// In parentheses, every move with its name.
    pub text: String,
    /// Nodes of the tree that were visited.
    pub visited: usize,
    /// The root first; children stand behind their parents.
    pub nodes: Vec<TreeNode>,
}

/// A node of the typed tree.
#[derive(Debug, Serialize)]
pub struct TreeNode {
    /// The moves that lead here.
    pub label: String,
    /// The node above, by its number.
    pub parent: Option<usize>,
    /// The nodes below, in the order they are tried.
    pub children: Vec<usize>,
    /// Whose turn it is: `first` maximises, `second` minimises.
    pub turn: &'static str,
    /// The number typed here.
    pub leaf: Option<i32>,
    /// What minimax makes of it, for the first side.
    pub minimax: i32,
    /// How often the search came here; 0 for what was cut.
    pub visits: u64,
}

/// Lets `algorithm`, such as `alphabeta` or `alphabeta:fail=hard`, search the tree to its leaves.
pub fn search(
    text: &str,
    algorithm: &str,
    order: Order,
    stop: &AtomicBool,
) -> Result<Explained, PlayerError> {
    let tree = Tree::parse(text)?.ordered(order);
    let (name, _) = split_name(algorithm);
    check(name)?;
    let leaves = if kind(name) == Kind::Growth { "results" } else { "values" };
    let options = Options::parse(&format!("tree:leaves={leaves}"), GAME.options())?;
    let session = GAME.open(&options, Some(&tree.text()))?;
    // A limit of nodes would make depth-first searches go deeper step by step.
    let limits = match kind(name) {
        Kind::Growth => Limits { nodes: Some(SIMULATIONS), ..Limits::default() },
        Kind::Search => Limits { depth: Some(tree.height() as u32), ..Limits::default() },
    };
    let player = left_to_right(algorithm);
    let mut progress = Progress { limits, stop, on_report: &mut |_| {} };
    let (analysis, trace) =
        session.trace(&player, MOST_VISITS, &Resources::default(), &mut progress)?;
    Ok(Told { tree: &tree, visits: vec![0; tree.nodes().len()] }.tell(analysis, trace))
}

fn check(name: &str) -> Result<(), ludus_core::TextError> {
    let names: Vec<&str> = algorithms().into_iter().map(|(id, ..)| id).collect();
    if names.contains(&name) {
        return Ok(());
    }
    let expected = format!("one of {}", names.join(", "));
    Err(ludus_core::TextError::whole("algorithm", name, expected))
}

/// The player that searches moves in the order they are typed and goes straight to the leaves,
/// unless its options say otherwise.
fn left_to_right(algorithm: &str) -> String {
    let (name, given) = split_name(algorithm);
    let own = |key: &str| given.split(',').any(|pair| pair.split('=').next() == Some(key));
    let usual: &[(&str, &str)] = match name {
        "minimax" | "flat" | "mcts" => &[],
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

/// A search on its way from the words of the engine to those of the tree.
struct Told<'a> {
    tree: &'a Tree,
    visits: Vec<u64>,
}

impl Told<'_> {
    fn tell(mut self, mut analysis: Analysis, trace: TraceDocument) -> Explained {
        let trace = match trace {
            TraceDocument::Search(document) => {
                let (nodes, passed) = self.visited(document.nodes);
                analysis.nodes = analysis.nodes.saturating_sub(passed);
                TreeTrace::Search(SearchTrace {
                    game: document.game,
                    position: document.position,
                    player: document.player,
                    depth: document.depth,
                    visits: document.visits.saturating_sub(passed),
                    passes: document.passes,
                    nodes,
                })
            }
            TraceDocument::Growth(document) => TreeTrace::Growth(GrowthTrace {
                game: document.game,
                position: document.position,
                player: document.player,
                depth: document.depth,
                visits: document.visits,
                simulations: document.simulations,
                nodes: self.grown(document.nodes),
            }),
        };
        analysis.pv.retain(|mv| mv != PASS);
        Explained { analysis, trace, tree: self.document() }
    }

    /// The visits without the passes below numbers, which stand in for the end of a line, and how
    /// many of these there were.
    fn visited(&mut self, nodes: Vec<TraceNode>) -> (Vec<Labelled<TraceNode>>, u64) {
        // For each visit: its place in the tree and its new number, unless it is below a leaf.
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

    /// The node below `at` that a move leads to; without a move it is `at` itself.
    fn child(&self, at: usize, mv: Option<&str>) -> usize {
        let children = self.tree.children(at).iter().copied();
        children
            .into_iter()
            .find(|&child| Some(self.tree.node(child).name.as_str()) == mv)
            .unwrap_or(at)
    }

    fn document(self) -> TreeDocument {
        let values = self.tree.values();
        let node = |(index, node): (usize, &super::text::Node)| TreeNode {
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

/// Makes a visit of a number the end of its line.
fn end_here(node: &mut TraceNode) {
    node.nodes = 1;
    node.omitted = 0;
    node.cut = 0;
    node.stored = None;
    node.cause = Some("horizon");
}

/// Takes `below` visits from the counts of a visit and all above it.
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

    fn explained(text: &str, algorithm: &str) -> Explained {
        search(text, algorithm, Order::Written, &AtomicBool::new(false)).unwrap()
    }

    fn unvisited(explained: &Explained) -> Vec<&str> {
        let nodes = explained.tree.nodes.iter().filter(|node| node.visits == 0);
        nodes.map(|node| node.label.as_str()).collect()
    }

    fn visits(explained: &Explained) -> &[Labelled<TraceNode>] {
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
            let wanted = Tree::parse(&text).unwrap().values()[0];
            for (algorithm, ..) in algorithms().iter().filter(|(_, kind, _)| *kind == Kind::Search)
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

    #[test]
    fn the_best_order_needs_the_fewest_visits() {
        let text = "((14 5 2) (2 4 6) (3 12 8))";
        let visited = |order| {
            let stop = AtomicBool::new(false);
            search(text, "alphabeta", order, &stop).unwrap().tree.visited
        };
        assert!(visited(Order::BestFirst) < visited(Order::Written));
        assert!(visited(Order::Written) < visited(Order::WorstFirst));
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
        let error =
            |algorithm| search(TEXTBOOK, algorithm, Order::Written, &stop).unwrap_err().to_string();
        assert!(error("engine").contains("one of minimax, negamax, alphabeta"));
        assert!(error("alphabeta:fail=maybe").contains("soft, hard"));
        assert!(error("alphabeta:,,=").contains("options"));
    }
}
