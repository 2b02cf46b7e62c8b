//! The evaluation: an estimate of the final area plus tactical terms.
//!
//! Its unit is a point, so komi is a part of it, and a position with the colours exchanged has the
//! negated komi.

use super::GoKnowledge;
use ludus_core::{EvalNode, EvalTree, HasEval, SearchHints, Side, Weight, eval::MAX_PHASE};
use ludus_games::go::{Go, GoBoard, Point};

static EVALUATION: EvalNode<Go> = EvalNode::Sum(
    "go",
    &[
        (
            Weight::tapered(40, 100),
            EvalNode::Sum(
                "area",
                &[
                    (Weight::flat(1), EvalNode::Count("stones", stones)),
                    (Weight::flat(1), EvalNode::Count("empty points nearer to own stones", nearer)),
                ],
            ),
        ),
        (Weight::flat(50), EvalNode::Count("half points of komi", |go| -go.rules().komi_halves)),
        (Weight::tapered(50, 80), EvalNode::Count("enemy stones in atari", endangered)),
        (Weight::tapered(12, 4), EvalNode::Count("breathing room of chains", breathing_room)),
        (Weight::tapered(10, 40), EvalNode::Count("eyes", eyes)),
        (Weight::tapered(-60, 0), EvalNode::Count("stones on the edge", edge)),
        (Weight::tapered(25, 0), EvalNode::Count("stones on the third and fourth line", lines)),
    ],
);

/// Sums `value` over the stones, counting the second side's as negative.
fn over_stones(board: &GoBoard, value: impl Fn(Point) -> i32) -> i32 {
    board.points().filter_map(|point| Some(board.stone(point)?.sign() * value(point))).sum()
}

/// Sums `value` over the chains, counting the second side's as negative.
fn over_chains(board: &GoBoard, value: impl Fn(Point) -> i32) -> i32 {
    over_stones(board, |point| if board.chain(point) == point { value(point) } else { 0 })
}

fn stones(go: &Go) -> i32 {
    go.board().count(Side::First) as i32 - go.board().count(Side::Second) as i32
}

/// Reach of the influence of a stone, in steps.
const MAX_INFLUENCE_STEPS: u8 = 5;

/// Empty points nearer to a stone of the first side than to any of the second, minus the reverse;
/// points out of reach of both count for neither.
fn nearer(go: &Go) -> i32 {
    let [first, second] = Side::BOTH.map(|side| distances(go.board(), side));
    let compare = |&point: &Point| {
        let (near, far) = (first[point.index()], second[point.index()]);
        i32::from(near < far) - i32::from(far < near)
    };
    go.board().empties().iter().map(compare).sum()
}

/// The number of steps over empty points from the stones of `side`, up to [`MAX_INFLUENCE_STEPS`]
/// and beyond it the same everywhere.
fn distances(board: &GoBoard, side: Side) -> [u8; 1024] {
    let mut distances = [MAX_INFLUENCE_STEPS + 1; 1024];
    let mut front: Vec<Point> =
        board.points().filter(|&point| board.stone(point) == Some(side)).collect();
    for &point in &front {
        distances[point.index()] = 0;
    }
    let mut next = 0;
    while let Some(&point) = front.get(next) {
        next += 1;
        let distance = distances[point.index()] + 1;
        if distance > MAX_INFLUENCE_STEPS {
            break;
        }
        for neighbour in board.neighbours(point) {
            if board.is_empty(neighbour) && distance < distances[neighbour.index()] {
                distances[neighbour.index()] = distance;
                front.push(neighbour);
            }
        }
    }
    distances
}

/// Stones in atari: of the second side minus of the first, since the other side gains them.
fn endangered(go: &Go) -> i32 {
    let board = go.board();
    -over_chains(board, |head| if board.in_atari(head) { board.chain_size(head) as i32 } else { 0 })
}

/// Liberties beyond this many make a chain no safer.
const ENOUGH_LIBERTIES: usize = 5;

fn breathing_room(go: &Go) -> i32 {
    over_chains(go.board(), |head| go.board().liberties(head).min(ENOUGH_LIBERTIES) as i32)
}

fn eyes(go: &Go) -> i32 {
    let count = |side| go.board().empties().iter().filter(|&&p| go.board().is_eye(side, p)).count();
    count(Side::First) as i32 - count(Side::Second) as i32
}

/// The line a point is on, 0 at the edge.
fn line(board: &GoBoard, point: Point) -> usize {
    let (row, column) = board.row_column(point);
    let last = board.size() - 1;
    row.min(column).min(last - row).min(last - column)
}

fn edge(go: &Go) -> i32 {
    over_stones(go.board(), |point| i32::from(line(go.board(), point) == 0))
}

fn lines(go: &Go) -> i32 {
    over_stones(go.board(), |point| i32::from(matches!(line(go.board(), point), 2 | 3)))
}

/// The part of the board that is filled; two thirds count as full, because games rarely fill more.
fn phase(go: &Go) -> i32 {
    let points = (go.board().size() * go.board().size()) as i32;
    let filled = points - go.board().empties().len() as i32;
    filled * MAX_PHASE * 3 / (2 * points)
}

impl SearchHints<Go> for GoKnowledge {}

impl HasEval<Go> for GoKnowledge {
    type Handcrafted = EvalTree<Go>;

    fn handcrafted() -> EvalTree<Go> {
        EvalTree::new(&EVALUATION, phase)
    }
}
