//! Learned strengths of the features of Go moves, as text and as knowledge of a search (Coulom 2007,
//! *Computing Elo Ratings of Move Patterns in the Game of Go*).

use crate::settings::{self, text};
use ludus_core::{OptionSpec, Options, TextError};
use ludus_games::go::{Go, GoMove};
use ludus_knowledge::go::move_features::{
    FEATURE_GROUPS, FEATURE_NAMES, MoveFeatures, Team, feature_name, feature_named, groups,
};
use ludus_models::bradley_terry::Strengths;
use std::sync::{Arc, LazyLock};

/// The option for a file of strengths.
pub const WEIGHTS: OptionSpec =
    text("weights", "", "a file of move strengths, from ludus train; empty for the built-in ones");

const WHAT: &str = "move strengths";

/// The strengths of move features, by the generalised Bradley-Terry model: the strength of a move is the
/// product of those of its features, and its probability is proportional to it.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveStrengths {
    groups: [Vec<f32>; FEATURE_GROUPS],
}

impl MoveStrengths {
    /// All strengths 1: every move is as strong as any other.
    pub fn uniform() -> MoveStrengths {
        MoveStrengths { groups: groups().map(|features| vec![1.0; features]) }
    }

    /// The learned strengths, to five digits.
    ///
    /// # Panics
    /// If the strengths are those of other features.
    pub fn new(learned: &Strengths) -> MoveStrengths {
        let mut strengths = MoveStrengths::uniform();
        assert_eq!(learned.groups.len(), FEATURE_GROUPS, "other groups");
        for (group, learned) in strengths.groups.iter_mut().zip(&learned.groups) {
            assert_eq!(learned.len(), group.len(), "other features");
            let rounded = |value: &f64| format!("{value:.4e}").parse::<f32>().expect("a number");
            *group = learned.iter().map(rounded).collect();
        }
        strengths
    }

    /// A line for each feature whose strength is not 1.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (group, strengths) in self.groups.iter().enumerate() {
            for (feature, strength) in strengths.iter().enumerate().filter(|(_, it)| **it != 1.0) {
                let name = feature_name(group, feature);
                text += &format!("{}: {name} = {strength}\n", FEATURE_NAMES[group].0);
            }
        }
        text
    }

    /// Reads what [`text`](MoveStrengths::text) wrote; lines that begin with `#` are comments.
    ///
    /// # Errors
    /// If the text is something else, with the line.
    pub fn parse(text: &str) -> Result<MoveStrengths, TextError> {
        let mut strengths = MoveStrengths::uniform();
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

    /// The built-in strengths.
    ///
    /// # Errors
    /// If they are damaged.
    pub fn built_in() -> Result<Arc<MoveStrengths>, TextError> {
        static READ: LazyLock<Result<Arc<MoveStrengths>, TextError>> =
            LazyLock::new(|| MoveStrengths::parse(ludus_data::go::MOVE_STRENGTHS).map(Arc::new));
        READ.clone()
    }

    /// The strengths the option `weights` of a player asks for.
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
            // "No feature" of a group is an index behind its last.
            product *= group.get(usize::from(feature)).copied().unwrap_or(1.0);
        }
        product
    }

    /// The strengths of legal moves of a position, in their order.
    pub fn of_moves(&self, position: &Go, moves: &[GoMove], out: &mut Vec<f32>) {
        let features = MoveFeatures::new(position);
        out.clear();
        out.extend(moves.iter().map(|&mv| self.of(&features.of(mv))));
    }
}

/// The group, the feature and the strength of a line; the error says what was expected.
fn parse_line(line: &str) -> Result<(usize, usize, f32), String> {
    let parts = line.split_once(": ").and_then(|(group, rest)| {
        let (feature, strength) = rest.split_once(" = ")?;
        Some((group, feature, strength))
    });
    let (name, feature, strength) =
        parts.ok_or_else(|| "a line such as atari: on more = 2.5".to_owned())?;
    let group = FEATURE_NAMES.iter().position(|(known, _)| *known == name).ok_or_else(|| {
        let names = FEATURE_NAMES.map(|(name, _)| name);
        format!("one of the groups {}", names.join(", "))
    })?;
    let feature = feature_named(group, feature).ok_or_else(|| match FEATURE_NAMES[group].1 {
        [] => "a picture such as .X./O*./###".to_owned(),
        names => format!("one of {}", names.join(", ")),
    })?;
    let strength = strength.parse().ok().filter(|it| (1e-6..=1e6).contains(it));
    Ok((group, feature, strength.ok_or_else(|| "a strength from 0.000001 to 1000000".to_owned())?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_knowledge::go::move_features::NO_FEATURE;

    fn some() -> MoveStrengths {
        MoveStrengths::parse(
            "# a comment\n\ncapture: of more = 20\nself-atari: of one stone = 0.05\n\
             edge: first line = 0.125\npattern: .O./X*./### = 3.5\n",
        )
        .unwrap()
    }

    #[test]
    fn text_is_read_as_it_was_written() {
        let strengths = some();
        assert_eq!(MoveStrengths::parse(&strengths.text()).unwrap(), strengths);
        let mut team = [NO_FEATURE; FEATURE_GROUPS];
        assert_eq!(strengths.of(&team), 1.0);
        (team[1], team[5]) = (3, 0);
        assert_eq!(strengths.of(&team), 2.5);
        let mut learned = Strengths::uniform(&groups());
        (learned.groups[2][1], learned.groups[FEATURE_GROUPS - 1][500]) = (1.0 / 3.0, 1234.5678);
        let learned = MoveStrengths::new(&learned);
        assert_eq!(
            (learned.groups[2][1], learned.groups[FEATURE_GROUPS - 1][500]),
            (0.33333, 1234.6)
        );
        assert_eq!(MoveStrengths::parse(&learned.text()).unwrap(), learned);
    }

    #[test]
    fn errors_are_named_with_their_line() {
        for (text, what) in [
            ("", "it ends here"),
            ("# only a comment\n", "it ends here"),
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
    fn the_built_in_strengths_can_be_read_and_favour_captures() {
        let built_in = MoveStrengths::parse(ludus_data::go::MOVE_STRENGTHS).unwrap();
        let (mut capture, mut self_atari) =
            ([NO_FEATURE; FEATURE_GROUPS], [NO_FEATURE; FEATURE_GROUPS]);
        (capture[1], self_atari[3]) = (0, 2);
        assert!(built_in.of(&capture) > 2.0 && built_in.of(&self_atari) < 0.5);
    }
}
