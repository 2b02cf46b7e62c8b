//! Text and board view of draughts: FEN in `fen`, moves in `move_text`, tags of records in `pdn`.
//!
//! Squares are numbered from 1 at the top left to 32 or 50 at the bottom right, Black on the low
//! numbers, White on the high ones; in Spanish draughts from 1 at the bottom right to 32 at the top
//! left, White on the low numbers. Russian, Brazilian and Czech draughts write squares as on a chess
//! board instead, `a1` at the bottom left on White's side, as their `GameType` says; numbers are
//! read there as well. `-` joins the squares of a quiet move and `x` those of a capture, in Russian
//! draughts `:`.
//!
//! The board is drawn as books of every rule set print it: White below and moving up, Black (who
//! moves first in English draughts and pool) above. The corner at each player's left hand is dark;
//! on the mirrored boards of Italian and Spanish draughts it is the one at the right hand.
//!
//! Results of records have two readings, *White's points first* and *the first player's points
//! first*; `ludus-formats` distinguishes them, and we write the former.

use super::{
    board::bits,
    fen, move_text,
    moves::DraughtsMove,
    position::Draughts,
    rules::{Colour, Rules},
    squares,
};
use ludus_core::{
    BoardView, Grid, Notation, OptionKind, OptionSpec, Options, Piece, PieceKind, Position,
    RecordFormat, Side, TextError,
};

impl Notation for Draughts {
    const ID: &'static str = "draughts";
    const NAME: &'static str = "Draughts";
    const ABOUT: &'static str = "English, international and six more kinds of checkers";
    const OPTIONS: &'static [OptionSpec] = &[OptionSpec {
        name: "rules",
        kind: OptionKind::Choice(Rules::NAMES),
        default: "english",
        about: "the rule set",
    }];
    const RECORD: RecordFormat = RecordFormat::Pdn;

    fn start(options: &Options) -> Result<Draughts, TextError> {
        Ok(Draughts::new(Rules::chosen(options)))
    }

    fn parse(options: &Options, text: &str) -> Result<Draughts, TextError> {
        fen::read(Rules::chosen(options), text)
    }

    fn text(&self) -> String {
        fen::write(self)
    }

    fn game_text(&self) -> String {
        match self.rules() {
            Rules::English => Draughts::ID.to_owned(),
            rules => format!("{}:rules={}", Draughts::ID, rules.name()),
        }
    }

    fn move_text(&self, mv: DraughtsMove) -> String {
        move_text::write(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<DraughtsMove, TextError> {
        move_text::read(self, text)
    }

    fn legal_paths(&self, out: &mut Vec<DraughtsMove>) {
        let paths = self.capture_paths();
        if paths.is_empty() {
            self.legal_moves(out);
        }
        out.extend(paths.into_iter().map(|path| path.mv));
    }

    fn record_tags(options: &Options) -> Vec<(&'static str, String)> {
        vec![("GameType", Rules::chosen(options).game_type().to_string())]
    }

    /// A PDN file without `GameType` is English draughts.
    fn options_of_record<'a>(
        tag: &dyn Fn(&str) -> Option<&'a str>,
    ) -> Result<Option<Options>, TextError> {
        let rules = tag("GameType").map_or(Ok(Rules::English), Rules::from_game_type)?;
        Options::parse(&format!("{}:rules={}", Self::ID, rules.name()), Self::OPTIONS).map(Some)
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.rules.colour(side).name()
    }

    fn view(&self) -> BoardView {
        let size = self.rules.size();
        let mut view = BoardView::lettered(Grid::Checkered, size, size);
        view.dark_first = self.rules.set().squares.mirrored;
        if !self.rules.algebraic() {
            view.column_labels.clear();
            view.row_labels.clear();
        }
        for (index, cell) in view.cells.iter_mut().enumerate() {
            let square = squares::at(self.rules, index / size, index % size);
            cell.name = square.map_or_else(String::new, |bit| squares::name(self.rules, bit));
            cell.piece = square.and_then(|bit| self.piece(bit)).map(|(colour, king)| Piece {
                side: self.rules.side(colour),
                light: colour == Colour::White,
                kind: if king { PieceKind::DraughtsKing } else { PieceKind::Man },
            });
        }
        view.notes =
            [Colour::White, Colour::Black].map(|colour| self.piece_counts(colour)).to_vec();
        view
    }

    fn move_cells(&self, mv: DraughtsMove) -> Vec<usize> {
        self.cells(move_text::squares_of(self, mv))
    }

    fn move_paths(&self, mv: DraughtsMove) -> Vec<Vec<usize>> {
        let paths = self.capture_paths().into_iter().filter(|path| path.mv == mv);
        let paths_as_cells: Vec<_> = paths.map(|path| self.cells(path.squares)).collect();
        if paths_as_cells.is_empty() { vec![self.move_cells(mv)] } else { paths_as_cells }
    }
}

impl Draughts {
    fn cells(&self, squares: Vec<u32>) -> Vec<usize> {
        let cell = |bit| {
            let (row, column) = squares::place(self.rules, bit);
            row * self.rules.size() + column
        };
        squares.into_iter().map(cell).collect()
    }

    /// "White: 12 men, 1 king".
    fn piece_counts(&self, colour: Colour) -> String {
        let pieces = self.pieces(colour);
        let kings = bits(pieces & self.kings).count();
        let men = bits(pieces & !self.kings).count();
        let men = format!("{men} {}", if men == 1 { "man" } else { "men" });
        let kings = format!("{kings} {}", if kings == 1 { "king" } else { "kings" });
        format!("{}: {men}, {kings}", colour.name())
    }
}
