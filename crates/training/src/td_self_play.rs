//! TD learning by self-play with cloning: a network plays against a copy of itself and learns while
//! the copy does not; once the network has become better, the copy is renewed (Lynch 1997).

use crate::{TrainingError, processor::CpuStopwatch, recipe::range};
use ludus_core::{
    EndReason, Ending, HasEval, History, Limits, Outcome, Position, Random, SearchControl, Side,
    TextError,
};
use ludus_games::draughts::{Draughts, DraughtsKnowledge};
use ludus_models::{TemporalDifference, td::TdParameters};
use ludus_players::draughts::neural::{LearnedModel, LearnedSearcher, SearchConfig};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// TD learning settings. Every value has a default: the published one where there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TdSettings {
    /// Number of sessions: training games, then a test that may renew the copy.
    pub sessions: u32,
    /// Training games of a session (the source does not say; 5,000 games in all).
    pub games: u32,
    /// Search depth in plies while learning (the source does not say).
    pub look_ahead: u32,
    /// Trace decay of TD(λ).
    pub lambda: f32,
    /// Discount factor per move.
    pub gamma: f32,
    /// Share of the last change added to the next, if both have the same direction.
    pub momentum: f32,
    /// Factor on the published learning rates.
    pub rate: f32,
    /// TDLeaf: learns from the leaves of the principal variations instead of the positions played
    /// (Baxter, Tridgell and Weaver 1998).
    pub leaf: bool,
    /// Random plies before a training game; none in the source.
    pub random_plies: usize,
    /// Plies after which a game is drawn.
    pub longest: usize,
    /// Test score above which the copy is renewed.
    pub accept: f64,
}

impl Default for TdSettings {
    fn default() -> TdSettings {
        let TdParameters { lambda, gamma, momentum, rate } = TdParameters::default();
        TdSettings {
            sessions: 50,
            games: 100,
            look_ahead: 4,
            lambda,
            gamma,
            momentum,
            rate,
            leaf: false,
            random_plies: 0,
            longest: 200,
            accept: 0.5,
        }
    }
}

impl TdSettings {
    pub(crate) fn check(&self) -> Result<(), TextError> {
        range("td.sessions", self.sessions.into(), 1.0, 1e6)?;
        range("td.games", self.games.into(), 1.0, 1e7)?;
        range("td.look_ahead", self.look_ahead.into(), 1.0, 20.0)?;
        range("td.lambda", self.lambda.into(), 0.0, 1.0)?;
        range("td.gamma", self.gamma.into(), 0.0, 1.0)?;
        range("td.momentum", self.momentum.into(), 0.0, 1.0)?;
        range("td.rate", self.rate.into(), 0.0, 100.0)?;
        range("td.random_plies", self.random_plies as f64, 0.0, 100.0)?;
        range("td.longest", self.longest as f64, 2.0, 10_000.0)?;
        range("td.accept", self.accept, 0.0, 1.0)
    }

    fn parameters(&self) -> TdParameters {
        let TdSettings { lambda, gamma, momentum, rate, .. } = *self;
        TdParameters { lambda, gamma, momentum, rate }
    }
}

/// Test score of the learner from which the copy is renewed.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum CloneThreshold {
    /// Above this score.
    Above(f64),
    /// From this score on.
    AtLeast(f64),
}

impl CloneThreshold {
    fn is_reached(self, score: f64) -> bool {
        match self {
            CloneThreshold::Above(part) => score > part,
            CloneThreshold::AtLeast(part) => score >= part,
        }
    }
}

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
    fn add(&mut self, ended: &FinishedGame, side: Side) {
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

/// End of a game.
struct FinishedGame {
    outcome: Outcome,
    is_loop: bool,
}

/// Trains a network by self-play.
pub struct SelfPlayTrainer<'a> {
    /// Learning settings.
    pub settings: &'a TdSettings,
    /// Threshold for renewing the copy.
    pub accept: CloneThreshold,
    /// Search of both the learner and its copy.
    pub search_config: SearchConfig,
    /// Starting positions of the games, in turn.
    pub starts: &'a [Draughts],
    /// Seed of everything random.
    pub seed: u64,
    /// Stop flag; the session in progress is lost.
    pub stop: &'a AtomicBool,
}

/// The network that learns, with a searcher for each side.
struct Learner {
    model: LearnedModel,
    rule: TemporalDifference,
    searchers: [LearnedSearcher; 2],
    squared_error: f64,
    errors: u64,
}

impl Learner {
    fn add_error(&mut self, error: Option<f32>) {
        if let Some(error) = error {
            self.squared_error += f64::from(error * error);
            self.errors += 1;
        }
    }
}

impl SelfPlayTrainer<'_> {
    /// Runs one session: training games, then the test.
    ///
    /// # Errors
    /// If the stop flag is raised.
    pub fn session(&self, state: &mut TdState) -> Result<(), TrainingError> {
        let watch = CpuStopwatch::start();
        let mut learner = self.learner(&state.learner);
        let mut copy = self.searchers(state.current_clone());
        let random = Random::new(self.seed).split(&format!("session {}", state.sessions.len()));
        let mut training = MatchScore::default();
        for number in 0..self.settings.games as usize {
            let start = &self.starts[number % self.starts.len()];
            let round = number / self.starts.len();
            let side = if round.is_multiple_of(2) { Side::First } else { Side::Second };
            let mut random = random.split(&format!("game {number}"));
            let Some(game) = self.opening(start, &mut random) else { continue };
            let ended = self.training_game(game, side, &mut learner, &mut copy[(!side).index()])?;
            training.add(&ended, side);
        }
        let mut test_searchers =
            [&learner.model, state.current_clone()].map(|model| self.searchers(model));
        let test = self.test(&mut test_searchers)?;
        let all = [&learner.searchers, &copy].into_iter().chain(&test_searchers).flatten();
        let nodes = all.map(LearnedSearcher::nodes).sum();
        let cloned = self.accept.is_reached(test.score());
        let error = learner.squared_error / learner.errors.max(1) as f64;
        state.learner = learner.model;
        if cloned {
            state.clones.push(state.learner.clone());
        }
        let seconds = watch.seconds();
        state.sessions.push(SessionResult { error, training, test, cloned, nodes, seconds });
        Ok(())
    }

    fn searchers(&self, model: &LearnedModel) -> [LearnedSearcher; 2] {
        [Side::First, Side::Second]
            .map(|side| LearnedSearcher::new(model, side, &self.search_config, 1))
    }

    fn learner(&self, model: &LearnedModel) -> Learner {
        Learner {
            rule: TemporalDifference::new(model.net.inputs(), self.settings.parameters()),
            searchers: self.searchers(model),
            model: model.clone(),
            squared_error: 0.0,
            errors: 0,
        }
    }

    /// Plays random plies from `start`; `None` if the game ended on the way.
    pub(crate) fn opening(
        &self,
        start: &Draughts,
        random: &mut Random,
    ) -> Option<History<Draughts>> {
        let mut game = History::new(*start);
        let mut moves = Vec::new();
        for _ in 0..self.settings.random_plies {
            moves.clear();
            game.last().legal_moves(&mut moves);
            game.push(random.pick(&moves)?);
        }
        Draughts::ending(&game).is_none().then_some(game)
    }

    /// Plays one training game: the learner plays `side` and learns after each of its own moves.
    fn training_game(
        &self,
        mut game: History<Draughts>,
        side: Side,
        learner: &mut Learner,
        copy: &mut LearnedSearcher,
    ) -> Result<FinishedGame, TrainingError> {
        let own = side.index();
        learner.rule.new_game();
        learner.searchers[own].set_net(&learner.model.net);
        let ended = loop {
            if let Some(ended) = self.ending(&game) {
                break ended;
            }
            if game.last().turn() != side {
                let line = self.search(copy, &game)?;
                game.push(line[0]);
                continue;
            }
            let line = self.search(&mut learner.searchers[own], &game)?;
            let seen = if self.settings.leaf { &line[..] } else { &line[..1] };
            let mut learned_from = *game.last();
            seen.iter().for_each(|&mv| learned_from.play(mv));
            game.push(line[0]);
            if learned_from.outcome().is_none() {
                let inputs = learner.searchers[own].eval().inputs(&learned_from);
                let error = learner.rule.step(&mut learner.model.net, inputs);
                learner.add_error(error);
                learner.searchers[own].set_net(&learner.model.net);
            }
        };
        let error = learner.rule.finish(&mut learner.model.net, ended.outcome.value(side));
        learner.add_error(error);
        Ok(ended)
    }

    fn search(
        &self,
        thinker: &mut LearnedSearcher,
        game: &History<Draughts>,
    ) -> Result<Vec<ludus_games::draughts::DraughtsMove>, TrainingError> {
        let limits = Limits { depth: Some(self.settings.look_ahead), ..Limits::default() };
        let mut control = SearchControl { stop: self.stop, on_report: &mut |_| {} };
        let line = thinker.search(game, &limits, &mut control, None).line;
        // The result of a stopped search is not the one it would have come to.
        if self.stop.load(Ordering::Relaxed) { Err(TrainingError::Stopped) } else { Ok(line) }
    }

    fn ending(&self, game: &History<Draughts>) -> Option<FinishedGame> {
        let (outcome, reason) = Draughts::ending(game).or_else(|| {
            let too_long = game.moves().len() >= self.settings.longest;
            too_long.then_some((Outcome::Draw, EndReason::NoProgress))
        })?;
        let unequal = DraughtsKnowledge::material(game.last()) != Some(0);
        let endless = matches!(reason, EndReason::Repetition | EndReason::NoProgress);
        Some(FinishedGame { outcome, is_loop: outcome == Outcome::Draw && endless && unequal })
    }

    /// Plays a round robin, every pair with both colours from every starting position; returns the
    /// points of each network.
    ///
    /// # Errors
    /// If the stop flag is raised.
    pub fn round_robin(&self, models: &[LearnedModel]) -> Result<Vec<f64>, TrainingError> {
        let mut points = vec![0.0; models.len()];
        for (first, one) in models.iter().enumerate() {
            for (second, other) in models.iter().enumerate().skip(first + 1) {
                let record = self.play_match(one, other)?;
                points[first] += record.points();
                points[second] += f64::from(record.games()) - record.points();
            }
        }
        Ok(points)
    }

    /// Plays `one` against `other` from every starting position with both colours; returns the
    /// score of `one`.
    pub(crate) fn play_match(
        &self,
        one: &LearnedModel,
        other: &LearnedModel,
    ) -> Result<MatchScore, TrainingError> {
        self.test(&mut [one, other].map(|model| self.searchers(model)))
    }

    /// Plays `one` against `other` from every starting position with both colours; returns the
    /// score of `one`.
    fn test(
        &self,
        [one, other]: &mut [[LearnedSearcher; 2]; 2],
    ) -> Result<MatchScore, TrainingError> {
        let mut record = MatchScore::default();
        for start in self.starts {
            for side in [Side::First, Side::Second] {
                let mut game = History::new(*start);
                let ended = loop {
                    if let Some(ended) = self.ending(&game) {
                        break ended;
                    }
                    let turn = game.last().turn();
                    let players = if turn == side { &mut *one } else { &mut *other };
                    let line = self.search(&mut players[turn.index()], &game)?;
                    game.push(line[0]);
                };
                record.add(&ended, side);
            }
        }
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_renewed_above_or_at_a_score() {
        let scores = [0.49, 0.5, 0.51];
        assert_eq!(
            scores.map(|score| CloneThreshold::Above(0.5).is_reached(score)),
            [false, false, true]
        );
        assert_eq!(
            scores.map(|score| CloneThreshold::AtLeast(0.5).is_reached(score)),
            [false, true, true]
        );
        let record = MatchScore { won: 26, drawn: 8, lost: 16, loops: 0 };
        assert!(
            CloneThreshold::AtLeast(0.6).is_reached(record.score()),
            "30 of 50 points are 60 %"
        );
    }
}
