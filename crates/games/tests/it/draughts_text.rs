//! Positions and moves as text: round trips, leniency, and errors that name their place.

use ludus_core::{Grid, Notation, Options, PieceKind, Position, Random, RecordFormat};
use ludus_games::draughts::{Draughts, Rules};
use proptest::prelude::*;

fn options(rules: Rules) -> Options {
    Options::parse(&format!("draughts:rules={}", rules.name()), Draughts::OPTIONS).unwrap()
}

fn read(rules: Rules, text: &str) -> Result<Draughts, String> {
    Draughts::parse(&options(rules), text).map_err(|error| error.to_string())
}

#[test]
fn starting_positions_are_written_square_by_square() {
    let text = |rules| Draughts::new(rules).text();
    assert_eq!(
        text(Rules::English),
        "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
    );
    assert_eq!(
        text(Rules::Russian),
        "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6"
    );
    assert!(text(Rules::International).starts_with("W:W31,32,33,"));
    assert!(text(Rules::Italian).starts_with("W:W21,22,23,"), "as in FID's diagrams");
    assert!(text(Rules::Spanish).starts_with("W:W1,2,3,"), "White on the low numbers");
    assert!(text(Rules::Pool).starts_with("B:W21,22,23,"));
    assert!(text(Rules::Czech).starts_with("W:Wa3,c3,"));
}

#[test]
fn positions_are_read_in_every_usual_form() {
    let start = Draughts::new(Rules::English);
    for text in [
        "B:W21-32:B1-12",
        "B:B1-12:W21-32.",
        " b : w 21-32 : b 1-6, 7-12 . ",
        "B:W32,21-31:B12,11,1-10",
        "B:W21-32:B1-12:H0:F1",
    ] {
        assert!(read(Rules::English, text).unwrap() == start, "{text}");
    }
    let russian = read(Rules::Russian, "W:Wa1,kC3:BKh8").unwrap();
    assert!(read(Rules::Russian, "W:W29,K22:BK4").unwrap() == russian);
    assert_eq!(read(Rules::English, "W:WK1-3:B").unwrap().text(), "W:WK1,K2,K3:B");
    assert_eq!(read(Rules::International, "B:W:BK50").unwrap().text(), "B:W:BK50");
}

#[test]
fn bad_positions_are_refused_at_their_place() {
    let error = |text: &str| read(Rules::English, text).unwrap_err();
    let bad = "bad draughts position at line 1, column ";
    for (text, column, expected) in [
        ("", 1, "the side to move, W or B"),
        ("X:W1:B2", 1, "the side to move, W or B"),
        ("W", 2, ":W and White's squares"),
        ("W:5:B2", 3, "W or B, then squares"),
        ("W:W33:B2", 4, "a square number from 1 to 32"),
        ("W:W0:B2", 4, "a square number from 1 to 32"),
        ("W:W9,:B2", 6, "a square number from 1 to 32"),
        ("W:W9:W8", 6, "B: each colour once"),
        ("W:W9", 5, ":B and Black's squares"),
        ("W:W9,K10:B7,K10", 14, "10 is taken twice"),
        ("W:W9-12:B5,11", 12, "11 is taken twice"),
        ("W:W3:B5", 4, "K3: a man on 3 would have been crowned"),
        ("W:W9:B20,30", 10, "K30: a man on 30 would have been crowned"),
        ("W:W12-9:B1", 7, "a range that goes up"),
        ("W:W9:B1 2", 9, "a comma and a square, or the end"),
        ("W:W9:B1..", 9, "a comma and a square, or the end"),
        ("W:Wa1:B1", 4, "a square number from 1 to 32"),
        ("W:W20-32:B1", 4, "no more than 12 pieces"),
    ] {
        let message = error(text);
        assert!(message.starts_with(&format!("{bad}{column}: ")), "{text:?}: {message}");
        assert!(message.contains(expected), "{text:?}: {message}");
    }
    let message = read(Rules::Russian, "W:Wa2:Bh8").unwrap_err();
    assert!(message.contains("a dark square such as c3, or a number from 1 to 32"), "{message}");
    assert!(read(Rules::International, "W:W51:B1").unwrap_err().contains("from 1 to 50"));
}

#[test]
fn mirrored_boards_have_the_double_corner_at_the_left() {
    let moves = |rules, text: &str| {
        let position = read(rules, text).unwrap();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
        texts.sort();
        texts
    };
    // The single corner at White's right hand, and the double corner at the left.
    assert_eq!(moves(Rules::Italian, "W:W32:B1"), ["32-28"]);
    assert_eq!(moves(Rules::Italian, "W:W29:B1"), ["29-25", "29-26"]);
    assert_eq!(moves(Rules::Spanish, "W:W1:B32"), ["1-5"]);
    assert_eq!(moves(Rules::Spanish, "W:W4:B32"), ["4-7", "4-8"]);
    // 32 captures 28 to 23 and 19 to 14; White's numbers go down, in Spanish draughts up.
    assert_eq!(moves(Rules::Italian, "W:W32:B28,19"), ["32x14"]);
    assert_eq!(moves(Rules::Spanish, "W:W1:B5,14"), ["1x19"]);
    let position = read(Rules::Spanish, "W:W1:B5,14").unwrap();
    let squares = position.move_squares(position.parse_move("1x10x19").unwrap());
    assert_eq!((squares.from, squares.to, squares.captured), (1, 19, vec![5, 14]));
}

#[test]
fn moves_are_read_in_every_usual_form() {
    let start = Draughts::new(Rules::English);
    let mv = start.parse_move("11-15").unwrap();
    assert_eq!(start.parse_move(" 11-15 ").unwrap(), mv);
    for text in ["11x15", "11", "11-", "11-15-18", "a3-b4", "11 15", "", "33-34", "é", "11–15"] {
        assert!(start.parse_move(text).is_err(), "{text:?}");
    }
    let error = start.parse_move("11-19").unwrap_err().to_string();
    assert!(error.contains("one of the 7 legal moves, such as 9-13"), "{error}");
    let error = start.parse_move("11-99").unwrap_err().to_string();
    assert!(error.contains("column 4: found \"99\", expected a square number"), "{error}");

    let start = Draughts::new(Rules::Russian);
    let mv = start.parse_move("c3-d4").unwrap();
    for text in ["C3-D4", "c3d4", "22-18"] {
        assert_eq!(start.parse_move(text).unwrap(), mv, "{text:?}");
    }
    let capture = read(Rules::Russian, "W:WKa1:Bc3,g3,b8").unwrap();
    let mv = capture.parse_move("a1:h2").unwrap();
    for text in ["a1xh2", "a1-h2", "a1:e5:h2", "a1e5h2", "29-15-28", "a1:d4:h2"] {
        assert_eq!(capture.parse_move(text).unwrap(), mv, "{text:?}");
    }
    assert!(capture.parse_move("a1:f6:h2").is_err(), "it does not come by f6");
}

#[test]
fn boards_are_drawn_with_white_below() {
    for rules in Rules::ALL {
        let view = Draughts::new(rules).view();
        let size = rules.size();
        assert_eq!((view.grid, view.columns, view.rows), (Grid::Checkered, size, size));
        let mirrored = matches!(rules, Rules::Italian | Rules::Spanish);
        assert_eq!(view.dark_first, mirrored);
        for (index, cell) in view.cells.iter().enumerate() {
            let light = (index / size + index % size).is_multiple_of(2) != mirrored;
            assert_eq!(cell.name.is_empty(), light);
            assert!(cell.piece.is_none() || !light, "a piece on a light square");
        }
        let dark =
            |row: usize| view.cells[row * size..][..size].iter().find(|c| !c.name.is_empty());
        let (top, bottom) = (dark(0).unwrap(), dark(size - 1).unwrap());
        assert!(!top.piece.unwrap().light && bottom.piece.unwrap().light);
        assert_eq!(bottom.piece.unwrap().kind, PieceKind::Man);
        let names = match rules {
            Rules::English | Rules::Pool | Rules::Italian => ("1", "29"),
            Rules::International => ("1", "46"),
            Rules::Spanish => ("32", "4"),
            Rules::Brazilian | Rules::Russian | Rules::Czech => ("b8", "a1"),
        };
        assert_eq!((top.name.as_str(), bottom.name.as_str()), names);
        assert_eq!(view.column_labels.is_empty(), !rules.algebraic());
    }
    assert_eq!(Draughts::RECORD, RecordFormat::Pdn);
    let capture = read(Rules::English, "B:W10,18:B7").unwrap();
    let cells = capture.move_cells(capture.parse_move("7x23").unwrap());
    let view = capture.view();
    let names: Vec<&str> = cells.iter().map(|&cell| view.cells[cell].name.as_str()).collect();
    assert_eq!(names, ["7", "14", "23"]);
}

/// A position some random moves into a game.
fn random_position(rules: Rules, seed: u64, plies: usize) -> Draughts {
    let mut random = Random::new(seed);
    let mut position = Draughts::new(rules);
    let mut moves = Vec::new();
    for _ in 0..plies {
        moves.clear();
        position.legal_moves(&mut moves);
        let Some(mv) = random.pick(&moves) else { break };
        position.play(mv);
    }
    position
}

fn any_rules() -> impl Strategy<Value = Rules> {
    prop::sample::select(Rules::ALL.to_vec())
}

proptest! {
    #[test]
    fn positions_survive_the_round_trip(rules in any_rules(), seed: u64, plies in 0..150usize) {
        let position = random_position(rules, seed, plies);
        let read = read(rules, &position.text()).unwrap();
        prop_assert!(read == position);
        prop_assert_eq!(read.key(), position.key());
        prop_assert_eq!(read.verification_key(), position.verification_key());
        prop_assert_eq!(read.text(), position.text());
    }

    #[test]
    fn moves_survive_the_round_trip(rules in any_rules(), seed: u64, plies in 0..150usize) {
        let position = random_position(rules, seed, plies);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        for mv in moves {
            let text = position.move_text(mv);
            prop_assert_eq!(position.parse_move(&text).unwrap(), mv);
            prop_assert_eq!(position.parse_move(&text.replace([':', 'x'], "-")).unwrap(), mv);
        }
    }

    #[test]
    fn no_bytes_panic(rules in any_rules(), text in "\\PC*", bytes: Vec<u8>) {
        let start = Draughts::new(rules);
        let bytes = String::from_utf8_lossy(&bytes);
        for text in [text.as_str(), bytes.as_ref()] {
            let _ = read(rules, text);
            let _ = start.parse_move(text);
            let _ = Rules::from_game_type(text);
        }
    }

    #[test]
    fn nearly_right_text_does_not_panic(
        rules in any_rules(),
        position in "[WB]:[WBK0-9a-h,.: -]{0,40}",
        mv in "[0-9a-hx:-]{0,20}",
    ) {
        if let Ok(read) = read(rules, &position) {
            prop_assert!(Draughts::parse(&options(rules), &read.text()).unwrap() == read);
            let _ = read.parse_move(&mv);
        }
        let _ = Draughts::new(rules).parse_move(&mv);
    }
}
