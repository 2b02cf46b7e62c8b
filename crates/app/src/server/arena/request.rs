//! Request to start a contest.

use super::super::{allowed_players::check_player, error::ApiError};
use ludus_arena::{
    adjudicate::Adjudication, contest::ContestSpec, openings::Openings, schedule::TournamentFormat,
    sprt::Sprt,
};
use ludus_core::{Limits, Options};
use ludus_players::{Resources, find_game};
use serde::Deserialize;
use std::time::Duration;
use utoipa::ToSchema;

const MAX_GAMES: u64 = 100_000;
const MAX_PLAYERS: usize = 32;
const MAX_CONCURRENCY: usize = 64;
const MAX_NAME_CHARS: usize = 100;
const DEFAULT_GAMES: u64 = 10;

/// A contest to start.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ContestRequest {
    /// Game with its options.
    game: String,
    /// At least two players, all different.
    players: Vec<String>,
    /// Name. Default: generated from the players.
    name: Option<String>,
    /// Tournament format.
    #[serde(default)]
    form: FormatName,
    /// Games per pairing, up to 100,000 in total.
    games: Option<u64>,
    #[serde(default)]
    limits: LimitsRequest,
    /// Opening positions: the opening suite of the game, in an order given by the seed, followed by new
    /// balanced openings; or the standard position.
    #[serde(default)]
    openings: OpeningsName,
    /// Seed of all random numbers.
    #[serde(default = "one")]
    seed: u64,
    /// Number of concurrent games.
    concurrency: Option<usize>,
    /// Sequential test that ends a match of two players early.
    sprt: Option<SprtRequest>,
}

fn one() -> u64 {
    1
}

/// Tournament format.
#[derive(Copy, Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum FormatName {
    #[default]
    RoundRobin,
    Gauntlet,
    Knockout,
}

/// Opening positions.
#[derive(Copy, Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum OpeningsName {
    #[default]
    Suite,
    None,
}

/// Search limits of the players.
#[derive(Copy, Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LimitsRequest {
    depth: Option<u32>,
    nodes: Option<u64>,
    time_ms: Option<u64>,
}

/// Hypotheses of a sequential probability ratio test.
#[derive(Copy, Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SprtRequest {
    elo0: f64,
    elo1: f64,
}

impl ContestRequest {
    /// Validates the request.
    pub fn into_spec(self, resources: Resources) -> Result<ContestSpec, ApiError> {
        let (game, options) = find_game(&self.game)?;
        let count = self.players.len();
        if !(2..=MAX_PLAYERS).contains(&count) {
            return Err(ApiError::bad(format!("{count} players: expected 2 to {MAX_PLAYERS}")));
        }
        for (index, player) in self.players.iter().enumerate() {
            check_player(game, player)?;
            game.check_player(player, &resources)?;
            if self.players[..index].contains(player) {
                return Err(ApiError::bad(format!("{player} is listed twice")));
            }
        }
        let sprt = self.sprt.map(|sprt| sprt.test(count)).transpose()?;
        let setup = ContestSpec {
            kind: if count == 2 { "match" } else { "tournament" },
            name: self.contest_name()?,
            form: match self.form {
                FormatName::RoundRobin => TournamentFormat::RoundRobin,
                FormatName::Gauntlet => TournamentFormat::Gauntlet,
                FormatName::Knockout => TournamentFormat::Knockout,
            },
            games: self.games.unwrap_or(DEFAULT_GAMES),
            openings: self.openings.of(&options),
            limits: self.limits.validate()?,
            adjudication: Adjudication::default(),
            sprt,
            seed: self.seed,
            concurrency: self.concurrency.unwrap_or_else(default_concurrency),
            players: self.players,
            resources,
            game,
            options,
        };
        if setup.games == 0 || setup.games > MAX_GAMES || setup.planned() > MAX_GAMES {
            let planned = setup.planned();
            return Err(ApiError::bad(format!(
                "{planned} games in total: expected 1 to {MAX_GAMES}"
            )));
        }
        if !(1..=MAX_CONCURRENCY).contains(&setup.concurrency) {
            return Err(ApiError::bad(format!("concurrency: expected 1 to {MAX_CONCURRENCY}")));
        }
        Ok(setup)
    }

    fn contest_name(&self) -> Result<String, ApiError> {
        let Some(name) = self.name.as_deref().map(str::trim).filter(|name| !name.is_empty()) else {
            return Ok(match &self.players[..] {
                [first, second] => format!("{first} v {second}"),
                players => format!("{} players of {}", players.len(), self.game),
            });
        };
        if name.chars().count() > MAX_NAME_CHARS {
            return Err(ApiError::bad(format!("name: expected up to {MAX_NAME_CHARS} characters")));
        }
        Ok(name.to_owned())
    }
}

impl OpeningsName {
    fn of(self, options: &Options) -> Openings {
        match self {
            OpeningsName::Suite => Openings::default_for(&options.to_string()),
            OpeningsName::None => Openings::start_position(),
        }
    }
}

impl LimitsRequest {
    fn validate(self) -> Result<Limits, ApiError> {
        let LimitsRequest { depth, nodes, time_ms } = self;
        for (what, value, most) in [
            ("depth", depth.map(u64::from), 1_000),
            ("nodes", nodes, u64::MAX),
            ("time_ms", time_ms, 600_000),
        ] {
            if value.is_some_and(|value| !(1..=most).contains(&value)) {
                return Err(ApiError::bad(format!("{what}: expected 1 to {most}")));
            }
        }
        Ok(Limits { depth, nodes, time: time_ms.map(Duration::from_millis), clock: None })
    }
}

impl SprtRequest {
    fn test(self, players: usize) -> Result<Sprt, ApiError> {
        if players != 2 {
            return Err(ApiError::bad("sprt: expected two players"));
        }
        Ok(format!("elo0={},elo1={}", self.elo0, self.elo1).parse()?)
    }
}

/// One game per core.
pub fn default_concurrency() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
