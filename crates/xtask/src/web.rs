//! Checks of the browser app (`web/`): formatter and linter, types, unit tests. Nothing of their tools is
//! shipped: the pages are the modules as they were written.

use crate::{
    command::{cargo, output, program, root, run, succeeds},
    report::{TestCounts, TestReport},
};
use anyhow::{Context, Result};
use std::{fs, path::PathBuf, process::Command};

/// Adds the steps of the browser app, or notes what is skipped without node and npm.
pub fn steps(report: &mut TestReport) {
    if !succeeds(&mut program("node", &["--version"])) {
        for what in ["unit tests", "format and lints", "types"] {
            report.skip(&format!("{what} of the browser app (web/)"), "node is not installed");
        }
        return;
    }
    report.step("node --test web/tests", unit_tests);
    if !succeeds(&mut program("npm", &["--version"])) {
        for what in ["format and lints", "types"] {
            report.skip(&format!("{what} of the browser app (web/)"), "npm is not installed");
        }
        return;
    }
    if report.step("npm ci (web/)", || install().map(|()| TestCounts::default())) {
        let check = ["check", "--error-on-warnings", "."];
        report.step("biome check (web/)", || tool("@biomejs/biome/bin/biome", &check));
        report.step("tsc (web/)", || tool("typescript/bin/tsc", &["--project", "jsconfig.json"]));
    }
}

/// Writes `web/types.d.ts`: the types of the API, from its OpenAPI description.
pub fn types() -> Result<()> {
    let mut test = cargo(&["test", "--package", "ludus-app", "--lib", "typescript"]);
    run(test.env("LUDUS_BLESS", "1"))
}

fn folder() -> PathBuf {
    root().join("web")
}

fn node(arguments: &[&str]) -> Command {
    let mut command = program("node", arguments);
    command.current_dir(folder());
    command
}

/// Unit tests of the modules that need no browser.
fn unit_tests() -> Result<TestCounts> {
    let mut names: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder().join("tests")).context("cannot list web/tests")? {
        names.push(entry?.path());
    }
    names.sort();
    let output = node(&["--test", "--test-reporter=tap"]).args(names).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let counts = counts(&text);
    if counts.failed > 0 || !output.status.success() {
        println!("{text}{}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(if output.status.success() {
        counts
    } else {
        TestCounts { failed: counts.failed.max(1), ..counts }
    })
}

/// Counts from the closing lines of a TAP report: `# pass 3`, `# fail 0`.
fn counts(tap: &str) -> TestCounts {
    let count = |name: &str| {
        let line = tap.lines().rev().find_map(|line| line.strip_prefix(&format!("# {name} ")));
        line.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
    };
    TestCounts { passed: count("pass"), failed: count("fail"), ..TestCounts::default() }
}

/// Installs the tools of `web/package-lock.json`, unless they are there.
fn install() -> Result<()> {
    let lock = fs::read(folder().join("package-lock.json")).context("web/package-lock.json")?;
    let installed = folder().join("node_modules").join(".installed-lock.json");
    if fs::read(&installed).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let mut install = program("npm", &["ci", "--no-audit", "--no-fund"]);
    output(install.current_dir(folder()))
        .context("the tools come from the npm registry and need the network")?;
    fs::write(&installed, lock).with_context(|| format!("cannot write {}", installed.display()))
}

/// Runs an installed tool, which must succeed.
fn tool(script: &str, arguments: &[&str]) -> Result<TestCounts> {
    let script = folder().join("node_modules").join(script);
    run(node(&[]).arg(script).args(arguments)).map(|()| TestCounts::pass())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_counts_come_from_the_closing_lines() {
        let tap = "ok 1 - # fail 7 is a name\n1..3\n# tests 3\n# pass 2\n# fail 1\n# skipped 0\n";
        assert_eq!(counts(tap), TestCounts { passed: 2, failed: 1, ..TestCounts::default() });
        assert_eq!(counts(""), TestCounts::default());
    }
}
