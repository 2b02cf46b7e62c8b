//! A server process for one test.

#[cfg(target_os = "linux")]
use ludus_test_support::full_disk;
use std::{
    io::{BufRead, BufReader},
    process::{Child, ChildStdout, Command, Stdio},
};

/// A server with its own data directory.
pub struct Ludus {
    process: Process,
    port: u16,
    folder: tempfile::TempDir,
    arguments: Vec<String>,
}

struct Process {
    child: Child,
    _output: BufReader<ChildStdout>,
}

impl Ludus {
    pub fn start() -> Ludus {
        Ludus::start_with(Vec::new())
    }

    /// A server that requires this token.
    pub fn guarded(token: &str) -> Ludus {
        Ludus::start_with(vec!["--token".to_owned(), token.to_owned()])
    }

    fn start_with(arguments: Vec<String>) -> Ludus {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (process, port) = Process::start(0, &folder, &arguments);
        Ludus { process, port, folder, arguments }
    }

    /// The URL of a page, such as `#/arena`.
    pub fn page(&self, route: &str) -> String {
        format!("http://127.0.0.1:{}/{route}", self.port)
    }

    /// Makes every write to a file fail.
    #[cfg(target_os = "linux")]
    pub fn fill_disk(&self) {
        full_disk::fill(self.process.child.id());
    }

    #[cfg(target_os = "linux")]
    pub fn make_room(&self) {
        full_disk::make_room(self.process.child.id());
    }

    /// Kills the process.
    pub fn kill(&mut self) {
        self.process.end();
    }

    /// Restarts the server with the same port and data.
    pub fn restart(&mut self) {
        (self.process, self.port) = Process::start(self.port, &self.folder, &self.arguments);
    }
}

fn program() -> Command {
    let program = env!("CARGO_BIN_EXE_ludus");
    #[cfg(target_os = "linux")]
    return full_disk::command(program);
    #[cfg(not(target_os = "linux"))]
    Command::new(program)
}

impl Process {
    /// Starts the process and waits until it announces its port.
    fn start(port: u16, folder: &tempfile::TempDir, arguments: &[String]) -> (Process, u16) {
        let mut child = program()
            .args(["serve", "--port", &port.to_string(), "--data-dir"])
            .arg(folder.path())
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("the program's output can be read");
        let (_, rest) = line.split_once("http://127.0.0.1:").expect("it announces its address");
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let port = digits.parse().expect("a port is a number");
        (Process { child, _output: output }, port)
    }

    fn end(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
