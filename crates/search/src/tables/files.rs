//! The files of an endgame database: for each slice one with its values, and one with its distances if
//! they are known.
//!
//! ```text
//! value file, all numbers little-endian
//!     0  "LUDUSWLD"     8  version u32    12  slice u32      16  numbers u64
//!    24  wins u64      32  losses u64     40  draws u64      48  checksum of all other bytes u64
//!    56  blocks of runs (see `packing`)
//! distance file
//!     0  "LUDUSDTW"     8  version u32    12  slice u32      16  numbers u64
//!    24  checksum of all other bytes u64
//!    32  blocks of plies to the end, 255 for a draw
//! blocks
//!        the lengths of the Huffman codes, four bits each
//!        the start of each block and the end of the last one: a u32 for each, counted from the
//!        end of this list
//!        the blocks, each filled up to whole bytes
//! ```

use super::{
    huffman::{ContextClasses, HuffmanCode},
    packing::{BLOCK_VALUES, CLASSES, WantedValue, each_run, runs, value_in},
    retrograde::{Distances, EndgameValue, SliceValues, Workers},
};
use ludus_core::endgame_index::EndgameIndex;
use ludus_files::LockError;
use std::{
    io,
    ops::Range,
    path::{Path, PathBuf},
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};
use thiserror::Error;

/// The reason why tables cannot be used or built.
#[derive(Debug, Error)]
pub enum EndgameError {
    /// The file system refused.
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
    /// A file is damaged.
    #[error("{path}: {what}; delete it and build the endings again")]
    Damaged { path: PathBuf, what: &'static str },
    /// A file is missing.
    #[error("{path}: this table is missing; build the endings first")]
    Missing { path: PathBuf },
    /// More pieces than there are tables for.
    #[error("endings with {wanted} pieces cannot be built: {} to {most} can", 2)]
    Pieces { wanted: usize, most: usize },
    /// The folder cannot be locked.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// Stopped from outside; finished slices are kept.
    #[error("stopped; finished slices are kept, and the next build continues from there")]
    Stopped,
}

pub(super) fn in_file(path: &Path) -> impl FnOnce(io::Error) -> EndgameError + '_ {
    |source| EndgameError::File { path: path.to_owned(), source }
}

/// Version of the layout of the files.
const FORMAT_VERSION: u32 = 2;
/// First bytes of a file of values.
const VALUES_MAGIC: &[u8; 8] = b"LUDUSWLD";
/// First bytes of a file of distances.
const DISTANCES_MAGIC: &[u8; 8] = b"LUDUSDTW";
/// Length of the header of a file of values, in bytes.
const VALUES_HEADER_BYTES: usize = 56;
/// Length of the header of a file of distances, in bytes.
const DISTANCES_HEADER_BYTES: usize = 32;

/// Number of positions of a slice with each value.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ValueCounts {
    pub wins: u64,
    pub losses: u64,
    pub draws: u64,
}

/// A checksum of `bytes`.
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

/// The checksum of a file that stores it at `offset`.
fn checksum_around(bytes: &[u8], offset: usize) -> u64 {
    checksum(&bytes[offset + 8..], checksum(&bytes[..offset], 1))
}

fn u64_at(bytes: &[u8], offset: usize) -> u64 {
    u64::from_le_bytes(bytes[offset..offset + 8].try_into().expect("eight bytes"))
}

fn u32_at(bytes: &[u8], offset: usize) -> u32 {
    u32::from_le_bytes(bytes[offset..offset + 4].try_into().expect("four bytes"))
}

/// Reads a file and checks its header and checksum; `None` if there is none. It is not mapped: a file that
/// shrinks under a running program, such as by a copy over it, would end the process.
fn read(
    path: &Path,
    magic: &[u8; 8],
    header: usize,
    slice: usize,
    numbers: u64,
) -> Result<Option<Vec<u8>>, EndgameError> {
    let Some(bytes) = ludus_files::read_existing(path).map_err(in_file(path))? else {
        return Ok(None);
    };
    let damaged = |what| EndgameError::Damaged { path: path.to_owned(), what };
    if bytes.len() < header || &bytes[..8] != magic {
        return Err(damaged("not a file of an endgame database"));
    }
    if u32_at(&bytes, 8) != FORMAT_VERSION {
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

/// Huffman-coded blocks at the end of a file.
struct Blocks {
    bytes: Vec<u8>,
    code: HuffmanCode,
    /// Offsets of the list of blocks and of the blocks.
    list_from: usize,
    blocks_from: usize,
}

impl Blocks {
    /// The `count` blocks that begin at `from`.
    fn open(
        bytes: Vec<u8>,
        from: usize,
        count: u64,
        classes: &'static ContextClasses,
    ) -> Result<Blocks, &'static str> {
        let list_from = from + HuffmanCode::bytes(classes);
        let blocks_from = list_from + 4 * (count as usize + 1);
        if bytes.len() < blocks_from {
            return Err("its list of blocks is cut short");
        }
        match HuffmanCode::from_bytes(classes, &bytes[from..list_from]) {
            Some(code) => Ok(Blocks { bytes, code, list_from, blocks_from }),
            None => Err("its Huffman codes are not valid"),
        }
    }

    #[inline]
    fn block(&self, block: u64) -> &[u8] {
        let place = self.list_from + 4 * block as usize;
        let [from, to] = [place, place + 4].map(|place| u32_at(&self.bytes, place) as usize);
        self.bytes.get(self.blocks_from + from..self.blocks_from + to).unwrap_or(&[])
    }

    /// Appends `blocks` to a file.
    fn append<'a>(
        blocks: impl Iterator<Item = &'a [u8]> + Clone,
        classes: &'static ContextClasses,
        bytes: &mut Vec<u8>,
    ) {
        let code = HuffmanCode::of(classes, blocks.clone());
        bytes.extend(code.to_bytes());
        let (writer, mut packed) = (code.writer(), Vec::new());
        bytes.extend(0u32.to_le_bytes());
        for block in blocks {
            writer.write(block, &mut packed);
            bytes.extend((packed.len() as u32).to_le_bytes());
        }
        bytes.extend(packed);
    }
}

/// The values of a slice.
pub(super) struct ValueFile(Blocks);

impl ValueFile {
    /// Reads the values of a slice; `None` if there are none.
    pub fn open<K: EndgameIndex>(
        folder: &Path,
        slice: usize,
    ) -> Result<Option<ValueFile>, EndgameError> {
        let path = ValueFile::path::<K>(folder, slice);
        let numbers = K::slice_size(slice);
        let Some(bytes) = read(&path, VALUES_MAGIC, VALUES_HEADER_BYTES, slice, numbers)? else {
            return Ok(None);
        };
        let blocks =
            Blocks::open(bytes, VALUES_HEADER_BYTES, numbers.div_ceil(BLOCK_VALUES), &CLASSES);
        match blocks {
            Ok(blocks) => Ok(Some(ValueFile(blocks))),
            Err(what) => Err(EndgameError::Damaged { path, what }),
        }
    }

    pub fn path<K: EndgameIndex>(folder: &Path, slice: usize) -> PathBuf {
        folder.join(format!("{}.wld", K::slice_name(slice)))
    }

    pub fn census(&self) -> ValueCounts {
        let [wins, losses, draws] = [24, 32, 40].map(|place| u64_at(&self.0.bytes, place));
        ValueCounts { wins, losses, draws }
    }

    pub fn size(&self) -> usize {
        self.0.bytes.len()
    }

    /// The value of a position, by its index.
    #[inline]
    pub fn get(&self, index: u64) -> EndgameValue {
        value_in(&self.0.code, self.0.block(index / BLOCK_VALUES), (index % BLOCK_VALUES) as u16)
    }

    /// Calls `each` with the runs of one value, from the block with the first index of `part` to that with
    /// the last; `numbers` is the size of the slice.
    pub fn each_run(
        &self,
        part: Range<u64>,
        numbers: u64,
        mut each: impl FnMut(Range<u64>, EndgameValue),
    ) {
        for block in part.start / BLOCK_VALUES..part.end.div_ceil(BLOCK_VALUES) {
            let start = block * BLOCK_VALUES;
            let count = BLOCK_VALUES.min(numbers - start);
            each_run(&self.0.code, self.0.block(block), count, |run, value| {
                each(start + run.start..start + run.end, value);
            });
        }
    }

    /// Writes the values of a slice.
    pub fn write<K: EndgameIndex>(
        folder: &Path,
        slice: usize,
        values: &SliceValues,
        work: &Workers<'_>,
    ) -> Result<(), EndgameError> {
        let (blocks, census) = blocks_of::<K>(slice, values, work)?;
        let mut bytes = begin(VALUES_MAGIC, slice, K::slice_size(slice));
        for count in [census.wins, census.losses, census.draws] {
            bytes.extend(count.to_le_bytes());
        }
        bytes.resize(VALUES_HEADER_BYTES, 0);
        Blocks::append(blocks.iter().map(|runs| &runs[..]), &CLASSES, &mut bytes);
        finish(&mut bytes, VALUES_HEADER_BYTES);
        let path = ValueFile::path::<K>(folder, slice);
        ludus_files::write(&path, &bytes).map_err(in_file(&path))
    }
}

/// The runs of all blocks of a slice, and the number of positions with each value.
fn blocks_of<K: EndgameIndex>(
    slice: usize,
    values: &SliceValues,
    work: &Workers<'_>,
) -> Result<(Vec<Vec<u8>>, ValueCounts), EndgameError> {
    let parts = Mutex::new(Vec::new());
    let counts = [const { AtomicU64::new(0) }; 4];
    work.share(K::slice_size(slice), |part| {
        let (mut blocks, mut found) = (Vec::new(), [0; 4]);
        let mut from = part.start;
        while from < part.end {
            let to = part.end.min(from + BLOCK_VALUES);
            let mut wanted: Vec<WantedValue> = vec![None; (to - from) as usize];
            K::for_each_position(slice, from..to, |index, position| {
                let value = values.get(index);
                found[value as usize] += 1;
                wanted[(index - from) as usize] = (!K::is_converting(position)).then_some(value);
            });
            blocks.push(runs(&wanted));
            from = to;
        }
        for (total, found) in counts.iter().zip(found) {
            total.fetch_add(found, Relaxed);
        }
        parts.lock().expect("no thread panics here").push((part.start, blocks));
    });
    if work.stop.load(Relaxed) {
        return Err(EndgameError::Stopped);
    }
    let mut parts = parts.into_inner().expect("no thread panics here");
    parts.sort_by_key(|&(start, _)| start);
    let blocks = parts.into_iter().flat_map(|(_, blocks)| blocks).collect();
    let [wins, losses, draws] = [EndgameValue::Win, EndgameValue::Loss, EndgameValue::Draw]
        .map(|value| counts[value as usize].load(Relaxed));
    Ok((blocks, ValueCounts { wins, losses, draws }))
}

/// Distances in a block.
const BLOCK_DISTANCES: usize = 1 << 7;

/// The context of a distance: whether the one before is drawn, won or lost, and about how far.
static DISTANCE_CLASSES: ContextClasses = {
    let mut of = [0; 256];
    let mut plies = 0;
    while plies < 255 {
        let about = if plies < 48 { plies / 12 } else { 4 };
        of[plies] = (1 + plies % 2 + 2 * about) as u8;
        plies += 1;
    }
    ContextClasses { of, count: 11 }
};

/// The distances of a slice.
pub(super) struct DistanceFile(Blocks);

impl DistanceFile {
    /// Reads the distances of a slice; `None` if there are none.
    pub fn open<K: EndgameIndex>(
        folder: &Path,
        slice: usize,
    ) -> Result<Option<DistanceFile>, EndgameError> {
        let path = DistanceFile::path::<K>(folder, slice);
        let numbers = K::slice_size(slice);
        let Some(bytes) = read(&path, DISTANCES_MAGIC, DISTANCES_HEADER_BYTES, slice, numbers)?
        else {
            return Ok(None);
        };
        let count = numbers.div_ceil(BLOCK_DISTANCES as u64);
        match Blocks::open(bytes, DISTANCES_HEADER_BYTES, count, &DISTANCE_CLASSES) {
            Ok(blocks) => Ok(Some(DistanceFile(blocks))),
            Err(what) => Err(EndgameError::Damaged { path, what }),
        }
    }

    fn path<K: EndgameIndex>(folder: &Path, slice: usize) -> PathBuf {
        folder.join(format!("{}.dtw", K::slice_name(slice)))
    }

    pub fn size(&self) -> usize {
        self.0.bytes.len()
    }

    /// Plies to the end; `None` for a draw.
    #[inline]
    pub fn get(&self, index: u64) -> Option<u8> {
        let (block, place) = (index / BLOCK_DISTANCES as u64, index % BLOCK_DISTANCES as u64);
        let mut reader = self.0.code.read(self.0.block(block));
        (0..place).for_each(|_| {
            reader.next();
        });
        Some(reader.next()).filter(|&distance| distance != u8::MAX)
    }

    /// All distances of the slice, which has `numbers` positions.
    pub fn all(&self, numbers: u64) -> Distances {
        let mut all = Vec::with_capacity(numbers as usize);
        for from in (0..numbers).step_by(BLOCK_DISTANCES) {
            let mut reader = self.0.code.read(self.0.block(from / BLOCK_DISTANCES as u64));
            all.extend((from..numbers.min(from + BLOCK_DISTANCES as u64)).map(|_| reader.next()));
        }
        Distances::from_bytes(all)
    }

    /// Writes the distances of a slice.
    pub fn write<K: EndgameIndex>(
        folder: &Path,
        slice: usize,
        distances: &Distances,
    ) -> Result<(), EndgameError> {
        let mut bytes = begin(DISTANCES_MAGIC, slice, K::slice_size(slice));
        bytes.resize(DISTANCES_HEADER_BYTES, 0);
        Blocks::append(distances.bytes().chunks(BLOCK_DISTANCES), &DISTANCE_CLASSES, &mut bytes);
        finish(&mut bytes, DISTANCES_HEADER_BYTES);
        let path = DistanceFile::path::<K>(folder, slice);
        ludus_files::write(&path, &bytes).map_err(in_file(&path))
    }
}

/// The first bytes of a file.
fn begin(magic: &[u8; 8], slice: usize, numbers: u64) -> Vec<u8> {
    let mut bytes = magic.to_vec();
    bytes.extend(FORMAT_VERSION.to_le_bytes());
    bytes.extend((slice as u32).to_le_bytes());
    bytes.extend(numbers.to_le_bytes());
    bytes
}

/// Fills in the checksum at the end of the header.
fn finish(bytes: &mut [u8], header: usize) {
    let sum = checksum_around(bytes, header - 8);
    bytes[header - 8..header].copy_from_slice(&sum.to_le_bytes());
}
