//! Openings: lists from files, built-in suites, and the [book](OpeningBook) of a contest.

mod book;

pub use book::{OpeningBook, Openings, WhenExhausted};

use crate::game::Opening;
use ludus_core::{Limits, Options, PlayerError, Random, TextError};
use ludus_data::openings::SUITES;
use ludus_formats::Format;
use ludus_players::{AnalysisControl, Board, Game, Resources, game_of_record};
use std::{collections::HashSet, io::BufRead, path::Path, sync::atomic::AtomicBool};

/// The built-in suite of a game, if there is one.
pub fn suite(game: &str) -> Option<Vec<Opening>> {
    let (_, text) = SUITES.iter().find(|(name, _)| *name == game)?;
    Some(text.lines().filter(|line| is_content(line)).map(moves_of).collect())
}

fn is_content(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#')
}

fn moves_of(line: &str) -> Opening {
    Opening { position: None, moves: line.split_whitespace().map(str::to_owned).collect() }
}

/// Format of an opening file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Game records: the main line of each, or its first `plies`.
    Records(Format, Option<usize>),
    /// One position per line; EPD operations are ignored.
    Positions,
    /// The moves of one opening per line.
    Moves,
}

impl Source {
    /// Format of a file, by its extension; `plies` truncates game records. `None` if it cannot hold
    /// openings.
    pub fn of_file(name: &str, plies: Option<usize>) -> Option<Source> {
        let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
        match (Format::from_name(&extension), extension.as_str()) {
            (Some(format), _) => Some(Source::Records(format, plies)),
            (None, "epd" | "fen") => Some(Source::Positions),
            (None, "txt") => Some(Source::Moves),
            _ => None,
        }
    }
}

/// Reads and checks the openings of a file.
pub fn read(
    source: Source,
    reader: impl BufRead,
    game: &dyn Game,
    options: &Options,
) -> Result<Vec<Opening>, TextError> {
    let openings = match source {
        Source::Records(format, plies) => read_records(format, plies, reader, game, options)?,
        Source::Positions | Source::Moves => {
            let mut openings = Vec::new();
            for (number, line) in reader.lines().enumerate() {
                let line = line.map_err(|error| {
                    TextError::whole("openings", &error.to_string(), "a readable file")
                })?;
                if is_content(&line) {
                    openings.push((number + 1, read_line(source, &line, game)));
                }
            }
            openings
        }
    };
    let mut checked = Vec::with_capacity(openings.len());
    for (number, opening) in openings {
        check(game, options, &opening).map_err(|error| TextError {
            what: format!("opening {number} of the file: {}", error.what),
            ..error
        })?;
        checked.push(opening);
    }
    if checked.is_empty() {
        return Err(TextError::whole("openings", "", "at least one opening"));
    }
    Ok(checked)
}

fn read_line(source: Source, line: &str, game: &dyn Game) -> Opening {
    if source == Source::Moves {
        return moves_of(line);
    }
    let position = line.split(';').next().unwrap_or_default().trim();
    // EPD (chess only): four fields of a FEN, then operations such as `bm Nf3`.
    let fields: Vec<&str> = position.split(' ').collect();
    let is_epd = fields.len() > 4 && fields[4].parse::<u32>().is_err() && game.id() == "chess";
    let position = if is_epd { fields[..4].join(" ") } else { position.to_owned() };
    Opening { position: Some(position), moves: Vec::new() }
}

fn read_records(
    format: Format,
    plies: Option<usize>,
    reader: impl BufRead,
    game: &dyn Game,
    wanted: &Options,
) -> Result<Vec<(usize, Opening)>, TextError> {
    let mut openings = Vec::new();
    let wanted_start = game.open(wanted, None)?.position();
    for (index, record) in format.read(reader).enumerate() {
        let record = record?;
        let (found, options) = game_of_record(Some(format), &record)?;
        if found.id() != game.id() {
            return Err(TextError::whole(
                "opening",
                found.id(),
                format!("a game of {}", game.id()),
            ));
        }
        let board = found.open_record(&options, &record)?;
        let mut moves = board.moves();
        moves.truncate(plies.unwrap_or(usize::MAX));
        let usual = found.open(&options, None)?.position();
        if usual != wanted_start {
            let what = format!("opening {} of the file", index + 1);
            return Err(TextError::whole(
                &what,
                &options.to_string(),
                format!("a game of {wanted}"),
            ));
        }
        let start = board.start_position();
        let position = (start != usual).then_some(start);
        openings.push((index + 1, Opening { position, moves }));
    }
    Ok(openings)
}

/// Checks that an opening is legal and does not end the game.
fn check(game: &dyn Game, options: &Options, opening: &Opening) -> Result<(), TextError> {
    let board = set_up(game, options, opening)?;
    if board.ending().is_some() {
        let position = board.position();
        return Err(TextError::whole("opening", &position, "a game that is not over"));
    }
    Ok(())
}

fn set_up(
    game: &dyn Game,
    options: &Options,
    opening: &Opening,
) -> Result<Box<dyn Board>, TextError> {
    let mut board = game.open(options, opening.position.as_deref())?;
    for mv in &opening.moves {
        board.play(mv)?;
    }
    Ok(board)
}

/// Settings for making an opening suite.
#[derive(Clone, Debug)]
pub struct OpeningSuiteOptions {
    /// Number of openings.
    pub count: usize,
    /// Random plies of each opening.
    pub plies: usize,
    /// Player that evaluates them.
    pub judge: String,
    /// Largest absolute score, in hundredths, that counts as balanced.
    pub balance: i32,
    /// Random seed.
    pub seed: u64,
}

/// Makes a suite: random plies to distinct positions, kept if their evaluation is balanced. Gives up
/// after many tries without a new opening.
pub fn make(
    game: &dyn Game,
    options: &Options,
    recipe: &OpeningSuiteOptions,
    mut on_opening: impl FnMut(usize),
) -> Result<Vec<Opening>, PlayerError> {
    const MAX_FAILED_TRIES: usize = 2_000;
    let mut random = Random::new(recipe.seed).split("openings");
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut failed_tries = 0;
    while openings.len() < recipe.count && failed_tries < MAX_FAILED_TRIES {
        failed_tries += 1;
        let mut board = game.open(options, None)?;
        for _ in 0..recipe.plies {
            let moves = board.legal_moves();
            if board.ending().is_some() || moves.is_empty() {
                break;
            }
            board.play(&moves[random.below(moves.len())])?;
        }
        if board.ending().is_some() || !seen.insert(board.position()) {
            continue;
        }
        let check = BalanceCheck { player: &recipe.judge, limits: Limits::default() };
        let score = check.score(&*board, recipe.seed)?;
        if score.is_some_and(|score| score <= recipe.balance) {
            failed_tries = 0;
            openings.push(Opening { position: None, moves: board.moves() });
            on_opening(openings.len());
        }
    }
    Ok(openings)
}

/// Evaluation of new openings by a player.
struct BalanceCheck<'a> {
    player: &'a str,
    limits: Limits,
}

impl BalanceCheck<'_> {
    /// Absolute score of the position, in hundredths; `None` if the player gives no score.
    fn score(&self, board: &dyn Board, seed: u64) -> Result<Option<i32>, PlayerError> {
        let stop = AtomicBool::new(false);
        let mut progress =
            AnalysisControl { limits: self.limits, stop: &stop, on_report: &mut |_| {} };
        let resources = Resources { seed, ..Resources::default() };
        let mut player = board.game().player(self.player, &resources)?;
        let score = player.choose(board, &mut progress)?.report.numbers.score;
        Ok(score.map(|score| score.0.saturating_abs()))
    }
}
