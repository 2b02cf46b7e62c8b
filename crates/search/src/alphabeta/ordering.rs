//! Which move to try first.
//!
//! The move from the table; captures that win something, by what they win; killers (quiet moves
//! that cut off a sister node: Akl and Newborn 1977); the counter-move (the reply that last refuted
//! the opponent's move: Uiterwijk 1992); the other quiet moves by their history (Schaeffer 1989),
//! alone and after the move before; captures that lose material.

use super::table::{NO_MOVE, Ordinal};
use ludus_core::{MoveHint, Position, SearchHints};

/// A move to be searched, packed so that the greater one is to be tried first: its score for
/// ordering, its place among the legal moves (the first of equals comes first), whether it is quiet
/// and whether it presses, and its slot.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate(i64);

const TABLE_MOVE: i32 = 1 << 30;
const WINNING: i32 = 1 << 26;
const KILLER: i32 = 1 << 24;
const LOSING: i32 = -(1 << 26);
/// Histories stay within ± this.
pub const HISTORY_MAX: i32 = 1 << 14;

impl Candidate {
    const SCORE: u32 = 32;
    const ORDINAL: u32 = 16;
    const QUIET: i64 = 1 << 15;
    const PRESSES: i64 = 1 << 14;
    const NONE: Candidate = Candidate(0);

    #[inline]
    fn new(score: i32, ordinal: Ordinal, sketch: MoveHint) -> Candidate {
        let quiet = i64::from(sketch.is_quiet) * Candidate::QUIET;
        let presses = i64::from(sketch.presses) * Candidate::PRESSES;
        Candidate(
            i64::from(score) << Candidate::SCORE
                | i64::from(!ordinal) << Candidate::ORDINAL
                | quiet
                | presses
                | i64::from(sketch.slot),
        )
    }

    /// A move with nothing said of its rank.
    #[inline]
    pub fn unrated(ordinal: Ordinal, sketch: MoveHint) -> Candidate {
        Candidate::new(0, ordinal, sketch)
    }

    /// The move the table has. It comes first, so nothing asks whether it presses.
    #[inline]
    pub fn from_table<P: SearchHints>(position: &P, mv: P::Move, ordinal: Ordinal) -> Candidate {
        let (slot, is_quiet) = (position.slot(mv) as u16, position.gain(mv) == 0);
        let sketch = MoveHint { slot, is_quiet, presses: false, promise: 0 };
        Candidate::new(TABLE_MOVE, ordinal, sketch)
    }

    /// A move that gains something, in a position where only such moves are looked at.
    #[inline]
    pub fn gaining<P: SearchHints>(position: &P, mv: P::Move, ordinal: Ordinal) -> Candidate {
        let sketch = MoveHint { slot: 0, is_quiet: false, presses: false, promise: 0 };
        Candidate::new(position.urgency(mv), ordinal, sketch)
    }

    #[inline]
    fn score(self) -> i32 {
        (self.0 >> Candidate::SCORE) as i32
    }

    /// Its place among the legal moves.
    #[inline]
    pub fn ordinal(self) -> Ordinal {
        !((self.0 >> Candidate::ORDINAL) as Ordinal)
    }

    /// Whether it gains nothing at first sight.
    #[inline]
    pub fn is_quiet(self) -> bool {
        self.0 & Candidate::QUIET != 0
    }

    /// Whether it gains nothing and presses nobody, as far as is seen at a glance.
    #[inline]
    pub fn is_tame(self) -> bool {
        self.0 & (Candidate::QUIET | Candidate::PRESSES) == Candidate::QUIET
    }

    #[inline]
    fn slot(self) -> usize {
        (self.0 & (Candidate::PRESSES - 1)) as usize
    }

    /// Whether it is a capture known to lose material.
    #[inline]
    pub fn loses(self) -> bool {
        self.score() < LOSING / 2
    }

    /// Whether it is a killer or the counter-move.
    #[inline]
    pub fn is_refutation(self) -> bool {
        (KILLER..KILLER + 3).contains(&self.score())
    }

    /// Whether it looks like winning material and does not come from the table.
    #[inline]
    fn seems_to_win(self) -> bool {
        (WINNING / 2..TABLE_MOVE).contains(&self.score())
    }

    /// The same behind all quiet moves.
    #[inline]
    fn put_back(self) -> Candidate {
        Candidate(self.0 + (i64::from(LOSING - WINNING) << Candidate::SCORE))
    }
}

/// Moves after a move are remembered if there are at most so many pairs.
const PAIRS_MAX: usize = 1 << 21;

/// What earlier searches of this game tell about moves; one for each thread.
pub struct Memory<P: Position> {
    slots: usize,
    history: Vec<i16>,
    /// By the move before and the move; the last row, which stays zero, is for no move before. If
    /// there would be too many, that row is all.
    after: Vec<i16>,
    counters: Vec<Option<Quiet<P::Move>>>,
}

/// A kind of move: who made it, and its slot.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Played(u16);

/// A quiet move that was good elsewhere. The slot tells at once that another move is not the same.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Quiet<M> {
    slot: u16,
    mv: M,
}

impl<M> Quiet<M> {
    #[inline]
    pub fn new(played: Candidate, mv: M) -> Quiet<M> {
        Quiet { slot: played.slot() as u16, mv }
    }
}

impl<P: SearchHints> Memory<P> {
    const FITS: () = assert!(2 * P::SLOTS <= 1 << 14, "a slot and a side take 14 bits");

    pub fn new() -> Memory<P> {
        let () = Self::FITS;
        let slots = 2 * P::SLOTS;
        let rows = if slots * slots <= PAIRS_MAX { slots } else { 0 };
        Memory {
            slots,
            history: vec![0; slots],
            after: vec![0; (rows + 1) * slots],
            counters: vec![None; slots],
        }
    }

    /// Lets old experience fade, before a new search.
    pub fn fade(&mut self) {
        self.history.iter_mut().for_each(|value| *value /= 2);
    }

    #[inline]
    pub fn played(position: &P, candidate: Candidate) -> Played {
        Memory::index(position, candidate.slot())
    }

    #[inline]
    fn index(position: &P, slot: usize) -> Played {
        Played((position.turn() as usize * P::SLOTS + slot) as u16)
    }

    /// How good quiet moves like `mv` have been, alone and after the move before.
    #[inline]
    pub fn quiet_score(&self, mv: Played, before: Option<Played>) -> i32 {
        let before = before.map_or(self.slots, |before| usize::from(before.0));
        let [alone, after] = [&self.history, self.row(before, 0)].map(|of| of[usize::from(mv.0)]);
        i32::from(alone) + i32::from(after)
    }

    /// What is known of moves after `before`, from the slot `from` on.
    #[inline]
    fn row(&self, before: usize, from: usize) -> &[i16] {
        let start = (before * self.slots).min(self.after.len() - self.slots);
        &self.after[start + from..start + self.slots]
    }

    /// The quiet move that last refuted the move before.
    #[inline]
    pub fn counter(&self, before: Option<Played>) -> &Option<Quiet<P::Move>> {
        before.map_or(&None, |before| &self.counters[usize::from(before.0)])
    }

    pub fn set_counter(&mut self, before: Option<Played>, mv: Quiet<P::Move>) {
        if let Some(before) = before {
            self.counters[usize::from(before.0)] = Some(mv);
        }
    }

    /// Learns that `mv` was good or bad, by the size of `bonus`.
    pub fn learn(&mut self, mv: Played, before: Option<Played>, bonus: i32) {
        learn(&mut self.history[usize::from(mv.0)], bonus);
        if let Some(before) = before
            && self.after.len() > self.slots
        {
            let pair = usize::from(before.0) * self.slots + usize::from(mv.0);
            learn(&mut self.after[pair], bonus);
        }
    }
}

/// Moves `value` towards ±[`HISTORY_MAX`], the slower the nearer it is.
fn learn(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

/// Moves of a node tried before its other quiet ones, by their place among the legal moves: the one
/// from the table, and quiet ones that refuted other moves.
#[derive(Copy, Clone, Debug)]
pub struct Early([Ordinal; 4]);

impl Early {
    pub fn new(table_move: Ordinal) -> Early {
        Early([table_move, NO_MOVE, NO_MOVE, NO_MOVE])
    }

    #[inline]
    pub fn table_move(self) -> Ordinal {
        self.0[0]
    }

    #[inline]
    pub fn has(self, ordinal: Ordinal) -> bool {
        self.0.iter().fold(false, |found, &early| found | (early == ordinal))
    }
}

/// No move has this slot.
const NO_SLOT: u16 = u16::MAX;

impl<P: SearchHints> Memory<P> {
    /// Appends candidates for what gains something and what refuted other moves, but the move of
    /// the table, and notes the refutations: the last killer first, the counter-move last.
    #[inline]
    pub fn rate_promising(
        position: &P,
        moves: &[P::Move],
        refutations: [&Option<Quiet<P::Move>>; 3],
        early: &mut Early,
        out: &mut Vec<Candidate>,
    ) {
        let slots = refutations.map(|it| it.as_ref().map_or(NO_SLOT, |quiet| quiet.slot));
        position.promising(moves, slots, |place, sketch| {
            let ordinal = place as Ordinal;
            let mut score = WINNING + sketch.promise;
            if sketch.is_quiet {
                let Some(rank) = rank(&moves[place], refutations) else { return };
                score = KILLER + 2 - rank as i32;
                if ordinal != early.table_move() {
                    early.0[1 + rank] = ordinal;
                }
            }
            if ordinal != early.table_move() {
                out.push(Candidate::new(score, ordinal, sketch));
            }
        });
    }

    /// Appends candidates for all other moves; not for tame ones if these are given up.
    pub fn rate_quiet(
        &self,
        position: &P,
        moves: &[P::Move],
        before: Option<Played>,
        early: Early,
        tame_given_up: bool,
        out: &mut Vec<Candidate>,
    ) {
        let mine = usize::from(Memory::index(position, 0).0);
        let alone = &self.history[mine..mine + P::SLOTS];
        let after = self.row(before.map_or(self.slots, |before| usize::from(before.0)), mine);
        // Places filled in turn are faster than a push for each.
        let mut next = out.len();
        out.resize(next + moves.len(), Candidate::NONE);
        each_numbered(position, moves, |ordinal, sketch| {
            if !sketch.is_quiet || tame_given_up && !sketch.presses || early.has(ordinal) {
                return;
            }
            let slot = usize::from(sketch.slot);
            let score = i32::from(alone[slot]) + i32::from(after[slot]) + sketch.promise;
            out[next] = Candidate::new(score, ordinal, sketch);
            next += 1;
        });
        out.truncate(next);
    }

    /// Appends a candidate for each of `moves`, rated by nothing but its sketch.
    pub fn by_promise(position: &P, moves: &[P::Move], out: &mut Vec<Candidate>) {
        each_numbered(position, moves, |ordinal, sketch| {
            let score = sketch.promise + if sketch.is_quiet { 0 } else { WINNING };
            out.push(Candidate::new(score, ordinal, sketch));
        });
    }

    /// Appends a candidate for each of `moves` in their order.
    pub fn list(position: &P, moves: &[P::Move], out: &mut Vec<Candidate>) {
        each_numbered(position, moves, |ordinal, sketch| {
            out.push(Candidate::unrated(ordinal, sketch));
        });
    }
}

/// Calls `each` with the sketches of `moves` and their places among them.
#[inline]
fn each_numbered<P: SearchHints>(
    position: &P,
    moves: &[P::Move],
    mut each: impl FnMut(Ordinal, MoveHint),
) {
    let mut ordinal: Ordinal = 0;
    position.sketches(moves, |sketch| {
        each(ordinal, sketch);
        ordinal += 1;
    });
}

/// The rank of a refuting move.
fn rank<M: PartialEq>(mv: &M, refutations: [&Option<Quiet<M>>; 3]) -> Option<usize> {
    refutations.iter().position(|known| known.as_ref().is_some_and(|it| it.mv == *mv))
}

/// Moves the best of `rest` to its front and returns it. A capture that loses material in the
/// exchange is put back behind the quiet moves when it comes up.
#[inline]
pub fn pick<P: SearchHints>(
    position: &P,
    moves: &[P::Move],
    rest: &mut [Candidate],
    check_exchanges: bool,
) -> Candidate {
    loop {
        let first = best_first(rest);
        if !check_exchanges
            || !first.seems_to_win()
            || position.exchange_wins(moves[usize::from(first.ordinal())], 0)
        {
            return first;
        }
        rest[0] = first.put_back();
    }
}

/// Moves what is not tame in `rest` to its front, in its order, and returns how many that are.
pub fn lively_first(rest: &mut [Candidate]) -> usize {
    let mut lively = 0;
    for index in 0..rest.len() {
        rest.swap(lively, index);
        lively += usize::from(!rest[lively].is_tame());
    }
    lively
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
        sketch: MoveHint,
    }

    fn random_list(random: &mut Random) -> Vec<Plain> {
        let count = 1 + random.below(40);
        let plain = |ordinal| Plain {
            // Few different scores, so that there are ties.
            score: [-70_000_000, -3, 0, 5, 1 << 26, TABLE_MOVE][random.below(6)],
            ordinal: ordinal as Ordinal,
            sketch: MoveHint {
                slot: random.below(1 << 13) as u16,
                is_quiet: random.below(2) == 0,
                presses: random.below(2) == 0,
                promise: 0,
            },
        };
        (0..count).map(plain).collect()
    }

    fn pack(list: &[Plain]) -> Vec<Candidate> {
        list.iter().map(|plain| Candidate::new(plain.score, plain.ordinal, plain.sketch)).collect()
    }

    #[test]
    fn a_packed_candidate_keeps_its_parts() {
        let mut random = Random::new(3);
        for _ in 0..200 {
            let list = random_list(&mut random);
            for (plain, packed) in list.iter().zip(pack(&list)) {
                let MoveHint { slot, is_quiet, presses, .. } = plain.sketch;
                assert_eq!((packed.score(), packed.ordinal()), (plain.score, plain.ordinal));
                assert_eq!((packed.slot(), packed.is_quiet()), (usize::from(slot), is_quiet));
                assert_eq!(packed.is_tame(), is_quiet && !presses);
                let back = packed.put_back();
                assert_eq!(back.score(), plain.score + (LOSING - WINNING));
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
    fn lively_moves_are_kept_and_tame_ones_put_behind_them() {
        let mut random = Random::new(5);
        for _ in 0..200 {
            let list = pack(&random_list(&mut random));
            let mut sifted = list.clone();
            let lively = lively_first(&mut sifted);
            let kept: Vec<Candidate> =
                list.iter().copied().filter(|candidate| !candidate.is_tame()).collect();
            assert_eq!(sifted[..lively], kept);
            assert!(sifted[lively..].iter().all(|candidate| candidate.is_tame()));
        }
    }
}
