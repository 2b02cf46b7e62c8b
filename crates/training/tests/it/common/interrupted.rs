//! Runs of draughts learners that are interrupted and resumed.

use super::job::job;
use ludus_training::TrainingError;
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

/// Runs a job that is stopped after every `steps_per_run` steps; returns weights and report.
pub fn run(text: &str, folder: &Path, threads: usize, steps_per_run: usize) -> (String, String) {
    loop {
        let (stop, mut seen) = (AtomicBool::new(false), 0);
        let result = job(text, folder, threads).run(&stop, &mut |_| {
            seen += 1;
            stop.store(seen >= steps_per_run, Ordering::Relaxed);
        });
        match result {
            Ok(outcome) => {
                let read = |path| fs::read_to_string(path).unwrap();
                return (read(outcome.weights), read(outcome.report));
            }
            Err(TrainingError::Stopped) => assert!(seen >= steps_per_run),
            Err(error) => panic!("{error}"),
        }
    }
}
