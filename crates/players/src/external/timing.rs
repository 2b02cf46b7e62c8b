//! Options for the times of an external engine, and what they mean.

use crate::settings::{self, text};
use ludus_core::{Limits, OptionSpec, Options, TextError};
use std::time::Duration;

pub(super) const HANDSHAKE: OptionSpec =
    text("handshake", "10s", "time limit for starting and getting ready");
pub(super) const GRACE: OptionSpec = text(
    "grace",
    "2s",
    "time past its limit within which a late move counts; after it the engine is hanging",
);
pub(super) const PATIENCE: OptionSpec =
    text("patience", "60s", "time limit of a move without any other");
pub(super) const LOG: OptionSpec = text("log", "", "a file to append all communication to");

/// The times of an engine beside those of its moves.
pub(super) struct EngineTimes {
    /// Subtracted from the times it is given.
    pub overhead: Duration,
    /// Time limit for getting ready.
    pub handshake_timeout: Duration,
    /// Time past its limit within which a late move counts.
    pub grace: Duration,
    /// Time limit of a move without any other.
    pub move_timeout: Duration,
}

impl EngineTimes {
    pub fn new(options: &Options) -> Result<EngineTimes, TextError> {
        let time = |name| Ok::<_, TextError>(settings::time(options, name)?.unwrap_or_default());
        Ok(EngineTimes {
            overhead: time("overhead")?,
            handshake_timeout: time("handshake")?,
            grace: time("grace")?,
            move_timeout: time("patience")?,
        })
    }

    /// Time to wait for a move before the engine counts as hanging.
    pub fn max_wait(&self, limits: &Limits) -> Duration {
        let clock = limits.clock.map(|clock| clock.remaining);
        match limits.time.into_iter().chain(clock).min() {
            Some(time) => time + self.grace,
            None => self.move_timeout,
        }
    }
}
