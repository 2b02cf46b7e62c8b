//! Matches of Go on boards of several sizes, told by colours.

use super::{
    Experiment, Findings, Interval, Lab, Named, Precision, Step,
    experiment::wrong,
    hold::{Part, of_store},
    verdict::{Figure, compared},
};
use crate::{TrainingError, recipe::range};
use ludus_arena::{
    adjudicate::Adjudication, contest::Setup, elo::Tally, game::Effort, openings::Openings,
    schedule::Form, store::StoredGame, table::Standings,
};
use ludus_core::{Limits, TextError, options::split_name};
use ludus_players::find_game;
use serde::{Deserialize, Serialize};

/// Who plays the part of the base program, unless somebody else is asked to.
const BASE: &str = "fuego-like";

/// Colours in the order in which they move.
pub const COLOURS: [&str; 2] = ["Black", "White"];

/// Matches of Go on boards of several sizes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Boards {
    /// The player whose results are counted.
    pub first: String,
    /// Its opponent.
    pub second: String,
    /// What has to be installed for the opponent; without it the experiment is left out.
    pub needs: Option<String>,
    /// The boards played on.
    #[serde(default = "usual_sizes")]
    pub sizes: Vec<u8>,
    /// Games on each board, every second one as Black.
    #[serde(default = "usual_games")]
    pub games: u64,
    /// Simulations a move, for players that do not say it themselves.
    #[serde(default = "usual_playouts")]
    pub playouts: u64,
    /// Points White gets for moving second.
    #[serde(default = "usual_komi")]
    pub komi: f64,
    /// What was published.
    #[serde(default)]
    pub published: Vec<ByColour>,
}

/// Published percentages of games won on a board.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByColour {
    /// The board.
    pub size: u8,
    /// Games of each colour.
    #[serde(default = "published_games")]
    pub games: u64,
    /// Won as Black, in percent.
    pub black: f64,
    /// Won as White, in percent.
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

/// What the matches have come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoardsFindings {
    /// Who the opponent was.
    pub second: String,
    /// Games on each board.
    pub games: u64,
    /// Simulations a move.
    pub playouts: u64,
    /// The boards.
    pub boards: Vec<Board>,
}

/// The results on one board, seen by the first player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Board {
    /// Its size.
    pub size: u8,
    /// Games as Black and as White.
    pub colours: [Tally; 2],
    /// What the players spent.
    pub efforts: [Effort; 2],
    /// Games the players lost because they broke a rule, crashed or hung.
    pub forfeits: [u64; 2],
}

impl Boards {
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

    /// Whether the opponent plays the part of the base program.
    pub fn is_against_base(&self) -> bool {
        split_name(&self.second).0 == BASE
    }
}

/// Checks what all searches of Go in experiments are limited by.
pub(super) fn check_search(sizes: &[u8], playouts: u64, komi: f64) -> Result<(), TextError> {
    range("playouts", playouts as f64, 1.0, 1e9)?;
    range("komi", komi, -1000.0, 1000.0)?;
    if sizes.is_empty() {
        return Err(wrong("sizes = []", "sizes of boards"));
    }
    sizes.iter().try_for_each(|&size| range("sizes", size.into(), 2.0, 25.0))
}

impl Lab<'_> {
    pub(super) fn check_boards(&self, boards: &Boards) -> Result<(), TrainingError> {
        let (game, _) = find_game("go")?;
        game.check_player(&boards.first, &self.resources)?;
        if boards.needs.is_none() {
            game.check_player(&self.second(boards), &self.resources)?;
        }
        Ok(())
    }

    /// The opponent: of the experiment, or who was asked to take the place of the base program.
    fn second(&self, boards: &Boards) -> String {
        let other = self.changes.opponent.as_ref().filter(|_| boards.is_against_base());
        other.unwrap_or(&boards.second).clone()
    }

    pub(super) fn play_boards(
        &self,
        named: &Named,
        boards: &Boards,
        on_step: &mut dyn FnMut(&Step<'_>),
    ) -> Result<Findings, TrainingError> {
        let (game, _) = find_game("go")?;
        if let Some(needs) = &boards.needs
            && let Err(error) = game.check_player(&boards.second, &self.resources)
        {
            return Ok(Findings::Skipped(format!("it needs {needs}: {error}")));
        }
        let sizes = self.changes.sizes.as_ref().unwrap_or(&boards.sizes);
        let games = self.changes.games.unwrap_or(boards.games);
        let mut found = BoardsFindings {
            second: self.second(boards),
            games,
            playouts: self.changes.playouts.unwrap_or(boards.playouts),
            boards: Vec::new(),
        };
        for (index, &size) in sizes.iter().enumerate() {
            let setup = self.board_setup(named, boards, &found, size)?;
            let part = Part {
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
        named: &Named,
        boards: &Boards,
        found: &BoardsFindings,
        size: u8,
    ) -> Result<Setup, TrainingError> {
        let (game, options) = find_game(&format!("go:size={size},komi={}", boards.komi))?;
        Ok(Setup {
            kind: "match",
            name: format!("reproduce {} {size}x{size}", named.name),
            game,
            options,
            players: vec![boards.first.clone(), found.second.clone()],
            resources: self.resources.clone(),
            form: Form::RoundRobin,
            games: found.games,
            openings: Openings::usual(),
            limits: Limits { nodes: Some(found.playouts), ..Limits::default() },
            adjudication: Adjudication::default(),
            sprt: None,
            seed: named.experiment.seed,
            concurrency: self.concurrency,
        })
    }

    fn play_board(
        &self,
        setup: &Setup,
        part: &Part<'_>,
        size: u8,
        on_step: &mut dyn FnMut(&Step<'_>),
    ) -> Result<Board, TrainingError> {
        let held = self.hold_contest(setup, part, on_step)?;
        let games =
            self.store.contest_games(held.id).map(|game| game.map_err(|error| of_store(&error)));
        Board::count(size, &held.standings, games)
    }
}

impl Board {
    /// Counts the games of a match.
    pub(super) fn count(
        size: u8,
        standings: &Standings,
        games: impl Iterator<Item = Result<StoredGame, TrainingError>>,
    ) -> Result<Board, TrainingError> {
        let mut colours = [Tally::default(); 2];
        for game in games {
            let game = game?;
            // The players take turns as Black, the first of the two first.
            let colour = (game.index % 2) as usize;
            let ours = ["first", "second"][colour];
            match game.result.as_str() {
                "draw" => colours[colour].draws += 1,
                winner if winner == ours => colours[colour].wins += 1,
                _ => colours[colour].losses += 1,
            }
        }
        Ok(Board {
            size,
            colours,
            efforts: [standings.efforts[0], standings.efforts[1]],
            forfeits: [standings.forfeits[0], standings.forfeits[1]],
        })
    }
}

/// One colour on one board: what was published, if it was, and what we find.
pub(super) struct Row {
    pub size: u8,
    pub colour: &'static str,
    pub published: Option<Interval>,
    pub tally: Tally,
    pub ours: Option<Interval>,
}

impl Row {
    /// Whether the published value lies within our interval.
    pub fn is_within(&self) -> Option<bool> {
        let (published, ours) = (self.published?, self.ours?);
        Some(ours.contains(published.value))
    }

    /// Its figure, if one was published. More games are games of both colours.
    pub fn figure(&self, experiment: &Experiment) -> Option<Figure> {
        let (published, ours) = (self.published?, self.ours?);
        let name = figure_name(self.size, self.colour);
        let wanted = experiment.precision_of(&name);
        let precision = Precision::of_share(&ours, self.tally.games(), wanted);
        let mut figure = compared(name, published, ours, &precision);
        figure.games_needed = figure.games_needed.map(|games| 2 * games);
        Some(figure)
    }
}

fn figure_name(size: u8, colour: &str) -> String {
    format!("{size}x{size} as {colour}")
}

/// The figures that were published, by name.
pub(super) fn figure_names(boards: &Boards) -> Vec<String> {
    let of_board = |claim: &ByColour| COLOURS.map(|colour| figure_name(claim.size, colour));
    boards.published.iter().flat_map(of_board).collect()
}

/// Every colour on every board that was played on.
pub(super) fn rows(boards: &Boards, found: &BoardsFindings) -> Vec<Row> {
    let mut rows = Vec::new();
    for board in &found.boards {
        let claim = boards.published.iter().find(|claim| claim.size == board.size);
        for (index, colour) in COLOURS.into_iter().enumerate() {
            let share = |claim: &ByColour| {
                let percent = [claim.black, claim.white][index];
                Interval::share_of(percent / 100.0, claim.games)
            };
            let tally = board.colours[index];
            rows.push(Row {
                size: board.size,
                colour,
                published: claim.and_then(share),
                tally,
                ours: Interval::share(tally.wins, tally.games()),
            });
        }
    }
    rows
}
