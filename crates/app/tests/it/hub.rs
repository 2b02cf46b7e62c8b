//! `ludus hub`: responses line by line.

use assert_cmd::Command;
use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
    time::{Duration, Instant},
};

const START: &str = "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

#[track_caller]
fn hub(input: &[u8]) -> Vec<String> {
    let mut command = Command::cargo_bin("ludus").unwrap();
    command.args(["hub", "--player", "greedy"]).write_stdin(input);
    let assert = command.assert().success();
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn the_handshake_offers_variants_and_players() {
    let lines = hub(b"hub\nset-param name=variant value=russian\ninit\nhub\nquit\nping\n");
    let variants = "english brazilian russian normal italian spanish czech pool";
    let variant = |current: &str| {
        format!("param name=variant value={current} type=enum values=\"{variants}\"")
    };
    let (normal, russian) = (variant("normal"), variant("russian"));
    let expected = [
        "id name=Ludus version=0.1.0 author=\"The Ludus authors\"",
        &normal,
        "param name=player value=greedy type=string",
        "wait",
        "ready",
        "id name=Ludus version=0.1.0 author=\"The Ludus authors\"",
        &russian,
        "param name=player value=greedy type=string",
        "wait",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn mistakes_are_answered_with_errors_and_unknown_commands_ignored() {
    for (script, words) in [
        ("set-param name=variant value=ludo", "expected one of english, brazilian"),
        ("set-param name=player value=nobody", "one of the players of draughts"),
        ("set-param name=colour value=red", "one of variant, player"),
        ("pos", "the side to move, W or B"),
        ("pos pos=Wbb", "50 squares"),
        ("pos pos=\"W", "expected a command"),
        ("=", "expected a command"),
    ] {
        let lines = hub(format!("{script}\nping\n").as_bytes());
        assert_eq!(lines.len(), 2, "{script}: {lines:?}");
        assert!(lines[0].starts_with("error message=\"") && lines[0].contains(words), "{lines:?}");
        assert_eq!(lines[1], "pong");
    }
    assert_eq!(hub(b"dance fast=yes\n\nstop\nponder-hit\nnew-game\nlevel x=y\nping\n"), ["pong"]);
}

#[test]
fn every_go_is_done_once() {
    // A position that cannot be read, moves that cannot be played, a game that is over.
    let over = format!("Wb{}", "e".repeat(49));
    for (script, words) in [
        ("pos pos=x".to_owned(), "side to move"),
        (format!("pos pos={START} moves=\"32-28 32-28\""), "illegal move 32-28"),
        (format!("pos pos={over}"), "the game is over"),
    ] {
        let lines = hub(format!("{script}\ngo think\n").as_bytes());
        assert!(lines[0].contains(words), "{lines:?}");
        assert_eq!(lines.iter().filter(|line| *line == "done").count(), 1, "{lines:?}");
    }
    let script =
        format!("pos pos={START} moves=\"32-28 19-23 28x19x23\"\nlevel depth=1\ngo think\n");
    let lines = hub(script.as_bytes());
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("info depth=1 score=") && lines[0].contains(" nodes=2 "));
    let done = lines[1].as_str();
    assert!(matches!(done, "done move=14x23x19" | "done move=13x24x19"), "{done}");
}

#[test]
fn other_variants_have_smaller_boards() {
    for (variant, turn) in
        [("english", 'B'), ("russian", 'W'), ("brazilian", 'W'), ("italian", 'W'), ("pool", 'B')]
    {
        let start = format!("{turn}{}{}{}", "b".repeat(12), "e".repeat(8), "w".repeat(12));
        let script = format!(
            "set-param name=variant value={variant}\ninit\npos pos={start}\nlevel move-time=1\n\
             go think\n"
        );
        let lines = hub(script.as_bytes());
        assert!(lines.last().unwrap().starts_with("done move="), "{lines:?}");
    }
}

#[test]
fn a_search_hears_ping_and_stop_and_keeps_the_rest_for_later() {
    let mut engine = Running::start(&["--player", "minimax:depth=40"]);
    for mode in ["think", "analyze", "ponder"] {
        engine.send(&format!("pos pos={START}"));
        engine.send("level infinite");
        engine.send(&format!("go {mode}"));
        engine.send("ping");
        assert_eq!(engine.read_line(), "pong", "{mode}");
        engine.send("hub");
        engine.send("stop");
        assert!(engine.read_line().starts_with("info "));
        assert!(engine.read_line().starts_with("info "));
        assert!(engine.read_line().starts_with("done move="));
        assert!(engine.read_line().starts_with("id "));
        while engine.read_line() != "wait" {}
    }
    // The clock starts at ponder-hit.
    let started = Instant::now();
    for line in [&format!("pos pos={START}"), "level move-time=0.2", "go ponder", "ponder-hit"] {
        engine.send(line);
    }
    while !engine.read_line().starts_with("done move=") {}
    assert!(started.elapsed() >= Duration::from_millis(200));
    // At the end of input it exits, in the middle of a search.
    engine.send("level infinite");
    engine.send("go think");
    engine.end();
}

#[test]
fn garbage_is_survived() {
    let mut garbage = Vec::new();
    let mut state = 7u32;
    for _ in 0..200_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        garbage.push((state >> 24) as u8);
    }
    garbage.extend(b"\npos pos=".iter());
    garbage.extend(std::iter::repeat_n(b'W', 300_000));
    garbage.extend(b"\nlevel time=NaN inc=-1e99 moves=-3 depth=99999999999 nodes=x\nping\n".iter());
    let lines = hub(&garbage);
    assert_eq!(lines.last().map(String::as_str), Some("pong"));
}

#[test]
fn our_engine_plays_our_hub_player_under_every_rule_set() {
    let program = assert_cmd::cargo::cargo_bin("ludus");
    let peer = |player: &str| {
        format!("hub:path={},args=hub --player {player} --seed 5", program.display())
    };
    for rules in
        ["international", "brazilian", "russian", "english", "italian", "spanish", "czech", "pool"]
    {
        let mut command = Command::cargo_bin("ludus").unwrap();
        let game = format!("draughts:rules={rules}");
        command.args(["play", &game, "--json", "--first", &peer("greedy")]);
        let output = command.args(["--second", &peer("random")]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(document["moves"].as_array().unwrap().len() > 20, "{document}");
        assert!(document["reason"] != "by forfeit", "{document}");
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
        command.arg("hub").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
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
        drop(self.output);
        self.child.wait().unwrap();
    }
}
