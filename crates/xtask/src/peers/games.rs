//! Random playouts and simulations beside OpenSpiel's.

use super::{
    Comparison, Findings, MEASUREMENT_SECONDS, ROUNDS, ludus,
    open_spiel::{self, OpenSpiel},
};
use anyhow::Result;

/// Measured quantity.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PeerMeasure {
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

pub fn compare(findings: &mut Findings) -> Result<()> {
    let peer = OpenSpiel::install()?;
    for measure in [PeerMeasure::Playouts, PeerMeasure::Simulations] {
        let compare = |game: &Game| {
            let theirs = || peer.speed(measure, game.open_spiel, MEASUREMENT_SECONDS);
            let ours = || ludus::speed(measure, game.ludus, MEASUREMENT_SECONDS);
            Comparison::measure(game.ludus, game.wanted, "OpenSpiel", theirs, ours)
        };
        let comparisons = GAMES.iter().map(compare).collect::<Result<Vec<_>>>()?;
        let title = format!("{measure:?}");
        findings.add(&title, &about(measure), "game", "OpenSpiel", &comparisons);
    }
    Ok(())
}

fn about(measure: PeerMeasure) -> String {
    let (what, theirs, ours) = match measure {
        PeerMeasure::Playouts => ("Random playouts", "RandomRolloutEvaluator", "ludus bench"),
        PeerMeasure::Simulations => ("Simulations of a tree search", "MCTSBot", "mcts"),
    };
    format!(
        "{what} per second, one thread, OpenSpiel {} (`{theirs}`) and Ludus (`{ours}`)\ntaking turns, \
         the best of {ROUNDS} rounds of {MEASUREMENT_SECONDS} s each.",
        open_spiel::VERSION
    )
}
