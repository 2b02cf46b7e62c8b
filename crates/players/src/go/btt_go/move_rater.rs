//! The six attributes by which version 2 of BTT-Go rates a playout move.
//!
//! The thesis names their best and worst values but few numbers. Here all but one go from 1 to 5,
//! because the strength of a move is their product and none may decide alone; a pass just before
//! doubles the strength of all moves alike, which only changes the values of the tactical element.
//!
//! Stones in atari are counted on the whole board after the move, as in the thesis, so that moves
//! that save stones are preferred; captured stones do not count.

use ludus_core::Random;
use ludus_games::go::{GoBoard, Point};
use ludus_knowledge::go::policy::{PlayoutBoard, ataris_after};

/// The best value of an attribute.
const MAX_ATTRIBUTE: f32 = 5.0;
/// Largest number of stones in atari that counts.
const MAX_COUNTED_IN_ATARI: usize = 4;
/// The line from the edge that is best.
const BEST_LINE: usize = 3;
/// Distance from the last move with the worst value.
const MAX_DISTANCE: usize = 17;

/// The best values of the attributes, from which the tactical element draws: atari, self-atari, edge,
/// distance, pass.
const ATTRIBUTE_MAXIMA: [f32; 5] =
    [MAX_ATTRIBUTE, MAX_ATTRIBUTE, MAX_ATTRIBUTE, MAX_ATTRIBUTE, 2.0];

/// Rates playout moves by their attributes.
#[derive(Clone)]
pub struct MoveRater {
    /// Probability of the tactical element, in percent.
    pub tactical: u32,
}

impl MoveRater {
    pub fn new(tactical: u32) -> MoveRater {
        MoveRater { tactical }
    }

    /// The strength of a stone of the side to move on `point`, if `in_atari` stones of each side are in
    /// atari before it. The thesis plays the move on a copy of the board; here its effect is computed
    /// without playing it.
    pub fn strength(
        &self,
        playout: &PlayoutBoard,
        in_atari: [usize; 2],
        point: Point,
        random: &mut Random,
    ) -> f32 {
        let board = playout.board();
        let [others, own] = ataris_after(board, playout.turn(), point, in_atari);
        let [last, _] = playout.last_moves();
        atari(others)
            * self_atari(own)
            * edge(board, point)
            * last.map_or(1.0, |last| nearness(board, last, point))
            * if playout.passed() { 2.0 } else { 1.0 }
            * self.tactical_element(random)
    }

    /// The tactical element: sometimes the best value of a random attribute, so that moves are tried
    /// whose value the attributes do not see.
    fn tactical_element(&self, random: &mut Random) -> f32 {
        let active = self.tactical > 0 && random.below(100) < self.tactical as usize;
        if active { ATTRIBUTE_MAXIMA[random.below(ATTRIBUTE_MAXIMA.len())] } else { 1.0 }
    }
}

/// Better the more stones of the other side are in atari.
fn atari(stones: usize) -> f32 {
    1.0 + stones.min(MAX_COUNTED_IN_ATARI) as f32
}

/// Worse the more stones of the mover are in atari.
fn self_atari(stones: usize) -> f32 {
    MAX_ATTRIBUTE - stones.min(MAX_COUNTED_IN_ATARI) as f32
}

/// Best on the third line.
fn edge(board: &GoBoard, point: Point) -> f32 {
    let (row, column) = board.row_column(point);
    let last = board.size() - 1;
    let nearest = [row, column, last - row, last - column].into_iter().min().unwrap_or(0);
    (MAX_ATTRIBUTE - (nearest + 1).abs_diff(BEST_LINE) as f32).max(1.0)
}

/// Worse the farther from the last move.
fn nearness(board: &GoBoard, last: Point, point: Point) -> f32 {
    let [(row, column), (other_row, other_column)] =
        [last, point].map(|point| board.row_column(point));
    let [down, right] = [row.abs_diff(other_row), column.abs_diff(other_column)];
    let distance = (down + right + down.max(right)).clamp(2, MAX_DISTANCE);
    1.0 + (MAX_ATTRIBUTE - 1.0) * (MAX_DISTANCE - distance) as f32 / (MAX_DISTANCE - 2) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Notation, Options, Position};
    use ludus_games::go::Go;

    /// A 5x5 board after these moves, Black first.
    fn after(moves: &str) -> Go {
        let mut go = Go::start(&Options::parse("go:size=5", Go::OPTIONS).unwrap()).unwrap();
        for mv in moves.split_whitespace() {
            go.play(go.parse_move(mv).unwrap());
        }
        go
    }

    /// The point of this name, empty or not.
    fn point(go: &Go, text: &str) -> Point {
        let [column, row] = text.as_bytes() else { unreachable!("{text}") };
        go.board().point(usize::from(b'5' - row), usize::from(column - b'a'))
    }

    fn rated(rater: &MoveRater, go: &Go, text: &str, random: &mut Random) -> f32 {
        let mut board = PlayoutBoard::new(go);
        let in_atari = board.stones_in_atari();
        rater.strength(&board, in_atari, point(go, text), random)
    }

    fn strength(go: &Go, text: &str) -> f32 {
        rated(&MoveRater::new(0), go, text, &mut Random::new(1))
    }

    /// The part of the strength that comes from stones in atari, without that of the place.
    fn by_ataris(go: &Go, text: &str) -> f32 {
        let [last, _] = PlayoutBoard::new(go).last_moves();
        let there = point(go, text);
        let place = edge(go.board(), there) * nearness(go.board(), last.unwrap(), there);
        (strength(go, text) / place).round()
    }

    #[test]
    fn stones_in_atari_count_for_and_against() {
        // White's a1 is in atari after a2, which Black plays, and so are two stones if White plays there.
        let go = after("b2 a1 a3 e1");
        assert_eq!(by_ataris(&go, "a2"), 2.0 * 5.0);
        let go = after("b2 a1 a3");
        assert_eq!(by_ataris(&go, "a2"), 1.0 * 3.0);
    }

    #[test]
    fn the_whole_board_counts() {
        // White's a1 is in atari: White saves it there or plays elsewhere.
        let to_save = after("b1 a1 e5");
        assert_eq!(["a2", "d2"].map(|text| by_ataris(&to_save, text)), [1.0 * 5.0, 1.0 * 4.0]);
        // Black takes it or leaves it in atari.
        let to_take = after("b1 a1 e5 e1");
        assert_eq!(["a2", "d2"].map(|text| by_ataris(&to_take, text)), [1.0 * 5.0, 2.0 * 5.0]);
    }

    #[test]
    fn the_third_line_and_the_last_move_attract() {
        let go = after("c3");
        let lines = ["a1", "b2", "c3"].map(|text| edge(go.board(), point(&go, text)));
        assert_eq!(lines, [3.0, 4.0, 5.0]);
        assert!(strength(&go, "c2") > strength(&go, "b1"));
        let near = nearness(go.board(), point(&go, "c3"), point(&go, "c2"));
        let far = nearness(go.board(), point(&go, "a1"), point(&go, "e5"));
        assert_eq!(near, MAX_ATTRIBUTE);
        assert!(far < 3.0);
    }

    #[test]
    fn the_tactical_element_multiplies_some_moves() {
        let go = after("c3");
        let (mut random, rater) = (Random::new(1), MoveRater::new(20));
        let plain = strength(&go, "c2");
        let lifted = (0..1000).filter(|_| rated(&rater, &go, "c2", &mut random) > plain).count();
        assert!((150..250).contains(&lifted), "{lifted}");
    }
}
