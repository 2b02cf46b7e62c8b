//! Solves endings backwards from their ends (retrograde analysis: Bellman 1965, Thompson 1986), one
//! group of slices after another.
//!
//! Every position of a group is looked at once. One that is decided by what is known so far has the
//! positions before it looked at again, and so on until nothing changes: what is undecided then can
//! be held by both sides.

use ludus_core::endgame_index::{Cell, EndgameIndex};
use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::Relaxed},
    },
};

/// What a position is worth to the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Value {
    /// Not known yet.
    Unknown = 0,
    Win = 1,
    Loss = 2,
    Draw = 3,
}

impl Value {
    /// What so many plies to the end make; `None` stands for a game without end.
    #[inline]
    pub fn at(distance: Option<u8>) -> Value {
        match distance {
            None => Value::Draw,
            Some(plies) if plies % 2 == 0 => Value::Loss,
            Some(_) => Value::Win,
        }
    }

    /// The same as the other side sees it.
    pub fn turned(self) -> Value {
        match self {
            Value::Win => Value::Loss,
            Value::Loss => Value::Win,
            same => same,
        }
    }

    #[inline]
    fn from_bits(bits: u8) -> Value {
        match bits & 3 {
            0 => Value::Unknown,
            1 => Value::Win,
            2 => Value::Loss,
            _ => Value::Draw,
        }
    }
}

/// The values of a slice, two bits each. Threads may read all and write different bytes.
#[derive(Debug)]
pub struct Values(Vec<AtomicU8>);

/// Values in a byte.
const IN_BYTE: u64 = 4;

impl Values {
    /// So many unknown values.
    pub fn unknown(numbers: u64) -> Values {
        let mut bytes = Vec::new();
        bytes.resize_with(numbers.div_ceil(IN_BYTE) as usize, AtomicU8::default);
        Values(bytes)
    }

    #[inline]
    pub fn get(&self, index: u64) -> Value {
        let byte = self.0[(index / IN_BYTE) as usize].load(Relaxed);
        Value::from_bits(byte >> (2 * (index % IN_BYTE)))
    }

    /// Sets an unknown value. No other thread may write to the same byte.
    #[inline]
    pub fn set(&self, index: u64, value: Value) {
        let byte = &self.0[(index / IN_BYTE) as usize];
        let shift = 2 * (index % IN_BYTE);
        byte.store(byte.load(Relaxed) & !(3 << shift) | (value as u8) << shift, Relaxed);
    }

    /// What is unknown after everything that could be decided is decided is drawn.
    fn settle(&self) {
        for byte in &self.0 {
            let bits = byte.load(Relaxed);
            let unknown = !(bits | bits >> 1) & 0b0101_0101;
            byte.store(bits | (3 * unknown), Relaxed);
        }
    }
}

/// A set of numbers.
struct Marks(Vec<AtomicU64>);

impl Marks {
    fn none(numbers: u64) -> Marks {
        let mut words = Vec::new();
        words.resize_with(numbers.div_ceil(64) as usize, AtomicU64::default);
        Marks(words)
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
pub struct Solved(Vec<Option<Arc<Values>>>);

impl Solved {
    pub fn get(&self, slice: usize) -> Option<&Arc<Values>> {
        self.0.get(slice)?.as_ref()
    }

    pub fn insert(&mut self, slice: usize, values: Arc<Values>) {
        if self.0.len() <= slice {
            self.0.resize(slice + 1, None);
        }
        self.0[slice] = Some(values);
    }

    /// Forgets a slice that is not needed any more.
    pub fn remove(&mut self, slice: usize) {
        if let Some(entry) = self.0.get_mut(slice) {
            *entry = None;
        }
    }

    /// The value of a position all of whose slices are here, even if it is of a kind that is not
    /// stored.
    #[inline]
    pub fn value<P: EndgameIndex>(&self, position: &P) -> Value {
        match position.cell() {
            Some(Cell { slice, index }) => {
                self.get(slice).map_or(Value::Unknown, |values| values.get(index))
            }
            None => Value::Loss, // nothing left to move with
        }
    }

    /// The value that follows from the moves of `position`.
    #[inline]
    pub fn derive<P: EndgameIndex>(&self, position: &P, moves: &mut Vec<P::Move>) -> Value {
        moves.clear();
        position.legal_moves(moves);
        let mut found = Value::Loss;
        for &mv in moves.iter() {
            match self.value(&position.after(mv)) {
                Value::Loss => return Value::Win,
                Value::Win => {}
                Value::Draw if found == Value::Loss => found = Value::Draw,
                Value::Draw => {}
                Value::Unknown => found = Value::Unknown,
            }
        }
        found
    }
}

/// How to work.
pub struct Work<'a> {
    pub threads: usize,
    /// Set from outside to give up.
    pub stop: &'a AtomicBool,
}

/// Numbers a thread takes at a time: a multiple of what a byte and a word hold.
const PART: u64 = 1 << 14;

impl Work<'_> {
    /// Calls `each` with all parts of `0..numbers`, in several threads.
    pub fn share(&self, numbers: u64, each: impl Fn(Range<u64>) + Sync) {
        let next = AtomicUsize::new(0);
        let parts = numbers.div_ceil(PART) as usize;
        let take = || {
            loop {
                let part = next.fetch_add(1, Relaxed);
                if part >= parts || self.stop.load(Relaxed) {
                    return;
                }
                let start = part as u64 * PART;
                each(start..numbers.min(start + PART));
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
pub fn solve<P: EndgameIndex>(group: &[usize], solved: &mut Solved, work: &Work<'_>) -> bool {
    for &slice in group {
        solved.insert(slice, Arc::new(Values::unknown(P::numbers(slice))));
    }
    let marks = || -> Vec<Marks> { group.iter().map(|&it| Marks::none(P::numbers(it))).collect() };
    let (mut now, mut next) = (marks(), marks());
    let is_changed = AtomicBool::new(false);
    let decide =
        |slice: usize, index: u64, position: &P, moves: &mut Vec<P::Move>, to: &[Marks]| {
            let value = solved.derive(position, moves);
            if value == Value::Unknown {
                return;
            }
            if let Some(values) = solved.get(slice) {
                values.set(index, value);
            }
            if value != Value::Draw {
                is_changed.store(true, Relaxed);
                position.each_predecessor(|cell| {
                    if let Some(at) = group.iter().position(|&slice| slice == cell.slice) {
                        to[at].add(cell.index);
                    }
                });
            }
        };
    for &slice in group {
        work.share(P::numbers(slice), |part| {
            let mut moves = Vec::new();
            P::each_in(slice, part, |index, it| decide(slice, index, it, &mut moves, &next));
        });
    }
    while is_changed.swap(false, Relaxed) && !work.stop.load(Relaxed) {
        std::mem::swap(&mut now, &mut next);
        for (&slice, marks) in group.iter().zip(&now) {
            let Some(values) = solved.get(slice) else { continue };
            work.share(P::numbers(slice), |part| {
                let mut moves = Vec::new();
                each_marked(marks, part, |index| {
                    if values.get(index) == Value::Unknown
                        && let Some(position) = P::at(Cell { slice, index })
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

/// Calls `each` with the marked numbers of `part`, and takes their marks away.
fn each_marked(marks: &Marks, part: Range<u64>, mut each: impl FnMut(u64)) {
    let words = (part.start / 64) as usize..part.end.div_ceil(64) as usize;
    for (offset, word) in marks.0[words.clone()].iter().enumerate() {
        let mut bits = word.swap(0, Relaxed);
        while bits != 0 {
            each((words.start + offset) as u64 * 64 + u64::from(bits.trailing_zeros()));
            bits &= bits - 1;
        }
    }
}

/// Plies to the end with best play, for each number of a slice: even for a loss, odd for a win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distances(Vec<u8>);

/// No distance: the position is drawn, or the number stands for none.
const ENDLESS: u8 = u8::MAX;

impl Distances {
    pub fn endless(numbers: u64) -> Distances {
        Distances(vec![ENDLESS; numbers as usize])
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
        (distance != ENDLESS).then_some(distance)
    }
}

/// The distances of the slices solved so far.
#[derive(Clone, Default)]
pub struct Measured(Vec<Option<Distances>>);

impl Measured {
    pub fn get(&self, slice: usize) -> Option<&Distances> {
        self.0.get(slice)?.as_ref()
    }

    pub fn insert(&mut self, slice: usize, distances: Distances) {
        if self.0.len() <= slice {
            self.0.resize(slice + 1, None);
        }
        self.0[slice] = Some(distances);
    }

    /// Plies to the end; `None` if there is none or it is not known.
    #[inline]
    pub fn distance<P: EndgameIndex>(&self, position: &P) -> Option<u8> {
        match position.cell() {
            Some(Cell { slice, index }) => self.get(slice)?.get(index),
            None => Some(0), // nothing left to move with
        }
    }

    /// The distance that follows from the moves of `position`: to win as soon, to lose as late as
    /// possible.
    pub fn derive<P: EndgameIndex>(&self, position: &P, moves: &mut Vec<P::Move>) -> Option<u8> {
        moves.clear();
        position.legal_moves(moves);
        let (mut win, mut loss) = (None, Some(0));
        for &mv in moves.iter() {
            match self.distance(&position.after(mv)) {
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

/// Measures the distances of a group whose other slices are in `measured`, and adds them there.
pub fn measure<P: EndgameIndex>(group: &[usize], measured: &mut Measured) {
    let mut moves = Vec::new();
    for &slice in group {
        measured.insert(slice, Distances::endless(P::numbers(slice)));
    }
    // What may be decided, by the distance it would then have.
    let mut due: Vec<Vec<Cell>> = vec![Vec::new()];
    let wait = |due: &mut Vec<Vec<Cell>>, distance: u8, cell: Cell| {
        let distance = usize::from(distance);
        if due.len() <= distance {
            due.resize(distance + 1, Vec::new());
        }
        due[distance].push(cell);
    };
    for &slice in group {
        P::each_in(slice, 0..P::numbers(slice), |index, position| {
            if let Some(distance) = measured.derive(position, &mut moves) {
                wait(&mut due, distance, Cell { slice, index });
            }
        });
    }
    let mut now = 0;
    while usize::from(now) < due.len() {
        assert!(now < ENDLESS - 1, "an ending takes longer than a byte can say");
        for cell in std::mem::take(&mut due[usize::from(now)]) {
            let known = measured.get(cell.slice).and_then(|distances| distances.get(cell.index));
            let Some(position) = P::at(cell).filter(|_| known.is_none()) else { continue };
            match measured.derive(&position, &mut moves) {
                Some(distance) if distance == now => {
                    if let Some(Some(distances)) = measured.0.get_mut(cell.slice) {
                        distances.0[cell.index as usize] = distance;
                    }
                    position.each_predecessor(|before| {
                        if group.contains(&before.slice) {
                            wait(&mut due, now + 1, before);
                        }
                    });
                }
                Some(distance) => wait(&mut due, distance, cell),
                None => {}
            }
        }
        now += 1;
    }
}
