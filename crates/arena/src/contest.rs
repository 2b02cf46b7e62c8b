//! Matches and tournaments: from the specification to the standings, with resume.

mod lock;
mod spec;

pub use lock::holder;
pub use spec::ContestSpec;

use crate::{
    elo::Pentanomial,
    identity,
    openings::OpeningBook,
    parallel::{self, ContestError, GameObserver},
    rating_list,
    repeats::{GameKey, RepeatDetector},
    schedule::{self, Bracket, PlannedGame, TournamentFormat},
    sprt::{Sprt, SprtState, SprtVerdict},
    store::{ContestPlayer, PendingWrite, Store, StoreError, StoredGame},
    table::{HeadToHead, Standings},
};
use ludus_files::LockHolder;
use std::{
    collections::{BTreeMap, VecDeque},
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
};

/// Start a new run of a contest, or resume an earlier one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum StartMode {
    /// A new run; earlier runs of the same contest stay in the store.
    New,
    /// Resumes the latest run of the same contest, if there is one.
    Resume,
}

/// Progress of a running contest.
pub struct ContestProgress<'a> {
    /// The standings so far.
    pub standings: &'a Standings,
    /// State of the sequential test, if there is one.
    pub sprt: Option<SprtState>,
    /// Games played, repeats included.
    pub done: u64,
    /// Maximum number of games.
    pub planned: u64,
}

/// Result of a contest that ended or was stopped.
pub struct ContestResult {
    /// Its id in the store.
    pub id: i64,
    /// The standings.
    pub standings: Standings,
    /// Final state of the sequential test, if there was one.
    pub sprt: Option<SprtState>,
    /// The winner of a knockout.
    pub champion: Option<usize>,
    /// Whether all planned games were played, the test was decided, or only repeats were left.
    pub complete: bool,
    /// Whether the test ended undecided because the players only repeated earlier games.
    pub no_new_games: bool,
}

/// Called with the id of a contest and the process that plays it.
pub type OnWait<'a> = &'a dyn Fn(i64, &LockHolder);

/// Callbacks of a running contest.
pub struct ContestCallbacks<'a> {
    /// Called after every counted game, also those of an earlier run.
    pub on_progress: &'a mut dyn FnMut(&ContestProgress<'_>),
    /// Called at every move.
    pub observer: Option<&'a dyn GameObserver>,
    /// Called once if another process plays this contest, with its id, before waiting for the end
    /// of that process.
    pub on_wait: Option<OnWait<'a>>,
}

impl<'a> ContestCallbacks<'a> {
    /// Callbacks of a contest of which only the progress is followed.
    pub fn new(on_progress: &'a mut dyn FnMut(&ContestProgress<'_>)) -> ContestCallbacks<'a> {
        ContestCallbacks { on_progress, observer: None, on_wait: None }
    }
}

/// Runs a contest: plays the games that are not in the store and returns the result of all.
pub fn run(
    spec: &ContestSpec,
    store: &Store,
    start: StartMode,
    stop: &AtomicBool,
    on_progress: &mut dyn FnMut(&ContestProgress<'_>),
) -> Result<ContestResult, ContestError> {
    run_watched(spec, store, start, stop, &mut ContestCallbacks::new(on_progress))
}

/// [`run`] with all callbacks.
pub fn run_watched(
    spec: &ContestSpec,
    store: &Store,
    start: StartMode,
    stop: &AtomicBool,
    callbacks: &mut ContestCallbacks<'_>,
) -> Result<ContestResult, ContestError> {
    let players = spec.identities()?;
    let id = register_as(spec, store, start, &players)?;
    resume_as(spec, store, id, stop, callbacks, &players)
}

/// Adds the contest to the store before its first game and returns its id.
pub fn register(spec: &ContestSpec, store: &Store, start: StartMode) -> Result<i64, ContestError> {
    register_as(spec, store, start, &spec.identities()?)
}

fn register_as(
    spec: &ContestSpec,
    store: &Store,
    start: StartMode,
    players: &[ContestPlayer],
) -> Result<i64, ContestError> {
    let config = spec.config();
    let mut runs = Vec::new();
    while let Some(id) = store.contest_id(&ContestSpec::fingerprint(&config, runs.len() as u32))? {
        runs.push(id);
    }
    if start == StartMode::Resume {
        for &id in runs.iter().rev() {
            if identity::build_differences(store, id, players)?.is_empty() {
                return Ok(id);
            }
        }
        // A run of another build can be read, but not resumed.
        if let Some(&latest) = runs.last() {
            return Ok(latest);
        }
    }
    Ok(store.register(&spec.stored(&config, runs.len() as u32, players))?.0)
}

/// Resumes contest `id`, which was [registered](register) with this specification.
pub fn resume(
    spec: &ContestSpec,
    store: &Store,
    id: i64,
    stop: &AtomicBool,
    callbacks: &mut ContestCallbacks<'_>,
) -> Result<ContestResult, ContestError> {
    resume_as(spec, store, id, stop, callbacks, &spec.identities()?)
}

fn resume_as(
    spec: &ContestSpec,
    store: &Store,
    id: i64,
    stop: &AtomicBool,
    callbacks: &mut ContestCallbacks<'_>,
    players: &[ContestPlayer],
) -> Result<ContestResult, ContestError> {
    // One process at a time: games that depend on the clock have no second result.
    let Some(_lock) = lock::acquire(store, id, stop, callbacks.on_wait)? else {
        return load(spec, store, id);
    };
    let access = Access::Write { store, stop, players };
    let result = count(spec, id, stored_games(store, id)?, access, callbacks)?;
    if result.complete {
        store.finish(result.id)?;
    }
    rating_list::update(store, &spec.options.to_string())?;
    Ok(result)
}

/// Loads the result of contest `id` from the store, without playing.
pub fn load(spec: &ContestSpec, store: &Store, id: i64) -> Result<ContestResult, ContestError> {
    let mut on_progress = |_: &ContestProgress<'_>| {};
    let callbacks = &mut ContestCallbacks::new(&mut on_progress);
    count(spec, id, stored_games(store, id)?, Access::Read, callbacks)
}

/// Computes the result of a contest from its games, whatever their source.
pub fn result_of_games(
    spec: &ContestSpec,
    games: impl IntoIterator<Item = StoredGame>,
) -> Result<ContestResult, ContestError> {
    let known = games.into_iter().map(|game| (game.index, KnownGame::new(game))).collect();
    let mut on_progress = |_: &ContestProgress<'_>| {};
    count(spec, 0, known, Access::Read, &mut ContestCallbacks::new(&mut on_progress))
}

/// The games of a contest that are in the store.
fn stored_games(store: &Store, id: i64) -> Result<BTreeMap<u64, KnownGame>, StoreError> {
    let repeats = store.repeats(id)?.into_iter();
    let mut known: BTreeMap<u64, KnownGame> =
        repeats.map(|(index, _)| (index, KnownGame::Repeat)).collect();
    for game in store.contest_games(id) {
        let game = game?;
        known.insert(game.index, KnownGame::new(game));
    }
    Ok(known)
}

/// Permission to play missing games, or only to count.
#[derive(Copy, Clone)]
enum Access<'a> {
    /// Count the known games.
    Read,
    /// Let these players play the rest until `stop` is set, and mark repeated games.
    Write { store: &'a Store, stop: &'a AtomicBool, players: &'a [ContestPlayer] },
}

/// Counts the known games, and plays the rest if `access` allows it.
fn count(
    spec: &ContestSpec,
    id: i64,
    known: BTreeMap<u64, KnownGame>,
    access: Access<'_>,
    callbacks: &mut ContestCallbacks<'_>,
) -> Result<ContestResult, ContestError> {
    let openings = OpeningBook::new(spec.game, &spec.options, &spec.openings, spec.seed);
    let mut state = ContestRunner {
        spec,
        access,
        id,
        openings: &openings,
        known,
        repeats: RepeatDetector::default(),
        marks: VecDeque::new(),
        standings: Standings::new(&spec.players),
        sprt: spec.sprt.map(|test| test.state(Pentanomial::default())),
        repeated_pairs: 0,
        done: 0,
        callbacks,
    };
    let champion = match spec.form {
        TournamentFormat::Knockout => state.knockout()?,
        form => {
            let pairings = schedule::pairings(form, spec.players.len());
            let games = pairings.into_iter().zip(0..).flat_map(|(players, number)| {
                schedule::pairing(players, number * spec.games, spec.games)
            });
            let plan: Vec<PlannedGame> = games.collect();
            state.play(&plan)?;
            None
        }
    };
    let decided = state.sprt.is_some_and(|sprt| sprt.verdict != SprtVerdict::Undecided);
    let no_new_games = !decided && state.has_no_new_games();
    let complete = match spec.form {
        // Tie breaks are not among the planned games, so the number of games says nothing.
        TournamentFormat::Knockout => champion.is_some(),
        _ => decided || no_new_games || state.done >= spec.planned(),
    };
    let ContestRunner { id, standings, sprt, .. } = state;
    Ok(ContestResult { id, standings, sprt, champion, complete, no_new_games })
}

/// A game waiting to be counted.
enum KnownGame {
    /// May turn out to be a repeat. Moves and record are dropped to save memory.
    Game { game: Box<StoredGame>, key: Option<GameKey> },
    /// Known to repeat an earlier game.
    Repeat,
}

impl KnownGame {
    fn new(game: StoredGame) -> KnownGame {
        let key = GameKey::of(&game);
        let game = Box::new(StoredGame { record: String::new(), moves: String::new(), ..game });
        KnownGame::Game { game, key }
    }
}

/// Consecutive game pairs without a new game that end a sequential test: the openings ran out.
const MAX_REPEATED_PAIRS: u64 = 200;

/// Repeat marks that may be waiting for the disk.
const MAX_PENDING_MARKS: usize = 512;

struct ContestRunner<'a, 'b> {
    spec: &'a ContestSpec,
    access: Access<'a>,
    id: i64,
    openings: &'a OpeningBook<'a>,
    /// Games in the store from an earlier run.
    known: BTreeMap<u64, KnownGame>,
    repeats: RepeatDetector,
    /// Repeat marks waiting for the disk.
    marks: VecDeque<PendingWrite>,
    standings: Standings,
    sprt: Option<SprtState>,
    repeated_pairs: u64,
    done: u64,
    callbacks: &'a mut ContestCallbacks<'b>,
}

impl ContestRunner<'_, '_> {
    /// Plays the games of `plan` that are not known, and counts all of them.
    fn play(&mut self, plan: &[PlannedGame]) -> Result<(), ContestError> {
        let mut counter = Counter { plan, next: 0, waiting: BTreeMap::new() };
        let mut missing = Vec::new();
        for planned in plan {
            match self.known.remove(&planned.index) {
                Some(game) => counter.waiting.insert(planned.index, game),
                None => {
                    missing.push(*planned);
                    None
                }
            };
        }
        let known = counter.count(self)?;
        if known.is_break() || missing.is_empty() {
            return self.wait_for_marks(0);
        }
        if let Access::Write { store, stop, players } = self.access
            && !stop.load(Ordering::Relaxed)
        {
            identity::require_same_builds(store, self.id, players)?;
            let contest = self.spec.game_context(self.openings, players, self.callbacks.observer);
            let id = self.id;
            parallel::play_all(&contest, &missing, store, id, stop, &mut |planned, game| {
                counter.waiting.insert(planned.index, KnownGame::new(game.clone()));
                Ok(counter.count(self)?)
            })?;
        }
        if self.spec.sprt.is_none() {
            counter.count_rest(self);
        }
        self.wait_for_marks(0)
    }

    /// Counts a game. If it is a repeat that was not marked yet, returns the number of the earlier
    /// game.
    fn add(&mut self, planned: &PlannedGame, played: KnownGame) -> Option<u64> {
        self.done += 1;
        let KnownGame::Game { game, key } = played else {
            self.standings.add_repeat(planned);
            return None;
        };
        let of = self.repeats.original_of(planned, key);
        match of {
            Some(_) => self.standings.add_repeat(planned),
            None => self.standings.add(planned, &game),
        }
        of
    }

    /// Marks game `index` in the store as a repeat of game `of`: its text is deleted, and it is not
    /// played again after a resume. If the program is killed before that, the repeat is found again.
    fn mark(&mut self, index: u64, of: u64) -> Result<(), StoreError> {
        if let Access::Write { store, .. } = self.access {
            self.marks.push_back(store.mark_repeat(self.id, index, of)?);
            self.wait_for_marks(MAX_PENDING_MARKS)?;
        }
        Ok(())
    }

    /// Waits until at most `most` marks are pending.
    fn wait_for_marks<E: From<StoreError>>(&mut self, most: usize) -> Result<(), E> {
        while self.marks.len() > most
            && let Some(mark) = self.marks.pop_front()
        {
            mark.wait()?;
        }
        Ok(())
    }

    fn has_no_new_games(&self) -> bool {
        self.spec.sprt.is_some() && self.repeated_pairs >= MAX_REPEATED_PAIRS
    }

    fn knockout(&mut self) -> Result<Option<usize>, ContestError> {
        let mut bracket = Bracket::new(self.spec.players.len(), self.spec.games);
        while bracket.champion().is_none() {
            let mut winners = Vec::new();
            for (players, index) in bracket.round() {
                let mut played = 0;
                let mut points = (0, 0);
                loop {
                    let games = bracket.games_of(players, index, played, points);
                    if games.is_empty() {
                        break;
                    }
                    self.play(&games)?;
                    let HeadToHead { wdl, repeats, .. } =
                        self.standings.cells[players.0][players.1];
                    if wdl.games() + repeats < played + games.len() as u64 {
                        return Ok(None); // stopped
                    }
                    played = wdl.games() + repeats;
                    points = (2 * wdl.wins + wdl.draws, 2 * wdl.losses + wdl.draws);
                }
                winners.push(if points.1 > points.0 { players.1 } else { players.0 });
            }
            bracket.advance(&winners);
        }
        Ok(bracket.champion())
    }
}

/// Counts games in planned order, whatever order they end in, so that a sequential test ends at the
/// same game and the same games are repeats with any number of threads.
struct Counter<'a> {
    plan: &'a [PlannedGame],
    next: usize,
    waiting: BTreeMap<u64, KnownGame>,
}

impl Counter<'_> {
    /// Counts games as far as they are available without a gap, and reports each.
    fn count(&mut self, state: &mut ContestRunner<'_, '_>) -> Result<ControlFlow<()>, StoreError> {
        while let Some(planned) = self.plan.get(self.next) {
            let Some(played) = self.waiting.remove(&planned.index) else { break };
            self.next += 1;
            let pairs = state.standings.cells[0][1].pairs;
            if let Some(of) = state.add(planned, played) {
                state.mark(planned.index, of)?;
            }
            // The test changes only after the second game of a pair.
            if let Some(test) = state.spec.sprt
                && self.next.is_multiple_of(2)
            {
                state.test(test, pairs);
                let decided = state.sprt.is_some_and(|sprt| sprt.verdict != SprtVerdict::Undecided);
                if decided || state.has_no_new_games() {
                    state.report_progress();
                    return Ok(ControlFlow::Break(()));
                }
            }
            state.report_progress();
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Counts the finished games behind unfinished ones after a stop. Not for a sequential test,
    /// which needs games in order.
    fn count_rest(&mut self, state: &mut ContestRunner<'_, '_>) {
        let before = state.done;
        for planned in &self.plan[self.next..] {
            if let Some(played) = self.waiting.remove(&planned.index) {
                // Not marked in the store: repeats are decided in planned order.
                let _ = state.add(planned, played);
            }
        }
        if state.done > before {
            state.report_progress();
        }
    }
}

impl ContestRunner<'_, '_> {
    /// Updates the test after a game pair, which counts if both games were new.
    fn test(&mut self, test: Sprt, before: Pentanomial) {
        let pairs = self.standings.cells[0][1].pairs;
        self.repeated_pairs = if pairs == before { self.repeated_pairs + 1 } else { 0 };
        self.sprt = Some(test.state(pairs));
    }
}

impl ContestRunner<'_, '_> {
    fn report_progress(&mut self) {
        let progress = ContestProgress {
            standings: &self.standings,
            sprt: self.sprt,
            done: self.done,
            planned: self.spec.planned(),
        };
        (self.callbacks.on_progress)(&progress);
    }
}
