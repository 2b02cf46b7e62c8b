//! An exact solver for small boards, after Erik van der Werf's MIGOS (2003).
mod grid;
mod life;
mod node;
mod ordering;
mod proof;
mod search;
mod table;
#[cfg(test)]
mod tests;

use std::{sync::atomic::AtomicBool, time::Instant};
pub use table::Folding;
use grid::Grid;
use node::{Node, Stones};
use search::{Claim, DEEPEST, Search, Spent};

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

fn lead_of(search: &mut Search<'_, '_>, root: &Node) -> Result<(i32, u8, u32), Spent> {
    let count = search.grid.count();
    let (mut lower, mut upper) = (-count, count);
    let mut deepest = 0;
    let mut best = node::NOWHERE;
    while lower < upper {
        let claim = if lower < 1 && upper >= 1 { 1 } else { (lower + upper + 1).div_euclid(2) };
        let mut depth = 1;
        loop {
            let own = search.decide(root, Claim { side: root.turn, lead: claim }, depth)?;
            if own.claimed {
                lower = own.lead;
                best = search.root_move;
                break;
            }
            let other = search.decide(root, Claim { side: 1 - root.turn, lead: 1 - claim }, depth)?;
            if other.claimed {
                upper = -other.lead;
                break;
            }
            if cfg!(test) && depth > 3 { eprintln!("claim {claim} depth {depth} nodes {}", search.effort.nodes); }
            depth += 1;
            if depth > DEEPEST { return Err(Spent); }
        }
        deepest = deepest.max(depth);
        if cfg!(test) { eprintln!("claim {claim}: {lower}..{upper} depth {depth} nodes {} best {best}", search.effort.nodes); }
    }
    Ok((lower, best, deepest))
}
