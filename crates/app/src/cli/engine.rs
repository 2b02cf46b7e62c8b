//! `ludus engine`: any of our players as an engine for programs that speak the Ludus protocol
//! (`docs/PROTOCOL.md`), such as another Ludus.
//!
//! The main thread obeys commands one after the other. During a search, which runs in a thread of its
//! own, it passes on reports and listens for `stop`, `ping` and `quit`; everything else waits. What
//! cannot be done is answered with `error`, and every `go` with one `bestmove`.

use super::{
    Common,
    command_lines::{CommandLines, Heard},
};
use ludus_core::{Clock, Limits, Score, Side};
use ludus_formats::ludus::{self as protocol, Command, Decision, Go, Info, Reply};
use ludus_players::{Analysis, GAMES, Game, Progress, Resources, Session, Turn, find_game};
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

/// The longest line taken: a game of many thousand moves.
const MAX_LINE_BYTES: usize = 1 << 20;
/// How often input is looked at during a search.
const GLANCE: Duration = Duration::from_millis(5);
/// Commands kept for later; beyond that the other program waits for us.
const MOST_WAITING: usize = 256;

/// Be a player of any game for other programs (Ludus protocol, docs/PROTOCOL.md)
#[derive(clap::Args)]
pub struct Args {
    /// Who plays, until the other program says otherwise
    #[arg(long, default_value = "engine", value_name = "PLAYER")]
    player: String,
}

/// What keeps a command from being done, in words.
type Trouble = String;

/// An engine between two commands.
struct Engine {
    player: String,
    resources: Resources,
    /// Decides everything random in the game.
    seed: u64,
    board: Option<Board>,
}

/// A game in progress, with our player at it.
struct Board {
    session: Box<dyn Session>,
    /// Where our player sits; it changes seats when the other side is to move.
    seated: Side,
    /// Where the game started, if not at the usual start.
    start: Option<String>,
    /// Why there is nothing to think about: a player or position was refused.
    broken: Option<Trouble>,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let resources = common.resources();
    let mut engine =
        Engine { player: args.player.clone(), seed: resources.seed, resources, board: None };
    if !GAMES.iter().any(|game| knows(*game, &args.player)) {
        // The usual error for a player nobody has.
        GAMES[0].check_player(&args.player, &engine.resources)?;
    }
    let mut lines = CommandLines::of_stdin(MAX_LINE_BYTES)?;
    // Commands that came during a search and have to wait for its end.
    let mut waiting = VecDeque::new();
    while let Some(line) = waiting.pop_front().or_else(|| lines.next()) {
        match read(&line) {
            Ok(None) => {}
            Ok(Some(Command::Quit)) => break,
            Ok(Some(Command::Go(go))) => engine.go(&go, &mut lines, &mut waiting, out)?,
            Ok(Some(command)) => engine.obey(command, out)?,
            Err(trouble) => send(out, &Reply::Error(trouble))?,
        }
    }
    Ok(())
}

/// Whether some player of `game` has the name in `player`.
fn knows(game: &dyn Game, player: &str) -> bool {
    let (name, _) = ludus_core::options::split_name(player);
    game.players().iter().any(|(id, ..)| *id == name)
}

fn read(line: &[u8]) -> Result<Option<Command>, Trouble> {
    Command::parse(&String::from_utf8_lossy(line)).map_err(|error| error.to_string())
}

fn send(out: &mut impl Write, reply: &Reply) -> io::Result<()> {
    writeln!(out, "{reply}")?;
    out.flush()
}

impl Engine {
    /// Does what a command other than `go` and `quit` says.
    fn obey(&mut self, command: Command, out: &mut impl Write) -> io::Result<()> {
        let done = match command {
            Command::Ludus(0) => Err("there is no version 0 of the protocol".to_owned()),
            Command::Ludus(_) => return introduce(out),
            Command::Ping => return send(out, &Reply::Pong),
            Command::Player(player) => self.set_player(player),
            Command::Game(game) => self.set_game(&game),
            Command::NewGame { seed } => self.new_game(seed),
            Command::Position { start, moves } => self.set_position(start, &moves),
            // There is nothing to stop.
            Command::Stop | Command::Go(_) | Command::Quit => Ok(()),
        };
        done.or_else(|trouble| send(out, &Reply::Error(trouble)))
    }

    fn set_player(&mut self, player: String) -> Result<(), Trouble> {
        if let Some(board) = &mut self.board {
            let seated = board.session.seat(board.seated, &player, &self.resources);
            seated.map_err(|error| error.to_string())?;
            board.broken = None;
            board.restart(None, self.seed)?;
        } else if !GAMES.iter().any(|game| knows(*game, &player)) {
            let checked = GAMES[0].check_player(&player, &self.resources);
            checked.map_err(|error| error.to_string())?;
        }
        self.player = player;
        Ok(())
    }

    fn set_game(&mut self, text: &str) -> Result<(), Trouble> {
        self.board = None;
        let (game, options) = find_game(text).map_err(|error| error.to_string())?;
        let session = game.open(&options, None).map_err(|error| error.to_string())?;
        let seated = session.turn();
        let mut board = Board { session, seated, start: None, broken: None };
        let result = board.session.seat(seated, &self.player, &self.resources);
        let result = result.map_err(|error| error.to_string());
        board.broken = result.clone().err();
        let board = self.board.insert(board);
        result.and_then(|()| board.restart(None, self.seed))
    }

    fn new_game(&mut self, seed: u64) -> Result<(), Trouble> {
        self.seed = seed;
        self.board.as_mut().map_or(Ok(()), |board| board.restart(None, seed))
    }

    fn set_position(&mut self, start: Option<String>, moves: &[String]) -> Result<(), Trouble> {
        let Some(board) = &mut self.board else { return Err(NO_GAME.to_owned()) };
        let result = board.set_position(start, moves, self.seed);
        board.broken = result.clone().err();
        result
    }

    /// Answers with one `bestmove`, whatever happens.
    fn go(
        &mut self,
        go: &Go,
        lines: &mut CommandLines,
        waiting: &mut VecDeque<Vec<u8>>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let ready = match &mut self.board {
            None => Err(NO_GAME.to_owned()),
            Some(board) => board.take_seat().map(|()| board),
        };
        let decision = match ready {
            Ok(board) => Search { session: &mut *board.session, lines, waiting, out: &mut *out }
                .run(limits(go))?,
            Err(trouble) => Err(trouble),
        };
        let decision = match decision {
            Ok(decision) => decision,
            Err(trouble) => {
                send(out, &Reply::Error(trouble))?;
                Decision::None
            }
        };
        send(out, &Reply::BestMove(decision))
    }
}

const NO_GAME: &str = "there is no game: say game and its name first";

/// Says who we are and which games we play.
fn introduce(out: &mut impl Write) -> io::Result<()> {
    let id = |key: &str, value: &str| Reply::Id { key: key.to_owned(), value: value.to_owned() };
    send(out, &id("name", concat!("Ludus ", env!("CARGO_PKG_VERSION"))))?;
    send(out, &id("author", "The Ludus authors"))?;
    send(out, &id("build", ludus_arena::build::BUILD))?;
    for game in GAMES {
        let option =
            |option: &ludus_core::OptionSpec| (option.name.to_owned(), option.default.to_owned());
        let options = game.options().iter().map(option).collect();
        send(out, &Reply::Game { name: game.id().to_owned(), options })?;
    }
    send(out, &Reply::Ludus(protocol::VERSION))
}

impl Board {
    /// Another game; everything random in it is decided by `seed`.
    fn restart(&mut self, start: Option<String>, seed: u64) -> Result<(), Trouble> {
        let restarted = self.session.new_game(start.as_deref(), [seed; 2]);
        restarted.map_err(|error| error.to_string())?;
        self.start = start;
        Ok(())
    }

    /// Sets up a position. In the same game only the moves that differ are taken back and made, so the
    /// player keeps what it knows; another start is another game.
    fn set_position(
        &mut self,
        start: Option<String>,
        moves: &[String],
        seed: u64,
    ) -> Result<(), Trouble> {
        if start != self.start {
            self.restart(start, seed)?;
        }
        let played = self.session.moves();
        let same = played.iter().zip(moves).take_while(|(old, new)| old == new).count();
        for _ in same..played.len() {
            self.session.undo();
        }
        for mv in &moves[same..] {
            self.session.play(mv).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// Sees to it that there is something to think about and our player sits where it is.
    fn take_seat(&mut self) -> Result<(), Trouble> {
        if let Some(trouble) = &self.broken {
            return Err(trouble.clone());
        }
        if let Some(finish) = self.session.ending() {
            return Err(format!("the game is over: {}", finish.words(&*self.session, None)));
        }
        let turn = self.session.turn();
        if self.seated != turn {
            self.session.swap_seats();
            self.seated = turn;
        }
        Ok(())
    }
}

fn limits(go: &Go) -> Limits {
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

/// One search, from `go` to its decision.
struct Search<'a, W> {
    session: &'a mut dyn Session,
    lines: &'a mut CommandLines,
    /// Where commands go that have to wait for the end of the search.
    waiting: &'a mut VecDeque<Vec<u8>>,
    out: &'a mut W,
}

impl<W: Write> Search<'_, W> {
    /// Lets the player think and writes everything up to its decision, or why there is none.
    fn run(self, limits: Limits) -> io::Result<Result<Decision, Trouble>> {
        let stop = AtomicBool::new(false);
        let (sender, reports) = mpsc::channel();
        let session = &mut *self.session;
        let turn = thread::scope(|scope| {
            let stop_flag = &stop;
            let search = scope.spawn(move || {
                let mut listen = |analysis: &Analysis| drop(sender.send(info(analysis)));
                let mut progress = Progress { limits, stop: stop_flag, on_report: &mut listen };
                // A bug in a player must not leave the other program without an answer.
                catch_unwind(AssertUnwindSafe(|| session.let_play(&mut progress)))
            });
            let mut listener =
                Listener { lines: self.lines, waiting: self.waiting, out: &mut *self.out };
            let followed = listener.follow(&reports, &stop);
            stop.store(true, Ordering::Relaxed);
            let turn = search.join();
            followed.map(|()| turn)
        })?;
        Ok(match turn {
            Ok(Ok(Ok(Turn::Moved(analysis)))) => {
                send(self.out, &Reply::Info(info(&analysis)))?;
                self.session.undo();
                Ok(analysis.best.map_or(Decision::None, Decision::Move))
            }
            Ok(Ok(Ok(Turn::Resigned))) => Ok(Decision::Resign),
            Ok(Ok(Err(error))) => Err(error.to_string()),
            Ok(Err(_)) | Err(_) => Err("the player broke down".to_owned()),
        })
    }
}

/// Who writes reports and listens while the player thinks.
struct Listener<'a, W> {
    lines: &'a mut CommandLines,
    waiting: &'a mut VecDeque<Vec<u8>>,
    out: &'a mut W,
}

impl<W: Write> Listener<'_, W> {
    fn follow(&mut self, reports: &Receiver<Info>, stop: &AtomicBool) -> io::Result<()> {
        loop {
            // The end of the search comes this way too: the move must not wait for the next look.
            match reports.recv_timeout(GLANCE) {
                Ok(info) => send(self.out, &Reply::Info(info))?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if self.waiting.len() >= MOST_WAITING || stop.load(Ordering::Relaxed) {
                continue;
            }
            match self.lines.wait(Duration::ZERO) {
                Heard::Nothing => {}
                Heard::End => stop.store(true, Ordering::Relaxed),
                Heard::Line(line) => match read(&line) {
                    Ok(Some(Command::Stop)) => stop.store(true, Ordering::Relaxed),
                    // Its answer tells that we are alive, if nothing else has to come first.
                    Ok(Some(Command::Ping)) if self.waiting.is_empty() => {
                        send(self.out, &Reply::Pong)?;
                    }
                    Ok(Some(Command::Quit)) => {
                        stop.store(true, Ordering::Relaxed);
                        self.waiting.push_back(line);
                    }
                    _ => self.waiting.push_back(line),
                },
            }
        }
    }
}

fn info(analysis: &Analysis) -> Info {
    let score = analysis.score.map(|hundredths| match Score(hundredths).win_in() {
        // No distance is a loss: the game is over where the other side has nothing to do.
        Some(plies) => protocol::Score::Win(plies),
        None => protocol::Score::Hundredths(hundredths),
    });
    Info {
        depth: Some(analysis.depth),
        nodes: Some(analysis.nodes),
        time: Some(Duration::from_secs_f64(analysis.seconds)),
        score,
        pv: analysis.pv.clone(),
    }
}
