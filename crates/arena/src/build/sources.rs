//! The sources that decide moves, and their hash. The build script runs this.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Component, Path, PathBuf},
};

/// Folders whose sources decide moves.
pub const FOLDERS: [&str; 8] = [
    "crates/core/src",
    "crates/games/src",
    "crates/knowledge/src",
    "crates/search/src",
    "crates/models/src",
    "crates/formats/src",
    "crates/players/src",
    "data/src",
];

/// Modules in [`FOLDERS`] whose embedded files decide no move: what the app shows of players, and
/// problems for tests. Whatever else is embedded counts, also in modules that do not exist yet.
pub const NOT_PLAY: [&str; 2] = ["data/src/gallery.rs", "data/src/suites.rs"];

/// Modules of the arena that decide results of games.
pub const RULES_OF_PLAY: [&str; 6] = [
    "crates/arena/src/adjudicate",
    "crates/arena/src/ballots",
    "crates/arena/src/game",
    "crates/arena/src/openings",
    "crates/arena/src/parallel",
    "crates/arena/src/schedule",
];

/// Third-party crates that generate moves.
pub const CRATES: [&str; 2] = ["cozy-chess", "cozy-chess-types"];

/// The sources that decide moves.
pub struct Sources {
    /// Files read.
    pub files: Vec<PathBuf>,
    /// Their hash.
    pub hash: String,
}

/// Reads the sources below `root` and the files they embed. The hash does not depend on the location of
/// the folder, the order of its files or their line endings.
pub fn read(root: &Path) -> io::Result<Sources> {
    let mut found = BTreeMap::new();
    for folder in FOLDERS {
        collect(root, &root.join(folder), &mut found)?;
    }
    for module in RULES_OF_PLAY {
        let (file, folder) = (root.join(format!("{module}.rs")), root.join(module));
        if !file.is_file() && !folder.is_dir() {
            let message = format!("{module}.rs: expected a module that decides results of games");
            return Err(io::Error::new(io::ErrorKind::NotFound, message));
        }
        if file.is_file() {
            found.insert(name(root, &file), file);
        }
        if folder.is_dir() {
            collect(root, &folder, &mut found)?;
        }
    }
    let sources: Vec<PathBuf> = found.values().cloned().collect();
    for source in sources {
        for file in embedded(&source)? {
            found.insert(name(root, &file), file);
        }
    }
    let mut hash = Hash::new();
    for (name, file) in &found {
        hash.add(name.as_bytes());
        hash.add(&without_carriage_returns(fs::read(file)?));
    }
    let lock = root.join("Cargo.lock");
    let locked = without_carriage_returns(fs::read(&lock).unwrap_or_default());
    hash.add(versions(&String::from_utf8_lossy(&locked)).as_bytes());
    let mut files: Vec<PathBuf> = found.into_values().collect();
    if lock.is_file() {
        files.push(lock);
    }
    Ok(Sources { files, hash: hash.digits() })
}

/// Collects the sources in `folder` and below, without tests and [`NOT_PLAY`].
fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if path.file_name().is_none_or(|name| name != "tests") {
                collect(root, &path, found)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.file_name().is_none_or(|name| name != "tests.rs")
        {
            let name = name(root, &path);
            if !NOT_PLAY.contains(&name.as_str()) {
                found.insert(name, path);
            }
        }
    }
    Ok(())
}

/// The path of a file relative to `root`, the same on all systems.
fn name(root: &Path, file: &Path) -> String {
    let inside = file.strip_prefix(root).unwrap_or(file);
    let parts: Vec<_> =
        inside.components().map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.join("/")
}

/// The files embedded in `source` by `include_str!` and `include_bytes!`.
fn embedded(source: &Path) -> io::Result<Vec<PathBuf>> {
    let text = String::from_utf8_lossy(&fs::read(source)?).into_owned();
    let folder = source.parent().unwrap_or(Path::new(""));
    let mut files = Vec::new();
    for start in ["include_str!(", "include_bytes!("] {
        for after in text.split(start).skip(1) {
            let quoted =
                after.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
            let file = quoted.map(|path| plain(&folder.join(path)));
            files.extend(file.filter(|file| file.is_file()));
        }
    }
    Ok(files)
}

/// `path` with `..` resolved.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        if part == Component::ParentDir {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}

fn without_carriage_returns(bytes: Vec<u8>) -> Vec<u8> {
    match String::from_utf8(bytes) {
        Ok(text) => text.replace("\r\n", "\n").into_bytes(),
        Err(error) => error.into_bytes(),
    }
}

/// Versions of [`CRATES`] in a `Cargo.lock`.
fn versions(lock: &str) -> String {
    let mut versions = String::new();
    for package in lock.split("[[package]]") {
        let is_named = |name: &str| package.contains(&format!("name = \"{name}\"\n"));
        if let Some(name) = CRATES.iter().find(|name| is_named(name)) {
            let version = package.lines().find(|line| line.starts_with("version"));
            versions += &format!("{name} {}\n", version.unwrap_or_default());
        }
    }
    versions
}

/// FNV-1a with 128 bits: it need not resist forgery, and needs no dependency in the build script.
struct Hash(u128);

impl Hash {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;

    fn new() -> Hash {
        Hash(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }

    /// Adds `bytes` and their length, so that different lists of pieces have different hashes.
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes.iter().chain(&(bytes.len() as u64).to_le_bytes()) {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(Hash::PRIME);
        }
    }

    fn digits(&self) -> String {
        let folded = (self.0 >> 64) as u64 ^ self.0 as u64;
        format!("{folded:016x}")[..12].to_owned()
    }
}
