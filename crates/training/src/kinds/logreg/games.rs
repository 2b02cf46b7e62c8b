//! Decisive games of a player against itself, as lines of moves.
//!
//! ```text
//! decisive games {"player":"engine:nodes=2000,eval=hand", …}
//! 0 8 1-0 d2d4 e7e6 …         number, random plies, result, moves
//! 1 9 1/2-1/2 e2e4 c7c5 …     a draw: its random plies only
//! 2 8 * g1f3 …                an opening that was played before
//! ```
//!
//! A killed process leaves at most one incomplete line at the end, which is cut off when the file is
//! opened again.

use super::LogRegSettings;
use crate::{
    Run, TrainingError, TrainingStage,
    linear_eval::evaluation_checksum,
    parallel::in_order,
    self_play::{GameEnd, play_out},
};
use ludus_core::{
    Choice, History, Limits, Notation, Options, Outcome, Player, Position, Random, SearchControl,
    Side, TextError,
};
use ludus_games::chess::{Chess, Move, PackedChess};
use ludus_players::{Resources, build_player};
use serde_json::{Value, json};
use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

/// File of the run's own games.
pub(super) const GAMES_FILE: &str = "games.txt";
const HEADING: &str = "decisive games ";
const FORMAT_NAME: &str = "file of decisive games";
/// Games between two looks whether there are enough.
const GAMES_PER_ROUND: u64 = 128;
/// Games for each decisive one after which too few are decisive.
const MAX_GAMES_PER_DECISIVE: u64 = 50;

const REPEATED: &str = "*";
const DRAWN: &str = "1/2-1/2";
const WHITE_WON: &str = "1-0";
const BLACK_WON: &str = "0-1";

/// A game with a winner.
pub(super) struct DecisiveGame {
    /// Random plies at its beginning.
    pub random_plies: usize,
    pub winner: Side,
    pub moves: Vec<Move>,
}

/// A game that was played.
struct PlayedGame {
    game: History<Chess>,
    random_plies: usize,
    outcome: Outcome,
}

impl PlayedGame {
    /// Position after the random plies.
    fn opening(&self) -> PackedChess {
        PackedChess::new(&self.game.positions()[self.random_plies]).without_clock()
    }

    /// Line of the file.
    fn text(&self, number: u64, is_repeated: bool) -> String {
        let result = match self.outcome {
            _ if is_repeated => REPEATED,
            Outcome::Draw => DRAWN,
            Outcome::Win(Side::First) => WHITE_WON,
            Outcome::Win(Side::Second) => BLACK_WON,
        };
        let is_kept = !is_repeated && self.outcome != Outcome::Draw;
        let kept = if is_kept { self.game.moves().len() } else { self.random_plies };
        let moves = self.game.positions().iter().zip(self.game.moves()).take(kept);
        let mut text = format!("{number} {} {result}", self.random_plies);
        for (position, &mv) in moves {
            text = text + " " + &position.move_text(mv);
        }
        text + "\n"
    }
}

/// Self-play until there are enough decisive games.
pub(super) struct DecisiveSelfPlay<'a> {
    pub settings: &'a LogRegSettings,
    /// Specification of the player.
    pub player: &'a str,
    pub seed: u64,
}

/// The games of the file so far.
#[derive(Default)]
struct GamesSoFar {
    number: u64,
    decisive: u64,
    openings: HashSet<PackedChess>,
}

impl DecisiveSelfPlay<'_> {
    /// Plays the games that a run still lacks.
    pub fn play(&self, run: &mut Run<'_>) -> Result<(), TrainingError> {
        let (mut file, text) = run.folder.lines(GAMES_FILE)?;
        let path = run.folder.file(GAMES_FILE);
        let disk = |error| TrainingError::disk(&path, &error);
        let heading = format!("{HEADING}{}\n", self.header());
        let mut known = GamesSoFar::default();
        if text.is_empty() {
            file.append(heading.as_bytes()).map_err(disk)?;
        } else if !text.starts_with(&heading) {
            let expected = "one begun with the same recipe and evaluation";
            return Err(TextError::whole(FORMAT_NAME, &path.display().to_string(), expected).into());
        } else {
            let found = read_back(&text).map_err(TrainingError::from);
            known = found.map_err(|error| error.in_file(&path))?;
        }
        let (started, first, total) = (Instant::now(), known.decisive, self.settings.games);
        while known.decisive < total {
            // Rounds end at the same games whatever interrupted them before.
            let end = (known.number / GAMES_PER_ROUND + 1) * GAMES_PER_ROUND;
            self.round(known.number..end, run.job.threads, run.stop, |game| {
                if known.decisive == total {
                    return Ok(()); // those of the last round that are not needed
                }
                let line = known.add(&game);
                if known.number == end || known.decisive == total {
                    known.log(run, started.elapsed())?;
                }
                file.append(line.as_bytes()).map_err(disk)
            })?;
            file.sync().map_err(disk)?;
            self.report(&known, run, (known.decisive - first, started));
            if known.number > MAX_GAMES_PER_DECISIVE * total + GAMES_PER_ROUND {
                let found = format!("{} of {} games", known.decisive, known.number);
                let expected = "a player and openings that lead to more decisive games";
                return Err(TextError::whole("decisive games", &found, expected).into());
            }
        }
        Ok(())
    }

    /// Line that tells how the games are played.
    fn header(&self) -> Value {
        let LogRegSettings { games, opening, rules, .. } = self.settings;
        json!({
            "player": self.player,
            "evaluation": evaluation_checksum::<Chess>(self.player),
            "seed": self.seed,
            "games": games,
            "opening": opening,
            "rules": rules,
        })
    }

    /// Plays the games of these numbers and passes them to `keep` in their order.
    fn round(
        &self,
        numbers: std::ops::Range<u64>,
        threads: usize,
        stop: &AtomicBool,
        keep: impl FnMut(PlayedGame) -> Result<(), TrainingError>,
    ) -> Result<(), TrainingError> {
        let resources = Resources { seed: self.seed, ..Resources::default() };
        let make = || Ok(build_player::<Chess>(self.player, &resources)?);
        let work =
            |player: &mut Box<dyn Player<Chess>>, number| self.game(player.as_mut(), number, stop);
        in_order(numbers, threads, make, work, keep)
    }

    /// Plays game `number`: a pure function of seed and number.
    fn game(
        &self,
        player: &mut dyn Player<Chess>,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<PlayedGame, TrainingError> {
        let mut random = Random::new(self.seed).split(&format!("game {number}"));
        player.new_game(random.bits());
        let mut choose = |game: &History<Chess>| -> Result<Choice<Move>, TrainingError> {
            let mut control = SearchControl { stop, on_report: &mut |_| {} };
            let choice = player.choose(game, &Limits::default(), &mut control)?;
            // The result of a stopped search is not the one it would have come to.
            if stop.load(Ordering::Relaxed) { Err(TrainingError::Stopped) } else { Ok(choice) }
        };
        let LogRegSettings { opening, rules, .. } = self.settings;
        let mut game = opening.play(&Chess::default(), &mut random, &mut choose)?;
        let random_plies = game.moves().len();
        let GameEnd { outcome, .. } = play_out(&mut game, rules, &mut choose)?;
        Ok(PlayedGame { game, random_plies, outcome })
    }

    fn report(&self, known: &GamesSoFar, run: &mut Run<'_>, (new, started): (u64, Instant)) {
        let rate = new as f64 / started.elapsed().as_secs_f64().max(1e-9);
        let note = format!("{} played, {rate:.2} decisive ones/s", known.number);
        run.progress(TrainingStage::SELF_PLAY, known.decisive, self.settings.games, note);
    }
}

impl GamesSoFar {
    /// Adds a row to the log of the run.
    fn log(&self, run: &mut Run<'_>, passed: Duration) -> Result<(), TrainingError> {
        run.log(&json!({
            "event": "games", "games": self.number, "decisive": self.decisive,
            "seconds": passed.as_secs_f64(),
        }))
    }

    /// Counts a game; returns its line.
    fn add(&mut self, game: &PlayedGame) -> String {
        let is_new = self.openings.insert(game.opening());
        let line = game.text(self.number, !is_new);
        self.number += 1;
        self.decisive += u64::from(is_new && game.outcome != Outcome::Draw);
        line
    }
}

/// One line of the file.
struct GameLine {
    /// `None` for a draw or a repeated opening.
    winner: Option<Side>,
    random_plies: usize,
    moves: Vec<Move>,
    /// Position after the random plies.
    opening: PackedChess,
}

/// Parses the games of a file; `number` is that of the game.
fn parse_line(line: &str, number: usize) -> Result<GameLine, TextError> {
    let bad = |found: &str, expected: &str| TextError::whole(FORMAT_NAME, found, expected);
    let mut words = line.split_whitespace();
    let mut next = || words.next().unwrap_or_default();
    let (found, plies, result) = (next(), next(), next());
    if found.parse() != Ok(number) {
        return Err(bad(found, &format!("game {number}")));
    }
    let random_plies = plies.parse().map_err(|_| bad(plies, "a number of random plies"))?;
    let winner = match result {
        WHITE_WON => Some(Side::First),
        BLACK_WON => Some(Side::Second),
        DRAWN | REPEATED => None,
        _ => return Err(bad(result, "1-0, 0-1, 1/2-1/2 or *")),
    };
    let (mut position, mut moves) = (Chess::default(), Vec::new());
    let mut opening = (random_plies == 0).then(|| PackedChess::new(&position).without_clock());
    for word in words {
        let mv = position.parse_move(word)?;
        moves.push(mv);
        position.play(mv);
        if moves.len() == random_plies {
            opening = Some(PackedChess::new(&position).without_clock());
        }
    }
    let opening = opening.ok_or_else(|| bad(line, "all random plies of the game"))?;
    Ok(GameLine { winner, random_plies, moves, opening })
}

/// Lines of the games of a file, parsed.
fn parse_lines(text: &str) -> impl Iterator<Item = Result<GameLine, TextError>> {
    text.lines().skip(1).enumerate().map(|(number, line)| {
        let in_line = |error: TextError| TextError { line: number + 2, column: 1, ..error };
        parse_line(line, number).map_err(in_line)
    })
}

fn read_back(text: &str) -> Result<GamesSoFar, TextError> {
    let mut known = GamesSoFar::default();
    for game in parse_lines(text) {
        let game = game?;
        known.number += 1;
        known.decisive += u64::from(game.winner.is_some());
        known.openings.insert(game.opening);
    }
    Ok(known)
}

/// Reads the decisive games of a file.
pub(super) fn parse_games(text: &str) -> Result<Vec<DecisiveGame>, TextError> {
    if !text.starts_with(HEADING) {
        return Err(TextError::at(FORMAT_NAME, text, 0, format!("{:?}", HEADING.trim_end())));
    }
    let mut games = Vec::new();
    for game in parse_lines(text) {
        let GameLine { winner, random_plies, moves, .. } = game?;
        games.extend(winner.map(|winner| DecisiveGame { random_plies, winner, moves }));
    }
    Ok(games)
}

/// Reads the decisive games of a PGN file that begin from the initial position.
pub(super) fn parse_pgn(text: &str) -> Result<Vec<DecisiveGame>, TextError> {
    let mut games = Vec::new();
    let options = Options::defaults(Chess::ID, Chess::OPTIONS);
    for (index, record) in ludus_formats::Format::Pgn.read(text.as_bytes()).enumerate() {
        let record = record?;
        let winner = match record.result.text.as_str() {
            WHITE_WON => Side::First,
            BLACK_WON => Side::Second,
            _ => continue,
        };
        let in_game = |error: TextError| TextError {
            what: format!("game {}: {}", index + 1, error.what),
            ..error
        };
        let mut position = Chess::start(&options)?;
        if record.tag("FEN").is_some_and(|fen| fen != position.text()) {
            continue;
        }
        let mut moves = Vec::new();
        for text in record.moves() {
            let mv = position.parse_move(text).map_err(in_game)?;
            moves.push(mv);
            position.play(mv);
        }
        games.push(DecisiveGame { random_plies: 0, winner, moves });
    }
    Ok(games)
}
