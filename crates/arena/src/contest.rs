//! A whole contest from its set-up to its table: begun, or resumed where it was cut off.

use crate::{
    adjudicate::Adjudication,
    elo::Tally,
    game::Opening,
    ladder,
    run::{self, Contest, Observer, RunError},
    schedule::{self, Bracket, Form, Planned},
    sprt::{Sprt, SprtState, Verdict},
    store::{NewContest, Store, StoredContest, StoredGame},
    table::Standings,
};
use ludus_core::{Clock, Limits, Options, TextError, position::mix};
use ludus_players::{Game, Resources, find_game};
use serde::Deserialize;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
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
    /// Where games start; the usual position if there are none.
    pub openings: Vec<Opening>,
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
    /// Games done.
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
    /// Whether every planned game was played or the test was decided.
    pub complete: bool,
}

/// A set-up as it is read back from the store.
#[derive(Deserialize)]
struct Config {
    game: String,
    players: Vec<String>,
    form: Form,
    games: u64,
    openings: Vec<Opening>,
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
    fn config(&self) -> Value {
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

    fn stored(&self, config: &Value, run: u32) -> NewContest {
        let text = config.to_string();
        let hash = |seed: u64| text.bytes().fold(seed, |hash, byte| mix(hash ^ u64::from(byte)));
        NewContest {
            name: self.name.clone(),
            kind: self.kind.to_owned(),
            game: self.options.to_string(),
            config: config.clone(),
            fingerprint: format!("{:016x}{:016x}-{run}", hash(1), hash(2)),
            seed: self.seed,
            build: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    fn contest<'a>(&'a self, observer: Option<&'a dyn Observer>) -> Contest<'a> {
        Contest {
            game: self.game,
            options: self.options.clone(),
            players: &self.players,
            openings: &self.openings,
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
    let id = register(setup, store, start)?;
    go_on(setup, store, id, stop, &mut Audience { on_progress, observer: None })
}

/// The number of the contest in the store, where it is noted before its first game.
pub fn register(setup: &Setup, store: &Store, start: Start) -> Result<i64, RunError> {
    let config = setup.config();
    let mut latest = 0;
    while store.knows(&setup.stored(&config, latest).fingerprint)? {
        latest += 1;
    }
    let run = match start {
        Start::Resume => latest.saturating_sub(1),
        Start::Anew => latest,
    };
    Ok(store.register(&setup.stored(&config, run))?.0)
}

/// Holds the contest numbered `id`, which was [registered](register) with this set-up.
pub fn go_on(
    setup: &Setup,
    store: &Store,
    id: i64,
    stop: &AtomicBool,
    audience: &mut Audience<'_>,
) -> Result<Held, RunError> {
    let held = count(setup, store, id, stop, audience)?;
    if held.complete {
        store.finish(held.id)?;
    }
    ladder::update(store, &setup.options.to_string())?;
    Ok(held)
}

/// What the contest numbered `id` has come to, without playing on.
pub fn so_far(setup: &Setup, store: &Store, id: i64) -> Result<Held, RunError> {
    let mut audience = Audience { on_progress: &mut |_| {}, observer: None };
    count(setup, store, id, &AtomicBool::new(true), &mut audience)
}

/// Counts what is in the store, and plays the rest until `stop` is raised.
fn count(
    setup: &Setup,
    store: &Store,
    id: i64,
    stop: &AtomicBool,
    audience: &mut Audience<'_>,
) -> Result<Held, RunError> {
    let mut known = BTreeMap::new();
    for game in store.contest_games(id) {
        let game = without_texts(game?);
        known.insert(game.index, game);
    }
    let mut state = State {
        setup,
        store,
        stop,
        id,
        known,
        standings: Standings::new(&setup.players),
        sprt: setup.sprt.map(|test| test.state(Tally::default())),
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
    let complete = match setup.form {
        // Ties are broken by games nobody planned, so their number says nothing.
        Form::Knockout => champion.is_some(),
        _ => decided || state.done >= setup.planned(),
    };
    let State { id, standings, sprt, .. } = state;
    Ok(Held { id, standings, sprt, champion, complete })
}

/// Only the result counts here; the texts of very many games would fill the memory.
fn without_texts(game: StoredGame) -> StoredGame {
    StoredGame { record: String::new(), moves: String::new(), ..game }
}

struct State<'a, 'b> {
    setup: &'a Setup,
    store: &'a Store,
    stop: &'a AtomicBool,
    id: i64,
    /// Games an earlier run has left in the store.
    known: BTreeMap<u64, StoredGame>,
    standings: Standings,
    sprt: Option<SprtState>,
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
        let known = counter.count(self, |_| {});
        if counter.next > 0 {
            self.tell();
        }
        if known.is_break() || missing.is_empty() {
            return Ok(());
        }
        if !self.stop.load(Ordering::Relaxed) {
            let contest = self.setup.contest(self.audience.observer);
            let (store, id, stop) = (self.store, self.id, self.stop);
            run::play_all(&contest, &missing, store, id, stop, &mut |planned, game| {
                counter.waiting.insert(planned.index, without_texts(game.clone()));
                counter.count(self, State::tell)
            })?;
        }
        if self.setup.sprt.is_none() {
            counter.count_rest(self);
        }
        Ok(())
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
                    let tally = self.standings.cells[players.0][players.1].tally;
                    if tally.games() < played + games.len() as u64 {
                        return Ok(None); // stopped
                    }
                    played = tally.games();
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
/// ends at the same game on any number of threads.
struct Counter<'a> {
    plan: &'a [Planned],
    next: usize,
    waiting: BTreeMap<u64, StoredGame>,
}

impl Counter<'_> {
    /// Counts what can be counted by now, and does `after_each` game what there is to do.
    fn count<'a, 'b>(
        &mut self,
        state: &mut State<'a, 'b>,
        mut after_each: impl FnMut(&mut State<'a, 'b>),
    ) -> ControlFlow<()> {
        while let Some(planned) = self.plan.get(self.next) {
            let Some(game) = self.waiting.remove(&planned.index) else { break };
            self.next += 1;
            state.done += 1;
            state.standings.add(planned, &game);
            // Between the two games of a pair the test stands where it stood.
            if let Some(test) = state.setup.sprt
                && self.next.is_multiple_of(2)
            {
                let sprt = test.state(state.standings.cells[0][1].sample());
                state.sprt = Some(sprt);
                if sprt.verdict != Verdict::Undecided {
                    after_each(state);
                    return ControlFlow::Break(());
                }
            }
            after_each(state);
        }
        ControlFlow::Continue(())
    }

    /// Counts the games a contest that was stopped has finished behind unfinished ones. A
    /// sequential test must not have them: it looks at games in order.
    fn count_rest(&mut self, state: &mut State<'_, '_>) {
        let before = state.done;
        for planned in &self.plan[self.next..] {
            if let Some(game) = self.waiting.remove(&planned.index) {
                state.done += 1;
                state.standings.add(planned, &game);
            }
        }
        if state.done > before {
            state.tell();
        }
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
