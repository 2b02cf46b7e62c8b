//! `ludus serve`: the app in the browser.

use super::Common;
use crate::{
    data_dir,
    error::bad_input,
    server::{self, App, Guard, Settings},
};
use std::{
    io::{self, ErrorKind, Write},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};
use tokio::net::{TcpListener, TcpSocket};

/// The port tried first if none is asked for.
const PORT: u16 = 8080;
/// How many ports after it are tried.
const PORTS: u16 = 100;
/// Connections that may wait to be accepted. Those beyond are tried again by their system only after
/// a second, and the usual 128 are fewer than the games that may begin at once.
const WAITING: u32 = 1024;

/// Play, analyse, explain, watch and train in the browser
///
/// Bare `ludus` does the same. Prints the address to open.
#[derive(clap::Args)]
pub struct Args {
    /// The port to listen on; 0 for any (default: 8080, or the next one that is free)
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// The address to listen on; others than this computer's own need --token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    /// What callers have to know
    #[arg(long, value_name = "TEXT")]
    token: Option<String>,
}

impl Default for Args {
    fn default() -> Args {
        Args { port: None, bind: IpAddr::V4(Ipv4Addr::LOCALHOST), token: None }
    }
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    if common.json {
        return Err(bad_input("--json goes with a command, expected one of those in ludus --help"));
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
        let app = Arc::new(App::new(Settings { data }, guard, store)?);
        server::serve(listener, app, end()).await;
        Ok(())
    });
    // Searches still under way have nobody left to tell.
    runtime.shutdown_background();
    served
}

fn greeting(address: SocketAddr, token: Option<&str>, guard: &Guard) -> String {
    if guard.is_closed() {
        return format!("Ludus refuses all requests at http://{address} (expected --token TEXT)");
    }
    let query = token.map(|token| format!("/?token={token}")).unwrap_or_default();
    format!("Ludus is at http://{address}{query} (Ctrl-C ends it)")
}

/// Waits until the user or the system wants the server to end.
async fn end() {
    // Without a way to hear of it the program ends all the same, at once.
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

/// The port asked for, or the first free one.
fn listen(args: &Args) -> anyhow::Result<TcpListener> {
    let ports = match args.port {
        Some(port) => port..=port,
        None => PORT..=PORT + PORTS,
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
    Err(bad_input(format!("all ports from {first} to {last} are taken: expected --port N")))
}

fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Elsewhere than on Windows this lets a server begin again at once where another ended.
    if !cfg!(windows) {
        socket.set_reuseaddr(true)?;
    }
    socket.bind(address)?;
    socket.listen(WAITING)
}
