//! TD learning by self-play with cloning: a network plays against a copy of itself and learns while
//! the copy does not; once the network has become better, the copy is renewed (Lynch 1997).

use super::{
    settings::TdSettings,
    state::{MatchScore, SessionResult, TdState},
};
use crate::{TrainingError, processor::CpuStopwatch};
use ludus_core::{
    EndReason, HasEval, History, Limits, Notation, Options, Outcome, Position, Random,
    SearchControl, Side, TextError,
};
use ludus_games::draughts::{Draughts, Rules};
use ludus_knowledge::draughts::DraughtsKnowledge;
use ludus_models::TemporalDifference;
use ludus_players::draughts::neural::{LearnedModel, LearnedSearcher, SearchConfig};
use ludus_search::Search;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// End of a game.
pub(super) struct FinishedGame {
    pub outcome: Outcome,
    pub is_loop: bool,
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
        let line = thinker.search(game, &limits, &mut control).line;
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

/// Starting position of a game the learners know: English draughts.
pub(crate) fn english_start(game: &str) -> Result<Draughts, TrainingError> {
    let position = Draughts::start(&Options::parse(game, Draughts::OPTIONS)?)?;
    if position.rules() != Rules::English {
        let expected = "draughts:rules=english, the only rules its learners support";
        return Err(TextError::whole("game", game, expected).into());
    }
    Ok(position)
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
