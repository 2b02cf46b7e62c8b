//! `cargo xtask ratings`: plays the tournaments in `data/ratings` and writes the ratings.

use crate::command::{ludus, output, root, scratch};
use anyhow::{Context, Result};
use serde_json::Value;
use std::{
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

const FOLDER: &str = "data/ratings";
const OUTPUT: &str = "data/ratings.toml";

/// The player with rating 0.
const ANCHOR: &str = "random";

pub fn run() -> Result<()> {
    let mut text =
        "# Written by `cargo xtask ratings` from the tournaments in data/ratings.\n".to_owned();
    for tournament in tournaments()? {
        text += &rated(&tournament)?;
    }
    let path = root().join(OUTPUT);
    fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn tournaments() -> Result<Vec<PathBuf>> {
    let folder = root().join(FOLDER);
    let entries = fs::read_dir(&folder).with_context(|| format!("no {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        files.push(entry?.path());
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    Ok(files)
}

/// Plays or resumes one tournament.
fn rated(tournament: &Path) -> Result<String> {
    let name = tournament.display().to_string();
    println!("{name}");
    let data = scratch("ratings").display().to_string();
    let document =
        output(&mut ludus(&["tournament", &name, "--resume", "--json", "--data-dir", &data]))?;
    entries(&document).with_context(|| name)
}

/// The ratings of a tournament as TOML, best first.
fn entries(document: &str) -> Result<String> {
    let document: Value = serde_json::from_str(document).context("not JSON")?;
    let game = document["game"].as_str().context("no game")?;
    let ratings = document["ratings"].as_array().context("no ratings")?;
    let players = document["players"].as_array().context("no players")?;
    let games = document["games"].as_u64().context("no games")? * 2 / players.len().max(1) as u64;
    let value = |rating: &Value, name: &str| rating["elo"][name].as_f64();
    let anchor = ratings.iter().find(|rating| rating["player"] == ANCHOR);
    let zero = anchor.and_then(|rating| value(rating, "value")).context("random did not play")?;
    let mut text = String::new();
    for rating in ratings {
        let spec = rating["player"].as_str().context("a rating without a player")?;
        let elo = value(rating, "value").context("a rating without a value")? - zero;
        let spread = value(rating, "high").zip(value(rating, "low"));
        let error = spread.map_or(0.0, |(high, low)| (high - low) / 2.0);
        write!(
            text,
            "\n[[rating]]\ngame = {game:?}\nspec = {spec:?}\nelo = {elo:.0}\nerror = {error:.0}\n\
             games = {games}\n"
        )?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_are_relative_to_random() {
        let document = r#"{"game": "chess", "games": 30, "players": [{}, {}, {}], "ratings": [
            {"player": "greedy", "elo": {"value": 150.0, "low": 100.0, "high": 220.0}},
            {"player": "random", "elo": {"value": -200.0, "low": -280.0, "high": -120.0}}
        ]}"#;
        let text = entries(document).unwrap();
        assert!(text.contains("spec = \"greedy\"\nelo = 350\nerror = 60\ngames = 20\n"), "{text}");
        assert!(text.contains("spec = \"random\"\nelo = 0\nerror = 80\n"), "{text}");
        assert!(entries("{}").is_err());
    }
}
