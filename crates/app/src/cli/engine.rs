//! `ludus engine`: any player as an engine for programs with the Ludus protocol (`docs/PROTOCOL.md`),
//! such as another Ludus.
//!
//! The main thread executes commands one by one. During a search, which runs in a separate thread, it
//! forwards reports and handles `stop`, `ping` and `quit`; other commands are queued. Failed commands
//! are answered with `error`, and every `go` with one `bestmove`.

use super::{
    Common,
    stdin_lines::{NextLine, StdinLines},
};
use ludus_core::{Clock, Limits, PlayerError, Score};
use ludus_formats::ludus::{
    self as protocol, Decision, LudusCommand, LudusGo, LudusInfo, LudusReply,
};
use ludus_players::{
    Analysis, AnalysisControl, Board, BoardPlayer, GAMES, Game, Resources, SearchReport, find_game,
};
use std::{
    collections::VecDeque,
    io::{self, Write},
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// Maximum length of a line, enough for a game of many thousand moves.
const MAX_LINE_BYTES: usize = 1 << 20;
/// Interval at which input is polled during a search.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Maximum number of queued commands; beyond that the client's writes block.
const MAX_QUEUED_COMMANDS: usize = 256;

/// Run as an engine for any game (Ludus protocol, docs/PROTOCOL.md)
#[derive(clap::Args)]
pub struct Args {
    /// Player, until the client sets another
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
}

/// Message of a failed command.
type ErrorMessage = String;

/// State of the engine between commands.
struct Engine {
    player: String,
    resources: Resources,
    /// Random seed of the game.
    seed: u64,
    game: Option<EngineGame>,
}

/// A game in progress and the player, which plays both sides.
struct EngineGame {
    board: Box<dyn Board>,
    /// `None` if it was refused.
    player: Option<Box<dyn BoardPlayer>>,
    /// Start position, if not the standard one.
    start: Option<String>,
    /// Error that prevents a search: the player or the position was refused.
    error: Option<ErrorMessage>,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let resources = common.resources();
    let mut engine =
        Engine { player: args.player.clone(), seed: resources.seed, resources, game: None };
    if !GAMES.iter().any(|game| has_player(*game, &args.player)) {
        // Gives the usual error for an unknown player.
        GAMES[0].check_player(&args.player, &engine.resources)?;
    }
    let mut lines = StdinLines::new(MAX_LINE_BYTES)?;
    // Commands received during a search, to be processed after it.
    let mut queued = VecDeque::new();
    while let Some(line) = queued.pop_front().or_else(|| lines.next()) {
        match read(&line) {
            Ok(None) => {}
            Ok(Some(LudusCommand::Quit)) => break,
            Ok(Some(LudusCommand::Go(go))) => engine.go(&go, &mut lines, &mut queued, out)?,
            Ok(Some(command)) => engine.execute(command, out)?,
            Err(message) => send(out, &LudusReply::Error(message))?,
        }
    }
    Ok(())
}

/// Whether `game` has a player with the name in `player`.
fn has_player(game: &dyn Game, player: &str) -> bool {
    let (name, _) = ludus_core::options::split_name(player);
    game.players().iter().any(|(id, ..)| *id == name)
}

fn read(line: &[u8]) -> Result<Option<LudusCommand>, ErrorMessage> {
    LudusCommand::parse(&String::from_utf8_lossy(line)).map_err(|error| error.to_string())
}

fn send(out: &mut impl Write, reply: &LudusReply) -> io::Result<()> {
    writeln!(out, "{reply}")?;
    out.flush()
}

impl Engine {
    /// Executes a command other than `go` and `quit`.
    fn execute(&mut self, command: LudusCommand, out: &mut impl Write) -> io::Result<()> {
        let done = match command {
            LudusCommand::Ludus(0) => Err("there is no version 0 of the protocol".to_owned()),
            LudusCommand::Ludus(_) => return send_id(out),
            LudusCommand::Ping => return send(out, &LudusReply::Pong),
            LudusCommand::Player(player) => self.set_player(player),
            LudusCommand::Game(game) => self.set_game(&game),
            LudusCommand::NewGame { seed } => self.new_game(seed),
            LudusCommand::Position { start, moves } => self.set_position(start, &moves),
            // No search is running.
            LudusCommand::Stop | LudusCommand::Go(_) | LudusCommand::Quit => Ok(()),
        };
        done.or_else(|message| send(out, &LudusReply::Error(message)))
    }

    fn set_player(&mut self, player: String) -> Result<(), ErrorMessage> {
        if let Some(game) = &mut self.game {
            let built = game.board.game().player(&player, &self.resources);
            game.player = Some(built.map_err(|error| error.to_string())?);
            game.error = None;
            game.restart(None, self.seed)?;
        } else if !GAMES.iter().any(|game| has_player(*game, &player)) {
            let checked = GAMES[0].check_player(&player, &self.resources);
            checked.map_err(|error| error.to_string())?;
        }
        self.player = player;
        Ok(())
    }

    fn set_game(&mut self, text: &str) -> Result<(), ErrorMessage> {
        self.game = None;
        let (game, options) = find_game(text).map_err(|error| error.to_string())?;
        let board = game.open(&options, None).map_err(|error| error.to_string())?;
        let built = game.player(&self.player, &self.resources).map_err(|error| error.to_string());
        let error = built.as_ref().err().cloned();
        let game = EngineGame { board, player: built.ok(), start: None, error: error.clone() };
        let game = self.game.insert(game);
        error.map_or_else(|| game.restart(None, self.seed), Err)
    }

    fn new_game(&mut self, seed: u64) -> Result<(), ErrorMessage> {
        self.seed = seed;
        self.game.as_mut().map_or(Ok(()), |game| game.restart(None, seed))
    }

    fn set_position(
        &mut self,
        start: Option<String>,
        moves: &[String],
    ) -> Result<(), ErrorMessage> {
        let Some(game) = &mut self.game else { return Err(NO_GAME.to_owned()) };
        let result = game.set_position(start, moves, self.seed);
        game.error = result.clone().err();
        result
    }

    /// Searches and always answers with one `bestmove`.
    fn go(
        &mut self,
        go: &LudusGo,
        lines: &mut StdinLines,
        queued: &mut VecDeque<Vec<u8>>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let ready = match &mut self.game {
            None => Err(NO_GAME.to_owned()),
            Some(game) => game.prepare_search(),
        };
        let decision = match ready {
            Ok((board, player)) => {
                Search { board, player, lines, queued, out: &mut *out }.run(limits(go))?
            }
            Err(message) => Err(message),
        };
        let decision = match decision {
            Ok(decision) => decision,
            Err(message) => {
                send(out, &LudusReply::Error(message))?;
                Decision::None
            }
        };
        send(out, &LudusReply::BestMove(decision))
    }
}

const NO_GAME: &str = "no game is set: send game and its name first";

/// Sends name, build and games.
fn send_id(out: &mut impl Write) -> io::Result<()> {
    let id =
        |key: &str, value: &str| LudusReply::Id { key: key.to_owned(), value: value.to_owned() };
    send(out, &id("name", concat!("Ludus ", env!("CARGO_PKG_VERSION"))))?;
    send(out, &id("author", "The Ludus authors"))?;
    send(out, &id("build", ludus_arena::build::BUILD))?;
    for game in GAMES {
        let option =
            |option: &ludus_core::OptionSpec| (option.name.to_owned(), option.default.to_owned());
        let options = game.options().iter().map(option).collect();
        send(out, &LudusReply::Game { name: game.id().to_owned(), options })?;
    }
    send(out, &LudusReply::Ludus(protocol::VERSION))
}

impl EngineGame {
    /// Starts a new game with this random seed.
    fn restart(&mut self, start: Option<String>, seed: u64) -> Result<(), ErrorMessage> {
        self.board.restart(start.as_deref()).map_err(|error| error.to_string())?;
        if let Some(player) = &mut self.player {
            player.new_game(seed);
        }
        self.start = start;
        Ok(())
    }

    /// Sets up a position. Within a game only the differing moves are undone and played, so that the
    /// player keeps its state; another start position begins a new game.
    fn set_position(
        &mut self,
        start: Option<String>,
        moves: &[String],
        seed: u64,
    ) -> Result<(), ErrorMessage> {
        if start != self.start {
            self.restart(start, seed)?;
        }
        self.board.set_moves(moves).map_err(|error| error.to_string())
    }

    /// The board and the player of a search, if one is possible.
    fn prepare_search(&mut self) -> Result<(&dyn Board, &mut dyn BoardPlayer), ErrorMessage> {
        if let Some(message) = &self.error {
            return Err(message.clone());
        }
        if let Some(finish) = self.board.ending() {
            return Err(format!("the game is over: {}", finish.words(&*self.board, None)));
        }
        let player = self.player.as_deref_mut().expect("without a player there is an error");
        Ok((&*self.board, player))
    }
}

fn limits(go: &LudusGo) -> Limits {
    Limits {
        depth: go.depth.map(|depth| depth.max(1)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        time: go.time,
        clock: go.clock.map(|remaining| Clock {
            remaining,
            increment: go.increment.unwrap_or_default(),
            moves_to_go: go.moves.filter(|&moves| moves > 0),
        }),
    }
}

/// One search, from `go` to the decision.
struct Search<'a, W> {
    board: &'a dyn Board,
    player: &'a mut dyn BoardPlayer,
    lines: &'a mut StdinLines,
    /// Commands to be processed after the search.
    queued: &'a mut VecDeque<Vec<u8>>,
    out: &'a mut W,
}

impl<W: Write> Search<'_, W> {
    /// Runs the search and writes its reports; returns the decision, or an error message.
    fn run(self, limits: Limits) -> io::Result<Result<Decision, ErrorMessage>> {
        let stop = AtomicBool::new(false);
        let (sender, reports) = mpsc::channel();
        let (board, player) = (self.board, self.player);
        let found = thread::scope(|scope| {
            let stop_flag = &stop;
            let search = scope.spawn(move || {
                let mut on_report =
                    |report: &SearchReport<'_>| drop(sender.send(info(&report.analysis())));
                let mut progress =
                    AnalysisControl { limits, stop: stop_flag, on_report: &mut on_report };
                // A panic of the player must not leave the client without an answer.
                catch_unwind(AssertUnwindSafe(|| -> Result<Analysis, PlayerError> {
                    Ok(player.choose(board, &mut progress)?.analysis())
                }))
            });
            let mut monitor =
                SearchMonitor { lines: self.lines, queued: self.queued, out: &mut *self.out };
            let followed = monitor.follow(&reports, &stop);
            stop.store(true, Ordering::Relaxed);
            let found = search.join();
            followed.map(|()| found)
        })?;
        Ok(match found {
            Ok(Ok(Ok(analysis))) => match &analysis.best {
                Some(mv) => {
                    send(self.out, &LudusReply::Info(info(&analysis)))?;
                    Ok(Decision::Move(mv.clone()))
                }
                None => Ok(Decision::Resign),
            },
            Ok(Ok(Err(error))) => Err(error.to_string()),
            Ok(Err(_)) | Err(_) => Err("the player crashed".to_owned()),
        })
    }
}

/// Writes reports and handles input during a search.
struct SearchMonitor<'a, W> {
    lines: &'a mut StdinLines,
    queued: &'a mut VecDeque<Vec<u8>>,
    out: &'a mut W,
}

impl<W: Write> SearchMonitor<'_, W> {
    fn follow(&mut self, reports: &Receiver<LudusInfo>, stop: &AtomicBool) -> io::Result<()> {
        loop {
            // Also wakes up at the end of the search, so that the move is sent at once.
            match reports.recv_timeout(POLL_INTERVAL) {
                Ok(info) => send(self.out, &LudusReply::Info(info))?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if self.queued.len() >= MAX_QUEUED_COMMANDS || stop.load(Ordering::Relaxed) {
                continue;
            }
            match self.lines.next_within(Duration::ZERO) {
                NextLine::Pending => {}
                NextLine::End => stop.store(true, Ordering::Relaxed),
                NextLine::Line(line) => match read(&line) {
                    Ok(Some(LudusCommand::Stop)) => stop.store(true, Ordering::Relaxed),
                    // Answered at once unless other commands are queued before it.
                    Ok(Some(LudusCommand::Ping)) if self.queued.is_empty() => {
                        send(self.out, &LudusReply::Pong)?;
                    }
                    Ok(Some(LudusCommand::Quit)) => {
                        stop.store(true, Ordering::Relaxed);
                        self.queued.push_back(line);
                    }
                    _ => self.queued.push_back(line),
                },
            }
        }
    }
}

fn info(analysis: &Analysis) -> LudusInfo {
    let score = analysis.score.map(|hundredths| match Score(hundredths).win_in() {
        // A distance of 0 is a loss: the game is over.
        Some(plies) => protocol::LudusScore::Win(plies),
        None => protocol::LudusScore::Hundredths(hundredths),
    });
    LudusInfo {
        depth: Some(analysis.depth),
        nodes: Some(analysis.nodes),
        time: Some(Duration::from_secs_f64(analysis.seconds)),
        score,
        pv: analysis.pv.clone(),
    }
}
