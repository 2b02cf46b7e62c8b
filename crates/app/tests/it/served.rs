//! A server process for a test, accessed over TCP.

use crate::openapi::Description;
use futures_util::{SinkExt, StreamExt};
#[cfg(target_os = "linux")]
use ludus_test_support::full_disk;
use serde_json::{Value, json};
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    sync::OnceLock,
    time::{Duration, Instant},
};
use tokio::net::TcpStream as AsyncTcpStream;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async, tungstenite::Message};

/// Time after which a waiting test fails; shorter than the searches that have to be stopped.
pub const TEST_TIMEOUT: Duration = Duration::from_secs(300);
const POLL_INTERVAL: Duration = Duration::from_millis(50);

const PROGRAM: &str = env!("CARGO_BIN_EXE_ludus");

pub struct Served {
    child: Child,
    pub address: String,
    pub folder: tempfile::TempDir,
}

impl Served {
    pub fn start() -> Served {
        Served::start_in(tempfile::tempdir().unwrap())
    }

    /// A server whose data directory is `folder`.
    pub fn start_in(folder: tempfile::TempDir) -> Served {
        Served::start_with(folder, &[])
    }

    /// A server with further command-line arguments.
    pub fn start_with(folder: tempfile::TempDir, arguments: &[&str]) -> Served {
        Served::start_as(Command::new(PROGRAM), folder, arguments)
    }

    /// A server whose disk can be [filled](full_disk::fill).
    #[cfg(target_os = "linux")]
    pub fn start_with_small_disk() -> Served {
        Served::start_as(full_disk::command(PROGRAM), tempfile::tempdir().unwrap(), &[])
    }

    /// A server that may have this number of open files.
    pub fn start_with_open_files(files: usize, arguments: &[&str]) -> Served {
        let mut shell = Command::new("sh");
        let limited = format!("ulimit -n {files}; exec \"$0\" \"$@\"");
        shell.args(["-c", &limited, PROGRAM]);
        Served::start_as(shell, tempfile::tempdir().unwrap(), arguments)
    }

    fn start_as(mut command: Command, folder: tempfile::TempDir, arguments: &[&str]) -> Served {
        let mut child = command
            .args(["serve", "--port", "0", "--data-dir"])
            .arg(folder.path())
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).expect("an address");
        let address = address.split([' ', '/']).next().unwrap().trim();
        Served { address: address.to_owned(), child, folder }
    }

    pub fn get(&self, path: &str) -> (u16, Value) {
        self.request("GET", path, None)
    }

    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.request("POST", path, Some(&body.to_string()))
    }

    /// Body of a successful GET.
    pub fn got(&self, path: &str) -> Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "GET {path}: {body}");
        body
    }

    pub fn posted(&self, path: &str, body: &Value) -> Value {
        let (status, answer) = self.post(path, body);
        assert!(status == 200 || status == 201, "POST {path}: {status} {answer}");
        answer
    }

    /// The message of a refused request.
    pub fn refused(&self, path: &str, body: &Value, wanted: u16) -> String {
        let (status, answer) = self.post(path, body);
        assert_eq!(status, wanted, "POST {path} {body}: {answer}");
        answer["error"]["message"].as_str().expect("a message").to_owned()
    }

    /// Status and body of a request; a string if the body is not JSON. Checks that it is as described.
    #[track_caller]
    pub fn request(&self, method: &str, path: &str, body: Option<&str>) -> (u16, Value) {
        let (status, answer) = self.exchange(method, path, body);
        if path.starts_with("/api/") && !answer.is_string() {
            self.describe(|description| description.check_response(method, path, status, &answer));
        }
        (status, answer)
    }

    /// Calls `check` with the description of the API, unless this server refuses to show it.
    #[track_caller]
    fn describe(&self, check: impl FnOnce(&Description)) {
        static DESCRIPTION: OnceLock<Description> = OnceLock::new();
        if DESCRIPTION.get().is_none() {
            let (status, document) = self.exchange("GET", "/api/openapi.json", None);
            if status == 200 {
                DESCRIPTION.get_or_init(|| Description(document));
            }
        }
        if let Some(description) = DESCRIPTION.get() {
            check(description);
        }
    }

    fn exchange(&self, method: &str, path: &str, body: Option<&str>) -> (u16, Value) {
        exchange(&self.address, method, path, body).unwrap()
    }

    /// Repeats a GET until `wanted` holds.
    pub fn until(&self, path: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let body = self.got(path);
            if wanted(&body) {
                return body;
            }
            assert!(begun.elapsed() < TEST_TIMEOUT, "{path} is still {body}");
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    pub async fn socket(&self, path: &str) -> Socket {
        let (stream, _) = connect_async(format!("ws://{}{path}", self.address)).await.unwrap();
        let mut description = None;
        self.describe(|found| description = Some(Description(found.0.clone())));
        Socket { stream, path: path.to_owned(), description }
    }

    /// Process id.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Interrupts the server as a user does, and keeps its data.
    pub fn interrupt(mut self) -> tempfile::TempDir {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &process]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
        std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap())
    }

    /// Kills the server and keeps its data.
    pub fn end(mut self) -> tempfile::TempDir {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[track_caller]
pub fn wait_until(mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < TEST_TIMEOUT, "never in {TEST_TIMEOUT:?}");
        std::thread::sleep(POLL_INTERVAL);
    }
}

/// Status and body of a request; an error if the server dies before it has answered.
pub fn exchange(
    address: &str,
    method: &str,
    path: &str,
    body: Option<&str>,
) -> io::Result<(u16, Value)> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(TEST_TIMEOUT))?;
    let body = body.unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, body) = answer.split_once("\r\n\r\n").ok_or(io::ErrorKind::UnexpectedEof)?;
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let body = if head.to_lowercase().contains("transfer-encoding: chunked") {
        unchunked(body).ok_or(io::ErrorKind::UnexpectedEof)?
    } else {
        body.to_owned()
    };
    Ok((status, serde_json::from_str(&body).unwrap_or(Value::String(body))))
}

/// The whole of a body that came in chunks; `None` if it is cut off.
fn unchunked(mut body: &str) -> Option<String> {
    let mut whole = String::new();
    loop {
        let (size, rest) = body.split_once("\r\n")?;
        let size = usize::from_str_radix(size.trim(), 16).ok()?;
        if size == 0 {
            return Some(whole);
        }
        whole.push_str(rest.get(..size)?);
        body = rest.get(size + 2..)?;
    }
}

pub struct Socket {
    stream: WebSocketStream<MaybeTlsStream<AsyncTcpStream>>,
    path: String,
    description: Option<Description>,
}

impl Socket {
    pub async fn send(&mut self, message: &Value) {
        self.say(&message.to_string()).await;
    }

    pub async fn say(&mut self, text: &str) {
        self.stream.send(Message::Text(text.into())).await.unwrap();
    }

    /// The next message, which must be as described.
    pub async fn hear(&mut self) -> Value {
        loop {
            let message = tokio::time::timeout(TEST_TIMEOUT, self.stream.next()).await;
            match message.expect("a message in time").expect("an open line").unwrap() {
                Message::Text(text) => {
                    let message = serde_json::from_str(&text).unwrap();
                    if let Some(description) = &self.description {
                        description.check_message(&self.path, &message);
                    }
                    return message;
                }
                Message::Close(_) => panic!("the server hung up"),
                _ => {}
            }
        }
    }

    /// Messages up to and including the first of this type.
    pub async fn hear_until(&mut self, wanted: &str) -> Vec<Value> {
        let mut heard = Vec::new();
        loop {
            heard.push(self.hear().await);
            if heard.last().unwrap()["type"] == json!(wanted) {
                return heard;
            }
        }
    }
}

/// Runs an asynchronous test.
pub fn talk(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(test);
}
