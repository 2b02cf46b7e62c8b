//! Connections in use, and the choice of one to close when there are too many: the address with the most
//! gives way, so that nobody can shut out others.

use super::client::Client;
use std::{
    cmp::Reverse,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::sync::Notify;

/// All connections of the server.
pub struct ConnectionTable {
    max_connections: usize,
    max_per_client: usize,
    state: Mutex<State>,
    /// Notified when a connection ends or becomes a WebSocket.
    released: Notify,
}

#[derive(Default)]
struct State {
    connections: HashMap<u64, Connection>,
    /// Number of the latest change, by which connections are ordered.
    changes: u64,
}

struct Connection {
    client: Client,
    phase: Phase,
    /// Number of the change that began the phase.
    since: u64,
    /// Tells its task to close it.
    close: Arc<Notify>,
}

/// Use of a connection.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// The server waits for the client: to send a request, or to read the response.
    Idle,
    /// The client waits for the server.
    Serving,
    Socket,
}

/// Whether connections from an address have to be those of one client.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ConnectedPeer {
    Client,
    /// A proxy, whose connections are those of many clients.
    Proxy,
}

/// A place in the table, given back on drop.
pub struct ConnectionPermit {
    table: Arc<ConnectionTable>,
    id: u64,
    close: Arc<Notify>,
}

impl ConnectionTable {
    pub fn new(max_connections: usize, max_per_client: usize) -> Arc<ConnectionTable> {
        Arc::new(ConnectionTable {
            max_connections,
            max_per_client,
            state: Mutex::default(),
            released: Notify::new(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No code that panics runs under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a connection, at the cost of another one if there are too many; `None` if no other has to give
    /// way to it.
    pub fn admit(
        self: &Arc<Self>,
        client: Client,
        peer: ConnectedPeer,
    ) -> Option<ConnectionPermit> {
        let mut state = self.state();
        let counts = state.counts();
        let own = counts.get(&client).copied().unwrap_or_default();
        let victim = if peer == ConnectedPeer::Client && own >= self.max_per_client {
            Some(state.oldest_idle(|connection| (connection.client == client).then_some(0))?)
        } else if state.connections.len() >= self.max_connections {
            Some(state.most_dispensable(&counts, client)?)
        } else {
            None
        };
        if let Some(closed) = victim.and_then(|id| state.connections.remove(&id)) {
            closed.close.notify_one();
        }
        let (id, close) = (state.next_change(), Arc::new(Notify::new()));
        let connection =
            Connection { client, phase: Phase::Idle, since: id, close: Arc::clone(&close) };
        state.connections.insert(id, connection);
        Some(ConnectionPermit { table: Arc::clone(self), id, close })
    }

    /// Waits until all connections are closed, except WebSockets.
    pub async fn drained(&self) {
        loop {
            let released = self.released.notified();
            let is_request = |connection: &Connection| connection.phase != Phase::Socket;
            if !self.state().connections.values().any(is_request) {
                return;
            }
            released.await;
        }
    }
}

impl State {
    fn next_change(&mut self) -> u64 {
        self.changes += 1;
        self.changes
    }

    fn counts(&self) -> HashMap<Client, usize> {
        let mut counts = HashMap::new();
        for connection in self.connections.values() {
            *counts.entry(connection.client).or_default() += 1;
        }
        counts
    }

    /// Of the idle connections with the highest `weight`, the one that has been so for longest.
    fn oldest_idle(&self, weight: impl Fn(&Connection) -> Option<usize>) -> Option<u64> {
        self.oldest(|connection| weight(connection).filter(|_| connection.phase == Phase::Idle))
    }

    fn oldest(&self, weight: impl Fn(&Connection) -> Option<usize>) -> Option<u64> {
        let weighed = self.connections.iter().filter_map(|(id, connection)| {
            Some(((weight(connection)?, Reverse(connection.since)), *id))
        });
        weighed.max().map(|(_, id)| id)
    }

    /// The connection to close for a newcomer: an idle one of itself or of a client that has more, of the one
    /// with the most if possible; otherwise any one of a client that will still have more.
    fn most_dispensable(&self, counts: &HashMap<Client, usize>, newcomer: Client) -> Option<u64> {
        let count = |client| counts.get(&client).copied().unwrap_or_default();
        let own = count(newcomer);
        let idle = self.oldest_idle(|connection| {
            let others = count(connection.client);
            (others > own || connection.client == newcomer).then_some(others)
        });
        idle.or_else(|| {
            self.oldest(|connection| {
                Some(count(connection.client)).filter(|others| *others > own + 1)
            })
        })
    }
}

impl ConnectionPermit {
    fn change_phase(&self, phase: Phase) {
        let mut state = self.table.state();
        let since = state.next_change();
        if let Some(connection) = state.connections.get_mut(&self.id)
            && connection.phase != Phase::Socket
        {
            (connection.phase, connection.since) = (phase, since);
        }
        drop(state);
        if phase == Phase::Socket {
            self.table.released.notify_waiters();
        }
    }

    /// Marks the beginning of a request.
    pub fn serving(&self) {
        self.change_phase(Phase::Serving);
    }

    /// Marks the end of a request. A WebSocket stays one.
    pub fn idle(&self) {
        self.change_phase(Phase::Idle);
    }

    /// Marks the connection as a WebSocket.
    pub fn socket(&self) {
        self.change_phase(Phase::Socket);
    }

    /// Waits until the connection has to be closed.
    pub async fn closed(&self) {
        self.close.notified().await;
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.table.state().connections.remove(&self.id);
        self.table.released.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn client(number: u8) -> Client {
        Client::new([192, 0, 2, number].into())
    }

    fn admit(table: &Arc<ConnectionTable>, number: u8) -> Option<ConnectionPermit> {
        table.admit(client(number), ConnectedPeer::Client)
    }

    fn is_closed(permit: &ConnectionPermit) -> bool {
        permit.closed().now_or_never().is_some()
    }

    #[test]
    fn half_sent_requests_of_one_address_give_way() {
        let table = ConnectionTable::new(4, 4);
        let early = admit(&table, 1).unwrap();
        let flood: Vec<_> = (0..3).map(|_| admit(&table, 9).unwrap()).collect();
        let newcomer = admit(&table, 2).unwrap();
        assert!(is_closed(&flood[0]) && !is_closed(&flood[1]));
        assert!(!is_closed(&early) && !is_closed(&newcomer));
    }

    #[test]
    fn who_has_many_sockets_loses_one_to_a_newcomer() {
        let table = ConnectionTable::new(4, 4);
        let own = admit(&table, 1).unwrap();
        own.serving();
        let sockets: Vec<_> = (0..3).map(|_| admit(&table, 9).unwrap()).collect();
        for socket in &sockets {
            socket.socket();
            socket.idle(); // the response to the upgrade: it stays a socket
        }
        let _newcomer = admit(&table, 2).unwrap();
        assert!(is_closed(&sockets[0]) && !is_closed(&own));
        assert!(admit(&table, 9).is_none(), "the newcomer is idle, but has fewer");
    }

    #[test]
    fn nobody_gives_way_to_who_has_as_many() {
        let table = ConnectionTable::new(2, 2);
        let busy: Vec<_> = (1..=2).map(|number| admit(&table, number).unwrap()).collect();
        busy.iter().for_each(ConnectionPermit::serving);
        assert!(admit(&table, 1).is_none() && admit(&table, 3).is_none());
        busy[1].idle();
        assert!(admit(&table, 3).is_some());
        assert!(is_closed(&busy[1]));
    }

    #[test]
    fn an_address_has_its_own_limit_unless_it_is_a_proxy() {
        let table = ConnectionTable::new(10, 2);
        let own: Vec<_> = (0..2).map(|_| admit(&table, 1).unwrap()).collect();
        own[0].serving();
        let third = admit(&table, 1).unwrap();
        assert!(is_closed(&own[1]), "the idle one");
        third.serving();
        assert!(admit(&table, 1).is_none());
        assert!(table.admit(client(1), ConnectedPeer::Proxy).is_some());
        assert!(admit(&table, 2).is_some());
    }

    #[tokio::test]
    async fn requests_are_waited_for_and_sockets_are_not() {
        let table = ConnectionTable::new(4, 4);
        let (request, socket) = (admit(&table, 1).unwrap(), admit(&table, 1).unwrap());
        socket.socket();
        assert!(table.drained().now_or_never().is_none());
        drop(request);
        table.drained().await;
    }
}
