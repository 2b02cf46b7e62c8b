//! What was learned of playouts of Go: how often each rule is followed, and which 3x3 shapes are
//! played, as text and as a policy.
//!
//! ```text
//! rule: nakade = 95
//! shape: .X./O*./### = 12.5 0.3 4 1.2 0.9
//! ```
//!
//! A rule has its chance in percent. A shape has its weights beside the last move, diagonally from it,
//! beside and diagonally from the move before, where 1 is the weight of all moves elsewhere, and its
//! chance to be taken as a random move. What is not listed is as before anything was learned.

use crate::settings::{self, text};
use ludus_core::{OptionSpec, Options, TextError};
use ludus_games::go::policy::{
    Policy,
    habits::{Habit, Habits, LARGEST_WEIGHT, PLACES, shape_name, shape_named},
};
use std::sync::{Arc, LazyLock};

const BUILT_IN: &str = include_str!("../../../data/go/habits.txt");

/// The option for habits of playouts.
pub const HABITS: OptionSpec = text(
    "habits",
    "on",
    "learned playouts: on for what is built in, off, or a file of ludus train",
);

const WHAT: &str = "habits of playouts";

/// The rules whose chances are learned, by the names of [`Policy::set`].
pub const RULES: [&str; 6] =
    ["ko", "nakade", "capture", "defence", "low-liberty", "global-capture"];

/// How playouts go.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayoutHabits {
    /// The chance of each rule, in percent.
    pub rules: [u8; RULES.len()],
    /// What is done with each shape.
    pub shapes: Vec<Habit>,
}

impl PlayoutHabits {
    /// The rules and patterns of [`Policy::strong`], before anything is learned.
    pub fn untaught() -> PlayoutHabits {
        PlayoutHabits { rules: [40, 80, 90, 90, 85, 90], shapes: Habits::drawn() }
    }

    /// The policy that has these habits.
    pub fn policy(&self) -> Policy {
        let habits = Some(Arc::new(Habits::new(&self.shapes)));
        let mut policy = Policy { habits, patterns: 100, ..Policy::strong() };
        for (rule, chance) in RULES.iter().zip(self.rules) {
            policy.set(rule, chance).expect("a rule of this name");
        }
        policy
    }

    /// A line for each rule, and for each shape that something was learned of.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (rule, chance) in RULES.iter().zip(self.rules) {
            text += &format!("rule: {rule} = {chance}\n");
        }
        for (number, (habit, before)) in self.shapes.iter().zip(Habits::drawn()).enumerate() {
            if *habit != before {
                let weights = habit.answers.map(|weight| weight.to_string()).join(" ");
                let (name, chance) = (shape_name(number), habit.anywhere);
                text += &format!("shape: {name} = {weights} {chance}\n");
            }
        }
        text
    }

    /// Reads what [`text`](PlayoutHabits::text) wrote; lines that begin with `#` are remarks.
    ///
    /// # Errors
    /// If the text is something else, with the line.
    pub fn parse(text: &str) -> Result<PlayoutHabits, TextError> {
        let mut habits = PlayoutHabits::untaught();
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

    /// Reads a line; what is expected instead if it is wrong.
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
                self.rules[rule] = chance.ok_or("a chance from 0 to 100")?;
            }
            Some(("shape", name, values)) => {
                let shape = shape_named(name).ok_or("a picture such as .X./O*./###")?;
                self.shapes[shape] = read_habit(values).ok_or_else(|| {
                    format!("four weights from 0 to {LARGEST_WEIGHT} and a chance from 0 to 1")
                })?;
            }
            _ => return Err("a line such as rule: nakade = 95".to_owned()),
        }
        Ok(())
    }

    /// What is built in.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn built_in() -> Result<Arc<PlayoutHabits>, TextError> {
        static READ: LazyLock<Result<Arc<PlayoutHabits>, TextError>> =
            LazyLock::new(|| PlayoutHabits::parse(BUILT_IN).map(Arc::new));
        READ.clone()
    }

    /// The policy that the option `habits` of a player asks for.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn policy_of(options: &Options) -> Result<Policy, TextError> {
        Ok(match options.text(HABITS.name) {
            "on" => PlayoutHabits::built_in()?.policy(),
            "off" => Policy::strong(),
            file => PlayoutHabits::parse(&settings::read(HABITS.name, file)?)?.policy(),
        })
    }
}

fn read_habit(text: &str) -> Option<Habit> {
    let numbers: Option<Vec<f32>> = text.split(' ').map(|word| word.parse().ok()).collect();
    let [answers @ .., anywhere]: [f32; PLACES + 1] = numbers?.try_into().ok()?;
    let fits = answers.iter().all(|weight| (0.0..=LARGEST_WEIGHT).contains(weight))
        && (0.0..=1.0).contains(&anywhere);
    fits.then_some(Habit { answers, anywhere })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_as_it_was_written() {
        let mut habits = PlayoutHabits::untaught();
        assert_eq!(PlayoutHabits::parse(&habits.text()).unwrap(), habits);
        habits.rules[2] = 7;
        habits.shapes[500] = Habit { answers: [0.25, 100.0, 0.0, 1.5], anywhere: 0.125 };
        let text = habits.text();
        assert_eq!(text.lines().count(), RULES.len() + 1, "{text}");
        assert_eq!(PlayoutHabits::parse(&text).unwrap(), habits);
        assert_eq!(habits.policy().capture, 7);
    }

    #[test]
    fn what_is_built_in_was_learned() {
        let built_in = PlayoutHabits::built_in().unwrap();
        assert_ne!(*built_in, PlayoutHabits::untaught());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, what) in [
            ("", "it ends here"),
            ("# only a remark\n", "it ends here"),
            ("nakade = 95", "such as rule"),
            ("rule: luck = 95", "ko, nakade"),
            ("rule: nakade = 101", "from 0 to 100"),
            ("shape: X = 1 1 1 1 1", "a picture"),
            ("shape: .X./O*./### = 1 1 1 1", "four weights"),
            ("shape: .X./O*./### = 1 1 1 1 2", "a chance from 0 to 1"),
            ("shape: .X./O*./### = 1 1 1 NaN 1", "four weights"),
            ("# a remark\nshape: .X./O*./### = 1 1 1 999 1", "line 2, column 1"),
        ] {
            let error = PlayoutHabits::parse(text).unwrap_err().to_string();
            assert!(error.contains(what), "{text:?}: {error}");
        }
    }
}
