//! The eight symmetries of a square board.

use ludus_games::go::{GoBoard, Point};

/// A rotation or reflection: optional flips of the diagonal, then the rows, then the columns.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    diagonal: bool,
    rows: bool,
    columns: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(|bits| Symmetry {
            diagonal: bits & 4 != 0,
            rows: bits & 2 != 0,
            columns: bits & 1 != 0,
        })
    }

    /// The inverse symmetry.
    pub fn inverse(self) -> Symmetry {
        match self.diagonal {
            // The flip of the diagonal swaps rows and columns.
            true => Symmetry { diagonal: true, rows: self.columns, columns: self.rows },
            false => self,
        }
    }

    /// The image of a point of the board.
    pub fn image(self, board: &GoBoard, point: Point) -> Point {
        let last = board.size() - 1;
        let (mut row, mut column) = board.row_column(point);
        if self.diagonal {
            (row, column) = (column, row);
        }
        if self.rows {
            row = last - row;
        }
        if self.columns {
            column = last - column;
        }
        board.point(row, column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_differ_and_have_inverses() {
        let board = GoBoard::new(5);
        let (odd, mut images) = (board.point(1, 0), Vec::new());
        for symmetry in Symmetry::all() {
            images.push(symmetry.image(&board, odd));
            for point in board.points() {
                let image = symmetry.image(&board, point);
                assert_eq!(symmetry.inverse().image(&board, image), point, "{symmetry:?}");
            }
        }
        images.sort_unstable();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
