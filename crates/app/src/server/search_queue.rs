//! Order of searches: those that somebody waits for have threads of their own, clients take turns, and so
//! do the games and requests of a client.

use super::client::Client;
use std::collections::VecDeque;

/// Place of a search in the order.
#[derive(Clone, Debug)]
pub struct SearchOrder {
    client: Client,
    /// Game or request to which the search belongs.
    job: String,
    urgency: Urgency,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// A human waits for the result.
    Waited,
    /// Nobody has to wait: games between players, analyses that show their progress.
    Background,
}

impl SearchOrder {
    /// A search for the client of the current task.
    pub fn new(urgency: Urgency, job: impl Into<String>) -> SearchOrder {
        SearchOrder { client: Client::current(), job: job.into(), urgency }
    }
}

/// Searches that run at the same time, of each urgency.
#[derive(Copy, Clone, Debug)]
pub struct Capacity {
    /// Searches of all clients.
    pub shared: usize,
    /// Further searches, of clients that have no other one running: long ones of somebody else then slow
    /// down their search but do not keep it from starting.
    pub guests: usize,
}

impl Capacity {
    /// Number of threads for both urgencies.
    pub fn threads(self) -> usize {
        2 * (self.shared + self.guests)
    }
}

/// Searches that wait, and the counts of those that run.
pub struct SearchQueue<T> {
    capacity: Capacity,
    lanes: [Lane<T>; 2],
}

/// Searches of one urgency.
struct Lane<T> {
    running: usize,
    /// In the order of their turns.
    clients: VecDeque<ClientQueue<T>>,
}

struct ClientQueue<T> {
    client: Client,
    running: usize,
    /// Waiting searches by job, in the order of their turns; none is empty.
    jobs: VecDeque<(String, VecDeque<T>)>,
}

/// A running search, to be given back at its end.
#[derive(Copy, Clone, Debug)]
#[must_use = "it counts as running until it is given back"]
pub struct RunningSearch {
    client: Client,
    urgency: Urgency,
}

impl<T> SearchQueue<T> {
    pub fn new(capacity: Capacity) -> SearchQueue<T> {
        let lane = || Lane { running: 0, clients: VecDeque::new() };
        SearchQueue { capacity, lanes: [lane(), lane()] }
    }

    fn lane(&mut self, urgency: Urgency) -> &mut Lane<T> {
        &mut self.lanes[urgency as usize]
    }

    /// Number of waiting searches.
    pub fn waiting(&self) -> usize {
        let clients = self.lanes.iter().flat_map(|lane| &lane.clients);
        clients.map(ClientQueue::waiting).sum()
    }

    /// Number of searches of the same client and urgency, running and waiting. Those that `is_wanted` refuses
    /// are removed first.
    pub fn count(&mut self, order: &SearchOrder, is_wanted: impl Fn(&T) -> bool) -> usize {
        let clients = &mut self.lane(order.urgency).clients;
        let Some(queue) = clients.iter_mut().find(|queue| queue.client == order.client) else {
            return 0;
        };
        queue.jobs.retain_mut(|(_, searches)| {
            searches.retain(&is_wanted);
            !searches.is_empty()
        });
        queue.running + queue.waiting()
    }

    pub fn push(&mut self, order: SearchOrder, search: T) {
        let SearchOrder { client, job, urgency } = order;
        let jobs = &mut self.lane(urgency).client(client).jobs;
        match jobs.iter_mut().find(|(other, _)| *other == job) {
            Some((_, searches)) => searches.push_back(search),
            None => jobs.push_back((job, VecDeque::from([search]))),
        }
    }

    /// The search to start next, if another one may run.
    pub fn pop(&mut self) -> Option<(RunningSearch, T)> {
        let capacity = self.capacity;
        [Urgency::Waited, Urgency::Background].into_iter().find_map(|urgency| {
            let (client, search) = self.lane(urgency).pop(capacity)?;
            Some((RunningSearch { client, urgency }, search))
        })
    }

    /// Gives back a search that has ended.
    pub fn end(&mut self, search: RunningSearch) {
        let lane = self.lane(search.urgency);
        lane.running -= 1;
        lane.client(search.client).running -= 1;
        lane.clients.retain(|queue| queue.running > 0 || !queue.jobs.is_empty());
    }

    /// Removes all waiting searches.
    pub fn clear(&mut self) {
        self.lanes
            .iter_mut()
            .for_each(|lane| lane.clients.iter_mut().for_each(|queue| queue.jobs.clear()));
    }
}

impl<T> Lane<T> {
    fn client(&mut self, client: Client) -> &mut ClientQueue<T> {
        let known = self.clients.iter().position(|queue| queue.client == client);
        let place = known.unwrap_or_else(|| {
            self.clients.push_back(ClientQueue { client, running: 0, jobs: VecDeque::new() });
            self.clients.len() - 1
        });
        &mut self.clients[place]
    }

    fn pop(&mut self, capacity: Capacity) -> Option<(Client, T)> {
        let for_all = self.running < capacity.shared;
        let for_guests = self.running < capacity.shared + capacity.guests;
        let may_run = |queue: &ClientQueue<T>| {
            !queue.jobs.is_empty() && (for_all || (for_guests && queue.running == 0))
        };
        let turn = self.clients.iter().position(may_run)?;
        let mut queue = self.clients.remove(turn)?;
        let search = queue.pop();
        queue.running += usize::from(search.is_some());
        self.running += usize::from(search.is_some());
        let client = queue.client;
        self.clients.push_back(queue);
        Some((client, search?))
    }
}

impl<T> ClientQueue<T> {
    fn waiting(&self) -> usize {
        self.jobs.iter().map(|(_, searches)| searches.len()).sum()
    }

    fn pop(&mut self) -> Option<T> {
        let (job, mut searches) = self.jobs.pop_front()?;
        let search = searches.pop_front();
        if !searches.is_empty() {
            self.jobs.push_back((job, searches));
        }
        search
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Capacity = Capacity { shared: 1, guests: 0 };

    fn order(client: u8, job: &str, urgency: Urgency) -> SearchOrder {
        let client = Client::new([192, 0, 2, client].into());
        SearchOrder { client, job: job.to_owned(), urgency }
    }

    fn push(queue: &mut SearchQueue<String>, client: u8, job: &str) {
        let number = queue.waiting();
        queue.push(order(client, job, Urgency::Waited), format!("{client}{job}{number}"));
    }

    /// All waiting searches, each run to its end.
    fn drain(queue: &mut SearchQueue<String>) -> Vec<String> {
        let mut order = Vec::new();
        while let Some((running, search)) = queue.pop() {
            order.push(search);
            queue.end(running);
        }
        order
    }

    #[test]
    fn clients_and_their_games_take_turns() {
        let mut queue = SearchQueue::new(ONE);
        for (client, job) in [(1, "a"), (1, "a"), (1, "a"), (1, "b"), (2, "c"), (2, "c"), (3, "d")]
        {
            push(&mut queue, client, job);
        }
        assert_eq!(drain(&mut queue), ["1a0", "2c4", "3d6", "1b3", "2c5", "1a1", "1a2"]);
        assert!(queue.lanes.iter().all(|lane| lane.clients.is_empty() && lane.running == 0));
    }

    #[test]
    fn who_waits_comes_before_games_that_nobody_plays() {
        let mut queue = SearchQueue::new(Capacity { shared: 2, guests: 0 });
        let games = |number: usize| order(1, &format!("game {number}"), Urgency::Background);
        (0..3).for_each(|number| queue.push(games(number), "game"));
        let running: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(running.len(), 2, "the third game waits");
        queue.push(order(1, "hint", Urgency::Waited), "hint");
        assert_eq!(queue.pop().map(|(_, search)| search), Some("hint"));
        assert!(queue.pop().is_none());
    }

    #[test]
    fn long_searches_of_one_client_do_not_keep_others_from_starting() {
        let mut queue = SearchQueue::new(Capacity { shared: 2, guests: 2 });
        let start = |queue: &mut SearchQueue<u8>, client: u8| {
            queue.push(order(client, "game", Urgency::Waited), client);
            queue.pop().map(|(_, search)| search)
        };
        assert_eq!((start(&mut queue, 1), start(&mut queue, 1)), (Some(1), Some(1)));
        assert_eq!(start(&mut queue, 1), None, "it has all that is for everybody");
        assert_eq!((start(&mut queue, 2), start(&mut queue, 3)), (Some(2), Some(3)));
        assert_eq!(start(&mut queue, 4), None);
    }

    #[test]
    fn searches_that_nobody_wants_are_not_counted() {
        let mut queue = SearchQueue::new(ONE);
        for wanted in [true, false, true] {
            queue.push(order(1, "game", Urgency::Waited), wanted);
        }
        let running = queue.pop();
        assert_eq!(queue.count(&order(1, "other", Urgency::Waited), |wanted| *wanted), 2);
        assert_eq!(queue.count(&order(1, "other", Urgency::Background), |_| true), 0);
        queue.clear();
        assert_eq!(queue.waiting(), 0);
        queue.end(running.unwrap().0);
        assert_eq!(queue.count(&order(1, "game", Urgency::Waited), |_| true), 0);
    }
}
