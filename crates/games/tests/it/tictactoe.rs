use crate::common;
use ludus_core::{Notation, Options, Outcome, Position, Side, conformance};
use ludus_games::tictactoe::TicTacToe;

#[test]
fn conforms() {
    conformance::check::<TicTacToe>("tictactoe", 300);
}

#[test]
fn perft_file() {
    common::perft_file::<TicTacToe>("tictactoe");
}

#[test]
fn playthrough() {
    common::playthrough::<TicTacToe>("tictactoe", "tictactoe", 1);
}

fn parse(text: &str) -> Result<TicTacToe, String> {
    let options = Options::defaults("tictactoe", &[]);
    TicTacToe::parse(&options, text).map_err(|error| error.to_string())
}

#[test]
fn three_in_a_row_ends_the_game() {
    let position = parse("xxx/oo./... o").unwrap();
    assert_eq!(position.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(position.count_moves(), 0);
}

#[test]
fn impossible_positions_are_refused() {
    let error = parse("xx./.../... o").unwrap_err();
    assert!(error.contains("as many crosses as noughts"), "{error}");
    assert!(parse("xxx/ooo/... x").unwrap_err().contains("first three in a row"));
    assert!(parse("xo./.../... o").unwrap_err().contains("column 13"));
    assert!(parse("x?./.../... o").unwrap_err().contains("line 1, column 2"));
    assert!(parse(".../.../... x ").unwrap_err().contains("nothing more"));
    assert!(parse(".../.../").unwrap_err().contains("it ends here"));
}
