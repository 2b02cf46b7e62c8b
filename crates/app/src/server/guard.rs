//! Access checks for every request: host, origin, token and rate.
//!
//! Any website can send requests to this computer, and a foreign host name can be made to resolve to it
//! (DNS rebinding). So the `Host` must be one of ours, and so must the `Origin`, which browsers send
//! with cross-origin requests and with every WebSocket.

use super::{error::ApiError, rate_limit::RateLimiter, state::App};
use axum::{
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header, uri::Authority},
    middleware::Next,
    response::{IntoResponse, Response},
};
use futures_util::FutureExt;
use std::{
    net::{IpAddr, SocketAddr},
    panic::AssertUnwindSafe,
    sync::Arc,
    time::Instant,
};

/// Maximum size of a request body.
pub const MAX_BODY_BYTES: usize = 1 << 20;
/// Maximum size of a WebSocket message.
pub const MAX_MESSAGE_BYTES: usize = 64 << 10;
/// Cookie that holds the token.
const COOKIE: &str = "ludus_token";

/// Access rules of the server.
pub struct Guard {
    address: SocketAddr,
    token: Option<String>,
    rate_limiter: RateLimiter,
}

impl Guard {
    pub fn new(address: SocketAddr, token: Option<String>) -> Guard {
        Guard { address, token, rate_limiter: RateLimiter::default() }
    }

    /// Whether every request is refused: the server is reachable from other computers without a token.
    pub fn is_closed(&self) -> bool {
        self.token.is_none() && !self.address.ip().is_loopback()
    }

    fn check(&self, request: &Request) -> Result<(), ApiError> {
        if self.is_closed() {
            return Err(ApiError::forbidden(format!(
                "Ludus listens on {} without a token and refuses all requests: start it with \
                 --token TEXT, or without --bind",
                self.address
            )));
        }
        let headers = request.headers();
        let host = host(request.uri(), headers)?;
        self.check_host(&host)?;
        check_origin(&host, headers)?;
        self.check_token(request.uri(), headers)?;
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(self.address.ip(), |ConnectInfo(peer)| peer.ip());
        if request.method() == Method::GET || self.rate_limiter.allow(peer, Instant::now()) {
            return Ok(());
        }
        Err(ApiError::too_many("too many requests: expected fewer than 500 per second"))
    }

    /// Checks that the name is this computer's and the port is ours. With a token any name is accepted:
    /// a foreign page does not know the token, and other computers may use other names for this one.
    fn check_host(&self, host: &Authority) -> Result<(), ApiError> {
        let name = host.host().trim_start_matches('[').trim_end_matches(']');
        let address: Option<IpAddr> = name.parse().ok();
        let ours = name.eq_ignore_ascii_case("localhost")
            || address.is_some_and(|address| address.is_loopback() || address == self.address.ip());
        let port = host.port_u16().unwrap_or(80) == self.address.port();
        if port && (ours || self.token.is_some()) {
            return Ok(());
        }
        Err(ApiError {
            status: StatusCode::MISDIRECTED_REQUEST,
            message: format!("host {host}: expected {}", self.address),
        })
    }

    fn check_token(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
        let Some(token) = &self.token else { return Ok(()) };
        if request_tokens(uri, headers)
            .any(|given| constant_time_eq(given.as_bytes(), token.as_bytes()))
        {
            return Ok(());
        }
        let message = "token required: expected Authorization: Bearer TOKEN, or ?token=TOKEN";
        Err(ApiError::forbidden(message))
    }

    /// Stores a token from the URL in a cookie, for the requests of the page.
    fn remember_token(&self, uri: &Uri, response: &mut Response) {
        let Some(token) = self.token.as_ref().filter(|_| query_token(uri).is_some()) else {
            return;
        };
        let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
        if let Ok(value) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, value);
        }
    }
}

/// Checks a request and passes it on. A panic while serving it fails the request, not the server.
pub async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let uri = request.uri().clone();
    let mut response = match app.guard.check(&request) {
        Err(error) => error.into_response(),
        Ok(()) => {
            let mut response = match AssertUnwindSafe(next.run(request)).catch_unwind().await {
                Ok(response) => response,
                Err(_) => ApiError::unavailable("internal server error").into_response(),
            };
            app.guard.remember_token(&uri, &mut response);
            response
        }
    };
    for (name, value) in SECURITY_HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Security headers of every response. Only our own scripts run; inline styles are allowed because
/// scripts set them.
const SECURITY_HEADERS: [(HeaderName, &str); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
         object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
];

/// Host the request is addressed to.
fn host(uri: &Uri, headers: &HeaderMap) -> Result<Authority, ApiError> {
    let mut named = headers.get_all(header::HOST).iter();
    let text = named.next().and_then(|value| value.to_str().ok());
    let read = match (text, named.next(), uri.authority()) {
        (Some(text), None, None) => text.parse().ok(),
        (Some(text), None, Some(authority)) if text == authority.as_str() => text.parse().ok(),
        _ => None,
    };
    let plain = read.filter(|host: &Authority| !host.as_str().contains('@'));
    plain.ok_or_else(|| {
        ApiError::bad("missing or malformed Host: expected the address of this server")
    })
}

fn check_origin(host: &Authority, headers: &HeaderMap) -> Result<(), ApiError> {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else { return Ok(()) };
    let text = origin.to_str().unwrap_or_default();
    let same = text.strip_prefix("http://").is_some_and(|origin| {
        let full =
            |host: &str| if host.ends_with(":80") { host.to_owned() } else { format!("{host}:80") };
        origin.eq_ignore_ascii_case(host.as_str())
            || (host.port_u16().unwrap_or(80) == 80
                && full(origin).eq_ignore_ascii_case(&full(host.as_str())))
    });
    if same && origins.next().is_none() {
        return Ok(());
    }
    Err(ApiError::forbidden(format!("origin {text:?}: expected none, or http://{host}")))
}

/// Tokens given in a request: header, cookie and query.
fn request_tokens<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> impl Iterator<Item = String> + 'a {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    let bearer = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let cookies = text(header::COOKIE).unwrap_or_default().split(';');
    let cookies =
        cookies.filter_map(|cookie| cookie.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    bearer.into_iter().chain(cookies).map(str::to_owned).chain(query_token(uri))
}

fn query_token(uri: &Uri) -> Option<String> {
    #[derive(serde::Deserialize)]
    struct Token {
        token: String,
    }
    let query = axum::extract::Query::<Token>::try_from_uri(uri);
    query.ok().map(|axum::extract::Query(Token { token })| token)
}

/// Compares in constant time, so that timing does not reveal where two tokens differ.
fn constant_time_eq(one: &[u8], other: &[u8]) -> bool {
    let differences = one.iter().zip(other).fold(0, |found, (one, other)| found | (one ^ other));
    one.len() == other.len() && differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    fn asked(guard: &Guard, uri: &str, headers: &[(&str, &str)]) -> u16 {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        guard.check(&request).map_or_else(|error| error.status.as_u16(), |()| 200)
    }

    fn guard(address: &str, token: Option<&str>) -> Guard {
        Guard::new(address.parse().unwrap(), token.map(str::to_owned))
    }

    #[test]
    fn only_names_of_this_computer_are_served() {
        let guard = guard("127.0.0.1:8080", None);
        for good in ["127.0.0.1:8080", "localhost:8080", "LOCALHOST:8080", "[::1]:8080"] {
            assert_eq!(asked(&guard, "/", &[("host", good)]), 200, "{good}");
        }
        for foreign in ["evil.example:8080", "127.0.0.1", "127.0.0.1:81", "localhost.evil:8080"] {
            assert_eq!(asked(&guard, "/", &[("host", foreign)]), 421, "{foreign}");
        }
        for wrong in ["", "a b", "user@127.0.0.1:8080"] {
            assert_eq!(asked(&guard, "/", &[("host", wrong)]), 400, "{wrong}");
        }
        assert_eq!(asked(&guard, "/", &[]), 400);
        let both = [("host", "127.0.0.1:8080"), ("host", "evil.example")];
        assert_eq!(asked(&guard, "/", &both), 400);
    }

    #[test]
    fn pages_of_strangers_are_refused() {
        let guard = guard("127.0.0.1:8080", None);
        let from = |origin| asked(&guard, "/", &[("host", "127.0.0.1:8080"), ("origin", origin)]);
        assert_eq!(from("http://127.0.0.1:8080"), 200);
        for origin in
            ["http://evil.example", "null", "https://127.0.0.1:8080", "http://localhost:8080"]
        {
            assert_eq!(from(origin), 403, "{origin}");
        }
    }

    #[test]
    fn other_computers_need_a_token() {
        let open = guard("0.0.0.0:8080", None);
        assert_eq!(asked(&open, "/", &[("host", "127.0.0.1:8080")]), 403);
        let guard = guard("0.0.0.0:8080", Some("secret"));
        let host = ("host", "board.example:8080");
        assert_eq!(asked(&guard, "/", &[host]), 403);
        assert_eq!(asked(&guard, "/?token=wrong", &[host]), 403);
        assert_eq!(asked(&guard, "/?token=secret", &[host]), 200);
        assert_eq!(asked(&guard, "/", &[host, ("authorization", "Bearer secret")]), 200);
        assert_eq!(asked(&guard, "/", &[host, ("cookie", "a=b; ludus_token=secret")]), 200);
        assert_eq!(asked(&guard, "/", &[host, ("cookie", "ludus_token=secre")]), 403);
    }
}
