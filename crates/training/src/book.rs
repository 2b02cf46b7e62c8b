//! Opening books of Go, built by long searches of the likeliest positions.
//!
//! The side that follows the book plays its moves; the other side is expected to play each move
//! with the probability given by the learned move strengths. So every position in which the book is
//! consulted has a probability of being reached, and the likeliest ones are searched first.
//!
//! Every search becomes a line of the book as soon as it is done, and depends only on the seed and
//! the moves that lead to it: an interrupted run continues where it was and ends with the same
//! book, on any number of threads.

use crate::{
    TrainingError,
    folder::{lock_file, open_lines, write_whole},
    parallel::in_order,
};
use ludus_core::{
    History, Limits, MoveReport, Notation, Options, Player, Position, Random, SearchControl,
    TextError,
};
use ludus_files::AppendFile;
use ludus_games::go::{Go, GoMove, Point};
use ludus_players::{
    Resources, build_player,
    go::{
        book::{Book, BookKey, BookMoveStats, key},
        move_strengths::MoveStrengths,
    },
};
use ludus_search::mcts::{MctsSettings, squash};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Positions chosen together, so that the choice does not depend on threads.
const QUERIES_PER_ROUND: usize = 16;

/// Positions less likely than this are ignored.
const MIN_REACH_PROBABILITY: f64 = 1e-7;

/// Visits a move needs to enter the book, in percent of the most visited move's.
const MIN_VISITS_PERCENT: u64 = 75;

/// Settings of a book.
#[derive(Clone, Debug)]
pub struct BookSettings {
    /// Game options.
    pub options: Options,
    /// Player that searches.
    pub player: String,
    /// Number of positions.
    pub positions: u64,
    /// Seed of everything random.
    pub seed: u64,
}

impl BookSettings {
    /// Command that builds the book, without the number of positions.
    fn command_without_positions(&self) -> String {
        let BookSettings { options, player, seed, .. } = self;
        format!("ludus book build {options} --player {player} --seed {seed}")
    }

    /// Command that builds the book.
    pub fn command(&self) -> String {
        format!("{} --positions {}", self.command_without_positions(), self.positions)
    }
}

/// The building of a book.
pub struct BookJob<'a> {
    /// Settings of the book.
    pub settings: &'a BookSettings,
    /// File of the book.
    pub out: &'a Path,
    /// Whether to continue an existing book.
    pub resume: bool,
    /// Searches at once.
    pub threads: usize,
    /// Stop flag; searches in progress are dropped.
    pub stop: &'a AtomicBool,
}

/// A position in which the book is consulted, with its probability.
#[derive(Clone)]
struct BookQuery {
    line: Vec<Point>,
    position: Go,
    weight: f64,
}

/// Positions expected to come up.
struct Frontier {
    strengths: Arc<MoveStrengths>,
    waiting: BTreeMap<BookKey, BookQuery>,
    in_book: BTreeSet<BookKey>,
}

impl Frontier {
    /// Starts from the first position of a game, for either side following the book.
    fn new(options: &Options) -> Result<Frontier, TrainingError> {
        let start = &Go::start(options)?;
        let strengths = MoveStrengths::built_in()?;
        let mut frontier =
            Frontier { strengths, waiting: BTreeMap::new(), in_book: BTreeSet::new() };
        let empty_book = Book::new(options)?;
        frontier.add_query(&empty_book, &[], start, 1.0);
        frontier.expand_other_side(&empty_book, &[], start, 1.0);
        Ok(frontier)
    }

    /// Removes and returns the likeliest positions without an answer.
    fn likeliest(&mut self, count: usize) -> Vec<BookQuery> {
        let mut keys: Vec<(&BookKey, f64)> =
            self.waiting.iter().map(|(key, asked)| (key, asked.weight)).collect();
        keys.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let keys: Vec<BookKey> = keys.into_iter().take(count).map(|(key, _)| key.clone()).collect();
        keys.iter().filter_map(|key| self.waiting.remove(key)).collect()
    }

    /// Adds a position in which the book is consulted, with this probability.
    fn add_query(&mut self, book: &Book, line: &[Point], position: &Go, weight: f64) {
        let key = key(position);
        if self.in_book.contains(&key) {
            return self.follow_book(book, line, position, weight);
        }
        let new = || BookQuery { line: line.to_vec(), position: position.clone(), weight: 0.0 };
        self.waiting.entry(key).or_insert_with(new).weight += weight;
    }

    /// Plays the book's moves.
    fn follow_book(&mut self, book: &Book, line: &[Point], position: &Go, weight: f64) {
        self.in_book.insert(key(position));
        let moves = book.book_moves(position, &mut Random::new(0));
        let sum: f64 = moves.iter().map(|(_, stats)| f64::from(stats.half_points)).sum();
        for (point, stats) in moves {
            let share = f64::from(stats.half_points) / sum.max(1.0);
            let (line, position) = after(line, position, point);
            self.expand_other_side(book, &line, &position, weight * share);
        }
    }

    /// Plays the other side's moves, each with the probability given by its strength.
    fn expand_other_side(&mut self, book: &Book, line: &[Point], position: &Go, weight: f64) {
        let (mut moves, mut strengths) = (Vec::new(), Vec::new());
        position.legal_moves(&mut moves);
        self.strengths.of_moves(position, &moves, &mut strengths);
        let sum: f32 = strengths.iter().sum();
        for (mv, strength) in moves.iter().zip(strengths) {
            let weight = weight * f64::from(strength / sum);
            if let GoMove::Play(point) = *mv
                && weight >= MIN_REACH_PROBABILITY
            {
                let (line, position) = after(line, position, point);
                self.add_query(book, &line, &position, weight);
            }
        }
    }
}

fn after(line: &[Point], position: &Go, point: Point) -> (Vec<Point>, Go) {
    ([line, &[point]].concat(), position.after(GoMove::Play(point)))
}

impl BookJob<'_> {
    /// Searches the remaining positions, reports the number done to `progress`, and writes the
    /// book.
    ///
    /// # Errors
    /// If the player or the disk fails, the file is another book, or the stop flag is raised.
    pub fn run(&self, progress: &mut dyn FnMut(u64)) -> Result<Book, TrainingError> {
        // A player that cannot be built must not leave files behind.
        self.player()?;
        let _lock = lock_file(self.out)?;
        let (mut file, mut book) = self.open()?;
        let mut frontier = Frontier::new(&self.settings.options)?;
        let total = self.settings.positions as usize;
        while frontier.in_book.len() < total {
            let queries = frontier.likeliest(QUERIES_PER_ROUND.min(total - frontier.in_book.len()));
            if queries.is_empty() {
                break;
            }
            self.search_all(&queries, &mut file, &mut book, frontier.in_book.len(), progress)?;
            for BookQuery { line, position, weight } in &queries {
                frontier.follow_book(&book, line, position, *weight);
            }
        }
        write_whole(self.out, book.text(&self.settings.command()).as_bytes())?;
        Ok(book)
    }

    /// Opens the book's file and parses it.
    fn open(&self) -> Result<(AppendFile, Book), TrainingError> {
        if !self.resume && self.out.exists() {
            let shown = self.out.display().to_string();
            let expected = "a new file (--out), or --resume to continue this one";
            return Err(TextError::whole("file", &shown, expected).into());
        }
        let (mut file, bytes) = open_lines(self.out)?;
        let book = Book::new(&self.settings.options)?;
        let heading = book.heading(&self.settings.command());
        // Also if an interrupted run wrote only a part of it.
        if bytes.len() < heading.len() && heading.as_bytes().starts_with(&bytes) {
            let written = file.cut(0).and_then(|()| file.append(heading.as_bytes()));
            written.map_err(|error| TrainingError::disk(self.out, &error))?;
            return Ok((file, book));
        }
        let text = String::from_utf8_lossy(&bytes);
        let made = text.lines().nth(1).unwrap_or_default();
        let wanted = format!("# {} --positions ", self.settings.command_without_positions());
        if !made.starts_with(&wanted) {
            let expected = format!("{wanted}N; another book needs another --out");
            return Err(TextError::whole("opening book", made, expected).into());
        }
        Ok((file, Book::parse(&text)?))
    }

    /// Searches the positions the book does not know yet; each result becomes a line of the file.
    fn search_all(
        &self,
        queries: &[BookQuery],
        file: &mut AppendFile,
        book: &mut Book,
        before: usize,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), TrainingError> {
        let known: Vec<bool> = queries.iter().map(|asked| book.contains(&asked.position)).collect();
        let mut number = 0;
        in_order(
            0..queries.len() as u64,
            self.threads,
            || self.player(),
            |player, number| match known[number as usize] {
                true => Ok(Vec::new()),
                false => self.search(player.as_mut(), &queries[number as usize]),
            },
            |moves| {
                let asked = &queries[number];
                if !known[number] {
                    book.insert(&asked.line, &moves);
                    let written = file.append(book.line(&asked.position).as_bytes());
                    written.map_err(|error| TrainingError::disk(self.out, &error))?;
                }
                number += 1;
                progress((before + number) as u64);
                Ok(())
            },
        )
    }

    fn player(&self) -> Result<Box<dyn Player<Go>>, TrainingError> {
        Ok(build_player::<Go>(&self.settings.player, &Resources::default())?)
    }

    /// Searches a position and returns its book moves.
    fn search(
        &self,
        player: &mut dyn Player<Go>,
        asked: &BookQuery,
    ) -> Result<Vec<(Point, BookMoveStats)>, TrainingError> {
        let mut game = History::new(Go::start(&self.settings.options)?);
        let mut name = String::new();
        for &point in &asked.line {
            name += &game.last().move_text(GoMove::Play(point));
            game.push(GoMove::Play(point));
        }
        player.new_game(Random::new(self.settings.seed).split(&name).bits());
        let mut control = SearchControl { stop: self.stop, on_report: &mut |_| {} };
        let choice = player.choose(&game, &Limits::default(), &mut control)?;
        // The result of a stopped search is not the one it would have come to.
        if self.stop.load(Ordering::Relaxed) {
            return Err(TrainingError::Stopped);
        }
        Ok(book_moves(&choice.report.moves))
    }
}

/// Most visited moves.
fn book_moves(moves: &[MoveReport<GoMove>]) -> Vec<(Point, BookMoveStats)> {
    let most = moves.iter().map(|entry| entry.visits).max().unwrap_or(0);
    let is_common =
        |entry: &&MoveReport<GoMove>| 100 * entry.visits >= MIN_VISITS_PERCENT * most.max(1);
    let tallied = |entry: &MoveReport<GoMove>| match (entry.mv, entry.score) {
        (GoMove::Play(point), Some(score)) => {
            let games = entry.visits.min(1_000_000) as u32;
            let share = (1.0 + squash(score, MctsSettings::UCT.scale)) / 2.0;
            Some((
                point,
                BookMoveStats { games, half_points: (2.0 * share * games as f32).round() as u32 },
            ))
        }
        _ => None,
    };
    moves.iter().filter(is_common).filter_map(tallied).collect()
}
