//! `ludus games`: list of games.

use super::{Common, write_json};
use ludus_core::OptionSpec;
use ludus_players::GAMES;
use serde_json::{Value, json};
use std::io::Write;

/// List the games and their options
#[derive(clap::Args)]
pub struct Args {}

pub fn run(_: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    if common.json {
        let describe = |game: &&dyn ludus_players::Game| {
            json!({
                "id": game.id(),
                "name": game.name(),
                "about": game.about(),
                "options": options_json(game.options()),
            })
        };
        return write_json(out, &GAMES.iter().map(describe).collect::<Vec<Value>>());
    }
    for game in GAMES {
        writeln!(out, "{:<12} {}: {}", game.id(), game.name(), game.about())?;
        write_options(out, game.options())?;
    }
    Ok(())
}

/// Writes one line per option.
pub fn write_options(out: &mut impl Write, options: &[OptionSpec]) -> anyhow::Result<()> {
    for option in options {
        let assignment = format!("{}={}", option.name, option.default);
        writeln!(out, "{:13}{assignment:<20} {} ({})", "", option.about, option.kind)?;
    }
    Ok(())
}

pub fn options_json(options: &[OptionSpec]) -> Vec<Value> {
    let describe = |option: &OptionSpec| {
        json!({
            "name": option.name,
            "default": option.default,
            "values": option.kind.to_string(),
            "about": option.about,
        })
    };
    options.iter().map(describe).collect()
}
