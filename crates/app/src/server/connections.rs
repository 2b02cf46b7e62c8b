//! Connections: limited in number, by address, and in the time to send a request.

use super::{
    client::Client,
    connection_table::{ConnectedPeer, ConnectionPermit, ConnectionTable},
    state::App,
};
use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{Request, body::Incoming, server::conn::http1, service::Service};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use std::{future::Future, net::SocketAddr, pin::pin, sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// Time for running responses to complete at shutdown.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// Delay after a failed accept.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Serves connections until `shutdown` completes, then finishes running requests.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    app: &App,
    shutdown: impl Future<Output = ()>,
) {
    let limits = &app.settings.limits;
    let table = ConnectionTable::new(limits.connections(), limits.connections_per_address());
    let (shutting_down, _) = watch::channel(false);
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            () = &mut shutdown => break,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, address)) = accepted else {
            tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            continue;
        };
        let peer = if app.guard.is_proxy(address.ip()) {
            ConnectedPeer::Proxy
        } else {
            ConnectedPeer::Client
        };
        // Without a permit the connection is closed at once.
        if let Some(permit) = table.admit(Client::new(address.ip()), peer) {
            let connection = ClientConnection {
                stream,
                address,
                permit: Arc::new(permit),
                header_timeout: limits.header_timeout(),
            };
            tokio::spawn(connection.serve(router.clone(), shutting_down.subscribe()));
        }
    }
    shutting_down.send_replace(true);
    // Slower requests and open WebSockets are cut off.
    let _ = tokio::time::timeout(SHUTDOWN_GRACE, table.drained()).await;
}

/// An accepted connection.
struct ClientConnection {
    stream: TcpStream,
    address: SocketAddr,
    permit: Arc<ConnectionPermit>,
    header_timeout: Duration,
}

impl ClientConnection {
    /// Serves requests until the client leaves or the connection has to give way. A WebSocket continues
    /// after the upgrade and keeps the permit.
    async fn serve(self, router: Router, mut shutting_down: watch::Receiver<bool>) {
        let ClientConnection { stream, address, permit, header_timeout } = self;
        let _ = stream.set_nodelay(true); // optional
        let router = TowerToHyperService::new(router);
        let held = Arc::clone(&permit);
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(address));
            request.extensions_mut().insert(Arc::clone(&held));
            held.serving();
            let (response, held) = (router.call(request), Arc::clone(&held));
            async move {
                let response = response.await;
                held.idle();
                response
            }
        });
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(header_timeout);
        let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
        let mut connection = pin!(connection);
        tokio::select! {
            // Closed by the client, or after a malformed request.
            _ = connection.as_mut() => return,
            () = permit.closed() => return,
            _ = shutting_down.wait_for(|shutting_down| *shutting_down) => {}
        }
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}
