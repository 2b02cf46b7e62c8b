//! The search: can a side be ahead by so many points?
//!
//! Alpha-beta with the smallest window, in the shape it then has: one side claims a lead, the other
//! tries to refute it, and whoever has a winning move needs no second one. At the horizon the
//! claim counts as refuted, so a claim that holds is proved, and one that fails may hold deeper.
//!
//! What is proved is proved under positional superko, whatever the table contributes: a verdict goes
//! with what it holds under (`proof`), and one from the table that upholds a claim is only used in a
//! past in which it holds. Refutations prove nothing, so they may be trusted more: see [`Trust`].
//!
//! What the claimant owns for certain (`life`) needs no conditions, if it never gives it up: a
//! claimant that kills its own living stones counts as refuted, which only makes claiming harder.
//! For then its living stones have lived ever since they first did, and a board with one more of
//! them is new: superko cannot forbid the moves that clear its territory.

use super::{
    Effort,
    grid::{Grid, PASS, Points},
    life::{Safe, safe},
    node::{NOWHERE, Node, Stones, area},
    ordering::{Candidates, Experience},
    proof::{Needs, Verdict},
    table::{Folding, Found, News, Place, Table},
};
use std::{sync::atomic::Ordering, time::Instant};

/// The deepest search; the path has to fit into [`Needs`].
pub(super) const DEEPEST: u32 = 120;
/// How many nodes pass between two looks at the clock.
const CLOCK_INTERVAL: u64 = 1024;
/// From this depth on the table is asked about all children before any is searched.
const PROBE_CHILDREN_FROM: u32 = 2;

/// The effort is spent.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Spent;

/// What a side claims.
#[derive(Copy, Clone, Debug)]
pub(super) struct Claim {
    pub(super) side: usize,
    /// By how many points it says it will be ahead, at least.
    pub(super) lead: i32,
}

/// How sure the search is to find a proof where there is one. What it finds is a proof either way.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// Refutations from the table are believed even if the moves of the refuter might be forbidden
    /// in the present past, and no side kills its own living stones. That hides a proof now and
    /// then, and saves nine nodes in ten.
    Loose,
    /// A refutation counts only in a past in which it holds, territory not at all.
    Strict,
}

/// What a side may count on beside its living stones.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Counting {
    /// The territory inside them.
    Territory,
    /// Nothing: it has killed living stones of its own, or might.
    StonesOnly,
}

/// A search under way.
pub(super) struct Search<'a, 'b> {
    pub(super) grid: &'a Grid,
    pub(super) table: Option<&'a mut Table>,
    pub(super) folding: Folding,
    pub(super) effort: &'a mut Effort<'b>,
    trust: Trust,
    counting: [Counting; 2],
    experience: Experience,
    past: &'a Past,
    /// The boards from the root to the current node.
    path: Vec<Stones>,
    claim: Claim,
    /// The move that decided the root.
    pub(super) root_move: u8,
}

/// The game before the root.
pub(super) struct Past {
    pub(super) boards: Vec<Stones>,
    /// What each side may count on.
    pub(super) counting: [Counting; 2],
}

/// A node on the way to its verdict.
struct Visit {
    node: Node,
    ply: usize,
    depth: u32,
    /// Living stones of the claimant.
    living: Points,
}

impl<'a, 'b> Search<'a, 'b> {
    pub(super) fn new(
        grid: &'a Grid,
        table: Option<&'a mut Table>,
        folding: Folding,
        past: &'a Past,
        effort: &'a mut Effort<'b>,
    ) -> Search<'a, 'b> {
        Search {
            grid,
            table,
            folding,
            effort,
            trust: Trust::Loose,
            counting: past.counting,
            experience: Experience::new(DEEPEST as usize + 1),
            past,
            path: Vec::new(),
            claim: Claim { side: 0, lead: 0 },
            root_move: NOWHERE,
        }
    }

    /// From now on the search is loose or strict. Proofs that count on territory hold only where
    /// nobody kills his own stones, so they are forgotten before a strict search.
    pub(super) fn set_trust(&mut self, trust: Trust) {
        self.trust = trust;
        self.counting = match trust {
            Trust::Loose => self.past.counting,
            Trust::Strict => [Counting::StonesOnly; 2],
        };
        if let (Trust::Strict, Some(table)) = (trust, &mut self.table) {
            table.clear();
        }
    }

    pub(super) fn trust(&self) -> Trust {
        self.trust
    }

    /// Whether the claim holds, as far as a search to `depth` can tell.
    pub(super) fn decide(
        &mut self,
        root: &Node,
        claim: Claim,
        depth: u32,
    ) -> Result<Verdict, Spent> {
        self.claim = claim;
        self.root_move = NOWHERE;
        self.path.clear();
        self.verdict(root, 0, depth, 0)
    }

    /// The verdict on a node, where the claimant had the living stones `guarded` before.
    fn verdict(
        &mut self,
        node: &Node,
        ply: usize,
        depth: u32,
        guarded: Points,
    ) -> Result<Verdict, Spent> {
        self.count_node()?;
        let claimant = self.claim.side;
        if let Some(verdict) = self.end_by_pass(node) {
            if ply == 0 {
                self.root_move = PASS;
            }
            return Ok(verdict);
        }
        let own = self.safe(node, claimant);
        if self.gives_up(guarded, &own) {
            return Ok(Verdict::refuted(true));
        }
        if ply > 0 {
            // After two passes nothing can be cleared up any more.
            if !node.passed || node.turn == claimant {
                let lead = own.least_lead(self.grid);
                if lead >= self.claim.lead {
                    return Ok(Verdict::claimed(lead));
                }
            }
            let other = self.safe(node, 1 - claimant);
            if -other.least_lead(self.grid) < self.claim.lead {
                return Ok(Verdict::refuted(true));
            }
        }
        if depth == 0 {
            return Ok(Verdict::refuted(false));
        }
        self.path.truncate(ply);
        self.path.push(node.stones);
        self.search(&Visit { node: *node, ply, depth, living: own.stones })
    }

    /// What `side` owns for certain.
    fn safe(&self, node: &Node, side: usize) -> Safe {
        let mut safe = safe(self.grid, node.stones[side], node.stones[1 - side]);
        if self.counting[side] == Counting::StonesOnly {
            safe.territory = 0;
        }
        safe
    }

    /// Whether the claimant, who had the living stones `before`, kills some although it counts on
    /// territory.
    fn gives_up(&self, before: Points, after: &Safe) -> bool {
        self.counting[self.claim.side] == Counting::Territory && before & !after.stones != 0
    }

    /// If the side to move can end the game with a second pass and wins by it.
    fn end_by_pass(&self, node: &Node) -> Option<Verdict> {
        if !node.passed {
            return None;
        }
        let verdict = self.count(node);
        (verdict.claimed == (node.turn == self.claim.side)).then_some(verdict)
    }

    /// The verdict if the game ends here.
    fn count(&self, node: &Node) -> Verdict {
        let lead = area(self.grid, node.stones, self.claim.side);
        if lead >= self.claim.lead { Verdict::claimed(lead) } else { Verdict::refuted(true) }
    }

    /// Asks the table, then tries the moves.
    fn search(&mut self, visit: &Visit) -> Result<Verdict, Spent> {
        let before = self.effort.nodes;
        let node = &visit.node;
        let place = self.place(node);
        let mut hint = NOWHERE;
        if let Some(place) = &place {
            let wins = node.turn == self.claim.side;
            for claimed in [wins, !wins] {
                let Some(found) = self.find(place, claimed) else { continue };
                if claimed == wins {
                    hint = found.mv;
                }
                if visit.ply > 0
                    && let Some(verdict) = self.usable(&found, claimed, visit.depth)
                {
                    self.table_cutoff();
                    return Ok(verdict);
                }
            }
        }
        let (mut verdict, mv) = self.try_moves(visit, hint)?;
        verdict.needs &= !bit(visit.ply);
        if visit.ply == 0 {
            self.root_move = mv;
        }
        if let Some(place) = place {
            let nodes = self.effort.nodes - before;
            self.store(&place, visit, &verdict, mv, nodes);
        }
        Ok(verdict)
    }

    /// The verdict on a node by its moves, and the one that decides it, if it does.
    fn try_moves(&mut self, visit: &Visit, hint: u8) -> Result<(Verdict, u8), Spent> {
        let Visit { node, ply, depth, living } = visit;
        let mut moves = Candidates::new(self.grid, node, |child| self.ban(child.stones));
        let wins = node.turn == self.claim.side;
        if *depth >= PROBE_CHILDREN_FROM
            && *ply > 0
            && let Some((verdict, mv)) = self.known_win(&moves, visit)
        {
            return Ok((verdict, mv));
        }
        moves.sort(self.grid, node, &self.experience, *ply, hint);
        let mut all = if wins { Verdict::refuted(true) } else { Verdict::claimed(i32::MAX) };
        all.needs = moves.bans;
        for index in 0..moves.all().len() {
            let candidate = moves.all()[index];
            let mut verdict = if candidate.mv == PASS && node.passed {
                self.count(node)
            } else {
                self.path.truncate(ply + 1);
                self.verdict(&candidate.node, ply + 1, depth - 1, *living)?
            };
            if verdict.claimed == wins {
                self.experience.learn(node.turn, candidate.mv, *ply, *depth);
                if candidate.mv != PASS {
                    verdict.made.add(self.grid, candidate.node.stones);
                }
                return Ok((verdict, candidate.mv));
            }
            all.join(&verdict);
        }
        Ok((all, NOWHERE))
    }

    /// A move of which the table knows that it wins.
    fn known_win(&mut self, moves: &Candidates, visit: &Visit) -> Option<(Verdict, u8)> {
        let wins = visit.node.turn == self.claim.side;
        for candidate in moves.all() {
            let place = self.place(&candidate.node)?;
            let Some(found) = self.find(&place, wins) else { continue };
            let guards =
                !wins || visit.living & !self.safe(&candidate.node, self.claim.side).stones == 0;
            if let Some(mut verdict) = self.usable(&found, wins, visit.depth - 1).filter(|_| guards)
            {
                self.table_cutoff();
                if candidate.mv != PASS {
                    verdict.made.add(self.grid, candidate.node.stones);
                }
                return Some((verdict, candidate.mv));
            }
        }
        None
    }

    /// What of the past forbids this board, if anything does.
    fn ban(&self, stones: Stones) -> Option<Needs> {
        if let Some(ply) = self.path.iter().rposition(|&board| board == stones) {
            return Some(bit(ply));
        }
        self.past.boards.contains(&stones).then_some(BEFORE_ROOT)
    }

    /// What the table says, if it holds in the present past and answers the question.
    fn usable(&self, found: &Found, claimed: bool, depth: u32) -> Option<Verdict> {
        let answers = if claimed {
            found.lead >= self.claim.lead
        } else {
            found.lead <= self.claim.lead && found.is_as_deep_as(depth)
        };
        if !answers {
            return None;
        }
        let needs = match found.need {
            Some(board) => self.ban(board)?,
            None => 0,
        };
        let believed = self.trust == Trust::Loose && !claimed;
        let mut boards = self.path.iter().chain(&self.past.boards);
        if !believed && boards.any(|&board| found.made.may_hold(self.grid, board)) {
            return None;
        }
        let settled = claimed || found.is_final();
        Some(Verdict { claimed, lead: found.lead, settled, made: found.made, needs })
    }

    fn store(&mut self, place: &Place, visit: &Visit, verdict: &Verdict, mv: u8, nodes: u64) {
        let need = match verdict.needs {
            0 => None,
            // Several boards, or one before the root, find no room.
            needs if needs & (needs - 1) != 0 || needs == BEFORE_ROOT => return,
            needs => Some(self.path[needs.trailing_zeros() as usize - 1]),
        };
        let claim = self.claim.lead;
        let news = News { verdict, claim, depth: visit.depth, mv, need, nodes };
        if let Some(table) = &mut self.table {
            table.store(self.grid, place, &news);
        }
    }

    fn place(&self, node: &Node) -> Option<Place> {
        self.table.as_ref()?;
        Some(Place::new(self.grid, node, self.claim.side, self.folding))
    }

    fn find(&mut self, place: &Place, claimed: bool) -> Option<Found> {
        self.table.as_mut()?.find(self.grid, place, claimed)
    }

    fn table_cutoff(&mut self) {
        if let Some(table) = &mut self.table {
            table.report.cutoffs += 1;
        }
    }

    fn count_node(&mut self) -> Result<(), Spent> {
        let effort = &mut *self.effort;
        if effort.nodes >= effort.node_limit {
            return Err(Spent);
        }
        if effort.nodes.is_multiple_of(CLOCK_INTERVAL) {
            let late = effort.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if late || effort.stop.load(Ordering::Relaxed) {
                return Err(Spent);
            }
        }
        effort.nodes += 1;
        Ok(())
    }
}

/// A need of the game before the root.
const BEFORE_ROOT: Needs = 1;

/// A need of the board at this ply.
fn bit(ply: usize) -> Needs {
    1 << (ply + 1)
}
