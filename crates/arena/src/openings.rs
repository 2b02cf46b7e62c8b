//! Where games start: lists of openings from files, suites of our own making, and the
//! [book](OpeningBook) a contest takes its openings from.

mod book;

pub use book::{OpeningBook, Openings, Then};

use crate::game::Opening;
use ludus_core::{Limits, Options, PlayerError, Random, TextError};
use ludus_formats::Format;
use ludus_players::{Game, Progress, Resources, Session, game_of_record};
use std::{collections::HashSet, io::BufRead, sync::atomic::AtomicBool};

/// The suites that ship with the program, one file a game, made by `ludus openings`.
const SUITES: &[(&str, &str)] = &[
    ("draughts", include_str!("../../../data/openings/draughts.txt")),
    ("draughts:rules=brazilian", include_str!("../../../data/openings/draughts-brazilian.txt")),
    ("draughts:rules=russian", include_str!("../../../data/openings/draughts-russian.txt")),
    (
        "draughts:rules=international",
        include_str!("../../../data/openings/draughts-international.txt"),
    ),
    ("chess", include_str!("../../../data/openings/chess.txt")),
    ("reversi", include_str!("../../../data/openings/reversi.txt")),
    ("connect4", include_str!("../../../data/openings/connect4.txt")),
];

/// The suite of a game, if there is one.
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

/// How openings are written in a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Game records: the main line of each, or its first `plies`.
    Records(Format, Option<usize>),
    /// A position a line; EPD operations behind it are ignored.
    Positions,
    /// The moves of an opening a line.
    Moves,
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
    // EPD, which is of chess: four fields of a FEN, then operations such as `bm Nf3`.
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
    let board = game.open(wanted, None)?.position();
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
        let session = found.open_record(&options, &record)?;
        let mut moves = session.moves();
        moves.truncate(plies.unwrap_or(usize::MAX));
        let usual = found.open(&options, None)?.position();
        if usual != board {
            let what = format!("opening {} of the file", index + 1);
            return Err(TextError::whole(
                &what,
                &options.to_string(),
                format!("a game of {wanted}"),
            ));
        }
        let start = session.start_position();
        let position = (start != usual).then_some(start);
        openings.push((index + 1, Opening { position, moves }));
    }
    Ok(openings)
}

/// Sets up an opening; it must be legal and leave something to play.
fn check(game: &dyn Game, options: &Options, opening: &Opening) -> Result<(), TextError> {
    let session = set_up(game, options, opening)?;
    if session.ending().is_some() {
        let position = session.position();
        return Err(TextError::whole("opening", &position, "a game that goes on"));
    }
    Ok(())
}

fn set_up(
    game: &dyn Game,
    options: &Options,
    opening: &Opening,
) -> Result<Box<dyn Session>, TextError> {
    let mut session = game.open(options, opening.position.as_deref())?;
    for mv in &opening.moves {
        session.play(mv)?;
    }
    Ok(session)
}

/// How a suite is made.
#[derive(Clone, Debug)]
pub struct SuiteRecipe {
    /// How many openings.
    pub count: usize,
    /// Random plies of each.
    pub plies: usize,
    /// Who judges them.
    pub judge: String,
    /// The largest score, in hundredths, that counts as balanced.
    pub balance: i32,
    /// Decides everything random.
    pub seed: u64,
}

/// Makes a suite: random plies to distinct positions, kept only if the judge calls them balanced
/// for the side to move. Gives up after many tries without a new one.
pub fn make(
    game: &dyn Game,
    options: &Options,
    recipe: &SuiteRecipe,
    mut on_opening: impl FnMut(usize),
) -> Result<Vec<Opening>, PlayerError> {
    const PATIENCE: usize = 2_000;
    let mut random = Random::new(recipe.seed).split("openings");
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let mut misses = 0;
    while openings.len() < recipe.count && misses < PATIENCE {
        misses += 1;
        let mut session = game.open(options, None)?;
        for _ in 0..recipe.plies {
            let moves = session.legal_moves();
            if session.ending().is_some() || moves.is_empty() {
                break;
            }
            session.play(&moves[random.below(moves.len())])?;
        }
        if session.ending().is_some() || !seen.insert(session.position()) {
            continue;
        }
        let judge = Judge { player: &recipe.judge, limits: Limits::default() };
        let score = judge.score(&*session, recipe.seed)?;
        if score.is_some_and(|score| score <= recipe.balance) {
            misses = 0;
            openings.push(Opening { position: None, moves: session.moves() });
            on_opening(openings.len());
        }
    }
    Ok(openings)
}

/// Who judges new openings.
struct Judge<'a> {
    player: &'a str,
    limits: Limits,
}

impl Judge<'_> {
    /// How far from balanced the position is, in hundredths; `None` if the judge has no opinion.
    fn score(&self, session: &dyn Session, seed: u64) -> Result<Option<i32>, PlayerError> {
        let stop = AtomicBool::new(false);
        let mut progress = Progress { limits: self.limits, stop: &stop, on_report: &mut |_| {} };
        let resources = Resources { seed, ..Resources::default() };
        let analysis = session.analyze(self.player, &resources, &mut progress)?;
        Ok(analysis.score.map(i32::saturating_abs))
    }
}
