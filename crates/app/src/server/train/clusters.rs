//! The self-organising map of MP-Draughts: its 25 clusters, with boards that belong to them.

use super::super::{App, error::ApiError, view::View};
use axum::{Json, extract::State};
use ludus_core::{
    Ending, History, Limits, Notation, Options, Player, PlayerError, Position, Random, Watch,
    endgame_index::EndgameIndex,
};
use ludus_games::draughts::{Draughts, features::FEATURES};
use ludus_players::{
    Resources, build_player,
    mp_draughts::{ENDING, Specialists, inputs},
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

/// Games that boards are taken from.
const GAMES: u64 = 600;
const RANDOM_PLIES: usize = 6;
/// Plies after which a game is given up.
const LONGEST: usize = 160;
/// Who plays them: as the boards of the training were made, but faster.
const PLAYER: &str = "iiga:depth=2,table=64KB";
/// Boards shown of each cluster.
const SHOWN: usize = 4;
/// Features named of each cluster.
const NAMED: usize = 4;
const LIMIT: Duration = Duration::from_secs(60);

/// The map.
#[derive(Clone, Serialize, ToSchema)]
pub struct Map {
    units: usize,
    clusters: Vec<Cluster>,
}

/// A unit of the map, and the boards that are nearest to it.
#[derive(Clone, Serialize, ToSchema)]
pub struct Cluster {
    index: usize,
    /// Boards of the sample that belong here.
    size: usize,
    /// Boards that belong here, the most typical first.
    boards: Vec<View>,
    /// The features by which the cluster differs most from the average of the map.
    marks: Vec<Mark>,
}

/// A feature of a cluster.
#[derive(Clone, Serialize, ToSchema)]
pub struct Mark {
    feature: &'static str,
    /// What the unit expects.
    value: f32,
    /// What the units expect on average.
    average: f32,
}

/// The clusters of MP-Draughts' map, with boards of games of our own
#[utoipa::path(get, path = "/api/clusters", tag = "train",
    responses((status = 200, description = "The map", body = Map)))]
pub async fn list(State(app): State<Arc<App>>) -> Result<Json<Map>, ApiError> {
    static MAP: OnceLock<Map> = OnceLock::new();
    if let Some(map) = MAP.get() {
        return Ok(Json(map.clone()));
    }
    let map = app.studies.submit(LIMIT, make)?.await??;
    Ok(Json(MAP.get_or_init(|| map).clone()))
}

/// Plays some games, always the same, and divides their boards by the map.
fn make(stop: &AtomicBool) -> Result<Map, ApiError> {
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
            boards: typical.iter().take(SHOWN).map(|&board| boards[board].view().into()).collect(),
            marks: marks(unit, &averages),
        }
    };
    let units = &specialists.map.units;
    Ok(Map { units: units.len(), clusters: units.iter().enumerate().map(cluster).collect() })
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

fn marks(unit: &[f32], averages: &[f32]) -> Vec<Mark> {
    let mut order: Vec<usize> = (0..FEATURES.len()).collect();
    let difference = |&feature: &usize| (unit[feature] - averages[feature]).abs();
    order.sort_by(|one, other| difference(other).total_cmp(&difference(one)));
    let mark = |&feature: &usize| Mark {
        feature: FEATURES[feature].name,
        value: unit[feature],
        average: averages[feature],
    };
    order.iter().take(NAMED).map(mark).collect()
}

/// The first board with twelve pieces of each game, no board twice.
fn boards(stop: &AtomicBool) -> Result<Vec<Draughts>, ApiError> {
    let start = Draughts::start(&Options::parse("draughts", Draughts::OPTIONS)?)?;
    let mut player = build_player::<Draughts>(PLAYER, &Resources::default())?;
    let mut boards: Vec<Draughts> = Vec::new();
    for number in 0..GAMES {
        if stop.load(Relaxed) {
            return Err(ApiError::unavailable("the boards took too long: try again"));
        }
        let mut random = Random::new(1).split(&format!("board {number}"));
        player.new_game(random.bits());
        let board = ending(&start, &mut *player, &mut random, stop)?;
        boards.extend(board.filter(|board| !boards.contains(board)));
    }
    Ok(boards)
}

/// The first board with twelve pieces of a game that begins with random moves.
fn ending(
    start: &Draughts,
    player: &mut dyn Player<Draughts>,
    random: &mut Random,
    stop: &AtomicBool,
) -> Result<Option<Draughts>, PlayerError> {
    let mut game = History::new(*start);
    let mut moves = Vec::new();
    while game.moves().len() < LONGEST && Draughts::ending(&game).is_none() {
        if EndgameIndex::pieces(game.last()) <= ENDING {
            return Ok(Some(*game.last()));
        }
        let mv = if game.moves().len() < RANDOM_PLIES {
            moves.clear();
            game.last().legal_moves(&mut moves);
            random.pick(&moves)
        } else {
            let mut watch = Watch { stop, on_report: &mut |_| {} };
            match player.choose(&game, &Limits::default(), &mut watch)?.action {
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
        let map = make(&AtomicBool::new(false)).unwrap();
        assert_eq!((map.units, map.clusters.len()), (25, 25));
        let filled = map.clusters.iter().filter(|cluster| !cluster.boards.is_empty()).count();
        assert!(filled >= 20, "{filled} of 25 clusters have boards");
        assert!(map.clusters.iter().all(|cluster| cluster.marks.len() == NAMED));
    }
}
