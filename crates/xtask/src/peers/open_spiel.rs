//! OpenSpiel from PyPI, in a Python virtual environment under `target/`.

use super::Measure;
use crate::command::{output, program, root, run, scratch, succeeds};
use anyhow::{Context, Result};
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
        let folder = scratch("peers");
        let python = folder.join("bin").join("python");
        let requirement = format!("open_spiel=={VERSION}");
        if !succeeds(&mut program(&python, &["-m", "pip", "show", "--quiet", "open_spiel"])) {
            run(program("python3", &["-m", "venv"]).arg(&folder))
                .context("OpenSpiel needs Python 3 with its venv module")?;
        }
        run(&mut program(&python, &["-m", "pip", "install", "--quiet", &requirement]))
            .context("OpenSpiel comes from PyPI and needs the network")?;
        Ok(OpenSpiel { python })
    }

    /// Playouts or simulations per second from the start of `game`, measured for about `seconds`.
    pub fn speed(&self, measure: Measure, game: &str, seconds: u32) -> Result<f64> {
        let measure = match measure {
            Measure::Playouts => "rollouts",
            Measure::Simulations => "simulations",
        };
        let mut script = program(&self.python, &[]);
        script.arg(root().join(SCRIPT)).args([measure, game, &seconds.to_string()]);
        parse(&output(&mut script)?)
    }
}

fn parse(text: &str) -> Result<f64> {
    let document: serde_json::Value = serde_json::from_str(text).context("OpenSpiel's JSON")?;
    let number = |name: &str| document[name].as_f64().with_context(|| format!("no {name}: {text}"));
    Ok(number("count")? / number("seconds")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_s_output_is_read() {
        let text = "{\"game\": \"chess\", \"count\": 1200, \"seconds\": 2.0}\n";
        assert_eq!(parse(text).unwrap(), 600.0);
        assert!(parse("{}").is_err() && parse("").is_err());
    }
}
