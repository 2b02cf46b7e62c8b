//! The lines of a program that controls us, read by a thread of their own so that they can stop a
//! search.

use std::{
    io::{self, BufRead, Read},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    thread,
    time::Duration,
};

/// Lines read ahead; beyond that the other program waits for us.
const QUEUED: usize = 256;

/// What came within the time given.
pub enum Heard {
    /// A line without its line feed.
    Line(Vec<u8>),
    /// Nothing yet.
    Nothing,
    /// The other program has closed the line.
    End,
}

/// The lines of standard input.
pub struct CommandLines {
    lines: Receiver<Vec<u8>>,
    /// A line given back.
    next: Option<Vec<u8>>,
}

impl CommandLines {
    /// Starts to read. Of a line longer than `longest` bytes the rest is dropped.
    pub fn of_stdin(longest: usize) -> io::Result<CommandLines> {
        let (sender, lines) = sync_channel(QUEUED);
        thread::Builder::new()
            .name("commands".to_owned())
            .spawn(move || pass_on(io::stdin().lock(), longest, &sender))?;
        Ok(CommandLines { lines, next: None })
    }

    /// Waits for the next line; `None` at the end.
    pub fn next(&mut self) -> Option<Vec<u8>> {
        self.next.take().or_else(|| self.lines.recv().ok())
    }

    /// Waits for the next line, but no longer than `patience`.
    pub fn wait(&mut self, patience: Duration) -> Heard {
        if let Some(line) = self.next.take() {
            return Heard::Line(line);
        }
        match self.lines.recv_timeout(patience) {
            Ok(line) => Heard::Line(line),
            Err(RecvTimeoutError::Timeout) => Heard::Nothing,
            Err(RecvTimeoutError::Disconnected) => Heard::End,
        }
    }

    /// Gives a line back: it will be the next.
    pub fn give_back(&mut self, line: Vec<u8>) {
        self.next = Some(line);
    }
}

fn pass_on(mut input: impl BufRead, longest: usize, lines: &SyncSender<Vec<u8>>) {
    while let Ok(Some(line)) = read_line(&mut input, longest) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

fn read_line(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if input.take(longest as u64).read_until(b'\n', &mut line)? == 0 {
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
