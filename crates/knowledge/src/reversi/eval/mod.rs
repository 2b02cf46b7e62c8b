//! The evaluation: linear in its weights, which are in `data/hand/reversi.txt`.
//!
//! Handcrafted terms: corners and stable edges, X and C squares of empty corners, mobility and
//! potential mobility, parity, and discs, which count only late. Then pattern tables, in two sets,
//! because the value of an arrangement changes more between opening and endgame than two weights
//! can express.

mod patterns;

use crate::reversi::ReversiKnowledge;
use ludus_core::{
    HasEval, LinearEval, LinearEvaluator, Position, TermSink, Weights, eval::MAX_PHASE,
    linear::Group,
};
use ludus_games::reversi::{
    Reversi,
    bits::{neighbours, placements},
};
use patterns::{SHAPES, TERMS};
use std::sync::LazyLock;

/// The first term of each group of counts.
mod term {
    pub const CORNERS: usize = 0;
    /// By the number of open corners, one to four.
    pub const X_SQUARES: usize = CORNERS + 1;
    pub const C_SQUARES: usize = X_SQUARES + 4;
    pub const MOVES: usize = C_SQUARES + 4;
    /// By the number of moves of a side, below [`FEW_MOVES_LIMIT`](super::FEW_MOVES_LIMIT).
    pub const FEW_MOVES: usize = MOVES + 1;
    pub const OPEN_SQUARES: usize = FEW_MOVES + super::FEW_MOVES_LIMIT;
    pub const FRONTIER: usize = OPEN_SQUARES + 1;
    pub const STABLE_EDGES: usize = FRONTIER + 1;
    pub const TO_MOVE: usize = STABLE_EDGES + 1;
    pub const LAST_MOVE: usize = TO_MOVE + 1;
    pub const LATE_DISCS: usize = LAST_MOVE + 1;
    pub const PATTERNS: usize = LATE_DISCS + 1;
}

/// Numbers of moves below this have a term each.
const FEW_MOVES_LIMIT: usize = 8;

/// Number of empty squares from which on the late pattern set is used.
const LATE_PATTERN_EMPTIES: u32 = 30;

/// Number of empty squares below which discs count: one more weight unit for each square less.
const DISC_COUNT_EMPTIES: i32 = 16;

const fn group(name: &'static str, terms: usize) -> Group {
    Group { name, terms }
}

const fn pattern(name: &'static str, shape: usize) -> Group {
    Group { name, terms: SHAPES[shape].terms }
}

const GROUPS: [Group; 33] = [
    group("corners", 1),
    group("X squares", 4),
    group("C squares", 4),
    group("moves", 1),
    group("few moves", FEW_MOVES_LIMIT),
    group("open squares", 1),
    group("frontier discs", 1),
    group("stable edge discs", 1),
    group("to move", 1),
    group("last move", 1),
    group("late discs", 1),
    pattern("early edges", 0),
    pattern("early corners", 1),
    pattern("early corner blocks", 2),
    pattern("early second lines", 3),
    pattern("early third lines", 4),
    pattern("early fourth lines", 5),
    pattern("early diagonals of 8", 6),
    pattern("early diagonals of 7", 7),
    pattern("early diagonals of 6", 8),
    pattern("early diagonals of 5", 9),
    pattern("early diagonals of 4", 10),
    pattern("late edges", 0),
    pattern("late corners", 1),
    pattern("late corner blocks", 2),
    pattern("late second lines", 3),
    pattern("late third lines", 4),
    pattern("late fourth lines", 5),
    pattern("late diagonals of 8", 6),
    pattern("late diagonals of 7", 7),
    pattern("late diagonals of 6", 8),
    pattern("late diagonals of 5", 9),
    pattern("late diagonals of 4", 10),
];

impl LinearEval for ReversiKnowledge {
    type Position = Reversi;

    const GROUPS: &'static [Group] = &GROUPS;

    #[inline]
    fn count_terms(position: &Reversi, sink: &mut impl TermSink) {
        // Counts are from the view of the side to move; the trait requires the first side's.
        let sign = position.turn().sign();
        count_handcrafted_terms(position, |term, count| sink.add(term, sign * count));
        let late = position.empty().count_ones() <= LATE_PATTERN_EMPTIES;
        let first = term::PATTERNS + if late { TERMS } else { 0 };
        patterns::occurrences(position.own(), position.other(), |term, count| {
            sink.add(first + term, sign * count);
        });
    }

    #[inline]
    fn phase(position: &Reversi) -> i32 {
        (60 - position.empty().count_ones() as i32).max(0) * MAX_PHASE / 60
    }
}

static HANDCRAFTED: LazyLock<LinearEvaluator<ReversiKnowledge>> = LazyLock::new(|| {
    let weights = Weights::parse(ludus_data::hand::REVERSI, ReversiKnowledge::GROUPS)
        .expect("a test reads these weights");
    LinearEvaluator::new(&weights)
});

impl HasEval<Reversi> for ReversiKnowledge {
    type Handcrafted = LinearEvaluator<ReversiKnowledge>;

    fn handcrafted() -> LinearEvaluator<ReversiKnowledge> {
        HANDCRAFTED.clone()
    }
}

/// The counts, the side to move's minus its opponent's.
#[inline(always)]
fn count_handcrafted_terms(position: &Reversi, mut add: impl FnMut(usize, i32)) {
    let (own, other) = (position.own(), position.other());
    let empty = position.empty();
    let lead = |squares: u64| count(own & squares) - count(other & squares);
    let open = empty & ALL_CORNERS;
    add(term::CORNERS, lead(ALL_CORNERS));
    if open != 0 {
        let by_open = open.count_ones() as usize - 1;
        add(term::X_SQUARES + by_open, lead(x_squares(open)));
        add(term::C_SQUARES + by_open, lead(c_squares(open)));
    }
    let moves = [placements(own, other), placements(other, own)].map(count);
    add(term::MOVES, moves[0] - moves[1]);
    for (moves, sign) in moves.into_iter().zip([1, -1]) {
        if (moves as usize) < FEW_MOVES_LIMIT {
            add(term::FEW_MOVES + moves as usize, sign);
        }
    }
    add(term::OPEN_SQUARES, count(neighbours(other) & empty) - count(neighbours(own) & empty));
    add(term::FRONTIER, lead(neighbours(empty)));
    add(term::STABLE_EDGES, count(run_from_corners(own)) - count(run_from_corners(other)));
    add(term::TO_MOVE, 1);
    // Parity: without passes the side to move fills the last square when an odd number is left.
    let empties = count(empty);
    add(term::LAST_MOVE, if empties % 2 == 1 { 1 } else { -1 });
    add(term::LATE_DISCS, lead(u64::MAX) * (DISC_COUNT_EMPTIES - empties).max(0));
}

#[inline(always)]
fn count(squares: u64) -> i32 {
    squares.count_ones() as i32
}

const ALL_CORNERS: u64 = 0x8100_0000_0000_0081;

/// The squares diagonally beside the corners in `corners`.
#[inline(always)]
fn x_squares(corners: u64) -> u64 {
    (corners & 1) << 9
        | (corners & 1 << 7) << 7
        | (corners & 1 << 56) >> 7
        | (corners & 1 << 63) >> 9
}

/// The squares beside the corners in `corners` on the edge.
#[inline(always)]
fn c_squares(corners: u64) -> u64 {
    const LEFT: u64 = 1 | 1 << 56;
    const TOP: u64 = 1 | 1 << 7;
    (corners & LEFT) << 1 | (corners & !LEFT) >> 1 | (corners & TOP) << 8 | (corners & !TOP) >> 8
}

/// Stable edge discs: those other than corners in an unbroken run from a corner.
#[inline(always)]
fn run_from_corners(own: u64) -> u64 {
    const TOP_BOTTOM: u64 = 0xFF00_0000_0000_00FF;
    const LEFT_RIGHT: u64 = 0x8181_8181_8181_8181;
    let corners = own & ALL_CORNERS;
    if corners == 0 {
        return 0;
    }
    let (mut rows, mut columns) = (corners, corners);
    for _ in 0..6 {
        rows |= (rows << 1 | rows >> 1) & own & TOP_BOTTOM;
        columns |= (columns << 8 | columns >> 8) & own & LEFT_RIGHT;
    }
    (rows | columns) & !ALL_CORNERS
}
