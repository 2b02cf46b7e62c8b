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
    Search, SearchOutput,
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

impl<P: Position, E: Send> Search<P> for MinimaxSearch<E>
where
    TextbookEval<E>: Evaluator<P>,
{
    type Trace = Trace<P::Move>;

    fn new_game(&mut self, seed: u64) {
        if self.evaluation.is_random() {
            self.evaluation = TextbookEval::random(seed);
        }
    }

    fn run(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        output: SearchOutput<'_, Trace<P::Move>>,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Report<P::Move> {
        let depth = limits.depth.unwrap_or(DEFAULT_DEPTH);
        let mut budget = Budget::new(limits, control.stop);
        let mut minimax = Minimax::new(&mut self.evaluation, &mut budget);
        let (lines, trace) = output.split();
        let recorded = trace.is_some();
        if let Some(trace) = trace {
            minimax = minimax.with_trace(trace);
        }
        let mut report = minimax.search(game.last(), depth);
        (control.on_report)(&report);
        if !recorded {
            report.rank_moves(lines);
        }
        report
    }
}

impl<P: Position, E: Send> PlayerSearch<P> for MinimaxSearch<E> where TextbookEval<E>: Evaluator<P> {}
