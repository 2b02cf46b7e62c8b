//! Training runs: self-play games, tuning and learning, from a recipe to weights.
//!
//! A [`Recipe`] is a TOML file that describes a run of one of the [`kinds`]. A run is a folder: the
//! recipe, a log, the games played, checkpoints, and at the end weights and a report. An interrupted
//! run can be resumed, and ends with the same weights as an uninterrupted one.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod book;
pub mod checkpoint;
mod error;
pub mod folder;
mod games;
mod go_self_play;
mod job;
pub mod kinds;
mod linear_eval;
mod log;
mod parallel;
mod players;
mod processor;
mod recipe;
mod report;
pub mod reproduce;
mod run;
pub mod self_play;

pub use error::TrainingError;
pub use games::{LinearEvalTraining, NetworkTraining, TrainableGame};
pub use job::Job;
pub use linear_eval::{TunableEval, player_with_weights};
pub use recipe::{Recipe, StartWeights};
pub use report::RunReport;
pub use run::{LearnedWeights, Run, RunResult, Trained, TrainingProgress, TrainingStage};
