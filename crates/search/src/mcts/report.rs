//! The report of a search: from the tree to the best move, its score and the lines.

use super::{
    leaf_evaluators::stretch,
    settings::{FinalChoice, MctsSettings},
    solver,
    tree::{Children, Node, NodeId, ProvenValue, Tree},
};
use ludus_core::{MoveReport, RankedLine, Report, Score};
use std::cmp::Ordering;

/// Plies of the longest line reported.
const MAX_LINE_PLIES: usize = 64;

/// The rank of a root move: proven wins before all others, proven losses after them; among equals visits
/// decide.
fn rank<M: Copy>(
    tree: &Tree<M>,
    children: Children,
    index: usize,
    final_choice: FinalChoice,
    most_visits: u32,
) -> (i32, f32, u32) {
    let node = &tree.block(children)[index];
    let class = match node.proof() {
        ProvenValue::Win => 1,
        ProvenValue::Unknown | ProvenValue::Draw => 0,
        ProvenValue::Loss => -1,
    };
    // A prior helps a move to be tried, not to be played.
    let (visits, mean) = (node.played(), tree.played_mean(children, index));
    let untried = -2.0 - 1.0 / (1.0 + visits as f32);
    let worth = match final_choice {
        FinalChoice::Visits => visits as f32,
        FinalChoice::Value if visits == 0 => untried,
        FinalChoice::Value => mean,
        FinalChoice::LowerBound if visits == 0 || visits < most_visits / 10 => untried,
        FinalChoice::LowerBound => {
            let count = visits as f32;
            // One win and one loss more, so that a spotless record of few visits is not certain.
            let spread = (mean * count + 1.0) / (count + 2.0);
            mean - 1.96 * (spread * (1.0 - spread) / count).sqrt()
        }
        FinalChoice::Total => 2.0 * node.points() - node.visits() as f32,
    };
    (class, worth, visits)
}

fn compare(a: (i32, f32, u32), b: (i32, f32, u32)) -> Ordering {
    a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
}

/// The best child of a node, the first of equals.
pub(super) fn best<M: Copy>(
    tree: &Tree<M>,
    children: Children,
    final_choice: FinalChoice,
) -> Option<usize> {
    let nodes = tree.block(children);
    let most = nodes.iter().map(Node::played).max().unwrap_or(0);
    let worth = |index| rank(tree, children, index, final_choice, most);
    let ranked = (0..nodes.len()).rev().map(|index| (index, worth(index)));
    ranked.max_by(|a, b| compare(a.1, b.1)).map(|(index, _)| index)
}

/// Whether no `left` further simulations can make another root move the most visited.
pub(super) fn is_decided<M: Copy>(tree: &Tree<M>, children: Children, left: u64) -> bool {
    let nodes = tree.block(children);
    // A proof may turn the order of the others around.
    let open = nodes.iter().filter(|node| node.proof() != ProvenValue::Loss);
    let (mut first, mut second) = (0, 0);
    for visits in open.map(|node| u64::from(node.played())) {
        if visits > first {
            (first, second) = (visits, first);
        } else {
            second = second.max(visits);
        }
    }
    first > second + left
}

/// Whether the move with the most visits also has the best mean.
pub(super) fn is_settled<M: Copy>(tree: &Tree<M>, children: Children) -> bool {
    let by = |choice| best(tree, children, choice);
    by(FinalChoice::Visits) == by(FinalChoice::LowerBound)
}

/// The score of a node for the side that moved there: its mean on the scale of evaluations, or how
/// far off the proven end is at most.
fn score<M: Copy>(
    tree: &Tree<M>,
    settings: &MctsSettings,
    children: Children,
    index: usize,
) -> Score {
    let id = children.id(index);
    let node = tree.node(id);
    let plies = || solver::distance(tree, id).min(9_999) as i32;
    match node.proof() {
        ProvenValue::Win => Score(Score::WIN.0 - 1 - plies()),
        ProvenValue::Loss => Score(1 + plies() - Score::WIN.0),
        ProvenValue::Draw => Score::DRAW,
        ProvenValue::Unknown => {
            stretch(2.0 * tree.played_mean(children, index) - 1.0, settings.scale)
        }
    }
}

/// The report: the best move, the expected line, and every root move, most visits first; also as many
/// `lines` as wanted, if that is more than one. Where all root moves are proven to lose, the one that
/// holds out longest is best.
pub(super) fn report<M: Copy>(
    tree: &Tree<M>,
    settings: &MctsSettings,
    simulations: u64,
    lines: usize,
) -> Report<M> {
    let mut report = Report { nodes: simulations, leaves: simulations, ..Report::default() };
    let Some(children) = tree.children(tree.node(NodeId::ROOT)) else { return report };
    let nodes = tree.block(children);
    let scores: Vec<Score> =
        (0..nodes.len()).map(|index| score(tree, settings, children, index)).collect();
    let settled = |proof| nodes.iter().any(|node| node.proof() == proof);
    let lost = nodes.iter().all(|node| node.proof() == ProvenValue::Loss);
    let chosen = if settled(ProvenValue::Win) || lost {
        (0..nodes.len()).rev().max_by_key(|&index| scores[index])
    } else {
        best(tree, children, settings.final_choice)
    };
    let Some(chosen) = chosen else { return report };
    report.score = (nodes[chosen].visits() > 0).then_some(scores[chosen]);
    report.line = line(tree, settings, children, chosen);
    report.depth = report.line.len() as u32;
    report.moves = nodes
        .iter()
        .zip(&scores)
        .map(|(node, &score)| MoveReport {
            mv: node.mv(),
            score: (node.visits() > 0).then_some(score),
            visits: u64::from(node.played()),
        })
        .collect();
    report.moves.sort_by_key(|entry| std::cmp::Reverse(entry.visits));
    if lines > 1 {
        let ranked = ranking(tree, settings, children, &scores).into_iter().take(lines);
        let ranked = ranked.map(|index| RankedLine {
            score: Some(scores[index]),
            margin: None,
            line: line(tree, settings, children, index),
        });
        report.lines = ranked.collect();
    }
    report
}

/// The children that were tried, best first. Proven ones go by how far off the end is.
fn ranking<M: Copy>(
    tree: &Tree<M>,
    settings: &MctsSettings,
    children: Children,
    scores: &[Score],
) -> Vec<usize> {
    let nodes = tree.block(children);
    let most = nodes.iter().map(Node::played).max().unwrap_or(0);
    let ranks: Vec<(i32, f32, u32)> = (0..nodes.len())
        .map(|index| rank(tree, children, index, settings.final_choice, most))
        .collect();
    let mut order: Vec<usize> =
        (0..nodes.len()).filter(|&index| nodes[index].visits() > 0).collect();
    order.sort_by(|&one, &other| {
        let by_distance = ranks[one].0 != 0 && ranks[one].0 == ranks[other].0;
        let distance = if by_distance { scores[other].cmp(&scores[one]) } else { Ordering::Equal };
        distance.then_with(|| compare(ranks[other], ranks[one]))
    });
    order
}

/// The moves both sides are expected to make, as far as the tree has tried them.
fn line<M: Copy>(
    tree: &Tree<M>,
    settings: &MctsSettings,
    children: Children,
    chosen: usize,
) -> Vec<M> {
    let mut line = Vec::new();
    let mut step = Some((children, chosen));
    while let Some((children, index)) = step {
        let node = &tree.block(children)[index];
        line.push(node.mv());
        let follow = tree.children(node).filter(|_| line.len() < MAX_LINE_PLIES);
        step = follow.and_then(|children| {
            let index = best(tree, children, settings.final_choice)?;
            (tree.block(children)[index].played() > 0).then_some((children, index))
        });
    }
    line
}
