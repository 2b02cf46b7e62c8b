//! Published experiments done again: what was claimed, what we find, whether the two agree.
//!
//! An [`Experiment`] is a TOML file: a match, or trainings whose effort is compared. Doing it gives
//! [`Findings`], and these with the published figures a verdict figure by figure and a document.

mod document;
mod experiment;
mod hold;
mod verdict;

pub use document::{chart, document, json, text};
pub use experiment::{
    EXPERIMENTS, Experiment, LoopClaim, Match, MinutesClaim, Named, Published, TimeClaim,
    TrainingTime,
};
pub use hold::{Findings, Lab, MatchFindings, Step, Trained};
pub use verdict::{Figure, Interval, Shown, figures};
