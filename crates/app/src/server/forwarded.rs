//! Addresses of clients behind proxies: `X-Forwarded-For` and `Forwarded`, which anybody can send and only
//! trusted proxies are believed.

use axum::http::{HeaderMap, HeaderName, header};
use std::net::{IpAddr, SocketAddr};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Proxies whose word is taken for the address of the client.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies {
    pub addresses: Vec<IpAddr>,
    /// Whether programs of this computer are trusted.
    pub loopback: bool,
}

impl TrustedProxies {
    pub fn includes(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        (self.loopback && address.is_loopback())
            || self.addresses.iter().any(|known| known.to_canonical() == address)
    }

    /// Address of the client: that of the connection or, if that is a trusted proxy, the last one in the
    /// headers that is not. What stands before it may be invented.
    pub fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut client = peer;
        for hop in forwarded_for(headers).into_iter().rev() {
            if !self.includes(client) {
                break;
            }
            // Behind a hop that does not say who it is, nobody can be told apart.
            let Some(address) = hop else { break };
            client = address;
        }
        client
    }
}

/// Whether a proxy has passed the request on.
pub fn is_forwarded(headers: &HeaderMap) -> bool {
    headers.contains_key(X_FORWARDED_FOR) || headers.contains_key(header::FORWARDED)
}

/// Addresses from the client's to the last proxy's; `None` for those that are hidden or malformed. Of the
/// two headers the common one counts: clients could add the other, which most proxies pass on as it is.
fn forwarded_for(headers: &HeaderMap) -> Vec<Option<IpAddr>> {
    let elements = |name: &HeaderName| -> Vec<String> {
        let values = headers.get_all(name).iter().map(|value| value.to_str().unwrap_or_default());
        values.flat_map(|value| value.split(',')).map(|part| part.trim().to_owned()).collect()
    };
    if headers.contains_key(X_FORWARDED_FOR) {
        return elements(&X_FORWARDED_FOR).iter().map(|element| address(element)).collect();
    }
    let hops = elements(&header::FORWARDED);
    hops.iter()
        .map(|element| {
            let mut pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
            let (_, value) = pairs.find(|(name, _)| name.trim().eq_ignore_ascii_case("for"))?;
            address(value.trim().trim_matches('"'))
        })
        .collect()
}

/// An address, perhaps with a port: `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    let with_port = || text.parse::<SocketAddr>().ok().map(|address| address.ip());
    bare.parse().ok().or_else(with_port)
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn client(proxies: &TrustedProxies, peer: &str, headers: &[(&'static str, &str)]) -> String {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).unwrap());
        }
        proxies.client(peer.parse().unwrap(), &map).to_string()
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let nobody = TrustedProxies::default();
        let header = [("x-forwarded-for", "192.0.2.7")];
        assert_eq!(client(&nobody, "127.0.0.1", &header), "127.0.0.1");
        let local = TrustedProxies { addresses: Vec::new(), loopback: true };
        assert_eq!(client(&local, "127.0.0.1", &header), "192.0.2.7");
        assert_eq!(client(&local, "::ffff:127.0.0.1", &header), "192.0.2.7");
        assert_eq!(client(&local, "198.51.100.1", &header), "198.51.100.1");
        assert_eq!(client(&local, "127.0.0.1", &[]), "127.0.0.1");
    }

    #[test]
    fn invented_addresses_are_passed_over() {
        let proxies =
            TrustedProxies { addresses: vec!["198.51.100.1".parse().unwrap()], loopback: true };
        let through = |value: &str| client(&proxies, "127.0.0.1", &[("x-forwarded-for", value)]);
        assert_eq!(through("10.0.0.1, 192.0.2.7"), "192.0.2.7");
        assert_eq!(through("10.0.0.1, 192.0.2.7, 198.51.100.1"), "192.0.2.7");
        assert_eq!(through("10.0.0.1, unknown, 198.51.100.1"), "198.51.100.1");
        assert_eq!(through("127.0.0.1, 192.0.2.7:4711"), "192.0.2.7");
        let twice = [("x-forwarded-for", "10.0.0.1"), ("x-forwarded-for", "192.0.2.7")];
        assert_eq!(client(&proxies, "127.0.0.1", &twice), "192.0.2.7");
    }

    #[test]
    fn the_standard_header_is_read_if_it_is_the_only_one() {
        let local = TrustedProxies { addresses: Vec::new(), loopback: true };
        let standard = ("forwarded", "for=10.0.0.1, for=\"[2001:db8::7]:4711\";proto=https;by=_a");
        assert_eq!(client(&local, "127.0.0.1", &[standard]), "2001:db8::7");
        let both = [standard, ("x-forwarded-for", "192.0.2.7")];
        assert_eq!(client(&local, "127.0.0.1", &both), "192.0.2.7");
        assert_eq!(client(&local, "127.0.0.1", &[("forwarded", "for=_hidden")]), "127.0.0.1");
    }
}
