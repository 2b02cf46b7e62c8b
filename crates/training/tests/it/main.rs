//! Runs that train and tune, from beginning to end.

mod book;
mod common;
mod evolution;
mod genetic;
mod go_net;
mod habits;
mod moves;
mod mp;
mod net;
mod reproduce;
mod ridge;
mod td;
