//! Pattern tables: every arrangement of a small group of squares has a weight of its own, fitted by
//! regression, as in Michael Buro's Logistello ("From simple features to sophisticated
//! evaluation functions", 1998; "Experiments with Multi-ProbCut and a new high-quality evaluation
//! function for Othello", 1997), whose shapes these are.
//!
//! An arrangement is a number in base 3, a digit for each square of the shape from the lowest on: 0
//! empty, 1 an own disc, 2 an enemy disc. A shape is read at all its images under the symmetries of
//! the board, and arrangements that are each other's mirror image share a term. So do arrangements
//! with the colours exchanged, with the opposite sign: one that equals its own opposite needs none.

use std::sync::LazyLock;

/// The squares of a pattern.
pub(super) struct Shape {
    pub squares: u64,
    /// Its number of terms.
    pub terms: usize,
    /// The boards (see [`boards`]) on which each image of the shape is read once.
    boards: &'static [usize],
    /// The symmetry that takes the shape to itself.
    mirror: fn(u32) -> u32,
}

const LINES: &[usize] = &[0, 1, 2, 3];
const CORNERS: &[usize] = &[0, 1, 4, 5];
const ALL: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7];
const SHORT_DIAGONALS: &[usize] = &[0, 1, 2, 4];
const LONG_DIAGONALS: &[usize] = &[0, 1];

fn left_right(square: u32) -> u32 {
    square ^ 7
}

fn transposed(square: u32) -> u32 {
    square % 8 * 8 + square / 8
}

fn along_diagonal(square: u32) -> u32 {
    63 - transposed(square)
}

fn unmoved(square: u32) -> u32 {
    square
}

pub(super) const SHAPES: [Shape; 11] = [
    // An edge with the two squares diagonally beside its corners.
    Shape { squares: 0x42FF, terms: 14_762, boards: LINES, mirror: left_right },
    // The nine squares of a corner.
    Shape { squares: 0x0007_0707, terms: 5_096, boards: CORNERS, mirror: transposed },
    // Two rows of five from a corner.
    Shape { squares: 0x1F1F, terms: 29_524, boards: ALL, mirror: unmoved },
    // The second, third and fourth line.
    Shape { squares: 0xFF00, terms: 1_640, boards: LINES, mirror: left_right },
    Shape { squares: 0x00FF_0000, terms: 1_640, boards: LINES, mirror: left_right },
    Shape { squares: 0xFF00_0000, terms: 1_640, boards: LINES, mirror: left_right },
    // Diagonals of eight squares down to four.
    Shape {
        squares: 0x8040_2010_0804_0201,
        terms: 1_640,
        boards: LONG_DIAGONALS,
        mirror: along_diagonal,
    },
    Shape {
        squares: 0x0080_4020_1008_0402,
        terms: 560,
        boards: SHORT_DIAGONALS,
        mirror: along_diagonal,
    },
    Shape {
        squares: 0x8040_2010_0804,
        terms: 182,
        boards: SHORT_DIAGONALS,
        mirror: along_diagonal,
    },
    Shape { squares: 0x0080_4020_1008, terms: 65, boards: SHORT_DIAGONALS, mirror: along_diagonal },
    Shape { squares: 0x8040_2010, terms: 20, boards: SHORT_DIAGONALS, mirror: along_diagonal },
];

/// The terms of all shapes together.
pub(super) const TERMS: usize = {
    let (mut terms, mut shape) = (0, 0);
    while shape < SHAPES.len() {
        terms += SHAPES[shape].terms;
        shape += 1;
    }
    terms
};

const MAX_SQUARES: u32 = 10;

/// A set of squares of a shape as a number in base 3 with digits 0 and 1.
static TERNARY: [u16; 1 << MAX_SQUARES] = {
    let mut numbers = [0; 1 << MAX_SQUARES];
    let mut set = 1;
    while set < numbers.len() {
        numbers[set] = 3 * numbers[set >> 1] + (set & 1) as u16;
        set += 1;
    }
    numbers
};

/// The term of an arrangement: four times its number, plus 0, 1 or 2 for a count of -1, 0 or 1.
type SignedTerm = u32;

/// The terms of all arrangements of all shapes, numbered through the shapes.
static SIGNED_TERMS: LazyLock<Vec<SignedTerm>> = LazyLock::new(|| {
    let mut signed_terms = Vec::new();
    let mut first_term = 0;
    for shape in &SHAPES {
        let terms = append_terms(shape, first_term, &mut signed_terms);
        assert_eq!(terms, shape.terms, "a test reads these tables");
        first_term += terms as u32;
    }
    signed_terms
});

const fn arrangements(shape: &Shape) -> usize {
    3usize.pow(shape.squares.count_ones())
}

/// Appends the terms of one shape's arrangements; returns its number of terms.
fn append_terms(shape: &Shape, first_term: u32, out: &mut Vec<SignedTerm>) -> usize {
    let squares: Vec<u32> = (0..64).filter(|square| shape.squares >> square & 1 == 1).collect();
    let powers: Vec<u32> = (0..squares.len() as u32).map(|digit| 3u32.pow(digit)).collect();
    let mirror = shape.mirror;
    let image = |digit: usize| squares.iter().position(|&square| square == mirror(squares[digit]));
    let images: Vec<usize> =
        (0..squares.len()).map(|digit| image(digit).unwrap_or(digit)).collect();
    let start = out.len();
    let mut terms = 0;
    for arrangement in 0..arrangements(shape) as u32 {
        let [mut mirrored, mut opposite, mut both] = [0; 3];
        for (digit, &image) in images.iter().enumerate() {
            let value = arrangement / powers[digit] % 3;
            let exchanged = (3 - value) % 3;
            mirrored += value * powers[image];
            opposite += exchanged * powers[digit];
            both += exchanged * powers[image];
        }
        let (plain, inverse) = (arrangement.min(mirrored), opposite.min(both));
        let known = |out: &[SignedTerm], at: u32| out[start + at as usize];
        let term = if plain == inverse {
            first_term << 2 | 1
        } else if inverse < plain {
            known(out, inverse) ^ 2
        } else if plain < arrangement {
            known(out, plain)
        } else {
            terms += 1;
            (first_term + terms - 1) << 2 | 2
        };
        out.push(term);
    }
    terms as usize
}

/// The board under its eight symmetries: as it is, upside down, transposed, transposed and
/// upside down, and the same four with left and right exchanged.
#[inline(always)]
fn boards(squares: u64) -> [u64; 8] {
    let turned = transpose(squares);
    let (mirrored, mirrored_turned) = (mirror_rows(squares), mirror_rows(turned));
    [
        squares,
        squares.swap_bytes(),
        turned,
        turned.swap_bytes(),
        mirrored,
        mirrored.swap_bytes(),
        mirrored_turned,
        mirrored_turned.swap_bytes(),
    ]
}

/// Left and right exchanged: the order of all bits, then of the bytes back.
#[inline(always)]
fn mirror_rows(squares: u64) -> u64 {
    squares.reverse_bits().swap_bytes()
}

/// Rows and columns exchanged: single squares, then blocks of two by two, then of four by four.
#[inline(always)]
fn transpose(squares: u64) -> u64 {
    let exchange = |squares: u64, distance: u32, mask: u64| {
        let differ = (squares ^ (squares >> distance)) & mask;
        squares ^ differ ^ (differ << distance)
    };
    let squares = exchange(squares, 7, 0x00AA_00AA_00AA_00AA);
    let squares = exchange(squares, 14, 0x0000_CCCC_0000_CCCC);
    exchange(squares, 28, 0x0000_0000_F0F0_F0F0)
}

/// Calls `seen` with every term that occurs and its count for the owner of `own`.
#[inline(always)]
pub(super) fn occurrences(own: u64, other: u64, mut seen: impl FnMut(usize, i32)) {
    let boards = [boards(own), boards(other)];
    let signed_terms = SIGNED_TERMS.as_slice();
    // One copy of the code for each shape, with its squares as constants, takes little more
    // than half the time of a loop over the shapes.
    read::<0>(&boards, signed_terms, &mut seen);
    read::<1>(&boards, signed_terms, &mut seen);
    read::<2>(&boards, signed_terms, &mut seen);
    read::<3>(&boards, signed_terms, &mut seen);
    read::<4>(&boards, signed_terms, &mut seen);
    read::<5>(&boards, signed_terms, &mut seen);
    read::<6>(&boards, signed_terms, &mut seen);
    read::<7>(&boards, signed_terms, &mut seen);
    read::<8>(&boards, signed_terms, &mut seen);
    read::<9>(&boards, signed_terms, &mut seen);
    read::<10>(&boards, signed_terms, &mut seen);
}

/// The first arrangement of each shape.
const FIRST: [usize; SHAPES.len() + 1] = {
    let mut first = [0; SHAPES.len() + 1];
    let mut shape = 0;
    while shape < SHAPES.len() {
        first[shape + 1] = first[shape] + arrangements(&SHAPES[shape]);
        shape += 1;
    }
    first
};

#[inline(always)]
fn read<const SHAPE: usize>(
    [own, other]: &[[u64; 8]; 2],
    signed_terms: &[SignedTerm],
    seen: &mut impl FnMut(usize, i32),
) {
    let squares = const { SHAPES[SHAPE].squares };
    let signed_terms = &signed_terms[const { FIRST[SHAPE] }..const { FIRST[SHAPE + 1] }];
    for &board in const { SHAPES[SHAPE].boards } {
        let digits = |set: u64| usize::from(TERNARY[pext(set, squares)]);
        let term = signed_terms[digits(own[board]) + 2 * digits(other[board])];
        seen((term >> 2) as usize, (term & 3) as i32 - 1);
    }
}

/// Parallel bit extract: the bits of `set` on `squares`, moved together.
#[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
#[inline(always)]
fn pext(set: u64, squares: u64) -> usize {
    // SAFETY: this function is only compiled where every processor it may run on has BMI2.
    let extracted = unsafe { std::arch::x86_64::_pext_u64(set, squares) };
    extracted as usize & (TERNARY.len() - 1)
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
use portable_pext as pext;

#[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))]
#[inline(always)]
fn portable_pext(set: u64, mut squares: u64) -> usize {
    let (mut extracted, mut bit) = (0, 0);
    while squares != 0 {
        extracted |= (set >> squares.trailing_zeros() & 1) << bit;
        bit += 1;
        squares &= squares - 1;
    }
    extracted as usize & (TERNARY.len() - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;
    use std::collections::{BTreeMap, BTreeSet};

    fn counts(own: u64, other: u64) -> BTreeMap<usize, i32> {
        let mut counts = BTreeMap::new();
        occurrences(own, other, |term, count| *counts.entry(term).or_default() += count);
        counts.retain(|_, count| *count != 0);
        counts
    }

    fn strewn(random: &mut Random) -> (u64, u64) {
        let own = random.bits() & random.bits();
        (own, random.bits() & !own)
    }

    #[test]
    fn symmetric_boards_have_the_same_terms_and_opposite_ones_the_opposite() {
        let mut random = Random::new(21);
        for _ in 0..200 {
            let (own, other) = strewn(&mut random);
            let here = counts(own, other);
            for (own, other) in boards(own).into_iter().zip(boards(other)) {
                assert_eq!(counts(own, other), here);
            }
            let opposite: BTreeMap<_, _> =
                here.iter().map(|(&term, &count)| (term, -count)).collect();
            assert_eq!(counts(other, own), opposite);
        }
    }

    #[test]
    fn every_place_of_a_shape_is_read_once() {
        for shape in &SHAPES {
            let places = |numbers: &[usize]| -> Vec<BTreeSet<u32>> {
                let on = |board: usize| {
                    (0..64).filter(move |&s| boards(1 << s)[board] & shape.squares != 0).collect()
                };
                numbers.iter().map(|&board| on(board)).collect()
            };
            let distinct: BTreeSet<_> = places(ALL).into_iter().collect();
            let read = places(shape.boards);
            assert_eq!(read.len(), distinct.len());
            assert_eq!(read.into_iter().collect::<BTreeSet<_>>(), distinct);
        }
    }

    /// Two arrangements share a term only if a symmetry makes them equal.
    #[test]
    fn different_arrangements_have_different_terms() {
        let mut start = 0;
        for shape in &SHAPES {
            let own_terms = &SIGNED_TERMS[start..start + arrangements(shape)];
            start += own_terms.len();
            let terms: BTreeSet<u32> =
                own_terms.iter().filter(|&term| term & 3 != 1).map(|m| m >> 2).collect();
            assert_eq!(terms.len(), shape.terms);
            let most = if shape.squares == 0x1F1F { 2 } else { 4 };
            for term in terms.iter().step_by(97) {
                let sharing = own_terms.iter().filter(|&m| m >> 2 == *term && m & 3 != 1).count();
                assert!((2..=most).contains(&sharing), "{sharing} arrangements share a term");
            }
        }
        assert_eq!(start, SIGNED_TERMS.len());
    }

    #[test]
    fn both_ways_to_gather_agree() {
        let mut random = Random::new(22);
        for shape in &SHAPES {
            for _ in 0..100 {
                let set = random.bits();
                assert_eq!(pext(set, shape.squares), portable_pext(set, shape.squares));
            }
        }
    }
}
