//! The evaluations that every game has.

use super::support::{minimax, random_games, start};
use ludus_core::{Evaluator, Notation, Options, Position, Score};
use ludus_games::{
    chess::Chess, connect4::Connect4, draughts::Draughts, reversi::Reversi, split_nim::SplitNim,
};
use ludus_search::alphabeta::{Mobility, OnlyEnds, RandomTree};

fn position<P: Notation>(text: &str) -> P {
    P::parse(&Options::defaults(P::ID, P::OPTIONS), text).unwrap()
}

#[test]
fn mobility_compares_the_moves_of_both_sides_where_the_game_can_tell() {
    fn opposite<P: Notation>(game: &str) {
        for game in random_games::<P>(&start(game), 50, 40, 3) {
            let position = game.last();
            let other = position.other_to_move().expect("such boards allow it");
            if other.outcome().is_none() {
                assert_eq!(Mobility.evaluate(position), -Mobility.evaluate(&other));
            }
        }
    }
    opposite::<Reversi>("reversi");
    opposite::<Draughts>("draughts");
    opposite::<Draughts>("draughts:rules=international");

    let few: Draughts = position("W:W29:B25,1");
    assert_eq!(few.count_moves(), 1);
    assert_eq!(Mobility.evaluate(&few), Score(-20), "one move against three");
    assert_eq!(Mobility.evaluate(&start::<Chess>("chess")), Score(200), "its own 20 moves");
    assert_eq!(Mobility.evaluate(&start::<SplitNim>("split-nim:coins=7")), Score(30));
}

#[test]
fn without_an_evaluation_only_ends_count() {
    let open = start::<Connect4>("connect4");
    assert_eq!(minimax(&open, 4, OnlyEnds), Score::DRAW);
    let won = ["d", "a", "d", "a", "d", "a"]
        .iter()
        .fold(open, |position, mv| position.after(position.parse_move(mv).unwrap()));
    assert_eq!(minimax(&won, 1, OnlyEnds).win_in(), Some(1));
}

#[test]
fn a_random_tree_is_always_the_same_for_a_seed() {
    let games = random_games::<Reversi>(&start("reversi"), 200, 40, 4);
    let values = |seed| -> Vec<i32> {
        games.iter().map(|game| RandomTree::new(seed).evaluate(game.last()).0).collect()
    };
    assert_eq!(values(1), values(1));
    assert_ne!(values(1), values(2));
    let drawn = values(1);
    assert!(drawn.iter().all(|value| (-50..=50).contains(value)));
    assert!(drawn.iter().any(|&value| value < -25) && drawn.iter().any(|&value| value > 25));
}
