//! Judging positions: evaluators, guides, and the parts hand evaluations are composed of.

use crate::{Position, Random, Score};
use std::{fmt, str::FromStr};

/// Static evaluation of a position in which the game goes on.
///
/// `&mut self`, so that caches belong to one thread.
pub trait Evaluator<P: Position>: Send {
    /// The score for the side to move, within ±[`Score::EVAL_MAX`].
    fn evaluate(&mut self, position: &P) -> Score;

    /// The score, unless a part of it makes it as good as sure that it is below `low` or above
    /// `high`; then that part.
    fn evaluate_within(&mut self, position: &P, _low: i32, _high: i32) -> Eval {
        Eval::Exact(self.evaluate(position))
    }
}

/// A score, or as much of it as was wanted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Eval {
    /// The score.
    Exact(Score),
    /// Part of it, outside the window: the whole is taken to be there too.
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

/// An evaluation that people can read.
pub trait HandcraftedEval<P: Position>: Evaluator<P> + Clone + Sync + 'static {
    /// How far `position` is from the opening, from 0 to [`PHASES`].
    fn phase(&self, position: &P) -> i32;

    /// Every part of the evaluation with its depth in the tree, its weight here and its value for
    /// the first side before weighing.
    fn explain(&self, position: &P) -> Vec<Part>;
}

/// A game with an evaluation written by hand.
pub trait HasEval: Position {
    /// What kind of evaluation it is.
    type Hand: HandcraftedEval<Self>;

    /// The evaluation.
    fn hand() -> Self::Hand;

    /// By how much the first side is ahead in material, in hundredths of the least piece; `None` in
    /// games without material. Repeating moves while ahead is what makes a drawn game a loop.
    fn material(&self) -> Option<i32> {
        None
    }

    /// The same position with the sides exchanged and the board turned to fit, in games that have
    /// this symmetry. The evaluation must give both the same score.
    fn swapped(&self) -> Option<Self> {
        None
    }

    /// The same board with the other side to move, in games in which every board allows that and the
    /// moves of both sides differ: what the other side could do, if it were its turn.
    fn other_to_move(&self) -> Option<Self> {
        None
    }
}

/// A weight that slides from the opening to the ending. What it weighs is multiplied by it, so the
/// weight of a plain count is in hundredths of the game's unit, and that of a sum is usually 1.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Weight {
    /// In the starting position.
    pub opening: i32,
    /// When the board is as empty (or as full) as it gets.
    pub ending: i32,
}

impl Weight {
    /// The same weight in every phase.
    pub const fn flat(weight: i32) -> Weight {
        Weight { opening: weight, ending: weight }
    }

    /// A weight that changes with the phase.
    pub const fn sliding(opening: i32, ending: i32) -> Weight {
        Weight { opening, ending }
    }

    /// The weight at `phase`, from 0 (opening) to [`PHASES`] (ending).
    #[inline]
    pub const fn at(self, phase: i32) -> i32 {
        self.opening + (self.ending - self.opening) * phase / PHASES
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
            Some((opening, ending)) => Ok(Weight::sliding(number(opening)?, number(ending)?)),
            None => number(text).map(Weight::flat),
        }
    }
}

/// The phase of a finished game; the start of a game has phase 0.
pub const PHASES: i32 = 256;

/// A tree of small scoring functions, joined by weighted sums and by products.
///
/// Every value is "first side minus second side", so a composition of symmetric parts is symmetric.
pub enum Scoring<P: 'static> {
    /// A plain count, such as men of the first side minus men of the second.
    Count(&'static str, fn(&P) -> i32),
    /// The sum of its parts, each times its weight.
    Sum(&'static str, &'static [(Weight, Scoring<P>)]),
    /// A part scaled by a factor in hundredths that depends on the position: 100 leaves it alone.
    Product(&'static str, &'static Scoring<P>, fn(&P) -> i32),
}

impl<P> Scoring<P> {
    /// The name of this part.
    pub fn name(&self) -> &'static str {
        match self {
            Scoring::Count(name, _) | Scoring::Sum(name, _) | Scoring::Product(name, ..) => name,
        }
    }

    fn value(&self, position: &P, phase: i32) -> i32 {
        match self {
            Scoring::Count(_, count) => count(position),
            Scoring::Sum(_, parts) => parts
                .iter()
                .map(|(weight, part)| weight.at(phase) * part.value(position, phase))
                .sum(),
            Scoring::Product(_, part, factor) => {
                part.value(position, phase) * factor(position) / 100
            }
        }
    }
}

/// A hand evaluation: a tree of scoring functions and the measure of how far the game has come.
pub struct Composition<P: 'static> {
    root: &'static Scoring<P>,
    phase: fn(&P) -> i32,
}

impl<P: 'static> Clone for Composition<P> {
    fn clone(&self) -> Composition<P> {
        Composition { ..*self }
    }
}

impl<P: 'static> Composition<P> {
    /// The evaluation `root`, with `phase` telling how far a position is from the opening.
    pub const fn new(root: &'static Scoring<P>, phase: fn(&P) -> i32) -> Composition<P> {
        Composition { root, phase }
    }
}

impl<P: Position> HandcraftedEval<P> for Composition<P> {
    fn phase(&self, position: &P) -> i32 {
        (self.phase)(position).clamp(0, PHASES)
    }

    fn explain(&self, position: &P) -> Vec<Part> {
        let mut parts = Vec::new();
        let phase = self.phase(position);
        explain(self.root, PartWeight::Times(1), position, phase, 0, &mut parts);
        parts
    }
}

/// One line of [`HandcraftedEval::explain`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Name of the part.
    pub name: &'static str,
    /// How deep it is nested.
    pub level: usize,
    /// Its weight in this phase of the game.
    pub weight: PartWeight,
    /// Its value, first side minus second side, before weighing.
    pub value: i32,
}

/// How a [`Part`] enters the part it belongs to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PartWeight {
    /// Multiplied by this.
    Times(i32),
    /// Scaled to so many hundredths.
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
    part: &Scoring<P>,
    weight: PartWeight,
    position: &P,
    phase: i32,
    level: usize,
    out: &mut Vec<Part>,
) {
    out.push(Part { name: part.name(), level, weight, value: part.value(position, phase) });
    match part {
        Scoring::Count(..) => {}
        Scoring::Sum(_, parts) => {
            for (weight, part) in *parts {
                let weight = PartWeight::Times(weight.at(phase));
                explain(part, weight, position, phase, level + 1, out);
            }
        }
        Scoring::Product(_, part, factor) => {
            let weight = PartWeight::Percent(factor(position));
            explain(part, weight, position, phase, level + 1, out);
        }
    }
}

impl<P: Position> Evaluator<P> for Composition<P> {
    fn evaluate(&mut self, position: &P) -> Score {
        let value = self.root.value(position, self.phase(position));
        Score::evaluation(value * position.turn().sign())
    }
}

/// What Monte-Carlo tree search asks at a leaf. Playouts, networks and heuristics all fit.
///
/// Each thread of a search has a guide of its own; what they share, they share inside.
pub trait LeafEvaluator<P: Position>: Send {
    /// The expected result in `[-1, 1]` for the side to move, in a position in which the game goes
    /// on; fills in what it has to tell of the playout, which comes empty.
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

    /// Appends one prior for each of `moves`, or nothing if it has no opinion.
    fn priors(&mut self, _position: &P, _moves: &[P::Move], _out: &mut Vec<Prior>) {}

    /// Appends for each of `moves` how good the position it leads to looks to the side that makes
    /// it, in `[-1, 1]`, or nothing. Asked only by searches that add it to a move's value for good.
    fn biases(&mut self, _position: &P, _moves: &[P::Move], _out: &mut Vec<f32>) {}

    /// Whether it wants to [observe](LeafEvaluator::observe) results on their way up. Constant, so that a
    /// search whose guide does not pays nothing.
    const OBSERVES: bool = false;

    /// A result has just been added to the node of `position`, from the leaf up to the root. A value
    /// in `[-1, 1]` for the side to move takes the place of the mean.
    fn observe(&mut self, _position: &P, _sight: NodeStats) -> Option<f32> {
        None
    }
}

/// What a guide sees of a node of the tree.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct NodeStats {
    /// Its distance from the root.
    pub depth: usize,
    /// How often it has been visited, what its prior is worth included.
    pub visits: u32,
    /// The mean of the results in `[-1, 1]`, for the side to move there.
    pub value: f32,
    /// The result that was just added, likewise.
    pub result: f32,
}

/// What a simulation tells besides its value.
#[derive(Clone, Debug)]
pub struct Playout<M> {
    /// The moves played after the leaf, by both sides in turn, as far as they are known.
    pub moves: Vec<M>,
    /// Whether it ended before the game did, because the rest was known. Its moves then say nothing
    /// of what they are worth.
    pub interrupted: bool,
}

impl<M> Playout<M> {
    /// Forgets the playout before and keeps the room it took.
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

/// What is known of a move before it is tried: a value and how many visits it is worth.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Prior {
    /// Expected result in `[-1, 1]` for the side that makes the move.
    pub value: f32,
    /// The number of visits this knowledge equals.
    pub visits: f32,
}

/// Dense move numbers, for policy heads and history tables.
pub trait MoveIndex: Position {
    /// Every index is below this.
    fn move_count(&self) -> usize;
    /// The index of `mv`, the same in every position of one game.
    fn move_index(&self, mv: Self::Move) -> usize;
}
