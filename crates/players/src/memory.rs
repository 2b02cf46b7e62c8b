//! Memory that players need for their tables and trees: known before they are built, and refused with a
//! clear error if it cannot be had, because a failed allocation within a search ends the process.

use ludus_core::{OptionKind, Options, TextError};
use std::fs;

/// Players smaller than this are not checked: they fit, or nothing does.
const SMALL_BYTES: u64 = 16 << 20;

/// Memory that a player may take: the sum of its options in bytes.
pub fn player_bytes(options: &Options) -> u64 {
    byte_options(options).fold(0, |sum, (_, bytes)| sum.saturating_add(bytes))
}

/// Refuses a player that needs more memory than there is.
///
/// # Errors
/// If the memory that is free, or that the process may take, is less than [`player_bytes`].
pub fn check_memory(options: &Options) -> Result<(), TextError> {
    check_available(options, available_bytes().unwrap_or(u64::MAX))
}

fn check_available(options: &Options, available: u64) -> Result<(), TextError> {
    let bytes = player_bytes(options);
    if bytes < SMALL_BYTES || bytes <= available && can_reserve(bytes) {
        return Ok(());
    }
    let largest = byte_options(options).max_by_key(|(_, bytes)| *bytes);
    let (name, _) = largest.unwrap_or_default();
    let expected = match available {
        available if bytes > available => {
            format!("at most the {} MB that are free", available >> 20)
        }
        _ => "less: the system refuses that much memory".to_owned(),
    };
    Err(TextError::whole(&format!("{name} of {}", options.name()), options.text(name), expected))
}

fn byte_options(options: &Options) -> impl Iterator<Item = (&'static str, u64)> {
    let specs = options.specs().iter().filter(|spec| matches!(spec.kind, OptionKind::Bytes));
    specs.map(|spec| (spec.name, options.bytes(spec.name)))
}

/// Whether the system grants so many bytes now; nothing is kept.
fn can_reserve(bytes: u64) -> bool {
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// Memory that is free for new allocations, where the system tells it (Linux).
pub fn available_bytes() -> Option<u64> {
    meminfo_bytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable")
}

/// Memory of the machine, where the system tells it (Linux).
pub fn total_bytes() -> Option<u64> {
    meminfo_bytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemTotal")
}

/// Value of a line such as `MemAvailable:   23456 kB`.
fn meminfo_bytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::OptionSpec;

    const SPECS: &[OptionSpec] = &[
        OptionSpec { name: "table", kind: OptionKind::Bytes, default: "64MB", about: "" },
        OptionSpec { name: "cache", kind: OptionKind::Bytes, default: "1MB", about: "" },
    ];

    fn options(text: &str) -> Options {
        Options::parse(text, SPECS).unwrap()
    }

    #[test]
    fn all_options_in_bytes_add_up() {
        assert_eq!(player_bytes(&options("p")), 65 << 20);
        assert_eq!(player_bytes(&options("p:table=2GB,cache=0")), 2 << 30);
    }

    #[test]
    fn memory_that_is_not_there_is_refused_by_name() {
        let refused =
            |text: &str| check_available(&options(text), 100 << 20).unwrap_err().to_string();
        let error = refused("p:table=1GB");
        assert!(error.contains("table of p") && error.contains("1GB"), "{error}");
        assert!(error.contains("the 100 MB that are free"), "{error}");
        assert!(refused("p:cache=90MB").contains("cache of p"), "the larger of two");
        assert!(check_available(&options("p:table=99MB,cache=1MB"), 100 << 20).is_ok());
        assert!(
            check_available(&options("p:table=1MB"), 0).is_ok(),
            "small players are not checked"
        );
        // More than any address space has.
        let error = check_available(&options("p:table=4000000000GB"), u64::MAX).unwrap_err();
        assert!(error.to_string().contains("the system refuses"), "{error}");
    }

    #[test]
    fn the_system_tells_its_memory() {
        let text = "MemTotal:       24574180 kB\nMemFree: 1 kB\nMemAvailable:   12 kB\n";
        assert_eq!(meminfo_bytes(text, "MemAvailable"), Some(12 << 10));
        assert_eq!(meminfo_bytes(text, "Mem"), None);
        if let (Some(free), Some(all)) = (available_bytes(), total_bytes()) {
            assert!(free <= all);
        }
    }
}
