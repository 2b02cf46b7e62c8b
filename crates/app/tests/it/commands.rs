//! Output of the commands.

use assert_cmd::Command;
use serde_json::Value;

fn ludus(arguments: &[&str]) -> String {
    run(arguments, "")
}

#[track_caller]
fn run(arguments: &[&str], input: &str) -> String {
    let mut command = Command::cargo_bin("ludus").unwrap();
    let assert = command.args(arguments).write_stdin(input).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&ludus(&[arguments, &["--json"]].concat())).unwrap()
}

#[test]
fn perft_ends_with_its_count() {
    let text = ludus(&["perft", "chess", "3"]);
    assert_eq!(text.lines().last(), Some("perft(3) = 8902"));
    assert_eq!(ludus(&["perft", "draughts", "0"]).lines().last(), Some("perft(0) = 1"));
    let divided = ludus(&["perft", "chess", "2", "--divide", "--threads", "2"]);
    assert!(divided.contains("e2e4: 20\n") && divided.lines().count() == 22, "{divided}");
    let document = json(&["perft", "reversi", "5", "--divide"]);
    assert_eq!((&document["depth"], &document["nodes"]), (&5.into(), &1396.into()));
    assert_eq!(document["moves"].as_object().unwrap().len(), 4);
}

#[test]
fn perft_keeps_duplicate_paths_on_request() {
    // A king that can run around four men both ways.
    let position = "B:W6,7,14,15:BK2";
    let merged = ludus(&["perft", "draughts", "1", "--position", position]);
    let kept = ludus(&["perft", "draughts", "1", "--position", position, "--keep-duplicates"]);
    let count = |text: &str| -> u64 { text.rsplit(' ').next().unwrap().trim().parse().unwrap() };
    assert!(count(&kept) > count(&merged), "{kept} {merged}");
    let document =
        json(&["perft", "draughts", "1", "--position", position, "--keep-duplicates", "--divide"]);
    assert_eq!((&document["nodes"], &document["moves"]["2x2"]), (&2.into(), &2.into()));
}

#[test]
fn perft_of_a_finished_game_counts_as_below_the_root() {
    let full = format!("{} x", "x".repeat(64));
    let text = ludus(&["perft", "reversi", "2", "--divide", "--position", &full]);
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.ends_with("perft(2) = 1\n"), "{text}");
    let text = ludus(&["perft", "tictactoe", "2", "--position", "xxx/oo./... o"]);
    assert!(text.ends_with("perft(2) = 0\n"), "{text}");
}

#[test]
fn lists_are_complete() {
    let games = json(&["games"]);
    let ids: Vec<&str> =
        games.as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap()).collect();
    let wanted = ["tictactoe", "split-nim", "connect4", "reversi", "draughts", "chess", "go"];
    assert_eq!(ids, wanted);
    let text = ludus(&["games"]);
    assert!(wanted.iter().all(|id| text.contains(id)));
    let players = json(&["players"]);
    for game in players.as_array().unwrap() {
        let names: Vec<&str> = game["players"]
            .as_array()
            .unwrap()
            .iter()
            .map(|player| player["id"].as_str().unwrap())
            .collect();
        assert_eq!(names[..3], ["random", "greedy", "minimax"], "{}", game["game"]);
    }
}

#[test]
fn every_game_is_played_without_naming_an_opponent() {
    let games = json(&["games"]);
    let games = games.as_array().unwrap();
    assert!(!games.is_empty());
    for game in games {
        run(&["play", game["id"].as_str().unwrap()], "quit\n");
    }
}

#[test]
fn analysis_is_one_stable_document() {
    let document = json(&["analyze", "tictactoe", "--player", "minimax", "--depth", "9"]);
    assert_eq!(document["score"], 0);
    assert_eq!((&document["nodes"], &document["leaves"]), (&549_945.into(), &255_168.into()));
    assert_eq!(document["win"], Value::Null);
    assert_eq!(document["moves"].as_array().unwrap().len(), 9);
    for field in ["game", "position", "player", "best", "depth", "seconds", "pv"] {
        assert!(!document[field].is_null(), "{field}");
    }
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";
    let document = json(&["analyze", "chess", "--position", mate, "--depth", "2"]);
    assert_eq!((&document["best"], &document["win"]), (&"a1a8".into(), &1.into()));
    let text = ludus(&["analyze", "chess", "--explain", "--depth", "1"]);
    assert!(text.contains("handcrafted evaluation"), "{text}");
    let document = json(&["analyze", "connect4", "--explain", "--depth", "1"]);
    let parts = document["evaluation"]["parts"].as_array().unwrap();
    assert_eq!(parts[0]["weight"], 1);
    assert_eq!(parts[0]["value"], document["evaluation"]["score"]);
}

#[test]
fn a_finished_game_stays_as_it_ended() {
    // The human wins as Crosses; then the turn is the player's, who must not resign.
    let input = "c1\nRESIGN\nundo\nUndo\nquit\n";
    let text = run(&["play", "tictactoe", "--position", "oo./.../xx. x"], input);
    assert_eq!(text.matches("win with three in a row").count(), 1, "{text}");
    assert!(!text.contains("resignation"), "{text}");
    assert!(text.contains("no move to take back"), "{text}");
}

#[test]
fn a_players_opening_move_is_not_the_users_to_take_back() {
    let text = run(&["play", "go:size=9", "--first", "random"], "undo\nquit\n");
    assert_eq!(text.matches("Black (random) plays").count(), 1, "{text}");
    assert!(text.contains("no move to take back"), "{text}");
}

#[test]
fn the_same_seed_plays_the_same_game() {
    for game in ["tictactoe", "split-nim", "connect4", "reversi", "draughts", "chess", "go:size=5"]
    {
        let play =
            |seed| json(&["play", game, "--first", "random", "--second", "greedy", "--seed", seed]);
        let (one, again) = (play("5"), play("5"));
        assert_eq!(one, again, "{game}");
        assert!(!one["winner"].is_null(), "{game}");
        let others = ["6", "7", "8"].map(|seed| play(seed)["moves"].clone());
        assert!(others.iter().any(|moves| *moves != one["moves"]), "{game}");
    }
}

#[test]
fn a_game_in_the_terminal_understands_its_commands() {
    let input =
        "help\nmoves\nhint\nfoo\n11-15\nundo\nboard\nflip\nposition\nrecord\nresign\n9-13\nquit\n";
    let text = run(&["play", "draughts", "--second", "greedy"], input);
    for expected in [
        "Type a move",
        "11-15",
        "would play",
        "found \"foo\", expected a square number",
        "White (greedy) plays",
        "White (greedy) wins by resignation",
        "The game is over",
    ] {
        assert!(text.contains(expected), "{expected:?} in {text}");
    }
}

#[test]
fn a_fallen_flag_loses() {
    let text = ludus(&[
        "play",
        "chess",
        "--first",
        "minimax:depth=3",
        "--second",
        "random",
        "--clock",
        "1ms",
    ]);
    assert!(text.contains("Black (random) wins on time"), "{text}");
}

#[test]
fn completions_know_the_commands() {
    let script = ludus(&["completions", "bash"]);
    assert!(script.contains("perft") && script.contains("convert"));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("ludus"))
        .args(["perft", "chess", "2", "--divide"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_suite_is_run_and_mined() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.epd");
    let path = path.to_str().unwrap();
    let suite = "# two problems\n\
        kbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2; id \"Morphy\";\n\
        3q3k/8/8/r7/8/1N6/8/3R2K1 w - - bm Nxa5; id \"wrong\";\n";
    std::fs::write(path, suite).unwrap();
    let run = ["suite", "run", path, "--player", "alphabeta", "--depth", "3"];
    let text = ludus(&run);
    assert!(text.contains("wrong: Rxd8+ (depth 3) instead of Nxa5 in 3q3k"), "{text}");
    assert_eq!(text.lines().last(), Some("1 of 2 solved (50.0 %)"));
    let document = json(&run);
    assert_eq!((&document["solved"], &document["total"]), (&1.into(), &2.into()));
    assert_eq!(document["problems"][0]["played"], "Ra6");
    let line = [&run[..], &["--line"]].concat();
    let text = ludus(&line);
    assert!(text.contains("1 of 2 first moves found\n1 of 2 solved (50.0 %)"), "{text}");
    let document = json(&line);
    assert_eq!((&document["solved"], &document["keys"]), (&1.into(), &1.into()));
    assert_eq!(document["problems"][0]["line"]["moves"].as_array().unwrap().len(), 3);
    assert_eq!(document["problems"][0]["line"]["solved"], true);
    let mine = ["suite", "mine", "mate-in-two", "--count", "2", "--player", "greedy"];
    let mined = ludus(&mine);
    std::fs::write(path, &mined).unwrap();
    let text = ludus(&run);
    assert_eq!(text.lines().last(), Some("2 of 2 solved (100.0 %)"), "{mined}");
}
