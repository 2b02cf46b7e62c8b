//! Where the user's games and ratings are.

use crate::error::bad_input;
use ludus_arena::store::{Store, StoreError};
use std::{
    env,
    ffi::OsString,
    path::{Path, PathBuf},
};

/// Names the data directory.
const VARIABLE: &str = "LUDUS_DATA";
/// The file of games in it.
const FILE: &str = "ludus.sqlite";

/// Opens the file of games, which is made if there is none. `given` is what `--data-dir` says.
pub fn open(given: Option<&Path>) -> anyhow::Result<Store> {
    open_file(&file(given)?)
}

/// Opens the file of games if there is one: to look for games makes no file.
pub fn open_existing(given: Option<&Path>) -> anyhow::Result<Option<Store>> {
    let file = file(given)?;
    match file.try_exists() {
        Ok(false) => Ok(None),
        Ok(true) => open_file(&file).map(Some),
        Err(error) => Err(bad_input(format!("cannot read {}: {error}", file.display()))),
    }
}

fn file(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    Ok(folder(given)?.join(FILE))
}

/// The data directory. `given` is what `--data-dir` says.
pub fn folder(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    nearest(given, &|name| env::var_os(name), env::home_dir())
        .ok_or_else(|| bad_input("where is your data directory? expected --data-dir DIR"))
}

fn open_file(path: &Path) -> anyhow::Result<Store> {
    Store::open(path).map_err(in_words)
}

/// A file that is no use is the user's mistake, a full disk is not.
pub fn in_words(error: StoreError) -> anyhow::Error {
    if error.is_about_the_file() { bad_input(error.to_string()) } else { error.into() }
}

/// What is given, else the variable, else the place the XDG Base Directory Specification names.
fn nearest(
    given: Option<&Path>,
    variable: &dyn Fn(&str) -> Option<OsString>,
    home: Option<PathBuf>,
) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    given
        .map(Path::to_owned)
        .or_else(|| set(VARIABLE))
        // The specification says to ignore relative paths.
        .or_else(|| set("XDG_DATA_HOME").filter(|p| p.is_absolute()).map(|p| p.join("ludus")))
        .or_else(|| {
            home.filter(|home| home.is_absolute()).map(|home| home.join(".local/share/ludus"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_counts() {
        let home = || Some(PathBuf::from("/home/me"));
        let found = |given: Option<&str>, variables: &[(&str, &str)]| {
            let variable = |name: &str| {
                let found = variables.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| OsString::from(value))
            };
            nearest(given.map(Path::new), &variable, home()).unwrap()
        };
        let all = [("LUDUS_DATA", "data"), ("XDG_DATA_HOME", "/xdg")];
        assert_eq!(found(Some("here"), &all), Path::new("here"));
        assert_eq!(found(None, &all), Path::new("data"));
        assert_eq!(found(None, &all[1..]), Path::new("/xdg/ludus"));
        assert_eq!(found(None, &[("LUDUS_DATA", "")]), Path::new("/home/me/.local/share/ludus"));
        let relative = [("XDG_DATA_HOME", "xdg")];
        assert_eq!(found(None, &relative), Path::new("/home/me/.local/share/ludus"));
        assert_eq!(nearest(None, &|_| None, None), None);
    }
}
