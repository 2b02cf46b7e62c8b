//! Self-play with cloning: a network plays against a copy of itself and learns, the copy does not;
//! when the network has become better, the copy is renewed (Lynch 1997).

use crate::{TrainingError, processor::Stopwatch, recipe::range};
use ludus_core::{
    Ending, HasEval, History, Limits, Outcome, Position, Random, Reason, Side, TextError, Watch,
};
use ludus_games::draughts::Draughts;
use ludus_models::{TemporalDifference, td::Parameters};
use ludus_players::neural::{Mind, Thinker, Thinking};
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicBool, Ordering};

/// How a network learns. Every value has a default: the published one where there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TdSettings {
    /// Sessions: training games, then a test that may renew the copy.
    pub sessions: u32,
    /// Training games of a session (the source is silent; 5,000 games in all).
    pub games: u32,
    /// Plies looked ahead while learning (the source is silent).
    pub look_ahead: u32,
    /// How far back an error is felt.
    pub lambda: f32,
    /// What a prediction one move later is worth now.
    pub gamma: f32,
    /// The share of the last change added to the next, if both have one direction.
    pub momentum: f32,
    /// Multiplies the published learning rates.
    pub rate: f32,
    /// Whether the ends of the expected lines are learned from rather than the boards on the way:
    /// TDLeaf (Baxter, Tridgell and Weaver 1998).
    pub leaf: bool,
    /// Plies played at random before a training game; none in the source.
    pub random_plies: usize,
    /// Plies after which a game is drawn.
    pub longest: usize,
    /// The part of the points in the test above which the copy is renewed.
    pub accept: f64,
}

impl Default for TdSettings {
    fn default() -> TdSettings {
        let Parameters { lambda, gamma, momentum, rate } = Parameters::default();
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

    fn parameters(&self) -> Parameters {
        let TdSettings { lambda, gamma, momentum, rate, .. } = *self;
        Parameters { lambda, gamma, momentum, rate }
    }
}

/// When the copy is renewed, by the part of the points the learner wins in the test.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Accept {
    /// More than this.
    Above(f64),
    /// This or more.
    AtLeast(f64),
}

impl Accept {
    fn holds(self, score: f64) -> bool {
        match self {
            Accept::Above(part) => score > part,
            Accept::AtLeast(part) => score >= part,
        }
    }
}

/// Games won, drawn and lost.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
    /// Of the drawn ones, those that led nowhere though a side had more material.
    pub loops: u32,
}

impl Record {
    fn add(&mut self, ended: &Ended, side: Side) {
        match ended.outcome {
            Outcome::Draw => self.drawn += 1,
            Outcome::Win(winner) if winner == side => self.won += 1,
            Outcome::Win(_) => self.lost += 1,
        }
        self.loops += u32::from(ended.is_loop);
    }

    /// How many games there were.
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// One for a game won, half of one for a draw.
    pub fn points(&self) -> f64 {
        f64::from(self.won) + 0.5 * f64::from(self.drawn)
    }

    /// The part of the points that were won.
    pub fn score(&self) -> f64 {
        self.points() / f64::from(self.games().max(1))
    }

    /// Won, drawn (loops), lost.
    pub(crate) fn in_words(&self) -> String {
        let Record { won, drawn, lost, loops } = self;
        format!("{won}, {drawn} ({loops}), {lost}")
    }
}

/// What came of a session.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// The mean squared difference between one prediction and the next.
    pub error: f64,
    /// The training games.
    pub training: Record,
    /// The test games.
    pub test: Record,
    /// Whether the copy was renewed.
    pub cloned: bool,
    /// Positions looked at in all these games, by both.
    #[serde(default)]
    pub nodes: u64,
    /// Processor time of the session, which no two runs share.
    #[serde(default)]
    pub seconds: f64,
}

/// How far a training has come.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The one that learns.
    pub learner: Mind,
    /// All copies, the last of them the one in use.
    pub clones: Vec<Mind>,
    /// All sessions so far.
    pub sessions: Vec<Session>,
}

impl State {
    /// A training that has not begun.
    pub fn begin(features: &[usize], seed: u64) -> State {
        State::from(Mind::random(features, &mut Random::new(seed).split("weights")))
    }

    /// The copy in use.
    pub fn clone_in_use(&self) -> &Mind {
        self.clones.last().expect("there is always a copy")
    }
}

/// A training that goes on from what was learned before.
impl From<Mind> for State {
    fn from(learner: Mind) -> State {
        State { clones: vec![learner.clone()], learner, sessions: Vec::new() }
    }
}

/// A state as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Kept {
    learner: String,
    clones: Vec<String>,
    sessions: Vec<Session>,
}

impl Kept {
    pub fn of(state: &State) -> Kept {
        Kept {
            learner: state.learner.text(),
            clones: state.clones.iter().map(Mind::text).collect(),
            sessions: state.sessions.clone(),
        }
    }

    pub fn state(&self) -> Option<State> {
        let clones = self.clones.iter().map(|text| Mind::parse(text).ok());
        let clones: Vec<Mind> = clones.collect::<Option<_>>()?;
        let learner = Mind::parse(&self.learner).ok()?;
        let fits =
            !clones.is_empty() && clones.iter().all(|clone| clone.features == learner.features);
        fits.then(|| State { learner, clones, sessions: self.sessions.clone() })
    }
}

/// How a game ended.
struct Ended {
    outcome: Outcome,
    is_loop: bool,
}

/// Where a network learns.
pub struct School<'a> {
    /// How it learns.
    pub settings: &'a TdSettings,
    /// When its copy is renewed.
    pub accept: Accept,
    /// How it and its copy search.
    pub thinking: Thinking,
    /// The boards games start from, in turn.
    pub starts: &'a [Draughts],
    /// Decides everything random.
    pub seed: u64,
    /// Raised to stop; the session under way is lost.
    pub stop: &'a AtomicBool,
}

/// A network that learns, on both sides.
struct Pupil {
    mind: Mind,
    rule: TemporalDifference,
    thinkers: [Thinker; 2],
    squared_error: f64,
    errors: u64,
}

impl Pupil {
    fn note(&mut self, error: Option<f32>) {
        if let Some(error) = error {
            self.squared_error += f64::from(error * error);
            self.errors += 1;
        }
    }
}

impl School<'_> {
    /// One session: training games, then the test.
    ///
    /// # Errors
    /// If the stop flag is raised.
    pub fn session(&self, state: &mut State) -> Result<(), TrainingError> {
        let watch = Stopwatch::start();
        let mut pupil = self.pupil(&state.learner);
        let mut copy = self.thinkers(state.clone_in_use());
        let random = Random::new(self.seed).split(&format!("session {}", state.sessions.len()));
        let mut training = Record::default();
        for number in 0..self.settings.games as usize {
            let start = &self.starts[number % self.starts.len()];
            let round = number / self.starts.len();
            let side = if round.is_multiple_of(2) { Side::First } else { Side::Second };
            let mut random = random.split(&format!("game {number}"));
            let Some(game) = self.opening(start, &mut random) else { continue };
            let ended = self.lesson(game, side, &mut pupil, &mut copy[(!side).index()])?;
            training.add(&ended, side);
        }
        let mut testers = [&pupil.mind, state.clone_in_use()].map(|mind| self.thinkers(mind));
        let test = self.test(&mut testers)?;
        let all = [&pupil.thinkers, &copy].into_iter().chain(&testers).flatten();
        let nodes = all.map(Thinker::nodes).sum();
        let cloned = self.accept.holds(test.score());
        let error = pupil.squared_error / pupil.errors.max(1) as f64;
        state.learner = pupil.mind;
        if cloned {
            state.clones.push(state.learner.clone());
        }
        let seconds = watch.seconds();
        state.sessions.push(Session { error, training, test, cloned, nodes, seconds });
        Ok(())
    }

    fn thinkers(&self, mind: &Mind) -> [Thinker; 2] {
        [Side::First, Side::Second].map(|side| Thinker::new(mind, side, &self.thinking, 1))
    }

    fn pupil(&self, mind: &Mind) -> Pupil {
        Pupil {
            rule: TemporalDifference::new(mind.net.inputs(), self.settings.parameters()),
            thinkers: self.thinkers(mind),
            mind: mind.clone(),
            squared_error: 0.0,
            errors: 0,
        }
    }

    /// `start` after the random plies; `None` if the game ended on the way.
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

    /// One training game: the pupil plays `side` and learns after every move of its own.
    fn lesson(
        &self,
        mut game: History<Draughts>,
        side: Side,
        pupil: &mut Pupil,
        copy: &mut Thinker,
    ) -> Result<Ended, TrainingError> {
        let own = side.index();
        pupil.rule.new_game();
        pupil.thinkers[own].judge_by(&pupil.mind.net);
        let ended = loop {
            if let Some(ended) = self.ending(&game) {
                break ended;
            }
            if game.last().turn() != side {
                let line = self.think(copy, &game)?;
                game.push(line[0]);
                continue;
            }
            let line = self.think(&mut pupil.thinkers[own], &game)?;
            let seen = if self.settings.leaf { &line[..] } else { &line[..1] };
            let mut learned_from = *game.last();
            seen.iter().for_each(|&mv| learned_from.play(mv));
            game.push(line[0]);
            if learned_from.outcome().is_none() {
                let inputs = pupil.thinkers[own].judge().inputs(&learned_from);
                let error = pupil.rule.step(&mut pupil.mind.net, inputs);
                pupil.note(error);
                pupil.thinkers[own].judge_by(&pupil.mind.net);
            }
        };
        let error = pupil.rule.finish(&mut pupil.mind.net, ended.outcome.value(side));
        pupil.note(error);
        Ok(ended)
    }

    fn think(
        &self,
        thinker: &mut Thinker,
        game: &History<Draughts>,
    ) -> Result<Vec<ludus_games::draughts::Move>, TrainingError> {
        let limits = Limits { depth: Some(self.settings.look_ahead), ..Limits::default() };
        let mut watch = Watch { stop: self.stop, on_report: &mut |_| {} };
        let line = thinker.think(game, &limits, &mut watch, None).line;
        // A search that was stopped has not said what it would have said.
        if self.stop.load(Ordering::Relaxed) { Err(TrainingError::Stopped) } else { Ok(line) }
    }

    fn ending(&self, game: &History<Draughts>) -> Option<Ended> {
        let (outcome, reason) = Draughts::ending(game).or_else(|| {
            let too_long = game.moves().len() >= self.settings.longest;
            too_long.then_some((Outcome::Draw, Reason::NoProgress))
        })?;
        let unequal = game.last().material() != Some(0);
        let endless = matches!(reason, Reason::Repetition | Reason::NoProgress);
        Some(Ended { outcome, is_loop: outcome == Outcome::Draw && endless && unequal })
    }

    /// The points of each mind in a round robin, every pair with both colours from every board.
    ///
    /// # Errors
    /// If the stop flag is raised.
    pub fn round_robin(&self, minds: &[Mind]) -> Result<Vec<f64>, TrainingError> {
        let mut points = vec![0.0; minds.len()];
        for (first, one) in minds.iter().enumerate() {
            for (second, other) in minds.iter().enumerate().skip(first + 1) {
                let record = self.match_of(one, other)?;
                points[first] += record.points();
                points[second] += f64::from(record.games()) - record.points();
            }
        }
        Ok(points)
    }

    /// Games of `one` against `other` from every board, with both colours; the first's record.
    pub(crate) fn match_of(&self, one: &Mind, other: &Mind) -> Result<Record, TrainingError> {
        self.test(&mut [one, other].map(|mind| self.thinkers(mind)))
    }

    /// Games of one player against another from every board, with both colours; the first's record.
    fn test(&self, [one, other]: &mut [[Thinker; 2]; 2]) -> Result<Record, TrainingError> {
        let mut record = Record::default();
        for start in self.starts {
            for side in [Side::First, Side::Second] {
                let mut game = History::new(*start);
                let ended = loop {
                    if let Some(ended) = self.ending(&game) {
                        break ended;
                    }
                    let turn = game.last().turn();
                    let players = if turn == side { &mut *one } else { &mut *other };
                    let line = self.think(&mut players[turn.index()], &game)?;
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
        assert_eq!(scores.map(|score| Accept::Above(0.5).holds(score)), [false, false, true]);
        assert_eq!(scores.map(|score| Accept::AtLeast(0.5).holds(score)), [false, true, true]);
        let record = Record { won: 26, drawn: 8, lost: 16, loops: 0 };
        assert!(Accept::AtLeast(0.6).holds(record.score()), "30 of 50 points are 60 %");
    }
}
