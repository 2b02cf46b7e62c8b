//! Files that are written whole or not at all.

use crate::{
    faults::{FileOperation, perform},
    folder::{rename, with_suffix},
    output::OutputFile,
};
use std::{
    fs,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

/// Writes a file durably: it has these bytes, or is as it was before.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.commit()
}

/// A file that appears under its name only when it is [committed](WholeFile::commit). Until then it
/// has a temporary name in the same folder, and is removed if it is dropped.
#[derive(Debug)]
pub struct WholeFile {
    /// `None` once it is committed.
    file: Option<BufWriter<OutputFile>>,
    partial: PathBuf,
    path: PathBuf,
}

impl WholeFile {
    /// Creates the file under its temporary name, `NAME.partial`.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        let partial = with_suffix(path, ".partial");
        let file = Some(BufWriter::new(OutputFile::create(&partial)?));
        Ok(WholeFile { file, partial, path: path.to_owned() })
    }

    /// Gives the file its name, in place of the one that had it; returns when that is on the disk.
    pub fn commit(mut self) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.flush()?;
            file.get_ref().sync()?;
        }
        rename(&self.partial, &self.path)?;
        self.discard_handle();
        Ok(())
    }

    /// Closes the file without writing what is still buffered.
    fn discard_handle(&mut self) {
        drop(self.file.take().map(BufWriter::into_parts));
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(0), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for WholeFile {
    /// Removes the file unless it is committed.
    fn drop(&mut self) {
        if self.file.is_some() {
            self.discard_handle();
            // The error that led here is the one to report.
            let _ =
                perform(&self.partial, FileOperation::Remove, || fs::remove_file(&self.partial));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::{FaultPlan, watch};

    #[test]
    fn a_file_is_whole_or_as_before_whatever_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        write(&path, b"before").unwrap();
        for number in 0.. {
            let faults = watch(folder.path(), FaultPlan::Fail(number));
            let result = write(&path, b"after, and longer");
            let is_hit = faults.is_hit();
            drop(faults);
            let found = fs::read(&path).unwrap();
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file");
            if !is_hit {
                assert!(result.is_ok() && found == b"after, and longer");
                assert_eq!(number, 5, "create, write, sync, rename, sync of the folder");
                break;
            }
            assert!(result.unwrap_err().to_string().contains("injected"));
            // Only the last operation comes after the renaming.
            assert!(found == if number < 4 { &b"before"[..] } else { b"after, and longer" });
            write(&path, b"before").unwrap();
        }
    }

    #[test]
    fn a_dropped_file_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = WholeFile::create(&folder.path().join("a.txt")).unwrap();
        file.write_all(b"some").unwrap();
        drop(file);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
