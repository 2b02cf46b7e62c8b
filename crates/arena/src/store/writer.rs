//! The thread that owns the connection, and its writes.

use super::{
    ContestPlayer, DocumentChange, NewContest, StoreError, StoredGame, connection::StoreConnection,
    documents,
};
use crate::game::Category;
use sqlx::{Connection, Sqlite, SqliteConnection, Transaction};
use std::{
    collections::{HashMap, hash_map::Entry},
    mem,
    path::Path,
    sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError},
    thread::{self, JoinHandle},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// Jobs that may be queued; beyond that, senders block. It bounds the memory of waiting games.
const MAX_QUEUED_JOBS: usize = 1024;
/// Maximum number of games in one commit.
const MAX_GROUP_SIZE: usize = 256;
/// Wait for games that are expected immediately; much shorter than a commit.
const GROUP_WAIT: Duration = Duration::from_micros(200);

/// Handle on the writer thread.
pub(super) struct WriterHandle {
    jobs: Option<SyncSender<Job>>,
    thread: Option<JoinHandle<()>>,
}

type Work = Box<dyn FnOnce(&mut StoreWriter) + Send>;

enum Job {
    Add(Box<QueuedChange>),
    Call(Work),
}

/// A change that is committed together with others.
struct QueuedChange {
    change: StoreChange,
    on_done: OnDone,
}

/// Called on the thread of the store once a change is committed or has failed; must not block.
pub(super) type OnDone = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

/// A change to games or documents.
pub(super) enum StoreChange {
    /// A game of a contest was played.
    Game(i64, Box<StoredGame>),
    /// Game `number` of a contest is a repeat of game `of`.
    Repeat { contest: i64, number: i64, of: i64 },
    /// Documents change together.
    Documents(Vec<DocumentChange>),
}

/// The error after the thread has ended.
pub(super) fn stopped() -> StoreError {
    StoreError::Invalid("anything more: the store has stopped".to_owned())
}

impl WriterHandle {
    /// Opens the file in a new thread.
    pub(super) fn start(path: &Path) -> Result<WriterHandle, StoreError> {
        let (jobs, queue) = mpsc::sync_channel(MAX_QUEUED_JOBS);
        let (reply, opened) = mpsc::channel();
        let file = path.to_owned();
        let failed = |reason: String| StoreError::Open { path: path.to_owned(), reason };
        let run = move || match StoreWriter::open(&file) {
            Err(error) => drop(reply.send(Err(error))),
            Ok(writer) => {
                drop(reply.send(Ok(())));
                writer.serve(&queue);
            }
        };
        let thread = thread::Builder::new()
            .name("store".to_owned())
            .spawn(run)
            .map_err(|error| failed(error.to_string()))?;
        opened.recv().unwrap_or_else(|_| Err(stopped()))?;
        Ok(WriterHandle { jobs: Some(jobs), thread: Some(thread) })
    }

    /// Queues a change; blocks while the queue is full.
    pub(super) fn add(&self, change: StoreChange, on_done: OnDone) -> Result<(), StoreError> {
        self.send(Job::Add(Box::new(QueuedChange { change, on_done })))
    }

    /// Queues a change, unless the queue is full.
    pub(super) fn try_add(&self, change: StoreChange, on_done: OnDone) -> Result<(), StoreError> {
        let jobs = self.jobs.as_ref().ok_or_else(stopped)?;
        let job = Job::Add(Box::new(QueuedChange { change, on_done }));
        jobs.try_send(job).map_err(|error| match error {
            TrySendError::Full(_) => {
                StoreError::Invalid(format!("more: {MAX_QUEUED_JOBS} changes are waiting"))
            }
            TrySendError::Disconnected(_) => stopped(),
        })
    }

    /// Runs `work` on the thread and waits for it.
    pub(super) fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut StoreWriter) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (reply, answer) = mpsc::channel();
        self.send(Job::Call(Box::new(move |writer| drop(reply.send(work(writer))))))?;
        answer.recv().unwrap_or_else(|_| Err(stopped()))
    }

    fn send(&self, job: Job) -> Result<(), StoreError> {
        let jobs = self.jobs.as_ref().ok_or_else(stopped)?;
        jobs.send(job).map_err(|_| stopped())
    }
}

impl Drop for WriterHandle {
    /// Waits until all queued jobs are done and the file is closed.
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // waiting callers have seen the error
        }
    }
}

/// The owner of the connection.
pub(super) struct StoreWriter {
    connection: StoreConnection,
    known: KnownKeys,
}

/// Cache of database keys.
#[derive(Default)]
struct KnownKeys {
    contests: HashMap<i64, KnownContest>,
}

/// A contest whose games are being stored.
struct KnownContest {
    build: String,
    /// Key of each of its players.
    players: HashMap<String, i64>,
}

impl StoreWriter {
    fn open(path: &Path) -> Result<StoreWriter, StoreError> {
        Ok(StoreWriter { connection: StoreConnection::open(path)?, known: KnownKeys::default() })
    }

    pub(super) fn path(&self) -> &Path {
        self.connection.path()
    }

    pub(super) fn set_max_pages(&mut self, pages: u32) {
        self.connection.set_max_pages(pages);
    }

    /// Processes jobs until every handle is dropped.
    fn serve(mut self, queue: &Receiver<Job>) {
        let mut next = None;
        let mut answered = 0;
        while let Some(job) = next.take().or_else(|| queue.recv().ok()) {
            match job {
                Job::Call(work) => work(&mut self),
                Job::Add(first) => {
                    let group;
                    (group, next) = gather_group(*first, answered, queue);
                    answered = group.len();
                    self.add_group(group);
                }
            }
        }
        self.connection.close();
    }

    /// Commits the changes together, then replies to the waiting callers.
    fn add_group(&mut self, group: Vec<QueuedChange>) {
        let mut known = mem::take(&mut self.known);
        let outcome = self.transact(async |transaction| {
            let mut results = Vec::with_capacity(group.len());
            for queued in &group {
                results.push(apply(transaction, &mut known, &queued.change).await?);
            }
            Ok(results)
        });
        let results = match outcome {
            Ok(results) => {
                self.known = known;
                results
            }
            // The rollback also removed players that are known now.
            Err(error) => group.iter().map(|_| Err(error.clone())).collect(),
        };
        for (queued, result) in group.into_iter().zip(results) {
            (queued.on_done)(result);
        }
    }

    pub(super) fn register(&mut self, contest: &NewContest) -> Result<(i64, bool), StoreError> {
        self.transact(async |transaction| {
            if let Some(found) = find(transaction, &contest.fingerprint).await? {
                return Ok(found);
            }
            let id = sqlx::query_scalar(
                "INSERT INTO contests (fingerprint, name, kind, game, config, seed, build, started_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id",
            )
            .bind(&contest.fingerprint)
            .bind(&contest.name)
            .bind(&contest.kind)
            .bind(&contest.game)
            .bind(contest.config.to_string())
            .bind(contest.seed.to_string())
            .bind(&contest.build)
            .bind(now())
            .fetch_one(&mut **transaction)
            .await?;
            for ContestPlayer { spec, identity } in &contest.players {
                let player = player_key(transaction, spec, &identity.build).await?;
                let identity = player_key(transaction, &identity.spec, &identity.build).await?;
                sqlx::query(
                    "INSERT INTO contest_players (contest, player, identity) VALUES ($1, $2, $3)
                     ON CONFLICT (contest, player) DO NOTHING",
                )
                .bind(id)
                .bind(player)
                .bind(identity)
                .execute(&mut **transaction)
                .await?;
            }
            Ok((id, false))
        })
    }

    pub(super) fn find(&mut self, fingerprint: &str) -> Result<Option<(i64, bool)>, StoreError> {
        self.transact(async |transaction| find(transaction, fingerprint).await)
    }

    pub(super) fn restart(&mut self, contest: i64) -> Result<(), StoreError> {
        let found = self.transact(async |transaction| {
            for delete in
                ["DELETE FROM games WHERE contest = $1", "DELETE FROM repeats WHERE contest = $1"]
            {
                sqlx::query(delete).bind(contest).execute(&mut **transaction).await?;
            }
            let reset = "UPDATE contests SET finished_at = NULL, started_at = $2 WHERE id = $1";
            let updated =
                sqlx::query(reset).bind(contest).bind(now()).execute(&mut **transaction).await?;
            Ok(updated.rows_affected())
        })?;
        if found == 0 { Err(StoreError::NoContest(contest)) } else { Ok(()) }
    }

    pub(super) fn finish(&mut self, contest: i64) -> Result<(), StoreError> {
        let found = self.transact(async |transaction| {
            let finish = "UPDATE contests SET finished_at = $2 WHERE id = $1";
            let updated =
                sqlx::query(finish).bind(contest).bind(now()).execute(&mut **transaction).await?;
            Ok(updated.rows_affected())
        })?;
        if found == 0 { Err(StoreError::NoContest(contest)) } else { Ok(()) }
    }

    pub(super) fn check_integrity(&mut self) -> Result<(), StoreError> {
        let verdict: String = self.run(async |connection| {
            sqlx::query_scalar("PRAGMA integrity_check(1)").fetch_one(connection).await
        })?;
        if verdict == "ok" {
            return Ok(());
        }
        Err(StoreError::Damaged { path: self.path().to_owned(), reason: verdict })
    }

    /// Runs `work` in a transaction.
    pub(super) fn transact<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut Transaction<'_, Sqlite>) -> Result<T, sqlx::Error>,
    ) -> Result<T, StoreError> {
        self.run(async |connection| {
            let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
            let value = work(&mut transaction).await?;
            transaction.commit().await?;
            Ok(value)
        })
    }

    /// Runs `work` on the connection; after an error, nothing is known of the file any more.
    pub(super) fn run<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, StoreError> {
        let done = self.connection.run(work);
        if done.is_err() {
            self.known = KnownKeys::default();
        }
        done
    }
}

/// Makes one change. The inner error is about this change alone.
async fn apply(
    transaction: &mut Transaction<'_, Sqlite>,
    known: &mut KnownKeys,
    change: &StoreChange,
) -> Result<Result<(), StoreError>, sqlx::Error> {
    match change {
        StoreChange::Game(contest, game) => insert(transaction, known, *contest, game).await,
        StoreChange::Repeat { contest, number, of } => {
            Ok(Ok(mark_repeat(transaction, *contest, *number, *of).await?))
        }
        StoreChange::Documents(changes) => Ok(Ok(documents::apply(transaction, changes).await?)),
    }
}

/// Collects all queued changes to commit with `first`. Threads `answered` by the last commit will soon
/// send their next game, and a short wait for them saves a commit: otherwise two threads would
/// alternate, with one game per commit.
fn gather_group(
    first: QueuedChange,
    answered: usize,
    queue: &Receiver<Job>,
) -> (Vec<QueuedChange>, Option<Job>) {
    let mut group = vec![first];
    let take = |group: &mut Vec<QueuedChange>, job| match job {
        Job::Add(addition) => {
            group.push(*addition);
            None
        }
        call @ Job::Call(_) => Some(call),
    };
    while group.len() < MAX_GROUP_SIZE
        && let Ok(job) = queue.try_recv()
    {
        if let Some(call) = take(&mut group, job) {
            return (group, Some(call));
        }
    }
    let until = Instant::now() + GROUP_WAIT;
    let expected = (group.len() + answered).min(MAX_GROUP_SIZE);
    while group.len() < expected {
        match queue.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(job) => {
                if let Some(call) = take(&mut group, job) {
                    return (group, Some(call));
                }
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    (group, None)
}

async fn find(
    transaction: &mut Transaction<'_, Sqlite>,
    fingerprint: &str,
) -> Result<Option<(i64, bool)>, sqlx::Error> {
    let select = "SELECT id, finished_at FROM contests WHERE fingerprint = $1";
    let found: Option<(i64, Option<i64>)> =
        sqlx::query_as(select).bind(fingerprint).fetch_optional(&mut **transaction).await?;
    Ok(found.map(|(id, finished_at)| (id, finished_at.is_some())))
}

/// Adds one game. The inner error is about this game alone.
async fn insert(
    transaction: &mut Transaction<'_, Sqlite>,
    known: &mut KnownKeys,
    contest: i64,
    game: &StoredGame,
) -> Result<Result<(), StoreError>, sqlx::Error> {
    let KnownContest { build, players } = match known.contests.entry(contest) {
        Entry::Occupied(entry) => entry.into_mut(),
        Entry::Vacant(entry) => match known_contest(transaction, contest).await? {
            Some(found) => entry.insert(found),
            None => return Ok(Err(StoreError::NoContest(contest))),
        },
    };
    let mut keys = [0; 2];
    for (key, spec) in keys.iter_mut().zip([&game.first, &game.second]) {
        if !players.contains_key(spec) {
            players.insert(spec.clone(), player_key(transaction, spec, build).await?);
        }
        *key = players[spec];
    }
    // A conflict shows in the row count; as an error it would abort the transaction.
    let inserted = sqlx::query(
        "INSERT INTO games (contest, number, first_player, second_player, opening, moves, result,
             reason, category, detail, plies, stats, record, finished_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
         ON CONFLICT (contest, number) DO NOTHING",
    )
    .bind(contest)
    .bind(game.index as i64)
    .bind(keys[0])
    .bind(keys[1])
    .bind(&game.opening)
    .bind(&game.moves)
    .bind(game.result.id())
    .bind(game.reason.id())
    .bind(game.category.map(Category::id))
    .bind(&game.detail)
    .bind(game.plies)
    .bind(serde_json::json!(game.stats).to_string())
    .bind(&game.record)
    .bind(game.finished_at)
    .execute(&mut **transaction)
    .await?;
    if inserted.rows_affected() == 0 {
        return Ok(Err(StoreError::DuplicateGame { contest, index: game.index }));
    }
    Ok(Ok(()))
}

/// Replaces a game by a repeat mark, in one transaction.
async fn mark_repeat(
    transaction: &mut Transaction<'_, Sqlite>,
    contest: i64,
    number: i64,
    of: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO repeats (contest, number, repeated) VALUES ($1, $2, $3)
         ON CONFLICT (contest, number) DO NOTHING",
    )
    .bind(contest)
    .bind(number)
    .bind(of)
    .execute(&mut **transaction)
    .await?;
    sqlx::query("DELETE FROM games WHERE contest = $1 AND number = $2")
        .bind(contest)
        .bind(number)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}

async fn known_contest(
    transaction: &mut Transaction<'_, Sqlite>,
    id: i64,
) -> Result<Option<KnownContest>, sqlx::Error> {
    let select = "SELECT build FROM contests WHERE id = $1";
    let build: Option<String> =
        sqlx::query_scalar(select).bind(id).fetch_optional(&mut **transaction).await?;
    let Some(build) = build else { return Ok(None) };
    let select = "SELECT p.spec, p.id FROM contest_players c JOIN players p ON p.id = c.player
        WHERE c.contest = $1";
    let players: Vec<(String, i64)> =
        sqlx::query_as(select).bind(id).fetch_all(&mut **transaction).await?;
    Ok(Some(KnownContest { build, players: players.into_iter().collect() }))
}

/// The key of a player, adding it if it is new.
pub(super) async fn player_key(
    transaction: &mut Transaction<'_, Sqlite>,
    spec: &str,
    build: &str,
) -> Result<i64, sqlx::Error> {
    let (recipe, options) = ludus_core::options::split_name(spec);
    sqlx::query(
        "INSERT INTO players (spec, recipe, options, build) VALUES ($1, $2, $3, $4)
         ON CONFLICT (spec, build) DO NOTHING",
    )
    .bind(spec)
    .bind(recipe)
    .bind(options)
    .bind(build)
    .execute(&mut **transaction)
    .await?;
    sqlx::query_scalar("SELECT id FROM players WHERE spec = $1 AND build = $2")
        .bind(spec)
        .bind(build)
        .fetch_one(&mut **transaction)
        .await
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}
