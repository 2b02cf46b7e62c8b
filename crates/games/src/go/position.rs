//! The position and the rules of play.

use super::{
    board::GoBoard,
    playout::play_out_recorded,
    point::Point,
    rules::{GoRules, Ko, Scoring},
    superko::SuperkoHistory,
};
use ludus_core::{EndReason, History, Outcome, Position, Random, Side, position::mix};
use std::fmt;

/// A move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum GoMove {
    /// A stone on this point.
    Play(Point),
    /// A pass.
    Pass,
}

impl GoMove {
    /// The point of the stone; [`Point::NOWHERE`] for a pass.
    #[inline]
    pub fn point(self) -> Point {
        match self {
            GoMove::Play(point) => point,
            GoMove::Pass => Point::NOWHERE,
        }
    }
}

/// A position of a game of Go.
///
/// `Eq` and the key cover the stones, the side to move, the ko, the passes just made and the rules,
/// under territory scoring also the difference of prisoners, on which the result depends. Neither
/// covers the superko history and the last two moves (which a policy answers): the same position
/// reached over other boards is a transposition.
pub struct Go {
    pub(super) board: GoBoard,
    pub(super) turn: Side,
    /// Passes just before, 2 at the end of the game.
    pub(super) passes: u8,
    /// Stones each side has captured.
    pub(super) prisoners: [u32; 2],
    pub(super) rules: GoRules,
    /// The points of the last move and of the one before; [`Point::NOWHERE`] for a pass and if
    /// unknown.
    pub(super) last: [Point; 2],
    superko: SuperkoHistory,
}

/// The reason a point cannot be played on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// A stone is there.
    Occupied,
    /// The stone would have no liberty.
    Suicide,
    /// The move would repeat a board.
    Repetition,
    /// Two passes have ended the game.
    GameOver,
}

impl Go {
    /// A game that starts with these stones on the board.
    pub fn new(board: GoBoard, turn: Side, rules: GoRules) -> Go {
        let (last, superko) = ([Point::NOWHERE; 2], SuperkoHistory::new());
        let mut go = Go { board, turn, passes: 0, prisoners: [0; 2], rules, last, superko };
        go.record_board();
        go
    }

    /// The board.
    pub fn board(&self) -> &GoBoard {
        &self.board
    }

    /// The rules of the game.
    pub fn rules(&self) -> &GoRules {
        &self.rules
    }

    /// Stones `side` has captured.
    pub fn prisoners(&self, side: Side) -> u32 {
        self.prisoners[side.index()]
    }

    /// The number of consecutive passes just made.
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// The points of the last move and the one before; `None` if unknown or a pass.
    #[inline]
    pub fn last_moves(&self) -> [Option<Point>; 2] {
        self.last.map(|point| (point != Point::NOWHERE).then_some(point))
    }

    /// The score: points by which the first side is ahead if the game ended now and every stone on
    /// the board lived.
    pub fn score(&self) -> f32 {
        let [first, second] = self.board.territory().map(|points| points as i32);
        let others = match self.rules.scoring {
            Scoring::Area => {
                self.board.count(Side::First) as i32 - self.board.count(Side::Second) as i32
            }
            Scoring::Territory => self.prisoner_lead(),
        };
        (first - second + others) as f32 - self.rules.komi()
    }

    /// Prisoners of the first side minus those of the second.
    pub fn prisoner_lead(&self) -> i32 {
        self.prisoners[0] as i32 - self.prisoners[1] as i32
    }

    /// The difference of prisoners as far as equality counts it.
    fn counted_prisoners(&self) -> i32 {
        match self.rules.scoring {
            Scoring::Area => 0,
            Scoring::Territory => self.prisoner_lead(),
        }
    }

    /// The same position under other rules, as a new game from here: the superko history is dropped.
    pub fn with_rules(&self, rules: GoRules) -> Go {
        let mut go = Go::new(self.board.clone(), self.turn, rules);
        (go.passes, go.prisoners, go.last) = (self.passes, self.prisoners, self.last);
        go
    }

    /// The same position after another last move, which playout policies answer.
    pub fn with_last_move(mut self, last: Point) -> Go {
        self.last[0] = last;
        self
    }

    /// The same board with `side` to move and no pass made, for protocols in which a side may move
    /// twice or go on after two passes. The superko history is kept.
    pub fn with_turn(&self, side: Side) -> Go {
        let mut go = self.clone();
        go.passes = 0;
        if side != self.turn {
            go.turn = side;
            go.last = [Point::NOWHERE; 2];
            go.board.set_ko(None);
            if go.rules.ko == Ko::Situational {
                go.record_board();
            }
        }
        go
    }

    /// The reason the side to move may not play on `point`, if any.
    pub fn illegal(&self, point: Point) -> Option<Illegal> {
        if self.passes >= 2 {
            Some(Illegal::GameOver)
        } else if !self.board.is_empty(point) {
            Some(Illegal::Occupied)
        } else if !self.rules.suicide && self.board.is_suicide(self.turn, point) {
            Some(Illegal::Suicide)
        } else if self.board.ko() == Some(point) || self.repeats(point) {
            Some(Illegal::Repetition)
        } else {
            None
        }
    }

    /// Whether a stone on the empty `point` would break superko.
    fn repeats(&self, point: Point) -> bool {
        if self.rules.ko == Ko::Simple {
            return false;
        }
        let after = self.board.effect_of(self.turn, point);
        self.superko.contains(self.superko_key(after.key as u64, !self.turn), after.stones)
    }

    /// The key of a board with `turn` to move in the superko history.
    fn superko_key(&self, board: u64, turn: Side) -> u64 {
        if self.rules.ko == Ko::Situational { board ^ turn_key(turn) } else { board }
    }

    /// Adds the present board to the superko history.
    fn record_board(&mut self) {
        if self.rules.ko != Ko::Simple {
            let key = self.superko_key(self.board.key(), self.turn);
            self.superko.add(key, self.board.count(Side::First) + self.board.count(Side::Second));
        }
    }

    /// Whether both have the same stones on the board and the same side to move.
    fn repeats_position(&self, other: &Go) -> bool {
        self.turn == other.turn
            && self.board.key() == other.board.key()
            && self.board == other.board
    }

    /// A hash of the state that `Eq` compares beside the board; `salt` selects the hash function.
    fn state_hash(&self, salt: u64) -> u64 {
        let GoRules { ko, suicide, scoring, komi_halves } = self.rules;
        let rules = (ko as u64) | u64::from(suicide) << 2 | (scoring as u64) << 3;
        let ko_point = self.board.ko().map_or(0xFFFF, |point| u64::from(point.0));
        let play = ko_point | u64::from(self.passes) << 16 | (self.turn.index() as u64) << 18;
        let sizes = (self.board.size() as u64) << 5 | rules;
        mix(mix(salt ^ (sizes << 32) ^ u64::from(komi_halves as u32))
            ^ (play << 32)
            ^ u64::from(self.counted_prisoners() as u32))
    }
}

fn turn_key(turn: Side) -> u64 {
    mix(0x64_0000 + turn.index() as u64)
}

/// Copying into a position of the same size allocates nothing.
impl Clone for Go {
    fn clone(&self) -> Go {
        Go { board: self.board.clone(), superko: self.superko.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Go) {
        let Go { board, turn, passes, prisoners, rules, last, superko } = source;
        self.board.clone_from(board);
        self.superko.clone_from(superko);
        (self.turn, self.passes, self.prisoners) = (*turn, *passes, *prisoners);
        (self.rules, self.last) = (*rules, *last);
    }
}

impl PartialEq for Go {
    fn eq(&self, other: &Go) -> bool {
        self.turn == other.turn
            && self.passes == other.passes
            && self.board.ko() == other.board.ko()
            && self.rules == other.rules
            && self.counted_prisoners() == other.counted_prisoners()
            && self.board == other.board
    }
}

impl Eq for Go {}

impl fmt::Debug for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}{:?} to move, {:?}", self.board, self.turn, self.rules)
    }
}

/// Occurrences of a board under simple ko that end the game without a winner.
const OCCURRENCES: usize = 3;

impl Position for Go {
    type Move = GoMove;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    /// Points row by row from the top left, then the pass.
    fn legal_moves(&self, out: &mut Vec<GoMove>) {
        if self.passes >= 2 {
            return;
        }
        let legal = self.board.points().filter(|&point| self.illegal(point).is_none());
        out.extend(legal.map(GoMove::Play));
        out.push(GoMove::Pass);
    }

    #[inline]
    fn count_moves(&self) -> usize {
        if self.passes >= 2 {
            return 0;
        }
        1 + self.board.empties().iter().filter(|&&point| self.illegal(point).is_none()).count()
    }

    fn play(&mut self, mv: GoMove) {
        debug_assert!(self.passes < 2, "the game is over");
        match mv {
            GoMove::Play(point) => {
                debug_assert_eq!(self.illegal(point), None, "at {point:?} in\n{self:?}");
                let before = self.board.count(self.turn);
                let removed = self.board.play(self.turn, point);
                // Stones removed by a suicide are the mover's own.
                let suicide = self.board.count(self.turn) <= before;
                let winner = if suicide { !self.turn } else { self.turn };
                self.prisoners[winner.index()] += removed as u32;
                self.passes = 0;
            }
            GoMove::Pass => {
                self.board.set_ko(None);
                self.passes += 1;
            }
        }
        self.last = [mv.point(), self.last[0]];
        self.turn = !self.turn;
        if mv != GoMove::Pass || self.rules.ko == Ko::Situational {
            self.record_board();
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (self.passes >= 2).then(|| Outcome::from_margin(self.score()))
    }

    #[inline]
    fn key(&self) -> u64 {
        self.board.key() ^ self.state_hash(0)
    }

    #[inline]
    fn verification_key(&self) -> u32 {
        (self.board.wide_key() >> 64) as u32 ^ self.state_hash(1) as u32
    }

    /// The position with colours exchanged and komi negated; the superko history is dropped.
    fn colour_flipped(&self) -> Option<Go> {
        let mut board = GoBoard::new(self.board.size());
        for point in board.points() {
            if let Some(side) = self.board.stone(point) {
                board.play(!side, point);
            }
        }
        board.set_ko(self.board.ko());
        let mut rules = self.rules;
        rules.komi_halves = -rules.komi_halves;
        let mut swapped = Go::new(board, !self.turn(), rules);
        swapped.passes = self.passes;
        swapped.last = self.last;
        swapped.prisoners = [self.prisoners[1], self.prisoners[0]];
        Some(swapped)
    }

    fn move_count(&self) -> usize {
        self.board.size() * self.board.size() + 1
    }

    fn move_index(&self, mv: GoMove) -> usize {
        let size = self.board.size();
        match mv {
            GoMove::Play(point) => {
                let (row, column) = self.board.row_column(point);
                row * size + column
            }
            GoMove::Pass => size * size,
        }
    }

    /// Two passes end the game; under simple ko, so does the third occurrence of one board with the
    /// same side to move, as a draw ("no result"). Under superko there is none.
    fn ending(game: &History<Go>) -> Option<(Outcome, EndReason)> {
        let last = game.last();
        if let Some(outcome) = last.outcome() {
            return Some((outcome, last.terminal_reason()));
        }
        if last.rules.ko != Ko::Simple || last.passes > 0 {
            return None;
        }
        let occurrences = game
            .positions()
            .iter()
            .filter(|position| position.passes == 0 && position.repeats_position(last))
            .count();
        (occurrences >= OCCURRENCES).then_some((Outcome::Draw, EndReason::Repetition))
    }

    fn terminal_reason(&self) -> EndReason {
        EndReason::Passes
    }

    /// The final count, once two passes have ended the game.
    #[inline]
    fn margin(&self) -> Option<f32> {
        (self.passes >= 2).then(|| self.score())
    }

    /// Plays no suicide and fills no own eye; only simple ko is checked, see
    /// [`play_out`](super::playout::play_out). The end is counted by area. Under territory scoring
    /// the surplus of stones that one side has placed so far is subtracted, which turns area into
    /// territory if both sides place equally many stones from here on.
    fn rollout(&self, random: &mut Random, _moves: &mut Vec<GoMove>) -> Outcome {
        self.play_to_the_end(random, |_| {})
    }

    fn recorded_rollout(
        &self,
        random: &mut Random,
        _moves: &mut Vec<GoMove>,
        played: &mut Vec<GoMove>,
    ) -> Outcome {
        self.play_to_the_end(random, |point| played.push(point.map_or(GoMove::Pass, GoMove::Play)))
    }
}

impl Go {
    #[inline]
    fn play_to_the_end(&self, random: &mut Random, note: impl FnMut(Option<Point>)) -> Outcome {
        if let Some(outcome) = self.outcome() {
            return outcome;
        }
        let mut board = self.board.clone();
        let area = play_out_recorded(&mut board, self.turn, self.passes, random, note);
        let placed = match self.rules.scoring {
            Scoring::Area => 0,
            Scoring::Territory => {
                let stones = |side| self.board.count(side) as i32;
                stones(Side::First) - stones(Side::Second) - self.prisoner_lead()
            }
        };
        Outcome::from_margin((area - placed) as f32 - self.rules.komi())
    }
}
