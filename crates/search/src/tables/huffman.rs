//! Huffman codes: bytes in fewer bits, with a code for each context.
//!
//! Codes are canonical, so only their lengths are stored.

use std::{cmp::Reverse, collections::BinaryHeap};

/// Bits of the longest code.
const MAX_CODE_BITS: u32 = 10;

/// The contexts of a code: the class of the previous byte.
pub struct ContextClasses {
    /// The class of each byte.
    pub of: [u8; 256],
    /// The number of classes; the first is also that of no previous byte.
    pub count: usize,
}

/// A code for writing bytes and reading them again.
pub struct HuffmanCode {
    classes: &'static ContextClasses,
    /// Bits of each byte's code, by class and byte; 0 for bytes that do not occur.
    lengths: Vec<u8>,
    /// By class and the next bits: the byte they begin with and the length of its code.
    next: Vec<(u8, u8)>,
}

impl HuffmanCode {
    /// The best code for `blocks`.
    pub fn of<'a>(
        classes: &'static ContextClasses,
        blocks: impl Iterator<Item = &'a [u8]>,
    ) -> HuffmanCode {
        let mut counts = vec![[0u64; 256]; classes.count];
        for block in blocks {
            let mut class = 0;
            for &byte in block {
                counts[class][usize::from(byte)] += 1;
                class = usize::from(classes.of[usize::from(byte)]);
            }
        }
        let lengths = counts.into_iter().flat_map(code_lengths).collect();
        HuffmanCode::with_lengths(classes, lengths).expect("Huffman codes are prefix-free")
    }

    /// The bytes [`from_bytes`](HuffmanCode::from_bytes) reads: two lengths each.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.lengths.chunks_exact(2).map(|pair| pair[0] | pair[1] << 4).collect()
    }

    /// Bytes of a stored code.
    pub fn bytes(classes: &ContextClasses) -> usize {
        classes.count * 128
    }

    /// The code stored in `bytes`; `None` if they are not valid.
    pub fn from_bytes(classes: &'static ContextClasses, bytes: &[u8]) -> Option<HuffmanCode> {
        if bytes.len() != HuffmanCode::bytes(classes) {
            return None;
        }
        let lengths = bytes.iter().flat_map(|&pair| [pair & 15, pair >> 4]).collect();
        HuffmanCode::with_lengths(classes, lengths)
    }

    fn with_lengths(classes: &'static ContextClasses, lengths: Vec<u8>) -> Option<HuffmanCode> {
        let mut next = Vec::with_capacity(classes.count << MAX_CODE_BITS);
        for lengths in lengths.chunks_exact(256) {
            let end = next.len() + (1 << MAX_CODE_BITS);
            for (byte, length) in by_length(lengths) {
                if u32::from(length) > MAX_CODE_BITS {
                    return None;
                }
                let places = 1 << (MAX_CODE_BITS - u32::from(length));
                next.extend(std::iter::repeat_n((byte, length), places));
            }
            if next.len() > end {
                return None;
            }
            // Bits that begin no code: skipped one by one, so that reading them ends.
            next.resize(end, (0, 1));
        }
        Some(HuffmanCode { classes, lengths, next })
    }

    /// A writer with this code.
    pub fn writer(&self) -> Writer<'_> {
        let mut codes = vec![0; self.lengths.len()];
        for (class, lengths) in self.lengths.chunks_exact(256).enumerate() {
            let mut code = 0u32;
            for (byte, length) in by_length(lengths) {
                codes[class << 8 | usize::from(byte)] =
                    (code >> (MAX_CODE_BITS - u32::from(length))) as u16;
                code += 1 << (MAX_CODE_BITS - u32::from(length));
            }
        }
        Writer { code: self, codes }
    }

    /// A reader of what a [`Writer`] has written. It never ends: after the last byte come others.
    #[inline]
    pub fn read<'a>(&'a self, bits: &'a [u8]) -> Reader<'a> {
        Reader { code: self, bits, held: 0, count: 0, class: 0 }
    }
}

/// Bytes that have a code with its length, the shortest first.
fn by_length(lengths: &[u8]) -> impl Iterator<Item = (u8, u8)> + '_ {
    (1..=15).flat_map(move |wanted| {
        let has = move |&(_, &length): &(usize, &u8)| length == wanted;
        lengths.iter().enumerate().filter(has).map(|(byte, &length)| (byte as u8, length))
    })
}

/// The lengths of the Huffman codes for bytes with these counts, limited to [`MAX_CODE_BITS`].
fn code_lengths(mut counts: [u64; 256]) -> [u8; 256] {
    loop {
        let lengths = huffman(&counts);
        if lengths.iter().all(|&length| u32::from(length) <= MAX_CODE_BITS) {
            return lengths;
        }
        // Raise the counts of rare bytes until their codes are short enough.
        counts.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 2 + 1);
    }
}

fn huffman(counts: &[u64; 256]) -> [u8; 256] {
    let mut lengths = [0; 256];
    // The bytes below each node; of equal ones the node made first.
    let mut nodes: Vec<Vec<u8>> =
        (0..=255u8).filter(|&byte| counts[usize::from(byte)] > 0).map(|byte| vec![byte]).collect();
    if let [only] = &nodes[..] {
        lengths[usize::from(only[0])] = 1;
        return lengths;
    }
    let mut heap: BinaryHeap<Reverse<(u64, usize)>> =
        (0..nodes.len()).map(|node| Reverse((counts[usize::from(nodes[node][0])], node))).collect();
    while let (Some(Reverse((one, left))), Some(Reverse((other, right)))) = (heap.pop(), heap.pop())
    {
        let below = [&nodes[left][..], &nodes[right][..]].concat();
        below.iter().for_each(|&byte| lengths[usize::from(byte)] += 1);
        heap.push(Reverse((one + other, nodes.len())));
        nodes.push(below);
        if heap.len() == 1 {
            break;
        }
    }
    lengths
}

/// Writes with a code.
pub struct Writer<'a> {
    code: &'a HuffmanCode,
    codes: Vec<u16>,
}

impl Writer<'_> {
    /// Appends a block, filled up to whole bytes.
    pub fn write(&self, block: &[u8], out: &mut Vec<u8>) {
        let (mut held, mut count, mut class) = (0u64, 0u32, 0);
        for &byte in block {
            let place = class << 8 | usize::from(byte);
            let length = u32::from(self.code.lengths[place]);
            held = held << length | u64::from(self.codes[place]);
            count += length;
            while count >= 8 {
                count -= 8;
                out.push((held >> count) as u8);
            }
            class = usize::from(self.code.classes.of[usize::from(byte)]);
        }
        if count > 0 {
            out.push((held << (8 - count)) as u8);
        }
    }
}

/// Reads with a code.
pub struct Reader<'a> {
    code: &'a HuffmanCode,
    bits: &'a [u8],
    /// Bits read ahead, the lowest `count` of them.
    held: u64,
    count: u32,
    class: usize,
}

impl Reader<'_> {
    /// The next byte.
    #[inline]
    pub fn next(&mut self) -> u8 {
        if self.count < MAX_CODE_BITS {
            self.refill();
        }
        let ahead =
            (self.held >> (self.count - MAX_CODE_BITS)) as usize & ((1 << MAX_CODE_BITS) - 1);
        let (byte, length) = self.code.next[self.class << MAX_CODE_BITS | ahead];
        self.count -= u32::from(length);
        self.class = usize::from(self.code.classes.of[usize::from(byte)]);
        byte
    }

    /// Reads four bytes ahead, with zeros after the end.
    #[inline]
    fn refill(&mut self) {
        let (four, later) = self.bits.split_first_chunk::<4>().map_or_else(
            || {
                let mut four = [0; 4];
                four[..self.bits.len()].copy_from_slice(self.bits);
                (four, &[][..])
            },
            |(four, later)| (*four, later),
        );
        self.held = self.held << 32 | u64::from(u32::from_be_bytes(four));
        self.count += 32;
        self.bits = later;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;

    static CLASSES: ContextClasses = ContextClasses {
        of: {
            let mut of = [0; 256];
            let mut byte = 0;
            while byte < 256 {
                of[byte] = (byte % 3) as u8;
                byte += 1;
            }
            of
        },
        count: 3,
    };

    fn blocks(random: &mut Random, kinds: usize) -> Vec<Vec<u8>> {
        let block = |_| {
            let length = random.below(60);
            // Small numbers come much more often than great ones.
            let mut byte = || {
                let most = 1 + random.below(kinds);
                random.below(most) as u8
            };
            (0..length).map(|_| byte()).collect()
        };
        (0..20).map(block).collect()
    }

    #[test]
    fn what_is_written_is_read_again_and_shorter() {
        let mut random = Random::new(1);
        for kinds in [1, 2, 3, 7, 50, 256] {
            let blocks = blocks(&mut random, kinds);
            let code = HuffmanCode::of(&CLASSES, blocks.iter().map(|block| &block[..]));
            let kept = HuffmanCode::from_bytes(&CLASSES, &code.to_bytes()).unwrap();
            assert_eq!(kept.lengths, code.lengths);
            let (mut written, mut plain) = (0, 0);
            for block in &blocks {
                let mut bits = Vec::new();
                code.writer().write(block, &mut bits);
                let mut reader = kept.read(&bits);
                let read: Vec<u8> = block.iter().map(|_| reader.next()).collect();
                assert_eq!(&read, block);
                written += bits.len();
                plain += block.len();
            }
            assert!(written < plain, "{kinds} kinds: {written} of {plain}");
        }
    }

    #[test]
    fn lengths_are_those_of_the_best_code() {
        // Worked by hand: 1 and 1 make 2, 2 and 2 make 4, 4 and 3 make 7, 7 and 9 make 16.
        let mut counts = [0; 256];
        counts[..5].copy_from_slice(&[9, 1, 3, 2, 1]);
        assert_eq!(huffman(&counts)[..6], [1, 4, 2, 3, 4, 0]);
        let mut steep = [0; 256];
        (0..40).for_each(|byte| steep[byte] = 1 << byte);
        assert_eq!(huffman(&steep).into_iter().max(), Some(39));
        let limited = code_lengths(steep);
        assert_eq!(limited.into_iter().max(), Some(MAX_CODE_BITS as u8));
        let used: u32 = limited.iter().filter(|&&it| it > 0).map(|&it| 1 << (10 - it)).sum();
        assert!(used <= 1 << MAX_CODE_BITS, "{used}");
    }

    #[test]
    fn invalid_codes_are_refused_and_never_loop() {
        let size = HuffmanCode::bytes(&CLASSES);
        assert!(HuffmanCode::from_bytes(&CLASSES, &vec![0; size - 1]).is_none());
        assert!(
            HuffmanCode::from_bytes(&CLASSES, &vec![0x11; size]).is_none(),
            "too many short codes"
        );
        assert!(HuffmanCode::from_bytes(&CLASSES, &vec![0xFF; size]).is_none(), "too long codes");
        let empty = HuffmanCode::from_bytes(&CLASSES, &vec![0; size]).unwrap();
        assert_eq!(empty.read(&[]).next(), 0);
    }
}
