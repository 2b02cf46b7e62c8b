//! `study-cnn`: the best value of a convolutional network one ply ahead, as in a 2021 study of chess algorithms.

use super::{
    study_minimax::{TURN, WEIGHTS},
    study_models::{self, CnnModel},
    study_values::CnnValues,
};
use crate::{PlayerRecipe, common::search_player::check_not_over, settings::switch};
use ludus_core::{
    Choice, History, Limits, MoveReport, OptionSpec, Options, Player, PlayerError, Position,
    Report, Score, SearchControl, Side,
};
use ludus_games::chess::{Chess, Move};
use ludus_search::plain::Values;
use std::sync::Arc;

pub const ID: &str = "study-cnn";

const OPTIONS: &[OptionSpec] = &[
    WEIGHTS,
    TURN,
    switch(
        "terminal",
        "off",
        "knows mates and draws; off, as published, leaves them to the network",
    ),
];

pub fn recipe() -> PlayerRecipe<Chess> {
    PlayerRecipe {
        id: ID,
        about: "study of 2021: the best value of a convolutional network one ply ahead",
        options: OPTIONS,
        build: |options, _| Ok(Box::new(build(options)?)),
        build_traced: None,
    }
}

fn build(options: &Options) -> Result<StudyCnn, PlayerError> {
    let model = model_of(options)?;
    Ok(StudyCnn { values: CnnValues::new(&model), terminal: options.switch("terminal") })
}

fn model_of(options: &Options) -> Result<Arc<CnnModel>, PlayerError> {
    study_models::cnn(ID, options.text("weights"), options.switch("turn"))
}

/// The network of the player of this spec, such as `study-cnn:turn=on`.
///
/// # Errors
/// If the options are wrong or the network is missing.
pub fn model(spec: &str) -> Result<Arc<CnnModel>, PlayerError> {
    model_of(&Options::parse(spec, OPTIONS)?)
}

struct StudyCnn {
    values: CnnValues,
    terminal: bool,
}

impl StudyCnn {
    /// The value for White of the position after each of `moves`.
    fn values_after(&mut self, position: &Chess, moves: &[Move]) -> Vec<f64> {
        let after: Vec<Chess> = moves.iter().map(|&mv| position.after(mv)).collect();
        let mut values = Vec::with_capacity(after.len());
        self.values.clear();
        self.values.evaluate(&after, &mut values);
        if self.terminal {
            for (value, position) in values.iter_mut().zip(&after) {
                *value = self.values.ending(position).unwrap_or(*value);
            }
        }
        values
    }
}

/// The number of the first of the best values for `side`.
fn first_best(values: &[f64], side: Side) -> Option<usize> {
    let worth = |index: usize| values[index] * f64::from(side.sign());
    (0..values.len()).reduce(|best, index| if worth(index) > worth(best) { index } else { best })
}

impl Player<Chess> for StudyCnn {
    fn name(&self) -> &str {
        ID
    }

    fn choose(
        &mut self,
        game: &History<Chess>,
        _: &Limits,
        _: &mut SearchControl<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        check_not_over(game)?;
        let (position, mut moves) = (game.last(), Vec::new());
        position.legal_moves(&mut moves);
        let values = self.values_after(position, &moves);
        let side = position.turn();
        let best = first_best(&values, side).ok_or_else(|| PlayerError::failed("no legal move"))?;
        let score = |value: f64| match CnnValues::score_of(value) {
            // A mate is one ply away.
            Score(score) if Score(score).win_in().is_some() => {
                Score(score.signum() * (Score::WIN.0 - 1) * side.sign())
            }
            Score(score) => Score(score * side.sign()),
        };
        let entries = moves.iter().zip(&values);
        let nodes = moves.len() as u64;
        let report = Report {
            score: Some(score(values[best])),
            depth: 1,
            nodes,
            leaves: nodes,
            line: vec![moves[best]],
            moves: entries
                .map(|(&mv, &value)| MoveReport { mv, score: Some(score(value)), visits: 0 })
                .collect(),
            ..Report::default()
        };
        Ok(Choice::play(moves[best], report))
    }

    fn analyze(
        &mut self,
        game: &History<Chess>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        let mut choice = self.choose(game, limits, control)?;
        choice.report.rank_moves(lines);
        Ok(choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Resources, chess::study_models::tests::random_files};
    use ludus_core::{Action, Notation};
    use std::sync::atomic::AtomicBool;

    #[test]
    fn the_first_of_the_best_values_is_chosen() {
        assert_eq!(first_best(&[0.2, 0.7, 0.7, 0.1, 0.1], Side::First), Some(1));
        assert_eq!(first_best(&[0.2, 0.7, 0.7, 0.1, 0.1], Side::Second), Some(3));
        assert_eq!(first_best(&[], Side::First), None);
    }

    fn choose(spec: &str, fen: &str) -> (String, Report<Move>) {
        let stop = AtomicBool::new(false);
        let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
        let mut player = crate::build_player::<Chess>(spec, &Resources::default()).unwrap();
        let position = Chess::parse(&Options::defaults(Chess::ID, Chess::OPTIONS), fen).unwrap();
        let game = History::new(position.clone());
        let choice = player.choose(&game, &Limits::default(), &mut control).unwrap();
        let Action::Play(mv) = choice.action else { panic!("it plays on") };
        (position.move_text(mv), choice.report)
    }

    #[test]
    fn an_untrained_network_knows_mate_only_where_it_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let [net, _] = random_files(&folder, false);
        let spec = format!("study-cnn:weights={}", net.display());
        let white = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
        let black = "3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1";
        for (fen, mate) in [(white, "d1d8"), (black, "d8d1")] {
            let (mv, report) = choose(&format!("{spec},terminal=on"), fen);
            assert_eq!((&mv[..], report.score), (mate, Some(Score(Score::WIN.0 - 1))));
            let (mv, report) = choose(&spec, fen);
            let best = report.moves.iter().map(|entry| entry.score).max().unwrap();
            assert_eq!(report.score, best, "{mv}");
            assert!(report.moves.iter().all(|entry| entry.score.unwrap().win_in().is_none()));
        }
    }
}
