//! A worked example of every special rule.

use ludus_core::{Notation, Options, Position};
use ludus_games::draughts::Draughts;

fn parse(rules: &str, text: &str) -> Draughts {
    let options = Options::parse(&format!("draughts:rules={rules}"), Draughts::OPTIONS).unwrap();
    Draughts::parse(&options, text).unwrap()
}

/// The legal moves as text, sorted.
fn moves(position: &Draughts) -> Vec<String> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
    texts.sort();
    texts
}

fn after(position: &Draughts, text: &str) -> String {
    position.after(position.parse_move(text).unwrap()).text()
}

#[test]
fn men_go_forward_and_kings_back_too() {
    assert_eq!(moves(&parse("english", "B:W32:B14")), ["14-17", "14-18"]);
    assert_eq!(moves(&parse("english", "W:W14:B1")), ["14-10", "14-9"]);
    assert_eq!(moves(&parse("english", "B:W32:BK14")), ["14-10", "14-17", "14-18", "14-9"]);
    assert_eq!(moves(&parse("russian", "W:WKa1:Bh2")).len(), 7, "a flying king");
}

#[test]
fn english_men_capture_forward_only_and_others_any_way() {
    assert_eq!(moves(&parse("english", "B:W9,32:B14")), ["14-17", "14-18"]);
    assert_eq!(moves(&parse("russian", "B:W9,32:B14")), ["c5:a7"]);
    assert_eq!(moves(&parse("international", "W:W28:B33,1")), ["28x39"]);
}

#[test]
fn capturing_is_forced_with_free_choice() {
    // One man for 14x23, two for 14x21x30; the man on 5 could move, but may not.
    let position = parse("english", "B:W17,18,25,32:B5,14");
    assert_eq!(moves(&position), ["14x23", "14x30"]);
}

#[test]
fn a_capture_must_be_finished() {
    let position = parse("english", "B:W18,27,5:B14");
    assert_eq!(moves(&position), ["14x32"]);
    assert_eq!(after(&position, "14x32"), "W:W5:BK32");
    assert!(position.parse_move("14x23").is_err());
}

#[test]
fn an_english_man_stops_in_the_king_row() {
    // From 30 a king could go on over 26.
    let position = parse("english", "B:W25,26:B21");
    assert_eq!(moves(&position), ["21x30"]);
    assert_eq!(after(&position, "21x30"), "W:W26:BK30");
    let king = parse("english", "B:W25,26:BK21");
    assert_eq!(moves(&king), ["21x23"]);
}

#[test]
fn the_most_pieces_must_be_captured() {
    let text = "W:Wc3,a1:Bb4,d4,f6,h8";
    assert_eq!(moves(&parse("brazilian", text)), ["c3xg7"]);
    assert_eq!(moves(&parse("russian", text)), ["c3:a5", "c3:g7"]);
    // Two men outweigh a king, and a man may be the one that captures.
    assert_eq!(moves(&parse("international", "W:WK46,40:BK10,34,24")), ["40x20"]);
}

#[test]
fn italian_men_cannot_capture_kings() {
    assert_eq!(moves(&parse("italian", "W:W22:BK18,1")), ["22-19"]);
    assert_eq!(moves(&parse("italian", "W:W22:B18,1")), ["22x13"]);
    // A king can, also backwards.
    assert_eq!(moves(&parse("italian", "W:WK14:BK18,1")), ["14x21"]);
    // A man that cannot move past a king has no move.
    let blocked = parse("italian", "W:W32:BK28,1");
    assert!(moves(&blocked).is_empty() && blocked.outcome().is_some());
}

#[test]
fn italian_captures_are_ranked_by_one_preference_after_the_other() {
    let italian = |text: &str| moves(&parse("italian", text));
    // The man takes two pieces, the king only one.
    assert_eq!(italian("W:W31,K2:B27,19,6"), ["31x15"]);
    // One piece each: the king captures.
    assert_eq!(italian("W:W31,K2:B27,6"), ["2x11"]);
    // Two pieces each: a free choice, until one of them is a king, or a king that comes first.
    assert_eq!(italian("W:WK18:B14,6,22,23"), ["18x2", "18x20"]);
    assert_eq!(italian("W:WK18:B14,6,22,K23"), ["18x20"]);
    assert_eq!(italian("W:WK18:BK14,6,22,K23"), ["18x2"]);
    assert_eq!(italian("W:WK18:BK14,6,K22,23"), ["18x2", "18x20"]);
}

#[test]
fn spanish_captures_are_of_the_most_pieces_and_then_of_the_most_kings() {
    let spanish = |text: &str| moves(&parse("spanish", text));
    assert_eq!(spanish("W:W10:B14,23,13,21"), ["10x26", "10x28"]);
    assert_eq!(spanish("W:W10:B14,23,13,K21"), ["10x26"]);
    assert_eq!(spanish("W:W10:B14,23,K13"), ["10x28"], "two men outweigh a king");
    assert_eq!(spanish("W:W10,1:B5,6"), ["10-13", "10-14"], "no capture backwards");
}

#[test]
fn a_czech_king_captures_before_a_man_and_as_few_as_it_likes() {
    assert_eq!(moves(&parse("czech", "W:Wc3,a1:Bb4,d4,f6,h8")), ["c3xa5", "c3xg7"]);
    let text = "W:Wc3,Kg1:Bd4,f6";
    assert_eq!(moves(&parse("czech", text)), ["g1xa7", "g1xb6", "g1xc5"]);
    assert_eq!(moves(&parse("russian", text)), ["c3:g7", "g1:a7", "g1:b6", "g1:c5"]);
    assert_eq!(moves(&parse("czech", "B:We5,h2:Bd4")), ["d4-c3", "d4-e3"]);
}

#[test]
fn a_pool_man_is_crowned_only_where_it_stops() {
    let passing = parse("pool", "W:W11:B7,6,28");
    assert_eq!(moves(&passing), ["11x9"]);
    assert_eq!(after(&passing, "11x9"), "B:W9:B28");
    assert_eq!(after(&parse("pool", "W:W11:B7,28"), "11x2"), "B:WK2:B28");
    // The choice is free, and men capture backwards.
    assert_eq!(moves(&parse("pool", "B:W9,17,18,25,32:B14")), ["14x23", "14x30", "14x5"]);
}

#[test]
fn no_piece_is_jumped_twice() {
    // Back on 7 the king could jump 10 or 11 again; squares may be visited twice, pieces not.
    let position = parse("english", "B:W10,11,18,19:BK7");
    let round = position.parse_move("7x7").unwrap();
    assert_eq!(position.move_squares(round).captured, [10, 11, 18, 19]);
    let position = parse("international", "W:WK17:B12,22,13,23");
    for text in moves(&position) {
        let mv = position.parse_move(&text).unwrap();
        assert_eq!(position.move_squares(mv).captured.len(), 4, "{text}");
    }
}

#[test]
fn captured_pieces_block_until_the_move_ends() {
    // Over d4 to f6, over e7 to d8, over c7 to b6 or a5. From b6 the king looks down to e3, but
    // d4, already captured, still stands between.
    let text = "W:WKa1:Bd4,e7,c7,e3";
    let position = parse("brazilian", text);
    assert_eq!(moves(&position), ["a1xa5", "a1xb6"]);
    assert_eq!(after(&position, "a1xb6"), "B:WKb6:Be3");
    assert_eq!(moves(&parse("russian", text)), ["a1:a5", "a1:b6", "a1:b8"]);
}

#[test]
fn a_man_passing_the_king_row_is_crowned_in_russian_draughts_only() {
    // f6 takes e7 to d8; as a king it goes on over b6 to a5, as a man it would have to stop.
    let text = "W:Wf6:Be7,b6,h2";
    assert_eq!(moves(&parse("russian", text)), ["f6:a5"]);
    assert_eq!(after(&parse("russian", text), "f6:a5"), "B:WKa5:Bh2");
    assert_eq!(moves(&parse("brazilian", text)), ["f6xd8"]);
    assert_eq!(after(&parse("brazilian", text), "f6d8"), "B:WKd8:Bb6,h2");
    // With c7 next to it even a man goes on, and stays a man.
    let text = "W:Wf6:Be7,c7,h2";
    assert_eq!(after(&parse("brazilian", text), "f6xb6"), "B:Wb6:Bh2");
    assert_eq!(after(&parse("russian", "W:Wf6:Be7,c7,h2"), "f6:b6"), "B:WKb6:Bh2");
}

#[test]
fn a_russian_king_lands_where_it_can_capture_on() {
    // Behind c3 lie d4, e5 and so on; only from e5 it can take g3.
    let position = parse("russian", "W:WKa1:Bc3,g3,b8");
    assert_eq!(moves(&position), ["a1:h2"]);
    assert!(position.parse_move("a1:d4").is_err());
    let position = parse("russian", "W:WKa1:Bc3,b8");
    assert_eq!(moves(&position), ["a1:d4", "a1:e5", "a1:f6", "a1:g7", "a1:h8"]);
}

#[test]
fn two_paths_of_one_move_are_merged() {
    let position = parse("english", "B:W10,11,18,19:BK7");
    assert_eq!(moves(&position), ["7x7"]);
    assert_eq!(after(&position, "7x7"), "W:W:BK7");
    let mut paths = Vec::new();
    position.legal_paths(&mut paths);
    assert_eq!(paths.len(), 2);
    assert_eq!(paths[0], paths[1]);
    for text in ["7x14x23x16x7", "7x16x23x14x7", "7:7"] {
        assert_eq!(position.parse_move(text).unwrap(), paths[0], "{text}");
    }
    let ways = position.move_paths(paths[0]);
    assert_eq!(ways[0], position.move_cells(paths[0]));
    let other_way_round: Vec<usize> = ways[0].iter().rev().copied().collect();
    assert_eq!(ways[1..], [other_way_round]);
}

#[test]
fn ambiguous_captures_are_written_out() {
    let position = parse("english", "B:W10,11,18,19:B7");
    assert_eq!(moves(&position), ["7x14x23", "7x16x23"]);
    assert_eq!(after(&position, "7x14x23"), "W:W11,19:B23");
    assert_eq!(after(&position, "7-16-23"), "W:W10,18:B23");
    let error = position.parse_move("7x23").unwrap_err().to_string();
    assert_eq!(
        error,
        "bad draughts move \"7x23\": \
         expected all squares of the path, one of 7x14x23 7x16x23"
    );
    // One more man on the way makes the ends differ, and the short form does.
    let position = parse("english", "B:W10,11,18,20:B7");
    assert_eq!(moves(&position), ["7x16", "7x23"]);
}
