//! `ludus ratings`: rating lists.

use super::{Common, records::game_filter, write_json};
use crate::data_dir::store_error;
use ludus_arena::store::StoredRating;
use serde::Serialize;
use std::io::Write;

/// Show the rating list of a game, or of all games with rated players
#[derive(clap::Args)]
pub struct Args {
    /// Only this game: go matches all options, go:size=9 only this size
    game: Option<String>,
}

/// A player of a rating list.
#[derive(Serialize)]
struct RankedPlayer<'a> {
    /// Rank, from 1; players with equal ratings share it.
    rank: usize,
    #[serde(flatten)]
    rating: &'a StoredRating,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let game = args.game.as_deref().map(game_filter).transpose()?;
    let ratings = match common.existing_store()? {
        Some(store) => store.ratings(game.as_deref()).map_err(store_error)?,
        None => Vec::new(),
    };
    let lists: Vec<Vec<RankedPlayer<'_>>> =
        ratings.chunk_by(|one, other| one.game == other.game).map(ranked).collect();
    if common.json {
        return write_json(out, &lists.iter().flatten().collect::<Vec<_>>());
    }
    if lists.is_empty() {
        let of = args.game.as_ref().map(|game| format!(" in {game}")).unwrap_or_default();
        writeln!(
            out,
            "no rated players{of} yet: ludus match and ludus tournament rate their players"
        )?;
    }
    for (index, list) in lists.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        write_list(out, list)?;
    }
    Ok(())
}

/// The players of one game, best first.
fn ranked(ratings: &[StoredRating]) -> Vec<RankedPlayer<'_>> {
    let better = |than: &StoredRating| ratings.iter().filter(|r| r.rating > than.rating).count();
    let mut entries: Vec<RankedPlayer<'_>> =
        ratings.iter().map(|rating| RankedPlayer { rank: better(rating) + 1, rating }).collect();
    entries.sort_by_key(|player_entry| player_entry.rank);
    entries
}

fn write_list(out: &mut impl Write, list: &[RankedPlayer<'_>]) -> anyhow::Result<()> {
    let Some(first) = list.first() else { return Ok(()) };
    // The build is shown only to distinguish players with the same spec.
    let name = |rating: &StoredRating| {
        let player = &rating.player;
        let namesakes =
            list.iter().filter(|player_entry| player_entry.rating.player.spec == player.spec);
        match namesakes.count() {
            1 => player.spec.clone(),
            _ => format!("{} ({})", player.spec, player.build),
        }
    };
    let names: Vec<String> = list.iter().map(|player_entry| name(player_entry.rating)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    writeln!(out, "{}", first.rating.game)?;
    writeln!(out, "rank  {:<width$}  rating         games  score", "player")?;
    for (player_entry, name) in list.iter().zip(names) {
        let StoredRating { rating, error, games, score, .. } = player_entry.rating;
        let interval = format!("{rating:>6.0} ± {error:.0}");
        let percent = 100.0 * score;
        writeln!(
            out,
            "{:>4}  {name:<width$}  {interval:<13}  {games:>5}  {percent:>4.0} %",
            player_entry.rank
        )?;
    }
    Ok(())
}
