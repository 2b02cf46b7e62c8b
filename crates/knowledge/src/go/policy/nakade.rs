//! Nakade: vital points, where one move decides whether a small region becomes two eyes.

use super::PolicyView;
use super::points::Points;
use ludus_games::go::{
    Point,
    stones::{EMPTY, Stones},
};

/// The largest region with a vital point.
const MAX_REGION_POINTS: usize = 6;

/// Shapes with a vital point, as sorted numbers of neighbours of their points inside the shape. The
/// point with the most neighbours is the vital one.
#[rustfmt::skip]
const SHAPES: [&[u8]; 5] = [
    &[1, 1, 2],             // three in a row or around a corner
    &[1, 1, 1, 3],          // a pyramid
    &[1, 1, 1, 1, 4],       // a cross
    &[1, 2, 2, 2, 3],       // a bulky five: a square and one more
    &[1, 1, 2, 2, 2, 4],    // a rabbity six: a square and two more at one corner
];

/// The vital point of a shape, given every point with its neighbours inside.
fn vital_point(points: &mut [(u8, Point)]) -> Option<Point> {
    points.sort_unstable_by_key(|&(neighbours, _)| neighbours);
    let degrees = points.iter().map(|&(neighbours, _)| neighbours);
    let known = SHAPES.iter().any(|shape| degrees.clone().eq(shape.iter().copied()));
    known.then(|| points[points.len() - 1].1)
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PolicyView<'_, ROOM, STRIDE, LENGTH>
{
    /// The vital points of small regions of the other side beside its last move.
    #[inline(always)]
    pub(super) fn propose_nakade<const SIDE: usize>(self, last: Point, out: &mut Points) {
        let mut empty = self.empty_beside(last);
        while empty != 0 {
            let start = Self::behind(last, empty);
            empty &= empty - 1;
            self.propose_vital_point_at::<SIDE>(start, out);
        }
    }

    /// The vital point of the region of the empty point `start`, if it is small and the other
    /// side's.
    #[inline(always)]
    pub(in super::super) fn propose_vital_point_at<const SIDE: usize>(
        self,
        start: Point,
        out: &mut Points,
    ) {
        // No shape with a vital point has more than five others around any of its points.
        let around = self.neighbourhood(start);
        let is_cramped = (!(around | around >> 1) & 0x5555).count_ones() <= 5;
        if is_cramped && self.is_open(start) {
            self.propose_vital_point::<SIDE>(start, out);
        }
    }

    /// The vital point of the region of `start`, if it is small and touches no stone of `SIDE`.
    fn propose_vital_point<const SIDE: usize>(self, start: Point, out: &mut Points) {
        let mut region = [(0, Point::NOWHERE); MAX_REGION_POINTS];
        region[0].1 = start;
        let (mut count, mut next) = (1, 0);
        while next < count {
            let point = region[next].1;
            if self.beside::<SIDE>(point)[0] != 0 {
                return;
            }
            let mut empty = self.empty_beside(point);
            region[next].0 = empty.count_ones() as u8;
            next += 1;
            while empty != 0 {
                let neighbour = Self::behind(point, empty);
                empty &= empty - 1;
                if region[..count].iter().all(|&(_, known)| known != neighbour) {
                    if count == MAX_REGION_POINTS {
                        return;
                    }
                    region[count].1 = neighbour;
                    count += 1;
                }
            }
        }
        if let Some(vital) = vital_point(&mut region[..count]) {
            out.add(vital);
        }
    }

    /// Whether the stones of the chains of `SIDE` beside the empty `point`, with one there, make a
    /// shape that leaves the enemy one eye when it is captured: up to three stones, a square, or
    /// one of the shapes with a vital point.
    pub(super) fn makes_nakade<const SIDE: usize>(self, point: Point) -> bool {
        let mut shape = [Point::NOWHERE; MAX_REGION_POINTS];
        shape[0] = point;
        let mut count = 1;
        let [mut friends, _] = self.beside::<SIDE>(point);
        while friends != 0 {
            let first = Self::behind(point, friends);
            friends &= friends - 1;
            if shape[..count].contains(&first) {
                continue;
            }
            if count + self.chain_size(first) > MAX_REGION_POINTS {
                return false;
            }
            let mut stone = first;
            for _ in 0..self.chain_size(first) {
                shape[count] = stone;
                count += 1;
                stone = self.next_stone(stone);
            }
        }
        let shape = &shape[..count];
        let mut degrees = [(0, Point::NOWHERE); MAX_REGION_POINTS];
        for (degree, &stone) in degrees.iter_mut().zip(shape) {
            let inside = |&step: &usize| {
                shape.contains(&Stones::<ROOM, STRIDE, LENGTH>::neighbour(stone, step))
            };
            *degree = (
                Stones::<ROOM, STRIDE, LENGTH>::STEPS.iter().filter(|step| inside(step)).count()
                    as u8,
                stone,
            );
        }
        let degrees = &mut degrees[..count];
        let is_square = count == 4 && degrees.iter().all(|&(degree, _)| degree == 2);
        count <= 3 || is_square || vital_point(degrees).is_some()
    }

    /// Whether the empty `point` is in an eye of the other side of at most three points, stones of
    /// `SIDE` inside it included.
    pub(in super::super) fn is_in_small_eye<const SIDE: usize>(self, point: Point) -> bool {
        let mut region = [point, Point::NOWHERE, Point::NOWHERE];
        let (mut count, mut next) = (1, 0);
        while next < count {
            let here = region[next];
            next += 1;
            let mut inside = self.beside::<SIDE>(here)[0] | self.empty_beside(here);
            while inside != 0 {
                let beside = Self::behind(here, inside);
                inside &= inside - 1;
                if region[..count].contains(&beside) {
                    continue;
                }
                if count == region.len() {
                    return false;
                }
                region[count] = beside;
                count += 1;
            }
        }
        true
    }

    /// Whether a point is on the board and empty.
    #[inline(always)]
    pub(super) fn is_empty(self, point: Point) -> bool {
        self.content(point) == EMPTY
    }
}
