//! JSON of boards, moves, results and options.

use super::schema::{GridKind, OutcomeName, PieceName, ValueKind};
use ludus_core::{BoardView, Grid, OptionKind, OptionSpec, Piece, PieceKind, Score, Side};
use ludus_players::{Board, Finish, ShownMove};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One of the two sides: `first` moves first in the standard position of the game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    First,
    Second,
}

impl From<Side> for SideName {
    fn from(side: Side) -> SideName {
        match side {
            Side::First => SideName::First,
            Side::Second => SideName::Second,
        }
    }
}

impl From<SideName> for Side {
    fn from(side: SideName) -> Side {
        match side {
            SideName::First => Side::First,
            SideName::Second => Side::Second,
        }
    }
}

/// Names of the two sides of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SideNames {
    /// Such as `White`.
    first: &'static str,
    second: &'static str,
}

impl SideNames {
    pub fn of(board: &dyn Board) -> SideNames {
        SideNames { first: board.side_name(Side::First), second: board.side_name(Side::Second) }
    }
}

/// Diagram of a board.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BoardDiagram {
    #[schema(value_type = GridKind)]
    grid: &'static str,
    /// Whether the top left square of a checkered board is dark, as in Italian and Spanish draughts.
    dark_first: bool,
    columns: usize,
    rows: usize,
    /// Cells row by row from the top.
    cells: Vec<CellView>,
    column_labels: Vec<String>,
    row_labels: Vec<String>,
    /// Lines of text beside the board.
    notes: Vec<String>,
}

/// One cell of a board.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CellView {
    /// Name in move notation; empty if moves never refer to it.
    name: String,
    /// Whether it is a star point (hoshi) of a Go board.
    star: bool,
    piece: Option<PieceView>,
}

/// A piece on a cell.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PieceView {
    side: SideName,
    /// Whether the piece is drawn in the light colour.
    light: bool,
    #[schema(value_type = PieceName)]
    kind: &'static str,
    /// Number of coins in the pile.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    count: Option<u16>,
}

impl From<BoardView> for BoardDiagram {
    fn from(view: BoardView) -> BoardDiagram {
        let cell = |cell: ludus_core::Cell| CellView {
            name: cell.name,
            star: cell.star,
            piece: cell.piece.map(PieceView::from),
        };
        BoardDiagram {
            grid: match view.grid {
                Grid::Checkered => "checkered",
                Grid::Squares => "squares",
                Grid::Intersections => "intersections",
                Grid::Holes => "holes",
                Grid::Text => "text",
            },
            dark_first: view.dark_first,
            columns: view.columns,
            rows: view.rows,
            cells: view.cells.into_iter().map(cell).collect(),
            column_labels: view.column_labels,
            row_labels: view.row_labels,
            notes: view.notes,
        }
    }
}

impl From<Piece> for PieceView {
    fn from(piece: Piece) -> PieceView {
        let (kind, count) = match piece.kind {
            PieceKind::Disc => ("disc", None),
            PieceKind::Man => ("man", None),
            PieceKind::DraughtsKing => ("crowned", None),
            PieceKind::Cross => ("cross", None),
            PieceKind::Nought => ("nought", None),
            PieceKind::Pawn => ("pawn", None),
            PieceKind::Knight => ("knight", None),
            PieceKind::Bishop => ("bishop", None),
            PieceKind::Rook => ("rook", None),
            PieceKind::Queen => ("queen", None),
            PieceKind::King => ("king", None),
            PieceKind::Coins(count) => ("coins", Some(count)),
        };
        PieceView { side: piece.side.into(), light: piece.light, kind, count }
    }
}

/// A legal move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MoveView {
    /// Move text to send.
    #[serde(rename = "move")]
    mv: String,
    /// Move in the game's notation.
    label: String,
    /// Cells from start to end; empty for a pass.
    cells: Vec<usize>,
    /// Alternative paths of the same move: a ring of jumps can be played in either direction.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_ways: Vec<Vec<usize>>,
}

impl From<ShownMove> for MoveView {
    fn from(ShownMove { mv, label, cells, other_ways }: ShownMove) -> MoveView {
        MoveView { mv, label, cells, other_ways }
    }
}

/// A move that has been played.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayedMove {
    #[serde(rename = "move")]
    mv: String,
    label: String,
    side: SideName,
}

/// Moves of a game so far.
pub fn played_moves(board: &dyn Board) -> Vec<PlayedMove> {
    let mut side = board.first_turn();
    let of_side = |ShownMove { mv, label, .. }: ShownMove| {
        let played = PlayedMove { mv, label, side: side.into() };
        side = !side;
        played
    };
    board.played().into_iter().map(of_side).collect()
}

/// Result of a game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EndingView {
    #[schema(value_type = OutcomeName)]
    outcome: &'static str,
    /// Such as `by checkmate`.
    reason: String,
    /// Stable identifier of the reason, such as `checkmate`.
    reason_id: &'static str,
    /// Result as a sentence.
    words: String,
    /// Lead of the first side in points, in games with points.
    margin: Option<f32>,
}

impl EndingView {
    pub fn new(board: &dyn Board, finish: Finish) -> EndingView {
        let words = finish.words(board, None);
        EndingView {
            outcome: finish.outcome.id(),
            reason: finish.reason.to_string(),
            reason_id: finish.reason.id(),
            words,
            margin: finish.margin,
        }
    }

    pub fn words(&self) -> &str {
        &self.words
    }
}

/// An option of a game or a player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OptionView {
    name: &'static str,
    #[schema(value_type = ValueKind)]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    max: Option<f64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    choices: &'static [&'static str],
    default: &'static str,
    about: &'static str,
}

impl From<&OptionSpec> for OptionView {
    fn from(spec: &OptionSpec) -> OptionView {
        let (kind, range, choices): (_, _, &'static [&'static str]) = match spec.kind {
            OptionKind::Integer { min, max } => ("integer", Some((min as f64, max as f64)), &[]),
            OptionKind::Number { min, max } => ("number", Some((min, max)), &[]),
            OptionKind::Choice(words) => ("choice", None, words),
            OptionKind::Switch => ("switch", None, &[]),
            OptionKind::Bytes => ("bytes", None, &[]),
            OptionKind::Text => ("text", None, &[]),
        };
        let (min, max) = range.unzip();
        let OptionSpec { name, default, about, .. } = *spec;
        OptionView { name, kind, min, max, choices, default, about }
    }
}

/// A score for the side to move: "+0.35" or "wins in 5 plies".
pub fn score_words(score: Option<i32>) -> String {
    score.map_or_else(String::new, |score| Score(score).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_shown_in_words() {
        assert_eq!(score_words(Some(35)), "+0.35");
        assert_eq!(score_words(Some(Score::WIN.0 - 5)), "wins in 5 plies");
        assert_eq!(score_words(None), "");
    }
}
