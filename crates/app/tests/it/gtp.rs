//! `ludus gtp`: responses line by line.

use crate::busy::until_it_has_worked;
use assert_cmd::Command;
use ludus_formats::gtp;
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

#[track_caller]
fn answers(arguments: &[&str], input: &[u8]) -> String {
    let mut command = Command::cargo_bin("ludus").unwrap();
    let assert = command.arg("gtp").args(arguments).write_stdin(input).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

/// Checks a script: lines with `<` are sent, the others up to the next `<` are the expected response.
#[track_caller]
fn check(arguments: &[&str], script: &str) {
    let input: String = script
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix('<'))
        .map(|line| format!("{}\n", line.trim()))
        .collect();
    let expected: Vec<&str> = script
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('<'))
        .collect();
    let output = answers(arguments, input.as_bytes());
    let answers: Vec<&str> =
        output.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(answers, expected, "{output}");
}

#[test]
fn required_commands_and_their_errors() {
    check(
        &[],
        "<1 protocol_version
         =1 2
         <name # a comment
         = Ludus
         <# nothing but a comment
         <
         <version
         = 0.1.0 (greedy)
         <known_command genmove
         = true
         <known_command dance
         = false
         <7 known_command
         ?7 syntax error
         <dance
         ? unknown command
         <12
         ?12 unknown command
         <boardsize 9
         =
         <boardsize 1
         ? unacceptable size
         <boardsize 26
         ? unacceptable size
         <boardsize nine
         ? syntax error
         <boardsize
         ? syntax error
         <clear_board
         =
         <komi 5.5
         =
         <komi NaN
         ? syntax error
         <komi -1e30
         =
         <komi
         ? syntax error
         <play b D4
         =
         <play white d4
         ? illegal move
         <play b I5
         ? invalid vertex
         <play b dd
         ? invalid vertex
         <play b Z9
         ? invalid vertex
         <play b resign
         ? invalid vertex
         <play red A1
         ? invalid color
         <play b
         ? syntax error
         <genmove
         ? syntax error
         <genmove red
         ? invalid color
         <99 quit
         =99
         <name",
    );
}

#[test]
fn moves_are_taken_back_and_sides_may_move_twice() {
    check(
        &["--size", "5"],
        "<undo
         ? cannot undo
         <play b A1
         =
         <play b B2
         =
         <play b pass
         =
         <play b pass
         =
         <play w C3
         =
         <list_stones b
         = B2 A1
         <list_stones w
         = C3
         <undo
         =
         <undo
         =
         <undo
         =
         <undo
         =
         <list_stones b
         = A1
         <list_stones w
         =",
    );
}

#[test]
fn superko_is_kept_when_a_side_moves_twice() {
    // Black takes a ko at B2 and C2. Retaking it at once would repeat a board, also after a pass of
    // Black out of turn; after other moves it would not.
    check(
        &["--size", "5"],
        "<play b B3
         =
         <play b A2
         =
         <play b B1
         =
         <play w C3
         =
         <play w D2
         =
         <play w C1
         =
         <play w B2
         =
         <play b C2
         =
         <list_stones w
         = C3 D2 C1
         <play w B2
         ? illegal move
         <play b pass
         =
         <play w B2
         ? illegal move
         <play b E5
         =
         <play w A5
         =
         <play w B2
         =",
    );
}

#[test]
fn legality_and_captures_are_told() {
    check(
        &["--size", "3"],
        "<play w A1
         =
         <play b A2
         =
         <is_legal b B1
         = 1
         <is_legal b A1
         = 0
         <play b B1
         =
         <captures black
         = 1
         <captures w
         = 0
         <is_legal w a1
         = 0
         <is_legal w pass
         = 1
         <is_legal w D1
         ? invalid vertex
         <is_legal w
         ? syntax error
         <captures
         ? syntax error",
    );
}

#[test]
fn handicaps() {
    check(
        &["--size", "9"],
        "<fixed_handicap 1
         ? invalid number of stones
         <fixed_handicap 10
         ? invalid number of stones
         <fixed_handicap x
         ? syntax error
         <fixed_handicap 3
         = C7 G7 C3
         <fixed_handicap 2
         ? board not empty
         <place_free_handicap 2
         ? board not empty
         <set_free_handicap A1 B1
         ? board not empty
         <undo
         ? cannot undo
         <clear_board
         =
         <place_free_handicap 1
         ? invalid number of stones
         <place_free_handicap 12
         = C7 E7 G7 C5 E5 G5 C3 E3 G3
         <clear_board
         =
         <set_free_handicap A1
         ? bad vertex list
         <set_free_handicap A1 A1
         ? bad vertex list
         <set_free_handicap A1 pass
         ? bad vertex list
         <set_free_handicap A1 B2
         =
         <list_stones black
         = B2 A1
         <boardsize 3
         =
         <place_free_handicap 3
         = B2 A3 C3",
    );
}

#[test]
fn scores_and_states() {
    check(
        &["--size", "3", "--rules", "komi=0.5"],
        "<play b B2
         =
         <final_score
         = B+8.5
         <komi 9
         =
         <final_score
         = 0
         <komi 12
         =
         <final_score
         = W+3
         <play b B1
         =
         <play w A1
         =
         <final_status_list alive
         = B2 B1
         <final_status_list dead
         = A1
         <final_status_list seki
         =
         <play b pass
         =
         <play w pass
         =
         <final_status_list dead
         = A1
         <final_score
         = W+3
         <final_status_list sleepy
         ? syntax error
         <final_status_list
         ? syntax error
         <kgs-game_over
         =
         <showboard
         =
         A B C
         3 . . . 3
         2 . X . 2
         1 O X . 1
         A B C
         Black to move, komi 12, captured by Black (X) 0, by White (O) 0",
    );
}

#[test]
fn time_and_rules() {
    check(
        &[],
        "<time_settings 300 30 5
         =
         <time_settings 0 0 0
         =
         <time_settings 1
         ? syntax error
         <time_left b 10 0
         =
         <time_left b
         ? syntax error
         <time_left green 10 0
         ? invalid color
         <kgs-time_settings none
         =
         <kgs-time_settings absolute 60
         =
         <kgs-time_settings canadian 60 30 10
         =
         <kgs-time_settings byoyomi 60 10 5
         =
         <kgs-time_settings sundial
         ? syntax error
         <kgs-rules new_zealand
         =
         <kata-set-rules {\"ko\":\"SIMPLE\", \"scoring\":\"AREA\",\"suicide\":true}
         =
         <kata-set-rules {broken
         ? syntax error
         <kgs-rules
         ? syntax error",
    );
    let refused = answers(&[], b"kgs-rules ludo\n");
    assert!(refused.starts_with("? bad rules of go") && refused.ends_with("\n\n"), "{refused}");
}

#[test]
fn moves_are_generated() {
    let output = answers(
        &["--size", "5"],
        b"genmove b\nreg_genmove w\nreg_genmove w\ngenmove w\nkgs-genmove_cleanup w\ncputime\n\
          list_stones w\n",
    );
    let answers: Vec<&str> = output.split("\n\n").filter(|answer| !answer.is_empty()).collect();
    assert_eq!(answers.len(), 7, "{output}");
    assert_eq!(answers[1], answers[2], "a regression move is the same every time");
    for answer in &answers[..5] {
        assert!(answer.starts_with("= ") && answer.len() == 4, "{answer}");
    }
    assert!(answers[5][2..].parse::<f64>().is_ok(), "{}", answers[5]);
    assert_eq!(answers[6].split(' ').count(), 3, "{output}");
}

#[test]
fn every_command_listed_is_known_and_answers_once() {
    let listed = answers(&["--size", "3"], b"list_commands\n");
    let names: Vec<&str> = listed.trim_start_matches("= ").split_whitespace().collect();
    assert!(names.len() > 30, "{listed}");
    for name in names.iter().filter(|name| **name != "quit") {
        // Without arguments, and with too many and strange ones.
        for arguments in ["", " b 3 x -1 99999999999999999999 \u{e9} D4"] {
            let script = format!("5 {name}{arguments}\n6 known_command {name}\n");
            let output = answers(&["--size", "3"], script.as_bytes());
            let starts: Vec<&str> =
                output.lines().filter(|line| line.starts_with(['=', '?'])).collect();
            assert_eq!(starts.len(), 2, "{script}{output}");
            assert!(starts[0][1..].starts_with('5'), "{script}{output}");
            assert_eq!(starts[1], "=6 true", "{script}");
            assert!(output.ends_with("\n\n"), "{script}{output}");
        }
    }
}

#[test]
fn analysis_streams_until_input_comes() {
    let mut engine = Running::start(&["--size", "5"]);
    engine.send("3 lz-analyze b 10");
    assert_eq!(engine.read_line(), "=3");
    let info = engine.read_line();
    assert!(info.starts_with("info move C3 visits 0 winrate "), "{info}");
    assert!(info.contains(" order 1 pv "), "{info}");
    // The response stays open: the next line ends it and starts the next response.
    engine.send("name");
    assert_eq!([engine.read_line(), engine.read_line()], ["", "= Ludus"]);
    assert_eq!(engine.read_line(), "");
    engine.send("lz-genmove_analyze w");
    assert_eq!(engine.read_line(), "=");
    assert!(engine.read_line().starts_with("info move C3 "));
    assert_eq!([engine.read_line(), engine.read_line()], ["play C3", ""]);
    engine.send("list_stones w");
    assert_eq!(engine.read_line(), "= C3");
    engine.end();
}

#[test]
fn a_long_search_is_stopped_by_input() {
    // Depth 6 on a large board takes too long to finish.
    let mut engine = Running::start(&["--player", "minimax:depth=6"]);
    engine.send("lz-analyze 10");
    assert_eq!(engine.read_line(), "=");
    until_it_has_worked(engine.child.id());
    engine.send("1 name");
    let mut line = engine.read_line();
    while line != "=1 Ludus" {
        assert!(line.is_empty() || line.starts_with("info move "), "{line}");
        line = engine.read_line();
    }
    engine.end();
}

#[test]
fn games_are_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a game.sgf");
    std::fs::write(&path, "(;GM[1]SZ[5]KM[3.5]AB[aa][bb];W[cc];B[dd];W[ee])").unwrap();
    let path = path.display();
    let script = format!(
        "loadsgf {path}\nlist_stones b\nlist_stones w\nloadsgf {path} 2\nlist_stones w\n\
         list_stones b\nkomi 0.5\nundo\nundo\nloadsgf {path}.none\nloadsgf\n"
    );
    let output = answers(&[], script.as_bytes());
    let answers: Vec<&str> = output.split("\n\n").filter(|answer| !answer.is_empty()).collect();
    assert_eq!(answers[..3], ["=", "= A5 B4 D2", "= C3 E1"], "{output}");
    assert_eq!(answers[3..9], ["=", "= C3", "= A5 B4", "=", "=", "? cannot undo"], "{output}");
    assert!(answers[9].starts_with("? cannot load file: "), "{output}");
    assert_eq!(answers[10], "? syntax error");
}

#[test]
fn garbage_is_answered_and_survived() {
    let mut garbage = Vec::new();
    let mut state = 1u32;
    for _ in 0..200_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        garbage.push((state >> 24) as u8);
    }
    garbage.extend(b"\nplay ".iter());
    garbage.extend(std::iter::repeat_n(b'x', 300_000));
    garbage.extend(b"\n42 name\n".iter());
    // Every line except empty ones and comments gets exactly one response.
    let commands = garbage.split(|&byte| byte == b'\n').filter_map(gtp::GtpCommand::read).count();
    let output = Command::cargo_bin("ludus").unwrap().arg("gtp").write_stdin(garbage).output();
    let output = output.unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(text.matches("\n\n").count(), commands);
    assert!(commands > 500 && text.ends_with("? invalid color\n\n=42 Ludus\n\n"));
}

#[test]
fn bad_options_are_the_users_mistake() {
    for arguments in [["--player", "nobody"], ["--size", "1"], ["--rules", "rules=ludo"]] {
        let output = Command::cargo_bin("ludus").unwrap().arg("gtp").args(arguments).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
}

#[test]
fn our_engine_plays_our_gtp_player() {
    let program = assert_cmd::cargo::cargo_bin("ludus");
    for game in ["go:size=5,rules=tromp-taylor", "go:size=7,handicap=2"] {
        let peer = |player: &str| {
            format!("gtp:path={},args=gtp --player {player} --seed 3", program.display())
        };
        let mut command = Command::cargo_bin("ludus").unwrap();
        command.args(["play", game, "--json", "--first", &peer("random")]);
        let output = command.args(["--second", &peer("greedy")]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(document["reason"], "after two passes", "{document}");
    }
}

struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Running {
    fn start(arguments: &[&str]) -> Running {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("ludus"));
        command.arg("gtp").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Running { child, input, output: BufReader::new(output) }
    }

    fn send(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn read_line(&mut self) -> String {
        let mut line = String::new();
        assert!(self.output.read_line(&mut line).unwrap() > 0, "it ended");
        line.trim_end().to_owned()
    }

    fn end(mut self) {
        drop(self.input);
        assert!(self.child.wait().unwrap().success());
    }
}
