//! Self-organising map of MP-Draughts: its 25 clusters with sample boards.

use super::super::{
    App,
    error::ApiError,
    search_queue::{SearchOrder, Urgency},
    view::BoardDiagram,
};
use axum::{Json, extract::State};
use ludus_core::{
    History, Limits, Notation, Options, Player, PlayerError, Position, Random, SearchControl,
    endgame_index::EndgameIndex,
};
use ludus_games::draughts::Draughts;
use ludus_knowledge::draughts::{DraughtsKnowledge, features::FEATURES};
use ludus_players::{
    Resources, build_player,
    draughts::mp_draughts::{ENDGAME_PIECES, Specialists, inputs},
};
use serde::Serialize;
use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};
use utoipa::ToSchema;

/// Number of games from which boards are taken.
const SAMPLE_GAMES: u64 = 600;
const RANDOM_PLIES: usize = 6;
/// Length at which a game is abandoned.
const MAX_PLIES: usize = 160;
/// Player of the games: as in training, but faster.
const PLAYER: &str = "iiga:depth=2,table=64KB";
/// Number of boards per cluster.
const BOARDS_PER_CLUSTER: usize = 4;
/// Number of distinctive features per cluster.
const FEATURES_PER_CLUSTER: usize = 4;
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// The self-organising map.
#[derive(Clone, Serialize, ToSchema)]
pub struct ClusterMap {
    units: usize,
    clusters: Vec<Cluster>,
}

/// A unit of the map with the boards nearest to it.
#[derive(Clone, Serialize, ToSchema)]
pub struct Cluster {
    index: usize,
    /// Number of sample boards in this cluster.
    size: usize,
    /// Sample boards, nearest to the unit first.
    boards: Vec<BoardDiagram>,
    /// Features that differ most from the average of the map.
    marks: Vec<DistinctiveFeature>,
}

/// A feature of a cluster.
#[derive(Clone, Serialize, ToSchema)]
pub struct DistinctiveFeature {
    feature: &'static str,
    /// Value at the unit.
    value: f32,
    /// Average value over all units.
    average: f32,
}

/// Returns the clusters of MP-Draughts' map with sample boards
#[utoipa::path(get, path = "/api/clusters", tag = "train",
    responses((status = 200, description = "The map", body = ClusterMap)))]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<ClusterMap>, ApiError> {
    static MAP: OnceLock<ClusterMap> = OnceLock::new();
    if let Some(map) = MAP.get() {
        return Ok(Json(map.clone()));
    }
    let order = SearchOrder::new(Urgency::Waited, "clusters");
    let map = app.analysis_searches.submit(order, TIME_LIMIT, build_map)?.await??;
    Ok(Json(MAP.get_or_init(|| map).clone()))
}

/// Plays a fixed set of games and assigns their boards to the units of the map.
fn build_map(stop: &AtomicBool) -> Result<ClusterMap, ApiError> {
    let specialists = Specialists::built_in()?;
    let boards = boards(stop)?;
    let counts: Vec<Vec<f32>> = boards.iter().map(inputs).collect();
    let mut members = vec![Vec::new(); specialists.map.units.len()];
    for (board, counts) in counts.iter().enumerate() {
        members[specialists.map.winner(counts)].push(board);
    }
    let averages = averages(&specialists.map.units);
    let cluster = |(index, unit): (usize, &Vec<f32>)| {
        let mut typical = members[index].clone();
        let distance = |&board: &usize| squared_distance(unit, &counts[board]);
        typical.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
        Cluster {
            index: index + 1,
            size: members[index].len(),
            boards: typical
                .iter()
                .take(BOARDS_PER_CLUSTER)
                .map(|&board| boards[board].view().into())
                .collect(),
            marks: marks(unit, &averages),
        }
    };
    let units = &specialists.map.units;
    Ok(ClusterMap { units: units.len(), clusters: units.iter().enumerate().map(cluster).collect() })
}

fn squared_distance(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum()
}

fn averages(units: &[Vec<f32>]) -> Vec<f32> {
    let mean = |feature: usize| {
        units.iter().map(|unit| unit[feature]).sum::<f32>() / units.len().max(1) as f32
    };
    (0..FEATURES.len()).map(mean).collect()
}

fn marks(unit: &[f32], averages: &[f32]) -> Vec<DistinctiveFeature> {
    let mut order: Vec<usize> = (0..FEATURES.len()).collect();
    let difference = |&feature: &usize| (unit[feature] - averages[feature]).abs();
    order.sort_by(|one, other| difference(other).total_cmp(&difference(one)));
    let mark = |&feature: &usize| DistinctiveFeature {
        feature: FEATURES[feature].name,
        value: unit[feature],
        average: averages[feature],
    };
    order.iter().take(FEATURES_PER_CLUSTER).map(mark).collect()
}

/// Distinct first boards with twelve pieces, one per game.
fn boards(stop: &AtomicBool) -> Result<Vec<Draughts>, ApiError> {
    let start = Draughts::start(&Options::parse("draughts", Draughts::OPTIONS)?)?;
    let mut player = build_player::<Draughts>(PLAYER, &Resources::default())?;
    let mut boards: Vec<Draughts> = Vec::new();
    for number in 0..SAMPLE_GAMES {
        if stop.load(Relaxed) {
            return Err(ApiError::unavailable("timeout while collecting boards: try again"));
        }
        let mut random = Random::new(1).split(&format!("board {number}"));
        player.new_game(random.bits());
        let board = play_to_endgame(&start, &mut *player, &mut random, stop)?;
        boards.extend(board.filter(|board| !boards.contains(board)));
    }
    Ok(boards)
}

/// Plays a game with a random opening; returns its first board with twelve pieces.
fn play_to_endgame(
    start: &Draughts,
    player: &mut dyn Player<Draughts>,
    random: &mut Random,
    stop: &AtomicBool,
) -> Result<Option<Draughts>, PlayerError> {
    let mut game = History::new(*start);
    let mut moves = Vec::new();
    while game.moves().len() < MAX_PLIES && Draughts::ending(&game).is_none() {
        if DraughtsKnowledge::pieces(game.last()) <= ENDGAME_PIECES {
            return Ok(Some(*game.last()));
        }
        let mv = if game.moves().len() < RANDOM_PLIES {
            moves.clear();
            game.last().legal_moves(&mut moves);
            random.pick(&moves)
        } else {
            let mut control = SearchControl { stop, on_report: &mut |_| {} };
            match player.choose(&game, &Limits::default(), &mut control)?.action {
                ludus_core::Action::Play(mv) => Some(mv),
                ludus_core::Action::Resign => None,
            }
        };
        let Some(mv) = mv else { return Ok(None) };
        game.push(mv);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cluster_is_there_and_most_have_boards() {
        let map = build_map(&AtomicBool::new(false)).unwrap();
        assert_eq!((map.units, map.clusters.len()), (25, 25));
        let filled = map.clusters.iter().filter(|cluster| !cluster.boards.is_empty()).count();
        assert!(filled >= 20, "{filled} of 25 clusters have boards");
        assert!(map.clusters.iter().all(|cluster| cluster.marks.len() == FEATURES_PER_CLUSTER));
    }
}
