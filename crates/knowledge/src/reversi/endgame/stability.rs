//! Discs that can never be turned over again: they bound the margin from above and below.

use ludus_games::reversi::bits::{beside, full_lines};
use std::sync::LazyLock;

/// The stable discs on one edge, as bits, by the owner's and the opponent's discs there: those that
/// no sequence of placements on the edge, by either side in any order, can turn over.
static EDGES: LazyLock<Vec<u8>> = LazyLock::new(stable_on_edges);

const EDGE: u64 = 0xFF81_8181_8181_81FF;
const COLUMN: u64 = 0x0101_0101_0101_0101;

#[inline]
fn edge_index(own: u8, other: u8) -> usize {
    usize::from(own) << 8 | usize::from(other)
}

fn stable_on_edges() -> Vec<u8> {
    let mut stable = vec![0; 1 << 16];
    // Fuller edges first: every placement leads to one.
    for empties in 0..=8 {
        for occupied in (0..=255u8).filter(|bits| bits.count_zeros() == empties) {
            // All ways to share the occupied squares out.
            let mut own = occupied;
            loop {
                let other = occupied ^ own;
                stable[edge_index(own, other)] = stable_here(own, other, &stable);
                if own == 0 {
                    break;
                }
                own = (own - 1) & occupied;
            }
        }
    }
    stable
}

fn stable_here(own: u8, other: u8, fuller: &[u8]) -> u8 {
    let mut stable = own;
    for square in (0..8).filter(|square| (own | other) >> square & 1 == 0) {
        let gained = turned_on_edge(own, other, square);
        stable &= fuller[edge_index(own ^ gained | 1 << square, other ^ gained)];
        let lost = turned_on_edge(other, own, square);
        stable &= fuller[edge_index(own ^ lost, other ^ lost | 1 << square)];
    }
    stable
}

fn turned_on_edge(own: u8, other: u8, square: i32) -> u8 {
    let mut turned = 0;
    for step in [-1, 1] {
        let (mut at, mut run) = (square + step, 0);
        while (0..8).contains(&at) && other >> at & 1 == 1 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && own >> at & 1 == 1 {
            turned |= run;
        }
    }
    turned
}

/// Finds stable discs.
#[derive(Copy, Clone)]
pub(super) struct Stability {
    edges: &'static [u8],
}

impl Stability {
    pub fn new() -> Stability {
        Stability { edges: &EDGES }
    }

    /// A subset of the stable discs of `own`.
    pub fn stable(self, own: u64, other: u64) -> u64 {
        let full = full_lines(!(own | other));
        let inner = own & !EDGE;
        let mut stable =
            self.stable_edges(own, other) | (inner & full[0] & full[1] & full[2] & full[3]);
        // A disc is safe along a line if the line is full or a safe neighbour shields it there.
        while stable != 0 {
            let shield = beside(stable);
            let safe = |lane: usize| full[lane] | shield[lane];
            let more = stable | (inner & safe(0) & safe(1) & safe(2) & safe(3));
            if more == stable {
                break;
            }
            stable = more;
        }
        stable
    }

    fn stable_edges(self, own: u64, other: u64) -> u64 {
        let along =
            |own: u64, other: u64| u64::from(self.edges[edge_index(own as u8, other as u8)]);
        let upright = |shift: u32| spread(along(pack(own >> shift), pack(other >> shift))) << shift;
        along(own, other) | along(own >> 56, other >> 56) << 56 | upright(0) | upright(7)
    }
}

/// The squares of the first column as one byte.
#[inline]
fn pack(squares: u64) -> u64 {
    (squares & COLUMN).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The inverse of [`pack`]: a byte on the first column.
#[inline]
fn spread(byte: u64) -> u64 {
    // The last bit goes apart: the product would carry out of it.
    ((byte & 0x7F).wrapping_mul(0x0002_0408_1020_4081) & COLUMN) | byte >> 7 << 56
}
