//! Split-Nim (Grundy's game).
//!
//! The game starts with one pile of coins. A move splits one pile into two *unequal* piles; piles
//! of one or two coins can no longer be split. A side that cannot move loses.
//!
//! Piles of the same size are alike, so a position is a list of sizes and how many piles have each,
//! the largest size first. `n` different sizes hold at least `1 + 2 + … + n` coins, which bounds
//! the list:
//!
//! ```text
//!  5+3+3+1+1+1    size  5 3 1 0 0 …
//!                 count 1 2 3 0 0 …
//! ```

mod notation;
mod position;

pub use position::{Piles, Split, SplitNim};
