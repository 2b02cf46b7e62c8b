//! `cargo xtask peers`: random playouts and simulations per second beside OpenSpiel's.
//!
//! Both play uniformly random games from the start of each game, on one thread: first alone, then as
//! the leaves of a tree search. They alternate, so that both run under the same conditions, and each
//! keeps its best round.

mod ludus;
mod open_spiel;
mod table;

use crate::command;
use anyhow::{Context, Result, bail};
use std::{fs, path::Path};

/// Measurements per program and game.
const ROUNDS: usize = 3;

/// Duration of one measurement in seconds.
const MEASUREMENT_SECONDS: u32 = 2;

/// Measured quantity.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Measure {
    /// Random games.
    Playouts,
    /// Simulations of a tree search with one random game each.
    Simulations,
}

/// One game under the names of both programs.
struct Game {
    open_spiel: &'static str,
    ludus: &'static str,
    /// Required speed ratio.
    wanted: f64,
}

/// All games of Ludus except Split-Nim, which OpenSpiel does not have.
const GAMES: &[Game] = &[
    Game { open_spiel: "tic_tac_toe", ludus: "tictactoe", wanted: 3.0 },
    Game { open_spiel: "connect_four", ludus: "connect4", wanted: 10.0 },
    Game { open_spiel: "othello", ludus: "reversi", wanted: 10.0 },
    Game { open_spiel: "checkers", ludus: "draughts", wanted: 10.0 },
    Game { open_spiel: "chess", ludus: "chess", wanted: 10.0 },
    Game { open_spiel: "go(board_size=9)", ludus: "go:size=9", wanted: 10.0 },
    Game { open_spiel: "go(board_size=19)", ludus: "go:size=19", wanted: 10.0 },
];

/// Playouts or simulations per second.
struct Comparison<'a> {
    game: &'a Game,
    open_spiel: f64,
    ludus: f64,
}

impl Comparison<'_> {
    fn ratio(&self) -> f64 {
        self.ludus / self.open_spiel
    }

    fn is_met(&self) -> bool {
        self.ratio() >= self.game.wanted
    }
}

pub fn run(markdown: Option<&Path>) -> Result<()> {
    let peer = open_spiel::OpenSpiel::install()?;
    command::run(&mut command::cargo(&["build", "--release", "--package", "ludus-app"]))?;
    let (mut text, mut missed) = (String::new(), Vec::new());
    for measure in [Measure::Playouts, Measure::Simulations] {
        let mut comparisons = Vec::new();
        for game in GAMES {
            comparisons.push(compare(measure, game, &peer)?);
        }
        print!("\n{measure:?}\n{}", table::plain(&comparisons));
        text += &table::markdown(measure, &comparisons);
        let slow = comparisons.iter().filter(|comparison| !comparison.is_met());
        missed.extend(slow.map(|slow| format!("{measure:?} of {}", slow.game.ludus)));
    }
    if let Some(path) = markdown {
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    if !missed.is_empty() {
        bail!("slower than wanted: {}", missed.join(", "));
    }
    Ok(())
}

fn compare<'a>(
    measure: Measure,
    game: &'a Game,
    peer: &open_spiel::OpenSpiel,
) -> Result<Comparison<'a>> {
    let mut best = Comparison { game, open_spiel: 0.0, ludus: 0.0 };
    for round in 1..=ROUNDS {
        let theirs = peer.speed(measure, game.open_spiel, MEASUREMENT_SECONDS)?;
        let ours = ludus::speed(measure, game.ludus, MEASUREMENT_SECONDS)?;
        println!(
            "{measure:?} of {} round {round}: OpenSpiel {theirs:.0}/s, Ludus {ours:.0}/s",
            game.ludus
        );
        best.open_spiel = best.open_spiel.max(theirs);
        best.ludus = best.ludus.max(ours);
    }
    Ok(best)
}
