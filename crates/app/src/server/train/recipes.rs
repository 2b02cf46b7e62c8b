//! Recipes: those that are built in, and those a page sends.

use super::super::{error::ApiError, place::check_player_reading};
use ludus_core::options::split_name;
use ludus_players::find_game;
use ludus_training::{Kind, Recipe, Start};
use rust_embed::RustEmbed;
use serde::Serialize;
use std::{
    fs, io,
    path::{Component, Components, Path},
};
use utoipa::ToSchema;

#[derive(RustEmbed)]
#[folder = "../../recipes"]
struct Files;

/// Bytes of a recipe.
const LONGEST: usize = 64 << 10;

/// A recipe that is built in.
#[derive(Serialize, ToSchema)]
pub struct Entry {
    name: String,
    text: String,
    kind: String,
    game: String,
    /// What its first remark says.
    about: String,
}

/// The recipes that are built in, by name.
pub fn all() -> Vec<Entry> {
    let mut entries: Vec<Entry> = Files::iter().filter_map(|file| entry(&file)).collect();
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    entries
}

fn entry(file: &str) -> Option<Entry> {
    let name = file.strip_suffix(".toml")?.to_owned();
    let bytes = Files::get(file)?.data;
    let text = str::from_utf8(&bytes).ok()?.to_owned();
    let recipe = Recipe::parse(&text).ok()?;
    let about = remark(&text);
    Some(Entry { name, kind: kind_name(recipe.kind), game: recipe.game, about, text })
}

/// The remark at the head of a recipe.
fn remark(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix('#'));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// The name of a kind of training in a recipe.
pub fn kind_name(kind: Kind) -> String {
    serde_json::to_value(kind)
        .ok()
        .and_then(|value| value.as_str().map(str::to_owned))
        .unwrap_or_default()
}

/// A name for a run of `recipe`.
pub fn usual_name(recipe: &Recipe) -> String {
    format!("{}-{}", split_name(&recipe.game).0, kind_name(recipe.kind))
}

/// Reads a recipe and refuses players and files that a page must not name.
pub fn checked(text: &str) -> Result<Recipe, ApiError> {
    if text.len() > LONGEST {
        return Err(ApiError::too_large(format!("a recipe may have {LONGEST} bytes")));
    }
    let recipe = Recipe::parse(text)?;
    let (game, _) = find_game(&recipe.game)?;
    let mut players = vec![&recipe.player];
    if recipe.kind == Kind::Mp {
        players.extend(recipe.mp.boards.pairings.iter().flatten());
    }
    if recipe.kind == Kind::GoNet && !recipe.go_net.quick.is_empty() {
        players.push(&recipe.go_net.quick);
    }
    for player in players {
        check_player_reading(game, player, is_data)?;
    }
    files(&recipe).try_for_each(check_file)?;
    Ok(recipe)
}

/// The files that a recipe names.
fn files(recipe: &Recipe) -> impl Iterator<Item = &str> {
    let start = match &recipe.start {
        Start::File(file) => Some(file.as_str()),
        Start::Hand | Start::Zero => None,
    };
    start.into_iter().chain(recipe.data.iter().map(String::as_str))
}

/// Whether a path goes down only, and somewhere.
fn goes_down(mut parts: Components<'_>) -> bool {
    parts.clone().next().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Whether a file is one of those that come with the source of the program, or of a run there.
fn is_data(file: &str) -> bool {
    let rest = ["data/", "runs/"].iter().find_map(|folder| file.strip_prefix(folder));
    rest.is_some_and(|rest| goes_down(Path::new(rest).components()))
}

/// A recipe lies in `recipes`; it may name files there, and in `data` and `runs` beside it.
fn check_file(file: &str) -> Result<(), ApiError> {
    let beside = ["../data/", "../runs/"];
    let rest = beside.iter().find_map(|folder| file.strip_prefix(folder)).unwrap_or(file);
    if goes_down(Path::new(rest).components()) {
        return Ok(());
    }
    let shown: String = file.chars().take(60).collect();
    let expected = "one beside the recipe, in ../data or in ../runs";
    Err(ApiError::bad(format!("file {shown:?}: expected {expected}")))
}

/// Puts the files that come with the program and that `recipe` names into `folder`.
pub fn lay_out(recipe: &Recipe, folder: &Path) -> io::Result<()> {
    for file in files(recipe) {
        let target = folder.join(file);
        if let (Some(known), false) = (Files::get(file), target.exists()) {
            fs::create_dir_all(target.parent().unwrap_or(folder))?;
            fs::write(&target, known.data)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recipe_can_be_read_and_may_be_run() {
        let entries = all();
        let files = Files::iter().filter(|file| file.ends_with(".toml")).count();
        assert_eq!(entries.len(), files);
        for entry in entries {
            checked(&entry.text)
                .unwrap_or_else(|error| panic!("{}: {}", entry.name, error.message));
            assert!(!entry.about.is_empty(), "{} says nothing of itself", entry.name);
        }
    }

    #[test]
    fn files_out_of_bounds_are_refused() {
        for bad in
            ["/etc/passwd", "../../x", "../x/y", "..", "../data", "a/../../b", "", "../data/../x"]
        {
            assert!(check_file(bad).is_err(), "{bad:?}");
        }
        for good in ["start/chess.txt", "../data/go/games-9x9.txt", "../runs/a/games.txt"] {
            assert!(check_file(good).is_ok(), "{good:?}");
        }
    }

    #[test]
    fn players_out_of_bounds_are_refused() {
        let recipe = |player: &str| {
            checked(&format!("kind = \"td\"\ngame = \"draughts\"\nplayer = \"{player}\"\n"))
        };
        assert!(recipe("hub:path=/bin/sh").is_err());
        assert!(recipe("iiga:weights=/etc/passwd").is_err());
        assert!(recipe("iiga:weights=data/../x").is_err());
        assert!(recipe("iiga:table=64KB").is_ok());
    }
}
