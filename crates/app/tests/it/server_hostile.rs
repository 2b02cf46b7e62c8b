//! Malformed HTTP and WebSocket messages: clear errors, no crash, no memory growth.

use crate::served::{Served, TEST_TIMEOUT, talk};
use futures_util::{SinkExt, StreamExt};
use ludus_core::Random;
use serde_json::json;
use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    time::Instant,
};
use tokio_tungstenite::{connect_async, tungstenite::Message};

/// Request lines, some of them valid.
const HEADS: &[&str] = &[
    "GET / HTTP/1.1",
    "POST /api/tables HTTP/1.1",
    "POST /api/positions HTTP/1.1",
    "POST /api/explain HTTP/1.1",
    "POST /api/explain/tree HTTP/1.1",
    "POST /api/contests HTTP/1.1",
    "POST /api/runs HTTP/1.1",
    "POST /api/features HTTP/1.1",
    "DELETE /api/tables/%00 HTTP/1.1",
    "GET /api/tables/%ff%fe/at/99999999999999999999 HTTP/1.1",
    "GET /api/tables/x/live HTTP/1.1",
    "GET /api/contests/-1 HTTP/1.1",
    "GET /api/runs/..%2f..%2fetc HTTP/1.1",
    "GET /api/runs/%2e%2e/file/weights HTTP/1.1",
    "PUT /api/games HTTP/1.1",
    "BREW /pot HTTP/1.1",
    "GET HTTP/1.1",
    "\0\0\0\0",
    "GET /%zz HTTP/9.9",
];

/// Bodies, most of them invalid.
const BODIES: &[&str] = &[
    "",
    "{",
    "null",
    "[]",
    "{\"game\":1}",
    "{\"game\":\"chess\",\"position\":\"\\u0000\"}",
    "{\"game\":\"go:size=99\"}",
    "{\"game\":\"go:size=19\",\"moves\":[\"Z99\"]}",
    "{\"game\":\"chess\",\"first\":\"uci:path=/bin/sh\"}",
    "{\"game\":\"chess\",\"first\":\"engine:nodes=99999999999999999999\"}",
    "{\"game\":\"chess\",\"record\":\"((((((((((((\"}",
    "{\"game\":\"go\",\"record\":\"(;B[zz];W[\"}",
    "{\"game\":\"draughts\",\"record\":\"1. 99-1 {\"}",
    "{\"game\":\"chess\",\"clock\":{\"seconds\":1e999}}",
    "{\"game\":\"chess\",\"limits\":{\"depth\":-1}}",
    "{\"tree\":\"((((\",\"algorithm\":\"alphabeta\"}",
    "{\"tree\":\"(1 2 999999999999999)\",\"algorithm\":\"x\"}",
    "{\"recipe\":\"[\"}",
    "{\"players\":[],\"game\":\"chess\",\"games\":-1}",
    "\u{feff}{}",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
];

/// WebSocket messages, most of them invalid.
const MESSAGES: &[&str] = &[
    "",
    "{",
    "{\"type\":\"analyse\"}",
    "{\"type\":\"analyse\",\"id\":1,\"game\":\"ludo\",\"moves\":[],\"players\":[\"engine\"]}",
    "{\"type\":\"analyse\",\"id\":1,\"game\":\"chess\",\"moves\":[\"e9\"],\"players\":[\"engine\"]}",
    "{\"type\":\"analyse\",\"id\":1,\"game\":\"chess\",\"moves\":[],\"players\":[\"uci:path=/bin/sh\"]}",
    "{\"type\":\"review\",\"id\":1,\"game\":\"chess\",\"moves\":[],\"player\":\"\",\"nodes\":-5}",
    "{\"type\":\"stop\",\"id\":12345}",
    "{\"type\":\"stop\",\"id\":{\"a\":[]}}",
    "[\"type\"]",
    "\u{0}\u{1}\u{2}",
];

fn request(random: &mut Random, address: &str) -> Vec<u8> {
    let pick = |random: &mut Random, list: &[&'static str]| random.pick(list).unwrap_or_default();
    let (head, body) = (pick(random, HEADS), pick(random, BODIES));
    let host = if random.below(8) == 0 { "evil.example" } else { address };
    let length = if random.below(8) == 0 { "x".to_owned() } else { body.len().to_string() };
    let kind = if random.below(8) == 0 { "text/plain" } else { "application/json" };
    let text = format!(
        "{head}\r\nHost: {host}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    );
    let mut bytes = text.into_bytes();
    for _ in 0..random.below(4) {
        let place = random.below(bytes.len());
        bytes[place] = random.below(256) as u8;
    }
    bytes
}

/// Sends bytes; returns the status of the response, if there is one.
fn status(address: &str, bytes: &[u8]) -> Option<u16> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    let _ = stream.write_all(bytes); // the server may close the connection early
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut answer = Vec::new();
    let _ = stream.take(1 << 16).read_to_end(&mut answer);
    let text = String::from_utf8_lossy(&answer);
    text.split(' ').nth(1)?.parse().ok()
}

/// Resident memory of a process in kilobytes.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn attack(requests: usize, messages: usize) {
    let server = Served::start();
    let mut random = Random::new(1);
    let mut run = |count: usize| {
        let mut refused = 0;
        for _ in 0..count {
            let bytes = request(&mut random, &server.address);
            match status(&server.address, &bytes) {
                Some(500..) => panic!("{:?}", String::from_utf8_lossy(&bytes)),
                Some(400..) => refused += 1,
                _ => {}
            }
        }
        refused
    };
    let begun = Instant::now();
    run(requests / 4);
    let before = memory(server.process());
    let refused = run(requests - requests / 4);
    assert!(refused > requests / 3, "{refused} of {requests} were refused");
    send_messages(&server, messages);
    let after = memory(server.process());
    println!("{requests} requests, {messages} messages in {:?}", begun.elapsed());
    println!("memory: {before} kB, then {after} kB");
    assert!(after < before + 300_000, "memory grew from {before} kB to {after} kB");
    assert_eq!(server.get("/api/games").0, 200);
    let table = server.posted("/api/tables", &json!({ "game": "chess" }));
    assert_eq!(table["turn"], "first");
}

/// Sends invalid WebSocket messages.
fn send_messages(server: &Served, messages: usize) {
    let table = server.posted("/api/tables", &json!({ "game": "chess" }));
    let live = format!("/api/tables/{}/live", table["id"].as_str().unwrap());
    let mut random = Random::new(2);
    talk(async {
        for batch in 0..messages.div_ceil(100) {
            let path = if batch % 2 == 0 { "/api/analysis" } else { &live };
            let (mut socket, _) =
                connect_async(format!("ws://{}{path}", server.address)).await.unwrap();
            for _ in 0..100.min(messages) {
                let text = random.pick(MESSAGES).unwrap_or_default();
                let message = match random.below(4) {
                    0 => Message::binary(text.as_bytes().to_vec()),
                    1 => Message::text(format!("{text}{}", random.below(1000))),
                    _ => Message::text(text),
                };
                if socket.send(message).await.is_err() {
                    break;
                }
            }
            // The server has read everything before when it answers the close.
            let _ = socket.close(None).await;
            while let Some(Ok(_)) = socket.next().await {}
        }
    });
}

#[test]
fn malformed_messages_are_refused() {
    attack(400, 400);
}

#[test]
#[ignore = "takes a minute: cargo test --test it server_hostile -- --ignored --nocapture"]
fn ten_thousand_malformed_messages_are_refused() {
    attack(10_000, 10_000);
}
