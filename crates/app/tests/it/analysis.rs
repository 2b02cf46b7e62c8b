//! Analyses as text and JSON: MultiPV, proofs, progress, positions that begin with a hyphen, and
//! records that are broken in the middle.

use assert_cmd::Command;
use serde_json::Value;
use std::{
    fs,
    io::{BufRead, BufReader, Read},
    process::Stdio,
};

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("ludus").unwrap().args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn ludus(arguments: &[&str]) -> String {
    let (code, said, complaint) = run(arguments);
    assert_eq!(code, Some(0), "{complaint}");
    said
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&ludus(&[arguments, &["--json"]].concat())).unwrap()
}

#[track_caller]
fn refusal(arguments: &[&str]) -> String {
    let (code, said, complaint) = run(arguments);
    assert_eq!((code, said.as_str()), (Some(2), ""), "{complaint}");
    assert_eq!(complaint.lines().count(), 1, "{complaint}");
    complaint
}

#[test]
fn several_lines_are_told_with_their_ranks() {
    let asked = ["analyze", "chess", "--player", "engine", "--nodes", "20000"];
    let document = json(&[&asked[..], &["--lines", "3"]].concat());
    let moves = document["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 20);
    let mut ranked: Vec<&Value> = moves.iter().filter(|entry| !entry["rank"].is_null()).collect();
    ranked.sort_by_key(|entry| entry["rank"].as_u64());
    assert_eq!(ranked.len(), 3);
    for (index, entry) in ranked.iter().enumerate() {
        assert_eq!(entry["rank"], index + 1);
        assert_eq!(entry["pv"][0], entry["move"]);
        assert_eq!((&entry["win"], &entry["proven"]), (&Value::Null, &false.into()));
        assert!(entry["score_words"].as_str().is_some_and(|words| !words.is_empty()));
    }
    let score = |entry: &Value| entry["score"].as_i64().unwrap();
    assert!(ranked.windows(2).all(|pair| score(pair[0]) >= score(pair[1])), "{ranked:?}");
    let best = (&document["best"], &document["score"], &document["pv"]);
    assert_eq!(best, (&ranked[0]["move"], &ranked[0]["score"], &ranked[0]["pv"]));
    let text = ludus(&[&asked[..], &["--lines", "3"]].concat());
    for (index, entry) in ranked.iter().enumerate() {
        let pv: Vec<&str> =
            entry["pv"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(text.contains(&format!("  {}: {}\n", index + 1, pv.join(" "))), "{text}");
    }
    // With one line the output is the same as without the option.
    let timeless = |arguments: &[&str]| {
        let mut document = json(arguments);
        document["seconds"] = Value::Null;
        document
    };
    assert_eq!(timeless(&asked), timeless(&[&asked[..], &["--lines", "1"]].concat()));
}

#[test]
fn players_with_one_line_and_wrong_numbers_are_refused() {
    let complaint = refusal(&["analyze", "chess", "--player", "random", "--lines", "2"]);
    assert!(complaint.contains("lines") && complaint.contains("random"), "{complaint}");
    refusal(&["analyze", "chess", "--player", "engine:level=2", "--lines", "2"]);
    refusal(&["analyze", "chess", "--lines", "0"]);
    refusal(&["analyze", "chess", "--lines", "2", "--trace", "tree.json"]);
}

#[test]
fn what_is_not_proven_is_said() {
    let asked = ["analyze", "connect4", "--player", "solver:table=32MB"];
    let text = ludus(&[&asked[..], &["--nodes", "1000"]].concat());
    assert!(
        text.contains("score  not proven") && text.matches("not proven").count() == 8,
        "{text}"
    );
    let document = json(&[&asked[..], &["--nodes", "1000"]].concat());
    assert_eq!((&document["proven"], &document["score"]), (&false.into(), &Value::Null));
    let moves: Vec<String> = "bcdfeeebcabcbbafffff".chars().map(String::from).collect();
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let late = [&asked[..], &["--moves"], &moves].concat();
    let document = json(&late);
    assert_eq!(document["proven"], true);
    let judged = document["moves"].as_array().unwrap();
    assert!(judged.iter().all(|entry| entry["proven"] == true && entry["score"].is_i64()));
    assert!(!ludus(&late).contains("not proven"));
}

#[test]
fn a_table_in_use_has_places_in_use() {
    let document = json(&["analyze", "connect4", "--player", "engine", "--nodes", "3000"]);
    let number = |field: &str| document["table"][field].as_u64().unwrap();
    assert!(number("used") > 0 && number("used") <= number("stores"), "{document}");
}

#[test]
fn distances_have_one_unit_a_game() {
    let mate = ["--position", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "--depth", "3"];
    let document = json(&[&["analyze", "chess"], &mate[..]].concat());
    assert_eq!((&document["win"], &document["score_words"]), (&1.into(), &"wins in 1 move".into()));
    let text = ludus(&[&["analyze", "chess"], &mate[..]].concat());
    assert!(text.contains("wins in 1 move for White") && !text.contains("ply"), "{text}");
    let one = ["analyze", "tictactoe", "--position", "xo./.x./o.. x", "--depth", "5"];
    assert!(ludus(&one).contains("wins in 1 ply"));
}

#[test]
fn positions_may_begin_with_a_hyphen() {
    let position = "---------------------------OX------XO--------------------------- X";
    let perft = ludus(&["perft", "reversi", "1", "--position", position]);
    assert!(perft.ends_with("perft(1) = 4\n"), "{perft}");
    let document = json(&["analyze", "reversi", "--position", position, "--depth", "1"]);
    assert_eq!(document["position"], position);
    let mut play = Command::cargo_bin("ludus").unwrap();
    play.args(["play", "reversi", "--position", position]).write_stdin("quit\n").assert().success();
    refusal(&["analyze", "reversi", "--position", "-x"]);
}

const TORN: &str = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. e4 Ke5 *\n\n1. d4 *\n";

#[test]
fn games_before_a_broken_one_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let torn = inside("torn.pgn");
    fs::write(&torn, TORN).unwrap();
    let (code, said, complaint) = run(&["convert", &torn, "--to", "json"]);
    assert_eq!(code, Some(2), "{complaint}");
    assert!(complaint.contains("game 2") && complaint.lines().count() == 1, "{complaint}");
    let games: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(games.as_array().unwrap().len(), 1);
    for (name, count) in [("kept.json", 1), ("kept.pgn", 1)] {
        let kept = inside(name);
        let (code, ..) = run(&["convert", &torn, "--output", &kept]);
        assert_eq!(code, Some(2), "{name}");
        let again = json(&["convert", &kept]);
        assert_eq!(again.as_array().unwrap().len(), count, "{name}");
    }
    // No output file remains if no game is valid.
    let broken = inside("broken.pgn");
    fs::write(&broken, "1. e4 Ke5 *\n").unwrap();
    refusal(&["convert", &broken, "--to", "json"]);
    refusal(&["convert", &broken, "--output", &inside("none.json")]);
    assert!(!folder.path().join("none.json").exists());
}

/// Waits for the first progress line of a task that would take hours, however busy the machine is.
#[test]
fn long_work_is_heard_of_on_stderr_alone() {
    for work in [
        &["perft", "chess", "12"][..],
        &["analyze", "go:size=9", "--player", "mcts", "--time", "10h", "--json"],
    ] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_ludus"))
            .args(work)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        let mut said = String::new();
        child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
        child.wait().unwrap();
        assert!(line.starts_with("ludus: "), "{work:?}: {line}");
        assert_eq!(said, "", "{work:?}");
    }
}
