//! `minimax`: plain minimax to a fixed depth.

use crate::{
    PlayerRecipe, Recording, Resources, Roster, Traced, TracedChoice,
    common::evaluation::{EVAL, TextbookEval},
    roster::Handcrafted,
    settings::{self, integer, text},
};
use ludus_core::{
    Choice, History, Limits, OptionSpec, Options, Player, PlayerError, SearchControl, TextError,
};
use ludus_search::alphabeta::{Budget, Minimax, Trace};

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
        build: |options, resources| Ok(Box::new(MinimaxPlayer::new(options, resources)?)),
        build_traced: Some(|options, resources| {
            Ok(Box::new(MinimaxPlayer::new(options, resources)?))
        }),
    }
}

struct MinimaxPlayer<P: Roster> {
    evaluation: TextbookEval<Handcrafted<P>>,
    limits: Limits,
}

impl<P: Roster> MinimaxPlayer<P> {
    fn new(options: &Options, resources: &Resources) -> Result<MinimaxPlayer<P>, TextError> {
        let evaluation = TextbookEval::new::<P, P::Knowledge>(options, resources.seed);
        Ok(MinimaxPlayer { evaluation, limits: settings::limits(options)? })
    }

    fn search(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
        trace: Option<&mut Trace<P::Move>>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let limits = settings::merge_limits(&self.limits, limits);
        let depth = limits.depth.unwrap_or(DEFAULT_DEPTH);
        let mut budget = Budget::new(&limits, control.stop);
        let mut minimax = Minimax::new(&mut self.evaluation, &mut budget);
        if let Some(trace) = trace {
            minimax = minimax.with_trace(trace);
        }
        let report = minimax.search(game.last(), depth);
        let mv = *report.line.first().ok_or_else(|| PlayerError::failed("the game is over"))?;
        (control.on_report)(&report);
        Ok(Choice::play(mv, report))
    }
}

impl<P: Roster> Player<P> for MinimaxPlayer<P> {
    fn name(&self) -> &str {
        "minimax"
    }

    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        self.search(game, limits, control, None)
    }

    fn analyze(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let mut choice = self.search(game, limits, control, None)?;
        choice.report.rank_moves(lines);
        Ok(choice)
    }

    fn new_game(&mut self, seed: u64) {
        if self.evaluation.is_random() {
            self.evaluation = TextbookEval::random(seed);
        }
    }
}

impl<P: Roster> Traced<P> for MinimaxPlayer<P> {
    fn choose_traced(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
        size: usize,
    ) -> Result<TracedChoice<P::Move>, PlayerError> {
        let mut trace = Trace::new(size);
        let choice = self.search(game, limits, control, Some(&mut trace))?;
        Ok((choice, Recording::Visits(trace)))
    }
}
