//! The engine: a session, one search at a time, and the answers to every command.

use super::{
    options::{Change, Settings},
    search::{Found, Root, think},
};
use ludus_core::{Clock, Limits, Side};
use ludus_formats::uci::{Command, Go, Info, Message};
use ludus_players::{Analysis, Resources, Session, Turn, find_game};
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

/// How long the end waits for the move of a search that is still running.
const LAST_MOVE: Duration = Duration::from_secs(2);
/// The deepest search that is believed: deeper ones would not end, and use up the stack.
const MAX_DEPTH: u32 = 128;

/// What the engine reacts to.
pub enum Event {
    /// A line of the other program.
    Line(String),
    /// It will say no more.
    End,
    /// What a search thinks so far.
    Report(Box<Analysis>),
    /// Something to say about a search.
    Note(String),
    /// What a search came to, and the session it used.
    Done(Box<dyn Session>, Result<Turn, String>),
}

pub struct UciEngine {
    settings: Settings,
    seed: u64,
    games: u64,
    events: Sender<Event>,
    /// With the search while one is running.
    session: Option<Box<dyn Session>>,
    /// Where the one player sits; it changes seats when the other side is to move.
    seated: Side,
    /// Whether it has to be built anew: its options changed, or it broke down.
    stale: bool,
    /// Where the game started, if not at the usual start.
    start: Option<String>,
    search: Option<Search>,
    /// Commands that wait for the end of a search.
    waiting: VecDeque<Command>,
    debug: bool,
}

/// A search that has not given its move yet.
struct Search {
    stop: Arc<AtomicBool>,
    root: Root,
    go: Go,
    /// Whether the move must wait for `stop` or `ponderhit`.
    held: bool,
    /// When to stop it, whatever the player thinks.
    deadline: Option<Instant>,
    /// The clock it will have after `ponderhit`.
    limits: Limits,
    said: Vec<Info>,
    /// The move, if it is found but held.
    found: Option<Found>,
}

/// Whether to go on.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    End,
}

impl UciEngine {
    /// An engine that plays like `player`, which must be one of chess.
    pub fn new(
        player: &str,
        resources: &Resources,
        events: Sender<Event>,
    ) -> anyhow::Result<UciEngine> {
        let (game, options) = find_game("chess")?;
        let settings = Settings::new(player, &game.players(), resources.threads)?;
        let mut session = game.open(&options, None)?;
        session.seat(Side::First, player, resources)?;
        Ok(UciEngine {
            settings,
            seed: resources.seed,
            games: 0,
            events,
            session: Some(session),
            seated: Side::First,
            stale: false,
            start: None,
            search: None,
            waiting: VecDeque::new(),
            debug: false,
        })
    }

    /// Reacts to events until the end.
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
                    if self.hear(&line, out)? == Next::End {
                        return self.end(inbox, out);
                    }
                }
                Ok(Event::End) => return self.end(inbox, out),
                Ok(event) => self.search_event(event, out)?,
                Err(RecvTimeoutError::Timeout) => self.stop_search(out)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            self.work_off(out)?;
        }
    }

    /// Gives the move of a running search if it comes soon.
    fn end(&mut self, inbox: &Receiver<Event>, out: &mut impl Write) -> anyhow::Result<()> {
        self.waiting.clear();
        self.stop_search(out)?;
        let deadline = Instant::now() + LAST_MOVE;
        while self.search.is_some() {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(event) = inbox.recv_timeout(left) else { break };
            self.search_event(event, out)?;
        }
        Ok(())
    }

    fn hear(&mut self, line: &str, out: &mut impl Write) -> anyhow::Result<Next> {
        match Command::parse(line) {
            None if self.debug && !line.trim().is_empty() => {
                say_text(out, &format!("unknown command {line}"))?;
            }
            None => {}
            Some(Command::Quit) => return Ok(Next::End),
            Some(Command::Uci) => self.introduce(out)?,
            Some(Command::IsReady) => say(out, &Message::ReadyOk)?,
            Some(Command::Debug(on)) => self.debug = on,
            Some(Command::Register) => {}
            Some(command) if !self.waiting.is_empty() => self.waiting.push_back(command),
            Some(Command::Stop) => self.stop_search(out)?,
            Some(Command::PonderHit) => self.ponder_hit(out)?,
            Some(command) => {
                self.waiting.push_back(command);
                self.stop_search(out)?;
            }
        }
        Ok(Next::GoOn)
    }

    fn introduce(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let name = format!("Ludus {} {}", env!("CARGO_PKG_VERSION"), self.settings.spec());
        say(out, &Message::Name(name))?;
        say(out, &Message::Author("the Ludus authors".to_owned()))?;
        for option in self.settings.describe() {
            say(out, &Message::Option(option))?;
        }
        say(out, &Message::UciOk)
    }

    /// Obeys the commands that waited, as long as no search is running.
    fn work_off(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        loop {
            let at_once = matches!(self.waiting.front(), Some(Command::Stop | Command::PonderHit));
            if self.search.is_some() && !at_once {
                // The next one has to wait, and what is running must not keep it waiting.
                if !self.waiting.is_empty() {
                    self.stop_search(out)?;
                }
                if self.search.is_some() {
                    return Ok(());
                }
            }
            let Some(command) = self.waiting.pop_front() else { return Ok(()) };
            let trouble = match command {
                Command::SetOption { name, value } => {
                    self.set_option(&name, &value.unwrap_or_default())
                }
                Command::NewGame => self.new_game(None),
                Command::Position { fen, moves } => self.set_position(fen, &moves),
                Command::Go(go) => self.go(go, out),
                Command::Stop => self.stop_search(out),
                Command::PonderHit => self.ponder_hit(out),
                _ => Ok(()),
            };
            match trouble {
                Err(error) if error.is::<std::io::Error>() => return Err(error),
                Err(error) => say_text(out, &error.to_string())?,
                Ok(()) => {}
            }
        }
    }

    fn session(&mut self) -> anyhow::Result<&mut Box<dyn Session>> {
        self.session.as_mut().ok_or_else(|| anyhow::anyhow!("a search is running"))
    }

    fn set_option(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        if self.settings.set(name, value)? == Change::Player {
            self.stale = true;
        }
        Ok(())
    }

    fn new_game(&mut self, start: Option<String>) -> anyhow::Result<()> {
        let seed = self.seed.wrapping_add(self.games);
        self.session()?.new_game(start.as_deref(), [seed; 2])?;
        self.games += 1;
        self.start = start;
        Ok(())
    }

    /// Sets up a position. In the same game only the moves that differ are taken back and made, so
    /// the player keeps what it knows; another start is another game.
    fn set_position(&mut self, fen: Option<String>, moves: &[String]) -> anyhow::Result<()> {
        if fen != self.start {
            self.new_game(fen)?;
        }
        let session = self.session()?;
        let played = session.moves();
        let same = played.iter().zip(moves).take_while(|(old, new)| old == new).count();
        for _ in same..played.len() {
            session.undo();
        }
        for mv in &moves[same..] {
            session.play(mv)?;
        }
        Ok(())
    }

    /// Sees to it that the player sits where a move is due, with its options as they are now.
    fn take_seat(&mut self) -> anyhow::Result<()> {
        let resources = Resources {
            seed: self.seed.wrapping_add(self.games),
            threads: self.settings.threads,
            ..Resources::default()
        };
        let (spec, seated, stale) = (self.settings.spec(), self.seated, self.stale);
        let session = self.session()?;
        let turn = session.turn();
        if stale {
            session.seat(seated, &spec, &resources)?;
        }
        if seated != turn {
            session.swap_seats();
        }
        (self.seated, self.stale) = (turn, false);
        Ok(())
    }

    fn go(&mut self, go: Go, out: &mut impl Write) -> anyhow::Result<()> {
        let seated = self.take_seat();
        let (overhead, lines) = (self.settings.overhead, self.settings.multi_pv);
        let session = self.session()?;
        let limits = limits(&go, session.turn(), overhead);
        let root = Root::new(session.legal_moves(), &go.search_moves);
        let held = go.infinite || go.ponder;
        let now = if held { Limits { time: None, clock: None, ..limits } } else { limits };
        let stop = Arc::new(AtomicBool::new(false));
        let mut search = Search {
            stop: stop.clone(),
            go,
            held,
            deadline: allowance(&now).map(|time| Instant::now() + time),
            limits,
            said: Vec::new(),
            found: None,
            root,
        };
        // Without a player or without a move there is nothing to search, but still an answer due.
        if let Err(error) = seated {
            say_text(out, &error.to_string())?;
            search.found = Some(search.root.any());
        } else if search.root.is_over() {
            search.found = Some(Found::default());
        } else if let Some(session) = self.session.take() {
            think(session, lines, now, stop, self.events.clone());
        }
        self.search = Some(search);
        self.give_move(out)
    }

    /// Ends the search that is running, if there is one; its move comes when it can.
    fn stop_search(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(search) = &mut self.search {
            search.stop.store(true, Ordering::Relaxed);
            search.held = false;
            search.deadline = None;
        }
        self.give_move(out)
    }

    /// The clock starts to run for a search that began on the opponent's time.
    fn ponder_hit(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(search) = &mut self.search
            && search.go.ponder
        {
            search.go.ponder = false;
            search.held = search.go.infinite;
            let share = search.limits.time.or(search.limits.clock.map(|clock| {
                (clock.remaining / 30 + clock.increment / 2).min(clock.remaining / 2)
            }));
            search.deadline = share.map(|time| Instant::now() + time);
        }
        self.give_move(out)
    }

    fn search_event(&mut self, event: Event, out: &mut impl Write) -> anyhow::Result<()> {
        let multi_pv = self.settings.multi_pv;
        match event {
            Event::Report(analysis) => {
                if let Some(search) = &mut self.search {
                    search.say(&analysis, multi_pv, out)?;
                }
            }
            Event::Done(session, result) => {
                self.session = Some(session);
                let Some(search) = &mut self.search else { return Ok(()) };
                search.found = Some(match result {
                    Ok(Turn::Moved(analysis)) => {
                        search.say(&analysis, multi_pv, out)?;
                        search.root.best(&analysis)
                    }
                    Ok(Turn::Resigned) => search.root.any(),
                    Err(trouble) => {
                        self.stale = true; // whatever is wrong with it, a new one may do better
                        say_text(out, &trouble)?;
                        search.root.any()
                    }
                });
                self.give_move(out)?;
            }
            Event::Note(text) => say_text(out, &text)?,
            Event::Line(_) | Event::End => {}
        }
        Ok(())
    }

    /// Says the move of a search, once it is found and wanted.
    fn give_move(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.search.as_ref().is_some_and(|search| !search.held && search.found.is_some())
            && let Some(Found { mv, ponder }) = self.search.take().and_then(|search| search.found)
        {
            say(out, &Message::BestMove { mv, ponder })?;
        }
        Ok(())
    }
}

impl Search {
    /// Says what the player thinks, unless it was said before.
    fn say(
        &mut self,
        analysis: &Analysis,
        multi_pv: usize,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let lines = self.root.infos(analysis, multi_pv);
        let timeless = |info: &Info| Info { time: None, nodes_per_second: None, ..info.clone() };
        let plain: Vec<Info> = lines.iter().map(timeless).collect();
        if plain != self.said {
            for info in lines {
                say(out, &Message::Info(info))?;
            }
            self.said = plain;
        }
        Ok(())
    }
}

/// What a `go` allows, without the time the answer needs to arrive.
fn limits(go: &Go, turn: Side, overhead: Duration) -> Limits {
    let told = |time: Duration| time.saturating_sub(overhead).max(Duration::from_millis(1));
    let side = turn.index();
    let mate = go.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1));
    Limits {
        depth: go.depth.or(mate).map(|depth| depth.clamp(1, MAX_DEPTH)),
        nodes: go.nodes.map(|nodes| nodes.max(1)),
        time: go.move_time.map(told),
        clock: go.time[side].map(|remaining| Clock {
            remaining: told(remaining),
            increment: go.increment[side].unwrap_or_default(),
            moves_to_go: go.moves_to_go.filter(|moves| *moves > 0),
        }),
    }
}

/// The time after which a search is stopped even if its player would go on.
fn allowance(limits: &Limits) -> Option<Duration> {
    let clock = limits.clock.map(|clock| clock.remaining);
    match (limits.time, clock) {
        (Some(time), Some(clock)) => Some(time.min(clock)),
        (time, clock) => time.or(clock),
    }
}

/// Writes one line and sends it off: the other program waits for it.
fn say(out: &mut impl Write, message: &Message) -> anyhow::Result<()> {
    writeln!(out, "{message}")?;
    Ok(out.flush()?)
}

/// Words for people.
fn say_text(out: &mut impl Write, text: &str) -> anyhow::Result<()> {
    let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    say(out, &Message::Info(Info { text: Some(text), ..Info::default() }))
}
