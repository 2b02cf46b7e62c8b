//! Input lines, read by a separate thread.

use super::engine::Event;
use std::{
    io::{self, BufRead},
    sync::mpsc::Sender,
    thread,
};

/// Maximum length of a line; longer lines are truncated.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Sends every line of stdin as an event, then the end of input.
pub fn spawn_reader(events: Sender<Event>) {
    thread::spawn(move || {
        let mut stdin = io::stdin().lock();
        while let Ok(Some(line)) = next_line(&mut stdin) {
            if events.send(Event::Line(line)).is_err() {
                return;
            }
        }
        let _ = events.send(Event::End);
    });
}

/// The next line, with invalid UTF-8 replaced; `None` at the end.
fn next_line(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    loop {
        let buffer = match reader.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        if buffer.is_empty() {
            return Ok((!line.is_empty()).then(|| String::from_utf8_lossy(&line).into_owned()));
        }
        let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        let piece = &buffer[..end.unwrap_or(buffer.len())];
        line.extend_from_slice(&piece[..piece.len().min(MAX_LINE_BYTES - line.len())]);
        let used = end.map_or(buffer.len(), |end| end + 1);
        reader.consume(used);
        if end.is_some() {
            return Ok(Some(String::from_utf8_lossy(&line).into_owned()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_any_line_break_and_are_truncated() {
        let mut bytes = b"uci\r\nis\xffready\n\n".to_vec();
        bytes.extend(vec![b'x'; MAX_LINE_BYTES + 10]);
        bytes.extend(b"\nlast");
        let mut reader = io::BufReader::with_capacity(1000, &bytes[..]);
        let mut lines = Vec::new();
        while let Some(line) = next_line(&mut reader).unwrap() {
            if !line.is_empty() {
                lines.push(line);
            }
        }
        assert_eq!(lines.len(), 4);
        assert_eq!((lines[0].as_str(), lines[1].as_str()), ("uci", "is\u{fffd}ready"));
        assert_eq!((lines[2].len(), lines[3].as_str()), (MAX_LINE_BYTES, "last"));
    }
}
