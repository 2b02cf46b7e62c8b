//! The identity of a player: its name and options in canonical form, and hashes of the files and programs that
//! decide its moves.

use crate::{Resources, Roster, external, roster};
use ludus_core::{OptionKind, Options, PlayerError, TextError};
use sha2::{Digest, Sha256};
use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
};

/// Stands for an unknown build: of a program that cannot be read, or of old data.
pub const UNKNOWN_BUILD: &str = "unknown build";

/// Hexadecimal digits of a hash as shown and stored.
const HASH_DIGITS: usize = 12;

/// The identity of a player, whatever order or spelling its options had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Its name and options in canonical form: `engine:eval=hand,table=4MB`.
    pub spec: String,
    /// A hash of the files its options name, if they name any.
    pub files: Option<String>,
    /// The name and hash of the external engine, if it is one.
    pub external: Option<String>,
}

impl Identity {
    /// The build under which ratings list this player; `own` is the build of this program.
    pub fn build(&self, own: &str) -> String {
        match (&self.external, &self.files) {
            (Some(external), _) => external.clone(),
            (None, Some(files)) => format!("{own}+{files}"),
            (None, None) => own.to_owned(),
        }
    }
}

/// The identity of the player named by `text`.
pub(crate) fn of<P: Roster>(text: &str, resources: &Resources) -> Result<Identity, PlayerError> {
    let (recipe, options) = roster::find::<P>(text)?;
    let spec = options.to_string();
    if !external::IDS.contains(&recipe.id) {
        return Ok(Identity { spec, files: files(&options)?, external: None });
    }
    let external = match (recipe.build)(&options, resources) {
        Ok(player) => player.external_build(),
        // An engine that cannot start loses its games, and keeps its identity.
        Err(PlayerError::Fault(..) | PlayerError::Failed(_)) => None,
        Err(error) => return Err(error),
    };
    let external = external.unwrap_or_else(|| UNKNOWN_BUILD.to_owned());
    Ok(Identity { spec, files: None, external: Some(external) })
}

/// A hash of the files the options name. Folders count by the names and sizes of their files, since
/// endgame tables are large and their content follows from the rules.
fn files(options: &Options) -> Result<Option<String>, TextError> {
    let mut hash = ContentHash::new();
    let mut found = false;
    for spec in options.specs() {
        let value = options.text(spec.name);
        if !matches!(spec.kind, OptionKind::Text) || value == spec.default || value.is_empty() {
            continue;
        }
        let path = Path::new(value);
        let hashed = if path.is_file() {
            hash.text(spec.name);
            hash.file(path)
        } else if path.is_dir() {
            hash.text(spec.name);
            hash.folder(path)
        } else {
            continue;
        };
        hashed.map_err(|error| {
            TextError::whole(spec.name, value, format!("a file that can be read ({error})"))
        })?;
        found = true;
    }
    Ok(found.then(|| hash.digits()))
}

/// A hash of texts and files, each with its length, so that different lists have different hashes.
pub struct ContentHash(Sha256);

impl Default for ContentHash {
    fn default() -> ContentHash {
        ContentHash::new()
    }
}

impl ContentHash {
    /// The hash of an empty list.
    pub fn new() -> ContentHash {
        ContentHash(Sha256::new())
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
    }

    /// Adds the content of a file.
    pub fn file(&mut self, path: &Path) -> io::Result<()> {
        let mut file = File::open(path)?;
        let mut buffer = vec![0; 1 << 16];
        let mut length = 0_u64;
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                break;
            }
            length += read as u64;
            self.0.update(&buffer[..read]);
        }
        self.0.update(length.to_le_bytes());
        Ok(())
    }

    fn folder(&mut self, path: &Path) -> io::Result<()> {
        let mut entries = Vec::new();
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            entries.push((name, entry.metadata()?.len()));
        }
        entries.sort();
        for (name, size) in entries {
            self.text(&name);
            self.0.update(size.to_le_bytes());
        }
        Ok(())
    }

    /// The first hexadecimal digits of the hash.
    pub fn digits(self) -> String {
        let digest = self.0.finalize();
        let digits: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
        digits[..HASH_DIGITS].to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find_game;

    fn identity(game: &str, player: &str) -> Identity {
        find_game(game).unwrap().0.identify(player, &Resources::default()).unwrap()
    }

    #[test]
    fn a_spec_has_one_form() {
        let one = identity("chess", "engine:table=4MB,eval=hand");
        assert_eq!(one, identity("chess", "engine:eval=hand,table=4MB"));
        assert_eq!(one.build("abc"), "abc");
        assert_eq!(identity("chess", "minimax").spec, "minimax");
    }

    #[test]
    fn a_file_counts_by_its_content() {
        let folder = tempfile::tempdir().unwrap();
        let weights = folder.path().join("weights.txt");
        let spec = format!("neurodraughts:weights={}", weights.display());
        let build = |content: &str| {
            fs::write(&weights, content).unwrap();
            identity("draughts", &spec).build("abc")
        };
        let one = build("1 2 3");
        assert!(one.starts_with("abc+"), "{one}");
        assert_ne!(build("1 2 4"), one);
        assert_eq!(build("1 2 3"), one);
    }
}
