//! Networks that learn.

mod allocations;
mod nnue;
