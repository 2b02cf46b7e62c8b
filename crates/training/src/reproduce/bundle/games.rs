//! Games of a bundle: as lines of JSON, as records, and their verification.

use ludus_arena::{
    contest::ContestSpec,
    game::{Category, Opening, PlayerStats},
    store::StoredGame,
};
use ludus_core::{EndReason, Outcome};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::BufReader;

/// A game as a line of JSON. Its record is in another file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GameLine {
    index: u64,
    first: String,
    second: String,
    /// Opening of the game.
    start: Opening,
    opening: Option<String>,
    moves: String,
    result: String,
    reason: String,
    category: Option<Category>,
    detail: Option<String>,
    plies: u32,
    stats: Value,
    finished_at: i64,
}

/// Writes a game as a line of JSON, with its opening.
pub(super) fn line(start: Opening, game: &StoredGame) -> String {
    let game = game.clone();
    let line = GameLine {
        index: game.index,
        first: game.first,
        second: game.second,
        start,
        opening: game.opening,
        moves: game.moves,
        result: game.result.id().to_owned(),
        reason: game.reason.id().to_owned(),
        category: game.category,
        detail: game.detail,
        plies: game.plies,
        stats: serde_json::json!(game.stats),
        finished_at: game.finished_at,
    };
    serde_json::to_string(&line).expect("plain data") + "\n"
}

/// Parses a file of such lines.
pub(super) fn read(text: &str) -> Result<Vec<(Opening, StoredGame)>, String> {
    let game = |(number, line): (usize, &str)| {
        let wrong = |error: &dyn std::fmt::Display| format!("line {}: {error}", number + 1);
        let line: GameLine = serde_json::from_str(line).map_err(|error| wrong(&error))?;
        let reason = EndReason::from_id(&line.reason).map_err(|error| wrong(&error))?;
        let game = StoredGame {
            index: line.index,
            first: line.first,
            second: line.second,
            opening: line.opening,
            moves: line.moves,
            result: Outcome::from_id(&line.result).map_err(|error| wrong(&error))?,
            reason,
            category: line.category,
            detail: line.detail,
            plies: line.plies,
            stats: serde_json::from_value::<[PlayerStats; 2]>(line.stats)
                .map_err(|error| wrong(&format!("stats: {error}")))?,
            record: String::new(),
            finished_at: line.finished_at,
        };
        Ok((line.start, game))
    };
    text.lines().enumerate().map(game).collect()
}

/// Replays a game move for move, and compares its end with its result. `true` if the end is on the
/// board, `false` if it was decided by a player or the clock.
pub(super) fn verify(
    setup: &ContestSpec,
    opening: &Opening,
    game: &StoredGame,
) -> Result<bool, String> {
    let mut board = setup
        .game
        .open(&setup.options, opening.position.as_deref())
        .map_err(|error| error.to_string())?;
    let moves: Vec<&str> = game.moves.split_whitespace().collect();
    let begun = moves.iter().zip(&opening.moves).take_while(|(one, other)| *one == other);
    if begun.count() < opening.moves.len() {
        return Err(format!("it does not begin with its opening, {}", opening.moves.join(" ")));
    }
    for (number, mv) in moves.iter().enumerate() {
        if board.ending().is_some() {
            return Err(format!("it continues after its end, with {mv}, move {}", number + 1));
        }
        board.play(mv).map_err(|error| format!("move {}: {error}", number + 1))?;
    }
    if moves.len() as u64 != u64::from(game.plies) {
        return Err(format!("{} moves, expected {}", moves.len(), game.plies));
    }
    let claimed = format!("{} by {}", game.result.id(), game.reason);
    match board.ending() {
        Some(finish) => {
            let found = format!("{} by {}", finish.outcome.id(), finish.reason);
            if found == claimed {
                Ok(true)
            } else {
                Err(format!("{claimed}; the board says {found}"))
            }
        }
        None => {
            let left_open = [
                EndReason::Time,
                EndReason::Resignation,
                EndReason::Agreement,
                EndReason::Forfeit,
                EndReason::Adjudication,
                EndReason::Length,
            ];
            let is_said = left_open.contains(&game.reason);
            let resigned = game.reason == EndReason::Resignation;
            let wrong_side = resigned && game.result != Outcome::Win(!board.turn());
            if is_said && !wrong_side {
                Ok(false)
            } else {
                Err(format!("{claimed}; on the board the game is not over"))
            }
        }
    }
}

/// Compares a file of records with the games, move for move.
pub(super) fn compare_records(
    setup: &ContestSpec,
    records: &[u8],
    games: &[StoredGame],
) -> Result<(), String> {
    let mut records = setup.game.record_format().read(BufReader::new(records));
    for game in games {
        let number = game.index + 1;
        let record = records.next().ok_or_else(|| format!("game {number} is missing"))?;
        let record = record.map_err(|error| format!("game {number}: {error}"))?;
        let board = setup.game.open_record(&setup.options, &record);
        let board = board.map_err(|error| format!("game {number}: {error}"))?;
        if board.moves().join(" ") != game.moves {
            return Err(format!("game {number} has other moves"));
        }
    }
    match records.next() {
        None => Ok(()),
        Some(_) => Err("there are more games than were counted".to_owned()),
    }
}
