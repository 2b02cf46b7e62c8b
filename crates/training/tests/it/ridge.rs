//! Whole runs on a toy game with a linear evaluation, as started by `ludus train`.

use crate::common::{Ridge, RidgeKnowledge, job::job};
use ludus_core::{LinearEval, Weights};
use ludus_training::{
    Job, LinearEvalTraining, Recipe, RunResult, TrainingError, TrainingProgress,
    kinds::{PreparedTraining, hill_climb::HillClimbRecipe, texel::TexelRecipe},
};
use std::{
    cell::Cell,
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

const TEXEL: &str = r#"
kind = "texel"
game = "ridge"
player = "minimax:depth=1"
start = "zero"
[self_play]
games = 400
skip = 0
opening = { plies = 2, balance = 10000 }
[texel]
lambda = 1.0
k = 1.0
rate = 5.0
batch = 200
epochs = 12
"#;

const CLIMB: &str = r#"
kind = "climb"
game = "ridge"
player = "minimax:depth=1"
start = "zero"
[climb]
steps = 12
games = 20
final_games = 40
patience = 4
mutation = 60.0
share = 0.5
opening = { plies = 2, balance = 10000 }
"#;

/// Prepares a job for the toy game, which is not in the list of games.
fn prepare(job: &Job) -> PreparedTraining<'_> {
    match job.recipe.kind().name {
        "texel" => TexelRecipe::prepare::<Ridge>(job),
        "climb" => HillClimbRecipe::prepare::<Ridge>(job),
        other => panic!("{other} does not train linear evaluations"),
    }
}

fn try_run(
    job: &Job,
    stop: &AtomicBool,
    on_progress: &mut dyn FnMut(&TrainingProgress),
) -> Result<RunResult, TrainingError> {
    job.run_training(&*prepare(job)?, stop, on_progress)
}

fn run(text: &str, folder: &Path, threads: usize) -> String {
    let stop = AtomicBool::new(false);
    try_run(&job(text, folder, threads), &stop, &mut |_| {}).unwrap().checksum
}

fn weights(folder: &Path) -> Weights {
    let text = fs::read_to_string(folder.join("run/weights.txt")).unwrap();
    Weights::parse(&text, RidgeKnowledge::GROUPS).unwrap()
}

/// A run in pieces: stopped after every few progress reports, with files cut off as by a kill.
fn run_in_pieces(text: &str, folder: &Path, every: usize) -> (String, usize) {
    let run_folder = folder.join("run");
    for pieces in 1..200 {
        let (stop, seen) = (AtomicBool::new(false), Cell::new(0));
        let result = try_run(&job(text, folder, 2), &stop, &mut |_| {
            seen.set(seen.get() + 1);
            stop.store(seen.get() >= every, Ordering::Relaxed);
        });
        match result {
            Ok(outcome) => return (outcome.checksum, pieces),
            Err(TrainingError::Stopped) => {}
            Err(error) => panic!("{error}"),
        }
        for (name, torn) in [("games.txt", "game 17 0.5 - 9 3\n12 4,"), ("log.jsonl", "{\"ev")] {
            if let Ok(mut whole) = fs::read_to_string(run_folder.join(name)) {
                whole += torn;
                fs::write(run_folder.join(name), whole).unwrap();
            }
        }
        fs::write(run_folder.join("checkpoint.bin.partial"), "torn").unwrap();
    }
    panic!("it never ends");
}

#[test]
fn tuning_finds_what_wins_and_does_not_depend_on_threads_or_interruptions() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let [alone, many, pieces] = folders.each_ref().map(tempfile::TempDir::path);
    let checksum = run(TEXEL, alone, 1);
    assert_eq!(run(TEXEL, many, 3), checksum);
    let games = |folder: &Path| fs::read(folder.join("run/games.txt")).unwrap();
    assert!(games(alone) == games(many), "games depend on the number of threads");
    let (resumed, times) = run_in_pieces(TEXEL, pieces, 40);
    assert!(times > 1, "never stopped");
    assert_eq!(resumed, checksum);
    assert!(games(alone) == games(pieces), "games depend on interruptions");
    // Only the stones of the last column count. Both sides place the same number in all, so only
    // differences between columns can be learned.
    let found = weights(alone);
    let of = |term: usize| found.terms[term].ending + found.terms[term].opening;
    assert!(of(2) > of(0) + 100 && of(2) > of(1) + 100, "{found:?}");
    let report = fs::read_to_string(alone.join("run/report.md")).unwrap();
    assert!(report.contains("| stones | 3 |") && report.contains("progress.svg"), "{report}");
    assert!(fs::read_to_string(alone.join("run/progress.svg")).unwrap().starts_with("<svg"));
}

#[test]
fn climbing_finds_what_wins_and_does_not_depend_on_threads_or_interruptions() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let [alone, many, pieces] = folders.each_ref().map(tempfile::TempDir::path);
    let checksum = run(CLIMB, alone, 1);
    assert_eq!(run(CLIMB, many, 3), checksum);
    assert_eq!(run_in_pieces(CLIMB, pieces, 2).0, checksum);
    assert_eq!(run(CLIMB, alone, 2), checksum, "a finished run stays as it is");
    let found = weights(alone);
    assert!(found.terms[2].opening + found.terms[2].ending > 0, "{found:?}");
}

#[test]
fn a_run_never_goes_into_the_folder_of_another() {
    let folder = tempfile::tempdir().unwrap();
    run(CLIMB, folder.path(), 2);
    let stop = AtomicBool::new(false);
    let mut anew = job(CLIMB, folder.path(), 1);
    anew.resume = false;
    let error = try_run(&anew, &stop, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("--resume"), "{error}");
    let other = job(&CLIMB.replace("steps = 12", "steps = 13"), folder.path(), 1);
    let error = try_run(&other, &stop, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("the same recipe"), "{error}");
}

#[test]
fn wrong_recipes_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let error = |from: &str, to: &str| -> String {
        let text = TEXEL.replace(from, to);
        assert_ne!(text, TEXEL);
        match Recipe::parse(&text) {
            Err(error) => error.to_string(),
            Ok(recipe) => {
                let job = Job { recipe, ..job(TEXEL, folder.path(), 1) };
                prepare(&job).err().unwrap().to_string()
            }
        }
    };
    for (from, to, part) in [
        ("texel\"", "magic\"", "line 2"),
        ("games = 400", "games = 0", "self_play.games"),
        ("games = 400", "gmaes = 400", "gmaes"),
        ("rate = 5.0", "rate = 0.0", "texel.rate = 0"),
        ("lambda = 1.0", "lambda = nan", "texel.lambda = NaN"),
        ("minimax:depth=1", "random", "tunable weights"),
        ("minimax:depth=1", "engine", "engine:nodes=2000"),
        ("minimax:depth=1", "minimax:deep=1", "deep"),
        ("\"zero\"", "\"nowhere.txt\"", "hand, zero or a file"),
        ("k = 1.0", "fixed = [\"pawns\"]", "stones"),
        ("start =", "data = [\"no.txt\"]\nstart =", "self-play games"),
    ] {
        assert!(error(from, to).contains(part), "{to}: {}", error(from, to));
    }
    assert!(Recipe::parse(TEXEL).unwrap().game_options().is_err(), "a toy is no game of the list");
}

#[test]
fn games_of_an_earlier_run_can_be_tuned_on_and_damaged_ones_are_named() {
    let folder = tempfile::tempdir().unwrap();
    run(TEXEL, folder.path(), 2);
    let again = TEXEL
        .replace("games = 400", "games = 0")
        .replace("start =", "data = [\"old.txt\"]\nstart =");
    fs::copy(folder.path().join("run/games.txt"), folder.path().join("old.txt")).unwrap();
    let before = weights(folder.path());
    fs::remove_dir_all(folder.path().join("run")).unwrap();
    run(&again, folder.path(), 2);
    assert_eq!(weights(folder.path()), before);
    let text = fs::read_to_string(folder.path().join("old.txt")).unwrap();
    for (damaged, part) in [
        (text.replacen("game 5 ", "gone 5 ", 1), "game NUMBER RESULT"),
        (text.replacen("game 5 ", "game 5 9", 1), "RESULT"),
        ("nonsense".to_owned(), "ludus self-play 1"),
    ] {
        fs::write(folder.path().join("old.txt"), damaged).unwrap();
        fs::remove_dir_all(folder.path().join("run")).unwrap();
        let stop = AtomicBool::new(false);
        let result = try_run(&job(&again, folder.path(), 1), &stop, &mut |_| {});
        let error = result.unwrap_err().to_string();
        assert!(error.contains(part) && error.contains("old.txt"), "{error}");
    }
}
