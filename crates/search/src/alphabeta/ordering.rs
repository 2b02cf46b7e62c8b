//! Move ordering.
//!
//! The hash move; winning captures by the material they win; killer moves (quiet moves that caused a
//! cutoff at a sister node: Akl and Newborn 1977); the countermove (the reply that last refuted the
//! opponent's move: Uiterwijk 1992); the other quiet moves by the history heuristic (Schaeffer 1989),
//! alone and after the previous move (continuation history); losing captures.

use super::table::{NO_MOVE, Ordinal};
use ludus_core::{MoveHint, Position, SearchHints};

/// A move to be searched, packed so that the greater one comes first: its ordering score, its index
/// among the legal moves (the first of equals comes first), whether it is quiet and whether it forces a
/// response, and its history index.
///
/// ```text
/// bits 0-13 history index · 14 forces a response · 15 quiet · 16-31 inverted ordinal · 32-63 score
/// ```
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate(i64);

const HASH_MOVE_SCORE: i32 = 1 << 30;
const CAPTURE_SCORE: i32 = 1 << 26;
const KILLER_SCORE: i32 = 1 << 24;
const LOSING_CAPTURE_SCORE: i32 = -(1 << 26);
/// Histories stay within ± this.
pub const MAX_HISTORY: i32 = 1 << 14;

impl Candidate {
    const SCORE: u32 = 32;
    const ORDINAL: u32 = 16;
    const QUIET: i64 = 1 << 15;
    const FORCES_RESPONSE: i64 = 1 << 14;
    const NONE: Candidate = Candidate(0);

    #[inline]
    fn new(score: i32, ordinal: Ordinal, hint: MoveHint) -> Candidate {
        let quiet = i64::from(hint.is_quiet) * Candidate::QUIET;
        let forces_response = i64::from(hint.forces_response) * Candidate::FORCES_RESPONSE;
        Candidate(
            i64::from(score) << Candidate::SCORE
                | i64::from(!ordinal) << Candidate::ORDINAL
                | quiet
                | forces_response
                | i64::from(hint.history_index),
        )
    }

    /// A move without a score.
    #[inline]
    pub fn unscored(ordinal: Ordinal, hint: MoveHint) -> Candidate {
        Candidate::new(0, ordinal, hint)
    }

    /// The hash move. It comes first, so it does not matter whether it forces a response.
    #[inline]
    pub fn hash_move<P: Position>(
        hints: impl SearchHints<P>,
        position: &P,
        mv: P::Move,
        ordinal: Ordinal,
    ) -> Candidate {
        let (history_index, is_quiet) =
            (hints.history_index(position, mv) as u16, hints.material_gain(position, mv) == 0);
        let hint = MoveHint { history_index, is_quiet, forces_response: false, order_score: 0 };
        Candidate::new(HASH_MOVE_SCORE, ordinal, hint)
    }

    /// A capture or promotion in quiescence search.
    #[inline]
    pub fn capture<P: Position>(
        hints: impl SearchHints<P>,
        position: &P,
        mv: P::Move,
        ordinal: Ordinal,
    ) -> Candidate {
        let hint =
            MoveHint { history_index: 0, is_quiet: false, forces_response: false, order_score: 0 };
        Candidate::new(hints.capture_score(position, mv), ordinal, hint)
    }

    #[inline]
    fn score(self) -> i32 {
        (self.0 >> Candidate::SCORE) as i32
    }

    /// Its index among the legal moves.
    #[inline]
    pub fn ordinal(self) -> Ordinal {
        !((self.0 >> Candidate::ORDINAL) as Ordinal)
    }

    /// Whether it is neither a capture nor a promotion.
    #[inline]
    pub fn is_quiet(self) -> bool {
        self.0 & Candidate::QUIET != 0
    }

    /// Whether it is quiet and forces no response, so that late-move pruning may skip it.
    #[inline]
    pub fn is_prunable(self) -> bool {
        self.0 & (Candidate::QUIET | Candidate::FORCES_RESPONSE) == Candidate::QUIET
    }

    #[inline]
    fn history_index(self) -> usize {
        (self.0 & (Candidate::FORCES_RESPONSE - 1)) as usize
    }

    /// Whether it is a capture known to lose material.
    #[inline]
    pub fn is_losing_capture(self) -> bool {
        self.score() < LOSING_CAPTURE_SCORE / 2
    }

    /// Whether it is a killer move or the countermove.
    #[inline]
    pub fn is_refutation(self) -> bool {
        (KILLER_SCORE..KILLER_SCORE + 3).contains(&self.score())
    }

    /// Whether it is a capture other than the hash move, and not known to lose material.
    #[inline]
    fn may_win_material(self) -> bool {
        (CAPTURE_SCORE / 2..HASH_MOVE_SCORE).contains(&self.score())
    }

    /// The same capture, ordered behind all quiet moves.
    #[inline]
    fn demoted(self) -> Candidate {
        Candidate(self.0 + (i64::from(LOSING_CAPTURE_SCORE - CAPTURE_SCORE) << Candidate::SCORE))
    }
}

/// Pairs of moves up to which there is a continuation history.
const MAX_CONTINUATION_PAIRS: usize = 1 << 21;

/// History tables of one thread: statistics of moves from earlier searches of the game.
pub struct HistoryTables<P: Position, H> {
    pub hints: H,
    /// Number of history indices, of both sides.
    indices: usize,
    /// History scores by move.
    history: Vec<i16>,
    /// Continuation history by the previous move and the move. The last row, which stays zero, is for
    /// no previous move; in games with too many moves it is the only one.
    continuation: Vec<i16>,
    /// The last quiet refutation by the previous move.
    countermoves: Vec<Option<QuietMove<P::Move>>>,
}

/// An index into the history tables: the side and the history index of its move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct HistoryIndex(u16);

/// A quiet move that caused a cutoff elsewhere. Comparing the history index first is cheaper.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct QuietMove<M> {
    history_index: u16,
    mv: M,
}

impl<M> QuietMove<M> {
    #[inline]
    pub fn new(played: Candidate, mv: M) -> QuietMove<M> {
        QuietMove { history_index: played.history_index() as u16, mv }
    }
}

impl<P: Position, H: SearchHints<P>> HistoryTables<P, H> {
    const FITS: () =
        assert!(2 * H::HISTORY_SIZE <= 1 << 14, "a history index and a side take 14 bits");

    pub fn new(hints: H) -> HistoryTables<P, H> {
        let () = Self::FITS;
        let indices = 2 * H::HISTORY_SIZE;
        let rows = if indices * indices <= MAX_CONTINUATION_PAIRS { indices } else { 0 };
        HistoryTables {
            hints,
            indices,
            history: vec![0; indices],
            continuation: vec![0; (rows + 1) * indices],
            countermoves: vec![None; indices],
        }
    }

    /// History aging: halves all history scores before a new search.
    pub fn age(&mut self) {
        self.history.iter_mut().for_each(|value| *value /= 2);
    }

    #[inline]
    pub fn index_of(position: &P, candidate: Candidate) -> HistoryIndex {
        Self::index(position, candidate.history_index())
    }

    #[inline]
    fn index(position: &P, history_index: usize) -> HistoryIndex {
        HistoryIndex((position.turn() as usize * H::HISTORY_SIZE + history_index) as u16)
    }

    /// The history score of a quiet move, alone and after the previous move.
    #[inline]
    pub fn quiet_score(&self, mv: HistoryIndex, before: Option<HistoryIndex>) -> i32 {
        let before = before.map_or(self.indices, |before| usize::from(before.0));
        let [alone, after] = [&self.history, self.row(before, 0)].map(|of| of[usize::from(mv.0)]);
        i32::from(alone) + i32::from(after)
    }

    /// The continuation history after `before`, from the index `from` on.
    #[inline]
    fn row(&self, before: usize, from: usize) -> &[i16] {
        let start = (before * self.indices).min(self.continuation.len() - self.indices);
        &self.continuation[start + from..start + self.indices]
    }

    /// The quiet move that last refuted the previous move.
    #[inline]
    pub fn countermove(&self, before: Option<HistoryIndex>) -> &Option<QuietMove<P::Move>> {
        before.map_or(&None, |before| &self.countermoves[usize::from(before.0)])
    }

    pub fn set_countermove(&mut self, before: Option<HistoryIndex>, mv: QuietMove<P::Move>) {
        if let Some(before) = before {
            self.countermoves[usize::from(before.0)] = Some(mv);
        }
    }

    /// Moves the scores of `mv` by `bonus`, which is negative for a bad move.
    pub fn update(&mut self, mv: HistoryIndex, before: Option<HistoryIndex>, bonus: i32) {
        move_score(&mut self.history[usize::from(mv.0)], bonus);
        if let Some(before) = before
            && self.continuation.len() > self.indices
        {
            let pair = usize::from(before.0) * self.indices + usize::from(mv.0);
            move_score(&mut self.continuation[pair], bonus);
        }
    }
}

/// History gravity: moves `value` towards ±[`MAX_HISTORY`], the slower the nearer it is.
fn move_score(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / MAX_HISTORY) as i16;
}

/// Moves of a node that come before its other quiet moves: the hash move, the killer moves and the
/// countermove.
#[derive(Copy, Clone, Debug)]
pub struct EarlyMoves([Ordinal; 4]);

impl EarlyMoves {
    pub fn new(hash_move: Ordinal) -> EarlyMoves {
        EarlyMoves([hash_move, NO_MOVE, NO_MOVE, NO_MOVE])
    }

    #[inline]
    pub fn hash_move(self) -> Ordinal {
        self.0[0]
    }

    #[inline]
    pub fn has(self, ordinal: Ordinal) -> bool {
        self.0.iter().fold(false, |found, &early| found | (early == ordinal))
    }
}

/// A history index that no move has.
const NO_INDEX: u16 = u16::MAX;

/// Appends candidates for captures and refutations other than the hash move, and notes the
/// refutations in `early`: the last killer move first, the countermove last.
#[inline]
pub fn score_captures_and_refutations<P: Position>(
    hints: impl SearchHints<P>,
    position: &P,
    moves: &[P::Move],
    refutations: [&Option<QuietMove<P::Move>>; 3],
    early: &mut EarlyMoves,
    out: &mut Vec<Candidate>,
) {
    let indices = refutations.map(|it| it.as_ref().map_or(NO_INDEX, |quiet| quiet.history_index));
    hints.priority_hints(position, moves, indices, |index, hint| {
        let ordinal = index as Ordinal;
        let mut score = CAPTURE_SCORE + hint.order_score;
        if hint.is_quiet {
            let Some(rank) = rank(&moves[index], refutations) else { return };
            score = KILLER_SCORE + 2 - rank as i32;
            if ordinal != early.hash_move() {
                early.0[1 + rank] = ordinal;
            }
        }
        if ordinal != early.hash_move() {
            out.push(Candidate::new(score, ordinal, hint));
        }
    });
}

impl<P: Position, H: SearchHints<P>> HistoryTables<P, H> {
    /// Appends candidates for all other moves, without the prunable ones if those are skipped.
    pub fn score_quiets(
        &self,
        position: &P,
        moves: &[P::Move],
        before: Option<HistoryIndex>,
        early: EarlyMoves,
        skips_quiets: bool,
        out: &mut Vec<Candidate>,
    ) {
        let mine = usize::from(Self::index(position, 0).0);
        let alone = &self.history[mine..mine + H::HISTORY_SIZE];
        let after = self.row(before.map_or(self.indices, |before| usize::from(before.0)), mine);
        // Filling a resized vector is faster than a push for each.
        let mut next = out.len();
        out.resize(next + moves.len(), Candidate::NONE);
        each_numbered(self.hints, position, moves, |ordinal, hint| {
            if !hint.is_quiet || skips_quiets && !hint.forces_response || early.has(ordinal) {
                return;
            }
            let history_index = usize::from(hint.history_index);
            let score = i32::from(alone[history_index])
                + i32::from(after[history_index])
                + hint.order_score;
            out[next] = Candidate::new(score, ordinal, hint);
            next += 1;
        });
        out.truncate(next);
    }
}

/// Appends a candidate for each of `moves`, scored by its hint alone.
pub fn score_by_hint<P: Position>(
    hints: impl SearchHints<P>,
    position: &P,
    moves: &[P::Move],
    out: &mut Vec<Candidate>,
) {
    each_numbered(hints, position, moves, |ordinal, hint| {
        let score = hint.order_score + if hint.is_quiet { 0 } else { CAPTURE_SCORE };
        out.push(Candidate::new(score, ordinal, hint));
    });
}

/// Appends a candidate without a score for each of `moves`.
pub fn push_unscored<P: Position>(
    hints: impl SearchHints<P>,
    position: &P,
    moves: &[P::Move],
    out: &mut Vec<Candidate>,
) {
    each_numbered(hints, position, moves, |ordinal, hint| {
        out.push(Candidate::unscored(ordinal, hint));
    });
}

/// Calls `each` with the index and the hint of each of `moves`.
#[inline]
fn each_numbered<P: Position>(
    hints: impl SearchHints<P>,
    position: &P,
    moves: &[P::Move],
    mut each: impl FnMut(Ordinal, MoveHint),
) {
    let mut ordinal: Ordinal = 0;
    hints.hints(position, moves, |hint| {
        each(ordinal, hint);
        ordinal += 1;
    });
}

/// The rank of a move among the refutations, if it is one of them.
fn rank<M: PartialEq>(mv: &M, refutations: [&Option<QuietMove<M>>; 3]) -> Option<usize> {
    refutations.iter().position(|known| known.as_ref().is_some_and(|it| it.mv == *mv))
}

/// Moves the best of `rest` to its front and returns it. With `checks_captures` a capture that loses
/// material by its SEE value is ordered behind the quiet moves when it comes up.
#[inline]
pub fn pick<P: Position>(
    hints: impl SearchHints<P>,
    position: &P,
    moves: &[P::Move],
    rest: &mut [Candidate],
    checks_captures: bool,
) -> Candidate {
    loop {
        let first = best_first(rest);
        if !checks_captures
            || !first.may_win_material()
            || hints.see_at_least(position, moves[usize::from(first.ordinal())], 0)
        {
            return first;
        }
        rest[0] = first.demoted();
    }
}

/// Moves what is not prunable in `rest` to its front, in its order, and returns the number of those.
pub fn prunable_last(rest: &mut [Candidate]) -> usize {
    let mut kept = 0;
    for index in 0..rest.len() {
        rest.swap(kept, index);
        kept += usize::from(!rest[kept].is_prunable());
    }
    kept
}

/// Moves the best of `rest`, which is not empty, to its front.
#[inline]
pub fn best_first(rest: &mut [Candidate]) -> Candidate {
    let best = rest.iter().fold(rest[0], |best, &candidate| best.max(candidate));
    let index = rest.iter().position(|&candidate| candidate == best).unwrap_or(0);
    rest.swap(0, index);
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;

    /// A candidate made of its parts.
    #[derive(Copy, Clone, Debug, PartialEq)]
    struct Plain {
        score: i32,
        ordinal: Ordinal,
        hint: MoveHint,
    }

    fn random_list(random: &mut Random) -> Vec<Plain> {
        let count = 1 + random.below(40);
        let plain = |ordinal| Plain {
            // Few different scores, so that there are ties.
            score: [-70_000_000, -3, 0, 5, 1 << 26, HASH_MOVE_SCORE][random.below(6)],
            ordinal: ordinal as Ordinal,
            hint: MoveHint {
                history_index: random.below(1 << 13) as u16,
                is_quiet: random.below(2) == 0,
                forces_response: random.below(2) == 0,
                order_score: 0,
            },
        };
        (0..count).map(plain).collect()
    }

    fn pack(list: &[Plain]) -> Vec<Candidate> {
        list.iter().map(|plain| Candidate::new(plain.score, plain.ordinal, plain.hint)).collect()
    }

    #[test]
    fn a_packed_candidate_keeps_its_parts() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let list = random_list(&mut random);
            for (plain, packed) in list.iter().zip(pack(&list)) {
                let MoveHint { history_index, is_quiet, forces_response, .. } = plain.hint;
                assert_eq!((packed.score(), packed.ordinal()), (plain.score, plain.ordinal));
                assert_eq!(
                    (packed.history_index(), packed.is_quiet()),
                    (usize::from(history_index), is_quiet)
                );
                assert_eq!(packed.is_prunable(), is_quiet && !forces_response);
                let back = packed.demoted();
                assert_eq!(back.score(), plain.score + (LOSING_CAPTURE_SCORE - CAPTURE_SCORE));
                assert_eq!(back.ordinal(), plain.ordinal);
            }
        }
    }

    #[test]
    fn the_best_comes_first_and_of_equals_the_first_listed() {
        let mut random = Random::new(4);
        for _ in 0..200 {
            let list = random_list(&mut random);
            let mut sorted = list.clone();
            sorted.sort_by_key(|plain| (std::cmp::Reverse(plain.score), plain.ordinal));
            let mut packed = pack(&list);
            let mut pick = |from: usize| best_first(&mut packed[from..]).ordinal();
            let picked: Vec<Ordinal> = (0..list.len()).map(&mut pick).collect();
            let expected: Vec<Ordinal> = sorted.iter().map(|plain| plain.ordinal).collect();
            assert_eq!(picked, expected);
        }
    }

    #[test]
    fn other_moves_keep_their_order_and_prunable_ones_come_behind_them() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let list = pack(&random_list(&mut random));
            let mut sifted = list.clone();
            let count = prunable_last(&mut sifted);
            let kept: Vec<Candidate> =
                list.iter().copied().filter(|candidate| !candidate.is_prunable()).collect();
            assert_eq!(sifted[..count], kept);
            assert!(sifted[count..].iter().all(|candidate| candidate.is_prunable()));
        }
    }
}
