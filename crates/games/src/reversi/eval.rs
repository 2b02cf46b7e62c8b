//! The evaluation: corners and what they make safe, bad squares beside corners nobody holds yet,
//! moves now and moves to come, who gets the last word, and discs, which count only late.

use super::{bits::neighbours, position::Reversi};
use ludus_core::{Composition, Judged, Scoring, Side, Weight, eval::PHASES};

static EVALUATION: Scoring<Reversi> = Scoring::Sum(
    "reversi",
    &[
        (Weight::sliding(900, 500), Scoring::Count("corners", corners)),
        (
            Weight::flat(1),
            Scoring::Product("risky squares, if corners are open", &RISKY, open_corners),
        ),
        (Weight::sliding(90, 40), Scoring::Count("moves", moves)),
        (Weight::sliding(-45, 0), Scoring::Count("frontier discs", frontier)),
        (Weight::sliding(150, 120), Scoring::Count("stable edge discs", stable_edges)),
        (Weight::sliding(0, 150), Scoring::Count("last move", parity)),
        (Weight::flat(1), Scoring::Product("discs, if few squares are left", &DISCS, lateness)),
    ],
);

static RISKY: Scoring<Reversi> = Scoring::Sum(
    "beside open corners",
    &[
        (Weight::sliding(-350, -150), Scoring::Count("diagonally (X squares)", x_squares)),
        (Weight::sliding(-140, -60), Scoring::Count("on the edge (C squares)", c_squares)),
    ],
);

static DISCS: Scoring<Reversi> =
    Scoring::Sum("discs", &[(Weight::flat(100), Scoring::Count("disc lead", disc_lead))]);

/// A corner with the squares around it.
struct Corner {
    corner: u64,
    diagonal: u64,
    edge: u64,
}

const CORNERS: [Corner; 4] = [
    Corner { corner: 1, diagonal: 1 << 9, edge: 1 << 1 | 1 << 8 },
    Corner { corner: 1 << 7, diagonal: 1 << 14, edge: 1 << 6 | 1 << 15 },
    Corner { corner: 1 << 56, diagonal: 1 << 49, edge: 1 << 48 | 1 << 57 },
    Corner { corner: 1 << 63, diagonal: 1 << 54, edge: 1 << 55 | 1 << 62 },
];

const ALL_CORNERS: u64 = 0x8100_0000_0000_0081;

/// `count` for the first side minus `count` for the second.
fn balance(count: impl Fn(Side) -> u64) -> i32 {
    let [first, second] = Side::BOTH.map(|side| count(side).count_ones() as i32);
    first - second
}

fn corners(position: &Reversi) -> i32 {
    balance(|side| position.discs(side) & ALL_CORNERS)
}

/// The squares `near` gives for every corner that is still empty.
fn near_open_corners(position: &Reversi, near: impl Fn(&Corner) -> u64) -> u64 {
    let open = |corner: &&Corner| position.empty() & corner.corner != 0;
    CORNERS.iter().filter(open).fold(0, |squares, corner| squares | near(corner))
}

fn x_squares(position: &Reversi) -> i32 {
    let squares = near_open_corners(position, |corner| corner.diagonal);
    balance(|side| position.discs(side) & squares)
}

fn c_squares(position: &Reversi) -> i32 {
    let squares = near_open_corners(position, |corner| corner.edge);
    balance(|side| position.discs(side) & squares)
}

/// The more corners are open, the dearer a square beside one: from 70 % (one) to 100 % (all four).
fn open_corners(position: &Reversi) -> i32 {
    60 + 10 * (position.empty() & ALL_CORNERS).count_ones() as i32
}

fn moves(position: &Reversi) -> i32 {
    balance(|side| position.placements(side))
}

/// Discs next to an empty square: each is a move the opponent may get.
fn frontier(position: &Reversi) -> i32 {
    let frontier = neighbours(position.empty());
    balance(|side| position.discs(side) & frontier)
}

/// Edge discs in an unbroken run from a corner: they can never be turned over again.
fn stable_edges(position: &Reversi) -> i32 {
    balance(|side| stable(position.discs(side)) & !ALL_CORNERS)
}

fn stable(own: u64) -> u64 {
    const TOP_BOTTOM: u64 = 0xFF00_0000_0000_00FF;
    const LEFT_RIGHT: u64 = 0x8181_8181_8181_8181;
    let (mut rows, mut columns) = (own & ALL_CORNERS, own & ALL_CORNERS);
    for _ in 0..6 {
        rows |= (rows << 1 | rows >> 1) & own & TOP_BOTTOM;
        columns |= (columns << 8 | columns >> 8) & own & LEFT_RIGHT;
    }
    rows | columns
}

/// The side that fills the last square, if nobody passes: the one to move when an odd number is
/// left.
fn parity(position: &Reversi) -> i32 {
    let odd = position.empty().count_ones() % 2 == 1;
    if odd { position.turn.sign() } else { -position.turn.sign() }
}

fn disc_lead(position: &Reversi) -> i32 {
    balance(|side| position.discs(side))
}

/// Discs mean nothing while they can still be turned: 0 % until 16 squares are left, 100 % at the
/// end.
fn lateness(position: &Reversi) -> i32 {
    (16 - position.empty().count_ones() as i32).max(0) * 100 / 16
}

fn phase(position: &Reversi) -> i32 {
    (60 - position.empty().count_ones() as i32) * PHASES / 60
}

impl Judged for Reversi {
    type Hand = Composition<Reversi>;

    fn hand() -> Composition<Reversi> {
        Composition::new(&EVALUATION, phase)
    }

    fn swapped(&self) -> Option<Reversi> {
        Some(Reversi { turn: !self.turn, ..*self })
    }
}
