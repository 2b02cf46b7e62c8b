//! The program's own files: written whole or not at all, appended to, locked.
//!
//! Every change of a file goes through this crate, so that two things hold in one place:
//!
//! - **Durability.** Once [`write()`] or [`WholeFile::commit`] returns, the file survives a power failure under
//!   its name: its bytes are synced before it is renamed, and its folder after that. Whatever goes
//!   wrong before, the file is as it was. [`AppendFile`] promises the same for all up to its last
//!   [`sync`](AppendFile::sync).
//! - **Faults.** Tests can make any operation fail, and record all of them to compute what a power
//!   failure would leave: see [`faults`].
//!
//! SQLite's files are SQLite's: the store does not use this crate for them.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod append;
pub mod faults;
mod folder;
mod lock;
mod output;
mod whole;

pub use append::AppendFile;
pub use folder::{create_folder, rename};
pub use lock::{FileLock, LockError, LockHolder};
pub use whole::{WholeFile, write};

use faults::{FileOperation, perform};
use std::{fs, io, path::Path};

/// Reads a whole file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    perform(path, FileOperation::Read, || fs::read(path))
}

/// Reads a whole file; `None` if there is none.
pub fn read_existing(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
