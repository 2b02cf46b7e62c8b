//! Skipping of tests that need an external program, campaigns of faults ([`campaign`]), and full disks.
//!
//! Rust's test harness cannot skip a test at run time, so such a test passes. It appends its name to the
//! file named by `LUDUS_SKIPPED`, from which `cargo xtask test` counts it as skipped. Without that file
//! it reports on standard error.
//!
//! `LUDUS_WITHOUT=stockfish,gnugo` makes the tests treat these programs as missing.
#![forbid(unsafe_code)]

pub mod campaign;
#[cfg(target_os = "linux")]
pub mod full_disk;
pub mod power_cut;

use std::{
    env,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    process::Command,
};

/// The environment variable with the file of skipped tests, one `PACKAGE TEST: REASON` per line.
pub const SKIPPED: &str = "LUDUS_SKIPPED";

/// The environment variable with the programs to treat as missing, separated by commas.
pub const WITHOUT: &str = "LUDUS_WITHOUT";

/// Debian's folder for games, which is often not on the search path.
const GAMES_FOLDER: &str = "/usr/games";

/// The path of a program, on the search path or in Debian's folder for games.
pub fn find_program(name: &str) -> Option<PathBuf> {
    let without = env::var(WITHOUT).unwrap_or_default();
    if without.split(',').any(|missing| missing.trim() == name) {
        return None;
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&folders).chain([GAMES_FOLDER.into()]);
    folders.map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// The path of the program that the calling test needs; if missing, `None`, and the test is recorded as
/// skipped.
#[macro_export]
macro_rules! program_or_skip {
    ($name:expr) => {{
        let program = $crate::find_program($name);
        if program.is_none() {
            $crate::skip!("{} is not installed", $name);
        }
        program
    }};
}

/// Records the calling test as skipped, with the reason; the test then has to return.
#[macro_export]
macro_rules! skip {
    ($($reason:tt)*) => {{
        fn here() {}
        let test = ::std::any::type_name_of_val(&here);
        $crate::note_skipped(env!("CARGO_PKG_NAME"), test, &format!($($reason)*));
    }};
}

/// Runs the tests of the calling test program whose names begin with `prefix`, with `program` treated as
/// missing. Returns the tests that ran and the lines they recorded. None may fail.
pub fn run_without(program: &str, prefix: &str) -> (Vec<String>, Vec<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("skipped");
    let output = Command::new(env::current_exe().expect("this program has a path"))
        .args([prefix, "--test-threads=1"])
        .env(WITHOUT, program)
        .env(SKIPPED, &file)
        .output()
        .expect("this program starts again");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    let ran = |line: &str| Some(line.strip_prefix("test ")?.strip_suffix(" ... ok")?.to_owned());
    let noted = fs::read_to_string(&file).unwrap_or_default();
    (said.lines().filter_map(ran).collect(), noted.lines().map(String::from).collect())
}

/// Records a test as skipped. `test` is the type name of an item inside it.
pub fn note_skipped(package: &str, test: &str, reason: &str) {
    let line = format!("{package} {}: {reason}\n", test_name(test));
    match env::var_os(SKIPPED) {
        Some(file) => append(Path::new(&file), &line)
            .unwrap_or_else(|error| panic!("{SKIPPED}={}: {error}", file.display())),
        // Not `eprint!`, which the harness captures for tests that pass.
        None => write!(io::stderr(), "skipped: {line}").unwrap_or_default(),
    }
}

/// Appends in one write, so that lines of concurrent tests do not mix.
fn append(file: &Path, line: &str) -> io::Result<()> {
    OpenOptions::new().append(true).create(true).open(file)?.write_all(line.as_bytes())
}

/// `suite::plays` of `it::suite::plays::{{closure}}`.
fn test_name(type_name: &str) -> &str {
    let path = type_name.split_once("::").map_or(type_name, |(_program, path)| path);
    let path = path.strip_suffix("::here").unwrap_or(path);
    path.split("::{{closure}}").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_that_of_the_test() {
        assert_eq!(test_name("it::suite::plays::here"), "suite::plays");
        assert_eq!(test_name("browser::play::moves::{{closure}}"), "play::moves");
        assert_eq!(test_name("browser::play::moves::{{closure}}::here"), "play::moves");
        assert_eq!(test_name("plays"), "plays");
    }

    #[test]
    #[ignore = "started by the next test, in a process of its own"]
    fn a_test_that_needs_much() {
        assert!(find_program("no-such-program").is_none());
        if program_or_skip!("sh").is_some() {
            skip!("there is {}", "a shell");
        }
    }

    #[test]
    fn a_missing_program_is_noted_with_the_name_of_the_test() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("skipped");
        for without in ["", "other, sh"] {
            let output = Command::new(env::current_exe().unwrap())
                .args(["--ignored", "--exact", "tests::a_test_that_needs_much"])
                .env(SKIPPED, &file)
                .env(WITHOUT, without)
                .output()
                .unwrap();
            assert!(output.status.success());
        }
        let noted = fs::read_to_string(&file).unwrap();
        let expected = "ludus-test-support tests::a_test_that_needs_much: there is a shell\n\
                        ludus-test-support tests::a_test_that_needs_much: sh is not installed\n";
        assert_eq!(noted, expected);
    }
}
