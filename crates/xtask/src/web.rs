//! The types of the browser app, checked by the TypeScript compiler. Nothing of it is shipped: the pages
//! are the modules as they were written.

use crate::{
    command::{program, root, run, scratch, succeeds},
    report::{Report, Tally},
};
use anyhow::{Context, Result};
use std::fs;

/// The compiler the pages are checked with.
const TYPESCRIPT: &str = "typescript@7.0.2";

pub fn step(report: &mut Report) {
    if !succeeds(&mut program("npm", &["--version"])) {
        report.skip("types of the browser app (web/)", "npm is not installed");
        return;
    }
    report.step("tsc --project web/jsconfig.json", || check().map(|()| Tally::pass()));
}

fn check() -> Result<()> {
    let folder = scratch("typescript");
    let compiler = folder.join("node_modules").join("typescript").join("bin").join("tsc");
    if !compiler.is_file() {
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let mut install = program("npm", &["install", "--no-audit", "--no-fund", "--no-save"]);
        run(install.arg("--prefix").arg(&folder).arg(TYPESCRIPT))
            .context("the TypeScript compiler comes from the npm registry and needs the network")?;
    }
    run(program("node", &[])
        .arg(compiler)
        .arg("--project")
        .arg(root().join("web").join("jsconfig.json")))
}
