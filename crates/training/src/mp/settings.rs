//! What can be set, with what was published as the default.

use crate::{cloning::TdSettings, contender::check_untimed, recipe::range};
use ludus_core::{PlayerError, TextError};
use ludus_games::draughts::Draughts;
use ludus_models::{som, td};
use serde::{Deserialize, Serialize};

/// How specialists for endings are made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MpSettings {
    /// Where the boards come from.
    pub boards: BoardSettings,
    /// How they are divided.
    pub map: MapSettings,
    /// How each specialist learns.
    pub school: SchoolSettings,
}

/// Where the boards come from: each is the first one of a game with exactly twelve pieces. All are
/// different, as in the source: a game that brings a known board, or none, is made up for by
/// another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BoardSettings {
    /// Who plays whom, with alternating colours.
    pub pairings: Vec<[String; 2]>,
    /// Boards from the games of each pairing.
    pub games: usize,
    /// Plies the players look ahead (the source is silent).
    pub depth: u32,
    /// Plies played at random before a game, so that no two are the same (the source is silent).
    pub random_plies: usize,
    /// Plies after which a game is given up.
    pub longest: usize,
}

impl Default for BoardSettings {
    fn default() -> BoardSettings {
        let (neuro, vision) = ("neurodraughts:pruning=on", "visiondraughts:table=64KB");
        let (iiga, ls) = ("iiga:table=64KB", "ls-draughts:pruning=on");
        let pairings = [[vision, neuro], [vision, ls], [vision, iiga], [ls, neuro]];
        BoardSettings {
            pairings: pairings.map(|pairing| pairing.map(str::to_owned)).to_vec(),
            games: 1000,
            depth: 4,
            random_plies: 6,
            longest: 200,
        }
    }
}

impl BoardSettings {
    /// How many boards there will be.
    pub fn total(&self) -> usize {
        self.games * self.pairings.len()
    }

    /// Checks that all players exist and would play the same games again.
    pub(super) fn check_players(&self) -> Result<(), PlayerError> {
        let mut specs = self.pairings.iter().flatten();
        specs.try_for_each(|spec| check_untimed::<Draughts>("mp.boards.pairings", spec))
    }
}

/// How boards are divided into clusters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MapSettings {
    /// Units on the line: one cluster and one specialist each.
    pub units: usize,
    /// How far units go towards a board, at first.
    pub rate: f32,
    /// What is left of that after each epoch.
    pub decay: f32,
    /// Training ends when it is less.
    pub least: f32,
    /// Neighbours on each side that learn with the winner.
    pub radius: usize,
}

impl Default for MapSettings {
    fn default() -> MapSettings {
        let som::Training { rate, decay, least, radius } = som::Training::default();
        MapSettings { units: 25, rate, decay, least, radius }
    }
}

impl MapSettings {
    pub(super) fn training(&self) -> som::Training {
        let MapSettings { rate, decay, least, radius, .. } = *self;
        som::Training { rate, decay, least, radius }
    }
}

/// How a specialist learns: by self-play with cloning, from boards of its cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SchoolSettings {
    /// Boards of a cluster that games start from, the first ones; all of a smaller cluster.
    pub boards: usize,
    /// Sessions: training games, then a test of two games a board that may renew the copy.
    pub sessions: u32,
    /// Training games of a session, half with each colour: 200 a board in a cluster of 25.
    pub games: u32,
    /// The part of the points in the test from which on the copy is renewed.
    pub accept: f64,
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
    /// Whether the ends of the expected lines are learned from: TDLeaf.
    pub leaf: bool,
    /// Plies played at random before a training game; none in the source.
    pub random_plies: usize,
    /// Plies after which a game is drawn (the source is silent).
    pub longest: usize,
}

impl Default for SchoolSettings {
    fn default() -> SchoolSettings {
        let td::Parameters { lambda, gamma, momentum, rate } = td::Parameters::default();
        SchoolSettings {
            boards: 25,
            sessions: 10,
            games: 5000,
            accept: 0.6,
            look_ahead: 4,
            lambda,
            gamma,
            momentum,
            rate,
            leaf: false,
            random_plies: 0,
            longest: 200,
        }
    }
}

impl SchoolSettings {
    /// The settings of the lessons themselves.
    pub(super) fn learning(&self) -> TdSettings {
        let SchoolSettings { sessions, games, accept, look_ahead, leaf, .. } = *self;
        let SchoolSettings { lambda, gamma, momentum, rate, random_plies, longest, .. } = *self;
        TdSettings {
            sessions,
            games,
            look_ahead,
            lambda,
            gamma,
            momentum,
            rate,
            leaf,
            random_plies,
            longest,
            accept,
        }
    }
}

impl MpSettings {
    pub(crate) fn check(&self) -> Result<(), TextError> {
        let MpSettings { boards, map, school } = self;
        range("mp.boards.pairings, how many", boards.pairings.len() as f64, 1.0, 1000.0)?;
        range("mp.boards.games", boards.games as f64, 1.0, 1e6)?;
        range("mp.boards.depth", boards.depth.into(), 1.0, 20.0)?;
        range("mp.boards.random_plies", boards.random_plies as f64, 0.0, 100.0)?;
        range("mp.boards.longest", boards.longest as f64, 2.0, 10_000.0)?;
        range("mp.map.units", map.units as f64, 1.0, 1000.0)?;
        range("mp.map.rate", map.rate.into(), 0.0, 1.0)?;
        range("mp.map.decay", map.decay.into(), 0.0, 0.9999)?;
        range("mp.map.least", map.least.into(), 1e-4, 1.0)?;
        range("mp.map.radius", map.radius as f64, 0.0, 1000.0)?;
        range("mp.school.boards", school.boards as f64, 1.0, 1e6)?;
        school.learning().check().map_err(|error| TextError {
            found: error.found.replacen("td.", "mp.school.", 1),
            ..error
        })
    }
}
