//! Search limits as command-line options.

use ludus_core::{Clock, Limits};
use std::time::Duration;

#[derive(clap::Args, Clone, Default)]
pub struct LimitArgs {
    /// Search depth in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// Maximum number of positions or simulations per move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Time per move, such as 500ms, 2s or 1m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Clock: time for the game plus increment per move, such as 60s+1s
    #[arg(long, value_name = "TIME+TIME", value_parser = parse_clock)]
    clock: Option<Clock>,
}

impl LimitArgs {
    pub fn limits(&self) -> Limits {
        Limits { depth: self.depth, nodes: self.nodes, time: self.time, clock: self.clock }
    }
}

/// Parses `500ms`, `2s`, `1.5m`; a number without unit is in seconds.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" | "" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("expected a time such as 500ms, 2s or 1m".to_owned()),
    };
    let number: f64 = digits.parse().map_err(|_| "expected a time such as 500ms, 2s or 1m")?;
    Duration::try_from_secs_f64(number * unit)
        .ok()
        .filter(|time| *time <= Duration::from_secs(30 * 86_400))
        .ok_or_else(|| "expected a time from 0s to 30 days".to_owned())
}

pub fn parse_clock(text: &str) -> Result<Clock, String> {
    let (remaining, increment) = text.split_once('+').unwrap_or((text, "0s"));
    Ok(Clock {
        remaining: parse_time(remaining)?,
        increment: parse_time(increment)?,
        moves_to_go: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        assert_eq!(parse_time("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_time("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_time("2"), Ok(Duration::from_secs(2)));
        for bad in ["", "ms", "-1s", "1e400s", "1 s", "NaN", "infs", "99999h"] {
            assert!(parse_time(bad).is_err(), "{bad:?}");
        }
        let clock = parse_clock("60s+1s").unwrap();
        assert_eq!((clock.remaining.as_secs(), clock.increment.as_secs()), (60, 1));
    }
}
