//! Tables of solved endings: made by [`build`], one file a slice, mapped into memory and probed.
//!
//! ```text
//! value file, all numbers little-endian
//!     0  "LUDUSWLD"     8  version u32    12  slice u32      16  numbers u64
//!    24  wins u64      32  losses u64     40  draws u64      48  blocks u64
//!    56  checksum of all other bytes u64
//!    64  where each block begins, and where the last one ends: blocks + 1 times u32, from the end
//!        of this list; then the blocks
//! distance file
//!     0  "LUDUSDTW"     8  version u32    12  slice u32      16  numbers u64
//!    24  checksum of all other bytes u64  32  plies to the end, one byte each, 255 for a draw
//! ```

use super::{
    packing::{BLOCK, Wanted, each_run, pack, value_in},
    retrograde::{self, Distances, Measured, Solved, Value, Values, Work},
};
use crate::search::Oracle;
use ludus_core::tabulated::{Cell, Tabulated};
use memmap2::Mmap;
use std::{
    fs::{self, File},
    io::{self, Write},
    marker::PhantomData,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering::Relaxed},
    },
    time::Instant,
};
use thiserror::Error;

/// Why tables cannot be used or made.
#[derive(Debug, Error)]
pub enum EndgameError {
    /// The file system refused.
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
    /// A file is not what was written.
    #[error("{path}: {what}; delete it and build the endings again")]
    Damaged { path: PathBuf, what: &'static str },
    /// A file that is needed is not there.
    #[error("{path}: this table is missing; build the endings first")]
    Missing { path: PathBuf },
    /// More pieces than there are tables for.
    #[error("endings with {wanted} pieces cannot be built: {} to {most} can", 2)]
    Pieces { wanted: usize, most: usize },
    /// Stopped from outside; finished slices are kept.
    #[error("stopped; the slices finished so far are kept, and building goes on from there")]
    Stopped,
}

fn in_file(path: &Path) -> impl FnOnce(io::Error) -> EndgameError + '_ {
    |source| EndgameError::File { path: path.to_owned(), source }
}

const VERSION: u32 = 1;
const VALUES: &[u8; 8] = b"LUDUSWLD";
const DISTANCES: &[u8; 8] = b"LUDUSDTW";
const VALUES_HEADER: usize = 64;
const DISTANCES_HEADER: usize = 32;
/// Distances are kept of endings with at most so many pieces.
pub const MEASURED_PIECES: usize = 4;

/// How many positions of a slice have each value.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
}

/// A number that changes if any of `bytes` does.
fn checksum(bytes: &[u8], start: u64) -> u64 {
    let mut sum = start;
    let mut words = bytes.chunks_exact(8);
    for word in &mut words {
        let word = u64::from_le_bytes(word.try_into().expect("eight bytes"));
        sum = (sum ^ word).wrapping_mul(0x9FB2_1C65_1E98_DF25).rotate_left(29);
    }
    for &byte in words.remainder() {
        sum = (sum ^ u64::from(byte)).wrapping_mul(0x9FB2_1C65_1E98_DF25).rotate_left(29);
    }
    sum ^ sum >> 32
}

/// The checksum of a file that has its own at `place`.
fn checksum_around(bytes: &[u8], place: usize) -> u64 {
    checksum(&bytes[place + 8..], checksum(&bytes[..place], 1))
}

fn u64_at(bytes: &[u8], place: usize) -> u64 {
    u64::from_le_bytes(bytes[place..place + 8].try_into().expect("eight bytes"))
}

fn u32_at(bytes: &[u8], place: usize) -> u32 {
    u32::from_le_bytes(bytes[place..place + 4].try_into().expect("four bytes"))
}

/// Writes a file whole or not at all.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), EndgameError> {
    let partial = path.with_extension("partial");
    let write = || {
        let mut file = File::create(&partial)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&partial, path)
    };
    write().map_err(in_file(path))
}

/// Maps a file that begins as wanted and is unharmed; `None` if there is none.
fn map(
    path: &Path,
    magic: &[u8; 8],
    header: usize,
    slice: usize,
    numbers: u64,
) -> Result<Option<Mmap>, EndgameError> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(in_file(path)(error)),
    };
    // SAFETY: nobody changes such a file in place: it is written under another name and renamed.
    let bytes = unsafe { Mmap::map(&file) }.map_err(in_file(path))?;
    let damaged = |what| EndgameError::Damaged { path: path.to_owned(), what };
    if bytes.len() < header || &bytes[..8] != magic {
        return Err(damaged("this is no table of endings"));
    }
    if u32_at(&bytes, 8) != VERSION {
        return Err(damaged("this table was made by another version"));
    }
    if u32_at(&bytes, 12) as usize != slice || u64_at(&bytes, 16) != numbers {
        return Err(damaged("this table has another slice than its name says"));
    }
    if checksum_around(&bytes, header - 8) != u64_at(&bytes, header - 8) {
        return Err(damaged("its checksum is wrong, so the file is corrupt"));
    }
    Ok(Some(bytes))
}

/// The mapped values of a slice.
struct ValueFile {
    bytes: Mmap,
    /// Where the blocks begin.
    blocks_from: usize,
}

impl ValueFile {
    fn open<P: Tabulated>(folder: &Path, slice: usize) -> Result<Option<ValueFile>, EndgameError> {
        let path = value_path::<P>(folder, slice);
        let numbers = P::numbers(slice);
        let Some(bytes) = map(&path, VALUES, VALUES_HEADER, slice, numbers)? else {
            return Ok(None);
        };
        let blocks = u64_at(&bytes, 48);
        let blocks_from = VALUES_HEADER + 4 * (blocks as usize + 1);
        if blocks != numbers.div_ceil(BLOCK) || bytes.len() < blocks_from {
            let what = "its list of blocks is cut short";
            return Err(EndgameError::Damaged { path, what });
        }
        Ok(Some(ValueFile { bytes, blocks_from }))
    }

    fn census(&self) -> Census {
        let [wins, losses, draws] = [24, 32, 40].map(|place| u64_at(&self.bytes, place));
        Census { wins, losses, draws }
    }

    #[inline]
    fn block(&self, block: u64) -> &[u8] {
        let place = VALUES_HEADER + 4 * block as usize;
        let [from, to] = [place, place + 4].map(|place| u32_at(&self.bytes, place) as usize);
        self.bytes.get(self.blocks_from + from..self.blocks_from + to).unwrap_or(&[])
    }

    #[inline]
    fn get(&self, index: u64) -> Value {
        value_in(self.block(index / BLOCK), (index % BLOCK) as u16)
    }
}

fn value_path<P: Tabulated>(folder: &Path, slice: usize) -> PathBuf {
    folder.join(format!("{}.wld", P::slice_name(slice)))
}

fn distance_path<P: Tabulated>(folder: &Path, slice: usize) -> PathBuf {
    folder.join(format!("{}.dtw", P::slice_name(slice)))
}

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
    distances: Vec<Option<Mmap>>,
    pieces: usize,
    game: PhantomData<fn(P)>,
}

impl<P: Tabulated> Database<P> {
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
                let path = distance_path::<P>(folder, slice);
                let numbers = P::numbers(slice);
                database.distances[slice] =
                    map(&path, DISTANCES, DISTANCES_HEADER, slice, numbers)?;
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
        let distance = self.distances[cell.slice].as_ref().map(|bytes| {
            bytes.get(DISTANCES_HEADER + cell.index as usize).copied().unwrap_or(u8::MAX)
        });
        let value = match distance {
            Some(u8::MAX) => Value::Draw,
            Some(distance) if distance % 2 == 0 => Value::Loss,
            Some(_) => Value::Win,
            None => self.value(position, cell)?,
        };
        Some(Known { value, distance: distance.filter(|&distance| distance != u8::MAX) })
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
            let distances = self.distances[slice].as_ref().map_or(0, |bytes| bytes.len());
            Some(SliceInfo {
                slice,
                census: values.census(),
                bytes: (values.bytes.len() + distances) as u64,
            })
        })
    }
}

/// The size of an ending is the number of its pieces.
impl<P: Tabulated> Oracle<P> for Database<P> {
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
pub fn build<P: Tabulated>(
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
fn forget<P: Tabulated>(groups: &[Vec<usize>], done: usize, solved: &mut Solved, pieces: usize) {
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
fn restore<P: Tabulated>(
    folder: &Path,
    group: &[usize],
    solved: &mut Solved,
    measured: &mut Measured,
    work: &Work<'_>,
) -> Result<bool, EndgameError> {
    let is_measured = P::slice_pieces(group[0]) <= MEASURED_PIECES;
    for &slice in group {
        let numbers = P::numbers(slice);
        if is_measured {
            let path = distance_path::<P>(folder, slice);
            match map(&path, DISTANCES, DISTANCES_HEADER, slice, numbers)? {
                Some(bytes) => {
                    let distances = bytes[DISTANCES_HEADER..].to_vec();
                    measured.insert(slice, Distances::from_bytes(distances));
                }
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
fn unpack<P: Tabulated>(
    file: &ValueFile,
    slice: usize,
    solved: &Solved,
    work: &Work<'_>,
) -> Values {
    let numbers = P::numbers(slice);
    let values = Values::unknown(numbers);
    work.share(numbers, |part| {
        for block in part.start / BLOCK..part.end.div_ceil(BLOCK) {
            let start = block * BLOCK;
            each_run(file.block(block), BLOCK.min(numbers - start), |run, value| {
                run.for_each(|offset| values.set(start + offset, value));
            });
        }
        let mut moves = Vec::new();
        P::each_in(slice, part, |index, position| {
            if position.is_converting() {
                values.set(index, solved.derive(position, &mut moves));
            }
        });
    });
    values
}

fn make<P: Tabulated>(
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
                write_distances::<P>(folder, slice, distances)?;
            }
        }
    }
    for &slice in group {
        if let Some(values) = solved.get(slice) {
            write_values::<P>(folder, slice, values, work)?;
        }
    }
    Ok(())
}

fn write_distances<P: Tabulated>(
    folder: &Path,
    slice: usize,
    distances: &Distances,
) -> Result<(), EndgameError> {
    let mut bytes = begin(DISTANCES, slice, P::numbers(slice));
    bytes.resize(DISTANCES_HEADER, 0);
    bytes.extend_from_slice(distances.bytes());
    finish(&mut bytes, DISTANCES_HEADER);
    write_whole(&distance_path::<P>(folder, slice), &bytes)
}

/// The first bytes of a file.
fn begin(magic: &[u8; 8], slice: usize, numbers: u64) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((slice as u32).to_le_bytes());
    bytes.extend(numbers.to_le_bytes());
    bytes
}

/// Fills in the checksum at the end of the header.
fn finish(bytes: &mut [u8], header: usize) {
    let sum = checksum_around(bytes, header - 8);
    bytes[header - 8..header].copy_from_slice(&sum.to_le_bytes());
}

fn write_values<P: Tabulated>(
    folder: &Path,
    slice: usize,
    values: &Values,
    work: &Work<'_>,
) -> Result<(), EndgameError> {
    let numbers = P::numbers(slice);
    let packed = Mutex::new(Vec::new());
    let census = [const { AtomicU64::new(0) }; 4];
    work.share(numbers, |part| {
        let (mut blocks, mut found) = (Vec::new(), [0; 4]);
        let mut from = part.start;
        while from < part.end {
            let to = part.end.min(from + BLOCK);
            let mut wanted: Vec<Wanted> = vec![None; (to - from) as usize];
            P::each_in(slice, from..to, |index, position| {
                let value = values.get(index);
                found[value as usize] += 1;
                wanted[(index - from) as usize] = (!position.is_converting()).then_some(value);
            });
            let mut block = Vec::new();
            pack(&wanted, &mut block);
            blocks.push(block);
            from = to;
        }
        for (total, found) in census.iter().zip(found) {
            total.fetch_add(found, Relaxed);
        }
        packed.lock().expect("no thread panics here").push((part.start, blocks));
    });
    if work.stop.load(Relaxed) {
        return Err(EndgameError::Stopped);
    }
    let mut packed = packed.into_inner().expect("no thread panics here");
    packed.sort_by_key(|&(start, _)| start);
    let blocks: Vec<Vec<u8>> = packed.into_iter().flat_map(|(_, blocks)| blocks).collect();
    let mut bytes = begin(VALUES, slice, numbers);
    for value in [Value::Win, Value::Loss, Value::Draw] {
        bytes.extend(census[value as usize].load(Relaxed).to_le_bytes());
    }
    bytes.extend((blocks.len() as u64).to_le_bytes());
    bytes.resize(VALUES_HEADER, 0);
    let mut end = 0u32;
    bytes.extend(end.to_le_bytes());
    for block in &blocks {
        end += block.len() as u32;
        bytes.extend(end.to_le_bytes());
    }
    blocks.iter().for_each(|block| bytes.extend_from_slice(block));
    finish(&mut bytes, VALUES_HEADER);
    write_whole(&value_path::<P>(folder, slice), &bytes)
}

/// Finds every value of the tables with up to `pieces` pieces anew from the values of the positions
/// after it, and returns how many are wrong.
pub fn verify<P: Tabulated>(
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
            let path = value_path::<P>(folder, group[0]);
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

fn check_slice<P: Tabulated>(
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
                let implied = match distance {
                    None => Value::Draw,
                    Some(distance) if distance % 2 == 0 => Value::Loss,
                    Some(_) => Value::Win,
                };
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
