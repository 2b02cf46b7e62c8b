//! The caller on whose behalf the current task runs, by address: limits and turns are counted by it.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

tokio::task_local! {
    static CLIENT: Client;
}

/// A caller. Whoever has one address of IPv6 usually has all that share its first 64 bits, so those are
/// one client.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Client(IpAddr);

impl Client {
    pub fn new(address: IpAddr) -> Client {
        let network = |address: Ipv6Addr| Ipv6Addr::from_bits(address.to_bits() >> 64 << 64);
        Client(match address.to_canonical() {
            // Loopback is one address, and not a part of the network `::/64`.
            IpAddr::V6(address) if !address.is_loopback() => IpAddr::V6(network(address)),
            other => other,
        })
    }

    /// The caller of the current task. Work that nobody asked for belongs to this computer.
    pub fn current() -> Client {
        CLIENT.try_with(|client| *client).unwrap_or(Client(IpAddr::V4(Ipv4Addr::LOCALHOST)))
    }

    /// Runs a task on behalf of this client.
    pub fn scope<F: Future>(self, task: F) -> impl Future<Output = F::Output> {
        CLIENT.scope(self, task)
    }

    /// Wraps a task that is about to be spawned, so that it has the client of the current one.
    pub fn inherit<F: Future>(task: F) -> impl Future<Output = F::Output> {
        Client::current().scope(task)
    }
}

/// A limited resource, such as WebSockets: a maximum in all and for every client.
pub struct ClientLimit {
    max_total: usize,
    max_per_client: usize,
    held: Mutex<HashMap<Client, usize>>,
}

/// One unit of a limited resource, given back on drop.
pub struct ClientPermit {
    limit: Arc<ClientLimit>,
    client: Client,
}

impl ClientLimit {
    pub fn new(max_total: usize, max_per_client: usize) -> Arc<ClientLimit> {
        Arc::new(ClientLimit { max_total, max_per_client, held: Mutex::default() })
    }

    fn held(&self) -> MutexGuard<'_, HashMap<Client, usize>> {
        // No code that panics runs under the lock.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one unit; otherwise the maximum that is reached.
    pub fn acquire(self: &Arc<Self>, client: Client) -> Result<ClientPermit, usize> {
        let mut held = self.held();
        if held.values().sum::<usize>() >= self.max_total {
            return Err(self.max_total);
        }
        let own = held.entry(client).or_default();
        if *own >= self.max_per_client {
            return Err(self.max_per_client);
        }
        *own += 1;
        Ok(ClientPermit { limit: Arc::clone(self), client })
    }
}

impl Drop for ClientPermit {
    fn drop(&mut self) {
        let mut held = self.limit.held();
        if let Some(own) = held.get_mut(&self.client) {
            *own -= 1;
            if *own == 0 {
                held.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(address: &str) -> Client {
        Client::new(address.parse().unwrap())
    }

    #[test]
    fn one_network_of_ipv6_is_one_client() {
        assert_eq!(client("2001:db8::1"), client("2001:db8::ffff:2"));
        assert_ne!(client("2001:db8::1"), client("2001:db8:0:1::1"));
        assert_eq!(client("::ffff:192.0.2.1"), client("192.0.2.1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
        assert_ne!(client("::1"), client("::2"));
    }

    #[test]
    fn a_client_takes_no_more_than_its_share() {
        let limit = ClientLimit::new(3, 2);
        let [greedy, other, late] = ["192.0.2.1", "192.0.2.2", "192.0.2.3"].map(client);
        let first = limit.acquire(greedy).ok().unwrap();
        let _second = limit.acquire(greedy).ok().unwrap();
        assert_eq!(limit.acquire(greedy).err(), Some(2));
        let _third = limit.acquire(other).ok().unwrap();
        assert_eq!(limit.acquire(late).err(), Some(3));
        drop(first);
        assert!(limit.acquire(late).is_ok());
    }

    #[tokio::test]
    async fn spawned_tasks_keep_the_client() {
        let visitor = client("192.0.2.1");
        let spawned = visitor.scope(async {
            let task = tokio::spawn(Client::inherit(async { Client::current() }));
            task.await.unwrap()
        });
        assert_eq!(spawned.await, visitor);
        assert_eq!(Client::current(), client("127.0.0.1"));
    }
}
