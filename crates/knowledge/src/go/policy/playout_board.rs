//! The board of a playout, for whole games and for going move by move.

use super::{
    PlayoutPolicy, PlayoutRule, PlayoutState, PlayoutStones, PolicyView,
    playout_weights::ChoiceRecorder,
};
use ludus_core::{Position, Random, Side, position::mix};
use ludus_games::{
    go::{Go, GoBoard, GoMove, Point, rules::Scoring, stones::EMPTY},
    with_stones,
};

/// Plays a playout from `position` until both sides pass or the mercy rule applies, appends the
/// moves, and returns the score of the first side, komi included.
///
/// Under territory scoring the end is counted by area as in [rollouts](ludus_core::Position::rollout): the
/// surplus of stones placed by one side before the playout is subtracted.
pub fn play_out_with(
    position: &Go,
    policy: &PlayoutPolicy,
    random: &mut Random,
    moves: &mut Vec<GoMove>,
) -> f32 {
    PlayoutBoard::new(position).play_out(policy, random, moves)
}

/// A game of Go for playouts: simple ko, no suicide, no superko history.
#[derive(Clone)]
pub struct PlayoutBoard {
    board: GoBoard,
    pub(super) state: PlayoutState,
    /// Points added for the second side: komi, and under territory scoring the surplus of stones
    /// that the first side had placed.
    compensation: f32,
}

impl PlayoutBoard {
    /// The board of `position`.
    pub fn new(position: &Go) -> PlayoutBoard {
        let board = GoBoard::new(position.board().size());
        let mut playout = PlayoutBoard { board, state: PlayoutState::new(), compensation: 0.0 };
        playout.set(position);
        playout
    }

    /// Sets `position`; this allocates nothing if the size stays the same.
    pub fn set(&mut self, position: &Go) {
        self.board.clone_from(position.board());
        let state = &mut self.state;
        (state.turn, state.passes, state.length) = (position.turn(), position.passes(), 0);
        state.last = position.last_moves().map(|last| last.unwrap_or(Point::NOWHERE));
        state.ko = (position.board().ko().unwrap_or(Point::NOWHERE), 0);
        with_stones!(self.board.stones(), stones => PolicyView(stones).find_chains_in_atari(&mut state.in_atari_chains));
        let placed = match position.rules().scoring {
            Scoring::Area => 0,
            Scoring::Territory => {
                let stones = |side| position.board().count(side) as i32;
                stones(Side::First) - stones(Side::Second) - position.prisoner_lead()
            }
        };
        self.compensation = position.rules().komi() + placed as f32;
    }

    /// The stones.
    pub fn board(&self) -> &GoBoard {
        &self.board
    }

    /// The side to move.
    pub fn turn(&self) -> Side {
        self.state.turn
    }

    /// The number of moves of the playout, passes included.
    pub fn length(&self) -> usize {
        self.state.length
    }

    /// The last move and the one before; `None` if unknown or a pass.
    #[inline]
    pub fn last_moves(&self) -> [Option<Point>; 2] {
        self.state.last.map(|point| (point != Point::NOWHERE).then_some(point))
    }

    /// The stones of each side in atari.
    pub fn stones_in_atari(&mut self) -> [usize; 2] {
        let in_atari_chains = &mut self.state.in_atari_chains;
        with_stones!(self.board.stones(), stones => PolicyView(stones).count_stones_in_atari(in_atari_chains))
    }

    /// Whether the last move was a pass.
    pub fn passed(&self) -> bool {
        self.state.passes > 0
    }

    /// Whether a move that was legal with the same stones still is: the point is empty and not the
    /// ko.
    #[inline]
    pub fn allows(&self, mv: GoMove) -> bool {
        match mv {
            GoMove::Play(point) => self.board.is_empty(point) && self.board.ko() != Some(point),
            GoMove::Pass => true,
        }
    }

    /// Appends the moves proposed by all rules of `policy`, each with its first rule; none if only
    /// random moves are left.
    pub fn candidates(&mut self, policy: &PlayoutPolicy, out: &mut Vec<(GoMove, PlayoutRule)>) {
        let state = &mut self.state;
        with_stones!(self.board.stones(), stones => match state.turn {
            Side::First => PolicyView(stones).candidates::<0, 1>(state, policy, out),
            Side::Second => PolicyView(stones).candidates::<1, 0>(state, policy, out),
        });
    }

    /// The move `policy` makes here, and the rule that made it.
    pub fn choose(&mut self, policy: &PlayoutPolicy, random: &mut Random) -> (GoMove, PlayoutRule) {
        let state = &mut self.state;
        let (rule, point) = with_stones!(self.board.stones_mut(), stones => match state.turn {
            Side::First => PlayoutStones(stones).choose::<0, 1>(state, policy, random, &mut ()),
            Side::Second => PlayoutStones(stones).choose::<1, 0>(state, policy, random, &mut ()),
        });
        (point.map_or(GoMove::Pass, GoMove::Play), rule)
    }

    /// Makes a move, which must be legal, and keeps the keys.
    pub fn play(&mut self, mv: GoMove) {
        let point = match mv {
            GoMove::Play(point) => Some(point),
            GoMove::Pass => None,
        };
        let state = &mut self.state;
        with_stones!(self.board.stones_mut(), stones => match state.turn {
            Side::First => PlayoutStones(stones).make::<0, true>(state, point),
            Side::Second => PlayoutStones(stones).make::<1, true>(state, point),
        });
    }

    /// Whether both sides have passed, the mercy rule of `policy` applies, or the game is too long
    /// (it must be cycling).
    #[inline]
    pub fn is_over(&self, policy: &PlayoutPolicy) -> bool {
        with_stones!(self.board.stones(), stones => PolicyView(stones).is_finished(&self.state, policy))
    }

    /// The area score of the first side, komi included, if the game ended now.
    pub fn score(&self) -> f32 {
        with_stones!(self.board.stones(), stones => stones.area()) as f32 - self.compensation
    }

    /// A hash of the stones and the side to move, and of nothing else.
    #[inline]
    pub fn key(&self) -> u64 {
        self.board.key() ^ turn_key(self.state.turn) as u64
    }

    /// An independent second hash of the same.
    #[inline]
    pub fn verification_key(&self) -> u32 {
        ((self.board.wide_key() ^ turn_key(self.state.turn)) >> 64) as u32
    }

    /// [`key`](PlayoutBoard::key) and [`verification_key`](PlayoutBoard::verification_key) of the
    /// board after a legal move of `position`.
    #[inline]
    pub fn keys_after(position: &Go, mv: GoMove) -> (u64, u32) {
        let stones = match mv {
            GoMove::Play(point) => position.board().effect_of(position.turn(), point).key,
            GoMove::Pass => position.board().wide_key(),
        };
        let key = stones ^ turn_key(!position.turn());
        (key as u64, (key >> 64) as u32)
    }

    /// [`key`](PlayoutBoard::key) and [`verification_key`](PlayoutBoard::verification_key) of the
    /// board and its rotations by 90, 180 and 270 degrees, computed stone by stone.
    pub fn rotated_keys(&self) -> [(u64, u32); 4] {
        let last = self.board.size() - 1;
        let mut keys = [GoBoard::new(self.board.size()).wide_key() ^ turn_key(self.state.turn); 4];
        for point in self.board.points() {
            let Some(side) = self.board.stone(point) else { continue };
            let (mut row, mut column) = self.board.row_column(point);
            for key in &mut keys {
                *key ^= ludus_games::go::stones::stone_key(side, self.board.point(row, column));
                (row, column) = (column, last - row);
            }
        }
        keys.map(|key| (key as u64, (key >> 64) as u32))
    }

    /// Plays to the end as `policy` does, appends the moves, and returns the
    /// [`score`](PlayoutBoard::score). The keys are not kept.
    pub fn play_out(
        &mut self,
        policy: &PlayoutPolicy,
        random: &mut Random,
        moves: &mut Vec<GoMove>,
    ) -> f32 {
        self.play_out_recorded(policy, random, moves, &mut ())
    }

    /// [`play_out`](PlayoutBoard::play_out) with a recorder of its random choices.
    pub fn play_out_recorded(
        &mut self,
        policy: &PlayoutPolicy,
        random: &mut Random,
        moves: &mut Vec<GoMove>,
        recorder: &mut impl ChoiceRecorder,
    ) -> f32 {
        let state = &mut self.state;
        with_stones!(self.board.stones_mut(), stones => {
            PlayoutStones(stones).play_out_with(state, policy, random, moves, recorder);
        });
        self.score()
    }
}

/// The key of the side to move.
#[inline]
fn turn_key(turn: Side) -> u128 {
    const KEY: u128 = (mix(0x65_0001) as u128) << 64 | mix(0x65_0000) as u128;
    KEY * turn.index() as u128
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PlayoutStones<'_, ROOM, STRIDE, LENGTH>
{
    fn play_out_with(
        &mut self,
        state: &mut PlayoutState,
        policy: &PlayoutPolicy,
        random: &mut Random,
        moves: &mut Vec<GoMove>,
        recorder: &mut impl ChoiceRecorder,
    ) {
        while !self.view().is_finished(state, policy) {
            let point = match state.turn {
                Side::First => self.step::<0, 1>(state, policy, random, recorder),
                Side::Second => self.step::<1, 0>(state, policy, random, recorder),
            };
            moves.push(point.map_or(GoMove::Pass, GoMove::Play));
        }
    }

    /// Chooses and makes one move.
    #[inline]
    fn step<const SIDE: usize, const ENEMY: usize>(
        &mut self,
        state: &mut PlayoutState,
        policy: &PlayoutPolicy,
        random: &mut Random,
        recorder: &mut impl ChoiceRecorder,
    ) -> Option<Point> {
        let (_, point) = self.choose::<SIDE, ENEMY>(state, policy, random, recorder);
        self.make::<SIDE, false>(state, point);
        point
    }
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PolicyView<'_, ROOM, STRIDE, LENGTH>
{
    fn candidates<const SIDE: usize, const ENEMY: usize>(
        self,
        state: &mut PlayoutState,
        policy: &PlayoutPolicy,
        out: &mut Vec<(GoMove, PlayoutRule)>,
    ) {
        let first = out.len();
        for rule in PlayoutRule::PROPOSING.into_iter().filter(|rule| rule.chance(policy) > 0) {
            self.propose::<SIDE, ENEMY>(rule, state, policy);
            for &point in state.proposed.as_slice() {
                debug_assert_eq!(self.content(point), EMPTY);
                let known = out[first..].iter().any(|&(mv, _)| mv == GoMove::Play(point));
                if !known && self.accepts::<SIDE, ENEMY>(rule, point, policy.seki) {
                    out.push((GoMove::Play(point), rule));
                }
            }
            state.proposed.clear();
        }
    }
}
