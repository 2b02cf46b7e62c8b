//! Lines of standard input, read by a separate thread so that they can stop a search.

use std::{
    io::{self, BufRead, Read},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::Duration,
};

/// Maximum number of lines read ahead; beyond that the client's writes block.
const MAX_QUEUED_LINES: usize = 256;

/// Result of waiting for a line.
pub enum NextLine {
    /// A line without its line feed.
    Line(Vec<u8>),
    /// No line within the timeout.
    Pending,
    /// End of input.
    End,
}

/// The lines of standard input.
pub struct StdinLines {
    lines: Receiver<Vec<u8>>,
    /// A line that was pushed back.
    next: Option<Vec<u8>>,
}

impl StdinLines {
    /// Starts reading. Lines are truncated to `max_bytes`.
    pub fn new(max_bytes: usize) -> io::Result<StdinLines> {
        let (sender, lines) = sync_channel(MAX_QUEUED_LINES);
        thread::Builder::new()
            .name("commands".to_owned())
            .spawn(move || forward_lines(io::stdin().lock(), max_bytes, &sender))?;
        Ok(StdinLines { lines, next: None })
    }

    /// Waits for the next line; `None` at the end of input.
    pub fn next(&mut self) -> Option<Vec<u8>> {
        self.next.take().or_else(|| self.lines.recv().ok())
    }

    /// Waits at most `timeout` for the next line.
    pub fn next_within(&mut self, timeout: Duration) -> NextLine {
        if let Some(line) = self.next.take() {
            return NextLine::Line(line);
        }
        match self.lines.recv_timeout(timeout) {
            Ok(line) => NextLine::Line(line),
            Err(RecvTimeoutError::Timeout) => NextLine::Pending,
            Err(RecvTimeoutError::Disconnected) => NextLine::End,
        }
    }

    /// Pushes a line back, to be read next.
    pub fn push_back(&mut self, line: Vec<u8>) {
        self.next = Some(line);
    }
}

fn forward_lines(mut input: impl BufRead, max_bytes: usize, lines: &SyncSender<Vec<u8>>) {
    while let Ok(Some(line)) = read_line(&mut input, max_bytes) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

fn read_line(input: &mut impl BufRead, max_bytes: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if input.take(max_bytes as u64).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(line));
    }
    loop {
        let chunk = input.fill_buf()?;
        let (used, ended) = match chunk.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (chunk.len(), chunk.is_empty()),
        };
        input.consume(used);
        if ended {
            return Ok(Some(line));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_not_split() {
        let mut input = &b"ab\n\nabcdefgh\nabcd\nx"[..];
        let mut lines = Vec::new();
        while let Some(line) = read_line(&mut input, 4).unwrap() {
            lines.push(String::from_utf8(line).unwrap());
        }
        assert_eq!(lines, ["ab", "", "abcd", "abcd", "x"]);
    }
}
