//! Endgame specialists of draughts: whole runs, as started by `ludus train`.

use crate::common::job::job;
use ludus_games::draughts::Draughts;
use ludus_players::{Resources, build_player, draughts::mp_draughts::Specialists};
use ludus_training::{Job, Recipe, TrainingError, TrainingStage, kinds::specialists::COLLECTING};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

const RECIPE: &str = r#"
kind = "mp"
game = "draughts"
player = "mp-draughts:table=16KB"
[mp.boards]
pairings = [["neurodraughts:pruning=on", "iiga:table=16KB"], ["random", "iiga:table=16KB"]]
games = 20
depth = 1
[mp.map]
units = 3
[mp.school]
boards = 4
sessions = 2
games = 16
look_ahead = 1
longest = 60
accept = 0.4
"#;

fn run(job: &Job) -> Result<String, TrainingError> {
    let stop = AtomicBool::new(false);
    Ok(job.run(&stop, &mut |_| {})?.checksum)
}

fn weights(folder: &Path) -> String {
    fs::read_to_string(folder.join("run/weights.txt")).unwrap()
}

#[test]
fn threads_and_interruptions_do_not_change_what_is_learned() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let whole = run(&job(RECIPE, folders[0].path(), 1)).unwrap();
    assert_eq!(run(&job(RECIPE, folders[1].path(), 3)).unwrap(), whole);
    let (mut pieces, mut stages) = (0, Vec::new());
    let checksum = loop {
        let stop = AtomicBool::new(false);
        let result = job(RECIPE, folders[2].path(), 2).run(&stop, &mut |progress| {
            stages.push(progress.stage);
            stop.store(true, Ordering::Relaxed);
        });
        pieces += 1;
        match result {
            Ok(outcome) => break outcome.checksum,
            Err(TrainingError::Stopped) => assert!(stages.len() >= pieces, "something is kept"),
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!(checksum, whole);
    assert!(
        pieces > 3 && stages.contains(&COLLECTING) && stages.contains(&TrainingStage::LEARNING)
    );
    let [one, other, third] = folders.each_ref().map(|folder| weights(folder.path()));
    assert!(one == other && one == third, "to the letter");
    let specialists = Specialists::parse(&one).unwrap();
    assert_eq!((specialists.models.len(), specialists.models[0].features.len()), (3, 14));
    for name in
        ["report.md", "progress.svg", "tests.svg", "clusters.svg", "boards.txt", "log.jsonl"]
    {
        assert!(folders[2].path().join("run").join(name).is_file(), "{name}");
    }
    let spec = format!("mp-draughts:weights={}/run/weights.txt", folders[0].path().display());
    build_player::<Draughts>(&spec, &Resources::default()).unwrap();
}

/// A killed process leaves complete files: the same as if some of the latest ones are missing.
#[test]
fn a_run_goes_on_from_whatever_was_written() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let whole = run(&job(RECIPE, folders[0].path(), 2)).unwrap();
    let from = folders[0].path().join("run");
    for missing in [
        &["weights.txt", "specialist-02.json"][..],
        &["specialist-01.json", "specialist-02.json", "specialist-03.json"],
        &["boards.json", "specialist-03.json"],
    ] {
        for file in missing {
            fs::remove_file(from.join(file)).unwrap();
        }
        assert_eq!(run(&job(RECIPE, folders[0].path(), 2)).unwrap(), whole, "without {missing:?}");
    }
    fs::write(from.join("specialist-02.json"), "{}").unwrap();
    let error = run(&job(RECIPE, folders[0].path(), 2)).unwrap_err().to_string();
    assert!(error.contains("specialist-02.json"), "{error}");
}

#[test]
fn boards_have_twelve_pieces_and_are_all_different() {
    let folder = tempfile::tempdir().unwrap();
    run(&job(RECIPE, folder.path(), 2)).unwrap();
    let text = fs::read_to_string(folder.path().join("run/boards.txt")).unwrap();
    let mut boards: Vec<&str> = text.lines().map(|line| line.split_once(' ').unwrap().1).collect();
    for board in &boards {
        // B:W18,K22:B1,2
        let pieces =
            board.split([':', ',']).filter(|part| part.len() > 1 || part.parse::<u8>().is_ok());
        assert_eq!(pieces.count(), 12, "{board}");
    }
    boards.sort_unstable();
    boards.dedup();
    assert_eq!(boards.len(), 40);
}

#[test]
fn what_cannot_be_done_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to, what) in [
        ("mp-draughts:table=16KB", "iiga", "mp-draughts"),
        ("\"draughts\"", "\"draughts:rules=russian\"", "rules=english"),
        ("\"random\"", "\"nobody\"", "nobody"),
        ("\"random\"", "\"iiga:time=1s\"", "time limit"),
        ("look_ahead = 1", "look_ahead = 0", "mp.school.look_ahead"),
        ("units = 3", "units = 0", "mp.map.units"),
        ("units = 3", "units = 60", "no boards in clusters"),
        ("games = 20", "games = 20\nlongest = 8", "20 different boards"),
        ("[mp.boards]", "start = \"nowhere.txt\"\n[mp.boards]", "nowhere.txt"),
    ] {
        let text = RECIPE.replacen(from, to, 1);
        let folder = folder.path().join(what.replace([' ', '='], "-"));
        let error = match Recipe::parse(&text) {
            Err(error) => error.to_string(),
            Ok(_) => run(&job(&text, &folder, 2)).unwrap_err().to_string(),
        };
        assert!(error.contains(what), "{error}");
    }
    let other = RECIPE.replace("\"draughts\"", "\"reversi\"");
    let error = job(&other, folder.path(), 1).check().unwrap_err().to_string();
    assert!(error.contains("mp"), "{error}");
}
