//! Game records to and from games, every move checked by the rules.
//!
//! A record in the game's own format (PGN for chess, PDN for draughts, SGF for Go) follows that
//! format's conventions. In any other format it carries the tag `Game` with the game and its
//! options, its start as the tag `FEN`, and moves as the command line has them.

use crate::{Finish, GAMES, Game};
use ludus_core::{
    EndReason, History, Notation, Options, Outcome, RecordFormat, Side, TextError,
    notation::GAME_TAG,
};
use ludus_formats::{Format, GameResult, PieceColour, Property, Record, RecordNode, sgf};

/// The game of a record: the one its tag `Game` names, or else the one its format implies.
pub fn game_of_record(
    format: Option<Format>,
    record: &Record,
) -> Result<(&'static dyn Game, Options), TextError> {
    if let Some(text) = record.tag(GAME_TAG) {
        return crate::find_game(text);
    }
    for &game in GAMES {
        if format.is_some_and(|format| format != game.record_format()) {
            continue;
        }
        if let Some(options) = game.options_of_record(record)? {
            return Ok((game, options));
        }
    }
    let names: Vec<&str> = GAMES.iter().map(|game| game.id()).collect();
    let expected = format!("a tag {GAME_TAG} that names one of {}", names.join(", "));
    Err(TextError::whole("record", record.tag("GM").unwrap_or_default(), expected))
}

/// The colour the first side has in records.
pub(crate) fn first_colour<P: Notation>(position: &P) -> PieceColour {
    colour_of(position.side_name(Side::First))
}

/// The colour that records give to the side with this name.
pub(crate) fn colour_of(side_name: &str) -> PieceColour {
    if side_name == "Black" { PieceColour::Black } else { PieceColour::White }
}

/// The position given as text, or the start.
pub(crate) fn position<P: Notation>(options: &Options, text: Option<&str>) -> Result<P, TextError> {
    text.map_or_else(|| P::start(options), |text| P::parse(options, text))
}

/// The start position of the game of `record`.
pub(crate) fn start<P: Notation>(options: &Options, record: &Record) -> Result<P, TextError> {
    if let Some(text) = record.tag("FEN") {
        return P::parse(options, text);
    }
    let usual = P::start(options)?;
    let root = record.root();
    let is_set_up = ["AB", "AW", "PL"].iter().any(|name| !root.property(name).is_empty());
    if !is_set_up {
        return Ok(usual);
    }
    let first = first_colour(&usual);
    let side = |colour| if colour == first { Side::First } else { Side::Second };
    let mut stones = Vec::new();
    for (name, colour) in [("AB", PieceColour::Black), ("AW", PieceColour::White)] {
        let points = sgf::points(root.property(name))?;
        stones.extend(points.into_iter().map(|point| (side(colour), point)));
    }
    let first_move = record.next(Record::ROOT).and_then(|id| record[id].colour);
    let turn = match root.property("PL").first().map(String::as_str) {
        Some("B" | "b" | "1" | "black") => Some(PieceColour::Black),
        Some("W" | "w" | "2" | "white") => Some(PieceColour::White),
        _ => first_move,
    };
    P::set_up(options, &stones, turn.map(side))
}

/// Plays the main line of `record`.
pub(crate) fn replay<P: Notation>(
    options: &Options,
    record: &Record,
) -> Result<History<P>, TextError> {
    let mut game = History::new(start(options, record)?);
    for (index, id) in record.main_line().enumerate() {
        if let Some(mv) = read_move(game.last(), &record[id], index + 1)? {
            game.push(mv);
        }
    }
    Ok(game)
}

/// The move of a node, if it makes one.
fn read_move<P: Notation>(
    position: &P,
    node: &RecordNode,
    number: usize,
) -> Result<Option<P::Move>, TextError> {
    let in_place = |error: TextError| TextError {
        what: format!("move {number} of the game: {}", error.what),
        ..error
    };
    if ["AB", "AW", "AE"].iter().any(|name| !node.property(name).is_empty()) {
        let expected = "stones set up before the first move only";
        return Err(in_place(TextError::whole("set-up", "AB, AW or AE", expected)));
    }
    if node.mv.is_empty() {
        return Ok(None);
    }
    let first = first_colour(position);
    let mover = if position.turn() == Side::First { first } else { !first };
    if node.colour.is_some_and(|colour| colour != mover) {
        let expected = format!("a move of {mover:?}, whose turn it is");
        return Err(in_place(TextError::whole("move", &node.mv, expected)));
    }
    position.parse_move(&node.mv).map(Some).map_err(in_place)
}

/// `record` with every move of every line checked, and written as `format` wants it (`None`: JSON),
/// and the side that makes the first move.
pub(crate) fn translate<P: Notation>(
    options: &Options,
    record: &Record,
    format: Option<Format>,
) -> Result<(Record, Side), TextError> {
    let start: P = start(options, record)?;
    let starts = start.turn();
    let own_format = format == Some(P::RECORD.into());
    let mut out = Record::new();
    out.tags = translated_tags::<P>(options, &start, record, own_format);
    out.result = record.result.clone();
    out[Record::ROOT] = record.root().clone();
    if own_format {
        write_start(&start, options, &mut out);
    } else {
        out[Record::ROOT].properties.retain(|property| !is_set_up(property));
    }
    // The positions after the nodes that still have children to come, the parent of the next node on
    // top. Only these are kept, because positions are large.
    let mut parents = vec![(start, Record::ROOT, 0)];
    for id in record.preorder().skip(1) {
        let is_last = record.next_sibling(id).is_none();
        let parent = if is_last { parents.pop() } else { parents.last().cloned() };
        let (mut position, target, mut number) = parent.expect("a child follows its parent");
        let mut node = record[id].clone();
        if let Some(mv) = read_move(&position, &node, number + 1)? {
            let text = if own_format { position.record_text(mv) } else { position.move_text(mv) };
            node.mv = text.into();
            node.colour = (format == Some(Format::Sgf)).then(|| mover(&position));
            position.play(mv);
            number += 1;
        }
        let target = out.add(target, node);
        if record.next(id).is_some() {
            parents.push((position, target, number));
        }
    }
    if let Some(format) = format {
        format.translate_result(&mut out);
    }
    Ok((out, starts))
}

fn mover<P: Notation>(position: &P) -> PieceColour {
    let first = first_colour(position);
    if position.turn() == Side::First { first } else { !first }
}

fn is_set_up(property: &Property) -> bool {
    matches!(property.name.as_str(), "AB" | "AW" | "AE" | "PL")
}

/// The tags of `record`, with those for the game and its start position rewritten.
fn translated_tags<P: Notation>(
    options: &Options,
    start: &P,
    record: &Record,
    own_format: bool,
) -> Vec<(String, String)> {
    let own = P::record_tags(options);
    let replaced = |name: &str| {
        matches!(name, GAME_TAG | "FEN" | "SetUp" | "FF" | "CA")
            || own.iter().any(|(own, _)| *own == name)
    };
    let kept = record.tags.iter().filter(|(name, _)| !replaced(name)).cloned();
    let mut tags: Vec<(String, String)> = kept.collect();
    if own_format {
        tags.extend(own.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    } else {
        tags.push((GAME_TAG.to_owned(), options.to_string()));
        if P::start(options).as_ref() != Ok(start) {
            tags.push(("SetUp".to_owned(), "1".to_owned()));
            tags.push(("FEN".to_owned(), start.text()));
        }
    }
    tags
}

/// The game so far as a record in the game's own format. The caller adds names and date.
pub(crate) fn record<P: Notation>(
    options: &Options,
    game: &History<P>,
    finish: Option<Finish>,
) -> Record {
    let mut record = Record::new();
    for (name, value) in P::record_tags(options) {
        record.set_tag(name, value);
    }
    write_start(game.start(), options, &mut record);
    let mut end = Record::ROOT;
    for (position, &mv) in game.positions().iter().zip(game.moves()) {
        let colour = (P::RECORD == RecordFormat::Sgf).then(|| mover(position));
        end =
            record.add(end, RecordNode { colour, ..RecordNode::of_move(position.record_text(mv)) });
    }
    record.result = result_text(first_colour(game.start()), P::RECORD, finish);
    record
}

/// Writes the start position into `record`, unless it is the usual one.
fn write_start<P: Notation>(start: &P, options: &Options, record: &mut Record) {
    let usual = P::start(options).as_ref() == Ok(start);
    if P::RECORD != RecordFormat::Sgf {
        if !usual {
            record.set_tag("SetUp", "1");
            record.set_tag("FEN", start.text());
        }
        return;
    }
    let view = start.view();
    let root = &mut record[Record::ROOT];
    root.properties.retain(|property| !is_set_up(property));
    for (name, light) in [("AB", false), ("AW", true)] {
        let holds = |index: &usize| view.cells[*index].piece.is_some_and(|p| p.light == light);
        let point = |index: usize| {
            let letter = |number: usize| char::from(b'a' + number as u8);
            [letter(index % view.columns), letter(index / view.columns)].iter().collect()
        };
        let values: Vec<String> = (0..view.cells.len()).filter(holds).map(point).collect();
        if !values.is_empty() {
            root.properties.push(Property { name: name.to_owned(), values });
        }
    }
    if !usual {
        let turn = if mover(start) == PieceColour::Black { "B" } else { "W" };
        root.properties.push(Property { name: "PL".to_owned(), values: vec![turn.to_owned()] });
    }
}

/// The result as the format writes it, with margin or reason where the format has them (SGF).
fn result_text(first: PieceColour, format: RecordFormat, finish: Option<Finish>) -> GameResult {
    let outcome = finish.map(|finish| finish.outcome);
    let plain = GameResult::of(outcome, first, format.into());
    let Some(Finish { outcome: Outcome::Win(_), reason, margin }) = finish else { return plain };
    if format != RecordFormat::Sgf {
        return plain;
    }
    let detail = match (reason, margin) {
        (EndReason::Resignation, _) => "R".to_owned(),
        (EndReason::Time, _) => "T".to_owned(),
        (EndReason::Forfeit, _) => "F".to_owned(),
        (_, Some(margin)) => margin.abs().to_string(),
        _ => String::new(),
    };
    GameResult::from(format!("{}{detail}", plain.text).as_str())
}
