//! Rate limiter: a token bucket per client.

use super::client::Client;
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Instant,
};

/// Capacity of a bucket in seconds.
const BURST_SECONDS: f64 = 4.0;
/// Number of clients after which full buckets are removed.
const MAX_CLIENTS: usize = 10_000;

/// Token buckets by client; every request except GET takes a token.
pub struct RateLimiter {
    requests_per_second: f64,
    buckets: Mutex<HashMap<Client, Bucket>>,
}

struct Bucket {
    tokens: f64,
    filled_at: Instant,
}

impl RateLimiter {
    pub fn new(requests_per_second: usize) -> RateLimiter {
        RateLimiter { requests_per_second: requests_per_second as f64, buckets: Mutex::default() }
    }

    fn capacity(&self) -> f64 {
        self.requests_per_second * BURST_SECONDS
    }

    fn refill(&self, bucket: &mut Bucket, now: Instant) {
        let seconds = now.saturating_duration_since(bucket.filled_at).as_secs_f64();
        bucket.tokens = (bucket.tokens + seconds * self.requests_per_second).min(self.capacity());
        bucket.filled_at = now;
    }

    /// Takes a token for a request at `now`; false if there is none.
    pub fn allow(&self, client: Client, now: Instant) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MAX_CLIENTS {
            buckets.retain(|_, bucket| {
                self.refill(bucket, now);
                bucket.tokens < self.capacity()
            });
        }
        let full = Bucket { tokens: self.capacity(), filled_at: now };
        let bucket = buckets.entry(client).or_insert(full);
        self.refill(bucket, now);
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
        let rate_limiter = RateLimiter::new(500);
        let [flooder, other] = [[127, 0, 0, 1], [127, 0, 0, 2]].map(|ip| Client::new(ip.into()));
        let start = Instant::now();
        let allowed = |now| (0..10_000).filter(|_| rate_limiter.allow(flooder, now)).count();
        assert_eq!(allowed(start), 2_000);
        assert_eq!(allowed(start + Duration::from_secs(2)), 1_000);
        assert!(rate_limiter.allow(other, start));
    }
}
