//! The players of Reversi, and the solver of its endgames.

mod endgame_solver;

use crate::{
    Roster,
    roster::{Handcrafted, linear_eval},
};
use endgame_solver::ReversiEndgameSolver;
use ludus_core::{EndgameSolver, TextError};
use ludus_games::reversi::Reversi;
use ludus_knowledge::reversi::ReversiKnowledge;
use ludus_search::alphabeta::{Pruning, SearchParams, SearchSettings};

impl Roster for Reversi {
    type Knowledge = ReversiKnowledge;

    fn eval_from_weights(weights: &str) -> Result<Handcrafted<Self>, TextError> {
        linear_eval::<Self>(weights)
    }

    fn engine_settings() -> SearchSettings {
        let pruning = Pruning { late_move_reductions: true, futility: true, ..Pruning::OFF };
        let params = SearchParams { margin_scale: 400, ..SearchParams::DEFAULT };
        SearchSettings { pruning, params, ..SearchSettings::STRONG }
    }

    fn endgame_solver() -> Option<Box<dyn EndgameSolver<Self>>> {
        Some(Box::new(ReversiEndgameSolver::default()))
    }
}
