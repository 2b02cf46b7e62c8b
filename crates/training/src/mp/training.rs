//! The specialists, each learning on the boards of its cluster.

use crate::{
    Progress, Stage, TrainingError,
    cloning::{Accept, Kept, School, State, TdSettings},
    folder::Folder,
    run::damaged,
};
use ludus_core::Random;
use ludus_games::draughts::{Draughts, features::FOURTEEN};
use ludus_players::neural::{Mind, Thinking};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{self, Sender},
    },
    thread,
    time::Instant,
};

/// A specialist and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pupil {
    pub state: State,
    /// The points of its copies in their round robin, once it was played.
    pub points: Option<Vec<f64>>,
}

#[derive(Serialize, Deserialize)]
struct KeptPupil {
    training: Kept,
    points: Option<Vec<f64>>,
}

impl Pupil {
    /// How often the copy was renewed.
    pub fn renewals(&self) -> usize {
        self.state.sessions.iter().filter(|session| session.cloned).count()
    }

    /// The copy with the most points, the newest of equals.
    pub fn chosen(&self) -> usize {
        let points = self.points.as_deref().unwrap_or(&[]);
        let best = points.iter().enumerate().max_by(|one, other| one.1.total_cmp(other.1));
        best.map_or(self.state.clones.len() - 1, |(index, _)| index)
    }

    /// The winner of the round robin.
    pub fn specialist(&self) -> &Mind {
        &self.state.clones[self.chosen()]
    }

    fn bytes(&self) -> Vec<u8> {
        let kept = KeptPupil { training: Kept::of(&self.state), points: self.points.clone() };
        serde_json::to_vec(&kept).expect("a state can be written")
    }

    fn from_bytes(bytes: &[u8]) -> Option<Pupil> {
        let KeptPupil { training, points } = serde_json::from_slice(bytes).ok()?;
        let state = training.state()?;
        let fits = points.as_ref().is_none_or(|points| points.len() == state.clones.len());
        fits.then_some(Pupil { state, points })
    }
}

/// All trainings.
pub(super) struct Training<'a> {
    pub settings: &'a TdSettings,
    pub thinking: Thinking,
    /// The boards of each specialist.
    pub boards: &'a [Vec<Draughts>],
    /// What all begin with; `None` for random weights.
    pub begin: Option<&'a Mind>,
    /// Decides everything random.
    pub seed: u64,
    /// Specialists that learn at once.
    pub threads: usize,
    /// Raised to stop; the sessions under way are lost.
    pub stop: &'a AtomicBool,
}

/// A specialist after one more session or its round robin.
type Step = Result<(usize, Pupil), TrainingError>;

impl Training<'_> {
    /// Trains all specialists as far as they are not trained yet. Workers learn, this thread keeps
    /// what they have learned.
    pub fn run(
        &self,
        folder: &mut Folder,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Pupil>, TrainingError> {
        let mut pupils = self.begin(folder)?;
        let (begun, next) = (pupils.clone(), AtomicUsize::new(0));
        let (sender, steps) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..self.threads.max(1) {
                let (sender, next, begun) = (sender.clone(), &next, &begun);
                scope.spawn(move || self.work(begun, next, &sender));
            }
            drop(sender);
            let mut clock = Clock::new(&pupils);
            for step in steps {
                let (index, pupil) = step?;
                folder.write(&checkpoint(index), &pupil.bytes())?;
                log(folder, index, &pupil)?;
                pupils[index] = pupil;
                progress(&clock.progress(&pupils, index, self.settings));
            }
            Ok(pupils)
        })
    }

    fn begin(&self, folder: &Folder) -> Result<Vec<Pupil>, TrainingError> {
        let begin = |index: usize| match folder.read(&checkpoint(index))? {
            Some(bytes) => {
                Pupil::from_bytes(&bytes).ok_or_else(|| damaged(folder, &checkpoint(index)))
            }
            None => {
                let random = || {
                    State::begin(
                        &std::array::from_fn::<_, FOURTEEN, _>(|it| it),
                        self.seed_of(index),
                    )
                };
                let state = self.begin.map_or_else(random, |mind| State::from(mind.clone()));
                Ok(Pupil { state, points: None })
            }
        };
        (0..self.boards.len()).map(begin).collect()
    }

    fn seed_of(&self, index: usize) -> u64 {
        Random::new(self.seed).split(&format!("specialist {index}")).bits()
    }

    /// Takes one specialist after another until none is left, the stop flag is raised or nobody
    /// listens.
    fn work(&self, begun: &[Pupil], next: &AtomicUsize, sender: &Sender<Step>) {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(pupil) = begun.get(index) else { return };
            let mut keep = |pupil: &Pupil| sender.send(Ok((index, pupil.clone()))).is_ok();
            match self.train(index, pupil.clone(), &mut keep) {
                Ok(true) => {}
                Ok(false) => return,
                Err(error) => return drop(sender.send(Err(error))),
            }
        }
    }

    /// All sessions and the round robin of one specialist; `false` if `keep` said so.
    fn train(
        &self,
        index: usize,
        mut pupil: Pupil,
        keep: &mut dyn FnMut(&Pupil) -> bool,
    ) -> Result<bool, TrainingError> {
        let school = School {
            settings: self.settings,
            accept: Accept::AtLeast(self.settings.accept),
            thinking: self.thinking,
            starts: &self.boards[index],
            seed: self.seed_of(index),
            stop: self.stop,
        };
        while pupil.state.sessions.len() < self.settings.sessions as usize {
            school.session(&mut pupil.state)?;
            if !keep(&pupil) {
                return Ok(false);
            }
        }
        if pupil.points.is_none() {
            // Without a single new copy there would be nobody to choose but one that knows nothing.
            if pupil.state.clones.len() == 1 {
                pupil.state.clones.push(pupil.state.learner.clone());
            }
            pupil.points = Some(school.round_robin(&pupil.state.clones)?);
            return Ok(keep(&pupil));
        }
        Ok(true)
    }
}

fn checkpoint(index: usize) -> String {
    format!("specialist-{:02}.json", index + 1)
}

fn log(folder: &mut Folder, index: usize, pupil: &Pupil) -> Result<(), TrainingError> {
    let specialist = index + 1;
    folder.log(&match &pupil.points {
        None => json!({
            "event": "session", "specialist": specialist, "session": pupil.state.sessions.last(),
        }),
        Some(points) => json!({
            "event": "round robin", "specialist": specialist, "points": points,
            "chosen": pupil.chosen(),
        }),
    })
}

/// What is measured for the progress.
struct Clock {
    started: Instant,
    sessions_before: usize,
}

fn sessions(pupils: &[Pupil]) -> usize {
    pupils.iter().map(|pupil| pupil.state.sessions.len()).sum()
}

impl Clock {
    fn new(pupils: &[Pupil]) -> Clock {
        Clock { started: Instant::now(), sessions_before: sessions(pupils) }
    }

    fn progress(&mut self, pupils: &[Pupil], index: usize, settings: &TdSettings) -> Progress {
        let (done, pupil) = (sessions(pupils), &pupils[index]);
        let games = (done - self.sessions_before) as f64 * f64::from(settings.games);
        let session = pupil.state.sessions.last();
        let note = format!(
            "specialist {}: error {:.4}, test {:.0} %, {} copies; {:.0} games/s",
            index + 1,
            session.map_or(0.0, |session| session.error),
            100.0 * session.map_or(0.0, |session| session.test.score()),
            pupil.renewals(),
            games / self.started.elapsed().as_secs_f64().max(1e-9),
        );
        let total = (pupils.len() * settings.sessions as usize) as u64;
        Progress { stage: Stage::Learning, done: done as u64, total, note }
    }
}
