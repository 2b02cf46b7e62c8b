//! An NNUE network trained on a few games of chess: whole runs, as started by `ludus train`.

use crate::common::job::job;
use ludus_core::{Evaluator, Notation, Options, Position};
use ludus_games::chess::Chess;
use ludus_knowledge::chess::ChessKnowledge;

use ludus_models::nnue::{Net, NnueEvaluator, Shape};
use ludus_training::{Recipe, TrainingError};
use std::{
    cell::Cell,
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

const RECIPE: &str = r#"
kind = "net"
game = "chess"
player = "engine:eval=hand,nodes=60,table=1MB"
[self_play]
games = 12
rules = { longest = 60 }
[net]
k = 0.5
epochs = 3
batch = 64
validation = 0.25
"#;

fn run(text: &str, folder: &Path, threads: usize) -> String {
    let stop = AtomicBool::new(false);
    job(text, folder, threads).run(&stop, &mut |_| {}).unwrap().checksum
}

#[test]
fn neither_threads_nor_interruptions_change_the_network() {
    let folders = [(); 3].map(|()| tempfile::tempdir().unwrap());
    let whole = run(RECIPE, folders[0].path(), 1);
    assert_eq!(run(RECIPE, folders[1].path(), 3), whole);
    let mut pieces = 0;
    let checksum = loop {
        let (stop, seen) = (AtomicBool::new(false), Cell::new(0));
        let result = job(RECIPE, folders[2].path(), 2).run(&stop, &mut |_| {
            seen.set(seen.get() + 1);
            stop.store(seen.get() >= 2, Ordering::Relaxed);
        });
        pieces += 1;
        match result {
            Ok(outcome) => break outcome.checksum,
            Err(TrainingError::Stopped) => {}
            Err(error) => panic!("{error}"),
        }
    };
    assert!(pieces > 3, "{pieces} pieces");
    assert_eq!(checksum, whole);

    let bytes = fs::read(folders[0].path().join("run/weights.net")).unwrap();
    let net =
        Arc::new(Net::from_bytes(&bytes, "weights.net", Shape::of::<ChessKnowledge>()).unwrap());
    let start = Chess::start(&Options::parse("chess", Chess::OPTIONS).unwrap()).unwrap();
    let score = NnueEvaluator::<ChessKnowledge>::new(net).evaluate(&start);
    assert!(score.0.abs() < 500, "a correction of {score} at the start");
    let report = fs::read_to_string(folders[0].path().join("run/report.md")).unwrap();
    assert!(report.contains("| steepness K | 0.5 |") && report.contains("| 3 |"), "{report}");
    assert!(
        fs::read_to_string(folders[0].path().join("run/progress.svg")).unwrap().contains("svg")
    );
    assert_eq!(start.turn(), ludus_core::Side::First);
}

#[test]
fn a_training_can_start_from_an_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let first = run(RECIPE, folder.path(), 2);
    fs::rename(folder.path().join("run"), folder.path().join("earlier")).unwrap();
    let second = RECIPE
        .replace("[self_play]", "start = \"earlier/checkpoint.bin\"\n[self_play]")
        .replace("epochs = 3", "epochs = 1");
    assert_ne!(run(&second, folder.path(), 2), first);
    fs::write(folder.path().join("earlier/checkpoint.bin"), "torn").unwrap();
    let error = job(&second, folder.path(), 1).check().unwrap_err();
    assert!(error.to_string().contains("a run of the same game"), "{error}");
}

#[test]
fn wrong_recipes_are_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to, part) in [
        ("k = 0.5", "width = 33", "width"),
        ("k = 0.5", "k = 0.0", "net.k"),
        ("epochs = 3", "depth = 3", "depth"),
    ] {
        let error = Recipe::parse(&RECIPE.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    for (from, to, part) in [
        ("engine:eval=hand,nodes=60,table=1MB", "engine:time=1s", "nodes or a depth"),
        ("engine:eval=hand,nodes=60,table=1MB", "minimax:depth=2", "the engine"),
        ("[self_play]", "data = [\"nothing.txt\"]\n[self_play]", "nothing.txt"),
        ("[self_play]", "start = \"nothing.bin\"\n[self_play]", "nothing.bin"),
    ] {
        let text = RECIPE.replace(from, to);
        let error = job(&text, folder.path(), 1).check().unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    let text = RECIPE.replace("\"chess\"", "\"draughts:rules=russian\"");
    let error = job(&text, folder.path(), 1).check().unwrap_err();
    assert!(error.to_string().contains("rules that have a network"), "{error}");
    let text = RECIPE.replace("\"chess\"", "\"reversi\"");
    let error = job(&text, folder.path(), 1).check().unwrap_err();
    assert!(
        error.to_string().contains("texel or climb, the kinds of training that reversi has"),
        "{error}"
    );
}
