//! The folder of a bundle: written completely or not at all, and read only if every byte is
//! unchanged.

use super::{BundleFile, MANIFEST, SEAL};
use crate::TrainingError;
use ludus_core::TextError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Component, Path, PathBuf},
};

/// Version of the bundle's layout.
const FORMAT: &str = "ludus bundle 1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    format: String,
    /// Build of the program that wrote it.
    pub build: String,
    /// Group of the document.
    pub group: String,
    /// Its experiments, in the order of the document.
    pub experiments: Vec<String>,
    files: Vec<Listed>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Listed {
    path: String,
    bytes: u64,
    sha256: String,
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn seal(manifest: &[u8]) -> String {
    format!("{}  {MANIFEST}\n", sha256(manifest))
}

/// Checks that a bundle can be written to `folder`: it must be new or an empty folder.
///
/// # Errors
/// If it is neither.
pub fn check_is_free(folder: &Path) -> Result<(), TextError> {
    let shown = folder.display().to_string();
    let refused = |expected: &str| Err(TextError::whole("bundle", &shown, expected));
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => refused("a new or an empty folder, this one has something in it"),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => refused(&format!("a new or an empty folder ({error})")),
    }
}

/// Writes a bundle. Whatever goes wrong, `folder` is complete, or as it was before.
///
/// # Errors
/// If the folder is not empty, or the disk fails.
pub fn write(
    folder: &Path,
    (build, group, experiments): (&str, &str, Vec<String>),
    files: &[BundleFile],
) -> Result<(), TrainingError> {
    check_is_free(folder)?;
    let listed = files.iter().map(|file| Listed {
        path: file.path.clone(),
        bytes: file.bytes.len() as u64,
        sha256: sha256(&file.bytes),
    });
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        build: build.to_owned(),
        group: group.to_owned(),
        experiments,
        files: listed.collect(),
    };
    let manifest = BundleFile::json(MANIFEST.to_owned(), &manifest);
    let seal = BundleFile::text(SEAL.to_owned(), seal(&manifest.bytes));
    let partial = partial(folder);
    let written = files
        .iter()
        .chain([&manifest, &seal])
        .try_for_each(|file| write_file(&partial, file))
        .and_then(|()| {
            // An empty folder is replaced; renaming fails on one that was filled meanwhile.
            let _ = fs::remove_dir(folder);
            ludus_files::rename(&partial, folder)
        });
    written.map_err(|error| {
        let _ = fs::remove_dir_all(&partial);
        TrainingError::disk(folder, &error)
    })
}

/// Temporary name of a bundle while it is written, beside its own.
fn partial(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_owned();
    name.push(format!(".partial-{}", std::process::id()));
    folder.with_file_name(name)
}

fn write_file(folder: &Path, file: &BundleFile) -> io::Result<()> {
    let path = folder.join(&file.path);
    if let Some(above) = path.parent() {
        ludus_files::create_folder(above)?;
    }
    ludus_files::write(&path, &file.bytes)
}

/// Files of a folder, verified to be byte for byte as written.
pub(super) struct Contents {
    pub manifest: Manifest,
    pub files: Vec<BundleFile>,
}

impl Contents {
    /// Contents of the file at this path.
    pub fn file(&self, path: &str) -> Result<&[u8], String> {
        let file = self.files.iter().find(|file| file.path == path);
        file.map(|file| &file.bytes[..]).ok_or_else(|| format!("{path}: missing from the bundle"))
    }

    /// Parses the JSON file at this path.
    pub fn json<T: serde::de::DeserializeOwned>(&self, path: &str) -> Result<T, String> {
        serde_json::from_slice(self.file(path)?).map_err(|error| format!("{path}: {error}"))
    }
}

/// Reads a bundle.
///
/// # Errors
/// The outer error if the folder is no bundle, the inner ones if it is one that has been changed.
pub(super) fn read(folder: &Path) -> Result<Result<Contents, Vec<String>>, TextError> {
    let shown = folder.display().to_string();
    let manifest_bytes = fs::read(folder.join(MANIFEST)).map_err(|error| {
        let expected = format!("the folder of a bundle, with a {MANIFEST} ({error})");
        TextError::whole("bundle", &shown, expected)
    })?;
    let found = fs::read(folder.join(SEAL)).unwrap_or_default();
    if found != seal(&manifest_bytes).as_bytes() {
        let text = format!("{MANIFEST}: not the one whose SHA-256 is in {SEAL}");
        return Ok(Err(vec![text]));
    }
    let manifest: Manifest = match serde_json::from_slice(&manifest_bytes) {
        Ok(manifest) => manifest,
        Err(error) => return Ok(Err(vec![format!("{MANIFEST}: {error}")])),
    };
    if manifest.format != FORMAT {
        return Err(TextError::whole("bundle", &manifest.format, format!("the format {FORMAT}")));
    }
    let mut wrong = Vec::new();
    let mut files = Vec::new();
    for Listed { path, bytes, sha256: expected } in &manifest.files {
        if !Path::new(path).components().all(|part| matches!(part, Component::Normal(_))) {
            wrong.push(format!("{path}: expected a path within the bundle"));
            continue;
        }
        match fs::read(folder.join(path)) {
            Err(error) => wrong.push(format!("{path}: {error}")),
            Ok(found) if found.len() as u64 != *bytes => {
                wrong.push(format!("{path}: {} bytes, expected {bytes}", found.len()));
            }
            Ok(found) if sha256(&found) != *expected => {
                wrong.push(format!("{path}: SHA-256 {}, expected {expected}", sha256(&found)));
            }
            Ok(bytes) => files.push(BundleFile { path: path.clone(), bytes }),
        }
    }
    let listed = manifest.files.iter().map(|file| file.path.as_str());
    let listed: BTreeSet<&str> = listed.chain([MANIFEST, SEAL]).collect();
    let mut there = Vec::new();
    if let Err(error) = paths(folder, "", &mut there) {
        wrong.push(error.to_string());
    }
    let unlisted = there.iter().filter(|path| !listed.contains(path.as_str()));
    wrong.extend(unlisted.map(|path| format!("{path}: not in {MANIFEST}")));
    Ok(if wrong.is_empty() { Ok(Contents { manifest, files }) } else { Err(wrong) })
}

/// Paths of the files below a folder, with slashes.
fn paths(folder: &Path, above: &str, found: &mut Vec<String>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{above}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            paths(&entry.path(), &format!("{path}/"), found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}
