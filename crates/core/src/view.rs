//! A board as data, drawn by the terminal and the browser.

use crate::Side;

/// A board: `rows` by `columns` cells, the top row first.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardView {
    /// Drawing style of the cells.
    pub grid: Grid,
    /// Whether the top left square of a [checkered](Grid::Checkered) board is dark.
    pub dark_first: bool,
    /// Cells in a row.
    pub columns: usize,
    /// Rows of cells.
    pub rows: usize,
    /// Row by row from the top, left to right: `rows * columns` of them.
    pub cells: Vec<Cell>,
    /// Labels under the columns, left to right; empty if the game uses none.
    pub column_labels: Vec<String>,
    /// Labels beside the rows, top to bottom; empty if the game uses none.
    pub row_labels: Vec<String>,
    /// Lines to show beside the board, such as captures or a disc count.
    pub notes: Vec<String>,
}

/// Drawing style of the cells of a board.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Grid {
    /// Squares of two shades; the top left one is light, unless [`BoardView::dark_first`] is set.
    Checkered,
    /// Squares of one colour.
    Squares,
    /// Stones on the intersections of lines.
    Intersections,
    /// Discs in holes; moves name a column.
    Holes,
    /// No board: only [`BoardView::notes`].
    Text,
}

/// One cell of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The piece on this cell, if any.
    pub piece: Option<Piece>,
    /// The game's own name of the cell, such as `e4` or `14`; empty if moves never name it.
    pub name: String,
    /// A star point of a Go board, drawn with a dot.
    pub star: bool,
}

/// A piece on a cell.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Owner.
    pub side: Side,
    /// Whether it is drawn light (as White's) or dark.
    pub light: bool,
    /// Kind of piece.
    pub kind: PieceKind,
}

/// Kinds of pieces that can be drawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A Go stone, a Reversi or Connect Four disc.
    Disc,
    /// A draughts man.
    Man,
    /// A draughts king (dame).
    DraughtsKing,
    /// A noughts-and-crosses cross.
    Cross,
    /// A noughts-and-crosses nought.
    Nought,
    /// A chess piece.
    Pawn,
    /// A chess piece.
    Knight,
    /// A chess piece.
    Bishop,
    /// A chess piece.
    Rook,
    /// A chess piece.
    Queen,
    /// A chess piece.
    King,
    /// A pile of this many coins.
    Coins(u16),
}

impl BoardView {
    /// A view with no board, only a line of text.
    pub fn text_only(text: String) -> BoardView {
        BoardView {
            grid: Grid::Text,
            dark_first: false,
            columns: 0,
            rows: 0,
            cells: Vec::new(),
            column_labels: Vec::new(),
            row_labels: Vec::new(),
            notes: vec![text],
        }
    }

    /// Whether a square of a [checkered](Grid::Checkered) board is dark.
    pub fn is_dark(&self, row: usize, column: usize) -> bool {
        (row + column).is_multiple_of(2) == self.dark_first
    }

    /// An empty board with chess-like labels: letters under the columns, numbers up the rows.
    pub fn lettered(grid: Grid, columns: usize, rows: usize) -> BoardView {
        let letters: Vec<String> = ('a'..='z').take(columns).map(String::from).collect();
        let numbers: Vec<String> = (1..=rows).rev().map(|row| row.to_string()).collect();
        let cells = numbers
            .iter()
            .flat_map(|number| letters.iter().map(move |letter| format!("{letter}{number}")))
            .map(|name| Cell { name, ..Cell::default() })
            .collect();
        BoardView {
            grid,
            dark_first: false,
            columns,
            rows,
            cells,
            column_labels: letters,
            row_labels: numbers,
            notes: Vec::new(),
        }
    }
}
