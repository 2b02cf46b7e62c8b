//! The transposition table.
//!
//! A key is the whole position, so two positions are never taken for each other. With symmetry it is
//! the smallest of up to sixteen: eight images, with the colours as they are or exchanged so that
//! the side to move is always the same.

use super::{
    grid::{Grid, Points, Symmetry},
    node::{NOWHERE, Node, Stones},
    proof::{Boards, Verdict, image},
};
use ludus_core::{TableReport, position::mix};

/// Whether positions that mirror each other are one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Folding {
    /// Each position for itself.
    None,
    /// Rotations, reflections and exchanged colours are the same.
    Symmetries,
}

/// A position as the table knows it, and how it got there.
#[derive(Copy, Clone)]
pub(super) struct Place {
    key: u64,
    /// Which symmetry of the board was used.
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
const EMPTY: u64 = 1 << 63;

fn packed(stones: Stones) -> u64 {
    u64::from(stones[0]) | u64::from(stones[1]) << 25
}

fn unpacked(packed: u64) -> Stones {
    const POINTS: u64 = (1 << 25) - 1;
    [(packed & POINTS) as Points, (packed >> 25 & POINTS) as Points]
}

impl Place {
    /// Where `node` is, when `claimant` claims a lead.
    pub(super) fn new(grid: &Grid, node: &Node, claimant: usize, folding: Folding) -> Place {
        let fold = folding == Folding::Symmetries;
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
        Place { key, symmetry: chosen, exchanged }
    }

    fn with(&self, claimed: bool) -> u64 {
        self.key | u64::from(claimed) << CLAIMED_SHIFT
    }
}

/// How deep a final refutation was searched, as it were.
const FINAL: u8 = u8::MAX;

/// A board that no board is.
const NO_BOARD: u64 = u64::MAX;

#[derive(Copy, Clone)]
struct Entry {
    key: u64,
    /// A board that must be in the past, or [`NO_BOARD`].
    need: u64,
    made: Boards,
    /// If the claim holds, the lead that is certain; if not, the lead that was claimed.
    lead: i8,
    /// How deep it was searched.
    depth: u8,
    /// The winner's move, if the winner is to move.
    mv: u8,
    /// How many nodes the search took, as a power of two.
    effort: u8,
}

const NOTHING: Entry = Entry {
    key: EMPTY,
    need: NO_BOARD,
    made: Boards::NONE,
    lead: 0,
    depth: 0,
    mv: NOWHERE,
    effort: 0,
};

/// What the table has on a position: a verdict reached once, in some past.
pub(super) struct Found {
    pub(super) lead: i32,
    pub(super) depth: u8,
    pub(super) mv: u8,
    pub(super) made: Boards,
    /// A board that must be in the past.
    pub(super) need: Option<Stones>,
}

impl Found {
    /// Whether a search to `depth` has nothing to add.
    pub(super) fn is_as_deep_as(&self, depth: u32) -> bool {
        self.depth == FINAL || u32::from(self.depth) >= depth
    }

    pub(super) fn is_final(&self) -> bool {
        self.depth == FINAL
    }
}

/// What a search has to store.
pub(super) struct News<'a> {
    pub(super) verdict: &'a Verdict,
    /// The lead that was claimed.
    pub(super) claim: i32,
    pub(super) depth: u32,
    pub(super) mv: u8,
    pub(super) need: Option<Stones>,
    /// Nodes the search took.
    pub(super) nodes: u64,
}

/// Entries by place; the cheapest of a bucket goes when a new one comes.
pub(super) struct Table {
    buckets: Vec<[Entry; WAYS]>,
    pub(super) report: TableReport,
}

const WAYS: usize = 4;

impl Table {
    /// A table of about `bytes`, rounded down to a power of two of buckets.
    pub(super) fn new(bytes: u64) -> Table {
        let bucket = size_of::<[Entry; WAYS]>() as u64;
        let buckets = (bytes / bucket).max(1);
        let buckets = 1_usize << buckets.ilog2();
        let capacity = (buckets * WAYS) as u64;
        let report = TableReport { capacity, ..TableReport::default() };
        Table { buckets: vec![[NOTHING; WAYS]; buckets], report }
    }

    fn bucket(&self, key: u64) -> usize {
        mix(key) as usize & (self.buckets.len() - 1)
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.buckets.fill([NOTHING; WAYS]);
        self.report.used = 0;
    }

    /// What is known about the place when the claim holds, or when it fails.
    pub(super) fn find(&mut self, grid: &Grid, place: &Place, claimed: bool) -> Option<Found> {
        let key = place.with(claimed);
        self.report.probes += 1;
        let entry = self.buckets[self.bucket(key)].iter().find(|entry| entry.key == key)?;
        self.report.hits += 1;
        let back: &Symmetry = grid.inverse(place.symmetry);
        Some(Found {
            lead: i32::from(entry.lead),
            depth: entry.depth,
            mv: if entry.mv == NOWHERE { NOWHERE } else { back.point_or_pass(entry.mv) },
            made: entry.made.image(back, place.exchanged),
            need: (entry.need != NO_BOARD)
                .then(|| image(unpacked(entry.need), back, place.exchanged)),
        })
    }

    pub(super) fn store(&mut self, grid: &Grid, place: &Place, news: &News<'_>) {
        let symmetry = &grid.symmetries()[place.symmetry];
        let verdict = news.verdict;
        let key = place.with(verdict.claimed);
        let settled = verdict.claimed || verdict.settled;
        let entry = Entry {
            key,
            need: news
                .need
                .map_or(NO_BOARD, |board| packed(image(board, symmetry, place.exchanged))),
            made: verdict.made.image(symmetry, place.exchanged),
            lead: if verdict.claimed { verdict.lead } else { news.claim } as i8,
            depth: if settled { FINAL } else { news.depth.min(254) as u8 },
            mv: if news.mv == NOWHERE { NOWHERE } else { symmetry.point_or_pass(news.mv) },
            effort: news.nodes.max(1).ilog2() as u8,
        };
        let index = self.bucket(key);
        let bucket = &mut self.buckets[index];
        let report = &mut self.report;
        report.stores += 1;
        if let Some(same) = bucket.iter_mut().find(|old| old.key == key) {
            *same = entry;
            return;
        }
        let weakest = bucket
            .iter_mut()
            .min_by_key(|old| if old.key == EMPTY { 0 } else { old.effort + 1 })
            .expect("a bucket has entries");
        if weakest.key == EMPTY {
            report.used += 1;
        } else {
            report.overwrites += 1;
        }
        *weakest = entry;
    }
}
