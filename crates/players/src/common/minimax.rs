//! `minimax`: plain minimax to a fixed depth.

use crate::{
    PlayerRecipe, Resources, Roster,
    common::{
        evaluation::{EVAL, TextbookEval},
        search_player::{PlayerSearch, SearchPlayer},
    },
    roster::Handcrafted,
    settings::{self, integer, text},
};
use ludus_core::{
    Evaluator, History, Limits, OptionSpec, Options, Position, Report, SearchControl, TextError,
};
use ludus_search::{
    Recording, Search,
    alphabeta::{Budget, Minimax, Trace},
};

const OPTIONS: &[OptionSpec] = &[
    integer("depth", 100, "plies to search; 0 leaves it to --depth, else 3"),
    EVAL,
    integer("nodes", i64::MAX, "positions to search; 0 for no limit"),
    text("time", "", "time a move, such as 500ms"),
];

const DEFAULT_DEPTH: u32 = 3;

pub fn recipe<P: Roster>() -> PlayerRecipe<P> {
    PlayerRecipe {
        id: "minimax",
        about: "plain minimax to a fixed depth, nothing pruned",
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(build::<P>(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build::<P>(options, resources)?))),
    }
}

fn build<P: Roster>(
    options: &Options,
    resources: &Resources,
) -> Result<SearchPlayer<MinimaxSearch<Handcrafted<P>>>, TextError> {
    let evaluation = TextbookEval::new::<P, P::Knowledge>(options, resources.seed);
    Ok(SearchPlayer::new("minimax", settings::limits(options)?, MinimaxSearch { evaluation }))
}

/// Plain minimax, which keeps nothing between moves.
struct MinimaxSearch<E> {
    evaluation: TextbookEval<E>,
}

impl<E> MinimaxSearch<E> {
    fn run<P: Position>(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
        trace: Option<&mut Trace<P::Move>>,
    ) -> Report<P::Move>
    where
        TextbookEval<E>: Evaluator<P>,
    {
        let depth = limits.depth.unwrap_or(DEFAULT_DEPTH);
        let mut budget = Budget::new(limits, control.stop);
        let mut minimax = Minimax::new(&mut self.evaluation, &mut budget);
        if let Some(trace) = trace {
            minimax = minimax.with_trace(trace);
        }
        let report = minimax.search(game.last(), depth);
        (control.on_report)(&report);
        report
    }
}

impl<P: Position, E: Send> Search<P> for MinimaxSearch<E>
where
    TextbookEval<E>: Evaluator<P>,
{
    fn new_game(&mut self, seed: u64) {
        if self.evaluation.is_random() {
            self.evaluation = TextbookEval::random(seed);
        }
    }

    fn search(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Report<P::Move> {
        let mut report = self.run(game, limits, control, None);
        report.rank_moves(lines);
        report
    }

    fn trace(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        size: usize,
        control: &mut SearchControl<'_, P::Move>,
    ) -> (Report<P::Move>, Recording<P::Move>) {
        let mut trace = Trace::new(size);
        let report = self.run(game, limits, control, Some(&mut trace));
        (report, Recording::Visits(trace))
    }
}

impl<P: Position, E: Send> PlayerSearch<P> for MinimaxSearch<E> where TextbookEval<E>: Evaluator<P> {}
