//! Web server: pages from `web/`, JSON and WebSockets under `/api`.

mod allowed_players;
mod analysis;
mod arena;
mod assets;
mod background_job;
mod client;
mod client_socket;
mod connection_table;
mod connections;
mod error;
mod explain;
mod feed;
mod forwarded;
mod games;
mod guard;
mod guess_limiter;
mod learn;
mod limits;
mod live_games;
mod memory;
mod openapi;
mod positions;
mod public_url;
mod rate_limit;
mod schema;
mod search_pool;
mod search_queue;
mod search_root;
mod state;
mod token;
mod train;
#[cfg(test)]
mod typescript;
mod view;

pub use guard::{AccessRules, Guard, Login};
pub use limits::ServerLimits;
pub use public_url::PublicUrl;
pub use state::{App, ServerSettings};
pub use token::{SessionKey, Token};

use axum::{Router, extract::DefaultBodyLimit, middleware};
use std::{future::Future, sync::Arc};
use tokio::net::TcpListener;
use tower_http::{CompressionLevel, compression::CompressionLayer};

/// All routes, behind the guard.
fn router(app: Arc<App>) -> Router {
    Router::new()
        .merge(games::routes())
        .merge(live_games::routes())
        .merge(positions::routes())
        .merge(explain::routes())
        .merge(analysis::routes())
        .merge(arena::routes())
        .merge(train::routes())
        .merge(learn::routes())
        .merge(openapi::routes())
        .fallback(assets::serve)
        .method_not_allowed_fallback(error::ApiError::wrong_method)
        .layer(DefaultBodyLimit::max(guard::MAX_BODY_BYTES))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(middleware::from_fn_with_state(Arc::clone(&app), guard::check))
        .with_state(app)
}

/// Serves until `shutdown` completes; everything is saved when it returns.
pub async fn serve(listener: TcpListener, app: Arc<App>, shutdown: impl Future<Output = ()>) {
    assets::prepare();
    connections::serve(listener, router(Arc::clone(&app)), &app, shutdown).await;
    app.live_games.close().await;
}
