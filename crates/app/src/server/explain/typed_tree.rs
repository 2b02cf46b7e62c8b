//! Typed tree as a game, so that every search algorithm can be applied to it.

use super::tree_text::{NodeContent, ParsedTree};
use ludus_core::{
    Evaluator, HandcraftedEval, HasEval, Notation, OptionKind, OptionSpec, Options, Outcome,
    Position, Random, Score, SearchHints, Side, TextError,
    eval::{EvalPart, PartWeight},
    position::mix,
};
use ludus_players::{
    PlayerRecipe, Roster,
    chess::study_mcts::{self, StudyValued},
    common::engine,
    common_and,
};
use ludus_search::plain::Values;
use std::sync::Arc;

/// A position in a typed tree. The first side is to move at the root.
///
/// At a leaf the game either continues with passes, so that every search evaluates it by the leaf's value
/// whatever the remaining depth, or is over: won by the first side above 0, lost below.
#[derive(Clone, Debug)]
pub struct TypedTree {
    tree: Arc<ParsedTree>,
    leaves: LeafMeaning,
    at: usize,
    /// Passes since a leaf was reached.
    passes: u16,
    turn: Side,
}

/// Meaning of the leaves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum LeafMeaning {
    /// Static evaluation.
    Values,
    /// Result by sign, for searches by simulations.
    Results,
}

impl PartialEq for TypedTree {
    fn eq(&self, other: &TypedTree) -> bool {
        (self.at, self.passes) == (other.at, other.passes)
    }
}

impl Eq for TypedTree {}

impl Position for TypedTree {
    type Move = u16;

    fn turn(&self) -> Side {
        self.turn
    }

    fn legal_moves(&self, out: &mut Vec<u16>) {
        match (&self.tree.node(self.at).content, self.leaves) {
            (NodeContent::Inner(children), _) => out.extend(0..children.len() as u16),
            (NodeContent::Leaf(_), LeafMeaning::Values) => out.push(0),
            (NodeContent::Leaf(_), LeafMeaning::Results) => {}
        }
    }

    fn play(&mut self, mv: u16) {
        match self.tree.children(self.at).get(usize::from(mv)) {
            Some(&child) => self.at = child,
            None => self.passes += 1,
        }
        self.turn = !self.turn;
    }

    fn outcome(&self) -> Option<Outcome> {
        let value = self.tree.leaf(self.at).filter(|_| self.leaves == LeafMeaning::Results)?;
        Some(match value {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Side::First),
            _ => Outcome::Win(Side::Second),
        })
    }

    fn key(&self) -> u64 {
        mix(((self.at as u64) << 16) + u64::from(self.passes) + 1)
    }

    fn rollout(&self, random: &mut Random, _: &mut Vec<u16>) -> Outcome {
        let mut at = self.at;
        while let Some(child) = random.pick(self.tree.children(at)) {
            at = child;
        }
        let leaf = TypedTree { at, leaves: LeafMeaning::Results, ..self.clone() };
        leaf.outcome().unwrap_or(Outcome::Draw)
    }

    fn move_count(&self) -> usize {
        self.tree.nodes().len()
    }

    fn move_index(&self, mv: u16) -> usize {
        usize::from(mv)
    }
}

/// No move ordering hints and no extensions.
impl SearchHints<TypedTree> for LeafValues {
    fn extension(self, _: &TypedTree, _: usize) -> i32 {
        0
    }
}

/// Static evaluation by the values at leaves, and those typed at inner nodes.
#[derive(Copy, Clone, Debug, Default)]
pub struct LeafValues;

impl Evaluator<TypedTree> for LeafValues {
    fn evaluate(&mut self, position: &TypedTree) -> Score {
        let value = position.tree.static_value(position.at);
        Score::evaluation(value * position.turn.sign())
    }
}

impl HandcraftedEval<TypedTree> for LeafValues {
    fn phase(&self, _: &TypedTree) -> i32 {
        0
    }

    fn explain(&self, position: &TypedTree) -> Vec<EvalPart> {
        let value = position.tree.static_value(position.at);
        vec![EvalPart { name: "number", level: 0, weight: PartWeight::Times(1), value }]
    }
}

impl HasEval<TypedTree> for LeafValues {
    type Handcrafted = LeafValues;

    fn handcrafted() -> LeafValues {
        LeafValues
    }
}

impl Notation for TypedTree {
    const ID: &'static str = "tree";
    const NAME: &'static str = "Typed tree";
    const ABOUT: &'static str = "a tree typed by hand";
    const OPTIONS: &'static [OptionSpec] = &[OptionSpec {
        name: "leaves",
        kind: OptionKind::Choice(&["values", "results"]),
        default: "values",
        about: "what the numbers are: values of positions, or results by their sign",
    }];

    fn start(options: &Options) -> Result<TypedTree, TextError> {
        TypedTree::parse(options, "((3 12 8) (2 4 6) (14 5 2))")
    }

    fn parse(options: &Options, text: &str) -> Result<TypedTree, TextError> {
        let leaves = match options.text("leaves") {
            "results" => LeafMeaning::Results,
            _ => LeafMeaning::Values,
        };
        let tree = Arc::new(ParsedTree::parse(text)?);
        Ok(TypedTree { tree, leaves, at: 0, passes: 0, turn: Side::First })
    }

    fn text(&self) -> String {
        self.tree.text()
    }

    fn move_text(&self, mv: u16) -> String {
        let child = self.tree.children(self.at).get(usize::from(mv));
        child.map_or_else(|| "pass".to_owned(), |&child| self.tree.node(child).name.clone())
    }

    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "Max",
            Side::Second => "Min",
        }
    }
}

impl Roster for TypedTree {
    type Knowledge = LeafValues;

    fn recipes() -> Vec<PlayerRecipe<TypedTree>> {
        common_and([study_mcts::recipe(), engine::recipe()])
    }
}

/// The typed numbers, unscaled: the game ends at leaves that are results.
impl Values<TypedTree> for LeafValues {
    fn ending(&self, position: &TypedTree) -> Option<f64> {
        position.outcome().map(|_| position.tree.static_value(position.at).into())
    }

    fn evaluate(&mut self, positions: &[TypedTree], out: &mut Vec<f64>) {
        let value = |position: &TypedTree| f64::from(position.tree.static_value(position.at));
        out.extend(positions.iter().map(value));
    }

    fn score(&self, value: f64) -> Score {
        Score::evaluation(value as i32)
    }
}

impl StudyValued for TypedTree {
    type Values = LeafValues;
    const UNIT: i32 = 1;
    const PLAYER_OPTIONS: &'static [OptionSpec] = &study_mcts::COMMON_OPTIONS;

    fn values(_: &Options) -> LeafValues {
        LeafValues
    }
}
