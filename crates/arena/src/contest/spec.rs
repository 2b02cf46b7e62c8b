//! Specification of a contest, and its stored form.

use crate::{
    adjudicate::Adjudication,
    build::BUILD,
    openings::{OpeningBook, Openings},
    parallel::{GameContext, GameObserver},
    schedule::{self, TournamentFormat},
    sprt::Sprt,
    store::{ContestPlayer, NewContest, PlayerId, StoredContest},
};
use ludus_core::{Clock, Limits, Options, PlayerError, TextError, position::mix};
use ludus_players::{Game, Resources, find_game};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// Specification of a contest: everything that decides its results, and how it is run.
pub struct ContestSpec {
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
    /// Resources of the players. Results must not depend on files found there.
    pub resources: Resources,
    /// Pairing system.
    pub form: TournamentFormat,
    /// Games of each pairing.
    pub games: u64,
    /// Openings.
    pub openings: Openings,
    /// Limits of each move.
    pub limits: Limits,
    /// Adjudication rules.
    pub adjudication: Adjudication,
    /// Sequential test that ends a match of two players once it is decided.
    pub sprt: Option<Sprt>,
    /// Random seed.
    pub seed: u64,
    /// Games played in parallel. Has no effect on results unless players use the clock.
    pub concurrency: usize,
}

/// The stored form of a [`ContestSpec`].
#[derive(Deserialize)]
struct ContestConfig {
    game: String,
    players: Vec<String>,
    form: TournamentFormat,
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

impl ContestSpec {
    /// The stored form of the specification: everything that decides results.
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

    /// Reads the specification of a contest in the store, to resume it.
    ///
    /// # Errors
    /// If it was stored by a version with other games or settings.
    pub fn from_stored(
        contest: &StoredContest,
        resources: Resources,
        concurrency: usize,
    ) -> Result<ContestSpec, TextError> {
        let config: ContestConfig =
            serde_json::from_value(contest.config.clone()).map_err(|error| {
                let expected = format!("a configuration this version can read ({error})");
                TextError::whole("contest", &contest.name, expected)
            })?;
        let (game, options) = find_game(&config.game)?;
        let milliseconds = Duration::from_millis;
        Ok(ContestSpec {
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

    /// Key of a run: hash of the configuration, and the number of the run.
    pub(super) fn fingerprint(config: &Value, run: u32) -> String {
        let text = config.to_string();
        let hash = |seed: u64| text.bytes().fold(seed, |hash, byte| mix(hash ^ u64::from(byte)));
        format!("{:016x}{:016x}-{run}", hash(1), hash(2))
    }

    pub(super) fn stored(&self, config: &Value, run: u32, players: &[ContestPlayer]) -> NewContest {
        NewContest {
            name: self.name.clone(),
            kind: self.kind.to_owned(),
            game: self.options.to_string(),
            config: config.clone(),
            fingerprint: ContestSpec::fingerprint(config, run),
            seed: self.seed,
            build: BUILD.to_owned(),
            players: players.to_vec(),
        }
    }

    /// Identities of the players. External engines are started once to ask for their names.
    ///
    /// # Errors
    /// If the game has no such player.
    pub fn identities(&self) -> Result<Vec<ContestPlayer>, PlayerError> {
        let identify = |spec: &String| -> Result<ContestPlayer, PlayerError> {
            let identity = self.game.identify(spec, &self.resources)?;
            let build = identity.build(BUILD);
            let identity = PlayerId { spec: identity.spec, build };
            Ok(ContestPlayer { spec: spec.clone(), identity })
        };
        self.players.iter().map(identify).collect()
    }

    pub(crate) fn game_context<'a>(
        &'a self,
        openings: &'a OpeningBook<'a>,
        identities: &'a [ContestPlayer],
        observer: Option<&'a dyn GameObserver>,
    ) -> GameContext<'a> {
        GameContext {
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

    /// Maximum number of games.
    pub fn planned(&self) -> u64 {
        let pairings = match self.form {
            TournamentFormat::Knockout => self.players.len().saturating_sub(1),
            form => schedule::pairings(form, self.players.len()).len(),
        };
        pairings as u64 * self.games
    }
}
