use super::{BUILD, VERSION, sources};
use std::{fs, path::Path};
use tempfile::TempDir;

/// A small workspace with the hashed folders.
fn workspace() -> TempDir {
    let root = tempfile::tempdir().unwrap();
    for folder in sources::FOLDERS {
        write(root.path(), &format!("{folder}/lib.rs"), "pub mod rules;\n");
    }
    for module in sources::RULES_OF_PLAY {
        write(root.path(), &format!("{module}.rs"), "fn play() {}\n");
    }
    for (module, file) in [
        ("go", "go/book.txt"),
        ("net", "net/chess.net"),
        ("gallery", "ratings.toml"),
        ("suites", "suites/mates.epd"),
    ] {
        let text = format!("pub const TEXT: &str = include_str!(\"../{file}\");\n");
        write(root.path(), &format!("data/src/{module}.rs"), &text);
        write(root.path(), &format!("data/{file}"), "as shipped\n");
    }
    write(root.path(), "data/go/book.txt", "E5 C3\nC7 G7\n");
    write(root.path(), "data/go/games.txt", "not embedded\n");
    write(root.path(), "crates/app/src/main.rs", "fn main() {}\n");
    write(root.path(), "web/style.css", "body {}\n");
    let lock = "[[package]]\nname = \"clap\"\nversion = \"4.6.0\"\n\n\
                [[package]]\nname = \"cozy-chess\"\nversion = \"0.3.4\"\n";
    write(root.path(), "Cargo.lock", lock);
    root
}

fn write(root: &Path, name: &str, content: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn hash(root: &Path) -> String {
    sources::read(root).unwrap().hash
}

#[test]
fn a_build_is_the_same_wherever_and_however_its_sources_lie() {
    let (one, other) = (workspace(), workspace());
    let before = hash(one.path());
    assert_eq!(hash(other.path()), before);
    assert_eq!(before.len(), 12);
    write(one.path(), "data/go/book.txt", "E5 C3\r\nC7 G7\r\n");
    write(one.path(), "crates/core/src/lib.rs", "pub mod rules;\r\n");
    assert_eq!(hash(one.path()), before);
}

#[test]
fn what_decides_no_move_makes_no_other_build() {
    let root = workspace();
    let before = hash(root.path());
    for (name, content) in [
        ("web/style.css", "body { color: red }\n"),
        ("crates/app/src/main.rs", "fn main() { panic!() }\n"),
        ("crates/arena/src/rating/mod.rs", "fn rate() {}\n"),
        ("crates/arena/src/report.rs", "fn text() {}\n"),
        ("crates/training/src/lib.rs", "fn learn() {}\n"),
        ("crates/games/src/chess/tests.rs", "fn a_test() {}\n"),
        ("crates/games/src/chess/README.md", "Words.\n"),
        ("data/go/games.txt", "more games\n"),
        ("data/ratings.toml", "elo = 2000\n"),
        ("data/src/gallery.rs", "pub const TEXT: &str = \"\";\n"),
        ("data/suites/mates.epd", "7k/8 w - -\n"),
        ("README.md", "Words.\n"),
    ] {
        write(root.path(), name, content);
        assert_eq!(hash(root.path()), before, "{name}");
    }
    let lock = fs::read_to_string(root.path().join("Cargo.lock")).unwrap();
    write(root.path(), "Cargo.lock", &lock.replace("4.6.0", "4.7.0"));
    assert_eq!(hash(root.path()), before);
}

#[test]
fn whatever_decides_moves_makes_another_build() {
    let root = workspace();
    let mut known = vec![hash(root.path())];
    let lock = fs::read_to_string(root.path().join("Cargo.lock")).unwrap();
    for (name, content) in [
        ("crates/core/src/random.rs", "fn bits() {}\n"),
        ("crates/games/src/chess/eval/mod.rs", "fn evaluate() {}\n"),
        ("crates/search/src/lib.rs", "pub mod search;\n"),
        ("crates/players/src/lib.rs", "// a word\n"),
        ("crates/arena/src/adjudicate.rs", "fn judge() {}\n"),
        ("crates/arena/src/openings/balanced.rs", "fn balanced() {}\n"),
        ("data/go/book.txt", "C7 G7\n"),
        ("data/net/chess.net", "other weights\n"),
        ("data/src/new.rs", "pub const TEXT: &str = \"\";\n"),
        ("Cargo.lock", &lock.replace("0.3.4", "0.3.5")),
    ] {
        write(root.path(), name, content);
        let now = hash(root.path());
        assert!(!known.contains(&now), "{name}");
        known.push(now);
    }
    // The same content under another name changes the hash.
    let (from, to) = ("crates/core/src/random.rs", "crates/core/src/chance.rs");
    fs::rename(root.path().join(from), root.path().join(to)).unwrap();
    assert!(!known.contains(&hash(root.path())));
}

#[test]
fn this_build_is_that_of_the_workspace() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().parent().unwrap();
    let found = sources::read(root).unwrap();
    assert_eq!(found.hash, BUILD);
    assert_eq!(VERSION, format!("{} (build {BUILD})", env!("CARGO_PKG_VERSION")));
    let has = |end: &str| found.files.iter().any(|file| file.ends_with(end));
    for end in
        ["chess.net", "hand/draughts.txt", "book-9x9.txt", "openings/chess.txt", "Cargo.lock"]
    {
        assert!(has(end), "{end}");
    }
    for end in [
        "games-9x9.txt",
        "README.md",
        "ratings.toml",
        "players.toml",
        "chess-mate-in-two.epd",
        "alphabeta.toml",
    ] {
        assert!(!has(end), "{end}");
    }
    for module in sources::NOT_PLAY {
        assert!(root.join(module).is_file(), "{module} does not exist: mend `NOT_PLAY`");
    }
}
