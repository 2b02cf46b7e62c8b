//! Playing many games at once, each committed to the store before it counts.

use crate::{
    adjudicate::{Adjudication, Oracle},
    game::{self, Category, Effort, GameReport, GameRules, Opening},
    identity::Difference,
    openings::OpeningBook,
    provenance::{self, Provenance},
    schedule::Planned,
    store::{ContestPlayer, Pending, Store, StoreError, StoredGame},
};
use ludus_core::{Limits, Options, Outcome, PlayerError, Random, Reason, Side, TextError};
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

/// What all games of a contest have in common.
pub struct Contest<'a> {
    /// The game.
    pub game: &'static dyn Game,
    /// Its options.
    pub options: Options,
    /// The players.
    pub players: &'a [String],
    /// Who they are, if that is known.
    pub identities: &'a [ContestPlayer],
    /// Where games start.
    pub openings: &'a OpeningBook<'a>,
    /// How long players may think.
    pub limits: Limits,
    /// When games are stopped early.
    pub adjudication: Adjudication,
    /// Who knows the value of some positions.
    pub oracle: Option<&'a dyn Oracle>,
    /// What players may use.
    pub resources: &'a Resources,
    /// Decides everything random.
    pub seed: u64,
    /// Games played at once.
    pub concurrency: usize,
    /// Who looks on, if anybody does.
    pub observer: Option<&'a dyn Observer>,
}

impl Contest<'_> {
    /// The builds of those who play a game.
    fn builds_of(&self, planned: &Planned) -> Option<[&str; 2]> {
        let build = |player: usize| Some(self.identities.get(player)?.identity.build.as_str());
        Some([build(planned.first)?, build(planned.second)?])
    }
}

/// Somebody who looks on while games are played. The threads that play wait for it.
pub trait Observer: Sync {
    /// A game has come to the position of `session`, its first one or after a move.
    fn on_position(&self, planned: &Planned, session: &dyn Session);

    /// A game is over, or was given up.
    fn on_end(&self, planned: &Planned);
}

/// Why a contest could not go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A player cannot be made.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// An opening is wrong.
    #[error(transparent)]
    Opening(#[from] TextError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Games are left to play, but not by those who played the others.
    #[error(
        "contest {contest} cannot go on here: {} was {} when it began and is {} now: go on with \
         that one, or play anew without --resume",
        difference.what, difference.then, difference.now
    )]
    OtherBuild {
        /// The number of the contest.
        contest: i64,
        /// The first difference.
        difference: Difference,
    },
}

/// A finished game on its way from a worker: its plan and itself.
pub(crate) type Finished = Result<(Planned, StoredGame), RunError>;

/// How many finished games may wait for the store.
const WAITING: usize = 512;

/// Told of every game that is safely stored; breaks to end the contest.
type OnGame<'a> = &'a mut dyn FnMut(&Planned, &StoredGame) -> Result<ControlFlow<()>, RunError>;

/// Plays `plan` on `contest.concurrency` threads. Each game is given to `on_game` once it is safely
/// stored in the contest numbered `id`; when that breaks, or `stop` is raised, no more are
/// started and unfinished ones are dropped.
pub fn play_all(
    contest: &Contest<'_>,
    plan: &[Planned],
    store: &Store,
    id: i64,
    stop: &AtomicBool,
    on_game: OnGame<'_>,
) -> Result<(), RunError> {
    let halt = AtomicBool::new(false);
    let next = AtomicUsize::new(0);
    let (sender, receiver) = sync_channel(WAITING);
    thread::scope(|scope| {
        for _ in 0..contest.concurrency.clamp(1, plan.len().max(1)) {
            let (sender, next, halt) = (sender.clone(), &next, &halt);
            scope.spawn(move || work(contest, plan, next, halt, &sender));
        }
        drop(sender);
        let mut ledger = Ledger { store, id, waiting: VecDeque::new() };
        let result = ledger.collect(&receiver, &halt, stop, on_game);
        halt.store(true, Ordering::Relaxed);
        for _ in receiver {} // lets workers that wait for a place in the channel go home
        result
    })
}

/// Takes finished games in and passes them on once they are stored, in the order they came.
struct Ledger<'a> {
    store: &'a Store,
    id: i64,
    waiting: VecDeque<(Planned, StoredGame, Pending)>,
}

impl Ledger<'_> {
    fn collect(
        &mut self,
        receiver: &Receiver<Finished>,
        halt: &AtomicBool,
        stop: &AtomicBool,
        on_game: OnGame<'_>,
    ) -> Result<(), RunError> {
        loop {
            if stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
            }
            match receiver.recv_timeout(Duration::from_millis(5)) {
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

fn work(
    contest: &Contest<'_>,
    plan: &[Planned],
    next: &AtomicUsize,
    halt: &AtomicBool,
    sender: &SyncSender<Finished>,
) {
    let mut table = None;
    while !halt.load(Ordering::Relaxed) {
        let Some(planned) = plan.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
        let finished = play_planned(contest, &mut table, planned, halt);
        let failed = finished.is_err();
        if halt.load(Ordering::Relaxed) || sender.send(finished).is_err() || failed {
            return;
        }
    }
}

/// A board with two players at it, kept from game to game so that engines stay alive.
pub(crate) struct Table {
    seats: [usize; 2],
    session: Box<dyn Session>,
}

pub(crate) fn play_planned(
    contest: &Contest<'_>,
    table: &mut Option<Table>,
    planned: &Planned,
    halt: &AtomicBool,
) -> Finished {
    let opening = &contest.openings.opening(planned.opening)?;
    let session = match take_seats(contest, table, [planned.first, planned.second]) {
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
        *table = None; // whatever went wrong, the next game starts with fresh players
    }
    Ok((*planned, stored))
}

/// The board with these players at it: the one they sat at last, if they did.
fn take_seats<'a>(
    contest: &Contest<'_>,
    table: &'a mut Option<Table>,
    seats: [usize; 2],
) -> Result<&'a mut dyn Session, (Side, RunError)> {
    match table {
        Some(table) if table.seats == seats => {}
        Some(table) if table.seats == [seats[1], seats[0]] => {
            table.session.swap_seats();
            table.seats = seats;
        }
        _ => *table = Some(Table { seats, session: open_table(contest, seats)? }),
    }
    Ok(&mut *table.as_mut().expect("just set").session)
}

fn open_table(
    contest: &Contest<'_>,
    seats: [usize; 2],
) -> Result<Box<dyn Session>, (Side, RunError)> {
    let opened = contest.game.open(&contest.options, None);
    let mut session = opened.map_err(|error| (Side::First, error.into()))?;
    for (side, player) in Side::BOTH.into_iter().zip(seats) {
        let seated = session.seat(side, &contest.players[player], contest.resources);
        seated.map_err(|error| (side, error.into()))?;
    }
    Ok(session)
}

/// The game of a player that could not even start: lost without a move, if that is its own fault.
fn forfeit(
    contest: &Contest<'_>,
    planned: &Planned,
    opening: &Opening,
    side: Side,
    error: RunError,
) -> Finished {
    let RunError::Player(PlayerError::Fault(..) | PlayerError::Failed(_)) = &error else {
        return Err(error);
    };
    let session = contest.game.open(&contest.options, opening.position.as_deref())?;
    let finish = Finish { outcome: Outcome::Win(!side), reason: Reason::Forfeit, margin: None };
    let report = GameReport {
        moves: Vec::new(),
        finish,
        category: Some(Category::Forfeit),
        detail: Some(error.to_string()),
        efforts: [Effort::default(); 2],
        record: session.record(Some(finish)),
        write_options: WriteOptions { starts: Some(session.first_turn()), first_number: None },
    };
    let now = provenance::now();
    Ok((*planned, stored(contest, planned, opening, report, &*session, now)))
}

fn stored(
    contest: &Contest<'_>,
    planned: &Planned,
    opening: &Opening,
    report: GameReport,
    session: &dyn Session,
    started_at: u64,
) -> StoredGame {
    let [first, second] = [planned.first, planned.second].map(|player| &contest.players[player]);
    let GameReport { mut record, moves, finish, category, detail, efforts, write_options } = report;
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
        stats: serde_json::to_value(efforts).expect("numbers are plain data"),
        record: session.record_format().write(&record, &write_options),
        finished_at: provenance::now() as i64,
    }
}
