//! `ludus players`: list of players.

use super::{
    Common,
    games::{options_json, write_options},
    write_json,
};
use ludus_players::{GAMES, Game, find_game};
use serde_json::{Value, json};
use std::io::Write;

/// List the players of a game, or of every game, and their options
#[derive(clap::Args)]
pub struct Args {
    /// Only the players of this game
    game: Option<String>,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let games: Vec<&dyn Game> = match &args.game {
        Some(text) => vec![find_game(text)?.0],
        None => GAMES.to_vec(),
    };
    if common.json {
        return write_json(out, &games.iter().map(|game| describe(*game)).collect::<Vec<Value>>());
    }
    for game in games {
        writeln!(out, "{}", game.id())?;
        for (id, about, options) in game.players() {
            writeln!(out, "  {id:<10} {about}")?;
            write_options(out, options)?;
        }
    }
    Ok(())
}

fn describe(game: &dyn Game) -> Value {
    let players: Vec<Value> = game
        .players()
        .into_iter()
        .map(|(id, about, options)| {
            json!({ "id": id, "about": about, "options": options_json(options) })
        })
        .collect();
    json!({ "game": game.id(), "players": players })
}
