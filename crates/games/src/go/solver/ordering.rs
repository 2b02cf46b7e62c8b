//! Which move first.

use super::{
    grid::{Grid, MOST_POINTS, PASS, Points},
    node::Node,
    proof::Needs,
};

/// A move and where it leads.
#[derive(Copy, Clone)]
pub(super) struct Candidate {
    pub(super) mv: u8,
    pub(super) node: Node,
    rating: i32,
}

/// The legal moves of a node, the best first.
pub(super) struct Candidates {
    moves: [Candidate; MOST_POINTS + 1],
    count: usize,
    /// What of the past forbids the others, apart from the ko that the node itself tells of.
    pub(super) bans: Needs,
}

/// What earlier parts of the search teach about moves.
pub(super) struct Experience {
    /// How often a move of each side decided a node, deep nodes counting more.
    decided: [[i32; MOST_POINTS]; 2],
    /// The last two moves that decided a node at each ply.
    killers: Vec<[u8; 2]>,
}

const HINTED: i32 = 1 << 30;
const KILLER: i32 = 3_000;
const CAPTURE: i32 = 2_000;
const LIBERTY: i32 = 60;
const CONTACT: i32 = 100;
const CENTRE: i32 = 50;
const SELF_ATARI: i32 = -1_500;
const OWN_EYE: i32 = -6_000;
const PASSING: i32 = -3_000;
/// What experience counts for at most.
const MOST_DECIDED: i32 = 4_000;

impl Experience {
    pub(super) fn new(plies: usize) -> Experience {
        Experience { decided: [[0; MOST_POINTS]; 2], killers: vec![[PASS; 2]; plies] }
    }

    /// `mv` of `side` decided a node at `ply`, searched to `depth`.
    pub(super) fn learn(&mut self, side: usize, mv: u8, ply: usize, depth: u32) {
        if mv == PASS {
            return;
        }
        let killers = &mut self.killers[ply];
        if killers[0] != mv {
            *killers = [mv, killers[0]];
        }
        let value = &mut self.decided[side][usize::from(mv)];
        *value += (depth * depth) as i32;
        if *value > MOST_DECIDED {
            for value in &mut self.decided[side] {
                *value /= 2;
            }
        }
    }
}

impl Candidates {
    /// The moves of `node`. `ban` tells what of the past forbids a board.
    pub(super) fn new(
        grid: &Grid,
        node: &Node,
        ban: impl Fn(&Node) -> Option<Needs>,
    ) -> Candidates {
        let pass = Candidate { mv: PASS, node: node.after_pass(), rating: PASSING };
        let mut candidates = Candidates { moves: [pass; MOST_POINTS + 1], count: 0, bans: 0 };
        let mut empty = node.empty(grid);
        while empty != 0 {
            let mv = empty.trailing_zeros() as u8;
            empty &= empty - 1;
            if mv == node.ko {
                continue;
            }
            let Some(child) = node.after_stone(grid, mv) else { continue };
            match ban(&child) {
                Some(needs) => candidates.bans |= needs,
                None => candidates.push(Candidate { mv, node: child, rating: 0 }),
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

    /// Brings the moves into the order of trying them; `hint` first.
    pub(super) fn sort(
        &mut self,
        grid: &Grid,
        node: &Node,
        experience: &Experience,
        ply: usize,
        hint: u8,
    ) {
        for candidate in &mut self.moves[..self.count] {
            candidate.rating = if candidate.mv == hint {
                HINTED
            } else if candidate.mv == PASS {
                PASSING
            } else {
                rate(grid, node, candidate) + experience.rate(node.turn, candidate.mv, ply)
            };
        }
        self.moves[..self.count].sort_by_key(|candidate| -candidate.rating);
    }
}

impl Experience {
    fn rate(&self, side: usize, mv: u8, ply: usize) -> i32 {
        let killer = if self.killers[ply].contains(&mv) { KILLER } else { 0 };
        killer + self.decided[side][usize::from(mv)]
    }
}

/// What a stone does at once.
fn rate(grid: &Grid, node: &Node, candidate: &Candidate) -> i32 {
    let (own, other) = (node.turn, 1 - node.turn);
    let after = &candidate.node;
    let stone: Points = 1 << candidate.mv;
    let beside = grid.beside(stone);
    let taken = (node.stones[other] & !after.stones[other]).count_ones() as i32;
    let chain = grid.connected(stone, after.stones[own]);
    let liberties = (grid.beside(chain) & after.empty(grid)).count_ones() as i32;
    let contact = (beside & node.stones[other]).count_ones() as i32;
    let mut rating = CAPTURE * taken
        + LIBERTY * liberties
        + CONTACT * contact
        + CENTRE * beside.count_ones() as i32
        + CENTRE * grid.beside(beside).count_ones() as i32;
    if liberties == 1 {
        rating += SELF_ATARI;
    }
    if beside & !node.stones[own] == 0 {
        rating += OWN_EYE;
    }
    rating
}
