//! Networks on disk: a line of text that says what follows, then the weights as little-endian
//! integers, then a checksum of everything before it.

use super::{Net, Row, Shape, WIDTH};
use crate::checksum;
use ludus_core::TextError;

const MAGIC: &str = "ludus net 1";
const WHAT: &str = "network";

impl Net {
    /// The network as a file. `about` is one line of text to say where it comes from.
    pub fn to_bytes(&self, about: &str) -> Vec<u8> {
        let Shape { inputs, stages } = self.shape;
        let about = about.replace(['\n', '\r'], " ");
        let heading = format!("{MAGIC} {inputs} {WIDTH} {stages} {} {about}\n", self.scale);
        let mut bytes = heading.into_bytes();
        let rows = self.inputs.iter().chain([&self.empty]).chain(self.outputs.as_flattened());
        bytes.extend(rows.flat_map(|row| row.0).flat_map(i16::to_le_bytes));
        bytes.extend(self.biases.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Sixteen digits' worth that changes with any weight.
    pub fn checksum(&self) -> u64 {
        checksum(&self.to_bytes(""))
    }

    /// Whether a file says that it is a network.
    pub fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC.as_bytes())
    }

    /// Reads a network of `shape`; `name` is the file's, for errors.
    ///
    /// # Errors
    /// If it is no network, damaged, or one for another game.
    pub fn from_bytes(bytes: &[u8], name: &str, shape: Shape) -> Result<Net, TextError> {
        let wrong = |expected: String| TextError::whole(WHAT, name, expected);
        let no_net = || wrong(format!("a file that begins with {MAGIC:?}"));
        let end = bytes.iter().take(4096).position(|&byte| byte == b'\n').ok_or_else(no_net)?;
        let heading = std::str::from_utf8(&bytes[..end]).map_err(|_| no_net())?;
        let numbers = heading.strip_prefix(MAGIC).ok_or_else(no_net)?;
        let numbers: Vec<usize> =
            numbers.split(' ').skip(1).take(4).map_while(|word| word.parse().ok()).collect();
        let [inputs, width, stages, scale] = numbers[..] else { return Err(no_net()) };
        if (inputs, width, stages) != (shape.inputs, WIDTH, shape.stages) {
            return Err(wrong(format!(
                "a network of this game, with {} inputs, width {WIDTH} and {} stages, not {inputs}, \
                 {width} and {stages}",
                shape.inputs, shape.stages
            )));
        }
        let rows = inputs + 1 + 2 * stages;
        let (body, sum) = bytes[end + 1..].split_last_chunk().unwrap_or((&[], &[0; 8]));
        let length = 2 * WIDTH * rows + 4 * stages;
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
            outputs: (0..stages).map(|_| [next(), next()]).collect(),
            biases: biases.as_chunks().0.iter().map(|&four| i32::from_le_bytes(four)).collect(),
            scale: scale as i32,
        })
    }
}
