//! Access control of the server.

use crate::served::{Served, TEST_TIMEOUT, talk};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    process::Command,
};
use tokio_tungstenite::{
    connect_async,
    tungstenite::{Error, client::IntoClientRequest},
};

/// Sends a raw request; returns the response.
fn raw(server: &Served, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    let _ = stream.write_all(request); // the server may refuse a body before reading all of it
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stream.read(&mut buffer) {
        answer.extend_from_slice(&buffer[..read]);
        if answer.len() > 1 << 16 {
            break;
        }
    }
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(server: &Served, path: &str, headers: &str) -> String {
    raw(server, format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").as_bytes())
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0)
}

#[test]
fn foreign_hosts_and_origins_are_refused() {
    let server = Served::start();
    let own = format!("Host: {}\r\n", server.address);
    let port = server.address.rsplit_once(':').unwrap().1.to_owned();
    assert_eq!(status(&get(&server, "/api/games", &own)), 200);
    assert_eq!(status(&get(&server, "/api/games", &format!("Host: localhost:{port}\r\n"))), 200);
    for host in
        [format!("evil.example:{port}"), "evil.example".to_owned(), "127.0.0.1:1".to_owned()]
    {
        assert_eq!(
            status(&get(&server, "/api/games", &format!("Host: {host}\r\n"))),
            421,
            "{host}"
        );
    }
    assert_eq!(status(&get(&server, "/", "")), 400);
    let origin = |origin: &str| get(&server, "/api/games", &format!("{own}Origin: {origin}\r\n"));
    assert_eq!(status(&origin(&format!("http://{}", server.address))), 200);
    for foreign in ["http://evil.example", "null", "https://127.0.0.1"] {
        assert_eq!(status(&origin(foreign)), 403, "{foreign}");
    }
}

#[test]
fn websockets_of_foreign_pages_are_refused() {
    let server = Served::start();
    let table = server.posted("/api/tables", &json!({ "game": "chess" }));
    let path = format!("/api/tables/{}/live", table["id"].as_str().unwrap());
    talk(async {
        for (origin, wanted) in [("http://evil.example", 403), ("null", 403)] {
            for path in [path.as_str(), "/api/analysis"] {
                let mut request =
                    format!("ws://{}{path}", server.address).into_client_request().unwrap();
                request.headers_mut().insert("origin", origin.parse().unwrap());
                match connect_async(request).await {
                    Err(Error::Http(response)) => assert_eq!(response.status(), wanted),
                    other => panic!("{other:?}"),
                }
            }
        }
        let mut request = format!("ws://{}{path}", server.address).into_client_request().unwrap();
        let origin = format!("http://{}", server.address);
        request.headers_mut().insert("origin", origin.parse().unwrap());
        assert!(connect_async(request).await.is_ok());
    });
}

#[test]
fn without_a_token_other_computers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Served::start_with(folder, &["--bind", "0.0.0.0"]);
    let port = server.address.rsplit_once(':').unwrap().1.to_owned();
    server.address = format!("127.0.0.1:{port}");
    for path in ["/", "/api/games", "/app.js", "/api/tables/x/live", "/?token="] {
        let answer = get(&server, path, &format!("Host: {}\r\n", server.address));
        assert_eq!(status(&answer), 403, "{path}");
        assert!(answer.contains("--token-file FILE"), "{answer}");
        assert!(!answer.contains("<html"));
    }
}

const TOKEN: &str = "open-sesame-please";

/// A server for other computers, with a token; and the header by which they name it.
fn guarded() -> (Served, String) {
    let folder = tempfile::tempdir().unwrap();
    let mut server = Served::start_with(folder, &["--bind", "0.0.0.0", "--token", TOKEN]);
    let port = server.address.rsplit_once(':').unwrap().1.to_owned();
    server.address = format!("127.0.0.1:{port}");
    (server, format!("Host: board.example:{port}\r\n"))
}

#[test]
fn requests_with_the_token_are_served() {
    let (server, host) = guarded();
    assert_eq!(status(&get(&server, "/", &host)), 403);
    assert_eq!(status(&get(&server, "/?token=", &host)), 403);
    assert_eq!(status(&get(&server, "/?token=wrong", &host)), 403);
    let answer = get(&server, &format!("/api/games?token={TOKEN}&x=1"), &host);
    assert_eq!(status(&answer), 303);
    assert!(answer.contains("\r\nlocation: /api/games?x=1\r\n"), "{answer}");
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    assert!(!answer.contains(TOKEN), "{answer}");
    let session = cookie.split(';').next().unwrap();
    let cookie = format!("{host}Cookie: a=b; {session}\r\n");
    assert_eq!(status(&get(&server, "/api/games", &cookie)), 200);
    let bearer = format!("{host}Authorization: Bearer {TOKEN}\r\n");
    assert_eq!(status(&get(&server, "/api/games", &bearer)), 200);
    let foreign = format!("{bearer}Origin: http://evil.example\r\n");
    assert_eq!(status(&get(&server, "/api/games", &foreign)), 403);

    // The session goes on after a restart.
    let folder = server.end();
    let server = Served::start_with(folder, &["--token", TOKEN]);
    let cookie = format!("Host: {}\r\nCookie: {session}\r\n", server.address);
    assert_eq!(status(&get(&server, "/api/games", &cookie)), 200);
}

#[test]
fn wrong_tokens_are_slowed_down() {
    let (server, host) = guarded();
    let guess = |token: &str| status(&get(&server, &format!("/?token={token}"), &host));
    let answers: Vec<u16> = (0..50).map(|number| guess(&format!("wrong-{number}"))).collect();
    assert_eq!(answers.first(), Some(&403));
    assert_eq!(answers.last(), Some(&429));
    assert_eq!(guess(TOKEN), 429, "it is not even looked at");
}

#[test]
fn empty_and_short_tokens_are_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    fs::write(&file, "short\n").unwrap();
    let start = |arguments: &[&str], token: Option<&str>| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludus"));
        command.args(["serve", "--port", "0", "--data-dir"]).arg(folder.path());
        command.args(arguments).envs(token.map(|token| ("LUDUS_TOKEN", token)));
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(start(&["--token", ""], None).contains("--token: the token is empty"));
    assert!(start(&[], Some("")).contains("LUDUS_TOKEN: the token is empty"));
    let message = start(&["--token-file", file.to_str().unwrap()], None);
    assert!(
        message.contains("token: the token has 5 characters: expected at least 16"),
        "{message}"
    );
}

#[test]
fn nothing_but_the_pages_can_be_read() {
    let server = Served::start();
    let host = format!("Host: {}\r\n", server.address);
    for path in [
        "/../Cargo.toml",
        "/..%2fCargo.toml",
        "/%2e%2e/Cargo.toml",
        "/pages/../../Cargo.toml",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/.git/config",
        "/pages/..\\..\\Cargo.toml",
        "/index.html%00.js",
        "/pages/",
    ] {
        let answer = get(&server, path, &host);
        assert!(matches!(status(&answer), 400 | 404), "{path}: {answer}");
        assert!(!answer.contains("[workspace]") && !answer.contains("root:"), "{path}");
    }
    let answer = get(&server, "/", &host);
    assert_eq!(status(&answer), 200);
    for header in [
        "content-security-policy: default-src 'self'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "frame-ancestors 'none'",
    ] {
        assert!(answer.contains(header), "{header}");
    }
    let tag = answer.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().trim();
    let again = get(&server, "/", &format!("{host}If-None-Match: {tag}\r\n"));
    assert_eq!(status(&again), 304);
}

#[test]
fn files_are_compressed_if_accepted() {
    let server = Served::start();
    let host = format!("Host: {}\r\n", server.address);
    let page = get(&server, "/", &host);
    let folder = page.split_once("href=\"v-").and_then(|(_, rest)| rest.split_once('/')).unwrap().0;
    for name in ["style/base.css", "app.js", "board/board.js"] {
        // Pages of an older version may still request files from its folder.
        for folder in [folder, "0123456789abcdef"] {
            let path = format!("/v-{folder}/{name}");
            let plain = get(&server, &path, &host);
            assert!(status(&plain) == 200 && !plain.contains("content-encoding"), "{path}");
            let zipped = get(&server, &path, &format!("{host}Accept-Encoding: br, gzip\r\n"));
            assert!(zipped.contains("content-encoding: gzip"), "{path}");
            assert!(zipped.contains("vary: accept-encoding"), "{path}");
        }
    }
    assert_eq!(status(&get(&server, &format!("/v-{folder}/../Cargo.toml"), &host)), 404);
    assert_eq!(status(&get(&server, &format!("/v-{folder}/"), &host)), 404);
}

#[test]
fn bodies_and_messages_have_a_maximum_size() {
    let server = Served::start();
    let large = json!({ "game": "chess", "record": "x".repeat(2 << 20) }).to_string();
    let head = format!(
        "POST /api/tables HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        server.address,
        large.len()
    );
    let answer = raw(&server, format!("{head}{large}").as_bytes());
    assert_eq!(status(&answer), 413, "{answer}");
    assert!(answer.contains("\"message\""), "{answer}");

    let table = server.posted("/api/tables", &json!({ "game": "chess" }));
    let contest = json!({ "game": "tictactoe", "players": ["random", "greedy"], "games": 2 });
    let contest = server.posted("/api/contests", &contest);
    let recipe = "kind = \"td\"\ngame = \"draughts\"\nplayer = \"neurodraughts:pruning=on\"\n\
                  [td]\nsessions = 2\ngames = 2\nlook_ahead = 2";
    server.posted("/api/runs", &json!({ "name": "short", "recipe": recipe }));
    for path in [
        format!("/api/tables/{}/live", table["id"].as_str().unwrap()),
        format!("/api/contests/{}/live", contest["id"].as_str().unwrap()),
        "/api/runs/short/live".to_owned(),
        "/api/analysis".to_owned(),
    ] {
        talk(async {
            let address = format!("ws://{}{path}", server.address);
            let (mut socket, _) = connect_async(address).await.unwrap();
            let _ = socket.send("x".repeat(1 << 20).into()).await;
            let ended = async {
                while let Some(Ok(message)) = socket.next().await {
                    if message.is_close() {
                        break;
                    }
                }
            };
            assert!(tokio::time::timeout(TEST_TIMEOUT, ended).await.is_ok(), "{path}");
        });
    }
    assert_eq!(server.get("/api/games").0, 200);
}
