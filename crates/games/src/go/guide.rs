//! What a Monte-Carlo tree search asks of Go: playouts, moves worth a look, and priors.

use super::{
    board::Board,
    common_fate::Distances,
    point::Point,
    policy::{PlayoutBoard, Policy, Rule},
    position::{Go, Move},
    priors::{Judge, NEAR_STEPS, Priors, candidates, is_lively, ladder_attack, runs_in_vain},
};
use ludus_core::{LeafEvaluator, Playout, Position, Prior, Random};

/// Playouts of a [`Policy`] with [`Priors`].
#[derive(Clone)]
pub struct GoGuide {
    /// What plays the playouts.
    pub policy: Policy,
    /// What is known of moves before they are tried.
    pub priors: Priors,
    /// The part of a value that is the margin of victory instead of victory itself: enough to choose
    /// between moves that all win or all lose.
    pub score_weight: f32,
    /// The part of a value that is lost by winning late, or losing early.
    pub length_weight: f32,
    /// On boards of this size and larger the tree has no moves that run into a ladder: there ladders
    /// are longer than a search looks ahead.
    pub ladders_from: usize,
    /// Runs that are caught with fewer ataris than these are left in the tree: short ones may be
    /// stones given away for something.
    pub fewest_ataris: u32,
    /// Whether the tree has moves on the edge where nobody is near.
    pub bare_edges: bool,
    /// The board of playouts, made when the first position is known.
    board: Option<PlayoutBoard>,
    candidates: Vec<(Move, Rule)>,
    distances: Distances,
}

impl GoGuide {
    /// A guide with the score bonus of Fuego.
    pub fn new(policy: Policy, priors: Priors) -> GoGuide {
        GoGuide {
            policy,
            priors,
            score_weight: 0.02,
            length_weight: 0.0,
            ladders_from: usize::MAX,
            fewest_ataris: 0,
            bare_edges: true,
            board: None,
            candidates: Vec::new(),
            distances: Distances::default(),
        }
    }

    /// The rules and priors of Fuego.
    pub fn fuego() -> GoGuide {
        GoGuide::new(Policy::fuego(), Priors::fuego())
    }

    /// All that is known here.
    pub fn strong() -> GoGuide {
        GoGuide::new(Policy::strong(), Priors::strong())
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

/// Passing is a thought once this part of the board is filled, or after a pass.
const SETTLED: f32 = 0.5;

/// Whether the side to move would not lose if both passed, late enough in the game to think of it.
fn may_pass(position: &Go) -> bool {
    let points = (position.board.size() * position.board.size()) as f32;
    let is_late = position.board.empties().len() as f32 <= (1.0 - SETTLED) * points;
    (is_late || position.passes > 0) && position.score() * position.turn().sign() as f32 >= 0.0
}

/// How far from a stone a point of the edge is bare, rows and columns added.
const BARE: usize = 4;

/// Whether a point is on the edge and no stone is near.
fn is_bare_edge(board: &Board, point: Point) -> bool {
    let last = board.size() - 1;
    let (row, column) = board.row_column(point);
    let is_edge = [row, column].into_iter().any(|line| line == 0 || line == last);
    let around = |line: usize| line.saturating_sub(BARE)..=(line + BARE).min(last);
    is_edge
        && around(row).all(|other_row| {
            around(column).all(|other_column| {
                row.abs_diff(other_row) + column.abs_diff(other_column) > BARE
                    || board.is_empty(board.point(other_row, other_column))
            })
        })
}

impl LeafEvaluator<Go> for GoGuide {
    fn simulate(&mut self, position: &Go, random: &mut Random, playout: &mut Playout<Move>) -> f32 {
        let board = self.board.get_or_insert_with(|| PlayoutBoard::new(position));
        board.set(position);
        let margin = board.play_out(&self.policy, random, &mut playout.moves);
        let points = position.board.size() * position.board.size();
        let margin = margin * position.turn().sign() as f32;
        self.value(margin, playout.moves.len(), points)
    }

    /// Legal moves that fill no own eye, and as the fields say do not run into a ladder and are not on a
    /// bare edge. A pass is among them if nothing else is, and where it would not lose the game as the
    /// board stands.
    fn moves(&mut self, position: &Go, out: &mut Vec<Move>) {
        if position.passes >= 2 {
            return;
        }
        let first = out.len();
        let turn = position.turn();
        let minds_ladders = position.board.size() >= self.ladders_from;
        let is_useful = |&point: &_| {
            position.board.is_empty(point)
                && !position.board.is_eye(turn, point)
                && position.illegal(point).is_none()
                && !(minds_ladders
                    && position.board.captures(turn, point) == 0
                    && runs_in_vain(position, point, self.fewest_ataris))
                && (self.bare_edges || !is_bare_edge(&position.board, point))
        };
        out.extend(position.board.points().filter(is_useful).map(Move::Play));
        if out.len() == first || may_pass(position) {
            out.push(Move::Pass);
        }
    }

    fn priors(&mut self, position: &Go, moves: &[Move], out: &mut Vec<Prior>) {
        if self.priors == Priors::none() {
            return;
        }
        self.candidates.clear();
        if self.priors.ask_the_policy() {
            let board = self.board.get_or_insert_with(|| PlayoutBoard::new(position));
            candidates(board, position, &self.policy, &mut self.candidates);
        }
        let ladder = match self.priors.ladder > 0.0 {
            true => ladder_attack(position),
            false => Point::NOWHERE,
        };
        let last = position.last_moves()[0].filter(|_| self.priors.measures_steps());
        if let Some(last) = last {
            self.distances.measure(&position.board, last, NEAR_STEPS);
        }
        let judge = Judge {
            priors: &self.priors,
            position,
            candidates: &self.candidates,
            ladder,
            distances: last.map(|_| &self.distances),
            is_lively: self.priors.ask_the_policy()
                && self.candidates.is_empty()
                && is_lively(position, moves),
        };
        out.extend(moves.iter().map(|&mv| judge.prior(mv)));
    }
}

#[cfg(test)]
mod tests {
    use super::{super::policy::read_diagram as read, *};

    fn moves(position: &Go) -> Vec<Move> {
        let mut moves = Vec::new();
        GoGuide::fuego().moves(position, &mut moves);
        moves
    }

    /// Black owns the left, White the right; only eyes are left.
    const FINISHED: &str = ".XO.O XXOOO .XO.O XXOOO .XO.o";

    #[test]
    fn eyes_are_not_filled_and_the_pass_is_left() {
        let (position, _) = read(FINISHED);
        assert_eq!(moves(&position), [Move::Pass]);
    }

    #[test]
    fn a_pass_is_answered_with_a_pass_by_who_wins_so() {
        let (mut position, _) = read("..... .XXX. ..... ..... .....");
        position.turn = ludus_core::Side::Second;
        position.play(Move::Pass);
        assert!(moves(&position).contains(&Move::Pass), "Black has everything");
        let (mut position, _) = read("..... .OOO. ..... ..... .....");
        position.play(Move::Pass);
        assert!(moves(&position).contains(&Move::Pass), "White has everything");
        let (mut position, _) = read("..... .OOO. ..... ..... .....");
        position.turn = ludus_core::Side::Second;
        position.play(Move::Pass);
        assert!(!moves(&position).contains(&Move::Pass), "Black would lose");
        position.rules.komi_halves = -2 * 25;
        assert!(moves(&position).contains(&Move::Pass), "a draw is better than some moves");
    }

    #[test]
    fn values_are_those_of_the_side_to_move() {
        let (position, _) = read(FINISHED);
        let mut playout = Playout::default();
        let mut random = Random::new(1);
        let value = GoGuide::fuego().simulate(&position, &mut random, &mut playout);
        assert_eq!(playout.moves, [Move::Pass, Move::Pass]);
        assert!((-1.0..-0.9).contains(&value), "Black loses by komi: {value}");
        let passed = position.after(Move::Pass);
        playout.clear();
        let value = GoGuide::fuego().simulate(&passed, &mut random, &mut playout);
        assert!((0.9..=1.0).contains(&value), "White wins: {value}");
    }

    #[test]
    fn every_move_gets_a_prior() {
        let (position, _) = read("..... .XOX. .OX.. ..... ....o");
        let moves = moves(&position);
        let mut priors = Vec::new();
        GoGuide::strong().priors(&position, &moves, &mut priors);
        assert_eq!(priors.len(), moves.len());
        assert!(priors.iter().all(|prior| prior.value.abs() <= 1.0 && prior.visits >= 9.0));
    }

    /// Whether the first marked point of a diagram is among the moves of a guide.
    fn offers(mut guide: GoGuide, diagram: &str) -> bool {
        let (position, marked) = read(diagram);
        let mut moves = Vec::new();
        guide.moves(&position, &mut moves);
        moves.contains(&Move::Play(marked[0]))
    }

    #[test]
    fn large_boards_are_not_searched_for_runs_into_a_ladder() {
        let run = "....... ..OO... .OX*... ..o.... ....... ....... .......";
        let offered = |ladders_from| offers(GoGuide { ladders_from, ..GoGuide::fuego() }, run);
        assert!(offered(8) && !offered(7));
    }

    #[test]
    fn short_runs_may_be_looked_at() {
        let minding =
            |fewest_ataris| GoGuide { ladders_from: 0, fewest_ataris, ..GoGuide::fuego() };
        let short = "*XO.... .Oo.... ....... ....... ....... ....... .......";
        assert!(!offers(minding(0), short) && offers(minding(2), short));
        let long = "....... ..OO... .OX*... ..o.... ....... ....... .......";
        assert!(!offers(minding(2), long));
    }

    #[test]
    fn bare_edges_may_be_left_out() {
        let guide = |bare_edges| GoGuide { bare_edges, ..GoGuide::fuego() };
        let far = "*...... ....... ....... ....... ....... ....... ......o";
        let near = "*...... ....... ..o.... ....... ....... ....... .......";
        assert!(offers(guide(true), far) && !offers(guide(false), far));
        assert!(offers(guide(false), near));
    }
}
