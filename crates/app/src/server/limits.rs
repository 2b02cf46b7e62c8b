//! Limits on what callers may take, so that none takes the server away from all others.

use super::memory;
use clap::builder::RangedU64ValueParser;
use std::time::Duration;

/// Part of the open files of the process that are not connections: the store, tables, weights.
const OTHER_OPEN_FILES: u64 = 64;

/// Limits of the server, as options of `ludus serve`.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct ServerLimits {
    /// Connections at once, unless the system allows fewer open files; beyond, the address with the most
    /// loses one
    #[arg(long, value_name = "N", default_value_t = 900, value_parser = count())]
    max_connections: usize,
    /// Connections of one address, at most half of all; beyond, its own idle ones are closed
    #[arg(long, value_name = "N", default_value_t = 450, value_parser = count())]
    max_connections_per_address: usize,
    /// WebSockets of one address, at most a quarter of all connections; all addresses together have two
    /// thirds
    #[arg(long, value_name = "N", default_value_t = 225, value_parser = count())]
    max_sockets_per_address: usize,
    /// Analyses of one address, running and waiting
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = count())]
    pub max_analyses_per_address: usize,
    /// Running contests of one address; all together may be four
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = count())]
    pub max_contests_per_address: usize,
    /// Requests per second of one address, except GET; four times as many at once
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = count())]
    pub max_requests_per_second: usize,
    /// Time to send the head of a request
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count())]
    header_timeout_seconds: usize,
    /// Time between pings of a WebSocket; one that does not answer until the next is closed
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = count())]
    ping_interval_seconds: usize,
    /// Memory for the tables and trees of all players together, such as 2GB (default: half of the
    /// machine's)
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,
}

/// Least memory for players: less than this is no server.
const MIN_MEMORY_BYTES: u64 = 256 << 20;

fn parse_memory(text: &str) -> Result<u64, String> {
    let bytes = ludus_core::options::parse_bytes(text).filter(|&bytes| bytes >= MIN_MEMORY_BYTES);
    bytes.ok_or_else(|| "expected an amount of memory from 256MB on, such as 2GB".to_owned())
}

fn count() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=1_000_000)
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        #[derive(clap::Parser)]
        struct OnlyLimits {
            #[command(flatten)]
            limits: ServerLimits,
        }
        <OnlyLimits as clap::Parser>::parse_from([""]).limits
    }
}

impl ServerLimits {
    /// Memory for the tables and trees of all players together.
    pub fn memory_bytes(&self) -> u64 {
        self.memory.unwrap_or_else(memory::default_bytes)
    }

    /// Connections that this process may have: a descriptor that is missing elsewhere, for a file of the
    /// store, would be worse than a client that is turned away.
    pub fn connections(&self) -> usize {
        let files = max_open_files().unwrap_or(u64::MAX);
        let possible = files.saturating_sub(OTHER_OPEN_FILES).max(files / 2);
        self.max_connections.min(usize::try_from(possible).unwrap_or(usize::MAX))
    }

    pub fn header_timeout(&self) -> Duration {
        Duration::from_secs(self.header_timeout_seconds as u64)
    }

    pub fn ping_interval(&self) -> Duration {
        Duration::from_secs(self.ping_interval_seconds as u64)
    }

    pub fn connections_per_address(&self) -> usize {
        self.max_connections_per_address.min(self.connections() / 2).max(1)
    }

    /// WebSockets of all clients: the other connections are for requests.
    pub fn sockets(&self) -> usize {
        (self.connections() * 2 / 3).max(1)
    }

    pub fn sockets_per_address(&self) -> usize {
        self.max_sockets_per_address.min(self.connections() / 4).max(1)
    }
}

/// Maximum number of open files of this process, if there is one.
fn max_open_files() -> Option<u64> {
    #[cfg(unix)]
    return rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_leave_connections_for_requests() {
        let limits = ServerLimits::default();
        assert!(limits.sockets_per_address() < limits.sockets());
        assert!(limits.sockets() < limits.connections());
        assert!(limits.connections_per_address() < limits.connections());
    }
}
