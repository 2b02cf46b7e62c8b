//! NNUE evaluation.

use super::{Net, Row, Shape, WIDTH};
use ludus_core::{Eval, Evaluator, NnueInputs, Score, Side};
use std::sync::Arc;

/// Evaluates positions by a network.
///
/// It caches the accumulators of the last positions, one for each number of moves played (modulo
/// [`CACHED_PLIES`]), and updates that of a new position from the most similar of its neighbours: mostly
/// its parent in the tree, from which it differs by a few pieces. Whatever it starts from, the sums are
/// the same.
pub struct NnueEvaluator<P: NnueInputs> {
    net: Arc<Net>,
    /// For each orientation of the first side, each of the second, and each cached ply.
    accumulators: Vec<Accumulator<P>>,
}

/// Numbers of moves played that have an accumulator of their own.
const CACHED_PLIES: usize = 8;

/// The sums of the first layer for one position.
struct Accumulator<P: NnueInputs> {
    planes: P::Planes,
    /// All squares that are not empty.
    occupied: u64,
    /// The perspective of the first side, then that of the second.
    sums: [Row; 2],
}

/// A clone starts with an empty cache.
impl<P: NnueInputs> Clone for NnueEvaluator<P> {
    fn clone(&self) -> NnueEvaluator<P> {
        NnueEvaluator::new(Arc::clone(&self.net))
    }
}

impl<P: NnueInputs> NnueEvaluator<P> {
    /// An evaluator by `net`.
    ///
    /// # Panics
    /// If the network is not one for this game.
    pub fn new(net: Arc<Net>) -> NnueEvaluator<P> {
        assert_eq!(net.shape, Shape::of::<P>());
        let nothing = || Accumulator { planes: P::EMPTY, occupied: 0, sums: [net.empty; 2] };
        let accumulators =
            (0..P::ORIENTATIONS * P::ORIENTATIONS * CACHED_PLIES).map(|_| nothing()).collect();
        NnueEvaluator { net, accumulators }
    }

    /// The output of the network for the side to move, in hundredths.
    #[inline]
    pub fn output(&mut self, position: &P) -> i32 {
        let orientations = [position.orientation(Side::First), position.orientation(Side::Second)];
        let slots = &mut self.accumulators
            [(orientations[0] * P::ORIENTATIONS + orientations[1]) * CACHED_PLIES..]
            [..CACHED_PLIES];
        let planes = position.planes();
        let occupied = planes.as_ref().iter().fold(0, |all, plane| all | plane);
        let ply = position.ply_hint();
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
        self.net
            .output(position.output_bucket(), [&accumulator.sums[own], &accumulator.sums[1 - own]])
    }
}

impl<P: NnueInputs> Accumulator<P> {
    #[inline]
    fn update(&mut self, net: &Net, planes: P::Planes, orientations: [usize; 2]) {
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
                    |side| net.row(P::input(side, orientations[side as usize], plane, square));
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

impl<P: NnueInputs> Evaluator<P> for NnueEvaluator<P> {
    #[inline]
    fn evaluate(&mut self, position: &P) -> Score {
        Score::evaluation(self.output(position))
    }
}

/// Another evaluation, corrected by a network that has learned its errors.
#[derive(Clone)]
pub struct CorrectedEval<P: NnueInputs, E> {
    /// The evaluation to be corrected.
    pub base: E,
    /// The network that corrects it.
    pub net: NnueEvaluator<P>,
}

/// Largest score that is corrected, in hundredths.
pub const MAX_CORRECTED_SCORE: i32 = 1000;

/// Lazy evaluation: distance from the window, in hundredths, beyond which the correction is left out.
const LAZY_EVAL_MARGIN: i32 = 90;

/// Whether a position is to be evaluated by the network too.
#[inline]
fn is_corrected(position: &impl NnueInputs, base: Score) -> bool {
    base.0.abs() <= MAX_CORRECTED_SCORE && position.has_nnue_inputs()
}

impl<P: NnueInputs, E: Evaluator<P>> Evaluator<P> for CorrectedEval<P, E> {
    #[inline]
    fn evaluate(&mut self, position: &P) -> Score {
        let base = self.base.evaluate(position);
        if !is_corrected(position, base) {
            return base;
        }
        Score::evaluation(base.0 + self.net.output(position))
    }

    #[inline]
    fn evaluate_within(&mut self, position: &P, low: i32, high: i32) -> Eval {
        let base = self.base.evaluate(position);
        if !is_corrected(position, base) {
            return Eval::Exact(base);
        }
        if base.0 < low - LAZY_EVAL_MARGIN || base.0 > high + LAZY_EVAL_MARGIN {
            return Eval::OutsideWindow(base);
        }
        Eval::Exact(Score::evaluation(base.0 + self.net.output(position)))
    }
}
