//! MultiPV: several lines have the scores of the root's moves by plain minimax.

use super::support::{KINDS, Memory, random_games, search, senseless, start, tables};
use crate::known::Known;
use ludus_core::{
    Evaluator, HasEval, History, Limits, Notation, Position, Report, Score, SearchControl,
};
use ludus_knowledge::chess::ChessKnowledge;

use ludus_games::{
    chess::Chess,
    connect4::Connect4,
    draughts::{Draughts, DraughtsMove},
    go::Go,
    reversi::Reversi,
    tictactoe::TicTacToe,
};
use ludus_knowledge::draughts::DraughtsKnowledge;
use ludus_search::alphabeta::{
    Budget, Minimax, ReplacementScheme, SearchSettings, Searcher, TranspositionTable,
};
use ludus_search::{Search, SearchOutput};
use std::{cmp::Reverse, sync::atomic::AtomicBool};

/// The settings of one comparison.
#[derive(Copy, Clone, Debug)]
struct Wanted {
    depth: u32,
    lines: usize,
    threads: usize,
}

fn several<P: Known, E: Evaluator<P> + Clone>(
    game: &History<P>,
    evaluator: &E,
    settings: SearchSettings,
    memory: Memory,
    wanted: Wanted,
) -> (Report<P::Move>, Vec<Report<P::Move>>) {
    let table = memory.map(|(bytes, scheme)| TranspositionTable::new(bytes, scheme));
    let mut searcher =
        Searcher::new(settings, table, evaluator, P::Knowledge::default(), wanted.threads);
    let (stop, mut said) = (AtomicBool::new(false), Vec::new());
    let mut listen = |report: &Report<P::Move>| said.push(report.clone());
    let control = &mut SearchControl { stop: &stop, on_report: &mut listen };
    let limits = Limits { depth: Some(wanted.depth), ..Limits::default() };
    let report = searcher.run(game, &limits, SearchOutput::Lines(wanted.lines), control);
    (report, said)
}

/// The score of every root move by plain minimax, best first.
fn root_scores<P: Position, E: Evaluator<P> + Clone>(
    game: &History<P>,
    depth: u32,
    evaluator: &E,
) -> Vec<(P::Move, Score)> {
    let stop = AtomicBool::new(false);
    let mut budget = Budget::new(&Limits::default(), &stop);
    let report = Minimax::new(&mut evaluator.clone(), &mut budget).search(game.last(), depth);
    let scored = report.moves.iter().map(|entry| (entry.mv, entry.score.unwrap()));
    let mut scored: Vec<_> = scored.collect();
    scored.sort_by_key(|&(_, score)| Reverse(score));
    scored
}

/// The lines have the scores of the best root moves, begin with different moves that have these
/// scores, and can be played.
fn check_lines<P: Notation>(
    game: &History<P>,
    report: &Report<P::Move>,
    by_minimax: &[(P::Move, Score)],
    lines: usize,
    context: &str,
) {
    let count = lines.min(by_minimax.len());
    let scores: Vec<Score> = report.lines.iter().map(|ranked| ranked.score.unwrap()).collect();
    let wanted: Vec<Score> = by_minimax[..count].iter().map(|&(_, score)| score).collect();
    assert_eq!(scores, wanted, "{context} in {}", game.last().text());
    for (rank, ranked) in report.lines.iter().enumerate() {
        let first = ranked.line[0];
        assert!(by_minimax.contains(&(first, scores[rank])), "{context}: {first:?}");
        assert!(report.lines[..rank].iter().all(|above| above.line[0] != first), "{context}");
        let entry = report.moves.iter().find(|entry| entry.mv == first).unwrap();
        assert_eq!(entry.score, Some(scores[rank]), "{context}: {first:?}");
        let mut position = game.last().clone();
        for &mv in &ranked.line {
            let mut legal = Vec::new();
            position.legal_moves(&mut legal);
            assert!(legal.contains(&mv), "{context}: {:?}", ranked.line);
            position.play(mv);
        }
    }
    assert_eq!((report.score, &report.line), (Some(scores[0]), &report.lines[0].line), "{context}");
}

fn check<P: Notation + Known<Knowledge: HasEval<P>>>(game: &str, longest: usize, deepest: u32) {
    let memories = tables();
    for (round, game) in random_games::<P>(&start(game), 16, longest, 11).iter().enumerate() {
        let depth = 1 + round as u32 % deepest;
        let lines = [2, 3, 5, 500][round % 4];
        if round.is_multiple_of(2) {
            check_kinds(
                game,
                &P::Knowledge::handcrafted(),
                depth,
                lines,
                &memories[round % memories.len()],
            );
        } else {
            check_kinds(game, &senseless(), depth, lines, &memories[round % memories.len()]);
        }
    }
}

fn check_kinds<P: Notation + Known, E: Evaluator<P> + Clone>(
    game: &History<P>,
    evaluator: &E,
    depth: u32,
    lines: usize,
    memory: &Memory,
) {
    let by_minimax = root_scores(game, depth, evaluator);
    for (index, &(name, kind)) in KINDS.iter().enumerate() {
        let settings =
            SearchSettings { ordering: !index.is_multiple_of(3), step: index as u32 % 3, ..kind };
        let wanted = Wanted { depth, lines, threads: 1 + index % 2 };
        let (report, said) = several(game, evaluator, settings, *memory, wanted);
        let context = format!("{name} {wanted:?} {memory:?}");
        check_lines(game, &report, &by_minimax, lines, &context);
        let last = said.last().unwrap();
        assert_eq!((last.depth, last.lines.len()), (depth, report.lines.len()), "{context}");
    }
}

#[test]
fn lines_are_the_best_moves_of_minimax() {
    check::<TicTacToe>("tictactoe", 6, 4);
    check::<Connect4>("connect4", 30, 3);
    check::<Reversi>("reversi", 50, 3);
    check::<Draughts>("draughts", 50, 4);
    check::<Draughts>("draughts:rules=russian", 50, 3);
    check::<Chess>("chess", 40, 2);
    check::<Go>("go:size=4", 10, 2);
}

#[test]
fn one_line_is_the_ordinary_search() {
    let memory = Some((1 << 20, ReplacementScheme::Aged));
    for game in random_games::<Chess>(&start("chess"), 4, 30, 12) {
        let evaluator = ChessKnowledge::handcrafted();
        let plain = search(&game, 5, &evaluator, SearchSettings::STRONG, memory, 1);
        let wanted = Wanted { depth: 5, lines: 1, threads: 1 };
        let (one, _) = several(&game, &evaluator, SearchSettings::STRONG, memory, wanted);
        assert_eq!(one, plain);
        assert!(one.lines.is_empty());
    }
}

#[test]
fn all_lines_of_a_search_that_is_cut_short_come_from_one_depth() {
    let evaluator = ChessKnowledge::handcrafted();
    let memory = Some((1 << 20, ReplacementScheme::Aged));
    for game in random_games::<Chess>(&start("chess"), 3, 30, 13) {
        for nodes in [1, 40, 3_000, 20_000] {
            let table = memory.map(|(bytes, scheme)| TranspositionTable::new(bytes, scheme));
            let mut searcher =
                Searcher::new(SearchSettings::STRONG, table, &evaluator, ChessKnowledge, 1);
            let (stop, mut said) = (AtomicBool::new(false), Vec::new());
            let mut listen = |report: &Report<_>| said.push(report.clone());
            let control = &mut SearchControl { stop: &stop, on_report: &mut listen };
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let report = searcher.run(&game, &limits, SearchOutput::Lines(4), control);
            assert!(!report.line.is_empty());
            match said.last() {
                None => assert!(report.lines.is_empty()),
                Some(last) => {
                    assert_eq!((&report.lines, report.depth), (&last.lines, last.depth));
                }
            }
        }
    }
}

/// The search of the start of draughts by several threads: all reports and the final one.
fn threaded(threads: usize) -> (Report<DraughtsMove>, Vec<Report<DraughtsMove>>) {
    let game = History::new(start::<Draughts>("draughts"));
    let wanted = Wanted { depth: 11, lines: 1, threads };
    let memory = Some((1 << 22, ReplacementScheme::Aged));
    several(&game, &DraughtsKnowledge::handcrafted(), SearchSettings::STRONG, memory, wanted)
}

/// Everything that is counted never falls from one report to the next, the last one included.
fn assert_counts_grow(reports: &[&Report<DraughtsMove>]) {
    let counts = |report: &Report<DraughtsMove>| {
        let table = report.table.unwrap();
        [report.nodes, report.leaves, table.probes, table.stores, table.used]
    };
    for pair in reports.windows(2) {
        let (one, two) = (counts(pair[0]), counts(pair[1]));
        assert!(one.iter().zip(&two).all(|(one, two)| one <= two), "{one:?} before {two:?}");
    }
}

#[test]
fn reports_count_more_and_more() {
    for threads in [1, 2, 4] {
        let (report, said) = threaded(threads);
        assert_counts_grow(&said.iter().chain([&report]).collect::<Vec<_>>());
        let table = report.table.unwrap();
        assert!(table.used > 0 && table.used <= table.stores.min(table.capacity), "{table:?}");
    }
}

#[test]
fn one_thread_says_in_the_end_what_it_said_before() {
    let (report, said) = threaded(1);
    let last = said.last().unwrap();
    assert_eq!((last.nodes, last.leaves, last.table), (report.nodes, report.leaves, report.table));
}

/// The progress of the helpers until the main thread stops them is chance; but if only its own nodes
/// counted, its last report would never have half of the nodes of four threads that begin alike.
#[test]
fn reports_count_all_threads() {
    let counts_all = |_| {
        let (report, said) = threaded(4);
        2 * said.last().unwrap().nodes > report.nodes
    };
    assert!((0..20).any(counts_all));
}
