//! NNUE evaluation.

use super::{Net, Row, Shape, WIDTH};
use ludus_core::{Eval, Evaluator, NnueInputs, Position, Score, Side};
use std::sync::Arc;

/// Evaluates positions by a network.
///
/// It caches the accumulators of the last positions, one for each number of moves played (modulo
/// `CACHED_PLIES`), and updates that of a new position from the most similar of its neighbours: mostly
/// its parent in the tree, from which it differs by a few pieces. Whatever it starts from, the sums are
/// the same.
pub struct NnueEvaluator<K: NnueInputs> {
    net: Arc<Net>,
    /// For each orientation of the first side, each of the second, and each cached ply.
    accumulators: Vec<Accumulator<K>>,
}

/// Numbers of moves played that have an accumulator of their own.
const CACHED_PLIES: usize = 8;

/// The sums of the first layer for one position.
struct Accumulator<K: NnueInputs> {
    planes: K::Planes,
    /// All squares that are not empty.
    occupied: u64,
    /// The perspective of the first side, then that of the second.
    sums: [Row; 2],
}

/// A clone starts with an empty cache.
impl<K: NnueInputs> Clone for NnueEvaluator<K> {
    fn clone(&self) -> NnueEvaluator<K> {
        NnueEvaluator::new(Arc::clone(&self.net))
    }
}

impl<K: NnueInputs> NnueEvaluator<K> {
    /// An evaluator by `net`.
    ///
    /// # Panics
    /// If the network is not one for this game.
    pub fn new(net: Arc<Net>) -> NnueEvaluator<K> {
        assert_eq!(net.shape, Shape::of::<K>());
        let nothing = || Accumulator { planes: K::EMPTY, occupied: 0, sums: [net.empty; 2] };
        let accumulators =
            (0..K::ORIENTATIONS * K::ORIENTATIONS * CACHED_PLIES).map(|_| nothing()).collect();
        NnueEvaluator { net, accumulators }
    }

    /// The output of the network for the side to move, in hundredths.
    #[inline]
    pub fn output(&mut self, position: &K::Position) -> i32 {
        let orientations =
            [K::orientation(position, Side::First), K::orientation(position, Side::Second)];
        let slots = &mut self.accumulators
            [(orientations[0] * K::ORIENTATIONS + orientations[1]) * CACHED_PLIES..]
            [..CACHED_PLIES];
        let planes = K::planes(position);
        let occupied = planes.as_ref().iter().fold(0, |all, plane| all | plane);
        let ply = K::ply_hint(position);
        let [parent, sibling] = [ply + CACHED_PLIES - 1, ply].map(|ply| ply % CACHED_PLIES);
        let apart = |slot: usize| (slots[slot].occupied ^ occupied).count_ones();
        let nearest = if apart(parent) <= apart(sibling) { parent } else { sibling };
        if let Ok([accumulator, base]) = slots.get_disjoint_mut([sibling, nearest]) {
            accumulator.sums = base.sums;
            accumulator.planes = base.planes;
        }
        let accumulator = &mut slots[sibling];
        accumulator.update(&self.net, planes, orientations);
        accumulator.occupied = occupied;
        let own = position.turn().index();
        self.net.output(
            K::output_bucket(position),
            [&accumulator.sums[own], &accumulator.sums[1 - own]],
        )
    }
}

impl<K: NnueInputs> Accumulator<K> {
    #[inline]
    fn update(&mut self, net: &Net, planes: K::Planes, orientations: [usize; 2]) {
        let (now, before) = (planes.as_ref(), self.planes.as_ref());
        let differ = |plane: usize| u32::from(now[plane] != before[plane]) << plane;
        let mut different = (0..now.len()).map(differ).sum::<u32>();
        let [first, second] = &mut self.sums;
        while different != 0 {
            let plane = different.trailing_zeros() as usize;
            different &= different - 1;
            let mut changed = now[plane] ^ before[plane];
            while changed != 0 {
                let square = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                let row =
                    |side| net.row(K::input(side, orientations[side as usize], plane, square));
                let rows = [row(Side::First), row(Side::Second)];
                if now[plane] >> square & 1 != 0 {
                    add(first, rows[0]);
                    add(second, rows[1]);
                } else {
                    subtract(first, rows[0]);
                    subtract(second, rows[1]);
                }
            }
        }
        self.planes = planes;
    }
}

// Rows are taken out and put back whole: only then does the compiler use vectors.

#[inline(always)]
fn add(sums: &mut Row, row: &Row) {
    let (mut all, row) = (sums.0, row.0);
    for lane in 0..WIDTH {
        all[lane] = all[lane].wrapping_add(row[lane]);
    }
    sums.0 = all;
}

#[inline(always)]
fn subtract(sums: &mut Row, row: &Row) {
    let (mut all, row) = (sums.0, row.0);
    for lane in 0..WIDTH {
        all[lane] = all[lane].wrapping_sub(row[lane]);
    }
    sums.0 = all;
}

impl<K: NnueInputs> Evaluator<K::Position> for NnueEvaluator<K> {
    #[inline]
    fn evaluate(&mut self, position: &K::Position) -> Score {
        Score::evaluation(self.output(position))
    }
}

/// Another evaluation, corrected by a network that has learned its errors.
#[derive(Clone)]
pub struct CorrectedEval<K: NnueInputs, E> {
    /// The evaluation to be corrected.
    pub base: E,
    /// The network that corrects it.
    pub net: NnueEvaluator<K>,
}

/// Largest score that is corrected, in hundredths.
pub const MAX_CORRECTED_SCORE: i32 = 1000;

/// Lazy evaluation: distance from the window, in hundredths, beyond which the correction is left out.
const LAZY_EVAL_MARGIN: i32 = 90;

/// Whether a position is to be evaluated by the network too.
#[inline]
fn is_corrected<K: NnueInputs>(position: &K::Position, base: Score) -> bool {
    base.0.abs() <= MAX_CORRECTED_SCORE && K::has_nnue_inputs(position)
}

impl<K: NnueInputs, E: Evaluator<K::Position>> Evaluator<K::Position> for CorrectedEval<K, E> {
    #[inline]
    fn evaluate(&mut self, position: &K::Position) -> Score {
        let base = self.base.evaluate(position);
        if !is_corrected::<K>(position, base) {
            return base;
        }
        Score::evaluation(base.0 + self.net.output(position))
    }

    #[inline]
    fn evaluate_within(&mut self, position: &K::Position, low: i32, high: i32) -> Eval {
        let base = self.base.evaluate(position);
        if !is_corrected::<K>(position, base) {
            return Eval::Exact(base);
        }
        if base.0 < low - LAZY_EVAL_MARGIN || base.0 > high + LAZY_EVAL_MARGIN {
            return Eval::OutsideWindow(base);
        }
        Eval::Exact(Score::evaluation(base.0 + self.net.output(position)))
    }
}
