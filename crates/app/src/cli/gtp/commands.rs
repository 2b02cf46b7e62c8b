//! The commands of the engine.

use super::{
    Engine,
    analysis::Purpose,
    clock::{GtpClocks, TimeSettings},
    game::{GtpGame, side},
    one_line,
};
use ludus_core::{Action, Outcome, Position, Random, Side};
use ludus_formats::gtp::{Vertex, read_colour};
use ludus_games::go::{GoMove, Point};
use ludus_knowledge::go::{ownership, policy::PlayoutPolicy};
use std::time::{Duration, Instant};

/// Handler of a command.
pub enum Handler {
    /// Returns a response text.
    Answer(fn(&mut Engine, &[String]) -> Answer),
    /// Streams lines during a search.
    Analyze(Purpose),
    /// Ends the program.
    Quit,
}

/// The text of the response, or the error message.
type Answer = Result<String, String>;

/// All commands, those required by the protocol first.
const COMMANDS: &[(&str, Handler)] = &[
    ("protocol_version", Handler::Answer(|_, _| Ok("2".to_owned()))),
    ("name", Handler::Answer(|_, _| Ok("Ludus".to_owned()))),
    ("version", Handler::Answer(version)),
    ("known_command", Handler::Answer(known_command)),
    ("list_commands", Handler::Answer(list_commands)),
    ("quit", Handler::Quit),
    ("boardsize", Handler::Answer(boardsize)),
    ("clear_board", Handler::Answer(clear_board)),
    ("komi", Handler::Answer(komi)),
    ("play", Handler::Answer(play)),
    ("genmove", Handler::Answer(genmove)),
    ("undo", Handler::Answer(undo)),
    ("reg_genmove", Handler::Answer(reg_genmove)),
    ("time_settings", Handler::Answer(time_settings)),
    ("time_left", Handler::Answer(time_left)),
    ("kgs-time_settings", Handler::Answer(kgs_time_settings)),
    ("fixed_handicap", Handler::Answer(fixed_handicap)),
    ("place_free_handicap", Handler::Answer(place_free_handicap)),
    ("set_free_handicap", Handler::Answer(set_free_handicap)),
    ("loadsgf", Handler::Answer(loadsgf)),
    ("final_score", Handler::Answer(final_score)),
    ("final_status_list", Handler::Answer(final_status_list)),
    ("showboard", Handler::Answer(showboard)),
    ("list_stones", Handler::Answer(list_stones)),
    ("is_legal", Handler::Answer(is_legal)),
    ("captures", Handler::Answer(captures)),
    ("cputime", Handler::Answer(cputime)),
    ("kgs-genmove_cleanup", Handler::Answer(genmove_cleanup)),
    ("kgs-game_over", Handler::Answer(game_over)),
    ("kgs-rules", Handler::Answer(set_rules)),
    ("kata-set-rules", Handler::Answer(set_rules)),
    ("gogui-analyze_commands", Handler::Answer(gogui_analyze_commands)),
    ("lz-analyze", Handler::Analyze(Purpose::Analyze)),
    ("lz-genmove_analyze", Handler::Analyze(Purpose::GenMove)),
    ("kata-analyze", Handler::Analyze(Purpose::Analyze)),
    ("kata-genmove_analyze", Handler::Analyze(Purpose::GenMove)),
];

/// The handler of a command.
pub fn find(name: &str) -> Option<&'static Handler> {
    COMMANDS.iter().find(|(known, _)| *known == name).map(|(_, handler)| handler)
}

fn syntax_error() -> String {
    "syntax error".to_owned()
}

/// The argument at `index`.
fn word(arguments: &[String], index: usize) -> Result<&str, String> {
    arguments.get(index).map(String::as_str).ok_or_else(syntax_error)
}

fn number<T: std::str::FromStr>(arguments: &[String], index: usize) -> Result<T, String> {
    word(arguments, index)?.parse().map_err(|_| syntax_error())
}

/// A time in seconds; negative times count as 0.
fn seconds(arguments: &[String], index: usize) -> Result<Duration, String> {
    let seconds: f64 = number(arguments, index)?;
    // Longer than any game, and safe from overflow in sums of durations.
    const MAX_SECONDS: f64 = 1e9;
    if seconds.is_nan() {
        return Err(syntax_error());
    }
    Ok(Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS)))
}

/// The colour at `index`, as a side.
pub fn colour(arguments: &[String], index: usize) -> Result<Side, String> {
    let colour = read_colour(word(arguments, index)?);
    colour.map(side).ok_or_else(|| "invalid color".to_owned())
}

fn vertices<'a>(vertices: impl IntoIterator<Item = &'a Vertex>) -> String {
    let words: Vec<String> = vertices.into_iter().map(ToString::to_string).collect();
    words.join(" ")
}

fn version(engine: &mut Engine, _: &[String]) -> Answer {
    Ok(format!("{} ({})", env!("CARGO_PKG_VERSION"), engine.player_name))
}

fn known_command(_: &mut Engine, arguments: &[String]) -> Answer {
    Ok(find(word(arguments, 0)?).is_some().to_string())
}

fn list_commands(_: &mut Engine, _: &[String]) -> Answer {
    let names: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
    Ok(names.join("\n"))
}

fn boardsize(engine: &mut Engine, arguments: &[String]) -> Answer {
    let size: i64 = number(arguments, 0)?;
    let game = engine.game.with_option("size", &size.to_string());
    engine.set_game(game.map_err(|_| "unacceptable size".to_owned())?);
    Ok(String::new())
}

fn clear_board(engine: &mut Engine, _: &[String]) -> Answer {
    let game = engine.game.with_empty_board().map_err(|error| one_line(&error))?;
    engine.set_game(game);
    Ok(String::new())
}

/// Sets komi, rounded to half points and clamped to ±1000.
fn komi(engine: &mut Engine, arguments: &[String]) -> Answer {
    let komi: f64 = number(arguments, 0)?;
    if !komi.is_finite() {
        return Err(syntax_error());
    }
    let halves = (komi.clamp(-1000.0, 1000.0) * 2.0).round() / 2.0;
    let game = engine.game.replayed_with("komi", &halves.to_string());
    engine.change_rules(game.map_err(|error| one_line(&error))?);
    Ok(String::new())
}

/// Sets the rules by name (`chinese`, `japanese`, `aga`, `new-zealand`, `tromp-taylor`, with `_` or
/// `-`), or by KataGo's JSON with `ko`, `scoring` and `suicide`.
fn set_rules(engine: &mut Engine, arguments: &[String]) -> Answer {
    let name = word(arguments, 0)?.to_ascii_lowercase().replace('_', "-");
    let changes = if name.starts_with('{') {
        json_rules(&arguments.join(" "))?
    } else {
        vec![("rules", name)]
    };
    let mut game = None;
    for (option, value) in changes {
        let before = game.as_ref().unwrap_or(&engine.game);
        let after = before.replayed_with(option, &value);
        game = Some(after.map_err(|error| one_line(&error))?);
    }
    if let Some(game) = game {
        engine.change_rules(game);
    }
    Ok(String::new())
}

/// Game options for KataGo's JSON rules.
fn json_rules(text: &str) -> Result<Vec<(&'static str, String)>, String> {
    let rules: serde_json::Value = serde_json::from_str(text).map_err(|_| syntax_error())?;
    let mut options = Vec::new();
    for name in ["ko", "scoring"] {
        if let Some(value) = rules.get(name).and_then(serde_json::Value::as_str) {
            options.push((name, value.to_ascii_lowercase()));
        }
    }
    if let Some(suicide) = rules.get("suicide").and_then(serde_json::Value::as_bool) {
        options.push(("suicide", if suicide { "on" } else { "off" }.to_owned()));
    }
    Ok(options)
}

/// The colour and the vertex of a move.
fn colored_move(engine: &Engine, arguments: &[String]) -> Result<(Side, GoMove), String> {
    let side = colour(arguments, 0)?;
    let vertex = Vertex::read(word(arguments, 1)?);
    let mv = vertex.and_then(|vertex| engine.game.move_to(vertex));
    Ok((side, mv.ok_or_else(|| "invalid vertex".to_owned())?))
}

fn play(engine: &mut Engine, arguments: &[String]) -> Answer {
    let (side, mv) = colored_move(engine, arguments)?;
    if engine.game.play(side, mv) { Ok(String::new()) } else { Err("illegal move".to_owned()) }
}

fn genmove(engine: &mut Engine, arguments: &[String]) -> Answer {
    let side = colour(arguments, 0)?;
    let started = Instant::now();
    let action = engine.choose(side)?;
    engine.play_choice(side, action, started).map(|vertex| vertex.to_string())
}

/// Like `genmove` in the clean-up phase: never resigns. All stones count as alive, so passes need no
/// special treatment.
fn genmove_cleanup(engine: &mut Engine, arguments: &[String]) -> Answer {
    let side = colour(arguments, 0)?;
    let started = Instant::now();
    let action = match engine.choose(side)? {
        Action::Resign => Action::Play(GoMove::Pass),
        action => action,
    };
    engine.play_choice(side, action, started).map(|vertex| vertex.to_string())
}

/// A move that is not played, reproducible for regression tests.
fn reg_genmove(engine: &mut Engine, arguments: &[String]) -> Answer {
    let side = colour(arguments, 0)?;
    engine.player.new_game(engine.seed);
    let action = engine.choose(side)?;
    Ok(engine.vertex_of(action).to_string())
}

fn undo(engine: &mut Engine, _: &[String]) -> Answer {
    if engine.game.undo() { Ok(String::new()) } else { Err("cannot undo".to_owned()) }
}

/// Main time, then periods of `stones` moves. A period without stones means no time limit.
fn time_settings(engine: &mut Engine, arguments: &[String]) -> Answer {
    let (main, period) = (seconds(arguments, 0)?, seconds(arguments, 1)?);
    let stones: u32 = number(arguments, 2)?;
    engine.clocks = GtpClocks::new(match (period.is_zero(), stones) {
        (true, _) if main.is_zero() => TimeSettings::Unlimited,
        (true, _) => TimeSettings::Absolute { main },
        (false, 0) => TimeSettings::Unlimited,
        (false, stones) => TimeSettings::Canadian { main, period, stones },
    });
    Ok(String::new())
}

fn kgs_time_settings(engine: &mut Engine, arguments: &[String]) -> Answer {
    let settings = match word(arguments, 0)? {
        "none" => TimeSettings::Unlimited,
        "absolute" => TimeSettings::Absolute { main: seconds(arguments, 1)? },
        "canadian" => TimeSettings::Canadian {
            main: seconds(arguments, 1)?,
            period: seconds(arguments, 2)?,
            stones: number::<u32>(arguments, 3)?.max(1),
        },
        "byoyomi" => TimeSettings::Japanese {
            main: seconds(arguments, 1)?,
            period: seconds(arguments, 2)?,
            periods: number::<u32>(arguments, 3)?.max(1),
        },
        _ => return Err(syntax_error()),
    };
    engine.clocks = GtpClocks::new(settings);
    Ok(String::new())
}

fn time_left(engine: &mut Engine, arguments: &[String]) -> Answer {
    let side = colour(arguments, 0)?;
    let (left, stones) = (seconds(arguments, 1)?, number(arguments, 2)?);
    engine.clocks.set_time_left(side, left, stones);
    Ok(String::new())
}

/// Fails unless the board is empty, as required by the handicap commands.
fn require_empty_board(engine: &Engine) -> Result<(), String> {
    if engine.game.is_empty() { Ok(()) } else { Err("board not empty".to_owned()) }
}

fn place(engine: &mut Engine, points: &[Point]) -> Answer {
    let places: Vec<Vertex> = points.iter().map(|&point| engine.game.vertex(point)).collect();
    engine.game.set_handicap(points).map_err(|_| "bad vertex list".to_owned())?;
    Ok(vertices(&places))
}

fn fixed_handicap(engine: &mut Engine, arguments: &[String]) -> Answer {
    let stones: usize = number(arguments, 0)?;
    require_empty_board(engine)?;
    let points = engine.game.fixed_handicap(stones);
    place(engine, &points.ok_or_else(|| "invalid number of stones".to_owned())?)
}

fn place_free_handicap(engine: &mut Engine, arguments: &[String]) -> Answer {
    let stones: usize = number(arguments, 0)?;
    require_empty_board(engine)?;
    let points = engine.game.position().board().points().count();
    if !(2..points).contains(&stones) {
        return Err("invalid number of stones".to_owned());
    }
    let points = engine.game.free_handicap(stones);
    place(engine, &points)
}

fn set_free_handicap(engine: &mut Engine, arguments: &[String]) -> Answer {
    require_empty_board(engine)?;
    let bad = || "bad vertex list".to_owned();
    let point = |word: &String| match engine.game.move_to(Vertex::read(word)?)? {
        GoMove::Play(point) => Some(point),
        GoMove::Pass => None,
    };
    let points: Option<Vec<Point>> = arguments.iter().map(point).collect();
    let points = points.filter(|points| points.len() >= 2).ok_or_else(bad)?;
    place(engine, &points).map(|_| String::new())
}

/// `loadsgf FILE [MOVE]`: sets up the position before that move, or the end of the game.
fn loadsgf(engine: &mut Engine, arguments: &[String]) -> Answer {
    let (path, before) = match arguments {
        [] => return Err(syntax_error()),
        // File names may contain spaces; a number at the end is the move.
        [path @ .., last] if !path.is_empty() && last.parse::<usize>().is_ok() => {
            (path.join(" "), last.parse().ok())
        }
        path => (path.join(" "), None),
    };
    let cannot_load =
        |error: &dyn std::fmt::Display| format!("cannot load file: {}", one_line(&error));
    let bytes = std::fs::read(&path).map_err(|error| cannot_load(&error))?;
    let game = GtpGame::load(&bytes, before).map_err(|error| cannot_load(&error))?;
    engine.set_game(game);
    Ok(String::new())
}

/// Playouts used to find dead stones.
const DEAD_STONE_PLAYOUTS: u32 = 256;

/// Dead stones, by playouts with a fixed seed.
fn dead_stones(engine: &Engine) -> Vec<Point> {
    let position = engine.game.position();
    ownership::dead_stones(
        position,
        &PlayoutPolicy::fuego(),
        DEAD_STONE_PLAYOUTS,
        &mut Random::new(1),
    )
}

/// The score after removing dead stones.
fn final_score(engine: &mut Engine, _: &[String]) -> Answer {
    let score = ownership::score_without(engine.game.position(), &dead_stones(engine));
    Ok(match Outcome::from_margin(score) {
        Outcome::Draw => "0".to_owned(),
        Outcome::Win(Side::First) => format!("B+{score}"),
        Outcome::Win(Side::Second) => format!("W+{}", -score),
    })
}

/// Alive and dead chains. Stones in seki count as alive.
fn final_status_list(engine: &mut Engine, arguments: &[String]) -> Answer {
    let wanted = word(arguments, 0)?;
    let dead = match wanted {
        "alive" | "dead" => dead_stones(engine),
        "seki" => return Ok(String::new()),
        _ => return Err(syntax_error()),
    };
    let game = &engine.game;
    let chains = game.chains().into_iter();
    let listed = chains.filter(|chain| dead.contains(&chain[0]) == (wanted == "dead"));
    let lines = listed.map(|chain| {
        vertices(&chain.into_iter().map(|point| game.vertex(point)).collect::<Vec<_>>())
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}

fn list_stones(engine: &mut Engine, arguments: &[String]) -> Answer {
    let side = colour(arguments, 0)?;
    let board = engine.game.position().board();
    let own = board.points().filter(|&point| board.stone(point) == Some(side));
    Ok(vertices(&own.map(|point| engine.game.vertex(point)).collect::<Vec<_>>()))
}

/// 1 if the move is legal, else 0, as in GNU Go.
fn is_legal(engine: &mut Engine, arguments: &[String]) -> Answer {
    let (side, mv) = colored_move(engine, arguments)?;
    Ok(u8::from(engine.game.is_legal(side, mv)).to_string())
}

/// Number of stones captured by a colour.
fn captures(engine: &mut Engine, arguments: &[String]) -> Answer {
    let side = colour(arguments, 0)?;
    Ok(engine.game.position().prisoners(side).to_string())
}

fn showboard(engine: &mut Engine, _: &[String]) -> Answer {
    let position = engine.game.position();
    let board = position.board();
    let size = board.size();
    let letters: String = (0..size)
        .map(|column| Vertex::Point { column, row: 0 }.to_string().replace('1', " "))
        .collect();
    let mut text = format!("\n   {letters}\n");
    for row in 0..size {
        text += &format!("{:2} ", size - row);
        for column in 0..size {
            text += match board.stone(board.point(row, column)) {
                None => ". ",
                Some(Side::First) => "X ",
                Some(Side::Second) => "O ",
            };
        }
        text += &format!("{}\n", size - row);
    }
    let turn = if position.turn() == Side::First { "Black" } else { "White" };
    let [black, white] = Side::BOTH.map(|side| position.prisoners(side));
    text += &format!("   {letters}\n{turn} to move, komi {}, ", position.rules().komi());
    Ok(text + &format!("captured by Black (X) {black}, by White (O) {white}"))
}

/// CPU time in seconds, or the time since the start if it is unavailable.
fn cputime(engine: &mut Engine, _: &[String]) -> Answer {
    let seconds = processor_seconds().unwrap_or_else(|| engine.started.elapsed().as_secs_f64());
    Ok(format!("{seconds:.2}"))
}

/// CPU time from Linux's `/proc/self/stat`: fields 14 and 15, user and system time in hundredths.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system) = (fields.next()?.parse::<f64>().ok()?, fields.next()?.parse::<f64>().ok()?);
    Some((user + system) / 100.0)
}

/// Reports the result to the player, if the game was played to its end.
fn game_over(engine: &mut Engine, _: &[String]) -> Answer {
    let position = engine.game.position();
    if let (Some(outcome), Some(_)) = (position.outcome(), position.margin()) {
        let history = engine.game.history();
        for side in Side::BOTH {
            engine.player.game_over(history, side, outcome);
        }
    }
    Ok(String::new())
}

fn gogui_analyze_commands(_: &mut Engine, _: &[String]) -> Answer {
    Ok("string/Final Score/final_score\n\
        plist/Final Status Alive/final_status_list alive\n\
        plist/Final Status Dead/final_status_list dead\n\
        plist/Final Status Seki/final_status_list seki\n\
        plist/List Stones/list_stones %c\n\
        move/Regression Move/reg_genmove %c\n\
        string/Show Board/showboard\n\
        string/Processor Time/cputime"
        .to_owned())
}
