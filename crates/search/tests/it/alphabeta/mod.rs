//! The searches against a plain minimax, against each other, and against known facts.

mod agreement;
mod counts;
mod evaluators;
mod facts;
mod multi_pv;
mod paths;
mod support;
mod toy_trees;
mod tracing;
