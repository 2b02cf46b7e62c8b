//! While one caller takes all it can get, another one plays on. Nothing is measured: the attack lasts until the
//! game is over.
#![cfg(target_os = "linux")] // elsewhere this computer has one address

use crate::{
    callers::{connect_from, post_from, upgrade},
    served::{Served, TEST_TIMEOUT, talk},
};
use serde_json::{Value, json};
use std::{
    io::{Read, Write},
    net::{IpAddr, TcpStream},
};

const ATTACKER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(127, 0, 0, 2));
const PERSON: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
/// Open files of a server under attack, and the connections that it gets.
const OPEN_FILES: usize = 256;
const ATTACKS: usize = 300;

fn table_path(table: &Value) -> String {
    format!("/api/tables/{}", table["id"].as_str().unwrap())
}

/// Plays a game against the computer to its end; returns the number of moves that it answered.
fn play(server: &Served) -> usize {
    let input = json!({ "game": "tictactoe", "second": "random" });
    let mut table = server.posted("/api/tables", &input);
    let path = table_path(&table);
    let mut answers = 0;
    while table["ending"].is_null() {
        let mv = table["legal"][0]["move"].clone();
        server.posted(&format!("{path}/move"), &json!({ "move": mv }));
        table = server.until(&format!("{path}?wait=60000"), |table| table["thinking"].is_null());
        assert_eq!(table["error"], Value::Null);
        answers += 1;
    }
    answers
}

/// A game that nobody plays: each move takes a minute.
fn slow_game(server: &Served) -> String {
    let input = json!({
        "game": "chess", "first": "engine", "second": "engine", "limits": { "time_ms": 60_000 },
    });
    table_path(&server.posted("/api/tables", &input))
}

#[test]
fn idle_sockets_of_one_caller_leave_room_for_others() {
    let server = Served::start_with_open_files(OPEN_FILES, &[]);
    let path = table_path(&server.posted("/api/tables", &json!({ "game": "chess" }))) + "/live";
    let headers = format!("Host: {}\r\n", server.address);
    let mut sockets = Vec::new();
    let mut answers = Vec::new();
    for _ in 0..ATTACKS {
        let mut stream = connect_from(ATTACKER, &server.address);
        answers.push(upgrade(&mut stream, &path, &headers));
        sockets.push(stream);
    }
    assert_eq!((answers[0], answers[ATTACKS - 1]), (101, 429));
    assert!(play(&server) > 0);
    talk(async {
        let mut socket = server.socket(&path).await;
        assert_eq!(socket.hear().await["type"], json!("table"));
    });
}

#[test]
fn half_sent_requests_leave_room_for_others() {
    let hour = ["--header-timeout-seconds", "3600"];
    for attacker in [ATTACKER, PERSON] {
        let server = Served::start_with_open_files(OPEN_FILES, &hour);
        let half_sent = |_| {
            let mut stream = connect_from(attacker, &server.address);
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ");
            stream
        };
        let _streams: Vec<TcpStream> = (0..ATTACKS).map(half_sent).collect();
        assert!(play(&server) > 0, "{attacker}");
    }
}

#[test]
fn games_that_nobody_plays_do_not_delay_a_person() {
    let server = Served::start();
    let games: Vec<String> = (0..8).map(|_| slow_game(&server)).collect();
    let answers: usize = (0..4).map(|_| play(&server)).sum();
    let moves = |path: &String| {
        server.got(&format!("{path}?asleep=true"))["moves"].as_array().unwrap().len()
    };
    let slow: usize = games.iter().map(moves).sum();
    // If they took turns with the person, each answer would have waited for one of their moves.
    assert!(slow < answers, "{slow} moves of a minute, {answers} answers");
}

#[test]
fn analyses_of_one_caller_do_not_delay_others() {
    let server = Served::start();
    let mut other = socket_from(ATTACKER, &server, "/api/analysis");
    talk(async {
        let mut greedy = server.socket("/api/analysis").await;
        for id in 0..8 {
            let players = ["engine", "alphabeta", "negamax", "mcts"];
            let request = json!({
                "type": "analyse", "id": id.to_string(), "game": "chess", "players": players, "seconds": 600,
            });
            greedy.send(&request).await;
        }
        // The searches are under way.
        assert_eq!(greedy.hear().await["type"], json!("analysis"));
        let question = json!({ "game": "chess", "player": "alphabeta:depth=2" });
        assert!(server.posted("/api/explain", &question)["trace"].is_object());

        let request = json!({
            "type": "analyse", "id": "mine", "game": "tictactoe", "players": ["minimax"], "seconds": 1,
        });
        say(&mut other, &request.to_string());
        let mut heard = Vec::new();
        let mut buffer = [0; 4096];
        while !String::from_utf8_lossy(&heard).contains("\"done\"") {
            let read = other.read(&mut buffer).expect("an answer in time");
            assert!(read > 0, "the server hung up");
            heard.extend_from_slice(&buffer[..read]);
        }
    });
}

fn socket_from(address: IpAddr, server: &Served, path: &str) -> TcpStream {
    let mut stream = connect_from(address, &server.address);
    assert_eq!(upgrade(&mut stream, path, &format!("Host: {}\r\n", server.address)), 101);
    stream
}

/// Sends a text message, masked by zeros.
fn say(stream: &mut TcpStream, text: &str) {
    let length = u16::try_from(text.len()).unwrap();
    let mut frame = vec![0x81, 0x80 | 126];
    frame.extend_from_slice(&length.to_be_bytes());
    frame.extend_from_slice(&[0; 4]);
    frame.extend_from_slice(text.as_bytes());
    stream.write_all(&frame).unwrap();
}

#[test]
fn one_caller_cannot_take_all_contests() {
    let folder = tempfile::tempdir().unwrap();
    let server = Served::start_with(folder, &["--max-contests-per-address", "1"]);
    let players = ["mcts:playouts=300", "mcts:playouts=301"];
    let request = json!({ "game": "draughts", "players": players, "games": 400 });
    let contest = server.posted("/api/contests", &request);
    let message = server.refused("/api/contests", &request, 429);
    assert!(message.contains("1 contests are in progress"), "{message}");
    assert_eq!(post_from(ATTACKER, &server, "/api/contests", &request.to_string()), 201);
    let stop = format!("/api/contests/{}/stop", contest["id"].as_str().unwrap());
    server.posted(&stop, &json!({}));
    server.posted("/api/contests", &request);
}

#[test]
fn sockets_that_do_not_answer_pings_are_closed() {
    let folder = tempfile::tempdir().unwrap();
    let server = Served::start_with(folder, &["--ping-interval-seconds", "1"]);
    let table = server.posted("/api/tables", &json!({ "game": "tictactoe" }));
    let path = table_path(&table);
    let live = format!("{path}/live");
    let mut dead = socket_from(ATTACKER, &server, &live);
    talk(async {
        let mut alive = server.socket(&live).await;
        assert_eq!(alive.hear().await["type"], json!("table"));
        let closed = tokio::task::spawn_blocking(move || dead.read_to_end(&mut Vec::new()));
        tokio::select! {
            closed = closed => assert!(closed.unwrap().is_ok()),
            message = alive.hear() => panic!("{message}"), // it answers pings meanwhile
            () = tokio::time::sleep(TEST_TIMEOUT) => panic!("the socket is still open"),
        }
        let mv = table["legal"][0]["move"].clone();
        server.posted(&format!("{path}/move"), &json!({ "move": mv }));
        assert_eq!(alive.hear().await["table"]["moves"].as_array().unwrap().len(), 1);
    });
}
