//! Exact solvers that take over from the search when a game nears its end.

use ludus_core::{History, Limits, Margin, Position, Report, Score, Side, Watch};
use ludus_engine::search::Allowance;
use ludus_games::reversi::{
    Reversi,
    endgame::{EndgameSolver, Window},
};
use std::time::{Duration, Instant};

/// Something that can play the end of a game perfectly.
pub trait Finisher<P: Position>: Send {
    /// The proven value of the last position of `game` and the line to the end, if that can be had
    /// within a share of the limits.
    fn finish(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Option<Report<P::Move>>;

    /// Forgets the game before.
    fn new_game(&mut self);
}

/// The endgame solver of Reversi.
#[derive(Default)]
pub struct ReversiFinisher {
    /// Made when first needed: it takes memory.
    solver: Option<EndgameSolver>,
}

const TABLE_BYTES: usize = 64 << 20;

/// What a position with twenty empty squares takes, about; each further square takes so much more.
const NODES_AT_TWENTY: f64 = 7e6;
const NODES_A_SECOND: f64 = 30e6;
const GROWTH: f64 = 2.6;

impl ReversiFinisher {
    /// How many positions may be looked at.
    fn allowed(limits: &Limits) -> f64 {
        let hard = Allowance::of(limits)
            .hard
            .map_or(f64::INFINITY, |hard| hard.as_secs_f64() * NODES_A_SECOND / 2.0);
        limits.nodes.map_or(hard, |nodes| hard.min(nodes as f64))
    }
}

impl Finisher<Reversi> for ReversiFinisher {
    fn finish(
        &mut self,
        game: &History<Reversi>,
        limits: &Limits,
        watch: &mut Watch<'_, u8>,
    ) -> Option<Report<u8>> {
        let position = game.last();
        let expected = NODES_AT_TWENTY * GROWTH.powi(position.empty_squares() as i32 - 20);
        let allowed = ReversiFinisher::allowed(limits);
        if limits.depth.is_some() || expected > allowed.min(60.0 * NODES_A_SECOND) {
            return None;
        }
        let started = Instant::now();
        let half = Allowance::of(limits).hard.map_or(Duration::MAX, |hard| hard / 2);
        let solver = self.solver.get_or_insert_with(|| EndgameSolver::new(TABLE_BYTES));
        let solved = solver.solve(position, Window::EXACT, &mut |nodes| {
            watch.stopped() || started.elapsed() >= half || nodes as f64 >= allowed
        })?;
        let plies = solved.line.len() as i32;
        let score = match solved.margin.signum() {
            0 => Score::DRAW,
            sign => Score(sign * (Score::WIN.0 - plies)),
        };
        let first = if position.turn() == Side::First { solved.margin } else { -solved.margin };
        let discs = first as f32;
        Some(Report {
            score: Some(score),
            margin: Some(Margin { board: discs, total: discs }),
            depth: plies as u32,
            nodes: solved.nodes,
            leaves: solved.nodes,
            line: solved.line,
            ..Report::default()
        })
    }

    fn new_game(&mut self) {
        if let Some(solver) = &mut self.solver {
            solver.clear();
        }
    }
}
