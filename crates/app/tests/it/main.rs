//! The `ludus` program, used from outside: its commands, its protocols, its server.

mod analysis;
mod bad_input;
mod busy;
mod commands;
mod contest;
mod endgame;
mod gtp;
mod gtp_agreement;
mod gtp_fuzz;
mod gtp_peer;
mod hub;
mod records;
mod reproduce;
mod searches;
mod served;
mod server_analysis;
mod server_arena;
mod server_explain;
mod server_guard;
mod server_hostile;
mod server_learn;
mod server_load;
mod server_play;
mod server_restart;
mod server_train;
mod uci;
