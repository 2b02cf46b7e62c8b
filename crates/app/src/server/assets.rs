//! The pages: `web/`, embedded in the binary (read from the disk in debug builds).

use super::error::ApiError;
use axum::{
    body::Body,
    http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "../../web"]
#[allow_missing = true]
struct Web;

/// Answers everything that is not under `/api`.
pub async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    if path.starts_with("/api/") {
        let message = format!("there is no {path}: GET /api lists what there is");
        return ApiError::missing(message).into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return ApiError::wrong_method().await.into_response();
    }
    let name = path.trim_start_matches('/');
    let name = if name.is_empty() { "index.html" } else { name };
    match Web::get(name).filter(|_| is_plain(name)) {
        Some(file) => page(name, file, &headers),
        None => ApiError::missing(format!("there is no page {path}: start at /")).into_response(),
    }
}

/// Whether a name goes down only: no part of it is empty, hidden or `..`.
fn is_plain(name: &str) -> bool {
    !name.contains('\\') && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
}

fn page(name: &str, file: EmbeddedFile, headers: &HeaderMap) -> Response {
    let hash = file.metadata.sha256_hash();
    let tag: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let unchanged = known.is_some_and(|known| known.split(',').any(|one| one.trim() == tag));
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(file.data.into_owned()).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(name)));
    // A new version of the program has new pages under the old names: ask, but do not send again.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "webmanifest" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wav" => "audio/wav",
        "txt" | "md" | "ts" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::is_plain;

    #[test]
    fn names_cannot_lead_elsewhere() {
        for plain in ["index.html", "style/base.css", "components/board.js"] {
            assert!(is_plain(plain), "{plain}");
        }
        for odd in ["", "..", "../Cargo.toml", "a/../b", "/etc/passwd", "a//b", ".git", "a\\b"] {
            assert!(!is_plain(odd), "{odd}");
        }
    }
}
