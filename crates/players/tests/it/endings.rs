//! The gain of endgame tables for a player that has not learned endgames.

use ludus_core::{
    History, Limits, Outcome, Player, Position, Random, Score, SearchControl, Side,
    endgame_index::{EndgameIndex, EndgameSlot},
};
use ludus_games::draughts::Draughts;
use ludus_knowledge::draughts::DraughtsKnowledge;
use ludus_players::{Resources, build_player};
use ludus_search::tables::{
    EndgameDatabase, EndgameValue,
    endgame::{build, unstoppable},
};
use std::{path::Path, sync::atomic::AtomicBool};

const PIECES: usize = 3;
const ENDINGS: usize = 40;

fn player(spec: &str) -> Box<dyn Player<Draughts>> {
    build_player::<Draughts>(spec, &Resources::default()).unwrap()
}

fn with_tables(folder: &Path) -> String {
    format!("visiondraughts:table=64KB,database={}", folder.display())
}

const WITHOUT: &str = "visiondraughts:table=64KB,database=off";

/// Random positions of unfinished games with this number of pieces that are as `wanted`.
fn positions(pieces: usize, wanted: impl Fn(&Draughts) -> bool) -> Vec<Draughts> {
    let slices: Vec<usize> = DraughtsKnowledge::groups(pieces).into_iter().flatten().collect();
    let mut random = Random::new(1);
    let mut found = Vec::new();
    while found.len() < ENDINGS {
        let slice = random.pick(&slices).unwrap();
        let index = random.below(DraughtsKnowledge::slice_size(slice) as usize) as u64;
        let position = DraughtsKnowledge::position_at(EndgameSlot { slice, index });
        found.extend(position.filter(|it| it.outcome().is_none() && wanted(it)));
    }
    found
}

/// Endings that the side to move wins.
fn won_endings(folder: &Path) -> Vec<Draughts> {
    let database = EndgameDatabase::<DraughtsKnowledge>::open(folder, PIECES).unwrap();
    positions(PIECES, |it| database.probe(it).is_some_and(|known| known.value == EndgameValue::Win))
}

/// Positions with one piece more than the tables, in which every move captures into a draw.
fn captures_into_draws(folder: &Path) -> Vec<Draughts> {
    let database = EndgameDatabase::<DraughtsKnowledge>::open(folder, PIECES).unwrap();
    positions(PIECES + 1, |it| {
        let mut moves = Vec::new();
        it.legal_moves(&mut moves);
        moves.iter().all(|&mv| {
            let known = database.probe(&it.after(mv));
            known.is_some_and(|known| known.value == EndgameValue::Draw)
        })
    })
}

/// The outcome of the game of `first`, to move, against the best defence.
fn play(start: Draughts, first: &mut dyn Player<Draughts>, folder: &Path) -> Outcome {
    let spec = format!("engine:table=64KB,depth=2,database={}", folder.display());
    let mut defence = player(&spec);
    first.new_game(1);
    let stop = AtomicBool::new(false);
    let own = start.turn();
    let mut game = History::new(start);
    loop {
        if let Some((outcome, _)) = Draughts::ending(&game) {
            return outcome;
        }
        let to_move = if game.last().turn() == own { &mut *first } else { &mut *defence };
        let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
        let choice = to_move.choose(&game, &Limits::default(), &mut control).unwrap();
        game.push(choice.report.line[0]);
    }
}

fn wins(spec: &str, folder: &Path) -> usize {
    let mut first = player(spec);
    let endings = won_endings(folder);
    let won = |side: Side, outcome| outcome == Outcome::Win(side);
    endings.iter().filter(|start| won(start.turn(), play(**start, &mut *first, folder))).count()
}

#[test]
fn visiondraughts_wins_won_endings_with_its_tables_only() {
    let folder = tempfile::tempdir().unwrap();
    build::<DraughtsKnowledge>(folder.path(), PIECES, &unstoppable(1), |_| {}).unwrap();
    assert_eq!(wins(&with_tables(folder.path()), folder.path()), ENDINGS);
    let without = wins(WITHOUT, folder.path());
    assert!(without < ENDINGS, "four plies are too few for some wins: {without}");
}

#[test]
fn visiondraughts_sees_a_draw_with_its_tables_only() {
    let folder = tempfile::tempdir().unwrap();
    build::<DraughtsKnowledge>(folder.path(), PIECES, &unstoppable(1), |_| {}).unwrap();
    let called_even = |spec: &str| {
        let mut player = player(spec);
        let stop = AtomicBool::new(false);
        let even = |start: &&Draughts| {
            player.new_game(1);
            let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
            let game = History::new(**start);
            let choice = player.choose(&game, &Limits::default(), &mut control).unwrap();
            choice.report.score == Some(Score::DRAW)
        };
        captures_into_draws(folder.path()).iter().filter(even).count()
    };
    assert_eq!(called_even(&with_tables(folder.path())), ENDINGS);
    assert!(called_even(WITHOUT) < ENDINGS / 2);
    let by_default = called_even("visiondraughts:table=64KB");
    assert_eq!(by_default, called_even(WITHOUT), "nothing is built without a data directory");
}
