//! The game on the board of a Go engine.
//!
//! The protocol allows a side to move twice, and moves after two passes; the rules of `Go` do not. If
//! the mover is not the side to move, or the game was over, the turn is set ([`Go::with_turn`]): no pass
//! is added, stones, prisoners and superko history stay, and the game history for players starts again
//! there.

use ludus_core::{History, Notation, Options, Position, Side, TextError};
use ludus_formats::{Format, PieceColour, gtp::Vertex};
use ludus_games::go::{Go, GoMove, Point};
use ludus_players::game_of_record;
use std::borrow::Cow;

pub struct GtpGame {
    options: Options,
    /// The board before the first move: empty, or with handicap or set-up stones.
    start: Go,
    moves: Vec<(Side, GoMove)>,
    history: History<Go>,
}

/// The side of a colour: in Go, Black is the first side, even with a handicap.
pub fn side(colour: PieceColour) -> Side {
    if colour == PieceColour::Black { Side::First } else { Side::Second }
}

impl GtpGame {
    /// An empty board under `options`.
    pub fn new(options: Options) -> Result<GtpGame, TextError> {
        let start = Go::start(&options)?;
        Ok(GtpGame::from(options, start))
    }

    fn from(options: Options, start: Go) -> GtpGame {
        GtpGame { options, history: History::new(start.clone()), start, moves: Vec::new() }
    }

    /// The same options with an empty board.
    pub fn with_empty_board(&self) -> Result<GtpGame, TextError> {
        GtpGame::new(self.options.clone())
    }

    pub fn position(&self) -> &Go {
        self.history.last()
    }

    /// The game history for players.
    pub fn history(&self) -> &History<Go> {
        &self.history
    }

    /// Whether the board is empty.
    pub fn is_empty(&self) -> bool {
        let board = self.position().board();
        board.points().all(|point| board.is_empty(point))
    }

    /// An empty board with one option changed.
    pub fn with_option(&self, name: &str, value: &str) -> Result<GtpGame, TextError> {
        GtpGame::new(with_changed_option(&self.options, name, value)?)
    }

    /// The same game with one option changed. Fails if a move becomes illegal.
    pub fn replayed_with(&self, name: &str, value: &str) -> Result<GtpGame, TextError> {
        let options = with_changed_option(&self.options, name, value)?;
        let start = Go::parse(&options, &self.start.text())?;
        let mut game = GtpGame::from(options, start);
        for &(side, mv) in &self.moves {
            if !game.play(side, mv) {
                let text = game.position().move_text(mv);
                return Err(TextError::whole("option", name, format!("{text} to stay legal")));
            }
        }
        Ok(game)
    }

    /// The move to a vertex; `None` if the board has no such point.
    pub fn move_to(&self, vertex: Vertex) -> Option<GoMove> {
        let board = self.position().board();
        match vertex {
            Vertex::Pass => Some(GoMove::Pass),
            Vertex::Point { column, row } if column.max(row) < board.size() => {
                Some(GoMove::Play(board.point(board.size() - 1 - row, column)))
            }
            Vertex::Point { .. } | Vertex::Resign => None,
        }
    }

    pub fn vertex(&self, point: Point) -> Vertex {
        let board = self.position().board();
        let (row, column) = board.row_column(point);
        Vertex::Point { column, row: board.size() - 1 - row }
    }

    /// The game history with `side` to move.
    pub fn history_for(&self, side: Side) -> Cow<'_, History<Go>> {
        let last = self.position();
        if last.turn() == side && last.outcome().is_none() {
            Cow::Borrowed(&self.history)
        } else {
            Cow::Owned(History::new(last.with_turn(side)))
        }
    }

    pub fn is_legal(&self, side: Side, mv: GoMove) -> bool {
        is_legal_in(&self.history_for(side), mv)
    }

    /// Plays a move of `side`, if it is legal.
    pub fn play(&mut self, side: Side, mv: GoMove) -> bool {
        let seen = self.history_for(side);
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

    /// Takes back the last move of either side.
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
        let name = |&point: &Point| (Side::First, position.record_text(GoMove::Play(point)));
        let stones: Vec<(Side, String)> = points.iter().map(name).collect();
        let start = Go::set_up(&self.options, &stones, Some(Side::Second))?;
        *self = GtpGame::from(self.options.clone(), start);
        Ok(())
    }

    /// Points of the protocol's fixed handicap; `None` if the board has no points for that many stones.
    pub fn fixed_handicap(&self, stones: usize) -> Option<Vec<Point>> {
        let options = with_changed_option(&self.options, "handicap", &stones.to_string()).ok()?;
        let start = Go::start(&options).ok().filter(|_| stones > 0)?;
        let board = start.board();
        Some(board.points().filter(|&point| !board.is_empty(point)).collect())
    }

    /// Points for at most `stones` free handicap stones: the fixed ones if available; otherwise every
    /// second point, from the centre.
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

    /// The first game of an SGF file, up to before move `before` (counted from 1).
    pub fn load(bytes: &[u8], before: Option<usize>) -> Result<GtpGame, TextError> {
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
        // The handicap stones are on the board now; komi keeps its value.
        let komi = start.rules().komi().to_string();
        let options =
            with_changed_option(&with_changed_option(&options, "handicap", "0")?, "komi", &komi)?;
        let mut game = GtpGame::from(options, start);
        let kept = before.map_or(moves.len(), |before| before.saturating_sub(1));
        for text in moves.iter().take(kept) {
            let mv = game.position().parse_move(text)?;
            let side = game.position().turn();
            game.play(side, mv);
        }
        Ok(game)
    }

    /// The chains on the board, as lists of points.
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

fn is_legal_in(history: &History<Go>, mv: GoMove) -> bool {
    match mv {
        GoMove::Pass => true,
        GoMove::Play(point) => history.last().illegal(point).is_none(),
    }
}

/// `options` with option `name` set to `value`.
fn with_changed_option(options: &Options, name: &str, value: &str) -> Result<Options, TextError> {
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
