//! What the server offers to scripts: `/api/openapi.json`, made from the code, and `/api` to read.

use super::{App, analysis, arena, explain, games, learn, positions, tables, train};
use axum::{Json, Router, http::header, response::IntoResponse, routing::get};
use std::{
    fmt::Write,
    sync::{Arc, LazyLock},
};
use utoipa::{
    OpenApi,
    openapi::{OpenApi as Document, PathItem, path::Operation},
};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Ludus",
        description = "Board-game minds: played, explained, trained and pitted against each other. \
                       Errors are {\"error\": {\"message\": \"…\"}}."
    ),
    paths(
        games::list,
        tables::list,
        tables::create,
        tables::show,
        tables::remove,
        tables::play_move,
        tables::undo,
        tables::resign,
        tables::draw,
        tables::decline_draw,
        tables::hint,
        tables::go,
        tables::record,
        tables::at,
        tables::live::live,
        positions::read,
        analysis::analysis,
        explain::explain,
        explain::explain_tree,
        explain::algorithms,
        arena::start,
        arena::list,
        arena::one,
        arena::stop,
        arena::resume,
        arena::games,
        arena::game,
        arena::watch,
        train::list_recipes,
        train::start,
        train::list,
        train::one,
        train::stop,
        train::resume,
        train::file,
        train::watch,
        train::clusters::list,
        train::features::list,
        learn::list,
        learn::one,
    )
)]
struct Api;

static DOCUMENT: LazyLock<Document> = LazyLock::new(Api::openapi);
static PAGE: LazyLock<String> = LazyLock::new(|| page(&DOCUMENT));

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/api", get(read)).route("/api/openapi.json", get(document))
}

async fn document() -> Json<&'static Document> {
    Json(&DOCUMENT)
}

async fn read() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], PAGE.as_str())
}

/// The list of all requests, for people.
fn page(document: &Document) -> String {
    let mut text = String::from(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Ludus: the API</title>\
         <style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
         td{padding:.25rem .75rem .25rem 0;vertical-align:top}code{white-space:nowrap}\
         :root{color-scheme:light dark}</style></head><body><h1>Ludus: the API</h1>\
         <p>JSON in, JSON out. All of it in detail: <a href=\"/api/openapi.json\">openapi.json</a>. \
         Errors are <code>{\"error\": {\"message\": \"…\"}}</code>.</p><table>",
    );
    for (path, item) in &document.paths.paths {
        for (method, operation) in operations(item) {
            let about = operation.summary.as_deref().unwrap_or_default();
            let (path, about) = (escape(path), escape(about));
            // Writing to a string does not fail.
            let _ = write!(text, "<tr><td><code>{method} {path}</code></td><td>{about}</td></tr>");
        }
    }
    text + "</table></body></html>"
}

fn operations(item: &PathItem) -> impl Iterator<Item = (&'static str, &Operation)> {
    let all = [("GET", &item.get), ("POST", &item.post), ("DELETE", &item.delete)];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_ref()?)))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_is_described() {
        for (path, item) in &DOCUMENT.paths.paths {
            assert!(path.starts_with("/api/"), "{path}");
            for (method, operation) in operations(item) {
                assert!(operation.summary.is_some(), "{method} {path} says nothing");
            }
        }
        assert!(PAGE.contains("POST /api/tables/{id}/move"));
    }
}
