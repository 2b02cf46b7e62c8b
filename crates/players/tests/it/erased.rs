//! Boards and players with their types erased fit together, and only together.

use ludus_core::{Limits, PlayerError, Side};
use ludus_players::{
    AnalysisControl, Board, GAMES, Resources, SearchReport, find_game, measure::signature,
};
use std::sync::atomic::AtomicBool;

fn open(game: &str, moves: &[&str]) -> Box<dyn Board> {
    let (game, options) = find_game(game).unwrap();
    let mut board = game.open(&options, None).unwrap();
    moves.iter().for_each(|mv| drop(board.play(mv).unwrap()));
    board
}

fn choose(board: &dyn Board, player: &str) -> Result<Option<String>, PlayerError> {
    let stop = AtomicBool::new(false);
    let limits = Limits { depth: Some(2), nodes: Some(500), ..Limits::default() };
    let mut control = AnalysisControl { limits, stop: &stop, on_report: &mut |_| {} };
    let mut player = board.game().player(player, &Resources::default())?;
    Ok(player.choose(board, &mut control)?.into_move().0)
}

#[test]
fn a_player_refuses_the_board_of_another_game() {
    let stop = AtomicBool::new(false);
    let (chess, reversi) = (open("chess", &[]), open("reversi", &[]));
    let mut player = chess.game().player("random", &Resources::default()).unwrap();
    let mut control =
        AnalysisControl { limits: Limits::default(), stop: &stop, on_report: &mut |_| {} };
    let error = player.choose(&*reversi, &mut control).err().expect("refused").to_string();
    assert!(error.contains("a player of chess cannot play reversi"), "{error}");
    assert!(player.choose(&*chess, &mut control).is_ok());
}

/// The chosen move as text is the move the player meant, in every game and after some moves.
#[test]
fn a_chosen_move_can_be_played() {
    for &game in GAMES {
        let mut board = open(game.id(), &[]);
        for ply in 0..8 {
            if board.ending().is_some() {
                break;
            }
            let mv = choose(&*board, "alphabeta").unwrap().expect("a move");
            assert!(board.legal_moves().contains(&mv), "{} {mv}", game.id());
            assert_eq!(board.play(&mv).unwrap(), mv);
            assert_eq!(board.played_move(ply).expect("it was played").mv, mv);
        }
    }
}

#[test]
fn a_board_knows_its_game_and_its_past() {
    let mut board = open("go:size=5", &["C3", "B2", "pass"]);
    assert_eq!((board.game().id(), board.name().contains("size=5")), ("go", true));
    assert_eq!((board.first_turn(), board.turn()), (Side::First, Side::Second));
    assert_eq!(board.white(), Side::Second);
    assert_eq!(open("chess", &["e2e4"]).white(), Side::First);
    let copy = board.boxed_clone();
    board.set_moves(&["C3".into(), "D4".into()]).unwrap();
    assert_eq!(board.moves(), ["C3", "D4"]);
    assert_eq!(copy.moves(), ["C3", "B2", "pass"], "a copy stays as it was");
    let labels: Vec<String> = board.played().into_iter().map(|mv| mv.mv).collect();
    assert_eq!(labels, board.moves());
    assert_eq!(board.last_move_cells(), board.played_move(1).unwrap().cells);
    assert!(board.played_move(2).is_none());
    assert!(board.set_moves(&["C3".into(), "C3".into()]).is_err(), "an occupied point");
}

/// Text of a report is the same whenever it is asked for, and its numbers are those of the text.
#[test]
fn a_report_is_numbers_until_it_is_shown() {
    let board = open("chess", &["e2e4", "e7e5"]);
    let stop = AtomicBool::new(false);
    let mut depths = Vec::new();
    let mut on_report = |report: &SearchReport<'_>| {
        let shown = report.analysis();
        assert_eq!(shown.score, report.numbers.score.map(|score| score.0));
        assert_eq!((shown.depth, shown.nodes), (report.numbers.depth, report.numbers.nodes));
        assert_eq!(shown.pv, report.analysis().pv);
        depths.push(shown.depth);
    };
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let mut control = AnalysisControl { limits, stop: &stop, on_report: &mut on_report };
    let mut player = board.game().player("engine:table=1MB", &Resources::default()).unwrap();
    let turn = player.choose(&*board, &mut control).unwrap();
    let shown = turn.analysis();
    assert_eq!((&shown.best, shown.depth), (&turn.mv, turn.report.numbers.depth));
    assert_eq!(shown.seconds, turn.report.numbers.time.as_secs_f64());
    assert!(shown.pv_labels.iter().zip(&shown.pv).all(|(label, mv)| label != mv), "SAN and UCI");
    assert!(depths.is_sorted() && depths.len() > 1, "{depths:?}");
}

#[test]
fn a_signature_counts_nodes_of_one_random_game() {
    let (game, options) = find_game("tictactoe").unwrap();
    let limits = Limits { depth: Some(2), ..Limits::default() };
    let nodes = |positions| signature(game, &options, "minimax", limits, positions).unwrap();
    // 9 + 9 * 8 nodes below the start, 8 + 8 * 7 after a move.
    assert_eq!((nodes(1), nodes(2)), (81, 81 + 64));
}
