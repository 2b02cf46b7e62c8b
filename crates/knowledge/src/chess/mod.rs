//! Knowledge of chess: evaluation, search hints with static exchange evaluation, network inputs; and what the players
//! of a 2021 study know (`study_…`).

mod eval;
mod nnue_inputs;
mod search_hints;
mod see;
mod study_eval;
mod study_features;
mod study_move_model;

pub use eval::ChessEval;
pub use study_eval::{STUDY_MATE, STUDY_UNIT, StudyEval, study_ending};
pub use study_features::{
    STUDY_FEATURES, STUDY_FEATURES_WITH_INTERACTIONS, STUDY_PLANE_NAMES, STUDY_PLANES,
    study_board_features, study_feature_name, study_move_features, study_planes,
    study_square_features, study_target,
};
pub use study_move_model::{StudyMoveModel, study_square_weights};

/// Knowledge of chess for players: evaluation, search hints and network inputs.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ChessKnowledge;
