//! Checksums of files.

use ludus_core::position::mix;

/// A checksum of `bytes`.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(0, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(sum ^ u64::from_le_bytes(word))
    })
}
