//! A player stopped after any number of nodes has a legal move, and traces agree with analyses.

use ludus_core::{Limits, PlayerError};
use ludus_players::{
    AnalysisControl, Board, Resources, TraceDocument,
    draughts::{anaconda, mp_draughts, neural::FAMILIES},
    external, find_game,
};
use std::sync::atomic::AtomicBool;

const GAMES: &[&str] = &[
    "tictactoe",
    "split-nim",
    "connect4",
    "reversi",
    "draughts",
    "draughts:rules=russian",
    "chess",
    "go:size=5",
];

/// Every player of the game that needs no external program; the learners of draughts only play the
/// English rules.
fn players(game: &str) -> Vec<&'static str> {
    let others = [mp_draughts::ID, anaconda::ID];
    let learns = |id: &str| others.contains(&id) || FAMILIES.iter().any(|family| family.id == id);
    let english = !game.contains("rules=");
    let (game, _) = find_game(game).unwrap();
    let ids = game.players().into_iter().map(|(id, ..)| id);
    let untrained = |id: &str| {
        let missing =
            |error: PlayerError| error.to_string().contains("not part of this program yet");
        id.starts_with("study-") && game.check_player(id, &Resources::default()).is_err_and(missing)
    };
    ids.filter(|id| !external::IDS.contains(id) && (english || !learns(id)) && !untrained(id))
        .collect()
}

fn open(game: &str) -> Box<dyn Board> {
    let (game, options) = find_game(game).unwrap();
    game.open(&options, None).unwrap()
}

fn with_limits<T>(limits: Limits, ask: impl FnOnce(&mut AnalysisControl<'_>) -> T) -> T {
    with_flag(false, limits, ask)
}

fn with_flag<T>(
    raised: bool,
    limits: Limits,
    ask: impl FnOnce(&mut AnalysisControl<'_>) -> T,
) -> T {
    let stop = AtomicBool::new(raised);
    ask(&mut AnalysisControl { limits, stop: &stop, on_report: &mut |_| {} })
}

#[test]
fn every_player_stopped_at_any_node_has_a_legal_move() {
    for &game in GAMES {
        let board = open(game);
        let legal = board.legal_moves();
        for player in players(game) {
            // The default tables are large; clearing them would take all the time.
            let small = [player, ":table=64KB"].concat();
            let (game_entry, _) = find_game(game).unwrap();
            let spec = if game_entry.check_player(&small, &Resources::default()).is_ok() {
                small
            } else {
                player.into()
            };
            // The last is stopped before it begins.
            for nodes in [Some(0), Some(1), Some(2), Some(5), Some(30), Some(300), None] {
                let limits = Limits { nodes, depth: Some(3), ..Limits::default() };
                let analysis = with_flag(nodes.is_none(), limits, |progress| {
                    board.analyze(&spec, &Resources::default(), progress).unwrap()
                });
                let best = analysis.best.expect("a move");
                assert!(legal.contains(&best), "{game} {spec} after {nodes:?}: {best}");
            }
        }
    }
}

/// Without move ordering, the moves searched say nothing about those not reached.
#[test]
fn an_unordered_search_cut_short_plays_what_its_last_iteration_found() {
    let player = "visiondraughts:table=64KB,database=off";
    let mut board = open("draughts");
    let mut deepened = 0;
    for _ in 0..12 {
        for nodes in [300, 1_000, 3_000] {
            let analyze = |limits| {
                with_limits(limits, |progress| {
                    board.analyze(player, &Resources::default(), progress).unwrap()
                })
            };
            let cut = analyze(Limits { nodes: Some(nodes), ..Limits::default() });
            let whole = analyze(Limits { depth: Some(cut.depth), ..Limits::default() });
            assert_eq!((&cut.best, cut.score), (&whole.best, whole.score), "{nodes} nodes");
            deepened += u32::from(cut.depth >= 4);
        }
        let next = board.legal_moves().pop().expect("the game goes on");
        board.play(&next).unwrap();
    }
    assert!(deepened > 10, "{deepened}");
}

#[test]
fn a_trace_finds_what_the_analysis_finds() {
    for &game in GAMES {
        let board = open(game);
        for player in players(game) {
            if matches!(player, "random" | "greedy" | "study-logreg" | "study-cnn") {
                continue;
            }
            let limits = match player {
                "flat" | "mcts" | "fuego-like" | "btt-go" | "study-mcts" => {
                    Limits { nodes: Some(300), ..Limits::default() }
                }
                _ => Limits { depth: Some(2), ..Limits::default() },
            };
            let traced = with_limits(limits, |progress| {
                board.trace(player, 100, &Resources::default(), progress)
            });
            let Ok((report, document)) = traced else {
                let solves = matches!(player, "solver" | "migos");
                assert!(solves, "{game}: every search has a trace, and so has {player}");
                continue;
            };
            let analysis = with_limits(limits, |progress| {
                board.analyze(player, &Resources::default(), progress).unwrap()
            });
            assert_eq!((&report.best, report.score), (&analysis.best, analysis.score), "{player}");
            assert_eq!(report.nodes, analysis.nodes, "{game} {player}");
            match document {
                TraceDocument::Search(document) => {
                    let passes = document.passes.len() as u64;
                    assert_eq!(document.visits, report.nodes + passes, "{player}");
                    assert!(document.nodes.len() <= 100);
                }
                TraceDocument::Growth(document) => {
                    assert_eq!(document.visits, report.nodes, "{player}");
                    assert!(document.nodes.len() <= 100 && document.simulations.len() <= 100);
                }
            }
        }
    }
}

#[test]
fn players_without_a_tree_say_so() {
    for player in ["random", "greedy", "engine:level=3"] {
        let error = with_limits(Limits::default(), |progress| {
            open("tictactoe").trace(player, 10, &Resources::default(), progress).unwrap_err()
        });
        assert!(matches!(error, PlayerError::Input(_)), "{player}: {error}");
    }
}
