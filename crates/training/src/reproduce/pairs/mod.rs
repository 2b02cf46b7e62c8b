//! Matches of several pairs of players, in one experiment with one cross table.
//!
//! Each pair is a contest of its own, so that an interrupted experiment resumes where it stopped.
//! Games are counted as won, drawn, forced (drawn by length, repetition or without progress) and
//! lost; statements and rankings of the source are judged by the same games.

mod figures;
mod play;
mod ranking;
mod section;
mod statement;

pub use play::{JudgedEnd, PairFindings, PairResult, StatementCount};
pub use ranking::{Relation, RelationKind};
pub use statement::{GamesAmong, PairStatement};

pub(super) use figures::{figure_names, figures};
pub(super) use section::{PAIRS_RULE, charts, lines, pairs_json, section};

use super::{
    Published,
    experiment::{check_openings, suite, wrong},
};
use crate::recipe::range;
use ludus_core::TextError;
use serde::{Deserialize, Serialize};

/// Matches of several pairs of players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairMatches {
    /// Game, with its options.
    pub game: String,
    /// Games of each pair.
    #[serde(default = "usual_games")]
    pub games: u64,
    /// `suite`, `none` or a file beside the experiment; every opening is played with both colours.
    #[serde(default = "suite")]
    pub openings: String,
    /// Games are drawn after this many plies.
    pub max_plies: Option<u32>,
    /// Search depth in plies, for players without a limit of their own.
    pub depth: Option<u32>,
    /// Nodes a move, for players without a limit of their own.
    pub nodes: Option<u64>,
    /// Player whose score of the last position says who is ahead.
    pub judge: Option<String>,
    /// Players, in the order of the tables.
    pub players: Vec<NamedPlayer>,
    /// Pairs that play.
    pub matches: Vec<PairMatch>,
    /// Statements of the source about the games.
    #[serde(default)]
    pub statements: Vec<PairStatement>,
    /// Rankings of the source, such as `A > B >= C > D, E ~ F`.
    #[serde(default)]
    pub rankings: Vec<String>,
}

/// A player with a name for tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedPlayer {
    /// Name.
    pub name: String,
    /// Player, with its options.
    pub player: String,
    /// A program or weights that may be missing; without them its games are left out.
    pub needs: Option<String>,
}

/// A pair that plays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairMatch {
    /// Name of the player whose results are counted.
    pub first: String,
    /// Name of its opponent.
    pub second: String,
    /// Number of games, if not that of the others.
    pub games: Option<u64>,
    /// Published results, if there are any.
    pub published: Option<Published>,
}

impl PairMatch {
    /// Title such as `A v B`.
    pub fn title(&self) -> String {
        title(&self.first, &self.second)
    }
}

fn title(first: &str, second: &str) -> String {
    format!("{first} v {second}")
}

fn usual_games() -> u64 {
    20
}

/// Checks that players have different names, which can stand in a ranking.
pub(super) fn check_players(table: &str, players: &[NamedPlayer]) -> Result<(), TextError> {
    if players.is_empty() {
        return Err(wrong(&format!("{table}.players = []"), "players with names"));
    }
    for (index, NamedPlayer { name, .. }) in players.iter().enumerate() {
        if name.is_empty() || name.contains([' ', ',', '|']) {
            let expected = "a name without spaces, commas and bars";
            return Err(wrong(&format!("{table}.players.name = {name}"), expected));
        }
        if players[..index].iter().any(|other| other.name == *name) {
            let expected = "a name that no other player has";
            return Err(wrong(&format!("{table}.players.name = {name}"), expected));
        }
    }
    Ok(())
}

/// Checks that a player of this name exists.
pub(super) fn check_name(key: &str, name: &str, players: &[NamedPlayer]) -> Result<(), TextError> {
    if players.iter().any(|player| player.name == name) {
        return Ok(());
    }
    let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
    let expected = format!("one of the players: {}", names.join(", "));
    Err(wrong(&format!("{key} = {name}"), expected))
}

impl PairMatches {
    pub(super) fn check(&self) -> Result<(), TextError> {
        range("pairs.games", self.games as f64, 2.0, 1e7)?;
        range("pairs.depth", self.depth.unwrap_or(1).into(), 1.0, 100.0)?;
        range("pairs.nodes", self.nodes.unwrap_or(1) as f64, 1.0, 1e15)?;
        range("pairs.max_plies", self.max_plies.unwrap_or(1).into(), 1.0, 1e6)?;
        check_openings("pairs.openings", &self.openings)?;
        check_players("pairs", &self.players)?;
        if self.matches.is_empty() {
            return Err(wrong("pairs.matches = []", "pairs of players"));
        }
        for (index, played) in self.matches.iter().enumerate() {
            self.check_match(played)?;
            if self.matches[..index].iter().any(|other| other.is_between(played)) {
                return Err(wrong(&played.title(), "every pair once"));
            }
        }
        self.statements.iter().try_for_each(|statement| statement.check(self))?;
        self.relations().map(drop)
    }

    fn check_match(&self, played: &PairMatch) -> Result<(), TextError> {
        check_name("pairs.matches.first", &played.first, &self.players)?;
        check_name("pairs.matches.second", &played.second, &self.players)?;
        if played.first == played.second {
            return Err(wrong(&played.title(), "two different players"));
        }
        range("pairs.matches.games", played.games.unwrap_or(2) as f64, 2.0, 1e7)?;
        let Some(published) = played.published else { return Ok(()) };
        if published.won.is_none() || published.loops.is_some() {
            let expected = "won, drawn, forced and lost, and no loops";
            return Err(wrong(&format!("published of {}", played.title()), expected));
        }
        published.check()
    }

    /// Player of this name.
    pub fn player(&self, name: &str) -> Option<&NamedPlayer> {
        self.players.iter().find(|player| player.name == name)
    }

    /// Relations between pairs of players that the rankings claim.
    pub(super) fn relations(&self) -> Result<Vec<Relation>, TextError> {
        let mut relations = Vec::new();
        for text in &self.rankings {
            for relation in ranking::parse(text)? {
                check_name("pairs.rankings", &relation.first, &self.players)?;
                check_name("pairs.rankings", &relation.second, &self.players)?;
                let is_played = self
                    .matches
                    .iter()
                    .any(|played| played.has(&relation.first) && played.has(&relation.second));
                if !is_played {
                    let expected = "players that play each other";
                    return Err(wrong(&relation.to_string(), expected));
                }
                relations.push(relation);
            }
        }
        Ok(relations)
    }
}

impl PairMatch {
    fn has(&self, name: &str) -> bool {
        self.first == name || self.second == name
    }

    fn is_between(&self, other: &PairMatch) -> bool {
        self.has(&other.first) && self.has(&other.second)
    }
}
