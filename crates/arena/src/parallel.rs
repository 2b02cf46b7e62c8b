//! Parallel play of many games, each committed to the store before it counts.

use crate::{
    adjudicate::{Adjudication, ResultOracle},
    game::{self, Category, GameReport, GameRules, Opening, PlayerStats},
    identity::BuildDifference,
    openings::OpeningBook,
    provenance::{self, Provenance},
    schedule::PlannedGame,
    store::{ContestPlayer, PendingWrite, Store, StoreError, StoredGame},
};
use ludus_core::{EndReason, Limits, Options, Outcome, PlayerError, Random, Side, TextError};
use ludus_formats::WriteOptions;
use ludus_players::{Finish, Game, Resources, Session};
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
    /// A game has reached the position of `session`: its first one, or after a move.
    fn on_position(&self, planned: &PlannedGame, session: &dyn Session);

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
    let mut board = None;
    while !halt.load(Ordering::Relaxed) {
        let Some(planned) = plan.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
        let finished = play_planned(contest, &mut board, planned, halt);
        let failed = finished.is_err();
        if halt.load(Ordering::Relaxed) || sender.send(finished).is_err() || failed {
            return;
        }
    }
}

/// A board with two seated players, reused from game to game so that engines stay alive.
pub(crate) struct SeatedBoard {
    seats: [usize; 2],
    session: Box<dyn Session>,
}

pub(crate) fn play_planned(
    contest: &GameContext<'_>,
    board: &mut Option<SeatedBoard>,
    planned: &PlannedGame,
    halt: &AtomicBool,
) -> FinishedGame {
    let opening = &contest.openings.opening(planned.opening)?;
    let session = match seated_board(contest, board, [planned.first, planned.second]) {
        Ok(session) => session,
        Err((side, error)) => return forfeit(contest, planned, opening, side, error),
    };
    let mut random = Random::new(contest.seed).split(&format!("game {}", planned.index));
    let seeds = [random.bits(), random.bits()];
    let rules = GameRules {
        limits: contest.limits,
        adjudication: &contest.adjudication,
        oracle: contest.oracle,
        on_position: &|session| {
            if let Some(observer) = contest.observer {
                observer.on_position(planned, session);
            }
        },
    };
    let started_at = provenance::now();
    let report = game::play(session, opening, seeds, &rules, halt);
    if let Some(observer) = contest.observer {
        observer.on_end(planned);
    }
    let report = report?;
    let stored = stored(contest, planned, opening, report, session, started_at);
    if stored.category.as_deref() == Some("forfeit") {
        *board = None; // after a fault the next game starts with new players
    }
    Ok((*planned, stored))
}

/// The board with these players: the last one if it has the same two.
fn seated_board<'a>(
    contest: &GameContext<'_>,
    board: &'a mut Option<SeatedBoard>,
    seats: [usize; 2],
) -> Result<&'a mut dyn Session, (Side, ContestError)> {
    match board {
        Some(board) if board.seats == seats => {}
        Some(board) if board.seats == [seats[1], seats[0]] => {
            board.session.swap_seats();
            board.seats = seats;
        }
        _ => *board = Some(SeatedBoard { seats, session: open_board(contest, seats)? }),
    }
    Ok(&mut *board.as_mut().expect("just set").session)
}

fn open_board(
    contest: &GameContext<'_>,
    seats: [usize; 2],
) -> Result<Box<dyn Session>, (Side, ContestError)> {
    let opened = contest.game.open(&contest.options, None);
    let mut session = opened.map_err(|error| (Side::First, error.into()))?;
    for (side, player) in Side::BOTH.into_iter().zip(seats) {
        let seated = session.seat(side, &contest.players[player], contest.resources);
        seated.map_err(|error| (side, error.into()))?;
    }
    Ok(session)
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
    let session = contest.game.open(&contest.options, opening.position.as_deref())?;
    let finish = Finish { outcome: Outcome::Win(!side), reason: EndReason::Forfeit, margin: None };
    let report = GameReport {
        moves: Vec::new(),
        finish,
        category: Some(Category::Forfeit),
        detail: Some(error.to_string()),
        player_stats: [PlayerStats::default(); 2],
        record: session.record(Some(finish)),
        write_options: WriteOptions { starts: Some(session.first_turn()), first_number: None },
    };
    let now = provenance::now();
    Ok((*planned, stored(contest, planned, opening, report, &*session, now)))
}

fn stored(
    contest: &GameContext<'_>,
    planned: &PlannedGame,
    opening: &Opening,
    report: GameReport,
    session: &dyn Session,
    started_at: u64,
) -> StoredGame {
    let [first, second] = [planned.first, planned.second].map(|player| &contest.players[player]);
    let GameReport { mut record, moves, finish, category, detail, player_stats, write_options } =
        report;
    let provenance = Provenance {
        event: "Ludus contest",
        round: (planned.index + 1).to_string(),
        names: [first, second],
        builds: contest.builds_of(planned),
        limits: Some(contest.limits),
        seed: Some(contest.seed),
        opening: Some(opening),
        finish: Some(finish),
        started_at: Some(started_at),
    };
    provenance.write(session, &mut record);
    StoredGame {
        index: planned.index,
        first: first.clone(),
        second: second.clone(),
        opening: (*opening != Opening::default())
            .then(|| opening.position.clone().unwrap_or_else(|| opening.moves.join(" "))),
        plies: moves.len() as u32,
        moves: moves.join(" "),
        result: finish.outcome.id().to_owned(),
        reason: finish.reason,
        category: category.map(|category| category.id().to_owned()),
        detail,
        stats: serde_json::to_value(player_stats).expect("numbers are plain data"),
        record: session.record_format().write(&record, &write_options),
        finished_at: provenance::now() as i64,
    }
}
