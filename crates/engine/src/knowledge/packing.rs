//! The values of a slice in few bytes, each to be had without unpacking the others.
//!
//! A slice is cut into blocks, a block into runs of one value, a run is one byte. What is not stored
//! goes with the run before or after it, whichever makes fewer bytes.

use super::retrograde::Value;
use std::ops::Range;

/// Numbers in a block.
pub const BLOCK: u64 = 1 << 12;

/// Values that are stored, by code.
const STORED: [Value; 3] = [Value::Win, Value::Loss, Value::Draw];
/// Different lengths a run can have.
const LENGTHS: usize = 85;

/// Every length up to ten, then each a tenth longer than the one before, up to a whole block.
const LENGTH: [u16; LENGTHS] = {
    let mut lengths = [BLOCK as u16; LENGTHS];
    let (mut index, mut length) = (0, 1u32);
    while index < LENGTHS && length < BLOCK as u32 {
        lengths[index] = length as u16;
        let longer = length * 11 / 10;
        length = if longer > length { longer } else { length + 1 };
        index += 1;
    }
    lengths
};

/// Numbers whose value does not matter have no value here.
pub type Wanted = Option<Value>;

/// Appends the runs that give all of `wanted`, one block, its value.
pub fn pack(wanted: &[Wanted], out: &mut Vec<u8>) {
    let mut at = 0;
    while at < wanted.len() {
        let rest = &wanted[at..];
        let value = rest.iter().flatten().next().copied().unwrap_or(Value::Draw);
        let fits = rest.iter().position(|it| it.is_some_and(|it| it != value));
        // The last run may be as long as there are lengths: nobody asks beyond the block.
        let most = fits.unwrap_or(BLOCK as usize);
        let index = LENGTH.partition_point(|&length| usize::from(length) <= most) - 1;
        let code = STORED.iter().position(|&it| it == value).expect("known values are stored");
        out.push((code * LENGTHS + index) as u8);
        at += usize::from(LENGTH[index]);
    }
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

/// The value of number `offset` in a packed block.
#[inline]
pub fn value_in(block: &[u8], mut offset: u16) -> Value {
    for &byte in block {
        let (length, value) = RUNS[usize::from(byte)];
        if offset < length {
            return value;
        }
        offset -= length;
    }
    Value::Draw
}

/// Calls `each` with the runs of a packed block of `numbers` numbers.
pub fn each_run(block: &[u8], numbers: u64, mut each: impl FnMut(Range<u64>, Value)) {
    let mut at = 0;
    for &byte in block {
        let (length, value) = RUNS[usize::from(byte)];
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
        assert!(LENGTH.windows(2).all(|pair| pair[0] < pair[1] || pair[1] == BLOCK as u16));
        assert_eq!((LENGTH[0], LENGTH[LENGTHS - 1]), (1, BLOCK as u16));
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
            let mut packed = Vec::new();
            pack(&wanted, &mut packed);
            let mut unpacked = Vec::new();
            each_run(&packed, numbers as u64, |run, value| {
                assert_eq!(run.start, unpacked.len() as u64);
                unpacked.extend(run.map(|_| value));
            });
            assert_eq!(unpacked.len(), numbers);
            for (offset, &value) in wanted.iter().enumerate() {
                assert_eq!(value_in(&packed, offset as u16), unpacked[offset]);
                assert!(value.is_none_or(|value| value == unpacked[offset]));
            }
        }
    }
}
