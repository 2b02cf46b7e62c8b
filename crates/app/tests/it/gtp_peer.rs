//! A GTP engine in a separate process, for tests that must detect hangs and exits.

use std::{
    ffi::OsStr,
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    thread,
    time::{Duration, Instant},
};

/// Timeout of a response, generous for busy machines.
const TIMEOUT: Duration = Duration::from_secs(600);

/// One response.
#[derive(Debug, PartialEq, Eq)]
pub struct Reply {
    pub success: bool,
    pub id: Option<u32>,
    /// Text without the space after the id; lines are kept separate.
    pub text: String,
}

/// A running engine. Separate threads read and write, so that tests never block.
pub struct Peer {
    child: Child,
    input: Option<Sender<Vec<u8>>>,
    output: Receiver<Vec<u8>>,
}

impl Peer {
    pub fn start(program: impl AsRef<OsStr>, arguments: &[&str]) -> Peer {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (mut stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (input, to_write) = channel::<Vec<u8>>();
        thread::spawn(move || {
            // The end of the engine is detected by the missing response.
            while to_write.recv().is_ok_and(|bytes| stdin.write_all(&bytes).is_ok()) {}
        });
        let (lines, output) = channel();
        thread::spawn(move || {
            let mut stdout = BufReader::new(stdout);
            let mut line = Vec::new();
            while stdout.read_until(b'\n', &mut line).is_ok_and(|bytes| bytes > 0) {
                if lines.send(std::mem::take(&mut line)).is_err() {
                    return;
                }
            }
        });
        Peer { child, input: Some(input), output }
    }

    /// Sends lines, each with its line feed.
    pub fn send(&self, bytes: Vec<u8>) {
        let _ = self.input.as_ref().map(|input| input.send(bytes));
    }

    fn line(&self) -> Result<String, String> {
        let line = self.output.recv_timeout(TIMEOUT).map_err(|error| match error {
            RecvTimeoutError::Timeout => format!("no line within {TIMEOUT:?}"),
            RecvTimeoutError::Disconnected => "the engine has ended".to_owned(),
        })?;
        let line = String::from_utf8(line).map_err(|error| format!("not UTF-8: {error}"))?;
        let text =
            line.strip_suffix('\n').ok_or_else(|| format!("a line without end: {line:?}"))?;
        Ok(text.to_owned())
    }

    /// Waits for the next response.
    pub fn reply(&self) -> Result<Reply, String> {
        let first = self.line()?;
        let rest = first.strip_prefix(['=', '?']);
        let rest = rest.ok_or_else(|| format!("not the start of a response: {first:?}"))?;
        let digits = rest.chars().take_while(char::is_ascii_digit).count();
        let (id, text) = rest.split_at(digits);
        if !text.is_empty() && !text.starts_with(' ') {
            return Err(format!("no space before the text: {first:?}"));
        }
        let mut text = text.trim().to_owned();
        loop {
            let line = self.line()?;
            if line.is_empty() {
                break;
            }
            text = text + "\n" + &line;
        }
        if let Some(odd) = text.chars().find(|&odd| odd.is_control() && odd != '\n') {
            return Err(format!("{odd:?} in {text:?}"));
        }
        Ok(Reply { success: first.starts_with('='), id: id.parse().ok(), text })
    }

    /// Closes the input: the engine has to exit by itself, with success.
    pub fn end(mut self) -> Result<(), String> {
        self.input = None;
        let started = Instant::now();
        while started.elapsed() < TIMEOUT {
            if let Some(status) = self.child.try_wait().map_err(|error| error.to_string())? {
                return if status.success() { Ok(()) } else { Err(status.to_string()) };
            }
            thread::sleep(Duration::from_millis(5));
        }
        Err(format!("still running {TIMEOUT:?} after its input was closed"))
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A number from the environment, for tests that may take longer when asked to.
pub fn number_from_environment(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Err(_) => default,
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name}: found {text:?}, expected a whole number")),
    }
}
