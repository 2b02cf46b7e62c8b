//! One node of a depth-first search: the body that all textbook searches and the strong one share.

use super::{
    budget::Budget,
    ordering::{Before, Candidate, Hints, Memory, pick},
    path::{self, Path, UNTOUCHED},
    pruning,
    settings::{Fail, Reuse, Settings, Windows},
    table::{Bound, Entry, NO_MOVE, Ordinal, Table, TableCounts},
    trace::{Cause, Trace},
};
use ludus_core::{Ending, Evaluator, Position, Score, Tactics};

/// Lines longer than this are judged where they stand.
pub const MAX_PLY: usize = 200;

pub const INFINITE: i32 = Score::INFINITE.0;
/// Scores beyond this are proven results.
pub const PROVEN: i32 = Score::EVAL_MAX.0;

/// How many evaluations are remembered.
const JUDGED: usize = 1 << 15;

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
    pub killers: [Option<M>; 2],
    /// The move being searched here; `None` for a passed turn.
    pub moved: Option<Before>,
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
}

/// One thread of a search.
pub struct Worker<'a, P: Position, E> {
    pub settings: Settings,
    pub table: Option<&'a Table>,
    pub evaluator: &'a mut E,
    pub memory: &'a mut Memory<P>,
    pub budget: Budget<'a>,
    pub counts: Counts,
    pub path: Path,
    pub root: Root,
    pub trace: Option<&'a mut Trace<P::Move>>,
    pub(super) frames: Vec<Frame<P::Move>>,
    pub(super) moves: Vec<P::Move>,
    pub(super) order: Vec<Candidate>,
    /// Quiet moves tried at the nodes of the current line.
    tried: Vec<Before>,
    /// Evaluations made lately, by key; empty if making them anew is as cheap.
    judged: Vec<(u64, i32)>,
    /// The best lines found below each ply.
    pub(super) lines: Vec<Vec<P::Move>>,
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

impl<'a, P: Ending + Tactics, E: Evaluator<P>> Worker<'a, P, E> {
    pub fn new(
        settings: Settings,
        table: Option<&'a Table>,
        evaluator: &'a mut E,
        memory: &'a mut Memory<P>,
        budget: Budget<'a>,
    ) -> Worker<'a, P, E> {
        Worker {
            settings,
            table,
            evaluator,
            memory,
            budget,
            counts: Counts::default(),
            path: Path::default(),
            root: Root::default(),
            trace: None,
            frames: vec![Frame::default(); MAX_PLY + 4],
            moves: Vec::with_capacity(1024),
            order: Vec::with_capacity(1024),
            tried: Vec::with_capacity(256),
            judged: vec![(0, 0); if settings.cache { JUDGED } else { 0 }],
            lines: vec![Vec::new(); MAX_PLY + 2],
        }
    }

    /// The value of `position` for its side to move, or a bound on it if it is outside `window`.
    /// Meaningless once the budget is spent.
    pub fn node(&mut self, position: &P, window: Window, place: Place) -> i32 {
        let ply = place.ply;
        self.lines[ply].clear();
        if ply > 0 {
            if self.budget.spend() {
                return 0;
            }
            if self.settings.path {
                self.path.enter(ply, place.key);
                if let Some(draw) = self.path.draw(position, ply) {
                    return self.leaf(draw, Cause::Path);
                }
            }
        }
        let value = if place.depth <= 0 || ply >= MAX_PLY {
            self.horizon(position, window, place, None)
        } else {
            self.above_horizon(position, window, place)
        };
        if self.settings.fail == Fail::Hard {
            value.clamp(window.alpha, window.beta)
        } else {
            value
        }
    }

    fn above_horizon(&mut self, position: &P, window: Window, place: Place) -> i32 {
        let base = (self.moves.len(), self.order.len(), self.tried.len());
        let value = self.search_moves(position, window, place);
        self.moves.truncate(base.0);
        self.order.truncate(base.1);
        self.tried.truncate(base.2);
        value
    }

    /// A node above the horizon: the one long function.
    fn search_moves(&mut self, position: &P, window: Window, place: Place) -> i32 {
        let Place { key, mut depth, ply, cut } = place;
        let Window { mut alpha, mut beta } = window;
        let rules = self.settings.pruning;
        let guessing = self.settings.guesses();
        let excluded = self.frames[ply].excluded.take();

        // 1. No line from here is better than winning at once or worse than having lost already.
        if guessing && ply > 0 {
            alpha = alpha.max(ply as i32 - Score::WIN.0);
            beta = beta.min(Score::WIN.0 - 1 - ply as i32);
            if alpha >= beta {
                return alpha;
            }
        }
        let window = Window { alpha, beta };
        let null_window = window.is_null();

        // 2. What the table knows.
        let entry = match (self.table, excluded) {
            (Some(table), None) => table.probe(key, || position.check(), &mut self.counts.table),
            _ => None,
        };
        if let Some(entry) = entry
            && ply > 0
            && (null_window || !guessing)
            && self.fits(&entry, depth)
            && (guessing || !self.settings.path || path::is_cut_off(position, depth))
        {
            let score = from_table(entry.score, ply);
            if entry.bound.settles(score, alpha, beta) {
                self.counts.table.cutoffs += 1;
                return self.leaf_of_table(score, entry.bound);
            }
        }

        // 3. What the position looks like without a search.
        let pressed = guessing && position.is_pressed();
        let judged = match excluded {
            Some(_) => self.frames[ply].judged,
            None if guessing && !pressed => Some(self.judge(position, key, entry, ply)),
            None => None,
        };
        self.frames[ply].judged = judged;
        let earlier = ply.checked_sub(2).and_then(|earlier| self.frames[earlier].judged);
        let improving = matches!((judged, earlier), (Some(now), Some(then)) if now > then);

        // 4. Guesses that need no move of this position.
        if let Some(judged) = judged
            && null_window
            && excluded.is_none()
            && let Some(value) = self.guess(position, judged, improving, window, place)
        {
            return value;
        }
        if rules.reductions && depth >= 4 && ply > 0 && excluded.is_none() && self.table.is_some() {
            // Without a good first move the full depth is not worth its price.
            depth -= i32::from(entry.is_none_or(|entry| entry.best == NO_MOVE));
        }

        // 5. The moves and their order.
        let (moves_from, order_from) = (self.moves.len(), self.order.len());
        let tried_from = self.tried.len();
        position.legal_moves(&mut self.moves);
        let count = self.moves.len() - moves_from;
        if count == 0 {
            return self.finished(position, ply);
        }
        let table_move = entry.map_or(NO_MOVE, |entry| entry.best);
        let before = ply.checked_sub(1).and_then(|above| self.frames[above].moved);
        let mut rated = self.line_up(position, table_move, before, ply, moves_from);
        self.frames[ply + 2].killers = [None; 2];
        let extension = self.extension(position, count, ply);
        let mut best = -INFINITE;
        let mut best_move = NO_MOVE;
        let mut reach = UNTOUCHED;
        let mut searched = 0;

        let mut only_gains = false;
        for index in 0..count {
            if index == 1 && !rated {
                self.rate(position, table_move, before, ply, moves_from);
                rated = true;
            }
            let candidate = if only_gains || !rated {
                self.order[order_from + index]
            } else {
                self.next(position, moves_from, order_from + index, ply)
            };
            let ordinal = candidate.ordinal;
            let mv = self.moves[moves_from + ordinal as usize];
            if excluded == Some(ordinal) {
                continue;
            }
            let slot = Memory::index(position, mv);
            let is_quiet = position.gain(mv) == 0;
            if is_quiet && only_gains {
                self.skip(mv);
                continue;
            }
            let history = if is_quiet { self.memory.quiet_score(slot, before) } else { 0 };

            // 6. Moves given up unsearched near the horizon.
            if let Some(judged) = judged
                && ply > 0
                && best > -PROVEN
            {
                let lateness = pruning::Lateness { depth, index: searched, improving, history };
                // Quiet moves come by falling promise: after one of them all others are hopeless.
                let hopeless = is_quiet
                    && (rules.late_moves && lateness.is_too_late()
                        || rules.futility && lateness.is_futile(judged, alpha, rules.unit));
                only_gains |= hopeless;
                let loses = rules.exchange
                    && depth <= pruning::EXCHANGE_DEPTH
                    && searched > 0
                    && !position
                        .exchange_wins(mv, pruning::exchange_loss(depth, is_quiet, rules.unit));
                if hopeless || loses {
                    self.skip(mv);
                    continue;
                }
            }

            // 7. A move much better than all others is searched deeper.
            let mut deeper = extension;
            if rules.singular
                && extension == 0
                && ordinal == table_move
                && ply > 0
                && excluded.is_none()
                && let Some(entry) = entry
                && pruning::may_be_singular(&entry, depth)
                && (ply as i32) < 2 * self.root.depth
            {
                let target =
                    from_table(entry.score, ply) - pruning::singular_gap(depth, rules.unit);
                self.frames[ply].excluded = Some(ordinal);
                let half = Place { key, depth: (depth - 1) / 2, ply, cut };
                let window = Window::null(target - 1);
                if let Some(trace) = &mut self.trace {
                    trace.enter(None, window, half);
                }
                let value = self.above_horizon(position, window, half);
                if let Some(trace) = &mut self.trace {
                    trace.leave((!self.budget.is_spent()).then_some(value), window);
                }
                if self.budget.is_spent() {
                    return 0;
                }
                if value < target {
                    deeper = 1;
                } else if target >= beta {
                    return target; // several moves are good enough
                } else if from_table(entry.score, ply) >= beta {
                    deeper = -1;
                }
            }

            // 8. The search of the move.
            let child = position.after(mv);
            let child_key = self.key_of(&child, depth - 1 + deeper);
            self.frames[ply].moved = Some(slot);
            self.path.reach = UNTOUCHED;
            let full = depth - 1 + deeper;
            let mut reduction = 0;
            if rules.reductions
                && depth >= rules.reduce_from
                && searched > 0
                && (is_quiet || candidate.loses())
            {
                reduction =
                    pruning::reduction(depth, searched) + i32::from(null_window) + i32::from(cut)
                        - i32::from(improving)
                        - i32::from(candidate.is_refutation())
                        - i32::from(child.is_pressed())
                        - i32::from(pressed)
                        - (history / pruning::HISTORY_PLY).clamp(-2, 2);
                reduction = reduction.clamp(0, (full - 1).max(0));
            }
            let below = Place { key: child_key, depth: full, ply: ply + 1, cut: !cut };
            let value = match self.settings.windows {
                Windows::Full => self.child(&child, mv, Window::OPEN, below),
                Windows::Narrowing => self.child(&child, mv, Window { alpha, beta }, below),
                _ if searched == 0 => {
                    let first = Place { cut: null_window && !cut, ..below };
                    self.child(&child, mv, Window { alpha, beta }, first)
                }
                Windows::Principal | Windows::Scout => {
                    let narrow = Window::null(alpha);
                    let mut value = -INFINITE;
                    if reduction > 0 {
                        let less = Place { depth: full - reduction, cut: true, ..below };
                        value = self.child(&child, mv, narrow, less);
                    }
                    if reduction == 0 || value > alpha && !self.budget.is_spent() {
                        value = self.child(&child, mv, narrow, below);
                    }
                    if value > alpha && value < beta && !null_window && !self.is_exact(full) {
                        let again = Window { alpha: self.second_bound(alpha, value), beta };
                        value = self.child(&child, mv, again, Place { cut: false, ..below });
                    }
                    value
                }
            };
            if self.budget.is_spent() {
                return 0;
            }
            searched += 1;

            // 9. What it tells.
            let touched = self.path.reach;
            if ply == 0 {
                self.note_root(ordinal, value, alpha, beta);
            }
            if value > best {
                (best, best_move) = (value, ordinal);
                if value > alpha || ply == 0 && searched == 1 {
                    self.extend_line(ply, mv);
                }
            }
            if value >= beta && self.settings.windows != Windows::Full {
                reach = touched; // the other moves do not matter
                self.refuted_by(
                    position,
                    mv,
                    is_quiet,
                    before,
                    Place { depth, ..place },
                    tried_from,
                );
                self.cut(count - index - 1);
                break;
            }
            reach = reach.min(touched);
            alpha = alpha.max(value);
            if is_quiet {
                self.tried.push(slot);
            }
        }
        self.path.reach = if reach >= ply as i32 { UNTOUCHED } else { reach };
        if best_move == NO_MOVE {
            return alpha; // the excluded move is the only one
        }

        // 10. What the table should know next time.
        if let Some(table) = self.table
            && excluded.is_none()
        {
            // A value that depends on how the position was reached must not be found on other ways.
            let bound = if reach >= ply as i32 { self.bound(best, window) } else { Bound::None };
            let best_move =
                if bound == Bound::Upper && self.settings.windows != Windows::Full && ply > 0 {
                    NO_MOVE
                } else {
                    best_move
                };
            let entry =
                Entry { score: to_table(best, ply), bound, depth: place.depth, best: best_move };
            table.store(key, position.check(), entry, &mut self.counts.table);
        }
        best
    }

    /// The key of a position about to be searched to `depth`, if anybody will ask for it. Its place in the
    /// table is fetched meanwhile.
    #[inline]
    pub(super) fn key_of(&self, position: &P, depth: i32) -> u64 {
        match self.table {
            Some(table) if depth > 0 || self.settings.deep_table => {
                let key = position.key();
                table.prefetch(key);
                key
            }
            _ if self.settings.path || self.settings.cache => position.key(),
            _ => 0,
        }
    }

    fn fits(&self, entry: &Entry, depth: i32) -> bool {
        match self.settings.reuse {
            Reuse::Exact => entry.depth == depth,
            Reuse::Deeper => entry.depth >= depth,
        }
    }

    fn bound(&self, value: i32, window: Window) -> Bound {
        if self.settings.windows == Windows::Full {
            return Bound::Exact;
        }
        Bound::of(value, window.alpha, window.beta)
    }

    /// The static evaluation.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &P, key: u64) -> i32 {
        let Some(place) = self.judged.get_mut(key as usize & (JUDGED - 1)) else {
            return self.evaluator.evaluate(position).0;
        };
        if place.0 == key && key != 0 {
            return place.1;
        }
        let value = self.evaluator.evaluate(position).0;
        *place = (key, value);
        value
    }

    /// The static evaluation, corrected by a stored score that says more.
    fn judge(&mut self, position: &P, key: u64, entry: Option<Entry>, ply: usize) -> i32 {
        let judged = self.evaluate(position, key);
        let Some(entry) = entry else { return judged };
        let score = from_table(entry.score, ply);
        match entry.bound {
            Bound::Exact => score,
            Bound::Lower => judged.max(score),
            Bound::Upper => judged.min(score),
            Bound::None => judged,
        }
    }

    /// Guesses made from the evaluation and from a passed turn.
    fn guess(
        &mut self,
        position: &P,
        judged: i32,
        improving: bool,
        window: Window,
        place: Place,
    ) -> Option<i32> {
        let rules = self.settings.pruning;
        let Place { depth, ply, cut, .. } = place;
        let Window { alpha, beta } = window;
        if rules.futility && beta.abs() < PROVEN {
            if pruning::is_far_above(judged, beta, depth, improving, rules.unit) {
                return Some(self.leaf((judged + beta) / 2, Cause::Futility));
            }
            if pruning::is_far_below(judged, alpha, depth, rules.unit) {
                let value = self.horizon(position, window, place, Some(judged));
                if value <= alpha {
                    return Some(value);
                }
            }
        }
        let passed_before = ply == 0 || self.frames[ply - 1].moved.is_none();
        if !rules.null_move || judged < beta || depth < 3 || passed_before || beta < -PROVEN {
            return None;
        }
        let passed = position.passed()?;
        let reduction = pruning::null_reduction(depth, judged - beta, rules.unit);
        self.frames[ply].moved = None;
        let below = Place {
            key: self.key_of(&passed, depth),
            depth: depth - 1 - reduction,
            ply: ply + 1,
            cut: !cut,
        };
        self.path.reach = UNTOUCHED;
        let value = self.child_after(None, &passed, Window::null(beta - 1), below);
        if self.budget.is_spent() {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        // A win found by passing is no proof of one.
        Some(self.leaf(if value > PROVEN { beta } else { value }, Cause::NullMove))
    }

    /// Puts the moves in line: as found at the root before, by what promises most, or as listed.
    /// A move from the table is tried before the others are rated: `false` if they are not yet.
    fn line_up(
        &mut self,
        position: &P,
        table_move: Ordinal,
        before: Option<Before>,
        ply: usize,
        moves_from: usize,
    ) -> bool {
        let count = self.moves.len() - moves_from;
        if ply == 0 && self.root.order.len() == count {
            let order = self.root.order.iter();
            self.order.extend(order.map(|&ordinal| Candidate { score: 0, ordinal }));
        } else if !self.settings.ordering {
            let listed = (0..count).map(|index| index as Ordinal);
            self.order.extend(listed.map(|ordinal| Candidate { score: 0, ordinal }));
        } else if usize::from(table_move) < count {
            self.order.push(Candidate::from_table(table_move));
            return false;
        } else {
            self.rate(position, NO_MOVE, before, ply, moves_from);
        }
        true
    }

    /// Rates all moves but the one from the table.
    fn rate(
        &mut self,
        position: &P,
        table_move: Ordinal,
        before: Option<Before>,
        ply: usize,
        moves_from: usize,
    ) {
        let hints = Hints {
            table_move,
            killers: self.frames[ply].killers,
            counter: self.memory.counter(before),
            before,
        };
        self.memory.rate(position, &self.moves[moves_from..], &hints, &mut self.order);
    }

    #[inline]
    fn next(&mut self, position: &P, moves_from: usize, index: usize, ply: usize) -> Candidate {
        if !self.settings.ordering || ply == 0 {
            return self.order[index];
        }
        let exchanges = self.settings.pruning.exchange;
        pick(position, &self.moves[moves_from..], &mut self.order[index..], exchanges)
    }

    fn extension(&self, position: &P, replies: usize, ply: usize) -> i32 {
        let short = (ply as i32) < 2 * self.root.depth;
        if self.settings.extensions && short { position.extension(replies) } else { 0 }
    }

    /// The value of a position in which the game is over.
    pub(super) fn finished(&mut self, position: &P, ply: usize) -> i32 {
        let outcome = position.outcome().expect("a position without moves has an outcome");
        self.leaf(Score::terminal(outcome, position.turn(), ply as i32).0, Cause::GameOver)
    }

    /// Searches a move and turns its value to the mover's view.
    #[inline]
    fn child(&mut self, child: &P, mv: P::Move, window: Window, place: Place) -> i32 {
        self.child_after(Some(mv), child, window, place)
    }

    #[inline]
    pub(super) fn child_after(
        &mut self,
        mv: Option<P::Move>,
        child: &P,
        window: Window,
        place: Place,
    ) -> i32 {
        let window = window.turned();
        if let Some(trace) = &mut self.trace {
            trace.enter(mv, window, place);
        }
        let value = self.node(child, window, place);
        if let Some(trace) = &mut self.trace {
            trace.leave((!self.budget.is_spent()).then_some(value), window);
        }
        -value
    }

    /// Whether a null-window search to `depth` that fails low below has looked at every leaf, so
    /// that its value is exact.
    fn is_exact(&self, depth: i32) -> bool {
        self.settings.windows == Windows::Scout
            && self.settings.fail == Fail::Soft
            && depth <= 1
            && self.table.is_none()
            && !self.settings.quiescence
            && !self.settings.extensions
    }

    /// The lower edge of the second search of a move.
    fn second_bound(&self, alpha: i32, value: i32) -> i32 {
        match (self.settings.windows, self.settings.fail) {
            (Windows::Scout, Fail::Soft) if !self.settings.guesses() => value - 1,
            _ => alpha,
        }
    }

    fn extend_line(&mut self, ply: usize, mv: P::Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    fn note_root(&mut self, ordinal: Ordinal, value: i32, alpha: i32, beta: i32) {
        let open = self.settings.windows == Windows::Full;
        if open || value > alpha && value < beta {
            self.root.exact.push((ordinal, value));
        }
        if value > alpha {
            self.root.raised = Some((ordinal, value));
        }
        if self.root.best.is_none_or(|(_, best)| value > best) {
            self.root.best = Some((ordinal, value));
        }
    }

    /// Learns from a move that was good enough to leave the others out.
    fn refuted_by(
        &mut self,
        position: &P,
        mv: P::Move,
        is_quiet: bool,
        before: Option<Before>,
        place: Place,
        tried_from: usize,
    ) {
        if !self.settings.ordering {
            return;
        }
        let bonus = pruning::history_bonus(place.depth);
        if is_quiet {
            let killers = &mut self.frames[place.ply].killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            self.memory.set_counter(before, mv);
            self.memory.learn(Memory::index(position, mv), before, bonus);
            for &slot in &self.tried[tried_from..] {
                self.memory.learn(slot, before, -bonus);
            }
        }
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

    fn leaf_of_table(&mut self, value: i32, bound: Bound) -> i32 {
        if let Some(trace) = &mut self.trace {
            trace.cause(Cause::Table(bound));
        }
        value
    }

    fn skip(&mut self, mv: P::Move) {
        if let Some(trace) = &mut self.trace {
            trace.skip(mv);
        }
    }

    fn cut(&mut self, moves: usize) {
        if let Some(trace) = &mut self.trace {
            trace.cut(moves);
        }
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
