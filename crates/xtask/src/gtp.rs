//! `cargo xtask gtp`: long runs of the tests of `ludus gtp`.

use crate::command::{self, cargo};
use anyhow::Result;

/// Length of the tests.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GtpTestSize {
    /// Minutes of random commands.
    pub minutes: u64,
    /// Games compared with GNU Go.
    pub games: u64,
}

impl Default for GtpTestSize {
    fn default() -> GtpTestSize {
        GtpTestSize { minutes: 10, games: 200 }
    }
}

pub fn run(size: GtpTestSize) -> Result<()> {
    let tests = ["test", "--package", "ludus-app", "--test", "it", "--"];
    let mut tests =
        cargo(&[&tests[..], &["gtp_fuzz::", "gtp_agreement::", "--nocapture"]].concat());
    tests.env("LUDUS_FUZZ_SECONDS", (60 * size.minutes).to_string());
    tests.env("LUDUS_GNUGO_GAMES", size.games.to_string());
    command::run(&mut tests)
}

/// Reads `--minutes N` and `--games N` in any order.
pub fn parse(words: &[&str]) -> Option<GtpTestSize> {
    let mut size = GtpTestSize::default();
    for pair in words.chunks(2) {
        match *pair {
            ["--minutes", number] => size.minutes = number.parse().ok()?,
            ["--games", number] => size.games = number.parse().ok()?,
            _ => return None,
        }
    }
    Some(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_in_any_order() {
        assert_eq!(parse(&[]), Some(GtpTestSize { minutes: 10, games: 200 }));
        let both = parse(&["--games", "5", "--minutes", "1"]);
        assert_eq!(both, Some(GtpTestSize { minutes: 1, games: 5 }));
        assert!(parse(&["--games"]).is_none() && parse(&["--hours", "1"]).is_none());
    }
}
