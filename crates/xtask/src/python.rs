//! Packages from PyPI, in Python virtual environments under `target/`.

use crate::command::{program, run, scratch, succeeds};
use anyhow::{Context, Result};
use std::path::PathBuf;

/// Creates the virtual environment `folder` with version `version` of `package`, unless it exists;
/// returns its Python. `index` is a second source of packages.
pub fn install(folder: &str, package: &str, version: &str, index: Option<&str>) -> Result<PathBuf> {
    let folder = scratch(folder);
    let python = folder.join("bin").join("python");
    let requirement = format!("{package}=={version}");
    if !succeeds(&mut program(&python, &["-m", "pip", "show", "--quiet", package])) {
        run(program("python3", &["-m", "venv"]).arg(&folder))
            .with_context(|| format!("{package} needs Python 3 with its venv module"))?;
    }
    let mut pip = program(&python, &["-m", "pip", "install", "--quiet", &requirement]);
    if let Some(index) = index {
        pip.args(["--extra-index-url", index]);
    }
    run(&mut pip).with_context(|| format!("{package} comes from PyPI and needs the network"))?;
    Ok(python)
}

/// The speed that a script prints as JSON: its `count` by its `seconds`.
pub fn per_second(text: &str) -> Result<f64> {
    let document: serde_json::Value = serde_json::from_str(text).context("not JSON")?;
    let number = |name: &str| document[name].as_f64().with_context(|| format!("no {name}: {text}"));
    Ok(number("count")? / number("seconds")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_output_of_a_script_is_read() {
        let text = "{\"game\": \"chess\", \"count\": 1200, \"seconds\": 2.0}\n";
        assert_eq!(per_second(text).unwrap(), 600.0);
        assert!(per_second("{}").is_err() && per_second("").is_err());
    }
}
