//! What can be set.

use crate::recipe::range;
use ludus_core::TextError;
use serde::{Deserialize, Serialize};

/// How a network of Go is trained.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GoNetSettings {
    /// Games the player plays against itself.
    pub games: u64,
    /// Who makes most moves of them in the place of the player; empty for nobody.
    pub quick: String,
    /// The part of the moves that are the player's all the same.
    pub searched: f64,
    /// Plies played at random before a game.
    pub random_plies: usize,
    /// Plies after those whose move is drawn as often as the search tried it.
    pub varied_plies: usize,
    /// Plies after which a game is given up, and not learned from.
    pub longest: usize,
    /// Positions in which the search sees the winner are learned from only now and then: one in so
    /// many.
    pub decided: usize,
    /// The part of the game's result in what the network should say of the winner, the rest being
    /// what the search saw.
    pub result: f64,
    /// Residual blocks of the network.
    pub blocks: usize,
    /// Steps, each on some positions; 0 only plays the games.
    pub steps: u64,
    /// Positions a step.
    pub batch: usize,
    /// The size of the first steps; it falls to a hundredth.
    pub rate: f64,
    /// How much of a weight is lost in a step of size 1.
    pub decay: f64,
    /// The part of the games held out to see how good the network is.
    pub validation: f64,
}

impl Default for GoNetSettings {
    fn default() -> GoNetSettings {
        GoNetSettings {
            games: 1000,
            quick: String::new(),
            searched: 0.1,
            random_plies: 1,
            varied_plies: 24,
            longest: 1000,
            decided: 4,
            result: 0.7,
            blocks: 6,
            steps: 10_000,
            batch: 128,
            rate: 0.001,
            decay: 0.01,
            validation: 0.03,
        }
    }
}

impl GoNetSettings {
    pub(crate) fn check(&self) -> Result<(), TextError> {
        range("go_net.games", self.games as f64, 0.0, 1e7)?;
        range("go_net.searched", self.searched, 0.0, 1.0)?;
        range("go_net.random_plies", self.random_plies as f64, 0.0, 1000.0)?;
        range("go_net.varied_plies", self.varied_plies as f64, 0.0, 1000.0)?;
        range("go_net.longest", self.longest as f64, 1.0, 10_000.0)?;
        range("go_net.decided", self.decided as f64, 1.0, 1000.0)?;
        range("go_net.result", self.result, 0.0, 1.0)?;
        range("go_net.blocks", self.blocks as f64, 0.0, 64.0)?;
        range("go_net.steps", self.steps as f64, 0.0, 1e8)?;
        range("go_net.batch", self.batch as f64, 1.0, 1e5)?;
        range("go_net.rate", self.rate, 1e-6, 0.1)?;
        range("go_net.decay", self.decay, 0.0, 10.0)?;
        range("go_net.validation", self.validation, 0.0, 0.9)
    }
}
