//! `cargo xtask playthroughs`: regenerates the golden playthroughs.

use crate::command::{self, cargo, program};
use anyhow::Result;

const FOLDER: &str = "crates/games/tests/playthroughs";

pub fn run() -> Result<()> {
    let mut tests = cargo(&["test", "--package", "ludus-games", "playthrough"]);
    command::run(tests.env("LUDUS_BLESS", "1"))?;
    println!("changed files, for review:");
    command::run(&mut program("git", &["status", "--short", "--", FOLDER]))
}
