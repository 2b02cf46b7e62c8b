//! The server behind a proxy: a hand-made one, and nginx with TLS as docs/API.md sets it up.

use crate::{
    callers::{head_status, read_head, upgrade},
    served::{Served, TEST_TIMEOUT, talk, wait_until},
};
use futures_util::StreamExt;
use ludus_test_support::program_or_skip;
use serde_json::{Value, json};
use std::{
    fs,
    io::{self, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
};
use tokio_tungstenite::{client_async, tungstenite::client::IntoClientRequest};

const PUBLIC_NAME: &str = "ludus.example.org";
const PUBLIC_URL: &str = "https://ludus.example.org";

/// Somebody who reaches the server through a proxy at `address`.
struct Visitor {
    address: String,
}

impl Visitor {
    fn exchange(&self, method: &str, path: &str, origin: &str, body: &str) -> (u16, String, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {PUBLIC_NAME}\r\nOrigin: {origin}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let head = read_head(&mut stream);
        let mut body = String::new();
        let _ = stream.read_to_string(&mut body); // TLS tunnels may end abruptly
        let start = body.find('{').unwrap_or(0);
        let end = body.rfind('}').map_or(0, |end| end + 1);
        let json = serde_json::from_str(body.get(start..end).unwrap_or_default());
        (head_status(&head), head, json.unwrap_or_default())
    }

    fn posted(&self, path: &str, body: &Value) -> Value {
        let (status, head, answer) = self.exchange("POST", path, PUBLIC_URL, &body.to_string());
        assert!(status == 200 || status == 201, "POST {path}: {head} {answer}");
        answer
    }

    /// Messages of a WebSocket until one is `wanted`.
    fn hear_until(&self, path: &str, wanted: impl Fn(&Value) -> bool) {
        talk(async {
            let stream = tokio::net::TcpStream::connect(&self.address).await.unwrap();
            let mut request = format!("ws://{PUBLIC_NAME}{path}").into_client_request().unwrap();
            request.headers_mut().insert("origin", PUBLIC_URL.parse().unwrap());
            let (mut socket, _) = client_async(request, stream).await.unwrap();
            let heard = async {
                while let Some(message) = socket.next().await {
                    let text = message.unwrap().into_text().unwrap_or_default();
                    if serde_json::from_str(&text).is_ok_and(|message| wanted(&message)) {
                        return;
                    }
                }
                panic!("the server hung up");
            };
            assert!(tokio::time::timeout(TEST_TIMEOUT, heard).await.is_ok(), "{path}");
        });
    }

    /// Status of the response to a request for a WebSocket.
    fn upgrade(&self, path: &str, headers: &str) -> (u16, TcpStream) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        let status = upgrade(&mut stream, path, &format!("Host: {PUBLIC_NAME}\r\n{headers}"));
        (status, stream)
    }
}

/// Play, live updates and training work for a visitor, and foreign pages are refused.
fn check_visit(visitor: &Visitor) {
    let (status, head, _) = visitor.exchange("GET", "/", PUBLIC_URL, "");
    assert_eq!(status, 200, "{head}");
    let input = json!({ "game": "tictactoe", "second": "random" });
    let table = visitor.posted("/api/tables", &input);
    let path = format!("/api/tables/{}", table["id"].as_str().unwrap());
    visitor.posted(&format!("{path}/move"), &json!({ "move": table["legal"][0]["move"] }));
    visitor.hear_until(&format!("{path}/live"), |message| {
        message["table"]["moves"].as_array().is_some_and(|moves| moves.len() == 2)
    });
    let recipe = "kind = \"td\"\ngame = \"draughts\"\nplayer = \"neurodraughts:pruning=on\"\n\
                  [td]\nsessions = 2\ngames = 2\nlook_ahead = 2";
    visitor.posted("/api/runs", &json!({ "name": "short", "recipe": recipe }));
    visitor.hear_until("/api/runs/short/live", |message| message["run"]["state"] == "finished");

    for foreign in ["https://evil.example", "null", "http://ludus.example.org"] {
        let (status, ..) = visitor.exchange("POST", "/api/tables", foreign, &input.to_string());
        assert_eq!(status, 403, "{foreign}");
        let origin = format!("Origin: {foreign}\r\n");
        assert_eq!(visitor.upgrade(&format!("{path}/live"), &origin).0, 403, "{foreign}");
    }
}

/// Forwards bytes both ways until one side ends.
fn forward(client: TcpStream, server: TcpStream) {
    let (from_client, to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
    thread::spawn(move || copy(from_client, to_server));
    thread::spawn(move || copy(server, client));
}

fn copy(mut from: TcpStream, mut to: TcpStream) {
    let _ = io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Both);
}

/// Starts a listener whose connections are handled by `serve`, until the test ends.
fn listen(serve: impl Fn(TcpStream) + Send + 'static) -> Visitor {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || listener.incoming().flatten().for_each(serve));
    Visitor { address }
}

/// A proxy that says its clients come from `client`.
fn proxy(server: &Served, client: &'static str) -> Visitor {
    let server = server.address.clone();
    listen(move |mut stream| {
        let head = read_head(&mut stream);
        let (line, rest) = head.split_once("\r\n").unwrap_or((&head, ""));
        let sent: String = rest
            .lines()
            .find_map(|line| line.strip_prefix("X-Forwarded-For: "))
            .map(|sent| format!("{sent}, "))
            .unwrap_or_default();
        let others = rest.lines().filter(|line| !line.starts_with("X-Forwarded-For: "));
        let others = others.collect::<Vec<_>>().join("\r\n");
        let head = format!("{line}\r\nX-Forwarded-For: {sent}{client}\r\n{others}\r\n\r\n");
        let mut upstream = TcpStream::connect(&server).unwrap();
        upstream.write_all(head.trim_end().as_bytes()).unwrap();
        upstream.write_all(b"\r\n\r\n").unwrap();
        forward(stream, upstream);
    })
}

#[test]
fn visitors_come_by_the_public_name() {
    let folder = tempfile::tempdir().unwrap();
    let server = Served::start_with(folder, &["--public-url", PUBLIC_URL]);
    check_visit(&proxy(&server, "192.0.2.1"));
    assert_eq!(server.get("/api/games").0, 200, "this computer needs no proxy");
}

#[test]
fn without_a_public_name_nobody_comes_through_a_proxy() {
    let server = Served::start();
    let (status, ..) = proxy(&server, "192.0.2.1").exchange("GET", "/api/games", PUBLIC_URL, "");
    assert_eq!(status, 421);
}

#[test]
fn visitors_of_a_proxy_are_limited_each() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["--public-url", PUBLIC_URL, "--max-sockets-per-address", "1"];
    let server = Served::start_with(folder, &arguments);
    let table = server.posted("/api/tables", &json!({ "game": "chess" }));
    let path = format!("/api/tables/{}/live", table["id"].as_str().unwrap());
    let (one, other) = (proxy(&server, "192.0.2.1"), proxy(&server, "192.0.2.2"));
    let first = one.upgrade(&path, "");
    assert_eq!(first.0, 101);
    assert_eq!(one.upgrade(&path, "").0, 429);
    let invented = "X-Forwarded-For: 192.0.2.3\r\n";
    assert_eq!(one.upgrade(&path, invented).0, 429, "the proxy knows better");
    assert_eq!(other.upgrade(&path, "").0, 101);
}

/// The configuration in docs/API.md, for this port and server, with a certificate in `folder`.
fn documented_configuration(folder: &Path, port: u16, server: &str) -> String {
    let docs = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/API.md");
    let docs = fs::read_to_string(docs).unwrap();
    let (_, block) = docs.split_once("```nginx\n").expect("a block for nginx");
    let (block, _) = block.split_once("```").unwrap();
    let mut block = block.to_owned();
    for (documented, here) in [
        ("listen 443 ssl", format!("listen 127.0.0.1:{port} ssl")),
        ("127.0.0.1:8080", server.to_owned()),
        ("/etc/ssl/ludus.pem", format!("{}/certificate.pem", folder.display())),
        ("/etc/ssl/ludus.key", format!("{}/certificate.key", folder.display())),
    ] {
        assert!(block.contains(documented), "{documented}");
        block = block.replace(documented, &here);
    }
    let folder = folder.display();
    let scratch = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|kind| format!("{kind}_temp_path {folder}/{kind};\n"))
        .concat();
    format!(
        "daemon off; pid {folder}/pid; events {{}}\nhttp {{ access_log off;\n{scratch}{block}}}\n"
    )
}

/// A program that is killed at the end of the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start_nginx(nginx: &Path, folder: &Path, server: &str) -> (Running, u16) {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let file = folder.join("nginx.conf");
    fs::write(&file, documented_configuration(folder, port, server)).unwrap();
    let child = Command::new(nginx)
        .args(["-g", "master_process off;", "-e", "stderr", "-c"])
        .arg(&file)
        .spawn()
        .unwrap();
    let nginx = Running(child);
    wait_until(|| TcpStream::connect(("127.0.0.1", port)).is_ok());
    (nginx, port)
}

/// A listener whose connections go through TLS to this port.
fn tls_tunnel(openssl: &Path, certificate: &Path, port: u16) -> Visitor {
    let (openssl, certificate) = (openssl.to_owned(), certificate.to_owned());
    listen(move |stream| {
        let mut client = Command::new(&openssl)
            .args(["s_client", "-quiet", "-verify_return_error", "-servername", PUBLIC_NAME])
            .args([
                "-verify_hostname",
                PUBLIC_NAME,
                "-connect",
                &format!("127.0.0.1:{port}"),
                "-CAfile",
            ])
            .arg(&certificate)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let (mut input, mut output) = (client.stdin.take().unwrap(), client.stdout.take().unwrap());
        let (mut reader, mut writer) = (stream.try_clone().unwrap(), stream);
        thread::spawn(move || {
            let _client = Running(client); // until the visitor leaves
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                if input.write_all(&buffer[..read]).and_then(|()| input.flush()).is_err() {
                    break;
                }
            }
        });
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(read @ 1..) = output.read(&mut buffer) {
                if writer.write_all(&buffer[..read]).is_err() {
                    break;
                }
            }
            let _ = writer.shutdown(Shutdown::Both);
        });
    })
}

#[test]
fn visitors_come_through_nginx_with_tls() {
    let Some(nginx) = program_or_skip!("nginx") else { return };
    let Some(openssl) = program_or_skip!("openssl") else { return };
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate.pem");
    let name = format!("subjectAltName=DNS:{PUBLIC_NAME}");
    let made = Command::new(&openssl)
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=ludus"])
        .args(["-addext", &name, "-keyout"])
        .arg(folder.path().join("certificate.key"))
        .arg("-out")
        .arg(&certificate)
        .stderr(Stdio::null())
        .status();
    assert!(made.unwrap().success());
    let token = "open-sesame-please";
    let arguments = ["--public-url", PUBLIC_URL];
    let server = Served::start_with(tempfile::tempdir().unwrap(), &arguments);
    let (_nginx, port) = start_nginx(&nginx, folder.path(), &server.address);
    check_visit(&tls_tunnel(&openssl, &certificate, port));
    drop(server);

    let arguments = ["--public-url", PUBLIC_URL, "--token", token];
    let server = Served::start_with(tempfile::tempdir().unwrap(), &arguments);
    let (_nginx, port) = start_nginx(&nginx, folder.path(), &server.address);
    let visitor = tls_tunnel(&openssl, &certificate, port);
    let (status, head, _) = visitor.exchange("GET", &format!("/?token={token}"), PUBLIC_URL, "");
    let head = head.to_lowercase();
    assert_eq!(status, 303, "{head}");
    assert!(head.contains("; samesite=strict; secure") && !head.contains(token), "{head}");
    assert!(head.contains("\r\nlocation: /\r\n"), "{head}");
}
