//! Guards: conventions that the compiler and the linters do not check. They only scan text.
//!
//! - A comment begins with a noun or a verb, not with a question word.
//! - A public type name belongs to one crate.
//! - A crate depends only on crates below it, as `docs/ARCHITECTURE.md` lists them.
//! - The files that `docs/GLOSSARY.md` names contain the names of the code given with them.
//! - A crate embeds only its own files; those that ship are in `data`.
//! - The files that the documents link to or name exist; the documents have no unresolved conflict of a merge.

mod documents;

use crate::{command::root, report::TestCounts};
use anyhow::{Context, Result};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::Path,
};

/// Words that no comment line begins with.
const QUESTION_WORDS: [&str; 7] = ["What", "How", "Who", "Whose", "Where", "Which", "Why"];

/// Public type names that several crates may define, each with the reason.
const SHARED_TYPE_NAMES: &[(&str, &str)] = &[];

/// Crates that may embed files of other folders, each with the reason.
const FOREIGN_FILES: &[(&str, &str)] = &[(
    "training",
    "part of the program, which is not published: its experiments are files of the repository",
)];

/// The list of the crates in dependency order.
const ARCHITECTURE: &str = "docs/ARCHITECTURE.md";
const GLOSSARY: &str = "docs/GLOSSARY.md";

/// Folders with Rust sources.
const SOURCE_FOLDERS: [&str; 3] = ["crates", "data", "fuzz"];

/// Runs all guards and prints the violations; each guard counts as one check.
pub fn run() -> Result<TestCounts> {
    let mut files = Vec::new();
    for folder in SOURCE_FOLDERS {
        read_files(folder, &mut files)?;
    }
    let architecture = SourceFile::read(ARCHITECTURE)?;
    let documents = documents::read()?;
    let exists = |path: &str| root().join(path).exists();
    let read = |path: &str| fs::read_to_string(root().join("docs").join(path)).unwrap_or_default();
    let mut counts = TestCounts::default();
    for violations in [
        question_words(&files),
        shared_type_names(&files, SHARED_TYPE_NAMES),
        upward_dependencies(&files, &architecture),
        foreign_files(&files, FOREIGN_FILES),
        documents.iter().flat_map(|document| documents::dead_links(document, exists)).collect(),
        documents.iter().flat_map(|document| documents::dead_paths(document, exists)).collect(),
        documents.iter().flat_map(documents::conflict_markers).collect(),
        documents::absent_names(&SourceFile::read(GLOSSARY)?, read),
    ] {
        violations.iter().for_each(|violation| println!("{violation}"));
        counts.add(if violations.is_empty() { TestCounts::pass() } else { TestCounts::fail() });
    }
    Ok(counts)
}

struct SourceFile {
    /// Path from the root of the repository, with `/` between folders.
    path: String,
    text: String,
}

impl SourceFile {
    fn read(path: &str) -> Result<SourceFile> {
        let text =
            fs::read_to_string(root().join(path)).with_context(|| format!("cannot read {path}"))?;
        Ok(SourceFile { path: path.to_owned(), text })
    }

    /// Lines with their numbers, from 1.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        (1..).zip(self.text.lines())
    }

    /// Name of the crate and path within it, of a file under `crates` or `data`.
    fn in_crate(&self) -> Option<(&str, &str)> {
        let path = self.path.strip_prefix("crates/");
        let path = path.or_else(|| self.path.starts_with("data/").then_some(&*self.path));
        path?.split_once('/')
    }

    fn violation(&self, line: usize, message: String) -> Violation {
        Violation { path: self.path.clone(), line, message }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Violation {
    path: String,
    line: usize,
    message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path, self.line, self.message)
    }
}

/// Reads the Rust sources and manifests below `folder`, in a fixed order.
fn read_files(folder: &str, files: &mut Vec<SourceFile>) -> Result<()> {
    let context = || format!("cannot list {folder}");
    let mut entries: Vec<fs::DirEntry> = fs::read_dir(root().join(folder))
        .with_context(context)?
        .collect::<Result<_, _>>()
        .with_context(context)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{folder}/{name}");
        let extension = Path::new(&name).extension();
        if entry.file_type()?.is_dir() {
            if name != "target" && !name.starts_with('.') {
                read_files(&path, files)?;
            }
        } else if name == "Cargo.toml" || extension.is_some_and(|extension| extension == "rs") {
            files.push(SourceFile::read(&path)?);
        }
    }
    Ok(())
}

/// Finds comment lines that begin with a question word.
fn question_words(files: &[SourceFile]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        for (line, text) in file.lines() {
            if let Some(word) = comment_start(text).filter(|word| QUESTION_WORDS.contains(word)) {
                let message = format!(
                    "comment line begins with {word:?}: begin with a noun or a verb, such as \
                     \"Statistics of one search.\" or \"Returns the score.\""
                );
                violations.push(file.violation(line, message));
            }
        }
    }
    violations
}

/// The first word of a line that is a comment.
fn comment_start(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let comment = line.strip_prefix("//").or_else(|| line.strip_prefix("/*"))?;
    let comment = comment.trim_start_matches(['/', '*', '!']).trim_start();
    comment.split(|c: char| !c.is_alphanumeric()).next()
}

/// Finds public types whose name another crate uses too, and entries of `allowed` without use.
fn shared_type_names(files: &[SourceFile], allowed: &[(&str, &str)]) -> Vec<Violation> {
    // The definitions of every name, by crate.
    let mut types: BTreeMap<&str, DefinitionsByCrate> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        let Some((name, path)) = file.in_crate() else { continue };
        if !path.starts_with("src/") {
            continue;
        }
        for (line, text) in file.lines() {
            if let Some(defined) = public_type(text) {
                let crates = types.entry(defined).or_default();
                crates.entry(name).or_default().push((file, line));
            }
        }
    }
    let is_shared = |name: &str| types.get(name).is_some_and(|crates| crates.len() > 1);
    let unused = allowed.iter().filter(|(name, _)| !is_shared(name)).map(|(name, _)| Violation {
        path: "crates/xtask/src/guards.rs".to_owned(),
        line: 1,
        message: format!("one crate or none defines `{name}`: delete it from SHARED_TYPE_NAMES"),
    });
    let mut violations: Vec<Violation> = unused.collect();
    for (name, crates) in &types {
        if crates.len() == 1 || allowed.iter().any(|(known, _)| known == name) {
            continue;
        }
        for (own, definitions) in crates {
            let others: Vec<&str> = crates.keys().filter(|it| *it != own).copied().collect();
            for (file, line) in definitions {
                let message = format!(
                    "public type `{name}` is also defined in {}: name it after its role, such as \
                     `TranspositionTable` for `Table`, or give the reason in SHARED_TYPE_NAMES",
                    others.join(", ")
                );
                violations.push(file.violation(*line, message));
            }
        }
    }
    violations
}

/// Files and lines that define a type, by crate.
type DefinitionsByCrate<'a> = BTreeMap<&'a str, Vec<(&'a SourceFile, usize)>>;

/// The name of the type that a line defines, if it is `pub` without restriction.
fn public_type(line: &str) -> Option<&str> {
    let item = line.trim_start().strip_prefix("pub ")?;
    let item = item.strip_prefix("unsafe ").unwrap_or(item);
    let (keyword, rest) = item.split_once(' ')?;
    let is_type = matches!(keyword, "struct" | "enum" | "union" | "trait" | "type");
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (is_type && !name.is_empty()).then_some(name)
}

/// Finds dependencies on crates that are not below the crate. Development dependencies are free:
/// tests may use any crate.
fn upward_dependencies(files: &[SourceFile], architecture: &SourceFile) -> Vec<Violation> {
    let (layers, mut violations) = layers(architecture);
    for file in files {
        let Some((name, "Cargo.toml")) = file.in_crate() else { continue };
        let Some(below) = layers.get(name) else {
            let message = format!("{ARCHITECTURE} does not list the crate {name}: add it there");
            violations.push(file.violation(1, message));
            continue;
        };
        for (line, dependency) in internal_dependencies(file) {
            if !below.contains(dependency) {
                let known: Vec<&str> = below.iter().copied().collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                let message = format!(
                    "{name} must not depend on {dependency}: {ARCHITECTURE} allows {known}"
                );
                violations.push(file.violation(line, message));
            }
        }
    }
    violations
}

/// The crates below each crate, from the first indented block with an arrow, and violations of the
/// dependency order of that block.
///
/// ```text
///     games, search -> core       (not each other)
///     players       -> games, search
///     arena         -> players    (and below)
///     xtask                       a crate without dependencies
/// ```
fn layers(architecture: &SourceFile) -> (BTreeMap<&str, BTreeSet<&str>>, Vec<Violation>) {
    let mut layers: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut violations = Vec::new();
    let block = architecture
        .lines()
        .skip_while(|(_, line)| !(line.starts_with("    ") && line.contains("->")))
        .take_while(|(_, line)| line.starts_with("    "));
    for (number, line) in block {
        let (crates, below) = match line.split_once("->") {
            Some((crates, below)) => (crates, below),
            None => (line.split_whitespace().next().unwrap_or_default(), ""),
        };
        let (below, note) = below.split_once('(').unwrap_or((below, ""));
        let mut allowed = BTreeSet::new();
        for dependency in names(below) {
            if layers.is_empty() {
                layers.insert(dependency, BTreeSet::new()); // the bottom
            }
            match layers.get(dependency) {
                Some(further) if note.starts_with("and below") => allowed.extend(further),
                Some(_) => {}
                None => {
                    let message = format!("{dependency} is not listed above this line");
                    violations.push(architecture.violation(number, message));
                }
            }
            allowed.insert(dependency);
        }
        for name in names(crates) {
            layers.insert(name, allowed.clone());
        }
    }
    (layers, violations)
}

/// Finds sources that embed files of another crate or of no crate, and entries of `allowed` without
/// use: without its folder's surroundings such a crate does not compile.
fn foreign_files(files: &[SourceFile], allowed: &[(&str, &str)]) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut used = BTreeSet::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        let Some((name, path)) = file.in_crate() else { continue };
        if !path.starts_with("src/") {
            continue;
        }
        let depth = path.matches('/').count();
        for (line, embedded) in embedded_files(file) {
            if embedded.split('/').take_while(|part| *part == "..").count() <= depth {
                continue;
            }
            if allowed.iter().any(|(known, _)| *known == name) {
                used.insert(name);
                continue;
            }
            let message = format!(
                "{embedded} is outside of the crate: embed it in `ludus-data` (data/src) and use its \
                 constant"
            );
            violations.push(file.violation(line, message));
        }
    }
    violations.extend(allowed.iter().filter(|(name, _)| !used.contains(name)).map(|(name, _)| {
        let message = format!("{name} embeds no foreign file: delete it from FOREIGN_FILES");
        Violation { path: "crates/xtask/src/guards.rs".to_owned(), line: 1, message }
    }));
    violations
}

/// Paths of embedded files, or their beginnings, with the lines of the macros.
fn embedded_files(file: &SourceFile) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for start in ["include_str!(", "include_bytes!("] {
        for (at, _) in file.text.match_indices(start) {
            let argument = file.text[at + start.len()..].trim_start();
            let argument = argument.strip_prefix("concat!(").unwrap_or(argument).trim_start();
            let path = argument.strip_prefix('"').and_then(|rest| rest.split('"').next());
            let line = file.text[..at].matches('\n').count() + 1;
            found.extend(path.map(|path| (line, path)));
        }
    }
    found
}

fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',').map(str::trim).filter(|name| !name.is_empty())
}

/// The crates of the workspace that a manifest depends on, development dependencies aside, with
/// their lines.
fn internal_dependencies(manifest: &SourceFile) -> Vec<(usize, &str)> {
    let mut dependencies = Vec::new();
    let mut in_dependencies = false;
    for (number, line) in manifest.lines() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if let Some(section) = line.strip_prefix('[') {
            let section = section.trim_end_matches(']');
            let is_list = |name: &str| section == name || section.ends_with(&format!(".{name}"));
            in_dependencies = is_list("dependencies") || is_list("build-dependencies");
            // `[dependencies.ludus-core]`
            if let Some((parent, name)) = section.rsplit_once('.')
                && (parent.ends_with("dependencies") && !parent.ends_with("dev-dependencies"))
            {
                dependencies.extend(name.strip_prefix("ludus-").map(|name| (number, name)));
            }
        } else if in_dependencies {
            let key = line.split(['.', '=', ' ']).next().unwrap_or_default().trim_matches('"');
            // `other-name = { package = "ludus-core" }`
            let package = line.split_once("package").and_then(|(_, rest)| rest.split('"').nth(1));
            let name = package.unwrap_or(key).strip_prefix("ludus-");
            dependencies.extend(name.map(|name| (number, name)));
        }
    }
    dependencies
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn file(path: &str, text: &str) -> SourceFile {
        SourceFile { path: path.to_owned(), text: text.to_owned() }
    }

    pub fn places(violations: &[Violation]) -> Vec<String> {
        violations.iter().map(|it| format!("{}:{}", it.path, it.line)).collect()
    }

    #[test]
    fn comments_that_begin_with_a_question_word_are_found() {
        let bad = [
            "//! What a search did.",
            "/// How deep it is nested.",
            "    // Who moves.",
            "\t///   Whose turn it is.",
            "//Where it starts.",
            "/** What's this? */",
            "/// Which one is meant.",
            "/// Why it is so.",
        ];
        for line in bad {
            let violations = question_words(&[file("crates/core/src/a.rs", line)]);
            assert_eq!(places(&violations), ["crates/core/src/a.rs:1"], "{line}");
        }
        let good = [
            "/// Statistics of what a search did.",
            "/// Whether it is so.",
            "/// However deep.",
            "/// Whatever.",
            "/// what is lower case continues a sentence",
            "let text = \"/// What\";",
            "let x = 1; // How a trailing comment reads is up to its author.",
            "",
        ];
        for line in good {
            assert_eq!(question_words(&[file("fuzz/a.rs", line)]), [], "{line}");
        }
        assert_eq!(question_words(&[file("crates/a/Cargo.toml", "// What")]), []);
    }

    #[test]
    fn violations_name_line_and_remedy() {
        let text = "/// Good.\nfn a() {}\n\n/// What is bad.\n";
        let violations = question_words(&[file("fuzz/src/lib.rs", text)]);
        let shown = violations[0].to_string();
        assert!(
            shown.starts_with("fuzz/src/lib.rs:4: comment line begins with \"What\""),
            "{shown}"
        );
        assert!(shown.contains("noun or a verb"), "{shown}");
    }

    #[test]
    fn only_public_types_count() {
        for (line, name) in [
            ("pub struct Table<T> {", Some("Table")),
            ("    pub enum Kind {", Some("Kind")),
            ("pub unsafe trait Raw {}", Some("Raw")),
            ("pub type Board_2 = u64;", Some("Board_2")),
            ("pub struct Score(i32);", Some("Score")),
            ("pub(crate) struct Table {", None),
            ("pub(super) enum Kind {", None),
            ("struct Table {", None),
            ("type Move = u8;", None),
            ("pub fn table() {}", None),
            ("pub structure: bool,", None),
            ("// pub struct Table", None),
            ("\"pub struct Table;\"", None),
            ("pub struct $name;", None),
        ] {
            assert_eq!(public_type(line), name, "{line}");
        }
    }

    #[test]
    fn a_type_name_in_two_crates_is_found_in_both() {
        let files = [
            file("crates/search/src/table.rs", "\npub struct Table;\n"),
            file("crates/arena/src/table.rs", "pub struct Table;\npub enum Once {}\n"),
            file("crates/arena/src/cross.rs", "pub trait Table {}\n"),
            file("crates/players/src/a.rs", "pub(crate) struct Table;\n"),
            file("crates/players/tests/it/a.rs", "pub struct Table;\n"),
        ];
        let violations = shared_type_names(&files, &[]);
        let expected = [
            "crates/arena/src/table.rs:1",
            "crates/arena/src/cross.rs:1",
            "crates/search/src/table.rs:2",
        ];
        assert_eq!(places(&violations), expected);
        assert!(violations[0].message.contains("`Table` is also defined in search"));
        assert!(violations[2].message.contains("also defined in arena:"));
        assert_eq!(shared_type_names(&files, &[("Table", "a reason")]), []);
        assert_eq!(shared_type_names(&files[..1], &[]), []);
    }

    #[test]
    fn a_type_name_twice_in_one_crate_is_no_clash() {
        let files = [
            file("crates/app/src/cli/a.rs", "pub struct Args;\n"),
            file("crates/app/src/cli/b.rs", "pub struct Args;\n"),
        ];
        assert_eq!(shared_type_names(&files, &[]), []);
    }

    #[test]
    fn entries_of_the_allow_list_must_be_in_use_and_have_reasons() {
        let unused = shared_type_names(&[], &[("Table", "a reason")]);
        assert!(unused[0].message.contains("delete it"), "{unused:?}");
        assert!(SHARED_TYPE_NAMES.iter().all(|(_, reason)| reason.len() > 10));
    }

    const LAYERS: &str = "# Architecture\n\n    cargo build\n\n\
        ## Crates\n\n\
        \x20   games, search -> core      (not each other)\n\
        \x20   players       -> games, search, core\n\
        \x20   arena         -> players   (and below)\n\
        \x20   xtask                      uses nothing\n\n\
        Text.\n\n    app -> nothing\n";

    #[test]
    fn layers_are_read_from_the_architecture() {
        let architecture = file(ARCHITECTURE, LAYERS);
        let (layers, violations) = layers(&architecture);
        let below = |name| layers[name].iter().copied().collect::<Vec<_>>().join(" ");
        assert_eq!(violations, []);
        assert_eq!(below("core"), "");
        assert_eq!(below("search"), "core");
        assert_eq!(below("players"), "core games search");
        assert_eq!(below("arena"), "core games players search");
        assert_eq!(below("xtask"), "");
        assert!(!layers.contains_key("app"));
    }

    #[test]
    fn layers_out_of_order_are_found() {
        let text = "    games -> core\n    arena -> players\n    players -> games\n";
        let architecture = file(ARCHITECTURE, text);
        let (_, violations) = layers(&architecture);
        assert_eq!(places(&violations), ["docs/ARCHITECTURE.md:2"]);
    }

    #[test]
    fn upward_and_sideways_dependencies_are_found() {
        let architecture = file(ARCHITECTURE, LAYERS);
        let check = |path, text| upward_dependencies(&[file(path, text)], &architecture);
        let good = "[package]\nname = \"ludus-arena\"\n[dependencies]\nludus-players.workspace = true\n\
                    ludus-core = { path = \"../core\" }\nserde.workspace = true\n\
                    [dev-dependencies]\nludus-app.workspace = true\n[dev-dependencies.ludus-app]\n";
        assert_eq!(check("crates/arena/Cargo.toml", good), []);
        for bad in [
            "[dependencies]\nludus-arena.workspace = true\n",
            "[dependencies]\nludus-players = { workspace = true } # upward\n",
            "[dependencies]\nother = { package = \"ludus-arena\", path = \"../arena\" }\n",
            "[package]\n[dependencies.ludus-games]\nworkspace = true\n",
            "\n[build-dependencies]\nludus-games = \"1\"\n",
            "[target.'cfg(unix)'.dependencies]\n\"ludus-games\" = \"1\"\n",
        ] {
            let violations = check("crates/search/Cargo.toml", bad);
            assert_eq!(violations.len(), 1, "{bad}");
            assert!(violations[0].to_string().contains("allows core"), "{bad}");
        }
        let message = check("crates/xtask/Cargo.toml", "[dependencies]\nludus-core = \"1\"\n");
        assert!(message[0].message.contains("allows none"), "{message:?}");
    }

    #[test]
    fn a_crate_without_a_layer_is_found() {
        let architecture = file(ARCHITECTURE, LAYERS);
        let files = [file("crates/new/Cargo.toml", ""), file("crates/new/sub/Cargo.toml", "")];
        let violations = upward_dependencies(&files, &architecture);
        assert_eq!(places(&violations), ["crates/new/Cargo.toml:1"]);
    }

    #[test]
    fn embedded_files_of_other_crates_are_found() {
        let check = |path: &str, text: &str| foreign_files(&[file(path, text)], &[]);
        let inside = "const A: &str = include_str!(\"../table.txt\");\n";
        assert_eq!(check("crates/games/src/a.rs", inside), []);
        assert_eq!(check("crates/games/tests/it/a.rs", "include_str!(\"../../../b.txt\")"), []);
        assert_eq!(check("data/src/hand.rs", "include_str!(\"../hand/chess.txt\")"), []);
        for outside in [
            "\nconst A: &str = include_str!(\"../../../data/a.txt\");",
            "\nconst A: &[u8] = include_bytes!(\n    \"../../b.net\"\n);",
            "\nconst A: &str = include_str!(concat!(\"../../../experiments/\", $name));",
        ] {
            let violations = check("crates/games/src/a.rs", outside);
            assert_eq!(places(&violations), ["crates/games/src/a.rs:2"], "{outside}");
        }
        let nested = "include_str!(\"../../../x.txt\")";
        assert_eq!(check("crates/games/src/a/b/c.rs", nested), []);
        assert_eq!(check("crates/games/src/a/c.rs", nested).len(), 1);
        let allowed = [("games", "a reason")];
        let files = [file("crates/games/src/c.rs", nested)];
        assert_eq!(foreign_files(&files, &allowed), []);
        assert!(foreign_files(&[], &allowed)[0].message.contains("delete it"));
        assert!(FOREIGN_FILES.iter().all(|(_, reason)| reason.len() > 10));
    }

    #[test]
    fn the_architecture_lists_the_crates() {
        let architecture = SourceFile::read(ARCHITECTURE).unwrap();
        let (layers, violations) = layers(&architecture);
        assert_eq!(violations, []);
        assert!(layers.len() >= 10, "{layers:?}");
        assert!(layers["app"].contains("core") && layers["core"].is_empty());
    }
}
