//! A WebSocket that shows something whenever it has changed.

use axum::extract::ws::{Message, WebSocket};
use serde::Serialize;
use std::time::Duration;
use tokio::sync::watch::Receiver;

/// Sends `message` at once and after changes, with at least `pause` in between, until the page goes
/// away.
pub async fn follow<T: Serialize>(
    mut socket: WebSocket,
    mut changes: Receiver<u64>,
    pause: Duration,
    message: impl Fn() -> T,
) {
    loop {
        changes.mark_unchanged();
        let Ok(text) = serde_json::to_string(&message()) else { return };
        if socket.send(Message::Text(text.into())).await.is_err() {
            return;
        }
        if !listen_while(&mut socket, tokio::time::sleep(pause)).await {
            return;
        }
        let changed = async {
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await; // nothing will change any more
            }
        };
        if !listen_while(&mut socket, changed).await {
            return;
        }
    }
}

/// Waits for `event`, passing over what the page says; `false` if it goes away.
async fn listen_while(socket: &mut WebSocket, event: impl Future<Output = ()>) -> bool {
    tokio::pin!(event);
    loop {
        tokio::select! {
            () = &mut event => return true,
            message = socket.recv() => match message {
                Some(Ok(Message::Close(_)) | Err(_)) | None => return false,
                Some(Ok(_)) => {}
            },
        }
    }
}
