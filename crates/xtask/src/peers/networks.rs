//! The convolutional network of the chess study beside PyTorch's.

use super::{
    Comparison, Findings, MEASUREMENT_SECONDS, ROUNDS, ludus,
    pytorch::{self, PyTorch},
};
use anyhow::Result;

/// One kind of work under its name in `ludus bench` and in the script.
struct Work {
    name: &'static str,
    about: &'static str,
    /// Required speed ratio.
    wanted: f64,
}

const WORKS: &[Work] = &[
    Work { name: "one", about: "one position", wanted: 2.0 },
    Work { name: "batch", about: "batches of 256", wanted: 0.8 },
    Work { name: "training", about: "training steps of 2,048", wanted: 0.8 },
];

/// Compares all kinds of work, or says why it cannot.
pub fn compare(findings: &mut Findings) -> Result<()> {
    let peer = match PyTorch::install() {
        Ok(peer) => peer,
        Err(reason) => {
            println!("\nNetworks: SKIPPED, because PyTorch cannot be installed: {reason:#}");
            return Ok(());
        }
    };
    let compare = |work: &Work| {
        let theirs = || peer.speed(work.name, MEASUREMENT_SECONDS);
        let ours = || ludus::network_speed(work.name, MEASUREMENT_SECONDS);
        Comparison::measure(work.about, work.wanted, "PyTorch", theirs, ours)
    };
    let comparisons = WORKS.iter().map(compare).collect::<Result<Vec<_>>>()?;
    let about = format!(
        "Positions per second of a network of 14 planes, four layers of 32 windows and 64 hidden units, \
         one thread each, PyTorch\n{} on the processor and Ludus (`ludus bench --only models`) taking \
         turns, the best of {ROUNDS} rounds of {MEASUREMENT_SECONDS} s each.",
        pytorch::VERSION
    );
    findings.add("Networks", &about, "work", "PyTorch", &comparisons);
    Ok(())
}
