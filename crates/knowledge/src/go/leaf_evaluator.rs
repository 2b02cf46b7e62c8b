//! Leaf evaluator of the Monte-Carlo tree search: playouts, moves of the tree, and priors.

use super::{
    common_fate::CommonFateDistances,
    policy::{PlayoutBoard, PlayoutPolicy, PlayoutRule},
    priors::{
        GoPriors, NEAR_STEPS, PriorCalculator, candidates, has_atari_or_pattern, ladder_attack,
        runs_into_ladder,
    },
};
use ludus_core::{LeafEvaluator, Playout, Position, Prior, Random};
use ludus_games::go::{Go, GoBoard, GoMove, Point};

/// Playouts of a [`PlayoutPolicy`] with [`GoPriors`].
#[derive(Clone)]
pub struct GoLeafEvaluator {
    /// The playout policy.
    pub policy: PlayoutPolicy,
    /// Priors of moves that have not been visited.
    pub priors: GoPriors,
    /// Score bonus: the share of a value given by the margin instead of the win, to choose between
    /// moves that all win or all lose.
    pub score_weight: f32,
    /// Length bonus: the share of a value given by winning early or losing late.
    pub length_weight: f32,
    /// Smallest board on which the tree leaves out moves that run into a ladder: there ladders are
    /// longer than a search looks ahead.
    pub min_ladder_size: usize,
    /// Fewest ataris of such a ladder; shorter ones stay in the tree, because they can be
    /// sacrifices.
    pub min_ladder_ataris: u32,
    /// Whether the tree has moves on the first line without stones nearby.
    pub empty_edges: bool,
    /// The board of playouts, made when the first position is known.
    board: Option<PlayoutBoard>,
    candidates: Vec<(GoMove, PlayoutRule)>,
    distances: CommonFateDistances,
}

impl GoLeafEvaluator {
    /// A leaf evaluator with the score bonus of Fuego.
    pub fn new(policy: PlayoutPolicy, priors: GoPriors) -> GoLeafEvaluator {
        GoLeafEvaluator {
            policy,
            priors,
            score_weight: 0.02,
            length_weight: 0.0,
            min_ladder_size: usize::MAX,
            min_ladder_ataris: 0,
            empty_edges: true,
            board: None,
            candidates: Vec::new(),
            distances: CommonFateDistances::default(),
        }
    }

    /// The rules and priors of Fuego.
    pub fn fuego() -> GoLeafEvaluator {
        GoLeafEvaluator::new(PlayoutPolicy::fuego(), GoPriors::fuego())
    }

    /// The strongest policy and priors.
    pub fn strong() -> GoLeafEvaluator {
        GoLeafEvaluator::new(PlayoutPolicy::strong(), GoPriors::strong())
    }

    /// The value in `[-1, 1]` of a playout of `length` moves, for the side that won by `margin`
    /// points, or lost if negative, on a board of `points` points.
    pub fn value(&self, margin: f32, length: usize, points: usize) -> f32 {
        let won = if margin == 0.0 { 0.0 } else { margin.signum() };
        let share = (margin / points as f32).clamp(-1.0, 1.0);
        let early = 1.0 - (length as f32 / (3 * points) as f32).min(1.0);
        let rest = 1.0 - self.score_weight - self.length_weight;
        rest * won + self.score_weight * share + self.length_weight * won * early
    }
}

/// Passes are considered once this share of the board is filled, or after a pass.
const PASS_FILL_RATIO: f32 = 0.5;

/// Whether the side to move would not lose if both passed, late enough in the game.
fn may_pass(position: &Go) -> bool {
    let points = (position.board().size() * position.board().size()) as f32;
    let is_late = position.board().empties().len() as f32 <= (1.0 - PASS_FILL_RATIO) * points;
    (is_late || position.passes() > 0) && position.score() * position.turn().sign() as f32 >= 0.0
}

/// Distance within which an empty edge has no stone, rows plus columns.
const EMPTY_EDGE_DISTANCE: usize = 4;

/// Whether a point is on the first line with no stone nearby.
fn is_empty_edge(board: &GoBoard, point: Point) -> bool {
    let last = board.size() - 1;
    let (row, column) = board.row_column(point);
    let is_edge = [row, column].into_iter().any(|line| line == 0 || line == last);
    let around = |line: usize| {
        line.saturating_sub(EMPTY_EDGE_DISTANCE)..=(line + EMPTY_EDGE_DISTANCE).min(last)
    };
    is_edge
        && around(row).all(|other_row| {
            around(column).all(|other_column| {
                row.abs_diff(other_row) + column.abs_diff(other_column) > EMPTY_EDGE_DISTANCE
                    || board.is_empty(board.point(other_row, other_column))
            })
        })
}

impl LeafEvaluator<Go> for GoLeafEvaluator {
    fn simulate(
        &mut self,
        position: &Go,
        random: &mut Random,
        playout: &mut Playout<GoMove>,
    ) -> f32 {
        let board = self.board.get_or_insert_with(|| PlayoutBoard::new(position));
        board.set(position);
        let margin = board.play_out(&self.policy, random, &mut playout.moves);
        let points = position.board().size() * position.board().size();
        let margin = margin * position.turn().sign() as f32;
        self.value(margin, playout.moves.len(), points)
    }

    /// Legal moves that fill no own eye and, depending on the fields, do not run into a ladder and
    /// are not on an empty edge. A pass is added if there is no other move, and where it would not
    /// lose the game on the present board.
    fn moves(&mut self, position: &Go, out: &mut Vec<GoMove>) {
        if position.passes() >= 2 {
            return;
        }
        let first = out.len();
        let turn = position.turn();
        let checks_ladders = position.board().size() >= self.min_ladder_size;
        let is_useful = |&point: &_| {
            position.board().is_empty(point)
                && !position.board().is_eye(turn, point)
                && position.illegal(point).is_none()
                && !(checks_ladders
                    && position.board().captures(turn, point) == 0
                    && runs_into_ladder(position, point, self.min_ladder_ataris))
                && (self.empty_edges || !is_empty_edge(position.board(), point))
        };
        out.extend(position.board().points().filter(is_useful).map(GoMove::Play));
        if out.len() == first || may_pass(position) {
            out.push(GoMove::Pass);
        }
    }

    fn priors(&mut self, position: &Go, moves: &[GoMove], out: &mut Vec<Prior>) {
        if self.priors == GoPriors::none() {
            return;
        }
        self.candidates.clear();
        if self.priors.uses_policy() {
            let board = self.board.get_or_insert_with(|| PlayoutBoard::new(position));
            candidates(board, position, &self.policy, &mut self.candidates);
        }
        let ladder = match self.priors.ladder > 0.0 {
            true => ladder_attack(position),
            false => Point::NOWHERE,
        };
        let last = position.last_moves()[0].filter(|_| self.priors.measures_steps());
        if let Some(last) = last {
            self.distances.measure(position.board(), last, NEAR_STEPS);
        }
        let calculator = PriorCalculator {
            priors: &self.priors,
            position,
            candidates: &self.candidates,
            ladder,
            distances: last.map(|_| &self.distances),
            has_atari_or_pattern: self.priors.uses_policy()
                && self.candidates.is_empty()
                && has_atari_or_pattern(position, moves),
        };
        out.extend(moves.iter().map(|&mv| calculator.prior(mv)));
    }
}

#[cfg(test)]
mod tests {
    use super::{super::policy::read_diagram as read, *};
    use ludus_games::go::rules::GoRules;

    fn moves(position: &Go) -> Vec<GoMove> {
        let mut moves = Vec::new();
        GoLeafEvaluator::fuego().moves(position, &mut moves);
        moves
    }

    /// Black owns the left, White the right; only eyes are left.
    const FINISHED: &str = ".XO.O XXOOO .XO.O XXOOO .XO.o";

    #[test]
    fn eyes_are_not_filled_and_the_pass_is_left() {
        let (position, _) = read(FINISHED);
        assert_eq!(moves(&position), [GoMove::Pass]);
    }

    #[test]
    fn a_pass_is_answered_with_a_pass_by_who_wins_so() {
        let (position, _) = read("..... .XXX. ..... ..... .....");
        let mut position = position.with_turn(ludus_core::Side::Second);
        position.play(GoMove::Pass);
        assert!(moves(&position).contains(&GoMove::Pass), "Black has everything");
        let (mut position, _) = read("..... .OOO. ..... ..... .....");
        position.play(GoMove::Pass);
        assert!(moves(&position).contains(&GoMove::Pass), "White has everything");
        let (position, _) = read("..... .OOO. ..... ..... .....");
        let mut position = position.with_turn(ludus_core::Side::Second);
        position.play(GoMove::Pass);
        assert!(!moves(&position).contains(&GoMove::Pass), "Black would lose");
        let position = position.with_rules(GoRules { komi_halves: -2 * 25, ..*position.rules() });
        assert!(moves(&position).contains(&GoMove::Pass), "a draw is better than some moves");
    }

    #[test]
    fn values_are_those_of_the_side_to_move() {
        let (position, _) = read(FINISHED);
        let mut playout = Playout::default();
        let mut random = Random::new(1);
        let value = GoLeafEvaluator::fuego().simulate(&position, &mut random, &mut playout);
        assert_eq!(playout.moves, [GoMove::Pass, GoMove::Pass]);
        assert!((-1.0..-0.9).contains(&value), "Black loses by komi: {value}");
        let passed = position.after(GoMove::Pass);
        playout.clear();
        let value = GoLeafEvaluator::fuego().simulate(&passed, &mut random, &mut playout);
        assert!((0.9..=1.0).contains(&value), "White wins: {value}");
    }

    #[test]
    fn every_move_gets_a_prior() {
        let (position, _) = read("..... .XOX. .OX.. ..... ....o");
        let moves = moves(&position);
        let mut priors = Vec::new();
        GoLeafEvaluator::strong().priors(&position, &moves, &mut priors);
        assert_eq!(priors.len(), moves.len());
        assert!(priors.iter().all(|prior| prior.value.abs() <= 1.0 && prior.visits >= 9.0));
    }

    /// Whether the first marked point of a diagram is among the moves of an evaluator.
    fn offers(mut leaf_evaluator: GoLeafEvaluator, diagram: &str) -> bool {
        let (position, marked) = read(diagram);
        let mut moves = Vec::new();
        leaf_evaluator.moves(&position, &mut moves);
        moves.contains(&GoMove::Play(marked[0]))
    }

    #[test]
    fn large_boards_leave_out_runs_into_a_ladder() {
        let run = "....... ..OO... .OX*... ..o.... ....... ....... .......";
        let offered = |min_ladder_size| {
            offers(GoLeafEvaluator { min_ladder_size, ..GoLeafEvaluator::fuego() }, run)
        };
        assert!(offered(8) && !offered(7));
    }

    #[test]
    fn short_runs_may_be_looked_at() {
        let minding = |min_ladder_ataris| GoLeafEvaluator {
            min_ladder_size: 0,
            min_ladder_ataris,
            ..GoLeafEvaluator::fuego()
        };
        let short = "*XO.... .Oo.... ....... ....... ....... ....... .......";
        assert!(!offers(minding(0), short) && offers(minding(2), short));
        let long = "....... ..OO... .OX*... ..o.... ....... ....... .......";
        assert!(!offers(minding(2), long));
    }

    #[test]
    fn bare_edges_may_be_left_out() {
        let leaf_evaluator =
            |empty_edges| GoLeafEvaluator { empty_edges, ..GoLeafEvaluator::fuego() };
        let far = "*...... ....... ....... ....... ....... ....... ......o";
        let near = "*...... ....... ..o.... ....... ....... ....... .......";
        assert!(offers(leaf_evaluator(true), far) && !offers(leaf_evaluator(false), far));
        assert!(offers(leaf_evaluator(false), near));
    }
}
