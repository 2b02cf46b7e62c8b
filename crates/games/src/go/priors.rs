//! What is known of a move before it is tried, as visits it did not have.
//!
//! The base is Fuego's: a move the playout policy would make counts as won, one that gives atari or
//! is a pattern as good, any other as rather bad, a self-atari and a pass as lost. Moves near the
//! last one get a bonus, and on large boards so do those on the third and fourth line where nobody
//! is near. [`Manner`] says how closely Fuego is followed.

use super::{
    board::{AnyStones, Board, with_stones},
    common_fate::Distances,
    point::Point,
    policy::{PlayoutBoard, Policy, Rule},
    position::{Go, Move},
};
use ludus_core::{Position, Prior, Side};

/// How what the policy says of a move, and how near it is, are counted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Manner {
    /// As Fuego does. The moves of the first rule that has any are the policy's, patterns beside the
    /// last move among them. Where no rule has a move, patterns and ataris count for little and other
    /// moves for nothing. Near is what is few steps away where chains are one place, and what is far
    /// counts as nearly lost.
    Fuego,
    /// Looser: the moves of all rules but patterns count as the policy's, near is what is near on the
    /// board, and far moves are not spoken of. What was learned from self-play without learned
    /// strengths was learned with it.
    Loose,
}

/// The strength of each kind of knowledge in visits; 0 switches it off.
#[derive(Clone, Debug, PartialEq)]
pub struct Priors {
    /// How the policy and nearness are counted.
    pub manner: Manner,
    /// What the policy says of a move, on boards below 15x15.
    pub policy: f32,
    /// The same from 15x15 on.
    pub policy_large: f32,
    /// The distance to the last move, on boards below 15x15.
    pub near: f32,
    /// The same from 15x15 on.
    pub near_large: f32,
    /// The line a move is on where nobody is near, from 13x13 on; the first line everywhere.
    pub line: f32,
    /// Captures; one more visit for each stone, up to five.
    pub capture: f32,
    /// Catching the last move's chain in a ladder, and running although caught.
    pub ladder: f32,
    /// An even result, for every move: what RAVE says of a move nobody tried is taken with a grain
    /// of salt.
    pub even: f32,
}

impl Priors {
    /// Whether it counts what the policy says.
    pub(super) fn ask_the_policy(&self) -> bool {
        self.policy > 0.0 || self.policy_large > 0.0
    }

    /// Whether it counts how many steps a move is away from the last.
    pub(super) fn measures_steps(&self) -> bool {
        self.manner == Manner::Fuego && (self.near > 0.0 || self.near_large > 0.0)
    }

    /// No knowledge at all.
    pub const fn none() -> Priors {
        Priors {
            manner: Manner::Fuego,
            policy: 0.0,
            policy_large: 0.0,
            near: 0.0,
            near_large: 0.0,
            line: 0.0,
            capture: 0.0,
            ladder: 0.0,
            even: 0.0,
        }
    }

    /// Nothing but that a result is even until it is known.
    pub const fn even() -> Priors {
        Priors { even: 14.0, ..Priors::none() }
    }

    /// What Fuego has.
    pub const fn fuego() -> Priors {
        Priors { policy: 9.0, policy_large: 18.0, near: 4.0, near_large: 5.0, ..Priors::none() }
    }

    /// Everything there is.
    pub const fn strong() -> Priors {
        Priors {
            manner: Manner::Loose,
            near: 4.5,
            near_large: 4.5,
            line: 8.0,
            capture: 6.0,
            ladder: 10.0,
            ..Priors::fuego()
        }
    }
}

/// From this size on a board is large.
const LARGE: usize = 15;
/// From this size on the lines of an empty area matter.
const WITH_LINES: usize = 13;
/// Stones within so many rows and columns are near.
const NEAR: usize = 3;

/// A sum of opinions, each a value from 0 (lost) to 1 (won) with its weight in visits.
#[derive(Copy, Clone, Default)]
struct Opinion {
    won: f32,
    visits: f32,
}

impl Opinion {
    fn add(&mut self, value: f32, visits: f32) {
        self.won += value * visits;
        self.visits += visits;
    }

    fn prior(self) -> Prior {
        let mean = if self.visits > 0.0 { self.won / self.visits } else { 0.5 };
        Prior { value: 2.0 * mean - 1.0, visits: self.visits }
    }
}

/// How many steps away a move is near.
pub(super) const NEAR_STEPS: u8 = 3;
/// What is far, and a pass, is worth so much.
const FAR_WORTH: f32 = 0.1;
/// Visits of moves where the policy has none to propose.
const IDLE_VISITS: f32 = 3.0;

/// What can be seen of a move without knowing what it answers.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Look {
    SelfAtari,
    Atari,
    Pattern,
    Plain,
}

/// The worth of a move some rule of the policy proposes.
fn worth(rule: Rule) -> f32 {
    match rule {
        Rule::GlobalCapture => 0.8,
        Rule::Pattern => 0.6,
        Rule::Pass => 0.1,
        Rule::Random => 0.4,
        Rule::KoRefight | Rule::Nakade | Rule::Capture | Rule::Defence | Rule::LowLiberty => 1.0,
    }
}

/// Priors of moves in one position.
pub(super) struct Judge<'a> {
    pub(super) priors: &'a Priors,
    pub(super) position: &'a Go,
    /// What the policy would play, and why.
    pub(super) candidates: &'a [(Move, Rule)],
    /// Where a ladder catches the last move's chain, or [`Point::NOWHERE`].
    pub(super) ladder: Point,
    /// How far points are from the last move, if there is one and Fuego is followed.
    pub(super) distances: Option<&'a Distances>,
    /// Whether some move gives atari or is a pattern; asked only where the policy has no move.
    pub(super) is_lively: bool,
}

impl Judge<'_> {
    /// The prior of a legal move.
    pub(super) fn prior(&self, mv: Move) -> Prior {
        let mut opinion = Opinion::default();
        let board = self.position.board();
        let large = board.size() >= LARGE;
        let visits = if large { self.priors.policy_large } else { self.priors.policy };
        let near = if large { self.priors.near_large } else { self.priors.near };
        opinion.add(0.5, self.priors.even);
        let Move::Play(point) = mv else {
            opinion.add(worth(Rule::Pass), visits);
            if self.distances.is_some() {
                opinion.add(FAR_WORTH, near);
            }
            return opinion.prior();
        };
        // What counts for nothing is not looked at: a tree asks this of every move it may make.
        if visits > 0.0 {
            match self.priors.manner {
                Manner::Fuego => self.add_policy(point, visits, &mut opinion),
                Manner::Loose => opinion.add(self.policy_worth(point), visits),
            }
        }
        if near > 0.0
            && let Some(worth) = self.nearness(point)
        {
            opinion.add(worth, near);
        }
        if self.priors.line > 0.0
            && let Some(worth) = self.line_worth(point)
        {
            opinion.add(worth, self.priors.line);
        }
        if self.priors.capture > 0.0 || self.priors.ladder > 0.0 {
            self.add_fights(point, &mut opinion);
        }
        opinion.prior()
    }

    /// What Fuego says of a move by the policy.
    fn add_policy(&self, point: Point, visits: f32, opinion: &mut Opinion) {
        if let Some(&(_, first)) = self.candidates.first() {
            let is_proposed = self.candidates.contains(&(Move::Play(point), first));
            let worth = if is_proposed { 1.0 } else { look_worth(self.look(point)) };
            opinion.add(worth, visits);
            return;
        }
        match self.look(point) {
            Look::SelfAtari => opinion.add(look_worth(Look::SelfAtari), visits),
            _ if !self.is_lively => {}
            Look::Atari => opinion.add(1.0, IDLE_VISITS),
            Look::Pattern => opinion.add(0.9, IDLE_VISITS),
            Look::Plain => opinion.add(0.5, IDLE_VISITS),
        }
    }

    /// What a loose reading of Fuego says.
    fn policy_worth(&self, point: Point) -> f32 {
        let found = self.candidates.iter().find(|&&(mv, _)| mv == Move::Play(point));
        if let Some(&(_, rule)) = found.filter(|(_, rule)| worth(*rule) == 1.0) {
            return worth(rule);
        }
        match self.look(point) {
            Look::Plain if found.is_some() => look_worth(Look::Pattern),
            look => look_worth(look),
        }
    }

    fn look(&self, point: Point) -> Look {
        look(self.position, point, self.priors.manner)
    }

    /// The worth of being near the last move.
    fn nearness(&self, point: Point) -> Option<f32> {
        if self.priors.manner == Manner::Fuego {
            return self.distances.map(|distances| match distances.to(point) {
                Some(1) => 1.0,
                Some(_) => 0.6,
                None => FAR_WORTH,
            });
        }
        let last = self.position.last_moves()[0]?;
        match distance(self.position.board(), point, last) {
            1 => Some(1.0),
            2 | 3 => Some(0.6),
            _ => None,
        }
    }

    /// The worth of the line a point is on, if nobody is near.
    fn line_worth(&self, point: Point) -> Option<f32> {
        let board = self.position.board();
        let (row, column) = board.row_column(point);
        let last = board.size() - 1;
        let line = row.min(column).min(last - row).min(last - column);
        let matters = line == 0 || board.size() >= WITH_LINES && line < 4;
        if !matters || is_contested(board, row, column) {
            return None;
        }
        Some(match line {
            0 => 0.0,
            1 => 0.2,
            _ => 0.8,
        })
    }

    fn add_fights(&self, point: Point, opinion: &mut Opinion) {
        let board = self.position.board();
        let captured = board.captures(self.position.turn(), point);
        if captured > 0 && self.priors.capture > 0.0 {
            opinion.add(1.0, self.priors.capture + captured.min(5) as f32);
        }
        if point == self.ladder {
            opinion.add(1.0, self.priors.ladder);
        } else if self.priors.ladder > 0.0 && captured == 0 && runs_in_vain(self.position, point, 0)
        {
            opinion.add(0.0, self.priors.ladder);
        }
    }
}

/// The worth of a move that no rule proposes where others are proposed.
fn look_worth(look: Look) -> f32 {
    match look {
        Look::SelfAtari => 0.1,
        Look::Atari => 0.8,
        Look::Pattern => 0.6,
        Look::Plain => 0.4,
    }
}

/// What a move looks like. Fuego lets stones be given away inside a small eye.
fn look(position: &Go, point: Point, manner: Manner) -> Look {
    let (board, turn) = (position.board(), position.turn());
    let allows = manner == Manner::Fuego;
    let look = |self_atari: bool, atari: bool, pattern: bool| match () {
        () if self_atari => Look::SelfAtari,
        () if atari => Look::Atari,
        () if pattern => Look::Pattern,
        () => Look::Plain,
    };
    with_stones!(&board.stones, stones => match turn {
        Side::First => look(
            stones.is_self_atari::<0>(point) && !(allows && stones.is_in_small_eye::<0>(point)),
            stones.gives_atari::<0>(point),
            stones.is_pattern::<0>(point),
        ),
        Side::Second => look(
            stones.is_self_atari::<1>(point) && !(allows && stones.is_in_small_eye::<1>(point)),
            stones.gives_atari::<1>(point),
            stones.is_pattern::<1>(point),
        ),
    })
}

/// Whether one of the moves gives atari or is a pattern.
pub(super) fn is_lively(position: &Go, moves: &[Move]) -> bool {
    moves.iter().any(|&mv| match mv {
        Move::Play(point) => {
            matches!(look(position, point, Manner::Fuego), Look::Atari | Look::Pattern)
        }
        Move::Pass => false,
    })
}

/// Whether the move extends a chain in atari that a ladder catches all the same, though not with fewer
/// than so many more ataris.
pub(super) fn runs_in_vain(position: &Go, point: Point, ataris: u32) -> bool {
    let (board, turn) = (position.board(), position.turn());
    let runs = board
        .neighbours(point)
        .any(|beside| board.stone(beside) == Some(turn) && board.in_atari(beside));
    runs && with_stones!(&board.stones, stones => match turn {
        Side::First => stones.is_caught::<0>(point, ataris),
        Side::Second => stones.is_caught::<1>(point, ataris),
    })
}

/// Where the side to move starts a ladder that catches the chain of the last move, or
/// [`Point::NOWHERE`].
pub(super) fn ladder_attack(position: &Go) -> Point {
    let board = position.board();
    let caught = |last| {
        with_stones!(&board.stones, stones => match position.turn() {
            Side::First => stones.ladder_attack::<1>(last),
            Side::Second => stones.ladder_attack::<0>(last),
        })
    };
    let last = position.last_moves()[0].filter(|&last| !board.is_empty(last));
    last.and_then(caught).unwrap_or(Point::NOWHERE)
}

/// What the policy proposes in `position`, ladders minded.
pub(super) fn candidates(
    board: &mut PlayoutBoard,
    position: &Go,
    policy: &Policy,
    out: &mut Vec<(Move, Rule)>,
) {
    board.set(position);
    out.clear();
    board.candidates(&Policy { ladders: true, ..policy.clone() }, out);
}

/// Whether a stone is near the point in this row and column.
fn is_contested(board: &Board, row: usize, column: usize) -> bool {
    let last = board.size() - 1;
    (row.saturating_sub(NEAR)..=(row + NEAR).min(last)).any(|row| {
        (column.saturating_sub(NEAR)..=(column + NEAR).min(last))
            .any(|column| board.stone(board.point(row, column)).is_some())
    })
}

/// The distance of two points: 1 for the eight neighbours, about as the crow flies beyond.
fn distance(board: &Board, one: Point, other: Point) -> usize {
    let (row, column) = board.row_column(one);
    let (other_row, other_column) = board.row_column(other);
    let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other_column));
    (rows + columns + rows.max(columns)) / 2
}

#[cfg(test)]
mod tests {
    use super::{super::policy::read_diagram as read, *};

    /// The priors of the marked points of a diagram, row by row.
    fn marked(priors: &Priors, diagram: &str) -> Vec<Prior> {
        marked_under(&Policy::strong(), priors, diagram)
    }

    /// The same for another policy.
    fn marked_under(policy: &Policy, priors: &Priors, diagram: &str) -> Vec<Prior> {
        let (position, marked) = read(diagram);
        let mut found = Vec::new();
        let mut board = PlayoutBoard::new(&position);
        candidates(&mut board, &position, policy, &mut found);
        let ladder = ladder_attack(&position);
        let mut distances = Distances::default();
        let last = position.last_moves()[0];
        if let Some(last) = last {
            distances.measure(position.board(), last, NEAR_STEPS);
        }
        let judge = Judge {
            priors,
            position: &position,
            candidates: &found,
            ladder,
            distances: last.map(|_| &distances),
            is_lively: true,
        };
        marked.into_iter().map(|point| judge.prior(Move::Play(point))).collect()
    }

    fn values(priors: &Priors, diagram: &str) -> Vec<f32> {
        marked(priors, diagram).iter().map(|prior| prior.value).collect()
    }

    const ONLY_POLICY: Priors = Priors { near: 0.0, near_large: 0.0, ..Priors::fuego() };

    #[test]
    fn moves_of_the_policy_count_as_won() {
        let priors =
            marked(&ONLY_POLICY, "..X...* .XoX... ..*.... ....... ....... ....... .......");
        assert_eq!(priors[1], Prior { value: 1.0, visits: 9.0 }, "captures");
        assert!((priors[0].value + 0.2).abs() < 1e-6, "any other");
    }

    #[test]
    fn only_the_first_rule_is_the_policy() {
        // The chain in atari runs to C3; the cut at D4 is a pattern beside the last move.
        let diagram = "..o.. .OXO. ..**. ..... .....";
        let both = marked_under(&Policy::fuego(), &ONLY_POLICY, diagram);
        assert_eq!(both[0], Prior { value: 1.0, visits: 9.0 });
        assert!(both[1].value < 1.0);
        let cut = "..... .Xo.. .O*.. ..... .....";
        let only_patterns = Policy { patterns: 100, ..Policy::light() };
        let pattern = marked_under(&only_patterns, &ONLY_POLICY, cut);
        assert_eq!(pattern, [Prior { value: 1.0, visits: 9.0 }]);
        let loose = Priors { manner: Manner::Loose, ..ONLY_POLICY };
        assert!(marked_under(&only_patterns, &loose, cut)[0].value < 1.0);
    }

    #[test]
    fn where_no_rule_has_a_move_little_is_said() {
        let diagram = "........ .*...... ........ ........ ........ ........ ......*. .......o";
        for prior in marked_under(&Policy::light(), &ONLY_POLICY, diagram) {
            assert_eq!(prior, Prior { value: 0.0, visits: 3.0 });
        }
    }

    #[test]
    fn far_moves_count_as_nearly_lost() {
        let near = Priors { near: 4.0, ..Priors::none() };
        let diagram = "*....... ........ ........ ........ ........ .....*.. .......* .......o";
        let priors = marked(&near, diagram);
        let values: Vec<f32> = priors.iter().map(|prior| (prior.value + 1.0) / 2.0).collect();
        for (value, expected) in values.iter().zip([0.1, 0.1, 1.0]) {
            assert!((value - expected).abs() < 1e-6, "{values:?}");
        }
    }

    #[test]
    fn self_atari_counts_as_lost() {
        let values = values(&ONLY_POLICY, "*XX... OOOO.. ...... ...... ...... .....o");
        assert!((values[0] + 0.8).abs() < 1e-6, "{values:?}");
    }

    #[test]
    fn moves_near_the_last_are_better() {
        let diagram = "......... .*....... ......... ...*..... ....o.... ......... ......... \
                       ......... .........";
        let values = values(&Priors::fuego(), diagram);
        assert!(values[0] < values[1], "{values:?}");
    }

    #[test]
    fn empty_corners_of_large_boards_want_the_third_and_fourth_line() {
        let rows: Vec<String> = (0..13)
            .map(|row| if row == 6 { "*****........" } else { "............." }.into())
            .collect();
        let lines = Priors { line: 8.0, ..Priors::none() };
        let values = values(&lines, &rows.join(" "));
        assert_eq!(values[0], -1.0);
        assert!(values[1] < values[2] && values[2] == values[3], "{values:?}");
    }

    #[test]
    fn ladders_are_started_and_not_run_from() {
        let ladders = Priors { ladder: 10.0, ..Priors::none() };
        let start = "....... ..OO... .OXx*.. ..O.... ....... ....... .......";
        assert_eq!(values(&ladders, start), [1.0]);
        let run = "....... ..OO... .OX*... ..o.... ....... ....... .......";
        assert_eq!(values(&ladders, run), [-1.0]);
    }
}
