//! Writes `embedded.rs`: the articles, the recipes and the browser app with their contents. See
//! `src/embedded/mod.rs`.

use std::{env, error::Error, fmt::Write, fs, io, path::Path};

#[path = "src/embedded/listing.rs"]
mod listing;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../..");
    let (articles, recipes, web) =
        (root.join("data/learn"), root.join("recipes"), root.join("web"));
    for path in ["build.rs".as_ref(), "src/embedded/listing.rs".as_ref(), &*articles, &*recipes] {
        println!("cargo:rerun-if-changed={}", path.display());
    }
    let mut text = folder("ARTICLES", &articles, |_| true)?;
    text += &folder("RECIPES", &recipes, |_| true)?;
    // Debug builds read the browser app from disk: a change there needs no new build.
    if env::var("PROFILE")? == "release" {
        text += &folder("WEB", &web, listing::is_shipped)?;
        // Not the whole of `web/`, where `node_modules` comes and goes.
        let parts = files(&web, listing::is_shipped)?;
        for part in parts.iter().filter_map(|file| file.split('/').next()) {
            println!("cargo:rerun-if-changed={}", web.join(part).display());
        }
    }
    fs::write(Path::new(&env::var("OUT_DIR")?).join("embedded.rs"), text)?;
    Ok(())
}

/// Rust source of a `Folder` with the wanted files of `path`.
fn folder(name: &str, path: &Path, is_wanted: fn(&str) -> bool) -> Result<String, Box<dyn Error>> {
    let mut text = format!("/// Embedded files.\npub static {name}: Folder = Folder(&[\n");
    for file in files(path, is_wanted)? {
        let path = fs::canonicalize(path.join(&file))?;
        writeln!(text, "    ({file:?}, include_bytes!({path:?})),")?;
    }
    text.push_str("]);\n");
    Ok(text)
}

/// The wanted files of `path`; none if there is no such folder.
fn files(path: &Path, is_wanted: fn(&str) -> bool) -> io::Result<Vec<String>> {
    let mut files = if path.is_dir() { listing::files(path)? } else { Vec::new() };
    files.retain(|file| is_wanted(file));
    Ok(files)
}
