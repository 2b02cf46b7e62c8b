//! `ludus endgame` from the command line.

use assert_cmd::Command;
use serde_json::Value;
use std::{fs, path::Path};

fn ludus(data: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ludus"));
    command.env("LUDUS_DATA", data).args(args);
    command
}

fn json(data: &Path, args: &[&str]) -> Value {
    let output = ludus(data, args).arg("--json").assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).unwrap()
}

fn complaint(data: &Path, args: &[&str]) -> String {
    let output = ludus(data, args).assert().code(2).get_output().stderr.clone();
    String::from_utf8(output).unwrap()
}

#[test]
fn endings_are_built_once_checked_and_asked() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    let built = json(data, &["endgame", "build", "draughts", "--pieces", "3"]);
    assert_eq!((&built["slices_made"], &built["slices_found"]), (&16.into(), &0.into()));
    let again = json(data, &["endgame", "build", "draughts", "--pieces", "3"]);
    assert_eq!((&again["slices_made"], &again["slices_found"]), (&0.into(), &16.into()));
    let checked = json(data, &["endgame", "verify", "draughts", "--pieces", "3"]);
    assert_eq!(checked["wrong"], 0);

    let info = json(data, &["endgame", "info", "draughts"]);
    assert_eq!(info["pieces"], 3);
    let boards = [120u64, 6_972, 261_224, 7_092_774];
    for (pieces, boards) in (1..).zip(boards) {
        assert_eq!(info["positions_by_pieces"][i32::to_string(&pieces)], boards);
    }
    let slices = info["slices"].as_array().unwrap();
    for slice in slices {
        let sum: u64 =
            ["wins", "losses", "draws"].map(|it| slice[it].as_u64().unwrap()).iter().sum();
        assert_eq!(sum, slice["positions"], "{slice}");
    }

    // Two kings beat one outside the double corner; one king does not beat another.
    let position = "--position=B:BK14,K15:WK32";
    let answer = json(data, &["endgame", "probe", "draughts", position]);
    assert_eq!(answer["value"], "win");
    let plies = answer["plies"].as_u64().unwrap();
    let best = answer["moves"].as_array().unwrap().iter().filter(|mv| mv["value"] == "win");
    assert_eq!(best.map(|mv| mv["plies"].as_u64().unwrap()).min(), Some(plies));
    let even = json(data, &["endgame", "probe", "draughts", "--position=B:BK1:WK32"]);
    assert_eq!(even["value"], "draw");
}

#[test]
fn bad_input_is_named() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    assert!(complaint(data, &["endgame", "build", "go"]).contains("go has no endgame tables"));
    let many = complaint(data, &["endgame", "build", "draughts", "--pieces", "9"]);
    assert!(many.contains("--pieces 9: expected 2 to 7"), "{many}");
    let none = complaint(data, &["endgame", "probe", "draughts", "--position=B:BK1:WK32"]);
    assert!(none.contains("2 pieces, and there are tables for up to 0"), "{none}");
    let missing = complaint(data, &["endgame", "verify", "draughts", "--pieces", "2"]);
    assert!(missing.contains("missing; build the endings first"), "{missing}");

    ludus(data, &["endgame", "build", "draughts", "--pieces", "2"]).assert().success();
    let wrong = complaint(data, &["endgame", "probe", "draughts", "--position=nonsense"]);
    assert!(wrong.contains("nonsense"), "{wrong}");
    let file = data.join("endgame/draughts/0m1k-0m1k.wld");
    let mut bytes = fs::read(&file).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&file, bytes).unwrap();
    let damaged = complaint(data, &["endgame", "info", "draughts"]);
    assert!(damaged.contains("0m1k-0m1k.wld") && damaged.contains("corrupt"), "{damaged}");
}

#[test]
fn the_engine_plays_by_the_tables_it_finds_unless_told_otherwise() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    json(data, &["endgame", "build", "draughts", "--pieces", "3"]);
    let position = "--position=B:BK14,K15:WK32";
    let plies = json(data, &["endgame", "probe", "draughts", position])["plies"].as_i64().unwrap();
    let score = |player: &str| {
        let asked = ["analyze", "draughts", position, "--depth", "2", "--player", player];
        json(data, &asked)["score"].as_i64().unwrap()
    };
    assert_eq!(score("engine"), 31_000 - plies);
    let folder = data.join("endgame").join("draughts");
    assert_eq!(score(&format!("engine:database={}", folder.display())), 31_000 - plies);
    assert!(score("engine:database=off") < 10_000);
    assert!(score("engine:level=9") < 10_000);

    let nowhere = complaint(data, &["analyze", "draughts", "--player", "engine:database=nowhere"]);
    assert!(nowhere.contains("nowhere") && nowhere.contains("ludus endgame build"), "{nowhere}");
    let other = complaint(data, &["analyze", "chess", "--player", "engine:database=on"]);
    assert!(other.contains("database"), "{other}");
}

#[test]
fn probes_are_counted() {
    let data = tempfile::tempdir().unwrap();
    let data = data.path();
    let bench = ["bench", "draughts", "--only", "endgame", "--duration", "10ms"];
    let missing = complaint(data, &bench);
    assert!(missing.contains("missing"), "{missing}");
    json(data, &["endgame", "build", "draughts", "--pieces", "2"]);
    assert!(json(data, &bench)["per_second"].as_f64().unwrap() > 1000.0);
}
