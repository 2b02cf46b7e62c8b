//! Training of a network that judges chess positions: whole runs, as started by `ludus train`.

use crate::common::{
    go::{check_errors, run, text, written},
    job::job,
};
use ludus_models::conv_net::ConvNet;
use ludus_training::{TrainingError, TrainingStage};
use std::{
    collections::HashSet,
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

const RECIPE: &str = r#"
kind = "chess-cnn"
game = "chess"
player = "engine:eval=hand,nodes=300,table=16KB"
[chess_cnn]
positions = 600
epochs = 2
batch = 128
rate = 0.001
validation = 0.2
"#;

/// Runs on two threads, stopped after every second progress and resumed until it is finished; returns
/// the checksum and the stages in which it was stopped.
fn run_in_pieces(recipe: &str, folder: &Path) -> (String, HashSet<&'static str>) {
    let mut stopped = HashSet::new();
    for _ in 0..200 {
        let (stop, mut seen) = (AtomicBool::new(false), 0);
        let mut stage: Option<TrainingStage> = None;
        let result = job(recipe, folder, 2).run(&stop, &mut |progress| {
            if stage != Some(progress.stage) {
                (stage, seen) = (Some(progress.stage), 0);
            }
            seen += 1;
            // Drawn positions are drawn again: a run stopped there each time would not end.
            let is_kept = progress.stage.activity != "drawing positions";
            stop.store(seen > 1 && is_kept, Ordering::Relaxed);
        });
        match result {
            Ok(outcome) => return (outcome.checksum, stopped),
            Err(TrainingError::Stopped) => stopped.extend(stage.map(|stage| stage.activity)),
            Err(error) => panic!("{error}"),
        }
    }
    panic!("every piece of the run keeps something");
}

#[test]
fn threads_and_interruptions_do_not_change_what_is_learned() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let whole = run(&job(RECIPE, folders[0].path(), 1)).unwrap();
    assert_eq!(run(&job(RECIPE, folders[1].path(), 3)).unwrap(), whole);
    let (checksum, stopped) = run_in_pieces(RECIPE, folders[2].path());
    assert_eq!(checksum, whole);
    assert_eq!(stopped, HashSet::from(["labelling positions", "training a network"]));
    for name in ["positions.bin", "weights.net", "report.md", "progress.svg"] {
        let [one, other, third] = folders.each_ref().map(|folder| written(folder.path(), name));
        assert!(one == other && one == third, "{name}, to the letter");
    }
    let net = ConvNet::from_bytes(&written(folders[0].path(), "weights.net"), "weights.net");
    assert_eq!(net.unwrap().parameters(), 163_009);
    let report = text(folders[0].path(), "report.md");
    // One of the 600 positions has no score: 300 nodes do not complete its first iteration.
    for part in ["599 positions", "mean of the targets", "| 480 |", "| 119 |", "| 2 | 0."] {
        assert!(report.contains(part), "{part}: {report}");
    }
}

/// Labels of one run are the data of another, with other inputs and another target.
#[test]
fn positions_are_shared_between_runs() {
    let folder = tempfile::tempdir().unwrap();
    run(&job(RECIPE, folder.path(), 2)).unwrap();
    fs::copy(folder.path().join("run/positions.bin"), folder.path().join("known.bin")).unwrap();
    fs::remove_dir_all(folder.path().join("run")).unwrap();
    let recipe = RECIPE
        .replacen("[chess_cnn]", "data = [\"known.bin\"]\n[chess_cnn]\nturn = true", 1)
        .replace("positions = 600", "positions = 0\ntarget = \"linear\"");
    run(&job(&recipe, folder.path(), 2)).unwrap();
    assert!(!folder.path().join("run/positions.bin").exists(), "nothing is labelled again");
    let net = ConvNet::from_bytes(&written(folder.path(), "weights.net"), "weights.net").unwrap();
    assert_eq!((net.planes(), net.parameters()), (15, 163_009 + 9 * 32));
    // It can be trained further, but not with other planes.
    fs::copy(folder.path().join("run/weights.net"), folder.path().join("first.net")).unwrap();
    fs::remove_dir_all(folder.path().join("run")).unwrap();
    let further = recipe.replacen("[chess_cnn]", "start = \"first.net\"\n[chess_cnn]", 1);
    run(&job(&further, folder.path(), 2)).unwrap();
    fs::remove_dir_all(folder.path().join("run")).unwrap();
    let error = run(&job(&further.replace("turn = true", ""), folder.path(), 2)).unwrap_err();
    assert!(error.to_string().contains("first.net") && error.to_string().contains("14 planes"));
    let damaged = fs::read(folder.path().join("known.bin")).unwrap();
    fs::write(folder.path().join("known.bin"), &damaged[..damaged.len() - 9]).unwrap();
    fs::remove_dir_all(folder.path().join("run")).ok();
    let error = run(&job(&recipe, folder.path(), 2)).unwrap_err().to_string();
    assert!(error.contains("known.bin") && error.contains("512 of 600 positions"), "{error}");
}

/// A held-out error that no longer falls ends the training before its last epoch.
#[test]
fn a_training_without_gain_ends() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = RECIPE
        .replace("epochs = 2", "epochs = 50\npatience = 2\ngain = 0.9")
        .replace("positions = 600", "positions = 100");
    run(&job(&recipe, folder.path(), 2)).unwrap();
    let report = text(folder.path(), "report.md");
    assert!(report.contains("| 3 | 0.") && !report.contains("| 4 | 0."), "{report}");
}

/// Positions that the judge cannot score are left out.
#[test]
fn a_judge_needs_enough_nodes() {
    let folder = tempfile::tempdir().unwrap();
    run(&job(&RECIPE.replace("nodes=300", "nodes=40"), folder.path(), 2)).unwrap();
    let report = text(folder.path(), "report.md");
    let count = report.split_once(" positions, ").unwrap().0.rsplit(' ').next().unwrap();
    assert!((100..600).contains(&count.parse::<u32>().unwrap()), "{report}");
}

#[test]
fn bad_input_is_named() {
    check_errors(
        RECIPE,
        &[
            ("batch = 128", "batch = 0", "chess_cnn.batch"),
            ("epochs = 2", "epochs = 0", "chess_cnn.epochs"),
            ("positions = 600", "positions = 0", "chess_cnn.positions"),
            ("positions = 600", "positions = 600\nplies = 0", "chess_cnn.plies"),
            ("positions = 600", "positions = 600\nplies = 1", "only 20 were found"),
            ("positions = 600", "positions = 4", "chess_cnn.validation"),
            ("batch = 128", "target = \"steep\"", "`steep`"),
            ("batch = 128", "bach = 128", "bach"),
            ("nodes=300", "time=30ms", "nodes or a depth"),
            ("engine:eval=hand,nodes=300,table=16KB", "random", "engine:nodes=1000"),
            ("game = \"chess\"", "game = \"chess\"\ndata = [\"none.bin\"]", "none.bin"),
            ("game = \"chess\"", "game = \"chess\"\nstart = \"none.net\"", "none.net"),
        ],
    );
}
