//! Playout weights of Go: whole runs, as started by `ludus train`.

use crate::common::{
    go::{check_errors, check_reproducible, run, text},
    job::job,
};
use ludus_games::go::Go;
use ludus_players::{Resources, build_player, go::playout_weights::PolicyWeights};
use ludus_training::TrainingStage;
use std::fs;

const RECIPE: &str = r#"
kind = "habits"
game = "go:size=5,komi=0.5"
player = "engine:playouts=20,resign=0"
[habits]
games = 12
random_plies = 2
skip = 2
steps = 45
batch = 4
playouts = 8
validation = 0.25
"#;

#[test]
fn threads_and_interruptions_do_not_change_what_is_learned() {
    let folder = check_reproducible(RECIPE, "weights.txt", TrainingStage::FITTING);
    let learned = PolicyWeights::parse(&text(folder.path(), "weights.txt")).unwrap();
    assert_ne!(learned, PolicyWeights::untrained());
    let weights = folder.path().join("run/weights.txt").display().to_string();
    build_player::<Go>(&format!("engine:habits={weights}"), &Resources::default()).unwrap();
}

/// Playouts learn to predict the games they learn from: here, games that White always wins.
#[test]
fn playouts_learn_what_they_are_told() {
    let folder = tempfile::tempdir().unwrap();
    // One opening, after which Black resigns.
    let game = "C3 C4 D3 D4 B3 B4 E3 E4 A3 A4";
    let lines: Vec<String> = (0..4).map(|number| format!("{number} {game}\n")).collect();
    let games = format!("games of go:size=5,komi=0.5\n{}", lines.concat());
    fs::write(folder.path().join("known.txt"), games).unwrap();
    let recipe = RECIPE
        .replacen("[habits]", "data = [\"known.txt\"]\n[habits]", 1)
        .replace("games = 12", "games = 0")
        .replace("random_plies = 2", "random_plies = 0")
        .replace("steps = 45", "steps = 60\nrate = 0.3")
        .replace("batch = 4", "batch = 8")
        .replace("playouts = 8", "playouts = 32");
    run(&job(&recipe, folder.path(), 2)).unwrap();
    let report = text(folder.path(), "report.md");
    let errors: Vec<f64> = report
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").nth(2))
        .filter_map(|word| word.parse().ok())
        .collect();
    let (first, last) = (errors[0], errors[errors.len() - 1]);
    assert!(last < 0.8 * first, "{first} -> {last}");
}

#[test]
fn what_cannot_be_done_is_named() {
    check_errors(
        RECIPE,
        &[
            ("engine:playouts=20,resign=0", "nobody", "nobody"),
            ("engine:playouts=20", "engine:time=1s", "time limit"),
            ("games = 12", "games = 0", "habits.games"),
            ("steps = 45", "steps = 0", "habits.steps"),
            ("playouts = 8", "playouts = 1", "habits.playouts"),
            ("validation = 0.25", "validation = 1.5", "habits.validation"),
            ("batch = 4", "bunch = 4", "bunch"),
        ],
    );
    let folder = tempfile::tempdir().unwrap();
    run(&job(RECIPE, folder.path(), 1)).unwrap();
    fs::write(folder.path().join("run/checkpoint.json"), "{}").unwrap();
    let error = run(&job(RECIPE, folder.path(), 1)).unwrap_err().to_string();
    assert!(error.contains("checkpoint.json"), "{error}");
}
