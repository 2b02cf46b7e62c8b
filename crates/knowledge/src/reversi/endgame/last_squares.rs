//! The last four empty squares, where most of the solver's time is spent: no move list, no table,
//! only flips, squares of odd quadrants first.

use super::board::{SolverBoard, take_square};
use ludus_games::reversi::bits::NEIGHBOURS;

/// Below every margin.
const NO_MARGIN: i32 = -128;

/// Discs turned over along a line by a disc in column `x`, where the bits are own discs and all
/// other squares the opponent's: `LINE_FLIPS[x][bits]`.
static LINE_FLIPS: [[u8; 256]; 8] = {
    let mut turned = [[0; 256]; 8];
    let mut x = 0;
    while x < 8 {
        let mut bits = 0;
        while bits < 256 {
            turned[x][bits] = line_flips(x, bits);
            bits += 1;
        }
        x += 1;
    }
    turned
};

const fn line_flips(x: usize, bits: usize) -> u8 {
    let mut turned = 0;
    let above = bits >> (x + 1);
    if above != 0 {
        turned += above.trailing_zeros() as u8;
    }
    let below = bits & ((1 << x) - 1);
    if below != 0 {
        turned += (x as u32 - 1 - below.ilog2()) as u8;
    }
    turned
}

/// The two diagonals through each square, the square left out.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let mut at = 0;
        while at < 64 {
            let right = at % 8 - square % 8;
            let down = at / 8 - square / 8;
            if at != square && right == down {
                diagonals[square as usize][0] |= 1 << at;
            } else if at != square && right == -down {
                diagonals[square as usize][1] |= 1 << at;
            }
            at += 1;
        }
        square += 1;
    }
    diagonals
};

/// The number of discs that a disc on `square`, the only empty square, turns over for the owner of
/// `own`.
#[inline]
fn flips_by_last(own: u64, square: u8) -> i32 {
    const COLUMN: u64 = 0x0101_0101_0101_0101;
    let (x, y) = (usize::from(square & 7), usize::from(square >> 3 & 7));
    // A column of bits, and a diagonal pushed together, each as one byte.
    let row = (own >> (8 * y)) as u8;
    let column = ((own >> x & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    let [down, up] = DIAGONALS[usize::from(square & 63)];
    let down = ((own & down).wrapping_mul(COLUMN) >> 56) as u8;
    let up = ((own & up).wrapping_mul(COLUMN) >> 56) as u8;
    let across = &LINE_FLIPS[x];
    let sum = across[usize::from(row)]
        + LINE_FLIPS[y][usize::from(column)]
        + across[usize::from(down)]
        + across[usize::from(up)];
    i32::from(sum)
}

/// The exact margin of the owner of `own`, who is to move, with one empty square.
#[inline]
pub(super) fn solve_one_empty(own: u64, square: u8) -> i32 {
    let discs = own.count_ones() as i32;
    let turned = flips_by_last(own, square);
    if turned > 0 {
        return 2 * (discs + turned + 1) - 64;
    }
    let lost = flips_by_last(!(own | 1 << square), square);
    if lost > 0 || discs < 32 { 2 * (discs - lost) - 64 } else { 2 * discs - 62 }
}

/// Two empty squares, `first` to be tried first.
#[inline]
fn solve_two_empty(board: SolverBoard, beta: i32, first: u8, second: u8, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let best = best_of_two(board.own, board.other, beta, [first, second], nodes);
    if best != NO_MARGIN {
        return best;
    }
    // A pass: the opponent wants the margin small, so nothing cuts its search short but its own
    // two moves.
    let best = best_of_two(board.other, board.own, -NO_MARGIN, [first, second], nodes);
    if best != NO_MARGIN { -best } else { board.final_margin() }
}

#[inline]
fn best_of_two(own: u64, other: u64, beta: i32, squares: [u8; 2], nodes: &mut u64) -> i32 {
    let mut best = NO_MARGIN;
    for at in 0..2 {
        let (square, rest) = (squares[at], squares[1 - at]);
        if NEIGHBOURS[usize::from(square & 63)] & other == 0 {
            continue;
        }
        let turned = ludus_games::reversi::bits::flips(own, other, square);
        if turned != 0 {
            *nodes += 1;
            best = best.max(-solve_one_empty(other ^ turned, rest));
            if best >= beta {
                return best;
            }
        }
    }
    best
}

/// Three empty squares.
fn solve_three_empty(
    board: SolverBoard,
    alpha: i32,
    beta: i32,
    passed: bool,
    nodes: &mut u64,
) -> i32 {
    let margin = |next, mut rest: u64, alpha: i32, nodes: &mut u64| {
        let first = take_square(&mut rest);
        let second = rest.trailing_zeros() as u8;
        -solve_two_empty(next, -alpha, first, second, nodes)
    };
    match (best_move(board, alpha, beta, nodes, margin), passed) {
        (NO_MARGIN, true) => board.final_margin(),
        (NO_MARGIN, false) => -solve_three_empty(board.passed(), -beta, -alpha, true, nodes),
        (best, _) => best,
    }
}

/// Four empty squares.
fn solve_four_empty(
    board: SolverBoard,
    alpha: i32,
    beta: i32,
    passed: bool,
    nodes: &mut u64,
) -> i32 {
    let margin = |next, _rest: u64, alpha: i32, nodes: &mut u64| {
        -solve_three_empty(next, -beta, -alpha, false, nodes)
    };
    match (best_move(board, alpha, beta, nodes, margin), passed) {
        (NO_MARGIN, true) => board.final_margin(),
        (NO_MARGIN, false) => -solve_four_empty(board.passed(), -beta, -alpha, true, nodes),
        (best, _) => best,
    }
}

/// The best margin of a move, or [`NO_MARGIN`] without one; moves in regions with an odd number of empty
/// squares first. `margin` is the side's after a move, given the board, its empty squares and alpha.
#[inline(always)]
fn best_move(
    board: SolverBoard,
    alpha: i32,
    beta: i32,
    nodes: &mut u64,
    margin: impl Fn(SolverBoard, u64, i32, &mut u64) -> i32,
) -> i32 {
    *nodes += 1;
    let empty = board.empty();
    let mut best = NO_MARGIN;
    for mut squares in [empty & board.odd(), empty & !board.odd()] {
        while squares != 0 {
            let square = take_square(&mut squares);
            if NEIGHBOURS[usize::from(square & 63)] & board.other == 0 {
                continue;
            }
            let turned = board.flips(square);
            if turned != 0 {
                let next = board.after(square, turned);
                best = best.max(margin(next, empty ^ 1 << square, alpha.max(best), nodes));
                if best >= beta {
                    return best;
                }
            }
        }
    }
    best
}

/// The margin of the side to move with at most four empty squares: exact within the window, a
/// bound outside of it.
#[inline]
pub(super) fn solve_last_squares(
    board: SolverBoard,
    alpha: i32,
    beta: i32,
    nodes: &mut u64,
) -> i32 {
    let mut empty = board.empty();
    match empty.count_ones() {
        4 => solve_four_empty(board, alpha, beta, false, nodes),
        3 => solve_three_empty(board, alpha, beta, false, nodes),
        2 => {
            let first = take_square(&mut empty);
            solve_two_empty(board, beta, first, empty.trailing_zeros() as u8, nodes)
        }
        1 => {
            *nodes += 1;
            solve_one_empty(board.own, empty.trailing_zeros() as u8)
        }
        _ => board.final_margin(),
    }
}
