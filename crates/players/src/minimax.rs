//! `minimax`: the textbook's first search, to a fixed depth.

use crate::{
    Recipe, Recording, Resources, Roster, Traced, TracedChoice,
    evaluation::{EVAL, Evaluation},
    settings::{self, text, whole},
};
use ludus_core::{
    Choice, HasEval, History, Limits, OptionSpec, Options, Player, PlayerError, TextError, Watch,
};
use ludus_search::alphabeta::{Budget, Minimax, Trace};

const OPTIONS: &[OptionSpec] = &[
    whole("depth", 100, "plies to look ahead; 0 leaves it to --depth, else 3"),
    EVAL,
    whole("nodes", i64::MAX, "positions to look at; 0 for no limit"),
    text("time", "", "time a move, such as 500ms"),
];

const DEFAULT_DEPTH: u32 = 3;

pub fn recipe<P: Roster>() -> Recipe<P> {
    Recipe {
        id: "minimax",
        about: "every line to a fixed depth, nothing pruned",
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(MinimaxPlayer::new(options, resources)?)),
        build_traced: Some(|options, resources| {
            Ok(Box::new(MinimaxPlayer::new(options, resources)?))
        }),
    }
}

struct MinimaxPlayer<P: HasEval> {
    evaluation: Evaluation<P::Hand>,
    limits: Limits,
}

impl<P: HasEval> MinimaxPlayer<P> {
    fn new(options: &Options, resources: &Resources) -> Result<MinimaxPlayer<P>, TextError> {
        let evaluation = Evaluation::new::<P>(options, resources.seed);
        Ok(MinimaxPlayer { evaluation, limits: settings::limits(options)? })
    }

    fn search(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
        trace: Option<&mut Trace<P::Move>>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let limits = settings::before(&self.limits, limits);
        let depth = limits.depth.unwrap_or(DEFAULT_DEPTH);
        let mut budget = Budget::new(&limits, watch.stop);
        let mut minimax = Minimax::new(&mut self.evaluation, &mut budget);
        if let Some(trace) = trace {
            minimax = minimax.recorded_by(trace);
        }
        let report = minimax.search(game.last(), depth);
        let mv = *report.line.first().ok_or_else(|| PlayerError::failed("the game is over"))?;
        (watch.on_report)(&report);
        Ok(Choice::play(mv, report))
    }
}

impl<P: HasEval> Player<P> for MinimaxPlayer<P> {
    fn name(&self) -> &str {
        "minimax"
    }

    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        self.search(game, limits, watch, None)
    }

    fn analyze(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let mut choice = self.search(game, limits, watch, None)?;
        choice.report.rank_moves(lines);
        Ok(choice)
    }

    fn new_game(&mut self, seed: u64) {
        if self.evaluation.is_random() {
            self.evaluation = Evaluation::random(seed);
        }
    }
}

impl<P: HasEval> Traced<P> for MinimaxPlayer<P> {
    fn choose_traced(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
        size: usize,
    ) -> Result<TracedChoice<P::Move>, PlayerError> {
        let mut trace = Trace::new(size);
        let choice = self.search(game, limits, watch, Some(&mut trace))?;
        Ok((choice, Recording::Visits(trace)))
    }
}
