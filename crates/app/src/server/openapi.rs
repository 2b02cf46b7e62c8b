//! API description: `/api/openapi.json`, generated from the code, and `/api` as a page.

use super::{App, analysis, arena, explain, games, learn, live_games, positions, schema, train};
use axum::{Json, Router, http::header, response::IntoResponse, routing::get};
use serde_json::{Value, json};
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
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut document = with_required_nulls(&DESCRIPTION);
    open_combined_schemas(&mut document);
    add_common_parts(&mut document);
    document
});
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

/// Lets schemas that are combined with others have the properties of these: types that are read from files, too,
/// forbid unknown ones.
fn open_combined_schemas(document: &mut Value) {
    let Some(schemas) = document["components"]["schemas"].as_object_mut() else { return };
    let parts = schemas.values().filter_map(|schema| schema["allOf"].as_array()).flatten();
    let targets = parts.filter_map(|part| part["$ref"].as_str()?.rsplit('/').next());
    let combined: BTreeSet<String> = targets.map(str::to_owned).collect();
    for (_, schema) in schemas.iter_mut().filter(|(name, _)| combined.contains(*name)) {
        if let Some(schema) = schema.as_object_mut() {
            schema.remove("additionalProperties");
        }
    }
}

/// Errors of the guard and of the connection, which every request can meet.
const COMMON_ERRORS: [(&str, &str); 4] = [
    ("403", "Refused: the token, or the origin of the request"),
    ("421", "The Host is not the server's"),
    ("429", "Too many requests"),
    ("503", "Internal error, or the server is busy"),
];
/// Errors of reading a body.
const BODY_ERRORS: [(&str, &str); 3] = [
    ("400", "Invalid input"),
    ("408", "Timeout while receiving the body"),
    ("413", "The body is too large"),
];
/// Errors of a WebSocket that is not asked for as one; their bodies are text.
const UPGRADE_ERRORS: [(&str, &str); 2] =
    [("400", "Invalid WebSocket request"), ("426", "Not a WebSocket request")];

/// Adds what all operations share, so that none can forget it: parameters of the path, and errors of the guard and
/// of the extractors.
fn add_common_parts(document: &mut Value) {
    for (path, item) in document["paths"].as_object_mut().into_iter().flatten() {
        for (_, operation) in item.as_object_mut().into_iter().flatten() {
            if operation["responses"].is_object() {
                add_path_parameters(path, operation);
                add_errors(operation);
            }
        }
    }
}

fn add_path_parameters(path: &str, operation: &mut Value) {
    let names = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    for name in names {
        let mut parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        if !parameters.iter().any(|one| one["in"] == "path" && one["name"] == name) {
            let schema = json!({ "type": "string" });
            parameters
                .push(json!({ "name": name, "in": "path", "required": true, "schema": schema }));
            operation["parameters"] = parameters.into();
        }
    }
}

fn add_errors(operation: &mut Value) {
    let parameters = operation["parameters"].as_array();
    let has = |place: &str| parameters.is_some_and(|all| all.iter().any(|one| one["in"] == place));
    let (has_path, has_query) = (has("path"), has("query"));
    let (has_body, is_socket) =
        (operation["requestBody"].is_object(), operation["responses"]["101"].is_object());
    let Some(responses) = operation["responses"].as_object_mut() else { return };
    let json_body = json!({ "application/json": {
        "schema": { "$ref": "#/components/schemas/ErrorBody" } } });
    let text_body = json!({ "text/plain": { "schema": { "type": "string" } } });
    let mut add = |errors: &[(&str, &str)], body: &Value| {
        for &(status, description) in errors {
            let response = || json!({ "description": description, "content": body });
            responses.entry(status).or_insert_with(response);
        }
    };
    add(&COMMON_ERRORS, &json_body);
    add(if has_path { &[("404", "Not found")] } else { &[] }, &json_body);
    add(if has_query { &[("400", "Invalid input")] } else { &[] }, &json_body);
    add(if has_body { &BODY_ERRORS } else { &[] }, &json_body);
    add(if is_socket { &UPGRADE_ERRORS } else { &[] }, &text_body);
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

    #[test]
    fn parameters_and_errors_that_all_share_are_described() {
        let operation = &document()["paths"]["/api/tables/{id}/move"]["post"];
        let names: Vec<&Value> = operation["parameters"].as_array().unwrap().iter().collect();
        assert_eq!(names.iter().filter(|one| one["name"] == "id").count(), 1, "{names:?}");
        for status in ["400", "403", "404", "408", "413", "421", "429", "503"] {
            assert!(operation["responses"][status].is_object(), "{status}");
        }
        let socket = &document()["paths"]["/api/tables/{id}/live"]["get"]["responses"];
        assert!(socket["426"].is_object() && socket["408"].is_null());
        let content = &document()["components"]["schemas"]["ArticleContent"];
        assert!(content["properties"].is_object() && content["additionalProperties"].is_null());
    }
}
