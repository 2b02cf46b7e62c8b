//! Networks of sets of features: their files, and the training of those that are missing.

use super::{FeatureSelection, generations::features_of};
use crate::{
    Run, TrainingError,
    folder::{RunFolder, create_folder},
    kinds::td::{SelfPlayTrainer, TdCheckpoint, TdSettings, TdState},
    parallel::in_order,
};
use ludus_players::draughts::neural::LearnedModel;
use serde_json::json;
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
};

/// Folder of the networks trained so far, so that no set is trained twice.
const NETWORKS_DIR: &str = "minds";
/// Folder of the fully trained networks.
const FINALISTS_DIR: &str = "finalists";

/// A way to train the networks of some sets, and to keep them.
pub(super) struct TrainingPlan<'a> {
    pub settings: &'a TdSettings,
    /// Seed for a set.
    pub seed: &'a (dyn Fn(&str) -> u64 + Sync),
    /// Event in the log for each network.
    pub event: &'static str,
    /// Name of the file of a set.
    pub file: fn(&str) -> String,
    /// Contents of the file.
    pub contents: fn(&TdState) -> String,
}

impl FeatureSelection<'_> {
    /// Trains the networks of all sets that have no file yet, on all threads. `on_trained` gets each
    /// network and the number of those that are still missing.
    pub(super) fn train_missing(
        &self,
        sets: &[String],
        plan: &TrainingPlan<'_>,
        run: &mut Run<'_>,
        on_trained: &mut dyn FnMut(&mut Run<'_>, &TdState, usize),
    ) -> Result<(), TrainingError> {
        let distinct: BTreeSet<&String> = sets.iter().collect();
        let is_missing = |set: &&String| !run.folder.file(&(plan.file)(set)).is_file();
        let missing: Vec<&String> = distinct.into_iter().filter(is_missing).collect();
        let (stop, mut done) = (run.stop, 0);
        let work = |_: &mut (), number: u64| self.trained(missing[number as usize], plan, stop);
        in_order(
            0..missing.len() as u64,
            run.job.threads,
            || Ok(()),
            work,
            |state| {
                let set = missing[done];
                run.log(&json!({ "event": plan.event, "set": set }))?;
                run.folder.write(&(plan.file)(set), (plan.contents)(&state).as_bytes())?;
                done += 1;
                on_trained(run, &state, missing.len() - done);
                Ok(())
            },
        )
    }

    /// Trains a network on a set.
    fn trained(
        &self,
        set: &str,
        plan: &TrainingPlan<'_>,
        stop: &AtomicBool,
    ) -> Result<TdState, TrainingError> {
        let seed = (plan.seed)(set);
        let starts = std::slice::from_ref(&self.start);
        let trainer = SelfPlayTrainer { seed, ..self.trainer(plan.settings, starts, stop) };
        let mut state = TdState::begin(&features_of(set), seed);
        for _ in 0..plan.settings.sessions {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            trainer.session(&mut state)?;
        }
        Ok(state)
    }
}

/// Creates the folders of the networks.
pub(super) fn create_folders(folder: &RunFolder) -> Result<(), TrainingError> {
    for name in [NETWORKS_DIR, FINALISTS_DIR] {
        create_folder(&folder.file(name))?;
    }
    Ok(())
}

pub(super) fn network_file(set: &str) -> String {
    format!("{NETWORKS_DIR}/{set}.txt")
}

pub(super) fn finalist_file(set: &str) -> String {
    format!("{FINALISTS_DIR}/{set}.json")
}

/// Reads the network of a set.
pub(super) fn read_network(folder: &RunFolder, set: &str) -> Result<LearnedModel, TrainingError> {
    let name = network_file(set);
    let model = folder.checkpoint(&name, |bytes| {
        let model = LearnedModel::parse(str::from_utf8(bytes).ok()?).ok()?;
        (model.features == features_of(set)).then_some(model)
    })?;
    model.ok_or_else(|| folder.damaged(&name))
}

/// Reads the full training of a set.
pub(super) fn read_finalist(folder: &RunFolder, set: &str) -> Result<TdState, TrainingError> {
    let name = finalist_file(set);
    let state = folder.json_checkpoint(&name, |checkpoint: TdCheckpoint| {
        checkpoint.state().filter(|state| state.learner.features == features_of(set))
    })?;
    state.ok_or_else(|| folder.damaged(&name))
}
