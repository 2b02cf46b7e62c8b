//! UCI lines of any kind: the parser never panics, and parsed lines round-trip.

use ludus_formats::uci::{UciCommand, UciMessage};
use proptest::prelude::*;
use std::time::Duration;

const WORDS: &[&str] = &[
    "go",
    "position",
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "e7e8q",
    "setoption",
    "name",
    "value",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "wtime",
    "binc",
    "searchmoves",
    "ponder",
    "infinite",
    "7",
    "-7",
    "99999999999999999999",
    "debug",
    "on",
    "off",
    "info",
    "score",
    "cp",
    "lowerbound",
    "pv",
    "multipv",
    "string",
    "option",
    "type",
    "spin",
    "check",
    "combo",
    "button",
    "default",
    "min",
    "max",
    "var",
    "true",
    "<empty>",
    "bestmove",
    "(none)",
    "id",
    "author",
    "uciok",
    "é",
];

fn lines() -> impl Strategy<Value = String> {
    let words = prop::collection::vec(prop::sample::select(WORDS), 0..14);
    prop_oneof![any::<String>(), words.prop_map(|words| words.join(" "))]
}

proptest! {
    #[test]
    fn what_was_read_is_written_so_that_it_reads_the_same(line in lines()) {
        if let Some(command) = UciCommand::parse(&line) {
            prop_assert_eq!(UciCommand::parse(&command.to_string()), Some(command));
        }
        if let Some(message) = UciMessage::parse(&line) {
            prop_assert_eq!(UciMessage::parse(&message.to_string()), Some(message));
        }
    }
}

#[test]
fn long_lines_are_read_in_no_time() {
    for word in [
        "setoption ",
        "option name x type combo default a var b ",
        "go searchmoves ",
        "info pv e2e4 ",
    ] {
        let line = word.repeat(100_000);
        let _ = (UciCommand::parse(&line), UciMessage::parse(&line));
    }
}

#[test]
fn commands_are_read_and_written_back() {
    for line in [
        "uci",
        "debug on",
        "debug off",
        "isready",
        "setoption name Clear Hash",
        "setoption name Skill Level value 3",
        "setoption name Book value <empty>",
        "ucinewgame",
        "position startpos",
        "position startpos moves e2e4 e7e5",
        "position fen 8/8/8/8/8/8/8/K1k5 w - - 0 1 moves a1a2",
        "go",
        "go ponder wtime 1000 btime 2000 winc 10 binc 20 movestogo 5",
        "go movetime 50 depth 3 nodes 9 mate 2",
        "go infinite searchmoves e2e4 d2d4",
        "stop",
        "ponderhit",
        "quit",
    ] {
        let command = UciCommand::parse(line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(command.to_string(), line);
    }
}

#[test]
fn strange_words_are_skipped() {
    assert_eq!(UciCommand::parse("joho debug on"), Some(UciCommand::Debug(true)));
    assert_eq!(UciCommand::parse(""), None);
    assert_eq!(UciCommand::parse("setoption value 3"), None);
    assert_eq!(UciCommand::parse("position"), None);
    let Some(UciCommand::Go(go)) =
        UciCommand::parse("go wtime -5 oops btime x depth 99999999999 searchmoves e2e4 depth 2")
    else {
        panic!("not read");
    };
    assert_eq!((go.time, go.depth), ([Some(Duration::ZERO), None], Some(2)));
    assert_eq!(go.search_moves, ["e2e4"]);
}

#[test]
fn messages_are_read_and_written_back() {
    for line in [
        "id name Stockfish 17",
        "id author the Stockfish developers",
        "uciok",
        "readyok",
        "option name Ponder type check default false",
        "option name Skill Level type spin default 20 min 0 max 20",
        "option name Style type combo default Normal var Solid var Normal",
        "option name Clear Hash type button",
        "option name Book File type string default <empty>",
        "bestmove e2e4",
        "bestmove e2e4 ponder e7e5",
        "bestmove (none)",
        "info depth 3 seldepth 5 multipv 1 score cp -12 nodes 7 nps 70 time 100 pv e2e4 e7e8q",
        "info depth 3 score mate -2 lowerbound",
        "info string a b",
    ] {
        let message = UciMessage::parse(line).unwrap_or_else(|| panic!("{line}"));
        assert_eq!(message.to_string(), line);
    }
    assert_eq!(UciMessage::parse("bestmove"), UciMessage::parse("bestmove 0000"));
    assert_eq!(UciMessage::parse("Stockfish 17 by the Stockfish developers"), None);
}
