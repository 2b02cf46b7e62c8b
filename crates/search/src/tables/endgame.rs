//! Endgame databases: made by [`build`], one file for each slice, read into memory and probed.

use super::{
    files::{DistanceFile, EndgameError, ValueCounts, ValueFile, in_file},
    retrograde::{self, EndgameValue, SliceDistances, SliceValues, SolvedSlices, Workers},
};
use crate::alphabeta::EndgameOracle;
use ludus_core::{
    Position,
    endgame_index::{EndgameIndex, EndgameSlot},
};
use ludus_files::FileLock;
use std::{
    marker::PhantomData,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};

/// Largest number of pieces of endings with stored distances.
pub const MAX_PIECES_WITH_DISTANCES: usize = 4;

/// The result of a probe.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ProbeResult {
    /// The value for the side to move.
    pub value: EndgameValue,
    /// Plies to the end, if that is known too.
    pub distance: Option<u8>,
}

/// The tables in a folder, ready to be probed by many threads.
pub struct EndgameDatabase<K> {
    values: Vec<Option<ValueFile>>,
    distances: Vec<Option<DistanceFile>>,
    pieces: usize,
    index: PhantomData<K>,
}

impl<K: EndgameIndex> EndgameDatabase<K> {
    /// Opens the tables in `folder`, as far as they are complete, up to `most` pieces.
    pub fn open(folder: &Path, most: usize) -> Result<EndgameDatabase<K>, EndgameError> {
        let mut database = EndgameDatabase {
            values: (0..K::SLICES).map(|_| None).collect(),
            distances: (0..K::SLICES).map(|_| None).collect(),
            pieces: 0,
            index: PhantomData,
        };
        for pieces in 2..=most.min(K::MAX_PIECES) {
            for slice in K::groups(pieces).into_iter().flatten() {
                let Some(values) = ValueFile::open::<K>(folder, slice)? else {
                    return Ok(database);
                };
                database.values[slice] = Some(values);
                database.distances[slice] = DistanceFile::open::<K>(folder, slice)?;
            }
            database.pieces = pieces;
        }
        Ok(database)
    }

    /// The largest number of pieces of which every ending is here; 0 if none is.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The value of `position` and its distance to the end, as far as they are known.
    pub fn probe(&self, position: &K::Position) -> Option<ProbeResult> {
        if K::pieces(position) > self.pieces || !K::is_tabulated(position) {
            return None;
        }
        let Some(slot) = K::endgame_slot(position) else {
            return Some(ProbeResult { value: EndgameValue::Loss, distance: Some(0) });
        };
        let distances = self.distances[slot.slice].as_ref();
        let (value, distance) = match distances.map(|distances| distances.get(slot.index)) {
            Some(distance) => (EndgameValue::at(distance), distance),
            None => (self.value(position, slot)?, None),
        };
        Some(ProbeResult { value, distance })
    }

    fn value(&self, position: &K::Position, slot: EndgameSlot) -> Option<EndgameValue> {
        if K::is_converting(position) {
            return self.converted(position);
        }
        Some(self.values[slot.slice].as_ref()?.get(slot.index))
    }

    /// The value of a position in which every move leads to fewer pieces.
    #[cold]
    fn converted(&self, position: &K::Position) -> Option<EndgameValue> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut found = EndgameValue::Loss;
        for mv in moves {
            match self.probe(&position.after(mv))?.value {
                EndgameValue::Loss => return Some(EndgameValue::Win),
                EndgameValue::Draw => found = EndgameValue::Draw,
                EndgameValue::Win | EndgameValue::Unknown => {}
            }
        }
        Some(found)
    }

    /// The slices that are here.
    pub fn slices(&self) -> impl Iterator<Item = SliceInfo> + '_ {
        self.values.iter().enumerate().filter_map(|(slice, values)| {
            let values = values.as_ref()?;
            let distances = self.distances[slice].as_ref().map_or(0, DistanceFile::size);
            Some(SliceInfo {
                slice,
                census: values.census(),
                bytes: (values.size() + distances) as u64,
            })
        })
    }
}

/// The size of an ending is the number of its pieces.
impl<K: EndgameIndex> EndgameOracle<K::Position> for EndgameDatabase<K> {
    fn max_size(&self) -> usize {
        self.pieces
    }

    fn size(&self, position: &K::Position) -> usize {
        if K::is_tabulated(position) { K::pieces(position) } else { usize::MAX }
    }

    fn probe(&self, position: &K::Position) -> Option<ProbeResult> {
        self.probe(position)
    }
}

/// One slice of a database.
#[derive(Copy, Clone, Debug)]
pub struct SliceInfo {
    pub slice: usize,
    pub census: ValueCounts,
    /// Size on disk.
    pub bytes: u64,
}

/// The progress of building or checking, after each group of slices.
pub struct BuildProgress {
    pub slices: Vec<usize>,
    /// Positions done so far, and to be done in all.
    pub done: u64,
    pub all: u64,
    pub seconds: f64,
    /// Whether the slices were there already.
    pub found: bool,
}

/// Waits until no other process builds in `folder`, and locks it.
fn lock(folder: &Path, work: &Workers<'_>) -> Result<FileLock, EndgameError> {
    let lock = FileLock::wait(&folder.join("building.lock"), &mut |_| !work.stop.load(Relaxed))?;
    lock.ok_or(EndgameError::Stopped)
}

/// Builds the missing tables with up to `pieces` pieces. If another process does so already, waits for it
/// and uses its tables.
pub fn build<K: EndgameIndex>(
    folder: &Path,
    pieces: usize,
    work: &Workers<'_>,
    mut on_step: impl FnMut(&BuildProgress),
) -> Result<(), EndgameError> {
    if !(2..=K::MAX_PIECES).contains(&pieces) {
        return Err(EndgameError::Pieces { wanted: pieces, most: K::MAX_PIECES });
    }
    ludus_files::create_folder(folder).map_err(in_file(folder))?;
    let _lock = lock(folder, work)?;
    let groups: Vec<Vec<Vec<usize>>> = (2..=pieces).map(K::groups).collect();
    let size = |group: &[usize]| group.iter().map(|&slice| K::position_count(slice)).sum::<u64>();
    let all = groups.iter().flatten().map(|group| size(group)).sum();
    let (mut solved, mut measured, mut done) =
        (SolvedSlices::default(), SliceDistances::default(), 0);
    for groups in &groups {
        for (number, group) in groups.iter().enumerate() {
            let started = Instant::now();
            let found = restore::<K>(folder, group, &mut solved, &mut measured, work)?;
            if !found {
                make::<K>(folder, group, &mut solved, &mut measured, work)?;
            }
            if work.stop.load(Relaxed) {
                return Err(EndgameError::Stopped);
            }
            done += size(group);
            forget::<K>(groups, number, &mut solved, pieces);
            let seconds = started.elapsed().as_secs_f64();
            on_step(&BuildProgress { slices: group.clone(), done, all, seconds, found });
        }
    }
    Ok(())
}

/// Frees the slices with the most pieces that no later group leads to.
fn forget<K: EndgameIndex>(
    groups: &[Vec<usize>],
    done: usize,
    solved: &mut SolvedSlices,
    pieces: usize,
) {
    if groups.first().is_none_or(|group| K::slice_pieces(group[0]) < pieces) {
        return;
    }
    let later: Vec<usize> =
        groups[done + 1..].iter().flatten().flat_map(|&slice| K::next_slices(slice)).collect();
    for &slice in groups[..=done].iter().flatten().filter(|slice| !later.contains(slice)) {
        solved.remove(slice);
    }
}

/// Reads a group that was made before, if it is whole.
fn restore<K: EndgameIndex>(
    folder: &Path,
    group: &[usize],
    solved: &mut SolvedSlices,
    measured: &mut SliceDistances,
    work: &Workers<'_>,
) -> Result<bool, EndgameError> {
    let is_measured = K::slice_pieces(group[0]) <= MAX_PIECES_WITH_DISTANCES;
    for &slice in group {
        if is_measured {
            match DistanceFile::open::<K>(folder, slice)? {
                Some(file) => measured.insert(slice, file.all(K::slice_size(slice))),
                None => return Ok(false),
            }
        }
        match ValueFile::open::<K>(folder, slice)? {
            Some(file) => solved.insert(slice, Arc::new(unpack::<K>(&file, slice, solved, work))),
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// All values of a slice, those that are not stored found from the slices with fewer pieces.
fn unpack<K: EndgameIndex>(
    file: &ValueFile,
    slice: usize,
    solved: &SolvedSlices,
    work: &Workers<'_>,
) -> SliceValues {
    let numbers = K::slice_size(slice);
    let values = SliceValues::unknown(numbers);
    work.share(numbers, |part| {
        file.each_run(part.clone(), numbers, |run, value| {
            run.for_each(|index| values.set(index, value));
        });
        let mut moves = Vec::new();
        K::for_each_position(slice, part, |index, position| {
            if K::is_converting(position) {
                values.set(index, solved.derive::<K>(position, &mut moves));
            }
        });
    });
    values
}

fn make<K: EndgameIndex>(
    folder: &Path,
    group: &[usize],
    solved: &mut SolvedSlices,
    measured: &mut SliceDistances,
    work: &Workers<'_>,
) -> Result<(), EndgameError> {
    if !retrograde::solve::<K>(group, solved, work) {
        return Err(EndgameError::Stopped);
    }
    if K::slice_pieces(group[0]) <= MAX_PIECES_WITH_DISTANCES {
        retrograde::measure::<K>(group, measured);
        for &slice in group {
            if let Some(distances) = measured.get(slice) {
                DistanceFile::write::<K>(folder, slice, distances)?;
            }
        }
    }
    for &slice in group {
        if let Some(values) = solved.get(slice) {
            ValueFile::write::<K>(folder, slice, values, work)?;
        }
    }
    Ok(())
}

/// Derives every value of the tables with up to `pieces` pieces again from the values of the positions
/// after it, and returns the number of wrong ones.
pub fn verify<K: EndgameIndex>(
    folder: &Path,
    pieces: usize,
    work: &Workers<'_>,
    mut on_step: impl FnMut(&BuildProgress),
) -> Result<u64, EndgameError> {
    let groups: Vec<Vec<usize>> = (2..=pieces).flat_map(K::groups).collect();
    let size = |group: &[usize]| group.iter().map(|&slice| K::position_count(slice)).sum::<u64>();
    let all = groups.iter().map(|group| size(group)).sum();
    let (mut solved, mut measured, mut done) =
        (SolvedSlices::default(), SliceDistances::default(), 0);
    let wrong = AtomicU64::new(0);
    for group in &groups {
        let started = Instant::now();
        if !restore::<K>(folder, group, &mut solved, &mut measured, work)? {
            let path = ValueFile::path::<K>(folder, group[0]);
            return Err(EndgameError::Missing { path });
        }
        for &slice in group {
            check_slice::<K>(slice, &solved, &measured, work, &wrong);
        }
        if work.stop.load(Relaxed) {
            return Err(EndgameError::Stopped);
        }
        done += size(group);
        let seconds = started.elapsed().as_secs_f64();
        on_step(&BuildProgress { slices: group.clone(), done, all, seconds, found: true });
    }
    Ok(wrong.into_inner())
}

fn check_slice<K: EndgameIndex>(
    slice: usize,
    solved: &SolvedSlices,
    measured: &SliceDistances,
    work: &Workers<'_>,
    wrong: &AtomicU64,
) {
    let distances = measured.get(slice);
    work.share(K::slice_size(slice), |part| {
        let (mut moves, mut errors) = (Vec::new(), 0);
        K::for_each_position(slice, part, |index, position| {
            let value = solved.value::<K>(position);
            errors += u64::from(solved.derive::<K>(position, &mut moves) != value);
            if let Some(distances) = distances {
                let distance = distances.get(index);
                let implied = EndgameValue::at(distance);
                let derived = measured.derive::<K>(position, &mut moves);
                errors += u64::from(implied != value || derived != distance);
            }
        });
        wrong.fetch_add(errors, Relaxed);
    });
}

/// Threads that are never stopped.
pub fn unstoppable(threads: usize) -> Workers<'static> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    Workers { threads, stop: &NEVER }
}
