//! External engines have the same time as our players: one that measures its own time uses up the time
//! it is given, and is charged the time it used.

use crate::{
    fake::{self, Engine},
    seated::{Seated, Turn},
};
use ludus_core::{Clock, Limits, Side};
use ludus_players::{Analysis, Resources};
use std::{
    io::{BufRead, Write},
    thread,
    time::{Duration, Instant},
};

/// Time for a move, a hundredth of which is longer than a thread takes to wake up.
const MOVE_TIME: Duration = Duration::from_millis(200);
const MOVES: usize = 8;
/// Relative difference up to which two times count as equal.
const TOLERANCE: f64 = 0.03;

/// The fake engine: it uses up its time exactly, and reports it in microseconds.
#[test]
fn fake_engine() {
    let Some(protocol) = fake::behaviour() else { return };
    let (mut position, mut time) = (String::new(), Duration::ZERO);
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let started = Instant::now();
        let (id, line) = match protocol.as_str() {
            "gtp" => line.split_once(' ').unwrap_or((&line, "")),
            _ => ("", line.as_str()),
        };
        let words: Vec<&str> = line.split(' ').collect();
        let number = |key: &str| -> Option<u32> {
            let at = words.iter().position(|&word| word == key)?;
            words.get(at + 1)?.parse().ok()
        };
        let millis = |key: &str| number(key).map(|number| Duration::from_millis(number.into()));
        // The share of a clock that this engine uses for a move.
        let share = |clock: Duration, increment: Option<Duration>| {
            clock / 20 + increment.unwrap_or_default() / 2
        };
        let mut answer = match (protocol.as_str(), words[0]) {
            ("uci", "uci") => {
                "option name Move Overhead type spin default 30 min 0 max 5000\nuciok".to_owned()
            }
            ("uci", "isready") => "readyok".to_owned(),
            ("uci", "go") => {
                let clock = millis("btime").map(|clock| share(clock, millis("binc")));
                time = millis("movetime").or(clock).unwrap();
                format!("bestmove {}", first_move("chess", &position))
            }
            ("ludus", "ludus") => "game reversi\nludus 1".to_owned(),
            ("ludus", "ping") => "pong".to_owned(),
            ("ludus", "go") => {
                let clock = millis("clock").map(|clock| share(clock, millis("increment")));
                time = millis("time").or(clock).unwrap();
                format!("bestmove {}", first_move("reversi", &position))
            }
            (_, "position") => {
                position = line.to_owned();
                continue;
            }
            ("gtp", "list_commands") => format!("={id} time_settings\ntime_left\n"),
            ("gtp", "protocol_version") => format!("={id} 2\n"),
            ("gtp", "time_left") => {
                time = Duration::from_secs(number("w").unwrap().into()) / words[3].parse().unwrap();
                format!("={id}\n")
            }
            ("gtp", "genmove") => format!("={id} pass\n"),
            ("gtp", _) if words[0] != "quit" => format!("={id}\n"),
            (_, "quit") => std::process::exit(0),
            _ => continue,
        };
        if matches!(words[0], "go" | "genmove") {
            while let Some(left) = time.checked_sub(started.elapsed()).filter(|t| !t.is_zero()) {
                thread::sleep(left);
            }
            answer = format!("measured {}\n{answer}", started.elapsed().as_micros());
        }
        std::io::stdout().lock().write_all(format!("{answer}\n").as_bytes()).unwrap();
        std::io::stdout().flush().unwrap();
    }
    std::process::exit(0);
}

fn first_move(game: &str, position: &str) -> String {
    let mut board = Seated::open(game).board;
    let moves = position.split(" moves ").nth(1).unwrap_or_default();
    moves.split(' ').filter(|mv| !mv.is_empty()).for_each(|mv| drop(board.play(mv).unwrap()));
    board.legal_moves().remove(0)
}

fn seat(game: &str, protocol: &str) -> (Seated, Engine) {
    let engine = Engine::of_module("fair_time", protocol, protocol, "");
    let mut seated = Seated::open(game);
    seated.seat(Side::Second, &engine.spec, &Resources::default()).unwrap();
    (seated, engine)
}

fn think(seated: &mut Seated, limits: Limits) -> Box<Analysis> {
    match seated.let_play(limits) {
        Ok(Turn::Moved(analysis)) => analysis,
        other => panic!("{other:?}"),
    }
}

/// Plays a game with `limits` for every move of the fake, whose opponent makes its first legal move:
/// the times charged to the fake.
fn charges(seated: &mut Seated, mut limits: Limits) -> Vec<Duration> {
    seated.new_game([1, 2]).unwrap();
    let mut charges = Vec::new();
    for _ in 0..MOVES {
        let mv = seated.board.legal_moves().into_iter().find(|mv| mv != "pass").unwrap();
        seated.board.play(&mv).unwrap();
        let charged = Duration::from_secs_f64(think(seated, limits).seconds);
        if let Some(clock) = &mut limits.clock {
            clock.remaining = clock.remaining - charged + clock.increment;
        }
        charges.push(charged);
    }
    charges
}

/// The numbers after `word` in the input (`>`) and output (`<`) of the fake.
fn numbers(log: &str, word: &str) -> Vec<u64> {
    let mut words = log.split_whitespace();
    std::iter::from_fn(|| {
        words.find(|&found| found == word)?;
        words.next()?.parse().ok()
    })
    .collect()
}

fn measured(log: &str) -> Vec<Duration> {
    numbers(log, "measured").into_iter().map(Duration::from_micros).collect()
}

/// The lower quartile of times, as a busy machine makes some of them longer.
fn lower_quartile(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 4]
}

#[track_caller]
fn check_charges(charged: &[Duration], log: &str) {
    let measured = measured(log);
    assert_eq!(charged.len(), measured.len(), "{log}");
    let pairs = charged.iter().zip(&measured);
    let ratio = lower_quartile(pairs.map(|(a, b)| a.as_secs_f64() / b.as_secs_f64()).collect());
    assert!((ratio - 1.0).abs() < TOLERANCE, "{charged:?} for {measured:?}");
}

#[test]
fn a_time_a_move_is_the_same_for_external_and_own_players() {
    let limits = Limits { time: Some(MOVE_TIME), ..Limits::default() };
    let mut ours = Seated::open("chess");
    ours.seat(Side::First, "engine:table=1MB,eval=hand", &Resources::default()).unwrap();
    let own = (0..MOVES).map(|_| {
        let seconds = think(&mut ours, limits).seconds;
        ours.board.undo();
        seconds
    });
    let own = lower_quartile(own.collect());
    for (protocol, game) in [("uci", "chess"), ("ludus", "reversi"), ("gtp", "go:size=9")] {
        let (mut seated, engine) = seat(game, protocol);
        let charged = charges(&mut seated, limits);
        drop(seated);
        let log = engine.log();
        check_charges(&charged, &log);
        let peer = lower_quartile(measured(&log).iter().map(Duration::as_secs_f64).collect());
        assert!((peer / own - 1.0).abs() < TOLERANCE, "{protocol}: {peer} s and ours {own} s");
    }
}

#[test]
fn an_external_engine_is_sent_its_clock_and_charged_its_time() {
    let increment = Duration::from_millis(100);
    let clock = Clock { remaining: Duration::from_secs(2), increment, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    for (protocol, game, word) in [("uci", "chess", "btime"), ("ludus", "reversi", "clock")] {
        let (mut seated, engine) = seat(game, protocol);
        let charged = charges(&mut seated, limits);
        drop(seated);
        let log = engine.log();
        check_charges(&charged, &log);
        let mut left = clock.remaining;
        let expected = charged.iter().map(|&charged| {
            let sent = left.as_millis() as u64;
            left = left - charged + increment;
            sent
        });
        assert_eq!(numbers(&log, word), expected.collect::<Vec<_>>(), "{log}");
    }
}

#[test]
fn an_engines_communication_reserve_is_set_to_zero() {
    let (seated, engine) = seat("chess", "uci");
    drop(seated);
    assert!(engine.log().contains("> setoption name Move Overhead value 0\n"), "{}", engine.log());
}
