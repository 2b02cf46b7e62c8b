//! The search: does a side lead by a given number of points?
//!
//! Null-window alpha-beta as a Boolean search: one side claims a lead, the other tries to refute
//! it, and one winning move settles a node. At the horizon the claim counts as refuted, so a claim
//! that holds is proved, and one that fails may hold deeper.
//!
//! Proofs hold under positional superko even with table hits: a result carries its conditions
//! (`claim`), and a stored result that upholds a claim is only used with a history in which it
//! holds. Refutations prove nothing, so they may be accepted more freely: see [`RefutationMode`].
//!
//! The claimant's unconditional area (`benson`) needs no conditions if it is never given up: a
//! claimant that kills its own living stones counts as refuted, which only makes claiming harder.
//! Its living stones have then lived ever since they first did, and a board with one more of them
//! is new: superko cannot forbid the moves that clear its territory.

use super::{
    GoSolverBudget,
    benson::{UnconditionalArea, unconditional_area},
    claim::{ClaimResult, PastDependencies},
    grid::{Grid, PASS, Points},
    move_ordering::{Candidates, OrderingTables},
    node::{NOWHERE, Node, Stones, area},
    table::{SolverTable, StoreRequest, SymmetryFolding, TableHit, TableKey},
};
use std::{sync::atomic::Ordering, time::Instant};

/// The deepest search; the path has to fit into [`PastDependencies`].
pub(super) const MAX_DEPTH: u32 = 120;
/// Nodes between two checks of the clock.
const CHECK_INTERVAL_NODES: u64 = 1024;
/// Enhanced transposition cutoffs: from this depth on all children are probed before the search.
const PROBE_CHILDREN_FROM: u32 = 2;

/// A limit was reached.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct BudgetExhausted;

/// A claim of a side.
#[derive(Copy, Clone, Debug)]
pub(super) struct Claim {
    pub(super) side: usize,
    /// The claimed lead: a lower bound in points.
    pub(super) lead: i32,
}

/// Treatment of refutations. Every claim that holds is a proof in either mode; loose mode can miss
/// some.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum RefutationMode {
    /// Refutations from the table are accepted even if moves of the refuter might be forbidden in
    /// the present history, and no side kills its own living stones. This occasionally misses a
    /// proof, and saves nine nodes in ten.
    Loose,
    /// Refutations count only with a history in which they hold; territory does not count.
    Strict,
}

/// The territory a side may count beside its living stones.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum TerritoryClaim {
    /// The territory inside them.
    Territory,
    /// None: the side has killed living stones of its own, or might.
    StonesOnly,
}

/// A search under way.
pub(super) struct Search<'a, 'b> {
    pub(super) grid: &'a Grid,
    pub(super) table: Option<&'a mut SolverTable>,
    pub(super) folding: SymmetryFolding,
    pub(super) budget: &'a mut GoSolverBudget<'b>,
    refutation_mode: RefutationMode,
    territory_claims: [TerritoryClaim; 2],
    ordering_tables: OrderingTables,
    game_boards: &'a GameBoards,
    /// The boards from the root to the current node.
    path: Vec<Stones>,
    claim: Claim,
    /// The move that decided the root.
    pub(super) root_move: u8,
}

/// The game before the root.
pub(super) struct GameBoards {
    pub(super) boards: Vec<Stones>,
    /// The territory claims of each side.
    pub(super) territory_claims: [TerritoryClaim; 2],
}

/// A node under search.
struct NodeContext {
    node: Node,
    ply: usize,
    depth: u32,
    /// Living stones of the claimant.
    living: Points,
}

impl<'a, 'b> Search<'a, 'b> {
    pub(super) fn new(
        grid: &'a Grid,
        table: Option<&'a mut SolverTable>,
        folding: SymmetryFolding,
        game_boards: &'a GameBoards,
        budget: &'a mut GoSolverBudget<'b>,
    ) -> Search<'a, 'b> {
        Search {
            grid,
            table,
            folding,
            budget,
            refutation_mode: RefutationMode::Loose,
            territory_claims: game_boards.territory_claims,
            ordering_tables: OrderingTables::new(MAX_DEPTH as usize + 1),
            game_boards,
            path: Vec::new(),
            claim: Claim { side: 0, lead: 0 },
            root_move: NOWHERE,
        }
    }

    /// Sets the mode. Proofs that count territory hold only where no side kills its own stones, so
    /// the table is cleared before a strict search.
    pub(super) fn set_refutation_mode(&mut self, refutation_mode: RefutationMode) {
        self.refutation_mode = refutation_mode;
        self.territory_claims = match refutation_mode {
            RefutationMode::Loose => self.game_boards.territory_claims,
            RefutationMode::Strict => [TerritoryClaim::StonesOnly; 2],
        };
        if let (RefutationMode::Strict, Some(table)) = (refutation_mode, &mut self.table) {
            table.clear();
        }
    }

    pub(super) fn refutation_mode(&self) -> RefutationMode {
        self.refutation_mode
    }

    /// Whether the claim holds, as far as a search to `depth` shows.
    pub(super) fn decide(
        &mut self,
        root: &Node,
        claim: Claim,
        depth: u32,
    ) -> Result<ClaimResult, BudgetExhausted> {
        self.claim = claim;
        self.root_move = NOWHERE;
        self.path.clear();
        self.result(root, 0, depth, 0)
    }

    /// Searches a node, where the claimant had the living stones `guarded` before.
    fn result(
        &mut self,
        node: &Node,
        ply: usize,
        depth: u32,
        guarded: Points,
    ) -> Result<ClaimResult, BudgetExhausted> {
        self.count_node()?;
        let claimant = self.claim.side;
        if let Some(result) = self.end_by_pass(node) {
            if ply == 0 {
                self.root_move = PASS;
            }
            return Ok(result);
        }
        let own = self.unconditional_area(node, claimant);
        if self.kills_living_stones(guarded, &own) {
            return Ok(ClaimResult::refuted(true));
        }
        if ply > 0 {
            // After two passes dead stones can no longer be captured.
            if !node.passed || node.turn == claimant {
                let lead = own.min_lead(self.grid);
                if lead >= self.claim.lead {
                    return Ok(ClaimResult::claimed(lead));
                }
            }
            let other = self.unconditional_area(node, 1 - claimant);
            if -other.min_lead(self.grid) < self.claim.lead {
                return Ok(ClaimResult::refuted(true));
            }
        }
        if depth == 0 {
            return Ok(ClaimResult::refuted(false));
        }
        self.path.truncate(ply);
        self.path.push(node.stones);
        self.search(&NodeContext { node: *node, ply, depth, living: own.stones })
    }

    /// The unconditional area of `side`.
    fn unconditional_area(&self, node: &Node, side: usize) -> UnconditionalArea {
        let mut unconditional_area =
            unconditional_area(self.grid, node.stones[side], node.stones[1 - side]);
        if self.territory_claims[side] == TerritoryClaim::StonesOnly {
            unconditional_area.territory = 0;
        }
        unconditional_area
    }

    /// Whether the claimant, who had the living stones `before`, has killed some although it counts
    /// territory.
    fn kills_living_stones(&self, before: Points, after: &UnconditionalArea) -> bool {
        self.territory_claims[self.claim.side] == TerritoryClaim::Territory
            && before & !after.stones != 0
    }

    /// The result if the side to move wins by ending the game with a second pass.
    fn end_by_pass(&self, node: &Node) -> Option<ClaimResult> {
        if !node.passed {
            return None;
        }
        let result = self.count(node);
        (result.claimed == (node.turn == self.claim.side)).then_some(result)
    }

    /// The result if the game ends here.
    fn count(&self, node: &Node) -> ClaimResult {
        let lead = area(self.grid, node.stones, self.claim.side);
        if lead >= self.claim.lead {
            ClaimResult::claimed(lead)
        } else {
            ClaimResult::refuted(true)
        }
    }

    /// Probes the table, then searches the moves.
    fn search(&mut self, context: &NodeContext) -> Result<ClaimResult, BudgetExhausted> {
        let before = self.budget.nodes;
        let node = &context.node;
        let key = self.key(node);
        let mut hash_move = NOWHERE;
        if let Some(key) = &key {
            let wins = node.turn == self.claim.side;
            for claimed in [wins, !wins] {
                let Some(found) = self.find(key, claimed) else { continue };
                if claimed == wins {
                    hash_move = found.mv;
                }
                if context.ply > 0
                    && let Some(result) = self.usable(&found, claimed, context.depth)
                {
                    self.table_cutoff();
                    return Ok(result);
                }
            }
        }
        let (mut result, mv) = self.try_moves(context, hash_move)?;
        result.dependencies &= !bit(context.ply);
        if context.ply == 0 {
            self.root_move = mv;
        }
        if let Some(key) = key {
            let nodes = self.budget.nodes - before;
            self.store(&key, context, &result, mv, nodes);
        }
        Ok(result)
    }

    /// Searches the moves of a node; returns the result and the move that decides it, if any.
    fn try_moves(
        &mut self,
        context: &NodeContext,
        hash_move: u8,
    ) -> Result<(ClaimResult, u8), BudgetExhausted> {
        let NodeContext { node, ply, depth, living } = context;
        let mut moves =
            Candidates::new(self.grid, node, |child| self.forbidden_by_board(child.stones));
        let wins = node.turn == self.claim.side;
        if *depth >= PROBE_CHILDREN_FROM
            && *ply > 0
            && let Some((result, mv)) = self.known_win(&moves, context)
        {
            return Ok((result, mv));
        }
        moves.sort(self.grid, node, &self.ordering_tables, *ply, hash_move);
        let mut all =
            if wins { ClaimResult::refuted(true) } else { ClaimResult::claimed(i32::MAX) };
        all.dependencies = moves.forbidden_by;
        for index in 0..moves.all().len() {
            let candidate = moves.all()[index];
            let mut result = if candidate.mv == PASS && node.passed {
                self.count(node)
            } else {
                self.path.truncate(ply + 1);
                self.result(&candidate.node, ply + 1, depth - 1, *living)?
            };
            if result.claimed == wins {
                self.ordering_tables.update(node.turn, candidate.mv, *ply, *depth);
                if candidate.mv != PASS {
                    result.made.add(self.grid, candidate.node.stones);
                }
                return Ok((result, candidate.mv));
            }
            all.join(&result);
        }
        Ok((all, NOWHERE))
    }

    /// Enhanced transposition cutoff: a move that wins according to the table.
    fn known_win(
        &mut self,
        moves: &Candidates,
        context: &NodeContext,
    ) -> Option<(ClaimResult, u8)> {
        let wins = context.node.turn == self.claim.side;
        for candidate in moves.all() {
            let key = self.key(&candidate.node)?;
            let Some(found) = self.find(&key, wins) else { continue };
            let guards = !wins
                || context.living
                    & !self.unconditional_area(&candidate.node, self.claim.side).stones
                    == 0;
            if let Some(mut result) =
                self.usable(&found, wins, context.depth - 1).filter(|_| guards)
            {
                self.table_cutoff();
                if candidate.mv != PASS {
                    result.made.add(self.grid, candidate.node.stones);
                }
                return Some((result, candidate.mv));
            }
        }
        None
    }

    /// The board of the history that forbids this board, if any.
    fn forbidden_by_board(&self, stones: Stones) -> Option<PastDependencies> {
        if let Some(ply) = self.path.iter().rposition(|&board| board == stones) {
            return Some(bit(ply));
        }
        self.game_boards.boards.contains(&stones).then_some(BEFORE_ROOT)
    }

    /// A stored result, if it holds with the present history and decides the claim.
    fn usable(&self, found: &TableHit, claimed: bool, depth: u32) -> Option<ClaimResult> {
        let answers = if claimed {
            found.lead >= self.claim.lead
        } else {
            found.lead <= self.claim.lead && found.is_as_deep_as(depth)
        };
        if !answers {
            return None;
        }
        let dependencies = match found.dependency {
            Some(board) => self.forbidden_by_board(board)?,
            None => 0,
        };
        let believed = self.refutation_mode == RefutationMode::Loose && !claimed;
        let mut boards = self.path.iter().chain(&self.game_boards.boards);
        if !believed && boards.any(|&board| found.made.may_hold(self.grid, board)) {
            return None;
        }
        let settled = claimed || found.is_final();
        Some(ClaimResult { claimed, lead: found.lead, settled, made: found.made, dependencies })
    }

    fn store(
        &mut self,
        key: &TableKey,
        context: &NodeContext,
        result: &ClaimResult,
        mv: u8,
        nodes: u64,
    ) {
        let dependency = match result.dependencies {
            0 => None,
            // Several boards, or one before the root, cannot be stored.
            dependencies
                if dependencies & (dependencies - 1) != 0 || dependencies == BEFORE_ROOT =>
            {
                return;
            }
            dependencies => Some(self.path[dependencies.trailing_zeros() as usize - 1]),
        };
        let claim = self.claim.lead;
        let request = StoreRequest { result, claim, depth: context.depth, mv, dependency, nodes };
        if let Some(table) = &mut self.table {
            table.store(self.grid, key, &request);
        }
    }

    fn key(&self, node: &Node) -> Option<TableKey> {
        self.table.as_ref()?;
        Some(TableKey::new(self.grid, node, self.claim.side, self.folding))
    }

    fn find(&mut self, key: &TableKey, claimed: bool) -> Option<TableHit> {
        self.table.as_mut()?.find(self.grid, key, claimed)
    }

    fn table_cutoff(&mut self) {
        if let Some(table) = &mut self.table {
            table.report.cutoffs += 1;
        }
    }

    fn count_node(&mut self) -> Result<(), BudgetExhausted> {
        let budget = &mut *self.budget;
        if budget.nodes >= budget.node_limit {
            return Err(BudgetExhausted);
        }
        if budget.nodes.is_multiple_of(CHECK_INTERVAL_NODES) {
            let late = budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if late || budget.stop.load(Ordering::Relaxed) {
                return Err(BudgetExhausted);
            }
        }
        budget.nodes += 1;
        Ok(())
    }
}

/// A dependency on the game before the root.
const BEFORE_ROOT: PastDependencies = 1;

/// A dependency on the board at this ply.
fn bit(ply: usize) -> PastDependencies {
    1 << (ply + 1)
}
