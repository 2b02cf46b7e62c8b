//! Experiments with tables: pairs of players, suites and node counts.

use ludus_arena::store::Store;
use ludus_core::TextError;
use ludus_players::Resources;
use ludus_training::{
    TrainingError,
    reproduce::{
        Experiment, ExperimentRunner, Findings, NamedExperiment, Overrides, charts, document,
        figures, text,
    },
};
use std::{
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

const OPENINGS: &str = "[Event \"One\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[Event \"Two\"]\n\n1. d4 d5 2. c4 e6 *\n\n\
                        [Event \"Three\"]\n\n1. c4 e5 2. Nc3 Nf6 *\n";

const PAIRS: &str = r#"
group = "small"
title = "Pairs"
source = "nowhere"
precision = 0.2
precision_why = "few games"

[pairs]
game = "chess"
games = 6
openings = "some.pgn"
max_plies = 40
judge = "greedy"
players = [
    { name = "Depth", player = "alphabeta:depth=2" },
    { name = "Greedy", player = "greedy" },
    { name = "Naive", player = "random" },
    { name = "Absent", player = "uci:path=no-such-engine", needs = "an engine" },
]
matches = [
    { first = "Depth", second = "Naive", published = { games = 20, won = 2, drawn = 0, forced = 13, lost = 5 } },
    { first = "Greedy", second = "Naive", games = 4 },
    { first = "Absent", second = "Naive", published = { games = 20, won = 20, drawn = 0, forced = 0, lost = 0 } },
]
rankings = ["Depth, Greedy > Naive"]

[[pairs.statements]]
says = "Forced draws find Depth ahead"
player = "Depth"
among = "forced"
ahead_by = 1.0
share = 0.5

[[pairs.statements]]
says = "Naive loses quickly"
player = "Naive"
among = "lost"
shorter_than = 40
share = 0.5
"#;

const SUITE: &str = r#"
group = "small"
title = "Mates"
source = "nowhere"

[suite]
file = "mates.epd"
each_side = 2
players = [
    { name = "Naive", player = "random", published = { solved = 1, problems = 40 } },
    { name = "Depth", player = "alphabeta:depth=4", published = { solved = 40, problems = 40 } },
    { name = "Absent", player = "uci:path=no-such-engine", needs = "an engine" },
]
"#;

/// Two mates in two for each side.
const MATES: &str = "\
kbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2; id \"a\";
5k2/8/8/8/8/8/R7/1R2K3 w - - dm 2; id \"b\";
8/1R5p/3r1pk1/8/6P1/8/1PR2PKP/3q4 b - - bm Qxg4+; dm 2; id \"c\";
8/2k5/8/8/PP6/1N4r1/3K4/b6r b - - bm Rh2+; dm 2; id \"d\";
";

const NODES: &str = r#"
group = "small"
title = "Nodes"
source = "nowhere"

[node-counts]
game = "chess"
depth = 2
positions = [{ file = "some.pgn" }, { file = "mates.epd", count = 2 }]
players = [
    { name = "plain", player = "minimax" },
    { name = "pruning", player = "alphabeta" },
    { name = "absent", player = "uci:path=no-such-engine", needs = "an engine" },
]
fewer = [{ player = "pruning", of = "plain" }, { player = "absent", of = "plain" }]
"#;

fn named(text: &str) -> NamedExperiment {
    let file = |name: &str| match name {
        "some.pgn" => Ok(OPENINGS.to_owned()),
        "mates.epd" => Ok(MATES.to_owned()),
        other => Err(TextError::whole("file", other, "one of the test's")),
    };
    NamedExperiment::read_with("small", text, &file).unwrap()
}

/// Runs the experiment, interrupted after every `steps_per_run` steps and resumed until it is done.
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

/// Document and charts, which must be the same after interruptions.
fn delivered(text: &str, steps: u64) -> (String, Findings) {
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let (whole, _) = run(text, folders[0].path(), u64::MAX);
    let (pieces, interruptions) = run(text, folders[1].path(), steps);
    assert!(interruptions > 1, "{interruptions}");
    let written = |findings: &Findings| {
        (document("small", &[(named(text), findings.clone())]), charts(&named(text), findings))
    };
    assert_eq!(written(&whole), written(&pieces));
    (written(&whole).0, whole)
}

fn assert_parts(document: &str, parts: &[&str]) {
    for part in parts {
        assert!(document.contains(part), "{part} in {document}");
    }
}

#[test]
fn interrupted_pairs_end_in_the_same_document() {
    let (document, findings) = delivered(PAIRS, 1);
    assert_parts(
        &document,
        &[
            "Openings: some.pgn, at most plies 40, seed 1.",
            "| Depth v Naive | published | 20 | 2 | 0 | 13 | 5 | |",
            "| | here | 6 | ",
            "| | here | 0 | - | - | - | - | left out |",
            "| Greedy v Naive | 4 | ",
            "Left out: Absent v Naive: Absent needs an engine: ",
            "| statement | claimed | here | verdict |",
            "| Forced draws find Depth ahead | at least 50 % | ",
            "| Depth > Naive | more than half | ",
            "Cross table: won / drawn / forced / lost",
            "![Cross table](small-table.svg)",
            "Precise enough here: 20.0 points. few games",
        ],
    );
    let Findings::Pairs(found) = &findings else { panic!("{findings:?}") };
    for pair in found.pairs.iter().filter(|pair| pair.skipped.is_none()) {
        let all: u64 = pair.counts().iter().sum();
        assert_eq!(all, pair.cell.wdl.games(), "{pair:?}");
        assert_eq!(pair.draws.forced() + pair.draws.drawn(), pair.cell.wdl.draws);
        let asked = pair.statements[0].among;
        assert_eq!(pair.judged.len() as u64, asked, "every forced draw is judged");
    }
    let forced: u64 = found.pairs.iter().map(|pair| pair.draws.length).sum();
    assert!(forced > 0, "forty plies are too few to mate: {found:?}");
    let terminal = text(&named(PAIRS), &findings);
    assert_parts(&terminal, &["Absent v Naive: left out: Absent needs", "Greedy v Naive: "]);
    let figures = figures(&named(PAIRS).experiment, &findings);
    // Four shares, two statements and two relations; none of those left out.
    assert_eq!(figures.len(), 8, "{figures:?}");
}

#[test]
fn interrupted_suites_end_in_the_same_document() {
    let (document, findings) = delivered(SUITE, 2);
    let Findings::Suite(found) = &findings else { panic!("{findings:?}") };
    assert_eq!(found.chances.len(), 4);
    let solved = &found.players[1].solved;
    assert!(solved.iter().all(|problem| problem.key && problem.strict), "{solved:?}");
    assert!(solved.iter().all(|problem| problem.moves.len() == 3), "{solved:?}");
    assert_parts(
        &document,
        &[
            "4 problems of mates.epd, the first 2 for each side to move",
            "| Depth | `alphabeta:depth=4` | 40 of 40 | 4: 100.0 %",
            "left out: Absent needs an engine: ",
            "| by chance | exactly | | ",
            "The moves after a given key and its defence alone",
            "![Problems solved](small.svg)",
        ],
    );
}

#[test]
fn interrupted_node_counts_end_in_the_same_document() {
    let (document, findings) = delivered(NODES, 2);
    let Findings::NodeCounts(found) = &findings else { panic!("{findings:?}") };
    assert_eq!(found.positions.len(), 5);
    let [plain, pruning, absent] = &found.players[..] else { panic!("{found:?}") };
    assert!(plain.nodes.iter().zip(&pruning.nodes).all(|(plain, pruned)| pruned < plain));
    assert!(absent.skipped.is_some());
    assert_parts(
        &document,
        &[
            "5 positions (some.pgn, 2 of mates.epd), depth 2, seed 1",
            "pruning searches fewer nodes than plain in 5 of 5 positions.",
            "left out: absent needs an engine",
            "| fewer nodes with pruning than with plain | less than all | ",
        ],
    );
}

#[test]
fn an_experiment_is_left_out_for_what_it_needs() {
    let missing = "needs = \"an engine\"\n[match]\ngame = \"chess\"\nfirst = \"random\"\n\
                   second = \"uci:path=no-such-engine\"\npublished = { games = 2, drawn = 1 }\n";
    let text = format!("group = \"small\"\ntitle = \"t\"\nsource = \"s\"\n{missing}");
    let folder = tempfile::tempdir().unwrap();
    let (findings, _) = run(&text, folder.path(), u64::MAX);
    let Findings::Skipped(reason) = &findings else { panic!("{findings:?}") };
    assert!(reason.contains("it needs an engine") && reason.contains("no-such-engine"), "{reason}");
}

#[test]
fn forced_draws_of_a_match_are_counted_apart() {
    let text = "group = 'small'\ntitle = 't'\nsource = 's'\n[match]\ngame = 'chess'\n\
                first = 'random'\nsecond = 'greedy'\ngames = 6\nopenings = 'some.pgn'\n\
                max_plies = 20\npublished = { games = 4, won = 1, drawn = 0, forced = 3, lost = 0 }\n";
    let folder = tempfile::tempdir().unwrap();
    let (findings, _) = run(text, folder.path(), u64::MAX);
    let Findings::Match(found) = &findings else { panic!("{findings:?}") };
    let draws = found.forced.expect("they were published");
    assert_eq!(draws.forced() + draws.drawn(), found.cell.wdl.draws);
    assert!(draws.length > 0, "{draws:?}");
    let document = document("small", &[(named(text), findings)]);
    assert_parts(
        &document,
        &[
            "openings: some.pgn, at most plies 20",
            "| | games | won | drawn | forced | lost | score |",
            "| published | 4 | 1 | 0 | 3 | 0 | ",
            "| forced | 75.0 % ",
        ],
    );
}

#[test]
fn mistakes_in_tables_are_named() {
    for (text, from, to, mention) in [
        (PAIRS, "first = \"Depth\"", "first = \"Deep\"", "one of the players: Depth, Greedy"),
        (PAIRS, "second = \"Naive\", games = 4", "second = \"Greedy\"", "two different players"),
        (
            PAIRS,
            "first = \"Greedy\", second = \"Naive\"",
            "first = \"Naive\", second = \"Depth\"",
            "every pair once",
        ),
        (PAIRS, "forced = 13, lost = 5", "forced = 13, lost = 6", "20 games in all"),
        (
            PAIRS,
            "won = 2, drawn = 0, forced = 13, lost = 5",
            "drawn = 3",
            "won, drawn, forced and lost",
        ),
        (PAIRS, "Depth, Greedy > Naive", "Depth > Greedy", "players that play each other"),
        (PAIRS, "Depth, Greedy > Naive", "Depth is better", "between them"),
        (PAIRS, "ahead_by = 1.0", "ahead_by = 1.0\nshorter_than = 9", "one of shorter_than"),
        (PAIRS, "judge = \"greedy\"", "", "pairs.judge"),
        (PAIRS, "share = 0.5", "share = 1.5", "statements.share = 1.5"),
        (PAIRS, "some.pgn", "some.zip", "suite, none or a file"),
        (PAIRS, "name = \"Greedy\"", "name = \"Depth\"", "no other player has"),
        (PAIRS, "name = \"Greedy\"", "name = \"a b\"", "without spaces"),
        (SUITE, "solved = 1,", "solved = 41,", "no more problems solved"),
        (SUITE, "each_side = 2", "each_side = 0", "suite.each_side = 0"),
        (NODES, "of = \"plain\" }]", "of = \"plan\" }]", "one of the players"),
        (NODES, "mates.epd", "mates.zip", "positions.file"),
    ] {
        let error = Experiment::parse(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(mention) && error.contains("experiment"), "{to}: {error}");
    }
    let missing = NamedExperiment::read("small", PAIRS).unwrap_err().to_string();
    assert!(missing.contains("some.pgn") && missing.contains("line 11"), "{missing}");
}
