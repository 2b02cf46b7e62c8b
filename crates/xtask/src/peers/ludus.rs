//! Measurements of Ludus, from `ludus bench` and `ludus analyze`.

use super::games::PeerMeasure;
use crate::command::{ludus, output};
use anyhow::{Context, Result};
use serde_json::Value;

/// The player whose simulations are counted, without early stopping.
const PLAYER: &str = "mcts:solver=off,early=off,reuse=off,memory=4GB";

/// Playouts or simulations per second from the start of `game`, measured for `seconds`.
pub fn speed(measure: PeerMeasure, game: &str, seconds: u32) -> Result<f64> {
    match measure {
        PeerMeasure::Playouts => playouts_per_second(game, seconds),
        PeerMeasure::Simulations => simulations_per_second(game, seconds),
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

/// Positions per second of one kind of work of the convolutional network, with one thread.
pub fn network_speed(work: &str, seconds: u32) -> Result<f64> {
    let duration = format!("{seconds}s");
    let bench = ["bench", "--only", "models", "--duration", &duration, "--json"];
    parse_network(&output(&mut ludus(&bench))?, work)
        .with_context(|| format!("ludus {}", bench.join(" ")))
}

fn parse_network(text: &str, work: &str) -> Result<f64> {
    let document: Value = serde_json::from_str(text).context("not JSON")?;
    let speeds = document.as_array().context("no list of speeds")?;
    let wanted = |speed: &&Value| speed["model"] == "conv-net" && speed["work"] == work;
    let speed = speeds.iter().find(wanted).with_context(|| format!("no speed of {work}"))?;
    speed["per_second"].as_f64().context("no positions per second")
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

    #[test]
    fn the_speed_of_a_network_is_found_by_its_work() {
        let text = r#"[
            {"model": "conv-net", "work": "one", "threads": 1, "per_second": 9.0},
            {"model": "dense", "work": "batch", "threads": 1, "per_second": 7.0},
            {"model": "conv-net", "work": "batch", "threads": 1, "per_second": 8.5}
        ]"#;
        assert_eq!(parse_network(text, "batch").unwrap(), 8.5);
        assert!(parse_network(text, "training").is_err() && parse_network("{}", "one").is_err());
    }
}
