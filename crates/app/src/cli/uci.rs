//! `ludus uci`: any chess player as a UCI engine.
//!
//! The main thread reads events: input lines, reports and the end of a search. A search runs in a
//! separate thread, which owns the session meanwhile, so `stop` and `isready` are answered at once.
//! Commands that change the position or options stop the search first and wait for its move, so every
//! `go` gets exactly one `bestmove`.

mod engine;
mod input;
mod options;
mod search;

use super::Common;
use engine::UciEngine;
use std::{io::Write, sync::mpsc};

/// Run as a chess engine (UCI on stdin and stdout)
///
/// All options of the player are UCI options. MultiPV sets the number of lines of players that search;
/// others (random) report that they have only one. `go searchmoves` selects from the moves reported by
/// the player. Without a clock or time the player searches as set by its own options; after `go
/// infinite` the move is held back until `stop`.
#[derive(clap::Args)]
pub struct Args {
    /// Player
    #[arg(long, default_value = "minimax", value_name = "PLAYER")]
    player: String,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let (events, inbox) = mpsc::channel();
    let mut engine = UciEngine::new(&args.player, &common.resources(), events.clone())?;
    input::spawn_reader(events);
    engine.run(&inbox, out)
}
