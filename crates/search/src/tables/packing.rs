//! Compression of the values of a slice with random access.
//!
//! A slice is cut into blocks, a block into runs of one value, a run is one byte, and the bytes are
//! Huffman coded. Values that do not matter go with the run before or after them, so that lengths are
//! round numbers where possible: few different ones make short codes.

use super::{
    huffman::{ContextClasses, HuffmanCode},
    retrograde::EndgameValue,
};
use std::ops::Range;

/// Values in a block.
pub const BLOCK_VALUES: u64 = 1 << 12;

/// Values that are stored, by code.
const STORED_VALUES: &[EndgameValue] = &[EndgameValue::Win, EndgameValue::Loss, EndgameValue::Draw];
/// Number of different lengths of a run.
const LENGTH_COUNT: usize = 80;

/// Every length up to sixteen, then eight steps to each doubling, up to a whole block.
const RUN_LENGTHS: [u16; LENGTH_COUNT] = {
    let mut lengths = [0; LENGTH_COUNT];
    let (mut index, mut length) = (0, 1u16);
    while index < LENGTH_COUNT {
        lengths[index] = length;
        let step = 1 << length.ilog2().saturating_sub(3);
        length += step;
        index += 1;
    }
    lengths
};

/// The context of a run: the value and the approximate length of the run before.
pub static CLASSES: ContextClasses = {
    let mut of = [0; 256];
    let mut byte = 0;
    while byte < STORED_VALUES.len() * LENGTH_COUNT {
        let size = match RUN_LENGTHS[byte % LENGTH_COUNT] {
            1 => 0,
            2 => 1,
            3..=5 => 2,
            6..=12 => 3,
            _ => 4,
        };
        of[byte] = (5 * (byte / LENGTH_COUNT) + size) as u8;
        byte += 1;
    }
    ContextClasses { of, count: 15 }
};

/// A value to be stored; `None` if it does not matter.
pub type WantedValue = Option<EndgameValue>;

/// The runs that represent `wanted`, one block.
pub fn runs(wanted: &[WantedValue]) -> Vec<u8> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < wanted.len() {
        let rest = &wanted[at..];
        let value = rest.iter().flatten().next().copied().unwrap_or(EndgameValue::Draw);
        let other = rest.iter().position(|it| it.is_some_and(|it| it != value));
        // The last run may be of any length: nothing is read beyond the block.
        let most = other.unwrap_or(BLOCK_VALUES as usize);
        let last = rest[..most.min(rest.len())].iter().rposition(Option::is_some);
        let index = roundest(last.map_or(1, |last| last + 1), most);
        let code =
            STORED_VALUES.iter().position(|&it| it == value).expect("known values are stored");
        runs.push((code * LENGTH_COUNT + index) as u8);
        at += usize::from(RUN_LENGTHS[index]);
    }
    runs
}

/// The index of the roundest length from `least` to `most`; of the longest below if there is none.
fn roundest(least: usize, most: usize) -> usize {
    let below = |bound: usize| RUN_LENGTHS.partition_point(|&length| usize::from(length) < bound);
    let (from, to) = (below(least), below(most + 1));
    (from..to).max_by_key(|&index| RUN_LENGTHS[index].trailing_zeros()).unwrap_or(to - 1)
}

/// The length and the value of the run that each byte represents.
const RUN_OF_BYTE: [(u16, EndgameValue); 256] = {
    let mut runs = [(BLOCK_VALUES as u16, EndgameValue::Draw); 256];
    let mut byte = 0;
    while byte < STORED_VALUES.len() * LENGTH_COUNT {
        runs[byte] = (RUN_LENGTHS[byte % LENGTH_COUNT], STORED_VALUES[byte / LENGTH_COUNT]);
        byte += 1;
    }
    runs
};

/// The value number `offset` of a block coded by `code`.
#[inline]
pub fn value_in(code: &HuffmanCode, block: &[u8], mut offset: u16) -> EndgameValue {
    let mut reader = code.read(block);
    loop {
        let (length, value) = RUN_OF_BYTE[usize::from(reader.next())];
        if offset < length {
            return value;
        }
        offset -= length;
    }
}

/// Calls `each` with the runs of a block of `numbers` values coded by `code`.
pub fn each_run(
    code: &HuffmanCode,
    block: &[u8],
    numbers: u64,
    mut each: impl FnMut(Range<u64>, EndgameValue),
) {
    let mut reader = code.read(block);
    let mut at = 0;
    while at < numbers {
        let (length, value) = RUN_OF_BYTE[usize::from(reader.next())];
        let end = numbers.min(at + u64::from(length));
        each(at..end, value);
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;

    #[test]
    fn lengths_rise_to_a_block() {
        assert!(RUN_LENGTHS.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((RUN_LENGTHS[0], RUN_LENGTHS[15], RUN_LENGTHS[16]), (1, 16, 18));
        assert_eq!(RUN_LENGTHS[LENGTH_COUNT - 1], BLOCK_VALUES as u16);
    }

    #[test]
    fn runs_end_at_round_numbers_where_they_may() {
        let length = |least, most| RUN_LENGTHS[roundest(least, most)];
        assert_eq!((length(1, 1), length(1, 7), length(5, 7), length(5, 9)), (1, 4, 6, 8));
        assert_eq!((length(17, 17), length(100, 200)), (16, 128));
    }

    #[test]
    fn a_packed_block_gives_every_wanted_value() {
        let mut random = Random::new(5);
        for round in 0..300 {
            let numbers = 1 + random.below(BLOCK_VALUES as usize);
            let longest = 1 + random.below(1 << (round % 12));
            let mut wanted: Vec<WantedValue> = Vec::new();
            while wanted.len() < numbers {
                let value = random.pick(&[
                    None,
                    Some(EndgameValue::Win),
                    Some(EndgameValue::Loss),
                    Some(EndgameValue::Draw),
                ]);
                let run = (1 + random.below(longest)).min(numbers - wanted.len());
                wanted.extend(std::iter::repeat_n(value.flatten(), run));
            }
            let runs = runs(&wanted);
            let code = HuffmanCode::of(&CLASSES, [&runs[..]].into_iter());
            let mut packed = Vec::new();
            code.writer().write(&runs, &mut packed);
            let mut unpacked = Vec::new();
            each_run(&code, &packed, numbers as u64, |run, value| {
                assert_eq!(run.start, unpacked.len() as u64);
                unpacked.extend(run.map(|_| value));
            });
            assert_eq!(unpacked.len(), numbers);
            for (offset, &value) in wanted.iter().enumerate() {
                assert_eq!(value_in(&code, &packed, offset as u16), unpacked[offset]);
                assert!(value.is_none_or(|value| value == unpacked[offset]));
            }
        }
    }
}
