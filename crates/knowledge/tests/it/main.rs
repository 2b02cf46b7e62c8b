//! The knowledge of the games: the conformance kit, and evaluations and solvers against plain facts.

mod chess;
mod conformance;
mod connect4_solver;
mod draughts;
mod reversi;
mod split_nim;
