//! Vocabulary types and traits shared by all crates of Ludus, without dependencies.
//!
//! Games implement [`Position`], [`Notation`], [`Ending`], [`Rollout`], [`MoveIndex`], [`HasEval`] and
//! [`SearchHints`]; algorithms are generic over them; players join the two. Every game then has
//! [`perft`], the [`conformance`] tests and the common players.
#![warn(missing_docs)]

pub mod conformance;
pub mod endgame_index;
pub mod ending;
pub mod eval;
pub mod history;
pub mod knowledge;
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

pub use ending::{EndReason, Ending};
pub use eval::{
    Eval, EvalNode, EvalTree, Evaluator, HandcraftedEval, HasEval, LeafEvaluator, MoveIndex,
    NodeStats, Playout, Prior, Weight,
};
pub use history::History;
pub use knowledge::Knowledge;
pub use linear::{LinearEval, LinearEvaluator, TermSink, Weights, WithWeights};
pub use nnue_inputs::NnueInputs;
pub use notation::{Notation, RecordFormat};
pub use options::{OptionKind, OptionSpec, Options};
pub use outcome::Outcome;
pub use player::{
    Action, Choice, Clock, Fault, Limits, MoveReport, Player, PlayerError, PlayoutReport, Proof,
    RankedLine, Report, ScoreMargin, SearchControl, TableReport, multi_pv_unsupported,
};
pub use position::Position;
pub use random::Random;
pub use rollout::Rollout;
pub use score::Score;
pub use search_hints::{MoveHint, SearchHints};
pub use side::Side;
pub use text::TextError;
pub use view::{BoardView, Cell, Grid, Piece, PieceKind};
