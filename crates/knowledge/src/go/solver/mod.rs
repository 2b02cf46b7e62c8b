//! An exact solver for small boards, after Erik van der Werf's MIGOS (*Solving Go on small boards*,
//! 2003): alpha-beta with a transposition table, symmetry lookups and static recognition of
//! unconditional life.
//!
//! It finds Black's lead under perfect play, with area scoring, positional superko and without
//! suicide. Results that depend on the game history are used only where they hold (`claim` and
//! `search` explain why the result is then a proof).
//!
//! From the inside out: `grid` is the board as bits and its symmetries, `node` a position without
//! history, `benson` unconditional life and territory, `claim` the conditions of a result, `table`
//! the transposition table, `move_ordering` the move ordering, `search` decides whether a claimed
//! lead holds, `exact_lead` finds the exact lead by such claims.

mod benson;
mod claim;
mod exact_lead;
mod grid;
mod move_ordering;
mod node;
mod search;
mod table;
#[cfg(test)]
mod tests;

use benson::unconditional_area;
use exact_lead::LeadBounds;
use grid::{Grid, PASS};
use ludus_core::{History, Position, Side, TableReport};
use ludus_games::go::{
    Go, GoBoard, GoMove,
    rules::{GoRules, Ko, Scoring},
};
use node::{NOWHERE, Node, Stones};
use search::{GameBoards, Search, TerritoryClaim};
use std::{sync::atomic::AtomicBool, time::Instant};
use table::SolverTable;

pub use table::SymmetryFolding;

/// The largest board supported.
pub const MAX_SOLVER_SIZE: usize = 5;

/// The maximum search depth, in plies.
pub const MAX_DEPTH: u32 = search::MAX_DEPTH;

/// Limits of a solver run, and the nodes used so far.
pub struct GoSolverBudget<'a> {
    /// Set by another thread to stop.
    pub stop: &'a AtomicBool,
    /// Time limit.
    pub deadline: Option<Instant>,
    /// Node limit.
    pub node_limit: u64,
    /// Nodes visited.
    pub nodes: u64,
}

impl<'a> GoSolverBudget<'a> {
    /// No limits, until `stop` is set.
    pub fn unlimited(stop: &'a AtomicBool) -> GoSolverBudget<'a> {
        GoSolverBudget { stop, deadline: None, node_limit: u64::MAX, nodes: 0 }
    }
}

/// The reason a game cannot be solved.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum UnsupportedGame {
    /// The board has more points in a row than [`MAX_SOLVER_SIZE`].
    Size(usize),
    /// Repetitions are forbidden in another way.
    Ko,
    /// Suicide is allowed.
    Suicide,
    /// The end is counted in another way.
    Scoring,
}

/// A proved result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// Lower bound of Black's final lead, before komi.
    pub lower: i32,
    /// Upper bound of Black's final lead, before komi.
    pub upper: i32,
    /// The best move if the lead is exact; else one that reaches the bound proved for the side to
    /// move.
    pub mv: GoMove,
    /// The deepest search that was completed, in plies.
    pub depth: u32,
}

impl Solution {
    /// Black's lead before komi, if it is proved.
    pub fn lead(&self) -> Option<i32> {
        (self.lower == self.upper).then_some(self.lower)
    }
}

/// Solves positions; proved results stay in a table for later calls.
pub struct GoSolver {
    /// Memory of the table; 0 for none.
    bytes: u64,
    folding: SymmetryFolding,
    /// Created at first use, for one board size and one state of territory claims.
    state: Option<State>,
}

struct State {
    size: usize,
    territory_claims: [TerritoryClaim; 2],
    grid: Grid,
    table: Option<SolverTable>,
}

impl GoSolver {
    /// A solver with a table of about `bytes`, none if they are 0.
    pub fn new(bytes: u64, folding: SymmetryFolding) -> GoSolver {
        GoSolver { bytes, folding, state: None }
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.state = None;
    }

    /// Statistics of the table since it was created.
    pub fn table_report(&self) -> Option<TableReport> {
        self.state.as_ref()?.table.as_ref().map(|table| table.report)
    }

    /// Solves the last position of `game`, which must not be over, by searches of at most `deepest`
    /// plies.
    ///
    /// # Errors
    /// If the board is too large or the rules are not supported.
    pub fn solve(
        &mut self,
        game: &History<Go>,
        deepest: u32,
        budget: &mut GoSolverBudget<'_>,
    ) -> Result<Solution, UnsupportedGame> {
        check_supported(game.last())?;
        let root = node_of(game.last());
        let answer = self.search_with(game, budget, |search| search.lead(&root, deepest));
        Ok(solution(&answer, game.last()))
    }

    /// Best play for both sides from the last position of `game` to the end, given Black's `lead`,
    /// or as much of it as the budget allows.
    pub fn line(
        &mut self,
        game: &History<Go>,
        lead: i32,
        budget: &mut GoSolverBudget<'_>,
    ) -> Vec<GoMove> {
        let mut line = Vec::new();
        let mut game = game.clone();
        while game.last().outcome().is_none() && line.len() < MAX_DEPTH as usize {
            let root = node_of(game.last());
            let own_lead = if root.turn == 0 { lead } else { -lead };
            let mv = self.search_with(&game, budget, |search| search.move_keeping(&root, own_lead));
            let Some(mv) = mv.map(|mv| move_at(game.last().board(), mv)) else { break };
            line.push(mv);
            game.push(mv);
        }
        line
    }

    fn search_with<T>(
        &mut self,
        game: &History<Go>,
        budget: &mut GoSolverBudget<'_>,
        run: impl FnOnce(&mut Search<'_, '_>) -> T,
    ) -> T {
        let size = game.last().board().size();
        let folding = self.folding;
        let game_boards = game_boards_of(game, &Grid::new(size, size));
        let State { grid, table, .. } = self.state_for(size, game_boards.territory_claims);
        run(&mut Search::new(grid, table.as_mut(), folding, &game_boards, budget))
    }

    /// The table for a board size. Proofs under one state of territory claims do not hold under
    /// another.
    fn state_for(&mut self, size: usize, territory_claims: [TerritoryClaim; 2]) -> &mut State {
        let fits = |state: &State| state.size == size && state.territory_claims == territory_claims;
        if !self.state.as_ref().is_some_and(fits) {
            self.state = None;
        }
        let bytes = self.bytes;
        self.state.get_or_insert_with(|| State {
            size,
            territory_claims,
            grid: Grid::new(size, size),
            table: (bytes > 0).then(|| SolverTable::new(bytes)),
        })
    }
}

/// Checks that the solver supports this game.
///
/// # Errors
/// Names the property that is not supported.
pub fn check_supported(go: &Go) -> Result<(), UnsupportedGame> {
    let GoRules { ko, suicide, scoring, .. } = *go.rules();
    let size = go.board().size();
    if size > MAX_SOLVER_SIZE {
        return Err(UnsupportedGame::Size(size));
    }
    match (ko, suicide, scoring) {
        (Ko::Simple | Ko::Situational, ..) => Err(UnsupportedGame::Ko),
        (_, true, _) => Err(UnsupportedGame::Suicide),
        (.., Scoring::Territory) => Err(UnsupportedGame::Scoring),
        (Ko::Positional, false, Scoring::Area) => Ok(()),
    }
}

fn solution(answer: &LeadBounds, go: &Go) -> Solution {
    let LeadBounds { lower, upper, mv, depth } = *answer;
    let (lower, upper) = if go.turn() == Side::First { (lower, upper) } else { (-upper, -lower) };
    Solution { lower, upper, mv: move_at(go.board(), mv), depth }
}

fn move_at(board: &GoBoard, mv: u8) -> GoMove {
    let size = board.size();
    match mv {
        PASS => GoMove::Pass,
        point => GoMove::Play(board.point(usize::from(point) / size, usize::from(point) % size)),
    }
}

fn stones_of(board: &GoBoard) -> Stones {
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
    Node { stones: stones_of(board), turn: go.turn().index(), passed: go.passes() == 1, ko }
}

/// The boards of `game`. If the game was set up with a ko, the board before it is added.
fn game_boards_of(game: &History<Go>, grid: &Grid) -> GameBoards {
    let mut boards: Vec<Stones> = game.positions().iter().map(|go| stones_of(go.board())).collect();
    let territory_claims = territory_claims(&boards, grid);
    let start = node_of(game.start());
    if start.ko != NOWHERE
        && let Some(before) = (Node { ko: NOWHERE, ..start }).after_stone(grid, start.ko)
    {
        boards.push(before.stones);
    }
    GameBoards { boards, territory_claims }
}

/// The territory claims of each side after these boards.
fn territory_claims(boards: &[Stones], grid: &Grid) -> [TerritoryClaim; 2] {
    [0, 1].map(|side| {
        let alive =
            |stones: &Stones| unconditional_area(grid, stones[side], stones[1 - side]).stones;
        let killed = |pair: &[Stones]| alive(&pair[0]) & !alive(&pair[1]) != 0;
        if boards.windows(2).any(killed) {
            TerritoryClaim::StonesOnly
        } else {
            TerritoryClaim::Territory
        }
    })
}
