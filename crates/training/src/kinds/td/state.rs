//! State of a training by self-play, its results and its checkpoint.

use super::self_play::FinishedGame;
use ludus_core::{Outcome, Random, Side};
use ludus_players::draughts::neural::LearnedModel;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Games won, drawn and lost.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchScore {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Drawn games that ended by repetition or without progress although a side had more material.
    pub loops: u32,
}

impl MatchScore {
    pub(super) fn add(&mut self, ended: &FinishedGame, side: Side) {
        match ended.outcome {
            Outcome::Draw => self.drawn += 1,
            Outcome::Win(winner) if winner == side => self.won += 1,
            Outcome::Win(_) => self.lost += 1,
        }
        self.loops += u32::from(ended.is_loop);
    }

    /// Number of games.
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Points: one for a win, half for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.won) + 0.5 * f64::from(self.drawn)
    }

    /// Share of the points won.
    pub fn score(&self) -> f64 {
        self.points() / f64::from(self.games().max(1))
    }

    /// Text of the form `won, drawn (loops), lost`.
    pub(crate) fn text(&self) -> String {
        let MatchScore { won, drawn, lost, loops } = self;
        format!("{won}, {drawn} ({loops}), {lost}")
    }
}

impl AddAssign for MatchScore {
    fn add_assign(&mut self, more: MatchScore) {
        self.won += more.won;
        self.drawn += more.drawn;
        self.lost += more.lost;
        self.loops += more.loops;
    }
}

/// Result of a session.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SessionResult {
    /// Mean squared TD error.
    pub error: f64,
    /// Score of the training games.
    pub training: MatchScore,
    /// Score of the test games.
    pub test: MatchScore,
    /// Whether the copy was renewed.
    pub cloned: bool,
    /// Nodes searched in all these games, by both sides.
    #[serde(default)]
    pub nodes: u64,
    /// Processor time of the session; differs from run to run.
    #[serde(default)]
    pub seconds: f64,
}

/// State of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct TdState {
    /// The network that learns.
    pub learner: LearnedModel,
    /// All copies; the last one is in use.
    pub clones: Vec<LearnedModel>,
    /// Results of all sessions so far.
    pub sessions: Vec<SessionResult>,
}

impl TdState {
    /// Starts with random weights.
    pub fn begin(features: &[usize], seed: u64) -> TdState {
        TdState::from(LearnedModel::random(features, &mut Random::new(seed).split("weights")))
    }

    /// The copy in use.
    pub fn current_clone(&self) -> &LearnedModel {
        self.clones.last().expect("there is always a copy")
    }
}

/// Starts from weights learned before.
impl From<LearnedModel> for TdState {
    fn from(learner: LearnedModel) -> TdState {
        TdState { clones: vec![learner.clone()], learner, sessions: Vec::new() }
    }
}

/// Checkpoint of a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TdCheckpoint {
    learner: String,
    clones: Vec<String>,
    sessions: Vec<SessionResult>,
}

impl TdCheckpoint {
    pub fn of(state: &TdState) -> TdCheckpoint {
        TdCheckpoint {
            learner: state.learner.text(),
            clones: state.clones.iter().map(LearnedModel::text).collect(),
            sessions: state.sessions.clone(),
        }
    }

    pub fn state(&self) -> Option<TdState> {
        let clones = self.clones.iter().map(|text| LearnedModel::parse(text).ok());
        let clones: Vec<LearnedModel> = clones.collect::<Option<_>>()?;
        let learner = LearnedModel::parse(&self.learner).ok()?;
        let fits =
            !clones.is_empty() && clones.iter().all(|clone| clone.features == learner.features);
        fits.then(|| TdState { learner, clones, sessions: self.sessions.clone() })
    }
}
