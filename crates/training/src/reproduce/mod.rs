//! Published experiments done again: what was claimed, what we find, whether the two agree.
//!
//! An [`Experiment`] is a TOML file: a match, matches of Go on several boards, or trainings or
//! searches whose effort is compared. Doing it gives
//! [`Findings`], and these with the published figures a verdict figure by figure and a document.

mod boards;
pub mod bundle;
mod document;
mod experiment;
mod go_document;
mod hold;
mod interval;
mod located;
mod precision;
mod savings;
mod verdict;

pub use boards::{Board, Boards, BoardsFindings, ByColour};
pub use document::{chart, document, json, merged, text};
pub use experiment::{
    EXPERIMENTS, Experiment, LoopClaim, Match, MinutesClaim, Named, Published, Task, TimeClaim,
    TrainingTime,
};
pub use hold::{Changes, Findings, Lab, MatchFindings, Step, Trained};
pub use interval::Interval;
pub use precision::{FigurePrecision, Precision, USUAL_PRECISION, Verdict};
pub use savings::{BoardClaim, GameSpent, Saved, Savings, SavingsFindings, Spent};
pub use verdict::{Figure, Shown, figure_names, figures};
