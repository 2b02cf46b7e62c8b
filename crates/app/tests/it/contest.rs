//! Matches and tournaments from the command line: no game is lost, and faulty players do not stop them.

use crate::busy::{interrupt_after_changes, kill_after_changes};
use serde_json::Value;
use std::{
    path::Path,
    process::{Command, Output, Stdio},
};

fn ludus(data: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("ludus"));
    command.env("LUDUS_DATA", data).stdin(Stdio::null());
    command
}

fn text(output: &Output) -> String {
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

const MATCH: [&str; 8] =
    ["match", "draughts", "greedy", "minimax:depth=3", "--games", "120", "--resume", "--seed=3"];

#[test]
fn a_match_killed_again_and_again_ends_in_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let undisturbed = text(&ludus(&folder.path().join("calm")).args(MATCH).output().unwrap());
    let data = folder.path().join("killed");
    for round in 0..12 {
        let child =
            ludus(&data).args(MATCH).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        kill_after_changes(child, &data, round);
    }
    let resumed = text(&ludus(&data).args(MATCH).output().unwrap());
    assert_eq!(resumed, undisturbed);
    let listed =
        ludus(&data).args(["records", "list", "--limit", "1000", "--json"]).output().unwrap();
    let games: Value = serde_json::from_str(&text(&listed)).unwrap();
    let games = games.as_array().or_else(|| games["games"].as_array()).unwrap().len();
    assert_eq!(games, 120, "every game once");
}

const SAVED: [&str; 8] =
    ["match", "draughts", "greedy", "minimax:depth=3", "--games", "300", "--seed=5", "--save"];

#[test]
fn a_resumed_match_replaces_the_file_it_saved_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pdn");
    let data = folder.path().join("data");
    let save = |more: &[&str]| {
        let mut command = ludus(&data);
        command.args(SAVED).arg(&file).args(more);
        command
    };
    let refused = |output: &Output| {
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(
            error.contains("expected a new file name") && error.lines().count() == 1,
            "{error}"
        );
    };
    // Interrupted, the match saves the games so far; they do not block its resumption.
    let child = save(&["--resume"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    interrupt_after_changes(child, &data, 5);
    let table = text(&save(&["--resume"]).output().unwrap());
    let games = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text(&save(&["--resume"]).output().unwrap()), table);
    assert!(std::fs::read_to_string(&file).unwrap() == games, "the same games once more");
    let other = folder.path().join("alone.pdn");
    let alone = ludus(&folder.path().join("alone")).args(SAVED).arg(&other).output().unwrap();
    assert_eq!(table, text(&alone));
    let number = |text: &str| text.matches("[Event ").count();
    assert_eq!(number(&games), number(&std::fs::read_to_string(&other).unwrap()));

    refused(&save(&[]).output().unwrap());
    for foreign in ["a letter", &games.replace("[Seed \"5\"]", "[Seed \"6\"]")] {
        std::fs::write(&file, foreign).unwrap();
        refused(&save(&["--resume"]).output().unwrap());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), *foreign);
    }
    // An empty file is what an interruption before the first game leaves.
    std::fs::write(&file, "").unwrap();
    text(&save(&["--resume"]).output().unwrap());
    assert!(std::fs::read_to_string(&file).unwrap() == games);
}

#[test]
fn charts_show_the_games_of_all_processes() {
    let folder = tempfile::tempdir().unwrap();
    let plots = |name: &str| {
        ["progress.svg", "ratings.svg", "cross-table.svg"]
            .map(|file| std::fs::read_to_string(folder.path().join(name).join(file)).unwrap())
    };
    let command = |data: &str, to: &str| {
        let mut command = ludus(&folder.path().join(data));
        command.args(MATCH).arg("--plots").arg(folder.path().join(to));
        command
    };
    text(&command("calm", "whole").output().unwrap());
    text(&command("calm", "again").output().unwrap());
    assert!(plots("whole") == plots("again"), "a finished match");
    for round in 3..6 {
        let mut command = command("killed", "pieces");
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        kill_after_changes(child, &folder.path().join("killed"), round);
    }
    text(&command("killed", "pieces").output().unwrap());
    assert!(plots("whole") == plots("pieces"), "a match in pieces");
}

#[test]
fn the_json_of_a_match_is_a_stable_document() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["match", "connect4", "minimax:depth=2", "random", "--games", "20", "--json"];
    let output = text(&ludus(folder.path()).args(arguments).output().unwrap());
    let document: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(document["games"], 20);
    let count = |field: &str| document[field].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 20);
    let pairs: u64 = document["pairs"].as_array().unwrap().iter().filter_map(Value::as_u64).sum();
    assert_eq!(pairs, 10);
    for field in ["forced_draws", "loop_draws", "elo", "players", "game"] {
        assert!(!document[field].is_null(), "{field}");
    }
    let [minimax, random] = [&document["players"][0], &document["players"][1]];
    for (result, opposite) in [("wins", "losses"), ("draws", "draws"), ("losses", "wins")] {
        let count = |player: &Value, turn, result| player[turn][result].as_u64().unwrap();
        let both = ["as_first", "as_second"].map(|turn| count(minimax, turn, result));
        assert_eq!(both.iter().sum::<u64>(), document[result].as_u64().unwrap(), "{document}");
        assert_eq!(both[0], count(random, "as_second", opposite), "{document}");
    }
    assert!(minimax["ms_per_move"].is_null(), "no two runs share it");
    let timed = text(&ludus(folder.path()).args(arguments).arg("--times").output().unwrap());
    let timed: Value = serde_json::from_str(&timed).unwrap();
    assert!(timed["players"][0]["ms_per_move"].as_f64().is_some(), "{timed}");
}

#[test]
fn a_tournament_ends_in_tables_plots_and_records() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("small.toml");
    std::fs::write(
        &file,
        "game = \"reversi\"\nplayers = [\"random\", \"greedy\", \"minimax:depth=2\"]\ngames = 4\n",
    )
    .unwrap();
    let (plots, games) = (folder.path().join("plots"), folder.path().join("games.pgn"));
    let mut command = ludus(folder.path());
    command.arg("tournament").arg(&file).arg("--plots").arg(&plots).arg("--save").arg(&games);
    let table = text(&command.output().unwrap());
    assert!(table.contains("won-drawn-lost") && table.contains("minimax:depth=2"), "{table}");
    for name in ["cross-table.svg", "ratings.svg", "progress.svg"] {
        let svg = std::fs::read_to_string(plots.join(name)).unwrap();
        assert!(svg.starts_with("<svg") || svg.starts_with("<?xml"), "{name}");
    }
    let mut convert = ludus(folder.path());
    let converted =
        text(&convert.arg("convert").arg(&games).args(["--to", "json"]).output().unwrap());
    let records: Value = serde_json::from_str(&converted).unwrap();
    assert_eq!(records.as_array().unwrap().len(), 12);
    let ladder = text(&ludus(folder.path()).args(["ratings", "reversi"]).output().unwrap());
    assert!(ladder.contains("greedy"), "{ladder}");
}

#[test]
fn mistakes_in_a_tournament_file_are_named_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bad.toml");
    for (content, mention) in [
        ("game = \"chess\"\n", "players"),
        ("game = \"chess\"\nplayers = [\"random\"]\n", "at least two players"),
        ("game = \"chess\"\nplayers = [\"random\", \"hal\"]\n", "hal"),
        ("game = \"chess\"\nplayers = [\"random\", \"random\"]\n", "twice"),
        ("game = \"ludo\"\nplayers = [\"random\", \"greedy\"]\n", "ludo"),
        ("game = \"chess\"\nplayers = [\"random\", \"greedy\"]\nrounds = 3\n", "line 3"),
        ("game = \"chess\"\nplayers = [\"random\", \"greedy\"]\ntime = \"soon\"\n", "time"),
        ("game = \"chess\"\nplayers = [\"random\", \"greedy\"]\nopenings = \"x.epd\"\n", "x.epd"),
        ("game = ", "line 1"),
    ] {
        std::fs::write(&file, content).unwrap();
        let output = ludus(folder.path()).arg("tournament").arg(&file).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{content}: {error}");
        assert!(error.contains(mention) && error.lines().count() == 1, "{content}: {error}");
    }
    for arguments in [
        ["match", "chess", "random", "greedy", "--sprt", "elo0=5,elo1=1"],
        ["match", "chess", "random", "greedy", "--openings", "games.doc"],
        ["match", "go", "random", "greedy", "--openings", "suite"],
        ["match", "chess", "random", "greedy", "--resign", "600"],
    ] {
        let output = ludus(folder.path()).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    }
}

/// A UCI engine as shell script that completes the handshake and runs `on_go` for a move.
#[cfg(unix)]
fn faulty_engine(folder: &Path, name: &str, on_go: &str) -> String {
    let script = folder.join(format!("{name}.sh"));
    let content = format!(
        "while read line; do case \"$line\" in\n\
         uci) echo 'id name {name}'; echo uciok;;\n\
         isready) echo readyok;;\n\
         go*) {on_go};;\n\
         quit) exit 0;;\n\
         esac; done\n"
    );
    std::fs::write(&script, content).unwrap();
    // Only a hanging engine is detected by the clock.
    let grace = if name == "hangs" { "300ms" } else { "10m" };
    format!("uci:path=sh,args={},time=50ms,grace={grace},handshake=10m", script.display())
}

#[cfg(unix)]
#[test]
fn faulty_engines_lose_their_games_and_stop_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let engine = |name, on_go| faulty_engine(folder.path(), name, on_go);
    let players = [
        "greedy".to_owned(),
        engine("hangs", ":"),
        engine("crashes", "exit 3"),
        engine("illegal", "echo bestmove e2e5"),
        engine("babbles", "echo lorem ipsum; echo bestmove maybe"),
        engine(
            "floods",
            "while echo info string aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; do :; done",
        ),
    ];
    let file = folder.path().join("faulty.toml");
    let toml =
        format!("game = \"chess\"\nformat = \"gauntlet\"\ngames = 2\nplayers = {players:?}\n");
    std::fs::write(&file, toml).unwrap();
    let output = ludus(folder.path()).arg("tournament").arg(&file).arg("--json").output().unwrap();
    let document: Value = serde_json::from_str(&text(&output)).unwrap();
    assert_eq!(document["games"], 10);
    for (player, expected) in document["players"].as_array().unwrap().iter().zip([0, 2, 2, 2, 2, 2])
    {
        assert_eq!(player["forfeits"], expected, "{player}");
    }
    let again = ludus(folder.path()).arg("tournament").arg(&file).arg("--resume").output().unwrap();
    let table = text(&again);
    for word in ["hang", "crash", "illegal move", "flood", "maybe"] {
        assert!(table.contains(word), "{word} in {table}");
    }
}

#[test]
fn the_file_of_a_sequential_test_holds_the_games_that_count() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    let test = "--sprt=elo0=0,elo1=50,alpha=0.05,beta=0.05";
    let arguments = ["match", "reversi", "greedy", "random", "--games=1000", test, "--json"];
    let output = ludus(folder.path()).args(arguments).arg("--save").arg(&file).output().unwrap();
    let document: Value = serde_json::from_str(&text(&output)).unwrap();
    let games = std::fs::read_to_string(file).unwrap().matches("[Round ").count();
    assert_eq!(document["games"].as_u64(), Some(games as u64));
}

#[test]
fn rules_that_judge_nothing_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for rule in ["--resign=300:0", "--resign=4000000000:2", "--draw=10:0:5"] {
        let arguments = ["match", "tictactoe", "random", "greedy", "--games=2", rule];
        let output = ludus(folder.path()).args(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{rule}");
    }
    let file = folder.path().join("cup.toml");
    let start = "game = \"tictactoe\"\nplayers = [\"random\", \"greedy\"]\n";
    for line in [
        "games = 18000000000",
        "depth = 0",
        "nodes = 0",
        "adjudication.resign = { score = 300, moves = 0 }",
        "adjudication.resign = { score = -2147483648, moves = 1 }",
    ] {
        std::fs::write(&file, format!("{start}{line}\n")).unwrap();
        let output = ludus(folder.path()).arg("tournament").arg(&file).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}");
    }
}
