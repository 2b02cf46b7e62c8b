//! Connections: limited in number and in idle time.

use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{Request, body::Incoming, server::conn::http1, service::Service};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use std::{future::Future, net::SocketAddr, pin::pin, sync::Arc, time::Duration};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
};

/// Maximum number of connections; more wait to be accepted. Most systems allow 1,024 open files.
const MAX_CONNECTIONS: u32 = 900;
/// Time a client has to send the head of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(20);
/// Time for running responses to complete at shutdown.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// Delay after a failed accept.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Serves connections until `shutdown` completes, then finishes running requests.
pub async fn serve(listener: TcpListener, router: Router, shutdown: impl Future<Output = ()>) {
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS as usize));
    let (shutting_down, _) = watch::channel(false);
    let mut shutdown = pin!(shutdown);
    loop {
        let accepted = tokio::select! {
            () = &mut shutdown => break,
            accepted = accept(&listener, &permits) => accepted,
        };
        match accepted {
            Some((stream, peer, permit)) => {
                tokio::spawn(serve_connection(
                    stream,
                    peer,
                    router.clone(),
                    shutting_down.subscribe(),
                    permit,
                ));
            }
            None => tokio::time::sleep(ACCEPT_RETRY_DELAY).await,
        }
    }
    shutting_down.send_replace(true);
    // Slower requests and open WebSockets are cut off.
    let _ = tokio::time::timeout(SHUTDOWN_GRACE, permits.acquire_many(MAX_CONNECTIONS)).await;
}

/// Accepts a connection once there is a permit; `None` if it failed.
async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let permit = Arc::clone(permits).acquire_owned().await.ok()?;
    let (stream, peer) = listener.accept().await.ok()?;
    let _ = stream.set_nodelay(true); // optional
    Some((stream, peer, permit))
}

/// Serves one connection. A WebSocket continues after the upgrade, without a permit.
async fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    mut shutting_down: watch::Receiver<bool>,
    _permit: OwnedSemaphorePermit,
) {
    let service = TowerToHyperService::new(router);
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        service.call(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = pin!(connection);
    tokio::select! {
        // Closed by the client, or after a malformed request.
        _ = connection.as_mut() => return,
        _ = shutting_down.wait_for(|shutting_down| *shutting_down) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}
