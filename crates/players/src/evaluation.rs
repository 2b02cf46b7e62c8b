//! `eval`: what the searches of the textbook judge positions by.

use ludus_core::{Eval, Evaluator, HasEval, Kind, OptionSpec, Options, Score};
use ludus_search::alphabeta::{Mobility, OnlyEnds, RandomTree};

pub const EVAL: OptionSpec = OptionSpec {
    name: "eval",
    kind: Kind::Choice(&["hand", "none", "mobility", "random"]),
    default: "hand",
    about: "what judges the positions: the hand evaluation, nothing but ends of the game, the number of moves, chance",
};

/// One of them, chosen when the player is built.
#[derive(Clone)]
pub enum Evaluation<H> {
    Hand(H),
    OnlyEnds(OnlyEnds),
    Mobility(Mobility),
    Random(RandomTree),
}

impl<H> Evaluation<H> {
    /// The one the options ask for; `seed` is that of [`Evaluation::Random`].
    pub fn new<P: HasEval<Hand = H>>(options: &Options, seed: u64) -> Evaluation<H> {
        match options.text("eval") {
            "none" => Evaluation::OnlyEnds(OnlyEnds),
            "mobility" => Evaluation::Mobility(Mobility),
            "random" => Evaluation::random(seed),
            _ => Evaluation::Hand(P::hand()),
        }
    }

    pub fn random(seed: u64) -> Evaluation<H> {
        Evaluation::Random(RandomTree::new(seed))
    }

    /// Whether a new game, which has a seed of its own, is judged differently.
    pub fn is_random(&self) -> bool {
        matches!(self, Evaluation::Random(_))
    }
}

impl<P: HasEval> Evaluator<P> for Evaluation<P::Hand> {
    fn evaluate(&mut self, position: &P) -> Score {
        match self {
            Evaluation::Hand(hand) => hand.evaluate(position),
            Evaluation::OnlyEnds(none) => none.evaluate(position),
            Evaluation::Mobility(mobility) => mobility.evaluate(position),
            Evaluation::Random(tree) => tree.evaluate(position),
        }
    }

    fn evaluate_within(&mut self, position: &P, low: i32, high: i32) -> Eval {
        match self {
            Evaluation::Hand(hand) => hand.evaluate_within(position, low, high),
            _ => Eval::Exact(self.evaluate(position)),
        }
    }
}
