//! Move ordering.
//!
//! With few empty squares fastest first: the move that leaves the opponent the fewest replies,
//! corners counting more, odd quadrants preferred. With many: the value of a shallow search.

use super::board::{SolverBoard, take_square};
use ludus_games::reversi::bits::{neighbours, placements};

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// A move with the resulting board; higher scores are tried first.
#[derive(Copy, Clone, Debug)]
pub(super) struct Candidate {
    pub square: u8,
    pub score: i32,
    pub next: SolverBoard,
}

/// Square values for ordering.
static SQUARES: [i8; 64] = squares();

const fn squares() -> [i8; 64] {
    // From the corner to the middle, along the edge and inwards.
    const QUARTER: [[i8; 4]; 4] = [[18, 4, 16, 12], [4, 2, 6, 8], [16, 6, 14, 10], [12, 8, 10, 0]];
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let row = if row < 4 { row } else { 7 - row };
        let column = if column < 4 { column } else { 7 - column };
        all[square] = QUARTER[row][column];
        square += 1;
    }
    all
}

/// Mobility of the side to move, corners counted twice.
#[inline]
fn weighted_mobility(board: SolverBoard) -> i32 {
    let moves = placements(board.own, board.other);
    (moves.count_ones() + (moves & CORNERS).count_ones()) as i32
}

/// Appends the moves to `squares` with fast ordering scores.
#[inline]
pub(super) fn list_moves(board: SolverBoard, mut squares: u64, out: &mut Vec<Candidate>) {
    let odd = board.odd();
    while squares != 0 {
        let square = take_square(&mut squares);
        let next = board.after(square, board.flips(square));
        let mut score = i32::from(SQUARES[usize::from(square & 63)]);
        if odd >> square & 1 == 1 {
            score += 16;
        }
        score -= 32 * weighted_mobility(next);
        score -= 4 * (neighbours(next.empty()) & next.other).count_ones() as i32;
        out.push(Candidate { square, score, next });
    }
}

/// A static evaluation for the side to move, in hundredths of a disc or so.
pub(super) fn static_eval(board: SolverBoard) -> i32 {
    let SolverBoard { own, other, .. } = board;
    let empty = board.empty();
    let corner_lead = lead(own & CORNERS, other & CORNERS);
    let moves = weighted_mobility(board) - weighted_mobility(board.passed());
    let border = neighbours(empty);
    let frontier = lead(own & border, other & border);
    let edges = lead(run_from_corners(own), run_from_corners(other));
    400 * corner_lead + 100 * moves - 40 * frontier + 150 * edges
        - 300 * x_square_lead(own, other, empty)
}

#[inline]
fn lead(own: u64, other: u64) -> i32 {
    own.count_ones() as i32 - other.count_ones() as i32
}

/// The lead in discs on X squares of empty corners.
fn x_square_lead(own: u64, other: u64, empty: u64) -> i32 {
    let open = empty & CORNERS;
    let near =
        (open & 1) << 9 | (open & 1 << 7) << 7 | (open & 1 << 56) >> 7 | (open & 1 << 63) >> 9;
    lead(own & near, other & near)
}

/// Edge discs in an unbroken run from a corner.
fn run_from_corners(own: u64) -> u64 {
    const TOP_BOTTOM: u64 = 0xFF00_0000_0000_00FF;
    const LEFT_RIGHT: u64 = 0x8181_8181_8181_8181;
    let (mut rows, mut columns) = (own & CORNERS, own & CORNERS);
    for _ in 0..6 {
        rows |= (rows << 1 | rows >> 1) & own & TOP_BOTTOM;
        columns |= (columns << 8 | columns >> 8) & own & LEFT_RIGHT;
    }
    rows | columns
}

/// A plain alpha-beta search of `depth` plies over [`static_eval`], for ordering only.
pub(super) fn shallow(
    board: SolverBoard,
    depth: u32,
    mut alpha: i32,
    beta: i32,
    buffer: &mut Vec<Candidate>,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    if depth == 0 {
        return static_eval(board);
    }
    let squares = board.placements();
    if squares == 0 {
        let passed = board.passed();
        if passed.placements() == 0 {
            return 10_000 * board.final_margin();
        }
        return -shallow(passed, depth, -beta, -alpha, buffer, nodes);
    }
    let start = buffer.len();
    list_moves(board, squares, buffer);
    let mut best = i32::MIN;
    while buffer.len() > start {
        let next = take_best(buffer, start).next;
        best = best.max(-shallow(next, depth - 1, -beta, -alpha, buffer, nodes));
        alpha = alpha.max(best);
        if alpha >= beta {
            buffer.truncate(start);
        }
    }
    best
}

/// Removes the best of the candidates from `start` on, which must be there.
#[inline]
pub(super) fn take_best(buffer: &mut Vec<Candidate>, start: usize) -> Candidate {
    let mut best = start;
    for at in start + 1..buffer.len() {
        if buffer[at].score > buffer[best].score {
            best = at;
        }
    }
    buffer.swap_remove(best)
}
