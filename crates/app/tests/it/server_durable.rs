//! Changes are answered once they are saved; while they cannot be, they are not made.

use crate::served::{Served, talk};
use ludus_test_support::full_disk;
use serde_json::{Value, json};
use std::{collections::BTreeSet, thread, time::Duration};

/// Path of a new game.
fn start(server: &Served, input: &Value) -> String {
    let table = server.posted("/api/tables", input);
    format!("/api/tables/{}", table["id"].as_str().unwrap())
}

fn moves(table: &Value) -> Vec<&str> {
    table["moves"].as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap()).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_change_that_cannot_be_saved_is_not_made_and_can_be_sent_again() {
    let server = Served::start_with_small_disk();
    let tictactoe = json!({ "game": "tictactoe" });
    let path = start(&server, &tictactoe);
    let deleted = start(&server, &tictactoe);
    let send = format!("{path}/move");
    server.posted(&send, &json!({ "move": "b2", "ply": 0 }));
    talk(async {
        let mut socket = server.socket(&format!("{path}/live")).await;
        assert_eq!(moves(&socket.hear().await["table"]), ["b2"]);
        full_disk::fill(server.process());
        let next = json!({ "move": "a1", "ply": 1 });
        for _ in 0..3 {
            let error = server.refused(&send, &next, 503);
            assert!(error.starts_with("not saved, so not done; try again: "), "{error}");
        }
        server.refused(&format!("{path}/undo"), &json!({}), 503);
        server.refused(&format!("{path}/resign"), &json!({ "side": "first" }), 503);
        server.refused("/api/tables", &tictactoe, 503);
        assert_eq!(server.request("DELETE", &deleted, None).0, 503);
        let table = server.got(&path);
        assert_eq!((moves(&table), &table["ending"]), (vec!["b2"], &Value::Null));
        server.got(&deleted);

        full_disk::make_room(server.process());
        assert_eq!(moves(&server.posted(&send, &next)), ["b2", "a1"]);
        // The watcher has heard of nothing that was not made.
        assert_eq!(moves(&socket.hear().await["table"]), ["b2", "a1"]);
        assert_eq!(moves(&server.posted(&send, &next)), ["b2", "a1"], "sent again: made once");
        let other = server.refused(&send, &json!({ "move": "c3", "ply": 1 }), 409);
        assert_eq!(other, "move 2 has been played and is a1, not c3");
        assert_eq!(server.request("DELETE", &deleted, None).0, 204);
    });
    let server = Served::start_in(server.end());
    assert_eq!(moves(&server.got(&path)), ["b2", "a1"]);
    assert_eq!(server.got("/api/tables")["tables"].as_array().unwrap().len(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_move_of_a_player_is_made_once_it_can_be_saved() {
    let server = Served::start_with_small_disk();
    let limits = json!({ "time_ms": 60000 });
    let input = json!({ "game": "chess", "first": "minimax:depth=30", "limits": limits });
    let path = start(&server, &input);
    full_disk::fill(server.process());
    server.posted(&format!("{path}/go"), &json!({}));
    let table = server.until(&path, |table| !table["not_saved"].is_null());
    assert_eq!((moves(&table).len(), &table["error"]), (0, &Value::Null));
    assert_eq!(table["thinking"], "first");
    full_disk::make_room(server.process());
    let table = server.until(&path, |table| !moves(table).is_empty());
    assert_eq!((&table["not_saved"], &table["turn"]), (&Value::Null, &json!("second")));
    let server = Served::start_in(server.end());
    assert_eq!(server.got(&path)["moves"], table["moves"]);
}

#[cfg(target_os = "linux")]
#[test]
fn clocks_stand_still_while_no_move_can_be_saved() {
    let server = Served::start_with_small_disk();
    let path = start(&server, &json!({ "game": "chess", "clock": { "seconds": 600 } }));
    let send = format!("{path}/move");
    server.posted(&send, &json!({ "move": "e2e4", "ply": 0 }));
    full_disk::fill(server.process());
    let next = json!({ "move": "e7e5", "ply": 1 });
    server.refused(&send, &next, 503);
    let clock =
        || server.got(&format!("{path}?asleep=true"))["sides"]["second"]["clock_ms"].clone();
    let before = clock();
    thread::sleep(Duration::from_millis(5));
    assert_eq!(clock(), before);
    full_disk::make_room(server.process());
    assert_eq!(server.posted(&send, &next)["turn"], "first");
}

#[cfg(target_os = "linux")]
#[test]
fn a_contest_whose_games_cannot_be_stored_fails_with_the_reason_and_goes_on_later() {
    let server = Served::start_with_small_disk();
    let request = json!({
        "game": "connect4", "players": ["random", "minimax:depth=3"], "form": "round-robin",
        "games": 20_000, "limits": {}, "seed": 1, "concurrency": 1,
    });
    let contest = server.posted("/api/contests", &request);
    let path = format!("/api/contests/{}", contest["id"].as_str().unwrap());
    server.until(&path, |contest| contest["done"].as_u64() > Some(0));
    full_disk::fill(server.process());
    let failed = server.until(&path, |contest| contest["state"] != "running");
    assert_eq!(failed["state"], "failed", "{failed}");
    assert!(failed["error"].as_str().unwrap().contains("ludus.sqlite"), "{failed}");
    server.refused("/api/contests", &request, 503);
    full_disk::make_room(server.process());
    server.posted(&format!("{path}/resume"), &json!({}));
    let more = failed["done"].as_u64().unwrap() + 10;
    server.until(&path, |contest| contest["done"].as_u64() > Some(more));
    assert_eq!(server.posted(&format!("{path}/stop"), &json!({}))["state"], "stopped");
}

#[test]
fn a_request_for_a_game_that_is_sent_again_starts_one_game() {
    let server = Served::start();
    let input = json!({ "game": "go:size=9", "second": "random", "request": "0123456789abcdef" });
    let answers: Vec<(u16, Value)> = thread::scope(|scope| {
        let posts: Vec<_> =
            (0..8).map(|_| scope.spawn(|| server.post("/api/tables", &input))).collect();
        posts.into_iter().map(|post| post.join().unwrap()).collect()
    });
    let ids: BTreeSet<&str> =
        answers.iter().map(|(_, table)| table["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), 1, "{answers:?}");
    let id = (*ids.first().unwrap()).to_owned();
    assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    let mut statuses: Vec<u16> = answers.iter().map(|(status, _)| *status).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 200, 200, 200, 200, 200, 201]);

    let server = Served::start_in(server.end());
    let (status, table) = server.post("/api/tables", &input);
    assert_eq!((status, table["id"].as_str()), (200, Some(&*id)));
    assert_eq!(server.got("/api/tables")["tables"].as_array().unwrap().len(), 1);
    let short = json!({ "game": "go:size=9", "request": "mine" });
    let error = server.refused("/api/tables", &short, 400);
    assert!(error.contains("\"mine\": expected a random text of 16 to 64 characters"), "{error}");
}
