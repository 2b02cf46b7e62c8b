//! Fuzzing of `ludus gtp` by valid and invalid commands: each gets one well-formed response in time, and
//! the stones agree with a simple model.
//!
//! `LUDUS_FUZZ_SECONDS` sets the duration (5), `LUDUS_FUZZ_SEED` the first seed (1); a failure names the
//! seed that reproduces it.

mod commands;
mod model;

use crate::gtp_peer::{Peer, Reply, number_from_environment};
use commands::{Line, Writer};
use ludus_core::Random;
use model::Model;
use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

/// Few playouts and little memory: the quality of moves does not matter.
const PLAYERS: [&str; 9] = [
    "random",
    "greedy",
    "minimax:depth=1",
    "flat:playouts=20",
    "mcts:playouts=20,memory=4MB",
    "engine:playouts=20,memory=4MB",
    "fuego-like:playouts=20,memory=4MB",
    "crazystone-like:playouts=20,memory=4MB",
    "btt-go:playouts=20,memory=4MB,values=1MB,moves=1MB",
];

/// Batches of one process.
const BATCHES: usize = 60;

/// Commands shown after a failure.
const MAX_COMMANDS_SHOWN: usize = 30;

/// One process, and the model of its board.
struct Session {
    peer: Peer,
    model: Model,
    writer: Writer,
    /// Lines sent, in order.
    sent: Vec<String>,
    answered: u64,
}

impl Session {
    fn start(seed: u64, folder: &Path) -> Result<Session, String> {
        let mut random = Random::new(seed);
        let player = PLAYERS[random.below(PLAYERS.len())];
        let rules = ["", "rules=japanese", "rules=tromp-taylor", "komi=0.5"][random.below(4)];
        let seed = seed.to_string();
        let arguments =
            ["gtp", "--player", player, "--rules", rules, "--seed", &seed, "--size", "9"];
        let peer = Peer::start(assert_cmd::cargo::cargo_bin!("ludus"), &arguments);
        peer.send(b"list_commands\n".to_vec());
        let known = peer.reply()?.text.lines().map(str::to_owned).collect();
        let model = Model::new(9, !rules.contains("rules"));
        let writer = Writer::new(random, known, folder);
        let sent = vec![format!("ludus {}", arguments.join(" "))];
        Ok(Session { peer, model, writer, sent, answered: 0 })
    }

    /// Sends some lines at once, reads the responses and compares the boards.
    fn batch(&mut self) -> Result<(), String> {
        let mut lines = self.writer.batch(self.model.size());
        lines.extend(["black", "white"].map(Line::list_stones));
        self.send(&lines);
        let [questions @ .., black, white] = &lines[..] else { return Ok(()) };
        for line in questions {
            if let Some(reply) = self.reply_to(line)?
                && let Some(command) = &line.command
            {
                let checked = self.model.answered(command, &reply);
                checked.map_err(|error| format!("{line}: {error}; it answered {reply:?}"))?;
            }
        }
        for line in [black, white] {
            let reply = self.reply_to(line)?.ok_or("no answer")?;
            self.model.compare(line, &reply)?;
        }
        self.model.is_settled();
        Ok(())
    }

    fn send(&mut self, lines: &[Line]) {
        self.sent.extend(lines.iter().map(ToString::to_string));
        let bytes = lines.iter().flat_map(|line| [&line.bytes[..], b"\n"].concat()).collect();
        self.peer.send(bytes);
    }

    fn reply_to(&mut self, line: &Line) -> Result<Option<Reply>, String> {
        let Some(command) = &line.command else { return Ok(None) };
        let reply = self.peer.reply().map_err(|error| format!("{line}: {error}"))?;
        self.answered += 1;
        if reply.id != command.id {
            return Err(format!("{line}: answered with another id: {reply:?}"));
        }
        Ok(Some(reply))
    }

    /// Ends the process: by `quit`, during an analysis, or by the end of input.
    fn end(mut self, way: u64) -> Result<u64, String> {
        let line = match way % 3 {
            0 => Some(Line::of("77 quit")),
            1 => Some(Line::of("lz-analyze 1")),
            _ => None,
        };
        if let Some(line) = line {
            self.send(std::slice::from_ref(&line));
            if way.is_multiple_of(3) {
                self.reply_to(&line)?;
            }
        }
        self.peer.end()?;
        Ok(self.answered)
    }
}

/// Runs one process with the commands of `seed`; returns the number of responses.
fn run(seed: u64, folder: &Path) -> u64 {
    let fail = |sent: &[String], error: String| -> ! {
        let last = &sent[sent.len().saturating_sub(MAX_COMMANDS_SHOWN)..];
        panic!("{error}\nafter:\n{}\nagain with: LUDUS_FUZZ_SEED={seed}", last.join("\n"))
    };
    let mut session = Session::start(seed, folder).unwrap_or_else(|error| fail(&[], error));
    for _ in 0..BATCHES {
        if let Err(error) = session.batch() {
            fail(&session.sent, error);
        }
    }
    let sent = session.sent.clone();
    session.end(seed).unwrap_or_else(|error| fail(&sent, error))
}

fn write_games(folder: &Path) {
    let noise: Vec<u8> =
        (0..5000u32).map(|byte| (byte.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let files: [(&str, &[u8]); 5] = [
        (commands::GOOD_GAME, commands::GOOD_GAME_TEXT),
        ("empty.sgf", b""),
        ("noise.sgf", &noise),
        ("outside.sgf", b"(;GM[1]SZ[5];B[zz])"),
        ("chess.sgf", b"1. e4 e5 2. Nf3 *"),
    ];
    for (name, bytes) in files {
        fs::write(folder.join(name), bytes).unwrap();
    }
}

#[test]
fn random_commands_are_answered_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    write_games(folder.path());
    let time = Duration::from_secs(number_from_environment("LUDUS_FUZZ_SECONDS", 5));
    let first = number_from_environment("LUDUS_FUZZ_SEED", 1);
    let started = Instant::now();
    let (mut answered, mut processes) = (0, 0);
    for seed in first.. {
        answered += run(seed, folder.path());
        processes += 1;
        if started.elapsed() >= time {
            break;
        }
    }
    println!("{answered} commands answered by {processes} processes, seeds from {first}");
}
