//! `WS /api/tables/{id}/live`: pushes a live game as it changes, and the analysis of its player.

use super::live_game::Watcher;
use crate::server::{
    App,
    client_socket::{ClientSocket, SocketUpgrade},
    error::{ApiError, PathParams},
};
use axum::{extract::State, response::Response};
use serde_json::json;
use std::sync::Arc;
use tokio::sync::broadcast::error::RecvError;

/// WebSocket of a game: `{type: "table", table}` at once and after every change; `{type: "thinking",
/// analysis}` during a search, with the player's move, and at once if a player has moved.
#[utoipa::path(get, path = "/api/tables/{id}/live", tag = "tables",
    params(("id" = String, Path, description = "The game")),
    responses((status = 101, description = "A WebSocket"),
        (status = 429, description = "Too many WebSockets", body = crate::server::error::ErrorBody)))]
pub async fn live(
    State(app): State<Arc<App>>,
    PathParams(id): PathParams<String>,
    socket: SocketUpgrade,
) -> Result<Response, ApiError> {
    let live_game = app.live_games.find(&id).await?;
    // Watch before resuming, so that the search is not stopped at once.
    let watcher = live_game.watch();
    live_game.resume(&app).await;
    Ok(socket.on_upgrade(move |socket| show(socket, watcher)))
}

/// Pushes the game until the client disconnects.
async fn show(mut socket: ClientSocket, watcher: Watcher) {
    let live_game = watcher.live_game();
    let mut version_updates = live_game.subscribe();
    let mut analysis_messages = live_game.subscribe_analysis();
    for message in live_game.initial_messages() {
        if socket.send(message).await.is_err() {
            return;
        }
    }
    loop {
        let message = tokio::select! {
            // The analysis of a move is sent before the move.
            biased;
            analysis = analysis_messages.recv() => match analysis {
                Ok(message) => message.to_string(),
                Err(RecvError::Lagged(_)) => continue,
                Err(RecvError::Closed) => return,
            },
            changed = version_updates.changed() => match changed {
                Ok(()) => json!({ "type": "table", "table": live_game.view() }).to_string(),
                Err(_) => return,
            },
            received = socket.receive() => match received {
                Ok(_) => continue, // ignored
                Err(_) => return,
            },
        };
        if socket.send(message).await.is_err() {
            return;
        }
    }
}
