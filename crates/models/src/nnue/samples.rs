//! Training samples: positions in the form the trainer needs, with their targets.

use ludus_core::{NnueInputs, Position, Side};

/// Squares of a plane.
const SQUARES_PER_PLANE: usize = u64::BITS as usize;

/// Many positions with the expected results. A piece takes two bytes, the rest of a position at most
/// twenty-four.
#[derive(Clone, Debug)]
pub struct NnueSamples {
    /// The index of each piece's plane and square, position by position.
    pieces: Vec<u16>,
    /// The end of the pieces of each position.
    ends: Vec<u64>,
    targets: Vec<Target>,
    /// For each side and orientation: the input of every plane and square.
    views: Vec<Vec<u16>>,
}

#[derive(Copy, Clone, Debug)]
struct Target {
    goal: f32,
    base: f32,
    bucket: u8,
    own_view: u8,
    other_view: u8,
}

/// One training sample.
#[derive(Copy, Clone, Debug)]
pub struct NnueSample<'a> {
    pieces: &'a [u16],
    /// The inputs of the side to move and of the other side.
    views: [&'a [u16]; 2],
    /// The output bucket.
    pub bucket: usize,
    /// The expected result for the side to move, from 0 to 1.
    pub goal: f32,
    /// The evaluation to be corrected, in units of output.
    pub base: f32,
}

impl NnueSample<'_> {
    /// The inputs that are on, as the side to move (0) or the other side (1) sees them.
    #[inline]
    pub fn inputs(&self, view: usize) -> impl Iterator<Item = usize> + '_ {
        let view = self.views[view];
        self.pieces.iter().map(move |&piece| view[piece as usize] as usize)
    }
}

impl NnueSamples {
    /// An empty list of positions of the game.
    pub fn new<K: NnueInputs>() -> NnueSamples {
        let planes = K::EMPTY.as_ref().len();
        let view = |side, orientation| -> Vec<u16> {
            let input = |piece: usize| {
                K::input(side, orientation, piece / SQUARES_PER_PLANE, piece % SQUARES_PER_PLANE)
                    as u16
            };
            (0..planes * SQUARES_PER_PLANE).map(input).collect()
        };
        let views = [Side::First, Side::Second]
            .into_iter()
            .flat_map(|side| (0..K::ORIENTATIONS).map(move |orientation| view(side, orientation)))
            .collect();
        NnueSamples { pieces: Vec::new(), ends: Vec::new(), targets: Vec::new(), views }
    }

    /// Adds a position; `goal` is the expected result for the side to move, `base` the evaluation to be
    /// corrected in units of output: 0 if there is none.
    pub fn push<K: NnueInputs>(&mut self, position: &K::Position, goal: f32, base: f32) {
        for (plane, &squares) in K::planes(position).as_ref().iter().enumerate() {
            let mut rest = squares;
            while rest != 0 {
                self.pieces.push((plane * SQUARES_PER_PLANE) as u16 + rest.trailing_zeros() as u16);
                rest &= rest - 1;
            }
        }
        self.ends.push(self.pieces.len() as u64);
        let view =
            |side: Side| (side as usize * K::ORIENTATIONS + K::orientation(position, side)) as u8;
        self.targets.push(Target {
            goal,
            base,
            bucket: K::output_bucket(position) as u8,
            own_view: view(position.turn()),
            other_view: view(!position.turn()),
        });
    }

    /// Appends all of `other`, positions of the same game.
    pub fn append(&mut self, other: &NnueSamples) {
        let base = self.pieces.len() as u64;
        self.pieces.extend_from_slice(&other.pieces);
        self.ends.extend(other.ends.iter().map(|end| base + end));
        self.targets.extend_from_slice(&other.targets);
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Position number `index`.
    #[inline]
    pub fn get(&self, index: usize) -> NnueSample<'_> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        let Target { goal, base, bucket, own_view, other_view } = self.targets[index];
        NnueSample {
            pieces: &self.pieces[start as usize..self.ends[index] as usize],
            views: [own_view, other_view].map(|view| self.views[view as usize].as_slice()),
            bucket: bucket.into(),
            goal,
            base,
        }
    }
}
