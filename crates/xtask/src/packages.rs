//! Programs some tests need and the build does not: other people's engines, a browser.

use crate::{
    command::{program, run, succeeds},
    report::Report,
};
use anyhow::{Result, bail};
use std::{env, path::PathBuf};

/// A Debian package that tests need.
pub struct Package {
    pub name: &'static str,
    /// The program it brings.
    pub binary: &'static str,
    /// The tests that look for the program and do nothing without it.
    pub tests: &'static str,
}

/// What the tests use beyond Rust.
pub const NEEDED: &[Package] = &[
    Package {
        name: "stockfish",
        binary: "stockfish",
        tests: "chess games against Stockfish (crates/players/tests/it/uci_stockfish.rs)",
    },
    Package {
        name: "gnugo",
        binary: "gnugo",
        tests: "Go games against and beside GNU Go (crates/players/tests/it/gtp_gnugo.rs, \
                crates/app/tests/it/gtp_agreement.rs)",
    },
    Package { name: "chromium", binary: "chromium", tests: BROWSER_TESTS },
    Package { name: "chromium-driver", binary: "chromedriver", tests: BROWSER_TESTS },
    Package {
        name: "npm",
        binary: "npm",
        tests: "types of the browser app (web/), checked by the TypeScript compiler",
    },
];

const BROWSER_TESTS: &str = "the app in a real browser (crates/app/tests/browser)";

/// Where Debian puts engines; not on everybody's search path.
const GAMES_FOLDER: &str = "/usr/games";

/// Sees to it that every package of `needed` is there, and says which tests cannot run without.
pub fn provide(needed: &[Package], report: &mut Report, install: impl Fn(&str) -> Result<()>) {
    for Package { name, binary, tests } in needed {
        if is_installed(binary) {
            continue;
        }
        if let Err(error) = install(name) {
            report.skip(format!("{tests}: {binary} is missing, and {error:#}"));
        }
    }
}

/// Installs a package with apt, where that is possible.
pub fn apt_install(name: &str) -> Result<()> {
    if !is_installed("apt-get") {
        bail!("there is no apt-get to install {name} with");
    }
    let install = ["install", "--yes", "--no-install-recommends", name];
    let apt = |arguments: &[&str]| {
        let mut command = program("apt-get", arguments);
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    // A fresh machine has no package lists yet, so a first failure is not the last word.
    if succeeds(&mut apt(&install)) {
        return Ok(());
    }
    if !succeeds(&mut apt(&["update"])) {
        bail!("apt-get cannot update its lists (not root, or no network)");
    }
    run(&mut apt(&install))
}

fn is_installed(binary: &str) -> bool {
    let folders = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&folders).collect();
    folders.push(PathBuf::from(GAMES_FOLDER));
    folders.iter().any(|folder| folder.join(binary).is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    const SHELL: Package = Package { name: "dash", binary: "sh", tests: "shell tests" };
    const ENGINE: Package =
        Package { name: "engine", binary: "no-such-engine", tests: "engine tests" };

    #[test]
    fn only_missing_packages_are_installed() {
        let installed = RefCell::new(Vec::new());
        provide(&[SHELL, ENGINE], &mut Report::default(), |name| {
            installed.borrow_mut().push(name.to_owned());
            Ok(())
        });
        assert_eq!(*installed.borrow(), ["engine"]);
    }

    #[test]
    fn tests_that_cannot_run_are_named() {
        let mut report = Report::default();
        provide(&[ENGINE], &mut report, |_| bail!("there is no network"));
        let expected = "engine tests: no-such-engine is missing, and there is no network";
        assert_eq!(report.skipped(), [expected]);
    }
}
