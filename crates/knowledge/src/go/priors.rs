//! Priors: knowledge of a move before it is visited, as virtual visits.
//!
//! The base is Fuego's: a move of the playout policy counts as won, one that gives atari or matches
//! a pattern as good, any other as rather bad, a self-atari and a pass as lost. Moves near the last
//! one get a bonus, and on large boards so do those on the third and fourth line without stones
//! nearby. [`PriorMode`] selects how closely Fuego is followed.

use super::{
    common_fate::CommonFateDistances,
    policy::{PlayoutBoard, PlayoutPolicy, PlayoutRule, PolicyView},
};
use ludus_core::{Position, Prior, Side};
use ludus_games::{
    go::{Go, GoBoard, GoMove, Point},
    with_stones,
};

/// The way the policy and the distance to the last move are counted.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PriorMode {
    /// Like Fuego. The moves of the first rule that has any are the policy's, including patterns
    /// near the last move. Where no rule has a move, patterns and ataris get few visits and other
    /// moves none. Distance is measured in common-fate steps, and far moves count as nearly lost.
    Fuego,
    /// Looser: the moves of all rules but patterns count as the policy's, distance is that on the
    /// board, and far moves get no prior. Weights learned from self-play without move strengths
    /// were learned with it.
    Loose,
}

/// The strength of each kind of knowledge in visits; 0 switches it off.
#[derive(Clone, Debug, PartialEq)]
pub struct GoPriors {
    /// The way the policy and distances are counted.
    pub mode: PriorMode,
    /// Visits for the policy, on boards below 15x15.
    pub policy: f32,
    /// The same from 15x15 on.
    pub policy_large: f32,
    /// Visits for the distance to the last move, on boards below 15x15.
    pub near: f32,
    /// The same from 15x15 on.
    pub near_large: f32,
    /// Visits for the line of a move without stones nearby, from 13x13 on; for the first line
    /// everywhere.
    pub line: f32,
    /// Visits for captures; one more for each stone, up to five.
    pub capture: f32,
    /// Visits for catching the last move's chain in a ladder, and against running from a working
    /// ladder.
    pub ladder: f32,
    /// Visits with an even result for every move: they damp RAVE values of unvisited moves.
    pub even: f32,
}

impl GoPriors {
    /// Whether the policy is counted.
    pub(super) fn uses_policy(&self) -> bool {
        self.policy > 0.0 || self.policy_large > 0.0
    }

    /// Whether common-fate distances to the last move are counted.
    pub(super) fn measures_steps(&self) -> bool {
        self.mode == PriorMode::Fuego && (self.near > 0.0 || self.near_large > 0.0)
    }

    /// No priors.
    pub const fn none() -> GoPriors {
        GoPriors {
            mode: PriorMode::Fuego,
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

    /// Only an even result for every move.
    pub const fn even() -> GoPriors {
        GoPriors { even: 14.0, ..GoPriors::none() }
    }

    /// The priors of Fuego.
    pub const fn fuego() -> GoPriors {
        GoPriors { policy: 9.0, policy_large: 18.0, near: 4.0, near_large: 5.0, ..GoPriors::none() }
    }

    /// All priors.
    pub const fn strong() -> GoPriors {
        GoPriors {
            mode: PriorMode::Loose,
            near: 4.5,
            near_large: 4.5,
            line: 8.0,
            capture: 6.0,
            ladder: 10.0,
            ..GoPriors::fuego()
        }
    }
}

/// Smallest large board.
const LARGE_BOARD: usize = 15;
/// Smallest board on which lines of empty areas count.
const MIN_SIZE_FOR_LINES: usize = 13;
/// Rows and columns within which a stone is nearby.
const CONTESTED_DISTANCE: usize = 3;

/// A sum of values from 0 (lost) to 1 (won), weighted by visits.
#[derive(Copy, Clone, Default)]
struct PriorSum {
    won: f32,
    visits: f32,
}

impl PriorSum {
    fn add(&mut self, value: f32, visits: f32) {
        self.won += value * visits;
        self.visits += visits;
    }

    fn prior(self) -> Prior {
        let mean = if self.visits > 0.0 { self.won / self.visits } else { 0.5 };
        Prior { value: 2.0 * mean - 1.0, visits: self.visits }
    }
}

/// Common-fate steps within which a move is near the last one.
pub(super) const NEAR_STEPS: u8 = 3;
/// Value of far moves and passes.
const FAR_VALUE: f32 = 0.1;
/// Visits of moves where the policy has no candidate.
const NO_CANDIDATE_VISITS: f32 = 3.0;

/// The kind of a move, independent of the last move.
#[derive(Copy, Clone, PartialEq, Eq)]
enum MoveKind {
    SelfAtari,
    Atari,
    Pattern,
    Plain,
}

/// The value of a move that a rule of the policy proposes.
fn rule_value(rule: PlayoutRule) -> f32 {
    match rule {
        PlayoutRule::GlobalCapture => 0.8,
        PlayoutRule::Pattern => 0.6,
        PlayoutRule::Pass => 0.1,
        PlayoutRule::Random => 0.4,
        PlayoutRule::KoRefight
        | PlayoutRule::Nakade
        | PlayoutRule::Capture
        | PlayoutRule::Defence
        | PlayoutRule::LowLiberty => 1.0,
    }
}

/// Priors of moves in one position.
pub(super) struct PriorCalculator<'a> {
    pub(super) priors: &'a GoPriors,
    pub(super) position: &'a Go,
    /// The candidates of the policy, with their rules.
    pub(super) candidates: &'a [(GoMove, PlayoutRule)],
    /// The move that starts a ladder catching the last move's chain, or [`Point::NOWHERE`].
    pub(super) ladder: Point,
    /// Distances from the last move, if there is one and Fuego is followed.
    pub(super) distances: Option<&'a CommonFateDistances>,
    /// Whether some move gives atari or is a pattern; computed only where the policy has no move.
    pub(super) has_atari_or_pattern: bool,
}

impl PriorCalculator<'_> {
    /// The prior of a legal move.
    pub(super) fn prior(&self, mv: GoMove) -> Prior {
        let mut sum = PriorSum::default();
        let board = self.position.board();
        let large = board.size() >= LARGE_BOARD;
        let visits = if large { self.priors.policy_large } else { self.priors.policy };
        let near = if large { self.priors.near_large } else { self.priors.near };
        sum.add(0.5, self.priors.even);
        let GoMove::Play(point) = mv else {
            sum.add(rule_value(PlayoutRule::Pass), visits);
            if self.distances.is_some() {
                sum.add(FAR_VALUE, near);
            }
            return sum.prior();
        };
        // Terms without visits are skipped: the tree asks this for every move.
        if visits > 0.0 {
            match self.priors.mode {
                PriorMode::Fuego => self.add_policy(point, visits, &mut sum),
                PriorMode::Loose => sum.add(self.loose_policy_value(point), visits),
            }
        }
        if near > 0.0
            && let Some(value) = self.nearness_value(point)
        {
            sum.add(value, near);
        }
        if self.priors.line > 0.0
            && let Some(value) = self.line_value(point)
        {
            sum.add(value, self.priors.line);
        }
        if self.priors.capture > 0.0 || self.priors.ladder > 0.0 {
            self.add_fights(point, &mut sum);
        }
        sum.prior()
    }

    /// Adds Fuego's prior of the policy.
    fn add_policy(&self, point: Point, visits: f32, sum: &mut PriorSum) {
        if let Some(&(_, first)) = self.candidates.first() {
            let is_proposed = self.candidates.contains(&(GoMove::Play(point), first));
            let value = if is_proposed { 1.0 } else { kind_value(self.move_kind(point)) };
            sum.add(value, visits);
            return;
        }
        match self.move_kind(point) {
            MoveKind::SelfAtari => sum.add(kind_value(MoveKind::SelfAtari), visits),
            _ if !self.has_atari_or_pattern => {}
            MoveKind::Atari => sum.add(1.0, NO_CANDIDATE_VISITS),
            MoveKind::Pattern => sum.add(0.9, NO_CANDIDATE_VISITS),
            MoveKind::Plain => sum.add(0.5, NO_CANDIDATE_VISITS),
        }
    }

    /// The policy value in loose mode.
    fn loose_policy_value(&self, point: Point) -> f32 {
        let found = self.candidates.iter().find(|&&(mv, _)| mv == GoMove::Play(point));
        if let Some(&(_, rule)) = found.filter(|(_, rule)| rule_value(*rule) == 1.0) {
            return rule_value(rule);
        }
        match self.move_kind(point) {
            MoveKind::Plain if found.is_some() => kind_value(MoveKind::Pattern),
            kind => kind_value(kind),
        }
    }

    fn move_kind(&self, point: Point) -> MoveKind {
        move_kind(self.position, point, self.priors.mode)
    }

    /// The value of the distance to the last move.
    fn nearness_value(&self, point: Point) -> Option<f32> {
        if self.priors.mode == PriorMode::Fuego {
            return self.distances.map(|distances| match distances.to(point) {
                Some(1) => 1.0,
                Some(_) => 0.6,
                None => FAR_VALUE,
            });
        }
        let last = self.position.last_moves()[0]?;
        match distance(self.position.board(), point, last) {
            1 => Some(1.0),
            2 | 3 => Some(0.6),
            _ => None,
        }
    }

    /// The value of the line of a point, if no stone is nearby.
    fn line_value(&self, point: Point) -> Option<f32> {
        let board = self.position.board();
        let (row, column) = board.row_column(point);
        let last = board.size() - 1;
        let line = row.min(column).min(last - row).min(last - column);
        let matters = line == 0 || board.size() >= MIN_SIZE_FOR_LINES && line < 4;
        if !matters || is_contested(board, row, column) {
            return None;
        }
        Some(match line {
            0 => 0.0,
            1 => 0.2,
            _ => 0.8,
        })
    }

    fn add_fights(&self, point: Point, sum: &mut PriorSum) {
        let board = self.position.board();
        let captured = board.captures(self.position.turn(), point);
        if captured > 0 && self.priors.capture > 0.0 {
            sum.add(1.0, self.priors.capture + captured.min(5) as f32);
        }
        if point == self.ladder {
            sum.add(1.0, self.priors.ladder);
        } else if self.priors.ladder > 0.0
            && captured == 0
            && runs_into_ladder(self.position, point, 0)
        {
            sum.add(0.0, self.priors.ladder);
        }
    }
}

/// The value of a move that no rule proposes where others are proposed.
fn kind_value(kind: MoveKind) -> f32 {
    match kind {
        MoveKind::SelfAtari => 0.1,
        MoveKind::Atari => 0.8,
        MoveKind::Pattern => 0.6,
        MoveKind::Plain => 0.4,
    }
}

/// The kind of a move. Fuego allows self-atari inside a small eye.
fn move_kind(position: &Go, point: Point, mode: PriorMode) -> MoveKind {
    let (board, turn) = (position.board(), position.turn());
    let allow_in_eye = mode == PriorMode::Fuego;
    let classify = |self_atari: bool, atari: bool, pattern: bool| match () {
        () if self_atari => MoveKind::SelfAtari,
        () if atari => MoveKind::Atari,
        () if pattern => MoveKind::Pattern,
        () => MoveKind::Plain,
    };
    with_stones!(board.stones(), stones => match turn {
        Side::First => classify(
            PolicyView(stones).is_self_atari::<0>(point) && !(allow_in_eye && PolicyView(stones).is_in_small_eye::<0>(point)),
            PolicyView(stones).gives_atari::<0>(point),
            PolicyView(stones).is_pattern::<0>(point),
        ),
        Side::Second => classify(
            PolicyView(stones).is_self_atari::<1>(point) && !(allow_in_eye && PolicyView(stones).is_in_small_eye::<1>(point)),
            PolicyView(stones).gives_atari::<1>(point),
            PolicyView(stones).is_pattern::<1>(point),
        ),
    })
}

/// Whether one of the moves gives atari or is a pattern.
pub(super) fn has_atari_or_pattern(position: &Go, moves: &[GoMove]) -> bool {
    moves.iter().any(|&mv| match mv {
        GoMove::Play(point) => {
            matches!(
                move_kind(position, point, PriorMode::Fuego),
                MoveKind::Atari | MoveKind::Pattern
            )
        }
        GoMove::Pass => false,
    })
}

/// Whether the move extends a chain in atari that a ladder still catches, with at least `ataris`
/// more ataris.
pub(super) fn runs_into_ladder(position: &Go, point: Point, ataris: u32) -> bool {
    let (board, turn) = (position.board(), position.turn());
    let runs = board
        .neighbours(point)
        .any(|beside| board.stone(beside) == Some(turn) && board.in_atari(beside));
    runs && with_stones!(board.stones(), stones => match turn {
        Side::First => PolicyView(stones).is_caught::<0>(point, ataris),
        Side::Second => PolicyView(stones).is_caught::<1>(point, ataris),
    })
}

/// The move that starts a ladder catching the chain of the last move, or [`Point::NOWHERE`].
pub(super) fn ladder_attack(position: &Go) -> Point {
    let board = position.board();
    let caught = |last| {
        with_stones!(board.stones(), stones => match position.turn() {
            Side::First => PolicyView(stones).ladder_attack::<1>(last),
            Side::Second => PolicyView(stones).ladder_attack::<0>(last),
        })
    };
    let last = position.last_moves()[0].filter(|&last| !board.is_empty(last));
    last.and_then(caught).unwrap_or(Point::NOWHERE)
}

/// The candidates of the policy in `position`, with ladders read.
pub(super) fn candidates(
    board: &mut PlayoutBoard,
    position: &Go,
    policy: &PlayoutPolicy,
    out: &mut Vec<(GoMove, PlayoutRule)>,
) {
    board.set(position);
    out.clear();
    board.candidates(&PlayoutPolicy { ladders: true, ..policy.clone() }, out);
}

/// Whether a stone is near the point in this row and column.
fn is_contested(board: &GoBoard, row: usize, column: usize) -> bool {
    let last = board.size() - 1;
    (row.saturating_sub(CONTESTED_DISTANCE)..=(row + CONTESTED_DISTANCE).min(last)).any(|row| {
        (column.saturating_sub(CONTESTED_DISTANCE)..=(column + CONTESTED_DISTANCE).min(last))
            .any(|column| board.stone(board.point(row, column)).is_some())
    })
}

/// The distance of two points: 1 for the eight neighbours, roughly Euclidean beyond.
fn distance(board: &GoBoard, one: Point, other: Point) -> usize {
    let (row, column) = board.row_column(one);
    let (other_row, other_column) = board.row_column(other);
    let (rows, columns) = (row.abs_diff(other_row), column.abs_diff(other_column));
    (rows + columns + rows.max(columns)) / 2
}

#[cfg(test)]
mod tests {
    use super::{super::policy::read_diagram as read, *};

    /// The priors of the marked points of a diagram, row by row.
    fn marked(priors: &GoPriors, diagram: &str) -> Vec<Prior> {
        marked_under(&PlayoutPolicy::strong(), priors, diagram)
    }

    /// The same for another policy.
    fn marked_under(policy: &PlayoutPolicy, priors: &GoPriors, diagram: &str) -> Vec<Prior> {
        let (position, marked) = read(diagram);
        let mut found = Vec::new();
        let mut board = PlayoutBoard::new(&position);
        candidates(&mut board, &position, policy, &mut found);
        let ladder = ladder_attack(&position);
        let mut distances = CommonFateDistances::default();
        let last = position.last_moves()[0];
        if let Some(last) = last {
            distances.measure(position.board(), last, NEAR_STEPS);
        }
        let calculator = PriorCalculator {
            priors,
            position: &position,
            candidates: &found,
            ladder,
            distances: last.map(|_| &distances),
            has_atari_or_pattern: true,
        };
        marked.into_iter().map(|point| calculator.prior(GoMove::Play(point))).collect()
    }

    fn values(priors: &GoPriors, diagram: &str) -> Vec<f32> {
        marked(priors, diagram).iter().map(|prior| prior.value).collect()
    }

    const ONLY_POLICY: GoPriors = GoPriors { near: 0.0, near_large: 0.0, ..GoPriors::fuego() };

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
        let both = marked_under(&PlayoutPolicy::fuego(), &ONLY_POLICY, diagram);
        assert_eq!(both[0], Prior { value: 1.0, visits: 9.0 });
        assert!(both[1].value < 1.0);
        let cut = "..... .Xo.. .O*.. ..... .....";
        let only_patterns = PlayoutPolicy { patterns: 100, ..PlayoutPolicy::light() };
        let pattern = marked_under(&only_patterns, &ONLY_POLICY, cut);
        assert_eq!(pattern, [Prior { value: 1.0, visits: 9.0 }]);
        let loose = GoPriors { mode: PriorMode::Loose, ..ONLY_POLICY };
        assert!(marked_under(&only_patterns, &loose, cut)[0].value < 1.0);
    }

    #[test]
    fn where_no_rule_has_a_move_little_is_said() {
        let diagram = "........ .*...... ........ ........ ........ ........ ......*. .......o";
        for prior in marked_under(&PlayoutPolicy::light(), &ONLY_POLICY, diagram) {
            assert_eq!(prior, Prior { value: 0.0, visits: 3.0 });
        }
    }

    #[test]
    fn far_moves_count_as_nearly_lost() {
        let near = GoPriors { near: 4.0, ..GoPriors::none() };
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
        let values = values(&GoPriors::fuego(), diagram);
        assert!(values[0] < values[1], "{values:?}");
    }

    #[test]
    fn empty_corners_of_large_boards_want_the_third_and_fourth_line() {
        let rows: Vec<String> = (0..13)
            .map(|row| if row == 6 { "*****........" } else { "............." }.into())
            .collect();
        let lines = GoPriors { line: 8.0, ..GoPriors::none() };
        let values = values(&lines, &rows.join(" "));
        assert_eq!(values[0], -1.0);
        assert!(values[1] < values[2] && values[2] == values[3], "{values:?}");
    }

    #[test]
    fn ladders_are_started_and_not_run_from() {
        let ladders = GoPriors { ladder: 10.0, ..GoPriors::none() };
        let start = "....... ..OO... .OXx*.. ..O.... ....... ....... .......";
        assert_eq!(values(&ladders, start), [1.0]);
        let run = "....... ..OO... .OX*... ..o.... ....... ....... .......";
        assert_eq!(values(&ladders, run), [-1.0]);
    }
}
