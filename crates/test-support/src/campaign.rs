//! Campaigns of faults: a program fails at each of its file operations in turn, or the power is cut
//! after each, and must come to the same result once it is resumed.
//!
//! The ordinary tests take samples. `LUDUS_FAULTS=all` injects every fault.

use crate::power_cut::{Survival, restore};
use ludus_files::faults::{FaultPlan, FileChange, watch};
use std::{env, fmt::Debug, fs, path::Path};
use tempfile::TempDir;

/// The environment variable that asks for every fault when it is `all`.
pub const FAULTS: &str = "LUDUS_FAULTS";

/// Program under test, which works in a folder.
pub struct Campaign<'a, R> {
    /// Runs the program in a folder, or resumes it.
    pub run: &'a dyn Fn(&Path) -> Result<(), String>,
    /// Its result, which must not depend on faults.
    pub result: &'a dyn Fn(&Path) -> R,
    /// Faults of each kind that a sample has.
    pub samples: usize,
}

impl<R: PartialEq + Debug> Campaign<'_, R> {
    /// Injects faults and cuts the power; returns the number of both.
    pub fn check(&self) -> usize {
        let folder = TempDir::new().unwrap();
        let (journal, expected, operations) = self.undisturbed(folder.path());
        let cuts = self.cut_power(&journal, folder.path(), &expected);
        let injected = self.fail(operations, &expected) + cuts;
        println!("{operations} operations, {} changes: {injected} faults", journal.len());
        injected
    }

    /// Changes of an undisturbed run, its result, and the number of its operations.
    fn undisturbed(&self, folder: &Path) -> (Vec<FileChange>, R, usize) {
        let recorded = watch(folder, FaultPlan::Record);
        (self.run)(folder).unwrap();
        let (journal, operations) = (recorded.journal(), recorded.operations());
        drop(recorded);
        // A program that changes files past the seam would escape the campaign.
        let copy = TempDir::new().unwrap();
        restore(&journal, folder, Survival::Everything, copy.path()).unwrap();
        assert!(listing(copy.path()) == listing(folder), "all changes are recorded");
        (journal, (self.result)(folder), operations)
    }

    /// The numbers to test of those below `count`.
    fn numbers(&self, count: usize) -> Vec<usize> {
        if env::var(FAULTS).is_ok_and(|value| value == "all") {
            return (0..count).collect();
        }
        let step = count.div_ceil(self.samples.max(1)).max(1);
        (0..count).step_by(step).chain(count.checked_sub(1)).collect()
    }

    /// Makes one operation fail, or all from one on; returns the number of runs that met a fault.
    fn fail(&self, operations: usize, expected: &R) -> usize {
        let mut injected = 0;
        for number in self.numbers(operations) {
            for plan in [FaultPlan::Fail(number), FaultPlan::FailFrom(number)] {
                let folder = TempDir::new().unwrap();
                let faults = watch(folder.path(), plan);
                let outcome = (self.run)(folder.path());
                injected += usize::from(faults.is_hit());
                drop(faults);
                self.resume(folder.path(), expected, &format!("{plan:?}, {outcome:?}"));
            }
        }
        injected
    }

    /// Cuts the power after each change of the run in `root`; returns the number of cuts.
    fn cut_power(&self, journal: &[FileChange], root: &Path, expected: &R) -> usize {
        let mut cuts = 0;
        for number in self.numbers(journal.len() + 1) {
            for survival in [Survival::Everything, Survival::Names, Survival::Synced] {
                let folder = TempDir::new().unwrap();
                restore(&journal[..number], root, survival, folder.path()).unwrap();
                self.resume(folder.path(), expected, &format!("cut at {number}, {survival:?}"));
                cuts += 1;
            }
        }
        cuts
    }

    fn resume(&self, folder: &Path, expected: &R, fault: &str) {
        (self.run)(folder).unwrap_or_else(|error| panic!("{fault}: not resumed: {error}"));
        assert_eq!((self.result)(folder), *expected, "{fault}");
        for (name, _) in listing(folder) {
            assert!(!name.ends_with(".partial") && !name.ends_with(".lock"), "{fault}: {name}");
        }
    }
}

/// Names and contents of the files below a folder.
fn listing(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                found.push((name, fs::read(&path).unwrap()));
            }
        }
    }
    found.sort();
    found
}
