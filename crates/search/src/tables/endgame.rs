//! Tables of solved endings: made by [`build`], one file a slice, mapped into memory and probed.

use super::{
    files::{Census, DistanceFile, EndgameError, ValueFile, in_file},
    retrograde::{self, Measured, Solved, Value, Values, Work},
};
use crate::alphabeta::Oracle;
use ludus_core::endgame_index::{Cell, EndgameIndex};
use std::{
    fs::{self, File},
    marker::PhantomData,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};

/// Distances are kept of endings with at most so many pieces.
pub const MEASURED_PIECES: usize = 4;

/// What is known of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Known {
    pub value: Value,
    /// Plies to the end, if that is known too.
    pub distance: Option<u8>,
}

/// The tables in a folder, ready to be probed by many threads.
pub struct Database<P> {
    values: Vec<Option<ValueFile>>,
    distances: Vec<Option<DistanceFile>>,
    pieces: usize,
    game: PhantomData<fn(P)>,
}

impl<P: EndgameIndex> Database<P> {
    /// Opens the tables in `folder`, as far as they are complete, up to `most` pieces.
    pub fn open(folder: &Path, most: usize) -> Result<Database<P>, EndgameError> {
        let mut database = Database {
            values: (0..P::SLICES).map(|_| None).collect(),
            distances: (0..P::SLICES).map(|_| None).collect(),
            pieces: 0,
            game: PhantomData,
        };
        for pieces in 2..=most.min(P::MOST_PIECES) {
            for slice in P::groups(pieces).into_iter().flatten() {
                let Some(values) = ValueFile::open::<P>(folder, slice)? else {
                    return Ok(database);
                };
                database.values[slice] = Some(values);
                database.distances[slice] = DistanceFile::open::<P>(folder, slice)?;
            }
            database.pieces = pieces;
        }
        Ok(database)
    }

    /// Every ending with at most so many pieces is here; 0 if none is.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// What is known of `position`.
    pub fn probe(&self, position: &P) -> Option<Known> {
        if position.pieces() > self.pieces || !position.is_tabulated() {
            return None;
        }
        let Some(cell) = position.cell() else {
            return Some(Known { value: Value::Loss, distance: Some(0) });
        };
        let distances = self.distances[cell.slice].as_ref();
        let (value, distance) = match distances.map(|distances| distances.get(cell.index)) {
            Some(distance) => (Value::at(distance), distance),
            None => (self.value(position, cell)?, None),
        };
        Some(Known { value, distance })
    }

    fn value(&self, position: &P, cell: Cell) -> Option<Value> {
        if position.is_converting() {
            return self.converted(position);
        }
        Some(self.values[cell.slice].as_ref()?.get(cell.index))
    }

    /// The value of a position that leads to fewer pieces in any case.
    #[cold]
    fn converted(&self, position: &P) -> Option<Value> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut found = Value::Loss;
        for mv in moves {
            match self.probe(&position.after(mv))?.value {
                Value::Loss => return Some(Value::Win),
                Value::Draw => found = Value::Draw,
                Value::Win | Value::Unknown => {}
            }
        }
        Some(found)
    }

    /// Slices that are here, with what is in them.
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
impl<P: EndgameIndex> Oracle<P> for Database<P> {
    fn largest(&self) -> usize {
        self.pieces
    }

    fn size(&self, position: &P) -> usize {
        if position.is_tabulated() { position.pieces() } else { usize::MAX }
    }

    fn ask(&self, position: &P) -> Option<Known> {
        self.probe(position)
    }
}

/// One slice of a database.
#[derive(Copy, Clone, Debug)]
pub struct SliceInfo {
    pub slice: usize,
    pub census: Census,
    /// On disk.
    pub bytes: u64,
}

/// What building and checking report after each group of slices.
pub struct Step {
    pub slices: Vec<usize>,
    /// Positions done so far, and to be done in all.
    pub done: u64,
    pub all: u64,
    pub seconds: f64,
    /// Whether they were there already.
    pub found: bool,
}

/// Waits until nobody else builds in `folder`, and keeps others out while the file is open. However a
/// process ends, the system lets the next one in.
fn lock(folder: &Path) -> Result<File, EndgameError> {
    let path = folder.join("building.lock");
    let file = File::create(&path).map_err(in_file(&path))?;
    file.lock().map_err(in_file(&path))?;
    Ok(file)
}

/// Makes what is missing of the tables with up to `pieces` pieces. If another process does so
/// already, waits for it and finds its tables.
pub fn build<P: EndgameIndex>(
    folder: &Path,
    pieces: usize,
    work: &Work<'_>,
    mut on_step: impl FnMut(&Step),
) -> Result<(), EndgameError> {
    if !(2..=P::MOST_PIECES).contains(&pieces) {
        return Err(EndgameError::Pieces { wanted: pieces, most: P::MOST_PIECES });
    }
    fs::create_dir_all(folder).map_err(in_file(folder))?;
    let _lock = lock(folder)?;
    let groups: Vec<Vec<Vec<usize>>> = (2..=pieces).map(P::groups).collect();
    let size = |group: &[usize]| group.iter().map(|&slice| P::positions(slice)).sum::<u64>();
    let all = groups.iter().flatten().map(|group| size(group)).sum();
    let (mut solved, mut measured, mut done) = (Solved::default(), Measured::default(), 0);
    for groups in &groups {
        for (number, group) in groups.iter().enumerate() {
            let started = Instant::now();
            let found = restore::<P>(folder, group, &mut solved, &mut measured, work)?;
            if !found {
                make::<P>(folder, group, &mut solved, &mut measured, work)?;
            }
            if work.stop.load(Relaxed) {
                return Err(EndgameError::Stopped);
            }
            done += size(group);
            forget::<P>(groups, number, &mut solved, pieces);
            let seconds = started.elapsed().as_secs_f64();
            on_step(&Step { slices: group.clone(), done, all, seconds, found });
        }
    }
    Ok(())
}

/// Frees the slices with the most pieces that no later group leads to.
fn forget<P: EndgameIndex>(groups: &[Vec<usize>], done: usize, solved: &mut Solved, pieces: usize) {
    if groups.first().is_none_or(|group| P::slice_pieces(group[0]) < pieces) {
        return;
    }
    let later: Vec<usize> =
        groups[done + 1..].iter().flatten().flat_map(|&slice| P::next_slices(slice)).collect();
    for &slice in groups[..=done].iter().flatten().filter(|slice| !later.contains(slice)) {
        solved.remove(slice);
    }
}

/// Reads a group that was made before, if it is whole.
fn restore<P: EndgameIndex>(
    folder: &Path,
    group: &[usize],
    solved: &mut Solved,
    measured: &mut Measured,
    work: &Work<'_>,
) -> Result<bool, EndgameError> {
    let is_measured = P::slice_pieces(group[0]) <= MEASURED_PIECES;
    for &slice in group {
        if is_measured {
            match DistanceFile::open::<P>(folder, slice)? {
                Some(file) => measured.insert(slice, file.all(P::numbers(slice))),
                None => return Ok(false),
            }
        }
        match ValueFile::open::<P>(folder, slice)? {
            Some(file) => solved.insert(slice, Arc::new(unpack::<P>(&file, slice, solved, work))),
            None => return Ok(false),
        }
    }
    Ok(true)
}

/// All values of a slice, those that are not stored found from the slices with fewer pieces.
fn unpack<P: EndgameIndex>(
    file: &ValueFile,
    slice: usize,
    solved: &Solved,
    work: &Work<'_>,
) -> Values {
    let numbers = P::numbers(slice);
    let values = Values::unknown(numbers);
    work.share(numbers, |part| {
        file.each_run(part.clone(), numbers, |run, value| {
            run.for_each(|index| values.set(index, value));
        });
        let mut moves = Vec::new();
        P::each_in(slice, part, |index, position| {
            if position.is_converting() {
                values.set(index, solved.derive(position, &mut moves));
            }
        });
    });
    values
}

fn make<P: EndgameIndex>(
    folder: &Path,
    group: &[usize],
    solved: &mut Solved,
    measured: &mut Measured,
    work: &Work<'_>,
) -> Result<(), EndgameError> {
    if !retrograde::solve::<P>(group, solved, work) {
        return Err(EndgameError::Stopped);
    }
    if P::slice_pieces(group[0]) <= MEASURED_PIECES {
        retrograde::measure::<P>(group, measured);
        for &slice in group {
            if let Some(distances) = measured.get(slice) {
                DistanceFile::write::<P>(folder, slice, distances)?;
            }
        }
    }
    for &slice in group {
        if let Some(values) = solved.get(slice) {
            ValueFile::write::<P>(folder, slice, values, work)?;
        }
    }
    Ok(())
}

/// Finds every value of the tables with up to `pieces` pieces anew from the values of the positions
/// after it, and returns how many are wrong.
pub fn verify<P: EndgameIndex>(
    folder: &Path,
    pieces: usize,
    work: &Work<'_>,
    mut on_step: impl FnMut(&Step),
) -> Result<u64, EndgameError> {
    let groups: Vec<Vec<usize>> = (2..=pieces).flat_map(P::groups).collect();
    let size = |group: &[usize]| group.iter().map(|&slice| P::positions(slice)).sum::<u64>();
    let all = groups.iter().map(|group| size(group)).sum();
    let (mut solved, mut measured, mut done) = (Solved::default(), Measured::default(), 0);
    let wrong = AtomicU64::new(0);
    for group in &groups {
        let started = Instant::now();
        if !restore::<P>(folder, group, &mut solved, &mut measured, work)? {
            let path = ValueFile::path::<P>(folder, group[0]);
            return Err(EndgameError::Missing { path });
        }
        for &slice in group {
            check_slice::<P>(slice, &solved, &measured, work, &wrong);
        }
        if work.stop.load(Relaxed) {
            return Err(EndgameError::Stopped);
        }
        done += size(group);
        let seconds = started.elapsed().as_secs_f64();
        on_step(&Step { slices: group.clone(), done, all, seconds, found: true });
    }
    Ok(wrong.into_inner())
}

fn check_slice<P: EndgameIndex>(
    slice: usize,
    solved: &Solved,
    measured: &Measured,
    work: &Work<'_>,
    wrong: &AtomicU64,
) {
    let distances = measured.get(slice);
    work.share(P::numbers(slice), |part| {
        let (mut moves, mut errors) = (Vec::new(), 0);
        P::each_in(slice, part, |index, position| {
            let value = solved.value(position);
            errors += u64::from(solved.derive(position, &mut moves) != value);
            if let Some(distances) = distances {
                let distance = distances.get(index);
                let implied = Value::at(distance);
                let derived = measured.derive(position, &mut moves);
                errors += u64::from(implied != value || derived != distance);
            }
        });
        wrong.fetch_add(errors, Relaxed);
    });
}

/// Work that nobody stops.
pub fn unstoppable(threads: usize) -> Work<'static> {
    static NEVER: AtomicBool = AtomicBool::new(false);
    Work { threads, stop: &NEVER }
}
