//! The learned players of the chess study, square by square.

use super::{
    super::{error::ApiError, view::score_words},
    features::{FeatureValue, FeaturesView, LayerKind, LayerView},
};
use ludus_core::{Notation, options::split_name};
use ludus_games::chess::{Chess, Move};
use ludus_knowledge::chess::StudyMoveModel;
use ludus_players::chess::{
    study_cnn,
    study_logreg::{self, ranked_moves},
    study_sight::{BoardLayer, NetworkSight, move_layers, network_sight},
};

/// Features of a position as `player` sees them: the network, or else the logistic regression.
pub fn features(position: &Chess, player: &str) -> Result<FeaturesView, ApiError> {
    let (name, _) = split_name(player);
    if name == study_cnn::ID {
        let model = study_cnn::model(player)?;
        return Ok(of_network(network_sight(&model, position)));
    }
    let model = study_logreg::model(player)?;
    Ok(of_moves(position, &model))
}

fn layer(kind: LayerKind, layer: BoardLayer, scale: f32) -> LayerView {
    LayerView { name: layer.name, kind, values: layer.values.to_vec(), scale }
}

/// The largest number of some layers without its sign.
fn largest<'a>(layers: impl IntoIterator<Item = &'a BoardLayer>) -> f32 {
    let numbers = layers.into_iter().flat_map(|layer| &layer.values);
    numbers.fold(0.0, |largest: f32, number| largest.max(number.abs()))
}

/// The probabilities of the legal moves, and the weights of the squares.
fn of_moves(position: &Chess, model: &StudyMoveModel) -> FeaturesView {
    let shared = model.board_logit(position);
    let group = |(mv, logit): (Move, f64)| FeatureValue {
        name: position.record_text(mv),
        value: (100.0 / (1.0 + (-shared - logit).exp())).round() as i32,
        detail: format!("percent; {logit:+.3} of the move and {shared:+.3} of the board"),
    };
    let layers = move_layers(model);
    let scale = largest(&layers);
    FeaturesView {
        groups: ranked_moves(model, position).into_iter().map(group).collect(),
        score: None,
        score_words: String::new(),
        judge: "logistic regression".to_owned(),
        layers: layers.into_iter().map(|one| layer(LayerKind::Weight, one, scale)).collect(),
    }
}

/// The input planes, and the contribution of every square to the output.
fn of_network(sight: NetworkSight) -> FeaturesView {
    let group = |plane: &BoardLayer| FeatureValue {
        name: plane.name.clone(),
        value: plane.values.iter().filter(|&&set| set > 0.0).count() as i32,
        detail: "squares of the plane".to_owned(),
    };
    let groups = sight.planes.iter().map(group).collect();
    let scale = largest([&sight.contributions]);
    let mut layers = vec![layer(LayerKind::Contribution, sight.contributions, scale)];
    layers.extend(sight.planes.into_iter().map(|plane| layer(LayerKind::Plane, plane, 1.0)));
    let score = Some(sight.score.0);
    FeaturesView {
        groups,
        score,
        score_words: format!("{:.3} for White, {}", sight.value, score_words(score)),
        judge: "convolutional network".to_owned(),
        layers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Position, Score};
    use ludus_knowledge::chess::STUDY_FEATURES;

    /// A model that likes e4 and dislikes moves from a2.
    fn model() -> StudyMoveModel {
        let weight = |feature: usize| match ludus_knowledge::chess::study_feature_name(feature) {
            name if name == "to e4" => 2.0,
            name if name == "from a2" => -4.0,
            _ => 0.0,
        };
        StudyMoveModel::new(-1.0, (0..STUDY_FEATURES).map(weight).collect())
    }

    #[test]
    fn weights_of_squares_are_drawn_with_the_probabilities_of_moves() {
        let position = Chess::default();
        let seen = of_moves(&position, &model());
        assert_eq!(seen.groups.len(), position.count_moves());
        // 1 / (1 + exp(1 - 2)) and 1 / (1 + exp(1 + 4)).
        let probability =
            |mv: &str| seen.groups.iter().find(|group| group.name == mv).map(|group| group.value);
        assert_eq!((seen.groups[0].name.as_str(), seen.groups[0].value), ("e4", 73));
        assert_eq!((probability("a3"), probability("Nf3")), (Some(1), Some(27)));
        let [from, to] = &seen.layers[..] else { panic!("two boards") };
        assert_eq!((from.values[48], from.scale), (-4.0, 4.0), "a2 is the first of the second row");
        assert_eq!((to.values[36], to.scale), (2.0, 4.0));
        assert_eq!(from.values.iter().chain(&to.values).filter(|&&value| value != 0.0).count(), 2);
    }

    #[test]
    fn contributions_are_on_their_own_scale() {
        let plane = |name: &str, value: f32| {
            let mut values = [0.0; 64];
            values[3] = value;
            BoardLayer { name: name.to_owned(), values }
        };
        let seen = of_network(NetworkSight {
            value: 0.625,
            score: Score(204),
            planes: vec![plane("white kings", 1.0)],
            contributions: plane("contribution", -0.25),
        });
        let scales: Vec<f32> = seen.layers.iter().map(|layer| layer.scale).collect();
        assert_eq!(scales, [0.25, 1.0]);
        assert_eq!((seen.groups[0].value, seen.score), (1, Some(204)));
        assert!(seen.score_words.starts_with("0.625 for White"), "{}", seen.score_words);
    }
}
