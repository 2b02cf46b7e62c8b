//! `ludus ratings`: who is how strong.

use super::{Common, records::game_filter, write_json};
use crate::data_dir::in_words;
use ludus_arena::store::Rating;
use serde::Serialize;
use std::io::Write;

/// Show the ladder of a game, or of every game with rated players
#[derive(clap::Args)]
pub struct Args {
    /// Only this game: go is Go of all sizes, go:size=9 is not
    game: Option<String>,
}

/// A rung of the ladder of a game.
#[derive(Serialize)]
struct Rung<'a> {
    /// The place, from 1 on; players with equal ratings share it.
    rank: usize,
    #[serde(flatten)]
    rating: &'a Rating,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let game = args.game.as_deref().map(game_filter).transpose()?;
    let ratings = match common.existing_store()? {
        Some(store) => store.ratings(game.as_deref()).map_err(in_words)?,
        None => Vec::new(),
    };
    let ladders: Vec<Vec<Rung<'_>>> =
        ratings.chunk_by(|one, other| one.game == other.game).map(ladder).collect();
    if common.json {
        return write_json(out, &ladders.iter().flatten().collect::<Vec<_>>());
    }
    if ladders.is_empty() {
        let of = args.game.as_ref().map(|game| format!(" in {game}")).unwrap_or_default();
        writeln!(out, "nobody is rated{of} yet: ludus tournament rates the players it pits")?;
    }
    for (index, ladder) in ladders.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        write_ladder(out, ladder)?;
    }
    Ok(())
}

/// The rungs of one game, best first.
fn ladder(ratings: &[Rating]) -> Vec<Rung<'_>> {
    let better = |than: &Rating| ratings.iter().filter(|r| r.rating > than.rating).count();
    let mut rungs: Vec<Rung<'_>> =
        ratings.iter().map(|rating| Rung { rank: better(rating) + 1, rating }).collect();
    rungs.sort_by_key(|rung| rung.rank);
    rungs
}

fn write_ladder(out: &mut impl Write, ladder: &[Rung<'_>]) -> anyhow::Result<()> {
    let Some(first) = ladder.first() else { return Ok(()) };
    // The build matters only where it tells players apart.
    let name = |rating: &Rating| {
        let player = &rating.player;
        let namesakes = ladder.iter().filter(|rung| rung.rating.player.spec == player.spec);
        match namesakes.count() {
            1 => player.spec.clone(),
            _ => format!("{} ({})", player.spec, player.build),
        }
    };
    let names: Vec<String> = ladder.iter().map(|rung| name(rung.rating)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    writeln!(out, "{}", first.rating.game)?;
    writeln!(out, "rank  {:<width$}  rating         games  score", "player")?;
    for (rung, name) in ladder.iter().zip(names) {
        let Rating { rating, error, games, score, .. } = rung.rating;
        let interval = format!("{rating:>6.0} ± {error:.0}");
        let percent = 100.0 * score;
        writeln!(
            out,
            "{:>4}  {name:<width$}  {interval:<13}  {games:>5}  {percent:>4.0} %",
            rung.rank
        )?;
    }
    Ok(())
}
