//! Searches of Go whose playouts are compared: what a player saves beside the one it is built on.
//!
//! The base program plays games against itself. Wherever one of its sides is to move, both players
//! search the same position, as if they were playing the game; then the base program's move is made.

use super::{
    Experiment, Figure, Findings, Interval, Lab, Named, Precision, Shown, Step,
    boards::{check_search, usual_komi, usual_playouts, usual_sizes},
    verdict::is_within_factor,
};
use crate::{
    TrainingError, folder::open_lines, parallel::in_order, processor::Stopwatch, recipe::range,
};
use ludus_core::{
    Action, History, Limits, Notation, Options, Player, PlayerError, Position, Random, Side,
    TextError, Watch,
};
use ludus_games::go::{Go, Move};
use ludus_players::{Resources, build_player};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    io::Write,
    sync::atomic::{AtomicBool, Ordering},
};

/// How far published and found savings may be apart: the source tells neither its positions nor
/// where its time went.
const FACTOR: f64 = 2.0;

/// No game gets longer than so many times the points of its board.
const LONGEST: usize = 3;

/// Searches of two players in the same positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Savings {
    /// The player that saves.
    pub first: String,
    /// The one it is built on, whose games give the positions.
    pub second: String,
    /// The boards played on.
    #[serde(default = "usual_sizes")]
    pub sizes: Vec<u8>,
    /// Games on each board.
    #[serde(default = "usual_games")]
    pub games: u64,
    /// Simulations a move, for players that do not say it themselves.
    #[serde(default = "usual_playouts")]
    pub playouts: u64,
    /// Points White gets for moving second.
    #[serde(default = "usual_komi")]
    pub komi: f64,
    /// Published for all boards together: fewer simulations, in percent.
    pub simulations: Option<f64>,
    /// Published for all boards together: less time a move, in percent.
    pub time: Option<f64>,
    /// Published for single boards.
    #[serde(default)]
    pub published: Vec<BoardClaim>,
}

/// Published savings on a board.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardClaim {
    /// The board.
    pub size: u8,
    /// Fewer simulations, in percent.
    pub simulations: f64,
}

fn usual_games() -> u64 {
    4
}

/// What a player spent.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Searches.
    pub searches: u64,
    /// Simulations, interrupted or not.
    pub simulations: u64,
    /// Playouts to the end of the game.
    pub finished: u64,
    /// Moves of all playouts.
    pub moves: u64,
    /// Processor time.
    pub seconds: f64,
}

/// What both players spent on a board: the first and the second, before half of the points were
/// occupied and afterwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// The board.
    pub size: u8,
    /// Before.
    pub early: [Spent; 2],
    /// Afterwards.
    pub late: [Spent; 2],
    /// Each game.
    pub games: Vec<GameSpent>,
}

/// What both players spent on a game, before half of the points were occupied and afterwards.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameSpent {
    /// Before.
    pub early: [Spent; 2],
    /// Afterwards.
    pub late: [Spent; 2],
}

/// What the searches have come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavingsFindings {
    /// Games on each board.
    pub games: u64,
    /// Simulations a move.
    pub playouts: u64,
    /// The boards.
    pub boards: Vec<Saved>,
}

/// All that decides the games on one board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Task {
    size: u8,
    komi: f64,
    playouts: u64,
    first: String,
    second: String,
    seed: u64,
}

impl Task {
    fn of(named: &Named, savings: &Savings, size: u8, playouts: u64) -> Task {
        Task {
            size,
            komi: savings.komi,
            playouts,
            first: savings.first.clone(),
            second: savings.second.clone(),
            seed: named.experiment.seed,
        }
    }
}

/// A game as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Kept {
    task: Task,
    game: u64,
    early: [Spent; 2],
    late: [Spent; 2],
}

impl Spent {
    fn add(&mut self, other: &Spent) {
        self.searches += other.searches;
        self.simulations += other.simulations;
        self.finished += other.finished;
        self.moves += other.moves;
        self.seconds += other.seconds;
    }
}

impl Saved {
    fn new(size: u8) -> Saved {
        Saved { size, early: Default::default(), late: Default::default(), games: Vec::new() }
    }

    /// Counts a game.
    fn add(&mut self, game: GameSpent) {
        self.games.push(game);
        self.early = sum(&self.early, &game.early);
        self.late = sum(&self.late, &game.late);
    }

    /// The same, counted anew from its games.
    pub(super) fn recounted(&self) -> Saved {
        let mut saved = Saved::new(self.size);
        self.games.iter().for_each(|game| saved.add(*game));
        saved
    }

    /// The whole games.
    pub fn all(&self) -> [Spent; 2] {
        sum(&self.early, &self.late)
    }

    /// The part the first player spends less than the second, with its interval over the games.
    fn less(&self, of: fn(&Spent) -> f64) -> Option<Interval> {
        let [first, second] = [0, 1].map(|player| {
            let spent = self.games.iter().map(|game| sum(&game.early, &game.late)[player]);
            spent.map(|spent| of(&spent)).collect::<Vec<_>>()
        });
        Some(Interval::exact(1.0).minus(&Interval::ratio(&first, &second)?))
    }
}

fn sum(one: &[Spent; 2], other: &[Spent; 2]) -> [Spent; 2] {
    let mut sum = *one;
    sum.iter_mut().zip(other).for_each(|(sum, spent)| sum.add(spent));
    sum
}

/// The part the first player spends less than the second.
pub(super) fn less(spent: &[Spent; 2], of: impl Fn(&Spent) -> f64) -> f64 {
    let [first, second] = [of(&spent[0]), of(&spent[1])];
    if second == 0.0 { 0.0 } else { 1.0 - first / second }
}

pub(super) fn finished(spent: &Spent) -> f64 {
    spent.finished as f64
}

pub(super) fn moves(spent: &Spent) -> f64 {
    spent.moves as f64
}

pub(super) fn seconds(spent: &Spent) -> f64 {
    spent.seconds
}

impl Savings {
    pub(super) fn check(&self) -> Result<(), TextError> {
        range("savings.games", self.games as f64, 1.0, 1e6)?;
        check_search(&self.sizes, self.playouts, self.komi)?;
        for (name, percent) in [("simulations", self.simulations), ("time", self.time)] {
            range(&format!("savings.{name}"), percent.unwrap_or(0.0), 0.0, 100.0)?;
        }
        for claim in &self.published {
            range("published.simulations", claim.simulations, 0.0, 100.0)?;
        }
        Ok(())
    }
}

/// Every published figure beside ours, over whole games.
pub(super) fn figures(
    experiment: &Experiment,
    savings: &Savings,
    found: &SavingsFindings,
) -> Vec<Figure> {
    let figure = |name: String, percent: f64, of: fn(&Spent) -> f64, boards: &[&Saved]| {
        let wanted = experiment.precision_of(&name);
        let ours = boards.iter().map(|board| less(&board.all(), of)).sum::<f64>();
        let ours = ours / boards.len().max(1) as f64;
        let interval = mean(boards, of);
        let precision = Precision::of_ratio(interval.as_ref(), found.games, wanted);
        let shown = [percent / 100.0, ours];
        judged(name, shown, interval.as_ref(), &precision)
    };
    let mut figures = Vec::new();
    for claim in &savings.published {
        if let Some(board) = found.boards.iter().find(|board| board.size == claim.size) {
            figures.push(figure(board_name(claim), claim.simulations, finished, &[board]));
        }
    }
    let all: Vec<&Saved> = found.boards.iter().collect();
    if let Some(percent) = savings.simulations {
        figures.push(figure(SIMULATIONS.to_owned(), percent, finished, &all));
    }
    if let Some(percent) = savings.time {
        figures.push(figure(TIME.to_owned(), percent, seconds, &all));
    }
    figures
}

const SIMULATIONS: &str = "fewer simulations";
const TIME: &str = "less time a move";

fn board_name(claim: &BoardClaim) -> String {
    format!("{0}x{0}: {SIMULATIONS}", claim.size)
}

/// The figures that were published, by name.
pub(super) fn figure_names(savings: &Savings) -> Vec<String> {
    let all = [(SIMULATIONS, savings.simulations), (TIME, savings.time)];
    let all = all.iter().filter(|(_, percent)| percent.is_some());
    let single = savings.published.iter().map(board_name);
    single.chain(all.map(|(name, _)| (*name).to_owned())).collect()
}

/// The mean of the parts saved on several boards.
fn mean(boards: &[&Saved], of: fn(&Spent) -> f64) -> Option<Interval> {
    let parts: Vec<Interval> =
        boards.iter().map(|board| board.less(of)).collect::<Option<Vec<_>>>()?;
    let count = parts.len().max(1) as f64;
    let value = parts.iter().map(|part| part.value).sum::<f64>() / count;
    let squares = parts.iter().map(|part| part.half_width().powi(2)).sum::<f64>();
    let half = squares.sqrt() / count;
    Some(Interval { value, low: value - half, high: value + half })
}

fn judged(
    name: String,
    [published, ours]: [f64; 2],
    interval: Option<&Interval>,
    precision: &Precision,
) -> Figure {
    let is_outside =
        interval.is_some_and(|it| it.high < published / FACTOR || it.low > published * FACTOR);
    // A value that is not precise yet says nothing; an interval that lies outside does.
    let is_compatible = if precision.is_reached() {
        is_within_factor(published, ours, FACTOR)
    } else {
        !is_outside
    };
    let verdict = precision.verdict(is_compatible);
    Figure::precise(name, [published, ours].map(Shown::Part), verdict, precision)
}

impl Lab<'_> {
    pub(super) fn check_savings(&self, savings: &Savings) -> Result<(), TrainingError> {
        Players::new(&savings.first, &savings.second, &self.resources)?;
        Ok(())
    }

    pub(super) fn count_savings(
        &self,
        named: &Named,
        savings: &Savings,
        on_step: &mut dyn FnMut(&Step<'_>),
    ) -> Result<Findings, TrainingError> {
        let sizes = self.changes.sizes.as_ref().unwrap_or(&savings.sizes);
        let games = self.changes.games.unwrap_or(savings.games);
        let playouts = self.changes.playouts.unwrap_or(savings.playouts);
        let mut boards = Vec::new();
        for (index, &size) in sizes.iter().enumerate() {
            let task = Task::of(named, savings, size, playouts);
            let before = games * index as u64;
            let mut saved = Saved::new(size);
            self.count_board(&named.name, &task, games, &mut |kept| {
                saved.add(GameSpent { early: kept.early, late: kept.late });
                on_step(&Step {
                    experiment: &named.name,
                    done: before + kept.game + 1,
                    total: games * sizes.len() as u64,
                    unit: "games",
                    note: format!("{size}x{size}"),
                });
            })?;
            boards.push(saved);
        }
        Ok(Findings::Savings(SavingsFindings { games, playouts, boards }))
    }

    /// Whether the searches of a game, done again, count the same.
    pub(super) fn searches_again(
        &self,
        named: &Named,
        found: &SavingsFindings,
        board: &Saved,
        game: u64,
    ) -> Result<bool, TrainingError> {
        let (super::Task::Savings(savings), Some(then)) =
            (named.experiment.task(), board.games.get(game as usize))
        else {
            return Ok(false);
        };
        let task = Task::of(named, savings, board.size, found.playouts);
        let mut players = Players::new(&task.first, &task.second, &self.resources)?;
        let now = players.play(&task, game, self.stop)?;
        let counts = |spent: &[Spent; 2]| spent.map(|spent| Spent { seconds: 0.0, ..spent });
        Ok(counts(&now.early) == counts(&then.early) && counts(&now.late) == counts(&then.late))
    }

    /// Plays the games of a board that are not known, and tells all of them in their order.
    fn count_board(
        &self,
        name: &str,
        task: &Task,
        games: u64,
        tell: &mut dyn FnMut(&Kept),
    ) -> Result<(), TrainingError> {
        let path = self.runs.join(format!("{name}.jsonl"));
        std::fs::create_dir_all(&self.runs)
            .map_err(|error| TrainingError::disk(&self.runs, &error))?;
        let (mut file, bytes) = open_lines(&path)?;
        let known = if self.resume { known(&bytes, task) } else { BTreeMap::new() };
        let known: Vec<&Kept> = (0..games).map_while(|game| known.get(&game)).collect();
        known.iter().for_each(|kept| tell(kept));
        in_order(
            known.len() as u64..games,
            self.concurrency,
            || Players::new(&task.first, &task.second, &self.resources),
            |players, game| players.play(task, game, self.stop),
            |kept| {
                let line = serde_json::to_string(&kept).map_err(|error| error.to_string());
                let line = line.map_err(TrainingError::Disk)? + "\n";
                file.write_all(line.as_bytes())
                    .map_err(|error| TrainingError::disk(&path, &error))?;
                tell(&kept);
                Ok(())
            },
        )
    }
}

/// The games of a task that were kept, by their numbers.
fn known(bytes: &[u8], task: &Task) -> BTreeMap<u64, Kept> {
    let lines = String::from_utf8_lossy(bytes);
    let kept = lines.lines().filter_map(|line| serde_json::from_str::<Kept>(line).ok());
    kept.filter(|kept| kept.task == *task).map(|kept| (kept.game, kept)).collect()
}

/// The two that are compared, and who plays against them.
struct Players {
    compared: [Box<dyn Player<Go>>; 2],
    opponent: Box<dyn Player<Go>>,
}

impl Players {
    fn new(first: &str, second: &str, resources: &Resources) -> Result<Players, TrainingError> {
        let build = |spec: &str| build_player::<Go>(spec, resources);
        Ok(Players { compared: [build(first)?, build(second)?], opponent: build(second)? })
    }

    /// Plays a game; those compared are Black in every second one.
    fn play(&mut self, task: &Task, number: u64, stop: &AtomicBool) -> Result<Kept, TrainingError> {
        let spec = format!("go:size={},komi={}", task.size, task.komi);
        let mut game = History::new(Go::start(&Options::parse(&spec, Go::OPTIONS)?)?);
        let mut random = Random::new(task.seed).split(&format!("savings {spec} {number}"));
        let seed = random.bits();
        self.compared.iter_mut().for_each(|player| player.new_game(seed));
        self.opponent.new_game(random.bits());
        let side = if number.is_multiple_of(2) { Side::First } else { Side::Second };
        let limits = Limits { nodes: Some(task.playouts), ..Limits::default() };
        let mut kept = Kept {
            task: task.clone(),
            game: number,
            early: Default::default(),
            late: Default::default(),
        };
        let points = usize::from(task.size) * usize::from(task.size);
        while game.last().outcome().is_none() && game.moves().len() < LONGEST * points {
            let action = if game.last().turn() == side {
                let is_late = 2 * game.last().board().empties().len() <= points;
                let spent = if is_late { &mut kept.late } else { &mut kept.early };
                self.compare(&game, &limits, stop, spent)?
            } else {
                search(&mut *self.opponent, &game, &limits, stop)?.0
            };
            if stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            let Action::Play(mv) = action else { break };
            game.push(mv);
        }
        Ok(kept)
    }

    /// Lets both search; what the second of them does.
    fn compare(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        stop: &AtomicBool,
        spent: &mut [Spent; 2],
    ) -> Result<Action<Move>, PlayerError> {
        let [first, second] = &mut self.compared;
        let (_, one) = search(&mut **first, game, limits, stop)?;
        let (action, other) = search(&mut **second, game, limits, stop)?;
        spent[0].add(&one);
        spent[1].add(&other);
        Ok(action)
    }
}

/// What a player does, and what the search for it took; nothing if it did not have to search.
fn search(
    player: &mut dyn Player<Go>,
    game: &History<Go>,
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<(Action<Move>, Spent), PlayerError> {
    let watch = Stopwatch::start();
    let choice = player.choose(game, limits, &mut Watch { stop, on_report: &mut |_| {} })?;
    let spent = choice.report.playouts.map(|playouts| Spent {
        searches: 1,
        simulations: choice.report.nodes,
        finished: playouts.begun - playouts.interrupted,
        moves: playouts.moves,
        seconds: watch.seconds(),
    });
    Ok((choice.action, spent.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::Verdict;

    /// So many games in which the first player finishes that part of 100 playouts.
    fn found(parts: &[u64]) -> Findings {
        let mut board = Saved::new(9);
        for part in parts {
            let spent = |finished| Spent { searches: 1, finished, ..Spent::default() };
            board.add(GameSpent { early: [spent(*part), spent(100)], ..GameSpent::default() });
        }
        let games = parts.len() as u64;
        Findings::Savings(SavingsFindings { games, playouts: 100, boards: vec![board] })
    }

    #[test]
    fn parts_saved_want_several_games_that_agree() {
        let text = "group = 'g'\ntitle = 't'\nsource = 's'\n[savings]\nfirst = 'a'\nsecond = 'b'\n\
                    published = [{ size = 9, simulations = 30.0 }]\n";
        let experiment = Experiment::parse(text).unwrap();
        for (parts, expected) in [
            (&[70, 71, 69, 70, 72][..], Verdict::Reproduced),
            (&[70, 71], Verdict::Inconclusive),
            (&[70], Verdict::Inconclusive),
            (&[99, 98, 99, 99, 98], Verdict::NotReproduced),
            (&[99, 20, 99, 70, 98], Verdict::Inconclusive),
        ] {
            let figures = super::super::figures(&experiment, &found(parts));
            let [figure] = &figures[..] else { panic!("{figures:?}") };
            assert_eq!(figure.verdict, expected, "{figure:?}");
            assert_eq!(figure.games_needed.is_some(), expected == Verdict::Inconclusive);
        }
    }
}
