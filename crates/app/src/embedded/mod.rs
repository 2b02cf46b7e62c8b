//! Files that are part of the program: articles, recipes and the browser app, listed by the build script.

#[cfg(debug_assertions)]
mod listing;

use std::borrow::Cow;

/// The files of a folder, sorted by name.
pub struct Folder(&'static [(&'static str, &'static [u8])]);

impl Folder {
    /// Names of all files, with `/` between their parts.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|(name, _)| *name)
    }

    /// Content of the file with this name.
    pub fn get(&self, name: &str) -> Option<&'static [u8]> {
        let index = self.0.binary_search_by_key(&name, |(name, _)| name).ok()?;
        Some(self.0[index].1)
    }
}

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Names of the files of the browser app.
#[cfg(not(debug_assertions))]
pub fn web_files() -> Vec<String> {
    WEB.names().map(str::to_owned).collect()
}

/// Content of a file of the browser app.
#[cfg(not(debug_assertions))]
pub fn web_file(name: &str) -> Option<Cow<'static, [u8]>> {
    WEB.get(name).map(Cow::Borrowed)
}

/// Folder of the browser app; debug builds read it from disk, so that a reload shows a change.
#[cfg(debug_assertions)]
const WEB_FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web");

/// Names of the files of the browser app.
#[cfg(debug_assertions)]
pub fn web_files() -> Vec<String> {
    let mut names = listing::files(WEB_FOLDER.as_ref()).unwrap_or_default();
    names.retain(|name| listing::is_shipped(name));
    names
}

/// Content of a file of the browser app.
#[cfg(debug_assertions)]
pub fn web_file(name: &str) -> Option<Cow<'static, [u8]>> {
    if !listing::is_shipped(name) || !is_safe_path(name) {
        return None;
    }
    std::fs::read(std::path::Path::new(WEB_FOLDER).join(name)).ok().map(Cow::Owned)
}

/// Whether a relative path is safe: no component is empty, hidden or `..`.
#[cfg(debug_assertions)]
fn is_safe_path(name: &str) -> bool {
    !name.contains('\\') && name.split('/').all(|part| !part.is_empty() && !part.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_their_names() {
        for folder in [&ARTICLES, &RECIPES] {
            assert!(folder.names().count() > 1);
            assert!(folder.names().all(|name| folder.get(name).is_some()));
            assert!(folder.names().is_sorted());
        }
        assert_eq!(RECIPES.get("no such file"), None);
    }

    #[test]
    fn the_browser_app_comes_without_its_tests_and_tools() {
        let names = web_files();
        for shipped in ["index.html", "app.js", "icon.svg", "board/board.js", "style/base.css"] {
            assert!(names.iter().any(|name| name == shipped), "{shipped}");
            assert!(web_file(shipped).is_some(), "{shipped}");
        }
        for tool in ["types.d.ts", "package.json", "tests/scale.test.js", "biome.jsonc"] {
            assert!(!names.iter().any(|name| name == tool), "{tool}");
            assert!(web_file(tool).is_none(), "{tool}");
        }
    }

    #[test]
    fn names_cannot_lead_elsewhere() {
        for odd in ["../web/app.js", "lib/../app.js", "/app.js", "lib//dom.js", "lib\\dom.js", ""] {
            assert!(web_file(odd).is_none(), "{odd}");
        }
    }
}
