use crate::common;
use ludus_core::{
    EndReason, History, Notation, Options, Outcome, Position, Side, conformance, perft::perft_paths,
};
use ludus_games::draughts::Draughts;

const SPECS: [&str; 8] = [
    "draughts",
    "draughts:rules=brazilian",
    "draughts:rules=russian",
    "draughts:rules=international",
    "draughts:rules=italian",
    "draughts:rules=spanish",
    "draughts:rules=czech",
    "draughts:rules=pool",
];

#[test]
fn conforms() {
    for spec in SPECS {
        conformance::check::<Draughts>(spec, 40);
    }
}

#[test]
fn rule_sets_are_told_apart() {
    conformance::check_rule_sets::<Draughts>(&SPECS, 10);
}

#[test]
fn perft_file() {
    common::perft_file::<Draughts>("draughts");
}

#[test]
#[ignore = "takes seconds: cargo test -p ludus-games large_perft -- --ignored"]
fn large_perft() {
    common::large_perft_file::<Draughts>("draughts");
}

#[test]
fn playthroughs() {
    common::playthrough::<Draughts>("draughts_english", SPECS[0], 1);
    common::playthrough::<Draughts>("draughts_brazilian", SPECS[1], 2);
    common::playthrough::<Draughts>("draughts_russian", SPECS[2], 3);
    common::playthrough::<Draughts>("draughts_international", SPECS[3], 4);
    common::playthrough::<Draughts>("draughts_italian", SPECS[4], 5);
    common::playthrough::<Draughts>("draughts_spanish", SPECS[5], 6);
    common::playthrough::<Draughts>("draughts_czech", SPECS[6], 7);
    common::playthrough::<Draughts>("draughts_pool", SPECS[7], 8);
}

fn parse(spec: &str, text: &str) -> Draughts {
    let options = Options::parse(spec, Draughts::OPTIONS).unwrap();
    Draughts::parse(&options, text).unwrap()
}

/// Two kings walk a diamond while neither side meets the other.
fn walk(spec: &str, text: &str, cycle: &[&str], plies: usize) -> History<Draughts> {
    let mut game = History::new(parse(spec, text));
    for step in 0..plies {
        let mv = game.last().parse_move(cycle[step % cycle.len()]).unwrap();
        game.push(mv);
    }
    game
}

fn played(game: &History<Draughts>) -> Option<(Outcome, EndReason)> {
    Draughts::ending(game)
}

#[test]
fn paths_are_counted_when_asked_for() {
    let start = Draughts::start(&Options::defaults("draughts", Draughts::OPTIONS)).unwrap();
    assert_eq!(perft_paths(&start, 8), 845_931);
    // A king can go round the four men both ways.
    let round = parse("draughts", "B:W10,11,18,19:BK7");
    assert_eq!((round.count_moves(), perft_paths(&round, 1)), (1, 2));
}

#[test]
fn the_same_position_for_the_third_time_is_a_draw() {
    let text = "B:W32,K21:B1,K12";
    let cycle = ["12-16", "21-17", "16-12", "17-21"];
    assert_eq!(played(&walk(SPECS[0], text, &cycle, 7)), None);
    let game = walk(SPECS[0], text, &cycle, 8);
    assert_eq!(game.repetitions(), 3);
    assert_eq!(played(&game), Some((Outcome::Draw, EndReason::Repetition)));
}

/// Only the counters, without repetition.
fn stalls_after(spec: &str, text: &str, cycle: &[&str]) -> usize {
    let stalled = |plies: &usize| walk(spec, text, cycle, *plies).last().rule_draw().is_some();
    let plies = (1..=250).find(stalled).expect("the game stalls");
    assert_eq!(
        walk(spec, text, cycle, plies).last().rule_draw(),
        Some(EndReason::NoProgress),
        "{spec} {text}"
    );
    plies
}

#[test]
fn kings_that_only_walk_draw() {
    let many = ["12-16", "21-17", "16-12", "17-21"];
    assert_eq!(stalls_after(SPECS[0], "B:W30,31,32,K21:B1,2,3,K12", &many), 80);
    let cycle = ["a1-b2", "h2-g3", "b2-a1", "g3-h2"];
    let brazilian = "W:WKa1,c1,d2:BKh2,b8,d8,f8";
    assert_eq!(stalls_after(SPECS[1], brazilian, &cycle), 40);
    // Seven pieces are few in Russian draughts, but fifteen moves are sooner than sixty.
    assert_eq!(stalls_after(SPECS[2], brazilian, &cycle), 30);
    let cycle = ["46-41", "45-50", "41-46", "50-45"];
    let international = "W:WK46,47,48:BK45,1,2,3";
    assert_eq!(stalls_after(SPECS[3], international, &cycle), 50);
}

#[test]
fn small_balances_draw_sooner() {
    let cycle = ["a1-b2", "h2-g3", "b2-a1", "g3-h2"];
    assert_eq!(stalls_after(SPECS[1], "W:WKa1,Ka3:BKh2", &cycle), 10);
    assert_eq!(stalls_after(SPECS[1], "W:WKa1:BKh2,b8", &cycle), 10);
    assert_eq!(stalls_after(SPECS[1], "W:WKa1,Ka3,Ka5:BKh2", &cycle), 40);
    assert_eq!(stalls_after(SPECS[2], "W:WKa1:BKh2,b8", &cycle), 10);
    assert_eq!(stalls_after(SPECS[2], "W:WKa1,Ka3,Ka5:BKh2", &cycle), 30);
    assert_eq!(stalls_after(SPECS[2], "W:WKa1:BKh2,Kh4,b8", &cycle), 10, "on the main road");
    let cycle = ["46-41", "45-50", "41-46", "50-45"];
    assert_eq!(stalls_after(SPECS[3], "W:WK46:BK45", &cycle), 10);
    assert_eq!(stalls_after(SPECS[3], "W:WK46:BK45,1", &cycle), 10);
    assert_eq!(stalls_after(SPECS[3], "W:WK46:BK45,1,2", &cycle), 32);
    assert_eq!(stalls_after(SPECS[3], "W:WK46:BK45,1,2,3", &cycle), 50);
}

#[test]
fn three_kings_have_to_win_in_time() {
    let pool = ["29-25", "28-24", "25-29", "24-28"];
    assert_eq!(stalls_after(SPECS[7], "W:WK29:BK28,K2,K3", &pool), 26);
    assert_eq!(stalls_after(SPECS[7], "W:WK29:BK28,K2,3", &pool), 80);
    assert_eq!(stalls_after(SPECS[7], "W:WK29:BK28,K2", &pool), 80);
    let spanish = ["4-8", "32-28", "8-4", "28-32"];
    assert_eq!(stalls_after(SPECS[5], "W:WK4:BK32,K31,K30", &spanish), 24);
    assert_eq!(stalls_after(SPECS[5], "W:WK4:BK32,K31", &spanish), 40);
    let italian = ["29-25", "4-8", "25-29", "8-4"];
    assert_eq!(stalls_after(SPECS[4], "W:WK29:BK4", &italian), 80);
    let czech = ["a1-b2", "h2-g3", "b2-a1", "g3-h2"];
    assert_eq!(stalls_after(SPECS[6], "W:WKa1:BKh2,b8", &czech), 60);
}

#[test]
fn men_and_captures_start_the_count_anew() {
    let text = "B:W30,31,32,K21:B1,2,3,K12";
    let mut game = walk(SPECS[0], text, &["12-16", "21-17", "16-12", "17-21"], 79);
    assert_eq!(game.last().rule_draw(), None);
    game.push(game.last().parse_move("30-26").unwrap());
    assert_eq!(game.last().rule_draw(), None);
    assert_eq!(Draughts::REPETITION_LIMIT, Some(3));
}

#[test]
fn counters_do_not_tell_positions_apart() {
    let text = "B:W32,K21:B1,K12";
    let walked = walk(SPECS[0], text, &["12-16", "21-17", "16-12", "17-21"], 4);
    let fresh = parse(SPECS[0], text);
    assert!(*walked.last() == fresh && walked.last().key() == fresh.key());
    assert_eq!(walked.last().verification_key(), fresh.verification_key());
    let swapped_rules = parse(SPECS[2], "B:W32,K21:B1,K12");
    assert!(swapped_rules != fresh && swapped_rules.key() != fresh.key());
}

#[test]
fn whoever_cannot_move_has_lost() {
    let blocked = parse(SPECS[0], "W:W32:B24,27,28,23");
    assert_eq!(blocked.outcome(), Some(Outcome::Win(Side::First)), "Black moves first");
    let gone = parse(SPECS[3], "W:W:B1");
    assert_eq!(gone.outcome(), Some(Outcome::Win(Side::Second)));
    assert_eq!(gone.side_name(Side::First), "White");
}
