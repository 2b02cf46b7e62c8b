//! Runs that tune players: they join what plays with what learns.
//!
//! A [`Recipe`] says what to do. A run of it is a folder: the recipe, a log, the games played,
//! checkpoints, and at the end weights and a report. Whatever kills a run, it can be resumed, and
//! comes to the same weights as if nothing had happened.
#![warn(missing_docs)]

pub mod book;
pub mod climb;
pub mod cloning;
pub mod contender;
pub mod data;
mod error;
pub mod evolution;
mod folder;
mod games;
pub mod genetic;
mod go_games;
pub mod go_net;
mod go_run;
pub mod habits;
pub mod moves;
pub mod mp;
pub mod net;
mod parallel;
mod processor;
mod recipe;
mod report;
pub mod reproduce;
mod run;
pub mod samples;
pub mod self_play;
pub mod td;
pub mod texel;

pub use contender::Tunable;
pub use error::TrainingError;
pub use games::{Bench, NetWorkbench, TUNABLE, Workbench, find_bench};
pub use recipe::{Kind, Recipe, Start};
pub use run::{Job, Outcome, Progress, Stage};
