//! The view that the study's learned players have of a board, square by square, for display.

use super::{study_models::CnnModel, study_values::CnnValues};
use ludus_core::{Position, Score};
use ludus_games::chess::Chess;
use ludus_knowledge::chess::{
    STUDY_PLANE_NAMES, STUDY_PLANES, StudyMoveModel, study_planes, study_square_weights,
};
use ludus_models::conv_net::ConvNetEvaluator;

/// Numbers on the squares of a board, by cell of the board view: a8 first, h1 last.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardLayer {
    /// Its meaning, such as `white pawns`.
    pub name: String,
    pub values: [f32; 64],
}

impl BoardLayer {
    /// A layer from numbers by square, a1 first.
    fn of_squares(name: &str, squares: [f32; 64]) -> BoardLayer {
        BoardLayer {
            name: name.to_owned(),
            values: std::array::from_fn(|cell| squares[square_of(cell)]),
        }
    }
}

/// The square of a cell of the view, whose first row is rank 8.
fn square_of(cell: usize) -> usize {
    cell ^ 56
}

/// The weights of the squares that moves leave, and of those that they reach.
pub fn move_layers(model: &StudyMoveModel) -> [BoardLayer; 2] {
    let [from, to] = study_square_weights(model);
    [BoardLayer::of_squares("moves from", from), BoardLayer::of_squares("moves to", to)]
}

/// A position as the network sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct NetworkSight {
    /// Its output, from 0 to 1 for White.
    pub value: f32,
    /// The output as a score for the side to move.
    pub score: Score,
    /// Its input planes: 1 where a plane is set.
    pub planes: Vec<BoardLayer>,
    /// The output less the one without the square: occlusion, every plane cleared there.
    pub contributions: BoardLayer,
}

/// The view that `model` has of `position`, and the contribution of every square to its output.
pub fn network_sight(model: &CnnModel, position: &Chess) -> NetworkSight {
    let mut planes = Vec::new();
    study_planes(position, model.turn, &mut planes);
    let mut inputs = planes.clone();
    for square in 0..64 {
        // The plane of the side to move is no part of a square.
        let (seen, rest) = planes.split_at(STUDY_PLANES);
        inputs.extend(seen.iter().map(|plane| plane & !(1 << square)));
        inputs.extend(rest);
    }
    let mut outputs = Vec::with_capacity(65);
    ConvNetEvaluator::new(&model.net).values(&inputs, &mut outputs);
    let value = outputs[0];
    let contributions = std::array::from_fn(|square| value - outputs[1 + square]);
    let Score(score) = CnnValues::score_of(value.into());
    let layer = |(plane, name): (&u64, &&str)| {
        BoardLayer::of_squares(name, std::array::from_fn(|square| (plane >> square & 1) as f32))
    };
    NetworkSight {
        value,
        score: Score(score * position.turn().sign()),
        planes: planes.iter().zip(&STUDY_PLANE_NAMES).map(layer).collect(),
        contributions: BoardLayer::of_squares("contribution", contributions),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::study_models::tests::random_cnn;

    #[test]
    fn planes_are_drawn_from_the_eighth_rank_down() {
        let sight = network_sight(&random_cnn(false), &Chess::default());
        assert_eq!(sight.planes.len(), 14);
        let set = |name: &str| -> Vec<usize> {
            let plane = sight.planes.iter().find(|plane| plane.name == name).unwrap();
            (0..64).filter(|&cell| plane.values[cell] == 1.0).collect()
        };
        assert_eq!(set("white kings"), [60]);
        assert_eq!(set("black pawns"), (8..16).collect::<Vec<_>>());
        assert_eq!(set("attacked by White").len(), 22);
    }

    /// An empty square that nobody attacks is dark in every plane: it contributes nothing.
    #[test]
    fn only_squares_with_something_on_them_contribute() {
        for turn in [false, true] {
            let model = random_cnn(turn);
            let sight = network_sight(&model, &Chess::default());
            let Score(score) = sight.score;
            assert_eq!(score, CnnValues::score_of(sight.value.into()).0);
            for cell in 0..64 {
                let seen = sight.planes[..14].iter().any(|plane| plane.values[cell] > 0.0);
                let contributes = sight.contributions.values[cell] != 0.0;
                assert_eq!(contributes, seen, "cell {cell}");
            }
        }
    }
}
