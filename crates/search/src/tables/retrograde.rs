//! Retrograde analysis (Bellman 1965, Thompson 1986): solves endings backwards from their ends, one group
//! of slices after another.
//!
//! Every position of a group is visited once. When its value follows from those known so far, its
//! predecessors are visited again, and so on until nothing changes: positions undecided then are draws.

use ludus_core::{
    Position,
    endgame_index::{EndgameIndex, EndgameSlot},
};
use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
};

/// The value of an ending for the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum EndgameValue {
    /// Not known yet.
    Unknown = 0,
    Win = 1,
    Loss = 2,
    Draw = 3,
}

impl EndgameValue {
    /// The value at a distance in plies to the end; `None` stands for a draw.
    #[inline]
    pub fn at(distance: Option<u8>) -> EndgameValue {
        match distance {
            None => EndgameValue::Draw,
            Some(plies) if plies % 2 == 0 => EndgameValue::Loss,
            Some(_) => EndgameValue::Win,
        }
    }

    /// The same value for the other side.
    pub fn flipped(self) -> EndgameValue {
        match self {
            EndgameValue::Win => EndgameValue::Loss,
            EndgameValue::Loss => EndgameValue::Win,
            same => same,
        }
    }

    #[inline]
    fn from_bits(bits: u8) -> EndgameValue {
        match bits & 3 {
            0 => EndgameValue::Unknown,
            1 => EndgameValue::Win,
            2 => EndgameValue::Loss,
            _ => EndgameValue::Draw,
        }
    }
}

/// The values of a slice, two bits each. Threads may read all and write different bytes.
#[derive(Debug)]
pub struct SliceValues(Vec<AtomicU8>);

/// SliceValues in a byte.
const VALUES_PER_BYTE: u64 = 4;

impl SliceValues {
    /// `numbers` unknown values.
    pub fn unknown(numbers: u64) -> SliceValues {
        let mut bytes = Vec::new();
        bytes.resize_with(numbers.div_ceil(VALUES_PER_BYTE) as usize, AtomicU8::default);
        SliceValues(bytes)
    }

    #[inline]
    pub fn get(&self, index: u64) -> EndgameValue {
        let byte = self.0[(index / VALUES_PER_BYTE) as usize].load(Relaxed);
        EndgameValue::from_bits(byte >> (2 * (index % VALUES_PER_BYTE)))
    }

    /// Sets an unknown value. No other thread may write to the same byte.
    #[inline]
    pub fn set(&self, index: u64, value: EndgameValue) {
        let byte = &self.0[(index / VALUES_PER_BYTE) as usize];
        let shift = 2 * (index % VALUES_PER_BYTE);
        byte.store(byte.load(Relaxed) & !(3 << shift) | (value as u8) << shift, Relaxed);
    }

    /// Turns unknown values into draws, once everything that can be decided is decided.
    fn settle(&self) {
        for byte in &self.0 {
            let bits = byte.load(Relaxed);
            let unknown = !(bits | bits >> 1) & 0b0101_0101;
            byte.store(bits | (3 * unknown), Relaxed);
        }
    }
}

/// A set of position indices.
struct IndexSet(Vec<AtomicU64>);

impl IndexSet {
    fn none(numbers: u64) -> IndexSet {
        let mut words = Vec::new();
        words.resize_with(numbers.div_ceil(64) as usize, AtomicU64::default);
        IndexSet(words)
    }

    #[inline]
    fn add(&self, index: u64) {
        let (word, bit) = (&self.0[(index / 64) as usize], 1 << (index % 64));
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    }
}

/// The slices solved so far.
#[derive(Clone, Default)]
pub struct SolvedSlices(Vec<Option<Arc<SliceValues>>>);

impl SolvedSlices {
    pub fn get(&self, slice: usize) -> Option<&Arc<SliceValues>> {
        self.0.get(slice)?.as_ref()
    }

    pub fn insert(&mut self, slice: usize, values: Arc<SliceValues>) {
        if self.0.len() <= slice {
            self.0.resize(slice + 1, None);
        }
        self.0[slice] = Some(values);
    }

    /// Removes a slice that is not needed any more.
    pub fn remove(&mut self, slice: usize) {
        if let Some(entry) = self.0.get_mut(slice) {
            *entry = None;
        }
    }

    /// The value of a position, even if it is of a kind that is not stored.
    #[inline]
    pub fn value<K: EndgameIndex>(&self, position: &K::Position) -> EndgameValue {
        match K::endgame_slot(position) {
            Some(EndgameSlot { slice, index }) => {
                self.get(slice).map_or(EndgameValue::Unknown, |values| values.get(index))
            }
            None => EndgameValue::Loss, // no pieces left to move
        }
    }

    /// The value that follows from the moves of `position`.
    #[inline]
    pub fn derive<K: EndgameIndex>(
        &self,
        position: &K::Position,
        moves: &mut Vec<<K::Position as Position>::Move>,
    ) -> EndgameValue {
        moves.clear();
        position.legal_moves(moves);
        let mut found = EndgameValue::Loss;
        for &mv in moves.iter() {
            match self.value::<K>(&position.after(mv)) {
                EndgameValue::Loss => return EndgameValue::Win,
                EndgameValue::Win => {}
                EndgameValue::Draw if found == EndgameValue::Loss => found = EndgameValue::Draw,
                EndgameValue::Draw => {}
                EndgameValue::Unknown => found = EndgameValue::Unknown,
            }
        }
        found
    }
}

/// The threads of a build and the flag that stops it.
pub struct Workers<'a> {
    pub threads: usize,
    /// Set from outside to stop.
    pub stop: &'a AtomicBool,
}

/// Positions a thread takes at a time: a multiple of those in a byte and in a word.
const PART_POSITIONS: u64 = 1 << 14;

impl Workers<'_> {
    /// Calls `each` with all parts of `0..numbers`, in several threads.
    pub fn share(&self, numbers: u64, each: impl Fn(Range<u64>) + Sync) {
        let next = AtomicUsize::new(0);
        let parts = numbers.div_ceil(PART_POSITIONS) as usize;
        let take = || {
            loop {
                let part = next.fetch_add(1, Relaxed);
                if part >= parts || self.stop.load(Relaxed) {
                    return;
                }
                let start = part as u64 * PART_POSITIONS;
                each(start..numbers.min(start + PART_POSITIONS));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads {
                scope.spawn(take);
            }
            take();
        });
    }
}

/// Solves a group whose other slices are in `solved`, and adds it there. `false` if stopped.
pub fn solve<K: EndgameIndex>(
    group: &[usize],
    solved: &mut SolvedSlices,
    work: &Workers<'_>,
) -> bool {
    for &slice in group {
        solved.insert(slice, Arc::new(SliceValues::unknown(K::slice_size(slice))));
    }
    let marks =
        || -> Vec<IndexSet> { group.iter().map(|&it| IndexSet::none(K::slice_size(it))).collect() };
    let (mut now, mut next) = (marks(), marks());
    let is_changed = AtomicBool::new(false);
    let decide = |slice: usize,
                  index: u64,
                  position: &K::Position,
                  moves: &mut Vec<<K::Position as Position>::Move>,
                  to: &[IndexSet]| {
        let value = solved.derive::<K>(position, moves);
        if value == EndgameValue::Unknown {
            return;
        }
        if let Some(values) = solved.get(slice) {
            values.set(index, value);
        }
        if value != EndgameValue::Draw {
            is_changed.store(true, Relaxed);
            K::for_each_predecessor(position, |slot| {
                if let Some(at) = group.iter().position(|&slice| slice == slot.slice) {
                    to[at].add(slot.index);
                }
            });
        }
    };
    for &slice in group {
        work.share(K::slice_size(slice), |part| {
            let mut moves = Vec::new();
            K::for_each_position(slice, part, |index, it| {
                decide(slice, index, it, &mut moves, &next);
            });
        });
    }
    while is_changed.swap(false, Relaxed) && !work.stop.load(Relaxed) {
        std::mem::swap(&mut now, &mut next);
        for (&slice, marks) in group.iter().zip(&now) {
            let Some(values) = solved.get(slice) else { continue };
            work.share(K::slice_size(slice), |part| {
                let mut moves = Vec::new();
                each_marked(marks, part, |index| {
                    if values.get(index) == EndgameValue::Unknown
                        && let Some(position) = K::position_at(EndgameSlot { slice, index })
                    {
                        decide(slice, index, &position, &mut moves, &next);
                    }
                });
            });
        }
    }
    if work.stop.load(Relaxed) {
        group.iter().for_each(|&slice| solved.remove(slice));
        return false;
    }
    group.iter().filter_map(|&slice| solved.get(slice)).for_each(|values| values.settle());
    true
}

/// Calls `each` with the indices in `part` that are in the set, and removes them.
fn each_marked(marks: &IndexSet, part: Range<u64>, mut each: impl FnMut(u64)) {
    let words = (part.start / 64) as usize..part.end.div_ceil(64) as usize;
    for (offset, word) in marks.0[words.clone()].iter().enumerate() {
        let mut bits = word.swap(0, Relaxed);
        while bits != 0 {
            each((words.start + offset) as u64 * 64 + u64::from(bits.trailing_zeros()));
            bits &= bits - 1;
        }
    }
}

/// Plies to the end with best play, for each position of a slice: even for a loss, odd for a win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances(Vec<u8>);

/// No distance: the position is drawn, or the index stands for none.
const NO_DISTANCE: u8 = u8::MAX;

impl Distances {
    pub fn unknown(numbers: u64) -> Distances {
        Distances(vec![NO_DISTANCE; numbers as usize])
    }

    /// As [`bytes`](Distances::bytes) gave them.
    pub fn from_bytes(bytes: Vec<u8>) -> Distances {
        Distances(bytes)
    }

    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    #[inline]
    pub fn get(&self, index: u64) -> Option<u8> {
        let distance = self.0[index as usize];
        (distance != NO_DISTANCE).then_some(distance)
    }
}

/// The distances of the slices solved so far.
#[derive(Clone, Default)]
pub struct SliceDistances(Vec<Option<Distances>>);

impl SliceDistances {
    pub fn get(&self, slice: usize) -> Option<&Distances> {
        self.0.get(slice)?.as_ref()
    }

    pub fn insert(&mut self, slice: usize, distances: Distances) {
        if self.0.len() <= slice {
            self.0.resize(slice + 1, None);
        }
        self.0[slice] = Some(distances);
    }

    /// Plies to the end; `None` for a draw, or if it is not known.
    #[inline]
    pub fn distance<K: EndgameIndex>(&self, position: &K::Position) -> Option<u8> {
        match K::endgame_slot(position) {
            Some(EndgameSlot { slice, index }) => self.get(slice)?.get(index),
            None => Some(0), // no pieces left to move
        }
    }

    /// The distance that follows from the moves of `position`: the fastest win, or the slowest loss.
    pub fn derive<K: EndgameIndex>(
        &self,
        position: &K::Position,
        moves: &mut Vec<<K::Position as Position>::Move>,
    ) -> Option<u8> {
        moves.clear();
        position.legal_moves(moves);
        let (mut win, mut loss) = (None, Some(0));
        for &mv in moves.iter() {
            match self.distance::<K>(&position.after(mv)) {
                Some(distance) if distance % 2 == 0 => {
                    win = Some(win.map_or(distance + 1, |best: u8| best.min(distance + 1)));
                }
                Some(distance) => loss = loss.map(|longest: u8| longest.max(distance + 1)),
                None => loss = None,
            }
        }
        win.or(loss)
    }
}

/// Computes the distances of a group whose other slices are in `measured`, and adds them there.
pub fn measure<K: EndgameIndex>(group: &[usize], measured: &mut SliceDistances) {
    let mut moves = Vec::new();
    for &slice in group {
        measured.insert(slice, Distances::unknown(K::slice_size(slice)));
    }
    // Positions that may be decided, by the distance they would then have.
    let mut due: Vec<Vec<EndgameSlot>> = vec![Vec::new()];
    let schedule = |due: &mut Vec<Vec<EndgameSlot>>, distance: u8, slot: EndgameSlot| {
        let distance = usize::from(distance);
        if due.len() <= distance {
            due.resize(distance + 1, Vec::new());
        }
        due[distance].push(slot);
    };
    for &slice in group {
        K::for_each_position(slice, 0..K::slice_size(slice), |index, position| {
            if let Some(distance) = measured.derive::<K>(position, &mut moves) {
                schedule(&mut due, distance, EndgameSlot { slice, index });
            }
        });
    }
    let mut now = 0;
    while usize::from(now) < due.len() {
        assert!(now < NO_DISTANCE - 1, "an ending takes longer than a byte can hold");
        for slot in std::mem::take(&mut due[usize::from(now)]) {
            let known = measured.get(slot.slice).and_then(|distances| distances.get(slot.index));
            let Some(position) = K::position_at(slot).filter(|_| known.is_none()) else { continue };
            match measured.derive::<K>(&position, &mut moves) {
                Some(distance) if distance == now => {
                    if let Some(Some(distances)) = measured.0.get_mut(slot.slice) {
                        distances.0[slot.index as usize] = distance;
                    }
                    K::for_each_predecessor(&position, |before| {
                        if group.contains(&before.slice) {
                            schedule(&mut due, now + 1, before);
                        }
                    });
                }
                Some(distance) => schedule(&mut due, distance, slot),
                None => {}
            }
        }
        now += 1;
    }
}
