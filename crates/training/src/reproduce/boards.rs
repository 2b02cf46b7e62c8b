//! Matches of Go on several board sizes, with results by colour.

use super::{
    Experiment, ExperimentProgress, ExperimentRunner, Findings, Interval, NamedExperiment,
    Precision,
    experiment::wrong,
    run::{MatchSlice, store_error},
    verdict::{Figure, compared},
};
use crate::{TrainingError, recipe::range};
use ludus_arena::{
    adjudicate::Adjudication, contest::ContestSpec, elo::Wdl, game::PlayerStats,
    openings::Openings, schedule::TournamentFormat, store::StoredGame, table::Standings,
};
use ludus_core::{Limits, Outcome, TextError, options::split_name};
use ludus_players::find_game;
use serde::{Deserialize, Serialize};

/// Player in the role of the base program, unless `--opponent` names another.
const BASE_PLAYER: &str = "fuego-like";

/// Colours in the order in which they move.
pub const COLOURS: [&str; 2] = ["Black", "White"];

/// Matches of Go on several board sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoMatches {
    /// Player whose results are counted.
    pub first: String,
    /// Its opponent.
    pub second: String,
    /// Program the opponent needs; without it the experiment is left out.
    pub needs: Option<String>,
    /// Board sizes.
    #[serde(default = "usual_sizes")]
    pub sizes: Vec<u8>,
    /// Games on each board, every second one as Black.
    #[serde(default = "usual_games")]
    pub games: u64,
    /// Simulations a move, for players without a limit of their own.
    #[serde(default = "usual_playouts")]
    pub playouts: u64,
    /// Komi: points White gets for moving second.
    #[serde(default = "usual_komi")]
    pub komi: f64,
    /// Published results.
    #[serde(default)]
    pub published: Vec<PublishedByColour>,
}

/// Published percentages of games won on one board size.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedByColour {
    /// Board size.
    pub size: u8,
    /// Games of each colour.
    #[serde(default = "published_games")]
    pub games: u64,
    /// Games won as Black, in percent.
    pub black: f64,
    /// Games won as White, in percent.
    pub white: f64,
}

pub(super) fn usual_sizes() -> Vec<u8> {
    vec![9]
}

fn usual_games() -> u64 {
    10
}

pub(super) fn usual_playouts() -> u64 {
    400
}

pub(super) fn usual_komi() -> f64 {
    6.5
}

fn published_games() -> u64 {
    50
}

/// Results of the matches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoMatchFindings {
    /// Opponent of the first player.
    pub second: String,
    /// Games on each board.
    pub games: u64,
    /// Simulations a move.
    pub playouts: u64,
    /// Results by board size.
    pub boards: Vec<GoBoardResult>,
}

/// Results on one board size, for the first player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GoBoardResult {
    /// Board size.
    pub size: u8,
    /// Results as Black and as White.
    pub colours: [Wdl; 2],
    /// Search effort of the players.
    pub efforts: [PlayerStats; 2],
    /// Games the players forfeited: by an illegal move, a crash or a hang.
    pub forfeits: [u64; 2],
}

impl GoMatches {
    pub(super) fn check(&self) -> Result<(), TextError> {
        range("boards.games", self.games as f64, 2.0, 1e7)?;
        check_search(&self.sizes, self.playouts, self.komi)?;
        for claim in &self.published {
            range("published.size", claim.size.into(), 2.0, 25.0)?;
            range("published.games", claim.games as f64, 1.0, 1e9)?;
            range("published.black", claim.black, 0.0, 100.0)?;
            range("published.white", claim.white, 0.0, 100.0)?;
        }
        Ok(())
    }

    /// Whether the opponent plays the role of the base program.
    pub fn is_against_base(&self) -> bool {
        split_name(&self.second).0 == BASE_PLAYER
    }
}

/// Checks the search limits of Go experiments.
pub(super) fn check_search(sizes: &[u8], playouts: u64, komi: f64) -> Result<(), TextError> {
    range("playouts", playouts as f64, 1.0, 1e9)?;
    range("komi", komi, -1000.0, 1000.0)?;
    if sizes.is_empty() {
        return Err(wrong("sizes = []", "sizes of boards"));
    }
    sizes.iter().try_for_each(|&size| range("sizes", size.into(), 2.0, 25.0))
}

impl ExperimentRunner<'_> {
    pub(super) fn check_boards(&self, boards: &GoMatches) -> Result<(), TrainingError> {
        let (game, _) = find_game("go")?;
        game.check_player(&boards.first, &self.resources)?;
        if boards.needs.is_none() {
            game.check_player(&self.second(boards), &self.resources)?;
        }
        Ok(())
    }

    /// Opponent: that of the experiment, or its replacement for the base program.
    fn second(&self, boards: &GoMatches) -> String {
        let other = self.overrides.opponent.as_ref().filter(|_| boards.is_against_base());
        other.unwrap_or(&boards.second).clone()
    }

    pub(super) fn play_boards(
        &self,
        named: &NamedExperiment,
        boards: &GoMatches,
        on_step: &mut dyn FnMut(&ExperimentProgress<'_>),
    ) -> Result<Findings, TrainingError> {
        let (game, _) = find_game("go")?;
        if let Some(needs) = &boards.needs
            && let Err(error) = game.check_player(&boards.second, &self.resources)
        {
            return Ok(Findings::Skipped(format!("it needs {needs}: {error}")));
        }
        let sizes = self.overrides.sizes.as_ref().unwrap_or(&boards.sizes);
        let games = self.overrides.games.unwrap_or(boards.games);
        let mut found = GoMatchFindings {
            second: self.second(boards),
            games,
            playouts: self.overrides.playouts.unwrap_or(boards.playouts),
            boards: Vec::new(),
        };
        for (index, &size) in sizes.iter().enumerate() {
            let setup = self.board_setup(named, boards, &found, size)?;
            let part = MatchSlice {
                name: &named.name,
                before: games * index as u64,
                total: games * sizes.len() as u64,
            };
            found.boards.push(self.play_board(&setup, &part, size, on_step)?);
        }
        Ok(Findings::Boards(found))
    }

    pub(super) fn board_setup(
        &self,
        named: &NamedExperiment,
        boards: &GoMatches,
        found: &GoMatchFindings,
        size: u8,
    ) -> Result<ContestSpec, TrainingError> {
        let (game, options) = find_game(&format!("go:size={size},komi={}", boards.komi))?;
        Ok(ContestSpec {
            kind: "match",
            name: format!("reproduce {} {size}x{size}", named.name),
            game,
            options,
            players: vec![boards.first.clone(), found.second.clone()],
            resources: self.resources.clone(),
            form: TournamentFormat::RoundRobin,
            games: found.games,
            openings: Openings::start_position(),
            limits: Limits { nodes: Some(found.playouts), ..Limits::default() },
            adjudication: Adjudication::default(),
            sprt: None,
            seed: named.experiment.seed,
            concurrency: self.concurrency,
        })
    }

    fn play_board(
        &self,
        setup: &ContestSpec,
        part: &MatchSlice<'_>,
        size: u8,
        on_step: &mut dyn FnMut(&ExperimentProgress<'_>),
    ) -> Result<GoBoardResult, TrainingError> {
        let result = self.play_contest(setup, part, on_step)?;
        let games = self
            .store
            .contest_games(result.id)
            .map(|game| game.map_err(|error| store_error(&error)));
        GoBoardResult::count(size, &result.standings, games)
    }
}

impl GoBoardResult {
    /// Counts the games of a match.
    pub(super) fn count(
        size: u8,
        standings: &Standings,
        games: impl Iterator<Item = Result<StoredGame, TrainingError>>,
    ) -> Result<GoBoardResult, TrainingError> {
        let mut colours = [Wdl::default(); 2];
        for game in games {
            let game = game?;
            // The players take turns as Black, starting with the first.
            let colour = (game.index % 2) as usize;
            match game.result {
                Outcome::Draw => colours[colour].draws += 1,
                Outcome::Win(side) if side.index() == colour => colours[colour].wins += 1,
                Outcome::Win(_) => colours[colour].losses += 1,
            }
        }
        Ok(GoBoardResult {
            size,
            colours,
            efforts: [standings.player_stats[0], standings.player_stats[1]],
            forfeits: [standings.forfeits[0], standings.forfeits[1]],
        })
    }
}

/// Results of one colour on one board size: published, if they were, and ours.
pub(super) struct Row {
    pub size: u8,
    pub colour: &'static str,
    pub published: Option<Interval>,
    pub wdl: Wdl,
    pub ours: Option<Interval>,
}

impl Row {
    /// Whether the published value lies within our interval.
    pub fn is_within(&self) -> Option<bool> {
        let (published, ours) = (self.published?, self.ours?);
        Some(ours.contains(published.value))
    }

    /// Its figure, if one was published. The games needed are those of both colours.
    pub fn figure(&self, experiment: &Experiment) -> Option<Figure> {
        let (published, ours) = (self.published?, self.ours?);
        let name = figure_name(self.size, self.colour);
        let required = experiment.precision_of(&name);
        let precision = Precision::of_share(&ours, self.wdl.games(), required);
        let mut figure = compared(name, published, ours, &precision);
        figure.games_needed = figure.games_needed.map(|games| 2 * games);
        Some(figure)
    }
}

fn figure_name(size: u8, colour: &str) -> String {
    format!("{size}x{size} as {colour}")
}

/// Names of the published figures.
pub(super) fn figure_names(boards: &GoMatches) -> Vec<String> {
    let of_board =
        |claim: &PublishedByColour| COLOURS.map(|colour| figure_name(claim.size, colour));
    boards.published.iter().flat_map(of_board).collect()
}

/// Rows for every colour on every board that was played on.
pub(super) fn rows(boards: &GoMatches, found: &GoMatchFindings) -> Vec<Row> {
    let mut rows = Vec::new();
    for board in &found.boards {
        let claim = boards.published.iter().find(|claim| claim.size == board.size);
        for (index, colour) in COLOURS.into_iter().enumerate() {
            let share = |claim: &PublishedByColour| {
                let percent = [claim.black, claim.white][index];
                Interval::share_of(percent / 100.0, claim.games)
            };
            let wdl = board.colours[index];
            rows.push(Row {
                size: board.size,
                colour,
                published: claim.and_then(share),
                wdl,
                ours: Interval::share(wdl.wins, wdl.games()),
            });
        }
    }
    rows
}
