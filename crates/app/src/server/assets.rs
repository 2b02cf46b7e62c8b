//! Static files: `web/`, embedded in the binary (read from disk in debug builds).
//!
//! A first visit takes two round trips: the start page, with the game gallery and all styles inlined, then all modules
//! that it preloads.
//! Files are compressed once, at startup. The start page refers to files in a folder named after a hash of all contents,
//! so that browsers can cache them indefinitely.

use super::{error::ApiError, games};
use crate::embedded::{web_file, web_files};
use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, write::GzEncoder};
use std::{
    borrow::Cow,
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    io::Write,
    sync::{Arc, LazyLock},
};

const START_PAGE: &str = "index.html";
const ICON: &str = "icon.svg";
/// Style sheets inlined in the start page, in this order.
const STYLES: [&str; 13] = [
    "tokens", "base", "controls", "board", "play", "game", "analyse", "explain", "tree", "arena",
    "contest", "train", "learn",
];

/// Placeholders in the start page: the folder of all files, and inlined content.
const VERSION_PLACEHOLDER: &str = "{version}";
const STYLE_PLACEHOLDER: &str = "{style}";
const ICON_PLACEHOLDER: &str = "{icon}";
const GALLERY_PLACEHOLDER: &str = "{gallery}";

const CACHE_FOREVER: &str = "max-age=31536000, immutable";
/// For files outside the versioned folder, which change with a new version of the program.
const CACHE_REVALIDATE: &str = "no-cache";

/// A file with its response headers.
struct Asset {
    content_type: &'static str,
    bytes: Bytes,
    /// Gzip-compressed content, if that is shorter.
    gzipped: Option<Bytes>,
    etag: String,
}

/// Folder of all files, named after a hash of their contents.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    for name in web_files() {
        name.hash(&mut hasher);
        web_file(&name).hash(&mut hasher);
    }
    format!("v-{:016x}", hasher.finish())
});

static ASSETS: LazyLock<HashMap<String, Arc<Asset>>> = LazyLock::new(|| {
    let asset = |name: String| Some((name.clone(), Arc::new(Asset::read(&name)?)));
    web_files().into_iter().filter_map(asset).collect()
});

/// Compresses all files at startup.
pub fn prepare() {
    if !cfg!(debug_assertions) {
        LazyLock::force(&ASSETS);
    }
}

/// Serves everything outside `/api`.
pub async fn serve(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path();
    if path.starts_with("/api/") {
        let message = format!("there is no {path}: GET /api lists all requests");
        return ApiError::missing(message).into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return ApiError::wrong_method().await.into_response();
    }
    let name = path.strip_prefix('/').unwrap_or(path);
    let (version, name) = match name.split_once('/') {
        Some((version, name)) if version.starts_with("v-") => (version, name),
        _ => ("", if name.is_empty() { START_PAGE } else { name }),
    };
    let is_immutable = version == *VERSION && !cfg!(debug_assertions);
    match asset(name) {
        Some(asset) => {
            asset.respond(&headers, if is_immutable { CACHE_FOREVER } else { CACHE_REVALIDATE })
        }
        None => ApiError::missing(format!("page not found: {path}")).into_response(),
    }
}

fn asset(name: &str) -> Option<Arc<Asset>> {
    if cfg!(debug_assertions) {
        Asset::read(name).map(Arc::new)
    } else {
        ASSETS.get(name).map(Arc::clone)
    }
}

impl Asset {
    fn read(name: &str) -> Option<Asset> {
        let bytes = Bytes::from(contents(name)?.into_owned());
        let gzipped = gzip(&bytes).filter(|gzipped| gzipped.len() < bytes.len()).map(Bytes::from);
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let etag = format!("\"{:016x}\"", hasher.finish());
        Some(Asset { content_type: content_type(name), bytes, gzipped, etag })
    }

    fn respond(&self, request: &HeaderMap, cache_control: &'static str) -> Response {
        let mut headers = HeaderMap::new();
        let mut add = |name: HeaderName, value: &str| {
            headers.extend(HeaderValue::from_str(value).map(|value| (name, value)));
        };
        add(header::CONTENT_TYPE, self.content_type);
        add(header::CACHE_CONTROL, cache_control);
        add(header::ETAG, &self.etag);
        add(header::VARY, "accept-encoding");
        if header_list(request, header::IF_NONE_MATCH).any(|known| known == self.etag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let accepts_gzip =
            || header_list(request, header::ACCEPT_ENCODING).any(|coding| coding == "gzip");
        match self.gzipped.as_ref().filter(|_| accepts_gzip()) {
            Some(gzipped) => {
                add(header::CONTENT_ENCODING, "gzip");
                (headers, Body::from(gzipped.clone())).into_response()
            }
            None => (headers, Body::from(self.bytes.clone())).into_response(),
        }
    }
}

/// Values of a comma-separated header.
fn header_list(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let value = headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(',').map(str::trim)
}

fn contents(name: &str) -> Option<Cow<'static, [u8]>> {
    match name {
        START_PAGE => Some(start()?.into_bytes().into()),
        _ => web_file(name),
    }
}

/// The start page with its inlined content.
fn start() -> Option<String> {
    let sheets = STYLES.map(|sheet| text(&format!("style/{sheet}.css")));
    let style = sheets.into_iter().collect::<Option<String>>()?;
    // Escaped, so that no text in the gallery can close its script element.
    let gallery = games::gallery_json().replace('<', "\\u003c");
    let page = text(START_PAGE)?.replace(VERSION_PLACEHOLDER, &VERSION);
    let page =
        page.replacen(STYLE_PLACEHOLDER, &style, 1).replacen(ICON_PLACEHOLDER, &text(ICON)?, 1);
    Some(page.replacen(GALLERY_PLACEHOLDER, &gallery, 1))
}

fn text(name: &str) -> Option<String> {
    String::from_utf8(web_file(name)?.into_owned()).ok()
}

fn gzip(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_start_page_brings_every_style_sheet() {
        let value: BTreeSet<String> = STYLES.map(|sheet| format!("style/{sheet}.css")).into();
        let files = web_files().into_iter().filter(|name| name.ends_with(".css"));
        assert_eq!(files.collect::<BTreeSet<_>>(), value);
        let page = start().unwrap();
        let (_, rest) = page.split_once("<style>").unwrap();
        let (style, _) = rest.split_once("</style").unwrap();
        assert!(value.iter().all(|sheet| style.contains(&text(sheet).unwrap())));
    }

    #[test]
    fn the_start_page_brings_the_gallery() {
        let page = start().unwrap();
        for place in [VERSION_PLACEHOLDER, STYLE_PLACEHOLDER, ICON_PLACEHOLDER, GALLERY_PLACEHOLDER]
        {
            assert!(!page.contains(place), "{place}");
        }
        let (_, rest) =
            page.split_once(r#"<script id="gallery" type="application/json">"#).unwrap();
        let (gallery, _) = rest.split_once("</script>").unwrap();
        let gallery: serde_json::Value = serde_json::from_str(gallery).unwrap();
        assert!(gallery["games"].as_array().unwrap().iter().any(|game| game["id"] == "chess"));
    }

    /// Static imports of a module, as paths below `web/`.
    fn imports(module: &str) -> Vec<String> {
        let text = text(module).unwrap_or_else(|| panic!("there is no {module}"));
        let code = text.lines().filter(|line| !line.trim_start().starts_with(['*', '/']));
        let names = code.filter_map(|line| {
            let (before, name) = line.strip_suffix("\";")?.rsplit_once('"')?;
            (before == "import " || before.ends_with(" from ")).then(|| name.to_owned())
        });
        let folder = module.rsplit_once('/').map_or("", |(folder, _)| folder);
        names.map(|name| below(folder, &name)).collect()
    }

    /// `../lib/dom.js`, as seen from `pages`, is `lib/dom.js`.
    fn below(folder: &str, name: &str) -> String {
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in name.split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop()),
                part => parts.push(part),
            }
        }
        parts.join("/")
    }

    /// Otherwise the browser discovers modules one round trip after another.
    #[test]
    fn the_start_page_names_every_module_it_needs_and_no_other() {
        let mut needed = BTreeSet::new();
        let mut open = vec!["app.js".to_owned()];
        while let Some(module) = open.pop() {
            if needed.insert(module.clone()) {
                open.extend(imports(&module));
            }
        }
        let page = start().unwrap();
        let links = page.split(r#"<link rel="modulepreload" href=""#).skip(1);
        let links = links.map(|link| link.split('"').next().unwrap());
        let named: BTreeSet<String> = links
            .chain(["app.js"])
            .map(|link| link.trim_start_matches(&format!("{}/", *VERSION)).to_owned())
            .collect();
        assert_eq!(named, needed);
    }
}
