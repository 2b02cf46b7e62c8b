//! Persistence across restarts of the server.

use crate::served::{Served, wait_until};
use ludus_arena::store::Store;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

#[test]
fn a_game_survives_an_interrupted_server() {
    let server = Served::start();
    let clock = json!({ "seconds": 600, "increment": 1 });
    let input = json!({ "game": "go:size=9", "second": "greedy", "clock": clock, "seed": 5 });
    let table = server.posted("/api/tables", &input);
    let path = format!("/api/tables/{}", table["id"].as_str().unwrap());
    server.posted(&format!("{path}/move"), &json!({ "move": "E5" }));
    let before = server.got(&format!("{path}?wait=60000"));
    assert_eq!(before["moves"].as_array().unwrap().len(), 2);
    let other = server.posted("/api/tables", &json!({ "game": "chess" }));
    let other = format!("/api/tables/{}", other["id"].as_str().unwrap());
    server.posted(&format!("{other}/resign"), &json!({ "side": "second" }));

    let server = Served::start_in(server.interrupt());
    let after = server.got(&path);
    for key in ["id", "version", "game", "moves", "position", "legal", "seed", "limits"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    let left = after["sides"]["first"]["clock_ms"].as_u64().unwrap();
    assert!((500_000..=600_000).contains(&left), "{left}");
    assert_eq!(server.got(&other)["ending"]["words"], "White wins by resignation");
    let tables = server.got("/api/tables");
    assert_eq!(tables["tables"].as_array().unwrap().len(), 2);
    server.posted(&format!("{path}/move"), &json!({ "move": "C3" }));
    assert_eq!(server.got(&format!("{path}?wait=60000"))["moves"].as_array().unwrap().len(), 4);
}

#[test]
fn a_search_resumes_after_a_restart() {
    let server = Served::start();
    let input =
        json!({ "game": "chess", "first": "minimax:depth=30", "limits": { "time_ms": 60000 } });
    let table = server.posted("/api/tables", &input);
    let id = table["id"].as_str().unwrap();
    let path = format!("/api/tables/{id}");
    // Killed, not interrupted: games are saved soon, not only at shutdown.
    let store = Store::open(&server.folder.path().join("ludus.sqlite")).unwrap();
    wait_until(|| store.document("table", id).unwrap().is_some());
    drop(store);
    let server = Served::start_in(server.end());
    let after = server.got(&path);
    assert_eq!(after["thinking"], "first");
    server.posted(&format!("{path}/go"), &json!({}));
    let rests = |state: &Value| state["thinking"].is_null();
    assert_eq!(server.until(&format!("{path}?wait=60000"), rests)["turn"], "second");
}

#[test]
fn a_deleted_game_stays_deleted() {
    let server = Served::start();
    let table = server.posted("/api/tables", &json!({ "game": "connect4" }));
    let path = format!("/api/tables/{}", table["id"].as_str().unwrap());
    assert_eq!(server.request("DELETE", &path, None).0, 204);
    let server = Served::start_in(server.interrupt());
    assert_eq!(server.get(&path).0, 404);
}

#[test]
fn bare_ludus_is_served_at_the_next_free_port() {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let mut children = folders.each_ref().map(|folder| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ludus"));
        command.env("LUDUS_DATA", folder.path()).stdout(Stdio::piped()).spawn().unwrap()
    });
    let ports = children.each_mut().map(|child| {
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let rest = line.strip_prefix("Ludus is at http://127.0.0.1:").expect("an address");
        rest.split_once(' ').unwrap().0.parse::<u16>().unwrap()
    });
    assert!(ports.iter().all(|port| (8080..=8180).contains(port)), "{ports:?}");
    assert_ne!(ports[0], ports[1]);
    for child in &mut children {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let holder = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = holder.local_addr().unwrap().port().to_string();
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludus"));
    command.args(["serve", "--port", &port]).env("LUDUS_DATA", folders[0].path());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(complaint.contains("cannot listen on 127.0.0.1"), "{complaint}");
}

/// A data directory of the version that stored reasons as text.
fn before_ids() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let stores = concat!(env!("CARGO_MANIFEST_DIR"), "/../arena/tests/stores/before-ids.sqlite");
    std::fs::copy(stores, folder.path().join("ludus.sqlite")).unwrap();
    folder
}

#[test]
fn games_of_an_earlier_version_are_loaded() {
    let server = Served::start_in(before_ids());
    let tables = server.got("/api/tables");
    let tables = tables["tables"].as_array().unwrap();
    assert_eq!(tables.len(), 9);
    for listed in tables {
        let path = format!("/api/tables/{}?asleep=true", listed["id"].as_str().unwrap());
        let table = server.got(&path);
        assert_eq!(table["moves"].as_array().unwrap().len() as u64, listed["moves"]);
        assert_eq!(table["ending"], listed["ending"], "words, reason and its id");
    }
    let reasons: Vec<&str> =
        tables.iter().filter_map(|table| table["ending"]["reason_id"].as_str()).collect();
    for reason in ["time", "resignation", "agreement", "checkmate", "four-in-a-row"] {
        assert!(reasons.contains(&reason), "{reasons:?}");
    }
}

#[test]
fn a_contest_of_an_earlier_version_is_shown_but_not_resumed() {
    let server = Served::start_in(before_ids());
    let contest = server.got("/api/contests/18");
    assert_eq!(contest["state"], "stopped", "{contest}");
    let error = server.refused("/api/contests/18/resume", &json!({}), 409);
    assert!(error.contains("ludus was unknown build when it started"), "{error}");
}
