//! Late-move reductions (LMR): the formula, by the search parameters.

use super::params::SearchParams;

impl SearchParams {
    /// Late-move reductions: plies less for the first search of a move; negative for a promising one.
    #[inline(always)]
    pub(super) fn late_move_reduction(&self, table: &ReductionTable, mv: LateMove) -> i32 {
        let when = |holds: bool, plies: i32| if holds { plies } else { 0 };
        table.get(mv.depth, mv.index)
            + when(mv.in_null_window, self.lmr_null_window)
            + when(mv.at_cut_node, self.lmr_cut_node)
            - when(mv.improving, self.lmr_improving)
            - when(mv.is_refutation, self.lmr_refutation)
            - when(mv.forces_response, self.lmr_forcing)
            - when(mv.must_respond, self.lmr_must_respond)
            - self.history_plies(mv.history)
    }

    /// Late-move reductions: plies more for a move with a good history; negative for a bad one.
    #[inline]
    fn history_plies(&self, history: i32) -> i32 {
        let plies = history / self.lmr_history_divisor;
        plies.clamp(-self.lmr_history_max, self.lmr_history_max)
    }
}

/// A late move, by what its reduction depends on.
#[derive(Copy, Clone)]
pub(super) struct LateMove {
    /// Depth of the node.
    pub depth: i32,
    /// Moves searched before.
    pub index: usize,
    pub in_null_window: bool,
    pub at_cut_node: bool,
    pub improving: bool,
    /// Whether it is a killer move or countermove.
    pub is_refutation: bool,
    pub forces_response: bool,
    pub must_respond: bool,
    /// History score.
    pub history: i32,
}

/// Number of depths, in plies, and of moves searched before that late-move reductions distinguish.
const REDUCTION_TABLE_SIZE: usize = 64;

/// Late-move reductions in plies, by depth and number of moves searched before:
/// `lmr_base + ln(depth) · ln(moves) / lmr_divisor`, rounded down.
#[derive(Debug, PartialEq, Eq)]
pub struct ReductionTable([[i8; REDUCTION_TABLE_SIZE]; REDUCTION_TABLE_SIZE]);

/// The table of the default parameters, made when compiling.
pub static DEFAULT_REDUCTIONS: ReductionTable = ReductionTable::new(&SearchParams::DEFAULT);

impl ReductionTable {
    /// The table of other parameters; `None` if they give the default one.
    pub fn custom(params: &SearchParams) -> Option<Box<ReductionTable>> {
        let SearchParams { lmr_base, lmr_divisor, .. } = SearchParams::DEFAULT;
        let is_default = (params.lmr_base, params.lmr_divisor) == (lmr_base, lmr_divisor);
        (!is_default).then(|| Box::new(ReductionTable::new(params)))
    }

    const fn new(params: &SearchParams) -> ReductionTable {
        let mut table = [[0; REDUCTION_TABLE_SIZE]; REDUCTION_TABLE_SIZE];
        let mut depth = 1;
        while depth < REDUCTION_TABLE_SIZE {
            let mut index = 1;
            while index < REDUCTION_TABLE_SIZE {
                let product = natural_logarithm(depth as f64) * natural_logarithm(index as f64);
                table[depth][index] = (params.lmr_base + product / params.lmr_divisor) as i8;
                index += 1;
            }
            depth += 1;
        }
        ReductionTable(table)
    }

    /// Plies less for a move at `depth` after `index` others.
    #[inline]
    pub fn get(&self, depth: i32, index: usize) -> i32 {
        let last = REDUCTION_TABLE_SIZE - 1;
        i32::from(self.0[depth.clamp(0, last as i32) as usize][index.min(last)])
    }
}

/// For a constant of at least 1: the standard library's is no `const fn`.
const fn natural_logarithm(mut value: f64) -> f64 {
    let mut halvings = 0.0;
    while value > 1.5 {
        value /= 2.0;
        halvings += 1.0;
    }
    let ratio = (value - 1.0) / (value + 1.0);
    let (mut power, mut sum, mut odd) = (ratio, 0.0, 1.0);
    while odd < 30.0 {
        sum += power / odd;
        power *= ratio * ratio;
        odd += 2.0;
    }
    2.0 * sum + halvings * std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_both_logarithms() {
        let other = SearchParams { lmr_base: 0.6, lmr_divisor: 1.7, ..SearchParams::DEFAULT };
        assert_eq!(ReductionTable::custom(&SearchParams::DEFAULT), None);
        let custom = ReductionTable::custom(&other).unwrap();
        for depth in 1..64_u8 {
            let logarithm = f64::from(depth).ln();
            assert!((natural_logarithm(depth.into()) - logarithm).abs() < 1e-12);
            for index in 1..64_u8 {
                let product = logarithm * f64::from(index).ln();
                let [usual, more] = [0.4 + product / 2.2, 0.6 + product / 1.7].map(|it| it as i32);
                let found = DEFAULT_REDUCTIONS.get(depth.into(), index.into());
                assert_eq!(found, usual, "{depth} {index}");
                assert_eq!(custom.get(depth.into(), index.into()), more, "{depth} {index}");
            }
        }
        let reduction = |depth, index| DEFAULT_REDUCTIONS.get(depth, index);
        assert_eq!(
            (reduction(-1, 5), reduction(5, 0), reduction(99, 99)),
            (0, 0, reduction(63, 63))
        );
    }

    #[test]
    fn every_condition_changes_the_reduction_by_its_parameter() {
        let plain = LateMove {
            depth: 12,
            index: 9,
            in_null_window: false,
            at_cut_node: false,
            improving: false,
            is_refutation: false,
            forces_response: false,
            must_respond: false,
            history: 0,
        };
        let params = SearchParams {
            lmr_null_window: 1,
            lmr_cut_node: 2,
            lmr_improving: 3,
            lmr_refutation: 4,
            lmr_forcing: -3,
            lmr_must_respond: -4,
            ..SearchParams::DEFAULT
        };
        let table = &DEFAULT_REDUCTIONS;
        let change =
            |mv| params.late_move_reduction(table, mv) - params.late_move_reduction(table, plain);
        let changes = [
            change(LateMove { in_null_window: true, ..plain }),
            change(LateMove { at_cut_node: true, ..plain }),
            change(LateMove { improving: true, ..plain }),
            change(LateMove { is_refutation: true, ..plain }),
            change(LateMove { forces_response: true, ..plain }),
            change(LateMove { must_respond: true, ..plain }),
            change(LateMove { history: 6000, ..plain }),
        ];
        assert_eq!(changes, [1, 2, -3, -4, 3, 4, -1]);
        assert_eq!(params.late_move_reduction(table, plain), table.get(12, 9));
    }

    #[test]
    fn a_good_history_reduces_less() {
        let plies = |history| SearchParams::DEFAULT.history_plies(history);
        assert_eq!([-20_000, -6000, 5999, 6000].map(plies), [-2, -1, 0, 1]);
    }
}
