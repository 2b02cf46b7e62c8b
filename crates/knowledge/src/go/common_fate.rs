//! Distances along the common-fate graph (Graepel and others 2001): a chain is one
//! node, because its stones live and die together.

use ludus_games::go::{GoBoard, Point};

/// Distances of all points from one point.
#[derive(Clone, Default)]
pub(super) struct CommonFateDistances {
    /// By number of the point; [`CommonFateDistances::FAR`] beyond the limit.
    steps: Vec<u8>,
    /// The points found so far, nearest first.
    found: Vec<Point>,
}

impl CommonFateDistances {
    const FAR: u8 = u8::MAX;

    /// Measures from `start`, up to `max_steps` steps.
    pub(super) fn measure(&mut self, board: &GoBoard, start: Point, max_steps: u8) {
        let last = board.size() - 1;
        self.steps.clear();
        self.steps.resize(board.point(last, last).index() + 1, CommonFateDistances::FAR);
        self.found.clear();
        self.set_chain(board, start, 0);
        let mut next = 0;
        while let Some(&point) = self.found.get(next) {
            next += 1;
            let steps = self.steps[point.index()] + 1;
            if steps > max_steps {
                break;
            }
            for beside in board.neighbours(point) {
                if self.steps[beside.index()] == CommonFateDistances::FAR {
                    self.set_chain(board, beside, steps);
                }
            }
        }
    }

    /// Sets the distance of a point, and of its whole chain if it has a stone.
    fn set_chain(&mut self, board: &GoBoard, point: Point, steps: u8) {
        if board.is_empty(point) {
            self.set(point, steps);
        } else {
            board.chain_stones(point).for_each(|stone| self.set(stone, steps));
        }
    }

    fn set(&mut self, point: Point, steps: u8) {
        self.steps[point.index()] = steps;
        self.found.push(point);
    }

    /// The steps to a point of the board, if it was near enough.
    pub(super) fn to(&self, point: Point) -> Option<u8> {
        Some(self.steps[point.index()]).filter(|&steps| steps != CommonFateDistances::FAR)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::policy::read_diagram as read, *};

    /// The steps from the last move to the marked points of a diagram, row by row.
    fn steps(diagram: &str) -> Vec<Option<u8>> {
        let (position, marked) = read(diagram);
        let mut distances = CommonFateDistances::default();
        let last = position.last_moves()[0].unwrap();
        distances.measure(position.board(), last, 3);
        marked.into_iter().map(|point| distances.to(point)).collect()
    }

    #[test]
    fn empty_points_are_a_step_each() {
        let diagram = "x.*... ...... .*..*. ...... ...... ......";
        assert_eq!(steps(diagram), [Some(2), Some(3), None]);
    }

    #[test]
    fn a_chain_is_one_place() {
        // Along the chain of the last move, and through one of the other side.
        let diagram = "xXXXX* ...... ...... ...... ...... ......";
        assert_eq!(steps(diagram), [Some(1)]);
        let diagram = "xOOOO* ...... ...... ...... ...... ......";
        assert_eq!(steps(diagram), [Some(2)]);
    }
}
