//! Evaluation: static evaluators, leaf evaluators of Monte-Carlo tree search, and evaluation trees
//! for handcrafted evaluations.

use crate::{Position, Random, Score};
use std::{fmt, str::FromStr};

/// Static evaluation of a position in which the game goes on.
///
/// `&mut self`, so that caches belong to one thread.
pub trait Evaluator<P: Position>: Send {
    /// The score for the side to move, within ±[`Score::EVAL_MAX`].
    fn evaluate(&mut self, position: &P) -> Score;

    /// Lazy evaluation: the exact score, or a partial sum if that makes it nearly certain that the
    /// score is below `low` or above `high`.
    fn evaluate_within(&mut self, position: &P, _low: i32, _high: i32) -> Eval {
        Eval::Exact(self.evaluate(position))
    }
}

/// Result of a lazy evaluation.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Eval {
    /// The exact score.
    Exact(Score),
    /// A partial sum outside the window; the score is taken to be there too.
    OutsideWindow(Score),
}

impl<P: Position, F: FnMut(&P) -> Score + Send> Evaluator<P> for F {
    fn evaluate(&mut self, position: &P) -> Score {
        self(position)
    }
}

impl<P: Position> Evaluator<P> for Box<dyn Evaluator<P>> {
    fn evaluate(&mut self, position: &P) -> Score {
        (**self).evaluate(position)
    }

    fn evaluate_within(&mut self, position: &P, low: i32, high: i32) -> Eval {
        (**self).evaluate_within(position, low, high)
    }
}

/// A handcrafted evaluation, which can be explained term by term.
pub trait HandcraftedEval<P: Position>: Evaluator<P> + Clone + Sync + 'static {
    /// The game phase of `position`, from 0 (opening) to [`MAX_PHASE`] (ending).
    fn phase(&self, position: &P) -> i32;

    /// Every part of the evaluation with its level in the tree, its weight in this position and its
    /// unweighted value, first side minus second side.
    fn explain(&self, position: &P) -> Vec<EvalPart>;
}

/// Knowledge that includes a handcrafted evaluation of the game `P`; that of `()` is 0 everywhere.
pub trait HasEval<P: Position>: Copy + Send + Sync + 'static {
    /// The type of the evaluation.
    type Handcrafted: HandcraftedEval<P>;

    /// The evaluation.
    fn handcrafted() -> Self::Handcrafted;

    /// Material balance, first side minus second side, in hundredths of the least valuable piece;
    /// `None` in games without material. A game drawn by repetition while one side is ahead counts
    /// as a loop draw.
    fn material(_position: &P) -> Option<i32> {
        None
    }
}

impl<P: Position> HasEval<P> for () {
    type Handcrafted = EvalTree<P>;

    fn handcrafted() -> EvalTree<P> {
        EvalTree::new(const { &EvalNode::Sum("no evaluation", &[]) }, |_| 0)
    }
}

/// Weight of a tapered evaluation, interpolated between the opening and the ending. The weight of a
/// count is in hundredths of the game's unit, that of a sum is usually 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Weight in the starting position.
    pub opening: i32,
    /// Weight when the board is as empty (or as full) as it gets.
    pub ending: i32,
}

impl Weight {
    /// The same weight in every phase.
    pub const fn flat(weight: i32) -> Weight {
        Weight { opening: weight, ending: weight }
    }

    /// A weight that changes linearly with the phase.
    pub const fn tapered(opening: i32, ending: i32) -> Weight {
        Weight { opening, ending }
    }

    /// The weight at `phase`, from 0 (opening) to [`MAX_PHASE`] (ending).
    #[inline]
    pub const fn at(self, phase: i32) -> i32 {
        self.opening + (self.ending - self.opening) * phase / MAX_PHASE
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.opening, self.ending)
    }
}

impl FromStr for Weight {
    type Err = ();

    /// `opening/ending`, or one number for both.
    fn from_str(text: &str) -> Result<Weight, ()> {
        let number = |text: &str| text.parse::<i16>().map(i32::from).map_err(|_| ());
        match text.split_once('/') {
            Some((opening, ending)) => Ok(Weight::tapered(number(opening)?, number(ending)?)),
            None => number(text).map(Weight::flat),
        }
    }
}

/// The largest game phase, that of a finished game; the start of a game has phase 0.
pub const MAX_PHASE: i32 = 256;

/// A node of an [`EvalTree`]: a small scoring function, a weighted sum or a product.
///
/// Every value is "first side minus second side", so a tree of symmetric parts is symmetric.
pub enum EvalNode<P: 'static> {
    /// A plain count, such as men of the first side minus men of the second.
    Count(&'static str, fn(&P) -> i32),
    /// The weighted sum of its parts.
    Sum(&'static str, &'static [(Weight, EvalNode<P>)]),
    /// A part scaled by a factor, in percent, that depends on the position.
    Product(&'static str, &'static EvalNode<P>, fn(&P) -> i32),
}

impl<P> EvalNode<P> {
    /// The name of this part.
    pub fn name(&self) -> &'static str {
        match self {
            EvalNode::Count(name, _) | EvalNode::Sum(name, _) | EvalNode::Product(name, ..) => name,
        }
    }

    fn value(&self, position: &P, phase: i32) -> i32 {
        match self {
            EvalNode::Count(_, count) => count(position),
            EvalNode::Sum(_, parts) => parts
                .iter()
                .map(|(weight, part)| weight.at(phase) * part.value(position, phase))
                .sum(),
            EvalNode::Product(_, part, factor) => {
                part.value(position, phase) * factor(position) / 100
            }
        }
    }
}

/// A handcrafted evaluation: a tree of scoring functions and the game phase that weights depend on.
pub struct EvalTree<P: 'static> {
    root: &'static EvalNode<P>,
    phase: fn(&P) -> i32,
}

impl<P: 'static> Clone for EvalTree<P> {
    fn clone(&self) -> EvalTree<P> {
        EvalTree { ..*self }
    }
}

impl<P: 'static> EvalTree<P> {
    /// The evaluation with this root and this game phase.
    pub const fn new(root: &'static EvalNode<P>, phase: fn(&P) -> i32) -> EvalTree<P> {
        EvalTree { root, phase }
    }
}

impl<P: Position> HandcraftedEval<P> for EvalTree<P> {
    fn phase(&self, position: &P) -> i32 {
        (self.phase)(position).clamp(0, MAX_PHASE)
    }

    fn explain(&self, position: &P) -> Vec<EvalPart> {
        let mut parts = Vec::new();
        let phase = self.phase(position);
        explain(self.root, PartWeight::Times(1), position, phase, 0, &mut parts);
        parts
    }
}

/// One line of [`HandcraftedEval::explain`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvalPart {
    /// Name of the part.
    pub name: &'static str,
    /// Nesting depth.
    pub level: usize,
    /// Its weight in this phase of the game.
    pub weight: PartWeight,
    /// Its unweighted value, first side minus second side.
    pub value: i32,
}

/// The weight of an [`EvalPart`] within its parent.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PartWeight {
    /// Multiplied by this.
    Times(i32),
    /// Scaled by this percentage.
    Percent(i32),
}

impl fmt::Display for PartWeight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartWeight::Times(weight) => write!(f, "{weight} x"),
            PartWeight::Percent(factor) => write!(f, "{factor}% of"),
        }
    }
}

fn explain<P>(
    part: &EvalNode<P>,
    weight: PartWeight,
    position: &P,
    phase: i32,
    level: usize,
    out: &mut Vec<EvalPart>,
) {
    out.push(EvalPart { name: part.name(), level, weight, value: part.value(position, phase) });
    match part {
        EvalNode::Count(..) => {}
        EvalNode::Sum(_, parts) => {
            for (weight, part) in *parts {
                let weight = PartWeight::Times(weight.at(phase));
                explain(part, weight, position, phase, level + 1, out);
            }
        }
        EvalNode::Product(_, part, factor) => {
            let weight = PartWeight::Percent(factor(position));
            explain(part, weight, position, phase, level + 1, out);
        }
    }
}

impl<P: Position> Evaluator<P> for EvalTree<P> {
    fn evaluate(&mut self, position: &P) -> Score {
        let value = self.root.value(position, self.phase(position));
        Score::evaluation(value * position.turn().sign())
    }
}

/// Leaf evaluation of Monte-Carlo tree search: playouts, networks or heuristics, with move priors.
///
/// Each thread of a search has a leaf evaluator of its own, which may hold shared state inside.
pub trait LeafEvaluator<P: Position>: Send {
    /// The expected result in `[-1, 1]` for the side to move, in a position in which the game goes
    /// on. `playout`, which is empty, receives the moves of the playout if there was one.
    fn simulate(
        &mut self,
        position: &P,
        random: &mut Random,
        playout: &mut Playout<P::Move>,
    ) -> f32;

    /// Appends the moves worth searching: at least one if any is legal, and by default all.
    fn moves(&mut self, position: &P, out: &mut Vec<P::Move>) {
        position.legal_moves(out);
    }

    /// Appends one prior for each of `moves`, or nothing if it has no priors.
    fn priors(&mut self, _position: &P, _moves: &[P::Move], _out: &mut Vec<Prior>) {}

    /// Progressive bias: appends for each of `moves` the heuristic value, in `[-1, 1]`, of the position
    /// after it for the side that moves, or nothing. Used only by searches that add it permanently to
    /// a move's value.
    fn biases(&mut self, _position: &P, _moves: &[P::Move], _out: &mut Vec<f32>) {}

    /// Whether it [observes](LeafEvaluator::observe) results during backpropagation. Constant, so that a
    /// search pays nothing if it does not.
    const OBSERVES: bool = false;

    /// Called during backpropagation, from the leaf up to the root, after a result was added to the
    /// node of `position`. A returned value in `[-1, 1]`, for the side to move, replaces the node's mean.
    fn observe(&mut self, _position: &P, _stats: NodeStats) -> Option<f32> {
        None
    }
}

/// Statistics of a tree node, as shown to a leaf evaluator.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct NodeStats {
    /// Its distance from the root.
    pub depth: usize,
    /// Number of visits, the equivalent visits of its prior included.
    pub visits: u32,
    /// The mean of the results in `[-1, 1]`, for the side to move there.
    pub value: f32,
    /// The result that was just added, for the side to move there.
    pub result: f32,
}

/// The moves of one playout.
#[derive(Clone, Debug)]
pub struct Playout<M> {
    /// The moves played after the leaf, by both sides in turn, as far as they are known.
    pub moves: Vec<M>,
    /// Whether it stopped before the end of the game because the result was known. Its moves
    /// are then no evidence of their value.
    pub interrupted: bool,
}

impl<M> Playout<M> {
    /// Clears it for the next playout and keeps the allocation.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.interrupted = false;
    }
}

impl<M> Default for Playout<M> {
    fn default() -> Playout<M> {
        Playout { moves: Vec::new(), interrupted: false }
    }
}

/// Prior knowledge of a move: a value and the number of visits it is equivalent to.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Prior {
    /// Expected result in `[-1, 1]` for the side that makes the move.
    pub value: f32,
    /// Equivalent number of visits.
    pub visits: f32,
}
