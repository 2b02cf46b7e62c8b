//! The moves of a node in the order of trying them, none rated before it is needed.

use super::{
    ordering::{Candidate, Early, Memory, Played, lively_first, pick},
    table::Ordinal,
    worker::Worker,
};
use ludus_core::{Ending, Evaluator, SearchHints};

/// How far the moves of a node are lined up.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    /// The move of the table.
    Table,
    /// Before the other quiet moves: what gains something, and what refuted other moves.
    Promising,
    /// All but those given up.
    All,
}

/// Where a node stands in the line of its moves.
pub(super) struct MovePicker {
    stage: Stage,
    early: Early,
    ply: usize,
    /// The move made before.
    before: Option<Played>,
    moves_from: usize,
    /// The place of the first candidate.
    from: usize,
    /// The place of the next candidate; those behind it are to come.
    next: usize,
    /// Whether the line is as wanted and need not be sorted.
    sorted: bool,
    /// Whether moves that are tame are given up.
    tame_given_up: bool,
}

impl<P: Ending + SearchHints, E: Evaluator<P>> Worker<'_, P, E> {
    /// Puts the moves in line: as found at the root before, by what promises most, or as listed.
    pub(super) fn line_up(
        &mut self,
        position: &P,
        table_move: Ordinal,
        before: Option<Played>,
        ply: usize,
        moves_from: usize,
    ) -> MovePicker {
        let moves = &self.scratch.moves[moves_from..];
        let order = &mut self.scratch.order;
        let next = order.len();
        let (mut stage, mut sorted) = (Stage::All, true);
        if ply == 0 && !self.root.order.is_empty() {
            let sketch = |&ordinal: &Ordinal| {
                Candidate::unrated(ordinal, position.sketch(moves[usize::from(ordinal)]))
            };
            order.extend(self.root.order.iter().map(sketch));
        } else if !self.settings.ordering {
            Memory::list(position, moves, order);
            let place = next + usize::from(table_move);
            if self.settings.remembered_first && place < order.len() {
                order[next..=place].rotate_right(1);
            }
        } else {
            (stage, sorted) = (Stage::Table, false);
            if let Some(&mv) = moves.get(usize::from(table_move)) {
                order.push(Candidate::from_table(position, mv, table_move));
            }
        }
        let early = Early::new(table_move);
        MovePicker {
            stage,
            early,
            ply,
            before,
            moves_from,
            from: next,
            next,
            sorted,
            tame_given_up: false,
        }
    }

    /// The next move to try. When the quiet moves are about to be rated, `gives_up_tame` says
    /// whether it is clear that none of the tame ones will be searched.
    #[inline]
    pub(super) fn next(
        &mut self,
        position: &P,
        line: &mut MovePicker,
        gives_up_tame: impl Fn() -> bool,
    ) -> Option<Candidate> {
        loop {
            let rest = &mut self.scratch.order[line.next..];
            if !rest.is_empty() {
                let exchanges = self.settings.pruning.exchange;
                let moves = &self.scratch.moves[line.moves_from..];
                let first =
                    if line.sorted { rest[0] } else { pick(position, moves, rest, exchanges) };
                if line.stage == Stage::All || !first.loses() {
                    line.next += 1;
                    return Some(first);
                }
            }
            let moves = &self.scratch.moves[line.moves_from..];
            let order = &mut self.scratch.order;
            match line.stage {
                Stage::Table => {
                    let [last, older] = &self.scratch.frames[line.ply].killers;
                    let refutations = [last, older, self.memory.counter(line.before)];
                    Memory::rate_promising(position, moves, refutations, &mut line.early, order);
                    let are_all = order.len() - line.from == moves.len();
                    line.stage = if are_all { Stage::All } else { Stage::Promising };
                }
                Stage::Promising => {
                    line.tame_given_up |= gives_up_tame();
                    let MovePicker { before, early, tame_given_up, .. } = *line;
                    self.memory.rate_quiet(position, moves, before, early, tame_given_up, order);
                    line.stage = Stage::All;
                    if line.tame_given_up && self.trace.is_some() {
                        self.trace_unrated(position, line);
                    }
                }
                Stage::All => return None,
            }
        }
    }

    /// Gives up the moves still to come that are tame.
    pub(super) fn give_up_tame(&mut self, line: &mut MovePicker) {
        line.tame_given_up = true;
        let rest = &mut self.scratch.order[line.next..];
        let left = lively_first(rest);
        if let Some(trace) = &mut self.trace {
            for candidate in &rest[left..] {
                trace.skip(self.scratch.moves[line.moves_from + usize::from(candidate.ordinal())]);
            }
        }
        self.scratch.order.truncate(line.next + left);
    }

    /// Tells the trace of the tame moves that were given up before they were rated.
    #[cold]
    fn trace_unrated(&mut self, position: &P, line: &MovePicker) {
        let mut unrated = Vec::new();
        let moves = &self.scratch.moves[line.moves_from..];
        Memory::list(position, moves, &mut unrated);
        unrated.retain(|it| it.is_tame() && !line.early.has(it.ordinal()));
        for candidate in unrated {
            self.skip(self.scratch.moves[line.moves_from + usize::from(candidate.ordinal())]);
        }
    }

    /// How many moves are still to come and not given up so far.
    pub(super) fn left(&self, line: &MovePicker, count: usize, tried: usize) -> usize {
        match line.stage {
            Stage::All => self.scratch.order.len() - line.next,
            _ => count - tried,
        }
    }
}
