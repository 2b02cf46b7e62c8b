//! `WS /api/tables/{id}/live`: the table as it changes, and what its player thinks.

use super::table::Watcher;
use crate::server::{
    App,
    error::{ApiError, Path},
    guard,
};
use axum::{
    extract::{
        State, WebSocketUpgrade,
        ws::{Message, WebSocket},
    },
    response::Response,
};
use serde_json::json;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;

/// A WebSocket: `{type: "table", table}` at once and after every change, `{type: "thinking",
/// analysis}` while the player thinks, with its move, and at once if a player has moved.
#[utoipa::path(get, path = "/api/tables/{id}/live", tag = "tables",
    params(("id" = String, Path, description = "The table")),
    responses((status = 101, description = "A WebSocket")))]
pub async fn live(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    socket: WebSocketUpgrade,
) -> Result<Response, ApiError> {
    let table = app.tables.find(&id).await?;
    // It is watched from here on, so that nobody pauses what is woken.
    let watcher = table.watched();
    table.wake(&app);
    let socket = socket.max_message_size(guard::MESSAGE).max_frame_size(guard::MESSAGE);
    Ok(socket.on_upgrade(move |socket| show(socket, watcher)))
}

/// Shows the table until the page goes away.
async fn show(mut socket: WebSocket, watcher: Watcher) {
    let table = watcher.table();
    let mut news = table.subscribe();
    let mut thoughts = table.listen();
    for message in table.greetings() {
        if socket.send(Message::text(message)).await.is_err() {
            return;
        }
    }
    loop {
        let message = tokio::select! {
            // What a player thought of its move comes before the move.
            biased;
            thought = thoughts.recv() => match thought {
                Ok(message) => message.to_string(),
                Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => return,
            },
            changed = news.changed() => match changed {
                Ok(()) => json!({ "type": "table", "table": table.view() }).to_string(),
                Err(_) => return,
            },
            heard = socket.recv() => match heard {
                // Pages have nothing to say here; that they are there is enough.
                Some(Ok(_)) => continue,
                Some(Err(_)) | None => return,
            },
        };
        if socket.send(Message::text(message)).await.is_err() {
            return;
        }
    }
}
