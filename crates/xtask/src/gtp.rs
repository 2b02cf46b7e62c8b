//! `cargo xtask gtp`: the long runs of the tests of `ludus gtp`.

use crate::command::{self, cargo};
use anyhow::Result;

/// How long and how much.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Minutes of random commands.
    pub minutes: u64,
    /// Games beside GNU Go.
    pub games: u64,
}

impl Default for Extent {
    fn default() -> Extent {
        Extent { minutes: 10, games: 200 }
    }
}

pub fn run(extent: Extent) -> Result<()> {
    let tests = ["test", "--package", "ludus-app", "--test", "it", "--"];
    let mut tests =
        cargo(&[&tests[..], &["gtp_fuzz::", "gtp_agreement::", "--nocapture"]].concat());
    tests.env("LUDUS_FUZZ_SECONDS", (60 * extent.minutes).to_string());
    tests.env("LUDUS_GNUGO_GAMES", extent.games.to_string());
    command::run(&mut tests)
}

/// Reads `--minutes N` and `--games N` in any order.
pub fn parse(words: &[&str]) -> Option<Extent> {
    let mut extent = Extent::default();
    for pair in words.chunks(2) {
        match *pair {
            ["--minutes", number] => extent.minutes = number.parse().ok()?,
            ["--games", number] => extent.games = number.parse().ok()?,
            _ => return None,
        }
    }
    Some(extent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extent_is_read_in_any_order() {
        assert_eq!(parse(&[]), Some(Extent { minutes: 10, games: 200 }));
        let both = parse(&["--games", "5", "--minutes", "1"]);
        assert_eq!(both, Some(Extent { minutes: 1, games: 5 }));
        assert!(parse(&["--games"]).is_none() && parse(&["--hours", "1"]).is_none());
    }
}
