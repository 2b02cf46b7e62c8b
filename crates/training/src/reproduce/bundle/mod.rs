//! Everything an experiment came from, in a folder that others can check.
//!
//! ```text
//! manifest.json          every other file with its size and SHA-256, and who wrote them
//! manifest.sha256        the SHA-256 of the manifest, as sha256sum writes it
//! document.md, NAME.svg  what people read
//! NAME/experiment.toml   the experiment as it was given
//! NAME/run.json          what the command line changed about it
//! NAME/findings.json     what was counted, and the verdicts
//! NAME/contest-1/…       each match: contest.json (set-up with seed, limits and openings, and the
//!                        identities of the players), games.jsonl (moves, results, effort), and the
//!                        games as PGN, PDN or SGF
//! ```
//!
//! [`Lab::pack`](super::Lab::pack) makes the files of an experiment, [`write()`] the folder, and
//! [`check()`] says whether its checksums hold, its games are legal and end as they say, its findings
//! follow from its games, its document from its findings, and whether a sample of the games is
//! played the same way again.

mod check;
mod games;
mod manifest;
mod pack;

pub use check::{Inspection, Line, check};
pub use manifest::{is_free, write};
pub use pack::shared;

use serde::{Deserialize, Serialize};

const MANIFEST: &str = "manifest.json";
const SEAL: &str = "manifest.sha256";
const DOCUMENT: &str = "document.md";
const EXPERIMENT: &str = "experiment.toml";
const RUN: &str = "run.json";
const FINDINGS: &str = "findings.json";
const CONTEST: &str = "contest.json";
const GAMES: &str = "games.jsonl";

/// A file of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path within the bundle, with slashes.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl File {
    fn text(path: String, text: impl Into<Vec<u8>>) -> File {
        File { path, bytes: text.into() }
    }

    fn json(path: String, value: &impl Serialize) -> File {
        let text = serde_json::to_string_pretty(value).expect("plain data") + "\n";
        File::text(path, text)
    }
}

/// Who a player is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PlayerIdentity {
    /// As it was asked for.
    player: String,
    /// Its name and options in one form.
    spec: String,
    /// The build it is a part of: of this program, with a hash of the files it was given, or of
    /// another program.
    build: String,
}

/// A match of an experiment: all that decides its games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Contest {
    name: String,
    kind: String,
    build: String,
    players: Vec<PlayerIdentity>,
    /// The set-up as the store keeps it.
    config: serde_json::Value,
    /// Games that were counted as repeats: each with the number of the one it repeats.
    repeats: Vec<(u64, u64)>,
}
