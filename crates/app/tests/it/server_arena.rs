//! Contests over HTTP and WebSockets.

use crate::served::{Served, talk, wait_until};
use ludus_arena::store::{NewContest, Store};
use serde_json::{Value, json};

fn finished(contest: &Value) -> bool {
    contest["state"] == json!("finished")
}

#[test]
fn a_tournament_is_held_to_its_cross_table() {
    let server = Served::start();
    let players = ["random", "greedy", "minimax:depth=2", "mcts:playouts=30"];
    let request = json!({
        "game": "tictactoe", "players": players, "form": "round-robin", "games": 4,
        "limits": {}, "openings": "suite", "seed": 1, "concurrency": 2,
    });
    let contest = server.posted("/api/contests", &request);
    let path = format!("/api/contests/{}", contest["id"].as_str().unwrap());
    let contest = server.until(&path, finished);
    assert_eq!((&contest["done"], &contest["planned"]), (&json!(24), &json!(24)));
    assert_eq!(contest["table"].as_array().unwrap().len(), 4);
    assert_eq!(contest["table"][0][0], Value::Null);
    let counts = &contest["table"][0][1];
    let games: u64 =
        ["wins", "draws", "losses"].iter().map(|name| counts[name].as_u64().unwrap()).sum();
    assert_eq!(games, 4);
    assert_eq!(contest["ratings"].as_array().unwrap().len(), 4);
    assert!(contest["boards"].as_array().unwrap().is_empty());

    let list = server.got("/api/contests");
    assert_eq!(list["contests"][0]["state"], json!("finished"));
    let games = server.got(&format!("{path}/games?offset=20"));
    assert_eq!(games["games"].as_array().unwrap().len(), 4);
    let id = games["games"][0]["id"].as_str().unwrap();
    let game = server.got(&format!("/api/games/{id}"));
    assert_eq!(game["game"], json!("tictactoe"));
    assert_eq!(game["moves"].as_array().unwrap().len() as u64, game["plies"].as_u64().unwrap());
    assert!(game["record"].as_str().unwrap().contains("[Result"));

    // A new server loads it from the store.
    let folder = server.end();
    let server = Served::start_in(folder);
    assert_eq!(server.got(&path)["ratings"], contest["ratings"]);
    assert_eq!(server.post(&format!("{path}/resume"), &json!({})).0, 409);
}

#[test]
fn a_contest_with_settings_of_another_version_is_listed_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("ludus.sqlite")).unwrap();
    let contest = NewContest {
        name: "a cup of the future".to_owned(),
        kind: "tournament".to_owned(),
        game: "tictactoe".to_owned(),
        config: json!({ "game": "tictactoe", "form": "swiss", "players": ["random", "greedy"] }),
        fingerprint: "future".to_owned(),
        seed: 1,
        build: "9.9".to_owned(),
        players: Vec::new(),
    };
    store.register(&contest).unwrap();
    drop(store);
    let server = Served::start_in(folder);
    let listed = &server.got("/api/contests")["contests"][0];
    let error = listed["error"].as_str().unwrap();
    assert!(error.contains("a cup of the future") && error.contains("this version"), "{error}");
    assert_eq!(listed["players"], json!(["random", "greedy"]));
    assert_eq!(listed["form"], json!("swiss"));
}

#[test]
fn a_contest_is_watched_stopped_and_resumed() {
    let server = Served::start();
    let request = json!({
        "game": "draughts", "players": ["mcts:playouts=300", "mcts:playouts=301"], "games": 400,
        "sprt": { "elo0": 0.0, "elo1": 10.0 }, "concurrency": 2,
    });
    let contest = server.posted("/api/contests", &request);
    let path = format!("/api/contests/{}", contest["id"].as_str().unwrap());
    talk(async {
        let mut socket = server.socket(&format!("{path}/live")).await;
        loop {
            let message = socket.hear().await;
            assert_eq!(message["type"], json!("contest"));
            let boards = message["contest"]["boards"].as_array().unwrap();
            if boards.iter().any(|board| board["moves"].as_u64() > Some(2)) {
                assert_eq!(boards[0]["view"]["rows"], json!(8));
                break;
            }
        }
    });
    let stopped = server.posted(&format!("{path}/stop"), &json!({}));
    assert_eq!(stopped["state"], json!("stopped"));
    assert!(stopped["done"].as_u64() < Some(400));
    assert_eq!(server.post(&format!("{path}/stop"), &json!({})).0, 409);
    let resumed = server.posted(&format!("{path}/resume"), &json!({}));
    assert_eq!(resumed["state"], json!("running"));
    let stopped = server.posted(&format!("{path}/stop"), &json!({}));
    assert!(stopped["sprt"]["verdict"].is_string() || stopped["sprt"].is_null());
}

#[test]
fn contests_share_the_memory_of_the_server() {
    let server = Served::start_with(tempfile::tempdir().unwrap(), &["--memory", "400MB"]);
    let contest = |seed: u64, table: &str| {
        let players = [format!("engine:depth=30,table={table}"), "random".to_owned()];
        json!({ "game": "chess", "players": players, "games": 2, "seed": seed, "concurrency": 1 })
    };
    let (status, running) = server.post("/api/contests", &contest(1, "200MB"));
    assert_eq!(status, 201, "{running}");
    let error = server.refused("/api/contests", &contest(2, "200MB"), 429);
    assert!(error.contains("needs 200 MB") && error.contains("100 MB are free"), "{error}");
    assert_eq!(server.post("/api/contests", &contest(3, "64MB")).0, 201);
    let id = running["id"].as_str().unwrap();
    server.posted(&format!("/api/contests/{id}/stop"), &json!({}));
    wait_until(|| server.post("/api/contests", &contest(2, "200MB")).0 == 201);
}

#[test]
fn wrong_contests_are_refused() {
    let server = Served::start();
    let refused = |change: Value| {
        let mut request = json!({ "game": "chess", "players": ["random", "greedy"] });
        for (key, value) in change.as_object().unwrap() {
            request[key] = value.clone();
        }
        server.refused("/api/contests", &request, 400)
    };
    assert!(refused(json!({ "players": ["random"] })).contains("2 to 32"));
    assert!(refused(json!({ "players": ["random", "random"] })).contains("twice"));
    assert!(refused(json!({ "players": ["random", "uci:path=/bin/sh"] })).contains("players"));
    assert!(refused(json!({ "players": vec!["random"; 33] })).contains("2 to 32"));
    assert!(refused(json!({ "games": 0 })).contains("100000"));
    assert!(refused(json!({ "games": 100_001 })).contains("100000"));
    assert!(refused(json!({ "limits": { "time_ms": 600_001 } })).contains("time_ms"));
    assert!(refused(json!({ "limits": { "depth": 0 } })).contains("depth"));
    assert!(refused(json!({ "concurrency": 65 })).contains("concurrency"));
    let large =
        json!({ "players": ["engine:table=1GB", "alphabeta:table=1GB"], "concurrency": 64 });
    let error = refused(large);
    assert!(error.contains("needs 131072 MB") && error.contains("--memory"), "{error}");
    assert!(refused(json!({ "form": "swiss" })).contains("round-robin"));
    assert!(refused(json!({ "openings": "/etc/passwd" })).contains("suite"));
    assert!(refused(json!({ "sprt": { "elo0": 5.0, "elo1": 0.0 } })).contains("elo0"));
    assert!(refused(json!({ "surprise": 1 })).contains("surprise"));
    for path in ["/api/contests/99", "/api/contests/x", "/api/contests/99/games", "/api/games/9"] {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
    assert_eq!(server.post("/api/contests/99/stop", &json!({})).0, 404);
}

#[test]
fn at_most_four_contests_are_held_at_once() {
    let server =
        Served::start_with(tempfile::tempdir().unwrap(), &["--max-contests-per-address", "4"]);
    let request = |seed: u64| {
        json!({ "game": "chess", "players": ["mcts:playouts=2000", "mcts:playouts=2001"],
                "games": 100, "seed": seed, "concurrency": 1 })
    };
    for seed in 0..4 {
        server.posted("/api/contests", &request(seed));
    }
    assert!(server.refused("/api/contests", &request(4), 429).contains("stop one"));
}
