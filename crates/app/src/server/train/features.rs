//! What a player sees of a position: the parts of the hand evaluation, or the features of a learned
//! network with their values.

use super::super::{
    App,
    error::{ApiError, Input},
    place::{Place, score_words},
};
use axum::{Json, extract::State};
use ludus_core::{
    Evaluator, Notation, Position, endgame_index::EndgameIndex, eval::PartWeight,
    options::split_name,
};
use ludus_games::draughts::{
    Draughts, Rules,
    features::{FEATURES, View, counts},
};
use ludus_players::{
    mp_draughts::{self, ENDING, Specialists, inputs},
    neural::{FAMILIES, Judge, Mind},
};
use serde::{Deserialize, Serialize};
use std::{sync::Arc, time::Duration};
use utoipa::ToSchema;

const LIMIT: Duration = Duration::from_secs(10);

/// Whose sight is wanted, of what.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FeaturesRequest {
    /// The game with its options.
    game: String,
    /// The position; the start of the game if there is none.
    position: Option<String>,
    /// Moves from there.
    #[serde(default)]
    moves: Vec<String>,
    /// The player; all but the learned ones of draughts show the hand evaluation.
    player: String,
}

/// What a player sees.
#[derive(Serialize, ToSchema)]
pub struct Sight {
    groups: Vec<Group>,
    /// In hundredths, for the side to move.
    score: i32,
    score_words: String,
    /// Who judges: `hand`, `network`, or a specialist by its number.
    judge: String,
}

/// A part of an evaluation, or a feature.
#[derive(Serialize, ToSchema)]
pub struct Group {
    name: String,
    value: i32,
    /// How it counts.
    detail: String,
}

/// What a player sees of a position
#[utoipa::path(post, path = "/api/features", tag = "train", request_body = FeaturesRequest,
    responses((status = 200, description = "The parts with their values", body = Sight),
              (status = 400, description = "The input is wrong", body = super::super::error::ErrorBody)))]
pub async fn list(
    State(app): State<Arc<App>>,
    Input(request): Input<FeaturesRequest>,
) -> Result<Json<Sight>, ApiError> {
    let place = Place::new(&request.game, request.position.as_deref(), &request.moves)?;
    place.check_player(&request.player)?;
    let sight = app.studies.submit(LIMIT, move |_| sight(&place, &request.player))?;
    Ok(Json(sight.await??))
}

fn sight(place: &Place, player: &str) -> Result<Sight, ApiError> {
    let (name, _) = split_name(player);
    let position = place.open()?.position();
    let family = FAMILIES.iter().find(|family| family.id == name);
    let learned = place.game.id() == Draughts::ID && (family.is_some() || name == mp_draughts::ID);
    if !learned {
        return by_hand(place, &position);
    }
    let position = Draughts::parse(&place.options, &position)?;
    if position.rules() != Rules::English {
        return Err(ApiError::bad("its network knows English draughts only: expected draughts"));
    }
    let (mind, judge) = match family {
        Some(family) => (Mind::parse(family.mind)?, "network".to_owned()),
        None => specialist(&position)?,
    };
    Ok(by_network(&position, &mind, judge))
}

/// Who judges a position for MP-Draughts.
fn specialist(position: &Draughts) -> Result<(Mind, String), ApiError> {
    if EndgameIndex::pieces(position) > ENDING {
        let iiga = FAMILIES.iter().find(|family| family.id == "iiga");
        let mind = iiga.map(|family| Mind::parse(family.mind)).transpose()?;
        let mind = mind.ok_or_else(|| ApiError::unavailable("iiga is not here"))?;
        return Ok((mind, "network of iiga".to_owned()));
    }
    let mut specialists = Specialists::built_in()?;
    let index = specialists.map.winner(&inputs(position));
    Ok((specialists.minds.swap_remove(index), format!("specialist {}", index + 1)))
}

fn by_network(position: &Draughts, mind: &Mind, judge: String) -> Sight {
    let view = View::of(position, position.colour());
    let values = counts(&view);
    let group = |&place: &usize| {
        let feature = &FEATURES[place];
        let most = (1 << feature.bits) - 1;
        let seen = values[place].clamp(0, most);
        Group {
            name: feature.name.to_owned(),
            value: values[place],
            detail: format!(
                "{:0width$b}, seen as {seen} of up to {most}",
                seen,
                width = feature.bits as usize
            ),
        }
    };
    let score = Judge::new(mind, position.turn()).evaluate(position).0;
    Sight {
        groups: mind.features.iter().map(group).collect(),
        score,
        score_words: score_words(Some(score)),
        judge,
    }
}

fn by_hand(place: &Place, position: &str) -> Result<Sight, ApiError> {
    let explanation = place.game.explain(&place.options, Some(position))?;
    let group = |part: ludus_core::eval::Part| Group {
        name: part.name.to_owned(),
        value: part.value,
        detail: match part.weight {
            PartWeight::Times(1) if part.level == 0 => "the whole, for the first side".to_owned(),
            weight => format!("counts {weight} its value, level {}", part.level),
        },
    };
    let parts = explanation.parts.into_iter();
    // Thousands of patterns that do not occur say nothing.
    let told = parts.filter(|part| part.level == 0 || part.value != 0);
    Ok(Sight {
        groups: told.map(group).collect(),
        score: explanation.score.0,
        score_words: score_words(Some(explanation.score.0)),
        judge: "hand".to_owned(),
    })
}
