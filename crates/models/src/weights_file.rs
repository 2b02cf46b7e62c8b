//! Files of weights: a line with the content, its version and its shape, then numbers of 32 bits, then a
//! checksum of everything before it.

use crate::checksum;
use ludus_core::TextError;

/// Longest first line of a file.
const MAX_HEADING: usize = 4096;

/// The content of a kind of file.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Content {
    /// Its name in errors.
    pub kind: &'static str,
    /// The start of its first line, with the version.
    pub magic: &'static str,
}

impl Content {
    /// The first line of a file.
    pub fn heading(&self, rest: &str) -> Vec<u8> {
        format!("{} {rest}\n", self.magic).into_bytes()
    }

    /// An error about the file `name`.
    pub fn wrong(&self, name: &str, expected: &str) -> TextError {
        TextError::whole(self.kind, name, expected)
    }
}

/// A file with its checksum behind it.
pub(crate) fn closed(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = checksum(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The rest of the first line of a file, and its numbers.
pub(crate) fn open<'a>(
    bytes: &'a [u8],
    content: Content,
    name: &str,
) -> Result<(&'a str, &'a [u8]), TextError> {
    let other = || content.wrong(name, &format!("a file that begins with {:?}", content.magic));
    let end = bytes.iter().take(MAX_HEADING).position(|&byte| byte == b'\n').ok_or_else(other)?;
    let heading = std::str::from_utf8(&bytes[..end]).map_err(|_| other())?;
    let rest = heading.strip_prefix(content.magic).and_then(|rest| rest.strip_prefix(' '));
    let rest = rest.ok_or_else(other)?;
    let damaged =
        || content.wrong(name, "all of its numbers and a checksum that fits: the file is damaged");
    let (body, sum) = bytes[end + 1..].split_last_chunk::<8>().ok_or_else(damaged)?;
    if *sum != checksum(&bytes[..bytes.len() - sum.len()]).to_le_bytes() {
        return Err(damaged());
    }
    Ok((rest, body))
}

/// Exactly `count` finite numbers.
pub(crate) fn floats(
    body: &[u8],
    count: usize,
    content: Content,
    name: &str,
) -> Result<Vec<f32>, TextError> {
    let (numbers, rest) = body.as_chunks::<4>();
    if numbers.len() != count || !rest.is_empty() {
        let expected = format!("{count} numbers of 4 bytes, not {} bytes", body.len());
        return Err(content.wrong(name, &expected));
    }
    let numbers: Vec<f32> = numbers.iter().map(|&four| f32::from_le_bytes(four)).collect();
    if numbers.iter().any(|number| !number.is_finite()) {
        return Err(content.wrong(name, "finite numbers only"));
    }
    Ok(numbers)
}
