//! What survives the server.

mod served;

use serde_json::{Value, json};
use served::Served;
use std::{thread, time::Duration};

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
fn a_player_goes_on_thinking_in_the_next_server() {
    let server = Served::start();
    let input =
        json!({ "game": "chess", "first": "minimax:depth=30", "limits": { "time_ms": 60000 } });
    let table = server.posted("/api/tables", &input);
    let path = format!("/api/tables/{}", table["id"].as_str().unwrap());
    // Killed, not asked: what is older than a moment must be on the disk.
    thread::sleep(Duration::from_secs(2));
    let server = Served::start_in(server.end());
    let after = server.got(&path);
    assert_eq!(after["thinking"], "first");
    server.posted(&format!("{path}/go"), &json!({}));
    let moved = server.got(&format!("{path}?wait=60000"));
    assert_eq!((&moved["thinking"], &moved["turn"]), (&Value::Null, &json!("second")));
}

#[test]
fn a_deleted_game_stays_away() {
    let server = Served::start();
    let table = server.posted("/api/tables", &json!({ "game": "connect4" }));
    let path = format!("/api/tables/{}", table["id"].as_str().unwrap());
    assert_eq!(server.request("DELETE", &path, None).0, 204);
    let server = Served::start_in(server.interrupt());
    assert_eq!(server.get(&path).0, 404);
}
