//! The board: stones, chains and liberties, for rules, playouts and evaluations.

use super::{
    point::Point,
    queries::MoveEffect,
    stones::{BORDER, EMPTY, Stones},
};
use ludus_core::Side;
use std::fmt;

/// The smallest board.
pub const MIN_SIZE: usize = 2;
/// The largest board.
pub const MAX_SIZE: usize = 25;

/// A board with the stones on it. It knows chains, liberties, captures and the ko, but not
/// the side to move or earlier boards.
///
/// Playing a move and most queries take a few nanoseconds; copying it allocates once, copying into
/// a board of the same size never.
pub struct GoBoard {
    size: u8,
    stride: u8,
    pub(super) stones: AnyStones,
}

/// The stones, in the smallest arrays that hold the board.
pub enum AnyStones {
    /// Up to 9x9.
    UpTo9(Box<Stones<128, 10, 150>>),
    /// Up to 13x13.
    UpTo13(Box<Stones<256, 14, 286>>),
    /// Up to 19x19.
    UpTo19(Box<Stones<512, 20, 554>>),
    /// Up to 25x25.
    UpTo25(Box<Stones<1024, 26, 1078>>),
}

/// `$body` with `$stones` the stones of a board, compiled once for each size of arrays.
#[macro_export]
macro_rules! with_stones {
    ($any:expr, $stones:ident => $body:expr) => {
        match $any {
            $crate::go::board::AnyStones::UpTo9($stones) => $body,
            $crate::go::board::AnyStones::UpTo13($stones) => $body,
            $crate::go::board::AnyStones::UpTo19($stones) => $body,
            $crate::go::board::AnyStones::UpTo25($stones) => $body,
        }
    };
}

impl Clone for GoBoard {
    fn clone(&self) -> GoBoard {
        GoBoard { stones: self.stones.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &GoBoard) {
        (self.size, self.stride) = (source.size, source.stride);
        self.stones.clone_from(&source.stones);
    }
}

impl Clone for AnyStones {
    fn clone(&self) -> AnyStones {
        match self {
            AnyStones::UpTo9(stones) => AnyStones::UpTo9(stones.clone()),
            AnyStones::UpTo13(stones) => AnyStones::UpTo13(stones.clone()),
            AnyStones::UpTo19(stones) => AnyStones::UpTo19(stones.clone()),
            AnyStones::UpTo25(stones) => AnyStones::UpTo25(stones.clone()),
        }
    }

    fn clone_from(&mut self, source: &AnyStones) {
        match (self, source) {
            (AnyStones::UpTo9(stones), AnyStones::UpTo9(source)) => **stones = **source,
            (AnyStones::UpTo13(stones), AnyStones::UpTo13(source)) => **stones = **source,
            (AnyStones::UpTo19(stones), AnyStones::UpTo19(source)) => **stones = **source,
            (AnyStones::UpTo25(stones), AnyStones::UpTo25(source)) => **stones = **source,
            (stones, source) => *stones = source.clone(),
        }
    }
}

impl GoBoard {
    /// The stones, for [`with_stones!`].
    #[inline]
    pub fn stones(&self) -> &AnyStones {
        &self.stones
    }

    /// The stones, for playouts that place them one by one.
    #[inline]
    pub fn stones_mut(&mut self) -> &mut AnyStones {
        &mut self.stones
    }

    /// An empty board.
    ///
    /// # Panics
    /// If `size` is not from [`MIN_SIZE`] to [`MAX_SIZE`].
    pub fn new(size: usize) -> GoBoard {
        assert!((MIN_SIZE..=MAX_SIZE).contains(&size), "no board of size {size}");
        let (stride, stones) = match size {
            MIN_SIZE..=9 => (10, AnyStones::UpTo9(Box::new(Stones::new(size)))),
            10..=13 => (14, AnyStones::UpTo13(Box::new(Stones::new(size)))),
            14..=19 => (20, AnyStones::UpTo19(Box::new(Stones::new(size)))),
            _ => (26, AnyStones::UpTo25(Box::new(Stones::new(size)))),
        };
        GoBoard { size: size as u8, stride, stones }
    }

    /// Points along one side.
    #[inline]
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// The point in a row from the top and a column from the left, both counted from 0.
    ///
    /// # Panics
    /// If it is not on the board.
    #[inline]
    pub fn point(&self, row: usize, column: usize) -> Point {
        assert!(row < self.size() && column < self.size(), "off the board: {row}, {column}");
        Point((row * usize::from(self.stride) + column) as u16)
    }

    /// The row from the top and the column from the left of a point, both counted from 0.
    #[inline]
    pub fn row_column(&self, point: Point) -> (usize, usize) {
        let stride = usize::from(self.stride);
        (point.index() / stride, point.index() % stride)
    }

    /// Every point, row by row from the top left.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let (size, stride) = (u16::from(self.size), u16::from(self.stride));
        (0..size).flat_map(move |row| (0..size).map(move |column| Point(row * stride + column)))
    }

    /// The points beside `point`: two to four.
    pub fn neighbours(&self, point: Point) -> impl Iterator<Item = Point> + use<'_> {
        let (number, stride) = (point.0, u16::from(self.stride));
        [number.wrapping_sub(stride), number.wrapping_sub(1), number + 1, number + stride]
            .into_iter()
            .map(Point)
            .filter(|&neighbour| self.is_on_board(neighbour))
    }

    /// Whether `point` is on the board. Numbers below 0 wrap around to indices behind the last
    /// point, which are border.
    #[inline]
    fn is_on_board(&self, point: Point) -> bool {
        with_stones!(&self.stones, stones => stones.content(point) != BORDER)
    }

    /// The owner of the stone on `point`, if any.
    #[inline]
    pub fn stone(&self, point: Point) -> Option<Side> {
        match with_stones!(&self.stones, stones => stones.content(point)) {
            EMPTY | BORDER => None,
            content => Some(Side::BOTH[usize::from(content - 1)]),
        }
    }

    /// Whether no stone is on `point`.
    #[inline]
    pub fn is_empty(&self, point: Point) -> bool {
        with_stones!(&self.stones, stones => stones.content(point) == EMPTY)
    }

    /// The number of stones of `side`.
    #[inline]
    pub fn count(&self, side: Side) -> usize {
        usize::from(with_stones!(&self.stones, stones => stones.counts[side.index()]))
    }

    /// The empty points, in no particular order.
    pub fn empties(&self) -> &[Point] {
        with_stones!(&self.stones, stones => stones.empties())
    }

    /// The ko point: where the immediate recapture is forbidden.
    #[inline]
    pub fn ko(&self) -> Option<Point> {
        let ko = with_stones!(&self.stones, stones => stones.ko);
        (ko != Point::NOWHERE).then_some(ko)
    }

    /// Forbids the next move to be at `ko`, or none.
    pub fn set_ko(&mut self, ko: Option<Point>) {
        with_stones!(&mut self.stones, stones => stones.ko = ko.unwrap_or(Point::NOWHERE));
    }

    /// A hash of the stones, kept incrementally.
    #[inline]
    pub fn key(&self) -> u64 {
        self.wide_key() as u64
    }

    /// [`key`](GoBoard::key) in the low half and an independent hash in the high one.
    #[inline]
    pub fn wide_key(&self) -> u128 {
        with_stones!(&self.stones, stones => stones.key)
    }

    /// Places a stone of `side` on the empty `point`, removes captured chains, or its own chain if
    /// that has no liberty then, and returns the number of stones removed.
    #[inline]
    pub fn play(&mut self, side: Side, point: Point) -> usize {
        debug_assert!(self.is_empty(point), "{point:?} is not empty");
        with_stones!(&mut self.stones, stones => match side {
            Side::First => stones.play::<0, true>(point),
            Side::Second => stones.play::<1, true>(point),
        })
    }

    /// The head of the chain at `point`: the same stone for two stones exactly if they are
    /// connected.
    #[inline]
    pub fn chain(&self, point: Point) -> Point {
        with_stones!(&self.stones, stones => stones.chain(point))
    }

    /// The number of stones of the chain at `point`.
    #[inline]
    pub fn chain_size(&self, point: Point) -> usize {
        with_stones!(&self.stones, stones => stones.chain_size(point))
    }

    /// The stones of the chain at `point`, which must not be empty.
    pub fn chain_stones(&self, point: Point) -> impl Iterator<Item = Point> + use<'_> {
        let mut stone = point;
        (0..self.chain_size(point)).map(move |_| {
            let this = stone;
            stone = with_stones!(&self.stones, stones => stones.next_stone(stone));
            this
        })
    }

    /// The number of liberties of the chain at `point`, counted stone by stone.
    pub fn liberties(&self, point: Point) -> usize {
        with_stones!(&self.stones, stones => stones.count_liberties(point))
    }

    /// The only liberty of the chain at `point`, if it has just one (it is in atari).
    #[inline]
    pub fn last_liberty(&self, point: Point) -> Option<Point> {
        with_stones!(&self.stones, stones => stones.last_liberty(point))
    }

    /// Whether the chain at `point` has just one liberty.
    #[inline]
    pub fn in_atari(&self, point: Point) -> bool {
        self.last_liberty(point).is_some()
    }

    /// Whether the empty `point` is an eye of `side`: own stones or the edge on all four sides, and
    /// at most one enemy stone on the diagonals, none at the edge of the board.
    #[inline]
    pub fn is_eye(&self, side: Side, point: Point) -> bool {
        with_stones!(&self.stones, stones => match side {
            Side::First => stones.is_eye::<0>(point),
            Side::Second => stones.is_eye::<1>(point),
        })
    }

    /// Whether a stone of `side` on the empty `point` is suicide: it has no liberty and captures
    /// nothing.
    #[inline]
    pub fn is_suicide(&self, side: Side, point: Point) -> bool {
        with_stones!(&self.stones, stones => !stones.is_open(point) && stones.is_suicide_for(side, point))
    }

    /// The number of stones captured by a move of `side` on the empty `point`.
    #[inline]
    pub fn captures(&self, side: Side, point: Point) -> usize {
        self.effect_of(side, point).captured
    }

    /// The effect of a move of `side` on the empty `point`.
    pub fn effect_of(&self, side: Side, point: Point) -> MoveEffect {
        with_stones!(&self.stones, stones => stones.effect_of(side, point))
    }

    /// Contents of the eight points around `point`, two bits each: 0 empty, 1 the first side, 2 the
    /// second, 3 off the board. From the lowest bits: up, left, right, down, then up left, up
    /// right, down left, down right.
    #[inline]
    pub fn neighbourhood(&self, point: Point) -> u16 {
        with_stones!(&self.stones, stones => stones.neighbourhood(point))
    }

    /// The owner of `point` if every stone lives: the owner of the stone on it, or the only side
    /// whose stones its region touches.
    pub fn owner(&self, point: Point) -> Option<Side> {
        if let Some(side) = self.stone(point) {
            return Some(side);
        }
        let (mut region, mut next, mut owner) = (vec![point], 0, None);
        while let Some(&empty) = region.get(next) {
            next += 1;
            for neighbour in self.neighbours(empty) {
                match self.stone(neighbour) {
                    Some(side) if owner == Some(!side) => return None,
                    Some(side) => owner = Some(side),
                    None if !region.contains(&neighbour) => region.push(neighbour),
                    None => {}
                }
            }
        }
        owner
    }

    /// Empty points in regions that touch only stones of the first side, and only of the second.
    pub fn territory(&self) -> [usize; 2] {
        with_stones!(&self.stones, stones => stones.territory())
    }
}

/// Two boards are equal if they have the same stones; the ko and the order of chains do not count.
impl PartialEq for GoBoard {
    fn eq(&self, other: &GoBoard) -> bool {
        self.size == other.size
            && with_stones!(&self.stones, ours => {
                with_stones!(&other.stones, theirs => ours.contents() == theirs.contents())
            })
    }
}

impl Eq for GoBoard {}

/// The rows from the top: `X`, `O` and `.`.
impl fmt::Debug for GoBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.size() {
            let row: String = (0..self.size())
                .map(|column| match self.stone(self.point(row, column)) {
                    Some(Side::First) => 'X',
                    Some(Side::Second) => 'O',
                    None => '.',
                })
                .collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}
