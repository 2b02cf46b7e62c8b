//! Measurements of Ludus, from `ludus bench` and `ludus analyze`.

use super::Measure;
use crate::command::{ludus, output};
use anyhow::{Context, Result};
use serde_json::Value;

/// The player whose simulations are counted, without early stopping.
const PLAYER: &str = "mcts:solver=off,early=off,reuse=off,memory=4GB";

/// Playouts or simulations per second from the start of `game`, measured for `seconds`.
pub fn speed(measure: Measure, game: &str, seconds: u32) -> Result<f64> {
    match measure {
        Measure::Playouts => playouts_per_second(game, seconds),
        Measure::Simulations => simulations_per_second(game, seconds),
    }
}

fn simulations_per_second(game: &str, seconds: u32) -> Result<f64> {
    let time = format!("{seconds}s");
    let analyze = ["analyze", game, "--player", PLAYER, "--time", &time, "--json"];
    let text = output(&mut ludus(&analyze))?;
    let document: Value = serde_json::from_str(&text).context("not JSON")?;
    let number = |name: &str| document[name].as_f64().with_context(|| format!("no {name}"));
    Ok(number("nodes")? / number("seconds")?)
}

/// Random playouts per second from the start of `game`, measured for `seconds`.
fn playouts_per_second(game: &str, seconds: u32) -> Result<f64> {
    let duration = format!("{seconds}s");
    let bench = ["bench", game, "--only", "playouts", "--duration", &duration, "--json"];
    parse(&output(&mut ludus(&bench))?).with_context(|| format!("ludus {}", bench.join(" ")))
}

fn parse(text: &str) -> Result<f64> {
    let document: Value = serde_json::from_str(text).context("not JSON")?;
    let benches = document["benches"].as_array().context("no benches")?;
    let playouts = benches.iter().find(|bench| bench["name"] == "playouts");
    playouts.and_then(|bench| bench["per_second"].as_f64()).context("no playouts per second")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn playouts_are_found_among_the_benches() {
        let text = r#"{"benches": [
            {"name": "perft", "game": "go:size=9", "per_second": 7.0},
            {"name": "playouts", "game": "go:size=9", "per_second": 123.4, "count": 5}
        ]}"#;
        assert_eq!(parse(text).unwrap(), 123.4);
        assert!(parse(r#"{"benches": []}"#).is_err());
        assert!(parse("").is_err());
    }
}
