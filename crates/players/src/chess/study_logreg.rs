//! `study-logreg`: the move that a logistic regression finds likeliest to be the winner's, as in a 2021 study of chess
//! algorithms. Its published features make the choice independent of the board but for the legal moves.

use super::{study_minimax::WEIGHTS, study_models};
use crate::{PlayerRecipe, common::search_player::check_not_over, settings::switch};
use ludus_core::{
    Choice, History, Limits, MoveReport, OptionSpec, Options, Player, PlayerError, Position,
    Report, SearchControl,
};
use ludus_games::chess::{Chess, Move};
use ludus_knowledge::chess::StudyMoveModel;
use std::{cmp::Reverse, sync::Arc};

pub const ID: &str = "study-logreg";

const OPTIONS: &[OptionSpec] = &[
    WEIGHTS,
    switch(
        "interactions",
        "off",
        "features of the piece moved with its squares and the piece it captures",
    ),
];

pub fn recipe() -> PlayerRecipe<Chess> {
    PlayerRecipe {
        id: ID,
        about: "study of 2021: logistic regression of the winner's moves on squares",
        options: OPTIONS,
        build: |options, _| Ok(Box::new(build(options)?)),
        build_traced: None,
    }
}

fn build(options: &Options) -> Result<StudyLogReg, PlayerError> {
    Ok(StudyLogReg { model: model_of(options)? })
}

fn model_of(options: &Options) -> Result<Arc<StudyMoveModel>, PlayerError> {
    study_models::moves(ID, options.text("weights"), options.switch("interactions"))
}

/// The model of the player of this spec, such as `study-logreg:interactions=on`.
///
/// # Errors
/// If the options are wrong or the weights are missing.
pub fn model(spec: &str) -> Result<Arc<StudyMoveModel>, PlayerError> {
    model_of(&Options::parse(spec, OPTIONS)?)
}

struct StudyLogReg {
    model: Arc<StudyMoveModel>,
}

/// The legal moves with their logits, likeliest first; of promotions on the same squares the queen, else the first.
pub fn ranked_moves(model: &StudyMoveModel, position: &Chess) -> Vec<(Move, f64)> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    // Promotions on the same squares follow each other; a stable sort keeps the order of equal logits.
    for promotions in moves.chunk_by_mut(|one, other| (one.from, one.to) == (other.from, other.to))
    {
        promotions.sort_by_key(|mv| Reverse(mv.promotion));
    }
    let mut ranked: Vec<(Move, f64)> =
        moves.into_iter().map(|mv| (mv, model.move_logit(position, mv))).collect();
    ranked.sort_by(|one, other| other.1.total_cmp(&one.1));
    ranked
}

impl Player<Chess> for StudyLogReg {
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
        let ranked = ranked_moves(&self.model, game.last());
        let Some(&(best, _)) = ranked.first() else {
            return Err(PlayerError::failed("no legal move"));
        };
        let report = Report {
            nodes: ranked.len() as u64,
            line: vec![best],
            moves: ranked
                .iter()
                .map(|&(mv, _)| MoveReport { mv, score: None, visits: 0 })
                .collect(),
            ..Report::default()
        };
        Ok(Choice::play(best, report))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Resources, chess::study_models::tests::random_files};
    use ludus_core::{Action, Notation, Random};
    use std::sync::atomic::AtomicBool;

    fn player(spec: &str) -> Box<dyn Player<Chess>> {
        crate::build_player::<Chess>(spec, &Resources::default()).unwrap()
    }

    fn choose(player: &mut dyn Player<Chess>, position: &Chess) -> Move {
        let stop = AtomicBool::new(false);
        let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
        let game = History::new(position.clone());
        let choice = player.choose(&game, &Limits::default(), &mut control).unwrap();
        let Action::Play(mv) = choice.action else { panic!("it plays on") };
        mv
    }

    /// The consequence of the published features: among the same legal moves the choice is the same.
    #[test]
    fn the_choice_does_not_depend_on_the_board() {
        let folder = tempfile::tempdir().unwrap();
        let [_, moves] = random_files(&folder, false);
        let model = StudyMoveModel::parse(&std::fs::read_to_string(&moves).unwrap()).unwrap();
        let mut player = player(&format!("study-logreg:weights={}", moves.display()));
        let mut random = Random::new(1);
        let mut position = Chess::default();
        for _ in 0..60 {
            let mut legal = Vec::new();
            position.legal_moves(&mut legal);
            if legal.is_empty() {
                break;
            }
            let worth = |mv: &Move| {
                let [from, _] = model.square_weights(mv.from);
                let [_, to] =
                    model.square_weights(ludus_knowledge::chess::study_target(&position, *mv));
                f64::from(from) + f64::from(to)
            };
            let chosen = choose(&mut *player, &position);
            assert!(legal.iter().all(|mv| worth(mv) <= worth(&chosen) + 1e-9));
            // The whole logit ranks the moves as their own part does.
            let whole = |mv: &Move| model.board_logit(&position) + model.move_logit(&position, *mv);
            assert!(legal.iter().all(|mv| whole(mv) <= whole(&chosen) + 1e-9));
            position.play(random.pick(&legal).unwrap());
        }
    }

    #[test]
    fn promotions_are_to_queens() {
        let folder = tempfile::tempdir().unwrap();
        for more in [false, true] {
            let [_, moves] = random_files(&folder, more);
            let interactions = if more { "on" } else { "off" };
            let spec =
                format!("study-logreg:weights={},interactions={interactions}", moves.display());
            let fen = "1r5k/P7/8/8/8/8/8/K7 w - - 0 1";
            let position =
                Chess::parse(&Options::defaults(Chess::ID, Chess::OPTIONS), fen).unwrap();
            let model = StudyMoveModel::parse(&std::fs::read_to_string(&moves).unwrap()).unwrap();
            let ranked = ranked_moves(&model, &position);
            let first = ranked.iter().find(|(mv, _)| mv.promotion.is_some()).unwrap().0;
            assert!(position.move_text(first).ends_with('q'));
            assert!(
                position
                    .parse_move(&position.move_text(choose(&mut *player(&spec), &position)))
                    .is_ok()
            );
        }
    }
}
