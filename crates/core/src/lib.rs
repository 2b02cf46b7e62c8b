//! The meeting place of Ludus: vocabulary types and small traits, with no dependencies.
//!
//! Games implement [`Position`], [`Notation`], [`Ending`], [`Rollout`] and [`Judged`]; algorithms
//! are generic over them; players join the two. Every game then has [`perft`], the
//! [`conformance`] kit and the common players for free.
#![warn(missing_docs)]

pub mod conformance;
pub mod ending;
pub mod eval;
pub mod history;
pub mod linear;
pub mod notation;
pub mod options;
pub mod outcome;
pub mod perft;
pub mod placement;
pub mod player;
pub mod position;
pub mod random;
pub mod rollout;
pub mod score;
pub mod side;
pub mod tabulated;
pub mod tactics;
pub mod text;
pub mod view;

pub use ending::{Ending, Reason};
pub use eval::{
    Composition, Evaluator, Features, Guide, HandEvaluation, Judged, Judgement, MoveIndex, Playout,
    Prior, Scoring, Sight, Weight,
};
pub use history::History;
pub use linear::{Linear, LinearlyJudged, Tally, Weighed, Weights};
pub use notation::{Notation, RecordFormat};
pub use options::{Kind, OptionSpec, Options};
pub use outcome::Outcome;
pub use placement::Placement;
pub use player::{
    Action, Choice, Clock, Fault, Limits, Margin, MoveReport, Player, PlayerError, PlayoutReport,
    Proof, RankedLine, Report, TableReport, Watch, one_line_only,
};
pub use position::Position;
pub use random::Random;
pub use rollout::Rollout;
pub use score::Score;
pub use side::Side;
pub use tactics::{Sketch, Tactics};
pub use text::TextError;
pub use view::{BoardView, Cell, Grid, Piece, PieceKind};
