//! Records and games: the moves of a record read by a game, and a game written as a record.

use crate::{Node, Record};
use ludus_core::{History, Notation, TextError};

/// Plays the main line from `start`.
///
/// # Errors
/// At the first move that is not legal; the error names its number.
pub fn replay<P: Notation>(record: &Record, start: P) -> Result<History<P>, TextError> {
    let mut game = History::new(start);
    for (index, mv) in record.moves().enumerate() {
        let read = game.last().parse_move(mv).map_err(|error| TextError {
            what: format!("move {} of the game: {}", index + 1, error.what),
            ..error
        })?;
        game.push(read);
    }
    Ok(game)
}

/// A record with the moves of `game`, in the words of game records. Tags and result are left to
/// the caller.
pub fn record<P: Notation>(game: &History<P>) -> Record {
    let mut record = Record::new();
    let mut end = Record::ROOT;
    for (position, &mv) in game.positions().iter().zip(game.moves()) {
        end = record.add(end, Node::of_move(position.record_text(mv)));
    }
    record
}
