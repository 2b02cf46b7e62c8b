//! Articles about players and algorithms: `data/learn`, embedded.

use super::{
    App,
    error::{ApiError, PathParams},
};
use crate::embedded;
use axum::{Json, Router, routing::get};
use ludus_core::options::split_name;
use ludus_players::chess::study_models::lacks_weights;
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};
use utoipa::ToSchema;

/// Articles by name. A test checks that all of them parse.
static ARTICLES: LazyLock<BTreeMap<String, ArticleContent>> = LazyLock::new(|| {
    let page = |name: &str| {
        let mut page = read(name).ok()?;
        page.play = page.play.filter(|link| !lacks_weights(split_name(&link.spec).0));
        Some((name.strip_suffix(".toml")?.to_owned(), page))
    };
    embedded::ARTICLES.names().filter_map(page).collect()
});

fn read(name: &str) -> Result<ArticleContent, String> {
    let file = embedded::ARTICLES.get(name).ok_or_else(|| format!("{name} is not there"))?;
    let text = str::from_utf8(file).map_err(|error| error.to_string())?;
    toml::from_str(text).map_err(|error| format!("{name}: {error}"))
}

/// Content of an article.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ArticleContent {
    title: String,
    kind: ArticleKind,
    /// Year of publication.
    year: Option<u16>,
    /// One-line summary.
    summary: String,
    /// Paragraphs of the text.
    idea: Vec<String>,
    /// Sources.
    source: String,
    /// Permanent links to sources.
    #[serde(default)]
    #[schema(required = true)]
    links: Vec<String>,
    /// Published figures beside our own measurements.
    #[serde(default)]
    #[schema(required = true)]
    figures: Vec<PublishedFigure>,
    /// Game and player to try.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    play: Option<PlayLink>,
    /// Game and algorithm to watch in the search viewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    explain: Option<ExplainLink>,
}

/// Subject of an article.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ArticleKind {
    Player,
    Algorithm,
    Game,
}

/// A published figure beside our measurement.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PublishedFigure {
    what: String,
    /// Published value; empty if there is none.
    published: String,
    ours: String,
    /// Sources of both values.
    r#where: String,
}

/// A game and a player.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct PlayLink {
    game: String,
    spec: String,
}

/// A game and an algorithm.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ExplainLink {
    game: String,
    algorithm: String,
}

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/api/learn", get(list)).route("/api/learn/{id}", get(one))
}

/// Title and summary of an article.
pub fn title_and_summary(id: &str) -> Option<(String, String)> {
    ARTICLES.get(id).map(|page| (page.title.clone(), page.summary.clone()))
}

/// An article in the list.
#[derive(Serialize, ToSchema)]
pub struct ArticleSummary {
    id: String,
    title: String,
    kind: ArticleKind,
    year: Option<u16>,
    summary: String,
}

/// Lists the articles about players and algorithms
#[utoipa::path(get, path = "/api/learn", tag = "learn",
    responses((status = 200, description = "The articles", body = Vec<ArticleSummary>)))]
pub async fn list() -> Json<Vec<ArticleSummary>> {
    let entry = |(id, page): (&String, &ArticleContent)| ArticleSummary {
        id: id.clone(),
        title: page.title.clone(),
        kind: page.kind,
        year: page.year,
        summary: page.summary.clone(),
    };
    Json(ARTICLES.iter().map(entry).collect())
}

/// An article with its id.
#[derive(Serialize, ToSchema)]
pub struct Article {
    id: String,
    #[serde(flatten)]
    page: ArticleContent,
}

/// Returns an article
#[utoipa::path(get, path = "/api/learn/{id}", tag = "learn",
    responses((status = 200, description = "The article", body = Article),
              (status = 404, description = "Not found", body = super::error::ErrorBody)))]
pub async fn one(PathParams(id): PathParams<String>) -> Result<Json<Article>, ApiError> {
    match ARTICLES.get(&id) {
        Some(page) => Ok(Json(Article { id, page: page.clone() })),
        None => Err(ApiError::missing("there is no such article: GET /api/learn lists them")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::allowed_players;
    use ludus_players::{GAMES, find_game};

    #[test]
    fn every_page_can_be_read() {
        let pages = || embedded::ARTICLES.names().filter(|name| name.ends_with(".toml"));
        for name in pages() {
            read(name).unwrap();
        }
        assert_eq!(ARTICLES.len(), pages().count());
    }

    #[test]
    fn every_player_and_algorithm_has_a_page() {
        for game in GAMES {
            for (id, ..) in game.players() {
                if ludus_players::external::IDS.contains(&id) {
                    continue;
                }
                let page = if id == "engine" { format!("engine-{}", game.id()) } else { id.into() };
                assert!(ARTICLES.contains_key(&page), "{page} has no page");
            }
        }
    }

    #[test]
    fn every_figure_names_its_source_and_every_link_leads_somewhere() {
        for (id, page) in ARTICLES.iter() {
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
                check_documents(id, &figure.r#where);
            }
            if let Some(PlayLink { game, spec }) = &page.play {
                allowed_players::check_player(find_game(game).unwrap().0, spec)
                    .unwrap_or_else(|error| panic!("{id}: {}", error.message));
            }
            if let Some(ExplainLink { game, algorithm }) = &page.explain {
                allowed_players::check_player(find_game(game).unwrap().0, algorithm)
                    .unwrap_or_else(|error| panic!("{id}: {}", error.message));
            }
        }
    }

    /// Checks that documents of the project named in `source` exist, with the headings quoted after them.
    fn check_documents(id: &str, source: &str) {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for part in source.split("; ").filter(|part| part.starts_with("docs/")) {
            let (document, rest) = part.split_once(',').unwrap_or((part, ""));
            let text = std::fs::read_to_string(root.join(document))
                .unwrap_or_else(|error| panic!("{id}: {document}: {error}"));
            let mut headings = text.lines().filter(|line| line.starts_with('#'));
            if let Some(heading) = rest.trim().strip_prefix('"').and_then(|it| it.strip_suffix('"'))
            {
                let is_heading = |line: &str| {
                    line.trim_start_matches('#').trim().replace('`', "") == heading.replace('`', "")
                };
                assert!(headings.any(is_heading), "{id}: {document} has no heading {heading:?}");
            }
        }
    }
}
