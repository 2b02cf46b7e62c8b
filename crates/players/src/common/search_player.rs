//! The player by a search, whichever search it is.

use crate::{Traced, TracedChoice, settings};
use ludus_core::{
    Choice, Evaluator, History, LeafEvaluator, Limits, Player, PlayerError, Position, Report,
    SearchControl, SearchHints,
};
use ludus_search::{LimitedTrace, Search, SearchOutput, alphabeta::Searcher, mcts::Mcts};

/// A search that plays. A player overrides the methods in which it differs from the plain search.
pub trait PlayerSearch<P: Position>: Search<P> {
    /// Refuses games that it cannot search: those that are over, or played by rules it does not know.
    fn check(&self, game: &History<P>) -> Result<(), PlayerError> {
        check_not_over(game)
    }

    /// The limits of a search, given the player's own and the caller's where it has none.
    fn limits_of_move(&self, limits: Limits) -> Limits {
        limits
    }

    /// The decision by the report of a search: by default the first move of its line.
    fn decide(
        &self,
        _game: &History<P>,
        report: Report<P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        match report.line.first() {
            Some(&mv) => Ok(Choice::play(mv, report)),
            None => Err(PlayerError::failed("the search found no move")),
        }
    }
}

impl<P: Position, E: Evaluator<P> + Clone, H: SearchHints<P>> PlayerSearch<P>
    for Searcher<P, E, H>
{
}

impl<P: Position, G: LeafEvaluator<P>> PlayerSearch<P> for Mcts<P, G> {}

/// Refuses a game that is over on the board.
pub fn check_not_over<P: Position>(game: &History<P>) -> Result<(), PlayerError> {
    match game.last().outcome() {
        Some(_) => Err(PlayerError::failed("the game is over")),
        None => Ok(()),
    }
}

/// A player by a search.
pub struct SearchPlayer<S> {
    name: &'static str,
    limits: Limits,
    search: S,
}

impl<S> SearchPlayer<S> {
    /// The player of this name; its own `limits` override the caller's.
    pub fn new(name: &'static str, limits: Limits, search: S) -> SearchPlayer<S> {
        SearchPlayer { name, limits, search }
    }

    /// The search, with what it has learned.
    pub fn search(&self) -> &S {
        &self.search
    }

    /// The limits of a move in `game`, if it can be searched.
    fn prepare<P: Position>(
        &self,
        game: &History<P>,
        limits: &Limits,
    ) -> Result<Limits, PlayerError>
    where
        S: PlayerSearch<P>,
    {
        self.search.check(game)?;
        Ok(self.search.limits_of_move(settings::merge_limits(&self.limits, limits)))
    }
}

impl<P: Position, S: PlayerSearch<P>> Player<P> for SearchPlayer<S> {
    fn name(&self) -> &str {
        self.name
    }

    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        self.analyze(game, limits, 1, control)
    }

    fn analyze(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let limits = self.prepare(game, limits)?;
        let report = self.search.run(game, &limits, SearchOutput::Lines(lines), control);
        self.search.decide(game, report)
    }

    fn new_game(&mut self, seed: u64) {
        self.search.new_game(seed);
    }
}

impl<P: Position, S: PlayerSearch<P>> Traced<P> for SearchPlayer<S> {
    fn choose_traced(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
        size: usize,
    ) -> Result<TracedChoice<P::Move>, PlayerError> {
        let limits = self.prepare(game, limits)?;
        let mut trace = S::Trace::with_limit(size);
        let report = self.search.run(game, &limits, SearchOutput::Trace(&mut trace), control);
        Ok((self.search.decide(game, report)?, trace.into()))
    }
}
