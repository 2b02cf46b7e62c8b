//! Fair matches, tournaments and ratings between any players, in any game.
#![forbid(unsafe_code)]

pub mod adjudicate;
pub mod ballots;
pub mod build;
pub mod contest;
pub mod elo;
pub mod game;
pub mod identity;
pub mod openings;
pub mod parallel;
pub mod plot;
pub mod provenance;
pub mod rating;
pub mod rating_list;
pub mod repeats;
pub mod replay;
pub mod report;
pub mod schedule;
pub mod sprt;
pub mod store;
pub mod suite;
pub mod table;
