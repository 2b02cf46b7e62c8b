//! Runs of draughts learners that are stopped on the way and go on.

use super::job::job;
use ludus_training::{TrainingError, find_bench};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

/// A run that is stopped after every `patience` steps; the weights and the report.
pub fn run(text: &str, folder: &Path, threads: usize, patience: usize) -> (String, String) {
    let bench = find_bench("draughts").unwrap().0;
    loop {
        let (stop, mut seen) = (AtomicBool::new(false), 0);
        let result = bench.run(&job(text, folder, threads), &stop, &mut |_| {
            seen += 1;
            stop.store(seen >= patience, Ordering::Relaxed);
        });
        match result {
            Ok(outcome) => {
                let read = |path| fs::read_to_string(path).unwrap();
                return (read(outcome.weights), read(outcome.report));
            }
            Err(TrainingError::Stopped) => assert!(seen >= patience),
            Err(error) => panic!("{error}"),
        }
    }
}
