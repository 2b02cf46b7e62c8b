//! The searches against a plain minimax, against each other, and against known facts.

mod agreement;
mod counts;
mod evaluators;
mod facts;
mod memory;
mod multi_pv;
mod params;
mod paths;
mod support;
mod toy_trees;
mod tracing;
