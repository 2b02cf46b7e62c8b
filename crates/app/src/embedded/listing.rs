//! Lists the files of a folder, for the build script and for debug builds.

use std::{fs, io, path::Path};

/// Names of all files below `folder`, sorted, with `/` between their parts. Hidden files and `node_modules` are
/// left out.
pub fn files(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    collect(folder, "", &mut names)?;
    names.sort();
    Ok(names)
}

fn collect(folder: &Path, prefix: &str, names: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with('.') || name == "node_modules" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{prefix}{name}/"), names)?;
        } else {
            names.push(format!("{prefix}{name}"));
        }
    }
    Ok(())
}

/// Whether a file of `web/` is part of the browser app, not of its tests and tools.
pub fn is_shipped(name: &str) -> bool {
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    matches!(extension, "html" | "css" | "js" | "svg") && !name.starts_with("tests/")
}
