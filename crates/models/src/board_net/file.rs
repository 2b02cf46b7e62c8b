//! Files of networks and checkpoints: a header line, then numbers, then a checksum of everything before
//! it.

use super::{BoardNet, BoardNetTrainer, Channels, Layout, WIDTH};
use crate::checksum;
use ludus_core::TextError;

const NET_MAGIC: &str = "ludus board net 1";
const TRAINING_MAGIC: &str = "ludus board net training 1";
const FILE_KIND: &str = "network of a board";
/// Largest number of blocks of a file.
const MAX_BLOCKS: usize = 64;

/// Numbers of a row as a file holds them: 16 bits each, in units of the first number.
fn packed(row: &Channels) -> (f32, [i16; WIDTH]) {
    let most = row.0.iter().fold(0.0f32, |most, value| most.max(value.abs()));
    let unit = most / f32::from(i16::MAX);
    let pack = |value: f32| if unit > 0.0 { (value / unit).round() as i16 } else { 0 };
    (unit, row.0.map(pack))
}

fn unpacked(unit: f32, row: [i16; WIDTH]) -> Channels {
    Channels(row.map(|value| f32::from(value) * unit))
}

/// A file: the numbers of its header and the bytes that follow.
struct File<'a> {
    blocks: usize,
    number: u64,
    body: &'a [u8],
}

impl<'a> File<'a> {
    fn open(bytes: &'a [u8], magic: &str, name: &str) -> Result<File<'a>, TextError> {
        let wrong = |expected: &str| TextError::whole(FILE_KIND, name, expected);
        let other = || wrong(&format!("a file that begins with {magic:?} and two numbers"));
        let end = bytes.iter().take(4096).position(|&byte| byte == b'\n').ok_or_else(other)?;
        let heading = std::str::from_utf8(&bytes[..end]).map_err(|_| other())?;
        let rest = heading.strip_prefix(magic).and_then(|rest| rest.strip_prefix(' '));
        let mut words = rest.ok_or_else(other)?.split(' ');
        let blocks = words.next().and_then(|word| word.parse::<usize>().ok());
        let blocks = blocks.filter(|blocks| *blocks <= MAX_BLOCKS).ok_or_else(other)?;
        let number = words.next().and_then(|word| word.parse().ok()).ok_or_else(other)?;
        let damaged = || wrong("all of its numbers and a checksum that fits: the file is damaged");
        let (body, sum) = bytes[end + 1..].split_last_chunk::<8>().ok_or_else(damaged)?;
        if *sum != checksum(&bytes[..bytes.len() - sum.len()]).to_le_bytes() {
            return Err(damaged());
        }
        Ok(File { blocks, number, body })
    }
}

fn closed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

impl BoardNet {
    /// The network as a file. `about` is one line of text on its origin.
    pub fn to_bytes(&self, about: &str) -> Vec<u8> {
        let about = about.replace(['\n', '\r'], " ");
        let mut bytes = format!("{NET_MAGIC} {} {WIDTH} {about}\n", self.blocks()).into_bytes();
        for row in &self.rows {
            let (unit, row) = packed(row);
            bytes.extend(unit.to_le_bytes());
            bytes.extend(row.iter().flat_map(|value| value.to_le_bytes()));
        }
        closed(bytes)
    }

    /// The network as it is after it was written and read.
    pub fn rounded(&self) -> BoardNet {
        let round = |row| {
            let (unit, row) = packed(row);
            unpacked(unit, row)
        };
        BoardNet { layout: self.layout.clone(), rows: self.rows.iter().map(round).collect() }
    }

    /// A checksum of all weights.
    pub fn checksum(&self) -> u64 {
        checksum(&self.to_bytes(""))
    }

    /// Reads a network; `name` is the file's, for errors.
    ///
    /// # Errors
    /// If it is no network or damaged.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<BoardNet, TextError> {
        let file = File::open(bytes, NET_MAGIC, name)?;
        let layout = Layout::new(file.blocks);
        let (rows, rest) = file.body.as_chunks::<{ 4 + 2 * WIDTH }>();
        if file.number != WIDTH as u64 || rows.len() != layout.rows || !rest.is_empty() {
            let expected = format!("{} rows of {WIDTH} weights, not {}", layout.rows, rows.len());
            return Err(TextError::whole(FILE_KIND, name, expected));
        }
        let read = |row: &[u8; 4 + 2 * WIDTH]| {
            let (unit, row) = row.split_first_chunk().expect("longer than that");
            let mut values = row.as_chunks().0.iter().map(|&two| i16::from_le_bytes(two));
            let row = std::array::from_fn(|_| values.next().expect("as many as are wide"));
            unpacked(f32::from_le_bytes(*unit), row)
        };
        Ok(BoardNet { layout, rows: rows.iter().map(read).collect() })
    }
}

impl BoardNetTrainer {
    /// A checkpoint with all that is needed to resume.
    pub fn to_bytes(&self) -> Vec<u8> {
        let heading = format!("{TRAINING_MAGIC} {} {}\n", self.net.blocks(), self.steps);
        let mut bytes = heading.into_bytes();
        for rows in [&self.net.rows, &self.averaged, &self.means, &self.squares] {
            bytes.extend(rows.iter().flat_map(|row| row.0).flat_map(f32::to_le_bytes));
        }
        closed(bytes)
    }

    /// Reads what [`to_bytes`](BoardNetTrainer::to_bytes) wrote.
    ///
    /// # Errors
    /// If it is something else or damaged.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<BoardNetTrainer, TextError> {
        let file = File::open(bytes, TRAINING_MAGIC, name)?;
        let layout = Layout::new(file.blocks);
        let (numbers, rest) = file.body.as_chunks::<4>();
        if numbers.len() != 4 * layout.rows * WIDTH || !rest.is_empty() {
            let expected = format!("four times {} rows of weights", layout.rows);
            return Err(TextError::whole(FILE_KIND, name, expected));
        }
        let mut numbers = numbers.iter().map(|&four| f32::from_le_bytes(four));
        let mut row = || Channels(std::array::from_fn(|_| numbers.next().expect("counted")));
        let mut rows = || (0..layout.rows).map(|_| row()).collect::<Vec<_>>();
        let (net, averaged, means, squares) = (rows(), rows(), rows(), rows());
        let net = BoardNet { layout, rows: net };
        Ok(BoardNetTrainer { net, averaged, means, squares, steps: file.number })
    }
}
