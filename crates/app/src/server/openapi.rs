//! API description: `/api/openapi.json`, generated from the code, and `/api` as a page.

use super::{App, analysis, arena, explain, games, learn, live_games, positions, schema, train};
use axum::{Json, Router, http::header, response::IntoResponse, routing::get};
use serde_json::Value;
use std::{
    collections::BTreeSet,
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
        description = "Board-game players: play them, watch them search, train them and hold tournaments. \
                       Errors are {\"error\": {\"message\": \"…\"}}."
    ),
    paths(
        games::list,
        live_games::list,
        live_games::create,
        live_games::show,
        live_games::remove,
        live_games::play_move,
        live_games::undo,
        live_games::resign,
        live_games::draw,
        live_games::decline_draw,
        live_games::hint,
        live_games::go,
        live_games::record,
        live_games::at,
        live_games::socket::live,
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
    ),
    components(schemas(
        analysis::ClientMessage,
        analysis::ServerMessage,
        arena::ContestMessage,
        schema::LiveGameMessage,
        train::RunMessage,
    ))
)]
struct Api;

static DESCRIPTION: LazyLock<Document> = LazyLock::new(Api::openapi);
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| with_required_nulls(&DESCRIPTION));
static PAGE: LazyLock<String> = LazyLock::new(|| page(&DESCRIPTION));

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/api", get(read)).route("/api/openapi.json", get(openapi))
}

async fn openapi() -> Json<&'static Value> {
    Json(document())
}

/// The OpenAPI description.
pub fn document() -> &'static Value {
    &DOCUMENT
}

/// A description in which nullable properties are required, except in requests: the server writes every property,
/// null or not, and only leaves out those that are not nullable.
fn with_required_nulls(description: &Document) -> Value {
    let mut document = serde_json::to_value(description).unwrap_or_default();
    let mut requests = BTreeSet::new();
    let mut open = vec![&document["components"]["schemas"]["AnalysisRequest"]];
    for item in document["paths"].as_object().into_iter().flatten() {
        open.extend(item.1.as_object().into_iter().flatten().map(|(_, one)| &one["requestBody"]));
    }
    while let Some(part) = open.pop() {
        let target = part["$ref"].as_str().and_then(|target| target.rsplit('/').next());
        if let Some(name) = target
            && requests.insert(name.to_owned())
        {
            open.push(&document["components"]["schemas"][name]);
        }
        open.extend(part.as_object().into_iter().flatten().map(|(_, inner)| inner));
        open.extend(part.as_array().into_iter().flatten());
    }
    let schemas = document["components"]["schemas"].as_object_mut().into_iter().flatten();
    for (_, schema) in schemas.filter(|(name, _)| !requests.contains(*name)) {
        require_nulls(schema);
    }
    document
}

fn require_nulls(schema: &mut Value) {
    let properties = schema["properties"].as_object().into_iter().flatten();
    let is_null = |kind: &Value| kind == "null" || kind["type"] == "null";
    let is_nullable = |schema: &Value| {
        let kinds = [&schema["type"], &schema["oneOf"]].into_iter().filter_map(Value::as_array);
        kinds.flatten().any(is_null)
    };
    let nullable: Vec<Value> = properties
        .filter(|(_, one)| is_nullable(one))
        .map(|(name, _)| name.as_str().into())
        .collect();
    let mut required = schema["required"].as_array().cloned().unwrap_or_default();
    for name in nullable {
        if !required.contains(&name) {
            required.push(name);
        }
    }
    if let Some(schema) = schema.as_object_mut()
        && !required.is_empty()
    {
        schema.insert("required".to_owned(), required.into());
    }
    for key in ["allOf", "oneOf"] {
        let parts = schema.get_mut(key).and_then(Value::as_array_mut);
        parts.into_iter().flatten().for_each(require_nulls);
    }
}

async fn read() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], PAGE.as_str())
}

/// HTML page that lists all requests.
fn page(document: &Document) -> String {
    let mut text = String::from(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>Ludus: the API</title>\
         <style>body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}\
         td{padding:.25rem .75rem .25rem 0;vertical-align:top}code{white-space:nowrap}\
         :root{color-scheme:light dark}</style></head><body><h1>Ludus: the API</h1>\
         <p>JSON in, JSON out. Full description: <a href=\"/api/openapi.json\">openapi.json</a>. \
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
        for (path, item) in &DESCRIPTION.paths.paths {
            assert!(path.starts_with("/api/"), "{path}");
            for (method, operation) in operations(item) {
                assert!(operation.summary.is_some(), "{method} {path} has no summary");
            }
        }
        assert!(PAGE.contains("POST /api/tables/{id}/move"));
    }
}
