//! Live games over HTTP and WebSockets.

use crate::served::{Served, talk};
use serde_json::{Value, json};

struct LiveGame<'a> {
    server: &'a Served,
    state: Value,
}

impl<'a> LiveGame<'a> {
    fn new(server: &'a Served, input: &Value) -> LiveGame<'a> {
        LiveGame { server, state: server.posted("/api/tables", input) }
    }

    fn path(&self, rest: &str) -> String {
        format!("/api/tables/{}{rest}", self.state["id"].as_str().unwrap())
    }

    fn play(&mut self, mv: &str) {
        self.state = self.server.posted(&self.path("/move"), &json!({ "move": mv }));
    }

    fn refuse(&self, mv: &str, status: u16) -> String {
        self.server.refused(&self.path("/move"), &json!({ "move": mv }), status)
    }

    /// Waits for the computer player to move.
    fn answer(&mut self) {
        let rests = |state: &Value| state["thinking"].is_null();
        self.state = self.server.until(&self.path("?wait=60000"), rests);
        assert_eq!(self.state["error"], Value::Null);
    }

    /// Plays the first legal move and lets the computer player answer until the game is over.
    fn play_to_the_end(&mut self) {
        while self.state["ending"].is_null() {
            let mv = self.state["legal"][0]["move"].as_str().unwrap().to_owned();
            self.play(&mv);
            self.answer();
        }
    }

    fn record(&self) -> String {
        self.server.got(&self.path("/record")).as_str().unwrap().to_owned()
    }

    fn act(&mut self, action: &str, body: &Value) {
        self.state = self.server.posted(&self.path(&format!("/{action}")), body);
    }

    fn moves(&self) -> Vec<&str> {
        texts(&self.state["moves"], "move")
    }

    fn labels(&self) -> Vec<&str> {
        texts(&self.state["moves"], "label")
    }

    fn piece(&self, cell: &str) -> &Value {
        let cells = self.state["view"]["cells"].as_array().unwrap();
        &cells.iter().find(|one| one["name"] == cell).unwrap()["piece"]
    }
}

fn texts<'a>(list: &'a Value, key: &str) -> Vec<&'a str> {
    list.as_array().unwrap().iter().map(|one| one[key].as_str().unwrap()).collect()
}

#[test]
fn a_game_of_draughts_with_a_multi_jump() {
    let server = Served::start();
    let input = json!({ "game": "draughts", "position": "B:W6,14,22:B1" });
    let mut game = LiveGame::new(&server, &input);
    let legal = game.state["legal"].as_array().unwrap();
    assert_eq!(legal.len(), 1);
    assert_eq!(legal[0]["cells"].as_array().unwrap().len(), 4, "{}", legal[0]);
    assert!(game.refuse("1-5", 400).contains("1x"), "a jump is made");
    game.play("1x10x17x26");
    assert_eq!(game.state["ending"]["outcome"], "first");
    assert_eq!(game.state["ending"]["reason"], "as the other side has no pieces left");
    assert_eq!(game.state["last_cells"].as_array().unwrap().len(), 4);
    assert!(game.refuse("26-31", 409).contains("the game is over: Black wins"));

    let mut game =
        LiveGame::new(&server, &json!({ "game": "draughts", "second": "engine:level=1" }));
    game.play_to_the_end();
    assert!(game.record().contains("[GameType \"21"), "{}", game.record());
}

#[test]
fn every_rule_set_of_draughts_is_played_on_its_own_board() {
    let server = Served::start();
    for (rules, mv, dark_first, game_type) in [
        ("italian", "21-17", true, "22,W,8,8,N2,1"),
        ("spanish", "10-13", true, "24,W,8,8,N1,1"),
        ("czech", "c3-d4", false, "29,W,8,8,A0,0"),
        ("pool", "11-15", false, "23,B,8,8,N1,0"),
    ] {
        let input =
            json!({ "game": format!("draughts:rules={rules}"), "second": "engine:level=1" });
        let mut game = LiveGame::new(&server, &input);
        let view = &game.state["view"];
        assert_eq!(view["dark_first"], dark_first, "{rules}");
        assert_eq!(view["cells"][0]["name"] != "", dark_first, "{rules}");
        game.play(mv);
        game.answer();
        assert_eq!(game.moves().len(), 2, "{rules}");
        assert_eq!(game.moves()[0], mv, "{rules}");
        game.play_to_the_end();
        let record = game.record();
        assert!(record.contains(&format!("[GameType \"{game_type}\"]")), "{record}");
        assert!(!record.trim_end().ends_with('*'), "a finished game: {record}");
    }
}

#[test]
fn a_game_of_chess_with_castling_and_promotion() {
    let server = Served::start();
    let position = "8/P5k1/8/8/8/8/8/R3K2R w KQ - 0 1";
    let mut game = LiveGame::new(&server, &json!({ "game": "chess", "position": position }));
    let legal = game.state["legal"].as_array().unwrap().clone();
    let promotions: Vec<&Value> =
        legal.iter().filter(|mv| mv["move"].as_str().unwrap().starts_with("a7a8")).collect();
    assert_eq!(promotions.len(), 4);
    assert!(promotions.iter().all(|mv| mv["cells"] == promotions[0]["cells"]));
    game.play("e1c1");
    assert_eq!(game.labels(), ["O-O-O"]);
    assert_eq!(game.piece("d1")["kind"], "rook");
    game.play("g7g6");
    game.play("a7a8q");
    assert_eq!(game.piece("a8")["kind"], "queen");
    assert_eq!(game.labels()[2], "a8=Q");
    let before = server.got(&game.path("/at/1"));
    assert_eq!((&before["label"], &before["last_cells"]), (&json!("O-O-O"), &json!([60, 58])));
    assert_eq!(server.get(&game.path("/at/4")).0, 404);
}

#[test]
fn a_game_of_go_with_a_capture_a_ko_and_two_passes() {
    let server = Served::start();
    let mut game = LiveGame::new(&server, &json!({ "game": "go:size=9" }));
    for mv in ["B3", "D4", "C4", "D2", "C2", "E3", "A1", "C3"] {
        game.play(mv);
    }
    game.play("D3");
    assert!(game.piece("C3").is_null(), "it was captured");
    let refusal = game.refuse("C3", 400);
    assert!(refusal.contains("C3") && refusal.contains("ko"), "{refusal}");
    assert!(texts(&game.state["legal"], "move").iter().all(|mv| *mv != "C3"));
    game.play("pass");
    game.play("pass");
    assert_eq!(game.state["ending"]["reason"], "after two passes");
    assert!(game.state["ending"]["margin"].is_number());
    let record = server.got(&game.path("/record?format=sgf"));
    assert!(record.as_str().unwrap().contains(";B[dg]"), "{record}");
}

#[test]
fn reversi_is_passed_and_connect_four_won() {
    let server = Served::start();
    let position = format!("OX{} X", "-".repeat(62));
    let mut game = LiveGame::new(&server, &json!({ "game": "reversi", "position": position }));
    assert_eq!(texts(&game.state["legal"], "move"), ["pass"]);
    assert_eq!(game.state["legal"][0]["cells"], json!([]));
    game.play("pass");
    game.play("c1");
    assert_eq!(game.state["ending"]["outcome"], "second");

    let mut game = LiveGame::new(&server, &json!({ "game": "connect4" }));
    for mv in ["d", "e", "d", "e", "d", "e", "d"] {
        game.play(mv);
    }
    assert_eq!(game.state["ending"]["words"], "Yellow wins with four in a row");
}

#[test]
fn a_player_answers_and_takes_back() {
    let server = Served::start();
    let input = json!({ "game": "chess", "first": "engine:level=1", "seed": 7 });
    let mut game = LiveGame::new(&server, &input);
    game.answer();
    assert_eq!(game.moves().len(), 1, "it has the first move");
    let (status, _) = server.post(&game.path("/undo"), &json!({}));
    assert_eq!(status, 409, "the human has not moved yet");
    game.play("a6");
    assert_eq!(game.state["sides"]["second"]["player"], Value::Null);
    game.answer();
    assert_eq!(game.moves().len(), 3);
    let version = game.state["version"].as_u64().unwrap();
    game.act("undo", &json!({}));
    assert_eq!(game.moves().len(), 1);
    assert!(game.state["version"].as_u64().unwrap() > version);
    assert_eq!(game.state["turn"], "second");
    let hint = server.posted(&game.path("/hint"), &json!({}));
    assert_eq!(hint["cells"].as_array().unwrap().len(), 2);
    assert_eq!(hint["analysis"]["player"], "engine");
    let words = hint["analysis"]["score_words"].as_str().unwrap();
    assert!(words.starts_with(['+', '-']), "{words}");
    game.act("resign", &json!({ "side": "second" }));
    assert_eq!(game.state["ending"]["words"], "White wins by resignation");
    assert_eq!(game.state["legal"], json!([]));
    game.act("undo", &json!({}));
    assert_eq!(game.state["ending"], Value::Null);
}

#[test]
fn moves_out_of_turn_are_refused() {
    let server = Served::start();
    // A player that searches for a long time.
    let input =
        json!({ "game": "chess", "first": "minimax:depth=30", "limits": { "time_ms": 60000 } });
    let mut game = LiveGame::new(&server, &input);
    assert_eq!(game.state["thinking"], "first");
    assert!(game.refuse("e2e4", 409).contains("White's turn (played by minimax:depth=30)"));
    assert_eq!(server.post(&game.path("/draw"), &json!({})).0, 409);
    assert_eq!(server.post(&game.path("/resign"), &json!({ "side": "first" })).0, 409);
    game.act("go", &json!({}));
    game.answer();
    assert_eq!(game.moves().len(), 1, "it plays what it has found so far");
    assert_eq!(server.post(&game.path("/go"), &json!({})).0, 409);
    assert_eq!(server.request("DELETE", &game.path(""), None).0, 204);
    assert_eq!(server.get(&game.path("")).0, 404);
    assert_eq!(server.got("/api/tables")["tables"], json!([]));
}

#[test]
fn two_people_agree_on_a_draw() {
    let server = Served::start();
    let mut game = LiveGame::new(&server, &json!({ "game": "chess" }));
    assert_eq!(server.request("POST", &game.path("/draw"), None).0, 200, "it needs no body");
    game.play("e4");
    assert_eq!(game.state["draw_offer"], "first", "it stands until the other side moves");
    game.play("e5");
    assert_eq!(game.state["draw_offer"], Value::Null, "a move declines it");
    assert_eq!(server.post(&game.path("/draw/decline"), &json!({})).0, 409);

    game.act("draw", &json!({ "side": "second" }));
    assert_eq!(game.state["draw_offer"], "second", "also out of turn");
    game.act("draw/decline", &json!({}));
    assert_eq!((&game.state["draw_offer"], &game.state["ending"]), (&Value::Null, &Value::Null));
    game.act("draw", &json!({}));
    game.act("undo", &json!({}));
    assert_eq!(game.state["draw_offer"], Value::Null);

    game.act("draw", &json!({}));
    game.act("draw", &json!({ "side": "second" }));
    assert_eq!(game.state["draw_offer"], "second");
    game.act("draw", &json!({ "side": "first" }));
    assert_eq!(game.state["ending"]["words"], "A draw by agreement");
    assert_eq!(game.state["draw_offer"], Value::Null);
}

#[test]
fn a_player_agrees_on_a_draw() {
    let server = Served::start();
    // A lone king against two rooks accepts a draw, but not before ply 20. It cannot leave its rank, so it
    // never blocks the other king, which visits a new square every move.
    let position = "7k/RR6/8/8/8/8/8/7K w - - 0 1";
    let input = json!({ "game": "chess", "position": position, "second": "engine:level=5" });
    let mut game = LiveGame::new(&server, &input);
    game.act("draw", &json!({}));
    assert_eq!(game.state["ending"], Value::Null);
    for mv in ["h1h2", "h2h3", "h3g3", "g3f3", "f3e3", "e3d3", "d3c3", "c3c2", "c2d2", "d2e2"] {
        game.play(mv);
        game.answer();
        assert_eq!(game.state["ending"], Value::Null, "{}", game.state["moves"]);
    }
    game.act("draw", &json!({}));
    assert_eq!(game.state["ending"]["words"], "A draw by agreement");
}

#[test]
fn flags_fall_without_a_request() {
    let server = Served::start();
    let clock = json!({ "seconds": 1, "increment": 0 });
    let mut game = LiveGame::new(&server, &json!({ "game": "chess", "clock": clock }));
    assert_eq!(game.state["sides"]["first"]["clock_ms"], json!(1000));
    game.play("e4");
    let over = server.until(&game.path(""), |game| !game["ending"].is_null());
    assert_eq!(over["ending"]["words"], "White wins on time");
    assert_eq!(over["sides"]["second"]["clock_ms"], json!(0));
    assert_eq!(server.post(&game.path("/undo"), &json!({})).0, 409);
}

#[test]
fn taking_back_charges_the_side_that_was_to_move() {
    let server = Served::start();
    // Enough time that the search is still running when it is observed.
    let clock = json!({ "seconds": 86_400, "increment": 0 });
    let input = json!({
        "game": "chess", "second": "minimax:depth=30", "limits": { "time_ms": 60000 }, "clock": clock,
    });
    let mut game = LiveGame::new(&server, &input);
    game.play("e4");
    let left = |state: &Value, side: &str| state["sides"][side]["clock_ms"].as_u64().unwrap();
    server.until(&game.path(""), |state| left(state, "second") < 86_399_700);
    game.act("undo", &json!({}));
    assert_eq!(left(&game.state, "first"), 86_400_000, "the other side was to move");
    assert!(left(&game.state, "second") < 86_399_700);
    // Another clock runs meanwhile.
    let mut other = LiveGame::new(&server, &json!({ "game": "chess", "clock": clock }));
    other.play("e4");
    server.until(&other.path(""), |state| left(state, "second") < 86_399_950);
    let later = server.got(&game.path(""));
    assert_eq!(later["sides"], game.state["sides"], "the clock is stopped before the first move");
}

#[test]
fn an_end_stays_where_nothing_can_be_taken_back() {
    let server = Served::start();
    let input =
        json!({ "game": "chess", "first": "minimax:depth=30", "limits": { "time_ms": 60000 } });
    let mut game = LiveGame::new(&server, &input);
    game.act("resign", &json!({ "side": "second" }));
    assert_eq!(game.state["ending"]["reason"], "by resignation");
    assert_eq!(server.post(&game.path("/undo"), &json!({})).0, 409);
    let after = server.got(&game.path(""));
    assert_eq!((&after["ending"], &after["thinking"]), (&game.state["ending"], &Value::Null));
}

#[test]
fn asleep_requests_do_not_resume_a_search() {
    let server = Served::start();
    let limits = json!({ "time_ms": 60000 });
    let input = json!({ "game": "chess", "first": "minimax:depth=30", "limits": limits });
    let game = LiveGame::new(&server, &input);
    talk(async {
        let mut socket = server.socket(&game.path("/live")).await;
        socket.hear().await;
    });
    let asleep = game.path("?asleep=true");
    server.until(&asleep, |state| state["thinking"].is_null());
    assert_eq!(server.got(&game.path(""))["thinking"], "first", "a normal request resumes it");
}

#[test]
fn a_live_game_sends_every_change() {
    let server = Served::start();
    let limits = json!({ "time_ms": 400 });
    let input = json!({ "game": "chess", "second": "engine", "limits": limits });
    let game = LiveGame::new(&server, &input);
    talk(async {
        let mut socket = server.socket(&game.path("/live")).await;
        let first = socket.hear().await;
        assert_eq!((&first["type"], &first["table"]["id"]), (&json!("table"), &game.state["id"]));
        server.posted(&game.path("/move"), &json!({ "move": "e4" }));
        let mut heard = socket.hear_until("thinking").await;
        let thought = heard.pop().unwrap();
        assert_eq!(thought["analysis"]["player"], "engine");
        assert!(thought["analysis"]["pv_labels"].is_array());
        loop {
            let message = socket.hear_until("table").await.pop().unwrap();
            if message["table"]["moves"].as_array().unwrap().len() == 2 {
                assert_eq!(message["table"]["thinking"], Value::Null);
                break;
            }
        }
    });
}

#[test]
fn the_analysis_of_a_move_is_sent_and_kept() {
    let server = Served::start();
    for (game, player) in [
        ("chess", "engine:level=3"),
        ("connect4", "engine:level=2"),
        ("go:size=9", "engine:level=1"),
        ("tictactoe", "random"),
    ] {
        let mut game = LiveGame::new(&server, &json!({ "game": game, "first": player }));
        game.answer();
        talk(async {
            let mut socket = server.socket(&game.path("/live")).await;
            let kept = socket.hear_until("thinking").await.pop().unwrap();
            assert_eq!(kept["analysis"]["best"].as_str(), Some(game.moves()[0]), "{kept}");
            let mv = &game.state["legal"][0]["move"];
            server.posted(&game.path("/move"), &json!({ "move": mv }));
            let heard = socket.hear_until("thinking").await;
            let moves = |message: &Value| message["table"]["moves"].as_array().map_or(0, Vec::len);
            assert!(heard.iter().all(|message| moves(message) < 3), "it is sent before the move");
        });
        game.answer();
        assert_eq!(game.moves().len(), 3);
    }
}

#[test]
fn a_search_ends_when_its_watcher_disconnects() {
    let server = Served::start();
    let input =
        json!({ "game": "chess", "first": "minimax:depth=30", "limits": { "time_ms": 60000 } });
    let games: Vec<LiveGame<'_>> = (0..4).map(|_| LiveGame::new(&server, &input)).collect();
    talk(async {
        for game in &games {
            server.socket(&game.path("/live")).await.hear().await;
        }
    });
    // The searches of these four games would keep all threads busy until they are finished.
    let mut game = LiveGame::new(&server, &json!({ "game": "tictactoe", "second": "random" }));
    game.play("b2");
    game.answer();
    assert_eq!(game.moves().len(), 2);
    for game in games {
        let state = server.got(&game.path("?asleep=true"));
        assert_eq!(state["moves"], json!([]), "a search went on to its end");
    }
}

#[test]
fn games_go_on_from_records_in_any_format() {
    let server = Served::start();
    let record = "1. e4 (1. d4 {quiet} d5) 1... e5 2. Nf3 *";
    let read = server.posted("/api/positions", &json!({ "game": "chess", "record": record }));
    assert_eq!(read["format"], "pgn");
    assert_eq!(texts(&read["moves"], "label"), ["e4", "e5", "Nf3"]);
    assert_eq!(read["positions"].as_array().unwrap().len(), 4);
    let variation = &read["variations"]["children"][1];
    assert_eq!((&variation["move"], &variation["label"]), (&json!("d2d4"), &json!("d4")));
    assert_eq!(variation["comment"], "quiet");
    assert_eq!(variation["children"][0]["label"], "d5");

    let mut game = LiveGame::new(&server, &json!({ "game": "chess", "record": record }));
    assert_eq!(game.moves().len(), 3);
    game.play("Nc6");
    let json_record = server.get(&game.path("/record?format=json")).1.to_string();
    let read = server.posted("/api/positions", &json!({ "game": "chess", "record": json_record }));
    assert_eq!(texts(&read["moves"], "label"), ["e4", "e5", "Nf3", "Nc6"]);

    let sgf = "(;GM[1]SZ[9];B[ee];W[cc])";
    let read = server.posted("/api/positions", &json!({ "game": "go", "record": sgf }));
    assert_eq!(read["game"], "go:size=9");
    assert_eq!(texts(&read["moves"], "move"), ["E5", "C7"]);
    let moves = json!({ "game": "reversi", "moves": ["d3", "c3"] });
    assert_eq!(server.posted("/api/positions", &moves)["turn"], "first");
}

#[test]
fn sides_and_endings_have_the_names_of_their_game() {
    let server = Served::start();
    let read = |input: Value| server.posted("/api/positions", &input);
    for (game, first, second) in [
        ("chess", "White", "Black"),
        ("draughts", "Black", "White"),
        ("draughts:rules=italian", "White", "Black"),
        ("draughts:rules=pool", "Black", "White"),
        ("go", "Black", "White"),
        ("connect4", "Yellow", "Red"),
        ("tictactoe", "Crosses", "Noughts"),
    ] {
        let sides = &read(json!({ "game": game }))["sides"];
        assert_eq!(sides, &json!({ "first": first, "second": second }), "{game}");
    }
    for (game, position, words) in [
        ("chess", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "White wins by checkmate"),
        ("chess", "k7/8/1Q6/8/8/8/8/6K1 b - - 0 1", "A draw by stalemate"),
        ("tictactoe", "ooo/x.x/x.. x", "Noughts win with three in a row"),
    ] {
        let answer = read(json!({ "game": game, "position": position }));
        assert_eq!(answer["ending"]["words"], words, "{position}");
    }
}

#[test]
fn wrong_input_is_refused_with_a_reason() {
    let server = Served::start();
    let refused = |input: Value| server.refused("/api/tables", &input, 400);
    assert!(refused(json!({ "game": "ludo" })).contains("draughts"));
    assert!(refused(json!({ "game": "chess", "position": "x" })).contains("expected"));
    let size = refused(json!({ "game": "go:size=-5" }));
    assert!(size.starts_with("bad size of go \"-5\": expected a whole number from"), "{size}");
    assert!(refused(json!({ "game": "chess", "record": "1. e5" })).contains("e5"));
    assert!(refused(json!({ "game": "chess", "first": "uci:path=/bin/sh" })).contains("players"));
    assert!(refused(json!({ "game": "go", "first": "engine:net=/etc/passwd" })).contains("files"));
    assert!(refused(json!({ "game": "chess", "first": "engine:table=64GB" })).contains("at most"));
    assert!(refused(json!({ "game": "chess", "clock": { "seconds": 0 } })).contains("86400"));
    assert!(refused(json!({ "game": "chess", "limits": { "time_ms": 0 } })).contains("60000"));
    assert!(refused(json!({ "game": "chess", "colour": "red" })).contains("colour"));
    let rules = json!({ "game": "draughts:rules=russian", "first": "neurodraughts" });
    assert!(refused(rules).contains("russian"), "its network supports English draughts only");
    let both = json!({ "game": "chess", "position": "x", "record": "y" });
    assert!(refused(both).contains("one of them"));
}

#[test]
fn the_gallery_and_the_description_are_complete() {
    let server = Served::start();
    let games = server.got("/api/games");
    let chess = games["games"].as_array().unwrap().iter().find(|game| game["id"] == "chess");
    let players = chess.unwrap()["players"].as_array().unwrap();
    assert!(players.iter().all(|player| player["id"] != "uci"));
    let engine = players.iter().find(|player| player["id"] == "engine").unwrap();
    assert_eq!(
        engine["levels"],
        json!({ "option": "level", "min": 1.0, "max": 10.0, "default": 3 })
    );
    assert_eq!(engine["traced"], true);
    for game in games["games"].as_array().unwrap() {
        let engine = game["players"].as_array().unwrap().iter().find(|one| one["id"] == "engine");
        assert!(engine.is_none_or(|engine| engine["levels"].is_object()), "{}", game["id"]);
    }
    let description = server.got("/api/openapi.json");
    assert!(description["paths"]["/api/tables/{id}/move"]["post"].is_object());
    assert!(server.got("/api").as_str().unwrap().contains("POST /api/tables"));
    assert_eq!(server.get("/api/nothing").0, 404);
    assert_eq!(server.request("PUT", "/api/tables", Some("{}")).0, 405);
}
