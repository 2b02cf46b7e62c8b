use crate::common::{error, one, read, tree, written};
use ludus_core::{Outcome, Side};
use ludus_formats::{Format, PieceColour, ResultReading, WriteOptions, pdn};

const ENGLISH: &str = r#"[Event "Village cup"]
[Date "1931.??.??"]
[Black "Smith"]
[White "Jones"]
[Result "2-0"]
[GameType "21"]

1. 11-15 23-19 2. 8-11* 22-17 {[%clock w0:10:02 b0:09:58]} 3. 11-16!? (3. 9-14 (3. 9-13(?)
17-14 4. 10x17x26) 25-22) 24-20 4. 16x23 27x11! 2-0
"#;

#[test]
fn an_english_game_is_read_in_full() {
    let game = one(Format::Pdn, ENGLISH);
    assert_eq!(
        tree(&game),
        "11-15 23-19 8-11 $7 22-17 {[%clock w0:10:02 b0:09:58]} 11-16 $5 \
         ( 9-14 25-22 ) ( 9-13 $2 17-14 10x17x26 ) 24-20 16x23 27x11 $1"
    );
    assert_eq!(pdn::game_type(&game), Some(pdn::ENGLISH_GAME_TYPE));
    assert_eq!(pdn::first_colour(&game), Some(PieceColour::Black));
    assert_eq!(game.result.text, "2-0");
    let text = written(Format::Pdn, &game, &WriteOptions::default());
    assert!(text.starts_with("[Event \"Village cup\"]\n[Date \"1931.??.??\"]\n[Black"), "{text}");
    assert!(text.ends_with("4. 16x23 27x11 $1 2-0\n\n"), "{text}");
}

#[test]
fn the_two_readings_of_a_result_are_both_offered() {
    let game = one(Format::Pdn, ENGLISH);
    let outcome =
        |reading| game.result.kind_read_as(reading, PieceColour::Black).outcome(PieceColour::Black);
    assert_eq!(outcome(ResultReading::WhiteBlack), Some(Outcome::Win(Side::Second)));
    assert_eq!(outcome(ResultReading::FirstSecond), Some(Outcome::Win(Side::First)));
}

#[test]
fn every_result_ends_a_game() {
    let results = ["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*"];
    let text: String = results.map(|result| format!("1. 11-15 {result}\n")).concat();
    let games = read(Format::Pdn, text);
    let read: Vec<String> = games.into_iter().map(|game| game.unwrap().result.text).collect();
    assert_eq!(read, results);
}

#[test]
fn algebraic_moves_and_positions_are_kept_as_text() {
    let text = "[GameType \"25,W,8,8,A0,0\"]\n[FEN \"B:We5,Kc3:Bf6,g7.\"]\n\n\
                1. f6:d4:b2 c3-d4? 2. ... *";
    let game = one(Format::Pdn, text);
    assert_eq!(tree(&game), "f6:d4:b2 c3-d4 $2");
    assert_eq!(game.tag("FEN"), Some("B:We5,Kc3:Bf6,g7."));
    assert_eq!(pdn::first_colour(&game), Some(PieceColour::White));
    let written = written(Format::Pdn, &game, &WriteOptions::default());
    assert!(written.ends_with("\n\n1... f6:d4:b2 2. c3-d4 $2 *\n\n"), "{written}");
}

#[test]
fn who_starts_and_the_first_number_can_be_given() {
    let game = one(Format::Pdn, "1. 22-18 9-14 *");
    let options = WriteOptions { starts: Some(Side::Second), first_number: Some(12) };
    assert_eq!(written(Format::Pdn, &game, &options), "12... 22-18 13. 9-14 *\n\n");
}

#[test]
fn a_star_apart_from_its_move_ends_the_game() {
    let games = read(Format::Pdn, "1. 11-15* 23-19 * 1. 9-13 *");
    assert_eq!(games.len(), 2);
    assert_eq!(tree(games[0].as_ref().unwrap()), "11-15 $7 23-19");
}

#[test]
fn errors_speak_of_pdn() {
    assert_eq!(
        error(Format::Pdn, "[GameType 21]\n"),
        "bad PDN at line 1, column 11: found \"21]\", expected the value of the tag in quotes"
    );
}
