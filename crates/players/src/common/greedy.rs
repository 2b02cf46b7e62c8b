//! `greedy`: the best move one ply ahead.

use super::random::{generator, pick};
use crate::{PlayerRecipe, Roster, roster::Handcrafted};
use ludus_core::{
    Choice, Evaluator, HasEval, History, Limits, MoveReport, Player, PlayerError, Random, Report,
    Score, SearchControl,
};

pub fn recipe<P: Roster>() -> PlayerRecipe<P> {
    PlayerRecipe {
        id: "greedy",
        about: "searches one ply with the game's handcrafted evaluation",
        options: &[],
        build_traced: None,
        build: |_, resources| {
            let random = generator("greedy", resources.seed);
            Ok(Box::new(Greedy { evaluation: P::Knowledge::handcrafted(), random }))
        },
    }
}

struct Greedy<P: Roster> {
    evaluation: Handcrafted<P>,
    random: Random,
}

impl<P: Roster> Greedy<P> {
    /// The score of `position` for the side that has just moved.
    fn score_reached(&mut self, position: &P) -> Score {
        match position.outcome() {
            Some(outcome) => -Score::terminal(outcome, position.turn(), 1),
            None => -self.evaluation.evaluate(position),
        }
    }
}

impl<P: Roster> Player<P> for Greedy<P> {
    fn name(&self) -> &str {
        "greedy"
    }

    fn analyze(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let mut choice = self.choose(game, limits, control)?;
        choice.report.rank_moves(lines);
        Ok(choice)
    }

    fn new_game(&mut self, seed: u64) {
        self.random = generator("greedy", seed);
    }

    fn choose(
        &mut self,
        game: &History<P>,
        _: &Limits,
        _: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let position = game.last();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let scored: Vec<(P::Move, Score)> =
            moves.iter().map(|&mv| (mv, self.score_reached(&position.after(mv)))).collect();
        let best = scored.iter().map(|&(_, score)| score).max();
        let equal: Vec<P::Move> =
            scored.iter().filter(|&&(_, score)| Some(score) == best).map(|&(mv, _)| mv).collect();
        let mv = pick(&mut self.random, &equal)?;
        let nodes = scored.len() as u64;
        let report = Report {
            score: best,
            depth: 1,
            nodes,
            leaves: nodes,
            line: vec![mv],
            moves: scored
                .into_iter()
                .map(|(mv, score)| MoveReport { mv, score: Some(score), visits: 0 })
                .collect(),
            ..Report::default()
        };
        Ok(Choice::play(mv, report))
    }
}
