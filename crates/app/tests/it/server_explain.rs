//! Recorded search trees over HTTP.

use crate::served::Served;
use serde_json::{Value, json};

#[test]
fn a_typed_tree_shows_what_alpha_beta_cuts() {
    let server = Served::start();
    let request =
        |algorithm: &str| json!({ "tree": "((3 12 8) (2 4 6) (14 5 2))", "algorithm": algorithm });
    let answer = server.posted("/api/explain/tree", &request("alphabeta"));
    assert_eq!(answer["analysis"]["score"], json!(3));
    let nodes = answer["trace"]["nodes"].as_array().unwrap();
    assert_eq!(nodes.len(), 11);
    assert_eq!(nodes[2]["label"], json!("a.a"));
    assert_eq!(nodes[2]["value"], json!(3));
    let cut: Vec<&Value> = nodes.iter().filter(|node| node["cause"] == json!("cut")).collect();
    assert_eq!((&cut[0]["label"], &cut[0]["cut"]), (&json!("b"), &json!(2)));
    let unvisited: Vec<&str> = answer["tree"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|node| node["visits"] == json!(0))
        .map(|node| node["label"].as_str().unwrap())
        .collect();
    assert_eq!(unvisited, ["b.b", "b.c"]);

    let algorithms = server.got("/api/algorithms");
    let algorithms = algorithms.as_array().unwrap();
    assert!(algorithms.len() >= 11);
    for algorithm in algorithms {
        assert!(!algorithm["idea"].as_str().unwrap().is_empty(), "{algorithm}");
        let answer =
            server.posted("/api/explain/tree", &request(algorithm["id"].as_str().unwrap()));
        let kind = if answer["trace"]["simulations"].is_array() { "growth" } else { "search" };
        assert_eq!(algorithm["kind"], json!(kind));
    }

    let refused = |body: Value| server.refused("/api/explain/tree", &body, 400);
    assert!(refused(json!({ "tree": "((3 5)", "algorithm": "pvs" })).contains("line 1, column 7"));
    assert!(refused(json!({ "tree": "(1 2)", "algorithm": "engine" })).contains("one of minimax"));
    assert!(
        refused(json!({ "tree": "(1 2)", "algorithm": "pvs", "order": "x" })).contains("order")
    );
    assert!(refused(json!({ "tree": "(1 2)" })).contains("algorithm"));
}

#[test]
fn a_search_of_a_position_is_recorded() {
    let server = Served::start();
    let answer = server.posted(
        "/api/explain",
        &json!({ "game": "draughts", "moves": ["11-15"], "player": "negascout:depth=3" }),
    );
    assert_eq!(answer["analysis"]["depth"], json!(3));
    assert!(!answer["analysis"]["pv_labels"].as_array().unwrap().is_empty());
    assert_eq!(answer["analysis"]["best_cells"].as_array().unwrap().len(), 2);
    assert!(answer["trace"]["nodes"].as_array().unwrap().len() > 50);
    let answer = server.posted(
        "/api/explain",
        &json!({ "game": "tictactoe", "player": "mcts:playouts=50", "size": 20 }),
    );
    assert!(answer["trace"]["simulations"].as_array().unwrap().len() <= 20);
    let value = |player: &str| {
        let request = json!({ "game": "reversi", "moves": ["d3"], "player": player });
        server.posted("/api/explain", &request)["analysis"]["score"].clone()
    };
    for eval in ["hand", "none", "mobility", "random"] {
        let found = value(&format!("mtdf:depth=3,eval={eval}"));
        assert_eq!(found, value(&format!("minimax:depth=3,eval={eval}")), "eval={eval}");
        assert_eq!(found == json!(0), eval == "none", "eval={eval}");
    }
    let refused = |body: Value| server.refused("/api/explain", &body, 400);
    assert!(refused(json!({ "game": "chess", "player": "pvs:eval=net" })).contains("mobility"));
    let place = |player: &str| json!({ "game": "chess", "player": player });
    assert!(refused(place("uci:path=/bin/sh")).contains("players of chess here"));
    assert!(refused(place("engine:weights=/etc/passwd")).contains("files cannot be named"));
    assert!(refused(place("random")).contains("searches a tree"));
    assert!(refused(place("nobody")).contains("minimax"));
    assert!(refused(json!({ "game": "ches", "player": "pvs" })).contains("chess"));
    assert!(
        refused(json!({ "game": "chess", "player": "pvs", "moves": ["e2e5"] })).contains("e2e5")
    );
    assert!(refused(json!({ "game": "chess", "player": "pvs", "size": 20_001 })).contains("20000"));
    assert!(refused(json!({ "game": "chess", "player": "pvs", "depth": 3 })).contains("depth"));
    let over =
        json!({ "game": "tictactoe", "player": "pvs", "moves": ["a1", "b1", "a2", "b2", "a3"] });
    let (status, _) = server.post("/api/explain", &over);
    assert!((400..=503).contains(&status));
}
