//! A small board as a set of bits, and its symmetries.
//!
//! The point in row `r` and column `c`, both counted from the top left, is bit `r * columns + c`.
//! On 4x4:
//!
//! ```text
//!      0  1  2  3
//!      4  5  6  7
//!      8  9 10 11
//!     12 13 14 15
//! ```

/// The most points a board may have: 5x5.
pub(super) const MAX_POINTS: usize = 25;

/// A move that is no point.
pub(super) const PASS: u8 = 30;

/// A set of points.
pub(super) type Points = u32;

/// The geometry of a board; tests also solve boards that are not square.
pub(super) struct Grid {
    pub(super) columns: usize,
    /// All points.
    pub(super) all: Points,
    first_column: Points,
    last_column: Points,
    /// Points that a symmetry maps to each other.
    orbits: Vec<Points>,
    symmetries: Vec<Symmetry>,
}

/// A rotation or reflection that maps the board to itself.
pub(super) struct Symmetry {
    /// The image of each point.
    image: [u8; MAX_POINTS],
    /// The image of each byte of a set.
    bytes: [[Points; 256]; 4],
    /// The index of its inverse.
    inverse: usize,
}

impl Symmetry {
    fn new(image: [u8; MAX_POINTS]) -> Symmetry {
        let mut bytes = [[0; 256]; 4];
        for (byte, sets) in bytes.iter_mut().enumerate() {
            for (value, set) in sets.iter_mut().enumerate() {
                let inside = (0..8).filter(|bit| value >> bit & 1 == 1).map(|bit| 8 * byte + bit);
                *set = inside
                    .filter(|&point| point < MAX_POINTS)
                    .fold(0, |set, point| set | 1 << image[point]);
            }
        }
        Symmetry { image, bytes, inverse: 0 }
    }

    /// The image of `point`.
    #[inline]
    pub(super) fn point(&self, point: u8) -> u8 {
        self.image[usize::from(point)]
    }

    /// The image of `point`, or [`PASS`] for a pass.
    #[inline]
    pub(super) fn point_or_pass(&self, point: u8) -> u8 {
        if point == PASS { PASS } else { self.point(point) }
    }

    /// The image of `set`.
    #[inline]
    pub(super) fn set(&self, set: Points) -> Points {
        let [a, b, c, d] = set.to_le_bytes().map(usize::from);
        self.bytes[0][a] | self.bytes[1][b] | self.bytes[2][c] | self.bytes[3][d]
    }
}

impl Grid {
    /// A board of `rows` times `columns` points, at most [`MAX_POINTS`].
    pub(super) fn new(rows: usize, columns: usize) -> Grid {
        let count = rows * columns;
        assert!((1..=MAX_POINTS).contains(&count), "{rows}x{columns} is not a small board");
        let first_column = (0..rows).fold(0, |set, row| set | 1 << (row * columns));
        let images = images(rows, columns);
        let orbits = orbits(count, &images);
        let mut symmetries: Vec<Symmetry> = images.iter().copied().map(Symmetry::new).collect();
        for (symmetry, image) in symmetries.iter_mut().zip(&images) {
            let undone = |other: &[u8; MAX_POINTS]| {
                (0..count).all(|point| usize::from(other[usize::from(image[point])]) == point)
            };
            symmetry.inverse = images.iter().position(undone).expect("symmetries form a group");
        }
        Grid {
            columns,
            all: (1 << count) - 1,
            first_column,
            last_column: first_column << (columns - 1),
            orbits,
            symmetries,
        }
    }

    /// The number of points.
    pub(super) fn count(&self) -> i32 {
        self.all.count_ones() as i32
    }

    /// The points beside those of `set`; some of them may be in it.
    #[inline]
    pub(super) fn beside(&self, set: Points) -> Points {
        let sideways = (set & !self.last_column) << 1 | (set & !self.first_column) >> 1;
        (sideways | set << self.columns | set >> self.columns) & self.all
    }

    /// The part of `within` that is connected to `seed`, which lies in it.
    #[inline]
    pub(super) fn connected(&self, seed: Points, within: Points) -> Points {
        let mut set = seed;
        loop {
            let grown = (set | self.beside(set)) & within;
            if grown == set {
                return set;
            }
            set = grown;
        }
    }

    /// The connected parts of `set`.
    pub(super) fn parts(&self, set: Points) -> impl Iterator<Item = Points> {
        let mut rest = set;
        std::iter::from_fn(move || {
            let part = self.connected(lowest(rest), rest);
            rest &= !part;
            (part != 0).then_some(part)
        })
    }

    /// All symmetries, the identity first.
    pub(super) fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// The inverse of the symmetry at `index`.
    pub(super) fn inverse(&self, index: usize) -> &Symmetry {
        &self.symmetries[self.symmetries[index].inverse]
    }

    /// One of 64 classes of a board, the same for all its images, with colours exchanged or not.
    pub(super) fn class(&self, stones: [Points; 2]) -> u64 {
        let [first, second] = stones.map(|set| {
            let counts = self
                .orbits
                .iter()
                .fold(0, |counts, &orbit| counts * 13 + u64::from((set & orbit).count_ones()));
            ludus_core::position::mix(counts)
        });
        first.wrapping_add(second) >> 58
    }
}

/// The lowest point of a set, as a set.
#[inline]
pub(super) fn lowest(set: Points) -> Points {
    set & set.wrapping_neg()
}

/// Images of all points under each symmetry, the identity first.
fn images(rows: usize, columns: usize) -> Vec<[u8; MAX_POINTS]> {
    let turns = if rows == columns { 8 } else { 4 };
    let image = |kind: usize| {
        let mut image = [0; MAX_POINTS];
        for (point, index) in image.iter_mut().enumerate().take(rows * columns) {
            let (mut row, mut column) = (point / columns, point % columns);
            if kind & 1 == 1 {
                column = columns - 1 - column;
            }
            if kind & 2 == 2 {
                row = rows - 1 - row;
            }
            if kind & 4 == 4 {
                (row, column) = (column, row);
            }
            *index = (row * columns + column) as u8;
        }
        image
    };
    (0..turns).map(image).collect()
}

/// The sets of points that the symmetries map to each other.
fn orbits(count: usize, images: &[[u8; MAX_POINTS]]) -> Vec<Points> {
    let orbit = |point: usize| images.iter().fold(0, |set, image| set | 1 << image[point]);
    let mut orbits: Vec<Points> = (0..count).map(orbit).collect();
    orbits.sort_unstable();
    orbits.dedup();
    orbits
}
