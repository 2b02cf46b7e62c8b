//! Stages that can be interrupted: each goes on from its last checkpoint.

use crate::{Run, TrainingError, TrainingStage, folder::RunFolder};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;
use std::time::Instant;

/// A stage that advances step by step and is resumed from a checkpoint, with the same result as
/// without an interruption.
pub trait CheckpointedStage {
    /// State between two steps.
    type State;

    /// Name of the stage, for those who watch the run.
    const STAGE: TrainingStage;

    /// Reads the last checkpoint; `None` if there is none yet.
    fn load(&self, folder: &RunFolder) -> Result<Option<Self::State>, TrainingError>;

    /// Writes a checkpoint.
    fn save(&mut self, state: &Self::State, folder: &RunFolder) -> Result<(), TrainingError>;

    /// State before the first step.
    fn begin(&mut self, run: &mut Run<'_>) -> Result<Self::State, TrainingError>;

    /// Whether the stage has ended.
    fn is_done(&self, state: &Self::State) -> bool;

    /// Makes one step. After an error the state is dropped, and the stage resumes from its last
    /// checkpoint.
    fn step(&mut self, state: &mut Self::State, run: &mut Run<'_>) -> Result<(), TrainingError>;

    /// Whether a checkpoint is worth its time after this step. Interruptions and the end of the
    /// stage always write one.
    fn is_checkpoint_due(&self, _: &Self::State) -> bool {
        true
    }

    /// Amount of work done, in a unit of the stage, for [`Pace`].
    fn amount(&self, _: &Self::State) -> u64 {
        0
    }

    /// Report of the step that led to this state.
    fn report(&mut self, state: &Self::State, pace: Pace) -> StepReport;
}

/// Report of a step.
pub struct StepReport {
    /// Entry for the log, if the step deserves one; its `number` tells it from those of other steps.
    pub entry: Option<Value>,
    /// Units of the stage done.
    pub done: u64,
    /// Upper limit of `done`.
    pub total: u64,
    /// Details for the progress display.
    pub note: String,
}

/// Time and work of a stage since it was started or resumed.
#[derive(Copy, Clone, Debug)]
pub struct Pace {
    /// Seconds.
    pub seconds: f64,
    /// Work, in the unit of [`CheckpointedStage::amount`].
    pub amount: u64,
}

impl Pace {
    /// Work a second.
    pub fn rate(self) -> f64 {
        self.amount as f64 / self.seconds.max(1e-9)
    }
}

impl Run<'_> {
    /// Runs a stage, or the rest of it, and returns its last state.
    ///
    /// # Errors
    /// If a step or the disk fails, the checkpoint is damaged, or the stop flag is raised.
    pub fn stage<S: CheckpointedStage>(
        &mut self,
        stage: &mut S,
    ) -> Result<S::State, TrainingError> {
        let known = stage.load(&self.folder)?;
        let mut is_saved = known.is_some();
        let mut state = known.map_or_else(|| stage.begin(self), Ok)?;
        let (started, before) = (Instant::now(), stage.amount(&state));
        while !stage.is_done(&state) && !self.is_stopped() {
            stage.step(&mut state, self)?;
            let amount = stage.amount(&state) - before;
            let pace = Pace { seconds: started.elapsed().as_secs_f64(), amount };
            let StepReport { entry, done, total, note } = stage.report(&state, pace);
            // Before the checkpoint: a step that is not stored is repeated, a row never.
            entry.map_or(Ok(()), |entry| self.log(&entry))?;
            is_saved = stage.is_checkpoint_due(&state);
            if is_saved {
                stage.save(&state, &self.folder)?;
            }
            self.progress(S::STAGE, done, total, note);
        }
        if !is_saved {
            stage.save(&state, &self.folder)?;
        }
        if stage.is_done(&state) { Ok(state) } else { Err(TrainingError::Stopped) }
    }
}

impl RunFolder {
    /// Reads a checkpoint with `read`; `None` if there is none yet.
    ///
    /// # Errors
    /// If `read` refuses it.
    pub fn checkpoint<T>(
        &self,
        name: &str,
        read: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<Option<T>, TrainingError> {
        let Some(bytes) = self.read(name)? else { return Ok(None) };
        read(&bytes).map(Some).ok_or_else(|| self.damaged(name))
    }

    /// Reads a checkpoint in JSON, and a state from it; `None` if there is none yet.
    ///
    /// # Errors
    /// If it cannot be read, or `state` refuses it.
    pub fn json_checkpoint<C: DeserializeOwned, T>(
        &self,
        name: &str,
        state: impl FnOnce(C) -> Option<T>,
    ) -> Result<Option<T>, TrainingError> {
        self.checkpoint(name, |bytes| serde_json::from_slice(bytes).ok().and_then(state))
    }

    /// Writes a checkpoint in JSON.
    pub fn write_json(&self, name: &str, checkpoint: &impl Serialize) -> Result<(), TrainingError> {
        let bytes = serde_json::to_vec(checkpoint).expect("plain data can be written");
        self.write(name, &bytes)
    }

    /// Error of a checkpoint that cannot be used.
    pub fn damaged(&self, name: &str) -> TrainingError {
        TrainingError::Disk(format!(
            "{}: damaged, or the checkpoint of another evaluation; delete it to restart this stage",
            self.file(name).display()
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Job, Recipe, TrainingProgress};
    use ludus_files::faults::{FaultPlan, watch};
    use serde_json::json;
    use std::{
        fs,
        path::Path,
        sync::atomic::{AtomicBool, Ordering},
    };

    /// Counts to a number; a checkpoint is due at every third one.
    struct Counting {
        total: u64,
        saved: Vec<u64>,
    }

    const COUNT: &str = "count.json";

    impl CheckpointedStage for Counting {
        type State = u64;

        const STAGE: TrainingStage = TrainingStage { activity: "counting", unit: "numbers" };

        fn load(&self, folder: &RunFolder) -> Result<Option<u64>, TrainingError> {
            folder.json_checkpoint(COUNT, |count: u64| (count <= self.total).then_some(count))
        }

        fn save(&mut self, count: &u64, folder: &RunFolder) -> Result<(), TrainingError> {
            self.saved.push(*count);
            folder.write_json(COUNT, count)
        }

        fn begin(&mut self, _: &mut Run<'_>) -> Result<u64, TrainingError> {
            Ok(0)
        }

        fn is_done(&self, count: &u64) -> bool {
            *count >= self.total
        }

        fn step(&mut self, count: &mut u64, _: &mut Run<'_>) -> Result<(), TrainingError> {
            *count += 1;
            Ok(())
        }

        fn is_checkpoint_due(&self, count: &u64) -> bool {
            count.is_multiple_of(3)
        }

        fn amount(&self, count: &u64) -> u64 {
            *count
        }

        fn report(&mut self, count: &u64, pace: Pace) -> StepReport {
            let note = format!("{} now", pace.amount);
            let entry = Some(json!({ "event": "counted", "number": count }));
            StepReport { entry, done: *count, total: self.total, note }
        }
    }

    /// Counts in a folder until `stop_at` is reached; returns the result, what was saved and the
    /// notes.
    fn count(folder: &Path, total: u64, stop_at: u64) -> Counted {
        try_count(folder, total, stop_at).unwrap()
    }

    /// Result, checkpoints and notes of a run.
    type Counted = (Result<u64, TrainingError>, Vec<u64>, Vec<String>);

    fn try_count(folder: &Path, total: u64, stop_at: u64) -> Result<Counted, TrainingError> {
        let text = "kind = \"td\"\ngame = \"draughts\"\nplayer = \"iiga\"\n";
        let job = Job {
            recipe: Recipe::parse(text).unwrap(),
            text: text.to_owned(),
            recipe_dir: folder.to_owned(),
            folder: folder.join("run"),
            resume: true,
            threads: 1,
        };
        let (stop, mut notes) = (AtomicBool::new(stop_at == 0), Vec::new());
        let mut on_progress = |progress: &TrainingProgress| {
            assert_eq!((progress.stage, progress.total), (Counting::STAGE, total));
            notes.push(progress.note.clone());
            stop.store(progress.done == stop_at, Ordering::Relaxed);
        };
        let mut stage = Counting { total, saved: Vec::new() };
        let result = Run::open(&job, &stop, &mut on_progress)?.stage(&mut stage);
        Ok((result, stage.saved, notes))
    }

    #[test]
    fn an_interruption_loses_no_step() {
        let folder = tempfile::tempdir().unwrap();
        let (stopped, saved, notes) = count(folder.path(), 8, 5);
        assert!(matches!(stopped, Err(TrainingError::Stopped)));
        assert_eq!((saved, notes.len()), (vec![3, 5], 5));
        let (result, saved, notes) = count(folder.path(), 8, u64::MAX);
        assert_eq!((result.unwrap(), saved), (8, vec![6, 8]));
        assert_eq!(notes, ["1 now", "2 now", "3 now"], "work since the resumption");
        let (again, saved, notes) = count(folder.path(), 8, 0);
        assert_eq!((again.unwrap(), saved.len(), notes.len()), (8, 0, 0), "nothing left to do");
        let log = fs::read_to_string(folder.path().join("run/log.jsonl")).unwrap();
        assert_eq!(rows(&log), (1..=8).collect::<Vec<_>>(), "{log}");
    }

    /// Numbers of the rows of a log.
    fn rows(log: &str) -> Vec<u64> {
        let rows = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        rows.filter_map(|row| row["number"].as_u64()).collect()
    }

    /// A run that ends at any of its file operations has every row once when it is resumed.
    #[test]
    fn no_fault_loses_or_doubles_a_row() {
        let mut number = 0;
        loop {
            let folder = tempfile::tempdir().unwrap();
            let faults = watch(folder.path(), FaultPlan::FailFrom(number));
            let _ = try_count(folder.path(), 8, u64::MAX);
            let is_hit = faults.is_hit();
            drop(faults);
            assert_eq!(try_count(folder.path(), 8, u64::MAX).unwrap().0.unwrap(), 8);
            let log = fs::read_to_string(folder.path().join("run/log.jsonl")).unwrap();
            assert_eq!(rows(&log), (1..=8).collect::<Vec<_>>(), "fault {number}: {log}");
            if !is_hit {
                assert!(number > 30, "{number} operations");
                break;
            }
            number += 1;
        }
    }

    #[test]
    fn a_stage_without_steps_is_saved_and_a_damaged_checkpoint_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (result, saved, _) = count(folder.path(), 0, u64::MAX);
        assert_eq!((result.unwrap(), saved), (0, vec![0]));
        for damaged in ["", "9", "{}"] {
            fs::write(folder.path().join("run").join(COUNT), damaged).unwrap();
            let error = count(folder.path(), 8, u64::MAX).0.unwrap_err().to_string();
            assert!(error.contains(COUNT) && error.contains("delete it"), "{error}");
        }
    }
}
