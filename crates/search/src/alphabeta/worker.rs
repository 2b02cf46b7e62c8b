//! One thread of a search: what it works with and what the parts of the search share.

use super::{
    budget::Budget,
    oracle::{Oracle, RootKnown},
    ordering::{Candidate, Memory, Played, Quiet},
    path::{self, Path},
    settings::Settings,
    table::{Bound, Entry, Ordinal, Table, TableCounts, prefetch},
    trace::{Cause, Trace},
};
use ludus_core::{Ending, Eval, Evaluator, Position, Score, SearchHints};
use std::ops::AddAssign;

/// Lines longer than this are judged where they stand.
pub const MAX_PLY: usize = 200;

pub const INFINITE: i32 = Score::INFINITE.0;
/// Scores beyond this are proven results.
pub const PROVEN: i32 = Score::EVAL_MAX.0;

/// How many evaluations are remembered: a quarter of a megabyte. More would push what else a search
/// uses out of the second-level cache, which costs more than the evaluations it saves.
const JUDGED: usize = 1 << 15;

fn place_of(key: u64) -> usize {
    key as usize & (JUDGED - 1)
}

/// The window of a search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    pub const OPEN: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// Whether it asks only if the value reaches `beta`.
    #[inline]
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// As the other side sees it.
    #[inline]
    pub fn turned(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The null window that asks whether a value is above `alpha`.
    #[inline]
    pub fn null(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }
}

/// What a node leaves for the nodes below and beside it.
#[derive(Clone)]
pub struct Frame<M> {
    pub killers: [Option<Quiet<M>>; 2],
    /// The move being searched here; `None` for a passed turn.
    pub moved: Option<Played>,
    /// Static evaluation, if it was made.
    pub judged: Option<i32>,
    /// The move left out when asking whether it is the only good one.
    pub excluded: Option<Ordinal>,
}

impl<M> Default for Frame<M> {
    fn default() -> Frame<M> {
        Frame { killers: [None, None], moved: None, judged: None, excluded: None }
    }
}

/// What a search did.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions evaluated or found finished.
    pub leaves: u64,
    /// What the table did.
    pub table: TableCounts,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.leaves += other.leaves;
        self.table += other.table;
    }
}

/// The root's side of a search.
#[derive(Clone, Debug, Default)]
pub struct Root {
    /// Moves in the order to be tried, by place among the legal moves.
    pub order: Vec<Ordinal>,
    /// The best one so far in this search of the tree, and its score.
    pub best: Option<(Ordinal, i32)>,
    /// The last move that raised the lower bound in this search of the tree.
    pub raised: Option<(Ordinal, i32)>,
    /// Exact scores found in this search of the tree.
    pub exact: Vec<(Ordinal, i32)>,
    /// The depth of this search of the tree.
    pub depth: i32,
    /// Moves that the oracle knows to be worse than those in `order`.
    pub worse: Vec<Ordinal>,
    /// Changes the root's key in the table while some of its moves are left out: its value is another.
    pub left_out: u64,
    /// What the oracle says of it.
    pub(super) known: Option<RootKnown>,
}

/// Where a node stands in the tree.
#[derive(Copy, Clone, Debug)]
pub struct Place {
    /// The position's key; 0 if nobody asks for it.
    pub key: u64,
    pub depth: i32,
    pub ply: usize,
    /// Whether some move here is expected to be good enough to cut off.
    pub cut: bool,
}

/// What a thread writes on while it searches; kept from one search to the next.
pub struct Scratch<P: Position> {
    pub frames: Vec<Frame<P::Move>>,
    pub moves: Vec<P::Move>,
    pub order: Vec<Candidate>,
    /// Quiet moves tried at the nodes of the current line.
    pub tried: Vec<Played>,
    /// The best lines found below each ply.
    pub lines: Vec<Vec<P::Move>>,
    /// Evaluations made lately, by the low bits of their keys, whose place in the word they take;
    /// empty if making them anew is as cheap.
    judged: Vec<u64>,
}

impl<P: Position> Default for Scratch<P> {
    fn default() -> Scratch<P> {
        Scratch {
            frames: Vec::new(),
            moves: Vec::new(),
            order: Vec::new(),
            tried: Vec::new(),
            lines: Vec::new(),
            judged: Vec::new(),
        }
    }
}

impl<P: Position> Scratch<P> {
    /// Made ready for a new search.
    fn cleared(mut self, settings: &Settings) -> Scratch<P> {
        self.frames.clear();
        self.frames.resize(MAX_PLY + 4, Frame::default());
        self.lines.resize(MAX_PLY + 2, Vec::new());
        self.judged.resize(if settings.cache { JUDGED } else { 0 }, 0);
        self.moves.clear();
        self.order.clear();
        self.tried.clear();
        self
    }
}

/// One thread of a search.
pub struct Worker<'a, P: Position, E> {
    pub settings: Settings,
    pub table: Option<&'a Table>,
    pub oracle: Option<&'a dyn Oracle<P>>,
    pub evaluator: &'a mut E,
    pub memory: &'a mut Memory<P>,
    pub budget: Budget<'a>,
    pub counts: Counts,
    pub path: Path,
    pub root: Root,
    pub trace: Option<&'a mut Trace<P::Move>>,
    pub scratch: Scratch<P>,
}

impl<'a, P: Ending + SearchHints, E: Evaluator<P>> Worker<'a, P, E> {
    pub fn new(
        settings: Settings,
        table: Option<&'a Table>,
        evaluator: &'a mut E,
        memory: &'a mut Memory<P>,
        scratch: Scratch<P>,
        budget: Budget<'a>,
    ) -> Worker<'a, P, E> {
        Worker {
            settings,
            table,
            oracle: None,
            evaluator,
            memory,
            budget,
            counts: Counts::default(),
            path: Path::default(),
            root: Root::default(),
            trace: None,
            scratch: scratch.cleared(&settings),
        }
    }

    /// The key of a position about to be searched to `depth`, if anybody will ask for it. What is
    /// remembered under it is fetched meanwhile.
    #[inline]
    pub(super) fn key_of(&self, position: &P, depth: i32) -> u64 {
        let table = self.table.filter(|_| depth >= self.settings.table_from);
        // Nothing below the horizon comes back to where it was.
        let path = || self.settings.path && (depth > 0 || path::may_be_repeated(position));
        if table.is_none() && !self.settings.cache && !path() {
            return 0;
        }
        let key = position.key();
        if let Some(place) = self.scratch.judged.get(place_of(key)) {
            prefetch(place);
        }
        if let Some(table) = table {
            table.prefetch(key);
        }
        key
    }

    /// The static evaluation.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &P, key: u64) -> i32 {
        self.evaluate_within(position, key, Window::OPEN)
    }

    /// The static evaluation, or a part of it that is outside the window as the whole would be.
    #[inline]
    pub(super) fn evaluate_within(&mut self, position: &P, key: u64, window: Window) -> i32 {
        let Window { alpha, beta } = window;
        const VALUE: u64 = 0xFFFF;
        let place = self.scratch.judged.get_mut(place_of(key));
        if let Some(&known) = place.as_deref()
            && (known ^ key) & !VALUE == 0
            && key != 0
        {
            return i32::from(known as u16 as i16);
        }
        match self.evaluator.evaluate_within(position, alpha, beta) {
            Eval::OutsideWindow(score) => score.0,
            Eval::Exact(score) => {
                if let Some(place) = place {
                    *place = key & !VALUE | u64::from(score.0 as i16 as u16);
                }
                score.0
            }
        }
    }

    /// The value of a position in which the game is over.
    pub(super) fn finished(&mut self, position: &P, ply: usize) -> i32 {
        let outcome = position.outcome().expect("a position without moves has an outcome");
        self.leaf(Score::terminal(outcome, position.turn(), ply as i32).0, Cause::GameOver)
    }

    /// Counts a leaf and tells the trace why it is one.
    pub(super) fn leaf(&mut self, value: i32, cause: Cause) -> i32 {
        if cause != Cause::NullMove {
            self.counts.leaves += 1;
        }
        if let Some(trace) = &mut self.trace {
            trace.cause(cause);
        }
        value
    }

    pub(super) fn leaf_of_table(&mut self, value: i32, bound: Bound) -> i32 {
        if let Some(trace) = &mut self.trace {
            trace.cause(Cause::Table(bound));
        }
        value
    }

    pub(super) fn skip(&mut self, mv: P::Move) {
        if let Some(trace) = &mut self.trace {
            trace.skip(mv);
        }
    }

    pub(super) fn cut(&mut self, moves: usize) {
        if let Some(trace) = &mut self.trace {
            trace.cut(moves);
        }
    }
}

/// A static evaluation, corrected by a stored score that says more.
#[inline]
pub fn corrected(judged: i32, entry: Option<Entry>, ply: usize) -> i32 {
    let Some(entry) = entry else { return judged };
    let score = from_table(entry.score, ply);
    match entry.bound {
        Bound::Exact => score,
        Bound::Lower => judged.max(score),
        Bound::Upper => judged.min(score),
        Bound::None => judged,
    }
}

/// Wins are stored as seen from the position, not from the root.
#[inline]
pub fn to_table(score: i32, ply: usize) -> i32 {
    if score > PROVEN {
        score + ply as i32
    } else if score < -PROVEN {
        score - ply as i32
    } else {
        score
    }
}

#[inline]
pub fn from_table(score: i32, ply: usize) -> i32 {
    if score > PROVEN {
        score - ply as i32
    } else if score < -PROVEN {
        score + ply as i32
    } else {
        score
    }
}
