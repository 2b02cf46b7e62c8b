//! 3x3 patterns: shapes that make a move beside the last one worth playing.
//!
//! They are the patterns of MoGo (Gelly, Wang, Munos, Teytaud 2006): hane, cuts, and moves along
//! the edge. Each is drawn once; the table has it rotated, mirrored and with colours exchanged.

use super::PolicyView;
use super::points::Points;
use ludus_games::go::{
    Point,
    stones::{BORDER, EMPTY, Stones},
};
use std::sync::LazyLock;

/// The side that may play a pattern.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Mover {
    Either,
    OnlyX,
}

/// A pattern around the point to play on: `X` and `O` are stones, `x` anything but `X`, `o`
/// anything but `O`, `.` empty, `#` off the board, `?` anything.
type Pattern = (Mover, [&'static [u8; 3]; 3]);

#[rustfmt::skip]
const PATTERNS: [Pattern; 14] = [
    // Hane: around the enemy's head.
    (Mover::Either, [b"XOX",
                     b"...",
                     b"???"]),
    (Mover::Either, [b"XO.",
                     b"...",
                     b"?.?"]),
    (Mover::Either, [b"XO?",
                     b"X..",
                     b"x.?"]),
    (Mover::OnlyX,  [b"XOO",
                     b"...",
                     b"?.?"]),
    // A stone between two that lean on each other.
    (Mover::Either, [b".O.",
                     b"X..",
                     b"..."]),
    // Cuts: through a crossing the enemy cannot close, or one he peeps at.
    (Mover::Either, [b"XO?",
                     b"O.o",
                     b"?o?"]),
    (Mover::Either, [b"XO?",
                     b"O.X",
                     b"???"]),
    // Pushing between two stones.
    (Mover::Either, [b"?X?",
                     b"O.O",
                     b"ooo"]),
    (Mover::Either, [b"OX?",
                     b"o.O",
                     b"???"]),
    // At the edge: chasing, blocking, cutting, and going down.
    (Mover::Either, [b"X.?",
                     b"O.?",
                     b"###"]),
    (Mover::Either, [b"OX?",
                     b"X.O",
                     b"###"]),
    (Mover::Either, [b"?X?",
                     b"x.O",
                     b"###"]),
    (Mover::Either, [b"?XO",
                     b"x.x",
                     b"###"]),
    (Mover::Either, [b"?OX",
                     b"X.O",
                     b"###"]),
];

/// Row and column of the eight cells around the middle, in the order of a neighbourhood's bits.
const CELLS: [(usize, usize); 8] = [(0, 1), (1, 0), (1, 2), (2, 1), (0, 0), (0, 2), (2, 0), (2, 2)];

/// Neighbourhoods that match, one bit each, by the side to move.
pub(super) struct PatternTable([[u64; 1024]; 2]);

static TABLE: LazyLock<Box<PatternTable>> = LazyLock::new(PatternTable::new);

impl PatternTable {
    fn new() -> Box<PatternTable> {
        let mut table = Box::new(PatternTable([[0; 1024]; 2]));
        for (mover, rows) in PATTERNS {
            for cells in symmetries(rows.map(|row| *row)) {
                for x in 0..2 {
                    table.add(mover, &cells, x, 0, 0);
                }
            }
        }
        table
    }

    /// Adds every neighbourhood that has `found` in its first `known` cells and matches `cells` in
    /// the others, with side `x` as `X`.
    fn add(&mut self, mover: Mover, cells: &[u8; 8], x: usize, found: u16, known: usize) {
        let Some(&cell) = cells.get(known) else {
            for side in 0..2 {
                if mover == Mover::Either || side == x {
                    self.0[side][usize::from(found / 64)] |= 1 << (found % 64);
                }
            }
            return;
        };
        for content in EMPTY..=BORDER {
            if fits(cell, content, x) {
                let found = found | u16::from(content) << (2 * known);
                self.add(mover, cells, x, found, known + 1);
            }
        }
    }

    /// Whether a move of `SIDE` with this neighbourhood is a pattern.
    #[inline(always)]
    pub(super) fn matches<const SIDE: usize>(&self, around: u16) -> bool {
        self.0[SIDE][usize::from(around / 64)] >> (around % 64) & 1 != 0
    }
}

/// Whether a move of the first side with this neighbourhood is a pattern.
pub(super) fn is_drawn(around: u16) -> bool {
    TABLE.matches::<0>(around)
}

/// Whether a cell of a pattern stands for `content` when side `x` is `X`.
fn fits(cell: u8, content: u8, x: usize) -> bool {
    let [own, other] = if x == 0 { [1, 2] } else { [2, 1] };
    match cell {
        b'X' => content == own,
        b'O' => content == other,
        b'x' => content != own,
        b'o' => content != other,
        b'.' => content == EMPTY,
        b'#' => content == BORDER,
        _ => true,
    }
}

/// The cells of a pattern in the order of a neighbourhood, turned and mirrored in all eight ways.
fn symmetries(rows: [[u8; 3]; 3]) -> [[u8; 8]; 8] {
    let mut rows = rows;
    std::array::from_fn(|index| {
        let turned = |row: usize, column: usize| rows[2 - column][row];
        rows = std::array::from_fn(|row| std::array::from_fn(|column| turned(row, column)));
        if index == 4 {
            rows.reverse();
        }
        CELLS.map(|(row, column)| rows[row][column])
    })
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PolicyView<'_, ROOM, STRIDE, LENGTH>
{
    /// The moves of `SIDE` that match a pattern beside `last`.
    #[inline(always)]
    pub(super) fn propose_patterns<const SIDE: usize>(self, last: Point, out: &mut Points) {
        let table: &PatternTable = &TABLE;
        let around = self.neighbourhood(last);
        let mut empty = !(around | around >> 1) & 0x5555;
        while empty != 0 {
            let step = Stones::<ROOM, STRIDE, LENGTH>::ALL_STEPS
                [(empty.trailing_zeros() as usize / 2) & 7];
            empty &= empty - 1;
            let point = Stones::<ROOM, STRIDE, LENGTH>::neighbour(last, step);
            if table.matches::<SIDE>(self.neighbourhood(point)) {
                out.add(point);
            }
        }
    }

    /// Whether a stone of `SIDE` on the empty `point` matches a pattern.
    pub(in super::super) fn is_pattern<const SIDE: usize>(self, point: Point) -> bool {
        TABLE.matches::<SIDE>(self.neighbourhood(point))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A neighbourhood turned by a quarter: cell by cell, from where it came.
    fn turned(around: u16) -> u16 {
        rearranged(around, |row, column| (2 - column, row))
    }

    fn mirrored(around: u16) -> u16 {
        rearranged(around, |row, column| (row, 2 - column))
    }

    fn rearranged(around: u16, from: impl Fn(usize, usize) -> (usize, usize)) -> u16 {
        let cell = |place| CELLS.iter().position(|&cell| cell == place).unwrap();
        CELLS.iter().enumerate().fold(0, |new, (index, &(row, column))| {
            new | (around >> (2 * cell(from(row, column))) & 3) << (2 * index)
        })
    }

    /// Whether a drawing as it stands shows this neighbourhood.
    fn shows(rows: [&[u8; 3]; 3], around: u16, x: usize) -> bool {
        CELLS.iter().enumerate().all(|(index, &(row, column))| {
            fits(rows[row][column], (around >> (2 * index) & 3) as u8, x)
        })
    }

    fn plain(around: u16, side: usize) -> bool {
        let mut view = around;
        for turn in 0..8 {
            for (mover, rows) in PATTERNS {
                let with = |x| shows(rows, view, x);
                if with(side) || mover == Mover::Either && with(1 - side) {
                    return true;
                }
            }
            view = if turn == 3 { mirrored(view) } else { turned(view) };
        }
        false
    }

    #[test]
    fn the_table_agrees_with_a_plain_matcher_everywhere() {
        for around in 0..=u16::MAX {
            assert_eq!(TABLE.matches::<0>(around), plain(around, 0), "{around:#018b}");
            assert_eq!(TABLE.matches::<1>(around), plain(around, 1), "{around:#018b}");
        }
    }
}
