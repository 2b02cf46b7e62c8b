//! Opening books of Go, by long searches of the positions that are likeliest to come.
//!
//! Whoever follows the book makes its moves; the other side is expected to make each move as often as
//! the learned strengths of moves say. So every position in which the book is asked has a weight, the
//! chance of getting there, and the heaviest ones are searched first.
//!
//! Every search is a line of the book as soon as it is done, and depends only on the seed and the
//! moves that lead to it: an interrupted run goes on where it was and comes to the same book, on any
//! number of threads.

use crate::{
    TrainingError,
    folder::{open_lines, write_whole},
    parallel::in_order,
};
use ludus_core::{
    History, Limits, MoveReport, Notation, Options, Player, Position, Random, TextError, Watch,
};
use ludus_games::go::{Go, Move, Point};
use ludus_players::{
    Resources, build_player,
    go_book::{Book, Key, Tally, key},
    move_strengths::MoveStrengths,
};
use ludus_search::mcts::{Settings, squash};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::Write,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// Positions that are chosen together, so that threads do not change which are.
const ROUND: usize = 16;

/// Positions less likely than this are not thought of.
const LEAST_WEIGHT: f64 = 1e-7;

/// A move is advised if it got at least so many hundredths of the simulations of the most tried one.
const ADVISED: u64 = 75;

/// How a book is made.
#[derive(Clone, Debug)]
pub struct BookSettings {
    /// The rules.
    pub options: Options,
    /// Who searches.
    pub player: String,
    /// How many positions.
    pub positions: u64,
    /// Decides everything random.
    pub seed: u64,
}

impl BookSettings {
    /// The command that makes the book, but for the number of positions.
    fn of_searches(&self) -> String {
        let BookSettings { options, player, seed, .. } = self;
        format!("ludus book build {options} --player {player} --seed {seed}")
    }

    /// The command that makes the book.
    pub fn command(&self) -> String {
        format!("{} --positions {}", self.of_searches(), self.positions)
    }
}

/// How a book is made here and now.
pub struct BookJob<'a> {
    /// What to make.
    pub settings: &'a BookSettings,
    /// Where the book goes.
    pub out: &'a Path,
    /// Whether to go on with what is there.
    pub resume: bool,
    /// Searches at once.
    pub threads: usize,
    /// Raised to stop; searches under way are dropped.
    pub stop: &'a AtomicBool,
}

/// A position in which the book will be asked.
#[derive(Clone)]
struct Asked {
    line: Vec<Point>,
    position: Go,
    weight: f64,
}

/// What is expected to come.
struct Outlook {
    strengths: Arc<MoveStrengths>,
    waiting: BTreeMap<Key, Asked>,
    answered: BTreeSet<Key>,
}

impl Outlook {
    /// From the start of a game, whoever of the two follows the book.
    fn new(options: &Options) -> Result<Outlook, TrainingError> {
        let start = &Go::start(options)?;
        let strengths = MoveStrengths::built_in()?;
        let mut outlook =
            Outlook { strengths, waiting: BTreeMap::new(), answered: BTreeSet::new() };
        let nothing = Book::new(options)?;
        outlook.ask(&nothing, &[], start, 1.0);
        outlook.expect(&nothing, &[], start, 1.0);
        Ok(outlook)
    }

    /// The heaviest positions that wait for an answer, taken out.
    fn heaviest(&mut self, count: usize) -> Vec<Asked> {
        let mut keys: Vec<(&Key, f64)> =
            self.waiting.iter().map(|(key, asked)| (key, asked.weight)).collect();
        keys.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let keys: Vec<Key> = keys.into_iter().take(count).map(|(key, _)| key.clone()).collect();
        keys.iter().filter_map(|key| self.waiting.remove(key)).collect()
    }

    /// The book is asked in a position, with this weight.
    fn ask(&mut self, book: &Book, line: &[Point], position: &Go, weight: f64) {
        let key = key(position);
        if self.answered.contains(&key) {
            return self.follow(book, line, position, weight);
        }
        let new = || Asked { line: line.to_vec(), position: position.clone(), weight: 0.0 };
        self.waiting.entry(key).or_insert_with(new).weight += weight;
    }

    /// The answers of the book are made.
    fn follow(&mut self, book: &Book, line: &[Point], position: &Go, weight: f64) {
        self.answered.insert(key(position));
        let moves = book.known(position, &mut Random::new(0));
        let sum: f64 = moves.iter().map(|(_, tally)| f64::from(tally.half_points)).sum();
        for (point, tally) in moves {
            let share = f64::from(tally.half_points) / sum.max(1.0);
            let (line, position) = after(line, position, point);
            self.expect(book, &line, &position, weight * share);
        }
    }

    /// The other side moves, each move as likely as it is strong.
    fn expect(&mut self, book: &Book, line: &[Point], position: &Go, weight: f64) {
        let (mut moves, mut strengths) = (Vec::new(), Vec::new());
        position.legal_moves(&mut moves);
        self.strengths.of_moves(position, &moves, &mut strengths);
        let sum: f32 = strengths.iter().sum();
        for (mv, strength) in moves.iter().zip(strengths) {
            let weight = weight * f64::from(strength / sum);
            if let Move::Play(point) = *mv
                && weight >= LEAST_WEIGHT
            {
                let (line, position) = after(line, position, point);
                self.ask(book, &line, &position, weight);
            }
        }
    }
}

fn after(line: &[Point], position: &Go, point: Point) -> (Vec<Point>, Go) {
    ([line, &[point]].concat(), position.after(Move::Play(point)))
}

impl BookJob<'_> {
    /// Searches the positions that are left, tells `progress` of each, and writes the book.
    ///
    /// # Errors
    /// If the player fails, the disk does, the file is another book, or the stop flag is raised.
    pub fn run(&self, progress: &mut dyn FnMut(u64)) -> Result<Book, TrainingError> {
        // A player that cannot be made must not leave files behind.
        self.player()?;
        let (mut file, mut book) = self.open()?;
        let mut outlook = Outlook::new(&self.settings.options)?;
        let total = self.settings.positions as usize;
        while outlook.answered.len() < total {
            let round = outlook.heaviest(ROUND.min(total - outlook.answered.len()));
            if round.is_empty() {
                break;
            }
            self.search_all(&round, &mut file, &mut book, outlook.answered.len(), progress)?;
            for Asked { line, position, weight } in &round {
                outlook.follow(&book, line, position, *weight);
            }
        }
        write_whole(self.out, book.text(&self.settings.command()).as_bytes())?;
        Ok(book)
    }

    /// The file of the book and what is in it.
    fn open(&self) -> Result<(File, Book), TrainingError> {
        if !self.resume && self.out.exists() {
            let shown = self.out.display().to_string();
            let expected = "a new file (--out), or --resume to go on with this one";
            return Err(TextError::whole("file", &shown, expected).into());
        }
        let (mut file, bytes) = open_lines(self.out)?;
        if bytes.is_empty() {
            let book = Book::new(&self.settings.options)?;
            let heading = book.heading(&self.settings.command());
            let written = file.write_all(heading.as_bytes());
            written.map_err(|error| TrainingError::disk(self.out, &error))?;
            return Ok((file, book));
        }
        let text = String::from_utf8_lossy(&bytes);
        let made = text.lines().nth(1).unwrap_or_default();
        let wanted = format!("# {} --positions ", self.settings.of_searches());
        if !made.starts_with(&wanted) {
            let expected = format!("{wanted}N; another book needs another --out");
            return Err(TextError::whole("opening book", made, expected).into());
        }
        Ok((file, Book::parse(&text)?))
    }

    /// Answers what the book does not know yet, each answer a line of the file.
    fn search_all(
        &self,
        round: &[Asked],
        file: &mut File,
        book: &mut Book,
        before: usize,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), TrainingError> {
        let known: Vec<bool> = round.iter().map(|asked| book.knows(&asked.position)).collect();
        let mut number = 0;
        in_order(
            0..round.len() as u64,
            self.threads,
            || self.player(),
            |player, number| match known[number as usize] {
                true => Ok(Vec::new()),
                false => self.search(player.as_mut(), &round[number as usize]),
            },
            |moves| {
                let asked = &round[number];
                if !known[number] {
                    book.insert(&asked.line, &moves);
                    let written = file.write_all(book.line(&asked.position).as_bytes());
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

    /// The moves to make in a position.
    fn search(
        &self,
        player: &mut dyn Player<Go>,
        asked: &Asked,
    ) -> Result<Vec<(Point, Tally)>, TrainingError> {
        let mut game = History::new(Go::start(&self.settings.options)?);
        let mut name = String::new();
        for &point in &asked.line {
            name += &game.last().move_text(Move::Play(point));
            game.push(Move::Play(point));
        }
        player.new_game(Random::new(self.settings.seed).split(&name).bits());
        let mut watch = Watch { stop: self.stop, on_report: &mut |_| {} };
        let choice = player.choose(&game, &Limits::default(), &mut watch)?;
        // A search that was stopped has not said what it would have said.
        if self.stop.load(Ordering::Relaxed) {
            return Err(TrainingError::Stopped);
        }
        Ok(advised(&choice.report.moves))
    }
}

/// The moves that were tried most.
fn advised(moves: &[MoveReport<Move>]) -> Vec<(Point, Tally)> {
    let most = moves.iter().map(|entry| entry.visits).max().unwrap_or(0);
    let is_common = |entry: &&MoveReport<Move>| 100 * entry.visits >= ADVISED * most.max(1);
    let tallied = |entry: &MoveReport<Move>| match (entry.mv, entry.score) {
        (Move::Play(point), Some(score)) => {
            let games = entry.visits.min(1_000_000) as u32;
            let share = (1.0 + squash(score, Settings::UCT.scale)) / 2.0;
            Some((point, Tally { games, half_points: (2.0 * share * games as f32).round() as u32 }))
        }
        _ => None,
    };
    moves.iter().filter(is_common).filter_map(tallied).collect()
}
