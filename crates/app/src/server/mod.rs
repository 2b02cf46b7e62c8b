//! The app in the browser: pages from `web/`, JSON and WebSockets under `/api`.

mod assets;
mod error;
mod guard;
mod state;
mod thinking;

pub use state::{App, Settings};

use axum::{Router, extract::DefaultBodyLimit, middleware};
use std::{future::Future, sync::Arc};
use tokio::net::TcpListener;

/// Everything that is served, behind the guard.
fn router(app: Arc<App>) -> Router {
    Router::new()
        .fallback(assets::serve)
        .method_not_allowed_fallback(error::ApiError::wrong_method)
        .layer(DefaultBodyLimit::max(guard::BODY))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::check))
        .with_state(app)
}

/// Serves until `end` comes; everything is saved when it returns.
pub async fn serve(
    listener: TcpListener,
    app: Arc<App>,
    end: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    axum::serve(listener, router(app)).with_graceful_shutdown(end).await
}
