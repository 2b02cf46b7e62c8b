//! The JSON of boards, moves and endings.

use ludus_core::{BoardView, Grid, Kind, OptionSpec, Piece, PieceKind, Side};
use ludus_players::{Finish, Session, ShownMove};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// One of the two players: `first` moves first from the usual start of the game.
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

/// What the two sides of a game are called.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SideNames {
    /// Such as `White`.
    first: &'static str,
    second: &'static str,
}

impl SideNames {
    pub fn of(session: &dyn Session) -> SideNames {
        SideNames { first: session.side_name(Side::First), second: session.side_name(Side::Second) }
    }
}

/// A board to draw.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct View {
    /// `checkered`, `squares`, `intersections`, `holes` or `text`.
    grid: &'static str,
    columns: usize,
    rows: usize,
    /// Row by row from the top.
    cells: Vec<CellView>,
    column_labels: Vec<String>,
    row_labels: Vec<String>,
    /// Lines to show beside the board.
    notes: Vec<String>,
}

/// One cell of a board.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CellView {
    /// What moves call it; empty if they never do.
    name: String,
    /// Whether it is a star point of a Go board.
    star: bool,
    piece: Option<PieceView>,
}

/// A piece on a cell.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PieceView {
    side: SideName,
    /// Whether it is drawn light.
    light: bool,
    /// `disc`, `man`, `crowned`, `cross`, `nought`, `pawn` … `king`, `coins`.
    kind: &'static str,
    /// How many coins are in the pile.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u16>,
}

impl From<BoardView> for View {
    fn from(view: BoardView) -> View {
        let cell = |cell: ludus_core::Cell| CellView {
            name: cell.name,
            star: cell.star,
            piece: cell.piece.map(PieceView::from),
        };
        View {
            grid: match view.grid {
                Grid::Checkered => "checkered",
                Grid::Squares => "squares",
                Grid::Intersections => "intersections",
                Grid::Holes => "holes",
                Grid::Text => "text",
            },
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
            PieceKind::Crowned => ("crowned", None),
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
    /// What to send to make it.
    #[serde(rename = "move")]
    mv: String,
    /// As records write it.
    label: String,
    /// The cells it touches, from start to end; none for a pass.
    cells: Vec<usize>,
    /// Other ways to the same move: a ring of jumps can be gone round either way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_ways: Vec<Vec<usize>>,
}

impl From<ShownMove> for MoveView {
    fn from(ShownMove { mv, label, cells, other_ways }: ShownMove) -> MoveView {
        MoveView { mv, label, cells, other_ways }
    }
}

/// A move that was made.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayedMove {
    #[serde(rename = "move")]
    mv: String,
    label: String,
    side: SideName,
}

/// The moves of a game so far: sides take turns.
pub fn played(session: &dyn Session) -> Vec<PlayedMove> {
    let mut side = session.first_turn();
    let of_side = |ShownMove { mv, label, .. }: ShownMove| {
        let played = PlayedMove { mv, label, side: side.into() };
        side = !side;
        played
    };
    session.played().into_iter().map(of_side).collect()
}

/// How a game ended.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EndingView {
    /// `first`, `second` or `draw`.
    outcome: &'static str,
    /// Such as `by checkmate`.
    reason: String,
    /// The same for programs, such as `checkmate`: it never changes.
    reason_id: &'static str,
    /// As a sentence.
    words: String,
    /// The first side's lead in points, in games that count them.
    margin: Option<f32>,
}

impl EndingView {
    pub fn new(session: &dyn Session, finish: Finish) -> EndingView {
        let words = finish.words(session, None);
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

/// What can be set of a game or a player.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct OptionView {
    name: &'static str,
    /// `integer`, `number`, `choice`, `switch`, `bytes` or `text`.
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<f64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    choices: &'static [&'static str],
    default: &'static str,
    about: &'static str,
}

impl From<&OptionSpec> for OptionView {
    fn from(spec: &OptionSpec) -> OptionView {
        let (kind, range, choices): (_, _, &'static [&'static str]) = match spec.kind {
            Kind::Integer { min, max } => ("integer", Some((min as f64, max as f64)), &[]),
            Kind::Number { min, max } => ("number", Some((min, max)), &[]),
            Kind::Choice(words) => ("choice", None, words),
            Kind::Switch => ("switch", None, &[]),
            Kind::Bytes => ("bytes", None, &[]),
            Kind::Text => ("text", None, &[]),
        };
        let (min, max) = range.unzip();
        let OptionSpec { name, default, about, .. } = *spec;
        OptionView { name, kind, min, max, choices, default, about }
    }
}
