//! Networks that learn.

mod nnue;
