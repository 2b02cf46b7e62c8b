//! The game on the board of a Go engine.
//!
//! The protocol lets a side move twice and go on after two passes; our rules do neither. When the
//! side that moves is not the one whose turn it is, or the game was over, the turn is given to it
//! ([`Go::with_turn`]): no pass is invented, stones, prisoners and the boards superko forbids stay,
//! and what players see as the history of the game starts anew there.

use ludus_core::{History, Notation, Options, Position, Side, TextError};
use ludus_formats::{Color, Format, gtp::Vertex};
use ludus_games::go::{Go, Move, Point};
use ludus_players::game_of_record;
use std::borrow::Cow;

pub struct Game {
    options: Options,
    /// The board before the first move: empty, or with handicap or set-up stones.
    start: Go,
    moves: Vec<(Side, Move)>,
    history: History<Go>,
}

/// The side of a colour: Black is the first one in Go, also with a handicap.
pub fn side(color: Color) -> Side {
    if color == Color::Black { Side::First } else { Side::Second }
}

impl Game {
    /// An empty board under `options`.
    pub fn new(options: Options) -> Result<Game, TextError> {
        let start = Go::start(&options)?;
        Ok(Game::from(options, start))
    }

    fn from(options: Options, start: Go) -> Game {
        Game { options, history: History::new(start.clone()), start, moves: Vec::new() }
    }

    /// The same options with an empty board.
    pub fn cleared(&self) -> Result<Game, TextError> {
        Game::new(self.options.clone())
    }

    pub fn position(&self) -> &Go {
        self.history.last()
    }

    /// What a player has seen of the game.
    pub fn history(&self) -> &History<Go> {
        &self.history
    }

    /// Whether nothing stands on the board.
    pub fn is_empty(&self) -> bool {
        let board = self.position().board();
        board.points().all(|point| board.is_empty(point))
    }

    /// An empty board with one option changed.
    pub fn with_option(&self, name: &str, value: &str) -> Result<Game, TextError> {
        Game::new(changed(&self.options, name, value)?)
    }

    /// The same game under options of which one is changed. It fails if a move of the game is not
    /// legal any more.
    pub fn replayed_with(&self, name: &str, value: &str) -> Result<Game, TextError> {
        let options = changed(&self.options, name, value)?;
        let start = Go::parse(&options, &self.start.text())?;
        let mut game = Game::from(options, start);
        for &(side, mv) in &self.moves {
            if !game.play(side, mv) {
                let text = game.position().move_text(mv);
                return Err(TextError::whole("option", name, format!("{text} to stay legal")));
            }
        }
        Ok(game)
    }

    /// The move to a vertex; `None` if the board has no such point.
    pub fn move_to(&self, vertex: Vertex) -> Option<Move> {
        let board = self.position().board();
        match vertex {
            Vertex::Pass => Some(Move::Pass),
            Vertex::Point { column, row } if column.max(row) < board.size() => {
                Some(Move::Play(board.point(board.size() - 1 - row, column)))
            }
            Vertex::Point { .. } | Vertex::Resign => None,
        }
    }

    pub fn vertex(&self, point: Point) -> Vertex {
        let board = self.position().board();
        let (row, column) = board.row_column(point);
        Vertex::Point { column, row: board.size() - 1 - row }
    }

    /// The game as `side` sees it when it is to move.
    pub fn seen_by(&self, side: Side) -> Cow<'_, History<Go>> {
        let last = self.position();
        if last.turn() == side && last.outcome().is_none() {
            Cow::Borrowed(&self.history)
        } else {
            Cow::Owned(History::new(last.with_turn(side)))
        }
    }

    pub fn is_legal(&self, side: Side, mv: Move) -> bool {
        is_legal_in(&self.seen_by(side), mv)
    }

    /// Plays a move of `side`, if it is legal.
    pub fn play(&mut self, side: Side, mv: Move) -> bool {
        let seen = self.seen_by(side);
        if !is_legal_in(&seen, mv) {
            return false;
        }
        if let Cow::Owned(history) = seen {
            self.history = history;
        }
        self.history.push(mv);
        self.moves.push((side, mv));
        true
    }

    /// Takes back the last move, whoever made it.
    pub fn undo(&mut self) -> bool {
        if self.moves.pop().is_none() {
            return false;
        }
        let moves = std::mem::take(&mut self.moves);
        self.history = History::new(self.start.clone());
        for (side, mv) in moves {
            self.play(side, mv); // legal before, so legal again
        }
        true
    }

    /// Puts handicap stones on an empty board; White moves next.
    pub fn set_handicap(&mut self, points: &[Point]) -> Result<(), TextError> {
        let position = self.position();
        let name = |&point: &Point| (Side::First, position.record_text(Move::Play(point)));
        let stones: Vec<(Side, String)> = points.iter().map(name).collect();
        let start = Go::set_up(&self.options, &stones, Some(Side::Second))?;
        *self = Game::from(self.options.clone(), start);
        Ok(())
    }

    /// Where the protocol's fixed handicap stones go, if the board has places for so many.
    pub fn fixed_handicap(&self, stones: usize) -> Option<Vec<Point>> {
        let options = changed(&self.options, "handicap", &stones.to_string()).ok()?;
        let start = Go::start(&options).ok().filter(|_| stones > 0)?;
        let board = start.board();
        Some(board.points().filter(|&point| !board.is_empty(point)).collect())
    }

    /// Places of our choice for at most `stones` handicap stones: the fixed ones as far as they
    /// go; on boards without them every second point, from the middle.
    pub fn free_handicap(&self, stones: usize) -> Vec<Point> {
        let fixed = (2..=stones.min(9)).rev().find_map(|stones| self.fixed_handicap(stones));
        fixed.unwrap_or_else(|| {
            let board = self.position().board();
            let middle = board.size() as i32 - 1;
            let place = |&point: &Point| {
                let (row, column) = board.row_column(point);
                (2 * row as i32 - middle, 2 * column as i32 - middle)
            };
            let even = |point: &Point| {
                let (row, column) = board.row_column(*point);
                (row + column) % 2 == 0
            };
            let mut points: Vec<Point> = board.points().filter(even).collect();
            points.sort_by_key(|point| {
                let (down, right) = place(point);
                down * down + right * right
            });
            points.truncate(stones);
            points
        })
    }

    /// The first game of an SGF file, up to but without move `before` (counted from 1).
    pub fn load(bytes: &[u8], before: Option<usize>) -> Result<Game, TextError> {
        let record = Format::Sgf
            .read(bytes)
            .next()
            .ok_or_else(|| TextError::whole("SGF file", "", "a game"))??;
        let (game, options) = game_of_record(Some(Format::Sgf), &record)?;
        if game.id() != Go::ID {
            return Err(TextError::whole("SGF file", game.id(), "a game of go"));
        }
        let mut session = game.open_record(&options, &record)?;
        let moves = session.moves();
        while session.undo() {}
        let start = Go::parse(&options, &session.position())?;
        // The stones are on the board now; komi stays what the handicap made it.
        let komi = start.rules().komi().to_string();
        let options = changed(&changed(&options, "handicap", "0")?, "komi", &komi)?;
        let mut game = Game::from(options, start);
        let kept = before.map_or(moves.len(), |before| before.saturating_sub(1));
        for text in moves.iter().take(kept) {
            let mv = game.position().parse_move(text)?;
            let side = game.position().turn();
            game.play(side, mv);
        }
        Ok(game)
    }

    /// The chains on the board, each as its points.
    pub fn chains(&self) -> Vec<Vec<Point>> {
        let board = self.position().board();
        let mut seen: Vec<Point> = Vec::new();
        let mut chains = Vec::new();
        for start in board.points().filter(|&point| !board.is_empty(point)) {
            if seen.contains(&start) {
                continue;
            }
            let mut chain = vec![start];
            let mut next = 0;
            while let Some(&point) = chain.get(next) {
                next += 1;
                for neighbour in board.neighbours(point) {
                    if board.stone(neighbour) == board.stone(start) && !chain.contains(&neighbour) {
                        chain.push(neighbour);
                    }
                }
            }
            seen.extend(&chain);
            chains.push(chain);
        }
        chains
    }
}

fn is_legal_in(history: &History<Go>, mv: Move) -> bool {
    match mv {
        Move::Pass => true,
        Move::Play(point) => history.last().illegal(point).is_none(),
    }
}

/// `options` with one of them set to `value`.
fn changed(options: &Options, name: &str, value: &str) -> Result<Options, TextError> {
    let given = Go::OPTIONS.iter().filter_map(|spec| {
        let value = if spec.name == name { value } else { options.text(spec.name) };
        (value != spec.default).then(|| format!("{}={value}", spec.name))
    });
    let given: Vec<String> = given.collect();
    let text = if given.is_empty() {
        Go::ID.to_owned()
    } else {
        format!("{}:{}", Go::ID, given.join(","))
    };
    Options::parse(&text, Go::OPTIONS)
}
