//! Reproduction of published experiments: runs them, compares our figures with the published ones.
//!
//! An [`Experiment`] is a TOML file: a match, matches of several pairs, matches of Go on several
//! boards, a suite of problems, or trainings or searches whose effort is compared. An [`ExperimentRunner`] runs it and returns [`Findings`];
//! with the published figures these give a verdict for each figure, and a document.

mod attached;
mod boards;
pub mod bundle;
mod counts_document;
mod document;
mod draw_kinds;
mod experiment;
mod go_document;
mod interval;
mod node_counts;
mod numbered;
mod pairs;
mod precision;
mod run;
mod savings;
mod suite_task;
mod toml_location;
mod verdict;

pub use attached::AttachedFiles;
pub use boards::{GoBoardResult, GoMatchFindings, GoMatches, PublishedByColour};
pub use document::{charts, document, json, merged, text};
pub use draw_kinds::DrawKinds;
pub use experiment::{
    EXPERIMENTS, Experiment, ExperimentTask, LoopClaim, Match, MinutesClaim, NamedExperiment,
    Published, TimeClaim, TrainingTime,
};
pub use interval::Interval;
pub use node_counts::{FewerNodes, NodeCounts, NodeFindings, NodeResult, PositionSource};
pub use pairs::{
    GamesAmong, JudgedEnd, NamedPlayer, PairFindings, PairMatch, PairMatches, PairResult,
    PairStatement, Relation, RelationKind, StatementCount,
};
pub use precision::{DEFAULT_PRECISION, FigurePrecision, FigureVerdict, Precision};
pub use run::{
    ExperimentProgress, ExperimentRunner, Findings, MatchFindings, Overrides, TrainingCost,
};
pub use savings::{BoardClaim, BoardSavings, GameCost, Savings, SavingsFindings, SearchCost};
pub use suite_task::{
    PublishedSolved, SolvedProblem, SuiteFindings, SuitePlayer, SuiteResult, SuiteTask,
};
pub use verdict::{Figure, FigureValue, figure_names, figures};
