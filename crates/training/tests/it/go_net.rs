//! Training of a Go network: whole runs, as started by `ludus train`.

use crate::common::{
    go::{check_errors, check_reproducible, run, text, written},
    job::job,
};
use ludus_games::go::Go;
use ludus_players::{Resources, build_player};
use ludus_training::TrainingStage;
use std::fs;

const RECIPE: &str = r#"
kind = "go-net"
game = "go:size=5,komi=0.5"
player = "engine:net=off,playouts=20,resign=0"
[go_net]
games = 8
random_plies = 1
varied_plies = 4
blocks = 1
steps = 60
batch = 16
validation = 0.25
"#;

#[test]
fn threads_and_interruptions_do_not_change_what_is_learned() {
    let folder = check_reproducible(RECIPE, "weights.net", TrainingStage::TRAINING);
    let net = folder.path().join("run/weights.net").display().to_string();
    build_player::<Go>(&format!("engine:net={net}"), &Resources::default()).unwrap();
    // The same with games played by a network, and with a fast player.
    let recipe = RECIPE
        .replace("net=off", &format!("net={net}"))
        .replace("komi=0.5", "komi=6.5")
        .replace("games = 8", &format!("games = 8\nquick = \"engine:net={net},playouts=3\""));
    let [one, other] = [1, 3].map(|threads| {
        let folder = tempfile::tempdir().unwrap();
        run(&job(&recipe, folder.path(), threads)).unwrap();
        written(folder.path(), "games.txt")
    });
    assert!(one == other, "games do not depend on those before them");
}

/// A game that is always the same is soon predicted.
#[test]
fn a_network_learns_what_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let game = "C3 C4 D3 D4 B3;0.6;B3:30;B4:10 B4 E3 E4 A3 A4";
    let lines: Vec<String> = (0..8).map(|number| format!("{number} {game}\n")).collect();
    let games = format!("games of go:size=5,komi=0.5\n{}", lines.concat());
    fs::write(folder.path().join("known.txt"), games).unwrap();
    let recipe = RECIPE
        .replacen("[go_net]", "data = [\"known.txt\"]\n[go_net]", 1)
        .replace("games = 8", "games = 0")
        .replace("random_plies = 1", "random_plies = 0")
        .replace("steps = 60", "steps = 300\nrate = 0.01");
    run(&job(&recipe, folder.path(), 2)).unwrap();
    let report = text(folder.path(), "report.md");
    let first = report.split_once(" % of first moves").unwrap().0.rsplit(' ').next().unwrap();
    assert!(first.parse::<f64>().unwrap() > 80.0, "{report}");
}

#[test]
fn bad_input_is_named() {
    check_errors(
        RECIPE,
        &[
            ("batch = 16", "batch = 0", "go_net.batch"),
            ("blocks = 1", "blocks = 100", "go_net.blocks"),
            ("games = 8", "games = 0", "go_net.games"),
            ("steps = 60", "stepps = 60", "stepps"),
        ],
    );
    let folder = tempfile::tempdir().unwrap();
    for (game, what) in [
        ("C3;much;C3:5 C4", "0.512;C3:180"),
        ("C3;0.5;C3 C4", "0.512;C3:180"),
        ("C3;0.5;Z3:4 C4", "Z3"),
        ("C3 C3", "C3"),
    ] {
        let games = format!("games of go:size=5,komi=0.5\n0 {game}\n");
        fs::write(folder.path().join("known.txt"), games).unwrap();
        let recipe = RECIPE
            .replacen("[go_net]", "data = [\"known.txt\"]\n[go_net]", 1)
            .replace("games = 8", "games = 0");
        fs::remove_dir_all(folder.path().join("run")).ok();
        let error = run(&job(&recipe, folder.path(), 1)).unwrap_err().to_string();
        assert!(error.contains(what) && error.contains("known.txt"), "{game}: {error}");
    }
    let recipe = RECIPE.replacen("[go_net]", "start = \"known.txt\"\n[go_net]", 1);
    fs::remove_dir_all(folder.path().join("run")).ok();
    let error = run(&job(&recipe, folder.path(), 1)).unwrap_err().to_string();
    assert!(error.contains("known.txt") && error.contains("begins with"), "{error}");
}
