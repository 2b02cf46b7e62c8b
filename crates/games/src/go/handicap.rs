//! Star points and fixed handicap points.

use super::{board::GoBoard, point::Point};
use ludus_core::TextError;

/// The lines handicap stones and star points are on, counted from 0: near the edge, in the middle
/// (odd sizes only), and near the far edge. Boards below 7x7 have none.
fn lines(size: usize) -> Option<(usize, Option<usize>)> {
    let edge = if size < 13 { 2 } else { 3 };
    (size >= 7).then_some((edge, (size % 2 == 1 && size >= 9).then_some(size / 2)))
}

/// The star points of a board.
pub(super) fn star_points(board: &GoBoard) -> Vec<Point> {
    let size = board.size();
    match lines(size) {
        None if size % 2 == 1 && size > 3 => vec![board.point(size / 2, size / 2)],
        None => Vec::new(),
        Some((edge, None)) => corners(board, edge).to_vec(),
        Some((edge, Some(middle))) if size < 13 => {
            let mut points = corners(board, edge).to_vec();
            points.push(board.point(middle, middle));
            points
        }
        Some(_) => places(board, 9),
    }
}

/// The four corner points: lower left, upper right, upper left, lower right.
fn corners(board: &GoBoard, edge: usize) -> [Point; 4] {
    let far = board.size() - 1 - edge;
    [(far, edge), (edge, far), (edge, edge), (far, far)]
        .map(|(row, column)| board.point(row, column))
}

/// The points of `stones` handicap stones, in the order of GTP's fixed handicap.
fn places(board: &GoBoard, stones: usize) -> Vec<Point> {
    let Some((edge, middle)) = lines(board.size()) else { return Vec::new() };
    let mut points = corners(board, edge).to_vec();
    if let Some(middle) = middle {
        let far = board.size() - 1 - edge;
        if stones >= 6 {
            points.extend([board.point(middle, edge), board.point(middle, far)]);
        }
        if stones >= 8 {
            points.extend([board.point(far, middle), board.point(edge, middle)]);
        }
        if stones >= 5 && stones % 2 == 1 {
            points.push(board.point(middle, middle));
        }
    }
    points.truncate(stones);
    points
}

/// The points of `stones` fixed handicap stones on `board`, if it has that many.
pub(super) fn handicap(board: &GoBoard, stones: usize) -> Result<Vec<Point>, TextError> {
    let expected = match lines(board.size()) {
        None => "0",
        Some((_, None)) => "0 or 2 to 4",
        Some((_, Some(_))) => "0 or 2 to 9",
    };
    let points = places(board, stones);
    if stones == 1 || points.len() != stones {
        let expected = format!("{expected} on a board of size {}", board.size());
        return Err(TextError::whole("go handicap", &stones.to_string(), expected));
    }
    Ok(points)
}
