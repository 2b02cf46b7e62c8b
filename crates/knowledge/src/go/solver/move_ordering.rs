//! Move ordering.

use super::{
    claim::PastDependencies,
    grid::{Grid, MAX_POINTS, PASS, Points},
    node::Node,
};

/// A move and the resulting node.
#[derive(Copy, Clone)]
pub(super) struct Candidate {
    pub(super) mv: u8,
    pub(super) node: Node,
    score: i32,
}

/// The legal moves of a node, the best first.
pub(super) struct Candidates {
    moves: [Candidate; MAX_POINTS + 1],
    count: usize,
    /// Boards of the history that forbid other moves, apart from the node's own ko.
    pub(super) forbidden_by: PastDependencies,
}

/// History table and killer moves of both sides.
pub(super) struct OrderingTables {
    /// History heuristic: how often a move of each side decided a node, deep nodes counting more.
    history: [[i32; MAX_POINTS]; 2],
    /// Killer moves: the last two moves that decided a node at each ply.
    killers: Vec<[u8; 2]>,
}

const HASH_MOVE_SCORE: i32 = 1 << 30;
const KILLER_SCORE: i32 = 3_000;
const CAPTURE_SCORE: i32 = 2_000;
const LIBERTY_SCORE: i32 = 60;
const CONTACT_SCORE: i32 = 100;
const CENTRE_SCORE: i32 = 50;
const SELF_ATARI_SCORE: i32 = -1_500;
const OWN_EYE_SCORE: i32 = -6_000;
const PASS_SCORE: i32 = -3_000;
/// Limit of history scores; beyond it they are halved.
const MAX_HISTORY_SCORE: i32 = 4_000;

impl OrderingTables {
    pub(super) fn new(plies: usize) -> OrderingTables {
        OrderingTables { history: [[0; MAX_POINTS]; 2], killers: vec![[PASS; 2]; plies] }
    }

    /// Records that `mv` of `side` decided a node at `ply`, searched to `depth`.
    pub(super) fn update(&mut self, side: usize, mv: u8, ply: usize, depth: u32) {
        if mv == PASS {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        let value = &mut self.history[side][usize::from(mv)];
        *value += (depth * depth) as i32;
        if *value > MAX_HISTORY_SCORE {
            for value in &mut self.history[side] {
                *value /= 2;
            }
        }
    }
}

impl Candidates {
    /// The moves of `node`. `forbidden_by_board` returns the board of the history that forbids a
    /// board.
    pub(super) fn new(
        grid: &Grid,
        node: &Node,
        forbidden_by_board: impl Fn(&Node) -> Option<PastDependencies>,
    ) -> Candidates {
        let pass = Candidate { mv: PASS, node: node.after_pass(), score: PASS_SCORE };
        let mut candidates =
            Candidates { moves: [pass; MAX_POINTS + 1], count: 0, forbidden_by: 0 };
        let mut empty = node.empty(grid);
        while empty != 0 {
            let mv = empty.trailing_zeros() as u8;
            empty &= empty - 1;
            if mv == node.ko {
                continue;
            }
            let Some(child) = node.after_stone(grid, mv) else { continue };
            match forbidden_by_board(&child) {
                Some(dependencies) => candidates.forbidden_by |= dependencies,
                None => candidates.push(Candidate { mv, node: child, score: 0 }),
            }
        }
        candidates.push(pass);
        candidates
    }

    fn push(&mut self, candidate: Candidate) {
        self.moves[self.count] = candidate;
        self.count += 1;
    }

    pub(super) fn all(&self) -> &[Candidate] {
        &self.moves[..self.count]
    }

    /// Brings the moves into the order of trying them; `hash_move` first.
    pub(super) fn sort(
        &mut self,
        grid: &Grid,
        node: &Node,
        ordering_tables: &OrderingTables,
        ply: usize,
        hash_move: u8,
    ) {
        for candidate in &mut self.moves[..self.count] {
            candidate.score = if candidate.mv == hash_move {
                HASH_MOVE_SCORE
            } else if candidate.mv == PASS {
                PASS_SCORE
            } else {
                score_move(grid, node, candidate)
                    + ordering_tables.score_move(node.turn, candidate.mv, ply)
            };
        }
        self.moves[..self.count].sort_by_key(|candidate| -candidate.score);
    }
}

impl OrderingTables {
    fn score_move(&self, side: usize, mv: u8, ply: usize) -> i32 {
        let killer = if self.killers[ply].contains(&mv) { KILLER_SCORE } else { 0 };
        killer + self.history[side][usize::from(mv)]
    }
}

/// Static ordering score of a stone.
fn score_move(grid: &Grid, node: &Node, candidate: &Candidate) -> i32 {
    let (own, other) = (node.turn, 1 - node.turn);
    let after = &candidate.node;
    let stone: Points = 1 << candidate.mv;
    let beside = grid.beside(stone);
    let taken = (node.stones[other] & !after.stones[other]).count_ones() as i32;
    let chain = grid.connected(stone, after.stones[own]);
    let liberties = (grid.beside(chain) & after.empty(grid)).count_ones() as i32;
    let contact = (beside & node.stones[other]).count_ones() as i32;
    let mut score = CAPTURE_SCORE * taken
        + LIBERTY_SCORE * liberties
        + CONTACT_SCORE * contact
        + CENTRE_SCORE * beside.count_ones() as i32
        + CENTRE_SCORE * grid.beside(beside).count_ones() as i32;
    if liberties == 1 {
        score += SELF_ATARI_SCORE;
    }
    if beside & !node.stones[own] == 0 {
        score += OWN_EYE_SCORE;
    }
    score
}
