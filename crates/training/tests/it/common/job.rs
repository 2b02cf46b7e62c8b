//! Jobs for small runs in temporary folders.

use ludus_training::{Job, Recipe};
use std::path::Path;

pub fn job(text: &str, folder: &Path, threads: usize) -> Job {
    Job {
        recipe: Recipe::parse(text).unwrap(),
        text: text.to_owned(),
        recipe_dir: folder.to_owned(),
        folder: folder.join("run"),
        resume: true,
        threads,
    }
}
