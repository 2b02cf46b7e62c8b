//! Games become records and records become games again, move for move, in every format.

use ludus_core::{Random, Side};
use ludus_formats::{Format, PieceColour, Record, WriteOptions, pdn};
use ludus_games::draughts::{Colour, Rules};
use ludus_players::{Board, find_game, game_of_record};

const GAMES: &[&str] = &[
    "tictactoe",
    "split-nim:coins=12",
    "connect4",
    "reversi",
    "draughts",
    "draughts:rules=brazilian",
    "draughts:rules=russian",
    "draughts:rules=international",
    "draughts:rules=italian",
    "draughts:rules=spanish",
    "draughts:rules=czech",
    "draughts:rules=pool",
    "chess",
    "go:size=5",
    "go:size=21,handicap=4,ko=simple,scoring=territory",
    "go:size=9,komi=-3.5,rules=japanese",
];

/// Records without the second field of `GameType` are read by a table of their own.
#[test]
fn the_first_mover_of_a_pdn_record_is_that_of_the_rule_set() {
    for rules in Rules::ALL {
        let mut record = Record::new();
        record.set_tag("GameType", rules.game_type().number.to_string());
        let first = match rules.first() {
            Colour::Black => PieceColour::Black,
            Colour::White => PieceColour::White,
        };
        assert_eq!(pdn::first_colour(&record), Some(first), "{}", rules.name());
    }
}

/// A random game, or its first `length` moves, from `skipped` plies into another one.
fn random_game(spec: &str, seed: u64, skipped: usize, length: usize) -> Box<dyn Board> {
    let (game, options) = find_game(spec).unwrap();
    let mut random = Random::new(seed);
    let mut board = game.open(&options, None).unwrap();
    play_some(&mut *board, &mut random, skipped);
    let mut board = game.open(&options, Some(&board.position())).unwrap();
    play_some(&mut *board, &mut random, length);
    board
}

fn play_some(board: &mut dyn Board, random: &mut Random, length: usize) {
    for _ in 0..length {
        if board.ending().is_some() {
            return;
        }
        let moves = board.legal_moves();
        board.play(&moves[random.below(moves.len())]).unwrap();
    }
}

fn text_of(record: &Record, format: Format, starts: Side) -> String {
    format.write(record, &WriteOptions { starts: Some(starts), first_number: None })
}

fn only(format: Format, text: &str) -> Record {
    let mut records = format.read(text.as_bytes());
    let record = records.next().unwrap().unwrap_or_else(|error| panic!("{error} in {text}"));
    assert!(records.next().is_none(), "{text}");
    record
}

#[track_caller]
fn same_game(spec: &str, expected: &dyn Board, record: &Record, format: Option<Format>) {
    let (game, options) = game_of_record(format, record).unwrap();
    assert_eq!(options.to_string(), expected.name(), "{spec}");
    let board = game.open_record(&options, record).unwrap();
    assert_eq!(board.moves(), expected.moves(), "{spec}");
    assert_eq!(board.position(), expected.position(), "{spec}");
}

#[test]
fn games_read_back_move_for_move_in_every_format() {
    for spec in GAMES {
        for (seed, skipped) in [(1, 0), (2, 0), (3, 3), (4, 8)] {
            let board = random_game(spec, seed, skipped, 120);
            if board.moves().is_empty() {
                continue;
            }
            let own = board.record_format();
            let text = text_of(&board.record(None), own, board.first_turn());
            let record = only(own, &text);
            same_game(spec, &*board, &record, Some(own));
            let (game, options) = game_of_record(Some(own), &record).unwrap();
            for format in Format::ALL {
                let (translated, starts) = game.translate(&options, &record, Some(format)).unwrap();
                let read = only(format, &text_of(&translated, format, starts));
                same_game(spec, &*board, &read, Some(format));
            }
            let (translated, _) = game.translate(&options, &record, None).unwrap();
            same_game(spec, &*board, &translated, None);
        }
    }
}

#[test]
fn variations_comments_and_glyphs_survive_translation() {
    let text = "1. e4! {best} (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5 $14 2. Nf3 *\n\n";
    let record = only(Format::Pgn, text);
    let (game, options) = game_of_record(Some(Format::Pgn), &record).unwrap();
    let (json, _) = game.translate(&options, &record, None).unwrap();
    let (back, starts) = game.translate(&options, &json, Some(Format::Pgn)).unwrap();
    let written = text_of(&back, Format::Pgn, starts);
    let movetext = written.split("\n\n").nth(1).unwrap();
    assert_eq!(movetext, "1. e4 $1 {best} (1. d4 d5 (1... Nf6 2. c4) 2. c4) 1... e5 $14 2. Nf3 *");
}

#[track_caller]
fn refused(format: Format, text: &str, mention: &str) {
    let record = only(format, text);
    let error = game_of_record(Some(format), &record)
        .and_then(|(game, options)| game.translate(&options, &record, None))
        .expect_err(text)
        .to_string();
    assert!(error.contains(mention), "{error} should mention {mention:?}");
}

#[test]
fn illegal_records_are_refused_with_their_place() {
    refused(Format::Pgn, "1. e4 e5 2. Ke3 *", "move 3 of the game");
    refused(Format::Pgn, "1. e4 (1. e5) *", "move 1 of the game");
    refused(Format::Pgn, "[Game \"chequers\"]\n\n1. e4 *", "expected one of tictactoe");
    refused(Format::Pgn, "[Variant \"Atomic\"]\n\n1. e4 *", "Standard");
    refused(Format::Pgn, "[FEN \"nonsense\"]\n\n1. e4 *", "bad FEN");
    refused(Format::Pdn, "[GameType \"99\"]\n\n1. 11-15 *", "21 (english)");
    refused(Format::Pdn, "1. 11-15 15-11 *", "move 2 of the game");
    refused(Format::Sgf, "(;GM[1]SZ[9];B[aa];B[bb])", "a move of White");
    refused(Format::Sgf, "(;GM[1]SZ[9];B[zz])", "move 1 of the game");
    refused(Format::Sgf, "(;GM[1]SZ[9:7];B[aa])", "square board");
    refused(Format::Sgf, "(;GM[1]SZ[99];B[aa])", "from 2 to 25");
    refused(Format::Sgf, "(;GM[1]SZ[9]AB[aa][jj];W[bb])", "size 9");
    refused(Format::Sgf, "(;GM[1]SZ[9];B[aa];AW[bb])", "before the first move only");
    refused(Format::Sgf, "(;GM[2];B[d3])", "a tag Game");
}

#[test]
fn records_of_other_programs_are_understood() {
    let komi = |text: &str| {
        let (_, options) = game_of_record(Some(Format::Sgf), &only(Format::Sgf, text)).unwrap();
        options.to_string()
    };
    assert_eq!(komi("(;GM[1]SZ[9]KM[6,5];B[aa])"), "go:size=9,komi=6.5");
    assert_eq!(komi("(;GM[1]SZ[19]KM[375];B[aa])"), "go:komi=7.5");
    assert_eq!(komi("(;GM[1]SZ[9]HA[2]AB[cc][gg];W[aa])"), "go:size=9,handicap=2");
    let free = only(Format::Sgf, "(;GM[1]SZ[5]HA[12]KM[0]AB[cc][bb];W[aa])");
    let (game, options) = game_of_record(Some(Format::Sgf), &free).unwrap();
    let board = game.open_record(&options, &free).unwrap();
    assert_eq!(board.position(), "O4/1X3/2X2/5/5 b - 0 0/0");
}
