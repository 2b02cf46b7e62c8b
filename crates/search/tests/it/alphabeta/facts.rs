//! The searches against well-known facts, and through the table a second time.

use super::support::{KINDS, search, tables};
use ludus_core::{HasEval, History, Limits, Position, Random, Score, SearchControl};
use ludus_knowledge::connect4::Connect4Knowledge;
use ludus_knowledge::split_nim::SplitNimKnowledge;
use ludus_knowledge::tictactoe::TicTacToeKnowledge;

use ludus_games::{connect4::Connect4, split_nim::SplitNim, tictactoe::TicTacToe};
use ludus_search::Search;
use ludus_search::alphabeta::{
    Pruning, ReplacementScheme, SearchSettings, Searcher, TranspositionTable,
};
use std::{collections::HashMap, sync::atomic::AtomicBool};

#[test]
fn tictactoe_is_a_draw() {
    let game = History::new(TicTacToe::default());
    for &(name, kind) in KINDS {
        for memory in [None, Some((1 << 16, ReplacementScheme::TwoLevel))] {
            let report = search(&game, 9, &TicTacToeKnowledge::handcrafted(), kind, memory, 1);
            assert_eq!((report.score, report.depth), (Some(Score::DRAW), 9), "{name} {memory:?}");
        }
    }
}

#[test]
fn connect_four_is_no_loss_for_the_first_player_as_far_as_one_sees() {
    let mut game = History::new(Connect4::default());
    let memory = Some((1 << 20, ReplacementScheme::TwoLevel));
    let report =
        search(&game, 9, &Connect4Knowledge::handcrafted(), SearchSettings::ALPHA_BETA, memory, 1);
    assert_eq!(report.score.unwrap().win_in(), None, "nobody wins by force in nine plies");
    game.push(3);
    let report =
        search(&game, 9, &Connect4Knowledge::handcrafted(), SearchSettings::PVS, memory, 1);
    let win = report.score.unwrap().win_in();
    assert!(win.is_none_or(|plies| plies < 0), "the centre is the winning move: {win:?}");
}

/// Whether the player to move wins: splits one pile into two unequal ones, and who cannot loses.
fn wins(piles: &[u8], known: &mut HashMap<Vec<u8>, bool>) -> bool {
    if let Some(&known) = known.get(piles) {
        return known;
    }
    let mut won = false;
    for (index, &pile) in piles.iter().enumerate() {
        for smaller in 1..pile.div_ceil(2) {
            let mut next = piles.to_vec();
            next[index] = smaller;
            next.push(pile - smaller);
            next.sort_unstable();
            won |= !wins(&next, known);
        }
    }
    known.insert(piles.to_vec(), won);
    won
}

#[test]
fn split_nim_is_won_by_who_a_plain_solver_says() {
    let mut known = HashMap::new();
    for coins in 3..=20 {
        let game = History::new(SplitNim::new(coins));
        let expected = wins(&[coins], &mut known);
        let mut distances = Vec::new();
        for &(name, kind) in &KINDS[1..] {
            let memory = Some((1 << 16, ReplacementScheme::TwoLevel));
            let report = search(&game, 20, &SplitNimKnowledge::handcrafted(), kind, memory, 1);
            let distance = report.score.unwrap().win_in().expect("searched to the end");
            assert_eq!(distance > 0, expected, "{name} with {coins} coins");
            distances.push(distance);
        }
        assert!(distances.windows(2).all(|pair| pair[0] == pair[1]), "{coins}: {distances:?}");
    }
}

/// Random Connect Four positions with a win for the side to move in sight.
fn won_positions() -> Vec<(History<Connect4>, Score)> {
    let mut random = Random::new(16).split("wins");
    let mut found = Vec::new();
    while found.len() < 12 {
        let mut game = History::new(Connect4::default());
        let mut moves = Vec::new();
        for _ in 0..12 + random.below(8) {
            moves.clear();
            game.last().legal_moves(&mut moves);
            let Some(mv) = random.pick(&moves) else { break };
            game.push(mv);
        }
        if game.last().outcome().is_some() {
            continue;
        }
        let score = search(
            &game,
            7,
            &Connect4Knowledge::handcrafted(),
            SearchSettings::ALPHA_BETA,
            None,
            1,
        )
        .score;
        if let Some(score) = score.filter(|score| score.win_in().is_some_and(|plies| plies >= 3)) {
            found.push((game, score));
        }
    }
    found
}

#[test]
fn the_distance_to_a_win_survives_the_table() {
    let limits = Limits { depth: Some(7), ..Limits::default() };
    let stop = AtomicBool::new(false);
    for (game, wanted) in won_positions() {
        let deeper = SearchSettings { pruning: Pruning::OFF, ..SearchSettings::STRONG };
        for &(name, kind) in KINDS.iter().chain(&[("strong", deeper)]) {
            for (bytes, scheme) in tables().into_iter().flatten() {
                if name == "negamax" && scheme != ReplacementScheme::Aged {
                    continue; // it takes its time
                }
                let table = Some(TranspositionTable::new(bytes, scheme));
                let mut searcher = Searcher::new(
                    kind,
                    table,
                    &Connect4Knowledge::handcrafted(),
                    Connect4Knowledge,
                    1,
                );
                for round in 0..3 {
                    let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
                    let score = searcher.search(&game, &limits, control).score.unwrap();
                    assert_eq!(score, wanted, "{name} {bytes} {scheme:?}, round {round}");
                }
            }
        }
        // One move on, the same table has to give a distance that is one shorter.
        let table = Some(TranspositionTable::new(1 << 16, ReplacementScheme::TwoLevel));
        let mut searcher = Searcher::new(
            SearchSettings::PVS,
            table,
            &Connect4Knowledge::handcrafted(),
            Connect4Knowledge,
            1,
        );
        let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
        let best = searcher.search(&game, &limits, control).line[0];
        let mut next = game.clone();
        next.push(best);
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let score = searcher.search(&next, &limits, control).score.unwrap();
        assert_eq!(-score.0, wanted.0 + 1);
    }
}

#[test]
fn a_search_stopped_at_any_node_has_a_legal_move() {
    let mut game = History::new(Connect4::default());
    for mv in [3, 3, 2] {
        game.push(mv);
    }
    let mut moves = Vec::new();
    game.last().legal_moves(&mut moves);
    for &(name, kind) in KINDS.iter().chain(&[("strong", SearchSettings::STRONG)]) {
        for nodes in (0..40).chain([100, 255, 256, 257, 1000, 5000]) {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let table = Some(TranspositionTable::new(1 << 12, ReplacementScheme::TwoLevel));
            let mut searcher =
                Searcher::new(kind, table, &Connect4Knowledge::handcrafted(), Connect4Knowledge, 1);
            let stop = AtomicBool::new(false);
            let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
            let report = searcher.search(&game, &limits, control);
            assert!(moves.contains(&report.line[0]), "{name} after {nodes}");
            assert!(report.nodes <= nodes, "{name}: {} of {nodes}", report.nodes);
            let mut position = *game.last();
            for &mv in &report.line {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                assert!(moves.contains(&mv), "{name} after {nodes}: {:?}", report.line);
                position.play(mv);
            }
        }
    }
}
