//! `ludus uci`, driven like by a GUI.

use crate::busy::until_it_has_worked;
use ludus_formats::uci::UciCommand;
use ludus_test_support::{program_or_skip, skip};
use std::{
    io::{BufRead, BufReader, Read, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc::{self, Receiver},
    thread,
    time::{Duration, Instant},
};

/// Timeout of a test that waits in vain.
const TIMEOUT: Duration = Duration::from_secs(600);

struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Engine {
    fn new(arguments: &[&str]) -> Engine {
        let mut child = Command::new(env!("CARGO_BIN_EXE_ludus"))
            .arg("uci")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = mpsc::channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Engine { input: child.stdin.take(), child, lines }
    }

    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn send_bytes(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    /// The lines up to one that starts with `word`, and that one.
    #[track_caller]
    fn until(&mut self, word: &str) -> Vec<String> {
        let deadline = Instant::now() + TIMEOUT;
        let mut lines = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => lines.push(line),
                Err(error) => panic!("no {word} ({error}) in {lines:?}"),
            }
            if lines.last().is_some_and(|line| line.starts_with(word)) {
                return lines;
            }
        }
    }

    #[track_caller]
    fn best_move(&mut self) -> String {
        let line = self.until("bestmove").pop().unwrap();
        line.split(' ').nth(1).unwrap().to_owned()
    }

    /// Closes the input; the engine must exit with success. Returns its remaining lines.
    #[track_caller]
    fn end(mut self) -> Vec<String> {
        self.input = None;
        let deadline = Instant::now() + TIMEOUT;
        let status = loop {
            match self.child.try_wait().unwrap() {
                Some(status) => break status,
                None if Instant::now() > deadline => panic!("it does not end"),
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        assert!(status.success(), "{status}");
        self.lines.iter().collect()
    }
}

fn count_moves(lines: &[String]) -> usize {
    lines.iter().filter(|line| line.starts_with("bestmove")).count()
}

#[test]
fn it_introduces_itself_with_the_options_of_its_player() {
    let mut engine = Engine::new(&["--player", "minimax:depth=2", "--threads", "3"]);
    engine.send("uci");
    let lines = engine.until("uciok");
    for expected in [
        "id name Ludus 0.1.0 minimax:depth=2",
        "option name Threads type spin default 3 min 1 max 1024",
        "option name MultiPV type spin default 1 min 1 max 500",
        "option name Ponder type check default false",
        "option name depth type spin default 2 min 0 max 100",
    ] {
        assert!(lines.iter().any(|line| line == expected), "{expected} is not in {lines:?}");
    }
    engine.send("quit");
    assert!(engine.end().is_empty());
}

#[test]
fn bad_players_are_refused_before_anything_is_said() {
    for player in ["nobody", "minimax:depth=101", "uci:path=no-such-engine"] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_ludus")).args(["uci", "--player", player]).output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{player}");
        assert!(output.stdout.is_empty(), "{player}");
    }
}

#[test]
fn several_lines_come_from_one_depth() {
    let mut engine = Engine::new(&["--player", "engine"]);
    engine.send("setoption name MultiPV value 3");
    engine.send("go depth 5");
    let lines = engine.until("bestmove");
    let last: Vec<&String> = lines.iter().rev().skip(1).take(3).collect();
    for (line, rank) in last.iter().zip([3, 2, 1]) {
        assert!(line.starts_with(&format!("info depth 5 multipv {rank} score ")), "{lines:?}");
        let (_, pv) = line.split_once(" pv ").unwrap();
        assert!(pv.split(' ').count() > 1, "{line}");
    }
    let best = lines.last().unwrap().split(' ').nth(1).unwrap();
    assert!(last[2].contains(&format!(" pv {best}")), "{lines:?}");
    engine.send("setoption name MultiPV value 1");
    engine.send("go depth 3");
    assert!(engine.until("bestmove").iter().all(|line| !line.contains("multipv")));
    engine.send("quit");
    let mut engine = Engine::new(&["--player", "random"]);
    engine.send("setoption name MultiPV value 2");
    engine.send("go depth 2");
    let lines = engine.until("bestmove");
    assert!(lines.iter().any(|line| line.contains("reports its best move only")), "{lines:?}");
}

#[test]
fn it_searches_what_it_is_asked() {
    let mut engine = Engine::new(&[]);
    engine.send("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
    engine.send("go mate 1");
    let lines = engine.until("bestmove");
    assert!(lines[0].starts_with("info depth 1 score mate 1 nodes "), "{lines:?}");
    assert!(lines[0].ends_with(" pv a1a8") && lines[1] == "bestmove a1a8", "{lines:?}");
    engine.send("setoption name MultiPV value 2");
    engine.send("go depth 2 searchmoves a1b1 a1c1 a1d1");
    let lines = engine.until("bestmove");
    assert!(lines.len() == 3 && lines[1].contains(" multipv 2 "), "{lines:?}");
    assert!(["a1b1", "a1c1", "a1d1"].contains(&&lines[2][9..]), "{lines:?}");
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("go wtime 5000 btime 1 winc 100 binc 0 movestogo 10");
    assert_ne!(engine.best_move(), "(none)");
    engine.send("go nodes 100");
    assert_ne!(engine.best_move(), "(none)");
    // Mated.
    engine.send("position startpos moves f2f3 e7e5 g2g4 d8h4");
    engine.send("go movetime 10");
    assert_eq!(engine.best_move(), "(none)");
    assert!(engine.end().is_empty());
}

#[test]
fn it_answers_while_it_thinks_and_stops_at_once() {
    let mut engine = Engine::new(&["--player", "minimax:depth=20"]);
    engine.send("go infinite");
    engine.send("isready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    until_it_has_worked(engine.child.id());
    engine.send("isready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    engine.send("stop");
    engine.best_move();
    engine.send("go movetime 100");
    engine.best_move();
    // An endless search, stopped by the end of input.
    engine.send("go depth 20");
    assert_eq!(count_moves(&engine.end()), 1);
}

#[test]
fn a_move_found_early_waits_for_stop_or_ponderhit() {
    let mut engine = Engine::new(&["--player", "greedy"]);
    for (go, end) in [
        ("go infinite", "stop"),
        ("go ponder wtime 1000 btime 1000", "ponderhit"),
        ("go ponder movetime 10", "stop"),
    ] {
        engine.send("position startpos moves d2d4");
        engine.send(go);
        let info = engine.until("info");
        assert_eq!(info.len(), 1, "{go}: {info:?}");
        for _ in 0..20 {
            engine.send("isready");
            assert_eq!(engine.until("readyok"), ["readyok"], "{go}");
        }
        engine.send(end);
        engine.best_move();
    }
    // A ponderhit starts the clock of an endless search.
    let mut engine = Engine::new(&["--player", "minimax:depth=20"]);
    engine.send("go ponder wtime 3000 btime 3000");
    engine.send("ponderhit");
    engine.best_move();
    assert!(engine.end().is_empty());
}

#[test]
fn every_go_gets_one_move_in_any_order_of_commands() {
    let mut engine = Engine::new(&["--player", "minimax:depth=20"]);
    for line in [
        "go infinite",
        "go infinite",
        "position startpos moves e2e4",
        "go ponder",
        "setoption name depth value 1",
        "go infinite",
        "stop",
        "stop",
        "ponderhit",
        "ucinewgame",
        "go depth 1",
        "isready",
    ] {
        engine.send(line);
    }
    let mut lines = Vec::new();
    while count_moves(&lines) < 5 {
        lines.extend(engine.until("bestmove"));
    }
    engine.send("isready");
    lines.extend(engine.until("readyok"));
    lines.extend(engine.end());
    assert_eq!(count_moves(&lines), 5, "{lines:?}");
}

#[test]
fn mistakes_are_told_and_forgiven() {
    let mut engine = Engine::new(&[]);
    for (line, words) in [
        ("setoption name Wisdom value 3", "expected one of Threads, MultiPV"),
        ("setoption name depth value 1000", "a whole number from 0 to 100"),
        ("position startpos moves e2e4 e2e4", "bad chess move"),
        ("position fen 8/8/8/8 w - - 0 1", "bad FEN"),
    ] {
        engine.send(line);
        let said = engine.until("info string").pop().unwrap();
        assert!(said.contains(words), "{said}");
    }
    engine.send("joho go depth 1 nonsense");
    engine.best_move();
    assert!(engine.end().is_empty());
}

/// A small random generator: the bytes must be the same in every run.
struct Bytes(u64);

impl Bytes {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }
}

#[test]
fn garbage_never_hurts_it() {
    const WORDS: &[&str] = &[
        "uci",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e1g1",
        "0000",
        "go",
        "depth",
        "1",
        "-1",
        "99999999999999999999",
        "infinite",
        "ponder",
        "searchmoves",
        "stop",
        "ponderhit",
        "setoption",
        "name",
        "value",
        "depth",
        "MultiPV",
        "Threads",
        "wtime",
        "btime",
        "movetime",
        "mate",
        "nodes",
        "isready",
        "ucinewgame",
        "debug",
        "on",
        "8/8/8/8/8/8/8/8",
        "w",
        "KQkq",
        "-",
        "\u{0}",
        "\u{fffd}é",
        "register",
    ];
    for seed in 0..4 {
        let mut random = Bytes(seed);
        let mut garbage = Vec::new();
        for _ in 0..400 {
            for _ in 0..random.next() % 8 {
                if random.next().is_multiple_of(6) {
                    garbage.extend((0..random.next() % 20).map(|_| random.next() as u8));
                } else {
                    garbage.extend(WORDS[random.next() as usize % WORDS.len()].bytes());
                }
                garbage.push(b' ');
            }
            garbage.push(b'\n');
        }
        let lines = garbage.split(|byte| matches!(byte, b'\n' | b'\r'));
        let commands = lines.filter_map(|line| UciCommand::parse(&String::from_utf8_lossy(line)));
        let searches = commands.filter(|command| matches!(command, UciCommand::Go(_))).count();
        assert!(searches > 10, "the garbage is too harmless: {searches}");
        let mut engine = Engine::new(&["--player", "greedy"]);
        engine.send_bytes(&garbage);
        engine.send_bytes(&vec![b'x'; 3 << 20]);
        engine.send("\nstop\nucinewgame\nposition startpos moves e2e4\ngo depth 1");
        let mut said = Vec::new();
        while count_moves(&said) <= searches {
            said.extend(engine.until("bestmove"));
        }
        engine.send("isready");
        said.extend(engine.until("readyok"));
        said.extend(engine.end());
        assert_eq!(count_moves(&said), searches + 1);
        assert!(said.iter().all(|line| !line.contains("crashed")), "{said:?}");
    }
}

#[test]
fn our_engine_is_an_opponent_like_any_other() {
    let program = env!("CARGO_BIN_EXE_ludus");
    let player = format!("uci:path={program},args=uci --player greedy");
    let output = Command::new(program)
        .args(["play", "chess", "--first", &player, "--second", "random", "--json"])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(document["moves"].as_array().unwrap().len() > 4, "{document}");
}

/// An external engine must not outlive a killed ludus, even if it ignores its input.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_ends_with_us_however_we_end() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let (script, note) = (folder.path().join("deaf.sh"), folder.path().join("process"));
    let text =
        format!("#!/bin/sh\ntrap '' INT TERM HUP\necho $$ > {}\nexec sleep 1000\n", note.display());
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let player = format!("uci:path={},handshake=100s", script.display());
    let mut ludus = Command::new(env!("CARGO_BIN_EXE_ludus"))
        .args(["analyze", "chess", "--player", &player])
        .spawn()
        .unwrap();
    let deadline = Instant::now() + TIMEOUT;
    let process = loop {
        assert!(Instant::now() < deadline, "the engine does not start");
        match std::fs::read_to_string(&note).unwrap_or_default().trim().parse::<u32>() {
            Ok(process) => break process,
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    };
    ludus.kill().unwrap();
    ludus.wait().unwrap();
    // A zombie counts as ended: its new parent may be slow to reap it.
    let is_running = || {
        let status = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        !status.is_empty() && !status.contains(") Z")
    };
    while is_running() {
        assert!(Instant::now() < deadline, "the engine is still there");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The Python of a virtual environment under target/ with python-chess, created if necessary.
fn python_with_chess(python3: &Path) -> Result<PathBuf, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python-chess");
    let python = folder.join("bin").join("python");
    let run = |program: &Path, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output();
        output.is_ok_and(|output| output.status.success())
    };
    if run(&python, &["-c", "import chess.engine"]) {
        return Ok(python);
    }
    let folder = folder.to_str().ok_or("the folder has a strange name")?;
    if !run(python3, &["-m", "venv", folder]) {
        return Err("python3 has no venv".to_owned());
    }
    let install = ["-m", "pip", "install", "--quiet", "--timeout", "10", "chess==1.11.2"];
    if !run(&python, &install) {
        return Err("pip cannot install chess".to_owned());
    }
    Ok(python)
}

#[test]
fn python_chess_plays_whole_games_with_clocks() {
    let Some(python3) = program_or_skip!("python3") else { return };
    let python = match python_with_chess(&python3) {
        Ok(python) => python,
        Err(reason) => return skip!("there is no python-chess: {reason}"),
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/uci_games.py");
    let mut child = Command::new(python)
        .arg(script)
        .args([env!("CARGO_BIN_EXE_ludus"), "10", "minimax"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.starts_with("10 games, "), "{said}");
}
