//! What a page asks of a contest.

use super::super::{error::ApiError, place::check_player};
use ludus_arena::{
    adjudicate::Adjudication, contest::Setup, openings::Openings, schedule::Form, sprt::Sprt,
};
use ludus_core::{Limits, Options};
use ludus_players::{Resources, find_game};
use serde::Deserialize;
use std::time::Duration;
use utoipa::ToSchema;

const MOST_GAMES: u64 = 100_000;
const MOST_PLAYERS: usize = 32;
const MOST_AT_ONCE: usize = 64;
const LONGEST_NAME: usize = 100;
const USUAL_GAMES: u64 = 10;

/// A contest to be held.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ContestRequest {
    /// The game with its options.
    game: String,
    /// Two players or more, all different.
    players: Vec<String>,
    /// What to call it.
    name: Option<String>,
    /// Who meets whom.
    #[serde(default)]
    form: FormName,
    /// Games of each pairing, up to 100,000 in all.
    games: Option<u64>,
    #[serde(default)]
    limits: LimitsRequest,
    /// Where games start: from the game's suite of openings, in an order decided by the seed, and
    /// then from new balanced ones; or from the usual position.
    #[serde(default)]
    openings: OpeningsName,
    /// Decides everything random.
    #[serde(default = "one")]
    seed: u64,
    /// Games at once.
    concurrency: Option<usize>,
    /// Ends a contest of two players as soon as it is decided.
    sprt: Option<SprtRequest>,
}

fn one() -> u64 {
    1
}

/// Who meets whom.
#[derive(Copy, Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum FormName {
    #[default]
    RoundRobin,
    Gauntlet,
    Knockout,
}

/// Where games start.
#[derive(Copy, Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum OpeningsName {
    #[default]
    Suite,
    None,
}

/// How long players may think.
#[derive(Copy, Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct LimitsRequest {
    depth: Option<u32>,
    nodes: Option<u64>,
    time_ms: Option<u64>,
}

/// The two hypotheses of a sequential test.
#[derive(Copy, Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SprtRequest {
    elo0: f64,
    elo1: f64,
}

impl ContestRequest {
    /// Checks everything.
    pub fn set_up(self, resources: Resources) -> Result<Setup, ApiError> {
        let (game, options) = find_game(&self.game)?;
        let count = self.players.len();
        if !(2..=MOST_PLAYERS).contains(&count) {
            return Err(ApiError::bad(format!("{count} players: expected 2 to {MOST_PLAYERS}")));
        }
        for (index, player) in self.players.iter().enumerate() {
            check_player(game, player)?;
            game.check_player(player, &resources)?;
            if self.players[..index].contains(player) {
                return Err(ApiError::bad(format!("{player} stands twice among the players")));
            }
        }
        let sprt = self.sprt.map(|sprt| sprt.test(count)).transpose()?;
        let setup = Setup {
            kind: if count == 2 { "match" } else { "tournament" },
            name: self.called()?,
            form: match self.form {
                FormName::RoundRobin => Form::RoundRobin,
                FormName::Gauntlet => Form::Gauntlet,
                FormName::Knockout => Form::Knockout,
            },
            games: self.games.unwrap_or(USUAL_GAMES),
            openings: self.openings.of(&options),
            limits: self.limits.checked()?,
            adjudication: Adjudication::default(),
            sprt,
            seed: self.seed,
            concurrency: self.concurrency.unwrap_or_else(usual_concurrency),
            players: self.players,
            resources,
            game,
            options,
        };
        if setup.games == 0 || setup.games > MOST_GAMES || setup.planned() > MOST_GAMES {
            let planned = setup.planned();
            return Err(ApiError::bad(format!(
                "{planned} games in all: expected 1 to {MOST_GAMES}"
            )));
        }
        if !(1..=MOST_AT_ONCE).contains(&setup.concurrency) {
            return Err(ApiError::bad(format!("concurrency: expected 1 to {MOST_AT_ONCE}")));
        }
        Ok(setup)
    }

    fn called(&self) -> Result<String, ApiError> {
        let Some(name) = self.name.as_deref().map(str::trim).filter(|name| !name.is_empty()) else {
            return Ok(match &self.players[..] {
                [first, second] => format!("{first} v {second}"),
                players => format!("{} players of {}", players.len(), self.game),
            });
        };
        if name.chars().count() > LONGEST_NAME {
            return Err(ApiError::bad(format!("name: expected up to {LONGEST_NAME} characters")));
        }
        Ok(name.to_owned())
    }
}

impl OpeningsName {
    fn of(self, options: &Options) -> Openings {
        match self {
            OpeningsName::Suite => Openings::of_game(&options.to_string()),
            OpeningsName::None => Openings::usual(),
        }
    }
}

impl LimitsRequest {
    fn checked(self) -> Result<Limits, ApiError> {
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

/// A game for each core.
pub fn usual_concurrency() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
