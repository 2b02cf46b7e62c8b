//! What BTT-Go asks at a leaf and remembers on the way back.

use super::{
    attributes::Rater,
    table::{Keys, Table},
};
use ludus_core::{LeafEvaluator, NodeStats, Playout, Position, Prior, Random, TableReport};
use ludus_games::go::{
    Go, Move,
    guide::GoGuide,
    policy::{PlayoutBoard, Rule},
};

/// How one of several moves is taken by their strengths.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pick {
    /// The strongest, as published.
    Best,
    /// Each with the probability the model gives it.
    Sample,
}

/// What the versions of BTT-Go differ in.
#[derive(Clone)]
pub struct Design {
    /// Bytes of the table of values, which versions 1 and 3 have.
    pub values: Option<u64>,
    /// By how much a remembered value counts less if chance and no rule led to it, in percent.
    pub punishment: u32,
    /// What versions 2 and 3 rate the moves of playouts by.
    pub model: Option<Model>,
}

/// Playouts by the Bradley-Terry model.
#[derive(Clone)]
pub struct Model {
    /// Bytes of the table of moves.
    pub moves: u64,
    /// The chance of the tactical element, in percent.
    pub tactical: u32,
    /// How the move is taken.
    pub pick: Pick,
}

/// What was counted in a game.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Playouts begun.
    pub playouts: u64,
    /// Playouts that ended at a remembered position.
    pub interrupted: u64,
    /// Moves of playouts made because they were made there before.
    pub repeated_moves: u64,
    /// Moves that started from a remembered value instead of prior knowledge.
    pub known_children: u64,
}

/// The guide of BTT-Go.
pub struct BttGuide {
    base: GoGuide,
    punishment: f32,
    values: Option<Table<f32>>,
    rated: Option<Rated>,
    board: Option<PlayoutBoard>,
    candidates: Vec<(Move, Rule)>,
    /// What was counted since the game began.
    pub counts: Counts,
}

/// The second version's part.
struct Rated {
    rater: Rater,
    moves: Table<Move>,
    pick: Pick,
    strengths: Vec<f32>,
}

/// Visits that a remembered value is worth, as many as those of the base's priors.
const KNOWN_VISITS: f32 = 9.0;

impl BttGuide {
    /// A guide of this design on top of the base program's.
    pub fn new(base: GoGuide, design: &Design) -> BttGuide {
        let rated = |model: &Model| Rated {
            rater: Rater::new(model.tactical),
            moves: Table::new(model.moves),
            pick: model.pick,
            strengths: Vec::new(),
        };
        BttGuide {
            base,
            punishment: 1.0 - design.punishment as f32 / 100.0,
            values: design.values.map(Table::new),
            rated: design.model.as_ref().map(rated),
            board: None,
            candidates: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Forgets the game.
    pub fn clear(&mut self) {
        self.counts = Counts::default();
        self.values.as_mut().map(Table::clear);
        if let Some(rated) = &mut self.rated {
            rated.moves.clear();
        }
    }

    /// What the tables of values and of moves did.
    pub fn tables(&self) -> [Option<TableReport>; 2] {
        let moves = self.rated.as_ref().map(|rated| rated.moves.report);
        [self.values.as_ref().map(|values| values.report), moves]
    }

    /// Plays one move and says whether a rule led to it.
    fn step(&mut self, board: &mut PlayoutBoard, random: &mut Random) -> (Move, bool) {
        let (mv, by_rule) = match &mut self.rated {
            None => {
                let (mv, rule) = board.choose(&self.base.policy, random);
                (mv, !matches!(rule, Rule::Random | Rule::Pass))
            }
            Some(rated) => {
                let keys = keys_of(board);
                match rated.moves.find(keys).filter(|&mv| board.allows(mv)) {
                    Some(mv) => {
                        self.counts.repeated_moves += 1;
                        (mv, true)
                    }
                    None => {
                        self.candidates.clear();
                        board.candidates(&self.base.policy, &mut self.candidates);
                        let ataris = board.stones_in_atari();
                        match rated.choose(board, ataris, &self.candidates, random) {
                            Some(mv) => {
                                rated.moves.insert(keys, board.length() as u32, mv);
                                (mv, true)
                            }
                            None => (board.choose(&self.base.policy, random).0, false),
                        }
                    }
                }
            }
        };
        board.play(mv);
        (mv, by_rule)
    }

    /// The remembered value of the position on `board`, for the side to move there.
    fn remembered(&mut self, board: &PlayoutBoard, by_rule: bool) -> Option<f32> {
        let values = self.values.as_mut()?;
        if !is_half_full(board.board()) {
            return None;
        }
        let value = values.find(keys_of(board))?;
        values.report.cutoffs += 1;
        Some(if by_rule { value } else { value * self.punishment })
    }
}

impl Rated {
    /// One of the candidates by their strengths, if there are any.
    fn choose(
        &mut self,
        board: &PlayoutBoard,
        ataris: [usize; 2],
        candidates: &[(Move, Rule)],
        random: &mut Random,
    ) -> Option<Move> {
        self.strengths.clear();
        for (mv, _) in candidates {
            let strength = match mv {
                Move::Play(point) => self.rater.strength(board, ataris, *point, random),
                Move::Pass => 1.0,
            };
            self.strengths.push(strength);
        }
        let place = match self.pick {
            Pick::Best => strongest(&self.strengths)?,
            Pick::Sample => sampled(&self.strengths, random)?,
        };
        Some(candidates[place].0)
    }
}

/// The place of the greatest strength, the first of equals. The probability of the model,
/// `strength / (sum of the others + strength)`, is greatest there too.
fn strongest(strengths: &[f32]) -> Option<usize> {
    let best = strengths.iter().copied().max_by(f32::total_cmp)?;
    strengths.iter().position(|&strength| strength == best)
}

/// A place drawn by the probabilities of the model.
fn sampled(strengths: &[f32], random: &mut Random) -> Option<usize> {
    let mut ball = random.unit() as f32 * strengths.iter().sum::<f32>();
    let stops = strengths.iter().position(|strength| {
        ball -= strength;
        ball < 0.0
    });
    stops.or(strengths.len().checked_sub(1))
}

fn keys_of(board: &PlayoutBoard) -> Keys {
    Keys { key: board.key(), check: board.check() }
}

/// Whether half of the points are occupied: the table of values is used from there on.
fn is_half_full(board: &ludus_games::go::Board) -> bool {
    2 * board.empties().len() <= board.size() * board.size()
}

impl LeafEvaluator<Go> for BttGuide {
    fn simulate(&mut self, position: &Go, random: &mut Random, playout: &mut Playout<Move>) -> f32 {
        self.counts.playouts += 1;
        let mut board = self.board.take().unwrap_or_else(|| PlayoutBoard::new(position));
        board.set(position);
        let mut known = None;
        while known.is_none() && !board.is_over(&self.base.policy) {
            let (mv, by_rule) = self.step(&mut board, random);
            playout.moves.push(mv);
            // Its key knows nothing of passes, after which the same stones may be worth another value.
            known = if mv == Move::Pass { None } else { self.remembered(&board, by_rule) };
        }
        let value = match known {
            Some(value) => {
                self.counts.interrupted += 1;
                playout.interrupted = true;
                if board.turn() == position.turn() { value } else { -value }
            }
            None => {
                let margin = board.score() * position.turn().sign() as f32;
                let points = position.board().size() * position.board().size();
                self.base.value(margin, playout.moves.len(), points)
            }
        };
        self.board = Some(board);
        value
    }

    fn moves(&mut self, position: &Go, out: &mut Vec<Move>) {
        self.base.moves(position, out);
    }

    /// Prior knowledge, and where the position after a move is remembered, its value instead.
    fn priors(&mut self, position: &Go, moves: &[Move], out: &mut Vec<Prior>) {
        let first = out.len();
        self.base.priors(position, moves, out);
        let Some(values) = self.values.as_mut().filter(|_| is_half_full(position.board())) else {
            return;
        };
        let none = Prior { value: 0.0, visits: 0.0 };
        out.resize(first + moves.len(), none);
        for (&mv, prior) in moves.iter().zip(&mut out[first..]) {
            let (key, check) = PlayoutBoard::keys_after(position, mv);
            if let Some(value) = values.find(Keys { key, check }) {
                self.counts.known_children += 1;
                *prior = Prior { value: -value, visits: prior.visits.max(KNOWN_VISITS) };
            }
        }
    }

    const OBSERVES: bool = true;

    /// A remembered value takes the place of the mean, with the result added to it, and is
    /// remembered anew; a new position is remembered with its three pictures.
    fn observe(&mut self, position: &Go, sight: NodeStats) -> Option<f32> {
        if position.passes() > 0 {
            return None; // its key is that of the position before
        }
        let values = self.values.as_mut().filter(|_| is_half_full(position.board()))?;
        let board = self.board.get_or_insert_with(|| PlayoutBoard::new(position));
        board.set(position);
        let keys = keys_of(board);
        if let Some(value) = values.find(keys) {
            let value = value + (sight.result - value) / sight.visits.max(1) as f32;
            values.update(keys, value);
            return Some(value);
        }
        for (key, check) in board.turned_keys() {
            values.insert(Keys { key, check }, sight.depth as u32, sight.value);
        }
        None
    }
}
