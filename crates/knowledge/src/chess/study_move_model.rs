//! The study's logistic regression: the probability that the winner of a game makes a move.
//!
//! Its file is text: a line with format and number of features, a line with the bias, and a line with weight and name
//! for every feature in order. Lines that begin with `#` are comments.

use super::study_features::{
    STUDY_FEATURES, STUDY_FEATURES_WITH_INTERACTIONS, study_board_features, study_feature_name,
    study_move_features, study_square_features,
};
use cozy_chess::{Move, Square};
use ludus_core::TextError;
use ludus_games::chess::Chess;
use std::fmt::Write as _;

const MAGIC: &str = "ludus study moves 1";
const SUBJECT: &str = "file of move weights";

/// Weights of the features of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyMoveModel {
    bias: f32,
    weights: Vec<f32>,
}

impl StudyMoveModel {
    /// The model with these weights, one a feature.
    ///
    /// # Panics
    /// If their number is neither [`STUDY_FEATURES`] nor [`STUDY_FEATURES_WITH_INTERACTIONS`].
    pub fn new(bias: f32, weights: Vec<f32>) -> StudyMoveModel {
        let known = [STUDY_FEATURES, STUDY_FEATURES_WITH_INTERACTIONS].contains(&weights.len());
        assert!(known, "a weight for every feature");
        StudyMoveModel { bias, weights }
    }

    /// Whether it has weights of interactions.
    pub fn has_interactions(&self) -> bool {
        self.weights.len() > STUDY_FEATURES
    }

    /// The weights in the order of the features.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The bias.
    pub fn bias(&self) -> f32 {
        self.bias
    }

    /// The weights of a square as start and as end of a move.
    pub fn square_weights(&self, square: Square) -> [f32; 2] {
        study_square_features(square).map(|feature| self.weights[feature])
    }

    /// The part of the logit that all moves of a position share: bias and board.
    pub fn board_logit(&self, position: &Chess) -> f64 {
        let mut features = Vec::with_capacity(64);
        study_board_features(position, &mut features);
        f64::from(self.bias) + self.sum(&features)
    }

    /// The part of the logit that is the move's own. The move with the greatest one is the likeliest.
    pub fn move_logit(&self, position: &Chess, mv: Move) -> f64 {
        let mut features = Vec::with_capacity(5);
        study_move_features(position, mv, self.has_interactions(), &mut features);
        self.sum(&features)
    }

    fn sum(&self, features: &[u16]) -> f64 {
        features.iter().map(|&feature| f64::from(self.weights[usize::from(feature)])).sum()
    }

    /// The file of the model; `about` is a comment on its origin.
    pub fn to_text(&self, about: &str) -> String {
        let mut text = format!("{MAGIC} {}\n", self.weights.len());
        for line in about.lines() {
            let _ = writeln!(text, "# {line}");
        }
        let _ = writeln!(text, "{} bias", self.bias);
        for (feature, weight) in self.weights.iter().enumerate() {
            let _ = writeln!(text, "{weight} {}", study_feature_name(feature));
        }
        text
    }

    /// Reads a file of [`to_text`](StudyMoveModel::to_text).
    ///
    /// # Errors
    /// If a line is missing, or not a finite number with the name that belongs there.
    pub fn parse(text: &str) -> Result<StudyMoveModel, TextError> {
        let head = text.lines().next().unwrap_or_default();
        let count = head.strip_prefix(MAGIC).and_then(|count| count.trim().parse().ok());
        let known = [STUDY_FEATURES, STUDY_FEATURES_WITH_INTERACTIONS];
        let Some(count) = count.filter(|count| known.contains(count)) else {
            let [plain, more] = known;
            let expected = format!("a first line {MAGIC:?} with {plain} or {more} features");
            return Err(TextError::at(SUBJECT, text, 0, expected));
        };
        let mut numbers = Vec::with_capacity(count + 1);
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let is_number = at > 0 && !line.starts_with('#') && !line.trim().is_empty();
            if is_number {
                numbers.push(weight(text, at, line.trim_end(), numbers.len(), count)?);
            }
            at += line.len();
        }
        if numbers.len() != count + 1 {
            let expected = format!("{} more weights", count + 1 - numbers.len());
            return Err(TextError::at(SUBJECT, text, text.len(), expected));
        }
        let weights = numbers.split_off(1);
        Ok(StudyMoveModel { bias: numbers[0], weights })
    }
}

/// The weights of all squares as starts of moves, and as ends, from a1 to h8.
pub fn study_square_weights(model: &StudyMoveModel) -> [[f32; 64]; 2] {
    [0, 1].map(|end| Square::ALL.map(|square| model.square_weights(square)[end]))
}

/// The number of the line at `at`, the one with this `index`.
fn weight(text: &str, at: usize, line: &str, index: usize, count: usize) -> Result<f32, TextError> {
    let name = match index {
        0 => "bias".to_owned(),
        _ if index <= count => study_feature_name(index - 1),
        _ => return Err(TextError::at(SUBJECT, text, at, "the end of the file")),
    };
    let number = line.split_once(' ').filter(|(_, found)| *found == name);
    let number = number.and_then(|(number, _)| number.parse().ok());
    number.filter(|number: &f32| number.is_finite()).ok_or_else(|| {
        TextError::at(SUBJECT, text, at, format!("a finite number and the name {name:?}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Notation, Position, Random};

    fn random_model(features: usize) -> StudyMoveModel {
        let mut random = Random::new(6);
        let mut number = || random.normal() as f32;
        StudyMoveModel::new(number(), (0..features).map(|_| number()).collect())
    }

    #[test]
    fn files_are_read_back_to_the_bit() {
        for features in [STUDY_FEATURES, STUDY_FEATURES_WITH_INTERACTIONS] {
            let model = random_model(features);
            assert_eq!(
                StudyMoveModel::parse(&model.to_text("made by a test\nin two lines")),
                Ok(model)
            );
        }
    }

    #[test]
    fn errors_name_the_line() {
        let text = random_model(STUDY_FEATURES).to_text("");
        let error = |text: &str| StudyMoveModel::parse(text).unwrap_err().to_string();
        assert!(error("weights").contains("ludus study moves 1"), "{}", error("weights"));
        let swapped = text.replacen("a1 empty", "a2 empty", 1);
        assert!(error(&swapped).contains("line 3"), "{}", error(&swapped));
        let short: String = text.lines().take(900).map(|line| format!("{line}\n")).collect();
        assert!(error(&short).contains("62 more weights"), "{}", error(&short));
        assert!(error(&format!("{text}0 more\n")).contains("the end of the file"));
        let infinite = text.replacen(" bias", "e99 bias", 1);
        assert!(error(&infinite).contains("line 2"), "{}", error(&infinite));
    }

    #[test]
    fn logits_are_sums_of_weights() {
        let model = random_model(STUDY_FEATURES_WITH_INTERACTIONS);
        let position = Chess::default();
        let mv = position.parse_move("g1f3").unwrap();
        let named = |names: &[&str]| -> f64 {
            let weight = |name: &&str| {
                let feature =
                    (0..model.weights().len()).find(|&at| study_feature_name(at) == **name);
                f64::from(model.weights()[feature.unwrap()])
            };
            names.iter().map(weight).sum()
        };
        let expected = named(&["from g1", "to f3", "N to f3", "N from g1"]);
        assert!((model.move_logit(&position, mv) - expected).abs() < 1e-9);
        let moved = position.after(mv);
        let change = named(&["N on f3", "g1 empty"]) - named(&["f3 empty", "N on g1"]);
        let difference = model.board_logit(&moved) - model.board_logit(&position);
        assert!((difference - change).abs() < 1e-9);
    }
}
