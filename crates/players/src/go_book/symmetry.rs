//! The eight ways to turn and mirror a square board.

use ludus_games::go::{Board, Point};

/// A rotation or reflection: perhaps the diagonal mirrored, then perhaps rows, then perhaps columns.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    diagonal: bool,
    rows: bool,
    columns: bool,
}

impl Symmetry {
    /// All of them, the one that changes nothing first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        (0..8).map(|bits| Symmetry {
            diagonal: bits & 4 != 0,
            rows: bits & 2 != 0,
            columns: bits & 1 != 0,
        })
    }

    /// The one that takes it back.
    pub fn inverse(self) -> Symmetry {
        match self.diagonal {
            // Past the diagonal a row is a column.
            true => Symmetry { diagonal: true, rows: self.columns, columns: self.rows },
            false => self,
        }
    }

    /// Where a point of the board goes.
    pub fn image(self, board: &Board, point: Point) -> Point {
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
    fn they_differ_and_their_inverses_take_them_back() {
        let board = Board::new(5);
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
