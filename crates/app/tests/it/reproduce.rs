//! `ludus reproduce` as a user meets it.

use crate::busy::kill_after_changes;
use serde_json::Value;
use std::{
    fs,
    path::Path,
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
        let told = text(&command.output().unwrap());
        let json = text(&command.arg("--json").output().unwrap());
        let json: Value = serde_json::from_str(&json).unwrap();
        (told, json["experiments"][0]["figures"].as_array().unwrap().clone())
    };
    for games in ["2", "6"] {
        let (told, figures) = run(games);
        assert!(told.contains("0 of 3 figures reproduced"), "{told}");
        for figure in figures {
            assert_eq!(figure["reproduced"], false, "{figure}");
            assert_eq!(figure["precision"], 0.07);
            let is_open = figure["verdict"] == "inconclusive";
            assert!(is_open || figure["verdict"] == "not reproduced", "{figure}");
            assert_eq!(figure["games_needed"].is_u64(), is_open, "{figure}");
            assert_eq!(told.contains("games would decide"), told.contains(": inconclusive"));
        }
    }
    let (told, figures) = run("300");
    assert!(!told.contains("inconclusive"), "{told}");
    assert!(figures.iter().all(|figure| figure["half_width"].as_f64().unwrap() <= 0.07));
    assert!(figures.iter().any(|figure| figure["verdict"] == "reproduced"), "{told}");
    let document = fs::read_to_string(folder.path().join("docs/results/equal.md")).unwrap();
    assert!(document.contains("*Inconclusive*: they are compatible"), "{document}");
}

/// The shipped experiments of Go, made so small that they take no time.
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
