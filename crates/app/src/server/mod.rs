//! The app in the browser: pages from `web/`, JSON and WebSockets under `/api`.

mod analysis;
mod arena;
mod assets;
mod connections;
mod error;
mod explain;
mod feed;
mod games;
mod guard;
mod learn;
mod openapi;
mod place;
mod positions;
mod rate;
mod state;
mod tables;
mod thinking;
mod train;
mod view;
mod watched;

pub use guard::Guard;
pub use state::{App, Settings};

use axum::{Router, extract::DefaultBodyLimit, middleware};
use std::{future::Future, sync::Arc};
use tokio::net::TcpListener;
use tower_http::{CompressionLevel, compression::CompressionLayer};

/// Everything that is served, behind the guard.
fn router(app: Arc<App>) -> Router {
    Router::new()
        .merge(games::routes())
        .merge(tables::routes())
        .merge(positions::routes())
        .merge(explain::routes())
        .merge(analysis::routes())
        .merge(arena::routes())
        .merge(train::routes())
        .merge(learn::routes())
        .merge(openapi::routes())
        .fallback(assets::serve)
        .method_not_allowed_fallback(error::ApiError::wrong_method)
        .layer(DefaultBodyLimit::max(guard::BODY))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::check))
        .with_state(app)
}

/// Serves until `end` comes; everything is saved when it returns.
pub async fn serve(listener: TcpListener, app: Arc<App>, end: impl Future<Output = ()>) {
    assets::prepare();
    connections::serve(listener, router(Arc::clone(&app)), end).await;
    app.tables.close();
}
