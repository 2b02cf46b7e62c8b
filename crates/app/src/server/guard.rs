//! Who may ask: the checks in front of every request.

use super::{error::ApiError, state::App};
use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use std::{panic::AssertUnwindSafe, sync::Arc};

/// The largest body.
pub const BODY: usize = 1 << 20;
/// The largest message of a WebSocket.
pub const MESSAGE: usize = 64 << 10;

/// Lets a request pass, or refuses it.
pub async fn check(State(_app): State<Arc<App>>, request: Request, next: Next) -> Response {
    match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => response,
        Err(_) => ApiError::unavailable("this request met a fault of the server").into_response(),
    }
}
