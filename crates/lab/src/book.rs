//! Opening books of Go from games of a player against itself.
//!
//! Game `n` draws all its randomness from the seed and `n`, and every finished game is a line in a
//! file beside the book, so an interrupted run goes on where it was and comes to the same book.
//!
//! ```text
//! games of go:size=9 for a book: --player … --seed 1
//! 0 1 E5 C4? D7 …
//! ```
//!
//! After the number comes the result for Black (1, 0.5 or 0). A move with `?` was drawn to see more
//! positions, not chosen: it leads on, but nobody is advised to make it.

use crate::{
    LabError,
    folder::{Begin, open_lines, write_whole},
    parallel::in_order,
    self_play::{Rules, play_out},
};
use ludus_core::{
    Action, Choice, History, Limits, MoveReport, Notation, Options, Player, Position, Random, Side,
    TextError, Watch,
};
use ludus_games::go::{Go, Move};
use ludus_players::{
    Resources, build_player,
    go_book::{Book, GameMove},
};
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
};

const WHAT: &str = "games of a book";
/// What stands behind a move that was drawn.
const DRAWN: char = '?';

/// How a book is made.
#[derive(Clone, Debug)]
pub struct BookSettings {
    /// The rules.
    pub options: Options,
    /// Who plays the plies of the book.
    pub player: String,
    /// Who plays the games to their ends.
    pub finisher: String,
    /// How many games.
    pub games: u64,
    /// Plies of each that go into the book.
    pub plies: usize,
    /// In how many of a hundred of them the move is drawn by its visits.
    pub explore: u8,
    /// Games a move must have been made in to be kept.
    pub least: u32,
    /// Decides everything random.
    pub seed: u64,
}

impl BookSettings {
    /// What decides each game, as words of the command line.
    fn of_games(&self) -> String {
        let BookSettings { player, finisher, plies, explore, seed, .. } = self;
        format!(
            "--player {player} --finisher {finisher} --plies {plies} --explore {explore} --seed {seed}"
        )
    }

    /// The command that makes the book.
    pub fn command(&self) -> String {
        let BookSettings { options, games, least, .. } = self;
        format!("ludus book build {options} --games {games} --least {least} {}", self.of_games())
    }
}

/// How a book is made here and now.
pub struct BookJob<'a> {
    /// What to make.
    pub settings: &'a BookSettings,
    /// Where the book goes; its games go beside it.
    pub out: &'a Path,
    /// Whether to go on with what is there.
    pub resume: bool,
    /// Games played at once.
    pub threads: usize,
    /// Raised to stop; games under way are dropped.
    pub stop: &'a AtomicBool,
}

/// One game, as far as the book goes.
struct Played {
    /// Points of Black: 1, 0.5 or 0.
    result: f32,
    moves: Vec<String>,
}

/// The players of one thread.
struct Players {
    player: Box<dyn Player<Go>>,
    finisher: Box<dyn Player<Go>>,
}

impl BookJob<'_> {
    /// The file of the games of a book.
    pub fn games_file(&self) -> PathBuf {
        let mut name = self.out.as_os_str().to_owned();
        name.push(".games");
        name.into()
    }

    /// Plays the games that are left to play, tells `progress` of each, and writes the book.
    ///
    /// # Errors
    /// If a player fails, the disk does, the file of games is something else, or the stop flag is raised.
    pub fn run(&self, progress: &mut dyn FnMut(u64)) -> Result<Book, LabError> {
        let begin = if self.resume { Begin::Resume } else { Begin::Anew };
        let path = self.games_file();
        self.check_place(&path, begin)?;
        let start = Go::start(&self.settings.options)?;
        // A player that cannot be made must not leave files behind.
        self.players()?;
        let (mut file, bytes) = open_lines(&path)?;
        let mut text = String::from_utf8_lossy(&bytes).into_owned();
        let disk = |error| LabError::disk(&path, &error);
        if text.is_empty() {
            text = self.heading() + "\n";
            file.write_all(text.as_bytes()).map_err(disk)?;
        }
        let mut number = self.read(&text)?.len() as u64;
        let total = self.settings.games;
        let play = |players: &mut Players, number| self.game(players, &start, number);
        in_order(
            number..total,
            self.threads,
            || self.players(),
            play,
            |played: Played| {
                let line = format!("{number} {} {}\n", played.result, played.moves.join(" "));
                file.write_all(line.as_bytes()).map_err(disk)?;
                text += &line;
                number += 1;
                progress(number);
                Ok(())
            },
        )?;
        file.sync_data().map_err(disk)?;
        self.write(&text)
    }

    fn check_place(&self, games: &Path, begin: Begin) -> Result<(), LabError> {
        for path in [games, self.out] {
            if begin == Begin::Anew && path.exists() {
                let shown = path.display().to_string();
                let expected = "a new file (--out), or --resume to go on with this one";
                return Err(TextError::whole("file", &shown, expected).into());
            }
        }
        Ok(())
    }

    fn heading(&self) -> String {
        format!("games of {} for a book: {}", self.settings.options, self.settings.of_games())
    }

    fn players(&self) -> Result<Players, LabError> {
        let build = |spec: &str| build_player::<Go>(spec, &Resources::default());
        let BookSettings { player, finisher, .. } = self.settings;
        Ok(Players { player: build(player)?, finisher: build(finisher)? })
    }

    fn game(&self, players: &mut Players, start: &Go, number: u64) -> Result<Played, LabError> {
        let mut random = Random::new(self.settings.seed).split(&format!("book, game {number}"));
        players.player.new_game(random.bits());
        players.finisher.new_game(random.bits());
        let points = start.board().points().count();
        let rules = Rules { longest: 4 * points, ..Rules::default() };
        let mut game = History::new(start.clone());
        let mut moves = Vec::new();
        let ended = play_out(&mut game, &rules, &mut |game| {
            let ply = game.moves().len();
            if ply >= self.settings.plies {
                return self.choose(players.finisher.as_mut(), game);
            }
            let mut choice = self.choose(players.player.as_mut(), game)?;
            let drawn = self.drawn(&choice, &mut random);
            if let Some(mv) = drawn {
                choice.action = Action::Play(mv);
            }
            // Books end before the first pass.
            if let (Action::Play(mv @ Move::Play(_)), true) = (choice.action, ply == moves.len()) {
                let mark = drawn.map_or(String::new(), |_| DRAWN.to_string());
                moves.push(game.last().move_text(mv) + &mark);
            }
            Ok(choice)
        })?;
        Ok(Played { result: (ended.outcome.value(Side::First) + 1.0) / 2.0, moves })
    }

    fn choose(
        &self,
        player: &mut dyn Player<Go>,
        game: &History<Go>,
    ) -> Result<Choice<Move>, LabError> {
        let mut watch = Watch { stop: self.stop, on_report: &mut |_| {} };
        let choice = player.choose(game, &Limits::default(), &mut watch)?;
        // A search that was stopped has not said what it would have said.
        if self.stop.load(Ordering::Relaxed) { Err(LabError::Stopped) } else { Ok(choice) }
    }

    /// Sometimes another move than the chosen one, the likelier the more it was looked at.
    fn drawn(&self, choice: &Choice<Move>, random: &mut Random) -> Option<Move> {
        if random.below(100) >= self.settings.explore.into() {
            return None;
        }
        let is_other = |entry: &&MoveReport<Move>| choice.action != Action::Play(entry.mv);
        let others: Vec<&MoveReport<Move>> = choice.report.moves.iter().filter(is_other).collect();
        let sum: u64 = others.iter().map(|entry| entry.visits).sum();
        let mut left = (random.unit() * sum as f64) as u64;
        for entry in others {
            if left < entry.visits {
                return Some(entry.mv);
            }
            left -= entry.visits;
        }
        None
    }

    /// The games of a file.
    fn read(&self, text: &str) -> Result<Vec<(Vec<GameMove>, u32)>, LabError> {
        let mut lines = text.lines();
        if lines.next() != Some(&self.heading()) {
            let expected = format!("{}; another book needs another --out", self.heading());
            return Err(TextError::at(WHAT, text, 0, expected).into());
        }
        let start = Go::start(&self.settings.options)?;
        let mut games = Vec::new();
        for line in lines {
            let number = games.len();
            let in_line = |error: TextError| TextError { line: number + 2, column: 1, ..error };
            games.push(read_game(&start, number, line).map_err(in_line)?);
        }
        Ok(games)
    }

    fn write(&self, text: &str) -> Result<Book, LabError> {
        let mut book = Book::new(&self.settings.options)?;
        for (moves, half_points) in self.read(text)?.iter().take(self.settings.games as usize) {
            book.add(moves, *half_points);
        }
        book.keep(self.settings.least);
        write_whole(self.out, book.text(&self.settings.command()).as_bytes())?;
        Ok(book)
    }
}

/// Reads a line such as `7 0.5 E5 C4? D7`.
fn read_game(start: &Go, number: usize, line: &str) -> Result<(Vec<GameMove>, u32), TextError> {
    let mut words = line.split_whitespace();
    if words.next() != Some(&number.to_string()) {
        return Err(TextError::whole(WHAT, line, format!("game {number}")));
    }
    let half_points = match words.next() {
        Some("0") => 0,
        Some("0.5") => 1,
        Some("1") => 2,
        other => return Err(TextError::whole(WHAT, other.unwrap_or(""), "0, 0.5 or 1")),
    };
    let (mut position, mut moves) = (start.clone(), Vec::new());
    for word in words {
        let text = word.trim_end_matches(DRAWN);
        let mv = position.parse_move(text)?;
        let Move::Play(point) = mv else {
            return Err(TextError::whole(WHAT, word, "a point: games of books end before a pass"));
        };
        moves.push(GameMove { point, is_chosen: text == word });
        position.play(mv);
    }
    Ok((moves, half_points))
}
