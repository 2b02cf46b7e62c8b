//! `POST /api/positions`: reads and checks any position or game record.

use super::{
    App,
    error::{ApiError, Input},
    view::{EndingView, MoveView, PlayedMove, SideName, SideNames, View, played},
};
use crate::records::read_json;
use axum::{Json, Router, extract::State, routing::post};
use ludus_core::Options;
use ludus_formats::{Format, NodeId, Record};
use ludus_players::{Game, Session, find_game, game_of_record};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::ToSchema;

/// The longest game that is shown move by move.
const MOST_MOVES: usize = 2_000;
/// The most moves of all variations together.
const MOST_NODES: usize = 20_000;
/// The longest variation: JSON nests as deep as the tree, and so does the stack that writes it.
const DEEPEST: usize = 600;

/// What to read.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionInput {
    /// With its options; a record may name its own.
    game: String,
    /// A position as text; the usual start if not given.
    position: Option<String>,
    /// Moves from there.
    #[serde(default)]
    moves: Vec<String>,
    /// A PGN, PDN, SGF or JSON record instead.
    record: Option<String>,
}

/// A game, move by move.
#[derive(Serialize, ToSchema)]
pub struct PositionView {
    game: String,
    game_name: &'static str,
    position: String,
    start: String,
    first_turn: SideName,
    turn: SideName,
    sides: SideNames,
    view: View,
    last_cells: Vec<usize>,
    legal: Vec<MoveView>,
    ending: Option<EndingView>,
    moves: Vec<PlayedMove>,
    /// The start, and the position after every move.
    positions: Vec<Still>,
    /// The moves of the record as a tree, if it has variations.
    variations: Option<Variation>,
    /// `pgn`, `pdn`, `sgf` or `json`, if a record was read.
    format: Option<&'static str>,
}

/// One position of a game.
#[derive(Serialize, ToSchema)]
pub struct Still {
    position: String,
    view: View,
    last_cells: Vec<usize>,
}

/// A node of a record: its first child goes on with the line, the others are variations.
#[derive(Serialize, ToSchema)]
pub struct Variation {
    /// None at the start, and where a record only says something.
    #[serde(rename = "move")]
    mv: Option<String>,
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    comment: Option<String>,
    /// Numeric annotation glyphs: 1 is `!`, 2 is `?` and so on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    nags: Vec<u16>,
    #[schema(no_recursion)]
    children: Vec<Variation>,
}

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/api/positions", post(read))
}

/// Reads and checks a position, moves or a record.
#[utoipa::path(post, path = "/api/positions", tag = "positions", request_body = PositionInput,
    responses((status = 200, body = PositionView), (status = 400, body = super::error::ErrorBody)))]
pub async fn read(
    State(app): State<Arc<App>>,
    Input(input): Input<PositionInput>,
) -> Result<Json<PositionView>, ApiError> {
    app.errand(move || answer(&input)).await.map(Json)
}

fn answer(input: &PositionInput) -> Result<PositionView, ApiError> {
    let mut board = open(&input.game, input.position.as_deref(), input.record.as_deref())?;
    let moves = board.session.moves_played() + input.moves.len();
    if moves > MOST_MOVES {
        return Err(ApiError::bad(format!("{moves} moves: expected up to {MOST_MOVES}")));
    }
    for mv in &input.moves {
        board.session.play(mv)?;
    }
    let session = &*board.session;
    let ending = session.ending();
    let still = |ply| {
        let moment = session.moment(ply)?;
        let last_cells = moment.arrived.map_or_else(Vec::new, |arrived| arrived.cells);
        Some(Still { position: moment.position, view: moment.view.into(), last_cells })
    };
    let variations = board.variations()?;
    Ok(PositionView {
        game: session.game(),
        game_name: board.game.name(),
        position: session.position(),
        start: session.start_position(),
        first_turn: session.first_turn().into(),
        turn: session.turn().into(),
        sides: SideNames::of(session),
        view: session.view().into(),
        last_cells: session.last_move_cells(),
        legal: match ending {
            Some(_) => Vec::new(),
            None => session.choices().into_iter().map(Into::into).collect(),
        },
        ending: ending.map(|finish| EndingView::new(session, finish)),
        moves: played(session),
        positions: (0..=moves).filter_map(still).collect(),
        variations,
        format: board.record.as_ref().map(|(_, format)| format.map_or("json", Format::name)),
    })
}

/// A board somebody has set up.
pub struct Board {
    pub session: Box<dyn Session>,
    game: &'static dyn Game,
    options: Options,
    /// Where it comes from, with its format; `None` is JSON.
    record: Option<(Record, Option<Format>)>,
}

/// Sets up the board: at the start, at a position, or as a record leaves it.
pub fn open(game: &str, position: Option<&str>, record: Option<&str>) -> Result<Board, ApiError> {
    let given = |text: &&str| !text.trim().is_empty();
    let (position, record) = (position.filter(given), record.filter(given));
    let (game, options) = find_game(game)?;
    match (position, record) {
        (Some(_), Some(_)) => {
            Err(ApiError::bad("a position and a record: expected one of them, or neither"))
        }
        (position, None) => {
            let session = game.open(&options, position.map(str::trim))?;
            Ok(Board { session, game, options, record: None })
        }
        (None, Some(text)) => open_record(game, text),
    }
}

fn open_record(game: &'static dyn Game, text: &str) -> Result<Board, ApiError> {
    let format = format_of(text, game);
    let first = match format {
        Some(format) => format.read(text.as_bytes()).next().transpose()?,
        None => read_json(text)?.into_iter().next(),
    };
    let record = first.ok_or_else(|| {
        let name = format.map_or("json", Format::name);
        ApiError::bad(format!("no game in the record: expected one as {name}"))
    })?;
    let (found, options) = game_of_record(format, &record)?;
    if found.id() != game.id() {
        let (found, wanted) = (found.id(), game.id());
        return Err(ApiError::bad(format!("a record of {found}: expected one of {wanted}")));
    }
    let session = game.open_record(&options, &record)?;
    Ok(Board { session, game, options, record: Some((record, format)) })
}

/// The format a text looks like: SGF and JSON show in the first character.
fn format_of(text: &str, game: &dyn Game) -> Option<Format> {
    let text = text.trim_start_matches('\u{feff}').trim_start();
    match (text.as_bytes(), game.record_format()) {
        ([b'(', b';', ..] | [b'(', b' ' | b'\n' | b'\r', ..], _) => Some(Format::Sgf),
        ([b'{', ..], _) => None,
        (_, Format::Sgf) => Some(Format::Pgn),
        (_, own) => Some(own),
    }
}

impl Board {
    /// The tree of the record, if it has branches.
    fn variations(&self) -> Result<Option<Variation>, ApiError> {
        let Some((record, _)) = &self.record else { return Ok(None) };
        let branches = record.preorder().any(|node| record.children(node).nth(1).is_some());
        if !branches || record.node_count() > MOST_NODES || depth(record) > DEEPEST {
            return Ok(None);
        }
        let (plain, _) = self.game.translate(&self.options, record, None)?;
        let own = Some(self.game.record_format());
        let (labelled, _) = self.game.translate(&self.options, record, own)?;
        Ok(tree(&plain, &labelled))
    }
}

/// The moves of the longest line.
fn depth(record: &Record) -> usize {
    let mut depths = vec![0; record.node_count()];
    for id in record.preorder() {
        depths[id.index()] = record.parent(id).map_or(0, |parent| depths[parent.index()] + 1);
    }
    depths.into_iter().max().unwrap_or(0)
}

/// The tree of two records that differ only in how they write moves. Children are joined to their
/// parents from the last node to the first, so that a deep record needs no deep stack here.
fn tree(plain: &Record, labelled: &Record) -> Option<Variation> {
    let order: Vec<NodeId> = plain.preorder().collect();
    let labels: Vec<NodeId> = labelled.preorder().collect();
    let mut done: Vec<Option<Variation>> = (0..plain.node_count()).map(|_| None).collect();
    for (&id, &label) in order.iter().zip(&labels).rev() {
        let node = &plain[id];
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let comments: Vec<&str> =
            node.before.iter().chain(&node.comments).map(String::as_str).collect();
        let children = plain.children(id).filter_map(|child| done[child.index()].take()).collect();
        done[id.index()] = Some(Variation {
            mv: text(node.mv.as_str()),
            label: text(labelled[label].mv.as_str()),
            comment: text(&comments.join(" ")),
            nags: node.nags.clone(),
            children,
        });
    }
    done.swap_remove(Record::ROOT.index())
}
