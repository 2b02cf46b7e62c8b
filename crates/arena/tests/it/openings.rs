//! Openings from files of all formats, and generated suites.

use ludus_arena::openings::{OpeningSuiteOptions, Source, make, read, suite};
use ludus_core::TextError;
use ludus_formats::Format;
use ludus_players::find_game;
use std::collections::HashSet;

fn read_text(game: &str, source: Source, text: &str) -> Result<Vec<(String, usize)>, TextError> {
    let (game, options) = find_game(game).unwrap();
    let openings = read(source, text.as_bytes(), game, &options)?;
    let describe = |opening: ludus_arena::game::Opening| {
        (opening.position.unwrap_or_default(), opening.moves.len())
    };
    Ok(openings.into_iter().map(describe).collect())
}

#[test]
fn positions_come_with_or_without_epd_operations() {
    let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let epd = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e5; id \"one\";";
    let text = format!("# a comment\n{fen}\n\n{epd}\n");
    let read = read_text("chess", Source::Positions, &text).unwrap();
    assert_eq!(read.len(), 2);
    assert_eq!(read[0].0, fen);
    assert!(read[1].0.ends_with("KQkq -"));
    let draughts = read_text("draughts", Source::Positions, "W:W21,22:B1,2\n").unwrap();
    assert_eq!(draughts, [("W:W21,22:B1,2".to_owned(), 0)]);
}

#[test]
fn records_give_their_main_lines() {
    let pgn = "1. e4 (1. d4) e5 2. Nf3 *\n\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n";
    let read = read_text("chess", Source::Records(Format::Pgn, None), pgn).unwrap();
    assert_eq!((read[0].0.as_str(), read[0].1), ("", 3));
    assert_eq!((read[1].0.as_str(), read[1].1), ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 1));
    let short = read_text("chess", Source::Records(Format::Pgn, Some(2)), pgn).unwrap();
    assert_eq!(short[0].1, 2);
    let pdn = "1. 11-15 23-19 *\n";
    assert_eq!(read_text("draughts", Source::Records(Format::Pdn, None), pdn).unwrap()[0].1, 2);
    let sgf = "(;GM[1]SZ[9];B[ee];W[cc])";
    assert_eq!(read_text("go:size=9", Source::Records(Format::Sgf, None), sgf).unwrap()[0].1, 2);
}

#[test]
fn bad_openings_are_named() {
    let message = |game, source, text| read_text(game, source, text).unwrap_err().to_string();
    let error = message("chess", Source::Moves, "e2e4 e7e5\ne2e4 e2e4\n");
    assert!(error.contains("opening 2 of the file"), "{error}");
    assert!(message("chess", Source::Positions, "8/8/8/8/8/8/8/8 w - -\n").contains("opening 1"));
    assert!(message("chess", Source::Moves, "# nothing\n").contains("at least one opening"));
    let mated = message("chess", Source::Moves, "f2f3 e7e5 g2g4 d8h4\n");
    assert!(mated.contains("a game that is not over"), "{mated}");
    let draughts = "1. 11-15 *\n";
    assert!(message("chess", Source::Records(Format::Pdn, None), draughts).contains("draughts"));
}

#[test]
fn the_suites_that_ship_are_legal_and_distinct() {
    let games = [
        "draughts",
        "draughts:rules=brazilian",
        "draughts:rules=russian",
        "draughts:rules=international",
        "draughts:rules=italian",
        "draughts:rules=spanish",
        "draughts:rules=czech",
        "draughts:rules=pool",
        "chess",
        "reversi",
        "connect4",
    ];
    for name in games {
        let (game, options) = find_game(name).unwrap();
        let openings = suite(name).unwrap();
        assert!(openings.len() >= 174, "{name}");
        let mut positions = HashSet::new();
        for opening in openings {
            let mut board = game.open(&options, None).unwrap();
            for mv in &opening.moves {
                board.play(mv).unwrap();
            }
            assert!(board.ending().is_none(), "{name}: {:?}", opening.moves);
            assert!(positions.insert(board.position()), "{name}: {:?}", opening.moves);
        }
    }
    assert!(suite("tictactoe").is_none());
}

#[test]
fn a_suite_is_made_again_by_its_recipe() {
    let (game, options) = find_game("connect4").unwrap();
    let recipe = OpeningSuiteOptions {
        count: 200,
        plies: 6,
        judge: "minimax:depth=7".to_owned(),
        balance: 30,
        seed: 1,
    };
    let few = OpeningSuiteOptions { count: 1, ..recipe };
    let made = make(game, &options, &few, |_| {}).unwrap();
    assert_eq!(made[..], suite("connect4").unwrap()[..1]);
}
