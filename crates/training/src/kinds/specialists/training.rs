//! Training of the specialists, each on the positions of its cluster.

use crate::{
    Run, TrainingError, TrainingStage,
    folder::RunFolder,
    kinds::td::{CloneThreshold, SelfPlayTrainer, TdCheckpoint, TdSettings, TdState},
};
use ludus_core::Random;
use ludus_games::draughts::Draughts;
use ludus_knowledge::draughts::features::IIGA_FEATURES;
use ludus_players::draughts::neural::{LearnedModel, SearchConfig};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::{
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{self, Sender},
    },
    thread,
    time::Instant,
};

/// A specialist with the history of its training.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Specialist {
    pub state: TdState,
    /// Points of its copies in their round robin, once it was played.
    pub points: Option<Vec<f64>>,
}

#[derive(Serialize, Deserialize)]
struct SpecialistCheckpoint {
    training: TdCheckpoint,
    points: Option<Vec<f64>>,
}

impl Specialist {
    /// Number of times the copy was renewed.
    pub fn renewals(&self) -> usize {
        self.state.sessions.iter().filter(|session| session.cloned).count()
    }

    /// Index of the copy with the most points, the newest of equals.
    pub fn chosen(&self) -> usize {
        let points = self.points.as_deref().unwrap_or(&[]);
        let best = points.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1));
        best.map_or(self.state.clones.len() - 1, |(index, _)| index)
    }

    /// Winner of the round robin.
    pub fn model(&self) -> &LearnedModel {
        &self.state.clones[self.chosen()]
    }

    fn checkpoint(&self) -> SpecialistCheckpoint {
        SpecialistCheckpoint {
            training: TdCheckpoint::of(&self.state),
            points: self.points.clone(),
        }
    }

    fn from_checkpoint(checkpoint: SpecialistCheckpoint) -> Option<Specialist> {
        let SpecialistCheckpoint { training, points } = checkpoint;
        let state = training.state()?;
        let fits = points.as_ref().is_none_or(|points| points.len() == state.clones.len());
        fits.then_some(Specialist { state, points })
    }
}

/// Training of all specialists.
pub(super) struct SpecialistTraining<'a> {
    pub settings: &'a TdSettings,
    pub search_config: SearchConfig,
    /// Starting positions of each specialist.
    pub boards: &'a [Vec<Draughts>],
    /// Weights all start from; `None` for random ones.
    pub begin: Option<&'a LearnedModel>,
    /// Seed of everything random.
    pub seed: u64,
    /// Specialists trained at once.
    pub threads: usize,
    /// Stop flag; the sessions in progress are lost.
    pub stop: &'a AtomicBool,
}

/// A specialist after one more session or its round robin.
type SpecialistUpdate = Result<(usize, Specialist), TrainingError>;

impl SpecialistTraining<'_> {
    /// Trains all specialists, or the rest of them. Workers train, this thread writes the
    /// checkpoints.
    pub fn train_all(&self, run: &mut Run<'_>) -> Result<Vec<Specialist>, TrainingError> {
        let mut specialists = self.begin(&run.folder)?;
        let (begun, next) = (specialists.clone(), AtomicUsize::new(0));
        let (sender, steps) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let (sender, next, begun) = (sender.clone(), &next, &begun);
                scope.spawn(move || self.work(begun, next, &sender));
            }
            drop(sender);
            let pace = TrainingPace::new(&specialists);
            for step in steps {
                let (index, specialist) = step?;
                run.log(&entry(index, &specialist))?;
                run.folder.write_json(&checkpoint(index), &specialist.checkpoint())?;
                specialists[index] = specialist;
                let (done, total) = (sessions(&specialists), self.sessions());
                let note = pace.note(&specialists, index, self.settings);
                run.progress(TrainingStage::LEARNING, done as u64, total as u64, note);
            }
            Ok(specialists)
        })
    }

    fn begin(&self, folder: &RunFolder) -> Result<Vec<Specialist>, TrainingError> {
        let begin = |index: usize| match folder
            .json_checkpoint(&checkpoint(index), Specialist::from_checkpoint)?
        {
            Some(specialist) => Ok(specialist),
            None => {
                let random = || {
                    TdState::begin(
                        &std::array::from_fn::<_, IIGA_FEATURES, _>(|it| it),
                        self.seed_of(index),
                    )
                };
                let state = self.begin.map_or_else(random, |model| TdState::from(model.clone()));
                Ok(Specialist { state, points: None })
            }
        };
        (0..self.boards.len()).map(begin).collect()
    }

    /// Sessions of all specialists.
    fn sessions(&self) -> usize {
        self.boards.len() * self.settings.sessions as usize
    }

    fn seed_of(&self, index: usize) -> u64 {
        Random::new(self.seed).split(&format!("specialist {index}")).bits()
    }

    /// Trains one specialist after another until none is left, the stop flag is raised or the
    /// receiver is gone.
    fn work(&self, begun: &[Specialist], next: &AtomicUsize, sender: &Sender<SpecialistUpdate>) {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(specialist) = begun.get(index) else { return };
            let mut keep =
                |specialist: &Specialist| sender.send(Ok((index, specialist.clone()))).is_ok();
            match self.train(index, specialist.clone(), &mut keep) {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => return drop(sender.send(Err(error))),
            }
        }
    }

    /// Runs all sessions and the round robin of one specialist; `false` if `keep` said so.
    fn train(
        &self,
        index: usize,
        mut specialist: Specialist,
        keep: &mut dyn FnMut(&Specialist) -> bool,
    ) -> Result<bool, TrainingError> {
        let trainer = SelfPlayTrainer {
            settings: self.settings,
            accept: CloneThreshold::AtLeast(self.settings.accept),
            search_config: self.search_config,
            starts: &self.boards[index],
            seed: self.seed_of(index),
            stop: self.stop,
        };
        while specialist.state.sessions.len() < self.settings.sessions as usize {
            trainer.session(&mut specialist.state)?;
            if !keep(&specialist) {
                return Ok(false);
            }
        }
        if specialist.points.is_none() {
            // Without a single new copy only the untrained one could be chosen.
            if specialist.state.clones.len() == 1 {
                specialist.state.clones.push(specialist.state.learner.clone());
            }
            specialist.points = Some(trainer.round_robin(&specialist.state.clones)?);
            return Ok(keep(&specialist));
        }
        Ok(true)
    }
}

fn checkpoint(index: usize) -> String {
    format!("specialist-{:02}.json", index + 1)
}

/// Entry of the log for the latest step of a specialist.
fn entry(index: usize, specialist: &Specialist) -> Value {
    let number = index + 1;
    let sessions = &specialist.state.sessions;
    match &specialist.points {
        None => json!({
            "event": "session", "specialist": number, "number": sessions.len(),
            "session": sessions.last(),
        }),
        Some(points) => json!({
            "event": "round robin", "specialist": number, "points": points,
            "chosen": specialist.chosen(),
        }),
    }
}

fn sessions(specialists: &[Specialist]) -> usize {
    specialists.iter().map(|specialist| specialist.state.sessions.len()).sum()
}

/// Start values for the speed shown with the progress.
struct TrainingPace {
    started: Instant,
    sessions_before: usize,
}

impl TrainingPace {
    fn new(specialists: &[Specialist]) -> TrainingPace {
        TrainingPace { started: Instant::now(), sessions_before: sessions(specialists) }
    }

    /// Note on the specialist that made the latest step.
    fn note(&self, specialists: &[Specialist], index: usize, settings: &TdSettings) -> String {
        let specialist = &specialists[index];
        let new_sessions = sessions(specialists) - self.sessions_before;
        let games = new_sessions as f64 * f64::from(settings.games);
        let session = specialist.state.sessions.last();
        format!(
            "specialist {}: error {:.4}, test {:.0} %, {} copies; {:.0} games/s",
            index + 1,
            session.map_or(0.0, |session| session.error),
            100.0 * session.map_or(0.0, |session| session.test.score()),
            specialist.renewals(),
            games / self.started.elapsed().as_secs_f64().max(1e-9),
        )
    }
}
