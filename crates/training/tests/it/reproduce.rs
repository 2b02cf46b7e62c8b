//! Reproduction of experiments: whole runs, as started by `ludus reproduce`.

use ludus_arena::store::Store;
use ludus_players::Resources;
use ludus_training::{
    TrainingError,
    reproduce::{
        EXPERIMENTS, Experiment, ExperimentRunner, Findings, NamedExperiment, Overrides, charts,
        document, merged, text,
    },
};
use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

const MATCH: &str = r#"
group = "small"
title = "Minimax v random"
source = "nowhere"
why = "Minimax sees what it can take."
seed = 7

[match]
game = "connect4"
first = "minimax:depth=5"
second = "random"
games = 40
openings = "suite"
published = { games = 20, won = 14, drawn = 3, lost = 3, loops = 0 }
"#;

const TRAINING: &str = r#"
group = "small"
title = "Pruning"
source = "nowhere"

[training-time]
game = "draughts"
players = ["neurodraughts", "neurodraughts:pruning=on"]
td = { sessions = 3, games = 4, look_ahead = 3 }
time = [{ player = "neurodraughts:pruning=on", of = "neurodraughts", below = 0.9 }]
"#;

const BOARDS: &str = r#"
group = "small"
title = "BTT-Go v its base"
source = "nowhere"

[boards]
first = "btt-go:version=1,values=1MB,memory=4MB"
second = "fuego-like:memory=4MB"
sizes = [4, 5]
games = 6
playouts = 30
published = [{ size = 5, black = 60.0, white = 24.0 }, { size = 19, black = 44.0, white = 30.0 }]
"#;

const SAVINGS: &str = r#"
group = "small"
title = "What BTT-Go saves"
source = "nowhere"

[savings]
first = "btt-go:version=1,values=1MB,memory=4MB"
second = "fuego-like:memory=4MB"
sizes = [5]
games = 5
playouts = 60
simulations = 31.0
"#;

fn named(text: &str) -> NamedExperiment {
    NamedExperiment::read("small", text).unwrap()
}

/// Runs the experiment, interrupted after every `steps_per_run` steps and resumed until it is done:
/// on one thread, so that it stops where it should, or on two if it is never interrupted.
fn run(text: &str, folder: &Path, steps_per_run: u64) -> (Findings, u64) {
    let named = named(text);
    let mut interruptions = 0;
    loop {
        let store = Store::open(&folder.join("games.sqlite")).unwrap();
        let stop = AtomicBool::new(false);
        let runner = ExperimentRunner {
            store: &store,
            resources: Resources::default(),
            runs: folder.join("runs"),
            resume: true,
            overrides: Overrides::default(),
            concurrency: if steps_per_run == u64::MAX { 2 } else { 1 },
            stop: &stop,
        };
        runner.check(&named).unwrap();
        let mut steps = 0;
        // Results of earlier runs are reported again, so the limit grows from run to run.
        let result = runner.run(&named, &mut |_| {
            steps += 1;
            if steps == steps_per_run * (interruptions + 1) {
                stop.store(true, Ordering::Relaxed);
            }
        });
        match result {
            Ok(findings) => return (findings, interruptions),
            Err(TrainingError::Stopped) => interruptions += 1,
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn an_interrupted_match_ends_in_the_same_document() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (whole, _) = run(MATCH, folders[0].path(), u64::MAX);
    let (pieces, interruptions) = run(MATCH, folders[1].path(), 7);
    assert!(interruptions > 0, "it was interrupted");
    let documents =
        [whole, pieces].map(|findings| document("small", &[(named(MATCH), findings.clone())]));
    assert_eq!(documents[0], documents[1]);
    for part in ["# Reproduced: small", "| here | 40 |", "Minimax sees what it can take.", "seed 7"]
    {
        assert!(documents[0].contains(part), "{part} in {}", documents[0]);
    }
    assert!(
        documents[0].contains("| published | 20 | 14 | 3 | 0 | 3 | 77.5 %"),
        "{}",
        documents[0]
    );
}

#[test]
fn an_interrupted_training_counts_the_same_positions() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let count = |findings: Findings| match findings {
        Findings::Training(all) => {
            all.iter().map(|one| (one.games, one.nodes, one.loops)).collect::<Vec<_>>()
        }
        other => panic!("it is a training, not {other:?}"),
    };
    let (whole, _) = run(TRAINING, folders[0].path(), u64::MAX);
    let (pieces, interruptions) = run(TRAINING, folders[1].path(), 1);
    assert!(interruptions > 1, "{interruptions}");
    let whole = count(whole);
    assert_eq!(whole, count(pieces));
    let [(games, minimax, _), (_, pruned, _)] = whole[..] else { panic!("{whole:?}") };
    assert_eq!(games, 12);
    assert!(pruned < minimax / 2, "{pruned} of {minimax}");
}

#[test]
fn interrupted_matches_on_several_boards_end_in_the_same_document() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (whole, _) = run(BOARDS, folders[0].path(), u64::MAX);
    let (pieces, interruptions) = run(BOARDS, folders[1].path(), 2);
    assert!(interruptions > 1, "{interruptions}");
    assert_eq!(charts(&named(BOARDS), &whole), charts(&named(BOARDS), &pieces));
    let documents = [whole, pieces].map(|findings| document("small", &[(named(BOARDS), findings)]));
    assert_eq!(documents[0], documents[1]);
    for part in [
        "| 4x4 | Black | 3 | ",
        "| 5x5 | both | 6 | ",
        "| 60.0 % [46.2, 72.4] | ",
        "at most 30 simulations per move, komi 6.5, seed 1",
        "Published and not played here: boards 19",
        "2 figures reproduced",
    ] {
        assert!(documents[0].contains(part), "{part} in {}", documents[0]);
    }
}

#[test]
fn interrupted_searches_count_the_same_playouts() {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let count = |findings: Findings| match findings {
        Findings::Savings(found) => found.boards[0].clone(),
        other => panic!("these are searches, not {other:?}"),
    };
    let whole = count(run(SAVINGS, folders[0].path(), u64::MAX).0);
    let (pieces, interruptions) = run(SAVINGS, folders[1].path(), 1);
    assert!(interruptions > 1, "{interruptions}");
    let pieces = count(pieces);
    for (one, other) in whole.all().iter().zip(&pieces.all()) {
        assert_eq!(
            (one.searches, one.finished, one.moves),
            (other.searches, other.finished, other.moves)
        );
    }
    let [early, late] = [whole.early, whole.late];
    assert_eq!(early[0].searches, early[1].searches);
    assert!(late[0].finished < late[1].finished, "playouts are interrupted: {late:?}");
    assert_eq!(late[1].searches, late[0].searches);
}

#[test]
fn what_is_not_installed_is_left_out() {
    let second = "second = \"gtp:path=no-such-engine\"\nneeds = \"an engine\"";
    let missing = BOARDS.replacen("second = \"fuego-like:memory=4MB\"", second, 1);
    let folder = tempfile::tempdir().unwrap();
    let (findings, _) = run(&missing, folder.path(), u64::MAX);
    let Findings::Skipped(reason) = &findings else { panic!("{findings:?}") };
    assert!(reason.contains("it needs an engine") && reason.contains("no-such-engine"), "{reason}");
    assert!(text(&named(&missing), &findings).contains("left out"), "{findings:?}");
    let document = document("small", &[(named(&missing), findings)]);
    assert!(document.contains("Left out: it needs an engine"), "{document}");
}

#[test]
fn a_group_has_its_place_within_another_document() {
    let first = merged("# Go\n\nOurs.\n", "small", "# Small\n\nOld.\n\n## Part\n");
    let expected = "# Go\n\nOurs.\n\n<!-- begin small -->\n\n## Small\n\nOld.\n\n### Part\n\n<!-- end small -->\n";
    assert_eq!(first, expected);
    let around = format!("{first}\n## After\n");
    let second = merged(&around, "small", "# Small\n\nNew.\n");
    let expected = "# Go\n\nOurs.\n\n<!-- begin small -->\n\n## Small\n\nNew.\n\n<!-- end small -->\n\n## After\n";
    assert_eq!(second, expected);
    assert_eq!(merged(&second, "small", "# Small\n\nNew.\n"), second);
    assert!(merged("", "small", "# Small\n").starts_with("<!-- begin small -->"));
}

#[test]
fn the_chart_shows_both_results() {
    let folder = tempfile::tempdir().unwrap();
    let (findings, _) = run(MATCH, folder.path(), u64::MAX);
    let all = charts(&named(MATCH), &findings);
    let [(name, svg)] = &all[..] else { panic!("{all:?}") };
    assert_eq!(name, "small.svg");
    assert!(
        svg.contains(">published<") && svg.contains(">20 games<") && svg.contains(">40 games<")
    );
}

#[test]
fn a_precision_of_its_own_is_told_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let own = "precision = 0.3\nprecision_why = \"The source has 20 games.\"\n\
               figures.loops = { precision = 0.2, precision_why = \"There are none.\" }\n";
    let text_of_it = MATCH.replacen("seed = 7\n", &format!("seed = 7\n{own}"), 1);
    let (findings, _) = run(&text_of_it, folder.path(), u64::MAX);
    let document = document("small", &[(named(&text_of_it), findings)]);
    for part in [
        "Precise enough here: 30.0 points. The source has 20 games.",
        "Precise enough for *loops*: 20.0 points. There are none.",
    ] {
        assert!(document.contains(part), "{part} in {document}");
    }
}

#[test]
fn every_experiment_that_ships_can_be_read() {
    let all = NamedExperiment::all().unwrap();
    assert_eq!(all.len(), EXPERIMENTS.len());
    let groups = ["draughts", "btt-go"].map(|group| NamedExperiment::find(group).unwrap().len());
    let of_chess = all.iter().filter(|named| named.name.starts_with("chess-study"));
    assert_eq!(groups.iter().sum::<usize>() + of_chess.count(), all.len());
    assert_eq!(NamedExperiment::find("chess-study").unwrap().len(), 1, "its tables run one by one");
    let files = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments"));
    let toml = files.unwrap().filter(|file| {
        file.as_ref().unwrap().path().extension().is_some_and(|extension| extension == "toml")
    });
    assert_eq!(toml.count(), all.len(), "every file is in the list");
    assert_eq!(NamedExperiment::find("draughts-vision-neuro").unwrap().len(), 1);
}

#[test]
fn mistakes_are_named() {
    for (from, to, mention) in [
        ("won = 14", "won = 15", "20 games in all"),
        ("won = 14, ", "", "won, drawn and lost together"),
        ("loops = 0", "loops = 4", "no more loops than draws"),
        ("games = 40", "games = 1", "match.games = 1"),
        ("\"suite\"", "\"book.zip\"", "suite, none or a file"),
        ("loops = 0", "forced = 0, loops = 0", "published.forced"),
        ("drawn = 3, lost = 3, loops = 0", "drawn = 3, forced = 1, lost = 3", "20 games in all"),
        ("seed = 7", "sead = 7", "line 6"),
        ("[match]", "[match]\nrounds = 2", "line 9"),
        ("group = \"small\"", "", "group"),
    ] {
        let error = Experiment::parse(&MATCH.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(mention) && error.contains("experiment"), "{from}: {error}");
    }
    for (from, to, mention) in [
        ("below = 0.9", "", "share or below"),
        ("of = \"neurodraughts\"", "of = \"iiga\"", "one of the players"),
        ("look_ahead = 3", "look_ahead = 0", "look_ahead"),
        ("[training-time]", "[training]", "line 6"),
    ] {
        let error = Experiment::parse(&TRAINING.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(mention), "{from}: {error}");
    }
    for (from, to, mention) in [
        ("sizes = [4, 5]", "sizes = []", "sizes of boards"),
        ("sizes = [4, 5]", "sizes = [4, 26]", "sizes = 26"),
        ("playouts = 30", "playouts = 0", "playouts = 0"),
        ("games = 6", "games = 1", "boards.games = 1"),
        ("black = 60.0", "black = 160.0", "published.black = 160"),
    ] {
        let error = Experiment::parse(&BOARDS.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(mention), "{from}: {error}");
    }
    let head = "seed = 7";
    for (text, mention) in [
        ("precision = 0.1", "precision_why beside it"),
        ("precision = 0.1\nprecision_why = ' '", "precision_why beside it"),
        ("precision_why = 'few games'", "precision beside it"),
        ("precision = 0.7\nprecision_why = 'few games'", "precision = 0.7"),
        ("figures.draws = { precision = 0.1 }", "precision_why"),
        ("figures.moves = { precision = 0.1, precision_why = 'w' }", "better, score, draws, loops"),
        ("figures.draws = { precision = 0.0, precision_why = 'w' }", "precision = 0"),
    ] {
        let text = MATCH.replacen(head, &format!("{head}\n{text}"), 1);
        let error = Experiment::parse(&text).unwrap_err().to_string();
        assert!(error.contains(mention), "{mention}: {error}");
    }
    for (text, from, to, line) in [
        (MATCH, "games = 40", "games = 1", "line 12"),
        (MATCH, "\"suite\"", "\"book.zip\"", "line 13"),
        (MATCH, "won = 14", "won = 15", "line 14"),
        (MATCH, "seed = 7", "seed = 7\nprecision = 0.1", "line 7"),
        (
            MATCH,
            "[match]",
            "[figures.moves]\nprecision = 0.1\nprecision_why = 'w'\n[match]",
            "line 8",
        ),
        (TRAINING, "of = \"neurodraughts\"", "of = \"iiga\"", "line 10"),
        (BOARDS, "sizes = [4, 5]", "sizes = [4, 26]", "line 9"),
        (BOARDS, "black = 60.0", "black = 160.0", "line 12"),
        (SAVINGS, "31.0", "310.0", "line 12"),
    ] {
        let error = Experiment::parse(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(line), "{to}: {error}");
    }
    let saved = SAVINGS.replacen("31.0", "310.0", 1);
    assert!(Experiment::parse(&saved).unwrap_err().to_string().contains("310"));
    let none = "group = \"g\"\ntitle = \"t\"\nsource = \"s\"\n";
    let several = format!("{BOARDS}{}", SAVINGS.split_once("\n\n").unwrap().1);
    for (text, found) in [(none, "no table"), (&several, "several tables")] {
        let error = Experiment::parse(text).unwrap_err().to_string();
        assert!(error.contains("one of the tables [match]") && error.contains(found), "{error}");
    }
}
