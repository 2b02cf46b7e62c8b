//! PyTorch, from its own index of builds without CUDA where that can be reached, otherwise from PyPI.

use crate::{
    command::{output, program, root},
    python,
};
use anyhow::Result;
use std::path::PathBuf;

/// The version of the published figures.
pub const VERSION: &str = "2.6.0";

const SCRIPT: &str = "crates/xtask/peers/pytorch.py";
const SMALL_BUILDS: &str = "https://download.pytorch.org/whl/cpu";

pub struct PyTorch {
    python: PathBuf,
}

impl PyTorch {
    /// Creates the virtual environment, unless it exists.
    pub fn install() -> Result<PyTorch> {
        let python = python::install("peers-pytorch", "torch", VERSION, Some(SMALL_BUILDS))?;
        Ok(PyTorch { python })
    }

    /// Positions per second of one kind of work with one thread, measured for about `seconds`.
    pub fn speed(&self, work: &str, seconds: u32) -> Result<f64> {
        let mut script = program(&self.python, &[]);
        script.arg(root().join(SCRIPT)).args([work, &seconds.to_string()]);
        python::per_second(&output(&mut script)?)
    }
}
