//! `ludus reproduce` from the command line.

use crate::busy::kill_after_changes;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

const EXPERIMENT: &str = r#"
group = "small"
title = "Greedy v minimax"
source = "nowhere"

[match]
game = "connect4"
first = "minimax:depth=3"
second = "greedy"
games = 60
published = { games = 20, won = 13, drawn = 4, lost = 3, loops = 1 }
"#;

fn ludus(folder: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ludus"));
    command.env("LUDUS_DATA", folder.join("data")).current_dir(folder).stdin(Stdio::null());
    command
}

fn text(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn complaint(folder: &Path, arguments: &[&str]) -> String {
    let output = ludus(folder).arg("reproduce").args(arguments).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    assert_eq!(error.lines().count(), 1, "{error}");
    error
}

#[test]
fn an_experiment_killed_again_and_again_ends_in_the_same_document() {
    let calm = tempfile::tempdir().unwrap();
    let killed = tempfile::tempdir().unwrap();
    let command = |folder: &Path| {
        fs::write(folder.join("small.toml"), EXPERIMENT).unwrap();
        let mut command = ludus(folder);
        command.args(["reproduce", "small.toml", "--resume"]);
        command
    };
    let undisturbed = text(&command(calm.path()).output().unwrap());
    for round in 0..5 {
        let child =
            command(killed.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        kill_after_changes(child, &killed.path().join("data"), 2 * round);
    }
    assert_eq!(text(&command(killed.path()).output().unwrap()), undisturbed);
    for file in ["docs/results/small.md", "docs/results/small.svg"] {
        let [one, other] =
            [&calm, &killed].map(|folder| fs::read(folder.path().join(file)).unwrap());
        assert_eq!(one, other, "{file}");
    }
    let again = text(&command(calm.path()).arg("--json").output().unwrap());
    let document: Value = serde_json::from_str(&again).unwrap();
    let experiment = &document["experiments"][0];
    assert_eq!(experiment["found"]["games"], 60);
    let figures: Vec<&Value> = experiment["figures"].as_array().unwrap().iter().collect();
    assert_eq!(figures.len(), 4);
    assert!(figures.iter().all(|figure| figure["reproduced"].is_boolean()), "{figures:?}");
}

#[test]
fn few_games_decide_nothing_and_many_do() {
    let folder = tempfile::tempdir().unwrap();
    let equal = EXPERIMENT.replace("minimax:depth=3", "random").replace("greedy", "random");
    let equal =
        equal.replace("won = 13, drawn = 4, lost = 3, loops = 1", "won = 11, drawn = 0, lost = 9");
    fs::write(folder.path().join("equal.toml"), equal).unwrap();
    let run = |games: &str| {
        let mut command = ludus(folder.path());
        command.args(["reproduce", "./equal.toml", "--games", games]);
        let output_text = text(&command.output().unwrap());
        let json = text(&command.arg("--json").output().unwrap());
        let json: Value = serde_json::from_str(&json).unwrap();
        (output_text, json["experiments"][0]["figures"].as_array().unwrap().clone())
    };
    for games in ["2", "6"] {
        let (output_text, figures) = run(games);
        assert!(output_text.contains("0 of 3 figures reproduced"), "{output_text}");
        for figure in figures {
            assert_eq!(figure["reproduced"], false, "{figure}");
            assert_eq!(figure["precision"], 0.07);
            let is_open = figure["verdict"] == "inconclusive";
            assert!(is_open || figure["verdict"] == "not reproduced", "{figure}");
            assert_eq!(figure["games_needed"].is_u64(), is_open, "{figure}");
            assert_eq!(
                output_text.contains("games would decide"),
                output_text.contains(": inconclusive")
            );
        }
    }
    let (output_text, figures) = run("300");
    assert!(!output_text.contains("inconclusive"), "{output_text}");
    assert!(figures.iter().all(|figure| figure["half_width"].as_f64().unwrap() <= 0.07));
    assert!(figures.iter().any(|figure| figure["verdict"] == "reproduced"), "{output_text}");
    let document = fs::read_to_string(folder.path().join("docs/results/equal.md")).unwrap();
    assert!(document.contains("*Inconclusive*: they are compatible"), "{document}");
}

/// Makes a bundle of an experiment in `folder` and checks it.
fn bundle(folder: &Path, experiments: &[&str]) -> String {
    let mut command = ludus(folder);
    command.arg("reproduce").args(experiments).args(["--bundle", "out/bundle"]);
    assert!(text(&command.output().unwrap()).ends_with("bundle: out/bundle\n"));
    text(&check(folder, &[]))
}

fn check(folder: &Path, arguments: &[&str]) -> Output {
    ludus(folder).args(["reproduce", "check", "out/bundle"]).args(arguments).output().unwrap()
}

/// The files below `folder`.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found
}

#[test]
fn a_bundle_is_checked_and_refused_after_one_flipped_byte() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.toml"), EXPERIMENT).unwrap();
    let output_text = bundle(folder.path(), &["small.toml", "--games=12"]);
    for part in [
        "holds: small/contest-1: 12 games are legal",
        "holds: small: figures and verdicts follow",
        "holds: small: 3 of 12 games are the same when played again",
        "holds: document.md: follows from the findings",
    ] {
        assert!(output_text.contains(part), "{part} in {output_text}");
    }
    let all = files(&folder.path().join("out/bundle"));
    for name in [
        "manifest.json",
        "manifest.sha256",
        "document.md",
        "small.svg",
        "experiment.toml",
        "run.json",
        "findings.json",
        "contest.json",
        "games.jsonl",
    ] {
        assert!(all.iter().any(|path| path.ends_with(name)), "{name} in {all:?}");
    }
    for path in &all {
        let whole = fs::read(path).unwrap();
        for at in [0, whole.len() / 2, whole.len() - 1] {
            let mut flipped = whole.clone();
            flipped[at] ^= 1;
            fs::write(path, flipped).unwrap();
            let output = check(folder.path(), &["--replay=0"]);
            assert_eq!(output.status.code(), Some(1), "byte {at} of {}", path.display());
            let output_text = String::from_utf8(output.stdout).unwrap();
            let name = path.file_name().unwrap().to_str().unwrap();
            let named = if name == "manifest.sha256" { "manifest.json" } else { name };
            assert!(
                output_text.starts_with("wrong: ") && output_text.contains(named),
                "{name}: {output_text}"
            );
        }
        fs::write(path, whole).unwrap();
    }
    let more = folder.path().join("out/bundle/more.txt");
    fs::write(&more, "more").unwrap();
    let output = check(folder.path(), &["--replay=0"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("more.txt: not in manifest.json"));
    fs::remove_file(more).unwrap();
    text(&check(folder.path(), &["--replay=0"]));
}

const TABLES: [(&str, &str); 3] = [
    (
        "pairs.toml",
        r#"
group = "tables"
title = "Pairs"
source = "nowhere"

[pairs]
game = "chess"
games = 6
openings = "files/some.pgn"
max_plies = 30
judge = "greedy"
players = [
    { name = "Greedy", player = "greedy" },
    { name = "Depth", player = "alphabeta:depth=2" },
    { name = "Naive", player = "random" },
    { name = "Absent", player = "uci:path=no-such-engine", needs = "an engine" },
]
matches = [
    { first = "Greedy", second = "Naive", published = { games = 20, won = 5, drawn = 0, forced = 15, lost = 0 } },
    { first = "Absent", second = "Naive" },
    { first = "Depth", second = "Naive" },
]
statements = [{ says = "Naive is ahead", player = "Naive", ahead_by = 1.0, share = 0.5 }]
"#,
    ),
    (
        "mates.toml",
        r#"
group = "tables"
title = "Mates"
source = "nowhere"

[suite]
file = "files/mates.epd"
players = [
    { name = "Naive", player = "random", published = { solved = 1, problems = 20 } },
    { name = "Depth", player = "alphabeta:depth=4" },
]
"#,
    ),
    (
        "nodes.toml",
        r#"
group = "tables"
title = "Nodes"
source = "nowhere"

[node-counts]
game = "chess"
depth = 2
positions = [{ file = "files/some.pgn" }]
players = [{ name = "plain", player = "minimax" }, { name = "pruning", player = "alphabeta" }]
fewer = [{ player = "pruning", of = "plain" }]
"#,
    ),
];

/// Writes the experiments with tables and the files they name.
fn write_tables(folder: &Path) {
    fs::create_dir_all(folder.join("files")).unwrap();
    let openings = "1. e4 e5 2. Nf3 Nc6 *\n\n1. d4 d5 2. c4 e6 *\n\n1. c4 e5 2. Nc3 Nf6 *\n";
    fs::write(folder.join("files/some.pgn"), openings).unwrap();
    let mates = "kbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2; id \"a\";\n\
                 5k2/8/8/8/8/8/R7/1R2K3 w - - dm 2; id \"b\";\n";
    fs::write(folder.join("files/mates.epd"), mates).unwrap();
    for (name, text) in TABLES {
        fs::write(folder.join(name), text).unwrap();
    }
}

const TABLE_FILES: [&str; 3] = ["pairs.toml", "mates.toml", "nodes.toml"];

#[test]
fn tables_killed_again_and_again_end_in_the_same_document() {
    let calm = tempfile::tempdir().unwrap();
    let killed = tempfile::tempdir().unwrap();
    let command = |folder: &Path| {
        let mut command = ludus(folder);
        command.arg("reproduce").args(TABLE_FILES).args(["--resume", "--out", "data/runs"]);
        command
    };
    write_tables(calm.path());
    write_tables(killed.path());
    let undisturbed = text(&command(calm.path()).output().unwrap());
    for round in 0..5 {
        let child =
            command(killed.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        kill_after_changes(child, &killed.path().join("data"), 2 * round);
    }
    assert_eq!(text(&command(killed.path()).output().unwrap()), undisturbed);
    for file in ["pairs.md", "pairs.svg", "pairs-table.svg", "mates.svg"] {
        let [one, other] = [&calm, &killed]
            .map(|folder| fs::read(folder.path().join("docs/results").join(file)).unwrap());
        assert_eq!(one, other, "{file}");
    }
    assert!(undisturbed.contains("Absent v Naive: left out: Absent needs an engine"));
}

#[test]
fn bundles_of_tables_are_checked_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    write_tables(folder.path());
    let output_text = bundle(folder.path(), &TABLE_FILES);
    for part in [
        "holds: pairs/contest-1: 6 games are legal",
        "holds: pairs/contest-2: 6 games are legal",
        "holds: pairs: figures and verdicts follow",
        "holds: pairs: 3 of 12 games are the same when played again",
        "last positions are judged the same again",
        "holds: mates: figures and verdicts follow",
        "holds: mates: Depth: 2 problems with the same moves",
        "holds: nodes: pruning: 3 searches with the same nodes",
        "holds: pairs-table.svg: follows from the findings",
        "holds: document.md: follows from the findings",
    ] {
        assert!(output_text.contains(part), "{part} in {output_text}");
    }
    assert!(folder.path().join("out/bundle/pairs/files/some.pgn").exists());
    // A result that does not follow from the moves is found, whatever the checksums say.
    let bundle_folder = folder.path().join("out/bundle");
    forge(&bundle_folder, "mates/findings.json", &|text| {
        text.replacen("\"strict\": true", "\"strict\": false", 1)
    });
    let output = check(folder.path(), &["--replay=0"]);
    assert_eq!(output.status.code(), Some(1));
    let output_text = String::from_utf8(output.stdout).unwrap();
    assert!(
        output_text.contains("mates/findings.json: its figures do not follow"),
        "{output_text}"
    );
}

#[test]
fn files_of_an_experiment_are_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    write_tables(folder.path());
    fs::remove_file(folder.path().join("files/some.pgn")).unwrap();
    let error = complaint(folder.path(), &["pairs.toml"]);
    assert!(error.contains("files/some.pgn") && error.contains("line 9"), "{error}");
    fs::write(folder.path().join("files/some.pgn"), "1. e4 e5 2. Ke3 *\n").unwrap();
    let error = complaint(folder.path(), &["pairs.toml"]);
    assert!(error.contains("files/some.pgn"), "{error}");
}

#[test]
fn a_bundle_goes_into_a_new_folder_only() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.toml"), EXPERIMENT).unwrap();
    fs::create_dir_all(folder.path().join("full/of/things")).unwrap();
    let error = complaint(folder.path(), &["small.toml", "--bundle=full"]);
    assert!(error.contains("\"full\"") && error.contains("new or an empty folder"), "{error}");
    assert!(!folder.path().join("docs").exists(), "it is known before the games");
    for (place, mention) in [("nowhere", "manifest.json"), ("full", "manifest.json")] {
        let error = complaint(folder.path(), &["check", place]);
        assert!(error.contains(mention) && error.contains(place), "{error}");
    }
    let error = complaint(folder.path(), &["check"]);
    assert!(error.contains("DIR"), "{error}");
}

/// The new text of a file.
type Change<'a> = &'a dyn Fn(&str) -> String;

/// Forges a file of a bundle, including its checksums.
fn forge(bundle: &Path, name: &str, change: Change<'_>) {
    let path = files(bundle).into_iter().find(|path| path.ends_with(name)).unwrap();
    let old = fs::read_to_string(&path).unwrap();
    let new = change(&old);
    assert_ne!(old, new, "{name}");
    fs::write(&path, &new).unwrap();
    let digest = |bytes: &[u8]| -> String {
        Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
    };
    let manifest = bundle.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let text = text.replace(&digest(old.as_bytes()), &digest(new.as_bytes()));
    let mut listed: Value = serde_json::from_str(&text).unwrap();
    for file in listed["files"].as_array_mut().unwrap() {
        if bundle.join(file["path"].as_str().unwrap()) == path {
            file["bytes"] = new.len().into();
        }
    }
    let text = serde_json::to_string_pretty(&listed).unwrap() + "\n";
    let seal = format!("{}  manifest.json\n", digest(text.as_bytes()));
    fs::write(manifest, text).unwrap();
    fs::write(bundle.join("manifest.sha256"), seal).unwrap();
}

#[test]
fn a_bundle_with_the_right_checksums_must_also_make_sense() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("small.toml"), EXPERIMENT).unwrap();
    bundle(folder.path(), &["small.toml", "--games=8"]);
    let made = folder.path().join("out/bundle");
    let copy = |to: &Path| {
        for file in files(&made) {
            let target = to.join("out/bundle").join(file.strip_prefix(&made).unwrap());
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::copy(file, target).unwrap();
        }
    };
    let first_move = |text: &str| text.replacen("\"moves\":\"", "\"moves\":\"zz ", 1);
    let result = |text: &str| {
        let (from, to) = ("\"result\":\"first\"", "\"result\":\"second\"");
        let (from, to) = if text.contains(from) { (from, to) } else { (to, from) };
        text.replacen(from, to, 1)
    };
    let fewer = |text: &str| text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    let seed = |text: &str| text.replacen("[match]", "seed = 2\n\n[match]", 1);
    let wins = |text: &str| text.replacen("\"loops\": 0", "\"loops\": 1", 1);
    let verdict = |text: &str| {
        let verdict = ["\"inconclusive\"", "\"not reproduced\""];
        let from = verdict.iter().find(|verdict| text.contains(*verdict)).unwrap();
        text.replacen(from, "\"reproduced\"", 1)
    };
    let words = |text: &str| text.replacen("Greedy", "Greedier", 1);
    let cases: [(&str, Change<'_>, &str); 7] = [
        ("games.jsonl", &first_move, "game 1"),
        ("games.jsonl", &result, "the board says"),
        ("games.jsonl", &fewer, "games."),
        ("experiment.toml", &seed, "not the set-up that experiment.toml describes"),
        ("findings.json", &wins, "figures do not follow"),
        ("findings.json", &verdict, "verdicts do not follow"),
        ("document.md", &words, "document.md: does not follow"),
    ];
    for (name, change, mention) in cases {
        let other = tempfile::tempdir().unwrap();
        copy(other.path());
        forge(&other.path().join("out/bundle"), name, change);
        let output = check(other.path(), &["--replay=0"]);
        let output_text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{name}: {output_text}");
        assert!(
            output_text.contains("wrong: ") && output_text.contains(mention),
            "{mention} in {output_text}"
        );
    }
    // Legal games with right results, but not those of this seed.
    forge(&made, "contest.json", &|text| text.replacen("\"seed\": 1", "\"seed\": 5", 1));
    let output = check(folder.path(), &["--replay=0"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn bundles_hold_matches_of_go_searches_and_trainings() {
    let folder = tempfile::tempdir().unwrap();
    let training = r#"
group = "small"
title = "Pruning"
source = "nowhere"

[training-time]
game = "draughts"
players = ["neurodraughts", "neurodraughts:pruning=on"]
td = { sessions = 2, games = 2, look_ahead = 2 }
time = [{ player = "neurodraughts:pruning=on", of = "neurodraughts", below = 0.9 }]
"#;
    fs::write(folder.path().join("training.toml"), training).unwrap();
    let output_text = bundle(
        folder.path(),
        &[
            "btt-go-2",
            "btt-go-savings",
            "training.toml",
            "--games=4",
            "--playouts=8",
            "--sizes=4",
            "--output=all.md",
        ],
    );
    for part in [
        "btt-go-2/contest-1: 4 games are legal",
        "btt-go-2: 3 of 4 games are the same when played again",
        "btt-go-savings: 3 games have the same searches again",
        "training: trainings are not done again",
        "training: figures and verdicts follow",
    ] {
        assert!(output_text.contains(part), "{part} in {output_text}");
    }
}

/// The built-in Go experiments, reduced to take almost no time.
fn small_go(folder: &Path) -> Command {
    let mut command = ludus(folder);
    command.args(["reproduce", "btt-go-2", "btt-go-savings", "--resume"]);
    command.args(["--games=2", "--playouts=8", "--sizes=4", "--output=go.md"]);
    command
}

#[test]
fn experiments_of_go_keep_what_is_around_their_part_of_a_document() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("go.md");
    fs::write(&output, "# Go\n\nWhat others wrote.\n").unwrap();
    text(&small_go(folder.path()).output().unwrap());
    let first = fs::read_to_string(&output).unwrap();
    for part in [
        "# Go\n\nWhat others wrote.\n",
        "<!-- begin btt-go -->",
        "\n### 2. BTT-Go version 1 v Fuego",
    ] {
        assert!(first.contains(part), "{part} in {first}");
    }
    assert!(
        first.contains("ludus reproduce btt-go-2 --games 2 --playouts 8 --sizes 4\n"),
        "{first}"
    );
    assert!(folder.path().join("btt-go-2.svg").exists());
    text(&small_go(folder.path()).output().unwrap());
    assert_eq!(fs::read_to_string(&output).unwrap(), first, "nothing was played again");
}

#[test]
fn bad_input_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let unknown = complaint(folder.path(), &["chess"]);
    assert!(
        unknown.contains("draughts-vision-neuro") && unknown.contains("\"chess\""),
        "{unknown}"
    );
    assert!(complaint(folder.path(), &["no.toml"]).contains("cannot read no.toml"));
    assert!(complaint(folder.path(), &[]).contains("EXPERIMENT"));
    assert!(complaint(folder.path(), &["draughts", "--games=1"]).contains("--games"));
    for (arguments, mention) in [
        (["draughts-vision-ls", "--playouts=9"], "--playouts: none of these experiments"),
        (["draughts-vision-ls", "--sizes=9"], "--sizes: none of these experiments"),
        (["btt-go-1", "--opponent=random"], "--opponent: none of these experiments"),
        (["btt-go-2", "--opponent=hal"], "\"hal\""),
        (["btt-go-2", "--opponent=gtp:path=no-such-engine"], "no-such-engine"),
        (["btt-go", "--sizes=9,26"], "26"),
        (["btt-go", "--playouts=0"], "--playouts"),
    ] {
        let error = complaint(folder.path(), &arguments);
        assert!(error.contains(mention), "{arguments:?}: {error}");
    }
    let file = folder.path().join("bad.toml");
    for (from, to, mention) in [
        ("\"greedy\"", "\"hal\"", "\"hal\""),
        ("lost = 3", "lost = 4", "20 games in all"),
        ("connect4", "ludo", "\"ludo\""),
        ("games = 60", "games = \"many\"", "line 10"),
    ] {
        fs::write(&file, EXPERIMENT.replacen(from, to, 1)).unwrap();
        let error = complaint(folder.path(), &["bad.toml"]);
        assert!(error.contains(mention) && error.contains("bad"), "{error}");
    }
}

#[test]
fn the_list_names_every_experiment() {
    let folder = tempfile::tempdir().unwrap();
    let listed = text(&ludus(folder.path()).args(["reproduce", "--list"]).output().unwrap());
    assert!(listed.contains("draughts-training-time") && listed.lines().count() > 5, "{listed}");
    let json =
        text(&ludus(folder.path()).args(["reproduce", "--list", "--json"]).output().unwrap());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json.as_array().unwrap().len(), listed.lines().count());
    assert!(!folder.path().join("data").exists(), "a list makes no file");
}
