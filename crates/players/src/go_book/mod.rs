//! Opening books of Go: what a long search found in positions of the first moves.
//!
//! ```text
//! book of go:size=9
//! start: E5 4570.5/9120
//! E5: C4 4110/8990 C3 3805.5/8011
//! ```
//!
//! A line is a position, by moves that lead to it, and after the colon the moves to make there, each with
//! the simulations it won (a draw is half of one) and the simulations it was tried in. A position turned round or
//! mirrored is the same, and so is one reached by other moves. `ludus book build` makes them.

mod player;
mod symmetry;

pub use player::{BOOK, Booked};
pub use symmetry::Symmetry;

use ludus_core::{Notation, Options, Position, Random, TextError};
use ludus_games::go::{Go, Move, Point};
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

/// The books that are built in, one a size.
const BUILT_IN: [&str; 1] = [include_str!("../../../../data/go/book-9x9.txt")];

const WHAT: &str = "opening book";
const HEADING: &str = "book of ";
const START: &str = "start";

/// The stones of the board as they lie after a symmetry, and the side to move: the least of all
/// symmetries stands for all.
pub type Key = Vec<u8>;

/// How often a move was tried, and how that went.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Simulations in which it was made.
    pub games: u32,
    /// Half points its side made of them: two for a win, one for a draw.
    pub half_points: u32,
}

/// A position of the book, as it lies in its key.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    /// Moves that lead to it.
    line: Vec<Point>,
    moves: BTreeMap<Point, Tally>,
}

/// What is known of the first moves on a board of one size.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// The game and its options.
    game: String,
    start: Go,
    entries: BTreeMap<Key, Entry>,
}

fn key_after(position: &Go, symmetry: Symmetry) -> Key {
    let board = position.board();
    let undo = symmetry.inverse();
    let stone = |point: Point| match board.stone(undo.image(board, point)) {
        None => 0,
        Some(side) => 1 + side.index() as u8,
    };
    board.points().map(stone).chain([position.turn().index() as u8]).collect()
}

/// The key of a position, and the symmetries that bring it there.
fn key_of(position: &Go) -> (Key, Vec<Symmetry>) {
    let (mut least, mut ways) = (Key::new(), Vec::new());
    for symmetry in Symmetry::all() {
        let key = key_after(position, symmetry);
        if ways.is_empty() || key < least {
            (least, ways) = (key, vec![symmetry]);
        } else if key == least {
            ways.push(symmetry);
        }
    }
    (least, ways)
}

/// What a position has in common with all that are the same turned round or mirrored, or reached by
/// other moves.
pub fn key(position: &Go) -> Key {
    key_of(position).0
}

impl Book {
    /// A book of this game without any position.
    ///
    /// # Errors
    /// If the options do not go together.
    pub fn new(options: &Options) -> Result<Book, TextError> {
        let start = Go::start(options)?;
        Ok(Book { game: options.to_string(), start, entries: BTreeMap::new() })
    }

    /// Points in a row of the board it is for.
    pub fn size(&self) -> usize {
        self.start.board().size()
    }

    /// How many positions it knows.
    pub fn positions(&self) -> usize {
        self.entries.len()
    }

    /// How many moves it knows, of all positions.
    pub fn moves(&self) -> usize {
        self.entries.values().map(|entry| entry.moves.len()).sum()
    }

    /// The most moves that lead to a position of it.
    pub fn plies(&self) -> usize {
        self.entries.values().map(|entry| entry.line.len()).max().unwrap_or(0)
    }

    /// Whether it knows a position, however it is turned.
    pub fn knows(&self, position: &Go) -> bool {
        self.entries.contains_key(&key_of(position).0)
    }

    /// Adds moves to make after a line of legal moves.
    pub fn insert(&mut self, line: &[Point], moves: &[(Point, Tally)]) {
        let mut position = self.start.clone();
        for &point in line {
            position.play(Move::Play(point));
        }
        for &(point, tally) in moves {
            self.count(&position, line, point, tally);
        }
    }

    fn count(&mut self, position: &Go, line: &[Point], point: Point, tally: Tally) {
        let board = position.board();
        let (key, ways) = key_of(position);
        // Where the position itself is symmetric, several moves are the same.
        let images = ways.iter().map(|way| way.image(board, point));
        let Some(image) = images.min() else { return };
        let to_key = |point: &Point| ways[0].image(board, *point);
        let entry = self.entries.entry(key).or_insert_with(|| Entry {
            line: line.iter().map(to_key).collect(),
            moves: BTreeMap::new(),
        });
        let sum = entry.moves.entry(image).or_default();
        sum.games += tally.games;
        sum.half_points += tally.half_points;
    }

    /// The legal moves it knows in a position, turned one of the ways that fit.
    pub fn known(&self, position: &Go, random: &mut Random) -> Vec<(Point, Tally)> {
        let board = position.board();
        if board.size() != self.size() {
            return Vec::new();
        }
        let (key, ways) = key_of(position);
        let Some(entry) = self.entries.get(&key) else { return Vec::new() };
        let back = ways[random.below(ways.len())].inverse();
        let turned = entry.moves.iter().map(|(&point, &tally)| (back.image(board, point), tally));
        turned.filter(|&(point, _)| position.illegal(point).is_none()).collect()
    }

    /// One of the moves it knows, and all of them. It is one that was tried at least half as often as
    /// the commonest, the likelier the more it won: what was hardly tried may have won by luck.
    pub fn choose(
        &self,
        position: &Go,
        random: &mut Random,
    ) -> Option<(Point, Vec<(Point, Tally)>)> {
        let known = self.known(position, random);
        let most = known.iter().map(|(_, tally)| tally.games).max()?;
        let common: Vec<(Point, Tally)> =
            known.iter().copied().filter(|(_, tally)| 2 * tally.games >= most).collect();
        let sum: u32 = common.iter().map(|(_, tally)| tally.half_points).sum();
        if sum == 0 {
            return None;
        }
        let mut drawn = random.below(sum as usize) as u32;
        for (point, tally) in common {
            if drawn < tally.half_points {
                return Some((point, known));
            }
            drawn -= tally.half_points;
        }
        None
    }

    /// The book as text, with `remark` below its first line.
    pub fn text(&self, remark: &str) -> String {
        let mut entries: Vec<&Entry> = self.entries.values().collect();
        let board = self.start.board();
        entries.sort_by_key(|entry| {
            let places = entry.line.iter().map(|point| board.row_column(*point));
            (entry.line.len(), places.collect::<Vec<_>>())
        });
        let lines = entries.iter().map(|entry| self.entry_text(entry));
        self.heading(remark) + &lines.collect::<String>()
    }

    /// The first lines of its text.
    pub fn heading(&self, remark: &str) -> String {
        format!("{HEADING}{}\n# {remark}\n", self.game)
    }

    /// The line of its text that is about a position; empty if it knows nothing of it.
    pub fn line(&self, position: &Go) -> String {
        self.entries.get(&key(position)).map_or_else(String::new, |entry| self.entry_text(entry))
    }

    fn entry_text(&self, entry: &Entry) -> String {
        let name = |point: &Point| self.start.move_text(Move::Play(*point));
        let line: Vec<String> = entry.line.iter().map(name).collect();
        let mut text = if line.is_empty() { START.to_owned() } else { line.join(" ") };
        text += ":";
        let board = self.start.board();
        let mut moves: Vec<(&Point, &Tally)> = entry.moves.iter().collect();
        moves.sort_by_key(|(point, tally)| (u32::MAX - tally.games, board.row_column(**point)));
        for (point, tally) in moves {
            let points = f64::from(tally.half_points) / 2.0;
            text += &format!(" {} {points}/{}", name(point), tally.games);
        }
        text + "\n"
    }

    /// Reads what [`text`](Book::text) wrote; lines that begin with `#` are remarks.
    ///
    /// # Errors
    /// If the text is something else, with the line.
    pub fn parse(text: &str) -> Result<Book, TextError> {
        let mut lines = text.lines().enumerate();
        let heading = lines.next().and_then(|(_, line)| line.strip_prefix(HEADING));
        let Some(game) = heading else {
            return Err(TextError::at(WHAT, text, 0, "book of go:size=9 or the like"));
        };
        let mut book = Book::new(&Options::parse(game.trim(), Go::OPTIONS)?)?;
        for (index, line) in lines.filter(|(_, line)| !line.starts_with('#')) {
            if line.trim().is_empty() {
                continue;
            }
            let in_line = |error: TextError| TextError { line: index + 1, column: 1, ..error };
            book.read_line(line).map_err(in_line)?;
        }
        Ok(book)
    }

    fn read_line(&mut self, text: &str) -> Result<(), TextError> {
        let fault = |found: &str, expected: &str| TextError::whole(WHAT, found, expected);
        let Some((before, after)) = text.split_once(':') else {
            return Err(fault(text, "moves, a colon, and what was played then"));
        };
        let mut position = self.start.clone();
        let mut line = Vec::new();
        for word in before.split_whitespace().filter(|word| *word != START) {
            let point = read_point(&position, word)?;
            line.push(point);
            position.play(Move::Play(point));
        }
        if self.entries.contains_key(&key_of(&position).0) {
            return Err(fault(before, "each position once, however it is turned"));
        }
        let words: Vec<&str> = after.split_whitespace().collect();
        if words.is_empty() || !words.len().is_multiple_of(2) {
            return Err(fault(after, "moves, each with its won and all simulations: E5 7.5/12"));
        }
        for pair in words.chunks_exact(2) {
            let point = read_point(&position, pair[0])?;
            let tally = read_tally(pair[1]);
            let tally = tally.ok_or_else(|| fault(pair[1], "won simulations of all: 7.5/12"))?;
            self.count(&position, &line, point, tally);
        }
        Ok(())
    }
}

fn read_point(position: &Go, word: &str) -> Result<Point, TextError> {
    match position.parse_move(word)? {
        Move::Play(point) => Ok(point),
        Move::Pass => Err(TextError::whole(WHAT, word, "a point: passes are not in books")),
    }
}

fn read_tally(word: &str) -> Option<Tally> {
    let (points, games) = word.split_once('/')?;
    let (points, games): (f64, u32) = (points.parse().ok()?, games.parse().ok()?);
    let half_points = 2.0 * points;
    // Sums of a few such numbers stay far from where they would overflow.
    let fits = (1..=1_000_000).contains(&games)
        && (0.0..=2.0 * f64::from(games)).contains(&half_points)
        && half_points.fract() == 0.0;
    fits.then_some(Tally { games, half_points: half_points as u32 })
}

/// The books that are built in.
///
/// # Errors
/// If one of them is damaged.
pub fn built_in() -> Result<Vec<Arc<Book>>, TextError> {
    static READ: LazyLock<Result<Vec<Arc<Book>>, TextError>> =
        LazyLock::new(|| BUILT_IN.iter().map(|text| Book::parse(text).map(Arc::new)).collect());
    READ.clone()
}

#[cfg(test)]
mod tests;
