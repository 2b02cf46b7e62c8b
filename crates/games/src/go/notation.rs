//! Text and board view of a position.
//!
//! A point is written as in the Go Text Protocol, a letter without `I` and a row from below, such
//! as `D4`, or as in game records (SGF), letters for the column and the row from above, such as
//! `dp`. A pass is `pass` (an empty value in files); `tt`, the pass of old records, is read up to
//! 19x19, and so is empty on every board.
//!
//! A position is one line: the rows from the top with `X` for Black, `O` for White and numbers for
//! runs of empty points; the side to move, `b` or `w`; the ko point, where the recapture is
//! forbidden, or `-`; the passes just made; the stones captured by Black and by White:
//!
//! ```text
//! 5/1XO2/X1XO1/1XO2/5 w - 0 2/1
//! ```

use super::{
    board::GoBoard,
    handicap::{handicap, star_points},
    point::Point,
    position::{Go, GoMove, Illegal},
    record,
    rules::{self, GoRules},
};
use ludus_core::{
    BoardView, Cell, Grid, Notation, OptionSpec, Options, Piece, PieceKind, Position, RecordFormat,
    Side, TextError,
};

const WHAT: &str = "go position";
const MOVE: &str = "go move";
/// The letters of the columns: there is no `I`.
const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";
/// The largest board on which old records write a pass as `tt`.
const LARGEST_WITH_TT: usize = 19;

impl Notation for Go {
    const ID: &'static str = "go";
    const NAME: &'static str = "Go";
    const ABOUT: &'static str = "surround more of the board than the opponent";
    const OPTIONS: &'static [OptionSpec] = rules::OPTIONS;
    const RECORD: RecordFormat = RecordFormat::Sgf;

    fn start(options: &Options) -> Result<Go, TextError> {
        let mut board = GoBoard::new(options.integer("size") as usize);
        let stones = handicap(&board, options.integer("handicap") as usize)?;
        for &point in &stones {
            board.play(Side::First, point);
        }
        let turn = if stones.is_empty() { Side::First } else { Side::Second };
        Ok(Go::new(board, turn, GoRules::new(options)?))
    }

    fn parse(options: &Options, text: &str) -> Result<Go, TextError> {
        Reader { text, at: 0 }.position(options.integer("size") as usize, GoRules::new(options)?)
    }

    fn text(&self) -> String {
        let turn = match self.turn {
            Side::First => 'b',
            Side::Second => 'w',
        };
        let ko = self.board.ko().map_or("-".to_owned(), |point| point_text(&self.board, point));
        let [first, second] = self.prisoners;
        format!("{} {turn} {ko} {} {first}/{second}", rows_text(&self.board), self.passes)
    }

    fn game_text(&self) -> String {
        self.rules().game_text(self.board.size())
    }

    fn move_text(&self, mv: GoMove) -> String {
        match mv {
            GoMove::Play(point) => point_text(&self.board, point),
            GoMove::Pass => "pass".to_owned(),
        }
    }

    fn record_text(&self, mv: GoMove) -> String {
        match mv {
            GoMove::Play(point) => {
                let (row, column) = self.board.row_column(point);
                [column, row].map(|index| char::from(b'a' + index as u8)).iter().collect()
            }
            GoMove::Pass => "pass".to_owned(),
        }
    }

    fn record_tags(options: &Options) -> Vec<(&'static str, String)> {
        record::tags(options)
    }

    fn options_of_record<'a>(
        tag: &dyn Fn(&str) -> Option<&'a str>,
    ) -> Result<Option<Options>, TextError> {
        record::options(tag)
    }

    fn set_up(
        options: &Options,
        stones: &[(Side, String)],
        turn: Option<Side>,
    ) -> Result<Go, TextError> {
        record::set_up(options, stones, turn)
    }

    fn parse_move(&self, text: &str) -> Result<GoMove, TextError> {
        let trimmed = text.trim();
        let is_pass = trimmed.is_empty()
            || trimmed.eq_ignore_ascii_case("pass")
            || trimmed.eq_ignore_ascii_case("tt") && self.board.size() <= LARGEST_WITH_TT;
        if is_pass && self.outcome().is_none() {
            return Ok(GoMove::Pass);
        }
        let point = read_point(&self.board, trimmed).or_else(|| read_record(&self.board, trimmed));
        let Some(point) = point else { return Err(self.illegal_move(text)) };
        let expected = match self.illegal(point) {
            None => return Ok(GoMove::Play(point)),
            Some(Illegal::GameOver) => return Err(self.illegal_move(text)),
            Some(Illegal::Occupied) => "an empty point: there is a stone",
            Some(Illegal::Suicide) => "a move whose stone has a liberty: this is suicide",
            Some(Illegal::Repetition) => "a move that repeats no board: the ko rule forbids this",
        };
        Err(TextError::whole(MOVE, text, expected))
    }

    fn side_name(&self, side: Side) -> &'static str {
        ["Black", "White"][side.index()]
    }

    fn view(&self) -> BoardView {
        let board = &self.board;
        let size = board.size();
        let stars = star_points(board);
        let cells = board.points().map(|point| Cell {
            piece: board.stone(point).map(|side| Piece {
                side,
                light: side == Side::Second,
                kind: PieceKind::Disc,
            }),
            name: point_text(board, point),
            star: stars.contains(&point),
        });
        let [first, second] = self.prisoners;
        BoardView {
            grid: Grid::Intersections,
            dark_first: false,
            columns: size,
            rows: size,
            cells: cells.collect(),
            column_labels: COLUMNS[..size].iter().map(|&c| char::from(c).to_string()).collect(),
            row_labels: (1..=size).rev().map(|row| row.to_string()).collect(),
            notes: vec![
                format!("captured: Black {first}, White {second}"),
                format!("komi {}", self.rules.komi()),
            ],
        }
    }

    fn move_cells(&self, mv: GoMove) -> Vec<usize> {
        match mv {
            GoMove::Play(point) => {
                let (row, column) = self.board.row_column(point);
                vec![row * self.board.size() + column]
            }
            GoMove::Pass => Vec::new(),
        }
    }
}

/// A point in the notation of the Go Text Protocol.
fn point_text(board: &GoBoard, point: Point) -> String {
    let (row, column) = board.row_column(point);
    format!("{}{}", char::from(COLUMNS[column]), board.size() - row)
}

/// Reads the text of [`point_text`], in either case.
fn read_point(board: &GoBoard, text: &str) -> Option<Point> {
    let (&letter, digits) = text.as_bytes().split_first()?;
    let column = COLUMNS.iter().position(|&column| column == letter.to_ascii_uppercase())?;
    let plain = matches!(digits, [b'1'..=b'9'] | [b'1'..=b'9', b'0'..=b'9']);
    let row: usize = plain.then(|| text[1..].parse().ok()).flatten()?;
    (column < board.size() && row <= board.size()).then(|| board.point(board.size() - row, column))
}

/// Reads a point in the notation of SGF, in either case.
pub(super) fn read_record(board: &GoBoard, text: &str) -> Option<Point> {
    let &[column, row] = text.as_bytes() else { return None };
    let index = |letter: u8| {
        let index = letter.to_ascii_lowercase().checked_sub(b'a')?;
        (usize::from(index) < board.size()).then_some(usize::from(index))
    };
    Some(board.point(index(row)?, index(column)?))
}

fn rows_text(board: &GoBoard) -> String {
    let mut text = String::new();
    for row in 0..board.size() {
        if row > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for column in 0..board.size() {
            let stone = board.stone(board.point(row, column));
            if stone.is_some() && empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            match stone {
                Some(Side::First) => text.push('X'),
                Some(Side::Second) => text.push('O'),
                None => empty += 1,
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
    }
    text
}

/// Reads a position piece by piece.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, expected: impl Into<String>) -> TextError {
        TextError::at(WHAT, self.text, self.at, expected)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips `character`, or fails with `expected`.
    fn skip(&mut self, character: char, expected: &str) -> Result<(), TextError> {
        if !self.rest().starts_with(character) {
            return Err(self.error(expected));
        }
        self.at += character.len_utf8();
        Ok(())
    }

    /// The digits here as a number without leading zeros, of at most `longest` digits.
    fn number(&mut self, longest: usize) -> Option<usize> {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let digits = &rest[..length];
        if length > longest || (length > 1 && digits.starts_with('0')) {
            return None;
        }
        let number = digits.parse().ok()?;
        self.at += length;
        Some(number)
    }

    fn position(mut self, size: usize, rules: GoRules) -> Result<Go, TextError> {
        let mut board = self.rows(size)?;
        self.skip(' ', "a space and the side to move")?;
        let turn = match self.rest().as_bytes() {
            [b'b', ..] => Side::First,
            [b'w', ..] => Side::Second,
            _ => return Err(self.error("the side to move, b or w")),
        };
        self.at += 1;
        self.skip(' ', "a space and the ko point or -")?;
        let ko_at = self.at;
        board.set_ko(self.ko(&board, turn)?);
        self.skip(' ', "a space and the number of passes just made")?;
        let passes = match self.rest().as_bytes() {
            [digit @ b'0'..=b'2', ..] => digit - b'0',
            _ => return Err(self.error("0, 1 or 2 passes")),
        };
        if passes > 0 && board.ko().is_some() {
            self.at = ko_at;
            return Err(self.error("- as the ko point after a pass"));
        }
        self.at += 1;
        self.skip(' ', "a space and the stones captured by Black and by White, such as 0/0")?;
        let first = self.prisoners()?;
        self.skip('/', "/ and the stones captured by White")?;
        let second = self.prisoners()?;
        if !self.rest().is_empty() {
            return Err(self.error("nothing more"));
        }
        let mut go = Go::new(board, turn, rules);
        (go.passes, go.prisoners) = (passes, [first, second]);
        Ok(go)
    }

    fn rows(&mut self, size: usize) -> Result<GoBoard, TextError> {
        let mut board = GoBoard::new(size);
        for row in 0..size {
            if row > 0 {
                self.skip('/', &format!("/ and another row, of {size}"))?;
            }
            let mut column = 0;
            while column < size {
                column += self.run(&mut board, row, column)?;
            }
        }
        Ok(board)
    }

    /// Reads a stone or a run of empty points and returns how many points it covers.
    fn run(&mut self, board: &mut GoBoard, row: usize, column: usize) -> Result<usize, TextError> {
        let left = board.size() - column;
        let expected = format!("X, O or a number of empty points up to {left}");
        let side = match self.rest().as_bytes() {
            [b'X', ..] => Side::First,
            [b'O', ..] => Side::Second,
            _ => {
                let start = self.at;
                let run = self.number(2).filter(|run| (1..=left).contains(run));
                return run.ok_or_else(|| {
                    self.at = start;
                    self.error(expected)
                });
            }
        };
        // Stones of a possible board can be placed in any order: until a chain is complete, the
        // place of a stone still to come is a liberty.
        if board.play(side, board.point(row, column)) > 0 {
            return Err(self.error("stones that all have a liberty"));
        }
        self.at += 1;
        Ok(1)
    }

    /// The ko point: an empty point among enemies where exactly one lone stone could be taken.
    fn ko(&mut self, board: &GoBoard, turn: Side) -> Result<Option<Point>, TextError> {
        let rest = self.rest();
        let word = &rest[..rest.find(' ').unwrap_or(rest.len())];
        let ko = match word {
            "-" => None,
            _ => {
                let point = read_point(board, word)
                    .filter(|&point| point_text(board, point) == word && is_ko(board, turn, point));
                Some(point.ok_or_else(|| self.error("a point where a ko was taken, or -"))?)
            }
        };
        self.at += word.len();
        Ok(ko)
    }

    fn prisoners(&mut self) -> Result<u32, TextError> {
        let start = self.at;
        self.number(6).map(|number| number as u32).ok_or_else(|| {
            self.at = start;
            self.error("a number of captured stones")
        })
    }
}

/// Whether the opponent of `turn` may just have taken a ko at `point`.
fn is_ko(board: &GoBoard, turn: Side, point: Point) -> bool {
    board.is_empty(point)
        && board.neighbours(point).all(|neighbour| board.stone(neighbour) == Some(!turn))
        && board.captures(turn, point) == 1
}
