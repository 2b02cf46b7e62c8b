//! Monte-Carlo tree search by UCB1 on raw values: `t/n + C sqrt(ln N / n)`, where `t` sums the values of a node's
//! simulations for the first side, unscaled.

use super::{effort::Effort, values::Values};
use crate::mcts::{MctsTrace, ProvenValue, RawScale, Simulation, TracedNode};
use ludus_core::{
    Limits, MoveReport, PlayoutReport, Position, Random, RankedLine, Report, Score, Side,
};
use std::{ops::Range, sync::atomic::AtomicBool};

/// The child a descent goes to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The greatest UCB1 at every level, whoever moves: both sides help the first.
    Published,
    /// The second side goes to the greatest `-t/n + C sqrt(ln N / n)`.
    Negated,
}

/// The root move that is played.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FinalMove {
    /// The first side plays the greatest total, the second the least.
    Total,
    /// The most visits.
    Visits,
}

/// Settings of the search.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Ucb1Settings {
    /// C.
    pub exploration: f64,
    /// Simulations a move.
    pub iterations: u64,
    /// Random plies of a simulation before its end is evaluated.
    pub plies: u32,
    pub selection: Selection,
    pub final_move: FinalMove,
    /// Points of the values in one unit: means and totals of nodes are in units.
    pub unit: f64,
}

/// A node of the tree. A node without children is a leaf.
struct Node<M> {
    mv: Option<M>,
    children: Range<usize>,
    visits: u32,
    total: f64,
}

impl<M> Node<M> {
    fn new(mv: Option<M>) -> Node<M> {
        Node { mv, children: 0..0, visits: 0, total: 0.0 }
    }

    /// Points a visit.
    fn mean(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.total / f64::from(self.visits) }
    }
}

/// One search with its tree, the root first.
pub struct Ucb1<'a, P: Position, V> {
    settings: Ucb1Settings,
    values: &'a mut V,
    random: &'a mut Random,
    nodes: Vec<Node<P::Move>>,
    root: &'a P,
    playouts: PlayoutReport,
    moves: Vec<P::Move>,
}

/// The end of a descent: nodes from the root to the leaf, and the position there.
struct Leaf<P> {
    path: Vec<usize>,
    position: P,
}

impl<'a, P: Position, V: Values<P>> Ucb1<'a, P, V> {
    /// A search of `root`, in which the game goes on.
    pub fn new(
        settings: Ucb1Settings,
        values: &'a mut V,
        random: &'a mut Random,
        root: &'a P,
    ) -> Ucb1<'a, P, V> {
        let (nodes, moves) = (vec![Node::new(None)], Vec::new());
        let playouts = PlayoutReport::default();
        let mut search = Ucb1 { settings, values, random, nodes, root, playouts, moves };
        search.expand(0, root);
        search
    }

    /// Runs the simulations within `limits`, and reports the `lines` best moves.
    pub fn search(
        &mut self,
        limits: &Limits,
        lines: usize,
        stop: &AtomicBool,
        mut trace: Option<&mut MctsTrace<P::Move>>,
    ) -> Report<P::Move> {
        let mut effort = Effort::new(limits, stop);
        for _ in 0..self.settings.iterations {
            // The first is always granted, so that there is a move to choose.
            if effort.nodes() > 0 && !effort.go_on() || !effort.spend() {
                break;
            }
            let (path, value, played) = self.iterate();
            if let Some(trace) = &mut trace {
                self.record(trace, &path, value, played);
            }
        }
        if let Some(trace) = trace {
            self.record_tree(trace);
        }
        self.report(effort.nodes(), lines)
    }

    /// One simulation: the nodes it passed, its value and the plies it played below them.
    fn iterate(&mut self) -> (Vec<usize>, f64, usize) {
        let mut leaf = self.descend();
        let last = leaf.path[leaf.path.len() - 1];
        if self.nodes[last].visits > 0 && self.values.ending(&leaf.position).is_none() {
            self.expand(last, &leaf.position);
            let children = self.nodes[last].children.clone();
            let child = children.start + self.random.below(children.len());
            self.step(&mut leaf, child);
        }
        let (value, played) = self.simulate(leaf.position);
        for &node in &leaf.path {
            self.nodes[node].visits += 1;
            self.nodes[node].total += value;
        }
        (leaf.path, value, played)
    }

    /// Goes down from the root to a node without children.
    fn descend(&self) -> Leaf<P> {
        let mut leaf = Leaf { path: vec![0], position: self.root.clone() };
        let mut at = 0;
        while !self.nodes[at].children.is_empty() {
            at = self.select(at, leaf.position.turn());
            self.step(&mut leaf, at);
        }
        leaf
    }

    fn step(&self, leaf: &mut Leaf<P>, child: usize) {
        if let Some(mv) = self.nodes[child].mv {
            leaf.position.play(mv);
        }
        leaf.path.push(child);
    }

    /// The child of `parent` with the greatest selection value, the first of equals.
    fn select(&self, parent: usize, turn: Side) -> usize {
        let children = self.nodes[parent].children.clone();
        let mut best = (children.start, f64::NEG_INFINITY);
        for child in children {
            let value = self.selection_value(parent, child, turn);
            if value > best.1 {
                best = (child, value);
            }
        }
        best.0
    }

    /// UCB1 of a child for the side that chooses; infinite without visits, the limit of the formula.
    fn selection_value(&self, parent: usize, child: usize, turn: Side) -> f64 {
        let node = &self.nodes[child];
        if node.visits == 0 {
            return f64::INFINITY;
        }
        let sign = match (self.settings.selection, turn) {
            (Selection::Negated, Side::Second) => -1.0,
            _ => 1.0,
        };
        let spread = ln(self.nodes[parent].visits) / f64::from(node.visits);
        sign * node.mean() / self.settings.unit + self.settings.exploration * spread.sqrt()
    }

    /// Adds a child for every move of `position`.
    fn expand(&mut self, node: usize, position: &P) {
        self.moves.clear();
        position.legal_moves(&mut self.moves);
        let start = self.nodes.len();
        self.nodes.extend(self.moves.iter().map(|&mv| Node::new(Some(mv))));
        self.nodes[node].children = start..self.nodes.len();
    }

    /// The value after some random plies, fewer if the game ends, and their number.
    fn simulate(&mut self, mut position: P) -> (f64, usize) {
        self.playouts.begun += 1;
        for played in 0..self.settings.plies as usize {
            if let Some(value) = self.values.ending(&position) {
                return (value, played);
            }
            self.moves.clear();
            position.legal_moves(&mut self.moves);
            let Some(mv) = self.random.pick(&self.moves) else { break };
            position.play(mv);
            self.playouts.moves += 1;
        }
        let played = self.settings.plies as usize;
        if let Some(value) = self.values.ending(&position) {
            return (value, played);
        }
        let mut value = Vec::with_capacity(1);
        self.values.evaluate(&[position], &mut value);
        (value[0], played)
    }

    /// The visited children of a node from the best to the worst for `turn`, the first of equals first.
    fn ranked(&self, node: usize, turn: Side) -> Vec<usize> {
        let visited = |&child: &usize| self.nodes[child].visits > 0;
        let mut children: Vec<usize> = self.nodes[node].children.clone().filter(visited).collect();
        let worth = |&child: &usize| match self.settings.final_move {
            FinalMove::Total => self.nodes[child].total * f64::from(turn.sign()),
            FinalMove::Visits => f64::from(self.nodes[child].visits),
        };
        children.sort_by(|one, other| worth(other).total_cmp(&worth(one)));
        children
    }

    /// The line that begins with the child `first` of the root and goes on with the best moves.
    fn line(&self, first: usize) -> Vec<P::Move> {
        let mut line = Vec::new();
        let (mut at, mut turn) = (first, !self.root.turn());
        loop {
            line.extend(self.nodes[at].mv);
            let Some(&next) = self.ranked(at, turn).first() else { return line };
            (at, turn) = (next, !turn);
        }
    }

    /// The mean of a node as a score for the side to move at the root.
    fn score(&self, node: usize) -> Option<Score> {
        let Node { visits, .. } = self.nodes[node];
        let mean = self.nodes[node].mean().round();
        let score = Score::evaluation(mean as i32 * self.root.turn().sign());
        (visits > 0).then_some(score)
    }

    fn report(&self, iterations: u64, lines: usize) -> Report<P::Move> {
        let ranked = self.ranked(0, self.root.turn());
        let mut report = Report {
            nodes: iterations,
            leaves: iterations,
            playouts: Some(self.playouts),
            ..Report::default()
        };
        if let Some(&best) = ranked.first() {
            (report.score, report.line) = (self.score(best), self.line(best));
            report.depth = report.line.len() as u32;
        }
        let untried = self.nodes[0].children.clone().filter(|&child| self.nodes[child].visits == 0);
        for child in ranked.iter().copied().chain(untried) {
            let Node { mv, visits, .. } = self.nodes[child];
            let visits = u64::from(visits);
            let entry = mv.map(|mv| MoveReport { mv, score: self.score(child), visits });
            report.moves.extend(entry);
        }
        if lines > 1 {
            let line = |&child: &usize| RankedLine {
                score: self.score(child),
                margin: None,
                line: self.line(child),
            };
            report.lines = ranked.iter().take(lines).map(line).collect();
        }
        report
    }

    fn record(&self, trace: &mut MctsTrace<P::Move>, path: &[usize], value: f64, played: usize) {
        trace.total += 1;
        if trace.simulations.len() < trace.limit() {
            let path = path.iter().filter_map(|&node| self.nodes[node].mv).collect();
            let value = (value / self.settings.unit) as f32;
            trace.simulations.push(Simulation { path, value, played_on: played });
        }
    }

    /// Records the tree level by level, as far as there is room.
    fn record_tree(&self, trace: &mut MctsTrace<P::Move>) {
        let negated_parity = match (self.settings.selection, self.root.turn()) {
            (Selection::Published, _) => None,
            // The root's moves lead to the nodes of ply 1.
            (Selection::Negated, Side::First) => Some(0),
            (Selection::Negated, Side::Second) => Some(1),
        };
        let exploration = self.settings.exploration as f32;
        trace.raw = Some(RawScale { exploration, negated_parity });
        trace.nodes.push(self.traced(0, None, self.root.turn()));
        // Numbers of the recorded nodes, with the side to move there.
        let mut recorded = vec![(0, self.root.turn())];
        let mut next = 0;
        while next < recorded.len() {
            let (node, turn) = recorded[next];
            let children = self.nodes[node].children.clone();
            if trace.nodes.len() + children.len() <= trace.limit() {
                for child in children {
                    trace.nodes.push(self.traced(child, Some((next, node)), turn));
                    recorded.push((child, !turn));
                }
            }
            next += 1;
        }
    }

    /// A node with its parent, by number in the record and in the tree, and the side that chose it.
    fn traced(
        &self,
        node: usize,
        parent: Option<(usize, usize)>,
        turn: Side,
    ) -> TracedNode<P::Move> {
        let Node { mv, visits, total, ref children } = self.nodes[node];
        let shown = |points: f64| (points / self.settings.unit) as f32;
        let value = parent.map(|(_, parent)| self.selection_value(parent, node, turn));
        TracedNode {
            parent: parent.map(|(place, _)| place),
            mv,
            visits,
            points: shown(total),
            mean: shown(self.nodes[node].mean()),
            selection_value: value.filter(|value| value.is_finite()).map(|value| value as f32),
            rave: None,
            proof: ProvenValue::Unknown,
            expanded: !children.is_empty(),
        }
    }
}

/// Terms of the series of [`ln`]: the error is below 1e-15, since its argument is at most a third.
const LN_TERMS: u32 = 16;

/// The natural logarithm of a number of visits by a series, the same on every machine.
fn ln(visits: u32) -> f64 {
    let exponent = visits.max(1).ilog2();
    let mantissa = f64::from(visits.max(1)) / f64::from(1_u32 << exponent);
    // ln m = 2 artanh((m - 1) / (m + 1))
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    let series =
        (0..LN_TERMS).rev().fold(0.0, |sum, term| sum * square + 1.0 / f64::from(2 * term + 1));
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * ratio * series
}

#[cfg(test)]
#[path = "ucb1_tests.rs"]
mod tests;
