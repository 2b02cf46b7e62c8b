//! Bundles: everything the results of an experiment rest on, in a folder that others can check.
//!
//! ```text
//! manifest.json          every other file with its size and SHA-256, and who wrote them
//! manifest.sha256        the SHA-256 of the manifest, as sha256sum writes it
//! document.md, NAME.svg  what people read
//! NAME/experiment.toml   the experiment as it was given
//! NAME/files/…           the files it names: openings, suites
//! NAME/run.json          what the command line changed about it
//! NAME/findings.json     what was counted, and the verdicts
//! NAME/contest-1/…       each match: contest.json (set-up with seed, limits and openings, and the
//!                        identities of the players), games.jsonl (moves, results, effort), and the
//!                        games as PGN, PDN or SGF
//! ```
//!
//! [`ExperimentRunner::pack`](super::ExperimentRunner::pack) makes the files of an experiment, [`write()`] the folder, and
//! [`check()`] says whether its checksums hold, its games are legal and end as they say, its findings
//! follow from its games, its document from its findings, and whether a sample of the games is
//! played the same way again.

mod check;
mod games;
mod manifest;
mod pack;
mod searches;

pub use check::{CheckLine, CheckOptions, check};
pub use manifest::{check_is_free, write};
pub use pack::shared_files;

use serde::{Deserialize, Serialize};

const MANIFEST: &str = "manifest.json";
const SEAL: &str = "manifest.sha256";
const DOCUMENT: &str = "document.md";
const EXPERIMENT: &str = "experiment.toml";
const ATTACHED: &str = "files";
const RUN: &str = "run.json";
const FINDINGS: &str = "findings.json";
const CONTEST: &str = "contest.json";
const GAMES: &str = "games.jsonl";

/// A file of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleFile {
    /// Path within the bundle, with slashes.
    pub path: String,
    /// Contents of the file.
    pub bytes: Vec<u8>,
}

impl BundleFile {
    fn text(path: String, text: impl Into<Vec<u8>>) -> BundleFile {
        BundleFile { path, bytes: text.into() }
    }

    fn json(path: String, value: &impl Serialize) -> BundleFile {
        let text = serde_json::to_string_pretty(value).expect("plain data") + "\n";
        BundleFile::text(path, text)
    }
}

/// Identity of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PlayerIdentity {
    /// Specification, as given.
    player: String,
    /// Name and options in canonical form.
    spec: String,
    /// Build: of this program, with a hash of the files it was given, or of another program.
    build: String,
}

/// A match of an experiment: everything that decides its games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct BundledContest {
    name: String,
    kind: String,
    build: String,
    players: Vec<PlayerIdentity>,
    /// Specification as stored.
    config: serde_json::Value,
    /// Games counted as repeats: each with the number of the one it repeats.
    repeats: Vec<(u64, u64)>,
}
