//! Players report the lines of the best moves, and those that only choose a move say so.

use ludus_core::{Limits, PlayerError, Random, Side};
use ludus_players::{Analysis, AnalysisControl, Board, MoveScore, Resources, find_game};
use std::{cmp::Reverse, sync::atomic::AtomicBool};

fn open(game: &str, moves: &[&str]) -> Box<dyn Board> {
    let (game, options) = find_game(game).unwrap();
    let mut board = game.open(&options, None).unwrap();
    moves.iter().for_each(|mv| drop(board.play(mv).unwrap()));
    board
}

fn ask(
    board: &dyn Board,
    player: &str,
    lines: usize,
    limits: Limits,
) -> Result<Analysis, PlayerError> {
    let stop = AtomicBool::new(false);
    let mut progress = AnalysisControl { limits, stop: &stop, on_report: &mut |_| {} };
    board.analyze_lines(player, lines, &Resources::default(), &mut progress)
}

/// The moves that have a line, best first.
fn ranked(analysis: &Analysis) -> Vec<&MoveScore> {
    let mut ranked: Vec<_> = analysis.moves.iter().filter(|entry| entry.rank.is_some()).collect();
    ranked.sort_by_key(|entry| entry.rank);
    ranked
}

/// Players that start external engines.
const EXTERNAL: [&str; 4] = ["uci", "gtp", "hub", "ludus"];

/// Whether a learned player of the chess study says that its weights are not part of the program yet.
fn is_untrained(player: &str, error: &PlayerError) -> bool {
    player.starts_with("study-") && error.to_string().contains("not part of this program yet")
}

#[test]
fn every_player_that_searches_reports_several_lines() {
    let limits = Limits { depth: Some(2), nodes: Some(1_500), ..Limits::default() };
    for game in
        ["tictactoe", "split-nim:coins=15", "connect4", "reversi", "draughts", "chess", "go:size=3"]
    {
        let board = open(game, &[]);
        let legal = board.legal_moves().len();
        for (player, ..) in find_game(game).unwrap().0.players() {
            // The solver proves nothing with so few nodes; it has tests of its own.
            if EXTERNAL.contains(&player) || player == "solver" {
                continue;
            }
            let analysis = match ask(&*board, player, 3, limits) {
                Ok(analysis) => analysis,
                Err(error) => {
                    assert!(matches!(error, PlayerError::Input(_)), "{player} of {game}: {error}");
                    if is_untrained(player, &error) {
                        continue;
                    }
                    assert!(matches!(player, "random" | "study-logreg"), "{game}: {error}");
                    assert!(error.to_string().contains("reports its best move only"), "{error}");
                    continue;
                }
            };
            let ranked = ranked(&analysis);
            // Playouts rank what they have tried.
            let tried = analysis.moves.iter().filter(|entry| entry.visits > 0).count();
            let available = if tried > 0 { tried } else { legal };
            assert_eq!(ranked.len(), available.min(3), "{player} of {game}");
            for (index, entry) in ranked.iter().enumerate() {
                assert_eq!(entry.rank, Some(index + 1), "{player} of {game}");
                assert_eq!(entry.pv.first(), Some(&entry.mv), "{player} of {game}");
                assert!(entry.score.is_some(), "{player} of {game}");
                assert_eq!(board.line(&entry.pv).len(), entry.pv.len(), "{player} of {game}");
            }
            let first = ranked[0];
            let said = (analysis.best.as_ref(), analysis.score, &analysis.pv);
            assert_eq!(said, (Some(&first.mv), first.score, &first.pv), "{player} of {game}");
            let by_visits = analysis.moves.iter().any(|entry| entry.visits > 0);
            let falling = ranked.is_sorted_by_key(|entry| Reverse(entry.score));
            assert!(by_visits || falling || player == "migos", "{player} of {game}");
        }
    }
}

#[test]
fn a_weak_level_has_one_line() {
    let board = open("chess", &[]);
    let error = ask(&*board, "engine:level=3", 2, Limits::default()).unwrap_err();
    assert!(error.to_string().contains("level 10"), "{error}");
    assert!(ask(&*board, "engine:level=3", 1, Limits::default()).is_ok());
}

#[test]
fn the_solver_scores_every_column_and_says_what_is_not_proven() {
    let moves: Vec<String> = "bcdfeeebcabcbbafffff".chars().map(String::from).collect();
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let board = open("connect4", &moves);
    let analysis = ask(&*board, "solver:table=32MB", 9, Limits::default()).unwrap();
    assert!(analysis.proven);
    let entries = ranked(&analysis);
    assert_eq!(entries.len(), board.legal_moves().len());
    assert!(entries.is_sorted_by_key(|entry| Reverse(entry.score)));
    for entry in &analysis.moves {
        assert!(entry.proven && entry.score.is_some(), "{}", entry.mv);
        // A line to the end, where the result is what was said.
        let mut played = open("connect4", &moves);
        entry.pv.iter().for_each(|mv| drop(played.play(mv).unwrap()));
        let finish = played.ending().expect("the line goes to the end");
        let wins = entry.score.unwrap().signum() * board.turn().sign();
        assert_eq!(finish.outcome.winner().map_or(0, Side::sign), wins, "{}", entry.mv);
        assert_eq!(
            entry.win.map_or(entry.pv.len(), |plies| plies.unsigned_abs() as usize),
            entry.pv.len()
        );
    }
    let few = Limits { nodes: Some(500), ..Limits::default() };
    let analysis = ask(&*open("connect4", &[]), "solver:table=32MB", 1, few).unwrap();
    assert!(!analysis.proven && analysis.score.is_none());
    assert_eq!(analysis.moves.len(), 7);
    assert!(analysis.moves.iter().all(|entry| !entry.proven && entry.score.is_none()));
}

/// The margin of the side to move if both play on perfectly, by trying everything.
fn margin(board: &mut dyn Board) -> f32 {
    let own = board.turn().sign() as f32;
    if let Some(finish) = board.ending() {
        return own * finish.margin.unwrap();
    }
    let mut best = f32::NEG_INFINITY;
    for mv in board.legal_moves() {
        let mover = board.turn();
        board.play(&mv).unwrap();
        let value = margin(board) * if board.turn() == mover { 1.0 } else { -1.0 };
        board.undo();
        best = best.max(value);
    }
    best
}

#[test]
fn endings_of_reversi_have_the_margin_of_every_move() {
    let mut random = Random::new(3);
    let mut checked = 0;
    while checked < 3 {
        let mut board = open("reversi", &[]);
        while board.moves_played() < 53 && board.ending().is_none() {
            let legal = board.legal_moves();
            board.play(&legal[random.below(legal.len())]).unwrap();
        }
        if board.ending().is_some() || board.legal_moves().len() < 3 {
            continue;
        }
        checked += 1;
        let analysis = ask(&*board, "engine:table=1MB", 100, Limits::default()).unwrap();
        assert!(analysis.proven);
        assert_eq!(ranked(&analysis).len(), board.legal_moves().len());
        let own = board.turn().sign() as f32;
        let mut margins = Vec::new();
        for entry in ranked(&analysis) {
            board.play(&entry.mv).unwrap();
            let wanted = -margin(&mut *board);
            board.undo();
            assert_eq!(own * entry.margin.unwrap().total, wanted, "{}", entry.mv);
            margins.push(wanted);
        }
        assert!(margins.is_sorted_by(|one, other| one >= other), "{margins:?}");
        assert_eq!(own * analysis.margin.unwrap().total, margins[0]);
    }
}

#[test]
fn small_boards_of_go_have_the_count_after_every_move() {
    let board = open("go:size=3", &[]);
    let analysis = ask(&*board, "migos:table=4MB", 100, Limits::default()).unwrap();
    assert!(analysis.proven);
    assert_eq!(ranked(&analysis).len(), board.legal_moves().len());
    for entry in ranked(&analysis) {
        let next = open("go:size=3", &[&entry.mv]);
        let answer = ask(&*next, "migos:table=4MB", 1, Limits::default()).unwrap();
        assert_eq!(entry.margin.unwrap().board, answer.margin.unwrap().board, "{}", entry.mv);
    }
    let few = Limits { nodes: Some(2_000), ..Limits::default() };
    let analysis = ask(&*open("go:size=4", &[]), "migos:table=1MB", 2, few).unwrap();
    assert!(!analysis.proven && analysis.margin.is_none());
    assert_eq!(ranked(&analysis).len(), 2);
}
