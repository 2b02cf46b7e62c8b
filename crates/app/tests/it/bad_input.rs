//! Bad input gives one line on stderr, nothing on stdout, and exit code 2.

use assert_cmd::Command;

#[track_caller]
fn refuses(arguments: &[&str], mention: &str) {
    let output = Command::cargo_bin("ludus").unwrap().args(arguments).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{arguments:?}: {error}");
    assert!(error.contains(mention), "{arguments:?} should mention {mention:?}: {error}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
}

#[test]
fn unknown_commands_and_arguments() {
    refuses(&["plau"], "plau");
    refuses(&["--json"], "expected one of those");
    refuses(&["games", "--colour"], "--colour");
    refuses(&["perft"], "GAME");
    refuses(&["perft", "connect4", "deep"], "deep");
    refuses(&["perft", "connect4", "-1"], "-1");
    refuses(&["perft", "connect4", "3", "--threads", "0"], "0");
    refuses(&["completions", "cmd"], "cmd");
    refuses(&["analyze", "connect4", "--time", "soon"], "500ms");
    refuses(&["analyze", "connect4", "--clock", "1s+x"], "500ms");
}

#[test]
fn unknown_games_and_options() {
    refuses(&["perft", "checkers", "3"], "draughts");
    refuses(&["players", "poker"], "expected one of");
    refuses(&["perft", "split-nim:coins=0", "3"], "a whole number from");
    refuses(&["perft", "split-nim:coin=9", "3"], "one of the options coins");
    refuses(&["perft", "split-nim:coins", "3"], "coins= and a whole number");
    refuses(&["perft", "draughts:rules=polish", "3"], "english, brazilian");
    refuses(&["perft", "go:size=26", "3"], "from 2 to 25");
    refuses(&["perft", "chess:size=8", "3"], "chess");
    refuses(&["bench", "ludo"], "expected one of");
}

#[test]
fn unknown_players_and_options() {
    refuses(&["analyze", "chess", "--player", "stockfysh"], "random, greedy, minimax");
    refuses(&["analyze", "chess", "--player", "minimax:depth=x"], "a whole number");
    refuses(
        &["analyze", "chess", "--player", "alphabeta:table=4000000000GB"],
        "table of alphabeta",
    );
    refuses(&["analyze", "chess", "--player", "mcts:memory=4000000000GB"], "memory of mcts");
    refuses(&["serve", "--memory", "1MB"], "from 256MB on");
    refuses(&["play", "chess", "--first", "minimax:deep=3"], "one of the options depth");
    refuses(&["play", "chess", "--second", "hal9000"], "random, greedy, minimax");
    refuses(&["play", "chess", "--json"], "--first");
}

#[test]
fn recipes_that_cannot_be_followed() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = folder.path().join("recipe.toml");
    let recipe = recipe.to_str().unwrap();
    refuses(&["train", recipe], "cannot read");
    for (text, part) in [
        ("kind = \"texel\"", "game"),
        ("kind = \"texel\"\ngame = \"chess\"\nplayer = \"engine\"\nspeed = 9", "line 4"),
        ("kind = \"climb\"\ngame = \"whist\"\nplayer = \"engine\"", "can be tuned"),
        ("kind = \"texel\"\ngame = \"chess\"\nplayer = \"engine\"", "self_play.games"),
    ] {
        std::fs::write(recipe, text).unwrap();
        refuses(&["train", recipe], part);
    }
}

#[test]
fn files_that_cannot_be_read_or_written() {
    let folder = tempfile::tempdir().unwrap();
    let inside = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(inside("there.pgn"), "1. e4 *").unwrap();
    // Detected before the game, not after it.
    let play = |target: &str| {
        ["play", "chess", "--save"]
            .map(String::from)
            .into_iter()
            .chain([inside(target)])
            .collect::<Vec<_>>()
    };
    for (target, mention) in [
        ("there.pgn", "exists"),
        ("nowhere/game.pgn", "cannot write"),
        ("game.pdn", "saved as .pgn"),
    ] {
        let arguments = play(target);
        refuses(&arguments.iter().map(String::as_str).collect::<Vec<_>>(), mention);
    }
    refuses(&["convert", &inside("missing.pgn")], "cannot read");
    refuses(&["convert", &inside(""), "--from", "json"], "directory");
    let there = inside("there.pgn");
    refuses(&["convert", &there, "--output", &there], "exists");
    refuses(&["convert", &there, "--output", &inside("nowhere/x.json")], "cannot write");
    refuses(&["convert", &there, "--json", "--to", "pgn"], "--json writes JSON");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn bytes_that_are_no_text() {
    let mut command = Command::cargo_bin("ludus").unwrap();
    let output = command.args(["play", "tictactoe"]).write_stdin(&b"\xff\n"[..]).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), error.as_str()),
        (Some(2), "ludus: stdin: expected UTF-8 text\n")
    );
}

#[test]
fn malformed_positions() {
    let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq - 0 1";
    refuses(&["perft", "chess", "1", "--position", chess], "column 43");
    refuses(&["perft", "chess", "1", "--position", "8/8/8/8/8/8/8/8 w - - 0 1"], "king");
    refuses(&["perft", "draughts", "1", "--position", "B:W33:B1"], "33");
    refuses(&["perft", "draughts", "1", "--position", "X:W21:B1"], "column 1");
    refuses(&["perft", "reversi", "1", "--position", "xo"], "64");
    refuses(&["perft", "connect4", "0", "--position", "7/7 x"], "six rows");
    refuses(&["perft", "tictactoe", "0", "--position", "xxx/xxx/xxx x"], "expected");
    refuses(&["perft", "split-nim", "1", "--position", "7+"], "expected");
    refuses(&["perft", "go:size=9", "1", "--position", "9/9"], "expected");
}

#[test]
fn illegal_moves_and_finished_games() {
    refuses(&["analyze", "chess", "--moves", "e2e4", "e2e4"], "e2e4");
    refuses(&["analyze", "draughts", "--moves", "1-2"], "legal moves");
    refuses(&["analyze", "go:size=9", "--moves", "J10"], "J10");
    refuses(&["analyze", "tictactoe", "--position", "xxx/oo./... o"], "the game is over");
}

#[test]
fn suites_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("suite.epd");
    let path = path.to_str().unwrap();
    refuses(&["suite", "run", path], "cannot read");
    for (text, mention) in [
        ("", "at least one problem"),
        ("# nothing\n8/8 w - - bm e4;\n", "line 2"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e5;", "line 1, column 54"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - dm 2;", "can be forced"),
    ] {
        std::fs::write(path, text).unwrap();
        refuses(&["suite", "run", path], mention);
    }
    std::fs::write(path, [0xFF, 0xFE]).unwrap();
    refuses(&["suite", "run", path], "UTF-8");
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;";
    std::fs::write(path, position).unwrap();
    refuses(&["suite", "run", path, "--player", "nobody"], "one of the players");
    let mine = ["suite", "mine", "tactics", "--glance", "greedy", "--scout", "greedy"];
    refuses(&[&mine[..], &["--player", "random", "--judge", "nobody"]].concat(), "nobody");
    refuses(&["suite", "mine", "chess"], "mate-in-two");
}
