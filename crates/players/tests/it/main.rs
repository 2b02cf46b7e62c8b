//! Players of all games, including external engines.

mod endgame_solvers;
mod endings;
mod erased;
mod evaluations;
mod fair_time;
mod fake;
mod greedy;
mod gtp_fake;
mod gtp_gnugo;
mod hub_fake;
mod lines;
mod ludus_fake;
mod missing_programs;
mod networks;
mod process;
mod records;
mod seated;
mod solver;
mod stopping;
mod toy_game;
mod uci_fake;
mod uci_stockfish;
