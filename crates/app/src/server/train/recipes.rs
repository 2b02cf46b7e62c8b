//! Training recipes: built-in ones, and those sent by clients.

use super::{
    super::{allowed_players::check_player_reading, error::ApiError},
    run::RunMode,
};
use crate::embedded::RECIPES;
use ludus_core::options::split_name;
use ludus_players::find_game;
use ludus_training::{Recipe, StartWeights, kinds::TrainingKind};
use serde::Serialize;
use std::{
    io,
    path::{Component, Components, Path},
};
use utoipa::ToSchema;

/// Maximum size of a recipe.
const MAX_RECIPE_BYTES: usize = 64 << 10;

/// A built-in recipe.
#[derive(Serialize, ToSchema)]
pub struct RecipeView {
    name: String,
    text: String,
    kind: String,
    /// Description of the kind in one line.
    kind_about: &'static str,
    game: String,
    /// Description: the comment at its head.
    about: String,
}

/// Built-in recipes that may be run here, sorted by name. Those with engines of other people are for the
/// command line.
pub fn all() -> Vec<RecipeView> {
    let mut entries: Vec<RecipeView> = RECIPES.names().filter_map(entry).collect();
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    entries
}

fn entry(file: &str) -> Option<RecipeView> {
    let name = file.strip_suffix(".toml")?.to_owned();
    let text = str::from_utf8(RECIPES.get(file)?).ok()?.to_owned();
    let recipe = parse_checked(&text, RunMode::New).ok()?;
    let about = header_comment(&text);
    let TrainingKind { name: kind, about: kind_about, .. } = *recipe.kind();
    Some(RecipeView { name, kind: kind.to_owned(), kind_about, game: recipe.game, about, text })
}

/// Comment at the head of a recipe.
fn header_comment(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix('#'));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

/// Default name of a run of `recipe`.
pub fn default_name(recipe: &Recipe) -> String {
    format!("{}-{}", split_name(&recipe.game).0, recipe.kind().name)
}

/// Parses a recipe and refuses players and files that clients may not name.
pub fn parse_checked(text: &str, mode: RunMode) -> Result<Recipe, ApiError> {
    if text.len() > MAX_RECIPE_BYTES {
        return Err(ApiError::too_large(format!(
            "a recipe may have up to {MAX_RECIPE_BYTES} bytes"
        )));
    }
    let recipe = mode.parse(text)?;
    let (game, _) = find_game(&recipe.game)?;
    for player in recipe.players() {
        check_player_reading(game, player, is_data)?;
    }
    files(&recipe).try_for_each(check_file)?;
    Ok(recipe)
}

/// Files named in a recipe.
fn files(recipe: &Recipe) -> impl Iterator<Item = &str> {
    let start = match &recipe.start {
        StartWeights::File(file) => Some(file.as_str()),
        StartWeights::Hand | StartWeights::Zero => None,
    };
    start.into_iter().chain(recipe.data.iter().map(String::as_str))
}

/// Whether a relative path has only normal components, and at least one.
fn is_plain_relative(mut parts: Components<'_>) -> bool {
    parts.clone().next().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Whether a file is in `data` or `runs` of the source tree.
fn is_data(file: &str) -> bool {
    let rest = ["data/", "runs/"].iter().find_map(|folder| file.strip_prefix(folder));
    rest.is_some_and(|rest| is_plain_relative(Path::new(rest).components()))
}

/// Recipes are in `recipes`; they may name files there, and in its siblings `data` and `runs`.
fn check_file(file: &str) -> Result<(), ApiError> {
    let beside = ["../data/", "../runs/"];
    let rest = beside.iter().find_map(|folder| file.strip_prefix(folder)).unwrap_or(file);
    if is_plain_relative(Path::new(rest).components()) {
        return Ok(());
    }
    let shown: String = file.chars().take(60).collect();
    let expected = "one beside the recipe, in ../data or in ../runs";
    Err(ApiError::bad(format!("file {shown:?}: expected {expected}")))
}

/// Writes the built-in files named in `recipe` to `folder`.
pub fn copy_built_in_files(recipe: &Recipe, folder: &Path) -> io::Result<()> {
    for file in files(recipe) {
        let target = folder.join(file);
        if let (Some(known), false) = (RECIPES.get(file), target.exists()) {
            ludus_files::create_folder(target.parent().unwrap_or(folder))?;
            ludus_files::write(&target, known)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_recipe_without_external_engines_may_be_run() {
        let entries = all();
        for file in RECIPES.names().filter(|file| file.ends_with(".toml")) {
            let text = str::from_utf8(RECIPES.get(file).unwrap()).unwrap();
            let recipe = Recipe::parse(text).unwrap_or_else(|error| panic!("{file}: {error}"));
            let is_external =
                |player: &str| ludus_players::external::IDS.contains(&split_name(player).0);
            let is_listed = entries.iter().any(|entry| file == format!("{}.toml", entry.name));
            assert_eq!(is_listed, !recipe.players().into_iter().any(is_external), "{file}");
            assert!(!header_comment(text).is_empty(), "{file} has no description");
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
            let text = format!("kind = \"td\"\ngame = \"draughts\"\nplayer = \"{player}\"\n");
            parse_checked(&text, RunMode::New)
        };
        assert!(recipe("hub:path=/bin/sh").is_err());
        assert!(recipe("iiga:weights=/etc/passwd").is_err());
        assert!(recipe("iiga:weights=data/../x").is_err());
        assert!(recipe("iiga:table=64KB").is_ok());
    }
}
