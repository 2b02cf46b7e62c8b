//! Shared helpers of the search tests.

mod graph;
mod kinds;
mod tree;

pub use graph::Graph;
pub use kinds::{KINDS, Memory, search, tables, traced};
pub use tree::{Toy, evaluate_toy, random_dag, random_tree, uniform_tree};

use ludus_core::{Evaluator, History, Limits, Notation, Options, Position, Random, Score};
use ludus_search::alphabeta::{Budget, Minimax, RandomTree};
use std::sync::atomic::AtomicBool;

/// Plain minimax's value for the side to move.
pub fn minimax<P: Position, E: Evaluator<P>>(position: &P, depth: u32, mut evaluator: E) -> Score {
    let stop = AtomicBool::new(false);
    let mut budget = Budget::new(&Limits::default(), &stop);
    let report = Minimax::new(&mut evaluator, &mut budget).search(position, depth);
    report.score.expect("a search without limits finds a value")
}

/// A random evaluation: what holds with it holds with any.
pub fn senseless() -> RandomTree {
    RandomTree::new(1)
}

/// The start of the game `text` names, such as `draughts:rules=russian`.
pub fn start<P: Notation>(text: &str) -> P {
    P::start(&Options::parse(text, P::OPTIONS).unwrap()).unwrap()
}

/// Games of random moves from `start`, cut before they end, up to `longest` plies each.
pub fn random_games<P: Position>(
    start: &P,
    count: usize,
    longest: usize,
    seed: u64,
) -> Vec<History<P>> {
    let mut random = Random::new(seed).split("games");
    let mut games = Vec::new();
    while games.len() < count {
        let mut game = History::new(start.clone());
        let mut moves = Vec::new();
        for _ in 0..random.below(longest + 1) {
            moves.clear();
            game.last().legal_moves(&mut moves);
            game.push(random.pick(&moves).expect("the game goes on"));
            if P::ending(&game).is_some() {
                game.pop();
                break;
            }
        }
        if P::ending(&game).is_none() {
            games.push(game);
        }
    }
    games
}
