//! `ludus gtp`: any of our Go players as an engine for programs that speak the Go Text Protocol.
//!
//! `commands` says what each command does, `game` holds the board and `clock` the time. A move is
//! thought about at once; `analysis` thinks beside the reading of commands, so that input stops it.

mod analysis;
mod clock;
mod commands;
mod game;

use self::{
    analysis::Analyst,
    clock::{Clocks, Setting},
    commands::{Handler, find},
    game::Game,
};
use super::{Common, command_lines::CommandLines, limits::LimitArgs};
use ludus_core::{Action, Limits, Notation, Options, Player, Side, Watch};
use ludus_formats::gtp::{Command, MAX_LINE_BYTES, Response, Vertex};
use ludus_games::go::{Go, Move};
use ludus_players::build_player;
use std::{
    io::{self, Write},
    sync::atomic::AtomicBool,
    time::Instant,
};

/// The strongest player we have that is fast enough on a large board.
const STRONGEST: &str = "greedy";

/// Be a Go engine for other programs (Go Text Protocol 2)
#[derive(clap::Args)]
pub struct Args {
    /// Who plays
    #[arg(long, default_value = STRONGEST, value_name = "PLAYER")]
    player: String,
    /// Points in a row, until the other program says otherwise
    #[arg(long, default_value_t = 19, value_name = "N",
          value_parser = clap::value_parser!(u8).range(2..=25))]
    size: u8,
    /// Rules and komi, as options of the game: rules=japanese,komi=6.5
    #[arg(long, default_value = "", value_name = "OPTIONS")]
    rules: String,
    #[command(flatten)]
    limits: LimitArgs,
}

/// An engine between two commands.
struct Engine {
    game: Game,
    player: Box<dyn Player<Go>>,
    player_name: String,
    limits: Limits,
    clocks: Clocks,
    /// Decides what is random in the present game.
    seed: u64,
    started: Instant,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let separator = if args.rules.is_empty() { "" } else { "," };
    let text = format!("go:size={}{separator}{}", args.size, args.rules);
    let options = Options::parse(&text, Go::OPTIONS)?;
    let mut engine = Engine {
        game: Game::new(options)?,
        player: build_player(&args.player, &common.resources())?,
        player_name: args.player.clone(),
        limits: args.limits.limits(),
        clocks: Clocks::new(Setting::Unlimited),
        seed: common.seed,
        started: Instant::now(),
    };
    let mut lines = CommandLines::of_stdin(MAX_LINE_BYTES)?;
    while let Some(line) = lines.next() {
        let Some(command) = Command::read(&line) else { continue };
        match engine.answer(&command, &mut lines, out)? {
            Next::Command => out.flush()?,
            Next::End => break,
        }
    }
    Ok(())
}

enum Next {
    Command,
    End,
}

impl Engine {
    /// Writes exactly one response.
    fn answer(
        &mut self,
        command: &Command,
        lines: &mut CommandLines,
        out: &mut impl Write,
    ) -> io::Result<Next> {
        let id = command.id;
        let result = match find(&command.name) {
            None => Err("unknown command".to_owned()),
            Some(Handler::Answer(answer)) => answer(self, &command.arguments),
            Some(Handler::Analyze(purpose)) => {
                let analyst = Analyst { id, purpose: *purpose, lines, out };
                match analyst.run(self, &command.arguments)? {
                    None => return Ok(Next::Command), // written already
                    Some(failure) => Err(failure),
                }
            }
            Some(Handler::Quit) => {
                write!(out, "{}", Response { id, result: Ok(String::new()) })?;
                return Ok(Next::End);
            }
        };
        write!(out, "{}", Response { id, result })?;
        Ok(Next::Command)
    }

    /// The limits of a move of `side`.
    fn limits(&self, side: Side) -> Limits {
        Limits { clock: self.clocks.clock(side).or(self.limits.clock), ..self.limits }
    }

    /// What `side` would do, without doing it.
    fn choose(&mut self, side: Side) -> Result<Action<Move>, String> {
        let limits = self.limits(side);
        let mut watch = Watch { stop: &AtomicBool::new(false), on_report: &mut |_| {} };
        let choice = self.player.choose(&self.game.seen_by(side), &limits, &mut watch);
        choice.map(|choice| choice.action).map_err(|error| one_line(&error))
    }

    /// Does what a player decided after `started`; says where that is.
    fn perform(
        &mut self,
        side: Side,
        action: Action<Move>,
        started: Instant,
    ) -> Result<Vertex, String> {
        let vertex = self.vertex_of(action);
        if let Action::Play(mv) = action
            && !self.game.play(side, mv)
        {
            return Err(format!("{} chose the illegal move {vertex}", self.player_name));
        }
        self.clocks.spend(side, started.elapsed());
        Ok(vertex)
    }

    fn vertex_of(&self, action: Action<Move>) -> Vertex {
        match action {
            Action::Play(Move::Play(point)) => self.game.vertex(point),
            Action::Play(Move::Pass) => Vertex::Pass,
            Action::Resign => Vertex::Resign,
        }
    }

    /// Puts another game on the board.
    fn set_game(&mut self, game: Game) {
        self.game = game;
        self.clocks.restart();
        self.player.new_game(self.seed);
        self.seed = self.seed.wrapping_add(1);
    }

    /// Goes on with the same moves under other rules, under which nothing that is remembered holds.
    fn change_rules(&mut self, game: Game) {
        self.game = game;
        self.player.new_game(self.seed);
    }
}

/// An error as the rest of a response line.
fn one_line(error: &impl std::fmt::Display) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
