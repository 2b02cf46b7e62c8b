//! Recipes, runs, clusters and features over HTTP.

use crate::served::{Served, talk};
use ludus_players::{Resources, find_game};
use ludus_training::kinds::KINDS;
use serde_json::{Value, json};

const QUICK: &str = "# quick\nkind = \"td\"\ngame = \"draughts\"\nplayer = \"neurodraughts:pruning=on\"\n\
                     [td]\nsessions = 3\ngames = 4\nlook_ahead = 1\nrandom_plies = 6\n";

#[test]
fn a_run_has_a_curve_and_files() {
    let server = Served::start();
    let request = json!({ "name": "first-try", "recipe": QUICK });
    let run = server.posted("/api/runs", &request);
    assert_eq!((&run["kind"], &run["game"]), (&json!("td"), &json!("draughts")));
    let about = "a network on features, learning by games against a copy of itself";
    assert_eq!(run["kind_about"], json!(about));
    talk(async {
        let mut socket = server.socket("/api/runs/first-try/live").await;
        assert_eq!(socket.hear().await["type"], json!("run"));
    });
    let run = server.until("/api/runs/first-try", |run| run["state"] == json!("finished"));
    let error = run["curves"].as_array().unwrap();
    let error = error.iter().find(|curve| curve["name"] == json!("error")).unwrap();
    assert_eq!(error["points"].as_array().unwrap().len(), 3);
    assert_eq!(error["x_label"], json!("session"));
    assert!(run["summary"].is_string() && run["checksum"].is_string());
    assert!(!run["checkpoints"].as_array().unwrap().is_empty());
    for what in ["weights", "report", "chart"] {
        let (status, body) = server.get(&format!("/api/runs/first-try/file/{what}"));
        assert_eq!(status, 200, "{what}");
        assert!(!body.as_str().unwrap().is_empty());
    }
    assert_eq!(server.get("/api/runs/first-try/file/recipe.toml").0, 404);
    assert!(server.refused("/api/runs", &request, 409).contains("resume it"));
    assert_eq!(server.post("/api/runs/first-try/resume", &json!({})).0, 409);
    // A new server loads it from its folder.
    let server = Served::start_in(server.end());
    let runs = server.got("/api/runs");
    assert_eq!(runs["runs"][0]["name"], json!("first-try"));
    assert_eq!(runs["runs"][0]["state"], json!("finished"));
}

#[test]
fn a_run_is_stopped_and_goes_on() {
    let server = Served::start();
    let recipe = QUICK.replace("sessions = 3", "sessions = 5000");
    let run = server.posted("/api/runs", &json!({ "recipe": recipe }));
    let path = format!("/api/runs/{}", run["name"].as_str().unwrap());
    assert_eq!(path, "/api/runs/draughts-td-1");
    server.until(&path, |run| run["done"].as_u64() >= Some(2));
    let stopped = server.posted(&format!("{path}/stop"), &json!({}));
    assert_eq!(stopped["state"], json!("stopped"));
    let resumed = server.posted(&format!("{path}/resume"), &json!({}));
    assert_eq!(resumed["state"], json!("running"));
    let more = stopped["done"].as_u64().unwrap() + 2;
    server.until(&path, |run| run["done"].as_u64() >= Some(more));
    server.posted("/api/runs", &json!({ "recipe": recipe }));
    assert!(server.refused("/api/runs", &json!({ "recipe": recipe }), 429).contains("stop one"));
}

#[test]
fn wrong_runs_are_refused() {
    let server = Served::start();
    let refused = |body: Value| server.refused("/api/runs", &body, 400);
    assert!(refused(json!({ "recipe": "kind = \"magic\"" })).contains("line 1"));
    assert!(refused(json!({ "name": "../x", "recipe": QUICK })).contains("lower-case letters"));
    assert!(refused(json!({ "name": "a".repeat(65), "recipe": QUICK })).contains("64"));
    let from = QUICK.replace("[td]", "start = \"/etc/passwd\"\n[td]");
    assert!(refused(json!({ "recipe": from })).contains("beside the recipe"));
    let missing = QUICK.replace("[td]", "start = \"../runs/none/weights.txt\"\n[td]");
    assert!(refused(json!({ "recipe": missing })).contains("none"));
    assert!(
        refused(json!({ "recipe": QUICK.replace("neurodraughts", "hub") })).contains("players")
    );
    for path in
        ["/api/runs/none", "/api/runs/..", "/api/runs/%2e%2e%2fx", "/api/runs/none/file/report"]
    {
        assert_eq!(server.get(path).0, 404, "{path}");
    }
}

#[test]
fn recipes_are_built_in() {
    let server = Served::start();
    let recipes = server.got("/api/recipes");
    let recipes = recipes.as_array().unwrap();
    assert!(recipes.iter().any(|recipe| recipe["name"] == json!("quick-draughts")));
    assert!(recipes.iter().all(|recipe| !recipe["about"].as_str().unwrap().is_empty()));
    for recipe in recipes {
        let kind = KINDS.iter().find(|kind| json!(kind.name) == recipe["kind"]).unwrap();
        assert_eq!(recipe["kind_about"], json!(kind.about), "{}", kind.name);
    }
}

#[test]
fn the_map_has_25_clusters_with_boards() {
    let server = Served::start();
    let map = server.got("/api/clusters");
    assert_eq!(map["units"], json!(25));
    let clusters = map["clusters"].as_array().unwrap();
    assert_eq!(clusters.len(), 25);
    let shown = clusters.iter().filter(|cluster| !cluster["boards"].as_array().unwrap().is_empty());
    assert!(shown.count() >= 20);
    assert_eq!(clusters, server.got("/api/clusters")["clusters"].as_array().unwrap());
}

#[test]
fn features_of_a_position_are_listed() {
    let server = Served::start();
    let analysis_of = |game: &str, player: &str| {
        server.posted("/api/features", &json!({ "game": game, "player": player }))
    };
    let groups = |analysis: &Value| analysis["groups"].as_array().unwrap().len();
    assert_eq!(groups(&analysis_of("draughts", "neurodraughts")), 12);
    assert_eq!(groups(&analysis_of("draughts", "iiga")), 14);
    assert_eq!(groups(&analysis_of("draughts", "ls-draughts")), 15);
    assert_eq!(analysis_of("draughts", "mp-draughts")["judge"], json!("network of iiga"));
    let ending =
        json!({ "game": "draughts", "player": "mp-draughts", "position": "B:W32,K30:B1,K5" });
    let ending = server.posted("/api/features", &ending);
    assert!(ending["judge"].as_str().unwrap().starts_with("specialist "), "{ending}");
    for game in ["chess", "reversi", "go:size=9", "tictactoe", "connect4"] {
        let analysis = analysis_of(game, "greedy");
        assert!(groups(&analysis) > 0, "{game}: {analysis}");
        assert!(analysis["score"].is_i64());
    }
    let refused = |game: &str, player: &str| {
        server.refused("/api/features", &json!({ "game": game, "player": player }), 400)
    };
    assert!(refused("draughts:rules=russian", "iiga").contains("English"));
    assert!(refused("draughts", "nobody").contains("iiga"));
}

/// The learned players of the chess study show boards, or say that their weights are missing.
#[test]
fn learned_players_of_chess_show_their_boards() {
    let server = Served::start();
    for (player, boards) in [("study-logreg", 2), ("study-cnn", 15), ("study-cnn:turn=on", 16)] {
        let asked = json!({ "game": "chess", "player": player });
        if find_game("chess").unwrap().0.check_player(player, &Resources::default()).is_err() {
            let error = server.refused("/api/features", &asked, 400);
            assert!(error.contains("not part of this program yet"), "{error}");
            continue;
        }
        let sight = server.posted("/api/features", &asked);
        let layers = sight["layers"].as_array().unwrap();
        assert_eq!(layers.len(), boards, "{player}");
        assert!(layers.iter().all(|layer| layer["values"].as_array().unwrap().len() == 64));
    }
}
