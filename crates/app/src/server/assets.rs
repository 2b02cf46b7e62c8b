//! The pages: `web/`, embedded in the binary (read from the disk in debug builds).
//!
//! A first visit takes two rounds: the page, which brings the gallery and all style along, and then the modules that it
//! names, all at once.
//! Everything is compressed once, when the server starts. A page names its files in a folder that is called after the
//! contents of all of them, so that browsers can keep what they have without asking.

use super::{error::ApiError, games};
use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use flate2::{Compression, write::GzEncoder};
use rust_embed::RustEmbed;
use std::{
    borrow::Cow,
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
    io::Write,
    sync::{Arc, LazyLock},
};

#[derive(RustEmbed)]
#[folder = "../../web"]
#[allow_missing = true]
struct Web;

const START: &str = "index.html";
const ICON: &str = "icon.svg";
/// The start page has all style sheets in it, in this order.
const STYLES: [&str; 9] =
    ["tokens", "base", "board", "play", "analyse", "explain", "arena", "train", "learn"];

/// Where the start page has the name of the folder of all files, and where what it brings along.
const VERSION_PLACE: &str = "{version}";
const STYLE_PLACE: &str = "{style}";
const ICON_PLACE: &str = "{icon}";
const GALLERY_PLACE: &str = "{gallery}";

const KEEP: &str = "max-age=31536000, immutable";
/// A new version of the program has new pages under the old names: ask, but do not send again.
const ASK: &str = "no-cache";

/// A file as it is sent.
struct Page {
    kind: &'static str,
    plain: Bytes,
    /// The same compressed, if that is shorter.
    zipped: Option<Bytes>,
    tag: String,
}

/// The folder that the start page names: another as soon as any file is.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    for name in Web::iter() {
        name.hash(&mut hasher);
        Web::get(&name).map(|file| file.metadata.sha256_hash()).hash(&mut hasher);
    }
    format!("v-{:016x}", hasher.finish())
});

static PAGES: LazyLock<HashMap<String, Arc<Page>>> = LazyLock::new(|| {
    Web::iter().filter_map(|name| Some((name.to_string(), Arc::new(Page::read(&name)?)))).collect()
});

/// Compresses the pages before anybody asks for them.
pub fn prepare() {
    if !cfg!(debug_assertions) {
        LazyLock::force(&PAGES);
    }
}

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
    let name = path.strip_prefix('/').unwrap_or(path);
    let (version, name) = match name.split_once('/') {
        Some((version, name)) if version.starts_with("v-") => (version, name),
        _ => ("", if name.is_empty() { START } else { name }),
    };
    let is_lasting = version == *VERSION && !cfg!(debug_assertions);
    match page(name) {
        Some(page) => page.answer(&headers, if is_lasting { KEEP } else { ASK }),
        None => ApiError::missing(format!("there is no page {path}: start at /")).into_response(),
    }
}

fn page(name: &str) -> Option<Arc<Page>> {
    if cfg!(debug_assertions) {
        Page::read(name).map(Arc::new)
    } else {
        PAGES.get(name).map(Arc::clone)
    }
}

impl Page {
    fn read(name: &str) -> Option<Page> {
        let plain = Bytes::from(contents(name)?.into_owned());
        let zipped = zip(&plain).filter(|zipped| zipped.len() < plain.len()).map(Bytes::from);
        let mut hasher = DefaultHasher::new();
        plain.hash(&mut hasher);
        let tag = format!("\"{:016x}\"", hasher.finish());
        Some(Page { kind: content_type(name), plain, zipped, tag })
    }

    fn answer(&self, asked: &HeaderMap, keeping: &'static str) -> Response {
        let mut headers = HeaderMap::new();
        let mut tell = |name: HeaderName, value: &str| {
            headers.extend(HeaderValue::from_str(value).map(|value| (name, value)));
        };
        tell(header::CONTENT_TYPE, self.kind);
        tell(header::CACHE_CONTROL, keeping);
        tell(header::ETAG, &self.tag);
        tell(header::VARY, "accept-encoding");
        if lists(asked, header::IF_NONE_MATCH).any(|known| known == self.tag) {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let takes_zipped = || lists(asked, header::ACCEPT_ENCODING).any(|coding| coding == "gzip");
        match self.zipped.as_ref().filter(|_| takes_zipped()) {
            Some(zipped) => {
                tell(header::CONTENT_ENCODING, "gzip");
                (headers, Body::from(zipped.clone())).into_response()
            }
            None => (headers, Body::from(self.plain.clone())).into_response(),
        }
    }
}

/// What a header lists, separated by commas.
fn lists(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    let told = headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    told.split(',').map(str::trim)
}

fn contents(name: &str) -> Option<Cow<'static, [u8]>> {
    match name {
        START => Some(start()?.into_bytes().into()),
        _ => Some(Web::get(name).filter(|_| is_plain(name))?.data),
    }
}

/// The start page, with all in it that it would have to ask for at once.
fn start() -> Option<String> {
    let sheets = STYLES.map(|sheet| text(&format!("style/{sheet}.css")));
    let style = sheets.into_iter().collect::<Option<String>>()?;
    // Nothing in the gallery may end the element that it stands in.
    let gallery = games::gallery_json().replace('<', "\\u003c");
    let page = text(START)?.replace(VERSION_PLACE, &VERSION);
    let page = page.replacen(STYLE_PLACE, &style, 1).replacen(ICON_PLACE, &text(ICON)?, 1);
    Some(page.replacen(GALLERY_PLACE, &gallery, 1))
}

fn text(name: &str) -> Option<String> {
    String::from_utf8(Web::get(name)?.data.into_owned()).ok()
}

fn zip(plain: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(plain).ok()?;
    encoder.finish().ok()
}

/// Whether a name goes down only: no part of it is empty, hidden or `..`.
fn is_plain(name: &str) -> bool {
    !name.contains('\\') && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
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
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_cannot_lead_elsewhere() {
        for plain in ["index.html", "style/base.css", "components/board.js"] {
            assert!(is_plain(plain), "{plain}");
        }
        for odd in ["", "..", "../Cargo.toml", "a/../b", "/etc/passwd", "a//b", ".git", "a\\b"] {
            assert!(!is_plain(odd), "{odd}");
        }
    }

    #[test]
    fn the_start_page_brings_every_style_sheet() {
        let told: BTreeSet<String> = STYLES.map(|sheet| format!("style/{sheet}.css")).into();
        let files = Web::iter().filter(|name| name.ends_with(".css")).map(Cow::into_owned);
        assert_eq!(files.collect::<BTreeSet<_>>(), told);
        let page = start().unwrap();
        let (_, rest) = page.split_once("<style>").unwrap();
        let (style, _) = rest.split_once("</style").unwrap();
        assert!(told.iter().all(|sheet| style.contains(&text(sheet).unwrap())));
    }

    #[test]
    fn the_start_page_brings_the_gallery() {
        let page = start().unwrap();
        for place in [VERSION_PLACE, STYLE_PLACE, ICON_PLACE, GALLERY_PLACE] {
            assert!(!page.contains(place), "{place}");
        }
        let (_, rest) =
            page.split_once(r#"<script id="gallery" type="application/json">"#).unwrap();
        let (gallery, _) = rest.split_once("</script>").unwrap();
        let gallery: serde_json::Value = serde_json::from_str(gallery).unwrap();
        assert!(gallery["games"].as_array().unwrap().iter().any(|game| game["id"] == "chess"));
    }

    /// What a module imports before it runs, by names below `web/`.
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

    /// Otherwise the browser learns of a module from the one before it, one round after another.
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
