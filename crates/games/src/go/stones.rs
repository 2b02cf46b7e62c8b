//! Stones, chains and liberties, updated incrementally move by move: the inner loop of playouts.
//!
//! Points are numbered row by row from the top left, rows `STRIDE` apart; behind every row
//! there is at least one point of border, which is also the border before the next row. Arrays that
//! are read at neighbours have `STRIDE + 1` places of border before point 0 and after the last:
//!
//! ```text
//!      .  .  .  .  .
//!      . [0  1  2] .      a 3x3 board with a stride of 4
//!      . [4  5  6] .
//!      . [8  9 10] .
//!      .  .  .  .  .
//! ```
//!
//! A chain is a circular list of stones; each stores its head, which keeps the chain's liberties. A
//! point counts once for every stone of the chain beside it (a "pseudo-liberty"), and three sums
//! over them share one word, so that one addition keeps all of them:
//!
//! ```text
//!     63 ............ 33 32 ......... 12 11 ...... 0
//!     sum of p * p        sum of p        count
//! ```
//!
//! The largest sums (25x25: 2,500 pseudo-liberties of points below 649) fit their fields, so
//! fields never disturb each other. `count == 0` means captured. All pseudo-liberties are the one
//! point `p` exactly if the word equals `count` times the word of `p` alone (equal mean and mean
//! square leave no spread): atari and its point cost one multiplication.
//!
//! An empty point is a chain of its own whose word holds its empty neighbours: the liberties of a
//! lone stone there. So placing and removing a stone update all four neighbours the same way,
//! without a branch on their contents.
//!
//! Every point also keeps the contents of its eight neighbours, two bits each:
//!
//! ```text
//!     8-9   0-1  10-11     00 empty   01 black   10 white   11 border
//!     2-3    p     4-5
//!    12-13  6-7  14-15
//! ```

use super::point::Point;
use ludus_core::{Side, position::mix};

/// The content of a point, as stored in neighbourhoods.
pub type Content = u8;
pub const EMPTY: Content = 0;
pub const BORDER: Content = 3;

/// The [`Content`] of a stone of `side`.
#[inline]
pub fn content(side: Side) -> Content {
    side.index() as u8 + 1
}

/// The count of pseudo-liberties in a word of sums.
#[inline]
pub fn count(liberties: u64) -> u64 {
    liberties & 0xFFF
}

/// Whether every pseudo-liberty of a word is at `point`; also true of a word without any.
#[inline]
pub fn only_at(liberties: u64, point: Point) -> bool {
    liberties == count(liberties) * point.liberty()
}

/// Whether all pseudo-liberties of a word with at least one are at the same point: no spread around
/// their mean. Unlike finding the point, this takes no division.
#[inline]
pub fn in_atari(liberties: u64) -> bool {
    let sum = liberties >> 12 & 0x1F_FFFF;
    count(liberties) * (liberties >> 33) == sum * sum
}

/// Zobrist keys of stones, by side and point: two independent words in one.
static STONE_KEYS: [[u128; 1024]; 2] = {
    let mut keys = [[0; 1024]; 2];
    let mut index = 0;
    while index < 2048 {
        let [low, high] = [mix(0x60_0000 + index as u64), mix(0x61_0000 + index as u64)];
        keys[index / 1024][index % 1024] = (high as u128) << 64 | low as u128;
        index += 1;
    }
    keys
};

/// The key of an empty board.
const EMPTY_KEY: u128 = (mix(0x63_0000) as u128) << 64 | mix(0x62_0000) as u128;

#[inline]
pub fn stone_key(side: Side, point: Point) -> u128 {
    STONE_KEYS[side.index()][point.index() & 1023]
}

/// The stones of a board of up to `STRIDE - 1` rows.
///
/// `ROOM` is a power of two above every point, so that an index masked with `ROOM - 1` and moved by
/// one step is known to lie within `LENGTH = ROOM + 2 * (STRIDE + 1)`: no access needs a check.
///
/// `chains`, `links` and `empties` only hold numbers below `ROOM`. Values stored there are masked
/// or come from there, and the fields are private to this file, so values read from them need no
/// mask either: a tenth fewer instructions and 7 % more playouts a second.
///
/// `Copy`, so that copying into an existing board is one memory copy.
#[derive(Copy, Clone)]
pub struct Stones<const ROOM: usize, const STRIDE: usize, const LENGTH: usize> {
    pub size: usize,
    /// The number of empty points.
    pub empty: usize,
    /// Exclusive or of `EMPTY_KEY` and `stone_key` over all stones.
    pub key: u128,
    /// Stones of each side on the board.
    pub counts: [u16; 2],
    /// The ko point, where the recapture is forbidden, or [`Point::NOWHERE`].
    pub ko: Point,
    /// At a chain's head (an empty point is its own): the sums of its pseudo-liberties.
    liberties: [u64; ROOM],
    /// The head of a point's chain; of the border, a point that is on no board.
    chains: [Point; LENGTH],
    /// The contents of the eight points around.
    around: [u16; LENGTH],
    /// For a stone the next of its chain; for an empty point its index in `empties`.
    links: [u16; ROOM],
    /// At a chain's head: its stones; 1 at an empty point.
    sizes: [u16; ROOM],
    /// The empty points in no particular order, in the first `empty` places.
    empties: [Point; ROOM],
    contents: [Content; LENGTH],
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize> Stones<ROOM, STRIDE, LENGTH> {
    // Places in the arrays with a border, relative to the place of the point to the upper left.
    const HERE: usize = STRIDE + 1;
    /// The direct neighbours, in the order of the bits of a neighbourhood.
    pub const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 2, 2 * STRIDE + 1];
    /// The diagonal neighbours, likewise.
    const DIAGONAL_STEPS: [usize; 4] = [0, 2, 2 * STRIDE, 2 * STRIDE + 2];
    /// All eight, likewise.
    pub const ALL_STEPS: [usize; 8] =
        [1, STRIDE, STRIDE + 2, 2 * STRIDE + 1, 0, 2, 2 * STRIDE, 2 * STRIDE + 2];
    /// Bit positions of a point in the neighbourhoods of its neighbours, by direction.
    const SEEN_FROM: [u16; 8] = [6, 4, 2, 0, 14, 12, 10, 8];

    /// An empty board.
    pub fn new(size: usize) -> Self {
        const { assert!(ROOM.is_power_of_two() && LENGTH == ROOM + 2 * (STRIDE + 1)) };
        assert!(size < STRIDE && (size - 1) * (STRIDE + 1) < ROOM - 1);
        let mut stones = Stones {
            size,
            empty: 0,
            key: EMPTY_KEY,
            counts: [0; 2],
            ko: Point::NOWHERE,
            liberties: [0; ROOM],
            chains: [Point(ROOM as u16 - 1); LENGTH],
            around: [0xFFFF; LENGTH],
            links: [0; ROOM],
            sizes: [1; ROOM],
            empties: [Point(0); ROOM],
            contents: [BORDER; LENGTH],
        };
        for row in 0..size {
            for column in 0..size {
                stones.init_empty(Point((row * STRIDE + column) as u16));
            }
        }
        stones
    }

    /// Makes a point of the border an empty point of the board.
    fn init_empty(&mut self, point: Point) {
        self.chains[point.index() + Self::HERE] = point;
        self.contents[point.index() + Self::HERE] = EMPTY;
        self.links[point.index()] = self.empty as u16;
        self.empties[self.empty] = point;
        self.empty += 1;
        self.update_neighbourhood(point, BORDER);
        self.add_liberty(point);
        for step in Self::STEPS {
            let place = point.index() + step;
            if self.contents[place] == EMPTY {
                let word = &mut self.liberties[point.index()];
                *word = word.wrapping_add(Point((place - Self::HERE) as u16).liberty());
            }
        }
    }

    /// The place of `point` in the arrays without a border.
    #[inline(always)]
    fn at(point: Point) -> usize {
        point.index() & (ROOM - 1)
    }

    /// Returns `number`, with a hint to the compiler that it needs no mask.
    ///
    /// # Safety
    /// `number` is below `ROOM`.
    #[inline(always)]
    unsafe fn below_room(number: u16) -> u16 {
        // SAFETY: the caller's promise.
        unsafe { std::hint::assert_unchecked(usize::from(number) < ROOM) };
        number
    }

    /// The head of the chain of the neighbour behind `step`, or of `point` itself.
    #[inline(always)]
    pub fn chain_at(&self, point: Point, step: usize) -> Point {
        let Point(head) = self.chains[Self::at(point) + step];
        // SAFETY: `chains` holds only numbers below `ROOM`.
        Point(unsafe { Self::below_room(head) })
    }

    /// The link of a point: the next stone of its chain, or its place in the list of empty points.
    #[inline(always)]
    fn link(&self, point: Point) -> u16 {
        // SAFETY: `links` holds only numbers below `ROOM`.
        unsafe { Self::below_room(self.links[Self::at(point)]) }
    }

    /// The empty point at a place of their list.
    #[inline(always)]
    pub fn empty_at(&self, place: usize) -> Point {
        let Point(number) = self.empties[place & (ROOM - 1)];
        // SAFETY: `empties` holds only numbers below `ROOM`.
        Point(unsafe { Self::below_room(number) })
    }

    /// Puts an empty point at a place of their list.
    #[inline(always)]
    fn set_empty(&mut self, place: usize, point: Point) {
        let (place, number) = (place & (ROOM - 1), Self::at(point));
        self.empties[place] = Point(number as u16);
        self.links[number] = place as u16;
    }

    /// The head of a point's chain.
    #[inline(always)]
    pub fn chain(&self, point: Point) -> Point {
        self.chain_at(point, Self::HERE)
    }

    /// The number of stones of a point's chain.
    #[inline(always)]
    pub fn chain_size(&self, point: Point) -> usize {
        usize::from(self.sizes[Self::at(self.chain(point))])
    }

    /// The next stone of a chain, in a circle.
    #[inline(always)]
    pub fn next_stone(&self, stone: Point) -> Point {
        Point(self.link(stone))
    }

    /// The content of a point.
    #[inline(always)]
    pub fn content(&self, point: Point) -> Content {
        self.contents[Self::at(point) + Self::HERE]
    }

    /// The contents of all points, border included: boards of one size are equal exactly if these
    /// are.
    pub fn contents(&self) -> &[Content] {
        &self.contents
    }

    /// The sums of the pseudo-liberties of a point's chain.
    #[inline(always)]
    pub fn word(&self, point: Point) -> u64 {
        self.word_at(self.chain(point))
    }

    /// The sums of the pseudo-liberties of the chain headed by `head`.
    #[inline(always)]
    pub fn word_at(&self, head: Point) -> u64 {
        self.liberties[Self::at(head)]
    }

    /// The contents of the eight points around, two bits each.
    #[inline(always)]
    pub fn neighbourhood(&self, point: Point) -> u16 {
        self.around[Self::at(point) + Self::HERE]
    }

    /// The content of the neighbour behind `step`.
    #[inline(always)]
    pub fn content_beside(&self, point: Point, step: usize) -> Content {
        self.contents[Self::at(point) + step]
    }

    /// The neighbour behind `step`, one of [`STEPS`](Self::STEPS).
    #[inline(always)]
    pub fn neighbour(point: Point, step: usize) -> Point {
        Point((point.index() + step).wrapping_sub(Self::HERE) as u16)
    }

    /// Updates `point` by `change` in the neighbourhoods of its eight neighbours.
    #[inline(always)]
    fn update_neighbourhood(&mut self, point: Point, change: Content) {
        let steps = Self::STEPS.into_iter().chain(Self::DIAGONAL_STEPS);
        for (step, seen) in steps.zip(Self::SEEN_FROM) {
            self.around[Self::at(point) + step] ^= u16::from(change) << seen;
        }
    }

    /// Adds the newly empty `point` to the liberties of the chains around it.
    #[inline(always)]
    fn add_liberty(&mut self, point: Point) {
        let liberty = point.liberty();
        for step in Self::STEPS {
            let chain = self.chain_at(point, step);
            let word = &mut self.liberties[Self::at(chain)];
            *word = word.wrapping_add(liberty);
        }
    }

    /// Places a stone of `side` on the empty `point`, removes captured chains, or the stone's own
    /// chain if that has no liberty then, and returns the number of stones removed. Without `FULL`,
    /// for playouts, the key is left as it is and suicide must not occur.
    #[inline]
    pub fn play<const SIDE: usize, const FULL: bool>(&mut self, point: Point) -> usize {
        let side = Side::BOTH[SIDE];
        let own = content(side);
        let point = Point(Self::at(point) as u16);
        self.remove_empty(point);
        self.links[Self::at(point)] = point.0;
        self.contents[Self::at(point) + Self::HERE] = own;
        self.counts[side.index()] += 1;
        self.ko = Point::NOWHERE;
        if FULL {
            self.key ^= stone_key(side, point);
        }
        self.update_neighbourhood(point, own);
        // 1. Every chain around loses a liberty; bits mark those that lost the last.
        let liberty = point.liberty();
        let mut without_liberties = 0;
        for (index, step) in Self::STEPS.into_iter().enumerate() {
            let chain = self.chain_at(point, step);
            let word = &mut self.liberties[Self::at(chain)];
            *word = word.wrapping_sub(liberty);
            without_liberties |= u16::from(count(*word) == 0) << (2 * index);
        }
        // 2. The stone joins the chains of its own side.
        let [mut friends, enemies] = self.beside::<SIDE>(point);
        while friends != 0 {
            let step = Self::STEPS[(friends.trailing_zeros() as usize / 2) & 3];
            let chain = self.chain_at(point, step);
            self.join(point, chain);
            friends &= friends - 1;
        }
        // 3. Enemy chains without liberties are removed.
        let mut captured = 0;
        let mut dead = without_liberties & enemies;
        if dead != 0 {
            let mut hole = Point::NOWHERE;
            while dead != 0 {
                let step = Self::STEPS[(dead.trailing_zeros() as usize / 2) & 3];
                dead &= dead - 1;
                hole = Self::neighbour(point, step);
                captured += match SIDE {
                    0 => self.remove_chain::<1, FULL>(hole),
                    _ => self.remove_chain::<0, FULL>(hole),
                };
            }
            if captured == 1 && self.chain_size(point) == 1 && count(self.word(point)) == 1 {
                self.ko = hole;
            }
        } else if FULL && count(self.word(point)) == 0 {
            captured = self.remove_chain::<SIDE, FULL>(point);
        }
        captured
    }

    /// Takes `point` out of the list of empty points.
    #[inline(always)]
    fn remove_empty(&mut self, point: Point) {
        self.empty -= 1;
        self.set_empty(usize::from(self.link(point)), self.empty_at(self.empty));
    }

    /// Merges the chain of the stone at `point` with the one headed by `other`.
    #[inline(always)]
    fn join(&mut self, point: Point, other: Point) {
        let (chain, other) = (self.chain(point), Point(Self::at(other) as u16));
        if chain == other {
            return;
        }
        let (large, small) = if self.sizes[Self::at(chain)] <= self.sizes[Self::at(other)] {
            (other, chain)
        } else {
            (chain, other)
        };
        let (large_at, small_at) = (Self::at(large), Self::at(small));
        self.liberties[large_at] = self.liberties[large_at].wrapping_add(self.liberties[small_at]);
        self.sizes[large_at] += self.sizes[small_at];
        let mut stone = small;
        loop {
            self.chains[Self::at(stone) + Self::HERE] = large;
            let next = Point(self.link(stone));
            if next == small {
                break;
            }
            stone = next;
        }
        self.links[Self::at(stone)] = self.link(large);
        self.links[large_at] = small.0;
    }

    /// Removes the chain of `side` at `point` and returns its number of stones.
    fn remove_chain<const SIDE: usize, const FULL: bool>(&mut self, point: Point) -> usize {
        let side = Side::BOTH[SIDE];
        let first_new = self.empty;
        let point = Point(Self::at(point) as u16);
        let mut stone = point;
        loop {
            let next = Point(self.link(stone));
            self.set_empty(self.empty, stone);
            self.liberties[Self::at(stone)] = 0;
            self.sizes[Self::at(stone)] = 1;
            self.chains[Self::at(stone) + Self::HERE] = stone;
            self.contents[Self::at(stone) + Self::HERE] = EMPTY;
            self.empty += 1;
            self.update_neighbourhood(stone, content(side));
            if FULL {
                self.key ^= stone_key(side, stone);
            }
            stone = next;
            if stone == point {
                break;
            }
        }
        // Only now, when every removed stone is a chain of its own again.
        for place in first_new..self.empty {
            self.add_liberty(self.empty_at(place));
        }
        let removed = self.empty - first_new;
        self.counts[side.index()] -= removed as u16;
        removed
    }

    /// The empty points.
    pub fn empties(&self) -> &[Point] {
        &self.empties[..self.empty]
    }

    /// Exchanges two places of the list of empty points.
    #[inline(always)]
    pub fn swap_empties(&mut self, from: usize, to: usize) {
        let (one, other) = (self.empty_at(from), self.empty_at(to));
        self.set_empty(from, other);
        self.set_empty(to, one);
    }
}
