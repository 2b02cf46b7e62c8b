//! The store: every contest, game, player and rating, in one SQLite file.
//!
//! A [`Store`] is a handle on one thread that owns the connection. Games wait in a queue; the thread
//! commits all waiting games in one transaction (group commit), because a commit costs one disk sync
//! for any number of games. Committed games survive a killed program and a power failure: the
//! write-ahead log is synced at every commit. After an error the file is opened again, so that a store
//! goes on once the cause is gone, such as a full disk.

mod connection;
mod contests;
mod documents;
mod error;
mod queries;
mod ratings;
mod schema;
mod writer;

pub use contests::StoredContest;
pub use documents::{DocumentChange, StoredDocument};
pub use error::StoreError;
pub use queries::{ContestFilter, GameFilter, GameOrder, GameRow, StoredGames};
pub use ratings::{PairResults, PlayerId, StoredRating};

use crate::game::{Category, PlayerStats};
use ludus_core::{EndReason, Outcome};
use serde::{Serialize, Serializer};
use std::{
    path::Path,
    sync::{
        Arc,
        mpsc::{self, Receiver},
    },
};
use writer::{StoreChange, StoreWriter, WriterHandle};

/// A contest to be added to the store.
#[derive(Clone, Debug, PartialEq)]
pub struct NewContest {
    /// Display name.
    pub name: String,
    /// `match` or `tournament`.
    pub kind: String,
    /// The game with its options, in the canonical form of `Board::name`.
    pub game: String,
    /// Configuration.
    pub config: serde_json::Value,
    /// Equal for contests that would play the same games.
    pub fingerprint: String,
    /// Random seed.
    pub seed: u64,
    /// Build of the program. The same player in another build is another player.
    pub build: String,
    /// The players. Players of games that are not listed here have the build `build`.
    pub players: Vec<ContestPlayer>,
}

/// A player of a contest: its spec there, and its identity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContestPlayer {
    /// Spec as given, such as `engine:table=4MB,net=off`.
    pub spec: String,
    /// Spec in canonical form and build, the key of ratings.
    pub identity: PlayerId,
}

/// A contest in the store, with its games.
#[derive(Clone, Debug, PartialEq)]
pub struct ContestWithGames {
    /// Id.
    pub id: i64,
    /// Its games so far, by index.
    pub games: Vec<StoredGame>,
    /// Whether all its games have been played.
    pub finished: bool,
}

/// A finished game.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub struct StoredGame {
    /// Number of the game, unique within its contest.
    pub index: u64,
    /// The player that was [`Side::First`](ludus_core::Side::First), such as `minimax:depth=3`.
    pub first: String,
    /// The player that was [`Side::Second`](ludus_core::Side::Second).
    pub second: String,
    /// The opening as position or moves; `None` for the start position.
    pub opening: Option<String>,
    /// The moves as the command line writes them, separated by spaces.
    pub moves: String,
    /// Result.
    #[serde(serialize_with = "serialize_result")]
    pub result: Outcome,
    /// Reason of the ending.
    #[serde(flatten, serialize_with = "serialize_reason")]
    pub reason: EndReason,
    /// Category, if it is counted separately.
    pub category: Option<Category>,
    /// Error message of a faulty player.
    pub detail: Option<String>,
    /// Number of moves.
    pub plies: u32,
    /// Search effort of each player.
    pub stats: [PlayerStats; 2],
    /// The game as PGN, PDN or SGF.
    pub record: String,
    /// End time, in seconds since 1970.
    pub finished_at: i64,
}

/// Writes the id of the result: `first`, `second` or `draw`.
fn serialize_result<S: Serializer>(result: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    result.id().serialize(serializer)
}

/// Writes the reason as text for people and as id for programs.
fn serialize_reason<S: Serializer>(reason: &EndReason, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct TextAndId {
        reason: String,
        reason_id: &'static str,
    }
    TextAndId { reason: reason.to_string(), reason_id: reason.id() }.serialize(serializer)
}

/// A handle on the store. Clones share one connection, which the last one closes.
#[derive(Clone)]
pub struct Store {
    path: Arc<Path>,
    handle: Arc<WriterHandle>,
}

/// A pending write to the store.
#[must_use = "a game counts only once it is known to be stored"]
pub struct PendingWrite(Receiver<Result<(), StoreError>>);

impl PendingWrite {
    /// Waits until the write is committed.
    pub fn wait(self) -> Result<(), StoreError> {
        self.0.recv().unwrap_or_else(|_| Err(writer::stopped()))
    }

    /// The result of the write; `None` while it is pending.
    pub fn poll(&self) -> Option<Result<(), StoreError>> {
        match self.0.try_recv() {
            Ok(result) => Some(result),
            Err(mpsc::TryRecvError::Empty) => None,
            Err(mpsc::TryRecvError::Disconnected) => Some(Err(writer::stopped())),
        }
    }
}

impl Store {
    /// Opens the file at `path`; creates it and its folders if necessary.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| StoreError::Open {
                path: path.to_owned(),
                reason: error.to_string(),
            })?;
        }
        Ok(Store { path: path.into(), handle: Arc::new(WriterHandle::start(path)?) })
    }

    /// The file of the store.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a contest or, if one with this fingerprint exists, returns it with its games.
    pub fn begin(&self, contest: &NewContest) -> Result<ContestWithGames, StoreError> {
        let (id, finished) = self.register(contest)?;
        Ok(ContestWithGames {
            id,
            games: self.contest_games(id).collect::<Result<_, _>>()?,
            finished,
        })
    }

    /// [`begin`](Store::begin) without reading the games: the id of the contest, and whether it is
    /// finished.
    pub fn register(&self, contest: &NewContest) -> Result<(i64, bool), StoreError> {
        if !["match", "tournament"].contains(&contest.kind.as_str()) {
            let kind = &contest.kind;
            let message = format!("a contest of kind {kind:?}: expected match or tournament");
            return Err(StoreError::Invalid(message));
        }
        let contest = contest.clone();
        self.call(move |writer| writer.register(&contest))
    }

    /// The id of the contest with this fingerprint, if there is one.
    pub fn contest_id(&self, fingerprint: &str) -> Result<Option<i64>, StoreError> {
        let fingerprint = fingerprint.to_owned();
        Ok(self.call(move |writer| writer.find(&fingerprint))?.map(|(id, _)| id))
    }

    /// The contest with this fingerprint, with its games.
    pub fn find(&self, fingerprint: &str) -> Result<Option<ContestWithGames>, StoreError> {
        let fingerprint = fingerprint.to_owned();
        let Some((id, finished)) = self.call(move |writer| writer.find(&fingerprint))? else {
            return Ok(None);
        };
        let games = self.contest_games(id).collect::<Result<_, _>>()?;
        Ok(Some(ContestWithGames { id, games, finished }))
    }

    /// Deletes the games of a contest, to start it again.
    pub fn restart(&self, contest: i64) -> Result<(), StoreError> {
        self.call(move |writer| writer.restart(contest))
    }

    /// Stores a game; returns when it is committed. Games added by several threads at the same time are
    /// committed together.
    pub fn add(&self, contest: i64, game: StoredGame) -> Result<(), StoreError> {
        self.submit(contest, game)?.wait()
    }

    /// Queues a game for storing without waiting for the commit. Blocks only if the queue is full.
    pub fn submit(&self, contest: i64, game: StoredGame) -> Result<PendingWrite, StoreError> {
        check(&game)?;
        self.queue(StoreChange::Game(contest, Box::new(game)))
    }

    /// Queues a mark that game `index` of a contest repeats game `of`. It replaces the game.
    pub fn mark_repeat(
        &self,
        contest: i64,
        index: u64,
        of: u64,
    ) -> Result<PendingWrite, StoreError> {
        let number = |index| i64::try_from(index).map_err(|_| too_large(index));
        self.queue(StoreChange::Repeat { contest, number: number(index)?, of: number(of)? })
    }

    fn queue(&self, change: StoreChange) -> Result<PendingWrite, StoreError> {
        let (reply, stored) = mpsc::channel();
        // The receiver may be gone.
        self.handle.add(change, Box::new(move |result| drop(reply.send(result))))?;
        Ok(PendingWrite(stored))
    }

    /// The games of a contest that repeat earlier ones, each with the number of that one.
    pub fn repeats(&self, contest: i64) -> Result<Vec<(u64, u64)>, StoreError> {
        self.call(move |writer| writer.repeats(contest))
    }

    /// The players of a contest; none in contests of old versions.
    pub fn contest_players(&self, contest: i64) -> Result<Vec<ContestPlayer>, StoreError> {
        self.call(move |writer| writer.contest_players(contest))
    }

    /// Marks a contest as finished.
    pub fn finish(&self, contest: i64) -> Result<(), StoreError> {
        self.call(move |writer| writer.finish(contest))
    }

    /// The games that match `filter`, read page by page.
    pub fn games(&self, filter: &GameFilter) -> StoredGames {
        StoredGames::new(self.clone(), filter.clone())
    }

    /// Number of games that match `filter`, ignoring its limit and offset.
    pub fn count_games(&self, filter: &GameFilter) -> Result<u64, StoreError> {
        let filter = filter.clone();
        self.call(move |writer| writer.count(&filter))
    }

    /// The games of a contest by index, read page by page.
    pub fn contest_games(
        &self,
        contest: i64,
    ) -> impl Iterator<Item = Result<StoredGame, StoreError>> + use<> {
        queries::by_index(self.clone(), contest)
    }

    /// The game with this id.
    pub fn game(&self, id: i64) -> Result<Option<GameRow>, StoreError> {
        self.call(move |writer| writer.game(id))
    }

    /// Replaces the ratings of `game` (with its options) by these.
    pub fn save_ratings(&self, game: &str, ratings: &[StoredRating]) -> Result<(), StoreError> {
        let (game, ratings) = (game.to_owned(), ratings.to_owned());
        self.call(move |writer| writer.save_ratings(&game, &ratings))
    }

    /// The ratings, best first, game by game: of all games, or of one as [`GameFilter::game`] has
    /// it.
    pub fn ratings(&self, game: Option<&str>) -> Result<Vec<StoredRating>, StoreError> {
        let game = game.map(str::to_owned);
        self.call(move |writer| writer.ratings(game.as_deref()))
    }

    /// Results between all pairs of players in `game` (with its options), from which ratings are
    /// computed. Games of the same players with the same moves count once, also across contests.
    pub fn pair_results(&self, game: &str) -> Result<Vec<PairResults>, StoreError> {
        let game = game.to_owned();
        self.call(move |writer| writer.pair_results(&game))
    }

    /// Checks the integrity of the whole file.
    pub fn check_integrity(&self) -> Result<(), StoreError> {
        self.call(StoreWriter::check_integrity)
    }

    /// Limits the file to `pages` pages of 4,096 bytes, or to its size if that is more: a full disk, for
    /// tests. `u32::MAX` lifts the limit.
    #[doc(hidden)]
    pub fn set_max_pages(&self, pages: u32) -> Result<(), StoreError> {
        self.call(move |writer| {
            writer.set_max_pages(pages);
            Ok(())
        })
    }

    fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut StoreWriter) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.handle.call(work)
    }
}

/// Refuses invalid games before they share a transaction with others.
fn check(game: &StoredGame) -> Result<(), StoreError> {
    if i64::try_from(game.index).is_err() {
        return Err(too_large(game.index));
    }
    Ok(())
}

fn too_large(index: u64) -> StoreError {
    StoreError::Invalid(format!("a game of number {index}: expected at most {}", i64::MAX))
}
