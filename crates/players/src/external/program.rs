//! The command line of an external engine, and its build.

use super::system;
use crate::identity::{ContentHash, UNKNOWN_BUILD};
use std::{
    env,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Debian's folder of engines, which may not be on the search path.
const GAMES_FOLDER: &str = "/usr/games";

/// The command line of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The program: a path, or a name on the search path.
    pub path: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// A file to append all input, output and errors to.
    pub log: Option<PathBuf>,
}

impl Program {
    /// The program at `path` with `arguments` split at spaces; an empty `log` means none.
    pub fn new(path: &str, arguments: &str, log: &str) -> Program {
        Program {
            path: path.to_owned(),
            arguments: arguments.split_whitespace().map(str::to_owned).collect(),
            log: (!log.is_empty()).then(|| PathBuf::from(log)),
        }
    }

    /// The last part of the path, for messages.
    pub fn name(&self) -> &str {
        Path::new(&self.path).file_name().and_then(|name| name.to_str()).unwrap_or(&self.path)
    }

    /// The build of an engine: its name and a hash of its program, arguments and name. Files among the
    /// arguments and `settings`, such as scripts and networks, count by their content.
    pub fn build(&self, name: &str, settings: &str) -> String {
        let mut hash = ContentHash::new();
        let hashed = find_program(&self.path).and_then(|program| hash.file(&program).ok());
        if hashed.is_none() {
            return format!("{name} {UNKNOWN_BUILD}");
        }
        hash.text(name);
        let words = settings.split([';', '=']).map(str::trim);
        for word in self.arguments.iter().map(String::as_str).chain(words) {
            hash.text(word);
            let file = Path::new(word);
            if file.is_file() && hash.file(file).is_err() {
                return format!("{name} {UNKNOWN_BUILD}");
            }
        }
        format!("{name} {}", hash.digits())
    }

    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(locate(&self.path));
        command.args(&self.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        system::kill_with_parent_thread(&mut command);
        command
    }
}

/// `path`, or the program of that name in [`GAMES_FOLDER`] if the search path has none.
fn locate(path: &str) -> PathBuf {
    let folders = env::var_os("PATH").unwrap_or_default();
    let bare = !path.contains(std::path::is_separator);
    let beside = Path::new(GAMES_FOLDER).join(path);
    if bare && beside.is_file() && !env::split_paths(&folders).any(|f| f.join(path).is_file()) {
        return beside;
    }
    PathBuf::from(path)
}

/// The executable file of `path`.
fn find_program(path: &str) -> Option<PathBuf> {
    let located = locate(path);
    if located.components().count() > 1 {
        return located.is_file().then_some(located);
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).map(|folder| folder.join(path)).find(|file| file.is_file())
}
