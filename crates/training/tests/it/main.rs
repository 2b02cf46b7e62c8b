//! Runs that train and tune, from beginning to end.

mod book;
mod chess_cnn;
mod common;
mod exact_floats;
mod faults;
mod feature_selection;
mod go_net;
mod logreg;
mod move_strengths;
mod neuroevolution;
mod nnue;
mod playout_weights;
mod recipes;
mod reproduce;
mod reproduce_tables;
mod ridge;
mod specialists;
mod td;
