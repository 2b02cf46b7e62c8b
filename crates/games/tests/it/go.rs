use crate::common;
use ludus_core::{EndReason, History, Notation, Options, Outcome, Position, Side, conformance};
use ludus_games::go::{Go, GoBoard, GoMove, Illegal, rules::Ko};
use proptest::prelude::*;

#[test]
fn small_boards_conform() {
    for ko in ["simple", "positional", "situational"] {
        for suicide in ["off", "on"] {
            for scoring in ["area", "territory"] {
                let rules = format!("ko={ko},suicide={suicide},scoring={scoring}");
                conformance::check::<Go>(&format!("go:size=2,{rules}"), 20);
                conformance::check::<Go>(&format!("go:size=3,{rules}"), 8);
            }
        }
    }
}

#[test]
fn middle_boards_conform() {
    conformance::check::<Go>("go:size=5", 3);
    conformance::check::<Go>("go:size=5,rules=japanese", 3);
    conformance::check::<Go>("go:size=5,rules=new-zealand,komi=-3", 3);
}

#[test]
fn large_boards_conform() {
    conformance::check::<Go>("go:size=9,handicap=5", 3);
    conformance::check::<Go>("go:size=19", 1);
}

#[test]
fn perft_file() {
    common::perft_file::<Go>("go");
}

#[test]
fn playthrough() {
    common::playthrough::<Go>("go", "go:size=5,komi=0.5", 1);
}

fn options(spec: &str) -> Options {
    Options::parse(spec, Go::OPTIONS).unwrap()
}

fn start(spec: &str) -> Go {
    Go::start(&options(spec)).unwrap()
}

fn parse(spec: &str, text: &str) -> Result<Go, String> {
    Go::parse(&options(spec), text).map_err(|error| error.to_string())
}

/// Plays moves given as text, each of which must be legal.
fn play(go: &mut Go, moves: &str) {
    for text in moves.split_whitespace() {
        let mv = go.parse_move(text).unwrap_or_else(|error| panic!("{error} in\n{go:?}"));
        go.play(mv);
    }
}

fn why_not(go: &Go, text: &str) -> Option<Illegal> {
    let (letter, row) = text.split_at(1);
    let size = go.board().size();
    let column = "ABCDEFGHJKLMNOPQRSTUVWXYZ".find(letter).unwrap();
    go.illegal(go.board().point(size - row.parse::<usize>().unwrap(), column))
}

#[test]
fn a_ko_may_not_be_taken_back_at_once() {
    for ko in ["simple", "positional", "situational"] {
        let mut go = start(&format!("go:size=5,ko={ko}"));
        play(&mut go, "C4 D4 B3 E3 C2 D2 D3 C3");
        assert_eq!(go.board().count(Side::First), 3, "D3 was captured");
        assert_eq!(why_not(&go, "D3"), Some(Illegal::Repetition), "{ko}");
        let error = go.parse_move("D3").unwrap_err().to_string();
        assert!(error.contains("the ko rule forbids this"), "{error}");
        play(&mut go, "A1 A5 D3");
        assert_eq!(why_not(&go, "C3"), Some(Illegal::Repetition), "{ko}");
    }
}

/// White plays A1 and has sent two stones, Black takes them with C1, White takes C1 with B1.
const SENDING_TWO: &str = "5/5/5/XXO2/1O1O1 w - 0 0/0";

#[test]
fn superko_forbids_sending_two_and_returning_one() {
    let after = |ko: &str, moves: &str| {
        let mut go = parse(&format!("go:size=5,ko={ko}"), SENDING_TWO).unwrap();
        play(&mut go, moves);
        go
    };
    assert_eq!(why_not(&after("positional", "A1 C1"), "B1"), Some(Illegal::Repetition));
    // The board came up with White to move, not with Black; the next round is the same for sure.
    assert_eq!(why_not(&after("situational", "A1 C1"), "B1"), None);
    assert_eq!(why_not(&after("situational", "A1 C1 B1 pass"), "A1"), Some(Illegal::Repetition));
    assert_eq!(why_not(&after("simple", "A1 C1 B1 pass A1 C1"), "B1"), None);
}

#[test]
fn under_simple_ko_the_third_occurrence_ends_the_game() {
    let mut game = History::new(parse("go:size=5,ko=simple", SENDING_TWO).unwrap());
    for text in "A1 C1 B1 pass A1 C1 B1 pass".split(' ') {
        assert_eq!(Go::ending(&game), None, "before {text}");
        let mv = game.last().parse_move(text).unwrap();
        game.push(mv);
    }
    let mv = game.last().parse_move("A1").unwrap();
    game.push(mv);
    assert_eq!(Go::ending(&game), Some((Outcome::Draw, EndReason::Repetition)));
}

#[test]
fn a_snapback_takes_the_taker() {
    let mut go = parse("go:size=5", "5/5/XX3/OOX2/2X2 b - 0 0/0").unwrap();
    play(&mut go, "A1 B1");
    assert_eq!(go.text(), "5/5/XX3/OOX2/1OX2 b - 0 0/1", "no ko: the taker is a chain of three");
    play(&mut go, "A1");
    assert_eq!(go.text(), "5/5/XX3/2X2/X1X2 w - 0 3/1");
}

#[test]
fn one_stone_takes_several_chains() {
    let mut go = parse("go:size=5", "2X2/1XOX1/5/1XOX1/2X2 b - 0 0/0").unwrap();
    play(&mut go, "C3");
    assert_eq!(go.text(), "2X2/1X1X1/2X2/1X1X1/2X2 w - 0 2/0");
}

#[test]
fn suicide_is_illegal_unless_allowed() {
    let text = "1X3/X4/5/5/5 w - 0 0/0";
    assert_eq!(why_not(&parse("go:size=5", text).unwrap(), "A5"), Some(Illegal::Suicide));
    let lone = parse("go:size=5,suicide=on", text).unwrap();
    assert_eq!(why_not(&lone, "A5"), Some(Illegal::Repetition), "nothing would change");
    assert_eq!(why_not(&parse("go:size=5,suicide=on,ko=simple", text).unwrap(), "A5"), None);
    let text = "O1X2/XX3/5/5/5 w - 0 3/0";
    assert_eq!(why_not(&parse("go:size=5", text).unwrap(), "B5"), Some(Illegal::Suicide));
    let mut go = parse("go:size=5,suicide=on", text).unwrap();
    play(&mut go, "B5");
    assert_eq!(go.text(), "2X2/XX3/5/5/5 b - 0 5/0");
}

#[test]
fn two_passes_end_the_game_and_the_count_decides() {
    let finish = |spec: &str| {
        let mut go = parse(spec, "1XO2/1XO2/1XO2/1XO2/1XO2 b - 0 3/1").unwrap();
        assert_eq!((go.outcome(), go.margin()), (None, None));
        play(&mut go, "pass");
        assert_eq!((go.outcome(), go.margin()), (None, None));
        play(&mut go, "pass");
        let mut moves = Vec::new();
        go.legal_moves(&mut moves);
        assert!(moves.is_empty() && go.parse_move("pass").is_err());
        (go.outcome().unwrap(), go.margin().unwrap())
    };
    // Black has 5 stones and 5 points, White 5 stones and 10 points; Black has 2 prisoners more.
    assert_eq!(finish("go:size=5"), (Outcome::Win(Side::Second), -12.5));
    assert_eq!(finish("go:size=5,komi=-5"), (Outcome::Draw, 0.0));
    assert_eq!(finish("go:size=5,komi=-6"), (Outcome::Win(Side::First), 1.0));
    assert_eq!(finish("go:size=5,rules=japanese"), (Outcome::Win(Side::Second), -9.5));
    assert_eq!(finish("go:size=5,scoring=territory,komi=-3"), (Outcome::Draw, 0.0));
}

#[test]
fn prisoners_count_in_equality_only_where_they_count_in_the_result() {
    let texts = ["4/4/4/1XO1 b - 0 3/1", "4/4/4/1XO1 b - 0 2/0", "4/4/4/1XO1 b - 0 3/0"];
    let read = |spec| texts.map(|text| parse(spec, text).unwrap());
    let [a, b, c] = read("go:size=4");
    assert!(a == b && b == c && a.key() == c.key());
    let [a, b, c] = read("go:size=4,scoring=territory");
    assert!(a == b && a.key() == b.key() && a != c && a.key() != c.key());
}

#[test]
fn own_eyes_are_never_filled_in_rollouts() {
    let mut random = ludus_core::Random::new(1);
    for turn in ["b", "w"] {
        let go = parse("go:size=3", &format!("XX1/XXX/1XX {turn} - 0 0/0")).unwrap();
        for _ in 0..100 {
            assert_eq!(go.rollout(&mut random, &mut Vec::new()), Outcome::Win(Side::First));
        }
    }
}

#[test]
fn handicap_stones_go_to_their_usual_places() {
    let stones = |spec: &str| {
        let go = start(spec);
        assert_eq!(go.turn(), Side::Second);
        assert_eq!(go.rules().komi(), 0.5);
        let view = go.view();
        let mut names: Vec<String> =
            view.cells.into_iter().filter(|cell| cell.piece.is_some()).map(|c| c.name).collect();
        names.sort();
        names.join(" ")
    };
    assert_eq!(stones("go:handicap=2"), "D4 Q16");
    assert_eq!(stones("go:handicap=3"), "D16 D4 Q16");
    assert_eq!(stones("go:handicap=5"), "D16 D4 K10 Q16 Q4");
    assert_eq!(stones("go:handicap=6"), "D10 D16 D4 Q10 Q16 Q4");
    assert_eq!(stones("go:handicap=9"), "D10 D16 D4 K10 K16 K4 Q10 Q16 Q4");
    assert_eq!(stones("go:size=9,handicap=8"), "C3 C5 C7 E3 E7 G3 G5 G7");
    assert_eq!(stones("go:size=8,handicap=4"), "C3 C6 F3 F6");
    let error = |spec: &str| Go::start(&options(spec)).unwrap_err().to_string();
    assert!(error("go:size=8,handicap=5").contains("0 or 2 to 4 on a board of size 8"));
    assert!(error("go:size=5,handicap=2").contains("expected 0 on a board of size 5"));
    assert!(error("go:handicap=1").contains("0 or 2 to 9"));
}

#[test]
fn options_override_the_rule_set() {
    let rules = |spec: &str| *start(spec).rules();
    assert_eq!(rules("go"), rules("go:rules=chinese,ko=positional,suicide=off,scoring=area"));
    assert_eq!(rules("go").komi(), 7.5);
    assert_eq!(rules("go:rules=japanese").ko, Ko::Simple);
    assert_eq!(rules("go:rules=japanese,ko=situational").ko, Ko::Situational);
    assert_eq!(rules("go:rules=tromp-taylor,suicide=off"), rules("go"));
    assert_eq!(rules("go:size=9,komi=6.5,rules=chinese,ko=positional").komi(), 6.5);
    assert_eq!(rules("go:komi=-3").komi(), -3.0);
    let error = Go::start(&options("go:komi=6.3")).unwrap_err().to_string();
    assert!(error.contains("\"6.3\": expected whole or half points"), "{error}");
}

#[test]
fn moves_go_by_both_coordinates() {
    let go = start("go:size=19");
    let point = |row, column| GoMove::Play(go.board().point(row, column));
    for text in ["D4", "d4", " D4 ", "dp", "DP"] {
        assert_eq!(go.parse_move(text).unwrap(), point(15, 3), "{text:?}");
    }
    assert_eq!(go.parse_move("J19").unwrap(), point(0, 8), "there is no I");
    assert_eq!(go.parse_move("ii").unwrap(), point(8, 8));
    for text in ["pass", "PASS", "tt", ""] {
        assert_eq!(go.parse_move(text).unwrap(), GoMove::Pass, "{text:?}");
    }
    assert_eq!(
        (go.record_text(GoMove::Pass), go.record_text(point(15, 3))),
        ("pass".into(), "dp".into())
    );
    for text in ["I5", "D0", "D04", "D20", "U1", "ta", "d", "4D", "D 4", "é4", "passs"] {
        assert!(go.parse_move(text).is_err(), "{text:?}");
    }
    let large = start("go:size=25");
    let corner = large.board().point(0, 24);
    assert_eq!(large.parse_move("z25").unwrap(), GoMove::Play(corner));
    assert_eq!(large.parse_move("tt").unwrap(), GoMove::Play(large.board().point(19, 19)));
    assert_eq!(large.record_text(GoMove::Pass), "pass");
    assert_eq!((large.move_count(), large.move_index(GoMove::Pass)), (626, 625));
    assert_eq!(large.move_index(GoMove::Play(corner)), 24);
}

#[test]
fn errors_name_the_place() {
    let error = |text: &str| parse("go:size=5", text).unwrap_err();
    assert!(error("").contains("column 1: it ends here, expected X, O or a number"));
    assert!(error("5/5/6/5/5 b - 0 0/0").contains("column 5"));
    assert!(error("5/5/2x2/5/5 b - 0 0/0").contains("column 6: found \"x2/5/5\""));
    assert!(error("5/5/05/5/5 b - 0 0/0").contains("column 5"));
    assert!(error("5/5/5/5 b - 0 0/0").contains("column 8: found \" b\", expected / and another"));
    assert!(error("5/5/5/5/5/5 b - 0 0/0").contains("a space and the side to move"));
    assert!(error("5/5/5/5/5 x - 0 0/0").contains("column 11: found \"x\", expected the side"));
    assert!(error("5/5/5/5/5 b C3 0 0/0").contains("a point where a ko was taken"));
    assert!(error("5/5/5/5/5 b - 3 0/0").contains("0, 1 or 2 passes"));
    assert!(error("5/5/5/5/5 b - 0 0").contains("expected / and the stones captured by White"));
    assert!(error("5/5/5/5/5 b - 0 0/0 ").contains("nothing more"));
    assert!(
        error("XO3/O4/5/5/5 b - 0 0/0").contains("column 5: found \"O4/5/5/5\", expected stones")
    );
    let ko = "5/2XO1/1X1XO/2XO1/5 w C3 0 0/1";
    assert_eq!(parse("go:size=5", ko).unwrap().text(), ko);
    assert!(error(&ko.replace("C3 0", "C3 1")).contains("- as the ko point after a pass"));
    assert!(error(&ko.replace(" w ", " b ")).contains("a point where a ko was taken"));
}

#[test]
fn the_view_has_labels_and_stars() {
    let view = start("go:size=9").view();
    assert_eq!(view.column_labels.join(""), "ABCDEFGHJ");
    assert_eq!(view.row_labels[0], "9");
    let stars: Vec<&str> =
        view.cells.iter().filter(|cell| cell.star).map(|cell| cell.name.as_str()).collect();
    assert_eq!(stars, ["C7", "G7", "E5", "C3", "G3"]);
    assert_eq!(start("go").view().cells.iter().filter(|cell| cell.star).count(), 9);
    assert_eq!(view.notes[1], "komi 7.5");
}

#[test]
#[should_panic(expected = "no board of size 26")]
fn boards_have_limits() {
    let _ = GoBoard::new(26);
}

proptest! {
    #[test]
    fn no_text_panics(size in 2usize..=25, text in ".{0,40}") {
        let options = options(&format!("go:size={size}"));
        let _ = Go::parse(&options, &text);
        let _ = start(&format!("go:size={size}")).parse_move(&text);
    }

    #[test]
    fn damaged_positions_do_not_panic(
        at in 0usize..40, with in prop::sample::select(vec!["", " ", "X", "O", "9", "/", "-", "é"])
    ) {
        let text = "5/2XO1/1X1XO/2XO1/5 w C3 0 0/1";
        let at = at.min(text.len());
        let damaged = format!("{}{with}{}", &text[..at], text.get(at + 1..).unwrap_or(""));
        if let Ok(go) = parse("go:size=5", &damaged) {
            prop_assert_eq!(go.text(), damaged);
        }
    }

    #[test]
    fn positions_survive_their_text(
        size in 2usize..=25,
        territory in any::<bool>(),
        choices in prop::collection::vec(any::<u32>(), 0..120),
    ) {
        let scoring = if territory { "territory" } else { "area" };
        let options = options(&format!("go:size={size},scoring={scoring}"));
        let mut go = Go::start(&options).unwrap();
        for choice in choices {
            let mut moves = Vec::new();
            go.legal_moves(&mut moves);
            let Some(&mv) = moves.get(choice as usize % moves.len().max(1)) else { break };
            go.play(mv);
        }
        let read = Go::parse(&options, &go.text()).unwrap();
        prop_assert!(read == go);
        prop_assert_eq!((read.key(), read.verification_key()), (go.key(), go.verification_key()));
        prop_assert_eq!(read.text(), go.text());
    }
}

#[test]
fn komi_of_records_may_be_counted_in_stones() {
    for (written, points) in [("3.75", 7.5), ("375", 7.5), ("2.75", 5.5), ("6.50", 6.5), ("0", 0.0)]
    {
        let tag = |name: &str| (name == "KM").then_some(written);
        let options = Go::options_of_record(&tag).unwrap().unwrap();
        assert_eq!(Go::start(&options).unwrap().rules().komi(), points, "{written}");
    }
}

#[test]
fn the_last_two_moves_ride_along_outside_of_equality() {
    let mut one = start("go:size=5");
    play(&mut one, "C3 D4 A1 E5");
    let mut other = start("go:size=5");
    play(&mut other, "A1 E5 C3 D4");
    assert_eq!(one, other);
    assert_eq!(one.key(), other.key());
    let points = |go: &Go| go.last_moves().map(|point| go.move_text(GoMove::Play(point.unwrap())));
    assert_eq!(points(&one), ["E5", "A1"]);
    assert_eq!(points(&other), ["D4", "C3"]);
    play(&mut one, "pass B1");
    assert_eq!(one.last_moves()[1], None, "a pass is nowhere");
}

#[test]
fn copying_into_another_position_makes_the_same() {
    for size in [5, 9, 13] {
        let mut source = start(&format!("go:size={size}"));
        play(&mut source, "C3 D4 A1");
        for other in ["go:size=9", "go:size=13,rules=japanese"] {
            let mut copy = start(other);
            copy.clone_from(&source);
            assert_eq!(copy, source);
            assert_eq!(copy.last_moves(), source.last_moves());
            play(&mut copy, "B1");
        }
    }
}
