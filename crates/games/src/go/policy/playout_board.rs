//! The board of a playout, for whole games and for going move by move.

use super::{
    super::{
        board::{AnyStones, Board, with_stones},
        point::Point,
        position::{Go, Move},
        rules::Scoring,
        stones::{EMPTY, Stones},
    },
    Policy, Rule, Trail,
    habits::Witness,
};
use ludus_core::{Position, Random, Side, position::mix};

/// Plays on from `position` as `policy` does until both sides pass or mercy ends the game, appends
/// the moves, and returns by how many points the first side is ahead, komi counted.
///
/// Under territory scoring the end is counted by area as in [`Rollout`](ludus_core::Rollout): the
/// stones one side had placed more before the playout are taken off.
pub fn play_out_with(
    position: &Go,
    policy: &Policy,
    random: &mut Random,
    moves: &mut Vec<Move>,
) -> f32 {
    PlayoutBoard::new(position).play_out(policy, random, moves)
}

/// A game of Go as playouts see it: simple ko, no suicide, and no past.
#[derive(Clone)]
pub struct PlayoutBoard {
    board: Board,
    pub(super) trail: Trail,
    /// What the second side gets in the end: komi, and under territory scoring the stones the first
    /// had placed more.
    compensation: f32,
}

impl PlayoutBoard {
    /// The board of `position`.
    pub fn new(position: &Go) -> PlayoutBoard {
        let board = Board::new(position.board.size());
        let mut playout = PlayoutBoard { board, trail: Trail::new(), compensation: 0.0 };
        playout.set(position);
        playout
    }

    /// Goes to `position`; between positions of one size this allocates nothing.
    pub fn set(&mut self, position: &Go) {
        self.board.clone_from(&position.board);
        let trail = &mut self.trail;
        (trail.turn, trail.passes, trail.length) = (position.turn(), position.passes, 0);
        trail.last = position.last;
        trail.ko = (position.board.ko().unwrap_or(Point::NOWHERE), 0);
        with_stones!(&self.board.stones, stones => stones.find_endangered(&mut trail.endangered));
        let placed = match position.rules.scoring {
            Scoring::Area => 0,
            Scoring::Territory => {
                let stones = |side| position.board.count(side) as i32;
                stones(Side::First) - stones(Side::Second) - position.prisoner_lead()
            }
        };
        self.compensation = position.rules.komi() + placed as f32;
    }

    /// The stones.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.trail.turn
    }

    /// How many moves were made here, passes included.
    pub fn length(&self) -> usize {
        self.trail.length
    }

    /// The last move and the one before, as far as they are known and no passes.
    #[inline]
    pub fn last_moves(&self) -> [Option<Point>; 2] {
        self.trail.last.map(|point| (point != Point::NOWHERE).then_some(point))
    }

    /// How many stones of each side are in atari.
    pub fn stones_in_atari(&mut self) -> [usize; 2] {
        let endangered = &mut self.trail.endangered;
        with_stones!(&self.board.stones, stones => stones.count_endangered(endangered))
    }

    /// Whether the last move was a pass.
    pub fn passed(&self) -> bool {
        self.trail.passes > 0
    }

    /// Whether a move that was possible with the same stones is so now: no stone is there, and no ko
    /// forbids it.
    #[inline]
    pub fn allows(&self, mv: Move) -> bool {
        match mv {
            Move::Play(point) => self.board.is_empty(point) && self.board.ko() != Some(point),
            Move::Pass => true,
        }
    }

    /// Appends the moves all rules of `policy` together propose, each with the first rule that does;
    /// nothing if only random moves are left.
    pub fn candidates(&mut self, policy: &Policy, out: &mut Vec<(Move, Rule)>) {
        let trail = &mut self.trail;
        with_stones!(&self.board.stones, stones => match trail.turn {
            Side::First => stones.candidates::<0, 1>(trail, policy, out),
            Side::Second => stones.candidates::<1, 0>(trail, policy, out),
        });
    }

    /// The move `policy` makes here, and the rule that made it.
    pub fn choose(&mut self, policy: &Policy, random: &mut Random) -> (Move, Rule) {
        let trail = &mut self.trail;
        let (rule, point) = with_stones!(&mut self.board.stones, stones => match trail.turn {
            Side::First => stones.choose::<0, 1>(trail, policy, random, &mut ()),
            Side::Second => stones.choose::<1, 0>(trail, policy, random, &mut ()),
        });
        (point.map_or(Move::Pass, Move::Play), rule)
    }

    /// Makes a move, which must be legal, and keeps the keys.
    pub fn play(&mut self, mv: Move) {
        let point = match mv {
            Move::Play(point) => Some(point),
            Move::Pass => None,
        };
        let trail = &mut self.trail;
        with_stones!(&mut self.board.stones, stones => match trail.turn {
            Side::First => stones.make::<0, true>(trail, point),
            Side::Second => stones.make::<1, true>(trail, point),
        });
    }

    /// Whether both sides have passed, one of them is hopeless under `policy`, or the game is so
    /// long that it must be going in circles.
    #[inline]
    pub fn is_over(&self, policy: &Policy) -> bool {
        with_stones!(&self.board.stones, stones => stones.is_finished(&self.trail, policy))
    }

    /// By how many points the first side is ahead by area, komi counted, if the game ended now.
    pub fn score(&self) -> f32 {
        with_stones!(&self.board.stones, stones => stones.area()) as f32 - self.compensation
    }

    /// A hash of the stones and the side to move, and of nothing else.
    #[inline]
    pub fn key(&self) -> u64 {
        self.board.key() ^ turn_key(self.trail.turn) as u64
    }

    /// An independent second hash of the same.
    #[inline]
    pub fn check(&self) -> u32 {
        ((self.board.wide_key() ^ turn_key(self.trail.turn)) >> 64) as u32
    }

    /// [`key`](PlayoutBoard::key) and [`check`](PlayoutBoard::check) of what a legal move of
    /// `position` leads to.
    #[inline]
    pub fn keys_after(position: &Go, mv: Move) -> (u64, u32) {
        let stones = match mv {
            Move::Play(point) => position.board.consequence(position.turn(), point).key,
            Move::Pass => position.board.wide_key(),
        };
        let key = stones ^ turn_key(!position.turn());
        (key as u64, (key >> 64) as u32)
    }

    /// [`key`](PlayoutBoard::key) and [`check`](PlayoutBoard::check) of the board as it is and
    /// turned by one, two and three quarters, counted stone by stone.
    pub fn turned_keys(&self) -> [(u64, u32); 4] {
        let last = self.board.size() - 1;
        let mut keys = [Board::new(self.board.size()).wide_key() ^ turn_key(self.trail.turn); 4];
        for point in self.board.points() {
            let Some(side) = self.board.stone(point) else { continue };
            let (mut row, mut column) = self.board.row_column(point);
            for key in &mut keys {
                *key ^= super::super::stones::stone_key(side, self.board.point(row, column));
                (row, column) = (column, last - row);
            }
        }
        keys.map(|key| (key as u64, (key >> 64) as u32))
    }

    /// Plays to the end as `policy` does, appends the moves, and returns the
    /// [`score`](PlayoutBoard::score). The keys are not kept.
    pub fn play_out(&mut self, policy: &Policy, random: &mut Random, moves: &mut Vec<Move>) -> f32 {
        self.play_out_before(policy, random, moves, &mut ())
    }

    /// The same before a witness.
    pub fn play_out_before(
        &mut self,
        policy: &Policy,
        random: &mut Random,
        moves: &mut Vec<Move>,
        witness: &mut impl Witness,
    ) -> f32 {
        let trail = &mut self.trail;
        with_stones!(&mut self.board.stones, stones => {
            stones.play_out_with(trail, policy, random, moves, witness);
        });
        self.score()
    }
}

/// What a side to move adds to the keys.
#[inline]
fn turn_key(turn: Side) -> u128 {
    const KEY: u128 = (mix(0x65_0001) as u128) << 64 | mix(0x65_0000) as u128;
    KEY * turn.index() as u128
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize> Stones<ROOM, STRIDE, LENGTH> {
    fn play_out_with(
        &mut self,
        trail: &mut Trail,
        policy: &Policy,
        random: &mut Random,
        moves: &mut Vec<Move>,
        witness: &mut impl Witness,
    ) {
        while !self.is_finished(trail, policy) {
            let point = match trail.turn {
                Side::First => self.step::<0, 1>(trail, policy, random, witness),
                Side::Second => self.step::<1, 0>(trail, policy, random, witness),
            };
            moves.push(point.map_or(Move::Pass, Move::Play));
        }
    }

    /// Chooses and makes one move.
    #[inline]
    fn step<const SIDE: usize, const ENEMY: usize>(
        &mut self,
        trail: &mut Trail,
        policy: &Policy,
        random: &mut Random,
        witness: &mut impl Witness,
    ) -> Option<Point> {
        let (_, point) = self.choose::<SIDE, ENEMY>(trail, policy, random, witness);
        self.make::<SIDE, false>(trail, point);
        point
    }

    fn candidates<const SIDE: usize, const ENEMY: usize>(
        &self,
        trail: &mut Trail,
        policy: &Policy,
        out: &mut Vec<(Move, Rule)>,
    ) {
        let first = out.len();
        for rule in Rule::PROPOSING.into_iter().filter(|rule| rule.chance(policy) > 0) {
            self.propose::<SIDE, ENEMY>(rule, trail, policy);
            for &point in trail.proposed.as_slice() {
                debug_assert_eq!(self.content(point), EMPTY);
                let known = out[first..].iter().any(|&(mv, _)| mv == Move::Play(point));
                if !known && self.accepts::<SIDE, ENEMY>(rule, point, policy.seki) {
                    out.push((Move::Play(point), rule));
                }
            }
            trail.proposed.clear();
        }
    }
}
