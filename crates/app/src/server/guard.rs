//! Access checks for every request: host, origin, token and rate.
//!
//! Any website can send requests to this computer, and a foreign host name can be made to resolve to it
//! (DNS rebinding). So the `Host` must be one of ours, and so must the `Origin`, which browsers send
//! with cross-origin requests and with every WebSocket.

use super::{
    client::Client,
    error::ApiError,
    forwarded::{TrustedProxies, is_forwarded},
    guess_limiter::GuessLimiter,
    public_url::{PublicUrl, Scheme, is_plain, same_authority},
    rate_limit::RateLimiter,
    state::App,
    token::{Session, SessionKey, Token},
};
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
    time::{Duration, Instant},
};

/// Maximum size of a request body.
pub const MAX_BODY_BYTES: usize = 1 << 20;
/// Cookie of browsers that have shown the token.
const COOKIE: &str = "ludus_session";
/// Time after which a browser forgets it.
const COOKIE_AGE: Duration = Duration::from_secs(365 * 24 * 3600);
/// Parameter of a URL with the token, on the first visit.
const QUERY_TOKEN: &str = "token=";

/// Access rules, as given on the command line.
#[derive(Default)]
pub struct AccessRules {
    pub login: Option<Login>,
    /// Name and scheme by which people reach the server through a proxy.
    pub public_url: Option<PublicUrl>,
    /// Further proxies than those of this computer, which are trusted if there is a public URL.
    pub trusted_proxies: Vec<IpAddr>,
}

/// The token, and the session cookie that stands for it.
pub struct Login {
    token: Token,
    session: Session,
}

impl Login {
    pub fn new(token: Token, key: &SessionKey) -> Login {
        Login { session: token.session(key), token }
    }
}

/// Access control of the server.
pub struct Guard {
    address: SocketAddr,
    login: Option<Login>,
    public_url: Option<PublicUrl>,
    proxies: TrustedProxies,
    rate_limiter: RateLimiter,
    guess_limiter: GuessLimiter,
}

/// Answer to a request that is not refused.
#[derive(Debug, PartialEq, Eq)]
enum Admission {
    Serve,
    /// Visit the same page without the token in its URL, which would stay in histories and logs.
    Redirect {
        location: String,
        cookie: Option<String>,
    },
}

impl Guard {
    pub fn new(address: SocketAddr, rules: AccessRules, max_requests_per_second: usize) -> Guard {
        let loopback = rules.public_url.is_some();
        Guard {
            address,
            login: rules.login,
            public_url: rules.public_url,
            proxies: TrustedProxies { addresses: rules.trusted_proxies, loopback },
            rate_limiter: RateLimiter::new(max_requests_per_second),
            guess_limiter: GuessLimiter::default(),
        }
    }

    /// Whether every request is refused: the server is reachable from other computers without a token.
    pub fn is_closed(&self) -> bool {
        self.login.is_none() && !self.address.ip().is_loopback()
    }

    /// Whether connections from this address are those of many clients.
    pub fn is_proxy(&self, peer: IpAddr) -> bool {
        self.proxies.includes(peer)
    }

    /// The client that has sent a request.
    fn client(&self, request: &Request) -> Client {
        let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
        let peer = peer.map_or(self.address.ip(), |ConnectInfo(peer)| peer.ip());
        Client::new(self.proxies.client(peer, request.headers()))
    }

    fn check(
        &self,
        request: &Request,
        client: Client,
        now: Instant,
    ) -> Result<Admission, ApiError> {
        if self.is_closed() {
            return Err(ApiError::forbidden(format!(
                "Ludus listens on {} without a token and refuses all requests: start it with \
                 --token-file FILE, or without --bind",
                self.address
            )));
        }
        let headers = request.headers();
        let host = host(request.uri(), headers)?;
        let scheme = self.check_host(&host, headers)?;
        check_origin(&host, scheme, headers)?;
        let admission = self.check_token(request, client, scheme, now)?;
        if request.method() == Method::GET || self.rate_limiter.allow(client, now) {
            return Ok(admission);
        }
        Err(ApiError::too_many("too many requests: try again in a second"))
    }

    /// Checks that the name is this computer's and the port is ours, or that it is the public name; returns
    /// the scheme that belongs to it. With a token and without a public name any name is accepted: a foreign
    /// page does not know the token, and other computers may use other names for this one.
    fn check_host(&self, host: &Authority, headers: &HeaderMap) -> Result<Scheme, ApiError> {
        if let Some(url) = &self.public_url
            && url.is_host(host)
        {
            return Ok(url.scheme());
        }
        let name = host.host().trim_start_matches('[').trim_end_matches(']');
        let address: Option<IpAddr> = name.parse().ok();
        let ours = name.eq_ignore_ascii_case("localhost")
            || address.is_some_and(|address| address.is_loopback() || address == self.address.ip());
        let port = host.port_u16().unwrap_or(80) == self.address.port();
        let accepted = match self.public_url {
            // Whoever comes through the proxy comes by the public name.
            Some(_) => ours && !is_forwarded(headers),
            None => ours || self.login.is_some(),
        };
        if port && accepted {
            return Ok(Scheme::Http);
        }
        let expected = match &self.public_url {
            Some(url) => url.to_string(),
            None => self.address.to_string(),
        };
        Err(ApiError {
            status: StatusCode::MISDIRECTED_REQUEST,
            message: format!("host {host}: expected {expected}"),
        })
    }

    /// Checks session and token. Only tokens are attempts to guess: a session cannot be guessed, so those
    /// who have one are let in whatever happens from their address.
    fn check_token(
        &self,
        request: &Request,
        client: Client,
        scheme: Scheme,
        now: Instant,
    ) -> Result<Admission, ApiError> {
        let Some(login) = &self.login else { return Ok(Admission::Serve) };
        let (uri, headers) = (request.uri(), request.headers());
        // The URL of a change would be sent again and again, and logged by proxies.
        let visits = matches!(*request.method(), Method::GET | Method::HEAD);
        let in_url = query_token(uri).filter(|_| visits);
        let admission = |cookie| match in_url {
            Some(_) => Admission::Redirect { location: without_token(uri), cookie },
            None => Admission::Serve,
        };
        if session_cookies(headers).any(|given| login.session.is(given)) {
            return Ok(admission(None));
        }
        let Some(given) = bearer_token(headers).or(in_url) else {
            return Err(ApiError::forbidden(
                "token required: expected Authorization: Bearer TOKEN, or a visit to /?token=TOKEN first",
            ));
        };
        match self.guess_limiter.attempt(client, now, || login.token.is(given)) {
            Ok(true) => Ok(admission(Some(cookie(&login.session, scheme)))),
            Ok(false) => Err(ApiError::forbidden("wrong token")),
            Err(delay) => Err(ApiError::too_many(format!(
                "too many wrong tokens: try again in {} seconds",
                delay.as_secs() + 1
            ))),
        }
    }
}

/// Checks a request and passes it on. A panic while serving it fails the request, not the server.
pub async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let client = app.guard.client(&request);
    let mut response = match app.guard.check(&request, client, Instant::now()) {
        Err(error) => error.into_response(),
        Ok(Admission::Redirect { location, cookie }) => redirect(location, cookie),
        Ok(Admission::Serve) => {
            let served = client.scope(next.run(request));
            match AssertUnwindSafe(served).catch_unwind().await {
                Ok(response) => response,
                Err(_) => ApiError::unavailable("internal server error").into_response(),
            }
        }
    };
    for (name, value) in SECURITY_HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

fn redirect(location: String, cookie: Option<String>) -> Response {
    let headers = [(header::LOCATION, location), (header::CACHE_CONTROL, "no-store".to_owned())];
    let mut response = (StatusCode::SEE_OTHER, headers).into_response();
    if let Some(value) = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    response
}

/// Cookie that scripts cannot read, and that browsers send with requests of our own pages only.
fn cookie(session: &Session, scheme: Scheme) -> String {
    let secure = match scheme {
        Scheme::Http => "",
        Scheme::Https => "; Secure",
    };
    let age = COOKIE_AGE.as_secs();
    format!("{COOKIE}={}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}", session.text())
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
    let plain = read.filter(is_plain);
    plain.ok_or_else(|| {
        ApiError::bad("missing or malformed Host: expected the address of this server")
    })
}

fn check_origin(host: &Authority, scheme: Scheme, headers: &HeaderMap) -> Result<(), ApiError> {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let Some(origin) = origins.next() else { return Ok(()) };
    let text = origin.to_str().unwrap_or_default();
    let origin = text.strip_prefix(scheme.name()).and_then(|rest| rest.strip_prefix("://"));
    let origin = origin.and_then(|origin| origin.parse().ok()).filter(is_plain);
    let same = origin.is_some_and(|origin| same_authority(&origin, host, scheme));
    if same && origins.next().is_none() {
        return Ok(());
    }
    let scheme = scheme.name();
    Err(ApiError::forbidden(format!("origin {text:?}: expected none, or {scheme}://{host}")))
}

fn header_text(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn bearer_token(headers: &HeaderMap) -> Option<&str> {
    header_text(headers, header::AUTHORIZATION)?.strip_prefix("Bearer ")
}

fn session_cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let cookies = header_text(headers, header::COOKIE).unwrap_or_default().split(';');
    cookies.filter_map(|cookie| cookie.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Token in a URL. No token needs an encoding there.
fn query_token(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix(QUERY_TOKEN))
}

/// Path and query of a URL without the token; always on this server (`//host` would be another one).
fn without_token(uri: &Uri) -> String {
    let path = uri.path().trim_start_matches(['/', '\\']);
    let pairs = uri.query().unwrap_or_default().split('&');
    let rest: Vec<&str> = pairs.filter(|pair| !pair.starts_with(QUERY_TOKEN)).collect();
    if rest.is_empty() { format!("/{path}") } else { format!("/{path}?{}", rest.join("&")) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::body::Body;

    const TOKEN: &str = "sixteen-letters.";

    fn ask(guard: &Guard, uri: &str, headers: &[(&str, &str)]) -> Result<Admission, ApiError> {
        let mut request = Request::builder().uri(uri);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::empty()).unwrap();
        guard.check(&request, guard.client(&request), Instant::now())
    }

    fn asked(guard: &Guard, uri: &str, headers: &[(&str, &str)]) -> u16 {
        match ask(guard, uri, headers) {
            Err(error) => error.status.as_u16(),
            Ok(Admission::Redirect { .. }) => 303,
            Ok(Admission::Serve) => 200,
        }
    }

    fn guard(address: &str, token: Option<&str>, public_url: Option<&str>) -> Guard {
        let folder = tempfile::tempdir().unwrap();
        let login = token.map(|token| {
            Login::new(
                Token::new(token).unwrap(),
                &SessionKey::load_or_create(folder.path()).unwrap(),
            )
        });
        let public_url = public_url.map(|url| url.parse().unwrap());
        let rules = AccessRules { login, public_url, trusted_proxies: Vec::new() };
        Guard::new(address.parse().unwrap(), rules, 500)
    }

    #[test]
    fn only_names_of_this_computer_are_served() {
        let guard = guard("127.0.0.1:8080", None, None);
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
        let guard = guard("127.0.0.1:8080", None, None);
        let from = |origin| asked(&guard, "/", &[("host", "127.0.0.1:8080"), ("origin", origin)]);
        assert_eq!(from("http://127.0.0.1:8080"), 200);
        for origin in [
            "http://evil.example",
            "null",
            "https://127.0.0.1:8080",
            "http://localhost:8080",
            "http://me@127.0.0.1:8080",
            "http://127.0.0.1:8080/",
        ] {
            assert_eq!(from(origin), 403, "{origin}");
        }
    }

    #[test]
    fn other_computers_need_a_token() {
        let open = guard("0.0.0.0:8080", None, None);
        assert_eq!(asked(&open, "/", &[("host", "127.0.0.1:8080")]), 403);
        let guard = guard("0.0.0.0:8080", Some(TOKEN), None);
        let host = ("host", "board.example:8080");
        let bearer = format!("Bearer {TOKEN}");
        assert_eq!(asked(&guard, "/", &[host]), 403);
        assert_eq!(asked(&guard, "/?token=", &[host]), 403);
        assert_eq!(asked(&guard, "/?token=wrong", &[host]), 403);
        assert_eq!(asked(&guard, "/", &[host, ("authorization", &bearer)]), 200);
        assert_eq!(asked(&guard, &format!("/?token={TOKEN}"), &[host]), 303);
        for cookie in ["ludus_session=", &format!("ludus_session={TOKEN}"), "ludus_token="] {
            assert_eq!(asked(&guard, "/", &[host, ("cookie", cookie)]), 403, "{cookie}");
        }
    }

    #[test]
    fn the_token_moves_from_the_url_to_a_session_cookie() {
        let guard = guard("0.0.0.0:8080", Some(TOKEN), None);
        let host = ("host", "board.example:8080");
        let visit = |uri: &str, cookie: &str| match ask(&guard, uri, &[host, ("cookie", cookie)])
            .unwrap()
        {
            Admission::Redirect { location, cookie } => (location, cookie),
            Admission::Serve => panic!("{uri}"),
        };
        let (location, cookie) = visit(&format!("/a?x=1&token={TOKEN}&y=2"), "");
        let cookie = cookie.unwrap();
        assert_eq!(location, "/a?x=1&y=2");
        assert!(!cookie.contains(TOKEN) && !cookie.contains("Secure"));
        for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/", "; Max-Age=31536000"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        let session = format!("a=b; {}", cookie.split(';').next().unwrap());
        assert_eq!(asked(&guard, "/", &[host, ("cookie", &session)]), 200);
        // With a session the URL is cleaned, and its token is no attempt.
        assert_eq!(visit("/?token=old", &session), ("/".to_owned(), None));
        let elsewhere = format!("//evil.example/?token={TOKEN}");
        assert_eq!(visit(&elsewhere, "").0, "/evil.example/");
    }

    #[test]
    fn guesses_are_counted_and_sessions_go_on() {
        let guard = guard("0.0.0.0:8080", Some(TOKEN), None);
        let host = ("host", "board.example:8080");
        let Ok(Admission::Redirect { cookie: Some(cookie), .. }) =
            ask(&guard, &format!("/?token={TOKEN}"), &[host])
        else {
            panic!("the token is right");
        };
        for number in 0..5 {
            assert_eq!(asked(&guard, &format!("/?token=guess-{number}"), &[host]), 403);
        }
        let bearer = format!("Bearer {TOKEN}");
        assert_eq!(asked(&guard, "/?token=guess", &[host]), 429);
        assert_eq!(asked(&guard, "/", &[host, ("authorization", &bearer)]), 429);
        assert_eq!(asked(&guard, "/", &[host]), 403);
        let session = cookie.split(';').next().unwrap();
        assert_eq!(asked(&guard, "/", &[host, ("cookie", session)]), 200);
    }

    #[test]
    fn behind_a_proxy_the_public_name_is_served() {
        let guard = guard("127.0.0.1:8080", None, Some("https://ludus.example.org"));
        let public = ("host", "ludus.example.org");
        let passed_on = ("x-forwarded-for", "192.0.2.1");
        assert_eq!(asked(&guard, "/", &[public, passed_on]), 200);
        let from = |origin| asked(&guard, "/", &[public, passed_on, ("origin", origin)]);
        assert_eq!(from("https://ludus.example.org"), 200);
        assert_eq!(from("https://ludus.example.org:443"), 200);
        for foreign in [
            "http://ludus.example.org",
            "https://evil.example",
            "https://ludus.example.org:8443",
            "null",
        ] {
            assert_eq!(from(foreign), 403, "{foreign}");
        }
        let local = ("host", "127.0.0.1:8080");
        assert_eq!(asked(&guard, "/", &[local]), 200);
        assert_eq!(asked(&guard, "/", &[local, passed_on]), 421);
        assert_eq!(asked(&guard, "/", &[local, ("origin", "https://ludus.example.org")]), 403);
        assert_eq!(asked(&guard, "/", &[("host", "evil.example"), passed_on]), 421);
    }

    #[test]
    fn cookies_behind_tls_are_secure_and_no_other_name_is_served() {
        let guard = guard("0.0.0.0:8080", Some(TOKEN), Some("https://ludus.example.org"));
        let visit = format!("/?token={TOKEN}");
        match ask(&guard, &visit, &[("host", "ludus.example.org")]).unwrap() {
            Admission::Redirect { cookie, .. } => assert!(cookie.unwrap().ends_with("; Secure")),
            Admission::Serve => panic!("it has a token"),
        }
        assert_eq!(asked(&guard, &visit, &[("host", "board.example:8080")]), 421);
    }

    #[test]
    fn clients_behind_a_proxy_are_told_apart() {
        let visitor = |guard: &Guard| {
            let request = Request::builder().header("x-forwarded-for", "10.9.9.9, 192.0.2.1");
            guard.client(&request.body(Body::empty()).unwrap())
        };
        let client = |address: [u8; 4]| Client::new(address.into());
        let behind = guard("127.0.0.1:8080", None, Some("https://ludus.example.org"));
        assert_eq!(visitor(&behind), client([192, 0, 2, 1]));
        let direct = guard("127.0.0.1:8080", None, None);
        assert_eq!(visitor(&direct), client([127, 0, 0, 1]));
    }
}
