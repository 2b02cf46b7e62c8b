//! `ludus gtp`: any Go player as an engine for programs with the Go Text Protocol.
//!
//! `commands` implements the commands, `game` holds the board and `clock` the time. Moves are searched
//! on the main thread; `analysis` runs beside the input, which stops it.

mod analysis;
mod clock;
mod commands;
mod game;

use self::{
    analysis::AnalysisStream,
    clock::{GtpClocks, TimeSettings},
    commands::{Handler, find},
    game::GtpGame,
};
use super::{Common, limits::LimitArgs, stdin_lines::StdinLines};
use ludus_core::{Action, Limits, Notation, Options, Player, SearchControl, Side};
use ludus_formats::gtp::{GtpCommand, GtpResponse, MAX_LINE_BYTES, Vertex};
use ludus_games::go::{Go, GoMove};
use ludus_players::build_player;
use std::{
    io::{self, Write},
    sync::atomic::AtomicBool,
    time::Instant,
};

/// Default player.
const DEFAULT_PLAYER: &str = "greedy";

/// Run as a Go engine (Go Text Protocol 2)
#[derive(clap::Args)]
pub struct Args {
    /// Player
    #[arg(long, default_value = DEFAULT_PLAYER, value_name = "PLAYER")]
    player: String,
    /// Board size, until the controller sets another
    #[arg(long, default_value_t = 19, value_name = "N",
          value_parser = clap::value_parser!(u8).range(2..=25))]
    size: u8,
    /// Rules and komi, as options of the game, such as rules=japanese,komi=6.5
    #[arg(long, default_value = "", value_name = "OPTIONS")]
    rules: String,
    #[command(flatten)]
    limits: LimitArgs,
}

/// State of the engine between commands.
struct Engine {
    game: GtpGame,
    player: Box<dyn Player<Go>>,
    player_name: String,
    limits: Limits,
    clocks: GtpClocks,
    /// Random seed of the current game.
    seed: u64,
    started: Instant,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let separator = if args.rules.is_empty() { "" } else { "," };
    let text = format!("go:size={}{separator}{}", args.size, args.rules);
    let options = Options::parse(&text, Go::OPTIONS)?;
    let mut engine = Engine {
        game: GtpGame::new(options)?,
        player: build_player(&args.player, &common.resources())?,
        player_name: args.player.clone(),
        limits: args.limits.limits(),
        clocks: GtpClocks::new(TimeSettings::Unlimited),
        seed: common.seed,
        started: Instant::now(),
    };
    let mut lines = StdinLines::new(MAX_LINE_BYTES)?;
    while let Some(line) = lines.next() {
        let Some(command) = GtpCommand::read(&line) else { continue };
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
        command: &GtpCommand,
        lines: &mut StdinLines,
        out: &mut impl Write,
    ) -> io::Result<Next> {
        let id = command.id;
        let result = match find(&command.name) {
            None => Err("unknown command".to_owned()),
            Some(Handler::Answer(answer)) => answer(self, &command.arguments),
            Some(Handler::Analyze(purpose)) => {
                let stream = AnalysisStream { id, purpose: *purpose, lines, out };
                match stream.run(self, &command.arguments)? {
                    None => return Ok(Next::Command), // already written
                    Some(failure) => Err(failure),
                }
            }
            Some(Handler::Quit) => {
                write!(out, "{}", GtpResponse { id, result: Ok(String::new()) })?;
                return Ok(Next::End);
            }
        };
        write!(out, "{}", GtpResponse { id, result })?;
        Ok(Next::Command)
    }

    /// The limits of a move of `side`.
    fn limits(&self, side: Side) -> Limits {
        Limits { clock: self.clocks.clock(side).or(self.limits.clock), ..self.limits }
    }

    /// The player's choice for `side`, without playing it.
    fn choose(&mut self, side: Side) -> Result<Action<GoMove>, String> {
        let limits = self.limits(side);
        let mut control = SearchControl { stop: &AtomicBool::new(false), on_report: &mut |_| {} };
        let choice = self.player.choose(&self.game.history_for(side), &limits, &mut control);
        choice.map(|choice| choice.action).map_err(|error| one_line(&error))
    }

    /// Plays the action chosen since `started` and returns its vertex.
    fn play_choice(
        &mut self,
        side: Side,
        action: Action<GoMove>,
        started: Instant,
    ) -> Result<Vertex, String> {
        let vertex = self.vertex_of(action);
        if let Action::Play(mv) = action
            && !self.game.play(side, mv)
        {
            return Err(format!("{} chose the illegal move {vertex}", self.player_name));
        }
        self.clocks.deduct(side, started.elapsed());
        Ok(vertex)
    }

    fn vertex_of(&self, action: Action<GoMove>) -> Vertex {
        match action {
            Action::Play(GoMove::Play(point)) => self.game.vertex(point),
            Action::Play(GoMove::Pass) => Vertex::Pass,
            Action::Resign => Vertex::Resign,
        }
    }

    /// Starts another game.
    fn set_game(&mut self, game: GtpGame) {
        self.game = game;
        self.clocks.restart();
        self.player.new_game(self.seed);
        self.seed = self.seed.wrapping_add(1);
    }

    /// Continues the game under other rules. The player must forget what it computed under the old ones.
    fn change_rules(&mut self, game: GtpGame) {
        self.game = game;
        self.player.new_game(self.seed);
    }
}

/// An error message on one line.
fn one_line(error: &impl std::fmt::Display) -> String {
    error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")
}
