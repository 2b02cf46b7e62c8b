//! Text and board views of positions and moves; used for input and output, never in searches.

use crate::{BoardView, OptionSpec, Options, Position, Side, TextError};

/// Format of game records.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// Portable Game Notation: chess and, with a `Game` tag, games without a standard format.
    Pgn,
    /// Portable Draughts Notation.
    Pdn,
    /// Smart Game Format: Go.
    Sgf,
}

/// The tag that names the game and its options in records whose format does not imply them.
pub const GAME_TAG: &str = "Game";

/// The text form of positions and moves.
pub trait Notation: Position {
    /// Identifier, as on the command line, such as `"connect4"`.
    const ID: &'static str;
    /// Display name.
    const NAME: &'static str = Self::ID;
    /// One-line description.
    const ABOUT: &'static str = "";
    /// The options of the game, such as board size or rule set.
    const OPTIONS: &'static [OptionSpec] = &[];
    /// Format of game records.
    const RECORD: RecordFormat = RecordFormat::Pgn;
    /// Whether the distance to a win is given in moves, as in chess, and not in plies.
    const WINS_IN_MOVES: bool = false;

    /// The starting position under `options`.
    fn start(options: &Options) -> Result<Self, TextError>;

    /// Parses the output of [`text`](Notation::text); the rules come from `options`.
    fn parse(options: &Options, text: &str) -> Result<Self, TextError>;

    /// The position as one line of text (a FEN in chess), with everything that `Eq` compares.
    fn text(&self) -> String;

    /// The game and its options, such as `go:size=9`.
    fn game_text(&self) -> String {
        Self::ID.to_owned()
    }

    /// The canonical text of a legal move: unique among the legal moves, without white space.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The move as in game records (SAN in chess, two letters in Go).
    fn record_text(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// Parses a move, which must be legal here: the canonical text, the record's, and other common
    /// notations of the game.
    fn parse_move(&self, text: &str) -> Result<Self::Move, TextError> {
        find_move(self, text.trim()).ok_or_else(|| self.illegal_move(text))
    }

    /// Appends the legal moves, each once for every path it can take. Differs from
    /// [`legal_moves`](Position::legal_moves) only in games in which several paths are one move
    /// (draughts).
    fn legal_paths(&self, out: &mut Vec<Self::Move>) {
        self.legal_moves(out);
    }

    /// The tags that identify the game and its options in records of its
    /// [format](Notation::RECORD): PDN's `GameType`, SGF's `SZ` and `KM`.
    fn record_tags(options: &Options) -> Vec<(&'static str, String)> {
        vec![(GAME_TAG, options.to_string())]
    }

    /// The options given by the tags of a record in the game's own format; `None` if it is a record
    /// of another game. `tag` looks up the value of a tag.
    fn options_of_record<'a>(
        _tag: &dyn Fn(&str) -> Option<&'a str>,
    ) -> Result<Option<Options>, TextError> {
        Ok(None)
    }

    /// The position with these stones, on points named as by [`record_text`](Notation::record_text), in
    /// games whose records set up boards stone by stone (SGF).
    fn set_up(
        _options: &Options,
        _stones: &[(Side, String)],
        _turn: Option<Side>,
    ) -> Result<Self, TextError> {
        Err(TextError::whole("set-up", "AB, AW or PL", format!("none in a game of {}", Self::ID)))
    }

    /// Name of `side`, such as `"Black"`.
    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "First",
            Side::Second => "Second",
        }
    }

    /// The board as data, to be drawn by the terminal or the browser.
    fn view(&self) -> BoardView {
        BoardView::text_only(self.text())
    }

    /// The cells of [`view`](Notation::view) that `mv` touches, in order from start to end.
    fn move_cells(&self, _mv: Self::Move) -> Vec<usize> {
        Vec::new()
    }

    /// Every path over the cells that `mv` can take, that of [`move_cells`](Notation::move_cells)
    /// first. Only games in which several paths are one move (draughts) have more than one.
    fn move_paths(&self, mv: Self::Move) -> Vec<Vec<usize>> {
        vec![self.move_cells(mv)]
    }

    /// The error for a text that is not a legal move here, with examples of legal moves.
    fn illegal_move(&self, text: &str) -> TextError {
        TextError::whole(&format!("{} move", Self::ID), text, legal_move_list(self))
    }
}

/// The legal move whose canonical or record text is `text`, ignoring case if nothing fits exactly.
pub fn find_move<P: Notation>(position: &P, text: &str) -> Option<P::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let exact = |mv: &P::Move| position.move_text(*mv) == text || position.record_text(*mv) == text;
    if let Some(mv) = moves.iter().copied().find(exact) {
        return Some(mv);
    }
    let loose = |mv: &P::Move| position.move_text(*mv).eq_ignore_ascii_case(text);
    let mut fitting = moves.iter().copied().filter(loose);
    fitting.next().filter(|_| fitting.next().is_none())
}

/// "one of the legal moves a1, b2 …", for error messages.
fn legal_move_list<P: Notation>(position: &P) -> String {
    const SHOWN: usize = 8;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if moves.is_empty() {
        return "no move: the game is over".to_owned();
    }
    let shown: Vec<String> = moves.iter().take(SHOWN).map(|&mv| position.move_text(mv)).collect();
    let more = if moves.len() > SHOWN { " …" } else { "" };
    format!("one of the {} legal moves, such as {}{more}", moves.len(), shown.join(" "))
}
