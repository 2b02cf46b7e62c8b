//! Files that grow at their end.

use crate::{
    folder::{folder_of, sync_folder},
    output::OutputFile,
};
use std::{
    io::{self, Write},
    path::Path,
};

/// A file that is appended to. A killed process leaves at most one incomplete write at its end.
#[derive(Debug)]
pub struct AppendFile(OutputFile);

impl AppendFile {
    /// Opens a file and returns its contents; creates it if there is none.
    pub fn open(path: &Path) -> io::Result<(AppendFile, Vec<u8>)> {
        let (mut file, is_new) = OutputFile::open(path)?;
        if is_new {
            sync_folder(folder_of(path))?;
        }
        let bytes = file.read_to_end()?;
        Ok((AppendFile(file), bytes))
    }

    /// Opens a file of lines as [`open`](AppendFile::open) does, and cuts off an unfinished last line.
    pub fn open_lines(path: &Path) -> io::Result<(AppendFile, Vec<u8>)> {
        let (mut file, mut bytes) = AppendFile::open(path)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        if whole < bytes.len() {
            file.cut(whole as u64)?;
            bytes.truncate(whole);
        }
        Ok((file, bytes))
    }

    /// Cuts the file to `length` bytes.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        self.0.cut(length)
    }

    /// Appends bytes in one write.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    /// Waits until everything appended is on the disk.
    pub fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_line_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines.txt");
        for (found, whole) in
            [("", ""), ("one\ntwo\n", "one\ntwo\n"), ("one\ntw", "one\n"), ("o", "")]
        {
            std::fs::write(&path, found).unwrap();
            let (mut file, bytes) = AppendFile::open_lines(&path).unwrap();
            assert_eq!(bytes, whole.as_bytes());
            file.append(b"three\n").unwrap();
            file.sync().unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(text, format!("{whole}three\n"));
        }
    }
}
