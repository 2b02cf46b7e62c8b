//! Games at the tables of the server, over TCP.

use crate::served::{Served, talk};
use serde_json::{Value, json};

struct Table<'a> {
    server: &'a Served,
    state: Value,
}

impl<'a> Table<'a> {
    fn new(server: &'a Served, input: &Value) -> Table<'a> {
        Table { server, state: server.posted("/api/tables", input) }
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

    /// Waits for the player.
    fn answer(&mut self) {
        let rests = |state: &Value| state["thinking"].is_null();
        self.state = self.server.until(&self.path("?wait=60000"), rests);
        assert_eq!(self.state["error"], Value::Null);
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
    let mut table = Table::new(&server, &input);
    let legal = table.state["legal"].as_array().unwrap();
    assert_eq!(legal.len(), 1);
    assert_eq!(legal[0]["cells"].as_array().unwrap().len(), 4, "{}", legal[0]);
    assert!(table.refuse("1-5", 400).contains("1x"), "a jump is made");
    table.play("1x10x17x26");
    assert_eq!(table.state["ending"]["outcome"], "first");
    assert_eq!(table.state["ending"]["reason"], "as the other side has no pieces left");
    assert_eq!(table.state["last_cells"].as_array().unwrap().len(), 4);
    assert!(table.refuse("26-31", 409).contains("the game is over: Black wins"));

    let mut table = Table::new(&server, &json!({ "game": "draughts", "second": "engine:level=1" }));
    while table.state["ending"].is_null() {
        let mv = table.state["legal"][0]["move"].as_str().unwrap().to_owned();
        table.play(&mv);
        table.answer();
    }
    let record = server.got(&table.path("/record"));
    assert!(record.as_str().unwrap().contains("[GameType \"21"), "{record}");
}

#[test]
fn a_game_of_chess_with_castling_and_promotion() {
    let server = Served::start();
    let position = "8/P5k1/8/8/8/8/8/R3K2R w KQ - 0 1";
    let mut table = Table::new(&server, &json!({ "game": "chess", "position": position }));
    let legal = table.state["legal"].as_array().unwrap().clone();
    let promotions: Vec<&Value> =
        legal.iter().filter(|mv| mv["move"].as_str().unwrap().starts_with("a7a8")).collect();
    assert_eq!(promotions.len(), 4);
    assert!(promotions.iter().all(|mv| mv["cells"] == promotions[0]["cells"]));
    table.play("e1c1");
    assert_eq!(table.labels(), ["O-O-O"]);
    assert_eq!(table.piece("d1")["kind"], "rook");
    table.play("g7g6");
    table.play("a7a8q");
    assert_eq!(table.piece("a8")["kind"], "queen");
    assert_eq!(table.labels()[2], "a8=Q");
    let before = server.got(&table.path("/at/1"));
    assert_eq!((&before["label"], &before["last_cells"]), (&json!("O-O-O"), &json!([60, 58])));
    assert_eq!(server.get(&table.path("/at/4")).0, 404);
}

#[test]
fn a_game_of_go_with_a_capture_a_ko_and_two_passes() {
    let server = Served::start();
    let mut table = Table::new(&server, &json!({ "game": "go:size=9" }));
    for mv in ["B3", "D4", "C4", "D2", "C2", "E3", "A1", "C3"] {
        table.play(mv);
    }
    table.play("D3");
    assert!(table.piece("C3").is_null(), "it was captured");
    let refusal = table.refuse("C3", 400);
    assert!(refusal.contains("C3") && refusal.contains("ko"), "{refusal}");
    assert!(texts(&table.state["legal"], "move").iter().all(|mv| *mv != "C3"));
    table.play("pass");
    table.play("pass");
    assert_eq!(table.state["ending"]["reason"], "after two passes");
    assert!(table.state["ending"]["margin"].is_number());
    let record = server.got(&table.path("/record?format=sgf"));
    assert!(record.as_str().unwrap().contains(";B[dg]"), "{record}");
}

#[test]
fn reversi_is_passed_and_connect_four_won() {
    let server = Served::start();
    let position = format!("OX{} X", "-".repeat(62));
    let mut table = Table::new(&server, &json!({ "game": "reversi", "position": position }));
    assert_eq!(texts(&table.state["legal"], "move"), ["pass"]);
    assert_eq!(table.state["legal"][0]["cells"], json!([]));
    table.play("pass");
    table.play("c1");
    assert_eq!(table.state["ending"]["outcome"], "second");

    let mut table = Table::new(&server, &json!({ "game": "connect4" }));
    for mv in ["d", "e", "d", "e", "d", "e", "d"] {
        table.play(mv);
    }
    assert_eq!(table.state["ending"]["words"], "Yellow wins with four in a row");
}

#[test]
fn a_player_answers_and_takes_back() {
    let server = Served::start();
    let input = json!({ "game": "chess", "first": "engine:level=1", "seed": 7 });
    let mut table = Table::new(&server, &input);
    table.answer();
    assert_eq!(table.moves().len(), 1, "it has the first move");
    let (status, _) = server.post(&table.path("/undo"), &json!({}));
    assert_eq!(status, 409, "the human has not moved yet");
    table.play("a6");
    assert_eq!(table.state["sides"]["second"]["player"], Value::Null);
    table.answer();
    assert_eq!(table.moves().len(), 3);
    let version = table.state["version"].as_u64().unwrap();
    table.act("undo", &json!({}));
    assert_eq!(table.moves().len(), 1);
    assert!(table.state["version"].as_u64().unwrap() > version);
    assert_eq!(table.state["turn"], "second");
    let hint = server.posted(&table.path("/hint"), &json!({}));
    assert_eq!(hint["cells"].as_array().unwrap().len(), 2);
    assert_eq!(hint["analysis"]["player"], "engine");
    let words = hint["analysis"]["score_words"].as_str().unwrap();
    assert!(words.starts_with(['+', '-']), "{words}");
    table.act("resign", &json!({ "side": "second" }));
    assert_eq!(table.state["ending"]["words"], "White wins by resignation");
    assert_eq!(table.state["legal"], json!([]));
    table.act("undo", &json!({}));
    assert_eq!(table.state["ending"], Value::Null);
}

#[test]
fn it_is_not_everybodys_turn() {
    let server = Served::start();
    // A player that has long to think.
    let input =
        json!({ "game": "chess", "first": "minimax:depth=30", "limits": { "time_ms": 60000 } });
    let mut table = Table::new(&server, &input);
    assert_eq!(table.state["thinking"], "first");
    assert!(table.refuse("e2e4", 409).contains("White's turn, whom minimax:depth=30 plays"));
    assert_eq!(server.post(&table.path("/draw"), &json!({})).0, 409);
    assert_eq!(server.post(&table.path("/resign"), &json!({ "side": "first" })).0, 409);
    table.act("go", &json!({}));
    table.answer();
    assert_eq!(table.moves().len(), 1, "it plays what it has found so far");
    assert_eq!(server.post(&table.path("/go"), &json!({})).0, 409);
    assert_eq!(server.request("DELETE", &table.path(""), None).0, 204);
    assert_eq!(server.get(&table.path("")).0, 404);
    assert_eq!(server.got("/api/tables")["tables"], json!([]));
}

#[test]
fn two_people_agree_on_a_draw() {
    let server = Served::start();
    let mut table = Table::new(&server, &json!({ "game": "chess" }));
    assert_eq!(server.request("POST", &table.path("/draw"), None).0, 200, "it needs no body");
    table.play("e4");
    assert_eq!(table.state["draw_offer"], "first", "it stands until the other side moves");
    table.play("e5");
    assert_eq!(table.state["draw_offer"], Value::Null, "a move declines it");
    assert_eq!(server.post(&table.path("/draw/decline"), &json!({})).0, 409);

    table.act("draw", &json!({ "side": "second" }));
    assert_eq!(table.state["draw_offer"], "second", "also out of turn");
    table.act("draw/decline", &json!({}));
    assert_eq!((&table.state["draw_offer"], &table.state["ending"]), (&Value::Null, &Value::Null));
    table.act("draw", &json!({}));
    table.act("undo", &json!({}));
    assert_eq!(table.state["draw_offer"], Value::Null);

    table.act("draw", &json!({}));
    table.act("draw", &json!({ "side": "second" }));
    assert_eq!(table.state["draw_offer"], "second");
    table.act("draw", &json!({ "side": "first" }));
    assert_eq!(table.state["ending"]["words"], "A draw by agreement");
    assert_eq!(table.state["draw_offer"], Value::Null);
}

#[test]
fn a_player_agrees_on_a_draw() {
    let server = Served::start();
    // A lone king against two rooks is glad of a draw, but not at once. It cannot leave its row and so
    // never stands in the way of the other king, which goes where it has not been.
    let position = "7k/RR6/8/8/8/8/8/7K w - - 0 1";
    let input = json!({ "game": "chess", "position": position, "second": "engine:level=5" });
    let mut table = Table::new(&server, &input);
    table.act("draw", &json!({}));
    assert_eq!(table.state["ending"], Value::Null);
    for mv in ["h1h2", "h2h3", "h3g3", "g3f3", "f3e3", "e3d3", "d3c3", "c3c2", "c2d2", "d2e2"] {
        table.play(mv);
        table.answer();
        assert_eq!(table.state["ending"], Value::Null, "{}", table.state["moves"]);
    }
    table.act("draw", &json!({}));
    assert_eq!(table.state["ending"]["words"], "A draw by agreement");
}

#[test]
fn flags_fall_by_themselves() {
    let server = Served::start();
    let clock = json!({ "seconds": 1, "increment": 0 });
    let mut table = Table::new(&server, &json!({ "game": "chess", "clock": clock }));
    assert_eq!(table.state["sides"]["first"]["clock_ms"], json!(1000));
    table.play("e4");
    let over = server.until(&table.path(""), |table| !table["ending"].is_null());
    assert_eq!(over["ending"]["words"], "White wins on time");
    assert_eq!(over["sides"]["second"]["clock_ms"], json!(0));
    assert_eq!(server.post(&table.path("/undo"), &json!({})).0, 409);
}

#[test]
fn taking_back_charges_who_has_thought() {
    let server = Served::start();
    // So much time that the search does not end before it is looked at.
    let clock = json!({ "seconds": 86_400, "increment": 0 });
    let input = json!({
        "game": "chess", "second": "minimax:depth=30", "limits": { "time_ms": 60000 }, "clock": clock,
    });
    let mut table = Table::new(&server, &input);
    table.play("e4");
    let left = |state: &Value, side: &str| state["sides"][side]["clock_ms"].as_u64().unwrap();
    server.until(&table.path(""), |state| left(state, "second") < 86_399_700);
    table.act("undo", &json!({}));
    assert_eq!(left(&table.state, "first"), 86_400_000, "the other side thought");
    assert!(left(&table.state, "second") < 86_399_700);
    // Meanwhile another clock runs.
    let mut other = Table::new(&server, &json!({ "game": "chess", "clock": clock }));
    other.play("e4");
    server.until(&other.path(""), |state| left(state, "second") < 86_399_950);
    let later = server.got(&table.path(""));
    assert_eq!(later["sides"], table.state["sides"], "clocks stand before the first move");
}

#[test]
fn an_end_stays_where_nothing_can_be_taken_back() {
    let server = Served::start();
    let input =
        json!({ "game": "chess", "first": "minimax:depth=30", "limits": { "time_ms": 60000 } });
    let mut table = Table::new(&server, &input);
    table.act("resign", &json!({ "side": "second" }));
    assert_eq!(table.state["ending"]["reason"], "by resignation");
    assert_eq!(server.post(&table.path("/undo"), &json!({})).0, 409);
    let after = server.got(&table.path(""));
    assert_eq!((&after["ending"], &after["thinking"]), (&table.state["ending"], &Value::Null));
}

#[test]
fn looking_does_not_wake_a_game_nobody_watches() {
    let server = Served::start();
    let limits = json!({ "time_ms": 60000 });
    let input = json!({ "game": "chess", "first": "minimax:depth=30", "limits": limits });
    let table = Table::new(&server, &input);
    talk(async {
        let mut socket = server.socket(&table.path("/live")).await;
        socket.hear().await;
    });
    let asleep = table.path("?asleep=true");
    server.until(&asleep, |state| state["thinking"].is_null());
    assert_eq!(server.got(&table.path(""))["thinking"], "first", "who wants the move wakes it");
}

#[test]
fn a_live_table_tells_of_every_change() {
    let server = Served::start();
    let limits = json!({ "time_ms": 400 });
    let input = json!({ "game": "chess", "second": "engine", "limits": limits });
    let table = Table::new(&server, &input);
    talk(async {
        let mut socket = server.socket(&table.path("/live")).await;
        let first = socket.hear().await;
        assert_eq!((&first["type"], &first["table"]["id"]), (&json!("table"), &table.state["id"]));
        server.posted(&table.path("/move"), &json!({ "move": "e4" }));
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
fn what_a_player_thought_of_its_move_is_told_and_kept() {
    let server = Served::start();
    for (game, player) in [
        ("chess", "engine:level=3"),
        ("connect4", "engine:level=2"),
        ("go:size=9", "engine:level=1"),
        ("tictactoe", "random"),
    ] {
        let mut table = Table::new(&server, &json!({ "game": game, "first": player }));
        table.answer();
        talk(async {
            let mut socket = server.socket(&table.path("/live")).await;
            let kept = socket.hear_until("thinking").await.pop().unwrap();
            assert_eq!(kept["analysis"]["best"].as_str(), Some(table.moves()[0]), "{kept}");
            let mv = &table.state["legal"][0]["move"];
            server.posted(&table.path("/move"), &json!({ "move": mv }));
            let heard = socket.hear_until("thinking").await;
            let moves = |message: &Value| message["table"]["moves"].as_array().map_or(0, Vec::len);
            assert!(heard.iter().all(|message| moves(message) < 3), "it is told before the move");
        });
        table.answer();
        assert_eq!(table.moves().len(), 3);
    }
}

#[test]
fn a_search_ends_when_its_page_goes_away() {
    let server = Served::start();
    let input =
        json!({ "game": "chess", "first": "minimax:depth=30", "limits": { "time_ms": 60000 } });
    let tables: Vec<Table<'_>> = (0..4).map(|_| Table::new(&server, &input)).collect();
    talk(async {
        for table in &tables {
            server.socket(&table.path("/live")).await.hear().await;
        }
    });
    // The searches of these four would keep all threads busy until they have found their moves.
    let mut table = Table::new(&server, &json!({ "game": "tictactoe", "second": "random" }));
    table.play("b2");
    table.answer();
    assert_eq!(table.moves().len(), 2);
    for table in tables {
        let state = server.got(&table.path("?asleep=true"));
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

    let mut table = Table::new(&server, &json!({ "game": "chess", "record": record }));
    assert_eq!(table.moves().len(), 3);
    table.play("Nc6");
    let json_record = server.get(&table.path("/record?format=json")).1.to_string();
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
fn wrong_input_is_refused_in_words() {
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
    assert!(refused(rules).contains("russian"), "it learned the English game");
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
