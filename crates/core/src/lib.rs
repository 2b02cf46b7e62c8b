//! The meeting place of Ludus: vocabulary types and small traits, with no dependencies.
//!
//! Games implement [`Position`], [`Notation`], [`Ending`], [`Rollout`] and [`HasEval`]; algorithms
//! are generic over them; players join the two. Every game then has [`perft`], the
//! [`conformance`] kit and the common players for free.
#![warn(missing_docs)]

pub mod conformance;
pub mod endgame_index;
pub mod ending;
pub mod eval;
pub mod history;
pub mod linear;
pub mod nnue_inputs;
pub mod notation;
pub mod options;
pub mod outcome;
pub mod perft;
pub mod player;
pub mod position;
pub mod random;
pub mod rollout;
pub mod score;
pub mod search_hints;
pub mod side;
pub mod text;
pub mod view;

pub use ending::{Ending, Reason};
pub use eval::{
    Composition, Eval, Evaluator, HandcraftedEval, HasEval, LeafEvaluator, MoveIndex, NodeStats,
    Playout, Prior, Scoring, Weight,
};
pub use history::History;
pub use linear::{Linear, LinearEval, TermSink, Weights, WithWeights};
pub use nnue_inputs::NnueInputs;
pub use notation::{Notation, RecordFormat};
pub use options::{Kind, OptionSpec, Options};
pub use outcome::Outcome;
pub use player::{
    Action, Choice, Clock, Fault, Limits, Margin, MoveReport, Player, PlayerError, PlayoutReport,
    Proof, RankedLine, Report, TableReport, Watch, one_line_only,
};
pub use position::Position;
pub use random::Random;
pub use rollout::Rollout;
pub use score::Score;
pub use search_hints::{MoveHint, SearchHints};
pub use side::Side;
pub use text::TextError;
pub use view::{BoardView, Cell, Grid, Piece, PieceKind};
