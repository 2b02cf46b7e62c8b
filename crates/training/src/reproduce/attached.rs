//! Files that experiments name: openings, suites and positions.

use ludus_core::TextError;
use std::{collections::BTreeMap, path::Path};

macro_rules! shipped {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../experiments/", $path)))),*]
    };
}

/// Files of the experiments that ship with the program, by their path relative to those.
const BUILT_IN_FILES: &[(&str, &str)] = shipped![
    "../data/openings/chess-study-10.pgn",
    "../data/openings/chess-study-50.pgn",
    "../data/suites/chess-mate-in-two.epd",
    "../data/suites/chess-tactics.epd",
];

/// Text of a file that ships with the program.
///
/// # Errors
/// If there is none of that name.
pub(super) fn built_in_file(path: &str) -> Result<String, TextError> {
    let found = BUILT_IN_FILES.iter().find(|(name, _)| *name == path);
    found.map(|(_, text)| (*text).to_owned()).ok_or_else(|| {
        let names: Vec<&str> = BUILT_IN_FILES.iter().map(|(name, _)| *name).collect();
        TextError::whole("file of the experiment", path, format!("one of {}", names.join(", ")))
    })
}

/// Texts of the files that an experiment names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AttachedFiles(BTreeMap<String, String>);

impl AttachedFiles {
    /// Reads the files of these names.
    ///
    /// # Errors
    /// If one cannot be read, or two have the same name in different folders.
    pub(super) fn read<'a>(
        names: impl IntoIterator<Item = &'a str>,
        file: &dyn Fn(&str) -> Result<String, TextError>,
    ) -> Result<AttachedFiles, TextError> {
        let mut files = AttachedFiles::default();
        for name in names {
            if files.0.contains_key(name) {
                continue;
            }
            if files.0.keys().any(|other| base_name(other) == base_name(name)) {
                let expected = "files with different names, also without their folders";
                return Err(TextError::whole("file of the experiment", name, expected));
            }
            files.0.insert(name.to_owned(), file(name)?);
        }
        Ok(files)
    }

    /// Text of a file.
    ///
    /// # Errors
    /// If it was not named by the experiment.
    pub(super) fn text(&self, name: &str) -> Result<&str, TextError> {
        self.0.get(name).map(String::as_str).ok_or_else(|| {
            TextError::whole("file of the experiment", name, "a file that was read with it")
        })
    }

    /// Names without folders, and texts.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, text)| (base_name(name), text.as_str()))
    }
}

/// Name of a file without its folder.
pub(super) fn base_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_once_and_found_by_their_names() {
        let reads = std::cell::Cell::new(0);
        let file = |name: &str| {
            reads.set(reads.get() + 1);
            Ok(format!("text of {name}"))
        };
        let files = AttachedFiles::read(["../a/b.pgn", "c.epd", "../a/b.pgn"], &file).unwrap();
        assert_eq!(reads.get(), 2);
        assert_eq!(files.text("../a/b.pgn").unwrap(), "text of ../a/b.pgn");
        let names: Vec<&str> = files.iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["b.pgn", "c.epd"]);
        let unknown = files.text("d.epd").unwrap_err().to_string();
        assert!(unknown.contains("d.epd"), "{unknown}");
        let twice = AttachedFiles::read(["a/b.pgn", "b.pgn"], &file).unwrap_err().to_string();
        assert!(twice.contains("different names"), "{twice}");
        let missing = AttachedFiles::read(["no.pgn"], &built_in_file).unwrap_err().to_string();
        assert!(missing.contains("no.pgn") && missing.contains("chess-study-10.pgn"), "{missing}");
    }
}
