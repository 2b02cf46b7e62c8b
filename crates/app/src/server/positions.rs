//! `POST /api/positions`: parses and validates a position or game record.

use super::{
    App,
    error::{ApiError, JsonBody},
    schema::RecordFormatName,
    view::{BoardDiagram, EndingView, MoveView, PlayedMove, SideName, SideNames, played_moves},
};
use crate::records::read_json;
use axum::{Json, Router, extract::State, routing::post};
use ludus_formats::{Format, NodeId, Record};
use ludus_players::{Board, Game, find_game, game_of_record};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// Maximum length of a game in plies.
const MAX_MOVES: usize = 2_000;
/// Maximum number of moves in all variations together.
const MAX_NODES: usize = 20_000;
/// Maximum length of a variation: JSON nests as deep as the tree, and writing it is recursive.
const MAX_DEPTH: usize = 600;

/// A position, moves or a record to parse.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionInput {
    /// Game with its options; a record may name its own options.
    game: String,
    /// Starting position as text; the standard one if absent.
    position: Option<String>,
    /// Moves from the starting position.
    #[serde(default)]
    moves: Vec<String>,
    /// PGN, PDN, SGF or JSON record, instead of a position.
    record: Option<String>,
}

/// A parsed game, move by move.
#[derive(Serialize, ToSchema)]
pub struct PositionView {
    game: String,
    game_name: &'static str,
    position: String,
    start: String,
    first_turn: SideName,
    turn: SideName,
    sides: SideNames,
    view: BoardDiagram,
    last_cells: Vec<usize>,
    legal: Vec<MoveView>,
    ending: Option<EndingView>,
    moves: Vec<PlayedMove>,
    /// Starting position, and the position after every move.
    positions: Vec<PositionSnapshot>,
    /// Move tree of the record, if it has variations.
    variations: Option<VariationNode>,
    /// Format of the record.
    #[schema(value_type = Option<RecordFormatName>)]
    format: Option<&'static str>,
}

/// Position after some moves of a game.
#[derive(Serialize, ToSchema)]
pub struct PositionSnapshot {
    position: String,
    view: BoardDiagram,
    last_cells: Vec<usize>,
}

/// Node of a move tree: the first child continues the line, the others are variations.
#[derive(Serialize, ToSchema)]
pub struct VariationNode {
    /// Move that leads here; null at the root and at nodes with comments only.
    #[serde(rename = "move")]
    mv: Option<String>,
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    comment: Option<String>,
    /// Numeric annotation glyphs (NAG): 1 is `!`, 2 is `?` and so on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u16>,
    #[schema(no_recursion)]
    children: Vec<VariationNode>,
}

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/api/positions", post(read))
}

/// Parses and validates a position, moves or a record.
#[utoipa::path(post, path = "/api/positions", tag = "positions", request_body = PositionInput,
    responses((status = 200, body = PositionView), (status = 400, body = super::error::ErrorBody)))]
pub async fn read(
    State(app): State<Arc<App>>,
    JsonBody(input): JsonBody<PositionInput>,
) -> Result<Json<PositionView>, ApiError> {
    app.run_blocking(move || parse_input(&input)).await.map(Json)
}

fn parse_input(input: &PositionInput) -> Result<PositionView, ApiError> {
    let mut loaded = open(&input.game, input.position.as_deref(), input.record.as_deref())?;
    let moves = loaded.board.moves_played() + input.moves.len();
    if moves > MAX_MOVES {
        return Err(ApiError::bad(format!("{moves} moves: expected up to {MAX_MOVES}")));
    }
    for mv in &input.moves {
        loaded.board.play(mv)?;
    }
    let board = &*loaded.board;
    let ending = board.ending();
    let snapshot = |ply| {
        let snapshot = board.snapshot(ply)?;
        let last_cells = snapshot.arrived.map_or_else(Vec::new, |arrived| arrived.cells);
        Some(PositionSnapshot {
            position: snapshot.position,
            view: snapshot.view.into(),
            last_cells,
        })
    };
    let variations = loaded.variations()?;
    Ok(PositionView {
        game: board.name(),
        game_name: board.game().name(),
        position: board.position(),
        start: board.start_position(),
        first_turn: board.first_turn().into(),
        turn: board.turn().into(),
        sides: SideNames::of(board),
        view: board.view().into(),
        last_cells: board.last_move_cells(),
        legal: match ending {
            Some(_) => Vec::new(),
            None => board.choices().into_iter().map(Into::into).collect(),
        },
        ending: ending.map(|finish| EndingView::new(board, finish)),
        moves: played_moves(board),
        positions: (0..=moves).filter_map(snapshot).collect(),
        variations,
        format: loaded.record.as_ref().map(|(_, format)| format.map_or("json", Format::name)),
    })
}

/// A board set up from user input.
pub struct LoadedBoard {
    pub board: Box<dyn Board>,
    /// Record that was read, with its format; `None` is JSON.
    record: Option<(Record, Option<Format>)>,
}

/// Sets up a board: at the standard position, at a given one, or at the end of a record.
pub fn open(
    game: &str,
    position: Option<&str>,
    record: Option<&str>,
) -> Result<LoadedBoard, ApiError> {
    let given = |text: &&str| !text.trim().is_empty();
    let (position, record) = (position.filter(given), record.filter(given));
    let (game, options) = find_game(game)?;
    match (position, record) {
        (Some(_), Some(_)) => {
            Err(ApiError::bad("a position and a record: expected one of them, or neither"))
        }
        (position, None) => {
            let board = game.open(&options, position.map(str::trim))?;
            Ok(LoadedBoard { board, record: None })
        }
        (None, Some(text)) => open_record(game, text),
    }
}

fn open_record(game: &'static dyn Game, text: &str) -> Result<LoadedBoard, ApiError> {
    let format = format_of(text, game);
    let first = match format {
        Some(format) => format.read(text.as_bytes()).next().transpose()?,
        None => read_json(text)?.into_iter().next(),
    };
    let record = first.ok_or_else(|| {
        let name = format.map_or("json", Format::name);
        ApiError::bad(format!("no game in the record: expected one in {name} format"))
    })?;
    let (found, options) = game_of_record(format, &record)?;
    if found.id() != game.id() {
        let (found, wanted) = (found.id(), game.id());
        return Err(ApiError::bad(format!("a record of {found}: expected one of {wanted}")));
    }
    let board = game.open_record(&options, &record)?;
    Ok(LoadedBoard { board, record: Some((record, format)) })
}

/// Detects the format of a record: SGF and JSON by the first characters, otherwise that of the game.
fn format_of(text: &str, game: &dyn Game) -> Option<Format> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    match (text.as_bytes(), game.record_format()) {
        ([b'(', b';', ..] | [b'(', b' ' | b'\n' | b'\r', ..], _) => Some(Format::Sgf),
        ([b'{', ..], _) => None,
        (_, Format::Sgf) => Some(Format::Pgn),
        (_, own) => Some(own),
    }
}

impl LoadedBoard {
    /// Move tree of the record, if it has variations.
    fn variations(&self) -> Result<Option<VariationNode>, ApiError> {
        let Some((record, _)) = &self.record else { return Ok(None) };
        let branches = record.preorder().any(|node| record.children(node).nth(1).is_some());
        if !branches || record.node_count() > MAX_NODES || depth(record) > MAX_DEPTH {
            return Ok(None);
        }
        let (game, options) = (self.board.game(), self.board.options());
        let (plain, _) = game.translate(options, record, None)?;
        let (labelled, _) = game.translate(options, record, Some(game.record_format()))?;
        Ok(tree(&plain, &labelled))
    }
}

/// Length of the longest line.
fn depth(record: &Record) -> usize {
    let mut depths = vec![0; record.node_count()];
    for id in record.preorder() {
        depths[id.index()] = record.parent(id).map_or(0, |parent| depths[parent.index()] + 1);
    }
    depths.into_iter().max().unwrap_or(0)
}

/// Builds the move tree from two records that differ only in move notation. Works from the last node
/// to the first instead of recursively, so that a deep record needs no deep stack.
fn tree(plain: &Record, labelled: &Record) -> Option<VariationNode> {
    let order: Vec<NodeId> = plain.preorder().collect();
    let labels: Vec<NodeId> = labelled.preorder().collect();
    let mut done: Vec<Option<VariationNode>> = (0..plain.node_count()).map(|_| None).collect();
    for (&id, &label) in order.iter().zip(&labels).rev() {
        let node = &plain[id];
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let comments: Vec<&str> =
            node.before.iter().chain(&node.comments).map(String::as_str).collect();
        let children = plain.children(id).filter_map(|child| done[child.index()].take()).collect();
        done[id.index()] = Some(VariationNode {
            mv: text(node.mv.as_str()),
            label: text(labelled[label].mv.as_str()),
            comment: text(&comments.join(" ")),
            nags: node.nags.clone(),
            children,
        });
    }
    done.swap_remove(Record::ROOT.index())
}
