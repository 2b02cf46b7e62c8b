//! TD learning of draughts by self-play: whole runs, as started by `ludus train`.

use crate::common::job::job;
use ludus_core::{Limits, Outcome, Side};
use ludus_games::draughts::{Draughts, Rules};
use ludus_players::{
    Resources, build_player,
    draughts::neural::{LearnedModel, family_of},
};
use ludus_training::{
    Recipe, TrainingError,
    kinds::td::{CloneThreshold, SelfPlayTrainer, TdSettings, TdState},
};
use std::{
    cell::Cell,
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

const RECIPE: &str = r#"
kind = "td"
game = "draughts"
player = "iiga:table=16KB"
[td]
sessions = 4
games = 10
look_ahead = 2
"#;

fn run(text: &str, folder: &Path) -> Result<String, TrainingError> {
    let stop = AtomicBool::new(false);
    let outcome = job(text, folder, 1).run(&stop, &mut |_| {})?;
    Ok(outcome.checksum)
}

#[test]
fn interruptions_do_not_change_what_is_learned() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let whole = run(RECIPE, folders[0].path()).unwrap();
    let mut pieces = 0;
    let checksum = loop {
        let (stop, seen) = (AtomicBool::new(false), Cell::new(0));
        let result = job(RECIPE, folders[1].path(), 1).run(&stop, &mut |_| {
            seen.set(seen.get() + 1);
            stop.store(true, Ordering::Relaxed);
        });
        pieces += 1;
        match result {
            Ok(outcome) => break outcome.checksum,
            Err(TrainingError::Stopped) => assert_eq!(seen.get(), 1, "a session is kept"),
            Err(error) => panic!("{error}"),
        }
    };
    assert_eq!((checksum, pieces), (whole, 4));
    let kept = fs::read_to_string(folders[1].path().join("run/weights.txt")).unwrap();
    let model = LearnedModel::parse(&kept).unwrap();
    assert_eq!((model.features.len(), model.net.inputs()), (14, 45));
    for name in ["report.md", "progress.svg", "tests.svg", "log.jsonl"] {
        assert!(folders[1].path().join("run").join(name).is_file(), "{name}");
    }
}

#[test]
fn wrong_recipes_and_checkpoints_are_named() {
    let folder = tempfile::tempdir().unwrap();
    for (from, to, what) in [
        ("iiga:table=16KB", "engine", "a player that learns: neurodraughts"),
        ("\"draughts\"", "\"draughts:rules=russian\"", "rules=english"),
        ("look_ahead = 2", "look_ahead = 0", "td.look_ahead"),
        ("[td]", "start = \"nowhere.txt\"\n[td]", "nowhere.txt"),
    ] {
        let text = RECIPE.replace(from, to);
        let error = match Recipe::parse(&text) {
            Err(error) => error.to_string(),
            Ok(_) => job(&text, folder.path(), 1).check().unwrap_err().to_string(),
        };
        assert!(error.contains(what), "{error}");
    }
    run(RECIPE, folder.path()).unwrap();
    fs::write(folder.path().join("run/checkpoint.json"), "{}").unwrap();
    let error = run(RECIPE, folder.path()).unwrap_err().to_string();
    assert!(error.contains("checkpoint.json"), "{error}");
}

/// A few hundred games are enough to win against random moves.
#[test]
fn it_learns() {
    let settings = TdSettings { games: 300, look_ahead: 1, ..TdSettings::default() };
    for leaf in [false, true] {
        let settings = TdSettings { leaf, ..settings.clone() };
        let (family, options) = family_of("iiga:table=16KB").unwrap();
        let stop = AtomicBool::new(false);
        let starts = [Draughts::new(Rules::English)];
        let trainer = SelfPlayTrainer {
            settings: &settings,
            accept: CloneThreshold::Above(settings.accept),
            search_config: (family.search_config)(&options),
            starts: &starts,
            seed: 1,
            stop: &stop,
        };
        let mut state = TdState::begin(family.features, 1);
        let beginner = points(&state.learner);
        trainer.session(&mut state).unwrap();
        trainer.session(&mut state).unwrap();
        let learned = points(&state.learner);
        assert!(learned >= 22.0 && learned > beginner, "leaf {leaf}: {beginner}, then {learned}");
    }
}

/// Points of 24 games against random moves, at depth one.
fn points(model: &LearnedModel) -> f32 {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.txt");
    fs::write(&file, model.text()).unwrap();
    let spec = format!("iiga:depth=1,table=16KB,weights={}", file.display());
    let mut points = 0.0;
    for seed in 0..24 {
        let side = if seed % 2 == 0 { Side::First } else { Side::Second };
        let resources = Resources { seed, ..Resources::default() };
        let mut learner = build_player::<Draughts>(&spec, &resources).unwrap();
        let mut other = build_player::<Draughts>("random", &resources).unwrap();
        let stop = AtomicBool::new(false);
        let rules =
            ludus_training::self_play::AdjudicationRules { longest: 200, ..Default::default() };
        let mut game = ludus_core::History::new(Draughts::new(Rules::English));
        let ended = ludus_training::self_play::play_out(&mut game, &rules, &mut |game| {
            let mut control = ludus_core::SearchControl { stop: &stop, on_report: &mut |_| {} };
            let turn = ludus_core::Position::turn(game.last());
            let player = if turn == side { &mut learner } else { &mut other };
            Ok(player.choose(game, &Limits::default(), &mut control)?)
        })
        .unwrap();
        points += match ended.outcome {
            Outcome::Draw => 0.5,
            Outcome::Win(winner) => f32::from(u8::from(winner == side)),
        };
    }
    points
}
