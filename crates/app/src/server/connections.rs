//! Connections: so many at once, none of them silent for long.

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

/// Connections at once; more wait to be accepted. Few systems allow a program fewer open files.
const MOST: u32 = 900;
/// How long a connection may take to say what it wants, the first time and after every answer.
const SILENCE: Duration = Duration::from_secs(20);
/// How long answers may take to end when the server does.
const FAREWELL: Duration = Duration::from_secs(2);
/// The pause after a connection that could not be accepted.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves connections until `end` comes, and answers what was asked before it.
pub async fn serve(listener: TcpListener, router: Router, end: impl Future<Output = ()>) {
    let places = Arc::new(Semaphore::new(MOST as usize));
    let (ending, _) = watch::channel(false);
    let mut end = pin!(end);
    loop {
        let accepted = tokio::select! {
            () = &mut end => break,
            accepted = accept(&listener, &places) => accepted,
        };
        match accepted {
            Some((stream, peer, place)) => {
                tokio::spawn(converse(stream, peer, router.clone(), ending.subscribe(), place));
            }
            None => tokio::time::sleep(PAUSE).await,
        }
    }
    ending.send_replace(true);
    // Those who take longer, or hold on to a WebSocket, are cut off.
    let _ = tokio::time::timeout(FAREWELL, places.acquire_many(MOST)).await;
}

/// The next connection, once there is place for it; `None` if it was lost on the way.
async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> Option<(TcpStream, SocketAddr, OwnedSemaphorePermit)> {
    let place = Arc::clone(places).acquire_owned().await.ok()?;
    let (stream, peer) = listener.accept().await.ok()?;
    let _ = stream.set_nodelay(true); // only a wish
    Some((stream, peer, place))
}

/// Answers one connection. A WebSocket goes on by itself, with a place of nobody.
async fn converse(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    mut ending: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
) {
    let service = TowerToHyperService::new(router);
    let service = hyper::service::service_fn(move |request: Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        service.call(request)
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(SILENCE);
    let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = pin!(connection);
    tokio::select! {
        // Who hangs up or talks nonsense has had the answer to it.
        _ = connection.as_mut() => return,
        _ = ending.wait_for(|ending| *ending) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}
