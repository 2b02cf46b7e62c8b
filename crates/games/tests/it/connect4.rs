use crate::common;
use ludus_core::{Notation, Options, Outcome, Position, Side, conformance};
use ludus_games::connect4::Connect4;

#[test]
fn conforms() {
    conformance::check::<Connect4>("connect4", 200);
}

#[test]
fn perft_file() {
    common::perft_file::<Connect4>("connect4");
}

#[test]
fn playthrough() {
    common::playthrough::<Connect4>("connect4", "connect4", 1);
}

fn parse(text: &str) -> Result<Connect4, String> {
    let options = Options::defaults("connect4", &[]);
    Connect4::parse(&options, text).map_err(|error| error.to_string())
}

/// Lines of four found cell by cell, the plain way.
fn has_line(position: &Connect4, light: bool) -> bool {
    let view = position.view();
    let is = |row: i32, column: i32| {
        (0..6).contains(&row)
            && (0..7).contains(&column)
            && view.cells[(row * 7 + column) as usize].piece.is_some_and(|p| p.light == light)
    };
    (0..6).any(|row| {
        (0..7).any(|column| {
            [(0, 1), (1, 0), (1, 1), (1, -1)]
                .iter()
                .any(|(down, right)| (0..4).all(|i| is(row + i * down, column + i * right)))
        })
    })
}

#[test]
fn wins_agree_with_a_cell_by_cell_search() {
    let mut random = ludus_core::Random::new(5);
    let mut moves = Vec::new();
    let mut wins = 0;
    for _ in 0..2_000 {
        let mut position = Connect4::default();
        loop {
            let last = position.turn() == Side::Second; // yellow, who is light, has just moved
            let won = has_line(&position, last);
            assert_eq!(position.outcome() == Some(Outcome::Win(!position.turn())), won);
            wins += u32::from(won);
            moves.clear();
            position.legal_moves(&mut moves);
            let Some(mv) = random.pick(&moves) else { break };
            position.play(mv);
        }
    }
    assert!(wins > 1_000);
}

#[test]
fn columns_go_by_letter_or_number() {
    let start = Connect4::default();
    for text in ["d", "D", "4", " 4 "] {
        assert_eq!(start.parse_move(text).unwrap(), 3, "{text:?}");
    }
    let error = start.parse_move("h").unwrap_err().to_string();
    assert_eq!(
        error,
        "bad connect4 move \"h\": \
         expected one of the 7 legal moves, such as a b c d e f g"
    );
}

#[test]
fn impossible_positions_are_refused() {
    assert!(parse("7/7/7/7/3x3/7 o").unwrap_err().contains("rest on the floor"));
    assert!(parse("7/7/7/7/7/xx5 o").unwrap_err().contains("as many x as o"));
    assert!(parse("7/7/7/7/7/x6 x").unwrap_err().contains("\"o\" to move"));
    assert!(parse("7/7/7/7/7/8 x").unwrap_err().contains("column 11"));
    assert!(parse("7/7/7/7/7").unwrap_err().contains("it ends here"));
    assert!(parse("7/7/7/7/ooo4/xxxx3 o").is_ok(), "a finished game is a position");
    assert!(parse("7/7/7/7/ooooxx1/xxxxoo1 x").unwrap_err().contains("first four"));
}
