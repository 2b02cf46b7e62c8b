//! Neuroevolution: whole runs, as started by `ludus train`.

use crate::common::{interrupted::run, job::job};
use ludus_players::draughts::anaconda::EvolvedWeights;
use ludus_training::{Recipe, kinds::neuroevolution::NeuroevolutionSettings};
use std::{fs, sync::atomic::AtomicBool};

const RECIPE: &str = r#"
kind = "evolution"
game = "draughts"
player = "anaconda"
[evolution]
parents = 3
generations = 3
games = 2
depth = 1
longest = 40
play_off = 1
"#;

#[test]
fn neither_interruptions_nor_threads_change_what_evolves() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let whole = run(RECIPE, folders[0].path(), 1, usize::MAX);
    // Not assert_eq, which would print thousands of numbers.
    assert!(run(RECIPE, folders[1].path(), 1, 1) == whole, "interrupted");
    assert!(run(RECIPE, folders[2].path(), 3, usize::MAX) == whole, "on three threads");
    for name in ["progress.svg", "spread.svg", "king.svg", "log.jsonl", "checkpoint.bin"] {
        assert!(folders[1].path().join("run").join(name).is_file(), "{name}");
    }
}

/// All survivors descend from the network the recipe names.
#[test]
fn what_has_evolved_can_evolve_on() {
    let folder = tempfile::tempdir().unwrap();
    let weights = (0..ludus_models::spatial::WEIGHTS).map(|it| (it % 7) as f32 / 20.0).collect();
    let ancestor = EvolvedWeights { king: 1.5, weights };
    fs::write(folder.path().join("ancestor.txt"), ancestor.text()).unwrap();
    let text = RECIPE.replace("[evolution]", "start = \"ancestor.txt\"\n[evolution]");
    let brain = EvolvedWeights::parse(&run(&text, folder.path(), 1, usize::MAX).0).unwrap();
    assert!((brain.king - 1.5).abs() < 0.4);
    let pairs = brain.weights.iter().zip(&ancestor.weights);
    assert!(pairs.into_iter().all(|(one, other)| (one - other).abs() < 1.0));
}

#[test]
fn the_defaults_are_the_published_values() {
    let published = NeuroevolutionSettings::default();
    assert_eq!((published.parents, published.generations, published.games), (15, 840, 5));
    assert_eq!((published.win, published.draw, published.loss), (1, 0, -2));
    assert_eq!((published.depth, published.play_off), (4, 0));
}

#[test]
fn wrong_recipes_and_checkpoints_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to, what) in [
        ("\"anaconda\"", "\"iiga\"", "anaconda, the player that evolves"),
        ("\"anaconda\"", "\"anaconda:ply=3\"", "ply"),
        ("\"draughts\"", "\"draughts:rules=russian\"", "rules=english"),
        ("\"draughts\"", "\"reversi\"", "evolution"),
        ("depth = 1", "depth = 0", "evolution.depth"),
        ("depth = 1", "king = 5.0", "evolution.king"),
        ("[evolution]", "start = \"nowhere.txt\"\n[evolution]", "nowhere.txt"),
    ] {
        let text = RECIPE.replace(from, to);
        let error = match Recipe::parse(&text) {
            Err(error) => error.to_string(),
            Ok(_) => job(&text, folder.path(), 1).check().unwrap_err().to_string(),
        };
        assert!(error.contains(what), "{error}");
    }
    run(RECIPE, folder.path(), 1, usize::MAX);
    fs::write(folder.path().join("run/checkpoint.bin"), "[]\n").unwrap();
    let stop = AtomicBool::new(false);
    let error = job(RECIPE, folder.path(), 1).run(&stop, &mut |_| {}).unwrap_err();
    assert!(error.to_string().contains("checkpoint.bin"), "{error}");
}
