//! `ludus play`: play a game in the terminal.

use super::{
    Common,
    limits::{LimitArgs, parse_time},
    write_json,
};
use crate::{
    error::bad_input,
    records,
    terminal::{Prompt, TerminalStyle, draw},
};
use ludus_core::{Clock, EndReason, Grid, Limits, Outcome, Score, Side};
use ludus_players::{
    AnalysisControl, Board, BoardPlayer, Finish, Game, ReportNumbers, Resources, find_game,
};
use serde_json::json;
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    thread,
    time::{Duration, Instant},
};

/// Default opponent of a human: the strong player at a low level, or `greedy` in games without it.
pub fn default_opponent(game: &dyn Game) -> &'static str {
    let has_engine = game.players().iter().any(|(id, ..)| *id == "engine");
    if has_engine { "engine:level=3" } else { "greedy" }
}

const HUMAN: &str = "human";

/// Play a game in the terminal, with a human or a player on each side
///
/// Enter moves in the notation of the board, or `help` for a list of commands.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as draughts or go:size=9
    game: String,
    /// First player: human or a player (default: human)
    #[arg(long, value_name = "PLAYER")]
    first: Option<String>,
    /// Second player: human or a player (default: human; against a human engine:level=3, or greedy in
    /// games without engine)
    #[arg(long, value_name = "PLAYER")]
    second: Option<String>,
    /// Start from this position
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: Option<String>,
    /// Continue the first game of this file (PGN, PDN, SGF or JSON)
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    load: Option<PathBuf>,
    /// Save the game to this file on exit, as PGN, PDN or SGF
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Player that gives hints
    #[arg(long, default_value = "minimax:depth=2", value_name = "PLAYER")]
    advisor: String,
    /// Pause after every move of a player
    #[arg(long, default_value = "0s", value_name = "TIME", value_parser = parse_time)]
    delay: Duration,
    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    /// Names of both sides' players.
    fn names(&self, game: &dyn Game) -> [String; 2] {
        let first = self.first.clone().unwrap_or_else(|| HUMAN.to_owned());
        let usual = if first == HUMAN { default_opponent(game) } else { HUMAN };
        [first, self.second.clone().unwrap_or_else(|| usual.to_owned())]
    }
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let (game, options) = find_game(&args.game)?;
    let names = args.names(game);
    for name in names.iter().filter(|name| *name != HUMAN).chain([&args.advisor]) {
        game.check_player(name, &common.resources())?;
    }
    if common.json && names.iter().any(|name| name == HUMAN) {
        return Err(bad_input("--json needs two players: expected --first and --second"));
    }
    if let Some(path) = &args.save {
        records::check_target(path, game)?;
    }
    let board = match &args.load {
        Some(path) => records::load(path, game)?,
        None => game.open(&options, args.position.as_deref())?,
    };
    let players = seat(game, &names, &common.resources())?;
    let limits = args.limits.limits();
    let terminal = TerminalGame {
        args,
        game,
        board,
        players,
        clocks: [limits.clock; 2],
        limits,
        names,
        decided: None,
        style: TerminalStyle::detect(),
        quiet: common.json,
        resources: common.resources(),
        prompt: None,
        out,
    };
    terminal.play(common)
}

/// The players of both sides; `None` for a human.
type Seats = [Option<Box<dyn BoardPlayer>>; 2];

fn seat(game: &dyn Game, names: &[String; 2], resources: &Resources) -> anyhow::Result<Seats> {
    let mut seats = [None, None];
    for (side, name) in Side::BOTH.into_iter().zip(names).filter(|(_, name)| *name != HUMAN) {
        let seed = resources.seed.wrapping_mul(2).wrapping_add(side.index() as u64);
        let resources = Resources { seed, ..resources.clone() };
        seats[side.index()] = Some(game.player(name, &resources)?);
    }
    Ok(seats)
}

/// A game in the terminal.
struct TerminalGame<'a, W: Write> {
    args: &'a Args,
    game: &'static dyn Game,
    board: Box<dyn Board>,
    players: Seats,
    names: [String; 2],
    limits: Limits,
    clocks: [Option<Clock>; 2],
    /// Result by resignation or time forfeit.
    decided: Option<Finish>,
    style: TerminalStyle,
    quiet: bool,
    resources: Resources,
    prompt: Option<Prompt>,
    out: &'a mut W,
}

/// Effect of an input line.
enum Next {
    /// The board changed: continue the game.
    Changed,
    /// Nothing changed: read_command again.
    Again,
    /// Quit the program.
    Quit,
}

impl<W: Write> TerminalGame<'_, W> {
    fn play(mut self, common: &Common) -> anyhow::Result<()> {
        self.orient_board();
        self.draw()?;
        self.show_instructions()?;
        loop {
            if let Some(finish) = self.finish() {
                self.notify_players(finish.outcome);
                self.announce(finish)?;
                let human_here = self.names.iter().any(|name| name == HUMAN);
                if !human_here || matches!(self.read_command()?, Next::Quit) {
                    break;
                }
            } else if self.names[self.board.turn().index()] == HUMAN {
                if matches!(self.read_command()?, Next::Quit) {
                    break;
                }
            } else {
                self.let_play()?;
            }
        }
        if let Some(path) = &self.args.save {
            let moves = self.board.moves().len();
            records::save(path, &*self.board, &self.names, self.finish())?;
            if !self.quiet {
                writeln!(self.out, "Saved {moves} moves in {}.", path.display())?;
            }
        }
        if common.json { self.write_summary() } else { Ok(()) }
    }

    /// Puts the side of the only human at the bottom; otherwise White.
    fn orient_board(&mut self) {
        let white = self.board.white();
        let is_checkered = self.board.view().grid == Grid::Checkered;
        self.style.flipped =
            is_checkered && self.name(white) != HUMAN && self.name(!white) == HUMAN;
    }

    fn show_instructions(&mut self) -> anyhow::Result<()> {
        let Some(side) = Side::BOTH.into_iter().find(|&side| self.name(side) == HUMAN) else {
            return Ok(());
        };
        let example = self.board.legal_moves().into_iter().next().unwrap_or_default();
        let (you, them) = (self.side_name(side), self.name(!side));
        let line = format!("You are {you} against {them}. Type a move such as {example}, or help.");
        writeln!(self.out, "{}", self.style.faint(&line))?;
        Ok(())
    }

    fn finish(&self) -> Option<Finish> {
        self.decided.or_else(|| self.board.ending())
    }

    fn draw(&mut self) -> anyhow::Result<()> {
        if self.quiet {
            return Ok(());
        }
        let board = draw(&self.board.view(), &self.board.last_move_cells(), &self.style);
        writeln!(self.out, "\n{board}")?;
        Ok(self.out.flush()?)
    }

    fn announce(&mut self, finish: Finish) -> anyhow::Result<()> {
        if self.quiet {
            return Ok(());
        }
        let result = finish.words(&*self.board, Some(&self.names));
        writeln!(self.out, "{}", self.style.strong(&format!("{result}.")))?;
        Ok(())
    }

    fn side_name(&self, side: Side) -> &'static str {
        self.board.side_name(side)
    }

    fn name(&self, side: Side) -> &str {
        &self.names[side.index()]
    }

    /// The limits of the side to move, with its clock.
    fn limits(&self) -> Limits {
        Limits { clock: self.clocks[self.board.turn().index()], ..self.limits }
    }

    fn let_play(&mut self) -> anyhow::Result<()> {
        let side = self.board.turn();
        let started = Instant::now();
        let mut progress = AnalysisControl {
            limits: self.limits(),
            stop: &AtomicBool::new(false),
            on_report: &mut |_| {},
        };
        let player = self.players[side.index()].as_mut().expect("who is not human has a player");
        let (mv, numbers) = player.choose(&*self.board, &mut progress)?.into_move();
        self.deduct_time(side, started.elapsed());
        let Some(mv) = mv else {
            self.resign(side);
            return Ok(());
        };
        self.board.play(&mv)?;
        self.draw()?;
        self.show_move(side, &mv, &numbers)?;
        thread::sleep(self.args.delay);
        Ok(())
    }

    fn notify_players(&mut self, outcome: Outcome) {
        for (player, side) in self.players.iter_mut().zip(Side::BOTH) {
            if let Some(player) = player {
                player.game_over(&*self.board, side, outcome);
            }
        }
    }

    fn show_move(&mut self, side: Side, mv: &str, numbers: &ReportNumbers) -> anyhow::Result<()> {
        if self.quiet {
            return Ok(());
        }
        let thought = match numbers.score {
            Some(score) => {
                let score = self.game.score_words(score);
                format!("{score}, {} positions", numbers.nodes)
            }
            None => String::new(),
        };
        let mover = format!("{} ({}) plays {mv}", self.side_name(side), self.name(side));
        writeln!(self.out, "{}  {}", self.style.strong(&mover), self.style.faint(&thought))?;
        Ok(())
    }

    /// Deducts the time `side` used from its clock, if it has one.
    fn deduct_time(&mut self, side: Side, used: Duration) {
        let Some(clock) = &mut self.clocks[side.index()] else { return };
        match clock.remaining.checked_sub(used) {
            Some(left) => clock.remaining = left + clock.increment,
            None => self.decide(!side, EndReason::Time),
        }
    }

    fn resign(&mut self, side: Side) {
        self.decide(!side, EndReason::Resignation);
    }

    fn decide(&mut self, winner: Side, reason: EndReason) {
        self.decided = Some(Finish { outcome: Outcome::Win(winner), reason, margin: None });
    }

    /// Reads input until the board changes.
    fn read_command(&mut self) -> anyhow::Result<Next> {
        loop {
            let over = self.finish().is_some();
            let question = if over {
                "The game is over: undo, save FILE, new or quit? ".to_owned()
            } else {
                format!("{}> ", self.side_name(self.board.turn()))
            };
            let completions = self.board.legal_moves().into_iter();
            let completions =
                completions.chain(COMMANDS.iter().map(|(name, ..)| (*name).to_owned())).collect();
            self.out.flush()?;
            let started = Instant::now();
            if self.prompt.is_none() {
                self.prompt = Some(Prompt::new()?);
            }
            let prompt = self.prompt.as_mut().expect("made above");
            let Some(line) = prompt.ask(&question, completions)? else { return Ok(Next::Quit) };
            match self.execute(&line, started)? {
                Next::Again => {}
                next => return Ok(next),
            }
        }
    }

    fn execute(&mut self, line: &str, started: Instant) -> anyhow::Result<Next> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let next = match word.to_ascii_lowercase().as_str() {
            "" => Next::Again,
            "quit" | "exit" | "q" => Next::Quit,
            "help" | "?" => self.show_help()?,
            "moves" => {
                writeln!(self.out, "{}", self.board.legal_moves().join("  "))?;
                Next::Again
            }
            "board" => {
                self.draw()?;
                Next::Again
            }
            "flip" => {
                self.style.flipped = !self.style.flipped;
                self.draw()?;
                Next::Again
            }
            "position" => {
                writeln!(self.out, "{}", self.board.position())?;
                Next::Again
            }
            "record" => {
                let labels: Vec<String> =
                    self.board.played().into_iter().map(|mv| mv.label).collect();
                writeln!(self.out, "{}", labels.join(" "))?;
                Next::Again
            }
            "hint" => self.hint()?,
            "undo" => self.undo()?,
            "resign" if self.finish().is_none() => {
                self.resign(self.board.turn());
                Next::Changed
            }
            "new" => self.start_again()?,
            "save" => self.save(rest.trim())?,
            _ => self.play_human_move(line, started)?,
        };
        Ok(next)
    }

    fn play_human_move(&mut self, line: &str, started: Instant) -> anyhow::Result<Next> {
        if self.finish().is_some() {
            writeln!(self.out, "The game is over. Enter undo, save FILE, new or quit.")?;
            return Ok(Next::Again);
        }
        let side = self.board.turn();
        match self.board.play(line) {
            Ok(_) => {
                self.deduct_time(side, started.elapsed());
                let next_is_human = self.names[self.board.turn().index()] == HUMAN;
                if next_is_human || self.finish().is_some() {
                    self.draw()?; // otherwise the player's reply draws the board
                }
                Ok(Next::Changed)
            }
            Err(error) => {
                writeln!(self.out, "{error}.\nEnter help for a list of commands.")?;
                Ok(Next::Again)
            }
        }
    }

    fn show_help(&mut self) -> anyhow::Result<Next> {
        writeln!(self.out, "Type a move (Tab completes it), or one of:")?;
        for (name, argument, about) in COMMANDS {
            writeln!(self.out, "  {:<14} {about}", format!("{name} {argument}"))?;
        }
        let moves = self.board.legal_moves();
        if let Some(example) = moves.first() {
            writeln!(self.out, "There are {} legal moves, such as {example}.", moves.len())?;
        }
        Ok(Next::Again)
    }

    fn hint(&mut self) -> anyhow::Result<Next> {
        if self.finish().is_some() {
            writeln!(self.out, "The game is over: no hint is available.")?;
            return Ok(Next::Again);
        }
        let mut progress = AnalysisControl {
            limits: Limits::default(),
            stop: &AtomicBool::new(false),
            on_report: &mut |_| {},
        };
        let advice = self.board.analyze(&self.args.advisor, &self.resources, &mut progress)?;
        let best = advice.best.as_deref().unwrap_or("resign");
        let in_brackets = |score| format!(" ({})", self.game.score_words(Score(score)));
        let score = advice.score.map(in_brackets).unwrap_or_default();
        writeln!(self.out, "{} would play {best}{score}.", self.args.advisor)?;
        Ok(Next::Again)
    }

    /// Takes back the last move of the human and the reply to it.
    fn undo(&mut self) -> anyhow::Result<Next> {
        if self.decided.take().is_some() {
            return Ok(Next::Changed);
        }
        let last_mover = !self.board.turn();
        let plies = if self.name(last_mover) == HUMAN { 1 } else { 2 };
        if self.board.moves().len() < plies {
            writeln!(self.out, "There is no move to take back.")?;
            return Ok(Next::Again);
        }
        for _ in 0..plies {
            self.board.undo();
        }
        self.draw()?;
        Ok(Next::Changed)
    }

    fn start_again(&mut self) -> anyhow::Result<Next> {
        while self.board.undo() {}
        self.decided = None;
        self.clocks = [self.limits.clock; 2];
        self.players = seat(self.game, &self.names, &self.resources)?;
        self.draw()?;
        Ok(Next::Changed)
    }

    fn save(&mut self, file: &str) -> anyhow::Result<Next> {
        if file.is_empty() {
            let extension = self.board.record_format().name();
            writeln!(self.out, "Enter a file name, such as: save game.{extension}")?;
            return Ok(Next::Again);
        }
        let path = Path::new(file);
        let saved = records::check_target(path, self.game)
            .and_then(|()| records::save(path, &*self.board, &self.names, self.finish()));
        match saved {
            Ok(()) => writeln!(self.out, "Saved in {}.", path.display())?,
            Err(error) => writeln!(self.out, "Not saved: {error:#}.")?,
        }
        Ok(Next::Again)
    }

    fn write_summary(self) -> anyhow::Result<()> {
        let finish = self.finish();
        let winner = finish.map(|finish| match finish.outcome {
            Outcome::Draw => "draw",
            Outcome::Win(Side::First) => "first",
            Outcome::Win(Side::Second) => "second",
        });
        let document = json!({
            "game": self.board.name(),
            "players": self.names,
            "moves": self.board.moves(),
            "position": self.board.position(),
            "winner": winner,
            "reason": finish.map(|finish| finish.reason.to_string()),
            "reason_id": finish.map(|finish| finish.reason.id()),
            "margin": finish.and_then(|finish| finish.margin),
        });
        write_json(self.out, &document)
    }
}

/// Commands besides moves: name, argument, description.
const COMMANDS: &[(&str, &str, &str)] = &[
    ("moves", "", "list the legal moves"),
    ("hint", "", "show the advisor's move"),
    ("undo", "", "take back your last move"),
    ("board", "", "draw the board again"),
    ("flip", "", "flip the board"),
    ("position", "", "show the position as text"),
    ("record", "", "list the moves played"),
    ("save", "FILE", "save the game"),
    ("resign", "", "resign the game"),
    ("new", "", "start a new game"),
    ("quit", "", "quit the program"),
    ("help", "", "show this list"),
];
