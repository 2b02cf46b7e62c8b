//! Programs that some tests need and the build does not: external engines, a browser.

use crate::command::{program, run, succeeds};
use anyhow::{Result, bail};
use std::{env, path::PathBuf};

/// A Debian package that tests need.
pub struct Package {
    pub name: &'static str,
    /// The program it provides.
    pub binary: &'static str,
    /// The tests that need it.
    pub tests: &'static str,
}

/// Packages that tests use.
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
    Package { name: "nginx-light", binary: "nginx", tests: PROXY_TESTS },
    Package { name: "openssl", binary: "openssl", tests: PROXY_TESTS },
    Package { name: "chromium", binary: "chromium", tests: BROWSER_TESTS },
    Package { name: "chromium-driver", binary: "chromedriver", tests: BROWSER_TESTS },
    Package {
        name: "npm",
        binary: "npm",
        tests: "unit tests, format, lints and types of the browser app (web/)",
    },
];

const PROXY_TESTS: &str =
    "the server behind a proxy with TLS (crates/app/tests/it/server_proxy.rs)";
const BROWSER_TESTS: &str = "the app in a real browser (crates/app/tests/browser)";

/// Debian's folder for games, which is often not on the search path.
const GAMES_FOLDER: &str = "/usr/games";

/// Installs the missing packages of `needed`; if that fails, prints the reason and the tests that will be
/// skipped. The tests themselves record that they are skipped.
pub fn provide(needed: &[Package], install: impl Fn(&str) -> Result<()>) -> Vec<String> {
    let mut missing = Vec::new();
    for Package { name, binary, tests } in needed {
        if is_unwanted(binary) || is_installed(binary) {
            continue;
        }
        if let Err(error) = install(name) {
            let notice =
                format!("{binary} is not installed ({error:#}); skipped without it: {tests}");
            println!("{notice}");
            missing.push(notice);
        }
    }
    missing
}

/// Whether tests must treat the program as missing (`crates/test-support`).
fn is_unwanted(binary: &str) -> bool {
    let without = env::var("LUDUS_WITHOUT").unwrap_or_default();
    without.split(',').any(|name| name.trim() == binary)
}

/// Installs a package with apt, if possible.
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
    // A new machine has no package lists yet, so update them after a first failure.
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
        provide(&[SHELL, ENGINE], |name| {
            installed.borrow_mut().push(name.to_owned());
            Ok(())
        });
        assert_eq!(*installed.borrow(), ["engine"]);
    }

    #[test]
    fn tests_that_cannot_run_are_named() {
        let missing = provide(&[ENGINE], |_| bail!("there is no network"));
        let expected = "no-such-engine is not installed (there is no network); skipped without it: \
                        engine tests";
        assert_eq!(missing, [expected]);
    }
}
