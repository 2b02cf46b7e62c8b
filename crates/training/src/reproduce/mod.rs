//! Reproduction of published experiments: runs them, compares our figures with the published ones.
//!
//! An [`Experiment`] is a TOML file: a match, matches of Go on several boards, or trainings or
//! searches whose effort is compared. An [`ExperimentRunner`] runs it and returns [`Findings`];
//! with the published figures these give a verdict for each figure, and a document.

mod boards;
pub mod bundle;
mod document;
mod experiment;
mod go_document;
mod interval;
mod precision;
mod run;
mod savings;
mod toml_location;
mod verdict;

pub use boards::{GoBoardResult, GoMatchFindings, GoMatches, PublishedByColour};
pub use document::{chart, document, json, merged, text};
pub use experiment::{
    EXPERIMENTS, Experiment, ExperimentTask, LoopClaim, Match, MinutesClaim, NamedExperiment,
    Published, TimeClaim, TrainingTime,
};
pub use interval::Interval;
pub use precision::{DEFAULT_PRECISION, FigurePrecision, FigureVerdict, Precision};
pub use run::{
    ExperimentProgress, ExperimentRunner, Findings, MatchFindings, Overrides, TrainingCost,
};
pub use savings::{BoardClaim, BoardSavings, GameCost, Savings, SavingsFindings, SearchCost};
pub use verdict::{Figure, FigureValue, figure_names, figures};
