//! The board: stones, chains and liberties, kept up to date move by move.
//!
//! Points are numbered row by row from the top left, with one column and two rows of border:
//!
//! ```text
//!      0  1  2  3        border
//!      4 [5  6  7]       a 3x3 board: rows are `stride` = size + 1 apart, so the border left of
//!      8 [9 10 11]       a row is also the border right of the row above
//!     12[13 14 15]
//!     16 17 18 19 20     border
//! ```
//!
//! A chain is a circular list of stones; all of them name one head, which keeps its liberties. A
//! point counts once for every stone of the chain beside it (a "pseudo-liberty"), and three sums
//! over them share one word, so that one addition keeps all of them:
//!
//! ```text
//!     63 ............ 33 32 ......... 12 11 ...... 0
//!     sum of p * p        sum of p        count
//! ```
//!
//! The largest sums (25x25: 2,500 pseudo-liberties of points below 703) fit their fields, so
//! fields never disturb each other. `count == 0` means captured. All pseudo-liberties are the one
//! point `p` exactly if the word equals `count` times the word of `p` alone (equal mean and mean
//! square leave no spread): atari and its point cost one multiplication.
//!
//! An empty point is a chain of its own whose word holds its empty neighbours, which is what a lone
//! stone there would have. So placing and lifting a stone update all four neighbours the same way,
//! without asking what stands there.

use super::stones::Stones;
use ludus_core::{Side, position::mix};
use std::fmt;

/// A point of a board, or of the border around it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(pub(super) u16);

impl Point {
    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The sums of one pseudo-liberty at this point.
    #[inline]
    pub(super) fn liberty(self) -> u64 {
        let number = u64::from(self.0);
        1 | number << 12 | (number * number) << 33
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// The count of pseudo-liberties in a word of sums.
#[inline]
pub(super) fn count(liberties: u64) -> u64 {
    liberties & 0xFFF
}

/// Whether every pseudo-liberty of a word is at `point`; also true of a word without any.
#[inline]
pub(super) fn only_at(liberties: u64, point: Point) -> bool {
    liberties == count(liberties) * point.liberty()
}

/// What is on a point.
pub(super) type Content = u8;
pub(super) const EMPTY: Content = 0;
pub(super) const BLACK: Content = 1;
pub(super) const WHITE: Content = 2;
pub(super) const BORDER: Content = 3;

#[inline]
pub(super) fn content(side: Side) -> Content {
    side.index() as u8 + BLACK
}

/// Everything the board knows of a point.
#[derive(Copy, Clone)]
pub(super) struct Cell {
    /// At a chain's head (an empty point is its own): the sums of its pseudo-liberties.
    pub(super) liberties: u64,
    /// The head of the chain.
    pub(super) chain: Point,
    /// Of a stone: the next of its chain. Of an empty point: its place in the list of them.
    pub(super) link: u16,
    /// At a chain's head: its stones.
    pub(super) size: u16,
    pub(super) content: Content,
}

/// The smallest board.
pub const SMALLEST: usize = 2;
/// The largest board.
pub const LARGEST: usize = 25;

/// Numbers of cells a board can have room for: 9x9, 13x13, 19x19 and 25x25 just fit.
const ROOMS: [usize; 4] = [128, 256, 512, 1024];

/// A board with the stones on it. It knows captures and the ko, not whose turn it is nor the past.
#[derive(Clone)]
pub struct Board {
    /// As many as the smallest of [`ROOMS`] that holds the board: a power of two, so that hot code
    /// can mask an index instead of checking it.
    pub(super) cells: Box<[Cell]>,
    /// The empty points in no particular order, in the first `state.empty` places.
    pub(super) empties: Box<[Point]>,
    pub(super) state: State,
}

/// The parts of a board that are single numbers.
#[derive(Copy, Clone)]
pub(super) struct State {
    pub(super) size: usize,
    pub(super) stride: usize,
    /// Empty points.
    pub(super) empty: usize,
    /// Stones of each side on the board.
    pub(super) stones: [u16; 2],
    /// Where the opponent of the last mover may not take back; the border point 0 if anywhere.
    pub(super) ko: Point,
    /// Exclusive or of [`stone_key`] over all stones.
    pub(super) key: u64,
}

/// No point of the board.
pub(super) const NOWHERE: Point = Point(0);

static STONE_KEYS: [[u64; 1024]; 2] = {
    let mut keys = [[0; 1024]; 2];
    let mut index = 0;
    while index < 2048 {
        keys[index / 1024][index % 1024] = mix(0x60_0000 + index as u64);
        index += 1;
    }
    keys
};

/// The Zobrist key of a stone of `side` at `point`.
#[inline]
pub(super) fn stone_key(side: Side, point: Point) -> u64 {
    STONE_KEYS[side.index()][point.index() & 1023]
}

/// Runs `$body` with `$stones` the stones of `$board`, compiled once for each size of room.
macro_rules! with_stones {
    ($board:expr, $stones:ident => $body:expr) => {{
        let board: &mut Board = $board;
        match board.cells.len() {
            128 => {
                let mut $stones = Stones::<128>::of(board);
                $body
            }
            256 => {
                let mut $stones = Stones::<256>::of(board);
                $body
            }
            512 => {
                let mut $stones = Stones::<512>::of(board);
                $body
            }
            _ => {
                let mut $stones = Stones::<1024>::of(board);
                $body
            }
        }
    }};
}
pub(super) use with_stones;

impl Board {
    /// An empty board.
    ///
    /// # Panics
    /// If `size` is not from [`SMALLEST`] to [`LARGEST`].
    pub fn new(size: usize) -> Board {
        assert!((SMALLEST..=LARGEST).contains(&size), "no board of size {size}");
        let stride = size + 1;
        let needed = (size + 2) * stride + 1;
        let room = ROOMS.into_iter().find(|&room| room >= needed).expect("25x25 fits");
        let cells = (0..room as u16).map(|index| Cell {
            liberties: 0,
            chain: Point(index),
            link: 0,
            size: 1,
            content: BORDER,
        });
        let state =
            State { size, stride, empty: size * size, stones: [0; 2], ko: NOWHERE, key: 0 };
        let empties = vec![NOWHERE; room].into_boxed_slice();
        let mut board = Board { cells: cells.collect(), empties, state };
        let points: Vec<Point> = board.points().collect();
        for (place, &point) in points.iter().enumerate() {
            board.empties[place] = point;
            let cell = &mut board.cells[point.index()];
            (cell.content, cell.link) = (EMPTY, place as u16);
        }
        for &point in &points {
            board.cells[point.index()].liberties =
                board.neighbours(point).map(Point::liberty).sum();
        }
        board
    }

    /// Points in a row.
    #[inline]
    pub fn size(&self) -> usize {
        self.state.size
    }

    /// Every point, row by row from the top left.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let State { size, stride, .. } = self.state;
        (0..size * size).map(move |index| {
            Point(((index / size + 1) * stride + index % size + 1) as u16)
        })
    }

    /// The neighbours of a point of the board, without the border.
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<'_> {
        let (point, stride) = (point.0, self.state.stride as u16);
        [point - stride, point - 1, point + 1, point + stride]
            .into_iter()
            .map(Point)
            .filter(|neighbour| self.cells[neighbour.index()].content != BORDER)
    }

    /// Places a stone of `side` on the empty `point`, lifts what it captures (or the stone's own
    /// chain, if it has no liberty left then) and returns the number of stones lifted.
    #[inline]
    pub fn play(&mut self, side: Side, point: Point) -> usize {
        with_stones!(self, stones => stones.play::<true>(side, point))
    }
}
