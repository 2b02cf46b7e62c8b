//! Features of a position: the terms of the handcrafted evaluation, or the inputs of a learned network.

use super::{
    super::{
        App,
        error::{ApiError, JsonBody},
        search_queue::{SearchOrder, Urgency},
        search_root::SearchRoot,
        view::score_words,
    },
    chess_study,
};
use axum::{Json, extract::State};
use ludus_core::{
    Evaluator, Notation, Position, endgame_index::EndgameIndex, eval::PartWeight,
    options::split_name,
};
use ludus_games::{
    chess::Chess,
    draughts::{Draughts, Rules},
};
use ludus_knowledge::draughts::{
    DraughtsKnowledge,
    features::{FEATURES, PlayerView, counts},
};
use ludus_players::{
    chess::{study_cnn, study_logreg},
    draughts::{
        mp_draughts::{self, ENDGAME_PIECES, Specialists, inputs},
        neural::{FAMILIES, LearnedEval, LearnedModel},
    },
};
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};
use utoipa::ToSchema;

const TIME_LIMIT: Duration = Duration::from_secs(10);

/// A position and a player whose features are requested.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FeaturesRequest {
    /// Game with its options.
    game: String,
    /// Starting position; the standard one if absent.
    position: Option<String>,
    /// Moves from the starting position.
    #[serde(default)]
    moves: Vec<String>,
    /// Player; all but the learned ones of draughts and of the chess study use the handcrafted evaluation.
    player: String,
}

/// Features of a position with its evaluation.
#[derive(Serialize, ToSchema)]
pub struct FeaturesView {
    pub groups: Vec<FeatureValue>,
    /// Evaluation in hundredths, for the side to move; null if the player evaluates moves only.
    pub score: Option<i32>,
    pub score_words: String,
    /// Evaluator: `hand`, `network`, or a specialist by its number.
    pub judge: String,
    /// Numbers on the squares of the board: weights, contributions or input planes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub layers: Vec<LayerView>,
}

/// Numbers on the cells of a board.
#[derive(Serialize, ToSchema)]
pub struct LayerView {
    pub name: String,
    pub kind: LayerKind,
    /// Numbers by cell.
    pub values: Vec<f32>,
    /// Number drawn at full strength: the largest there is.
    pub scale: f32,
}

/// Meaning of the numbers of a [`LayerView`].
#[derive(Copy, Clone, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayerKind {
    /// Weights of a model, the same in every position.
    Weight,
    /// Shares of the squares in a value, for the first side.
    Contribution,
    /// An input of a network: 1 where it is set.
    Plane,
}

/// A term of an evaluation, or an input of a network.
#[derive(Serialize, ToSchema)]
pub struct FeatureValue {
    pub name: String,
    pub value: i32,
    /// Weight or encoding, in words.
    pub detail: String,
}

/// Evaluates a position feature by feature
#[utoipa::path(post, path = "/api/features", tag = "train", request_body = FeaturesRequest,
    responses((status = 200, description = "The features with their values", body = FeaturesView),
              (status = 400, description = "The input is wrong", body = super::super::error::ErrorBody)))]
pub async fn list(
    State(app): State<Arc<App>>,
    JsonBody(request): JsonBody<FeaturesRequest>,
) -> Result<Json<FeaturesView>, ApiError> {
    let root = SearchRoot::new(&request.game, request.position.as_deref(), &request.moves)?;
    root.check_player(&request.player)?;
    let order = SearchOrder::new(Urgency::Waited, "features");
    let evaluate = move |_: &_| features(&root, &request.player);
    let features = app.analysis_searches.submit(order, TIME_LIMIT, evaluate)?;
    Ok(Json(features.await??))
}

fn features(root: &SearchRoot, player: &str) -> Result<FeaturesView, ApiError> {
    let (name, _) = split_name(player);
    let position = root.board().position();
    if root.game().id() == Chess::ID && [study_logreg::ID, study_cnn::ID].contains(&name) {
        return chess_study::features(&Chess::parse(root.board().options(), &position)?, player);
    }
    let family = FAMILIES.iter().find(|family| family.id == name);
    let learned = root.game().id() == Draughts::ID && (family.is_some() || name == mp_draughts::ID);
    if !learned {
        return of_handcrafted_eval(root, &position);
    }
    let position = Draughts::parse(root.board().options(), &position)?;
    if position.rules() != Rules::English {
        return Err(ApiError::bad("its network supports English draughts only: expected draughts"));
    }
    let (network, evaluator) = match family {
        Some(family) => (LearnedModel::parse(family.model)?, "network".to_owned()),
        None => specialist(&position)?,
    };
    Ok(of_network(&position, &network, evaluator))
}

/// Network that MP-Draughts uses for a position.
fn specialist(position: &Draughts) -> Result<(LearnedModel, String), ApiError> {
    if DraughtsKnowledge::pieces(position) > ENDGAME_PIECES {
        let iiga = FAMILIES.iter().find(|family| family.id == "iiga");
        let network = iiga.map(|family| LearnedModel::parse(family.model)).transpose()?;
        let network =
            network.ok_or_else(|| ApiError::unavailable("the network of iiga is missing"))?;
        return Ok((network, "network of iiga".to_owned()));
    }
    let mut specialists = Specialists::built_in()?;
    let index = specialists.map.winner(&inputs(position));
    Ok((specialists.models.swap_remove(index), format!("specialist {}", index + 1)))
}

fn of_network(position: &Draughts, network: &LearnedModel, evaluator: String) -> FeaturesView {
    let view = PlayerView::of(position, position.colour());
    let values = counts(&view);
    let group = |&root: &usize| {
        let feature = &FEATURES[root];
        let max = (1 << feature.bits) - 1;
        let seen = values[root].clamp(0, max);
        FeatureValue {
            name: feature.name.to_owned(),
            value: values[root],
            detail: format!(
                "{:0width$b}, seen as {seen} of up to {max}",
                seen,
                width = feature.bits as usize
            ),
        }
    };
    let score = LearnedEval::new(network, position.turn()).evaluate(position).0;
    FeaturesView {
        groups: network.features.iter().map(group).collect(),
        score: Some(score),
        score_words: score_words(Some(score)),
        judge: evaluator,
        layers: Vec::new(),
    }
}

fn of_handcrafted_eval(root: &SearchRoot, position: &str) -> Result<FeaturesView, ApiError> {
    let explanation = root.game().explain(root.board().options(), Some(position))?;
    let group = |part: ludus_core::eval::EvalPart| FeatureValue {
        name: part.name.to_owned(),
        value: part.value,
        detail: match part.weight {
            PartWeight::Times(1) if part.level == 0 => "the whole, for the first side".to_owned(),
            weight => format!("counts {weight} its value, level {}", part.level),
        },
    };
    let parts = explanation.parts.into_iter();
    // Patterns that do not occur are left out: there are thousands.
    let shown = parts.filter(|part| part.level == 0 || part.value != 0);
    Ok(FeaturesView {
        groups: shown.map(group).collect(),
        score: Some(explanation.score.0),
        score_words: score_words(Some(explanation.score.0)),
        judge: "hand".to_owned(),
        layers: Vec::new(),
    })
}
