//! Vocabulary types and traits shared by all crates of Ludus, without dependencies.
//!
//! A game implements [`Position`] (its rules) and [`Notation`] (its text); with an entry in the list of
//! games it has [`perft`], the [`conformance`] tests and the common players. Everything else is
//! an optional capability with a default: provided items of the two traits, and values beside the
//! game that hold what is known of it beyond its rules, such as [`HasEval`] and [`SearchHints`]
//! (together [`Knowledge`]), [`NnueInputs`] or an [`EndgameIndex`](endgame_index::EndgameIndex).
//! Algorithms are generic over these traits; players join games, knowledge and algorithms.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod conformance;
pub mod endgame_index;
pub mod endgame_solver;
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
pub mod score;
pub mod search_hints;
pub mod side;
pub mod text;
pub mod view;

pub use endgame_solver::EndgameSolver;
pub use ending::EndReason;
pub use eval::{
    Eval, EvalNode, EvalTree, Evaluator, HandcraftedEval, HasEval, LeafEvaluator, NodeStats,
    Playout, Prior, Weight,
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
pub use score::Score;
pub use search_hints::{MoveHint, SearchHints};
pub use side::Side;
pub use text::TextError;
pub use view::{BoardView, Cell, Grid, Piece, PieceKind};
