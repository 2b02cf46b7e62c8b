//! The transposition table.
//!
//! A key is the whole position, so two positions are never confused. With symmetry it is
//! the smallest of up to sixteen: eight images, with the colours as they are or exchanged so that
//! the side to move is always the same.

use super::{
    claim::{BoardSet, ClaimResult, image},
    grid::{Grid, Points, Symmetry},
    node::{NOWHERE, Node, Stones},
};
use ludus_core::{TableReport, position::mix};

/// Treatment of symmetric positions in the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum SymmetryFolding {
    /// Every position has its own entry.
    None,
    /// Rotations, reflections and exchanged colours share an entry.
    Symmetries,
}

/// The key of a position, and the symmetry that leads to it.
#[derive(Copy, Clone)]
pub(super) struct TableKey {
    key: u64,
    /// The symmetry of the board that was used.
    symmetry: usize,
    /// Whether the colours were exchanged.
    exchanged: bool,
}

const KO_SHIFT: u32 = 50;
const PASSED_SHIFT: u32 = 55;
const TURN_SHIFT: u32 = 56;
const CLAIMANT_SHIFT: u32 = 57;
const CLAIMED_SHIFT: u32 = 58;
/// No entry: a key never has this bit.
const EMPTY_KEY: u64 = 1 << 63;

fn packed(stones: Stones) -> u64 {
    u64::from(stones[0]) | u64::from(stones[1]) << 25
}

fn unpacked(packed: u64) -> Stones {
    const POINTS: u64 = (1 << 25) - 1;
    [(packed & POINTS) as Points, (packed >> 25 & POINTS) as Points]
}

impl TableKey {
    /// The key of `node` when `claimant` claims a lead.
    pub(super) fn new(
        grid: &Grid,
        node: &Node,
        claimant: usize,
        folding: SymmetryFolding,
    ) -> TableKey {
        let fold = folding == SymmetryFolding::Symmetries;
        let exchanged = fold && node.turn == 1;
        let symmetries = if fold { grid.symmetries() } else { &grid.symmetries()[..1] };
        let (mut best, mut chosen) = (u64::MAX, 0);
        for (index, symmetry) in symmetries.iter().enumerate() {
            let ko = if node.ko == NOWHERE { NOWHERE } else { symmetry.point(node.ko) };
            let key = packed(image(node.stones, symmetry, exchanged)) | u64::from(ko) << KO_SHIFT;
            if key < best {
                (best, chosen) = (key, index);
            }
        }
        let turn = if exchanged { 0 } else { node.turn };
        let claimant = if exchanged { 1 - claimant } else { claimant };
        let key = best
            | u64::from(node.passed) << PASSED_SHIFT
            | (turn as u64) << TURN_SHIFT
            | (claimant as u64) << CLAIMANT_SHIFT;
        TableKey { key, symmetry: chosen, exchanged }
    }

    fn with(&self, claimed: bool) -> u64 {
        self.key | u64::from(claimed) << CLAIMED_SHIFT
    }
}

/// The depth stored for a final refutation.
const FINAL: u8 = u8::MAX;

/// No board.
const NO_BOARD: u64 = u64::MAX;

#[derive(Copy, Clone)]
struct Entry {
    key: u64,
    /// A board that must be in the history, or [`NO_BOARD`].
    dependency: u64,
    made: BoardSet,
    /// The proved lead if the claim holds, else the lead that was claimed.
    lead: i8,
    /// Search depth.
    depth: u8,
    /// The winner's move, if the winner is to move.
    mv: u8,
    /// Binary logarithm of the nodes searched.
    cost: u8,
}

const EMPTY_ENTRY: Entry = Entry {
    key: EMPTY_KEY,
    dependency: NO_BOARD,
    made: BoardSet::EMPTY,
    lead: 0,
    depth: 0,
    mv: NOWHERE,
    cost: 0,
};

/// A stored result, which was reached with some history.
pub(super) struct TableHit {
    pub(super) lead: i32,
    pub(super) depth: u8,
    pub(super) mv: u8,
    pub(super) made: BoardSet,
    /// A board that must be in the history.
    pub(super) dependency: Option<Stones>,
}

impl TableHit {
    /// Whether a search to `depth` cannot improve it.
    pub(super) fn is_as_deep_as(&self, depth: u32) -> bool {
        self.depth == FINAL || u32::from(self.depth) >= depth
    }

    pub(super) fn is_final(&self) -> bool {
        self.depth == FINAL
    }
}

/// A result to store.
pub(super) struct StoreRequest<'a> {
    pub(super) result: &'a ClaimResult,
    /// The lead that was claimed.
    pub(super) claim: i32,
    pub(super) depth: u32,
    pub(super) mv: u8,
    pub(super) dependency: Option<Stones>,
    /// Nodes the search took.
    pub(super) nodes: u64,
}

/// The transposition table. In a full bucket the cheapest entry is replaced.
pub(super) struct SolverTable {
    buckets: Vec<[Entry; WAYS]>,
    pub(super) report: TableReport,
}

const WAYS: usize = 4;

impl SolverTable {
    /// A table of about `bytes`, rounded down to a power of two of buckets.
    pub(super) fn new(bytes: u64) -> SolverTable {
        let bucket = size_of::<[Entry; WAYS]>() as u64;
        let buckets = (bytes / bucket).max(1);
        let buckets = 1_usize << buckets.ilog2();
        let capacity = (buckets * WAYS) as u64;
        let report = TableReport { capacity, ..TableReport::default() };
        SolverTable { buckets: vec![[EMPTY_ENTRY; WAYS]; buckets], report }
    }

    fn bucket(&self, key: u64) -> usize {
        mix(key) as usize & (self.buckets.len() - 1)
    }

    /// Removes all entries.
    pub(super) fn clear(&mut self) {
        self.buckets.fill([EMPTY_ENTRY; WAYS]);
        self.report.used = 0;
    }

    /// The stored result of a claim that holds, or that fails.
    pub(super) fn find(&mut self, grid: &Grid, key: &TableKey, claimed: bool) -> Option<TableHit> {
        let full_key = key.with(claimed);
        self.report.probes += 1;
        let entry =
            self.buckets[self.bucket(full_key)].iter().find(|entry| entry.key == full_key)?;
        self.report.hits += 1;
        let back: &Symmetry = grid.inverse(key.symmetry);
        Some(TableHit {
            lead: i32::from(entry.lead),
            depth: entry.depth,
            mv: if entry.mv == NOWHERE { NOWHERE } else { back.point_or_pass(entry.mv) },
            made: entry.made.image(back, key.exchanged),
            dependency: (entry.dependency != NO_BOARD)
                .then(|| image(unpacked(entry.dependency), back, key.exchanged)),
        })
    }

    pub(super) fn store(&mut self, grid: &Grid, key: &TableKey, request: &StoreRequest<'_>) {
        let symmetry = &grid.symmetries()[key.symmetry];
        let result = request.result;
        let full_key = key.with(result.claimed);
        let settled = result.claimed || result.settled;
        let entry = Entry {
            key: full_key,
            dependency: request
                .dependency
                .map_or(NO_BOARD, |board| packed(image(board, symmetry, key.exchanged))),
            made: result.made.image(symmetry, key.exchanged),
            lead: if result.claimed { result.lead } else { request.claim } as i8,
            depth: if settled { FINAL } else { request.depth.min(254) as u8 },
            mv: if request.mv == NOWHERE { NOWHERE } else { symmetry.point_or_pass(request.mv) },
            cost: request.nodes.max(1).ilog2() as u8,
        };
        let index = self.bucket(full_key);
        let bucket = &mut self.buckets[index];
        let report = &mut self.report;
        report.stores += 1;
        if let Some(same) = bucket.iter_mut().find(|old| old.key == full_key) {
            *same = entry;
            return;
        }
        let weakest = bucket
            .iter_mut()
            .min_by_key(|old| if old.key == EMPTY_KEY { 0 } else { old.cost + 1 })
            .expect("a bucket has entries");
        if weakest.key == EMPTY_KEY {
            report.used += 1;
        } else {
            report.overwrites += 1;
        }
        *weakest = entry;
    }
}
