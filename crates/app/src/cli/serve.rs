//! `ludus serve`: the app in the browser.

use super::Common;
use crate::{
    data_dir,
    error::bad_input,
    server::{self, App, Guard, ServerSettings},
};
use std::{
    io::{self, ErrorKind, Write},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};
use tokio::net::{TcpListener, TcpSocket};

/// Default port, tried first.
const DEFAULT_PORT: u16 = 8080;
/// Least memory for players: less than this is no server.
const MIN_MEMORY_BYTES: u64 = 256 << 20;
/// Number of further ports to try.
const MAX_PORTS_TRIED: u16 = 100;
/// Backlog of connections to accept. Clients retry refused ones only after a second, and the usual 128
/// are fewer than the games that may start at the same time.
const ACCEPT_BACKLOG: u32 = 1024;

/// Play, analyse, explain, watch and train in the browser
///
/// Same as `ludus` without a command. Prints the address to open.
#[derive(clap::Args)]
pub struct Args {
    /// Port to listen on; 0 for any (default: 8080, or the next free one)
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Address to listen on; other than loopback requires --token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// Secret token required from clients
    #[arg(long, value_name = "TEXT")]
    token: Option<String>,
    /// Memory for the tables and trees of all players together, such as 2GB (default: half of the
    /// machine's)
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<u64>,
}

/// Parses an amount of memory that is enough for an ordinary player.
fn parse_memory(text: &str) -> Result<u64, String> {
    let bytes = ludus_core::options::parse_bytes(text).filter(|&bytes| bytes >= MIN_MEMORY_BYTES);
    bytes.ok_or_else(|| "expected an amount of memory from 256MB on, such as 2GB".to_owned())
}

impl Default for Args {
    fn default() -> Args {
        let bind = IpAddr::V4(Ipv4Addr::LOCALHOST);
        Args { port: None, bind, token: None, memory: None }
    }
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    if common.json {
        return Err(bad_input("--json needs a command: expected one of those in ludus --help"));
    }
    let store = common.store()?;
    let data = data_dir::folder(common.data_dir.as_deref())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = listen(args)?;
        let address = listener.local_addr()?;
        let guard = Guard::new(address, args.token.clone());
        writeln!(out, "{}", greeting(address, args.token.as_deref(), &guard))?;
        out.flush()?;
        let memory = args.memory.unwrap_or_else(server::default_memory_bytes);
        let app = Arc::new(App::new(ServerSettings { data, memory }, guard, store)?);
        server::serve(listener, app, shutdown_signal()).await;
        Ok(())
    });
    // Running searches are abandoned.
    runtime.shutdown_background();
    served
}

fn greeting(address: SocketAddr, token: Option<&str>, guard: &Guard) -> String {
    if guard.is_closed() {
        return format!("Ludus refuses all requests at http://{address} (expected --token TEXT)");
    }
    let query = token.map(|token| format!("/?token={token}")).unwrap_or_default();
    format!("Ludus is at http://{address}{query} (press Ctrl-C to stop)")
}

/// Waits for Ctrl-C or SIGTERM.
async fn shutdown_signal() {
    // Without a handler the signal ends the program at once.
    #[cfg(unix)]
    if let Ok(mut terminated) =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
    {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminated.recv() => {}
        }
        return;
    }
    let _ = tokio::signal::ctrl_c().await;
}

/// Listens on the requested port, or on the first free one.
fn listen(args: &Args) -> anyhow::Result<TcpListener> {
    let ports = match args.port {
        Some(port) => port..=port,
        None => DEFAULT_PORT..=DEFAULT_PORT + MAX_PORTS_TRIED,
    };
    for port in ports.clone() {
        let address = SocketAddr::new(args.bind, port);
        match bind(address) {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == ErrorKind::AddrInUse && args.port.is_none() => {}
            Err(error) => return Err(bad_input(format!("cannot listen on {address}: {error}"))),
        }
    }
    let (first, last) = (ports.start(), ports.end());
    Err(bad_input(format!("all ports from {first} to {last} are in use: expected --port N")))
}

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Except on Windows, this allows a restart on the same port at once.
    if !cfg!(windows) {
        socket.set_reuseaddr(true)?;
    }
    socket.bind(address)?;
    socket.listen(ACCEPT_BACKLOG)
}
