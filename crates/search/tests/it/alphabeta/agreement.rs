//! Every search finds minimax's value on random positions of real games.

use super::support::{KINDS, minimax, random_games, search, senseless, start, tables};
use crate::known::Known;
use ludus_core::{Evaluator, HasEval, Notation};
use ludus_games::{
    chess::Chess, connect4::Connect4, draughts::Draughts, go::Go, reversi::Reversi,
    split_nim::SplitNim, tictactoe::TicTacToe,
};
use ludus_search::alphabeta::{Mobility, OnlyEnds, ReplacementScheme, SearchSettings, Windows};

/// The number of positions of a game, how far into it they are and the depth of the search.
struct Sample {
    game: &'static str,
    positions: usize,
    longest: usize,
    depth: u32,
}

/// Every kind of search on every position, with another table, order and step each time, and
/// each of the evaluations in turn.
fn check<P: Notation + Known<Knowledge: HasEval<P>>>(sample: &Sample) {
    let Sample { game, positions, longest, depth } = *sample;
    let memories = tables();
    let games = random_games::<P>(&start(game), positions, longest, 5);
    for (round, game) in games.iter().enumerate() {
        let pick = |kind: usize| {
            let number = round + 7 * kind;
            let memory = memories[number % memories.len()];
            (memory, !number.is_multiple_of(3), (number / 2 % 3) as u32)
        };
        let turn = round as u32 / depth;
        let depth = 1 + (round as u32 % depth);
        match turn % 4 {
            0 => check_position(game, depth, &P::Knowledge::handcrafted(), pick),
            1 => check_position(game, depth, &senseless(), pick),
            2 => check_position(game, depth, &Mobility, pick),
            _ => check_position(game, depth, &OnlyEnds, pick),
        }
    }
}

fn check_position<P: Notation + Known<Knowledge: HasEval<P>>, E: Evaluator<P> + Clone>(
    game: &ludus_core::History<P>,
    depth: u32,
    evaluator: &E,
    pick: impl Fn(usize) -> (super::support::Memory, bool, u32),
) {
    let wanted = minimax(game.last(), depth, evaluator.clone());
    for (index, &(name, kind)) in KINDS.iter().enumerate() {
        let (memory, ordering, step) = pick(index);
        let settings = SearchSettings { ordering, step, ..kind };
        let found = search(game, depth, evaluator, settings, memory, 1).score;
        assert_eq!(
            found,
            Some(wanted),
            "{name} depth {depth} {memory:?} ordering {ordering} step {step} in {}",
            game.last().text()
        );
    }
}

#[test]
fn small_games() {
    check::<TicTacToe>(&Sample { game: "tictactoe", positions: 200, longest: 7, depth: 6 });
    for game in ["split-nim:coins=7", "split-nim:coins=15"] {
        check::<SplitNim>(&Sample { game, positions: 150, longest: 5, depth: 6 });
    }
    check::<Connect4>(&Sample { game: "connect4", positions: 200, longest: 34, depth: 4 });
    check::<Reversi>(&Sample { game: "reversi", positions: 200, longest: 54, depth: 3 });
}

#[test]
fn draughts_of_all_rules() {
    for game in [
        "draughts",
        "draughts:rules=brazilian",
        "draughts:rules=russian",
        "draughts:rules=international",
        "draughts:rules=italian",
        "draughts:rules=spanish",
        "draughts:rules=czech",
        "draughts:rules=pool",
    ] {
        check::<Draughts>(&Sample { game, positions: 60, longest: 60, depth: 4 });
    }
}

#[test]
fn chess_and_go() {
    check::<Chess>(&Sample { game: "chess", positions: 60, longest: 80, depth: 2 });
    check::<Chess>(&Sample { game: "chess", positions: 9, longest: 40, depth: 3 });
    check::<Go>(&Sample { game: "go:size=5", positions: 100, longest: 20, depth: 2 });
}

/// Alpha-beta with quiescence and without a table is the measure here: minimax has none, and
/// without pruning all captures and crownings in all orders are too many. (That pruning is right is
/// shown on toy trees with quiescence.)
fn check_quiescence<P: Notation + Known<Knowledge: HasEval<P>>>(sample: &Sample) {
    let Sample { game, positions, longest, depth } = *sample;
    for game in random_games::<P>(&start(game), positions, longest, 6) {
        let with = |kind| SearchSettings { quiescence: true, ..kind };
        let wanted = search(
            &game,
            depth,
            &P::Knowledge::handcrafted(),
            with(SearchSettings::ALPHA_BETA),
            None,
            1,
        )
        .score;
        for &(name, kind) in KINDS.iter().filter(|(_, kind)| kind.windows != Windows::Full) {
            let memory = Some((1 << 14, ReplacementScheme::TwoLevel));
            let found =
                search(&game, depth, &P::Knowledge::handcrafted(), with(kind), memory, 1).score;
            assert_eq!(found, wanted, "{name} in {}", game.last().text());
        }
    }
}

#[test]
fn quiescence_in_real_games() {
    for game in ["draughts", "draughts:rules=russian", "draughts:rules=international"] {
        check_quiescence::<Draughts>(&Sample { game, positions: 30, longest: 50, depth: 3 });
    }
    check_quiescence::<Chess>(&Sample { game: "chess", positions: 20, longest: 40, depth: 2 });
    check_quiescence::<Reversi>(&Sample { game: "reversi", positions: 20, longest: 50, depth: 3 });
}

#[test]
fn eight_threads_in_real_games() {
    fn check_threads<P: Notation + Known<Knowledge: HasEval<P>>>(name: &str, depth: u32) {
        for (round, game) in random_games::<P>(&start(name), 4, 20, 7).iter().enumerate() {
            let wanted = Some(minimax(game.last(), depth, P::Knowledge::handcrafted()));
            for &(kind_name, kind) in KINDS {
                let bytes = if round % 2 == 0 { 64 } else { 1 << 16 };
                let memory = Some((bytes, ReplacementScheme::TwoLevel));
                let found =
                    search(game, depth, &P::Knowledge::handcrafted(), kind, memory, 8).score;
                assert_eq!(found, wanted, "{kind_name} in {name}, {bytes} bytes");
            }
        }
    }
    check_threads::<Connect4>("connect4", 5);
    check_threads::<Draughts>("draughts", 4);
    check_threads::<Reversi>("reversi", 4);
}
