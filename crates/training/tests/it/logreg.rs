//! Logistic regression of chess moves: whole runs, as started by `ludus train`.

use crate::common::{
    go::{check_errors, check_reproducible, run, text},
    job::job,
};
use ludus_knowledge::chess::StudyMoveModel;
use ludus_training::TrainingStage;
use std::fs;

const RECIPE: &str = r#"
kind = "logreg"
game = "chess"
player = "engine:eval=hand,nodes=30,table=16KB"
[logreg]
games = 6
rules = { longest = 120, decided = 500, agreed = 4 }
batches = 3
rows = 60
rate = 0.03
validation = 0.2
"#;

#[test]
fn threads_and_interruptions_do_not_change_what_is_learned() {
    let fitting = TrainingStage { activity: "fitting weights to moves", unit: "batches" };
    let folder = check_reproducible(RECIPE, "weights.txt", fitting);
    let model = StudyMoveModel::parse(&text(folder.path(), "weights.txt")).unwrap();
    assert!(!model.has_interactions() && model.weights().iter().any(|weight| *weight != 0.0));
    let report = text(folder.path(), "report.md");
    for part in ["log-loss", "AUC", "Greatest weights", "a random choice", "| 3 | 0."] {
        assert!(report.contains(part), "{part}: {report}");
    }
    // The same games with other inputs.
    fs::copy(folder.path().join("run/games.txt"), folder.path().join("known.txt")).unwrap();
    fs::remove_dir_all(folder.path().join("run")).unwrap();
    let recipe = RECIPE
        .replacen("[logreg]", "data = [\"known.txt\"]\n[logreg]\ninteractions = true", 1)
        .replace("games = 6", "games = 0\nbalance = false");
    run(&job(&recipe, folder.path(), 2)).unwrap();
    assert!(!folder.path().join("run/games.txt").exists(), "nothing is played again");
    let model = StudyMoveModel::parse(&text(folder.path(), "weights.txt")).unwrap();
    assert!(model.has_interactions());
}

/// A winner that always makes the same moves is soon understood.
#[test]
fn a_model_learns_what_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mate = "1. f3 e5 2. g4 Qh4# 0-1";
    let game = |number| format!("[Event \"{number}\"]\n[Result \"0-1\"]\n\n{mate}\n\n");
    let drawn = "[Event \"drawn\"]\n[Result \"1/2-1/2\"]\n\n1. a4 a5 1/2-1/2\n\n";
    let games: String = (0..40).map(game).collect();
    fs::write(folder.path().join("known.pgn"), games + drawn).unwrap();
    let recipe = RECIPE
        .replacen("[logreg]", "data = [\"known.pgn\"]\n[logreg]", 1)
        .replace("games = 6", "games = 0\nstep = 1")
        .replace("rate = 0.03", "rate = 0.5");
    run(&job(&recipe, folder.path(), 2)).unwrap();
    let report = text(folder.path(), "report.md");
    assert!(report.contains("40 decisive games"), "{report}");
    assert!(report.contains("the model finds 100.0 %"), "{report}");
    assert!(report.contains("| to h4 | +"), "{report}");
}

#[test]
fn bad_input_is_named() {
    check_errors(
        RECIPE,
        &[
            ("rows = 60", "rows = 0", "logreg.rows"),
            ("games = 6", "games = 0", "logreg.games"),
            ("games = 6", "games = 2", "logreg.validation"),
            ("longest = 120", "longest = 0", "logreg.rules.longest"),
            ("rows = 60", "row = 60", "row"),
            ("nodes=30", "time=30ms", "nodes or a depth"),
            ("longest = 120", "longest = 2", "more decisive games"),
        ],
    );
    for (games, what) in [
        ("games of chess\n", "decisive games"),
        ("decisive games {}\n1 0 1-0 e2e4\n", "game 0"),
        ("decisive games {}\n0 0 won e2e4\n", "1/2-1/2"),
        ("decisive games {}\n0 x 1-0 e2e4\n", "random plies"),
        ("decisive games {}\n0 0 1-0 e2e5\n", "e2e5"),
        ("decisive games {}\n0 3 1-0 e2e4\n", "all random plies"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("known.txt"), games).unwrap();
        let recipe = RECIPE
            .replacen("[logreg]", "data = [\"known.txt\"]\n[logreg]", 1)
            .replace("games = 6", "games = 0");
        let error = run(&job(&recipe, folder.path(), 1)).unwrap_err().to_string();
        assert!(error.contains(what) && error.contains("known.txt"), "{games}: {error}");
    }
}
