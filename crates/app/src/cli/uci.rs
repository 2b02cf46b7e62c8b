//! `ludus uci`: any of our players as a chess engine for other people's programs.
//!
//! The main thread reads events: lines of the program, reports and the end of a search. A search
//! runs in a thread of its own and owns the session meanwhile, so `stop` and `isready` are answered
//! at once. Commands that would change what is searched stop the search first and wait for its
//! move, so every `go` gets exactly one `bestmove`.

mod engine;
mod input;
mod options;
mod search;

use super::Common;
use engine::UciEngine;
use std::{io::Write, sync::mpsc};

/// Be a chess engine: speak UCI on stdin and stdout
///
/// Every option of the player is an option of the engine. MultiPV makes every player that searches tell
/// of so many moves; one that knows only its best move (random) says so. `go searchmoves` uses what the
/// player reports of each move. Where a player has neither clock nor time it searches as its own options say, and `go
/// infinite` keeps the move back until `stop`.
#[derive(clap::Args)]
pub struct Args {
    /// Who plays
    #[arg(long, default_value = "minimax", value_name = "PLAYER")]
    player: String,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let (events, inbox) = mpsc::channel();
    let mut engine = UciEngine::new(&args.player, &common.resources(), events.clone())?;
    input::listen(events);
    engine.run(&inbox, out)
}
