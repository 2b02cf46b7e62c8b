//! The leaf evaluator of BTT-Go, with its tables of values and of playout moves.

use super::{
    move_rater::MoveRater,
    position_table::{PositionKeys, PositionTable},
};
use ludus_core::{LeafEvaluator, NodeStats, Playout, Position, Prior, Random, TableReport};
use ludus_games::go::{Go, GoMove};
use ludus_knowledge::go::{
    leaf_evaluator::GoLeafEvaluator,
    policy::{PlayoutBoard, PlayoutRule},
};

/// The choice among moves by their strengths.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum MoveChoice {
    /// The strongest, as published.
    Best,
    /// Each with the probability the model gives it.
    Sample,
}

/// Settings in which the versions of BTT-Go differ.
#[derive(Clone)]
pub struct BttSettings {
    /// Bytes of the table of values, which versions 1 and 3 have.
    pub value_table_bytes: Option<u64>,
    /// Discount of a stored value if a random move led to it, in percent.
    pub punishment: u32,
    /// The playouts of versions 2 and 3.
    pub playouts: Option<BradleyTerryPlayouts>,
}

/// Playouts by the Bradley-Terry model.
#[derive(Clone)]
pub struct BradleyTerryPlayouts {
    /// Bytes of the table of moves.
    pub table_bytes: u64,
    /// Probability of the tactical element, in percent.
    pub tactical: u32,
    /// The choice of the move.
    pub choice: MoveChoice,
}

/// Statistics of a game.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct BttStats {
    /// Playouts begun.
    pub playouts: u64,
    /// Playouts that ended at a position with a stored value.
    pub interrupted: u64,
    /// Playout moves taken from the table of moves.
    pub repeated_moves: u64,
    /// Children that started with a stored value instead of a prior.
    pub known_children: u64,
}

/// The leaf evaluator of BTT-Go.
pub struct BttLeafEvaluator {
    base: GoLeafEvaluator,
    punishment: f32,
    values: Option<PositionTable<f32>>,
    playouts: Option<RatedPlayouts>,
    board: Option<PlayoutBoard>,
    candidates: Vec<(GoMove, PlayoutRule)>,
    /// Statistics since the game began.
    pub stats: BttStats,
}

/// Bradley-Terry playouts, of versions 2 and 3.
struct RatedPlayouts {
    rater: MoveRater,
    moves: PositionTable<GoMove>,
    choice: MoveChoice,
    strengths: Vec<f32>,
}

/// Prior visits of a stored value, as many as those of the base's priors.
const STORED_VALUE_VISITS: f32 = 9.0;

impl BttLeafEvaluator {
    /// An evaluator with these settings on top of that of the base program.
    pub fn new(base: GoLeafEvaluator, settings: &BttSettings) -> BttLeafEvaluator {
        let rated = |playouts: &BradleyTerryPlayouts| RatedPlayouts {
            rater: MoveRater::new(playouts.tactical),
            moves: PositionTable::new(playouts.table_bytes),
            choice: playouts.choice,
            strengths: Vec::new(),
        };
        BttLeafEvaluator {
            base,
            punishment: 1.0 - settings.punishment as f32 / 100.0,
            values: settings.value_table_bytes.map(PositionTable::new),
            playouts: settings.playouts.as_ref().map(rated),
            board: None,
            candidates: Vec::new(),
            stats: BttStats::default(),
        }
    }

    /// Clears the tables and statistics.
    pub fn clear(&mut self) {
        self.stats = BttStats::default();
        self.values.as_mut().map(PositionTable::clear);
        if let Some(playouts) = &mut self.playouts {
            playouts.moves.clear();
        }
    }

    /// Reports of the tables of values and of moves.
    pub fn tables(&self) -> [Option<TableReport>; 2] {
        let moves = self.playouts.as_ref().map(|playouts| playouts.moves.report);
        [self.values.as_ref().map(|values| values.report), moves]
    }

    /// Plays one move; returns it and whether a rule led to it.
    fn step(&mut self, board: &mut PlayoutBoard, random: &mut Random) -> (GoMove, bool) {
        let (mv, by_rule) = match &mut self.playouts {
            None => {
                let (mv, rule) = board.choose(&self.base.policy, random);
                (mv, !matches!(rule, PlayoutRule::Random | PlayoutRule::Pass))
            }
            Some(playouts) => {
                let keys = keys_of(board);
                match playouts.moves.find(keys).filter(|&mv| board.allows(mv)) {
                    Some(mv) => {
                        self.stats.repeated_moves += 1;
                        (mv, true)
                    }
                    None => {
                        self.candidates.clear();
                        board.candidates(&self.base.policy, &mut self.candidates);
                        let ataris = board.stones_in_atari();
                        match playouts.choose(board, ataris, &self.candidates, random) {
                            Some(mv) => {
                                playouts.moves.insert(keys, board.length() as u32, mv);
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

    /// The stored value of the position on `board`, for the side to move there.
    fn stored_value(&mut self, board: &PlayoutBoard, by_rule: bool) -> Option<f32> {
        let values = self.values.as_mut()?;
        if !is_half_occupied(board.board()) {
            return None;
        }
        let value = values.find(keys_of(board))?;
        values.report.cutoffs += 1;
        Some(if by_rule { value } else { value * self.punishment })
    }
}

impl RatedPlayouts {
    /// One of the candidates by their strengths, if there are any.
    fn choose(
        &mut self,
        board: &PlayoutBoard,
        ataris: [usize; 2],
        candidates: &[(GoMove, PlayoutRule)],
        random: &mut Random,
    ) -> Option<GoMove> {
        self.strengths.clear();
        for (mv, _) in candidates {
            let strength = match mv {
                GoMove::Play(point) => self.rater.strength(board, ataris, *point, random),
                GoMove::Pass => 1.0,
            };
            self.strengths.push(strength);
        }
        let index = match self.choice {
            MoveChoice::Best => strongest(&self.strengths)?,
            MoveChoice::Sample => sampled(&self.strengths, random)?,
        };
        Some(candidates[index].0)
    }
}

/// The index of the greatest strength, the first of equals. The probability of the model,
/// `strength / (sum of the others + strength)`, is greatest there too.
fn strongest(strengths: &[f32]) -> Option<usize> {
    let best = strengths.iter().copied().max_by(f32::total_cmp)?;
    strengths.iter().position(|&strength| strength == best)
}

/// An index drawn by the probabilities of the model.
fn sampled(strengths: &[f32], random: &mut Random) -> Option<usize> {
    let mut ball = random.unit() as f32 * strengths.iter().sum::<f32>();
    let stops = strengths.iter().position(|strength| {
        ball -= strength;
        ball < 0.0
    });
    stops.or(strengths.len().checked_sub(1))
}

fn keys_of(board: &PlayoutBoard) -> PositionKeys {
    PositionKeys { key: board.key(), check: board.verification_key() }
}

/// Whether half of the points are occupied: the table of values is used only then.
fn is_half_occupied(board: &ludus_games::go::GoBoard) -> bool {
    2 * board.empties().len() <= board.size() * board.size()
}

impl LeafEvaluator<Go> for BttLeafEvaluator {
    fn simulate(
        &mut self,
        position: &Go,
        random: &mut Random,
        playout: &mut Playout<GoMove>,
    ) -> f32 {
        self.stats.playouts += 1;
        let mut board = self.board.take().unwrap_or_else(|| PlayoutBoard::new(position));
        board.set(position);
        let mut known = None;
        while known.is_none() && !board.is_over(&self.base.policy) {
            let (mv, by_rule) = self.step(&mut board, random);
            playout.moves.push(mv);
            // Keys leave out passes, after which the same stones may have another value.
            known = if mv == GoMove::Pass { None } else { self.stored_value(&board, by_rule) };
        }
        let value = match known {
            Some(value) => {
                self.stats.interrupted += 1;
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

    fn moves(&mut self, position: &Go, out: &mut Vec<GoMove>) {
        self.base.moves(position, out);
    }

    /// The priors of the base, replaced by the stored value of the position after a move where there is one.
    fn priors(&mut self, position: &Go, moves: &[GoMove], out: &mut Vec<Prior>) {
        let first = out.len();
        self.base.priors(position, moves, out);
        let Some(values) = self.values.as_mut().filter(|_| is_half_occupied(position.board()))
        else {
            return;
        };
        let none = Prior { value: 0.0, visits: 0.0 };
        out.resize(first + moves.len(), none);
        for (&mv, prior) in moves.iter().zip(&mut out[first..]) {
            let (key, check) = PlayoutBoard::keys_after(position, mv);
            if let Some(value) = values.find(PositionKeys { key, check }) {
                self.stats.known_children += 1;
                *prior = Prior { value: -value, visits: prior.visits.max(STORED_VALUE_VISITS) };
            }
        }
    }

    const OBSERVES: bool = true;

    /// A stored value replaces the mean of the node, is updated by the result and stored again; a new
    /// position is stored in its four rotations.
    fn observe(&mut self, position: &Go, node: NodeStats) -> Option<f32> {
        if position.passes() > 0 {
            return None; // its key is that of the position before
        }
        let values = self.values.as_mut().filter(|_| is_half_occupied(position.board()))?;
        let board = self.board.get_or_insert_with(|| PlayoutBoard::new(position));
        board.set(position);
        let keys = keys_of(board);
        if let Some(value) = values.find(keys) {
            let value = value + (node.result - value) / node.visits.max(1) as f32;
            values.update(keys, value);
            return Some(value);
        }
        for (key, check) in board.rotated_keys() {
            values.insert(PositionKeys { key, check }, node.depth as u32, node.value);
        }
        None
    }
}
