//! The values of a slice in few bytes, each to be had without unpacking the others.
//!
//! A slice is cut into blocks, a block into runs of one value, a run is one byte, and the bytes are
//! written in Huffman codes. What is not stored goes with the run before or after it, so that the
//! lengths are round numbers where they can be: few different ones make short codes.

use super::{
    coding::{Classes, Code},
    retrograde::Value,
};
use std::ops::Range;

/// Numbers in a block.
pub const BLOCK: u64 = 1 << 12;

/// Values that are stored, by code.
const STORED: [Value; 3] = [Value::Win, Value::Loss, Value::Draw];
/// Different lengths a run can have.
const LENGTHS: usize = 80;

/// Every length up to sixteen, then eight steps to each doubling, up to a whole block.
const LENGTH: [u16; LENGTHS] = {
    let mut lengths = [0; LENGTHS];
    let (mut index, mut length) = (0, 1u16);
    while index < LENGTHS {
        lengths[index] = length;
        let step = 1 << length.ilog2().saturating_sub(3);
        length += step;
        index += 1;
    }
    lengths
};

/// What a run tells of the next: its value, and about how long it is.
pub static CLASSES: Classes = {
    let mut of = [0; 256];
    let mut byte = 0;
    while byte < STORED.len() * LENGTHS {
        let size = match LENGTH[byte % LENGTHS] {
            1 => 0,
            2 => 1,
            3..=5 => 2,
            6..=12 => 3,
            _ => 4,
        };
        of[byte] = (5 * (byte / LENGTHS) + size) as u8;
        byte += 1;
    }
    Classes { of, count: 15 }
};

/// Numbers whose value does not matter have no value here.
pub type Wanted = Option<Value>;

/// The runs that give all of `wanted`, one block, its value.
pub fn runs(wanted: &[Wanted]) -> Vec<u8> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < wanted.len() {
        let rest = &wanted[at..];
        let value = rest.iter().flatten().next().copied().unwrap_or(Value::Draw);
        let other = rest.iter().position(|it| it.is_some_and(|it| it != value));
        // The last run may be as long as there are lengths: nobody asks beyond the block.
        let most = other.unwrap_or(BLOCK as usize);
        let last = rest[..most.min(rest.len())].iter().rposition(Option::is_some);
        let index = roundest(last.map_or(1, |last| last + 1), most);
        let code = STORED.iter().position(|&it| it == value).expect("known values are stored");
        runs.push((code * LENGTHS + index) as u8);
        at += usize::from(LENGTH[index]);
    }
    runs
}

/// The place of the roundest length from `least` to `most`; of the longest below if there is none.
fn roundest(least: usize, most: usize) -> usize {
    let below = |bound: usize| LENGTH.partition_point(|&length| usize::from(length) < bound);
    let (from, to) = (below(least), below(most + 1));
    (from..to).max_by_key(|&index| LENGTH[index].trailing_zeros()).unwrap_or(to - 1)
}

/// What each byte says.
const RUNS: [(u16, Value); 256] = {
    let mut runs = [(BLOCK as u16, Value::Draw); 256];
    let mut byte = 0;
    while byte < STORED.len() * LENGTHS {
        runs[byte] = (LENGTH[byte % LENGTHS], STORED[byte / LENGTHS]);
        byte += 1;
    }
    runs
};

/// The value of number `offset` in a block written by `code`.
#[inline]
pub fn value_in(code: &Code, block: &[u8], mut offset: u16) -> Value {
    let mut reader = code.read(block);
    loop {
        let (length, value) = RUNS[usize::from(reader.next())];
        if offset < length {
            return value;
        }
        offset -= length;
    }
}

/// Calls `each` with the runs of a block of `numbers` numbers written by `code`.
pub fn each_run(code: &Code, block: &[u8], numbers: u64, mut each: impl FnMut(Range<u64>, Value)) {
    let mut reader = code.read(block);
    let mut at = 0;
    while at < numbers {
        let (length, value) = RUNS[usize::from(reader.next())];
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
        assert!(LENGTH.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!((LENGTH[0], LENGTH[15], LENGTH[16]), (1, 16, 18));
        assert_eq!(LENGTH[LENGTHS - 1], BLOCK as u16);
    }

    #[test]
    fn runs_end_at_round_numbers_where_they_may() {
        let length = |least, most| LENGTH[roundest(least, most)];
        assert_eq!((length(1, 1), length(1, 7), length(5, 7), length(5, 9)), (1, 4, 6, 8));
        assert_eq!((length(17, 17), length(100, 200)), (16, 128));
    }

    #[test]
    fn a_packed_block_gives_every_wanted_value() {
        let mut random = Random::new(5);
        for round in 0..300 {
            let numbers = 1 + random.below(BLOCK as usize);
            let longest = 1 + random.below(1 << (round % 12));
            let mut wanted: Vec<Wanted> = Vec::new();
            while wanted.len() < numbers {
                let value =
                    random.pick(&[None, Some(Value::Win), Some(Value::Loss), Some(Value::Draw)]);
                let run = (1 + random.below(longest)).min(numbers - wanted.len());
                wanted.extend(std::iter::repeat_n(value.flatten(), run));
            }
            let runs = runs(&wanted);
            let code = Code::of(&CLASSES, [&runs[..]].into_iter());
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
