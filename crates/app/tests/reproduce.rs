//! `ludus reproduce` as a user meets it.

use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
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
        let mut child =
            command(killed.path()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(20 + 17 * round));
        child.kill().unwrap(); // SIGKILL
        child.wait().unwrap();
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
