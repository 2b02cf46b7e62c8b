//! Settings of a neuroevolution.

use crate::recipe::range;
use ludus_core::{Outcome, Side, TextError};
use ludus_models::evolution::EvolutionParams;
use serde::{Deserialize, Serialize};

/// Neuroevolution settings. The defaults follow the published evolution as far as it is known;
/// docs/LEARNERS.md lists the uncertainties.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NeuroevolutionSettings {
    /// Networks that survive a generation; each has one child.
    pub parents: usize,
    /// Number of generations.
    pub generations: usize,
    /// Games in which each network moves first, against randomly drawn opponents.
    pub games: usize,
    /// Search depth in plies.
    pub depth: u32,
    /// Points for a win.
    pub win: i32,
    /// Points for a draw.
    pub draw: i32,
    /// Points for a loss.
    pub loss: i32,
    /// Whether a game counts for the drawn opponent as well.
    pub both: bool,
    /// Plies after which a game is drawn: 100 moves of each side.
    pub longest: usize,
    /// Bound of the initial weights, positive and negative.
    pub weights: f32,
    /// Initial standard deviation of mutations.
    pub spread: f32,
    /// Initial king value.
    pub king: f32,
    /// Step of the king value: a child's is higher by this, lower by this, or the same.
    pub king_step: f32,
    /// Minimum king value.
    pub king_least: f32,
    /// Maximum king value.
    pub king_most: f32,
    /// Openings from which the parents of the last generation play each other, with both colours,
    /// to choose the best; with 0, as published, it is the one with most points in that generation.
    pub play_off: usize,
    /// Random plies of these openings.
    pub random_plies: usize,
}

impl Default for NeuroevolutionSettings {
    fn default() -> NeuroevolutionSettings {
        let EvolutionParams { weights, spread, dial, dial_step, dial_least, dial_most } =
            EvolutionParams::default();
        NeuroevolutionSettings {
            parents: 15,
            generations: 840,
            games: 5,
            depth: 4,
            win: 1,
            draw: 0,
            loss: -2,
            both: true,
            longest: 200,
            weights,
            spread,
            king: dial,
            king_step: dial_step,
            king_least: dial_least,
            king_most: dial_most,
            play_off: 0,
            random_plies: 6,
        }
    }
}

impl NeuroevolutionSettings {
    pub(super) fn check(&self) -> Result<(), TextError> {
        let number = |name: &str, value: f64, least: f64, most: f64| {
            range(&format!("evolution.{name}"), value, least, most)
        };
        number("parents", self.parents as f64, 1.0, 10_000.0)?;
        number("generations", self.generations as f64, 1.0, 1e6)?;
        number("games", self.games as f64, 1.0, 10_000.0)?;
        number("depth", self.depth.into(), 1.0, 20.0)?;
        for (name, points) in [("win", self.win), ("draw", self.draw), ("loss", self.loss)] {
            number(name, points.into(), -1000.0, 1000.0)?;
        }
        number("longest", self.longest as f64, 2.0, 10_000.0)?;
        number("weights", self.weights.into(), 0.0, 100.0)?;
        number("spread", self.spread.into(), 0.0, 100.0)?;
        number("king_least", self.king_least.into(), 0.0, 100.0)?;
        number("king_most", self.king_most.into(), self.king_least.into(), 100.0)?;
        number("king", self.king.into(), self.king_least.into(), self.king_most.into())?;
        number("king_step", self.king_step.into(), 0.0, 100.0)?;
        number("play_off", self.play_off as f64, 0.0, 10_000.0)?;
        number("random_plies", self.random_plies as f64, 0.0, 100.0)
    }

    pub(super) fn heredity(&self) -> EvolutionParams {
        EvolutionParams {
            weights: self.weights,
            spread: self.spread,
            dial: self.king,
            dial_step: self.king_step,
            dial_least: self.king_least,
            dial_most: self.king_most,
        }
    }

    /// Points of a game for the player of `side`.
    pub(super) fn points(&self, outcome: Outcome, side: Side) -> i32 {
        match outcome {
            Outcome::Draw => self.draw,
            Outcome::Win(winner) if winner == side => self.win,
            Outcome::Win(_) => self.loss,
        }
    }
}
