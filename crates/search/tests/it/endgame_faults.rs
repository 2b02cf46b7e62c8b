//! Endgame tables whose file operations fail, or whose power is cut, end with the same bytes.
//!
//! `LUDUS_FAULTS=all` injects every fault instead of samples.

use ludus_knowledge::draughts::DraughtsKnowledge;
use ludus_search::tables::endgame::{build, unstoppable};
use ludus_test_support::campaign::Campaign;
use std::{fs, path::Path};

#[test]
fn building_survives_every_fault() {
    let folder = |above: &Path| above.join("endgame/draughts");
    let run = |above: &Path| {
        build::<DraughtsKnowledge>(&folder(above), 2, &unstoppable(1), |_| {})
            .map_err(|error| error.to_string())
    };
    let result = |above: &Path| {
        let entries = fs::read_dir(folder(above)).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> =
            entries.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
        files.iter_mut().for_each(|(path, _)| *path = path.file_name().unwrap().into());
        files.sort();
        files
    };
    let injected = Campaign { run: &run, result: &result, samples: 12 }.check();
    assert!(injected >= 48, "{injected} faults");
}
