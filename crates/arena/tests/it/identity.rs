//! Identity of players: by name, options and build, not by the spec given.

use ludus_arena::{
    adjudicate::Adjudication,
    build::BUILD,
    contest::{ContestResult, ContestSpec, StartMode, run},
    openings::Openings,
    parallel::ContestError,
    schedule::TournamentFormat,
    store::{Store, StoredRating},
};
use ludus_core::Limits;
use ludus_players::{Resources, find_game};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

fn setup(game: &str, players: [&str; 2], games: u64) -> ContestSpec {
    let (game, options) = find_game(game).unwrap();
    ContestSpec {
        resources: Resources::default(),
        kind: "match",
        name: "test".to_owned(),
        openings: Openings::start_position(),
        players: players.map(str::to_owned).to_vec(),
        form: TournamentFormat::RoundRobin,
        games,
        limits: Limits::default(),
        adjudication: Adjudication::default(),
        sprt: None,
        seed: 7,
        concurrency: 1,
        game,
        options,
    }
}

fn store(folder: &Path) -> Store {
    Store::open(&folder.join("ludus.sqlite")).unwrap()
}

fn play(
    setup: &ContestSpec,
    store: &Store,
    start: StartMode,
) -> Result<ContestResult, ContestError> {
    run(setup, store, start, &AtomicBool::new(false), &mut |_| {})
}

/// A chess engine called `name` that resigns at once.
#[cfg(unix)]
fn write_engine(path: &Path, name: &str) {
    use std::os::unix::fs::PermissionsExt;
    let script = format!(
        "#!/bin/sh\nwhile read -r line; do case \"$line\" in\n\
         uci) echo 'id name {name}'; echo uciok;;\nisready) echo readyok;;\n\
         go*) echo 'bestmove resign';;\nquit) exit;;\nesac; done\n"
    );
    fs::write(path, script).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn ratings_of<'a>(ratings: &'a [StoredRating], spec: &str) -> Vec<&'a StoredRating> {
    ratings.iter().filter(|rating| rating.player.spec == spec).collect()
}

#[cfg(unix)]
#[test]
fn two_programs_under_one_path_are_two_players() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let engine = folder.path().join("engine");
    let spec = format!("uci:path={}", engine.display());
    let setup = setup("chess", [&spec, "random"], 2);
    for name in ["Strong 1", "Strong 1", "Weak 2"] {
        write_engine(&engine, name);
        play(&setup, &store, StartMode::New).unwrap();
    }
    let ratings = store.ratings(Some("chess")).unwrap();
    let builds: Vec<&str> =
        ratings_of(&ratings, &spec).iter().map(|rating| rating.player.build.as_str()).collect();
    assert_eq!(builds.len(), 2, "{builds:?}");
    for name in ["Strong 1 ", "Weak 2 "] {
        assert!(builds.iter().any(|build| build.starts_with(name)), "{builds:?}");
    }
    let random = ratings_of(&ratings, "random");
    assert_eq!(random.len(), 1);
    assert_eq!(random[0].player.build, BUILD);
}

#[cfg(unix)]
#[test]
fn another_program_does_not_go_on_with_a_contest() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    let engine = folder.path().join("engine");
    write_engine(&engine, "Strong 1");
    let spec = format!("uci:path={}", engine.display());
    let setup = setup("chess", [&spec, "random"], 400);
    let stop = AtomicBool::new(false);
    let part = run(&setup, &store, StartMode::New, &stop, &mut |progress| {
        stop.store(progress.done >= 2, Ordering::Relaxed);
    });
    let part = part.unwrap();
    assert!(!part.complete);

    write_engine(&engine, "Weak 2");
    let error = play(&setup, &store, StartMode::Resume).map(|held| held.id).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error, ContestError::OtherBuild { .. }), "{text}");
    for part in ["Strong 1 ", "Weak 2 ", &spec, "start a new contest"] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(store.contests(9).unwrap().len(), 1);
    // A new run is allowed.
    assert!(play(&setup, &store, StartMode::New).unwrap().complete);

    write_engine(&engine, "Strong 1");
    let whole = play(&setup, &store, StartMode::Resume).unwrap();
    assert!(whole.complete);
    assert_eq!(whole.id, part.id, "the run of the same program, not the latest");
    // A finished contest can be loaded by any build.
    write_engine(&engine, "Third 3");
    assert!(play(&setup, &store, StartMode::Resume).unwrap().complete);
}

#[test]
fn a_player_has_one_rating_however_it_is_spelt() {
    let folder = tempfile::tempdir().unwrap();
    let store = store(folder.path());
    for spec in ["engine:table=1MB,nodes=50", "engine:nodes=50,table=1MB"] {
        play(&setup("connect4", [spec, "random"], 2), &store, StartMode::New).unwrap();
    }
    let ratings = store.ratings(Some("connect4")).unwrap();
    assert_eq!(ratings.len(), 2, "{ratings:?}");
    assert!(ratings.iter().all(|rating| rating.player.build == BUILD));
    // The same games under another spec count once.
    assert!(ratings.iter().all(|rating| rating.games == 2), "{ratings:?}");
}

#[test]
fn who_plays_is_stored_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("weights.txt");
    let built_in = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/learners/neurodraughts.txt");
    fs::copy(built_in, &weights).unwrap();
    let store = store(folder.path());
    let learned = format!("neurodraughts:weights={},depth=1", weights.display());
    let setup = setup("draughts", [&learned, "minimax:depth=1"], 1);
    let held = play(&setup, &store, StartMode::New).unwrap();
    let players = store.contest_players(held.id).unwrap();
    assert_eq!(players, {
        let mut players = setup.identities().unwrap();
        players.sort_by(|one, other| one.spec.cmp(&other.spec));
        players
    });
    let [minimax, learner] = &players[..] else { panic!("{players:?}") };
    assert_eq!((minimax.identity.spec.as_str(), minimax.identity.build.as_str()), {
        ("minimax:depth=1", BUILD)
    });
    assert!(learner.identity.build.starts_with(&format!("{BUILD}+")), "{learner:?}");
    assert_eq!(learner.spec, learned);
}
