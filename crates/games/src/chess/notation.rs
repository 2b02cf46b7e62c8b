//! Text and board view of a position: see [`fen`](super::fen) and [`moves`](super::moves).

use super::{
    fen, moves,
    position::{Chess, side_of},
};
use cozy_chess::{self as cozy, Color, Move, Square};
use ludus_core::{BoardView, Grid, Notation, Options, Piece, PieceKind, Side, TextError};

impl Notation for Chess {
    const ID: &'static str = "chess";
    const NAME: &'static str = "Chess";
    const ABOUT: &'static str = "checkmate the king";
    const WINS_IN_MOVES: bool = true;

    fn start(_: &Options) -> Result<Chess, TextError> {
        Ok(Chess::default())
    }

    fn parse(_: &Options, text: &str) -> Result<Chess, TextError> {
        fen::parse(text)
    }

    fn text(&self) -> String {
        fen::write(self)
    }

    fn move_text(&self, mv: Move) -> String {
        moves::coordinates(self, mv)
    }

    fn record_text(&self, mv: Move) -> String {
        moves::san(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        moves::parse(self, text)
    }

    /// None: a PGN game without a `Variant` tag is chess.
    fn record_tags(_: &Options) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    fn options_of_record<'a>(
        tag: &dyn Fn(&str) -> Option<&'a str>,
    ) -> Result<Option<Options>, TextError> {
        match tag("Variant") {
            None | Some("Standard" | "standard" | "Chess" | "chess") => {
                Ok(Some(Options::defaults(Self::ID, Self::OPTIONS)))
            }
            Some(other) => Err(TextError::whole("chess variant", other, "Standard")),
        }
    }

    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "White",
            Side::Second => "Black",
        }
    }

    fn view(&self) -> BoardView {
        let mut view = BoardView::lettered(Grid::Checkered, 8, 8);
        for square in Square::ALL {
            view.cells[cell(square)].piece = self.piece(square);
        }
        if self.in_check() {
            let mate = if self.has_moves() { "check" } else { "checkmate" };
            view.notes.push(mate.to_owned());
        }
        view
    }

    fn move_cells(&self, mv: Move) -> Vec<usize> {
        vec![cell(mv.from), cell(moves::destination(self, mv))]
    }
}

/// The cell of a square in the view, whose first row is rank 8.
fn cell(square: Square) -> usize {
    square.flip_rank() as usize
}

impl Chess {
    fn piece(&self, square: Square) -> Option<Piece> {
        let kind = match self.board.piece_on(square)? {
            cozy::Piece::Pawn => PieceKind::Pawn,
            cozy::Piece::Knight => PieceKind::Knight,
            cozy::Piece::Bishop => PieceKind::Bishop,
            cozy::Piece::Rook => PieceKind::Rook,
            cozy::Piece::Queen => PieceKind::Queen,
            cozy::Piece::King => PieceKind::King,
        };
        let colour = self.board.color_on(square)?;
        Some(Piece { side: side_of(colour), light: colour == Color::White, kind })
    }
}
