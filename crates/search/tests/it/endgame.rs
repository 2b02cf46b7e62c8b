//! Endgame databases: against a plain solver, kept on disk, interrupted and damaged.

use ludus_core::{
    Position, Random,
    endgame_index::{EndgameIndex, EndgameSlot},
};
use ludus_games::draughts::Draughts;
use ludus_knowledge::draughts::DraughtsKnowledge;
use ludus_search::tables::{
    EndgameDatabase, EndgameError, EndgameValue,
    endgame::{build, unstoppable, verify},
    retrograde::Workers,
};
use std::{
    collections::HashMap,
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

const PIECES: usize = 3;

fn every_position(pieces: usize) -> Vec<(EndgameSlot, Draughts)> {
    let mut all = Vec::new();
    for slice in DraughtsKnowledge::groups(pieces).into_iter().flatten() {
        DraughtsKnowledge::for_each_position(
            slice,
            0..DraughtsKnowledge::slice_size(slice),
            |index, position| {
                all.push((EndgameSlot { slice, index }, *position));
            },
        );
    }
    all
}

/// Goes over all positions again and again until none is decided any more.
fn plain_solution() -> HashMap<EndgameSlot, EndgameValue> {
    let mut known = HashMap::new();
    for pieces in 2..=PIECES {
        let mut undecided = every_position(pieces);
        loop {
            let before = undecided.len();
            undecided.retain(|(slot, position)| {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let values: Vec<Option<EndgameValue>> = moves
                    .into_iter()
                    .map(|mv| match DraughtsKnowledge::endgame_slot(&position.after(mv)) {
                        Some(slot) => known.get(&slot).copied(),
                        None => Some(EndgameValue::Loss),
                    })
                    .collect();
                let decided = if values.contains(&Some(EndgameValue::Loss)) {
                    EndgameValue::Win
                } else if values.iter().all(|&value| value == Some(EndgameValue::Win)) {
                    EndgameValue::Loss
                } else {
                    return true;
                };
                known.insert(*slot, decided);
                false
            });
            if undecided.len() == before {
                break;
            }
        }
        known.extend(undecided.into_iter().map(|(slot, _)| (slot, EndgameValue::Draw)));
    }
    known
}

fn built(folder: &Path) -> EndgameDatabase<DraughtsKnowledge> {
    build::<DraughtsKnowledge>(folder, PIECES, &unstoppable(2), |_| {}).unwrap();
    EndgameDatabase::open(folder, PIECES).unwrap()
}

#[test]
fn every_value_is_that_of_a_plain_solver_and_verifies() {
    let folder = tempfile::tempdir().unwrap();
    let database = built(folder.path());
    assert_eq!(database.pieces(), PIECES);
    let plain = plain_solution();
    for pieces in 2..=PIECES {
        for (slot, position) in every_position(pieces) {
            assert_eq!(database.probe(&position).map(|it| it.value), plain.get(&slot).copied());
        }
    }
    let positions: u64 = database
        .slices()
        .map(|slice| slice.census.wins + slice.census.losses + slice.census.draws)
        .sum();
    assert_eq!(positions, plain.len() as u64);
    let wrong = verify::<DraughtsKnowledge>(folder.path(), PIECES, &unstoppable(1), |_| {});
    assert_eq!(wrong.unwrap(), 0);
}

#[test]
fn a_distance_is_what_best_play_takes() {
    let folder = tempfile::tempdir().unwrap();
    let database = built(folder.path());
    let mut random = Random::new(4);
    let all = every_position(PIECES);
    let (mut decided, mut longest) = (0, 0);
    while decided < 500 {
        let (_, mut position) = random.pick(&all).unwrap();
        let Some(distance) = database.probe(&position).unwrap().distance else { continue };
        decided += 1;
        longest = longest.max(distance);
        for left in (0..distance).rev() {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let mut after = moves.into_iter().map(|mv| position.after(mv));
            position = after
                .find(|next| database.probe(next).unwrap().distance == Some(left))
                .unwrap_or_else(|| panic!("no move leads to {left} plies from the end"));
        }
        assert!(position.outcome().is_some());
    }
    assert!(longest > 10, "the positions were too easy: {longest}");
}

#[test]
fn building_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let work = Workers { threads: 2, stop: &stop };
    let mut steps = 0;
    let stopped = build::<DraughtsKnowledge>(folder.path(), PIECES, &work, |_| {
        steps += 1;
        stop.store(steps == 5, Relaxed);
    });
    assert!(matches!(stopped, Err(EndgameError::Stopped)));
    assert_eq!(
        EndgameDatabase::<DraughtsKnowledge>::open(folder.path(), PIECES).unwrap().pieces(),
        2
    );
    let mut found = 0;
    build::<DraughtsKnowledge>(folder.path(), PIECES, &unstoppable(2), |step| {
        found += usize::from(step.found);
    })
    .unwrap();
    assert_eq!(found, 5);
    let (fresh, resumed) = (tempfile::tempdir().unwrap(), folder);
    built(fresh.path());
    for entry in fs::read_dir(fresh.path()).unwrap() {
        let name = entry.unwrap().file_name();
        let [one, other] = [fresh.path(), resumed.path()].map(|path| fs::read(path.join(&name)));
        assert!(one.unwrap() == other.unwrap(), "{name:?} differs");
    }
}

#[test]
fn a_damaged_file_is_found_and_named() {
    let folder = tempfile::tempdir().unwrap();
    built(folder.path());
    let mut random = Random::new(8);
    for name in ["0m1k-1m1k.wld", "1m1k-0m1k.dtw"] {
        let path = folder.path().join(name);
        let whole = fs::read(&path).unwrap();
        for _ in 0..20 {
            let mut damaged = whole.clone();
            damaged[random.below(whole.len())] ^= 1 << random.below(8);
            fs::write(&path, damaged).unwrap();
            let error =
                EndgameDatabase::<DraughtsKnowledge>::open(folder.path(), PIECES).err().unwrap();
            assert!(error.to_string().contains(name), "{error}");
        }
        fs::write(&path, &whole[..random.below(whole.len())]).unwrap();
        let error =
            EndgameDatabase::<DraughtsKnowledge>::open(folder.path(), PIECES).err().unwrap();
        assert!(error.to_string().contains(name), "{error}");
        fs::write(&path, whole).unwrap();
    }
}

#[test]
fn a_table_in_use_survives_files_that_shrink() {
    let folder = tempfile::tempdir().unwrap();
    let database = built(folder.path());
    let positions = every_position(PIECES);
    let values =
        || -> Vec<_> { positions.iter().map(|(_, position)| database.probe(position)).collect() };
    let before = values();
    for entry in fs::read_dir(folder.path()).unwrap() {
        fs::File::options().write(true).open(entry.unwrap().path()).unwrap().set_len(0).unwrap();
    }
    assert!(values() == before);
}
