//! Strengths of Go moves: whole runs, as started by `ludus train`.

use crate::common::{
    go::{check_errors, check_reproducible, run, text},
    job::job,
};
use ludus_games::go::Go;
use ludus_players::{Resources, build_player, go::move_strengths::MoveStrengths};
use ludus_training::TrainingStage;
use std::{fs, io::Write};

const RECIPE: &str = r#"
kind = "moves"
game = "go:size=5,komi=0.5"
player = "engine:playouts=20"
[moves]
games = 12
random_plies = 2
skip = 1
rounds = 4
validation = 0.25
"#;

#[test]
fn threads_and_interruptions_do_not_change_what_is_learned() {
    let folder = check_reproducible(RECIPE, "weights.txt", TrainingStage::FITTING);
    MoveStrengths::parse(&text(folder.path(), "weights.txt")).unwrap();
    assert_eq!(text(folder.path(), "games.txt").lines().count(), 13);
    assert!(text(folder.path(), "report.md").contains("of 3 games"), "held out");
    let weights = folder.path().join("run/weights.txt").display().to_string();
    for player in ["engine:moves=on,", "crazystone-like:"] {
        let spec = format!("{player}weights={weights}");
        build_player::<Go>(&spec, &Resources::default()).unwrap();
    }
}

/// A killed process leaves an incomplete game, or an unfinished fit.
#[test]
fn a_run_goes_on_from_whatever_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let whole = run(&job(RECIPE, folder.path(), 2)).unwrap();
    let (from, games) = (folder.path().join("run"), text(folder.path(), "games.txt"));
    for left in [10, games.len() / 2, games.len() - 3] {
        fs::write(from.join("games.txt"), &games[..left]).unwrap();
        fs::remove_file(from.join("checkpoint.json")).unwrap();
        assert_eq!(run(&job(RECIPE, folder.path(), 2)).unwrap(), whole, "with {left} bytes");
        assert_eq!(text(folder.path(), "games.txt"), games);
    }
    fs::write(from.join("checkpoint.json"), "{}").unwrap();
    let error = run(&job(RECIPE, folder.path(), 2)).unwrap_err().to_string();
    assert!(error.contains("checkpoint.json"), "{error}");
    let mut lines = fs::OpenOptions::new().append(true).open(from.join("games.txt")).unwrap();
    lines.write_all(b"77 A1\n").unwrap();
    let error = run(&job(RECIPE, folder.path(), 2)).unwrap_err().to_string();
    assert!(error.contains("line 14") && error.contains("game 12"), "{error}");
}

#[test]
fn games_of_earlier_runs_are_learned_from_too() {
    let folder = tempfile::tempdir().unwrap();
    let games = "games of go:size=3\n0 B2 A1\n1 B2 pass B1\n";
    fs::write(folder.path().join("known.txt"), games).unwrap();
    let recipe = RECIPE.replacen("[moves]", "data = [\"known.txt\"]\n[moves]", 1);
    let recipe = recipe.replace("games = 12", "games = 2").replace("random_plies = 2", "");
    let recipe = recipe.replace("skip = 1", "random_plies = 0");
    run(&job(&recipe, folder.path(), 1)).unwrap();
    assert!(text(folder.path(), "report.md").contains("of 4 games"));
    fs::write(folder.path().join("known.txt"), games.replace("B1", "B2")).unwrap();
    fs::remove_dir_all(folder.path().join("run")).unwrap();
    let error = run(&job(&recipe, folder.path(), 1)).unwrap_err().to_string();
    assert!(error.contains("known.txt") && error.contains("line 3"), "{error}");
}

#[test]
fn what_cannot_be_done_is_named() {
    check_errors(
        RECIPE,
        &[
            ("engine:playouts=20", "nobody", "nobody"),
            ("engine:playouts=20", "engine:time=1s", "time limit"),
            ("size=5", "size=99", "from 2 to 25"),
            ("games = 12", "games = 0", "moves.games"),
            ("rounds = 4", "rounds = 0", "moves.rounds"),
            ("validation = 0.25", "validation = 1.5", "moves.validation"),
            ("validation = 0.25", "prior = 0", "moves.prior"),
            ("skip = 1", "skip = 900", "no moves"),
            ("skip = 1", "skips = 1", "skips"),
            ("\"moves\"", "\"habits\"", "section [moves]"),
            ("[moves]", "data = [\"nowhere.txt\"]\n[moves]", "nowhere.txt"),
        ],
    );
    let folder = tempfile::tempdir().unwrap();
    let other = RECIPE.replace("go:size=5,komi=0.5", "reversi");
    let error = job(&other, folder.path(), 1).check().unwrap_err().to_string();
    assert!(error.contains("moves"), "{error}");
    let other = "kind = \"texel\"\ngame = \"go\"\nplayer = \"engine\"\ndata = [\"x\"]\n";
    let error = job(other, folder.path(), 1).check().unwrap_err().to_string();
    assert!(
        error.contains("moves, habits or go-net, the kinds of training that go has"),
        "{error}"
    );
}
