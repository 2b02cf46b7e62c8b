//! Genetic feature selection: whole runs, as started by `ludus train`.

use crate::common::{interrupted::run, job::job};
use ludus_players::draughts::neural::{LearnedModel, family_of};
use ludus_training::Recipe;
use std::{collections::BTreeSet, fs, sync::atomic::AtomicBool};

const RECIPE: &str = r#"
kind = "genetic"
game = "draughts"
player = "ls-draughts:pruning=on"
[td]
sessions = 3
games = 6
look_ahead = 1
random_plies = 4
longest = 60
[genetic]
population = 5
generations = 3
sessions = 1
play_off = 3
"#;

#[test]
fn neither_interruptions_nor_threads_change_what_is_chosen() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let whole = run(RECIPE, folders[0].path(), 1, usize::MAX);
    // Not assert_eq, which would print thousands of numbers.
    assert!(run(RECIPE, folders[1].path(), 1, 1) == whole, "interrupted");
    assert!(run(RECIPE, folders[2].path(), 3, usize::MAX) == whole, "on three threads");
    let model = LearnedModel::parse(&whole.0).unwrap();
    assert!(model.features.len() >= 4);
    let log = fs::read_to_string(folders[1].path().join("run/log.jsonl")).unwrap();
    let trained: Vec<&str> = log.lines().filter(|line| line.contains("trained")).collect();
    let distinct: BTreeSet<&str> = trained.iter().copied().collect();
    assert!(trained.len() > 5 && trained.len() == distinct.len(), "no set is trained twice");
    for name in ["generations.svg", "progress.svg", "tests.svg", "generations.json"] {
        assert!(folders[1].path().join("run").join(name).is_file(), "{name}");
    }
}

/// The last training is that of `kind = "td"` with the same features.
#[test]
fn what_was_chosen_is_trained_as_all_learners_are() {
    let folder = tempfile::tempdir().unwrap();
    let (common, _) = RECIPE.split_once("[genetic]").unwrap();
    let text = common.replace("\"genetic\"", "\"td\"");
    let (weights, _) = run(&text, folder.path(), 1, usize::MAX);
    let shipped = family_of("ls-draughts").unwrap().0.initial_features().unwrap();
    assert_eq!(LearnedModel::parse(&weights).unwrap().features, shipped);
}

#[test]
fn wrong_recipes_and_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to, what) in [
        ("ls-draughts:pruning=on", "engine", "ls-draughts"),
        ("\"draughts\"", "\"draughts:rules=russian\"", "rules=english"),
        ("\"draughts\"", "\"chess\"", "genetic"),
        ("population = 5", "population = 1", "genetic.population"),
        ("population = 5", "population = 5\nleast = 29", "genetic.least"),
        ("population = 5", "population = 5\nselection = \"best\"", "roulette"),
        ("[td]", "start = \"weights.txt\"\n[td]", "random weights"),
    ] {
        let text = RECIPE.replace(from, to);
        let error = match Recipe::parse(&text) {
            Err(error) => error.to_string(),
            Ok(_) => job(&text, folder.path(), 1).check().unwrap_err().to_string(),
        };
        assert!(error.contains(what), "{error}");
    }
    run(RECIPE, folder.path(), 1, usize::MAX);
    let generations = folder.path().join("run/generations.json");
    fs::write(&generations, "[[]]").unwrap();
    let again = || {
        let stop = AtomicBool::new(false);
        job(RECIPE, folder.path(), 1).run(&stop, &mut |_| {}).unwrap_err().to_string()
    };
    assert!(again().contains("generations.json"));
    fs::remove_file(generations).unwrap();
    let files = fs::read_dir(folder.path().join("run/minds")).unwrap();
    files.for_each(|file| fs::write(file.unwrap().path(), "features").unwrap());
    assert!(again().contains("minds"));
}
