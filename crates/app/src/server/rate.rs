//! How often somebody may ask.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
    time::Instant,
};

/// Requests a second that change something.
const RATE: f64 = 500.0;
/// Requests at once.
const BURST: f64 = 2_000.0;
/// Callers that are remembered.
const CALLERS: usize = 10_000;

/// What each caller has left.
#[derive(Default)]
pub struct Rates(Mutex<HashMap<IpAddr, Bucket>>);

struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    fn fill(&mut self, now: Instant) {
        let gained = now.saturating_duration_since(self.at).as_secs_f64() * RATE;
        self.left = (self.left + gained).min(BURST);
        self.at = now;
    }
}

impl Rates {
    /// Counts a request made `now`; whether it is not one too many.
    pub fn allow(&self, caller: IpAddr, now: Instant) -> bool {
        let mut buckets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= CALLERS {
            buckets.retain(|_, bucket| {
                bucket.fill(now);
                bucket.left < BURST
            });
        }
        let bucket = buckets.entry(caller).or_insert(Bucket { left: BURST, at: now });
        bucket.fill(now);
        let allowed = bucket.left >= 1.0;
        bucket.left -= if allowed { 1.0 } else { 0.0 };
        allowed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_flood_is_stopped_and_others_are_not() {
        let rates = Rates::default();
        let [flooder, other] = [[127, 0, 0, 1], [127, 0, 0, 2]].map(IpAddr::from);
        let start = Instant::now();
        let allowed = |now| (0..10_000).filter(|_| rates.allow(flooder, now)).count();
        assert_eq!(allowed(start), 2_000);
        assert_eq!(allowed(start + Duration::from_secs(2)), 1_000);
        assert!(rates.allow(other, start));
    }
}
