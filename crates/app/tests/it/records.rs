//! `ludus records` and `ludus ratings`, on a small store.

use assert_cmd::Command;
use ludus_arena::{
    game::Category,
    store::{NewContest, PlayerId, Store, StoredGame, StoredRating},
};
use ludus_core::{EndReason, Outcome};
use ludus_formats::WriteOptions;
use ludus_players::find_game;
use serde_json::Value;
use std::{fs, path::Path};
use tempfile::TempDir;

/// Runs `ludus` on the data in `folder`: exit code, stdout, stderr.
fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("ludus").unwrap();
    let output = command.env("LUDUS_DATA", folder).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn good(folder: &Path, arguments: &[&str]) -> String {
    let (code, out, error) = run(folder, arguments);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{arguments:?}");
    out
}

#[track_caller]
fn refused(folder: &Path, arguments: &[&str]) -> String {
    let (code, out, error) = run(folder, arguments);
    assert_eq!((code, out.as_str(), error.lines().count()), (Some(2), "", 1), "{error}");
    error
}

fn played(index: u64, game: &str, moves: &str, players: [&str; 2], result: &str) -> StoredGame {
    let (game, options) = find_game(game).unwrap();
    let mut board = game.open(&options, None).unwrap();
    for mv in moves.split(' ') {
        board.play(mv).unwrap();
    }
    let record = board.record_format().write(&board.record(None), &WriteOptions::default());
    StoredGame {
        index,
        first: players[0].to_owned(),
        second: players[1].to_owned(),
        opening: None,
        moves: moves.to_owned(),
        result: Outcome::from_id(result).unwrap(),
        reason: EndReason::Resignation,
        category: (index == 1).then_some(Category::Forfeit),
        detail: (index == 1).then(|| "\u{1b}[31mcrashed\nhard".to_owned()),
        plies: moves.split(' ').count() as u32,
        stats: Default::default(),
        record,
        finished_at: 1_794_700_800,
    }
}

/// Three games of chess and one of Go.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("ludus.sqlite")).unwrap();
    let begin = |name: &str, game: &str| {
        let contest = NewContest {
            name: name.to_owned(),
            kind: "match".to_owned(),
            game: game.to_owned(),
            config: serde_json::json!({}),
            fingerprint: name.to_owned(),
            seed: 1,
            build: "0.1.0".to_owned(),
            players: Vec::new(),
        };
        store.begin(&contest).unwrap().id
    };
    let chess = begin("spring cup", "chess");
    let players = ["random", "minimax:depth=3"];
    for (index, moves) in ["e2e4 e7e5 g1f3", "d2d4 d7d5", "c2c4"].iter().enumerate() {
        let result = ["first", "second", "draw"][index];
        store.add(chess, played(index as u64, "chess", moves, players, result)).unwrap();
    }
    let go = begin("9x9", "go:size=9");
    store.add(go, played(0, "go:size=9", "E5 C3", ["greedy", "random"], "first")).unwrap();
    let rating = |spec: &str, rating| StoredRating {
        game: "chess".to_owned(),
        player: PlayerId { spec: spec.to_owned(), build: "0.1.0".to_owned() },
        rating,
        error: 31.4,
        games: 3,
        score: 0.5,
        computed_at: 1_800_000_000,
    };
    store
        .save_ratings("chess", &[rating("random", -56.7), rating("minimax:depth=3", 56.7)])
        .unwrap();
    folder
}

#[test]
fn games_are_listed_newest_first() {
    let folder = folder();
    let data = folder.path();
    assert_eq!(
        good(data, &["records", "list"]),
        "id  game       first   second           result       plies  contest\n \
          4  go:size=9  greedy  random           1-0              2  2 9x9\n \
          3  chess      random  minimax:depth=3  1/2-1/2          1  1 spring cup\n \
          2  chess      random  minimax:depth=3  0-1 forfeit      2  1 spring cup\n \
          1  chess      random  minimax:depth=3  1-0              3  1 spring cup\n"
    );
    let ids = |arguments: &[&str]| -> Vec<i64> {
        let arguments = [&["records", "list", "--json"], arguments].concat();
        let rows: Vec<Value> = serde_json::from_str(&good(data, &arguments)).unwrap();
        rows.iter().map(|row| row["id"].as_i64().unwrap()).collect()
    };
    assert_eq!(ids(&[]), [4, 3, 2, 1]);
    assert_eq!(ids(&["--game", "go"]), [4]);
    // Options given with their default values exclude games with other options.
    assert_eq!(ids(&["--game", "go:rules=chinese,size=9"]), [4]);
    assert_eq!(ids(&["--game", "go:size=19"]), [0; 0]);
    assert_eq!(ids(&["--player", "minimax", "--limit", "2"]), [3, 2]);
    assert_eq!(ids(&["--contest", "1", "--offset", "1"]), [2, 1]);
    assert_eq!(ids(&["--contest", "spring cup", "--result", "draw"]), [3]);
    assert_eq!(ids(&["--search", "CRASHED"]), [2]);
    assert_eq!(ids(&["--limit", "0"]), [0; 0]);
}

#[test]
fn the_list_says_when_there_are_more() {
    let folder = folder();
    let data = folder.path();
    let list = |arguments: &[&str]| good(data, &[&["records", "list"], arguments].concat());
    let more = list(&["--limit", "1", "--offset", "1"]);
    let last = "… 2 more; use --limit N or --offset N to see them\n";
    assert!(more.ends_with(last), "{more}");
    assert!(list(&["--limit", "0"]).starts_with("… 4 more; "));
    assert!(!list(&["--limit", "4"]).contains('…') && !list(&["--offset", "9"]).contains('…'));
    let rows: Vec<Value> =
        serde_json::from_str(&list(&["--game", "chess", "--limit", "1", "--json"])).unwrap();
    assert_eq!((rows.len(), &rows[0]["total"]), (1, &3.into()));
}

#[test]
fn namesakes_are_told_apart_by_their_builds() {
    let folder = folder();
    let data = folder.path();
    let store = Store::open(&data.join("ludus.sqlite")).unwrap();
    let rating = |build: &str, rating| StoredRating {
        game: "chess".to_owned(),
        player: PlayerId { spec: "random".to_owned(), build: build.to_owned() },
        rating,
        error: 31.4,
        games: 3,
        score: 0.5,
        computed_at: 1_800_000_000,
    };
    let mut ratings = store.ratings(Some("chess")).unwrap();
    ratings.push(rating("0123456789ab", 12.0));
    store.save_ratings("chess", &ratings).unwrap();
    let text = good(data, &["ratings", "chess"]);
    for line in ["random (0123456789ab)", "random (0.1.0)", "minimax:depth=3 "] {
        assert!(text.contains(line), "{text}");
    }
    assert!(!text.contains("minimax:depth=3 ("), "{text}");
}

#[test]
fn a_game_is_shown_with_its_last_position() {
    let folder = folder();
    let text = good(folder.path(), &["records", "show", "2"]);
    assert!(text.starts_with("game 2 of chess, number 1 of contest 1 spring cup\n"), "{text}");
    assert!(text.contains("random - minimax:depth=3: 0-1, by resignation\n"), "{text}");
    assert!(text.contains("counted as forfeit\nsaid  [31mcrashed hard\n"), "{text}");
    assert!(text.contains("2 plies, played on 2026-11-15 by ludus 0.1.0\n"), "{text}");
    assert!(text.contains(" 5 . . . p<. . . . \n 4 . . . P . . . . \n"), "{text}");
    assert!(text.contains("1. d4 d5"), "{text}");
    let document: Value =
        serde_json::from_str(&good(folder.path(), &["records", "show", "4", "--json"])).unwrap();
    assert_eq!((&document["game"], &document["moves"]), (&"go:size=9".into(), &"E5 C3".into()));
    assert!(document["position"].as_str().unwrap().contains("4"), "{document}");
}

#[test]
fn games_are_exported_in_every_format() {
    let folder = folder();
    let data = folder.path();
    let chess = good(data, &["records", "export", "--game", "chess"]);
    assert_eq!(chess.matches("[Event ").count(), 3);
    assert!(chess.find("1. e4 e5").unwrap() < chess.find("1. c4").unwrap(), "{chess}");
    let go = good(data, &["records", "export", "--game", "go"]);
    assert!(go.contains(";B[ee];W[cg]"), "{go}");
    let all: Vec<Value> = serde_json::from_str(&good(data, &["records", "export"])).unwrap();
    assert_eq!(all.len(), 4);
    let as_pgn = good(data, &["records", "export", "--to", "pgn"]);
    assert!(as_pgn.contains("[Game \"go:size=9\"]"), "{as_pgn}");

    // `convert` reads the exported file.
    for (name, limit, count) in [("out.pgn", "2", 2), ("out.json", "9", 4), ("out.sgf", "9", 4)] {
        let file = data.join(name);
        let file = file.to_str().unwrap();
        good(data, &["records", "export", "-o", file, "--limit", limit]);
        let read: Vec<Value> = serde_json::from_str(&good(data, &["convert", file])).unwrap();
        assert_eq!(read.len(), count, "{name}");
        refused(data, &["records", "export", "-o", file]);
    }
    refused(data, &["records", "export", "--json", "--to", "pgn"]);
    refused(data, &["records", "export", "-o", "games.txt"]);
}

#[test]
fn the_ladder_is_shown() {
    let folder = folder();
    let data = folder.path();
    let ladder = "chess\n\
        rank  player           rating         games  score\n   \
           1  minimax:depth=3      57 ± 31        3    50 %\n   \
           2  random              -57 ± 31        3    50 %\n";
    assert_eq!(good(data, &["ratings"]), ladder);
    assert_eq!(good(data, &["ratings", "chess"]), ladder);
    let go = good(data, &["ratings", "go"]);
    assert!(go.starts_with("no rated players in go yet"), "{go}");
    let document: Value = serde_json::from_str(&good(data, &["ratings", "--json"])).unwrap();
    assert_eq!((&document[0]["rank"], &document[0]["rating"]), (&1.into(), &56.7.into()));
    assert_eq!(document[1]["player"], "random");
    refused(data, &["ratings", "chequers"]);
}

#[test]
fn to_look_for_games_makes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("nothing/here");
    assert!(good(&data, &["records", "list"]).starts_with("no games found"));
    assert_eq!(good(&data, &["records", "list", "--json"]), "[]\n");
    assert_eq!(good(&data, &["records", "export"]), "[]\n");
    assert!(good(&data, &["ratings"]).starts_with("no rated players yet"));
    assert!(refused(&data, &["records", "show", "1"]).contains("there is no game 1"));
    assert!(!data.exists());
}

#[test]
fn bad_files_and_bad_words_give_one_line() {
    let folder = folder();
    let data = folder.path();
    refused(data, &["records", "list", "--game", "chequers"]);
    refused(data, &["records", "list", "--game", "go:size=1"]);
    refused(data, &["records", "list", "--result", "won"]);
    refused(data, &["records", "list", "--limit", "-1"]);
    refused(data, &["records", "show", "seven"]);
    refused(data, &["records", "show", "99"]);
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("ludus.sqlite"), "games, games, games").unwrap();
    let given = other.path().to_str().unwrap();
    let error = refused(data, &["records", "list", "--data-dir", given]);
    assert!(error.contains("is not a Ludus database"), "{error}");
    refused(data, &["ratings", "--data-dir", given]);
}
