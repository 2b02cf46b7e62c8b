//! The network as the judge of a search.

use super::{Net, Row, Shape, WIDTH};
use ludus_core::{Eval, Evaluator, NnueInputs, Score, Side};
use std::sync::Arc;

/// Judges positions by a network.
///
/// It remembers the sums of the positions it judged last, one for each number of moves played (they
/// come round), and makes those of a new position from the most similar of its neighbours: mostly its
/// parent in the tree, from which it differs by a few men. Whatever it starts from, the sums come
/// out the same.
pub struct NetEvaluator<P: NnueInputs> {
    net: Arc<Net>,
    /// For each aspect of the first side, each of the second, and each number of moves.
    seen: Vec<Seen<P>>,
}

/// Numbers of moves that are told apart.
const CLOCKS: usize = 8;

struct Seen<P: NnueInputs> {
    sets: P::Sets,
    /// All squares that are not empty.
    occupied: u64,
    /// Of the first side, then of the second.
    sums: [Row; 2],
}

/// The clone has seen nothing yet.
impl<P: NnueInputs> Clone for NetEvaluator<P> {
    fn clone(&self) -> NetEvaluator<P> {
        NetEvaluator::new(Arc::clone(&self.net))
    }
}

impl<P: NnueInputs> NetEvaluator<P> {
    /// A judge by `net`.
    ///
    /// # Panics
    /// If the network is not one for this game.
    pub fn new(net: Arc<Net>) -> NetEvaluator<P> {
        assert_eq!(net.shape, Shape::of::<P>());
        let nothing = || Seen { sets: P::EMPTY, occupied: 0, sums: [net.empty; 2] };
        let seen = (0..P::ASPECTS * P::ASPECTS * CLOCKS).map(|_| nothing()).collect();
        NetEvaluator { net, seen }
    }

    /// What the network says, for the side to move, in hundredths.
    #[inline]
    pub fn output(&mut self, position: &P) -> i32 {
        let aspects = [position.aspect(Side::First), position.aspect(Side::Second)];
        let slots = &mut self.seen[(aspects[0] * P::ASPECTS + aspects[1]) * CLOCKS..][..CLOCKS];
        let sets = position.sets();
        let occupied = sets.as_ref().iter().fold(0, |all, set| all | set);
        let clock = position.clock();
        let [parent, sibling] = [clock + CLOCKS - 1, clock].map(|clock| clock % CLOCKS);
        let apart = |slot: usize| (slots[slot].occupied ^ occupied).count_ones();
        let nearest = if apart(parent) <= apart(sibling) { parent } else { sibling };
        if let Ok([seen, base]) = slots.get_disjoint_mut([sibling, nearest]) {
            seen.sums = base.sums;
            seen.sets = base.sets;
        }
        let seen = &mut slots[sibling];
        seen.bring_up_to_date(&self.net, sets, aspects);
        seen.occupied = occupied;
        let own = position.turn().index();
        self.net.output(position.stage(), [&seen.sums[own], &seen.sums[1 - own]])
    }
}

impl<P: NnueInputs> Seen<P> {
    #[inline]
    fn bring_up_to_date(&mut self, net: &Net, sets: P::Sets, aspects: [usize; 2]) {
        let (now, before) = (sets.as_ref(), self.sets.as_ref());
        let differ = |set: usize| u32::from(now[set] != before[set]) << set;
        let mut different = (0..now.len()).map(differ).sum::<u32>();
        let [first, second] = &mut self.sums;
        while different != 0 {
            let set = different.trailing_zeros() as usize;
            different &= different - 1;
            let mut changed = now[set] ^ before[set];
            while changed != 0 {
                let square = changed.trailing_zeros() as usize;
                changed &= changed - 1;
                let row = |side| net.row(P::input(side, aspects[side as usize], set, square));
                let rows = [row(Side::First), row(Side::Second)];
                if now[set] >> square & 1 != 0 {
                    add(first, rows[0]);
                    add(second, rows[1]);
                } else {
                    subtract(first, rows[0]);
                    subtract(second, rows[1]);
                }
            }
        }
        self.sets = sets;
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

impl<P: NnueInputs> Evaluator<P> for NetEvaluator<P> {
    #[inline]
    fn evaluate(&mut self, position: &P) -> Score {
        Score::evaluation(self.output(position))
    }
}

/// Another evaluation, corrected by a network that has learned where it errs.
#[derive(Clone)]
pub struct Corrected<P: NnueInputs, E> {
    /// What is corrected.
    pub base: E,
    /// What corrects it.
    pub net: NetEvaluator<P>,
}

/// Further ahead, in hundredths, nothing is corrected.
pub const SURE: i32 = 1000;

/// Further outside the window, in hundredths, no correction is taken to bring a score back.
const MARGIN: i32 = 90;

/// Whether the network is to be asked about a position.
#[inline]
fn is_in_doubt(position: &impl NnueInputs, base: Score) -> bool {
    base.0.abs() <= SURE && position.is_described()
}

impl<P: NnueInputs, E: Evaluator<P>> Evaluator<P> for Corrected<P, E> {
    #[inline]
    fn evaluate(&mut self, position: &P) -> Score {
        let base = self.base.evaluate(position);
        if !is_in_doubt(position, base) {
            return base;
        }
        Score::evaluation(base.0 + self.net.output(position))
    }

    #[inline]
    fn evaluate_within(&mut self, position: &P, low: i32, high: i32) -> Eval {
        let base = self.base.evaluate(position);
        if !is_in_doubt(position, base) {
            return Eval::Exact(base);
        }
        if base.0 < low - MARGIN || base.0 > high + MARGIN {
            return Eval::OutsideWindow(base);
        }
        Eval::Exact(Score::evaluation(base.0 + self.net.output(position)))
    }
}
