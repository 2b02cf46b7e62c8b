//! Searches of Go whose playouts are compared: the savings of a player over the one it is built on.
//!
//! The base program plays games against itself. Wherever one of its sides is to move, both players
//! search the same position, as if they were playing the game; then the base program's move is
//! made.

use super::{
    Experiment, ExperimentProgress, ExperimentRunner, Figure, FigureValue, Findings, Interval,
    NamedExperiment, Precision,
    boards::{check_search, usual_komi, usual_playouts, usual_sizes},
    verdict::is_within_factor,
};
use crate::{
    TrainingError,
    folder::{create_folder, lock_file, open_lines},
    parallel::in_order,
    processor::CpuStopwatch,
    recipe::range,
};
use ludus_core::{
    Action, History, Limits, Notation, Options, Player, PlayerError, Position, Random,
    SearchControl, Side, TextError,
};
use ludus_games::go::{Go, GoMove};
use ludus_players::{Resources, build_player};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
};

/// Factor up to which published and measured savings agree: the source reports neither its
/// positions nor a breakdown of its time.
const AGREEMENT_FACTOR: f64 = 2.0;

/// Maximum length of a game, as a multiple of the points of its board.
const MAX_MOVES_PER_POINT: usize = 3;

/// Searches of two players in the same positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Savings {
    /// Player that saves.
    pub first: String,
    /// Player it is built on, whose games give the positions.
    pub second: String,
    /// Board sizes.
    #[serde(default = "usual_sizes")]
    pub sizes: Vec<u8>,
    /// Games on each board.
    #[serde(default = "usual_games")]
    pub games: u64,
    /// Simulations a move, for players without a limit of their own.
    #[serde(default = "usual_playouts")]
    pub playouts: u64,
    /// Komi: points White gets for moving second.
    #[serde(default = "usual_komi")]
    pub komi: f64,
    /// Published mean of all boards: fewer simulations, in percent.
    pub simulations: Option<f64>,
    /// Published mean of all boards: less time a move, in percent.
    pub time: Option<f64>,
    /// Published values for single boards.
    #[serde(default)]
    pub published: Vec<BoardClaim>,
}

/// Published savings on one board size.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardClaim {
    /// Board size.
    pub size: u8,
    /// Fewer simulations, in percent.
    pub simulations: f64,
}

fn usual_games() -> u64 {
    4
}

/// Search effort of a player.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchCost {
    /// Searches.
    pub searches: u64,
    /// Simulations, interrupted or not.
    pub simulations: u64,
    /// Playouts to the end of the game.
    pub finished: u64,
    /// Moves of all playouts.
    pub moves: u64,
    /// Processor time in seconds.
    pub seconds: f64,
}

/// Search effort of both players on one board size, before half of the points were occupied and
/// afterwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoardSavings {
    /// Board size.
    pub size: u8,
    /// Effort before.
    pub early: [SearchCost; 2],
    /// Effort afterwards.
    pub late: [SearchCost; 2],
    /// Effort by game.
    pub games: Vec<GameCost>,
}

/// Search effort of both players in one game, before half of the points were occupied and
/// afterwards.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameCost {
    /// Effort before.
    pub early: [SearchCost; 2],
    /// Effort afterwards.
    pub late: [SearchCost; 2],
}

/// Results of the searches.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavingsFindings {
    /// Games on each board.
    pub games: u64,
    /// Simulations a move.
    pub playouts: u64,
    /// Results by board size.
    pub boards: Vec<BoardSavings>,
}

/// Everything that decides the games on one board size.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavingsTask {
    size: u8,
    komi: f64,
    playouts: u64,
    first: String,
    second: String,
    seed: u64,
}

impl SavingsTask {
    fn of(named: &NamedExperiment, savings: &Savings, size: u8, playouts: u64) -> SavingsTask {
        SavingsTask {
            size,
            komi: savings.komi,
            playouts,
            first: savings.first.clone(),
            second: savings.second.clone(),
            seed: named.experiment.seed,
        }
    }
}

/// A game as a line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct GameLine {
    task: SavingsTask,
    game: u64,
    early: [SearchCost; 2],
    late: [SearchCost; 2],
}

impl SearchCost {
    fn add(&mut self, other: &SearchCost) {
        self.searches += other.searches;
        self.simulations += other.simulations;
        self.finished += other.finished;
        self.moves += other.moves;
        self.seconds += other.seconds;
    }
}

impl BoardSavings {
    fn new(size: u8) -> BoardSavings {
        BoardSavings {
            size,
            early: Default::default(),
            late: Default::default(),
            games: Vec::new(),
        }
    }

    /// Adds a game.
    fn add(&mut self, game: GameCost) {
        self.games.push(game);
        self.early = sum(&self.early, &game.early);
        self.late = sum(&self.late, &game.late);
    }

    /// The same, computed again from its games.
    pub(super) fn recounted(&self) -> BoardSavings {
        let mut saved = BoardSavings::new(self.size);
        self.games.iter().for_each(|game| saved.add(*game));
        saved
    }

    /// Effort of whole games.
    pub fn all(&self) -> [SearchCost; 2] {
        sum(&self.early, &self.late)
    }

    /// Share the first player saves compared with the second, with its interval over the games.
    fn less(&self, of: fn(&SearchCost) -> f64) -> Option<Interval> {
        let [first, second] = [0, 1].map(|player| {
            let spent = self.games.iter().map(|game| sum(&game.early, &game.late)[player]);
            spent.map(|spent| of(&spent)).collect::<Vec<_>>()
        });
        Some(Interval::exact(1.0).minus(&Interval::ratio(&first, &second)?))
    }
}

fn sum(one: &[SearchCost; 2], other: &[SearchCost; 2]) -> [SearchCost; 2] {
    let mut sum = *one;
    sum.iter_mut().zip(other).for_each(|(sum, spent)| sum.add(spent));
    sum
}

/// Share the first player saves compared with the second.
pub(super) fn less(spent: &[SearchCost; 2], of: impl Fn(&SearchCost) -> f64) -> f64 {
    let [first, second] = [of(&spent[0]), of(&spent[1])];
    if second == 0.0 { 0.0 } else { 1.0 - first / second }
}

pub(super) fn finished(spent: &SearchCost) -> f64 {
    spent.finished as f64
}

pub(super) fn moves(spent: &SearchCost) -> f64 {
    spent.moves as f64
}

pub(super) fn seconds(spent: &SearchCost) -> f64 {
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
    let figure =
        |name: String, percent: f64, of: fn(&SearchCost) -> f64, boards: &[&BoardSavings]| {
            let required = experiment.precision_of(&name);
            let ours = boards.iter().map(|board| less(&board.all(), of)).sum::<f64>();
            let ours = ours / boards.len().max(1) as f64;
            let interval = mean(boards, of);
            let precision = Precision::of_ratio(interval.as_ref(), found.games, required);
            let shown = [percent / 100.0, ours];
            figure_of_savings(name, shown, interval.as_ref(), &precision)
        };
    let mut figures = Vec::new();
    for claim in &savings.published {
        if let Some(board) = found.boards.iter().find(|board| board.size == claim.size) {
            figures.push(figure(board_name(claim), claim.simulations, finished, &[board]));
        }
    }
    let all: Vec<&BoardSavings> = found.boards.iter().collect();
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

/// Names of the published figures.
pub(super) fn figure_names(savings: &Savings) -> Vec<String> {
    let all = [(SIMULATIONS, savings.simulations), (TIME, savings.time)];
    let all = all.iter().filter(|(_, percent)| percent.is_some());
    let single = savings.published.iter().map(board_name);
    single.chain(all.map(|(name, _)| (*name).to_owned())).collect()
}

/// Mean of the shares saved on several boards.
fn mean(boards: &[&BoardSavings], of: fn(&SearchCost) -> f64) -> Option<Interval> {
    let parts: Vec<Interval> =
        boards.iter().map(|board| board.less(of)).collect::<Option<Vec<_>>>()?;
    let count = parts.len().max(1) as f64;
    let value = parts.iter().map(|part| part.value).sum::<f64>() / count;
    let squares = parts.iter().map(|part| part.half_width().powi(2)).sum::<f64>();
    let half = squares.sqrt() / count;
    Some(Interval { value, low: value - half, high: value + half })
}

fn figure_of_savings(
    name: String,
    [published, ours]: [f64; 2],
    interval: Option<&Interval>,
    precision: &Precision,
) -> Figure {
    let is_outside = interval.is_some_and(|it| {
        it.high < published / AGREEMENT_FACTOR || it.low > published * AGREEMENT_FACTOR
    });
    // An imprecise value proves nothing; an interval that lies outside does.
    let is_compatible = if precision.is_reached() {
        is_within_factor(published, ours, AGREEMENT_FACTOR)
    } else {
        !is_outside
    };
    let verdict = precision.verdict(is_compatible);
    Figure::precise(name, [published, ours].map(FigureValue::Part), verdict, precision)
}

impl ExperimentRunner<'_> {
    pub(super) fn check_savings(&self, savings: &Savings) -> Result<(), TrainingError> {
        Players::new(&savings.first, &savings.second, &self.resources)?;
        Ok(())
    }

    pub(super) fn count_savings(
        &self,
        named: &NamedExperiment,
        savings: &Savings,
        on_step: &mut dyn FnMut(&ExperimentProgress<'_>),
    ) -> Result<Findings, TrainingError> {
        let sizes = self.overrides.sizes.as_ref().unwrap_or(&savings.sizes);
        let games = self.overrides.games.unwrap_or(savings.games);
        let playouts = self.overrides.playouts.unwrap_or(savings.playouts);
        let mut boards = Vec::new();
        for (index, &size) in sizes.iter().enumerate() {
            let task = SavingsTask::of(named, savings, size, playouts);
            let before = games * index as u64;
            let mut saved = BoardSavings::new(size);
            self.count_board(&named.name, &task, games, &mut |line| {
                saved.add(GameCost { early: line.early, late: line.late });
                on_step(&ExperimentProgress {
                    experiment: &named.name,
                    done: before + line.game + 1,
                    total: games * sizes.len() as u64,
                    unit: "games",
                    note: format!("{size}x{size}"),
                });
            })?;
            boards.push(saved);
        }
        Ok(Findings::Savings(SavingsFindings { games, playouts, boards }))
    }

    /// Repeats the searches of a game, and compares their counts.
    pub(super) fn searches_again(
        &self,
        named: &NamedExperiment,
        found: &SavingsFindings,
        board: &BoardSavings,
        game: u64,
    ) -> Result<bool, TrainingError> {
        let (super::ExperimentTask::Savings(savings), Some(then)) =
            (named.experiment.task(), board.games.get(game as usize))
        else {
            return Ok(false);
        };
        let task = SavingsTask::of(named, savings, board.size, found.playouts);
        let mut players = Players::new(&task.first, &task.second, &self.resources)?;
        let now = players.play(&task, game, self.stop)?;
        let counts =
            |spent: &[SearchCost; 2]| spent.map(|spent| SearchCost { seconds: 0.0, ..spent });
        Ok(counts(&now.early) == counts(&then.early) && counts(&now.late) == counts(&then.late))
    }

    /// Plays the remaining games of a board, and passes all games to `report` in their order.
    fn count_board(
        &self,
        name: &str,
        task: &SavingsTask,
        games: u64,
        report: &mut dyn FnMut(&GameLine),
    ) -> Result<(), TrainingError> {
        let path = self.runs.join(format!("{name}.jsonl"));
        create_folder(&self.runs)?;
        let _lock = lock_file(&path)?;
        let (mut file, bytes) = open_lines(&path)?;
        let stored_games = if self.resume { stored_games(&bytes, task) } else { BTreeMap::new() };
        let stored_games: Vec<&GameLine> =
            (0..games).map_while(|game| stored_games.get(&game)).collect();
        stored_games.iter().for_each(|line| report(line));
        in_order(
            stored_games.len() as u64..games,
            self.concurrency,
            || Players::new(&task.first, &task.second, &self.resources),
            |players, game| players.play(task, game, self.stop),
            |game_line| {
                let line = serde_json::to_string(&game_line).map_err(|error| error.to_string());
                let line = line.map_err(TrainingError::Disk)? + "\n";
                file.append(line.as_bytes()).map_err(|error| TrainingError::disk(&path, &error))?;
                report(&game_line);
                Ok(())
            },
        )
    }
}

/// Stored games of a task, by number.
fn stored_games(bytes: &[u8], task: &SavingsTask) -> BTreeMap<u64, GameLine> {
    let lines = String::from_utf8_lossy(bytes);
    let line = lines.lines().filter_map(|line| serde_json::from_str::<GameLine>(line).ok());
    line.filter(|line| line.task == *task).map(|line| (line.game, line)).collect()
}

/// The two compared players, and the opponent of both.
struct Players {
    compared: [Box<dyn Player<Go>>; 2],
    opponent: Box<dyn Player<Go>>,
}

impl Players {
    fn new(first: &str, second: &str, resources: &Resources) -> Result<Players, TrainingError> {
        let build = |spec: &str| build_player::<Go>(spec, resources);
        Ok(Players { compared: [build(first)?, build(second)?], opponent: build(second)? })
    }

    /// Plays a game; the compared players are Black in every second one.
    fn play(
        &mut self,
        task: &SavingsTask,
        number: u64,
        stop: &AtomicBool,
    ) -> Result<GameLine, TrainingError> {
        let spec = format!("go:size={},komi={}", task.size, task.komi);
        let mut game = History::new(Go::start(&Options::parse(&spec, Go::OPTIONS)?)?);
        let mut random = Random::new(task.seed).split(&format!("savings {spec} {number}"));
        let seed = random.bits();
        self.compared.iter_mut().for_each(|player| player.new_game(seed));
        self.opponent.new_game(random.bits());
        let side = if number.is_multiple_of(2) { Side::First } else { Side::Second };
        let limits = Limits { nodes: Some(task.playouts), ..Limits::default() };
        let mut line = GameLine {
            task: task.clone(),
            game: number,
            early: Default::default(),
            late: Default::default(),
        };
        let points = usize::from(task.size) * usize::from(task.size);
        while game.last().outcome().is_none() && game.moves().len() < MAX_MOVES_PER_POINT * points {
            let action = if game.last().turn() == side {
                let is_late = 2 * game.last().board().empties().len() <= points;
                let spent = if is_late { &mut line.late } else { &mut line.early };
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
        Ok(line)
    }

    /// Searches with both; returns the second player's action.
    fn compare(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        stop: &AtomicBool,
        spent: &mut [SearchCost; 2],
    ) -> Result<Action<GoMove>, PlayerError> {
        let [first, second] = &mut self.compared;
        let (_, one) = search(&mut **first, game, limits, stop)?;
        let (action, other) = search(&mut **second, game, limits, stop)?;
        spent[0].add(&one);
        spent[1].add(&other);
        Ok(action)
    }
}

/// Searches, and returns the action and its effort; no effort if no search was needed.
fn search(
    player: &mut dyn Player<Go>,
    game: &History<Go>,
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<(Action<GoMove>, SearchCost), PlayerError> {
    let watch = CpuStopwatch::start();
    let choice =
        player.choose(game, limits, &mut SearchControl { stop, on_report: &mut |_| {} })?;
    let spent = choice.report.playouts.map(|playouts| SearchCost {
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
    use crate::reproduce::FigureVerdict;

    /// Games in which the first player finishes these numbers of 100 playouts.
    fn found(parts: &[u64]) -> Findings {
        let mut board = BoardSavings::new(9);
        for part in parts {
            let spent = |finished| SearchCost { searches: 1, finished, ..SearchCost::default() };
            board.add(GameCost { early: [spent(*part), spent(100)], ..GameCost::default() });
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
            (&[70, 71, 69, 70, 72][..], FigureVerdict::Reproduced),
            (&[70, 71], FigureVerdict::Inconclusive),
            (&[70], FigureVerdict::Inconclusive),
            (&[99, 98, 99, 99, 98], FigureVerdict::NotReproduced),
            (&[99, 20, 99, 70, 98], FigureVerdict::Inconclusive),
        ] {
            let figures = super::super::figures(&experiment, &found(parts));
            let [figure] = &figures[..] else { panic!("{figures:?}") };
            assert_eq!(figure.verdict, expected, "{figure:?}");
            assert_eq!(figure.games_needed.is_some(), expected == FigureVerdict::Inconclusive);
        }
    }
}
