//! Parallel play of many games, each committed to the store before it counts.

use crate::{
    adjudicate::{Adjudication, ResultOracle},
    game::{self, Category, GameReport, GameRules, Opening, PlayerStats, Players},
    identity::BuildDifference,
    openings::OpeningBook,
    provenance::{self, Provenance},
    schedule::PlannedGame,
    store::{ContestPlayer, PendingWrite, Store, StoreError, StoredGame},
};
use ludus_core::{EndReason, Limits, Options, Outcome, PlayerError, Random, Side, TextError};
use ludus_files::LockError;
use ludus_formats::WriteOptions;
use ludus_players::{Board, Finish, Game, Resources};
use std::{
    collections::VecDeque,
    ops::ControlFlow,
    sync::{
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

/// Parameters common to all games of a contest.
pub struct GameContext<'a> {
    /// The game.
    pub game: &'static dyn Game,
    /// Its options.
    pub options: Options,
    /// The players.
    pub players: &'a [String],
    /// Their identities, if known.
    pub identities: &'a [ContestPlayer],
    /// Opening book.
    pub openings: &'a OpeningBook<'a>,
    /// Limits of each move.
    pub limits: Limits,
    /// Adjudication rules.
    pub adjudication: Adjudication,
    /// Source of known results, such as an endgame database.
    pub oracle: Option<&'a dyn ResultOracle>,
    /// Resources of the players.
    pub resources: &'a Resources,
    /// Random seed.
    pub seed: u64,
    /// Games played in parallel.
    pub concurrency: usize,
    /// Observer of the games, if any.
    pub observer: Option<&'a dyn GameObserver>,
}

impl GameContext<'_> {
    /// The builds of the two players of a game.
    fn builds_of(&self, planned: &PlannedGame) -> Option<[&str; 2]> {
        let build = |player: usize| Some(self.identities.get(player)?.identity.build.as_str());
        Some([build(planned.first)?, build(planned.second)?])
    }
}

/// Observer of running games. It is called on the threads that play, which wait for it.
pub trait GameObserver: Sync {
    /// A game has reached the position of `board`: its first one, or after a move.
    fn on_position(&self, planned: &PlannedGame, board: &dyn Board);

    /// A game is over or was abandoned.
    fn on_end(&self, planned: &PlannedGame);
}

/// Reasons for which a contest cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// A player cannot be created.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// An opening is invalid.
    #[error(transparent)]
    Opening(#[from] TextError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The contest cannot be locked.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// Games are left to play, but the program or a player has another build now.
    #[error(
        "cannot resume contest {contest}: {} was {} when it started and is {} now; use the original \
         build, or start a new contest without --resume",
        difference.name, difference.original, difference.current
    )]
    OtherBuild {
        /// The id of the contest.
        contest: i64,
        /// The first difference.
        difference: BuildDifference,
    },
}

/// A finished game sent by a worker, with its plan.
pub(crate) type FinishedGame = Result<(PlannedGame, StoredGame), ContestError>;

/// Interval at which the stop flag and the store are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Finished games that may wait for the store.
const MAX_QUEUED_GAMES: usize = 512;

/// Called for every game once it is stored; breaks to end the contest.
type OnGame<'a> =
    &'a mut dyn FnMut(&PlannedGame, &StoredGame) -> Result<ControlFlow<()>, ContestError>;

/// Plays `plan` on `contest.concurrency` threads. Each game is passed to `on_game` once it is
/// stored in contest `id`. When that breaks or `stop` is set, no more games are started and
/// unfinished ones are dropped.
pub fn play_all(
    contest: &GameContext<'_>,
    plan: &[PlannedGame],
    store: &Store,
    id: i64,
    stop: &AtomicBool,
    on_game: OnGame<'_>,
) -> Result<(), ContestError> {
    let halt = AtomicBool::new(false);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = sync_channel(MAX_QUEUED_GAMES);
    thread::scope(|scope| {
        for _ in 0..contest.concurrency.clamp(1, plan.len().max(1)) {
            let (sender, next, halt) = (sender.clone(), &next, &halt);
            scope.spawn(move || play_until_halted(contest, plan, next, halt, &sender));
        }
        drop(sender);
        let mut collector = ResultCollector { store, id, waiting: VecDeque::new() };
        let result = collector.collect(&receiver, &halt, stop, on_game);
        halt.store(true, Ordering::Relaxed);
        for _ in receiver {} // unblocks workers that wait for a free slot in the channel
        result
    })
}

/// Receives finished games and passes them on once they are stored, in the order of arrival.
struct ResultCollector<'a> {
    store: &'a Store,
    id: i64,
    waiting: VecDeque<(PlannedGame, StoredGame, PendingWrite)>,
}

impl ResultCollector<'_> {
    fn collect(
        &mut self,
        receiver: &Receiver<FinishedGame>,
        halt: &AtomicBool,
        stop: &AtomicBool,
        on_game: OnGame<'_>,
    ) -> Result<(), ContestError> {
        loop {
            if stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
            }
            match receiver.recv_timeout(POLL_INTERVAL) {
                Ok(finished) => {
                    let (planned, game) = finished?;
                    let pending = self.store.submit(self.id, game.clone())?;
                    self.waiting.push_back((planned, game, pending));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    while let Some((planned, game, pending)) = self.waiting.pop_front() {
                        pending.wait()?;
                        if on_game(&planned, &game)?.is_break() {
                            break;
                        }
                    }
                    return Ok(());
                }
            }
            while let Some((_, _, pending)) = self.waiting.front() {
                let Some(stored) = pending.poll() else { break };
                stored?;
                let (planned, game, _) = self.waiting.pop_front().expect("looked at above");
                if on_game(&planned, &game)?.is_break() {
                    return Ok(());
                }
            }
        }
    }
}

fn play_until_halted(
    contest: &GameContext<'_>,
    plan: &[PlannedGame],
    next: &AtomicUsize,
    halt: &AtomicBool,
    sender: &SyncSender<FinishedGame>,
) {
    let mut seated = None;
    while !halt.load(Ordering::Relaxed) {
        let Some(planned) = plan.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
        let finished = play_planned(contest, &mut seated, planned, halt);
        let failed = finished.is_err();
        if halt.load(Ordering::Relaxed) || sender.send(finished).is_err() || failed {
            return;
        }
    }
}

/// A board and its two players, reused from game to game so that engines stay alive.
pub(crate) struct SeatedPlayers {
    seats: [usize; 2],
    board: Box<dyn Board>,
    players: Players,
}

pub(crate) fn play_planned(
    contest: &GameContext<'_>,
    seated: &mut Option<SeatedPlayers>,
    planned: &PlannedGame,
    halt: &AtomicBool,
) -> FinishedGame {
    let opening = &contest.openings.opening(planned.opening)?;
    let SeatedPlayers { board, players, .. } = match seat(contest, seated, planned) {
        Ok(seated) => seated,
        Err((side, error)) => return forfeit(contest, planned, opening, side, error),
    };
    let mut random = Random::new(contest.seed).split(&format!("game {}", planned.index));
    let seeds = [random.bits(), random.bits()];
    let rules = GameRules {
        limits: contest.limits,
        adjudication: &contest.adjudication,
        oracle: contest.oracle,
        on_position: &|board| {
            if let Some(observer) = contest.observer {
                observer.on_position(planned, board);
            }
        },
    };
    let started_at = provenance::now();
    let report = game::play(&mut **board, players, opening, seeds, &rules, halt);
    if let Some(observer) = contest.observer {
        observer.on_end(planned);
    }
    let report = report?;
    let stored = stored(contest, planned, opening, report, &**board, started_at);
    if stored.category == Some(Category::Forfeit) {
        *seated = None; // after a fault the next game starts with new players
    }
    Ok((*planned, stored))
}

/// Seats the players of a game: the last ones if they are the same two.
fn seat<'a>(
    contest: &GameContext<'_>,
    seated: &'a mut Option<SeatedPlayers>,
    planned: &PlannedGame,
) -> Result<&'a mut SeatedPlayers, (Side, ContestError)> {
    let seats = [planned.first, planned.second];
    match seated {
        Some(seated) if seated.seats == seats => {}
        Some(seated) if seated.seats == [seats[1], seats[0]] => {
            seated.players.swap(0, 1);
            seated.seats = seats;
        }
        _ => *seated = Some(seat_anew(contest, seats)?),
    }
    Ok(seated.as_mut().expect("just set"))
}

fn seat_anew(
    contest: &GameContext<'_>,
    seats: [usize; 2],
) -> Result<SeatedPlayers, (Side, ContestError)> {
    let board = contest.game.open(&contest.options, None);
    let board = board.map_err(|error| (Side::First, error.into()))?;
    let player = |side: Side| {
        let spec = &contest.players[seats[side.index()]];
        contest.game.player(spec, contest.resources).map_err(|error| (side, error.into()))
    };
    let players = [player(Side::First)?, player(Side::Second)?];
    Ok(SeatedPlayers { seats, board, players })
}

/// Game of a player that could not be started: lost without a move if the fault is the player's.
fn forfeit(
    contest: &GameContext<'_>,
    planned: &PlannedGame,
    opening: &Opening,
    side: Side,
    error: ContestError,
) -> FinishedGame {
    let ContestError::Player(PlayerError::Fault(..) | PlayerError::Failed(_)) = &error else {
        return Err(error);
    };
    let board = contest.game.open(&contest.options, opening.position.as_deref())?;
    let finish = Finish { outcome: Outcome::Win(!side), reason: EndReason::Forfeit, margin: None };
    let report = GameReport {
        moves: Vec::new(),
        finish,
        category: Some(Category::Forfeit),
        detail: Some(error.to_string()),
        player_stats: [PlayerStats::default(); 2],
        record: board.record(Some(finish)),
        write_options: WriteOptions { starts: Some(board.first_turn()), first_number: None },
    };
    let now = provenance::now();
    Ok((*planned, stored(contest, planned, opening, report, &*board, now)))
}

fn stored(
    contest: &GameContext<'_>,
    planned: &PlannedGame,
    opening: &Opening,
    report: GameReport,
    board: &dyn Board,
    started_at: u64,
) -> StoredGame {
    let [first, second] = [planned.first, planned.second].map(|player| &contest.players[player]);
    let GameReport { mut record, moves, finish, category, detail, player_stats, write_options } =
        report;
    let provenance = Provenance {
        event: provenance::CONTEST_EVENT,
        round: (planned.index + 1).to_string(),
        names: [first, second],
        builds: contest.builds_of(planned),
        limits: Some(contest.limits),
        seed: Some(contest.seed),
        opening: Some(opening),
        finish: Some(finish),
        started_at: Some(started_at),
    };
    provenance.write(board, &mut record);
    StoredGame {
        index: planned.index,
        first: first.clone(),
        second: second.clone(),
        opening: (*opening != Opening::default())
            .then(|| opening.position.clone().unwrap_or_else(|| opening.moves.join(" "))),
        plies: moves.len() as u32,
        moves: moves.join(" "),
        result: finish.outcome,
        reason: finish.reason,
        category,
        detail,
        stats: player_stats,
        record: board.record_format().write(&record, &write_options),
        finished_at: provenance::now() as i64,
    }
}
