//! Opening books of Go: moves of the first positions with the results of a long search.
//!
//! ```text
//! book of go:size=9
//! start: E5 4570.5/9120
//! E5: C4 4110/8990 C3 3805.5/8011
//! ```
//!
//! A line is a position, given by moves that lead to it, and after the colon its book moves, each with
//! the simulations it won (a draw is half of one) and the simulations it was tried in. Rotated and
//! mirrored positions are the same, and so are transpositions. `ludus book build` makes them.

mod player;
mod symmetry;

pub use player::{BOOK, WithBook};
pub use symmetry::Symmetry;

use ludus_core::{Notation, Options, Position, Random, TextError};
use ludus_games::go::{Go, GoMove, Point};
use std::{
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

/// The built-in books, one a board size.
const BUILT_IN: [&str; 1] = [ludus_data::go::BOOK_9X9];

const WHAT: &str = "opening book";
const HEADING: &str = "book of ";
const START: &str = "start";

/// The stones of the board after a symmetry, and the side to move. The key of a position is the least of
/// its eight symmetries.
pub type BookKey = Vec<u8>;

/// Simulations of a book move and their results.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct BookMoveStats {
    /// Simulations of the move.
    pub games: u32,
    /// Half points its side won in them: two for a win, one for a draw.
    pub half_points: u32,
}

/// A position of the book, turned as in its key.
#[derive(Clone, Debug, PartialEq)]
struct BookPosition {
    /// Moves that lead to it.
    line: Vec<Point>,
    moves: BTreeMap<Point, BookMoveStats>,
}

/// An opening book for one board size.
#[derive(Clone, Debug, PartialEq)]
pub struct Book {
    /// The game and its options.
    game: String,
    start: Go,
    entries: BTreeMap<BookKey, BookPosition>,
}

fn key_after(position: &Go, symmetry: Symmetry) -> BookKey {
    let board = position.board();
    let undo = symmetry.inverse();
    let stone = |point: Point| match board.stone(undo.image(board, point)) {
        None => 0,
        Some(side) => 1 + side.index() as u8,
    };
    board.points().map(stone).chain([position.turn().index() as u8]).collect()
}

/// The key of a position, and the symmetries that bring it there.
fn key_of(position: &Go) -> (BookKey, Vec<Symmetry>) {
    let (mut least, mut ways) = (BookKey::new(), Vec::new());
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

/// The key of a position, equal for rotated and mirrored positions and for transpositions.
pub fn key(position: &Go) -> BookKey {
    key_of(position).0
}

impl Book {
    /// An empty book of this game.
    ///
    /// # Errors
    /// If the options do not go together.
    pub fn new(options: &Options) -> Result<Book, TextError> {
        let start = Go::start(options)?;
        Ok(Book { game: options.to_string(), start, entries: BTreeMap::new() })
    }

    /// The board size.
    pub fn size(&self) -> usize {
        self.start.board().size()
    }

    /// Number of positions.
    pub fn positions(&self) -> usize {
        self.entries.len()
    }

    /// Number of moves, of all positions.
    pub fn moves(&self) -> usize {
        self.entries.values().map(|entry| entry.moves.len()).sum()
    }

    /// Length of its longest line.
    pub fn plies(&self) -> usize {
        self.entries.values().map(|entry| entry.line.len()).max().unwrap_or(0)
    }

    /// Whether it contains a position, in any symmetry.
    pub fn contains(&self, position: &Go) -> bool {
        self.entries.contains_key(&key_of(position).0)
    }

    /// Adds book moves after a line of legal moves.
    pub fn insert(&mut self, line: &[Point], moves: &[(Point, BookMoveStats)]) {
        let mut position = self.start.clone();
        for &point in line {
            position.play(GoMove::Play(point));
        }
        for &(point, stats) in moves {
            self.add(&position, line, point, stats);
        }
    }

    fn add(&mut self, position: &Go, line: &[Point], point: Point, stats: BookMoveStats) {
        let board = position.board();
        let (key, ways) = key_of(position);
        // In a symmetric position several moves are the same.
        let images = ways.iter().map(|way| way.image(board, point));
        let Some(image) = images.min() else { return };
        let to_key = |point: &Point| ways[0].image(board, *point);
        let entry = self.entries.entry(key).or_insert_with(|| BookPosition {
            line: line.iter().map(to_key).collect(),
            moves: BTreeMap::new(),
        });
        let sum = entry.moves.entry(image).or_default();
        sum.games += stats.games;
        sum.half_points += stats.half_points;
    }

    /// Its legal moves in a position, in a random one of the symmetries that fit.
    pub fn book_moves(&self, position: &Go, random: &mut Random) -> Vec<(Point, BookMoveStats)> {
        let board = position.board();
        if board.size() != self.size() {
            return Vec::new();
        }
        let (key, ways) = key_of(position);
        let Some(entry) = self.entries.get(&key) else { return Vec::new() };
        let back = ways[random.below(ways.len())].inverse();
        let turned = entry.moves.iter().map(|(&point, &stats)| (back.image(board, point), stats));
        turned.filter(|&(point, _)| position.illegal(point).is_none()).collect()
    }

    /// A book move for a position, and all of them. It is drawn in proportion to its points among the moves
    /// tried at least half as often as the most tried one: rarely tried moves may have won by luck.
    pub fn choose(
        &self,
        position: &Go,
        random: &mut Random,
    ) -> Option<(Point, Vec<(Point, BookMoveStats)>)> {
        let moves = self.book_moves(position, random);
        let max_games = moves.iter().map(|(_, stats)| stats.games).max()?;
        let common: Vec<(Point, BookMoveStats)> =
            moves.iter().copied().filter(|(_, stats)| 2 * stats.games >= max_games).collect();
        let sum: u32 = common.iter().map(|(_, stats)| stats.half_points).sum();
        if sum == 0 {
            return None;
        }
        let mut drawn = random.below(sum as usize) as u32;
        for (point, stats) in common {
            if drawn < stats.half_points {
                return Some((point, moves));
            }
            drawn -= stats.half_points;
        }
        None
    }

    /// The book as text, with `comment` below its first line.
    pub fn text(&self, comment: &str) -> String {
        let mut entries: Vec<&BookPosition> = self.entries.values().collect();
        let board = self.start.board();
        entries.sort_by_key(|entry| {
            let places = entry.line.iter().map(|point| board.row_column(*point));
            (entry.line.len(), places.collect::<Vec<_>>())
        });
        let lines = entries.iter().map(|entry| self.entry_text(entry));
        self.heading(comment) + &lines.collect::<String>()
    }

    /// The first lines of its text.
    pub fn heading(&self, comment: &str) -> String {
        format!("{HEADING}{}\n# {comment}\n", self.game)
    }

    /// The line of its text for a position; empty if it does not contain the position.
    pub fn line(&self, position: &Go) -> String {
        self.entries.get(&key(position)).map_or_else(String::new, |entry| self.entry_text(entry))
    }

    fn entry_text(&self, entry: &BookPosition) -> String {
        let name = |point: &Point| self.start.move_text(GoMove::Play(*point));
        let line: Vec<String> = entry.line.iter().map(name).collect();
        let mut text = if line.is_empty() { START.to_owned() } else { line.join(" ") };
        text += ":";
        let board = self.start.board();
        let mut moves: Vec<(&Point, &BookMoveStats)> = entry.moves.iter().collect();
        moves.sort_by_key(|(point, stats)| (u32::MAX - stats.games, board.row_column(**point)));
        for (point, stats) in moves {
            let points = f64::from(stats.half_points) / 2.0;
            text += &format!(" {} {points}/{}", name(point), stats.games);
        }
        text + "\n"
    }

    /// Reads what [`text`](Book::text) wrote; lines that begin with `#` are comments.
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
            return Err(fault(text, "moves, a colon, and book moves"));
        };
        let mut position = self.start.clone();
        let mut line = Vec::new();
        for word in before.split_whitespace().filter(|word| *word != START) {
            let point = read_point(&position, word)?;
            line.push(point);
            position.play(GoMove::Play(point));
        }
        if self.entries.contains_key(&key_of(&position).0) {
            return Err(fault(before, "each position once, in any symmetry"));
        }
        let words: Vec<&str> = after.split_whitespace().collect();
        if words.is_empty() || !words.len().is_multiple_of(2) {
            return Err(fault(after, "moves, each with its won and all simulations: E5 7.5/12"));
        }
        for pair in words.chunks_exact(2) {
            let point = read_point(&position, pair[0])?;
            let stats = read_stats(pair[1]);
            let stats = stats.ok_or_else(|| fault(pair[1], "won simulations of all: 7.5/12"))?;
            self.add(&position, &line, point, stats);
        }
        Ok(())
    }
}

fn read_point(position: &Go, word: &str) -> Result<Point, TextError> {
    match position.parse_move(word)? {
        GoMove::Play(point) => Ok(point),
        GoMove::Pass => Err(TextError::whole(WHAT, word, "a point: passes are not in books")),
    }
}

fn read_stats(word: &str) -> Option<BookMoveStats> {
    let (points, games) = word.split_once('/')?;
    let (points, games): (f64, u32) = (points.parse().ok()?, games.parse().ok()?);
    let half_points = 2.0 * points;
    // Bounded so that sums of a few such numbers cannot overflow.
    let fits = (1..=1_000_000).contains(&games)
        && (0.0..=2.0 * f64::from(games)).contains(&half_points)
        && half_points.fract() == 0.0;
    fits.then_some(BookMoveStats { games, half_points: half_points as u32 })
}

/// The built-in books.
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
