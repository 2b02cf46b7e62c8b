//! A whole contest from its set-up to its table: begun, or resumed where it was cut off.

use crate::{
    adjudicate::Adjudication,
    elo::Tally,
    game::Opening,
    ladder,
    run::{self, Contest, RunError},
    schedule::{self, Bracket, Form, Planned},
    sprt::{Sprt, SprtState, Verdict},
    store::{NewContest, Store, StoredGame},
    table::Standings,
};
use ludus_core::{Limits, Options, position::mix};
use ludus_players::{Game, Resources};
use serde_json::{Value, json};
use std::{collections::BTreeMap, ops::ControlFlow, sync::atomic::AtomicBool};

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

    fn contest(&self) -> Contest<'_> {
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
        }
    }

    /// Games there will be at most.
    fn planned(&self) -> u64 {
        let pairings = match self.form {
            Form::Knockout => self.players.len().saturating_sub(1),
            form => schedule::pairings(form, self.players.len()).len(),
        };
        pairings as u64 * self.games
    }
}

/// Holds a contest: plays what is not in the store yet and returns the table of everything.
pub fn hold(
    setup: &Setup,
    store: &Store,
    start: Start,
    stop: &AtomicBool,
    on_progress: &mut dyn FnMut(&Progress<'_>),
) -> Result<Held, RunError> {
    let config = setup.config();
    let mut latest = 0;
    while store.knows(&setup.stored(&config, latest).fingerprint)? {
        latest += 1;
    }
    let run = match start {
        Start::Resume => latest.saturating_sub(1),
        Start::Anew => latest,
    };
    let (id, _) = store.register(&setup.stored(&config, run))?;
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
        on_progress,
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
    if complete {
        store.finish(state.id)?;
    }
    ladder::update(store, &setup.options.to_string())?;
    let State { id, standings, sprt, .. } = state;
    Ok(Held { id, standings, sprt, champion, complete })
}

/// Only the result counts here; the texts of very many games would fill the memory.
fn without_texts(game: StoredGame) -> StoredGame {
    StoredGame { record: String::new(), moves: String::new(), ..game }
}

struct State<'a> {
    setup: &'a Setup,
    store: &'a Store,
    stop: &'a AtomicBool,
    id: i64,
    /// Games an earlier run has left in the store.
    known: BTreeMap<u64, StoredGame>,
    standings: Standings,
    sprt: Option<SprtState>,
    done: u64,
    on_progress: &'a mut dyn FnMut(&Progress<'_>),
}

impl State<'_> {
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
        if counter.count(self).is_break() || missing.is_empty() {
            return Ok(());
        }
        let (contest, store, id, stop) = (self.setup.contest(), self.store, self.id, self.stop);
        run::play_all(&contest, &missing, store, id, stop, &mut |planned, game| {
            counter.waiting.insert(planned.index, without_texts(game.clone()));
            counter.count(self)
        })?;
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
    fn count(&mut self, state: &mut State<'_>) -> ControlFlow<()> {
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
                    state.tell();
                    return ControlFlow::Break(());
                }
            }
            state.tell();
        }
        ControlFlow::Continue(())
    }

    /// Counts the games a contest that was stopped has finished behind unfinished ones. A
    /// sequential test must not have them: it looks at games in order.
    fn count_rest(&mut self, state: &mut State<'_>) {
        for planned in &self.plan[self.next..] {
            if let Some(game) = self.waiting.remove(&planned.index) {
                state.done += 1;
                state.standings.add(planned, &game);
                state.tell();
            }
        }
    }
}

impl State<'_> {
    fn tell(&mut self) {
        let progress = Progress {
            standings: &self.standings,
            sprt: self.sprt,
            done: self.done,
            planned: self.setup.planned(),
        };
        (self.on_progress)(&progress);
    }
}
