//! Settings of TD learning by self-play.

use crate::recipe::range;
use ludus_core::TextError;
use ludus_models::td::TdParameters;
use serde::{Deserialize, Serialize};

/// TD learning settings. Every value has a default: the published one where there is one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TdSettings {
    /// Number of sessions: training games, then a test that may renew the copy.
    pub sessions: u32,
    /// Training games of a session (the source does not say; 5,000 games in all).
    pub games: u32,
    /// Search depth in plies while learning (the source does not say).
    pub look_ahead: u32,
    /// Trace decay of TD(λ).
    pub lambda: f32,
    /// Discount factor per move.
    pub gamma: f32,
    /// Share of the last change added to the next, if both have the same direction.
    pub momentum: f32,
    /// Factor on the published learning rates.
    pub rate: f32,
    /// TDLeaf: learns from the leaves of the principal variations instead of the positions played
    /// (Baxter, Tridgell and Weaver 1998).
    pub leaf: bool,
    /// Random plies before a training game; none in the source.
    pub random_plies: usize,
    /// Plies after which a game is drawn.
    pub longest: usize,
    /// Test score above which the copy is renewed.
    pub accept: f64,
}

impl Default for TdSettings {
    fn default() -> TdSettings {
        let TdParameters { lambda, gamma, momentum, rate } = TdParameters::default();
        TdSettings {
            sessions: 50,
            games: 100,
            look_ahead: 4,
            lambda,
            gamma,
            momentum,
            rate,
            leaf: false,
            random_plies: 0,
            longest: 200,
            accept: 0.5,
        }
    }
}

impl TdSettings {
    /// Checks the ranges; `section` is the name of the settings in their recipe.
    pub(crate) fn check(&self, section: &str) -> Result<(), TextError> {
        let range = |name: &str, value: f64, min: f64, max: f64| {
            range(&format!("{section}.{name}"), value, min, max)
        };
        range("sessions", self.sessions.into(), 1.0, 1e6)?;
        range("games", self.games.into(), 1.0, 1e7)?;
        range("look_ahead", self.look_ahead.into(), 1.0, 20.0)?;
        range("lambda", self.lambda.into(), 0.0, 1.0)?;
        range("gamma", self.gamma.into(), 0.0, 1.0)?;
        range("momentum", self.momentum.into(), 0.0, 1.0)?;
        range("rate", self.rate.into(), 0.0, 100.0)?;
        range("random_plies", self.random_plies as f64, 0.0, 100.0)?;
        range("longest", self.longest as f64, 2.0, 10_000.0)?;
        range("accept", self.accept, 0.0, 1.0)
    }

    pub(super) fn parameters(&self) -> TdParameters {
        let TdSettings { lambda, gamma, momentum, rate, .. } = *self;
        TdParameters { lambda, gamma, momentum, rate }
    }
}
