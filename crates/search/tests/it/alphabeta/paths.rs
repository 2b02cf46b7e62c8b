//! Draws by repetition depend on the way a position was reached; what the table holds must not.

use super::support::{Graph, KINDS, random_games, search, senseless};
use crate::known::Known;
use ludus_core::{Evaluator, HasEval, History, Notation, Options, Position, Random};
use ludus_games::{chess::Chess, draughts::Draughts};
use ludus_search::alphabeta::{ReplacementScheme, SearchSettings};

const TABLES: [Option<(u64, ReplacementScheme)>; 4] = [
    None,
    Some((64, ReplacementScheme::Always)),
    Some((1 << 16, ReplacementScheme::TwoLevel)),
    Some((1 << 16, ReplacementScheme::Aged)),
];

/// Every search with every table finds what negamax without a table finds. Returns whether the
/// repetitions made a difference to it.
fn check<P: Known, E: Evaluator<P> + Clone>(
    game: &History<P>,
    depth: u32,
    evaluator: &E,
    kinds: &[(&str, SearchSettings)],
) -> bool {
    let with = |kind| SearchSettings { path_draws: true, ..kind };
    let wanted = search(game, depth, evaluator, with(kinds[0].1), None, 1).score;
    for &(name, kind) in kinds {
        for memory in TABLES {
            let found = search(game, depth, evaluator, with(kind), memory, 1).score;
            assert_eq!(found, wanted, "{name} {memory:?} depth {depth}");
        }
    }
    wanted != search(game, depth, evaluator, kinds[0].1, None, 1).score
}

/// A random game that does not end.
fn wander(start: &Graph, plies: usize, random: &mut Random) -> History<Graph> {
    let mut game = History::new(start.clone());
    for _ in 0..plies {
        let mut moves = Vec::new();
        game.last().legal_moves(&mut moves);
        game.push(random.pick(&moves).expect("the game goes on"));
        if Graph::ending(&game).is_some() {
            game.pop();
        }
    }
    game
}

#[test]
fn games_that_go_in_circles() {
    let mut random = Random::new(8).split("circles");
    let mut decided = 0;
    for round in 0..150 {
        let start = Graph::random(&mut random, 3, 4 + round % 4);
        let game = wander(&start, round % 5, &mut random);
        decided += u32::from(check(&game, 4 + round as u32 % 4, &senseless(), KINDS));
    }
    assert!(decided > 50, "repetitions matter in {decided} of 150 graphs");
}

fn check_endings<P: Notation + Known<Knowledge: HasEval<P>>>(
    name: &str,
    endings: &[&str],
    depths: std::ops::RangeInclusive<u32>,
) {
    let options = Options::parse(name, P::OPTIONS).unwrap();
    let mut decided = 0;
    for text in endings {
        let start = P::parse(&options, text).unwrap();
        for game in random_games(&start, 4, 12, 9) {
            for depth in depths.clone() {
                decided +=
                    u32::from(check(&game, depth, &P::Knowledge::handcrafted(), &KINDS[1..]));
                decided += u32::from(check(&game, depth, &senseless(), &KINDS[1..]));
            }
        }
    }
    assert!(decided > 5, "repetitions matter {decided} times in {name}");
}

#[test]
fn endings_with_kings() {
    check_endings::<Chess>(
        "chess",
        &["8/8/8/3k4/8/3KP3/8/8 w - - 0 1", "8/8/1k6/8/8/2K5/7p/7B w - - 0 1"],
        4..=5,
    );
    let kings = ["B:WK32,K31:BK1,K5", "B:WK10:BK1,K5", "W:WK29,21:BK3"];
    check_endings::<Draughts>("draughts", &kings, 5..=7);
}
