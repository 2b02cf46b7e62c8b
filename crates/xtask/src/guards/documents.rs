//! Files that the documents link to or name.

use super::{SourceFile, Violation};
use crate::command::root;
use anyhow::{Context, Result};
use std::fs;

/// Documents whose links and paths are checked, beside those in the folder `docs`.
const DOCUMENTS: [&str; 2] = ["README.md", "CONTRIBUTING.md"];

/// Folders of the repository: a code span that begins with one of them names a file.
const NAMED_FOLDERS: [&str; 6] = ["crates/", "data/", "docs/", "experiments/", "recipes/", "web/"];

/// Parts of a path that stand for several files.
const PLACEHOLDERS: [&str; 4] = ["*", "X", "NAME", "…"];

/// Reads [`DOCUMENTS`] and those in `docs`, in a fixed order.
pub fn read() -> Result<Vec<SourceFile>> {
    let mut paths: Vec<String> = DOCUMENTS.map(str::to_owned).into();
    for entry in fs::read_dir(root().join("docs")).context("cannot list docs")? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        paths.extend(name.ends_with(".md").then(|| format!("docs/{name}")));
    }
    paths.sort();
    paths.iter().map(|path| SourceFile::read(path)).collect()
}

/// Finds relative links of a Markdown text that lead to no file.
pub fn dead_links(text: &SourceFile, exists: impl Fn(&str) -> bool) -> Vec<Violation> {
    let mut violations = Vec::new();
    let folder = text.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    for (number, line) in text.lines() {
        for link in line.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let target = link.split('#').next().unwrap_or_default();
            let path =
                if folder.is_empty() { target.to_owned() } else { format!("{folder}/{target}") };
            if !link.contains("://") && !exists(&path) {
                let message = format!("{link} does not exist: link to the file as it is named now");
                violations.push(text.violation(number, message));
            }
        }
    }
    violations
}

/// Finds code spans of a Markdown text that name a file of the repository that does not exist.
pub fn dead_paths(text: &SourceFile, exists: impl Fn(&str) -> bool) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut line = 1;
    for (index, part) in text.text.split('`').enumerate() {
        let path = part.split_whitespace().next().unwrap_or_default();
        let is_path = index % 2 == 1 && NAMED_FOLDERS.iter().any(|folder| part.starts_with(folder));
        if is_path && !PLACEHOLDERS.iter().any(|it| path.contains(it)) && !exists(path) {
            let message = format!("{path} does not exist: name the file as it is named now");
            violations.push(text.violation(line, message));
        }
        line += part.matches('\n').count();
    }
    violations
}

/// Finds the marks of a merge that was not resolved. (Code with them does not compile.)
pub fn conflict_markers(text: &SourceFile) -> Vec<Violation> {
    let is_marker = |line: &str| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ");
    let marked = text.lines().filter(|(_, line)| is_marker(line));
    marked
        .map(|(number, _)| text.violation(number, "resolve the conflict of the merge".to_owned()))
        .collect()
}

/// Finds names of the code that do not occur in the files named after them, in the last column of a table:
/// `` `Trait::method`, `Type`, [file](path) ``.
pub fn absent_names(text: &SourceFile, read: impl Fn(&str) -> String) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (number, line) in text.lines() {
        let Some((_, place)) = line.trim_end_matches(" |").rsplit_once("| ") else { continue };
        let Some((names, links)) = place.split_once('[').filter(|(names, _)| !names.is_empty())
        else {
            continue;
        };
        let targets = links.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        let code: String = targets.map(&read).collect();
        for name in names.split('`').skip(1).step_by(2) {
            if !name.split("::").all(|part| has_word(&code, part)) {
                let message = format!("`{name}` does not occur there: give its name and file now");
                violations.push(text.violation(number, message));
            }
        }
    }
    violations
}

/// Whether `word` occurs in `text` and is no part of a longer name there.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|found| found == word)
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{file, places},
        *,
    };

    #[test]
    fn unresolved_conflicts_are_found() {
        let conflict = "one\n<<<<<<< HEAD\ntwo\n=======\nthree\n>>>>>>> other\n";
        let violations = conflict_markers(&file("README.md", conflict));
        assert_eq!(places(&violations), ["README.md:2", "README.md:6"]);
        assert_eq!(conflict_markers(&file("README.md", "1 << 2\n=======\n")), []);
    }

    #[test]
    fn links_without_a_file_are_found() {
        let text =
            "[wiki](https://example.org/x)\n| ply | move | [a](../crates/a.rs), [b](../b.rs) |\n";
        let violations = dead_links(&file("docs/TERMS.md", text), |path| path.ends_with("a.rs"));
        assert_eq!(places(&violations), ["docs/TERMS.md:2"]);
        assert!(violations[0].message.starts_with("../b.rs does not exist"), "{violations:?}");
        assert_eq!(dead_links(&file("docs/TERMS.md", text), |_| true), []);
        let beside = "[a](A.md#part)";
        assert_eq!(dead_links(&file("docs/B.md", beside), |path| path == "docs/A.md"), []);
        assert_eq!(dead_links(&file("README.md", beside), |path| path == "A.md"), []);
        assert_eq!(dead_links(&file("docs/B.md", beside), |path| path == "A.md").len(), 1);
    }

    #[test]
    fn paths_without_a_file_are_found() {
        let text = "`crates/a.rs`, `ludus train` and\n```sh\ncrates/none.rs\n```\n\
                    `data/gone.txt --depth 4`\n`recipes/*.toml` `crates/X/src` crates/plain.rs\n\
                    `a span\nof two lines` `web/gone.js`\n";
        let violations = dead_paths(&file("README.md", text), |path| path == "crates/a.rs");
        assert_eq!(places(&violations), ["README.md:5", "README.md:8"]);
        assert!(violations[0].message.starts_with("data/gone.txt does not exist"));
        assert_eq!(dead_paths(&file("README.md", text), |_| true), []);
    }

    #[test]
    fn names_that_are_not_in_the_file_are_found() {
        let text = "| move hint | data | `Hints::score`, `Hint`, [a](../a.rs) |\n\
                    | plain `text` | words | [a](../a.rs) |\n";
        let found = |code: &str| absent_names(&file("docs/GLOSSARY.md", text), |_| code.to_owned());
        assert_eq!(found("struct Hint; trait Hints { fn score(); }"), []);
        let violations = found("trait Hints { fn scores(); }");
        assert_eq!(places(&violations), ["docs/GLOSSARY.md:1"; 2]);
        assert!(violations[0].message.starts_with("`Hints::score` does not occur"));
        assert!(violations[1].message.starts_with("`Hint` does not occur"));
    }
}
