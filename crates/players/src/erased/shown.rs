//! Moves with their cells, and snapshots of a game, as a user interface shows them.

use crate::Roster;
use ludus_core::{BoardView, History, Side};
use serde::Serialize;

/// A move as a user interface shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ShownMove {
    /// The move as text of the command line.
    #[serde(rename = "move")]
    pub mv: String,
    /// The move as game records write it.
    pub label: String,
    /// The cells it touches, from start to end; empty for a pass.
    pub cells: Vec<usize>,
    /// Other paths of the same move; filled in for legal moves only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_ways: Vec<Vec<usize>>,
}

/// The game after some of its moves.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The position.
    pub position: String,
    /// The board to draw.
    pub view: BoardView,
    /// The side to move.
    pub turn: Side,
    /// The move that led here; `None` at the start.
    pub arrived: Option<ShownMove>,
}

pub(crate) fn shown<P: Roster>(position: &P, mv: P::Move) -> ShownMove {
    ShownMove {
        mv: position.move_text(mv),
        label: position.record_text(mv),
        cells: position.move_cells(mv),
        other_ways: Vec::new(),
    }
}

/// The legal moves.
pub(crate) fn choices<P: Roster>(position: &P) -> Vec<ShownMove> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let choice = |mv| {
        let mut ways = position.move_paths(mv);
        ShownMove { other_ways: ways.split_off(1), ..shown(position, mv) }
    };
    moves.into_iter().map(choice).collect()
}

/// Move number `ply` of the game.
pub(crate) fn played_move<P: Roster>(game: &History<P>, ply: usize) -> Option<ShownMove> {
    game.moves().get(ply).map(|&mv| shown(&game.positions()[ply], mv))
}

/// The moves of a line that starts at `position`.
pub(crate) fn moves<P: Roster>(position: &P, line: &[P::Move]) -> Vec<ShownMove> {
    let mut position = position.clone();
    let show = |&mv: &P::Move| {
        let shown = shown(&position, mv);
        position.play(mv);
        shown
    };
    line.iter().map(show).collect()
}

/// The moves of `line`, which starts at `position`, up to the first that is not legal.
pub(crate) fn line<P: Roster>(position: &P, line: &[String]) -> Vec<ShownMove> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for text in line {
        let Ok(mv) = position.parse_move(text) else { break };
        moves.push(shown(&position, mv));
        position.play(mv);
    }
    moves
}

/// The game after `ply` moves; `None` if it is shorter.
pub(crate) fn snapshot<P: Roster>(game: &History<P>, ply: usize) -> Option<Snapshot> {
    let position = game.positions().get(ply)?;
    Some(Snapshot {
        position: position.text(),
        view: position.view(),
        turn: position.turn(),
        arrived: ply.checked_sub(1).and_then(|before| played_move(game, before)),
    })
}
