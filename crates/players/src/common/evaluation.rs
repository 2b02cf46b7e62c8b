//! `eval`: the evaluations the textbook searches can use.

use ludus_core::{Eval, Evaluator, HasEval, OptionKind, OptionSpec, Options, Position, Score};
use ludus_search::alphabeta::{Mobility, OnlyEnds, RandomTree};

pub const EVAL: OptionSpec = OptionSpec {
    name: "eval",
    kind: OptionKind::Choice(&["hand", "none", "mobility", "random"]),
    default: "hand",
    about: "the evaluation of positions: handcrafted, none (only ends of the game count), mobility, random",
};

/// The evaluation of a textbook search, chosen when the player is built.
#[derive(Clone)]
pub enum TextbookEval<H> {
    Hand(H),
    OnlyEnds(OnlyEnds),
    Mobility(Mobility),
    Random(RandomTree),
}

impl<H> TextbookEval<H> {
    /// The evaluation the options ask for; `seed` is for [`TextbookEval::Random`].
    pub fn new<P, K>(options: &Options, seed: u64) -> TextbookEval<H>
    where
        P: Position,
        K: HasEval<P, Handcrafted = H>,
    {
        match options.text("eval") {
            "none" => TextbookEval::OnlyEnds(OnlyEnds),
            "mobility" => TextbookEval::Mobility(Mobility),
            "random" => TextbookEval::random(seed),
            _ => TextbookEval::Hand(K::handcrafted()),
        }
    }

    pub fn random(seed: u64) -> TextbookEval<H> {
        TextbookEval::Random(RandomTree::new(seed))
    }

    /// Whether it depends on the seed, which a new game changes.
    pub fn is_random(&self) -> bool {
        matches!(self, TextbookEval::Random(_))
    }
}

impl<P: Position, H: Evaluator<P>> Evaluator<P> for TextbookEval<H> {
    fn evaluate(&mut self, position: &P) -> Score {
        match self {
            TextbookEval::Hand(hand) => hand.evaluate(position),
            TextbookEval::OnlyEnds(none) => none.evaluate(position),
            TextbookEval::Mobility(mobility) => mobility.evaluate(position),
            TextbookEval::Random(tree) => tree.evaluate(position),
        }
    }

    fn evaluate_within(&mut self, position: &P, low: i32, high: i32) -> Eval {
        match self {
            TextbookEval::Hand(hand) => hand.evaluate_within(position, low, high),
            _ => Eval::Exact(self.evaluate(position)),
        }
    }
}
