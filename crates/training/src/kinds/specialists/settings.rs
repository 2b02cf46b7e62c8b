//! Settings of the training of specialists; published values are the defaults.

use crate::{kinds::td::TdSettings, players::check_untimed, recipe::range};
use ludus_core::{PlayerError, TextError};
use ludus_games::draughts::Draughts;
use ludus_models::som;
use serde::{Deserialize, Serialize};

/// Settings of endgame specialists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SpecialistsSettings {
    /// Collection of positions.
    pub boards: BoardCollectionSettings,
    /// Clustering by a self-organising map.
    pub map: SomSettings,
    /// TD learning of each specialist.
    pub school: SpecialistTdSettings,
}

/// Collection of positions: each is the first one of a game with exactly twelve pieces. All are
/// different, as in the source: a game that brings a known position, or none, is replaced by
/// another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BoardCollectionSettings {
    /// Pairings of players, with alternating colours.
    pub pairings: Vec<[String; 2]>,
    /// Positions from the games of each pairing.
    pub games: usize,
    /// Search depth of the players in plies (the source does not say).
    pub depth: u32,
    /// Random plies before a game, so that all games differ (the source does not say).
    pub random_plies: usize,
    /// Plies after which a game is abandoned.
    pub longest: usize,
}

impl Default for BoardCollectionSettings {
    fn default() -> BoardCollectionSettings {
        let (neuro, vision) = ("neurodraughts:pruning=on", "visiondraughts:table=64KB");
        let (iiga, ls) = ("iiga:table=64KB", "ls-draughts:pruning=on");
        let pairings = [[vision, neuro], [vision, ls], [vision, iiga], [ls, neuro]];
        BoardCollectionSettings {
            pairings: pairings.map(|pairing| pairing.map(str::to_owned)).to_vec(),
            games: 1000,
            depth: 4,
            random_plies: 6,
            longest: 200,
        }
    }
}

impl BoardCollectionSettings {
    /// Total number of positions.
    pub fn total(&self) -> usize {
        self.games * self.pairings.len()
    }

    /// Checks that all players exist and are reproducible.
    pub(super) fn check_players(&self) -> Result<(), PlayerError> {
        let mut specs = self.pairings.iter().flatten();
        specs.try_for_each(|spec| check_untimed::<Draughts>("mp.boards.pairings", spec))
    }
}

/// Clustering of the positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SomSettings {
    /// Units on the line: one cluster and one specialist each.
    pub units: usize,
    /// Initial learning rate of the map.
    pub rate: f32,
    /// Factor on the learning rate after each epoch.
    pub decay: f32,
    /// Learning rate below which training ends.
    pub least: f32,
    /// Neighbours on each side that learn with the winner.
    pub radius: usize,
}

impl Default for SomSettings {
    fn default() -> SomSettings {
        let som::SomTraining { rate, decay, least, radius } = som::SomTraining::default();
        SomSettings { units: 25, rate, decay, least, radius }
    }
}

impl SomSettings {
    pub(super) fn training(&self) -> som::SomTraining {
        let SomSettings { rate, decay, least, radius, .. } = *self;
        som::SomTraining { rate, decay, least, radius }
    }
}

/// Training of a specialist: by TD self-play, from positions of its cluster.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "toml::Table")]
pub struct SpecialistTdSettings {
    /// Positions of a cluster that games start from, the first ones; all of a smaller cluster.
    pub boards: usize,
    /// TD learning. A test has two games a position, and the copy is renewed from a score of
    /// `accept` on.
    #[serde(flatten)]
    pub td: TdSettings,
}

impl Default for SpecialistTdSettings {
    /// The published values: 5,000 games of a session are 200 a position in a cluster of 25.
    fn default() -> SpecialistTdSettings {
        let td = TdSettings { sessions: 10, games: 5000, accept: 0.6, ..TdSettings::default() };
        SpecialistTdSettings { boards: 25, td }
    }
}

impl TryFrom<toml::Table> for SpecialistTdSettings {
    type Error = String;

    /// Reads the values, those of another default than in [`TdSettings`] among them. Serde cannot:
    /// with `flatten`, unknown names would be accepted.
    fn try_from(mut table: toml::Table) -> Result<SpecialistTdSettings, String> {
        let refused = |error: toml::de::Error| error.message().to_owned();
        let defaults = SpecialistTdSettings::default();
        let boards = table.remove("boards").map(toml::Value::try_into).transpose();
        let mut td = toml::Table::try_from(&defaults.td).expect("settings are a table");
        td.extend(table);
        Ok(SpecialistTdSettings {
            boards: boards.map_err(refused)?.unwrap_or(defaults.boards),
            td: td.try_into().map_err(refused)?,
        })
    }
}

impl SpecialistsSettings {
    pub(super) fn check(&self) -> Result<(), TextError> {
        let SpecialistsSettings { boards, map, school } = self;
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
        school.td.check("mp.school")
    }
}
