//! `GET /api/games`: the gallery of games and their players.

use super::{App, place::is_offered, view::OptionView};
use axum::{Json, Router, routing::get};
use ludus_core::OptionSpec;
use ludus_players::{GAMES, Game, external};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    mem,
    sync::{Arc, LazyLock},
};
use utoipa::ToSchema;

/// Every game.
#[derive(Serialize, ToSchema)]
pub struct Gallery {
    games: Vec<GameCard>,
}

/// A game and who plays it.
#[derive(Serialize, ToSchema)]
pub struct GameCard {
    id: &'static str,
    name: &'static str,
    about: &'static str,
    options: Vec<OptionView>,
    /// `pgn`, `pdn` or `sgf`.
    record_format: &'static str,
    /// An opponent for somebody who names none.
    suggested: &'static str,
    players: Vec<PlayerCard>,
}

/// A player of a game.
#[derive(Serialize, ToSchema)]
pub struct PlayerCard {
    id: &'static str,
    about: &'static str,
    /// When its idea was published.
    year: Option<u32>,
    /// The idea in a sentence or two.
    idea: String,
    /// What it knows.
    knows: Vec<String>,
    /// Where the idea was published.
    source: Option<String>,
    levels: Option<Levels>,
    /// Whether `/api/explain` can show how it searches.
    traced: bool,
    rating: Option<RatingCard>,
    options: Vec<OptionView>,
}

/// The strengths a player can be set to.
#[derive(Serialize, ToSchema)]
pub struct Levels {
    option: &'static str,
    min: f64,
    max: f64,
    default: u32,
}

/// A measured strength.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct RatingCard {
    elo: f64,
    /// Half of the 95 % interval.
    error: f64,
    games: u64,
    /// The player that was measured, with its options.
    spec: String,
}

/// Who a player is: an entry of `data/players.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Portrait {
    id: String,
    /// The game it is an entry for, if the same name means another player elsewhere.
    game: Option<String>,
    year: Option<u32>,
    idea: String,
    knows: Vec<String>,
    source: Option<String>,
}

/// An entry of `data/ratings.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Measured {
    game: String,
    spec: String,
    elo: f64,
    error: f64,
    games: u64,
}

#[derive(Deserialize)]
struct Portraits {
    player: Vec<Portrait>,
}

#[derive(Deserialize)]
struct Ratings {
    #[serde(default)]
    rating: Vec<Measured>,
}

const PORTRAITS: &str = include_str!("../../../../data/players.toml");
const RATINGS: &str = include_str!("../../../../data/ratings.toml");
/// The level a newcomer can beat.
const USUAL_LEVEL: u32 = 3;

/// The files are part of the program: a test reads them.
static GALLERY: LazyLock<Gallery> = LazyLock::new(|| {
    let portraits =
        toml::from_str(PORTRAITS).map_or_else(|_| Vec::new(), |file: Portraits| file.player);
    let ratings = toml::from_str(RATINGS).map_or_else(|_| Vec::new(), |file: Ratings| file.rating);
    Gallery { games: GAMES.iter().map(|game| card(*game, &portraits, &ratings)).collect() }
});

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/api/games", get(list))
}

/// The games, their players and options.
#[utoipa::path(get, path = "/api/games", tag = "games", responses((status = 200, body = Gallery)))]
pub async fn list() -> Json<&'static Gallery> {
    Json(&GALLERY)
}

/// The same for the page that brings it along, at a third of the length: each option of a player is
/// there once, and the many players that have it have its number.
pub fn gallery_json() -> String {
    let mut gallery = serde_json::to_value(&*GALLERY).unwrap_or_default();
    let mut known: Vec<Value> = Vec::new();
    for game in items(&mut gallery["games"]) {
        for player in items(&mut game["players"]) {
            for option in items(&mut player["options"]) {
                let place = known.iter().position(|one| one == option);
                let number = place.unwrap_or(known.len());
                let option = mem::replace(option, number.into());
                known.extend(place.is_none().then_some(option));
            }
        }
    }
    gallery["options"] = known.into();
    gallery.to_string()
}

fn items(list: &mut Value) -> impl Iterator<Item = &mut Value> {
    list.as_array_mut().into_iter().flatten()
}

fn card(game: &dyn Game, portraits: &[Portrait], ratings: &[Measured]) -> GameCard {
    let traced = game.traced_players();
    let players = game.players().into_iter().filter(|(id, ..)| !external::IDS.contains(id));
    let players = players.map(|(id, about, options)| {
        let portrait = portrait(portraits, game.id(), id);
        PlayerCard {
            id,
            about,
            year: portrait.and_then(|portrait| portrait.year),
            idea: portrait.map_or_else(|| about.to_owned(), |portrait| portrait.idea.clone()),
            knows: portrait.map_or_else(Vec::new, |portrait| portrait.knows.clone()),
            source: portrait.and_then(|portrait| portrait.source.clone()),
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
        suggested: crate::cli::usual_opponent(game),
        players: players.collect(),
    }
}

fn levels(option: &OptionSpec) -> Option<Levels> {
    match option.kind {
        ludus_core::Kind::Integer { min, max } if option.name == "level" => Some(Levels {
            option: option.name,
            min: min as f64,
            max: max as f64,
            default: USUAL_LEVEL,
        }),
        _ => None,
    }
}

fn portrait<'a>(portraits: &'a [Portrait], game: &str, id: &str) -> Option<&'a Portrait> {
    let of_id = || portraits.iter().filter(|portrait| portrait.id == id);
    of_id()
        .find(|portrait| portrait.game.as_deref() == Some(game))
        .or_else(|| of_id().find(|portrait| portrait.game.is_none()))
}

/// The best rating of a player, whatever its options were.
fn rating(ratings: &[Measured], game: &str, id: &str) -> Option<RatingCard> {
    let name = |text: &str| ludus_core::options::split_name(text).0.to_owned();
    let fitting = ratings.iter().filter(|one| name(&one.game) == game && name(&one.spec) == id);
    let best = fitting.max_by(|one, other| one.elo.total_cmp(&other.elo))?;
    let Measured { spec, elo, error, games, .. } = best;
    Some(RatingCard { elo: *elo, error: *error, games: *games, spec: spec.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_has_a_portrait_and_every_portrait_a_player() {
        let portraits = toml::from_str::<Portraits>(PORTRAITS).unwrap().player;
        let mut used = vec![false; portraits.len()];
        for game in GAMES {
            for (id, ..) in game.players() {
                if external::IDS.contains(&id) {
                    continue;
                }
                let found = portrait(&portraits, game.id(), id);
                let found = found.unwrap_or_else(|| panic!("no portrait of {id} in {}", game.id()));
                assert!(!found.idea.is_empty() && !found.knows.is_empty(), "{id}");
                let place = portraits.iter().position(|one| std::ptr::eq(one, found)).unwrap();
                used[place] = true;
            }
        }
        for (portrait, used) in portraits.iter().zip(used) {
            assert!(used, "nobody is called {} in {:?}", portrait.id, portrait.game);
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
        for Measured { game, spec, .. } in toml::from_str::<Ratings>(RATINGS).unwrap().rating {
            let (found, _) = ludus_players::find_game(&game).unwrap();
            found.check_player(&spec, &ludus_players::Resources::default()).unwrap();
        }
    }
}
