//! `ludus serve`: the app in the browser.

mod access;

use super::Common;
use crate::{
    data_dir,
    error::bad_input,
    server::{self, App, Guard, ServerLimits, ServerSettings},
};
use access::AccessArgs;
use std::{
    io::{self, ErrorKind, Write},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};
use tokio::net::{TcpListener, TcpSocket};

/// Default port, tried first.
const DEFAULT_PORT: u16 = 8080;
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
    /// Address to listen on; other than loopback requires a token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    bind: IpAddr,
    #[command(flatten)]
    access: AccessArgs,
    #[command(flatten)]
    limits: ServerLimits,
}

impl Default for Args {
    fn default() -> Args {
        Args {
            port: None,
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            access: AccessArgs::default(),
            limits: ServerLimits::default(),
        }
    }
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    if common.json {
        return Err(bad_input("--json needs a command: expected one of those in ludus --help"));
    }
    let store = common.store()?;
    let data = data_dir::folder(common.data_dir.as_deref())?;
    let access = args.access.access(&data)?;
    let has_token = access.rules.login.is_some();
    let limits = args.limits.clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let listener = listen(args)?;
        let address = listener.local_addr()?;
        let guard = Guard::new(address, access.rules, limits.max_requests_per_second);
        let hint = match &access.new_token {
            Some(token) => TokenHint::New(token),
            None if has_token => TokenHint::Known,
            None => TokenHint::None,
        };
        writeln!(out, "{}", greeting(args, address, hint, &guard))?;
        out.flush()?;
        let app = Arc::new(App::new(ServerSettings { data, limits }, guard, store)?);
        server::serve(listener, app, shutdown_signal()).await;
        Ok(())
    });
    // Running searches are abandoned.
    runtime.shutdown_background();
    served
}

/// Part of the greeting about the token.
#[derive(Copy, Clone)]
enum TokenHint<'a> {
    None,
    /// The token itself is not shown: the output may be a log.
    Known,
    New(&'a str),
}

fn greeting(args: &Args, address: SocketAddr, token: TokenHint<'_>, guard: &Guard) -> String {
    if guard.is_closed() {
        return format!(
            "Ludus refuses all requests at http://{address} (expected --token-file FILE)"
        );
    }
    let (query, first) = match token {
        TokenHint::None => (String::new(), ""),
        TokenHint::Known => (String::new(), "first visit /?token=TOKEN; "),
        TokenHint::New(token) => (format!("/?token={token}"), ""),
    };
    let public = match &args.access.public_url {
        Some(url) => format!("for visitors of {url}; "),
        None => String::new(),
    };
    format!("Ludus is at http://{address}{query} ({public}{first}press Ctrl-C to stop)")
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
