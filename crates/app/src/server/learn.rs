//! Pages about players and algorithms: `data/learn`, embedded.

use super::{
    App,
    error::{ApiError, Path},
};
use axum::{Json, Router, routing::get};
use rust_embed::RustEmbed;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};
use utoipa::ToSchema;

#[derive(RustEmbed)]
#[folder = "../../data/learn"]
struct Files;

/// The pages by name. One that cannot be read is a fault that a test finds.
static PAGES: LazyLock<BTreeMap<String, Page>> = LazyLock::new(|| {
    let page = |name: &str| Some((name.strip_suffix(".toml")?.to_owned(), read(name).ok()?));
    Files::iter().filter_map(|name| page(&name)).collect()
});

fn read(name: &str) -> Result<Page, String> {
    let file = Files::get(name).ok_or_else(|| format!("{name} is not there"))?;
    let text = str::from_utf8(&file.data).map_err(|error| error.to_string())?;
    toml::from_str(text).map_err(|error| format!("{name}: {error}"))
}

/// A page as it is written.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Page {
    title: String,
    kind: Kind,
    /// When the idea was published.
    year: Option<u16>,
    /// The idea in a line.
    summary: String,
    /// The idea in paragraphs.
    idea: Vec<String>,
    /// Where it comes from.
    source: String,
    /// Where its sources can be read, of those that have a lasting public address.
    #[serde(default)]
    links: Vec<String>,
    /// What was published and what we found.
    #[serde(default)]
    figures: Vec<Figure>,
    /// Where to meet it.
    #[serde(skip_serializing_if = "Option::is_none")]
    play: Option<Play>,
    /// Where to watch it.
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<Explain>,
}

/// What a page is about.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Player,
    Algorithm,
    Game,
}

/// A published figure beside ours.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Figure {
    what: String,
    /// Empty if nothing was published.
    published: String,
    ours: String,
    /// Where both stand.
    r#where: String,
}

/// A game and a player.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Play {
    game: String,
    spec: String,
}

/// A game and an algorithm.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Explain {
    game: String,
    algorithm: String,
}

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/api/learn", get(list)).route("/api/learn/{id}", get(one))
}

/// The title and the summary of a page.
pub fn title_and_summary(id: &str) -> Option<(String, String)> {
    PAGES.get(id).map(|page| (page.title.clone(), page.summary.clone()))
}

/// A page in the list.
#[derive(Serialize, ToSchema)]
pub struct Entry {
    id: String,
    title: String,
    kind: Kind,
    year: Option<u16>,
    summary: String,
}

/// The pages about players and algorithms
#[utoipa::path(get, path = "/api/learn", tag = "learn",
    responses((status = 200, description = "The pages", body = Vec<Entry>)))]
pub async fn list() -> Json<Vec<Entry>> {
    let entry = |(id, page): (&String, &Page)| Entry {
        id: id.clone(),
        title: page.title.clone(),
        kind: page.kind,
        year: page.year,
        summary: page.summary.clone(),
    };
    Json(PAGES.iter().map(entry).collect())
}

/// A page with its name.
#[derive(Serialize, ToSchema)]
pub struct Article {
    id: String,
    #[serde(flatten)]
    page: Page,
}

/// A page
#[utoipa::path(get, path = "/api/learn/{id}", tag = "learn",
    responses((status = 200, description = "The page", body = Article),
              (status = 404, description = "There is no such page", body = super::error::ErrorBody)))]
pub async fn one(Path(id): Path<String>) -> Result<Json<Article>, ApiError> {
    match PAGES.get(&id) {
        Some(page) => Ok(Json(Article { id, page: page.clone() })),
        None => Err(ApiError::missing("there is no such page: GET /api/learn lists them")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::place;
    use ludus_players::{GAMES, find_game};

    #[test]
    fn every_page_can_be_read() {
        let pages = || Files::iter().filter(|name| name.ends_with(".toml"));
        for name in pages() {
            read(&name).unwrap();
        }
        assert_eq!(PAGES.len(), pages().count());
    }

    #[test]
    fn every_player_and_algorithm_has_a_page() {
        for game in GAMES {
            for (id, ..) in game.players() {
                if ludus_players::external::IDS.contains(&id) {
                    continue;
                }
                let page = if id == "engine" { format!("engine-{}", game.id()) } else { id.into() };
                assert!(PAGES.contains_key(&page), "{page} has no page");
            }
        }
    }

    #[test]
    fn every_figure_names_its_source_and_every_link_leads_somewhere() {
        for (id, page) in PAGES.iter() {
            assert!((2..=4).contains(&page.idea.len()), "{id} has {} paragraphs", page.idea.len());
            assert!(!page.source.is_empty() && !page.summary.is_empty(), "{id}");
            for link in &page.links {
                let rest = link.strip_prefix("https://").or(link.strip_prefix("http://"));
                let is_address = rest.is_some_and(|rest| rest.contains('/') && !rest.contains(' '));
                assert!(is_address, "{id}: {link}");
            }
            for figure in &page.figures {
                let texts = [&figure.what, &figure.ours, &figure.r#where];
                assert!(texts.iter().all(|text| !text.trim().is_empty()), "{id}: {}", figure.what);
            }
            if let Some(Play { game, spec }) = &page.play {
                place::check_player(find_game(game).unwrap().0, spec)
                    .unwrap_or_else(|error| panic!("{id}: {}", error.message));
            }
            if let Some(Explain { game, algorithm }) = &page.explain {
                place::check_player(find_game(game).unwrap().0, algorithm)
                    .unwrap_or_else(|error| panic!("{id}: {}", error.message));
            }
        }
    }
}
