//! The search players on the command line: agreement, tables, traces, signatures.

use assert_cmd::Command;
use serde_json::Value;
use std::{fmt::Write, fs, path::Path};

#[track_caller]
fn ludus(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("ludus").unwrap();
    let assert = command.args(arguments).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

#[track_caller]
fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&ludus(&[arguments, &["--json"]].concat())).unwrap()
}

const SEARCHES: [&str; 10] = [
    "minimax",
    "negamax",
    "alphabeta",
    "alphabeta:fail=hard",
    "aspiration",
    "negascout",
    "pvs",
    "mtdf",
    "sss",
    "dual",
];

#[test]
fn all_searches_agree_on_tictactoe() {
    for player in SEARCHES {
        let found = json(&["analyze", "tictactoe", "--player", player, "--depth", "9"]);
        assert_eq!((&found["score"], &found["depth"]), (&0.into(), &9.into()), "{player}");
    }
}

#[test]
fn searches_judge_by_what_they_are_told() {
    let score = |eval: &str| {
        let player = format!("alphabeta:eval={eval}");
        json(&["analyze", "chess", "--player", &player, "--depth", "2"])["score"].clone()
    };
    assert_eq!(score("none"), 0);
    assert_ne!(score("mobility"), score("hand"));
    assert!(ludus(&["players", "chess"]).contains("eval=hand"));
}

#[test]
fn the_table_tells_how_it_served() {
    let asked = ["analyze", "connect4", "--player", "alphabeta:table=64KB", "--depth", "6"];
    let found = json(&asked);
    let table = &found["table"];
    let number = |field: &str| table[field].as_u64().unwrap();
    assert_eq!(number("capacity"), 4096);
    assert!(number("used") > 0 && number("used") <= 4096);
    assert!(number("probes") > number("hits") && number("hits") >= number("cutoffs"));
    assert!(number("cutoffs") > 0 && number("stores") > 0);
    assert!(number("overwrites") + number("lost") > 0);
    let text = ludus(&asked);
    assert!(text.contains("of 4096 entries in use"), "{text}");
    let none = json(&["analyze", "connect4", "--player", "alphabeta", "--depth", "4"]);
    assert!(none["table"].is_null());
}

fn trace(folder: &Path, arguments: &[&str]) -> Value {
    let file = folder.join("trace.json");
    let all = [&["analyze"], arguments, &["--trace", file.to_str().unwrap()]].concat();
    ludus(&all);
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn a_trace_shows_the_branch_that_was_cut() {
    let folder = tempfile::tempdir().unwrap();
    let position = "xo./.x./o.. x";
    let document = trace(
        folder.path(),
        &["tictactoe", "--position", position, "--player", "alphabeta", "--depth", "3"],
    );
    let text = |field: &str| document[field].as_str().unwrap().to_owned();
    assert_eq!((text("game"), text("player")), ("tictactoe".into(), "alphabeta".into()));
    assert_eq!(text("position"), position);
    let nodes = document["nodes"].as_array().unwrap();
    assert_eq!(document["visits"].as_u64().unwrap() as usize, nodes.len());
    for (id, node) in nodes.iter().enumerate() {
        assert_eq!(node["id"], id);
        let parent = node["parent"].as_u64();
        assert_eq!((parent.is_none(), node["move"].is_null()), (id == 0, id == 0));
        assert!(parent.is_none_or(|parent| (parent as usize) < id));
        assert!(matches!(node["bound"].as_str().unwrap(), "exact" | "lower" | "upper"));
        assert!(node["value"].is_i64() && node["skipped"].as_array().unwrap().is_empty());
    }
    let root = &nodes[0];
    assert!(root["alpha"].is_null() && root["beta"].is_null());
    assert_eq!(
        (&root["bound"], &root["ply"], &root["depth"]),
        (&"exact".into(), &0.into(), &3.into())
    );
    let cut = nodes.iter().find(|node| node["cause"] == "cut").expect("a branch was cut");
    assert!(cut["cut"].as_u64().unwrap() > 0 && cut["bound"] == "lower");
    assert!(cut["value"].as_i64() >= cut["beta"].as_i64());
    assert!(nodes.iter().any(|node| node["cause"] == "game over"));
}

#[test]
fn a_trace_has_every_pass_and_keeps_to_its_size() {
    let folder = tempfile::tempdir().unwrap();
    let arguments =
        ["connect4", "--player", "mtdf:table=64KB", "--depth", "3", "--trace-size", "40"];
    let document = trace(folder.path(), &arguments);
    let passes = document["passes"].as_array().unwrap();
    assert!(passes.len() >= 6, "{passes:?}");
    let null = |pass: &Value| pass["beta"].as_i64().unwrap() - pass["alpha"].as_i64().unwrap() == 1;
    assert!(passes.iter().all(null));
    let nodes = document["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 40);
    assert!(document["visits"].as_u64().unwrap() > 40);
    assert!(nodes.iter().any(|node| node["pass"] == 1));
}

#[test]
fn players_that_search_no_tree_have_no_trace() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("trace.json");
    let file = file.to_str().unwrap();
    for player in ["random", "greedy", "engine:level=1"] {
        let arguments = ["analyze", "tictactoe", "--player", player, "--trace", file];
        let assert = Command::cargo_bin("ludus").unwrap().args(arguments).assert().code(2);
        let error = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(!Path::new(file).exists());
    }
    let arguments = ["analyze", "tictactoe", "--trace", "no/such/folder/x"];
    Command::cargo_bin("ludus").unwrap().args(arguments).assert().code(1);
    let arguments = ["analyze", "tictactoe", "--trace-size", "5"];
    Command::cargo_bin("ludus").unwrap().args(arguments).assert().code(2);
}

/// `LUDUS_BLESS=1 cargo test` rewrites the file; intended changes must be named in the commit.
#[test]
fn the_bench_signatures_change_only_with_what_players_do() {
    let document = json(&["bench", "--only", "signature"]);
    let mut text = String::new();
    for entry in document["signatures"].as_array().unwrap() {
        writeln!(text, "{} {}", entry["player"].as_str().unwrap(), entry["nodes"]).unwrap();
    }
    let first = text.lines().next().unwrap();
    assert_eq!(first, format!("minimax:depth=2 {}", document["signature"]));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/signatures.txt");
    if std::env::var_os("LUDUS_BLESS").is_some() {
        fs::write(&file, &text).unwrap();
    }
    let known = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        text, known,
        "if the change is meant, run with LUDUS_BLESS=1 and say so in the commit"
    );
}

#[test]
fn networks_are_measured_with_any_number_of_threads() {
    let bench = ["bench", "--only", "models", "--duration", "1ms", "--threads", "2"];
    let document = json(&bench);
    let speeds = document.as_array().unwrap();
    let kinds: Vec<(&str, &str, u64)> = speeds
        .iter()
        .map(|speed| {
            assert!(speed["per_second"].as_f64().unwrap() > 0.0);
            let text = |name: &str| speed[name].as_str().unwrap();
            (text("model"), text("work"), speed["threads"].as_u64().unwrap())
        })
        .collect();
    let conv_net = [("one", 1), ("batch", 1), ("training", 2)];
    let mut expected: Vec<_> = conv_net.map(|(work, threads)| ("conv-net", work, threads)).into();
    expected.push(("dense", "online", 1));
    assert_eq!(kinds, expected);
    let arguments = ["bench", "chess", "--only", "models"];
    Command::cargo_bin("ludus").unwrap().args(arguments).assert().code(2);
}

#[test]
fn the_engine_judges_by_the_weights_of_a_file() {
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/hand/chess.txt");
    let ask = |player: &str| json(&["analyze", "chess", "--player", player, "--depth", "5"]);
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/net/chess.net");
    for (own, file) in [("engine:eval=hand", weights), ("engine", net)] {
        let (own, same) = (ask(own), ask(&format!("engine:weights={file}")));
        assert_eq!((&own["score"], &own["nodes"]), (&same["score"], &same["nodes"]));
    }
    assert_ne!(ask("engine:eval=hand")["nodes"], ask("engine:eval=net")["nodes"]);

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("zero.txt");
    let text = fs::read_to_string(weights).unwrap();
    let is_heading = |line: &str| line.starts_with(['[', '#']) || line.is_empty();
    let zeros = |line: &str| {
        if is_heading(line) {
            return line.to_owned();
        }
        let zero = |word: &str| match word.split_once('*') {
            Some((times, _)) => format!("{times}*0"),
            None => "0".to_owned(),
        };
        line.split_whitespace().map(zero).collect::<Vec<_>>().join(" ")
    };
    fs::write(&file, text.lines().map(zeros).collect::<Vec<_>>().join("\n")).unwrap();
    let blind = ask(&format!("engine:weights={}", file.display()));
    assert_eq!(blind["score"], 0);

    assert!(
        refusal(&["analyze", "chess", "--player", "engine:weights=no-such"]).contains("no-such")
    );
    let player = format!("engine:weights={weights}");
    assert!(refusal(&["analyze", "tictactoe", "--player", &player]).contains("no weights"));
    let player = format!("engine:weights={net}");
    assert!(refusal(&["analyze", "tictactoe", "--player", &player]).contains("no weights"));
    let torn = folder.path().join("torn.net");
    fs::write(&torn, &fs::read(net).unwrap()[..5000]).unwrap();
    let player = format!("engine:weights={}", torn.display());
    let said = refusal(&["analyze", "chess", "--player", &player]);
    assert!(said.contains("torn.net") && said.contains("bytes after the first line"), "{said}");
}

/// Error message of a failing command.
#[track_caller]
fn refusal(arguments: &[&str]) -> String {
    let mut command = Command::cargo_bin("ludus").unwrap();
    let assert = command.args(arguments).assert().failure();
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

#[test]
fn the_engine_finds_every_mate_in_two() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/suites/chess-mate-in-two.epd");
    let found = json(&["suite", "run", suite, "--player", "engine", "--nodes", "400000"]);
    assert_eq!((&found["solved"], &found["total"]), (&240.into(), &240.into()));
}
