//! Runs that learn from games of Go.

use super::job::job;
use ludus_lab::{Job, LabError, Stage, find_bench};
use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

/// A run from its beginning to its end: the checksum of what was learned.
pub fn run(job: &Job) -> Result<String, LabError> {
    let stop = AtomicBool::new(false);
    Ok(find_bench("go").unwrap().0.run(job, &stop, &mut |_| {})?.checksum)
}

/// A run on two threads that is stopped whenever something new was done, and resumed until it is
/// finished: the checksum, how many pieces it took, and what it did.
pub fn run_in_pieces(recipe: &str, folder: &Path) -> (String, usize, Vec<Stage>) {
    let bench = find_bench("go").unwrap().0;
    let (mut pieces, mut stages, mut seen) = (0, Vec::new(), (Stage::SelfPlay, 0));
    loop {
        let stop = AtomicBool::new(false);
        let result = bench.run(&job(recipe, folder, 2), &stop, &mut |progress| {
            stages.push(progress.stage);
            // What was there at the start is told again; stop at what is new.
            let now = (progress.stage, progress.done);
            if now != seen {
                seen = now;
                stop.store(true, Ordering::Relaxed);
            }
        });
        pieces += 1;
        match result {
            Ok(outcome) => return (outcome.checksum, pieces, stages),
            Err(LabError::Stopped) => assert!(pieces < 100, "something is kept"),
            Err(error) => panic!("{error}"),
        }
    }
}
