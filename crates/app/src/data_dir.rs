//! The data directory, with the user's games and ratings.

use crate::error::bad_input;
use ludus_arena::store::{Store, StoreError};
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Environment variable that names the data directory.
const DATA_DIR_VARIABLE: &str = "LUDUS_DATA";
/// Name of the store in it.
const STORE_FILE: &str = "ludus.sqlite";

/// Opens the store, creating it if necessary. `given` is the value of `--data-dir`.
pub fn open(given: Option<&Path>) -> anyhow::Result<Store> {
    open_file(&file(given)?)
}

/// Opens the store if it exists; reading commands do not create it.
pub fn open_existing(given: Option<&Path>) -> anyhow::Result<Option<Store>> {
    let file = file(given)?;
    match file.try_exists() {
        Ok(false) => Ok(None),
        Ok(true) => open_file(&file).map(Some),
        Err(error) => Err(bad_input(format!("cannot read {}: {error}", file.display()))),
    }
}

fn file(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    Ok(folder(given)?.join(STORE_FILE))
}

/// The data directory. `given` is the value of `--data-dir`.
pub fn folder(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    resolve(given, &|name| env::var_os(name), env::home_dir())
        .ok_or_else(|| bad_input("cannot find the data directory: expected --data-dir DIR"))
}

fn open_file(path: &Path) -> anyhow::Result<Store> {
    Store::open(path).map_err(store_error)
}

/// Maps unusable files to bad input, and other errors to failures.
pub fn store_error(error: StoreError) -> anyhow::Error {
    if error.is_file_error() { bad_input(error.to_string()) } else { error.into() }
}

/// The given directory, else the variable, else the one of the XDG Base Directory Specification.
fn resolve(
    given: Option<&Path>,
    variable: &dyn Fn(&str) -> Option<OsString>,
    home: Option<PathBuf>,
) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    given
        .map(Path::to_owned)
        .or_else(|| set(DATA_DIR_VARIABLE))
        // The specification requires relative paths to be ignored.
        .or_else(|| set("XDG_DATA_HOME").filter(|p| p.is_absolute()).map(|p| p.join("ludus")))
        .or_else(|| {
            home.filter(|home| home.is_absolute()).map(|home| home.join(".local/share/ludus"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_precede_variables_and_defaults() {
        let home = || Some(PathBuf::from("/home/me"));
        let found = |given: Option<&str>, variables: &[(&str, &str)]| {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| OsString::from(value))
            };
            resolve(given.map(Path::new), &variable, home()).unwrap()
        };
        let all = [("LUDUS_DATA", "data"), ("XDG_DATA_HOME", "/xdg")];
        assert_eq!(found(Some("here"), &all), Path::new("here"));
        assert_eq!(found(None, &all), Path::new("data"));
        assert_eq!(found(None, &all[1..]), Path::new("/xdg/ludus"));
        assert_eq!(found(None, &[("LUDUS_DATA", "")]), Path::new("/home/me/.local/share/ludus"));
        let relative = [("XDG_DATA_HOME", "xdg")];
        assert_eq!(found(None, &relative), Path::new("/home/me/.local/share/ludus"));
        assert_eq!(resolve(None, &|_| None, None), None);
    }
}
