//! An exact solver for small boards, after Erik van der Werf's MIGOS (*Solving Go on small boards*,
//! 2003): alpha-beta with a transposition table, symmetry lookups and what can be known of life
//! without search.
//!
//! It finds the lead Black has in the end if both play perfectly, under area scoring, positional
//! superko and without suicide. Nothing is assumed about the past: results that depend on it are
//! used only where they hold (`proof` and `search` say why that makes the result a proof).
//!
//! From the inside out: `grid` is the board as bits and its symmetries, `node` a position without
//! its past, `life` what a side owns for certain, `proof` what a result holds under, `table` keeps
//! results, `ordering` chooses which move first, `search` decides whether a claimed lead is
//! there, `question` finds the exact lead by such claims.

mod grid;
mod life;
mod node;
mod ordering;
mod proof;
mod question;
mod search;
mod table;
#[cfg(test)]
mod tests;

use super::{
    Board, Go, Move,
    rules::{Ko, Rules, Scoring},
};
use grid::{Grid, PASS};
use life::safe;
use ludus_core::{History, Position, Side, TableReport};
use node::{NOWHERE, Node, Stones};
use question::Answer;
use search::{Counting, Past, Search};
use std::{sync::atomic::AtomicBool, time::Instant};
use table::Table;

pub use table::Folding;

/// The largest board it takes.
pub const LARGEST: usize = 5;

/// The deepest search it can do.
pub const DEEPEST: u32 = search::DEEPEST;

/// What the answers may cost together, and what they have cost so far.
pub struct Effort<'a> {
    /// Raised by another thread to stop now.
    pub stop: &'a AtomicBool,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// How many nodes to visit at most.
    pub node_limit: u64,
    /// Nodes visited.
    pub nodes: u64,
}

impl<'a> Effort<'a> {
    /// As much as it takes, until `stop` is raised.
    pub fn unlimited(stop: &'a AtomicBool) -> Effort<'a> {
        Effort { stop, deadline: None, node_limit: u64::MAX, nodes: 0 }
    }
}

/// Why a game cannot be solved.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Unsuitable {
    /// The board has more points in a row than [`LARGEST`].
    Size(usize),
    /// Repetitions are forbidden in another way.
    Ko,
    /// Suicide is allowed.
    Suicide,
    /// The end is counted in another way.
    Scoring,
}

/// What is proved about a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Black leads by this much at least in the end, before komi.
    pub lower: i32,
    /// And by this much at most.
    pub upper: i32,
    /// The best move if the lead is exact; else one that reaches the bound proved for the side to
    /// move.
    pub mv: Move,
    /// The deepest search that was completed, in plies.
    pub depth: u32,
}

impl Solution {
    /// Black's lead before komi, if it is proved.
    pub fn lead(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// Solves positions. What it has proved it keeps in a table for the next question.
pub struct Solver {
    /// Memory for the table; without any there is none.
    bytes: u64,
    folding: Folding,
    /// Made when first needed, for one size of board and one way of counting.
    state: Option<State>,
}

struct State {
    size: usize,
    counting: [Counting; 2],
    grid: Grid,
    table: Option<Table>,
}

impl Solver {
    /// A solver with a table of about `bytes`, none if they are 0.
    pub fn new(bytes: u64, folding: Folding) -> Solver {
        Solver { bytes, folding, state: None }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.state = None;
    }

    /// What the table did since it was made.
    pub fn table_report(&self) -> Option<TableReport> {
        self.state.as_ref()?.table.as_ref().map(|table| table.report)
    }

    /// What can be proved about the last position of `game`, in which the game goes on, by searches
    /// of at most `deepest` plies.
    ///
    /// # Errors
    /// If the board is too large or the rules are others.
    pub fn solve(
        &mut self,
        game: &History<Go>,
        deepest: u32,
        effort: &mut Effort<'_>,
    ) -> Result<Solution, Unsuitable> {
        suits(game.last())?;
        let root = node_of(game.last());
        let answer = self.ask(game, effort, |search| search.lead(&root, deepest));
        Ok(solution(&answer, game.last()))
    }

    /// Play from the last position of `game` to the end that keeps Black's `lead` for both sides, or
    /// as much of it as the effort allows.
    pub fn line(&mut self, game: &History<Go>, lead: i32, effort: &mut Effort<'_>) -> Vec<Move> {
        let mut line = Vec::new();
        let mut game = game.clone();
        while game.last().outcome().is_none() && line.len() < DEEPEST as usize {
            let root = node_of(game.last());
            let own_lead = if root.turn == 0 { lead } else { -lead };
            let mv = self.ask(&game, effort, |search| search.move_worth(&root, own_lead));
            let Some(mv) = mv.map(|mv| move_at(game.last().board(), mv)) else { break };
            line.push(mv);
            game.push(mv);
        }
        line
    }

    fn ask<T>(
        &mut self,
        game: &History<Go>,
        effort: &mut Effort<'_>,
        question: impl FnOnce(&mut Search<'_, '_>) -> T,
    ) -> T {
        let size = game.last().board().size();
        let folding = self.folding;
        let past = past_of(game, &Grid::new(size, size));
        let State { grid, table, .. } = self.state_for(size, past.counting);
        question(&mut Search::new(grid, table.as_mut(), folding, &past, effort))
    }

    /// The table for a size of board. Proofs under one way of counting are none under another.
    fn state_for(&mut self, size: usize, counting: [Counting; 2]) -> &mut State {
        let fits = |state: &State| state.size == size && state.counting == counting;
        if !self.state.as_ref().is_some_and(fits) {
            self.state = None;
        }
        let bytes = self.bytes;
        self.state.get_or_insert_with(|| State {
            size,
            counting,
            grid: Grid::new(size, size),
            table: (bytes > 0).then(|| Table::new(bytes)),
        })
    }
}

/// Whether the solver can take this game.
///
/// # Errors
/// Says what does not suit it.
pub fn suits(go: &Go) -> Result<(), Unsuitable> {
    let Rules { ko, suicide, scoring, .. } = *go.rules();
    let size = go.board().size();
    if size > LARGEST {
        return Err(Unsuitable::Size(size));
    }
    match (ko, suicide, scoring) {
        (Ko::Simple | Ko::Situational, ..) => Err(Unsuitable::Ko),
        (_, true, _) => Err(Unsuitable::Suicide),
        (.., Scoring::Territory) => Err(Unsuitable::Scoring),
        (Ko::Positional, false, Scoring::Area) => Ok(()),
    }
}

fn solution(answer: &Answer, go: &Go) -> Solution {
    let Answer { lower, upper, mv, depth } = *answer;
    let (lower, upper) = if go.turn() == Side::First { (lower, upper) } else { (-upper, -lower) };
    Solution { lower, upper, mv: move_at(go.board(), mv), depth }
}

fn move_at(board: &Board, mv: u8) -> Move {
    let size = board.size();
    match mv {
        PASS => Move::Pass,
        point => Move::Play(board.point(usize::from(point) / size, usize::from(point) % size)),
    }
}

fn stones_of(board: &Board) -> Stones {
    let mut stones = [0; 2];
    for (index, point) in board.points().enumerate() {
        if let Some(side) = board.stone(point) {
            stones[side.index()] |= 1 << index;
        }
    }
    stones
}

fn node_of(go: &Go) -> Node {
    let board = go.board();
    let ko = board.ko().map_or(NOWHERE, |point| {
        let (row, column) = board.row_column(point);
        (row * board.size() + column) as u8
    });
    Node { stones: stones_of(board), turn: go.turn().index(), passed: go.passes == 1, ko }
}

/// The boards of `game`. A ko tells of one more: if the game was set up with it, the board before is
/// taken to have been there.
fn past_of(game: &History<Go>, grid: &Grid) -> Past {
    let mut boards: Vec<Stones> = game.positions().iter().map(|go| stones_of(go.board())).collect();
    let counting = counting(&boards, grid);
    let start = node_of(game.start());
    if start.ko != NOWHERE
        && let Some(before) = (Node { ko: NOWHERE, ..start }).after_stone(grid, start.ko)
    {
        boards.push(before.stones);
    }
    Past { boards, counting }
}

/// What each side may count on after these boards.
fn counting(boards: &[Stones], grid: &Grid) -> [Counting; 2] {
    [0, 1].map(|side| {
        let alive = |stones: &Stones| safe(grid, stones[side], stones[1 - side]).stones;
        let killed = |pair: &[Stones]| alive(&pair[0]) & !alive(&pair[1]) != 0;
        if boards.windows(2).any(killed) { Counting::StonesOnly } else { Counting::Territory }
    })
}
