//! Rate limiter: a token bucket per client.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::Instant,
};

/// Tokens per second; every request except GET takes one.
const REQUESTS_PER_SECOND: f64 = 500.0;
/// Capacity of a bucket.
const MAX_BURST_REQUESTS: f64 = 2_000.0;
/// Number of clients after which full buckets are removed.
const MAX_CLIENTS: usize = 10_000;

/// Token buckets by client address.
#[derive(Default)]
pub struct RateLimiter(Mutex<HashMap<IpAddr, Bucket>>);

struct Bucket {
    tokens: f64,
    filled_at: Instant,
}

impl Bucket {
    fn refill(&mut self, now: Instant) {
        let gained =
            now.saturating_duration_since(self.filled_at).as_secs_f64() * REQUESTS_PER_SECOND;
        self.tokens = (self.tokens + gained).min(MAX_BURST_REQUESTS);
        self.filled_at = now;
    }
}

impl RateLimiter {
    /// Takes a token for a request at `now`; false if there is none.
    pub fn allow(&self, client: IpAddr, now: Instant) -> bool {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_CLIENTS {
            buckets.retain(|_, bucket| {
                bucket.refill(now);
                bucket.tokens < MAX_BURST_REQUESTS
            });
        }
        let bucket =
            buckets.entry(client).or_insert(Bucket { tokens: MAX_BURST_REQUESTS, filled_at: now });
        bucket.refill(now);
        let allowed = bucket.tokens >= 1.0;
        bucket.tokens -= if allowed { 1.0 } else { 0.0 };
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_flood_is_stopped_and_others_are_not() {
        let rate_limiter = RateLimiter::default();
        let [flooder, other] = [[127, 0, 0, 1], [127, 0, 0, 2]].map(IpAddr::from);
        let start = Instant::now();
        let allowed = |now| (0..10_000).filter(|_| rate_limiter.allow(flooder, now)).count();
        assert_eq!(allowed(start), 2_000);
        assert_eq!(allowed(start + Duration::from_secs(2)), 1_000);
        assert!(rate_limiter.allow(other, start));
    }
}
