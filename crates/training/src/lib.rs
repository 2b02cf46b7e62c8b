//! Training runs: self-play games, tuning and learning, from a recipe to weights.
//!
//! A [`Recipe`] is a TOML file that describes a run. A run is a folder: the recipe, a log, the games
//! played, checkpoints, and at the end weights and a report. An interrupted run can be resumed, and
//! ends with the same weights as an uninterrupted one.
#![warn(missing_docs)]

pub mod book;
mod error;
pub mod feature_selection;
mod folder;
mod go_games;
pub mod go_net;
mod go_run;
pub mod hill_climb;
pub mod move_strengths;
pub mod neuroevolution;
pub mod nnue;
mod parallel;
pub mod players;
pub mod playout_weights;
mod processor;
mod recipe;
mod report;
pub mod reproduce;
mod run;
pub mod samples;
pub mod self_play;
pub mod self_play_file;
pub mod specialists;
pub mod td;
pub mod td_self_play;
pub mod texel;
mod trainable;

pub use error::TrainingError;
pub use players::TunableEval;
pub use recipe::{Recipe, StartWeights, TrainingKind};
pub use run::{Job, RunResult, TrainingProgress, TrainingStage};
pub use trainable::{
    GenericTrainable, TRAINABLE_GAMES, Trainable, TrainableWithNet, find_trainable,
};
