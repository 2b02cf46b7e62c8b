//! A whole contest from its set-up to its table: begun, or resumed where it was cut off.

use crate::{
    adjudicate::Adjudication,
    build::BUILD,
    elo::Pairs,
    identity, ladder,
    openings::{OpeningBook, Openings},
    repeats::{GameKey, Repeats},
    run::{self, Contest, Observer, RunError},
    schedule::{self, Bracket, Form, Planned},
    sprt::{Sprt, SprtState, Verdict},
    store::{
        ContestPlayer, NewContest, Pending, PlayerId, Store, StoreError, StoredContest, StoredGame,
    },
    table::{Cell, Standings},
};
use ludus_core::{Clock, Limits, Options, PlayerError, TextError, position::mix};
use ludus_players::{Game, Resources, find_game};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, VecDeque},
    ops::ControlFlow,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Everything that decides a contest.
pub struct Setup {
    /// `match` or `tournament`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// The game.
    pub game: &'static dyn Game,
    /// Its options.
    pub options: Options,
    /// The players.
    pub players: Vec<String>,
    /// What they may use. Results must not depend on what they find there.
    pub resources: Resources,
    /// Who meets whom.
    pub form: Form,
    /// Games of each pairing.
    pub games: u64,
    /// Where games start.
    pub openings: Openings,
    /// How long players may think.
    pub limits: Limits,
    /// When games are stopped early.
    pub adjudication: Adjudication,
    /// Ends a contest of two players as soon as it is decided.
    pub sprt: Option<Sprt>,
    /// Decides everything random.
    pub seed: u64,
    /// Games played at once. Does not change any result of players that do not look at the clock.
    pub concurrency: usize,
}

/// Whether to go on with an earlier run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// A run of its own; earlier ones of the same contest stay in the store.
    Anew,
    /// Go on with the latest run of the same contest, if there is one.
    Resume,
}

/// How far a contest is.
pub struct Progress<'a> {
    /// The table so far.
    pub standings: &'a Standings,
    /// Where the sequential test is, if there is one.
    pub sprt: Option<SprtState>,
    /// Games played, repeated ones too.
    pub done: u64,
    /// Games there will be at most.
    pub planned: u64,
}

/// A contest that is over, or was stopped.
pub struct Held {
    /// Its number in the store.
    pub id: i64,
    /// The table.
    pub standings: Standings,
    /// Where the sequential test ended, if there was one.
    pub sprt: Option<SprtState>,
    /// The winner of a knockout.
    pub champion: Option<usize>,
    /// Whether every planned game was played, the test was decided, or no game was new any more.
    pub complete: bool,
    /// Whether the test ended undecided because the players only repeated games.
    pub no_new_games: bool,
}

/// A set-up as it is read back from the store.
#[derive(Deserialize)]
struct Config {
    game: String,
    players: Vec<String>,
    form: Form,
    games: u64,
    openings: Openings,
    depth: Option<u32>,
    nodes: Option<u64>,
    time_ms: Option<u64>,
    clock_ms: Option<[u64; 2]>,
    adjudication: Adjudication,
    sprt: Option<Sprt>,
    seed: u64,
}

impl Setup {
    /// The set-up as it is stored: all that decides results.
    pub fn config(&self) -> Value {
        let Limits { depth, nodes, time, clock } = self.limits;
        json!({
            "game": self.options.to_string(),
            "players": self.players,
            "form": self.form,
            "games": self.games,
            "openings": self.openings,
            "depth": depth,
            "nodes": nodes,
            "time_ms": time.map(|time| time.as_millis() as u64),
            "clock_ms": clock.map(|clock| {
                [clock.remaining.as_millis() as u64, clock.increment.as_millis() as u64]
            }),
            "adjudication": self.adjudication,
            "sprt": self.sprt,
            "seed": self.seed,
        })
    }

    /// The set-up of a contest in the store, to go on with it.
    ///
    /// # Errors
    /// If it was stored by a program that knew other games or settings.
    pub fn of_stored(
        contest: &StoredContest,
        resources: Resources,
        concurrency: usize,
    ) -> Result<Setup, TextError> {
        let config: Config = serde_json::from_value(contest.config.clone()).map_err(|error| {
            let expected = format!("a set-up this version can read ({error})");
            TextError::whole("contest", &contest.name, expected)
        })?;
        let (game, options) = find_game(&config.game)?;
        let milliseconds = Duration::from_millis;
        Ok(Setup {
            kind: if contest.kind == "match" { "match" } else { "tournament" },
            name: contest.name.clone(),
            game,
            options,
            players: config.players,
            resources,
            form: config.form,
            games: config.games,
            openings: config.openings,
            limits: Limits {
                depth: config.depth,
                nodes: config.nodes,
                time: config.time_ms.map(milliseconds),
                clock: config.clock_ms.map(|[remaining, increment]| Clock {
                    remaining: milliseconds(remaining),
                    increment: milliseconds(increment),
                    moves_to_go: None,
                }),
            },
            adjudication: config.adjudication,
            sprt: config.sprt,
            seed: config.seed,
            concurrency,
        })
    }

    /// Finds the contest again: the set-up and the number of the run.
    fn fingerprint(config: &Value, run: u32) -> String {
        let text = config.to_string();
        let hash = |seed: u64| text.bytes().fold(seed, |hash, byte| mix(hash ^ u64::from(byte)));
        format!("{:016x}{:016x}-{run}", hash(1), hash(2))
    }

    fn stored(&self, config: &Value, run: u32, players: &[ContestPlayer]) -> NewContest {
        NewContest {
            name: self.name.clone(),
            kind: self.kind.to_owned(),
            game: self.options.to_string(),
            config: config.clone(),
            fingerprint: Setup::fingerprint(config, run),
            seed: self.seed,
            build: BUILD.to_owned(),
            players: players.to_vec(),
        }
    }

    /// Who the players are. Programs of others are started once, to hear their names.
    ///
    /// # Errors
    /// If one of them is no player of the game.
    pub fn identities(&self) -> Result<Vec<ContestPlayer>, PlayerError> {
        let identify = |spec: &String| -> Result<ContestPlayer, PlayerError> {
            let identity = self.game.identify(spec, &self.resources)?;
            let build = identity.build(BUILD);
            let identity = PlayerId { spec: identity.spec, build };
            Ok(ContestPlayer { spec: spec.clone(), identity })
        };
        self.players.iter().map(identify).collect()
    }

    pub(crate) fn contest<'a>(
        &'a self,
        openings: &'a OpeningBook<'a>,
        identities: &'a [ContestPlayer],
        observer: Option<&'a dyn Observer>,
    ) -> Contest<'a> {
        Contest {
            game: self.game,
            options: self.options.clone(),
            players: &self.players,
            identities,
            openings,
            limits: self.limits,
            adjudication: self.adjudication.clone(),
            oracle: None,
            resources: &self.resources,
            seed: self.seed,
            concurrency: self.concurrency,
            observer,
        }
    }

    /// Games there will be at most.
    pub fn planned(&self) -> u64 {
        let pairings = match self.form {
            Form::Knockout => self.players.len().saturating_sub(1),
            form => schedule::pairings(form, self.players.len()).len(),
        };
        pairings as u64 * self.games
    }
}

/// Who looks on while a contest is held.
pub struct Audience<'a> {
    /// Told of every game that counts.
    pub on_progress: &'a mut dyn FnMut(&Progress<'_>),
    /// Told of every move.
    pub observer: Option<&'a dyn Observer>,
}

/// Holds a contest: plays what is not in the store yet and returns the table of everything.
pub fn hold(
    setup: &Setup,
    store: &Store,
    start: Start,
    stop: &AtomicBool,
    on_progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Held, RunError> {
    let players = setup.identities()?;
    let id = register_as(setup, store, start, &players)?;
    let audience = &mut Audience { on_progress, observer: None };
    go_on_as(setup, store, id, stop, audience, &players)
}

/// The number of the contest in the store, where it is noted before its first game.
pub fn register(setup: &Setup, store: &Store, start: Start) -> Result<i64, RunError> {
    register_as(setup, store, start, &setup.identities()?)
}

fn register_as(
    setup: &Setup,
    store: &Store,
    start: Start,
    players: &[ContestPlayer],
) -> Result<i64, RunError> {
    let config = setup.config();
    let mut runs = Vec::new();
    while let Some(id) = store.number_of(&Setup::fingerprint(&config, runs.len() as u32))? {
        runs.push(id);
    }
    if start == Start::Resume {
        for &id in runs.iter().rev() {
            if identity::differences(store, id, players)?.is_empty() {
                return Ok(id);
            }
        }
        // Another build's run can still be read.
        if let Some(&latest) = runs.last() {
            return Ok(latest);
        }
    }
    Ok(store.register(&setup.stored(&config, runs.len() as u32, players))?.0)
}

/// Holds the contest numbered `id`, which was [registered](register) with this set-up.
pub fn go_on(
    setup: &Setup,
    store: &Store,
    id: i64,
    stop: &AtomicBool,
    audience: &mut Audience<'_>,
) -> Result<Held, RunError> {
    go_on_as(setup, store, id, stop, audience, &setup.identities()?)
}

fn go_on_as(
    setup: &Setup,
    store: &Store,
    id: i64,
    stop: &AtomicBool,
    audience: &mut Audience<'_>,
    players: &[ContestPlayer],
) -> Result<Held, RunError> {
    let access = Access::Write { store, stop, players };
    let held = count(setup, id, stored_games(store, id)?, access, audience)?;
    if held.complete {
        store.finish(held.id)?;
    }
    ladder::update(store, &setup.options.to_string())?;
    Ok(held)
}

/// What the contest numbered `id` has come to, without playing on.
pub fn so_far(setup: &Setup, store: &Store, id: i64) -> Result<Held, RunError> {
    let mut audience = Audience { on_progress: &mut |_| {}, observer: None };
    count(setup, id, stored_games(store, id)?, Access::Read, &mut audience)
}

/// What these games of a contest come to, wherever they are from.
pub fn count_games(
    setup: &Setup,
    games: impl IntoIterator<Item = StoredGame>,
) -> Result<Held, RunError> {
    let known = games.into_iter().map(|game| (game.index, Played::new(game))).collect();
    let mut audience = Audience { on_progress: &mut |_| {}, observer: None };
    count(setup, 0, known, Access::Read, &mut audience)
}

/// The games of a contest that are in the store.
fn stored_games(store: &Store, id: i64) -> Result<BTreeMap<u64, Played>, StoreError> {
    let repeats = store.repeats(id)?.into_iter();
    let mut known: BTreeMap<u64, Played> =
        repeats.map(|(index, _)| (index, Played::Repeat)).collect();
    for game in store.contest_games(id) {
        let game = game?;
        known.insert(game.index, Played::new(game));
    }
    Ok(known)
}

/// What counting may do.
#[derive(Copy, Clone)]
enum Access<'a> {
    /// Count the games there are.
    Read,
    /// Let these players play on until `stop` is raised, and note repeated games.
    Write { store: &'a Store, stop: &'a AtomicBool, players: &'a [ContestPlayer] },
}

/// Counts the games that are known, and plays the rest if it may.
fn count(
    setup: &Setup,
    id: i64,
    known: BTreeMap<u64, Played>,
    access: Access<'_>,
    audience: &mut Audience<'_>,
) -> Result<Held, RunError> {
    let openings = OpeningBook::new(setup.game, &setup.options, &setup.openings, setup.seed);
    let mut state = State {
        setup,
        access,
        id,
        openings: &openings,
        known,
        repeats: Repeats::default(),
        marks: VecDeque::new(),
        standings: Standings::new(&setup.players),
        sprt: setup.sprt.map(|test| test.state(Pairs::default())),
        pairs_without_news: 0,
        done: 0,
        audience,
    };
    let champion = match setup.form {
        Form::Knockout => state.knockout()?,
        form => {
            let pairings = schedule::pairings(form, setup.players.len());
            let games = pairings.into_iter().zip(0..).flat_map(|(players, number)| {
                schedule::pairing(players, number * setup.games, setup.games)
            });
            let plan: Vec<Planned> = games.collect();
            state.play(&plan)?;
            None
        }
    };
    let decided = state.sprt.is_some_and(|sprt| sprt.verdict != Verdict::Undecided);
    let no_new_games = !decided && state.is_out_of_games();
    let complete = match setup.form {
        // Ties are broken by games nobody planned, so their number says nothing.
        Form::Knockout => champion.is_some(),
        _ => decided || no_new_games || state.done >= setup.planned(),
    };
    let State { id, standings, sprt, .. } = state;
    Ok(Held { id, standings, sprt, champion, complete, no_new_games })
}

/// A game that waits to be counted.
enum Played {
    /// One that may turn out to repeat an earlier one. Its texts are gone: those of very many
    /// games would fill the memory.
    Game { game: Box<StoredGame>, key: Option<GameKey> },
    /// One that was found to repeat an earlier one.
    Repeat,
}

impl Played {
    fn new(game: StoredGame) -> Played {
        let key = GameKey::of(&game);
        let game = Box::new(StoredGame { record: String::new(), moves: String::new(), ..game });
        Played::Game { game, key }
    }
}

/// So many pairs in a row without a new one end a sequential test: the openings have run out.
const MAX_PAIRS_WITHOUT_NEWS: u64 = 200;

/// Notes of repeated games that may be on their way to the disk.
const MAX_MARKS: usize = 512;

struct State<'a, 'b> {
    setup: &'a Setup,
    access: Access<'a>,
    id: i64,
    openings: &'a OpeningBook<'a>,
    /// Games an earlier run has left in the store.
    known: BTreeMap<u64, Played>,
    repeats: Repeats,
    /// Notes of repeated games on their way to the disk.
    marks: VecDeque<Pending>,
    standings: Standings,
    sprt: Option<SprtState>,
    pairs_without_news: u64,
    done: u64,
    audience: &'a mut Audience<'b>,
}

impl State<'_, '_> {
    /// Plays the games of `plan` that are not known, and counts all of them.
    fn play(&mut self, plan: &[Planned]) -> Result<(), RunError> {
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
        // However many games are known, they are told of once.
        let known = counter.count(self, |_| {})?;
        if counter.next > 0 {
            self.tell();
        }
        if known.is_break() || missing.is_empty() {
            return self.wait_for_marks(0);
        }
        if let Access::Write { store, stop, players } = self.access
            && !stop.load(Ordering::Relaxed)
        {
            identity::check(store, self.id, players)?;
            let contest = self.setup.contest(self.openings, players, self.audience.observer);
            let id = self.id;
            run::play_all(&contest, &missing, store, id, stop, &mut |planned, game| {
                counter.waiting.insert(planned.index, Played::new(game.clone()));
                Ok(counter.count(self, State::tell)?)
            })?;
        }
        if self.setup.sprt.is_none() {
            counter.count_rest(self);
        }
        self.wait_for_marks(0)
    }

    /// Counts a game, once if it repeats an earlier one; the number of that one if it was not yet
    /// known to.
    fn add(&mut self, planned: &Planned, played: Played) -> Option<u64> {
        self.done += 1;
        let Played::Game { game, key } = played else {
            self.standings.add_repeat(planned);
            return None;
        };
        let of = self.repeats.find(planned, key);
        match of {
            Some(_) => self.standings.add_repeat(planned),
            None => self.standings.add(planned, &game),
        }
        of
    }

    /// Notes in the store that game `index` repeats game `of`: its text goes, and no later run
    /// plays it again. A program killed before that finds it out anew.
    fn mark(&mut self, index: u64, of: u64) -> Result<(), StoreError> {
        if let Access::Write { store, .. } = self.access {
            self.marks.push_back(store.mark_repeat(self.id, index, of)?);
            self.wait_for_marks(MAX_MARKS)?;
        }
        Ok(())
    }

    /// Waits until at most `most` notes are on their way.
    fn wait_for_marks<E: From<StoreError>>(&mut self, most: usize) -> Result<(), E> {
        while self.marks.len() > most
            && let Some(mark) = self.marks.pop_front()
        {
            mark.wait()?;
        }
        Ok(())
    }

    fn is_out_of_games(&self) -> bool {
        self.setup.sprt.is_some() && self.pairs_without_news >= MAX_PAIRS_WITHOUT_NEWS
    }

    fn knockout(&mut self) -> Result<Option<usize>, RunError> {
        let mut bracket = Bracket::new(self.setup.players.len(), self.setup.games);
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
                    let Cell { tally, repeats, .. } = self.standings.cells[players.0][players.1];
                    if tally.games() + repeats < played + games.len() as u64 {
                        return Ok(None); // stopped
                    }
                    played = tally.games() + repeats;
                    points = (2 * tally.wins + tally.draws, 2 * tally.losses + tally.draws);
                }
                winners.push(if points.1 > points.0 { players.1 } else { players.0 });
            }
            bracket.advance(&winners);
        }
        Ok(bracket.champion())
    }
}

/// Counts games in the order of the plan, whatever order they end in, so that a sequential test
/// ends at the same game, and the same games are repeats, on any number of threads.
struct Counter<'a> {
    plan: &'a [Planned],
    next: usize,
    waiting: BTreeMap<u64, Played>,
}

impl Counter<'_> {
    /// Counts what can be counted by now, and does `after_each` game what there is to do.
    fn count<'a, 'b>(
        &mut self,
        state: &mut State<'a, 'b>,
        mut after_each: impl FnMut(&mut State<'a, 'b>),
    ) -> Result<ControlFlow<()>, StoreError> {
        while let Some(planned) = self.plan.get(self.next) {
            let Some(played) = self.waiting.remove(&planned.index) else { break };
            self.next += 1;
            let pairs = state.standings.cells[0][1].pairs;
            if let Some(of) = state.add(planned, played) {
                state.mark(planned.index, of)?;
            }
            // Between the two games of a pair the test stands where it stood.
            if let Some(test) = state.setup.sprt
                && self.next.is_multiple_of(2)
            {
                state.test(test, pairs);
                let decided = state.sprt.is_some_and(|sprt| sprt.verdict != Verdict::Undecided);
                if decided || state.is_out_of_games() {
                    after_each(state);
                    return Ok(ControlFlow::Break(()));
                }
            }
            after_each(state);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Counts the games a contest that was stopped has finished behind unfinished ones. A
    /// sequential test must not have them: it looks at games in order.
    fn count_rest(&mut self, state: &mut State<'_, '_>) {
        let before = state.done;
        for planned in &self.plan[self.next..] {
            if let Some(played) = self.waiting.remove(&planned.index) {
                // Not noted in the store: which game repeats which is decided in order.
                let _ = state.add(planned, played);
            }
        }
        if state.done > before {
            state.tell();
        }
    }
}

impl State<'_, '_> {
    /// Where the test is after another pair of games, which counts if both were new.
    fn test(&mut self, test: Sprt, before: Pairs) {
        let pairs = self.standings.cells[0][1].pairs;
        self.pairs_without_news = if pairs == before { self.pairs_without_news + 1 } else { 0 };
        self.sprt = Some(test.state(pairs));
    }
}

impl State<'_, '_> {
    fn tell(&mut self) {
        let progress = Progress {
            standings: &self.standings,
            sprt: self.sprt,
            done: self.done,
            planned: self.setup.planned(),
        };
        (self.audience.on_progress)(&progress);
    }
}
