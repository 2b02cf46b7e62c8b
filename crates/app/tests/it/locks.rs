//! Two processes and one contest, run or file: the second one says who is there, or waits.

use crate::served::Served;
use ludus_files::FileLock;
use serde_json::{Value, json};
use std::{
    fs,
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

fn ludus(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ludus"));
    command.env("LUDUS_DATA", data).args(arguments).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// This process as the holder of a lock.
fn own() -> String {
    format!("process {} (", std::process::id())
}

const MATCH: [&str; 8] =
    ["match", "draughts", "greedy", "minimax:depth=3", "--games", "40", "--resume", "--seed=3"];

/// Starts a match and waits until it has said that another process plays it.
fn start_waiting(data: &Path) -> (Child, BufReader<std::process::ChildStderr>) {
    let mut child = ludus(data, &MATCH).spawn().unwrap();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    let expected = format!("ludus: contest 1 is being played by {}", own());
    assert!(line.starts_with(&expected) && line.ends_with("; waiting for its end\n"), "{line}");
    (child, errors)
}

#[test]
fn a_match_waits_for_the_process_that_plays_it() {
    let folder = tempfile::tempdir().unwrap();
    let undisturbed = text(&ludus(&folder.path().join("alone"), &MATCH).output().unwrap());
    let data = folder.path().join("both");
    fs::create_dir(&data).unwrap();
    let lock = FileLock::acquire(&data.join("ludus.sqlite-contest-1.lock")).unwrap();
    let (child, _errors) = start_waiting(&data);
    drop(lock);
    assert_eq!(text(&child.wait_with_output().unwrap()), undisturbed);
}

#[test]
fn two_processes_that_resume_a_match_end_in_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let undisturbed = text(&ludus(&folder.path().join("alone"), &MATCH).output().unwrap());
    let data = folder.path().join("both");
    let all = [(); 3].map(|()| ludus(&data, &MATCH).spawn().unwrap());
    for child in all {
        assert_eq!(text(&child.wait_with_output().unwrap()), undisturbed);
    }
    let listed = text(&ludus(&data, &["records", "list", "--json"]).output().unwrap());
    let games: Value = serde_json::from_str(&listed).unwrap();
    let games = games.as_array().or_else(|| games["games"].as_array()).unwrap().len();
    assert!(games > 0 && games <= 40, "{games}");
    let left = fs::read_dir(&data).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<_> = left.filter(|name| name.to_string_lossy().contains("lock")).collect();
    assert!(left.is_empty(), "{left:?}");
}

const RECIPE: &str = "kind = \"td\"\ngame = \"draughts\"\nplayer = \"neurodraughts:pruning=on\"\n\
                      [td]\nsessions = 2\ngames = 2\nlook_ahead = 1\n";

#[test]
fn a_second_training_in_a_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (recipe, out) = (folder.path().join("quick.toml"), folder.path().join("out"));
    fs::write(&recipe, RECIPE).unwrap();
    fs::create_dir(&out).unwrap();
    let arguments = ["train", recipe.to_str().unwrap(), "--out", out.to_str().unwrap(), "--resume"];
    let lock = FileLock::acquire(&out.join("run.lock")).unwrap();
    let refused = ludus(folder.path(), &arguments).output().unwrap();
    let error = String::from_utf8(refused.stderr).unwrap();
    assert_eq!((refused.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    let expected = format!("ludus: {} is in use by {}", out.display(), own());
    assert!(error.starts_with(&expected) && error.contains(" since 2"), "{error}");
    drop(lock);
    text(&ludus(folder.path(), &arguments).output().unwrap());
}

#[test]
fn the_server_leaves_contests_and_runs_to_the_process_that_has_them() {
    let server = Served::start();
    let request = json!({
        "game": "draughts", "players": ["mcts:playouts=200", "greedy"], "form": "round-robin",
        "games": 1000, "limits": {}, "openings": "suite", "seed": 1, "concurrency": 1,
    });
    let contest = server.posted("/api/contests", &request);
    let contest = format!("/api/contests/{}", contest["id"].as_str().unwrap());
    server.posted(&format!("{contest}/stop"), &json!({}));
    let recipe = RECIPE.replace("sessions = 2", "sessions = 5000");
    server.posted("/api/runs", &json!({ "name": "slow", "recipe": recipe }));
    server.posted("/api/runs/slow/stop", &json!({}));

    let data = server.folder.path();
    let locks = ["ludus.sqlite-contest-1.lock", "runs/slow/run.lock"]
        .map(|name| FileLock::acquire(&data.join(name)).unwrap());
    for path in [contest.as_str(), "/api/runs/slow"] {
        let refused = server.refused(&format!("{path}/resume"), &json!({}), 409);
        assert!(refused.contains(&own()), "{refused}");
    }
    drop(locks);
    for path in [contest.as_str(), "/api/runs/slow"] {
        let resumed = server.posted(&format!("{path}/resume"), &json!({}));
        assert_eq!(resumed["state"], json!("running"));
        server.posted(&format!("{path}/stop"), &json!({}));
    }
}
