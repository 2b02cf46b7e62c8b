//! Files that ship with Ludus, as constants: the only crate that embeds files of `data/`. Their
//! formats are those of the crates that read them, and each folder has a README with their origin.
//!
//! [`go`], [`hand`], [`learners`], [`net`] and [`openings`] decide moves or games, and are part of the
//! build id of the players (`ludus-arena`); [`gallery`] and [`suites`] are not.
//!
//! ```
//! assert!(ludus_data::hand::CHESS.lines().count() > 10);
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod gallery;
pub mod go;
pub mod hand;
pub mod learners;
pub mod net;
pub mod openings;
pub mod suites;

#[cfg(test)]
mod tests;
