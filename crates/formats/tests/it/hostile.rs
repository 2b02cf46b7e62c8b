//! Hostile input: deeply nested, unclosed or huge. It must be read in linear time, in bounded memory
//! and without deep recursion; otherwise these tests would run for minutes or crash.

use crate::common::{read, written};
use ludus_formats::{Format, MAX_GAME_BYTES, Record, WriteOptions};

const MANY: usize = 1_000_000;

fn only_error(format: Format, text: &str) -> String {
    let games = read(format, text);
    assert_eq!(games.len(), 1);
    games.into_iter().next().unwrap().unwrap_err()
}

#[test]
fn a_million_open_parentheses() {
    let bare = only_error(Format::Pgn, &"(".repeat(MANY));
    assert!(bare.contains("line 1, column 1:"), "{bare}");
    let deep = only_error(Format::Pgn, &format!("e4 {}", "(d4 ".repeat(MANY)));
    assert!(deep.ends_with("it ends here, expected ) to close the variation"), "{deep}");
    assert_eq!(read(Format::Sgf, "(".repeat(MANY)), []);
}

#[test]
fn a_million_nested_variations_are_read_written_and_dropped() {
    let text = format!("e4 {}{} *", "(d4 d5 ".repeat(MANY / 4), ")".repeat(MANY / 4));
    let record = read(Format::Pgn, text).remove(0).unwrap();
    assert_eq!(record.node_count(), 2 + MANY / 2);
    written(Format::Pgn, &record, &WriteOptions::default());
    let json = serde_json::to_string(&record).unwrap();
    assert!(serde_json::from_str::<Record>(&json).unwrap() == record);
}

#[test]
fn a_million_nested_game_trees() {
    let text = format!("{}{}", "(;".repeat(MANY), ")".repeat(MANY));
    let record = read(Format::Sgf, &text).remove(0).unwrap();
    assert_eq!(record.node_count(), MANY);
    written(Format::Sgf, &record, &WriteOptions::default());
    let open = only_error(Format::Sgf, &text[..2 * MANY]);
    assert!(open.ends_with("it ends here, expected ) to close the game tree"), "{open}");
    let bushy = format!("(;B[aa]{})", "(;W[bb])".repeat(MANY / 2));
    assert_eq!(read(Format::Sgf, bushy).remove(0).unwrap().node_count(), 2 + MANY / 2);
}

#[test]
fn endless_comments_strings_and_values() {
    let comment = only_error(Format::Pgn, &format!("1. e4 {{{}", "word\n".repeat(MANY)));
    assert!(comment.contains("line 1, column 7:"), "{comment}");
    let tag = only_error(Format::Pgn, &format!("[A \"{}", "x".repeat(MANY)));
    assert!(tag.ends_with("expected a closing quote in this line"), "{tag}");
    assert!(tag.len() < 200);
    let value = only_error(Format::Sgf, &format!("(;C[{}", "x".repeat(MANY)));
    assert!(value.ends_with("expected ] to close this value"), "{value}");
}

#[test]
fn huge_tags_are_kept() {
    let value = "x".repeat(MANY);
    let record = read(Format::Pgn, format!("[A \"{value}\"]\n*")).remove(0).unwrap();
    assert_eq!(record.tag("A"), Some(value.as_str()));
    written(Format::Pdn, &record, &WriteOptions::default());
}

#[test]
fn a_game_past_the_limit_loses_only_itself() {
    let good = "[Event \"good\"]\n\n1. e4 *\n\n";
    let line = "{words and words}\n";
    let huge = line.repeat(MAX_GAME_BYTES / line.len() + 1);
    let games = read(Format::Pgn, format!("{good}[Event \"bad\"]\n\n{huge}\n{good}"));
    let fine: Vec<bool> = games.iter().map(Result::is_ok).collect();
    assert_eq!(fine, [true, false, true]);
    assert!(games[1].as_ref().unwrap_err().contains("16 MiB"), "{:?}", games[1]);

    let one_line = "x".repeat(MAX_GAME_BYTES + 1);
    let games = read(Format::Pgn, format!("{good}{one_line}\n\n{good}"));
    let fine: Vec<bool> = games.iter().map(Result::is_ok).collect();
    assert_eq!(fine, [true, false, true]);

    let games = read(Format::Sgf, format!("(;B[aa])(;C[{one_line}])(;B[bb])"));
    let fine: Vec<bool> = games.iter().map(Result::is_ok).collect();
    assert_eq!(fine, [true, false, true]);
    assert!(games[1].as_ref().unwrap_err().contains("line 1, column 9:"), "{:?}", games[1]);
}

#[test]
fn too_many_nodes_are_an_error() {
    let moves = "a ".repeat(3 * MANY);
    assert!(only_error(Format::Pgn, &moves).contains("moves in one game"));
    let nodes = format!("({})", ";".repeat(3 * MANY));
    assert!(only_error(Format::Sgf, &nodes).contains("nodes in one game"));
}

#[test]
fn a_line_of_many_errors_takes_linear_time() {
    let games = read(Format::Pgn, "a (b [x \"y\"] ".repeat(MANY / 4));
    assert_eq!(games.len(), MANY / 4 + 1);
    let last = games[MANY / 4 - 2].as_ref().unwrap_err();
    assert!(last.contains("line 1, column 3249980:"), "{last}");
    assert_eq!(read(Format::Pgn, "* ".repeat(MANY / 4)).len(), MANY / 4);
    let tags = "[A \"x\"]\n\n".repeat(MANY / 4);
    assert_eq!(read(Format::Pdn, tags).len(), MANY / 4);
}
