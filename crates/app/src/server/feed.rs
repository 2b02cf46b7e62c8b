//! WebSocket that pushes a JSON document whenever it changes.

use super::client_socket::ClientSocket;
use serde::Serialize;
use std::time::Duration;
use tokio::sync::watch::Receiver;

/// Sends `message` at once and after changes, at most once per `min_interval`, until the client
/// disconnects.
pub async fn push_changes<T: Serialize>(
    mut socket: ClientSocket,
    mut changes: Receiver<u64>,
    min_interval: Duration,
    message: impl Fn() -> T,
) {
    loop {
        changes.mark_unchanged();
        let Ok(text) = serde_json::to_string(&message()) else { return };
        if socket.send(text).await.is_err() {
            return;
        }
        if !listen_while(&mut socket, tokio::time::sleep(min_interval)).await {
            return;
        }
        let changed = async {
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await; // no further changes
            }
        };
        if !listen_while(&mut socket, changed).await {
            return;
        }
    }
}

/// Waits for `event`, ignoring incoming messages; false if the client disconnects.
async fn listen_while(socket: &mut ClientSocket, event: impl Future<Output = ()>) -> bool {
    tokio::pin!(event);
    loop {
        tokio::select! {
            () = &mut event => return true,
            received = socket.receive() => if received.is_err() { return false },
        }
    }
}
