//! Runs of TD learning: a draughts player with a network on features, trained by self-play against
//! a copy.

use crate::{
    Job, Recipe, RunResult, TrainingError, TrainingProgress, TrainingStage,
    folder::RunFolder,
    report::{CHART, TEST_CHART, TdReport},
    run::{REPORT, WEIGHTS, checksum, damaged},
    td_self_play::{CloneThreshold, SelfPlayTrainer, SessionResult, TdCheckpoint, TdState},
};
use ludus_core::{Notation, Options, TextError};
use ludus_games::draughts::{Draughts, Rules};
use ludus_players::draughts::neural::{LearnedModel, NeuralFamily, family_of};
use serde_json::json;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

const CHECKPOINT: &str = "checkpoint.json";

/// A TD learning run.
pub struct TdRunner<'a> {
    job: &'a Job,
    family: &'static NeuralFamily,
    options: Options,
    start: Draughts,
    begin: TdState,
}

impl<'a> TdRunner<'a> {
    /// Checks what only the game can check of the recipe.
    pub fn new(job: &'a Job) -> Result<TdRunner<'a>, TrainingError> {
        let Recipe { player, game, seed, .. } = &job.recipe;
        let (family, options) = family_of(player)?;
        let position = english_start(game)?;
        let begin = match job.start(LearnedModel::parse)? {
            Some(model) => TdState::from(model),
            None => TdState::begin(&family.initial_features()?, *seed),
        };
        Ok(TdRunner { job, family, options, start: position, begin })
    }

    /// Runs all sessions, or resumes them.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        let mut folder = self.job.begin()?;
        let state = self.train(&mut folder, stop, progress)?;
        self.finish(&state, &mut folder)
    }

    /// Runs all sessions, or resumes them, and returns their results.
    pub(crate) fn session_results(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<Vec<SessionResult>, TrainingError> {
        let mut folder = self.job.begin()?;
        let state = self.train(&mut folder, stop, progress)?;
        self.finish(&state, &mut folder)?;
        Ok(state.sessions)
    }

    fn train(
        &self,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<TdState, TrainingError> {
        let settings = &self.job.recipe.td;
        let mut state = match folder.read(CHECKPOINT)? {
            None => self.begin.clone(),
            Some(bytes) => serde_json::from_slice::<TdCheckpoint>(&bytes)
                .ok()
                .and_then(|checkpoint| checkpoint.state())
                .ok_or_else(|| damaged(folder, CHECKPOINT))?,
        };
        let trainer = SelfPlayTrainer {
            settings,
            accept: CloneThreshold::Above(settings.accept),
            search_config: (self.family.search_config)(&self.options),
            starts: std::slice::from_ref(&self.start),
            seed: self.job.recipe.seed,
            stop,
        };
        let (started, first) = (Instant::now(), state.sessions.len());
        while state.sessions.len() < settings.sessions as usize {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            trainer.session(&mut state)?;
            let checkpoint =
                serde_json::to_vec(&TdCheckpoint::of(&state)).expect("a state can be written");
            folder.write(CHECKPOINT, &checkpoint)?;
            let session = *state.sessions.last().expect("a session leaves an entry");
            let seconds = started.elapsed().as_secs_f64();
            folder.log(&json!({ "event": "session", "session": session, "seconds": seconds }))?;
            let done = state.sessions.len();
            let games = (done - first) as f64 * f64::from(settings.games);
            let note = format!(
                "error {:.4}, {} copies, {:.0} games/s",
                session.error,
                state.clones.len() - 1,
                games / seconds.max(1e-9),
            );
            let (done, total) = (done as u64, settings.sessions.into());
            progress(&TrainingProgress { stage: TrainingStage::Learning, done, total, note });
        }
        Ok(state)
    }

    fn finish(&self, state: &TdState, folder: &mut RunFolder) -> Result<RunResult, TrainingError> {
        let report = TdReport { recipe: &self.job.recipe, state };
        folder.write(CHART, report.error_chart().as_bytes())?;
        folder.write(TEST_CHART, report.test_chart().as_bytes())?;
        let model = state.current_clone().text();
        deliver(&model, report.summary(), &report.text(), folder)
    }
}

/// Starting position of a game the learners know: English draughts.
pub(crate) fn english_start(game: &str) -> Result<Draughts, TrainingError> {
    let position = Draughts::start(&Options::parse(game, Draughts::OPTIONS)?)?;
    if position.rules() != Rules::English {
        let expected = "draughts:rules=english, the only rules its learners support";
        return Err(TextError::whole("game", game, expected).into());
    }
    Ok(position)
}

/// Writes learned weights with their checksum, and the report.
pub(crate) fn deliver(
    learned: &str,
    summary: String,
    report: &str,
    folder: &mut RunFolder,
) -> Result<RunResult, TrainingError> {
    let checksum = checksum(learned);
    let heading = format!("# {summary}\n# checksum {checksum}\n");
    folder.write(WEIGHTS, (heading + learned).as_bytes())?;
    folder.write(REPORT, report.as_bytes())?;
    folder.log(&json!({ "event": "done", "checksum": checksum, "summary": summary }))?;
    let (weights, report) = (folder.file(WEIGHTS), folder.file(REPORT));
    Ok(RunResult { weights, report, checksum, summary })
}
