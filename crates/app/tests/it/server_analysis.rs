//! Analysis over a WebSocket.

use crate::served::{Served, Socket, talk};
use serde_json::{Value, json};

fn of_type<'a>(heard: &'a [Value], wanted: &str) -> Vec<&'a Value> {
    heard.iter().filter(|message| message["type"] == json!(wanted)).collect()
}

async fn error(socket: &mut Socket, message: &Value) -> String {
    socket.send(message).await;
    let heard = socket.hear_until("error").await;
    heard.last().unwrap()["message"].as_str().unwrap().to_owned()
}

#[test]
fn several_players_look_at_a_position() {
    let server = Served::start();
    talk(async {
        let mut socket = server.socket("/api/analysis").await;
        socket
            .send(&json!({
                "type": "analyse", "id": "1", "game": "connect4", "moves": ["4", "4"],
                "players": ["alphabeta:depth=5", "mcts:playouts=500"], "lines": 3, "seconds": 20,
            }))
            .await;
        let mut heard = socket.hear_until("done").await;
        heard.extend(socket.hear_until("done").await);
        let mut done: Vec<&str> =
            of_type(&heard, "done").iter().map(|m| m["player"].as_str().unwrap()).collect();
        done.sort_unstable();
        assert_eq!(done, ["alphabeta:depth=5", "mcts:playouts=500"]);
        for answer in of_type(&heard, "analysis") {
            assert_eq!(answer["id"], json!("1"));
            assert!(answer["analysis"]["pv_labels"].is_array());
        }
        let answers = of_type(&heard, "analysis");
        let last =
            answers.iter().rfind(|answer| answer["player"] == json!("alphabeta:depth=5")).unwrap();
        let lines = last["analysis"]["lines"].as_array().unwrap();
        assert_eq!(lines.len(), 3);
        assert!(last["analysis"]["moves"].as_array().unwrap().len() >= 3);
    });
}

#[test]
fn a_request_is_stopped_and_wrong_ones_are_refused() {
    let server = Served::start();
    talk(async {
        let mut socket = server.socket("/api/analysis").await;
        let long = |id: &str| {
            json!({ "type": "analyse", "id": id, "game": "chess", "moves": [],
                    "players": ["engine"], "lines": 1, "seconds": 500 })
        };
        for number in 0..3 {
            socket.send(&long(&format!("long {number}"))).await;
        }
        let first = socket.hear_until("analysis").await.pop().unwrap();
        assert!(first["id"].as_str().unwrap().starts_with("long"));
        for number in 0..3 {
            socket.send(&json!({ "type": "stop", "id": format!("long {number}") })).await;
        }
        // The threads are free again: a short request completes.
        socket
            .send(&json!({ "type": "analyse", "id": "short", "game": "tictactoe", "moves": [],
                           "players": ["minimax:depth=3"], "seconds": 1 }))
            .await;
        loop {
            let heard = socket.hear_until("done").await;
            if heard.last().unwrap()["id"] == json!("short") {
                break;
            }
        }
        assert!(
            error(&mut socket, &json!({ "type": "dance", "id": "x" })).await.contains("analyse")
        );
        let wrong = |change: Value| {
            let mut message = long("x");
            for (key, value) in change.as_object().unwrap() {
                message[key] = value.clone();
            }
            message
        };
        assert!(error(&mut socket, &wrong(json!({ "players": [] }))).await.contains("1 to 4"));
        assert!(error(&mut socket, &wrong(json!({ "players": ["uci"] }))).await.contains("engine"));
        assert!(error(&mut socket, &wrong(json!({ "seconds": 601 }))).await.contains("600"));
        assert!(error(&mut socket, &wrong(json!({ "lines": 99 }))).await.contains("lines"));
        assert!(error(&mut socket, &wrong(json!({ "moves": ["e2e5"] }))).await.contains("e2e5"));
        assert!(error(&mut socket, &wrong(json!({ "game": "x" }))).await.contains("chess"));
        socket.say("no json at all").await;
        assert_eq!(socket.hear_until("error").await.last().unwrap()["id"], Value::Null);
    });
}

#[test]
fn a_player_that_fails_is_named_and_the_others_go_on() {
    let server = Served::start();
    talk(async {
        let mut socket = server.socket("/api/analysis").await;
        let players = ["anaconda", "alphabeta:depth=2"];
        socket
            .send(&json!({ "type": "analyse", "id": "1", "game": "draughts:rules=russian",
                           "moves": [], "players": players, "seconds": 20 }))
            .await;
        let mut heard = Vec::new();
        while of_type(&heard, "error").is_empty() || of_type(&heard, "done").is_empty() {
            heard.push(socket.hear().await);
        }
        assert_eq!(of_type(&heard, "error")[0]["player"], json!(players[0]));
        assert_eq!(of_type(&heard, "done")[0]["player"], json!(players[1]));
    });
}

#[test]
fn searches_end_when_the_client_disconnects() {
    let server = Served::start();
    talk(async {
        for _ in 0..4 {
            let mut socket = server.socket("/api/analysis").await;
            socket
                .send(&json!({ "type": "analyse", "id": "1", "game": "chess", "moves": [],
                               "players": ["engine", "pvs"], "seconds": 500 }))
                .await;
            socket.hear().await;
        }
        // Eight searches of 500 seconds would block this one.
        let mut socket = server.socket("/api/analysis").await;
        socket
            .send(&json!({ "type": "analyse", "id": "1", "game": "tictactoe", "moves": [],
                           "players": ["minimax:depth=2"], "seconds": 1 }))
            .await;
        socket.hear_until("done").await;
    });
}

#[test]
fn a_whole_game_is_reviewed() {
    let server = Served::start();
    talk(async {
        let mut socket = server.socket("/api/analysis").await;
        let moves = ["f2f3", "e7e5", "g2g4", "d8h4"];
        socket
            .send(&json!({ "type": "review", "id": "r", "game": "chess", "moves": moves,
                           "player": "engine", "nodes": 3000 }))
            .await;
        let heard = socket.hear_until("done").await;
        let plies = of_type(&heard, "ply");
        assert_eq!(plies.len(), 5);
        assert_eq!(plies[3]["label"], json!("Qh4#"));
        assert!(plies[3]["score"].as_i64().unwrap() < -20_000, "the second side mates");
        assert_eq!(plies[4]["best"], Value::Null);
        assert_eq!(plies[4]["win"], json!(0));
    });
}

#[test]
fn endgame_tables_give_the_result() {
    let data = tempfile::tempdir().unwrap();
    let ludus = |arguments: &[&str]| {
        let mut command = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("ludus"));
        let output = command.env("LUDUS_DATA", data.path()).args(arguments).arg("--json");
        let output = output.assert().success().get_output().stdout.clone();
        serde_json::from_slice::<Value>(&output).unwrap()
    };
    ludus(&["endgame", "build", "draughts", "--pieces", "3"]);
    let plies = |position: &str| {
        ludus(&["endgame", "probe", "draughts", &format!("--position={position}")])["plies"].clone()
    };
    let (won, lost) = ("B:BK14,K15:WK32", "W:BK14,K15:WK29");
    let cases = [
        (won, format!("Black wins in {} plies, according to the endgame tables", plies(won))),
        (lost, format!("Black wins in {} plies, according to the endgame tables", plies(lost))),
        ("B:BK1:WK32", "a draw, according to the endgame tables".to_owned()),
    ];
    let server = Served::start_in(data);
    talk(async {
        let mut socket = server.socket("/api/analysis").await;
        for (position, words) in cases {
            socket
                .send(&json!({
                    "type": "analyse", "id": position, "game": "draughts", "position": position,
                    "moves": [], "players": ["greedy"], "lines": 1, "seconds": 1,
                }))
                .await;
            let told = socket.hear_until("verdict").await.pop().unwrap();
            assert_eq!((&told["id"], &told["words"]), (&json!(position), &json!(words)));
        }
    });
}

#[test]
fn missing_endgame_tables_are_suggested() {
    let server = Served::start();
    let ask = |position: &str| {
        json!({ "type": "analyse", "id": "e", "game": "draughts", "position": position,
                "moves": [], "players": ["greedy"], "lines": 1, "seconds": 1 })
    };
    talk(async {
        let mut socket = server.socket("/api/analysis").await;
        socket.send(&ask("B:BK1:WK32")).await;
        let told = socket.hear_until("verdict").await.pop().unwrap();
        let words = told["words"].as_str().unwrap();
        assert!(words.contains("ludus endgame build draughts --pieces 2"), "{words}");
    });
}

#[test]
fn ownership_is_sent_for_go() {
    let server = Served::start();
    talk(async {
        let mut socket = server.socket("/api/analysis").await;
        socket
            .send(&json!({ "type": "analyse", "id": "g", "game": "go:size=5", "moves": ["C3"],
                           "players": ["mcts:playouts=200"], "seconds": 20 }))
            .await;
        let heard = socket.hear_until("ownership").await;
        let owners = heard.last().unwrap()["owners"].as_array().unwrap();
        assert_eq!(owners.len(), 25);
        assert!(owners.iter().all(|owner| (-1.0..=1.0).contains(&owner.as_f64().unwrap())));
    });
}
