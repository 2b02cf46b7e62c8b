//! A small game for tests: a tree in parentheses, whose inner nodes may have values of their own.

use super::Values;
use ludus_core::{Outcome, Position, Random, Score, Side};
use std::sync::Arc;

/// Nodes with their values and children, the root first.
type Nodes = Vec<(i32, Vec<usize>)>;

/// A position in a tree; the game is over at its leaves.
#[derive(Clone, Debug)]
pub struct TestTree {
    nodes: Arc<Nodes>,
    at: usize,
    turn: Side,
}

impl PartialEq for TestTree {
    fn eq(&self, other: &TestTree) -> bool {
        self.at == other.at
    }
}

impl Eq for TestTree {}

impl TestTree {
    /// Reads `(20(0 0) 10(10 10))`: a number before a bracket is the value of an inner node.
    pub fn parse(text: &str, turn: Side) -> TestTree {
        let mut nodes: Nodes = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let words: Vec<&str> = spaced.split_whitespace().collect();
        for (index, &word) in words.iter().enumerate() {
            match word {
                ")" => drop(open.pop()),
                "(" if index > 0 && words[index - 1].parse::<i32>().is_ok() => {
                    open.push(nodes.len() - 1);
                }
                _ => {
                    let value = word.parse().unwrap_or(0);
                    nodes.push((value, Vec::new()));
                    let node = nodes.len() - 1;
                    if let Some(&parent) = open.last() {
                        nodes[parent].1.push(node);
                    }
                    if word == "(" {
                        open.push(node);
                    }
                }
            }
        }
        TestTree { nodes: Arc::new(nodes), at: 0, turn }
    }

    /// A random tree of this depth, its values from a small range so that many are equal.
    pub fn random(random: &mut Random, depth: usize) -> TestTree {
        fn write(random: &mut Random, depth: usize) -> String {
            let value = random.below(12) as i32 - 6;
            if depth == 0 || random.below(8) == 0 {
                return value.to_string();
            }
            let children: Vec<String> =
                (0..1 + random.below(4)).map(|_| write(random, depth - 1)).collect();
            format!("{value}({})", children.join(" "))
        }
        let turn = Side::BOTH[random.below(2)];
        TestTree::parse(
            &format!("({} {})", write(random, depth - 1), write(random, depth - 1)),
            turn,
        )
    }

    pub fn value(&self) -> i32 {
        self.nodes[self.at].0
    }
}

impl Position for TestTree {
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn legal_moves(&self, out: &mut Vec<u8>) {
        out.extend(0..self.nodes[self.at].1.len() as u8);
    }

    fn play(&mut self, mv: u8) {
        self.at = self.nodes[self.at].1[usize::from(mv)];
        self.turn = !self.turn;
    }

    fn outcome(&self) -> Option<Outcome> {
        self.nodes[self.at].1.is_empty().then_some(Outcome::Draw)
    }

    fn key(&self) -> u64 {
        self.at as u64
    }
}

/// The numbers of a tree; counts evaluations.
#[derive(Default)]
pub struct TreeValues {
    pub evaluated: usize,
}

impl Values<TestTree> for TreeValues {
    fn ending(&self, position: &TestTree) -> Option<f64> {
        position.outcome().map(|_| f64::from(position.value()))
    }

    fn evaluate(&mut self, positions: &[TestTree], out: &mut Vec<f64>) {
        self.evaluated += positions.len();
        out.extend(positions.iter().map(|position| f64::from(position.value())));
    }

    fn score(&self, value: f64) -> Score {
        Score::evaluation(value as i32)
    }
}
