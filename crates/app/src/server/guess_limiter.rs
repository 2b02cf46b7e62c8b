//! Limit on wrong tokens: delays that grow with every one, by client, and a bound on all clients together.
//!
//! An attempt that comes too soon is refused unseen, so that the answer tells nothing. The right token is
//! then refused as well; but browsers show it once only, and sessions are not attempts.

use super::client::Client;
use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

/// Wrong tokens of a client without a delay: typing errors.
const FREE_ATTEMPTS: u32 = 5;
/// Delay after the first one beyond them; it doubles with each further one.
const FIRST_DELAY: Duration = Duration::from_secs(1);
const MAX_DELAY: Duration = Duration::from_secs(60);
/// Time after which a client's wrong tokens are forgotten.
const FORGET_AFTER: Duration = Duration::from_secs(3600);
/// Wrong tokens of all clients together: at once, and time for each further one.
const MAX_BURST: u32 = 100;
const SHARED_INTERVAL: Duration = Duration::from_secs(1);
/// Number of clients after which forgotten ones are removed. The shared bound lets through fewer within
/// `FORGET_AFTER`.
const MAX_CLIENTS: usize = 5_000;
/// Maximum number of clients that are remembered to have given the right token.
const MAX_TRUSTED: usize = 1_000;

/// Wrong tokens so far.
#[derive(Default)]
pub struct GuessLimiter(Mutex<Guesses>);

#[derive(Default)]
struct Guesses {
    wrong: HashMap<Client, WrongTokens>,
    /// Clients that gave the right token: the shared bound, which strangers can use up, is not for them.
    trusted: HashSet<Client>,
    /// Time until which the shared allowance is used up; the burst lies before it.
    shared_until: Option<Instant>,
}

struct WrongTokens {
    count: u32,
    last: Instant,
}

impl WrongTokens {
    fn delay(&self) -> Duration {
        match self.count.checked_sub(FREE_ATTEMPTS) {
            None => Duration::ZERO,
            Some(beyond) => (FIRST_DELAY * 2_u32.pow(beyond.min(10))).min(MAX_DELAY),
        }
    }
}

impl Guesses {
    /// Time until this client may try again.
    fn delay(&self, client: Client, now: Instant) -> Duration {
        let own = self.wrong.get(&client).map_or(Duration::ZERO, |wrong| {
            (wrong.last + wrong.delay()).saturating_duration_since(now)
        });
        let shared = match self.shared_until {
            Some(until) if !self.trusted.contains(&client) => {
                until.saturating_duration_since(now + SHARED_INTERVAL * (MAX_BURST - 1))
            }
            _ => Duration::ZERO,
        };
        own.max(shared)
    }

    fn record_wrong(&mut self, client: Client, now: Instant) {
        if self.wrong.len() >= MAX_CLIENTS {
            self.wrong.retain(|_, wrong| now < wrong.last + FORGET_AFTER);
        }
        let wrong = self.wrong.entry(client).or_insert(WrongTokens { count: 0, last: now });
        if now >= wrong.last + FORGET_AFTER {
            wrong.count = 0;
        }
        (wrong.count, wrong.last) = (wrong.count.saturating_add(1), now);
        let until = self.shared_until.unwrap_or(now).max(now);
        self.shared_until = Some(until + SHARED_INTERVAL);
    }
}

impl GuessLimiter {
    /// Whether the token that `client` gives at `now` is right; or the time until it may try again. Attempts
    /// are judged one at a time, so that many at once are not all judged by the same count.
    pub fn attempt(
        &self,
        client: Client,
        now: Instant,
        is_right: impl FnOnce() -> bool,
    ) -> Result<bool, Duration> {
        let mut guesses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let delay = guesses.delay(client, now);
        if !delay.is_zero() {
            return Err(delay);
        }
        let right = is_right();
        if !right {
            guesses.record_wrong(client, now);
        } else if guesses.trusted.len() < MAX_TRUSTED {
            guesses.trusted.insert(client);
        }
        Ok(right)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(number: u32) -> Client {
        Client::new(std::net::Ipv4Addr::from(number).into())
    }

    /// Time that it takes to have `guesses` wrong tokens judged, by clients that never wait longer than
    /// they must.
    fn time_to_guess(guesses: u32, clients: u32) -> Duration {
        let limiter = GuessLimiter::default();
        let begun = Instant::now();
        let (mut now, mut judged) = (begun, 0);
        while judged < guesses {
            let mut wait = MAX_DELAY;
            for number in 0..clients {
                match limiter.attempt(client(number), now, || false) {
                    Ok(_) => judged += 1,
                    Err(delay) => wait = wait.min(delay),
                }
            }
            now += wait;
        }
        now - begun
    }

    #[test]
    fn ten_thousand_guesses_take_hours() {
        let hour = Duration::from_secs(3600);
        assert!(time_to_guess(10_000, 1) > 100 * hour);
        assert!(time_to_guess(10_000, 100) > 2 * hour);
        assert!(time_to_guess(10_000, 400) > 2 * hour);
    }

    #[test]
    fn the_delay_grows_and_typing_errors_are_forgotten() {
        let limiter = GuessLimiter::default();
        let begun = Instant::now();
        let mut now = begun;
        let wrong = |now| limiter.attempt(client(1), now, || false);
        for _ in 0..FREE_ATTEMPTS {
            assert_eq!(wrong(now), Ok(false));
        }
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            assert_eq!(wrong(now), Err(Duration::from_secs(seconds)));
            let early = limiter.attempt(client(1), now, || unreachable!("it is not looked at"));
            assert!(early.is_err());
            now += Duration::from_secs(seconds);
            assert_eq!(wrong(now), Ok(false));
        }
        now += FORGET_AFTER;
        assert_eq!((wrong(now), wrong(now)), (Ok(false), Ok(false)));
    }

    #[test]
    fn many_strangers_do_not_lock_out_who_was_here_before() {
        let limiter = GuessLimiter::default();
        let now = Instant::now();
        let right = |number| limiter.attempt(client(number), now, || true);
        assert_eq!(right(1), Ok(true));
        for number in 100..100 + MAX_BURST {
            assert_eq!(limiter.attempt(client(number), now, || false), Ok(false));
        }
        assert_eq!(right(2), Err(SHARED_INTERVAL));
        assert_eq!(right(1), Ok(true));
        let later = now + SHARED_INTERVAL;
        assert_eq!(limiter.attempt(client(2), later, || true), Ok(true));
    }
}
