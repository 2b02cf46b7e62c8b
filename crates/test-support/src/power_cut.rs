//! Model of a disk: what is on it after a number of recorded changes, if the power is cut then.

use ludus_files::faults::FileChange;
use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

/// The part of the changes that survives.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Survival {
    /// All of them, as when the process is killed.
    Everything,
    /// Names of files, but only contents that were synced.
    Names,
    /// Only names in folders that were synced since, and contents that were synced.
    Synced,
}

/// A name on the disk.
#[derive(Copy, Clone)]
enum Entry {
    Folder,
    /// Number of a file.
    File(usize),
}

#[derive(Default)]
struct FileContents {
    written: Vec<u8>,
    synced: Vec<u8>,
}

#[derive(Default)]
struct Disk {
    files: Vec<FileContents>,
    entries: BTreeMap<PathBuf, Entry>,
    durable_entries: BTreeMap<PathBuf, Entry>,
}

/// Writes to `target` what survives of the changes to the files below `root`.
pub fn restore(
    changes: &[FileChange],
    root: &Path,
    survival: Survival,
    target: &Path,
) -> io::Result<()> {
    let mut disk = Disk::default();
    changes.iter().for_each(|change| disk.apply(change));
    let entries = match survival {
        Survival::Everything | Survival::Names => &disk.entries,
        Survival::Synced => &disk.durable_entries,
    };
    for (path, entry) in entries {
        let path = target.join(path.strip_prefix(root).expect("a path below the root"));
        // A folder whose name is lost takes its files with it.
        if !path.parent().is_some_and(Path::is_dir) {
            continue;
        }
        match *entry {
            Entry::Folder => fs::create_dir(path)?,
            Entry::File(number) => {
                let FileContents { written, synced } = &disk.files[number];
                let survives = if survival == Survival::Everything { written } else { synced };
                fs::write(path, survives)?;
            }
        }
    }
    Ok(())
}

impl Disk {
    fn apply(&mut self, change: &FileChange) {
        match change {
            FileChange::Create(path) => match self.entries.get(path) {
                Some(&Entry::File(number)) => self.files[number].written.clear(),
                _ => {
                    self.files.push(FileContents::default());
                    self.entries.insert(path.clone(), Entry::File(self.files.len() - 1));
                }
            },
            FileChange::Write(path, bytes) => self.file(path).written.extend(bytes),
            FileChange::Cut(path, length) => self.file(path).written.truncate(*length as usize),
            FileChange::Sync(path) => {
                let file = self.file(path);
                file.synced.clone_from(&file.written);
            }
            FileChange::Rename(from, to) => self.rename(from, to),
            FileChange::Remove(path) => {
                self.entries.remove(path);
            }
            FileChange::CreateFolder(path) => {
                self.entries.insert(path.clone(), Entry::Folder);
            }
            FileChange::SyncFolder(folder) => {
                let is_inside = |path: &Path| path.parent() == Some(folder);
                self.durable_entries.retain(|path, _| !is_inside(path));
                let inside = self.entries.iter().filter(|(path, _)| is_inside(path));
                self.durable_entries.extend(inside.map(|(path, entry)| (path.clone(), *entry)));
            }
        }
    }

    fn file(&mut self, path: &Path) -> &mut FileContents {
        match self.entries.get(path) {
            Some(&Entry::File(number)) => &mut self.files[number],
            _ => panic!("{}: changed before it was created", path.display()),
        }
    }

    /// Renames a file, or a folder with all in it.
    fn rename(&mut self, from: &Path, to: &Path) {
        let moved: Vec<PathBuf> =
            self.entries.keys().filter(|path| path.starts_with(from)).cloned().collect();
        for path in moved {
            let rest = path.strip_prefix(from).expect("it starts with that");
            let renamed = if rest.as_os_str().is_empty() { to.to_owned() } else { to.join(rest) };
            if let Some(entry) = self.entries.remove(&path) {
                self.entries.insert(renamed, entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(changes: &[FileChange], survival: Survival) -> Vec<(String, String)> {
        let folder = tempfile::tempdir().unwrap();
        restore(changes, Path::new("/root"), survival, folder.path()).unwrap();
        let entries = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let text = |path: PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, fs::read_to_string(path).unwrap())
        };
        let mut found: Vec<(String, String)> = entries.map(text).collect();
        found.sort();
        found
    }

    fn path(name: &str) -> PathBuf {
        Path::new("/root").join(name)
    }

    #[test]
    fn names_and_contents_survive_when_they_are_synced() {
        let changes = [
            FileChange::Create(path("a")),
            FileChange::Write(path("a"), b"one".into()),
            FileChange::Sync(path("a")),
            FileChange::Write(path("a"), b"two".into()),
            FileChange::Rename(path("a"), path("b")),
            FileChange::SyncFolder(path("")),
            FileChange::Create(path("c")),
        ];
        let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
        use Survival::{Everything, Names, Synced};
        assert_eq!(after(&changes[..5], Everything), [file("b", "onetwo")]);
        assert_eq!(after(&changes[..5], Names), [file("b", "one")]);
        assert_eq!(after(&changes[..5], Synced), []);
        assert_eq!(after(&changes, Names), [file("b", "one"), file("c", "")]);
        assert_eq!(after(&changes, Synced), [file("b", "one")]);
    }
}
