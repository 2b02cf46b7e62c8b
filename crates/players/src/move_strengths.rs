//! What was learned of moves of Go: how strong their features are, as text and as knowledge of a
//! search (Coulom 2007, *Computing Elo Ratings of Move Patterns in the Game of Go*).

use crate::settings::{self, text};
use ludus_core::{OptionSpec, Options, TextError};
use ludus_games::go::{
    Go, Move,
    move_features::{GROUPS, MoveFeatures, NAMES, Team, feature_name, feature_named, groups},
};
use ludus_models::bradley_terry::Strengths;
use std::sync::{Arc, LazyLock};

const BUILT_IN: &str = include_str!("../../../data/go/moves.txt");

/// The option for a file of strengths.
pub const WEIGHTS: OptionSpec = text(
    "weights",
    "",
    "a file of strengths of moves, from ludus train; empty for what is built in",
);

const WHAT: &str = "strengths of moves";

/// How strong the features of moves are. A move is as strong as the product of its features, and is
/// made with a probability proportional to that.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveStrengths {
    groups: [Vec<f32>; GROUPS],
}

impl MoveStrengths {
    /// Every move is as strong as any other.
    pub fn even() -> MoveStrengths {
        MoveStrengths { groups: groups().map(|features| vec![1.0; features]) }
    }

    /// What was learned, to five digits.
    ///
    /// # Panics
    /// If the strengths are those of other features.
    pub fn new(learned: &Strengths) -> MoveStrengths {
        let mut strengths = MoveStrengths::even();
        assert_eq!(learned.groups.len(), GROUPS, "other groups");
        for (group, learned) in strengths.groups.iter_mut().zip(&learned.groups) {
            assert_eq!(learned.len(), group.len(), "other features");
            let rounded = |value: &f64| format!("{value:.4e}").parse::<f32>().expect("a number");
            *group = learned.iter().map(rounded).collect();
        }
        strengths
    }

    /// A line for each feature that is stronger or weaker than none.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (group, strengths) in self.groups.iter().enumerate() {
            for (feature, strength) in strengths.iter().enumerate().filter(|(_, it)| **it != 1.0) {
                let name = feature_name(group, feature);
                text += &format!("{}: {name} = {strength}\n", NAMES[group].0);
            }
        }
        text
    }

    /// Reads what [`text`](MoveStrengths::text) wrote; lines that begin with `#` are remarks.
    ///
    /// # Errors
    /// If the text is something else, with the line.
    pub fn parse(text: &str) -> Result<MoveStrengths, TextError> {
        let mut strengths = MoveStrengths::even();
        let mut known = groups().map(|features| vec![false; features]);
        for (index, line) in text.lines().enumerate() {
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let fault = |expected: String| TextError {
                line: index + 1,
                column: 1,
                ..TextError::whole(WHAT, line, expected)
            };
            let (group, feature, strength) = parse_line(line).map_err(fault)?;
            if std::mem::replace(&mut known[group][feature], true) {
                return Err(fault("each feature once".to_owned()));
            }
            strengths.groups[group][feature] = strength;
        }
        if known.iter().flatten().any(|known| *known) {
            return Ok(strengths);
        }
        Err(TextError::at(WHAT, text, text.len(), "a line such as atari: on more = 2.5"))
    }

    /// What is built in.
    ///
    /// # Errors
    /// If it is damaged.
    pub fn built_in() -> Result<Arc<MoveStrengths>, TextError> {
        static READ: LazyLock<Result<Arc<MoveStrengths>, TextError>> =
            LazyLock::new(|| MoveStrengths::parse(BUILT_IN).map(Arc::new));
        READ.clone()
    }

    /// What the option `weights` of a player asks for.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of_options(options: &Options) -> Result<Arc<MoveStrengths>, TextError> {
        match options.text("weights") {
            "" => MoveStrengths::built_in(),
            file => MoveStrengths::parse(&settings::read("weights", file)?).map(Arc::new),
        }
    }

    /// The strength of a move with these features.
    #[inline]
    pub fn of(&self, team: &Team) -> f32 {
        let mut product = 1.0;
        for (group, &feature) in self.groups.iter().zip(team) {
            // What is no feature of the group lies behind its last.
            product *= group.get(usize::from(feature)).copied().unwrap_or(1.0);
        }
        product
    }

    /// The strengths of legal moves of a position, in their order.
    pub fn of_moves(&self, position: &Go, moves: &[Move], out: &mut Vec<f32>) {
        let features = MoveFeatures::new(position);
        out.clear();
        out.extend(moves.iter().map(|&mv| self.of(&features.of(mv))));
    }
}

/// The group, the feature and the strength of a line; what is expected instead if it is wrong.
fn parse_line(line: &str) -> Result<(usize, usize, f32), String> {
    let parts = line.split_once(": ").and_then(|(group, rest)| {
        let (feature, strength) = rest.split_once(" = ")?;
        Some((group, feature, strength))
    });
    let (name, feature, strength) =
        parts.ok_or_else(|| "a line such as atari: on more = 2.5".to_owned())?;
    let group = NAMES.iter().position(|(known, _)| *known == name).ok_or_else(|| {
        let names = NAMES.map(|(name, _)| name);
        format!("one of the groups {}", names.join(", "))
    })?;
    let feature = feature_named(group, feature).ok_or_else(|| match NAMES[group].1 {
        [] => "a picture such as .X./O*./###".to_owned(),
        names => format!("one of {}", names.join(", ")),
    })?;
    let strength = strength.parse().ok().filter(|it| (1e-6..=1e6).contains(it));
    Ok((group, feature, strength.ok_or_else(|| "a strength from 0.000001 to 1000000".to_owned())?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_games::go::move_features::NONE;

    fn some() -> MoveStrengths {
        MoveStrengths::parse(
            "# a remark\n\ncapture: of more = 20\nself-atari: of one stone = 0.05\n\
             edge: first line = 0.125\npattern: .O./X*./### = 3.5\n",
        )
        .unwrap()
    }

    #[test]
    fn text_is_read_as_it_was_written() {
        let strengths = some();
        assert_eq!(MoveStrengths::parse(&strengths.text()).unwrap(), strengths);
        let mut team = [NONE; GROUPS];
        assert_eq!(strengths.of(&team), 1.0);
        (team[1], team[5]) = (3, 0);
        assert_eq!(strengths.of(&team), 2.5);
        let mut learned = Strengths::even(&groups());
        (learned.groups[2][1], learned.groups[GROUPS - 1][500]) = (1.0 / 3.0, 1234.5678);
        let learned = MoveStrengths::new(&learned);
        assert_eq!((learned.groups[2][1], learned.groups[GROUPS - 1][500]), (0.33333, 1234.6));
        assert_eq!(MoveStrengths::parse(&learned.text()).unwrap(), learned);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        for (text, what) in [
            ("", "it ends here"),
            ("# only a remark\n", "it ends here"),
            ("capture of more 20", "such as atari"),
            ("captures: of more = 20", "one of the groups pass, capture"),
            ("capture: of most = 20", "one of of what attacks"),
            ("pattern: X = 20", "a picture"),
            ("capture: of more = -1", "a strength"),
            ("capture: of more = NaN", "a strength"),
            ("capture: of more = 2\ncapture: of more = 3", "line 2, column 1"),
        ] {
            let error = MoveStrengths::parse(text).unwrap_err().to_string();
            assert!(error.contains(what), "{text:?}: {error}");
        }
    }

    #[test]
    fn what_is_built_in_can_be_read_and_knows_captures() {
        let built_in = MoveStrengths::parse(BUILT_IN).unwrap();
        let (mut capture, mut self_atari) = ([NONE; GROUPS], [NONE; GROUPS]);
        (capture[1], self_atari[3]) = (0, 2);
        assert!(built_in.of(&capture) > 2.0 && built_in.of(&self_atari) < 0.5);
    }
}
