//! The store: every contest, game, player and rating, in one SQLite file.
//!
//! A [`Store`] is a handle on one thread that owns the connection. Games wait in a queue; the thread
//! commits all that wait in one transaction (group commit), because a commit costs one wait for the
//! disk however many games are in it. What was committed survives a killed program and a power cut:
//! the journal is a write-ahead log that is synced at every commit.

mod contests;
mod documents;
mod error;
mod queries;
mod ratings;
mod schema;
mod writer;

pub use contests::StoredContest;
pub use documents::Document;
pub use error::StoreError;
pub use queries::{ContestFilter, GameFilter, GameRow, Games, Order};
pub use ratings::{PairResults, PlayerId, Rating};

use crate::game::Category;
use ludus_core::{Outcome, Reason, TextError};
use serde::{Serialize, Serializer};
use std::{
    path::Path,
    sync::{
        Arc,
        mpsc::{self, Receiver},
    },
};
use writer::{Change, Handle, Writer};

/// What a contest is before its first game.
#[derive(Clone, Debug, PartialEq)]
pub struct NewContest {
    /// What people call it.
    pub name: String,
    /// `match` or `tournament`.
    pub kind: String,
    /// The game with its options, in the canonical form of `Session::game`.
    pub game: String,
    /// Everything it was asked to be.
    pub config: serde_json::Value,
    /// Equal for contests that would play the same games.
    pub fingerprint: String,
    /// Decides everything random.
    pub seed: u64,
    /// Which build of the program plays. The same player in another build is another player.
    pub build: String,
    /// Who the players are. A player that plays and is not among them is of `build`.
    pub players: Vec<ContestPlayer>,
}

/// A player of a contest: what it is called there, and who it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ContestPlayer {
    /// As it was called, such as `engine:table=4MB,net=off`.
    pub spec: String,
    /// Name and options in canonical form, and the build: ratings go by it.
    pub identity: PlayerId,
}

/// A contest in the store.
#[derive(Clone, Debug, PartialEq)]
pub struct Contest {
    /// Its key.
    pub id: i64,
    /// Its games so far, by index.
    pub games: Vec<StoredGame>,
    /// Whether all its games have been played.
    pub finished: bool,
}

/// A finished game.
#[derive(Serialize, Clone, Debug, PartialEq)]
pub struct StoredGame {
    /// The number within its contest, which no other game there has.
    pub index: u64,
    /// The player that was [`Side::First`](ludus_core::Side::First), such as `minimax:depth=3`.
    pub first: String,
    /// The other one.
    pub second: String,
    /// The start position, or the name of the opening; `None` for the start of the game.
    pub opening: Option<String>,
    /// The moves as the command line writes them, separated by spaces.
    pub moves: String,
    /// `first`, `second` or `draw`.
    pub result: String,
    /// Why it ended.
    #[serde(flatten, serialize_with = "words_and_id")]
    pub reason: Reason,
    /// What it counts as beyond its result: `forced`, `loop`, `forfeit` …
    pub category: Option<String>,
    /// What a faulty engine said.
    pub detail: Option<String>,
    /// How many moves were made.
    pub plies: u32,
    /// Depth, nodes, milliseconds … of each player.
    pub stats: serde_json::Value,
    /// The game as PGN, PDN or SGF.
    pub record: String,
    /// When it ended, in seconds since 1970.
    pub finished_at: i64,
}

/// The words people read, and the id programs go by.
fn words_and_id<S: Serializer>(reason: &Reason, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Both {
        reason: String,
        reason_id: &'static str,
    }
    Both { reason: reason.to_string(), reason_id: reason.id() }.serialize(serializer)
}

/// A handle on the file of games. Clones share one connection; the last to go closes it.
#[derive(Clone)]
pub struct Store {
    handle: Arc<Handle>,
}

/// A game on its way to the disk.
#[must_use = "a game counts only once it is known to be stored"]
pub struct Pending(Receiver<Result<(), StoreError>>);

impl Pending {
    /// Waits until the game is on the disk.
    pub fn wait(self) -> Result<(), StoreError> {
        self.0.recv().unwrap_or_else(|_| Err(writer::gone()))
    }

    /// Whether the game has reached the disk; `None` if it is still under way.
    pub fn poll(&self) -> Option<Result<(), StoreError>> {
        match self.0.try_recv() {
            Ok(result) => Some(result),
            Err(mpsc::TryRecvError::Empty) => None,
            Err(mpsc::TryRecvError::Disconnected) => Some(Err(writer::gone())),
        }
    }
}

impl Store {
    /// Opens the file at `path`, made anew if there is none, with the folders above it.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|error| StoreError::Open {
                path: path.to_owned(),
                reason: error.to_string(),
            })?;
        }
        Ok(Store { handle: Arc::new(Handle::start(path)?) })
    }

    /// Starts a contest or, if one with this fingerprint exists, returns it with its games.
    pub fn begin(&self, contest: &NewContest) -> Result<Contest, StoreError> {
        let (id, finished) = self.register(contest)?;
        Ok(Contest { id, games: self.contest_games(id).collect::<Result<_, _>>()?, finished })
    }

    /// [`begin`](Store::begin) without reading the games, which may be very many: the key of the
    /// contest and whether it is finished.
    pub fn register(&self, contest: &NewContest) -> Result<(i64, bool), StoreError> {
        if !["match", "tournament"].contains(&contest.kind.as_str()) {
            let kind = &contest.kind;
            let message = format!("a contest of kind {kind:?}: expected match or tournament");
            return Err(StoreError::Invalid(message));
        }
        let contest = contest.clone();
        self.call(move |writer| writer.register(&contest))
    }

    /// The key of the contest with this fingerprint, if there is one.
    pub fn number_of(&self, fingerprint: &str) -> Result<Option<i64>, StoreError> {
        let fingerprint = fingerprint.to_owned();
        Ok(self.call(move |writer| writer.find(&fingerprint))?.map(|(id, _)| id))
    }

    /// The contest with this fingerprint, with its games.
    pub fn find(&self, fingerprint: &str) -> Result<Option<Contest>, StoreError> {
        let fingerprint = fingerprint.to_owned();
        let Some((id, finished)) = self.call(move |writer| writer.find(&fingerprint))? else {
            return Ok(None);
        };
        let games = self.contest_games(id).collect::<Result<_, _>>()?;
        Ok(Some(Contest { id, games, finished }))
    }

    /// Deletes the games of a contest, to play it from its beginning again.
    pub fn restart(&self, contest: i64) -> Result<(), StoreError> {
        self.call(move |writer| writer.restart(contest))
    }

    /// Stores a game; returns when it is on the disk. Several threads may call it at once: games
    /// that wait at the same time are committed together.
    pub fn add(&self, contest: i64, game: StoredGame) -> Result<(), StoreError> {
        self.submit(contest, game)?.wait()
    }

    /// Sends a game on its way to the disk and goes on, so that the next game can be played
    /// meanwhile. Waits only if very many games are under way.
    pub fn submit(&self, contest: i64, game: StoredGame) -> Result<Pending, StoreError> {
        check(&game)?;
        let (reply, stored) = mpsc::channel();
        self.handle.add(contest, Change::Game(Box::new(game)), reply)?;
        Ok(Pending(stored))
    }

    /// Sends a note on its way to the disk that game `index` of a contest repeats game `of`. It
    /// takes the place of the game.
    pub fn mark_repeat(&self, contest: i64, index: u64, of: u64) -> Result<Pending, StoreError> {
        let number = |index| i64::try_from(index).map_err(|_| too_large(index));
        let (reply, stored) = mpsc::channel();
        self.handle.add(contest, Change::Repeat(number(index)?, number(of)?), reply)?;
        Ok(Pending(stored))
    }

    /// The games of a contest that repeat earlier ones, each with the number of that one.
    pub fn repeats(&self, contest: i64) -> Result<Vec<(u64, u64)>, StoreError> {
        self.call(move |writer| writer.repeats(contest))
    }

    /// Who the players of a contest are, as far as it was stored when it began: contests of old
    /// versions have none.
    pub fn contest_players(&self, contest: i64) -> Result<Vec<ContestPlayer>, StoreError> {
        self.call(move |writer| writer.contest_players(contest))
    }

    /// Marks a contest as finished.
    pub fn finish(&self, contest: i64) -> Result<(), StoreError> {
        self.call(move |writer| writer.finish(contest))
    }

    /// The games that pass `filter`, read a page at a time.
    pub fn games(&self, filter: &GameFilter) -> Games {
        Games::new(self.clone(), filter.clone())
    }

    /// How many games pass `filter`, whatever its limit and offset.
    pub fn count_games(&self, filter: &GameFilter) -> Result<u64, StoreError> {
        let filter = filter.clone();
        self.call(move |writer| writer.count(&filter))
    }

    /// The games of a contest by index, read a page at a time.
    pub fn contest_games(
        &self,
        contest: i64,
    ) -> impl Iterator<Item = Result<StoredGame, StoreError>> + use<> {
        queries::by_index(self.clone(), contest)
    }

    /// The game with this key.
    pub fn game(&self, id: i64) -> Result<Option<GameRow>, StoreError> {
        self.call(move |writer| writer.game(id))
    }

    /// Replaces the ratings of `game` (with its options) by these.
    pub fn save_ratings(&self, game: &str, ratings: &[Rating]) -> Result<(), StoreError> {
        let (game, ratings) = (game.to_owned(), ratings.to_owned());
        self.call(move |writer| writer.save_ratings(&game, &ratings))
    }

    /// The ratings, best first, game by game: of all games, or of one as [`GameFilter::game`] has
    /// it.
    pub fn ratings(&self, game: Option<&str>) -> Result<Vec<Rating>, StoreError> {
        let game = game.map(str::to_owned);
        self.call(move |writer| writer.ratings(game.as_deref()))
    }

    /// How often each player beat each other one in `game` (with its options): what ratings are
    /// computed from. Games of the same players with the same moves, in whichever contests, count
    /// once.
    pub fn pair_results(&self, game: &str) -> Result<Vec<PairResults>, StoreError> {
        let game = game.to_owned();
        self.call(move |writer| writer.pair_results(&game))
    }

    /// Reads the whole file and says whether all of it makes sense.
    pub fn check_integrity(&self) -> Result<(), StoreError> {
        self.call(Writer::check_integrity)
    }

    fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Writer) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.handle.call(work)
    }
}

/// Refuses what the tables could not hold, before it is in a transaction with other games.
fn check(game: &StoredGame) -> Result<(), StoreError> {
    let refused = |error: TextError| StoreError::Invalid(format!("a game: {error}"));
    Outcome::from_id(&game.result).map_err(refused)?;
    if let Some(category) = &game.category {
        Category::from_id(category).map_err(refused)?;
    }
    if i64::try_from(game.index).is_err() {
        return Err(too_large(game.index));
    }
    Ok(())
}

fn too_large(index: u64) -> StoreError {
    StoreError::Invalid(format!("a game of number {index}: expected at most {}", i64::MAX))
}
