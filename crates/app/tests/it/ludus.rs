//! Both ends of the Ludus protocol: `ludus engine`, and `ludus:path=PROGRAM` in matches.

use ludus_test_support::program_or_skip;
use serde_json::Value;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

const DOCUMENT: &str = include_str!("../../../../docs/PROTOCOL.md");
const PYTHON_ENGINE: &str = include_str!("../python/ludus_engine.py");

fn program() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("ludus").to_owned()
}

fn ludus(data: &Path) -> Command {
    let mut command = Command::new(program());
    command.env("LUDUS_DATA", data).stdin(Stdio::null());
    command
}

#[track_caller]
fn text(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Responses of the engine to `script`.
#[track_caller]
fn answers(player: &str, script: &[u8]) -> Vec<String> {
    let mut command = assert_cmd::Command::cargo_bin("ludus").unwrap();
    command.args(["engine", "--player", player]).write_stdin(script);
    let assert = command.assert().success();
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Responses without reports and the list of games.
#[track_caller]
fn short_answers(player: &str, script: &str) -> Vec<String> {
    let mut lines = answers(player, script.as_bytes());
    lines.retain(|line| !line.starts_with("info") && !line.starts_with("game"));
    lines
}

/// A line without time and build, which vary.
fn timeless(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    if words.starts_with(&["id", "build"]) {
        return "id build".to_owned();
    }
    let is_time = |index: usize| words[index] == "time" || index > 0 && words[index - 1] == "time";
    let kept = (0..words.len()).filter(|&index| !is_time(index)).map(|index| words[index]);
    kept.collect::<Vec<_>>().join(" ")
}

#[test]
fn the_session_in_the_document_is_what_happens() {
    let session = DOCUMENT.split("## A session").nth(1).unwrap().split("## ").next().unwrap();
    let said = |mark| session.lines().filter_map(move |line| line.trim().strip_prefix(mark));
    let script: String = said("> ").map(|line| format!("{line}\n")).collect();
    let expected: Vec<String> = said("< ").map(timeless).collect();
    let answers = answers("minimax:depth=2", script.as_bytes());
    // Reports contain times and nodes, and not all games are listed.
    let shown = |line: &&String| {
        !line.starts_with("info") && (!line.starts_with("game ") || expected.contains(line))
    };
    let replies: Vec<String> = answers.iter().map(|line| timeless(line)).collect();
    assert_eq!(replies.iter().filter(shown).cloned().collect::<Vec<_>>(), expected);
    assert!(expected.len() > 10, "{expected:?}");
}

#[test]
fn the_engine_in_the_document_is_the_one_that_plays() {
    assert!(DOCUMENT.contains(&format!("```python\n{PYTHON_ENGINE}```\n")));
    if program_or_skip!("python3").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/ludus_engine.py");
    let stranger = format!("ludus:path=python3,args={}", script.display());
    let arguments = ["match", "connect4", &stranger, "minimax:depth=3", "--games", "6", "--json"];
    let output = text(&ludus(folder.path()).args(arguments).output().unwrap());
    let document: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(document["games"], 6);
    assert_eq!(document["players"][0]["forfeits"], 0, "{document}");
    assert!(document["losses"].as_u64() > document["wins"].as_u64(), "{document}");
    // Other games are refused.
    let arguments = ["match", "reversi", &stranger, "random", "--games", "2"];
    let output = ludus(folder.path()).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("expected one Random columns plays: connect4"), "{errors}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn mistakes_are_answered_with_errors_and_leave_the_engine_alive() {
    for (line, words) in [
        ("dance", "bad command \"dance\""),
        ("ludus 0", "no version 0"),
        ("game ludo", "\"ludo\""),
        ("game go:size=99", "a whole number from 2 to 25"),
        ("player nobody", "\"nobody\""),
        ("game connect4\nplayer solver:x=1", "one of the options table"),
        ("position start", "send game and its name first"),
        ("game connect4\nposition start moves a z", "\"z\""),
        ("game connect4\nposition 7/7", "six rows of seven cells"),
        ("newgame 3", "newgame seed and a whole number"),
        ("go fast", "one of depth, nodes, time"),
    ] {
        let lines = answers("greedy", format!("{line}\nping\n").as_bytes());
        assert_eq!(lines.len(), 2, "{line}: {lines:?}");
        assert!(lines[0].starts_with("error ") && lines[0].contains(words), "{lines:?}");
        assert_eq!(lines[1], "pong");
    }
    assert_eq!(answers("greedy", b"\n \nstop\nnewgame seed 3\nping\nquit\nping\n"), ["pong"]);
    assert_eq!(answers("greedy", b"\xff\xfe\0\nping").last().unwrap(), "pong");
}

#[test]
fn every_go_has_one_best_move() {
    let over = "game tictactoe\nposition start moves a1 a2 b1 b2 c1\ngo depth 1\n";
    for (script, expected) in [
        ("go\n", vec!["error no game is set: send game and its name first", "bestmove none"]),
        (over, vec!["error the game is over", "bestmove none"]),
        (
            "game connect4\nposition start moves z\ngo\nposition start\ngo depth 1\n",
            vec!["error", "error", "bestmove none", "bestmove"],
        ),
        ("game go:size=5\nplayer engine\ngo nodes 20\ngo nodes 20\n", vec!["bestmove"; 2]),
        ("game reversi\ngo time 0\n", vec!["bestmove"]),
        ("game reversi\ngo clock 0 increment 0\n", vec!["bestmove"]),
    ] {
        let lines = short_answers("greedy", script);
        assert_eq!(lines.len(), expected.len(), "{script}: {lines:?}");
        for (line, start) in lines.iter().zip(expected) {
            assert!(line.starts_with(start), "{script}: {lines:?}");
        }
    }
}

#[test]
fn a_search_is_stopped_and_answers_pings_meanwhile() {
    let mut child = Command::new(program())
        .args(["engine", "--player", "mcts"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"game reversi\ngo time 3600000\nping\nstop\ngo nodes 10\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("info")).collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(lines[0], "pong");
    assert!(lines[1..].iter().all(|line| line.starts_with("bestmove ")), "{text}");
}

/// The games of a match of these players, as text without names.
fn games(data: &Path, game: &str, players: [&str; 2]) -> String {
    fs::create_dir_all(data).unwrap();
    let file = data.join(format!("{}.pgn", game.replace(':', "-")));
    let file_name = file.to_str().unwrap();
    let limits = ["--games", "4", "--depth", "3", "--seed", "5", "--save", file_name];
    let mut command = ludus(data);
    command.args(["match", game]).args(players).args(limits);
    text(&command.output().unwrap());
    let text = fs::read_to_string(&file).unwrap();
    let moves = text.lines().filter(|line| !line.starts_with('['));
    // Comments contain times.
    let words = moves.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    let mut plain = String::new();
    for piece in words.split('{') {
        plain += piece.split_once('}').map_or(piece, |(_, after)| after);
    }
    plain
}

#[test]
fn a_player_is_the_same_from_outside() {
    let folder = tempfile::tempdir().unwrap();
    let path = program();
    for (game, player) in [
        ("reversi", "engine:table=1MB"),
        ("connect4", "mcts:playouts=200"),
        ("split-nim:coins=9", "random"),
        ("tictactoe", "minimax:depth=2"),
    ] {
        let outside = format!("ludus:path={},player={player}", path.display());
        let inside = games(&folder.path().join("in"), game, [player, "greedy"]);
        assert_eq!(games(&folder.path().join("out"), game, [&outside, "greedy"]), inside, "{game}");
    }
}

/// A build of ludus at `path` that differs from others by what is appended to the program.
fn write_build(path: &Path, appended: &[u8]) {
    // Copied by another process: a file that this one has open for writing could not be started by a
    // parallel test.
    let script = "rm -f \"$2\" && cp \"$1\" \"$2\" && cat >> \"$2\"";
    let mut shell = assert_cmd::Command::new("sh");
    shell
        .args(["-c", script, "sh"])
        .arg(program())
        .arg(path)
        .write_stdin(appended)
        .assert()
        .success();
}

fn builds(data: &Path, spec: &str) -> Vec<String> {
    let ratings = ludus(data).args(["ratings", "reversi", "--json"]).output().unwrap();
    let ratings: Value = serde_json::from_str(&text(&ratings)).unwrap();
    let ratings = ratings.as_array().unwrap().iter();
    let of_spec = ratings.filter(|rating| rating["player"] == spec);
    of_spec.map(|rating| rating["build"].as_str().unwrap().to_owned()).collect()
}

#[cfg(unix)]
#[test]
fn two_builds_are_two_players_and_neither_goes_on_for_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let path = folder.path().join("peer");
    let spec = format!("ludus:path={},player=greedy", path.display());
    let newer = folder.path().join("newer");
    write_build(&newer, b"newer");
    let newer = format!("ludus:path={},player=greedy", newer.display());
    for build in [b"", &b"newer"[..]] {
        write_build(&path, build);
        let arguments = ["match", "reversi", &spec, &newer, "--games", "4", "--json"];
        let output = text(&ludus(&data).args(arguments).output().unwrap());
        let document: Value = serde_json::from_str(&output).unwrap();
        assert_eq!(document["players"][0]["forfeits"], 0, "{document}");
    }
    let mut both = builds(&data, &spec);
    both.sort();
    both.dedup();
    assert_eq!(both.len(), 2, "one path, two players: {both:?}");
    assert!(both.iter().all(|build| build.starts_with("Ludus ")), "{both:?}");

    // Neither resumes a contest of the other.
    let data = folder.path().join("cut off");
    let arguments = ["match", "reversi", &spec, "random", "--games", "100000", "--resume"];
    let mut cut_off = ludus(&data).args(arguments).stdout(Stdio::null()).spawn().unwrap();
    loop {
        let listed = ludus(&data).args(["records", "list", "--json"]).output().unwrap();
        if listed.status.success() && String::from_utf8_lossy(&listed.stdout).contains(&spec) {
            break;
        }
        assert!(cut_off.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    cut_off.kill().unwrap();
    cut_off.wait().unwrap();
    write_build(&path, b"another");
    let refused = ludus(&data).args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success());
    assert_eq!(errors.matches("Ludus 0").count(), 2, "both builds are named: {errors}");
}
