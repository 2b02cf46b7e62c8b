//! Folders: their entries are on the disk only once the folder itself is synced.

use crate::faults::{FileOperation, perform};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// The folder of a file: `.` for a bare name.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Creates a folder and those above it, durably. An existing one is left as it is.
pub fn create_folder(path: &Path) -> io::Result<()> {
    if path.as_os_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    let above = folder_of(path);
    if above != path {
        create_folder(above)?;
    }
    perform(path, FileOperation::CreateFolder, || match fs::create_dir(path) {
        Err(_) if path.is_dir() => Ok(()), // another process was faster
        result => result,
    })?;
    sync_folder(above)
}

/// Renames a file or folder within its folder, durably.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    perform(from, FileOperation::Rename(to), || fs::rename(from, to))?;
    sync_folder(folder_of(to))
}

/// Waits until the entries of a folder are on the disk: files created, renamed and removed in it.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    perform(folder, FileOperation::SyncFolder, || sync(folder))
}

#[cfg(unix)]
fn sync(folder: &Path) -> io::Result<()> {
    match fs::File::open(folder)?.sync_all() {
        // Some file systems sync their folders by themselves and refuse to be asked.
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        result => result,
    }
}

/// Folders cannot be opened as files here.
#[cfg(not(unix))]
fn sync(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A path whose name has `more` at its end.
pub(crate) fn with_suffix(path: &Path, more: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(more);
    name.into()
}
