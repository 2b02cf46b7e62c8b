//! Settings of the training of a Go network.

use crate::recipe::range;
use ludus_core::TextError;
use serde::{Deserialize, Serialize};

/// Settings of the training of a Go network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GoNetSettings {
    /// Number of self-play games.
    pub games: u64,
    /// Fast player that makes most moves instead of the player; empty for none.
    pub quick: String,
    /// Share of the moves that the player still makes itself.
    pub searched: f64,
    /// Random plies before a game.
    pub random_plies: usize,
    /// Plies after those whose move is drawn in proportion to its visits.
    pub varied_plies: usize,
    /// Plies after which a game is abandoned, and not learned from.
    pub longest: usize,
    /// Takes one in `decided` of the positions that the search regards as decided.
    pub decided: usize,
    /// Share of the game's result in the value target; the rest is the search's win probability.
    pub result: f64,
    /// Residual blocks of the network.
    pub blocks: usize,
    /// Number of training steps; 0 only plays the games.
    pub steps: u64,
    /// Positions of a step.
    pub batch: usize,
    /// Initial learning rate; it falls to a hundredth.
    pub rate: f64,
    /// Weight decay: share of a weight lost in a step of size 1.
    pub decay: f64,
    /// Share of the games held out for validation.
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
    /// Fast player that makes most moves, if there is one.
    pub(super) fn quick(&self) -> Option<&str> {
        Some(self.quick.as_str()).filter(|quick| !quick.is_empty())
    }

    pub(super) fn check(&self) -> Result<(), TextError> {
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
