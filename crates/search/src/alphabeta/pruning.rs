//! The conditions and amounts of pruning and extensions, by the search parameters; `reductions` has those
//! of late moves.

use super::{
    params::SearchParams,
    reductions::ReductionTable,
    table::{Bound, TableEntry},
    worker::PROVEN,
};

impl SearchParams {
    /// A margin in hundredths of this game's unit.
    #[inline]
    fn scaled(&self, margin: i32) -> i32 {
        margin * self.margin_scale / 100
    }

    /// Reverse futility pruning: the static evaluation is so far above `beta` that no reply is likely to
    /// bring it down.
    #[inline]
    pub(super) fn reverse_futility(
        &self,
        static_eval: i32,
        beta: i32,
        depth: i32,
        improving: bool,
    ) -> bool {
        let margin = self.rfp_margin * (depth - i32::from(improving));
        depth <= self.rfp_max_depth && static_eval - self.scaled(margin) >= beta
    }

    /// Reverse futility pruning: the value of a node so pruned, halfway down to beta, for the margin is no
    /// search.
    #[inline]
    pub(super) fn reverse_futility_value(static_eval: i32, beta: i32) -> i32 {
        (static_eval + beta) / 2
    }

    /// Razoring: the static evaluation is so far below `alpha` that only captures could help.
    #[inline]
    pub(super) fn razor(&self, static_eval: i32, alpha: i32, depth: i32) -> bool {
        let margin = self.razor_base + self.razor_slope * (depth - 1);
        depth <= self.razor_max_depth && static_eval + self.scaled(margin) < alpha
    }

    /// Null-move pruning: plies less for the search after a null move, besides its own. `surplus` is the
    /// static evaluation less beta.
    #[inline]
    pub(super) fn null_move_reduction(&self, depth: i32, surplus: i32) -> i32 {
        let for_eval = surplus / self.scaled(self.nmp_eval_margin).max(1);
        self.nmp_base + depth / self.nmp_depth_divisor + for_eval.clamp(0, self.nmp_eval_max)
    }

    /// SEE pruning: the material balance of the exchange below which a move is pruned at `depth`.
    #[inline]
    pub(super) fn see_threshold(&self, depth: i32, is_quiet: bool) -> i32 {
        self.scaled(if is_quiet {
            -self.see_quiet_margin * depth
        } else {
            -self.see_capture_margin * depth * depth
        })
    }

    /// Delta pruning: the largest score a capture that gains `gain` is taken to reach.
    #[inline]
    pub(super) fn optimistic_score(&self, static_eval: i32, gain: i32) -> i32 {
        static_eval + gain + self.scaled(self.delta_margin)
    }

    /// Singular extensions: whether the stored result permits to test its move.
    #[inline]
    pub(super) fn may_be_singular(&self, entry: &TableEntry, depth: i32) -> bool {
        depth >= self.singular_min_depth
            && entry.depth >= depth - self.singular_table_depth
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && entry.score.abs() < PROVEN
    }

    /// SEE pruning in quiescence: the material balance of the exchange below which a capture is pruned.
    #[inline]
    pub(super) fn quiescence_see_threshold(&self) -> i32 {
        self.scaled(self.quiescence_see_threshold)
    }

    /// Singular extensions: how much worse than the stored score all other moves must be.
    #[inline]
    pub(super) fn singular_margin(&self, depth: i32) -> i32 {
        self.scaled(self.singular_margin * depth)
    }

    /// Singular extensions: depth to which all other moves are searched.
    #[inline]
    pub(super) fn singular_depth(&self, depth: i32) -> i32 {
        (depth - 1) / self.singular_depth_divisor
    }

    /// Singular extensions: plies by which the hash move is searched deeper if the search of all others
    /// had the value `others`, where `target` is the stored score less the margin. The error is the value
    /// of the node, by multi-cut: several moves are good enough.
    #[inline]
    pub(super) fn singular_plies(
        &self,
        others: i32,
        target: i32,
        stored: i32,
        beta: i32,
    ) -> Result<i32, i32> {
        if others < target {
            Ok(self.singular_extension)
        } else if target >= beta {
            Err(target)
        } else if stored >= beta {
            Ok(-self.negative_extension)
        } else {
            Ok(0)
        }
    }

    /// History heuristic: the bonus of a quiet move that causes a cutoff of a search to `depth`.
    #[inline]
    pub(super) fn history_bonus(&self, depth: i32) -> i32 {
        let bonus = self.history_bonus_square * depth * depth + self.history_bonus_slope * depth;
        bonus.min(self.history_bonus_max)
    }
}

/// Share of the late-move reduction by which futility pruning takes the depth to be smaller: half, for
/// many moves are searched again without it.
const FUTILITY_REDUCTION_DIVISOR: i32 = 2;

/// The quiet moves that are still to come at a node near the horizon, to prune them if they are late or
/// futile.
#[derive(Copy, Clone)]
pub struct LateMoves<'a> {
    pub params: &'a SearchParams,
    pub reductions: &'a ReductionTable,
    /// Whether late-move pruning, and whether futility pruning is on.
    pub late_move_pruning: bool,
    pub futility: bool,
    pub static_eval: i32,
    pub alpha: i32,
    pub depth: i32,
    /// Moves searched before.
    pub index: usize,
    pub improving: bool,
}

impl LateMoves<'_> {
    /// Whether a quiet move with this history score, and so every later one, is pruned.
    #[inline]
    pub fn are_pruned(&self, history: i32) -> bool {
        self.late_move_pruning && (self.are_too_late() || self.have_bad_history(history))
            || self.futility && self.are_futile()
    }

    /// Late-move pruning.
    #[inline]
    fn are_too_late(&self) -> bool {
        let depth = self.depth as usize;
        let divisor =
            if self.improving { 1 } else { self.params.lmp_not_improving_divisor as usize };
        let allowed = self.params.lmp_base as usize + depth * depth;
        self.depth <= self.params.lmp_max_depth && self.index * divisor > allowed
    }

    /// History pruning.
    #[inline]
    fn have_bad_history(&self, history: i32) -> bool {
        self.depth <= self.params.history_pruning_max_depth
            && history < -self.params.history_pruning_margin * self.depth
            && self.index > self.params.history_pruning_min_moves as usize
    }

    /// Futility pruning.
    #[inline]
    fn are_futile(&self) -> bool {
        let params = self.params;
        let reduction = self.reductions.get(self.depth, self.index);
        let depth = (self.depth - reduction / FUTILITY_REDUCTION_DIVISOR).max(1);
        let margin = params.scaled(params.futility_base + params.futility_slope * depth);
        self.index > 0
            && depth <= params.futility_max_depth
            && self.static_eval + margin <= self.alpha
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_grow_with_the_scale_and_the_depth() {
        let params = SearchParams::DEFAULT;
        let coarse = SearchParams { margin_scale: 400, ..params };
        assert!(
            params.reverse_futility(160, 0, 2, false) && !params.reverse_futility(159, 0, 2, false)
        );
        assert!(
            params.reverse_futility(80, 0, 2, true) && !params.reverse_futility(9999, 0, 9, true)
        );
        assert!(
            coarse.reverse_futility(640, 0, 2, false) && !coarse.reverse_futility(639, 0, 2, false)
        );
        assert!(
            params.razor(-421, 0, 2) && !params.razor(-420, 0, 2) && !params.razor(-9999, 0, 4)
        );
        assert_eq!(
            [0, 399, 400, 4000].map(|surplus| params.null_move_reduction(8, surplus)),
            [5, 6, 7, 8]
        );
        assert_eq!((params.see_threshold(3, true), coarse.see_threshold(3, false)), (-180, -792));
        assert_eq!((params.history_bonus(2), params.history_bonus(40)), (128, 1600));
    }

    #[test]
    fn singular_moves_are_extended_and_others_are_not() {
        let params =
            SearchParams { singular_extension: 2, negative_extension: 3, ..SearchParams::DEFAULT };
        let plies = |others, stored, beta| params.singular_plies(others, 50, stored, beta);
        assert_eq!(plies(49, 60, 10), Ok(2), "all others are worse");
        assert_eq!(plies(50, 60, 50), Err(50), "several moves fail high");
        assert_eq!(plies(50, 60, 60), Ok(-3), "only the stored score fails high");
        assert_eq!(plies(50, 60, 61), Ok(0));
        assert_eq!((params.singular_depth(9), params.singular_depth(8)), (4, 3));
    }
}
