//! Text and pictures of positions and moves, for the edges of the system only.

use crate::{BoardView, OptionSpec, Options, Position, Side, TextError};

/// Which kind of game record a game is saved in.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RecordFormat {
    /// Portable Game Notation: chess, and with a `Game` tag the games without a format of their own.
    Pgn,
    /// Portable Draughts Notation.
    Pdn,
    /// Smart Game Format: Go.
    Sgf,
}

/// The tag that names the game, with its options, in records whose format does not imply it.
pub const GAME_TAG: &str = "Game";

/// The text form of positions and moves. Searches never see it.
pub trait Notation: Position {
    /// The name on the command line, such as `"connect4"`.
    const ID: &'static str;
    /// The name people use.
    const NAME: &'static str = Self::ID;
    /// One line on what the game is.
    const ABOUT: &'static str = "";
    /// The options of the game, such as board size or rule set.
    const OPTIONS: &'static [OptionSpec] = &[];
    /// How games are saved.
    const RECORD: RecordFormat = RecordFormat::Pgn;
    /// Whether people tell how far a win is in moves of the winner, as in chess, and not in plies.
    const WINS_IN_MOVES: bool = false;

    /// The starting position under `options`.
    fn start(options: &Options) -> Result<Self, TextError>;

    /// Reads what [`text`](Notation::text) writes; the rules come from `options`.
    fn parse(options: &Options, text: &str) -> Result<Self, TextError>;

    /// The position as one line of text. Everything `Eq` compares is in it.
    fn text(&self) -> String;

    /// The game with the options its rules have here, such as `go:size=9`.
    fn game_text(&self) -> String {
        Self::ID.to_owned()
    }

    /// The canonical text of a legal move: unique among the legal moves, without white space.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The move as game records write it (SAN in chess, two letters in Go).
    fn record_text(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// Reads a move, which must be legal here: the canonical text, the record's, and whatever else
    /// players of the game usually write.
    fn parse_move(&self, text: &str) -> Result<Self::Move, TextError> {
        find_move(self, text.trim()).ok_or_else(|| self.not_a_move(text))
    }

    /// Appends the legal moves with a move repeated for every path it can be made by. Only games
    /// in which several paths are one move (draughts) differ from
    /// [`legal_moves`](Position::legal_moves).
    fn legal_paths(&self, out: &mut Vec<Self::Move>) {
        self.legal_moves(out);
    }

    /// The tags that tell the readers of a game record which game it is under `options`, in the
    /// game's own [format](Notation::RECORD): PDN's `GameType`, SGF's `SZ` and `KM`.
    fn record_tags(options: &Options) -> Vec<(&'static str, String)> {
        vec![(GAME_TAG, options.to_string())]
    }

    /// The options that the tags of a record in the game's own format ask for; `None` if it is a
    /// record of another game. `tag` gives the value of a tag.
    fn options_of_record<'a>(
        _tag: &dyn Fn(&str) -> Option<&'a str>,
    ) -> Result<Option<Options>, TextError> {
        Ok(None)
    }

    /// The position with these pieces, named as [`record_text`](Notation::record_text) names their
    /// places, in games whose records set up boards piece by piece (SGF).
    fn set_up(
        _options: &Options,
        _stones: &[(Side, String)],
        _turn: Option<Side>,
    ) -> Result<Self, TextError> {
        Err(TextError::whole("set-up", "AB, AW or PL", format!("none in a game of {}", Self::ID)))
    }

    /// What `side` is called, such as `"Black"`.
    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "First",
            Side::Second => "Second",
        }
    }

    /// The board as data, for the terminal and the browser to draw.
    fn view(&self) -> BoardView {
        BoardView::text_only(self.text())
    }

    /// The cells of [`view`](Notation::view) that `mv` touches, in order from start to end.
    fn move_cells(&self, _mv: Self::Move) -> Vec<usize> {
        Vec::new()
    }

    /// Every way over the cells by which `mv` can be made, that of [`move_cells`](Notation::move_cells)
    /// first. Only games in which several paths are one move (draughts) have more than one.
    fn move_ways(&self, mv: Self::Move) -> Vec<Vec<usize>> {
        vec![self.move_cells(mv)]
    }

    /// The error for a text that is no legal move here, naming some that are.
    fn not_a_move(&self, text: &str) -> TextError {
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
