//! Every search finds minimax's value on toy trees, whatever its options.

use super::support::{KINDS, Toy, evaluate_toy, minimax, random_dag, random_tree, search, tables};
use ludus_core::{History, Random, Score};
use ludus_search::alphabeta::{ReplacementScheme, SearchSettings};

/// All kinds of search with all tables, with and without ordering and iterations.
fn check_all(toy: &Toy, depth: u32) {
    let wanted = minimax(toy, depth, evaluate_toy);
    let game = History::new(toy.clone());
    for &(name, kind) in KINDS {
        for memory in tables() {
            for ordering in [false, true] {
                for step in [0, 1, 2] {
                    let settings = SearchSettings { ordering, step, ..kind };
                    let report = search(&game, depth, &evaluate_toy, settings, memory, 1);
                    assert_eq!(
                        report.score,
                        Some(wanted),
                        "{name} depth {depth} {memory:?} ordering {ordering} step {step}"
                    );
                    check_move(toy, &report, depth, wanted, name);
                }
            }
        }
    }
}

/// The chosen move is as good as the value says.
fn check_move(toy: &Toy, report: &ludus_core::Report<u16>, depth: u32, wanted: Score, name: &str) {
    use ludus_core::Position;
    let next = toy.after(report.line[0]);
    let value = match next.outcome() {
        Some(outcome) => -Score::terminal(outcome, next.turn(), 1),
        None if depth == 1 => -evaluate_toy(&next),
        None => {
            let below = -minimax(&next, depth - 1, evaluate_toy);
            Score(below.0 - below.win_in().map_or(0, i32::signum))
        }
    };
    assert_eq!(value, wanted, "{name}, depth {depth}: move {:?}", report.line);
}

#[test]
fn trees_written_by_hand() {
    for (text, value) in [
        ("(3 (5 9) -2)", 5),
        ("((3 12 8) (2 4 6) (14 5 2))", 3),
        ("(((4 6) (7 9)) ((1 2) (0 1)) ((8 8) (8 8)))", 8),
        ("(l (w d) (w 7))", 7),
        ("(1)", 1),
        ("((((5))))", 5),
    ] {
        let toy = Toy::parse(text);
        assert_eq!(minimax(&toy, 6, evaluate_toy), Score(value), "{text}");
        check_all(&toy, 6);
    }
    let won = Toy::parse("((l w) (w (w d) w))");
    assert_eq!(minimax(&won, 6, evaluate_toy).win_in(), Some(3));
    check_all(&won, 6);
}

#[test]
fn random_trees_to_every_depth() {
    let mut random = Random::new(1).split("trees");
    for round in 0..50 {
        let text = format!("({} {})", random_tree(&mut random, 4), random_tree(&mut random, 4));
        check_all(&Toy::parse(&text), 1 + round % 6);
    }
}

#[test]
fn random_trees_with_transpositions() {
    let mut random = Random::new(2).split("graphs");
    for round in 0..40 {
        check_all(&random_dag(&mut random, 6, 5), 3 + round % 4);
    }
}

#[test]
fn quiescence_and_extensions_keep_all_searches_equal() {
    let mut random = Random::new(3).split("quiescence");
    let mut changed = [0, 0];
    for round in 0..60 {
        let toy = random_dag(&mut random, 8, 6);
        let game = History::new(toy.clone());
        let depth = 2 + round % 3;
        let plain = Some(minimax(&toy, depth, evaluate_toy));
        for (quiescence, extensions) in [(true, false), (false, true), (true, true)] {
            let with = |kind| SearchSettings { quiescence, extensions, ..kind };
            let wanted =
                search(&game, depth, &evaluate_toy, with(SearchSettings::NEGAMAX), None, 1).score;
            if wanted != plain {
                changed[usize::from(extensions)] += 1;
            }
            for &(name, kind) in KINDS {
                // The depth of an extended line depends on how it was reached.
                let memory = (!extensions && round % 2 == 0)
                    .then_some((1 << 12, ReplacementScheme::TwoLevel));
                let found = search(&game, depth, &evaluate_toy, with(kind), memory, 1).score;
                assert_eq!(found, wanted, "{name} quiescence {quiescence} {extensions} {round}");
            }
        }
    }
    assert!(changed.iter().all(|&times| times > 10), "the options do something: {changed:?}");
}

#[test]
fn eight_threads_find_the_same_value() {
    let mut random = Random::new(4).split("threads");
    for round in 0..12 {
        let toy = random_dag(&mut random, 7, 6);
        let wanted = Some(minimax(&toy, 7, evaluate_toy));
        let game = History::new(toy);
        for &(name, kind) in KINDS {
            for bytes in [64, 1 << 14] {
                let scheme = if round % 2 == 0 {
                    ReplacementScheme::TwoLevel
                } else {
                    ReplacementScheme::Aged
                };
                let memory = Some((bytes, scheme));
                let found = search(&game, 7, &evaluate_toy, kind, memory, 8).score;
                assert_eq!(found, wanted, "{name} with {bytes} bytes");
            }
        }
    }
}
