//! A file that is being written: every operation on it passes through the seam for faults.

use crate::faults::{self, FileOperation, perform};
use std::{
    fs::{File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

/// A file and its path.
#[derive(Debug)]
pub(crate) struct OutputFile {
    file: File,
    path: PathBuf,
}

impl OutputFile {
    /// Creates an empty file, or empties the one at `path`.
    pub fn create(path: &Path) -> io::Result<OutputFile> {
        let file = perform(path, FileOperation::Create, || File::create(path))?;
        Ok(OutputFile { file, path: path.to_owned() })
    }

    /// Opens a file for reading and appending; creates it if there is none. Returns whether it was
    /// created.
    pub fn open(path: &Path) -> io::Result<(OutputFile, bool)> {
        let mut options = OpenOptions::new();
        options.read(true).append(true);
        let is_new = !path.exists();
        let operation = if is_new { FileOperation::Create } else { FileOperation::Open };
        let file = perform(path, operation, || options.create(true).open(path))?;
        Ok((OutputFile { file, path: path.to_owned() }, is_new))
    }

    /// Reads the rest of the file.
    pub fn read_to_end(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        perform(&self.path, FileOperation::Read, || self.file.read_to_end(&mut bytes))?;
        Ok(bytes)
    }

    /// Cuts the file to `length` bytes.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        perform(&self.path, FileOperation::Cut(length), || self.file.set_len(length))
    }

    /// Waits until the contents of the file are on the disk.
    pub fn sync(&self) -> io::Result<()> {
        perform(&self.path, FileOperation::Sync, || self.file.sync_data())
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn file(&self) -> &File {
        &self.file
    }
}

impl Write for OutputFile {
    /// Writes all bytes; where tests make this fail, half of them, as on a full disk.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fault = faults::before(&self.path);
        let written = if fault.is_ok() { bytes } else { &bytes[..bytes.len() / 2] };
        self.file.write_all(written)?;
        faults::after(&self.path, FileOperation::Write(written));
        fault.map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(()) // nothing is buffered here
    }
}
