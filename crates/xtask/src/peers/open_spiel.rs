//! OpenSpiel from PyPI.

use super::games::PeerMeasure;
use crate::command::{output, program, root};
use crate::python;
use anyhow::Result;
use std::path::PathBuf;

/// The version of the published figures.
pub const VERSION: &str = "2.0.2";

const SCRIPT: &str = "crates/xtask/peers/open_spiel.py";

pub struct OpenSpiel {
    python: PathBuf,
}

impl OpenSpiel {
    /// Creates the virtual environment, unless it exists.
    pub fn install() -> Result<OpenSpiel> {
        Ok(OpenSpiel { python: python::install("peers", "open_spiel", VERSION, None)? })
    }

    /// Playouts or simulations per second from the start of `game`, measured for about `seconds`.
    pub fn speed(&self, measure: PeerMeasure, game: &str, seconds: u32) -> Result<f64> {
        let measure = match measure {
            PeerMeasure::Playouts => "rollouts",
            PeerMeasure::Simulations => "simulations",
        };
        let mut script = program(&self.python, &[]);
        script.arg(root().join(SCRIPT)).args([measure, game, &seconds.to_string()]);
        python::per_second(&output(&mut script)?)
    }
}
