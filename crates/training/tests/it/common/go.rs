//! Runs that learn from games of Go.

use super::job::job;
use ludus_training::{Job, Recipe, TrainingError, TrainingStage};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

/// Runs a job from beginning to end; returns the checksum of the weights.
pub fn run(job: &Job) -> Result<String, TrainingError> {
    let stop = AtomicBool::new(false);
    Ok(job.run(&stop, &mut |_| {})?.checksum)
}

/// Runs on two threads, stopped at each new progress and resumed until it is finished; returns the
/// checksum, the number of pieces, and the stages.
fn run_in_pieces(recipe: &str, folder: &Path) -> (String, usize, Vec<TrainingStage>) {
    let (mut pieces, mut stages, mut seen) = (0, Vec::new(), (TrainingStage::SELF_PLAY, 0));
    loop {
        let stop = AtomicBool::new(false);
        let result = job(recipe, folder, 2).run(&stop, &mut |progress| {
            stages.push(progress.stage);
            // Earlier progress is reported again; stop only at new progress.
            let now = (progress.stage, progress.done);
            if now != seen {
                seen = now;
                stop.store(true, Ordering::Relaxed);
            }
        });
        pieces += 1;
        match result {
            Ok(outcome) => return (outcome.checksum, pieces, stages),
            Err(TrainingError::Stopped) => assert!(pieces < 100, "something is kept"),
            Err(error) => panic!("{error}"),
        }
    }
}

/// Contents of a file that a run in `folder` wrote.
pub fn written(folder: &Path, name: &str) -> Vec<u8> {
    fs::read(folder.join("run").join(name)).unwrap()
}

/// The same, as text.
pub fn text(folder: &Path, name: &str) -> String {
    String::from_utf8(written(folder, name)).unwrap()
}

/// Checks that a run writes the same files on any number of threads and however often it is
/// interrupted, during self-play and in `learning`. Returns the folder of one run.
pub fn check_reproducible(
    recipe: &str,
    weights: &str,
    learning: TrainingStage,
) -> tempfile::TempDir {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let whole = run(&job(recipe, folders[0].path(), 1)).unwrap();
    assert_eq!(run(&job(recipe, folders[1].path(), 3)).unwrap(), whole);
    let (checksum, pieces, stages) = run_in_pieces(recipe, folders[2].path());
    assert_eq!(checksum, whole);
    assert!(pieces > 3 && stages.contains(&TrainingStage::SELF_PLAY) && stages.contains(&learning));
    for name in [weights, "games.txt", "report.md", "progress.svg"] {
        let [one, other, third] = folders.each_ref().map(|folder| written(folder.path(), name));
        assert!(one == other && one == third, "{name}, to the letter");
    }
    let [folder, ..] = folders;
    folder
}

/// Checks that a recipe is refused, or its run fails, when the first text of a row is replaced by
/// the second, with an error that contains the third.
pub fn check_errors(recipe: &str, wrong: &[(&str, &str, &str)]) {
    for (from, to, what) in wrong {
        let text = recipe.replacen(from, to, 1);
        assert_ne!(text, recipe, "{from}");
        let folder = tempfile::tempdir().unwrap();
        let error = match Recipe::parse(&text) {
            Err(error) => error.to_string(),
            Ok(_) => run(&job(&text, folder.path(), 2)).unwrap_err().to_string(),
        };
        assert!(error.contains(what), "{to}: {error}");
    }
}
