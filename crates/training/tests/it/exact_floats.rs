//! Floating-point numbers in JSON are read as they were written, to the last bit.

use crate::common::job::job;
use ludus_core::Random;
use std::{fs, path::Path, sync::atomic::AtomicBool};

#[test]
fn any_number_is_read_as_it_was_written() {
    let mut random = Random::new(1);
    for _ in 0..200_000 {
        let number = f64::from_bits(random.bits());
        if number.is_finite() {
            let text = serde_json::to_string(&number).unwrap();
            let read: f64 = serde_json::from_str(&text).unwrap();
            assert_eq!(read.to_bits(), number.to_bits(), "{text}");
        }
        let number = random.unit();
        let text = serde_json::to_string(&number).unwrap();
        assert_eq!(serde_json::from_str::<f64>(&text).unwrap().to_bits(), number.to_bits());
    }
}

/// Numbers of a document that have a fraction, as they are written. Texts in it do not count.
fn numbers(text: &str) -> Vec<&str> {
    let is_part = |letter: char| letter.is_ascii_digit() || "+-.eE".contains(letter);
    let outside = text.split('"').step_by(2);
    let words = outside.flat_map(|part| part.split(move |letter| !is_part(letter)));
    words.filter(|word| word.contains('.')).collect()
}

/// Checks that the numbers in all JSON files below a folder are written again as they are, after
/// they were read; returns their number.
fn check(folder: &Path) -> usize {
    let mut found = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found += check(&path);
        } else if path.extension().is_some_and(|extension| extension == "json") {
            let text = fs::read_to_string(&path).unwrap();
            assert!(!text.contains("\\\""), "no quotes within texts");
            for number in numbers(&text) {
                let read: f64 = serde_json::from_str(number).unwrap();
                assert_eq!(serde_json::to_string(&read).unwrap(), number, "{}", path.display());
                found += 1;
            }
        }
    }
    found
}

/// The kinds whose checkpoints have such numbers; the others store their bits.
#[test]
fn checkpoints_are_read_as_they_were_written() {
    let learner = "sessions = 6\ngames = 4\nlook_ahead = 1\nlongest = 40\n";
    let draughts = "game = \"draughts\"\nplayer =";
    let recipes = [
        format!("kind = \"td\"\n{draughts} \"iiga:table=16KB\"\n[td]\n{learner}"),
        format!(
            "kind = \"mp\"\n{draughts} \"mp-draughts:table=16KB\"\n[mp.boards]\n\
             pairings = [[\"neurodraughts:pruning=on\", \"iiga:table=16KB\"], [\"random\", \"iiga:table=16KB\"]]\ngames = 20\ndepth = 1\n\
             [mp.map]\nunits = 3\n[mp.school]\nboards = 2\naccept = 0.4\n{learner}"
        ),
        format!(
            "kind = \"genetic\"\n{draughts} \"ls-draughts:pruning=on\"\n[td]\n{learner}\
             [genetic]\npopulation = 4\ngenerations = 2\nsessions = 1\nplay_off = 2\n"
        ),
        "kind = \"go-net\"\ngame = \"go:size=5,komi=0.5\"\n\
         player = \"engine:net=off,playouts=5,resign=0\"\n[go_net]\ngames = 4\nblocks = 1\n\
         steps = 20\nbatch = 4\nvalidation = 0.25\n"
            .to_owned(),
    ];
    for recipe in recipes {
        let folder = tempfile::tempdir().unwrap();
        job(&recipe, folder.path(), 1).run(&AtomicBool::new(false), &mut |_| {}).unwrap();
        let found = check(folder.path());
        assert!(found >= 6, "{found} numbers: {recipe}");
    }
}
