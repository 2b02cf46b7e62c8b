//! Learned weights of the playout policy of Go: the probability of each rule and the weights of 3x3
//! shapes, as text and as a policy.
//!
//! ```text
//! rule: nakade = 95
//! shape: .X./O*./### = 12.5 0.3 4 1.2 0.9
//! ```
//!
//! A rule has its probability in percent. A shape has its weights beside the last move, diagonally from
//! it, beside and diagonally from the move before, where 1 is the weight of all moves elsewhere, and the
//! probability to accept it as a random move. Unlisted rules and shapes keep their untrained weights.

use crate::settings::{self, text};
use ludus_core::{OptionSpec, Options, TextError};
use ludus_knowledge::go::policy::{
    PlayoutPolicy,
    playout_weights::{
        ANSWER_PLACES, MAX_ANSWER_WEIGHT, PlayoutWeights, ShapeWeights, shape_name, shape_named,
    },
};
use std::sync::{Arc, LazyLock};

/// The option for the weights of the playout policy.
pub const PLAYOUT_WEIGHTS: OptionSpec =
    text("habits", "on", "learned playout weights: on (built in), off, or a file from ludus train");

const WHAT: &str = "playout weights";

/// The rules whose probabilities are learned, by the names of [`PlayoutPolicy::set`].
pub const RULES: [&str; 6] =
    ["ko", "nakade", "capture", "defence", "low-liberty", "global-capture"];

/// The weights of a playout policy.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyWeights {
    /// The probability of each rule, in percent.
    pub rules: [u8; RULES.len()],
    /// The weights of each shape.
    pub shapes: Vec<ShapeWeights>,
}

impl PolicyWeights {
    /// The rules and patterns of [`PlayoutPolicy::strong`], before training.
    pub fn untrained() -> PolicyWeights {
        PolicyWeights { rules: [40, 80, 90, 90, 85, 90], shapes: PlayoutWeights::hand_drawn() }
    }

    /// The policy with these weights.
    pub fn policy(&self) -> PlayoutPolicy {
        let weights = Some(Arc::new(PlayoutWeights::new(&self.shapes)));
        let mut policy = PlayoutPolicy { weights, patterns: 100, ..PlayoutPolicy::strong() };
        for (rule, chance) in RULES.iter().zip(self.rules) {
            policy.set(rule, chance).expect("a rule of this name");
        }
        policy
    }

    /// A line for each rule, and for each shape whose weights changed in training.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (rule, chance) in RULES.iter().zip(self.rules) {
            text += &format!("rule: {rule} = {chance}\n");
        }
        for (number, (habit, before)) in
            self.shapes.iter().zip(PlayoutWeights::hand_drawn()).enumerate()
        {
            if *habit != before {
                let weights = habit.answers.map(|weight| weight.to_string()).join(" ");
                let (name, chance) = (shape_name(number), habit.anywhere);
                text += &format!("shape: {name} = {weights} {chance}\n");
            }
        }
        text
    }

    /// Reads what [`text`](PolicyWeights::text) wrote; lines that begin with `#` are comments.
    ///
    /// # Errors
    /// If the text is something else, with the line.
    pub fn parse(text: &str) -> Result<PolicyWeights, TextError> {
        let mut habits = PolicyWeights::untrained();
        let mut lines = 0;
        for (index, line) in text.lines().enumerate() {
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            lines += 1;
            habits.read_line(line).map_err(|expected| TextError {
                line: index + 1,
                column: 1,
                ..TextError::whole(WHAT, line, expected)
            })?;
        }
        match lines {
            0 => Err(TextError::at(WHAT, text, text.len(), "a line such as rule: nakade = 95")),
            _ => Ok(habits),
        }
    }

    /// Reads a line; the error says what was expected.
    fn read_line(&mut self, line: &str) -> Result<(), String> {
        let parts = line.split_once(": ").and_then(|(kind, rest)| {
            let (name, values) = rest.split_once(" = ")?;
            Some((kind, name, values))
        });
        match parts {
            Some(("rule", name, chance)) => {
                let rule = RULES.iter().position(|rule| *rule == name);
                let rule = rule.ok_or_else(|| format!("one of the rules {}", RULES.join(", ")))?;
                let chance = chance.parse().ok().filter(|chance| *chance <= 100);
                self.rules[rule] = chance.ok_or("a probability from 0 to 100")?;
            }
            Some(("shape", name, values)) => {
                let shape = shape_named(name).ok_or("a picture such as .X./O*./###")?;
                self.shapes[shape] = read_habit(values).ok_or_else(|| {
                    format!(
                        "four weights from 0 to {MAX_ANSWER_WEIGHT} and a probability from 0 to 1"
                    )
                })?;
            }
            _ => return Err("a line such as rule: nakade = 95".to_owned()),
        }
        Ok(())
    }

    /// The built-in weights.
    ///
    /// # Errors
    /// If they are damaged.
    pub fn built_in() -> Result<Arc<PolicyWeights>, TextError> {
        static READ: LazyLock<Result<Arc<PolicyWeights>, TextError>> =
            LazyLock::new(|| PolicyWeights::parse(ludus_data::go::PLAYOUT_WEIGHTS).map(Arc::new));
        READ.clone()
    }

    /// The policy that the option `habits` of a player asks for.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn policy_of(options: &Options) -> Result<PlayoutPolicy, TextError> {
        Ok(match options.text(PLAYOUT_WEIGHTS.name) {
            "on" => PolicyWeights::built_in()?.policy(),
            "off" => PlayoutPolicy::strong(),
            file => PolicyWeights::parse(&settings::read(PLAYOUT_WEIGHTS.name, file)?)?.policy(),
        })
    }
}

fn read_habit(text: &str) -> Option<ShapeWeights> {
    let numbers: Option<Vec<f32>> = text.split(' ').map(|word| word.parse().ok()).collect();
    let [answers @ .., anywhere]: [f32; ANSWER_PLACES + 1] = numbers?.try_into().ok()?;
    let fits = answers.iter().all(|weight| (0.0..=MAX_ANSWER_WEIGHT).contains(weight))
        && (0.0..=1.0).contains(&anywhere);
    fits.then_some(ShapeWeights { answers, anywhere })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_as_it_was_written() {
        let mut habits = PolicyWeights::untrained();
        assert_eq!(PolicyWeights::parse(&habits.text()).unwrap(), habits);
        habits.rules[2] = 7;
        habits.shapes[500] = ShapeWeights { answers: [0.25, 100.0, 0.0, 1.5], anywhere: 0.125 };
        let text = habits.text();
        assert_eq!(text.lines().count(), RULES.len() + 1, "{text}");
        assert_eq!(PolicyWeights::parse(&text).unwrap(), habits);
        assert_eq!(habits.policy().capture, 7);
    }

    #[test]
    fn the_built_in_weights_are_trained() {
        let built_in = PolicyWeights::built_in().unwrap();
        assert_ne!(*built_in, PolicyWeights::untrained());
    }

    #[test]
    fn errors_are_named_with_their_line() {
        for (text, what) in [
            ("", "it ends here"),
            ("# only a comment\n", "it ends here"),
            ("nakade = 95", "such as rule"),
            ("rule: luck = 95", "ko, nakade"),
            ("rule: nakade = 101", "from 0 to 100"),
            ("shape: X = 1 1 1 1 1", "a picture"),
            ("shape: .X./O*./### = 1 1 1 1", "four weights"),
            ("shape: .X./O*./### = 1 1 1 1 2", "a probability from 0 to 1"),
            ("shape: .X./O*./### = 1 1 1 NaN 1", "four weights"),
            ("# a comment\nshape: .X./O*./### = 1 1 1 999 1", "line 2, column 1"),
        ] {
            let error = PolicyWeights::parse(text).unwrap_err().to_string();
            assert!(error.contains(what), "{text:?}: {error}");
        }
    }
}
