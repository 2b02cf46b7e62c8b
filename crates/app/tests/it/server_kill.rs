//! Crash test: kills a server while clients play, and looks for everything that was acknowledged.
//!
//! `LUDUS_KILLS` sets the number of kills (4), `LUDUS_KILL_SEED` the seed (1).

use crate::{
    gtp_peer::number_from_environment,
    served::{Served, exchange},
};
use ludus_arena::store::Store;
use ludus_core::Random;
use serde_json::{Value, json};
use std::{
    io,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    thread,
    time::Duration,
};

const CLIENTS: u64 = 8;
/// Acknowledged changes of all clients after which the server is killed.
const MAX_CHANGES: usize = 400;
/// Delay after a refusal because of too many requests.
const BUSY_DELAY: Duration = Duration::from_millis(50);

/// A game as it was last acknowledged.
struct KnownGame {
    id: String,
    moves: Vec<String>,
    legal: Vec<String>,
    is_over: bool,
    is_deleted: bool,
}

/// A request whose answer has not arrived.
struct PendingRequest {
    /// Index of its game; `None` for a new game.
    game: Option<usize>,
    method: &'static str,
    path: String,
    body: Value,
}

/// A client that plays one game after another.
struct Client {
    random: Random,
    number: u64,
    games: Vec<KnownGame>,
    pending: Option<PendingRequest>,
}

impl Client {
    fn new(seed: u64, number: u64) -> Client {
        let random = Random::new(seed * CLIENTS + number);
        Client { random, number, games: Vec::new(), pending: None }
    }

    /// Plays until the server dies; a request that was not answered is sent again first.
    fn play(&mut self, address: &str, acknowledged: &AtomicU64) {
        loop {
            let request = match self.pending.take() {
                Some(request) => request,
                None => self.next_request(),
            };
            let Ok((status, answer)) = send(address, &request) else {
                self.pending = Some(request);
                return;
            };
            self.take(&request, status, &answer);
            acknowledged.fetch_add(1, Relaxed);
            if !answer["thinking"].is_null() && self.wait_for_reply(address).is_err() {
                return;
            }
        }
    }

    /// Waits until the player of the latest game has moved.
    fn wait_for_reply(&mut self, address: &str) -> io::Result<()> {
        let Some(game) = self.games.last_mut() else { return Ok(()) };
        let path = format!("/api/tables/{}?wait=60000", game.id);
        let (_, table) = exchange(address, "GET", &path, None)?;
        game.update(&table);
        Ok(())
    }

    fn next_request(&mut self) -> PendingRequest {
        let chance = self.random.below(100);
        let current = self.games.len().checked_sub(1);
        let open = current.filter(|&index| !self.games[index].is_over);
        let Some(index) = open else {
            if chance < 30
                && let Some(index) = current.filter(|&index| !self.games[index].is_deleted)
            {
                return self.request(index, "DELETE", "", Value::Null);
            }
            let key = format!("client {} game {:08}", self.number, self.games.len());
            let second = (!self.number.is_multiple_of(2)).then_some("random");
            let body = json!({ "game": "connect4", "second": second, "request": key });
            let path = "/api/tables".to_owned();
            return PendingRequest { game: None, method: "POST", path, body };
        };
        if chance < 2 {
            return self.request(index, "POST", "/resign", json!({ "side": "first" }));
        }
        let game = &self.games[index];
        let mv = &game.legal[self.random.below(game.legal.len())];
        let body = json!({ "move": mv, "ply": game.moves.len() });
        self.request(index, "POST", "/move", body)
    }

    fn request(
        &self,
        index: usize,
        method: &'static str,
        what: &str,
        body: Value,
    ) -> PendingRequest {
        let path = format!("/api/tables/{}{what}", self.games[index].id);
        PendingRequest { game: Some(index), method, path, body }
    }

    /// Notes what an answer acknowledges.
    fn take(&mut self, request: &PendingRequest, status: u16, answer: &Value) {
        let known = match request.game {
            None => {
                assert!(status == 200 || status == 201, "{}: {status} {answer}", request.body);
                self.games.push(KnownGame {
                    id: answer["id"].as_str().unwrap().to_owned(),
                    moves: Vec::new(),
                    legal: Vec::new(),
                    is_over: false,
                    is_deleted: false,
                });
                self.games.last_mut().unwrap()
            }
            Some(index) => &mut self.games[index],
        };
        match (request.method, status) {
            // A second time it cannot be done: it was done before the server died.
            ("DELETE", 204 | 404) => known.is_deleted = true,
            (_, 409) if request.path.ends_with("/resign") => known.is_over = true,
            (_, 200 | 201) => known.update(answer),
            _ => panic!("{} {} {}: {status} {answer}", request.method, request.path, request.body),
        }
    }

    /// Looks for everything that was acknowledged.
    fn check(&mut self, address: &str) {
        for (index, game) in self.games.iter().enumerate() {
            let path = format!("/api/tables/{}?asleep=true", game.id);
            let (status, found) = exchange(address, "GET", &path, None).unwrap();
            let pending = self.pending.as_ref().filter(|request| request.game == Some(index));
            let may_be_deleted = pending.is_some_and(|request| request.method == "DELETE");
            if game.is_deleted || (may_be_deleted && status == 404) {
                assert_eq!(status, 404, "{}: a deleted game is there", game.id);
                continue;
            }
            assert_eq!(status, 200, "{}: the game is lost", game.id);
            let moves = texts(&found["moves"]);
            assert!(moves.starts_with(&game.moves), "{}: {moves:?} for {:?}", game.id, game.moves);
            let is_over = !found["ending"].is_null();
            assert!(is_over || !game.is_over, "{}: the result is lost", game.id);
            if self.number.is_multiple_of(2) {
                // Nobody moved but this client.
                let most = game.moves.len() + usize::from(pending.is_some());
                assert!(moves.len() <= most, "{}: {moves:?} for {:?}", game.id, game.moves);
            }
        }
        if self.pending.is_none() {
            self.wait_for_reply(address).unwrap();
        }
    }
}

impl KnownGame {
    fn update(&mut self, table: &Value) {
        if self.is_deleted {
            return;
        }
        self.moves = texts(&table["moves"]);
        self.legal = texts(&table["legal"]);
        self.is_over = !table["ending"].is_null();
    }
}

fn texts(moves: &Value) -> Vec<String> {
    let moves = moves.as_array().expect("a list of moves").iter();
    moves.map(|mv| mv["move"].as_str().unwrap().to_owned()).collect()
}

/// Sends a request until the server has time for it.
fn send(address: &str, request: &PendingRequest) -> io::Result<(u16, Value)> {
    let body = (!request.body.is_null()).then(|| request.body.to_string());
    loop {
        let answer = exchange(address, request.method, &request.path, body.as_deref())?;
        if answer.0 != 429 {
            return Ok(answer);
        }
        thread::sleep(BUSY_DELAY);
    }
}

#[test]
fn a_killed_server_has_lost_and_doubled_nothing_that_it_acknowledged() {
    let kills = number_from_environment("LUDUS_KILLS", 4);
    let seed = number_from_environment("LUDUS_KILL_SEED", 1);
    let mut random = Random::new(seed);
    let mut clients: Vec<Client> = (0..CLIENTS).map(|number| Client::new(seed, number)).collect();
    let mut folder = tempfile::tempdir().unwrap();
    let mut changes = 0;
    for _ in 0..kills {
        let mut server = Some(Served::start_in(folder));
        let address = server.as_ref().unwrap().address.clone();
        let acknowledged = AtomicU64::new(0);
        let limit = 1 + random.below(MAX_CHANGES) as u64;
        check(&mut clients, &address);
        folder = thread::scope(|scope| {
            let play = |client: &mut Client| client.play(&address, &acknowledged);
            let players: Vec<_> =
                clients.iter_mut().map(|client| scope.spawn(move || play(client))).collect();
            let is_any_over = || players.iter().any(thread::ScopedJoinHandle::is_finished);
            while acknowledged.load(Relaxed) < limit && !is_any_over() {
                thread::yield_now();
            }
            server.take().unwrap().end()
        });
        changes += acknowledged.into_inner();
    }
    let server = Served::start_in(folder);
    check(&mut clients, &server.address);
    assert_eq!(games_in(&server), games_of(&clients, &server), "a game is there twice");
    println!("{kills} kills, {changes} acknowledged changes, 0 lost");
}

/// Looks for everything that was acknowledged to any client.
fn check(clients: &mut [Client], address: &str) {
    thread::scope(|scope| {
        for client in clients {
            scope.spawn(move || client.check(address));
        }
    });
}

/// Number of games in the store.
fn games_in(server: &Served) -> usize {
    let store = Store::open(&server.folder.path().join("ludus.sqlite")).unwrap();
    store.check_integrity().unwrap();
    store.latest_documents("table", u32::MAX).unwrap().len()
}

/// Number of games of the clients that the server has, and of those they may have started at the end.
fn games_of(clients: &[Client], server: &Served) -> usize {
    let has = |id: &str| server.get(&format!("/api/tables/{id}?asleep=true")).0 == 200;
    let known =
        clients.iter().flat_map(|client| &client.games).filter(|game| has(&game.id)).count();
    let unanswered = clients.iter().filter_map(|client| client.pending.as_ref());
    let started = unanswered.filter(|request| {
        // Sent again, it is answered with the game that it has started, or starts it now.
        request.game.is_none() && server.post(&request.path, &request.body).0 == 200
    });
    known + started.count()
}
