//! Values of positions for the study's searches: its evaluation, or its convolutional network.

use super::study_models::CnnModel;
use ludus_core::{Outcome, Position, Score, Side, TableReport};
use ludus_games::chess::Chess;
use ludus_knowledge::chess::{STUDY_MATE, StudyEval, study_ending, study_planes};
use ludus_models::conv_net::ConvNetEvaluator;
use ludus_search::plain::Values;
use std::collections::HashMap;

/// Centipawns of a network's logit of 1, as in its training.
const LOGIT_CENTIPAWNS: f64 = 400.0;
/// Distance of the most extreme outputs shown from 0 and 1.
const MIN_CHANCE: f64 = 1e-9;
/// The network's value of an even position.
pub const CNN_DRAW: f64 = 0.5;

/// The study's evaluation, in hundredths.
#[derive(Clone)]
pub struct EvalValues(pub StudyEval);

impl Values<Chess> for EvalValues {
    fn ending(&self, position: &Chess) -> Option<f64> {
        study_ending(position).map(|outcome| f64::from(StudyEval::ending_value(outcome)))
    }

    fn evaluate(&mut self, positions: &[Chess], out: &mut Vec<f64>) {
        out.extend(positions.iter().map(|position| f64::from(self.0.board_value(position))));
    }

    fn score(&self, value: f64) -> Score {
        let mate = f64::from(StudyEval::ending_value(Outcome::Win(Side::First)));
        if value.abs() >= mate {
            Score(Score::WIN.0 * value.signum() as i32)
        } else {
            Score::evaluation(value as i32)
        }
    }
}

/// The network's output from 0 to 1; mates are worth as much as with the evaluation, draws 0.5.
pub struct CnnValues {
    evaluator: ConvNetEvaluator,
    turn: bool,
    /// Values of the search under way.
    cache: HashMap<u64, f32>,
    lookups: TableReport,
    planes: Vec<u64>,
    fresh: Vec<u64>,
    outputs: Vec<f32>,
}

impl CnnValues {
    /// Values by `model`.
    pub fn new(model: &CnnModel) -> CnnValues {
        CnnValues {
            evaluator: ConvNetEvaluator::new(&model.net),
            turn: model.turn,
            cache: HashMap::new(),
            lookups: TableReport::default(),
            planes: Vec::new(),
            fresh: Vec::new(),
            outputs: Vec::new(),
        }
    }

    /// The value of an ending, for White.
    pub fn ending_value(outcome: Outcome) -> f64 {
        match outcome {
            Outcome::Draw => CNN_DRAW,
            Outcome::Win(side) => f64::from(STUDY_MATE * side.sign()),
        }
    }

    /// An output of the network as a score for White: the pawns that its training takes for it.
    pub fn score_of(value: f64) -> Score {
        if value.abs() >= f64::from(STUDY_MATE) {
            return Score(Score::WIN.0 * value.signum() as i32);
        }
        let chance = value.clamp(MIN_CHANCE, 1.0 - MIN_CHANCE);
        let logit = (chance / (1.0 - chance)).ln();
        Score::evaluation((LOGIT_CENTIPAWNS * logit).round() as i32)
    }

    /// Evaluates, as one batch, the positions the cache does not have.
    fn fill(&mut self, positions: &[Chess]) {
        self.planes.clear();
        self.fresh.clear();
        for position in positions {
            let key = position.key();
            self.lookups.probes += 1;
            if self.cache.contains_key(&key) || self.fresh.contains(&key) {
                self.lookups.hits += 1;
            } else {
                self.fresh.push(key);
                study_planes(position, self.turn, &mut self.planes);
            }
        }
        self.outputs.clear();
        self.evaluator.values(&self.planes, &mut self.outputs);
        self.lookups.stores += self.fresh.len() as u64;
        self.cache.extend(self.fresh.iter().copied().zip(self.outputs.iter().copied()));
    }
}

impl Values<Chess> for CnnValues {
    fn ending(&self, position: &Chess) -> Option<f64> {
        study_ending(position).map(CnnValues::ending_value)
    }

    fn evaluate(&mut self, positions: &[Chess], out: &mut Vec<f64>) {
        self.fill(positions);
        out.extend(positions.iter().map(|position| f64::from(self.cache[&position.key()])));
    }

    fn score(&self, value: f64) -> Score {
        CnnValues::score_of(value)
    }

    fn cache(&self) -> Option<TableReport> {
        let used = self.cache.len() as u64;
        Some(TableReport { capacity: used, used, ..self.lookups })
    }

    fn clear(&mut self) {
        self.cache.clear();
        self.lookups = TableReport::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::study_models::tests::random_cnn;

    fn children(position: &Chess) -> Vec<Chess> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves.into_iter().map(|mv| position.after(mv)).collect()
    }

    #[test]
    fn a_batch_is_worth_what_its_positions_are_alone() {
        let model = random_cnn(false);
        let positions = children(&Chess::default());
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        let mut values = CnnValues::new(&model);
        values.evaluate(&positions, &mut together);
        values.evaluate(&positions, &mut together);
        for position in &positions {
            CnnValues::new(&model).evaluate(std::slice::from_ref(position), &mut alone);
        }
        assert_eq!(together[..20], alone);
        assert_eq!(together[20..], alone);
        let lookups = values.cache().unwrap();
        assert_eq!((lookups.probes, lookups.hits, lookups.stores), (40, 20, 20));
        values.clear();
        assert_eq!(values.cache().unwrap().used, 0);
    }

    #[test]
    fn scores_are_those_the_training_maps_to_the_value() {
        for centipawns in [-900, -100, 0, 35, 400] {
            let value = 1.0 / (1.0 + (-f64::from(centipawns) / LOGIT_CENTIPAWNS).exp());
            assert_eq!(CnnValues::score_of(value), Score(centipawns));
        }
        assert_eq!(CnnValues::score_of(1000.0), Score::WIN);
        assert_eq!(CnnValues::score_of(-1000.0), Score(-Score::WIN.0));
        assert_eq!(CnnValues::ending_value(Outcome::Draw), 0.5);
        assert!(CnnValues::score_of(1.0).0 <= Score::EVAL_MAX.0);
    }
}
