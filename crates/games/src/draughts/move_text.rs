//! Moves as text: `11-15`, `22x15`, and all squares of the path where start and end are ambiguous
//! (`1x10x19`).

use super::{
    board::{all_squares, bits, directions},
    moves::{CapturePath, DraughtsMove},
    position::Draughts,
    squares,
};
use ludus_core::{Notation, Position, TextError};

pub(super) fn write(position: &Draughts, mv: DraughtsMove) -> String {
    if mv.captures() == 0 {
        return join(position, &[mv.from(), mv.to()], '-');
    }
    write_among(position, mv, &position.capture_paths())
}

fn write_among(position: &Draughts, mv: DraughtsMove, paths: &[CapturePath]) -> String {
    let sign = position.rules.set().capture_sign;
    let rival = |path: &CapturePath| {
        path.mv.from() == mv.from() && path.mv.to() == mv.to() && path.mv != mv
    };
    let short = [mv.from(), mv.to()];
    let path = paths.iter().find(|path| path.mv == mv);
    match path {
        // The squares of a path determine its captures, so the long form is unique.
        Some(path) if paths.iter().any(rival) => join(position, &path.squares, sign),
        _ => join(position, &short, sign),
    }
}

fn join(position: &Draughts, squares: &[u32], sign: char) -> String {
    let names: Vec<String> =
        squares.iter().map(|&square| squares::name(position.rules, square)).collect();
    names.join(&sign.to_string())
}

/// The squares a move visits, start and end included.
pub(super) fn squares_of(position: &Draughts, mv: DraughtsMove) -> Vec<u32> {
    let paths = position.capture_paths();
    let path = paths.into_iter().find(|path| path.mv == mv);
    path.map_or_else(|| vec![mv.from(), mv.to()], |path| path.squares)
}

/// Reads a move: start and end, with any squares of the path between them that it passes or lands
/// on, joined by `-`, `x` or `:`. A quiet move may not be written as a capture.
pub(super) fn read(position: &Draughts, text: &str) -> Result<DraughtsMove, TextError> {
    let ParsedMove { squares, capture } = read_squares(position, text)?;
    let paths = position.capture_paths();
    if paths.is_empty() {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let fits = |mv: &&DraughtsMove| !capture && squares == [mv.from(), mv.to()];
        return moves.iter().find(fits).copied().ok_or_else(|| position.illegal_move(text));
    }
    if let Some(path) = paths.iter().find(|path| path.squares == squares) {
        return Ok(path.mv);
    }
    let mut fitting: Vec<DraughtsMove> = Vec::new();
    for path in paths.iter().filter(|path| passes(position, path, &squares)) {
        if !fitting.contains(&path.mv) {
            fitting.push(path.mv);
        }
    }
    match fitting[..] {
        [] => Err(position.illegal_move(text)),
        [mv] => Ok(mv),
        _ => {
            let names: Vec<String> =
                fitting.iter().map(|&mv| write_among(position, mv, &paths)).collect();
            let choices = format!("all squares of the path, one of {}", names.join(" "));
            Err(TextError::whole(&format!("{} move", Draughts::ID), text.trim(), choices))
        }
    }
}

/// A move as written.
struct ParsedMove {
    squares: Vec<u32>,
    /// Whether a capture sign was used.
    capture: bool,
}

fn read_squares(position: &Draughts, text: &str) -> Result<ParsedMove, TextError> {
    let mut parsed = ParsedMove { squares: Vec::new(), capture: false };
    let trimmed = text.trim_end();
    let mut at = trimmed.len() - trimmed.trim_start().len();
    let error = |at, expected: String| TextError::at("draughts move", trimmed, at, expected);
    loop {
        let (square, length) = squares::read(position.rules, &trimmed[at..])
            .ok_or_else(|| error(at, squares::expected(position.rules)))?;
        parsed.squares.push(square);
        at += length;
        match trimmed[at..].chars().next() {
            None if parsed.squares.len() > 1 => return Ok(parsed),
            Some('-') => at += 1,
            Some('x' | 'X' | ':') => {
                at += 1;
                parsed.capture = true;
            }
            // Letters need no separator between squares.
            Some(next) if next.is_ascii_alphabetic() && position.rules.algebraic() => {}
            _ => return Err(error(at, "- or x and another square".to_owned())),
        }
    }
}

/// Whether `path` starts and ends as `parsed` does and comes by the squares between, in order.
fn passes(position: &Draughts, path: &CapturePath, parsed: &[u32]) -> bool {
    let [start, between @ .., end] = parsed else { return false };
    if (*start, *end) != (path.mv.from(), path.mv.to()) {
        return false;
    }
    let mut visited = path.squares.windows(2).flat_map(|leg| line(position, leg[0], leg[1]));
    between.iter().all(|square| visited.any(|passed| passed == *square))
}

/// The squares behind `from` up to `to`, on one diagonal with it.
fn line(position: &Draughts, from: u32, to: u32) -> Vec<u32> {
    let all = all_squares(position.rules);
    for direction in directions(position.rules) {
        let mut squares = 0;
        let mut next = (1u64 << from).rotate_left(direction) & all;
        while next != 0 {
            squares |= next;
            if next == 1 << to {
                let mut line: Vec<u32> = bits(squares).collect();
                if to < from {
                    line.reverse();
                }
                return line;
            }
            next = next.rotate_left(direction) & all;
        }
    }
    vec![to]
}
