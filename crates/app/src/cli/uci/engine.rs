//! The UCI engine: a board and a player, one search at a time, and the replies to all commands.

use super::{
    options::{OptionEffect, UciSettings},
    search::{BestMove, RootMoves, SearchPair, start_search},
};
use ludus_core::{Clock, Limits, Side};
use ludus_formats::uci::{UciCommand, UciGo, UciInfo, UciMessage};
use ludus_players::{Analysis, Resources, find_game};
use std::{
    collections::VecDeque,
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

/// Timeout for the move of a running search at the end of the program.
const FINAL_MOVE_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum depth of a search; deeper ones would not end and exhaust the stack.
const MAX_DEPTH: u32 = 128;
/// Assumed number of moves left on the clock, after `ponderhit`.
const EXPECTED_MOVES_LEFT: u32 = 30;

/// An event for the main loop.
pub enum Event {
    /// An input line.
    Line(String),
    /// End of input.
    End,
    /// Report of the running search.
    Report(Box<Analysis>),
    /// Message about the search for the user.
    Note(String),
    /// End of the search: the board and the player it used, and its result.
    Done(SearchPair, Result<Box<Analysis>, String>),
}

pub struct UciEngine {
    settings: UciSettings,
    seed: u64,
    games: u64,
    events: Sender<Event>,
    /// `None` while a search is running, which owns it.
    pair: Option<SearchPair>,
    /// Whether the player has to be rebuilt: its options changed, or it crashed.
    rebuild_player: bool,
    /// Start position, if not the standard one.
    start: Option<String>,
    search: Option<Search>,
    /// Commands to be processed after the search.
    queued: VecDeque<UciCommand>,
    debug: bool,
}

/// A search whose move has not been sent.
struct Search {
    stop: Arc<AtomicBool>,
    root: RootMoves,
    go: UciGo,
    /// Whether the move is held back until `stop` or `ponderhit`.
    withheld: bool,
    /// Time at which the search is stopped.
    deadline: Option<Instant>,
    /// Limits after `ponderhit`.
    limits: Limits,
    last_infos: Vec<UciInfo>,
    /// The move, while it is held back.
    found: Option<BestMove>,
}

/// Continue or end the main loop.
#[derive(PartialEq, Eq)]
enum Next {
    Continue,
    End,
}

impl UciEngine {
    /// Creates an engine with a chess player.
    pub fn new(
        player: &str,
        resources: &Resources,
        events: Sender<Event>,
    ) -> anyhow::Result<UciEngine> {
        let (game, options) = find_game("chess")?;
        let settings = UciSettings::new(player, &game.players(), resources.threads)?;
        let board = game.open(&options, None)?;
        let player = game.player(player, resources)?;
        Ok(UciEngine {
            settings,
            seed: resources.seed,
            games: 0,
            events,
            pair: Some(SearchPair { board, player }),
            rebuild_player: false,
            start: None,
            search: None,
            queued: VecDeque::new(),
            debug: false,
        })
    }

    /// Handles events until the end.
    pub fn run(&mut self, inbox: &Receiver<Event>, out: &mut impl Write) -> anyhow::Result<()> {
        loop {
            let deadline = self.search.as_ref().and_then(|search| search.deadline);
            let event = match deadline {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(deadline) => {
                    inbox.recv_timeout(deadline.saturating_duration_since(Instant::now()))
                }
            };
            match event {
                Ok(Event::Line(line)) => {
                    if self.handle_line(&line, out)? == Next::End {
                        return self.end(inbox, out);
                    }
                }
                Ok(Event::End) => return self.end(inbox, out),
                Ok(event) => self.search_event(event, out)?,
                Err(RecvTimeoutError::Timeout) => self.stop_search(out)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            self.process_queue(out)?;
        }
    }

    /// Stops a running search and sends its move, unless it takes too long.
    fn end(&mut self, inbox: &Receiver<Event>, out: &mut impl Write) -> anyhow::Result<()> {
        self.queued.clear();
        self.stop_search(out)?;
        let deadline = Instant::now() + FINAL_MOVE_TIMEOUT;
        while self.search.is_some() {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(event) = inbox.recv_timeout(left) else { break };
            self.search_event(event, out)?;
        }
        Ok(())
    }

    fn handle_line(&mut self, line: &str, out: &mut impl Write) -> anyhow::Result<Next> {
        match UciCommand::parse(line) {
            None if self.debug && !line.trim().is_empty() => {
                send_string(out, &format!("unknown command {line}"))?;
            }
            None => {}
            Some(UciCommand::Quit) => return Ok(Next::End),
            Some(UciCommand::Uci) => self.send_id(out)?,
            Some(UciCommand::IsReady) => send(out, &UciMessage::ReadyOk)?,
            Some(UciCommand::Debug(on)) => self.debug = on,
            Some(UciCommand::Register) => {}
            Some(command) if !self.queued.is_empty() => self.queued.push_back(command),
            Some(UciCommand::Stop) => self.stop_search(out)?,
            Some(UciCommand::PonderHit) => self.ponder_hit(out)?,
            Some(command) => {
                self.queued.push_back(command);
                self.stop_search(out)?;
            }
        }
        Ok(Next::Continue)
    }

    fn send_id(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let name = format!("Ludus {} {}", env!("CARGO_PKG_VERSION"), self.settings.spec());
        send(out, &UciMessage::Name(name))?;
        send(out, &UciMessage::Author("the Ludus authors".to_owned()))?;
        for option in self.settings.describe() {
            send(out, &UciMessage::Option(option))?;
        }
        send(out, &UciMessage::UciOk)
    }

    /// Processes queued commands while no search is running.
    fn process_queue(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        loop {
            let at_once =
                matches!(self.queued.front(), Some(UciCommand::Stop | UciCommand::PonderHit));
            if self.search.is_some() && !at_once {
                // The next command needs the end of the running search.
                if !self.queued.is_empty() {
                    self.stop_search(out)?;
                }
                if self.search.is_some() {
                    return Ok(());
                }
            }
            let Some(command) = self.queued.pop_front() else { return Ok(()) };
            let result = match command {
                UciCommand::SetOption { name, value } => {
                    self.set_option(&name, &value.unwrap_or_default())
                }
                UciCommand::NewGame => self.new_game(None),
                UciCommand::Position { fen, moves } => self.set_position(fen, &moves),
                UciCommand::Go(go) => self.go(go, out),
                UciCommand::Stop => self.stop_search(out),
                UciCommand::PonderHit => self.ponder_hit(out),
                _ => Ok(()),
            };
            match result {
                Err(error) if error.is::<std::io::Error>() => return Err(error),
                Err(error) => send_string(out, &error.to_string())?,
                Ok(()) => {}
            }
        }
    }

    fn pair(&mut self) -> anyhow::Result<&mut SearchPair> {
        self.pair.as_mut().ok_or_else(|| anyhow::anyhow!("a search is running"))
    }

    fn set_option(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        if self.settings.set(name, value)? == OptionEffect::Player {
            self.rebuild_player = true;
        }
        Ok(())
    }

    fn new_game(&mut self, start: Option<String>) -> anyhow::Result<()> {
        let seed = self.seed.wrapping_add(self.games);
        let pair = self.pair()?;
        pair.board.restart(start.as_deref())?;
        pair.player.new_game(seed);
        self.games += 1;
        self.start = start;
        Ok(())
    }

    /// Sets up a position. Within a game only the differing moves are undone and played, so that the
    /// player keeps its state; another start position begins a new game.
    fn set_position(&mut self, fen: Option<String>, moves: &[String]) -> anyhow::Result<()> {
        if fen != self.start {
            self.new_game(fen)?;
        }
        Ok(self.pair()?.board.set_moves(moves)?)
    }

    /// Rebuilds the player if necessary.
    fn prepare_player(&mut self) -> anyhow::Result<()> {
        if !self.rebuild_player {
            return Ok(());
        }
        let resources = Resources {
            seed: self.seed.wrapping_add(self.games),
            threads: self.settings.threads,
            ..Resources::default()
        };
        let spec = self.settings.spec();
        let pair = self.pair()?;
        pair.player = pair.board.game().player(&spec, &resources)?;
        self.rebuild_player = false;
        Ok(())
    }

    fn go(&mut self, go: UciGo, out: &mut impl Write) -> anyhow::Result<()> {
        let prepared = self.prepare_player();
        let (overhead, lines) = (self.settings.overhead, self.settings.multi_pv);
        let board = &self.pair()?.board;
        let limits = limits(&go, board.turn(), overhead);
        let root = RootMoves::new(board.legal_moves(), &go.search_moves);
        let withheld = go.infinite || go.ponder;
        let now = if withheld { Limits { time: None, clock: None, ..limits } } else { limits };
        let stop = Arc::new(AtomicBool::new(false));
        let mut search = Search {
            stop: stop.clone(),
            go,
            withheld,
            deadline: time_limit(&now).map(|time| Instant::now() + time),
            limits,
            last_infos: Vec::new(),
            found: None,
            root,
        };
        // Without a player or a legal move there is no search, but still a reply.
        if let Err(error) = prepared {
            send_string(out, &error.to_string())?;
            search.found = Some(search.root.fallback());
        } else if search.root.is_over() {
            search.found = Some(BestMove::default());
        } else if let Some(pair) = self.pair.take() {
            start_search(pair, lines, now, stop, self.events.clone());
        }
        self.search = Some(search);
        self.send_best_move(out)
    }

    /// Stops the running search, if any; its move follows.
    fn stop_search(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(search) = &mut self.search {
            search.stop.store(true, Ordering::Relaxed);
            search.withheld = false;
            search.deadline = None;
        }
        self.send_best_move(out)
    }

    /// Starts the clock of a ponder search.
    fn ponder_hit(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(search) = &mut self.search
            && search.go.ponder
        {
            search.go.ponder = false;
            search.withheld = search.go.infinite;
            let share = search.limits.time.or(search.limits.clock.map(|clock| {
                (clock.remaining / EXPECTED_MOVES_LEFT + clock.increment / 2)
                    .min(clock.remaining / 2)
            }));
            search.deadline = share.map(|time| Instant::now() + time);
        }
        self.send_best_move(out)
    }

    fn search_event(&mut self, event: Event, out: &mut impl Write) -> anyhow::Result<()> {
        let multi_pv = self.settings.multi_pv;
        match event {
            Event::Report(analysis) => {
                if let Some(search) = &mut self.search {
                    search.send(&analysis, multi_pv, out)?;
                }
            }
            Event::Done(pair, result) => {
                self.pair = Some(pair);
                let Some(search) = &mut self.search else { return Ok(()) };
                search.found = Some(match result {
                    Ok(analysis) if analysis.best.is_none() => search.root.fallback(), // resigned
                    Ok(analysis) => {
                        search.send(&analysis, multi_pv, out)?;
                        search.root.best(&analysis)
                    }
                    Err(error) => {
                        self.rebuild_player = true; // a new player may work again
                        send_string(out, &error)?;
                        search.root.fallback()
                    }
                });
                self.send_best_move(out)?;
            }
            Event::Note(text) => send_string(out, &text)?,
            Event::Line(_) | Event::End => {}
        }
        Ok(())
    }

    /// Sends the move of the search once it is known and not held back.
    fn send_best_move(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.search.as_ref().is_some_and(|search| !search.withheld && search.found.is_some())
            && let Some(BestMove { mv, ponder }) =
                self.search.take().and_then(|search| search.found)
        {
            send(out, &UciMessage::BestMove { mv, ponder })?;
        }
        Ok(())
    }
}

impl Search {
    /// Sends the lines of an analysis, unless they were sent before.
    fn send(
        &mut self,
        analysis: &Analysis,
        multi_pv: usize,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let lines = self.root.infos(analysis, multi_pv);
        let timeless =
            |info: &UciInfo| UciInfo { time: None, nodes_per_second: None, ..info.clone() };
        let plain: Vec<UciInfo> = lines.iter().map(timeless).collect();
        if plain != self.last_infos {
            for info in lines {
                send(out, &UciMessage::Info(info))?;
            }
            self.last_infos = plain;
        }
        Ok(())
    }
}

/// The limits of a `go` command, less the move overhead.
fn limits(go: &UciGo, turn: Side, overhead: Duration) -> Limits {
    let reduced = |time: Duration| time.saturating_sub(overhead).max(Duration::from_millis(1));
    let side = turn.index();
    let mate = go.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1));
    Limits {
        depth: go.depth.or(mate).map(|depth| depth.clamp(1, MAX_DEPTH)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        time: go.move_time.map(reduced),
        clock: go.time[side].map(|remaining| Clock {
            remaining: reduced(remaining),
            increment: go.increment[side].unwrap_or_default(),
            moves_to_go: go.moves_to_go.filter(|moves| *moves > 0),
        }),
    }
}

/// The time after which a search is stopped.
fn time_limit(limits: &Limits) -> Option<Duration> {
    let clock = limits.clock.map(|clock| clock.remaining);
    match (limits.time, clock) {
        (Some(time), Some(clock)) => Some(time.min(clock)),
        (time, clock) => time.or(clock),
    }
}

/// Writes one message and flushes.
fn send(out: &mut impl Write, message: &UciMessage) -> anyhow::Result<()> {
    writeln!(out, "{message}")?;
    Ok(out.flush()?)
}

/// Sends a text as `info string`.
fn send_string(out: &mut impl Write, text: &str) -> anyhow::Result<()> {
    let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    send(out, &UciMessage::Info(UciInfo { text: Some(text), ..UciInfo::default() }))
}
