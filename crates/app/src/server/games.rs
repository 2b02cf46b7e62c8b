//! `GET /api/games`: all games with their players and options.

use super::{App, allowed_players::is_offered, schema::RecordFormatName, view::OptionView};
use axum::{Json, Router, routing::get};
use ludus_core::OptionSpec;
use ludus_data::gallery;
use ludus_players::{GAMES, Game, chess::study_models::lacks_weights, external};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    mem,
    sync::{Arc, LazyLock},
};
use utoipa::ToSchema;

/// All games.
#[derive(Serialize, ToSchema)]
pub struct Gallery {
    games: Vec<GameCard>,
}

/// A game with its players.
#[derive(Serialize, ToSchema)]
pub struct GameCard {
    id: &'static str,
    name: &'static str,
    about: &'static str,
    options: Vec<OptionView>,
    #[schema(value_type = RecordFormatName)]
    record_format: &'static str,
    /// Default opponent.
    suggested: &'static str,
    players: Vec<PlayerCard>,
}

/// A player of a game.
#[derive(Serialize, ToSchema)]
pub struct PlayerCard {
    id: &'static str,
    about: &'static str,
    /// Year of publication.
    year: Option<u32>,
    /// Short description of the method.
    idea: String,
    /// Knowledge that it uses.
    knows: Vec<String>,
    /// Publications.
    source: Option<String>,
    levels: Option<Levels>,
    /// Whether `/api/explain` can record its search tree.
    traced: bool,
    rating: Option<RatingCard>,
    options: Vec<OptionView>,
}

/// Strength levels of a player.
#[derive(Serialize, ToSchema)]
pub struct Levels {
    option: &'static str,
    min: f64,
    max: f64,
    default: u32,
}

/// A measured rating.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct RatingCard {
    elo: f64,
    /// Half-width of the 95 % confidence interval.
    error: f64,
    games: u64,
    /// The rated player with its options.
    spec: String,
}

/// Profile of a player: an entry of `data/players.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerProfile {
    id: String,
    /// Restricts the entry to one game, if the id means different players in different games.
    game: Option<String>,
    year: Option<u32>,
    idea: String,
    knows: Vec<String>,
    source: Option<String>,
}

/// An entry of `data/ratings.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RatingEntry {
    game: String,
    spec: String,
    elo: f64,
    error: f64,
    games: u64,
}

#[derive(Deserialize)]
struct PlayerProfiles {
    player: Vec<PlayerProfile>,
}

#[derive(Deserialize)]
struct Ratings {
    #[serde(default)]
    rating: Vec<RatingEntry>,
}

/// A level that a beginner can beat.
const DEFAULT_LEVEL: u32 = 3;

/// Built from embedded files: one that cannot be read is a fault of the program, which a test finds.
static GALLERY: LazyLock<Gallery> = LazyLock::new(|| {
    let profiles: PlayerProfiles =
        toml::from_str(gallery::PLAYERS).expect("data/players.toml has a profile per entry");
    let ratings: Ratings =
        toml::from_str(gallery::RATINGS).expect("data/ratings.toml has a rating per entry");
    let card = |game: &&dyn Game| card(*game, &profiles.player, &ratings.rating);
    Gallery { games: GAMES.iter().map(card).collect() }
});

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/api/games", get(list))
}

/// Lists the games with their players and options.
#[utoipa::path(get, path = "/api/games", tag = "games", responses((status = 200, body = Gallery)))]
pub async fn list() -> Json<&'static Gallery> {
    Json(&GALLERY)
}

/// Gallery for the start page, at a third of the size: players refer to their options by index into one
/// list of distinct options.
pub fn gallery_json() -> String {
    let mut gallery = serde_json::to_value(&*GALLERY).unwrap_or_default();
    let mut all_options: Vec<Value> = Vec::new();
    for game in items(&mut gallery["games"]) {
        for player in items(&mut game["players"]) {
            for option in items(&mut player["options"]) {
                let index = all_options.iter().position(|one| one == option);
                let number = index.unwrap_or(all_options.len());
                let option = mem::replace(option, number.into());
                all_options.extend(index.is_none().then_some(option));
            }
        }
    }
    gallery["options"] = all_options.into();
    gallery.to_string()
}

fn items(list: &mut Value) -> impl Iterator<Item = &mut Value> {
    list.as_array_mut().into_iter().flatten()
}

fn card(game: &dyn Game, profiles: &[PlayerProfile], ratings: &[RatingEntry]) -> GameCard {
    let traced = game.traced_players();
    let is_shown = |id: &str| !external::IDS.contains(&id) && !lacks_weights(id);
    let players = game.players().into_iter().filter(|(id, ..)| is_shown(id));
    let players = players.map(|(id, about, options)| {
        let profile = profile(profiles, game.id(), id);
        PlayerCard {
            id,
            about,
            year: profile.and_then(|profile| profile.year),
            idea: profile.map_or_else(|| about.to_owned(), |profile| profile.idea.clone()),
            knows: profile.map_or_else(Vec::new, |profile| profile.knows.clone()),
            source: profile.and_then(|profile| profile.source.clone()),
            levels: options.iter().find_map(levels),
            traced: traced.contains(&id),
            rating: rating(ratings, game.id(), id),
            options: options.iter().filter(|one| is_offered(one)).map(OptionView::from).collect(),
        }
    });
    GameCard {
        id: game.id(),
        name: game.name(),
        about: game.about(),
        options: game.options().iter().map(OptionView::from).collect(),
        record_format: game.record_format().name(),
        suggested: crate::cli::default_opponent(game),
        players: players.collect(),
    }
}

fn levels(option: &OptionSpec) -> Option<Levels> {
    match option.kind {
        ludus_core::OptionKind::Integer { min, max } if option.name == "level" => Some(Levels {
            option: option.name,
            min: min as f64,
            max: max as f64,
            default: DEFAULT_LEVEL,
        }),
        _ => None,
    }
}

fn profile<'a>(profiles: &'a [PlayerProfile], game: &str, id: &str) -> Option<&'a PlayerProfile> {
    let of_id = || profiles.iter().filter(|profile| profile.id == id);
    of_id()
        .find(|profile| profile.game.as_deref() == Some(game))
        .or_else(|| of_id().find(|profile| profile.game.is_none()))
}

/// Best rating of a player with any options.
fn rating(ratings: &[RatingEntry], game: &str, id: &str) -> Option<RatingCard> {
    let name = |text: &str| ludus_core::options::split_name(text).0.to_owned();
    let fitting = ratings.iter().filter(|one| name(&one.game) == game && name(&one.spec) == id);
    let best = fitting.max_by(|one, other| one.elo.total_cmp(&other.elo))?;
    let RatingEntry { spec, elo, error, games, .. } = best;
    Some(RatingCard { elo: *elo, error: *error, games: *games, spec: spec.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_has_a_profile_and_every_profile_a_player() {
        let profiles = toml::from_str::<PlayerProfiles>(gallery::PLAYERS).unwrap().player;
        let mut used = vec![false; profiles.len()];
        for game in GAMES {
            for (id, ..) in game.players() {
                if external::IDS.contains(&id) {
                    continue;
                }
                let found = profile(&profiles, game.id(), id);
                let found = found.unwrap_or_else(|| panic!("no profile of {id} in {}", game.id()));
                assert!(!found.idea.is_empty() && !found.knows.is_empty(), "{id}");
                let place = profiles.iter().position(|one| std::ptr::eq(one, found)).unwrap();
                used[place] = true;
            }
        }
        for (profile, used) in profiles.iter().zip(used) {
            assert!(used, "no player {} in {:?}", profile.id, profile.game);
        }
    }

    #[test]
    fn the_page_can_put_the_gallery_together() {
        let mut page: Value = serde_json::from_str(&gallery_json()).unwrap();
        let options = page.as_object_mut().unwrap().remove("options").unwrap();
        for game in items(&mut page["games"]) {
            for player in items(&mut game["players"]) {
                for option in items(&mut player["options"]) {
                    *option = options[option.as_u64().unwrap() as usize].clone();
                }
            }
        }
        assert_eq!(page, serde_json::to_value(&*GALLERY).unwrap());
    }

    #[test]
    fn every_rating_is_of_a_player_there_is() {
        for RatingEntry { game, spec, .. } in
            toml::from_str::<Ratings>(gallery::RATINGS).unwrap().rating
        {
            let (found, _) = ludus_players::find_game(&game).unwrap();
            found.check_player(&spec, &ludus_players::Resources::default()).unwrap();
        }
    }
}
