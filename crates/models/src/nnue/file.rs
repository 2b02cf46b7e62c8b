//! Network files: a header line, then the weights as little-endian integers, then a checksum of
//! everything before it.

use super::{Net, Row, Shape, WIDTH};
use crate::checksum;
use ludus_core::TextError;

const MAGIC: &str = "ludus net 1";
const FILE_KIND: &str = "network";

impl Net {
    /// The network as a file. `about` is one line of text on its origin.
    pub fn to_bytes(&self, about: &str) -> Vec<u8> {
        let Shape { inputs, output_buckets: buckets } = self.shape;
        let about = about.replace(['\n', '\r'], " ");
        let heading = format!("{MAGIC} {inputs} {WIDTH} {buckets} {} {about}\n", self.scale);
        let mut bytes = heading.into_bytes();
        let rows = self.inputs.iter().chain([&self.empty]).chain(self.outputs.as_flattened());
        bytes.extend(rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes));
        bytes.extend(self.biases.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// A checksum of all weights.
    pub fn checksum(&self) -> u64 {
        checksum(&self.to_bytes(""))
    }

    /// Whether a file begins as a network.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC.as_bytes())
    }

    /// Reads a network of `shape`; `name` is the file's, for errors.
    ///
    /// # Errors
    /// If it is no network, damaged, or one for another game.
    pub fn from_bytes(bytes: &[u8], name: &str, shape: Shape) -> Result<Net, TextError> {
        let wrong = |expected: String| TextError::whole(FILE_KIND, name, expected);
        let no_net = || wrong(format!("a file that begins with {MAGIC:?}"));
        let end = bytes.iter().take(4096).position(|&byte| byte == b'\n').ok_or_else(no_net)?;
        let heading = std::str::from_utf8(&bytes[..end]).map_err(|_| no_net())?;
        let numbers = heading.strip_prefix(MAGIC).ok_or_else(no_net)?;
        let numbers: Vec<usize> =
            numbers.split(' ').skip(1).take(4).map_while(|word| word.parse().ok()).collect();
        let [inputs, width, buckets, scale] = numbers[..] else { return Err(no_net()) };
        if (inputs, width, buckets) != (shape.inputs, WIDTH, shape.output_buckets) {
            return Err(wrong(format!(
                "a network of this game, with {} inputs, width {WIDTH} and {} output buckets, not {inputs}, \
                 {width} and {buckets}",
                shape.inputs, shape.output_buckets
            )));
        }
        let rows = inputs + 1 + 2 * buckets;
        let (body, sum) = bytes[end + 1..].split_last_chunk().unwrap_or((&[], &[0; 8]));
        let length = 2 * WIDTH * rows + 4 * buckets;
        if body.len() != length || !(1..=10_000).contains(&scale) {
            let found = bytes.len() - end - 1;
            return Err(wrong(format!(
                "{} bytes after the first line, not {found}, and a scale from 1 to 10000",
                length + sum.len()
            )));
        }
        if *sum != checksum(&bytes[..bytes.len() - sum.len()]).to_le_bytes() {
            return Err(wrong("weights that fit their checksum: the file is damaged".to_owned()));
        }
        let (weights, biases) = body.split_at(2 * WIDTH * rows);
        let mut rows = weights.as_chunks::<{ 2 * WIDTH }>().0.iter().map(|bytes| {
            let mut row = [0; WIDTH];
            let numbers = bytes.as_chunks().0.iter().map(|&two| i16::from_le_bytes(two));
            row.iter_mut().zip(numbers).for_each(|(weight, number)| *weight = number);
            Row(row)
        });
        let mut next = || rows.next().expect("counted above");
        Ok(Net {
            shape,
            inputs: (0..inputs).map(|_| next()).collect(),
            empty: next(),
            outputs: (0..buckets).map(|_| [next(), next()]).collect(),
            biases: biases.as_chunks().0.iter().map(|&four| i32::from_le_bytes(four)).collect(),
            scale: scale as i32,
        })
    }
}
