//! The move picker: the moves of a node in the order of searching them, none scored before it is needed.

use super::{
    ordering::{
        Candidate, EarlyMoves, HistoryIndex, pick, prunable_last, push_unscored,
        score_captures_and_refutations,
    },
    table::Ordinal,
    worker::Worker,
};
use ludus_core::{Evaluator, Position, SearchHints};

/// The moves of a node that are scored so far.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// The hash move.
    HashMove,
    /// Captures, killer moves and the countermove too.
    CapturesAndRefutations,
    /// All moves but those that are skipped.
    All,
}

/// The state of the move picker of one node.
pub(super) struct MovePicker {
    stage: Stage,
    early: EarlyMoves,
    ply: usize,
    /// The move that led to the node.
    previous: Option<HistoryIndex>,
    moves_from: usize,
    /// Index of the first candidate.
    from: usize,
    /// Index of the next candidate; those behind it are to come.
    next: usize,
    /// Whether the candidates are in their order already.
    sorted: bool,
    /// Whether prunable moves are skipped.
    skips_quiets: bool,
}

impl<P: Position, E: Evaluator<P>, H: SearchHints<P>> Worker<'_, P, E, H> {
    /// The move picker of a node: in the root's own order, by scores, or as the moves are listed.
    pub(super) fn move_picker(
        &mut self,
        position: &P,
        hash_move: Ordinal,
        previous: Option<HistoryIndex>,
        ply: usize,
        moves_from: usize,
    ) -> MovePicker {
        let moves = &self.scratch.moves[moves_from..];
        let order = &mut self.scratch.order;
        let next = order.len();
        let (mut stage, mut sorted) = (Stage::All, true);
        if ply == 0 && !self.root.order.is_empty() {
            let hint = |&ordinal: &Ordinal| {
                Candidate::unscored(ordinal, self.hints.hint(position, moves[usize::from(ordinal)]))
            };
            order.extend(self.root.order.iter().map(hint));
        } else if !self.settings.ordering {
            push_unscored(self.hints, position, moves, order);
            let place = next + usize::from(hash_move);
            if self.settings.hash_move_first && place < order.len() {
                order[next..=place].rotate_right(1);
            }
        } else {
            (stage, sorted) = (Stage::HashMove, false);
            if let Some(&mv) = moves.get(usize::from(hash_move)) {
                order.push(Candidate::hash_move(self.hints, position, mv, hash_move));
            }
        }
        let early = EarlyMoves::new(hash_move);
        MovePicker {
            stage,
            early,
            ply,
            previous,
            moves_from,
            from: next,
            next,
            sorted,
            skips_quiets: false,
        }
    }

    /// The next move. When the quiet moves are about to be scored, `may_skip_quiets` says whether it is
    /// clear that none of the prunable ones will be searched.
    #[inline]
    pub(super) fn next_move(
        &mut self,
        position: &P,
        picker: &mut MovePicker,
        may_skip_quiets: impl Fn() -> bool,
    ) -> Option<Candidate> {
        loop {
            let rest = &mut self.scratch.order[picker.next..];
            if !rest.is_empty() {
                let checks_captures = self.settings.pruning.see_pruning;
                let moves = &self.scratch.moves[picker.moves_from..];
                let first = if picker.sorted {
                    rest[0]
                } else {
                    pick(self.hints, position, moves, rest, checks_captures)
                };
                if picker.stage == Stage::All || !first.is_losing_capture() {
                    picker.next += 1;
                    return Some(first);
                }
            }
            let moves = &self.scratch.moves[picker.moves_from..];
            let order = &mut self.scratch.order;
            match picker.stage {
                Stage::HashMove => {
                    let [last, older] = &self.scratch.stack[picker.ply].killers;
                    let refutations =
                        [last, older, self.history_tables.countermove(picker.previous)];
                    score_captures_and_refutations(
                        self.hints,
                        position,
                        moves,
                        refutations,
                        &mut picker.early,
                        order,
                    );
                    let are_all = order.len() - picker.from == moves.len();
                    picker.stage = if are_all { Stage::All } else { Stage::CapturesAndRefutations };
                }
                Stage::CapturesAndRefutations => {
                    picker.skips_quiets |= may_skip_quiets();
                    let MovePicker { previous, early, skips_quiets, .. } = *picker;
                    self.history_tables.score_quiets(
                        position,
                        moves,
                        previous,
                        early,
                        skips_quiets,
                        order,
                    );
                    picker.stage = Stage::All;
                    if picker.skips_quiets && self.trace.is_some() {
                        self.trace_skipped_quiets(position, picker);
                    }
                }
                Stage::All => return None,
            }
        }
    }

    /// Skips the prunable moves still to come.
    pub(super) fn skip_quiets(&mut self, picker: &mut MovePicker) {
        picker.skips_quiets = true;
        let rest = &mut self.scratch.order[picker.next..];
        let left = prunable_last(rest);
        if let Some(trace) = &mut self.trace {
            for candidate in &rest[left..] {
                trace
                    .skip(self.scratch.moves[picker.moves_from + usize::from(candidate.ordinal())]);
            }
        }
        self.scratch.order.truncate(picker.next + left);
    }

    /// Records the prunable moves that were skipped before they were scored.
    #[cold]
    fn trace_skipped_quiets(&mut self, position: &P, picker: &MovePicker) {
        let mut unscored = Vec::new();
        let moves = &self.scratch.moves[picker.moves_from..];
        push_unscored(self.hints, position, moves, &mut unscored);
        unscored.retain(|it| it.is_prunable() && !picker.early.has(it.ordinal()));
        for candidate in unscored {
            self.trace_skip(
                self.scratch.moves[picker.moves_from + usize::from(candidate.ordinal())],
            );
        }
    }

    /// The number of moves still to come, without those skipped so far.
    pub(super) fn remaining_moves(&self, picker: &MovePicker, count: usize, tried: usize) -> usize {
        match picker.stage {
            Stage::All => self.scratch.order.len() - picker.next,
            _ => count - tried,
        }
    }
}
