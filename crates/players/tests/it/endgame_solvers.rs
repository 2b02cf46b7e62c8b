//! The conformance kit on the solvers that take over near the end of a game.

use ludus_core::{
    EndgameSolver, History, Limits, Report, Score, SearchControl, conformance::check_endgame_solver,
};
use ludus_games::reversi::Reversi;
use ludus_players::Roster;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn solver() -> Box<dyn EndgameSolver<Reversi>> {
    Reversi::endgame_solver().expect("Reversi has a solver")
}

#[test]
fn the_solver_of_reversi_agrees_with_a_plain_search() {
    let solved = check_endgame_solver::<Reversi>("reversi", 40, 6, &mut *solver());
    assert!(solved > 200, "only {solved} positions are solved");
}

type Fault = fn(&mut Report<u8>);

/// A sound solver whose reports are then changed.
struct Faulty {
    solver: Box<dyn EndgameSolver<Reversi>>,
    fault: Fault,
}

impl EndgameSolver<Reversi> for Faulty {
    fn solve(
        &mut self,
        game: &History<Reversi>,
        limits: &Limits,
        control: &mut SearchControl<'_, u8>,
    ) -> Option<Report<u8>> {
        let mut report = self.solver.solve(game, limits, control)?;
        (self.fault)(&mut report);
        Some(report)
    }

    fn solve_moves(
        &mut self,
        game: &History<Reversi>,
        limits: &Limits,
        control: &mut SearchControl<'_, u8>,
    ) -> Option<Report<u8>> {
        let mut report = self.solver.solve_moves(game, limits, control)?;
        (self.fault)(&mut report);
        Some(report)
    }

    fn new_game(&mut self) {
        self.solver.new_game();
    }
}

#[test]
fn faults_of_a_solver_are_found() {
    let faults: [(Fault, &str); 6] = [
        (|report| report.score = None, "must prove its value"),
        (|report| report.score = report.score.map(|score| Score(-score.0)), "score Score("),
        (|report| report.margin.iter_mut().for_each(|margin| margin.total += 2.0), "the margin"),
        (|report| report.line.truncate(report.line.len() - 1), "gives away value"),
        (|report| report.moves.reverse(), "in the order of the game"),
        (|report| report.lines.reverse(), "the best first"),
    ];
    for (fault, expected) in faults {
        let mut faulty = Faulty { solver: solver(), fault };
        let check = || check_endgame_solver::<Reversi>("reversi", 10, 6, &mut faulty);
        let panic = catch_unwind(AssertUnwindSafe(check)).expect_err("the fault must be found");
        let message = panic.downcast::<String>().expect("a message with the position");
        assert!(message.contains(expected), "{expected:?}: {message}");
    }
}
