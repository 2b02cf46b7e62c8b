//! Training a player that judges by a network on features, by self-play with cloning.

use crate::{
    Job, Outcome, Progress, Recipe, Stage, TrainingError,
    cloning::{Accept, Kept, School, Session, State},
    folder::Folder,
    report::{CHART, TEST_CHART, TdReport},
    run::{REPORT, WEIGHTS, checksum, damaged},
};
use ludus_core::{Notation, Options, TextError};
use ludus_games::draughts::{Draughts, Rules};
use ludus_players::neural::{Family, Mind, family_of};
use serde_json::json;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

const CHECKPOINT: &str = "checkpoint.json";

/// A training run.
pub struct TdRunner<'a> {
    job: &'a Job,
    family: &'static Family,
    options: Options,
    start: Draughts,
    begin: State,
}

impl<'a> TdRunner<'a> {
    /// Checks everything in the recipe that only the game can check.
    pub fn new(job: &'a Job) -> Result<TdRunner<'a>, TrainingError> {
        let Recipe { player, game, seed, .. } = &job.recipe;
        let (family, options) = family_of(player)?;
        let position = english_start(game)?;
        let begin = match job.start(Mind::parse)? {
            Some(mind) => State::from(mind),
            None => State::begin(&family.sight()?, *seed),
        };
        Ok(TdRunner { job, family, options, start: position, begin })
    }

    /// Does all that is left to do.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, TrainingError> {
        let mut folder = self.job.begin()?;
        let state = self.train(&mut folder, stop, progress)?;
        self.finish(&state, &mut folder)
    }

    /// Does all that is left to do and tells all sessions.
    pub(crate) fn sessions(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Session>, TrainingError> {
        let mut folder = self.job.begin()?;
        let state = self.train(&mut folder, stop, progress)?;
        self.finish(&state, &mut folder)?;
        Ok(state.sessions)
    }

    fn train(
        &self,
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<State, TrainingError> {
        let settings = &self.job.recipe.td;
        let mut state = match folder.read(CHECKPOINT)? {
            None => self.begin.clone(),
            Some(bytes) => serde_json::from_slice::<Kept>(&bytes)
                .ok()
                .and_then(|kept| kept.state())
                .ok_or_else(|| damaged(folder, CHECKPOINT))?,
        };
        let school = School {
            settings,
            accept: Accept::Above(settings.accept),
            thinking: (self.family.thinking)(&self.options),
            starts: std::slice::from_ref(&self.start),
            seed: self.job.recipe.seed,
            stop,
        };
        let (started, first) = (Instant::now(), state.sessions.len());
        while state.sessions.len() < settings.sessions as usize {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            school.session(&mut state)?;
            let kept = serde_json::to_vec(&Kept::of(&state)).expect("a state can be written");
            folder.write(CHECKPOINT, &kept)?;
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
            progress(&Progress { stage: Stage::Learning, done, total, note });
        }
        Ok(state)
    }

    fn finish(&self, state: &State, folder: &mut Folder) -> Result<Outcome, TrainingError> {
        let report = TdReport { recipe: &self.job.recipe, state };
        folder.write(CHART, report.error_chart().as_bytes())?;
        folder.write(TEST_CHART, report.test_chart().as_bytes())?;
        let mind = state.clone_in_use().text();
        deliver(&mind, report.summary(), &report.text(), folder)
    }
}

/// The first board of a game that learners know.
pub(crate) fn english_start(game: &str) -> Result<Draughts, TrainingError> {
    let position = Draughts::start(&Options::parse(game, Draughts::OPTIONS)?)?;
    if position.rules() != Rules::English {
        let expected = "draughts:rules=english, the only one its learners know";
        return Err(TextError::whole("game", game, expected).into());
    }
    Ok(position)
}

/// Writes what a player has learned, and what there is to say about it.
pub(crate) fn deliver(
    learned: &str,
    summary: String,
    report: &str,
    folder: &mut Folder,
) -> Result<Outcome, TrainingError> {
    let checksum = checksum(learned);
    let heading = format!("# {summary}\n# checksum {checksum}\n");
    folder.write(WEIGHTS, (heading + learned).as_bytes())?;
    folder.write(REPORT, report.as_bytes())?;
    folder.log(&json!({ "event": "done", "checksum": checksum, "summary": summary }))?;
    let (weights, report) = (folder.file(WEIGHTS), folder.file(REPORT));
    Ok(Outcome { weights, report, checksum, summary })
}
