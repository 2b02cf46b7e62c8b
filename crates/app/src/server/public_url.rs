//! Name and scheme under which people reach the server through a proxy.

use axum::http::{Uri, uri::Authority};
use std::{fmt, str::FromStr};

/// Such as `https://ludus.example.org`: a scheme and a host, without a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    scheme: Scheme,
    authority: Authority,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scheme {
    Http,
    Https,
}

impl Scheme {
    pub fn name(self) -> &'static str {
        match self {
            Scheme::Http => "http",
            Scheme::Https => "https",
        }
    }

    pub fn default_port(self) -> u16 {
        match self {
            Scheme::Http => 80,
            Scheme::Https => 443,
        }
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<PublicUrl, String> {
        let expected =
            || "expected a URL without a path, such as https://ludus.example.org".to_owned();
        let url: Uri = text.parse().map_err(|_| expected())?;
        let scheme = match url.scheme_str() {
            Some("http") => Scheme::Http,
            Some("https") => Scheme::Https,
            _ => return Err(expected()),
        };
        let authority = url.authority().filter(|authority| is_plain(authority));
        let bare = matches!(url.path(), "" | "/") && url.query().is_none() && !text.contains('#');
        match authority {
            Some(authority) if bare => Ok(PublicUrl { scheme, authority: authority.clone() }),
            _ => Err(expected()),
        }
    }
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.name(), self.authority)
    }
}

impl PublicUrl {
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Whether a request to this host is for the public name.
    pub fn is_host(&self, host: &Authority) -> bool {
        same_authority(host, &self.authority, self.scheme)
    }
}

/// A host and perhaps a port, without user and password.
pub fn is_plain(authority: &Authority) -> bool {
    let text = authority.as_str();
    !text.contains('@') && !authority.host().is_empty() && !text.ends_with(':')
}

/// Whether two hosts are the same; without a port they have the usual one of the scheme.
pub fn same_authority(one: &Authority, other: &Authority, scheme: Scheme) -> bool {
    let port = |authority: &Authority| authority.port_u16().unwrap_or(scheme.default_port());
    one.host().eq_ignore_ascii_case(other.host()) && port(one) == port(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_scheme_and_a_host_are_a_public_url() {
        for good in
            ["https://ludus.example.org", "https://ludus.example.org/", "http://[2001:db8::1]:8000"]
        {
            let url: PublicUrl = good.parse().unwrap();
            assert_eq!(url.to_string(), good.trim_end_matches('/'));
        }
        for bad in [
            "",
            "ludus.example.org",
            "ftp://ludus.example.org",
            "https://ludus.example.org/games",
            "https://ludus.example.org/?a=b",
            "https://me@ludus.example.org",
            "https://ludus.example.org#a",
            "https://",
        ] {
            let refused = bad.parse::<PublicUrl>().unwrap_err();
            assert!(refused.contains("such as https://ludus.example.org"), "{bad}");
        }
    }

    #[test]
    fn the_usual_port_may_be_left_out() {
        let url: PublicUrl = "https://ludus.example.org".parse().unwrap();
        let is_host = |host: &str| url.is_host(&host.parse().unwrap());
        assert!(is_host("ludus.example.org") && is_host("Ludus.Example.org:443"));
        assert!(!is_host("ludus.example.org:80") && !is_host("evil.example"));
    }
}
