//! Toy games: trees written as text, such as `(3 (5 9) -2)`.
//!
//! A number is a position with this value for the first side, in which both sides can only pass, so
//! that every search evaluates it the same however much depth it has left. `w`, `l` and `d` are
//! positions in which the first side has won, lost or drawn.

use crate::known::Known;
use ludus_core::{Outcome, Position, Random, Score, SearchHints, Side, position::mix};
use std::sync::Arc;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Node {
    Inner(Vec<usize>),
    Value(i32),
    Over(Outcome),
}

/// A position in a toy game.
#[derive(Clone, Debug)]
pub struct Toy {
    nodes: Arc<Vec<Node>>,
    /// The number of the position; 0 is the start.
    pub at: usize,
    turn: Side,
}

impl PartialEq for Toy {
    fn eq(&self, other: &Toy) -> bool {
        (self.at, self.turn) == (other.at, other.turn)
    }
}

impl Eq for Toy {}

impl Position for Toy {
    type Move = u16;

    fn turn(&self) -> Side {
        self.turn
    }

    fn legal_moves(&self, out: &mut Vec<u16>) {
        match &self.nodes[self.at] {
            Node::Inner(children) => out.extend(0..children.len() as u16),
            Node::Value(_) => out.push(0),
            Node::Over(_) => {}
        }
    }

    fn play(&mut self, mv: u16) {
        if let Node::Inner(children) = &self.nodes[self.at] {
            self.at = children[usize::from(mv)];
        }
        self.turn = !self.turn;
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.nodes[self.at] {
            Node::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    fn key(&self) -> u64 {
        mix(2 * self.at as u64 + self.turn as u64 + 1)
    }
}

/// Hints by which some moves are captures, some positions are under threat, some are worth more depth.
#[derive(Copy, Clone, Default)]
pub struct ToyHints;

impl Known for Toy {
    type Knowledge = ToyHints;
}

impl SearchHints<Toy> for ToyHints {
    const HISTORY_SIZE: usize = 8;

    fn history_index(self, _: &Toy, mv: u16) -> usize {
        usize::from(mv) % ToyHints::HISTORY_SIZE
    }

    fn material_gain(self, position: &Toy, mv: u16) -> i32 {
        if position.draw(mv, 3) { 100 } else { 0 }
    }

    fn must_respond(self, position: &Toy) -> bool {
        matches!(position.nodes[position.at], Node::Inner(_)) && position.draw(999, 4)
    }

    fn noisy_moves(self, position: &Toy, out: &mut Vec<u16>) {
        if let Node::Inner(children) = &position.nodes[position.at] {
            let moves = 0..children.len() as u16;
            out.extend(
                moves.filter(|&mv| {
                    self.must_respond(position) || self.material_gain(position, mv) > 0
                }),
            );
        }
    }

    fn extension(self, position: &Toy, _: usize) -> i32 {
        i32::from(position.draw(998, 5))
    }
}

impl Toy {
    fn new(nodes: Vec<Node>) -> Toy {
        Toy { nodes: Arc::new(nodes), at: 0, turn: Side::First }
    }

    /// One in `of`, always the same for the same position and `what`.
    fn draw(&self, what: u16, of: u64) -> bool {
        mix(self.key() ^ u64::from(what)).is_multiple_of(of)
    }

    /// Reads a tree.
    pub fn parse(text: &str) -> Toy {
        let text = text.replace('(', " ( ").replace(')', " ) ");
        let mut nodes = vec![Node::Value(0)];
        let mut words = text.split_whitespace();
        let word = words.next().expect("a tree");
        read(word, &mut words, 0, &mut nodes);
        assert_eq!(words.next(), None, "after the tree");
        Toy::new(nodes)
    }

    /// The same tree with the children of every position in the order of their true values, the
    /// best for the mover first, except that one in `slip_one_in` positions is left as it is.
    pub fn best_first(&self, slip_one_in: u64) -> Toy {
        let mut nodes = (*self.nodes).clone();
        self.sort(&mut nodes, slip_one_in);
        Toy::new(nodes)
    }

    fn sort(&self, nodes: &mut [Node], slip_one_in: u64) {
        let Node::Inner(children) = &self.nodes[self.at] else { return };
        let mut sorted = children.clone();
        if !self.draw(997, slip_one_in) {
            sorted.sort_by_key(|&child| -self.turn.sign() * self.to(child).value());
        }
        nodes[self.at] = Node::Inner(sorted);
        children.iter().for_each(|&child| self.to(child).sort(nodes, slip_one_in));
    }

    fn to(&self, at: usize) -> Toy {
        Toy { nodes: self.nodes.clone(), at, turn: !self.turn }
    }

    /// The value for the first side, by the plainest of recursions, without wins and losses.
    pub fn value(&self) -> i32 {
        match &self.nodes[self.at] {
            Node::Value(value) => *value,
            Node::Over(_) => 0,
            Node::Inner(children) => {
                let values = children.iter().map(|&child| self.to(child).value());
                let best = if self.turn == Side::First { values.max() } else { values.min() };
                best.expect("an inner position has moves")
            }
        }
    }

    /// The fewest leaves that prove the value to be at least (`Side::First`) or at most
    /// (`Side::Second`) `bound`; `None` if it is not.
    pub fn proof(&self, of: Side, bound: i32) -> Option<usize> {
        let Node::Inner(children) = &self.nodes[self.at] else {
            let reached =
                if of == Side::First { self.value() >= bound } else { self.value() <= bound };
            return reached.then_some(1);
        };
        let mut proofs = children.iter().map(|&child| self.to(child).proof(of, bound));
        if self.turn == of {
            proofs.flatten().min()
        } else {
            proofs.try_fold(0, |sum, p| Some(sum + p?))
        }
    }

    /// The fewest leaves any search has to look at: one strategy of each side, and the two have one
    /// leaf in common (Knuth and Moore's critical tree, for trees of any shape).
    pub fn critical_leaves(&self) -> usize {
        let value = self.value();
        let proof = |side| self.proof(side, value).expect("the value is the value");
        proof(Side::First) + proof(Side::Second) - 1
    }
}

fn read<'a>(
    word: &'a str,
    words: &mut impl Iterator<Item = &'a str>,
    at: usize,
    nodes: &mut Vec<Node>,
) {
    nodes[at] = match word {
        "w" => Node::Over(Outcome::Win(Side::First)),
        "l" => Node::Over(Outcome::Win(Side::Second)),
        "d" => Node::Over(Outcome::Draw),
        "(" => {
            let mut children = Vec::new();
            while let word = words.next().expect("a closed parenthesis")
                && word != ")"
            {
                children.push(nodes.len());
                nodes.push(Node::Value(0));
                read(word, words, nodes.len() - 1, nodes);
            }
            Node::Inner(children)
        }
        number => Node::Value(number.parse().expect("a number, w, l, d or a tree in parentheses")),
    };
}

/// The value of the position. An inner position gets a meaningless number.
pub fn evaluate_toy(position: &Toy) -> Score {
    let value = match position.nodes[position.at] {
        Node::Value(value) => value,
        _ => (mix(position.at as u64) % 41) as i32 - 20,
    };
    Score(value * position.turn.sign())
}

/// The text of a random tree up to `height` plies high, with few different values, so that ties
/// are common. Some leaves come early.
pub fn random_tree(random: &mut Random, height: u32) -> String {
    if height == 0 || height < 4 && random.below(8) == 0 {
        return match random.below(16) {
            0 => "w".to_owned(),
            1 => "l".to_owned(),
            2 => "d".to_owned(),
            _ => (random.below(41) as i32 - 20).to_string(),
        };
    }
    let count = 1 + random.below(4);
    let children: Vec<String> = (0..count).map(|_| random_tree(random, height - 1)).collect();
    format!("({})", children.join(" "))
}

/// The text of a tree in which every line has `height` plies and every position `branching` moves.
pub fn uniform_tree(random: &mut Random, branching: usize, height: u32) -> String {
    if height == 0 {
        return (random.below(2001) as i32 - 1000).to_string();
    }
    let children: Vec<String> =
        (0..branching).map(|_| uniform_tree(random, branching, height - 1)).collect();
    format!("({})", children.join(" "))
}

/// A game of `levels` plies with `width` positions each, so that many ways lead to each of them.
pub fn random_dag(random: &mut Random, levels: usize, width: usize) -> Toy {
    let mut nodes = Vec::new();
    let first = |level: usize| if level == 0 { 0 } else { 1 + (level - 1) * width };
    for level in 0..levels {
        for _ in 0..if level == 0 { 1 } else { width } {
            let count = 2 + random.below(3);
            let child = |random: &mut Random| first(level + 1) + random.below(width);
            nodes.push(Node::Inner((0..count).map(|_| child(random)).collect()));
        }
    }
    nodes.extend((0..width).map(|_| Node::Value(random.below(41) as i32 - 20)));
    Toy::new(nodes)
}
