//! Two searches as textbooks print them, for studies that compare methods and want nothing else in them: alpha-beta to
//! a fixed depth ([`AlphaBeta`]) and Monte-Carlo tree search by UCB1 on raw values ([`Ucb1`]).
//!
//! No table, no quiescence search, no iterative deepening, no tree reuse. All values are those of the first side, in
//! whatever unit [`Values`] gives them: one side maximises, the other minimises.

mod alphabeta;
mod effort;
#[cfg(test)]
mod test_tree;
mod ucb1;
mod values;

pub use alphabeta::{AlphaBeta, AlphaBetaSettings};
pub use ucb1::{FinalMove, Selection, Ucb1, Ucb1Settings};
pub use values::Values;
