//! Running experiments: matches are played in the arena, trainings are runs with folders, so that
//! both resume after an interruption.

use super::{
    BoardSavings, DrawKinds, Experiment, ExperimentTask, GoBoardResult, GoMatchFindings, Match,
    NamedExperiment, NodeFindings, PairFindings, SavingsFindings, SuiteFindings, TrainingTime,
    experiment::wrong,
};
use crate::{
    Job, Recipe, TrainingError,
    kinds::td::{SessionResult, TdSettings},
    kinds::td::{TdRecipe, TdTraining},
};
use ludus_arena::{
    adjudicate::Adjudication,
    contest::{self, ContestResult, ContestSpec, StartMode},
    game::{Opening, PlayerStats},
    openings::{self, Openings, Source},
    parallel::ContestError,
    schedule::TournamentFormat,
    store::{Store, StoreError, StoredGame},
    table::{HeadToHead, Standings},
};
use ludus_core::{EndReason, Limits, Options, Outcome, TextError};
use ludus_players::{Board, Game, Resources, common::endgame_database::BUILT_PIECES, find_game};
use ludus_search::tables::{EndgameError, EndgameValue, retrograde::Workers};
use serde::{Deserialize, Serialize};
use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

/// Runs experiments.
pub struct ExperimentRunner<'a> {
    /// Store of the matches' games.
    pub store: &'a Store,
    /// Resources players may use. Results must not depend on them.
    pub resources: Resources,
    /// Parent folder of the trainings' folders.
    pub runs: PathBuf,
    /// Whether to resume earlier runs.
    pub resume: bool,
    /// Overrides of the experiments' settings.
    pub overrides: Overrides,
    /// Games played at once.
    pub concurrency: usize,
    /// Stop flag.
    pub stop: &'a AtomicBool,
}

/// Overrides of the experiments' settings, from the command line.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Overrides {
    /// Games of a match, or on each board.
    pub games: Option<u64>,
    /// Simulations a move, for experiments that have this setting.
    pub playouts: Option<u64>,
    /// Board sizes, for experiments that have this setting.
    pub sizes: Option<Vec<u8>>,
    /// Replacement for the base program in matches of Go.
    pub opponent: Option<String>,
}

/// Progress of an experiment.
pub struct ExperimentProgress<'a> {
    /// Name of the experiment.
    pub experiment: &'a str,
    /// Games or sessions done.
    pub done: u64,
    /// Games or sessions in all.
    pub total: u64,
    /// Unit of `done` and `total`.
    pub unit: &'static str,
    /// Details for the progress display.
    pub note: String,
}

/// Results of an experiment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Findings {
    /// A match.
    Match(MatchFindings),
    /// Trainings, in the order of the experiment's players.
    Training(Vec<TrainingCost>),
    /// Matches of Go.
    Boards(GoMatchFindings),
    /// Searches of Go.
    Savings(SavingsFindings),
    /// Matches of several pairs.
    Pairs(PairFindings),
    /// A suite of problems.
    Suite(SuiteFindings),
    /// Searches whose nodes are compared.
    NodeCounts(NodeFindings),
    /// Not run, because of something missing here.
    Skipped(String),
}

/// One of the matches of an experiment, as a part of its progress.
pub(super) struct MatchSlice<'a> {
    /// Name of the experiment.
    pub name: &'a str,
    /// Games of the matches before.
    pub before: u64,
    /// Games of all matches.
    pub total: u64,
}

/// Results of a match, for the first player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchFindings {
    /// Wins, draws, losses and pairs.
    pub cell: HeadToHead,
    /// Drawn games that a side with an advantage failed to win.
    pub loops: u64,
    /// Draws by their reason, if forced draws were published.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<DrawKinds>,
    /// Search effort of the players.
    pub efforts: [PlayerStats; 2],
}

/// Effort of a player's training.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingCost {
    /// Player.
    pub player: String,
    /// Training games.
    pub games: u64,
    /// Nodes searched, including tests.
    pub nodes: u64,
    /// Processor time in seconds.
    pub seconds: f64,
    /// Training games that ended in a loop.
    pub loops: u64,
    /// Results of each session, which all the figures are computed from.
    pub sessions: Vec<SessionResult>,
}

impl TrainingCost {
    fn of(player: &str, sessions: Vec<SessionResult>) -> TrainingCost {
        let games = |session: &SessionResult| {
            let record = session.training;
            u64::from(record.won + record.drawn + record.lost)
        };
        TrainingCost {
            player: player.to_owned(),
            games: sessions.iter().map(games).sum(),
            nodes: sessions.iter().map(|session| session.nodes).sum(),
            seconds: sessions.iter().map(|session| session.seconds).sum(),
            loops: sessions.iter().map(|session| u64::from(session.training.loops)).sum(),
            sessions,
        }
    }
}

/// Recipe of a training, as stored in its folder.
#[derive(Serialize)]
struct TrainingRecipe<'a> {
    kind: &'a str,
    game: &'a str,
    player: &'a str,
    seed: u64,
    td: &'a TdSettings,
}

impl ExperimentRunner<'_> {
    /// Checks what only the game can check: the players and their options.
    ///
    /// # Errors
    /// If there is no such player.
    pub fn check(&self, named: &NamedExperiment) -> Result<(), TrainingError> {
        match self.check_task(named) {
            Err(TrainingError::Player(_)) if named.experiment.needs.is_some() => Ok(()),
            checked => checked,
        }
    }

    fn check_task(&self, named: &NamedExperiment) -> Result<(), TrainingError> {
        let Experiment { seed, .. } = named.experiment;
        match named.experiment.task() {
            ExperimentTask::Match(played) => {
                let (game, options) = find_game(&played.game)?;
                self.openings(named, &played.openings, game, &options)?;
                for player in [&played.first, &played.second] {
                    game.check_player(player, &self.resources)?;
                }
            }
            ExperimentTask::Training(training) => {
                for (index, _) in training.players.iter().enumerate() {
                    self.job(&named.name, training, seed, index)?.check()?;
                }
            }
            ExperimentTask::Boards(boards) => self.check_boards(boards)?,
            ExperimentTask::Savings(savings) => self.check_savings(savings)?,
            ExperimentTask::Pairs(pairs) => self.check_pairs(named, pairs)?,
            ExperimentTask::Suite(suite) => self.check_suite(named, suite)?,
            ExperimentTask::NodeCounts(counts) => self.check_node_counts(named, counts)?,
        }
        Ok(())
    }

    /// Runs the experiment, or resumes it.
    ///
    /// # Errors
    /// If a player or the disk fails, or the stop flag is raised.
    pub fn run(
        &self,
        named: &NamedExperiment,
        on_step: &mut dyn FnMut(&ExperimentProgress<'_>),
    ) -> Result<Findings, TrainingError> {
        let Experiment { seed, .. } = named.experiment;
        if let Some(needs) = &named.experiment.needs
            && let Err(TrainingError::Player(error)) = self.check_task(named)
        {
            return Ok(Findings::Skipped(format!("it needs {needs}: {error}")));
        }
        match named.experiment.task() {
            ExperimentTask::Match(played) => {
                self.play_match(named, played, on_step).map(Findings::Match)
            }
            ExperimentTask::Training(training) => {
                self.train(&named.name, training, seed, on_step).map(Findings::Training)
            }
            ExperimentTask::Boards(boards) => self.play_boards(named, boards, on_step),
            ExperimentTask::Savings(savings) => self.count_savings(named, savings, on_step),
            ExperimentTask::Pairs(pairs) => self.play_pairs(named, pairs, on_step),
            ExperimentTask::Suite(suite) => self.solve_suite(named, suite, on_step),
            ExperimentTask::NodeCounts(counts) => self.count_nodes(named, counts, on_step),
        }
    }

    fn play_match(
        &self,
        named: &NamedExperiment,
        played: &Match,
        on_step: &mut dyn FnMut(&ExperimentProgress<'_>),
    ) -> Result<MatchFindings, TrainingError> {
        let setup = self.setup(named, played)?;
        let part = MatchSlice { name: &named.name, before: 0, total: setup.games };
        let result = self.play_contest(&setup, &part, on_step)?;
        let games = self
            .store
            .contest_games(result.id)
            .map(|game| game.map_err(|error| store_error(&error)));
        self.count_match(&setup, played, &result.standings, games)
    }

    /// Counts the games of a match.
    fn count_match(
        &self,
        setup: &ContestSpec,
        played: &Match,
        standings: &Standings,
        games: impl Iterator<Item = Result<StoredGame, TrainingError>>,
    ) -> Result<MatchFindings, TrainingError> {
        let [first, second, ..] = standings.player_stats[..] else {
            unreachable!("a match has two players");
        };
        let cell = standings.cells[0][1];
        let games = games.collect::<Result<Vec<StoredGame>, TrainingError>>()?;
        let forced = played.published.forced.map(|_| DrawKinds::count(&games));
        let loops = self.loops(setup, games.into_iter().map(Ok))?;
        Ok(MatchFindings { cell, loops, forced, efforts: [first, second] })
    }

    /// Computes findings again from their games: those of the matches, in order, and those stored
    /// in the findings.
    pub(super) fn recount(
        &self,
        named: &NamedExperiment,
        findings: &Findings,
        result: &[PlayedMatch<'_>],
    ) -> Result<Findings, TrainingError> {
        Ok(match (findings, result) {
            (Findings::Match(_), [played, ..]) => {
                let ExperimentTask::Match(task) = named.experiment.task() else {
                    return Err(other_task(named));
                };
                let standings = played.standings()?;
                Findings::Match(self.count_match(played.setup, task, &standings, played.found())?)
            }
            (Findings::Pairs(stored), result) => match named.experiment.task() {
                ExperimentTask::Pairs(pairs) => Findings::Pairs(stored.recounted(pairs, result)?),
                _ => return Err(other_task(named)),
            },
            (Findings::Suite(stored), _) => match named.experiment.task() {
                ExperimentTask::Suite(suite) => Findings::Suite(stored.recounted(named, suite)?),
                _ => return Err(other_task(named)),
            },
            (Findings::NodeCounts(stored), _) => Findings::NodeCounts(stored.clone()),
            (Findings::Boards(stored), result) => {
                let mut stored = stored.clone();
                for (board, played) in stored.boards.iter_mut().zip(result) {
                    *board =
                        GoBoardResult::count(board.size, &played.standings()?, played.found())?;
                }
                Findings::Boards(stored)
            }
            (Findings::Training(stored), _) => {
                let again = |trained: &TrainingCost| {
                    TrainingCost::of(&trained.player, trained.sessions.clone())
                };
                Findings::Training(stored.iter().map(again).collect())
            }
            (Findings::Savings(stored), _) => {
                let boards = stored.boards.iter().map(BoardSavings::recounted).collect();
                Findings::Savings(SavingsFindings { boards, ..stored.clone() })
            }
            (Findings::Skipped(reason), _) => Findings::Skipped(reason.clone()),
            (Findings::Match(_), []) => {
                return Err(TrainingError::Disk(format!("{}: no games", named.name)));
            }
        })
    }

    /// Fails if the stop flag is raised.
    pub(super) fn check_not_stopped(&self) -> Result<(), TrainingError> {
        if self.stop.load(Ordering::Relaxed) { Err(TrainingError::Stopped) } else { Ok(()) }
    }

    /// Plays a match of an experiment, or resumes it.
    pub(super) fn play_contest(
        &self,
        setup: &ContestSpec,
        part: &MatchSlice<'_>,
        on_step: &mut dyn FnMut(&ExperimentProgress<'_>),
    ) -> Result<ContestResult, TrainingError> {
        let start = if self.resume { StartMode::Resume } else { StartMode::New };
        let result = contest::run(setup, self.store, start, self.stop, &mut |progress| {
            let wdl = progress.standings.cells[0][1].wdl;
            on_step(&ExperimentProgress {
                experiment: part.name,
                done: part.before + progress.done,
                total: part.total,
                unit: "games",
                note: format!("+{} ={} -{}", wdl.wins, wdl.draws, wdl.losses),
            });
        });
        let result = result.map_err(run_error)?;
        if result.complete { Ok(result) } else { Err(TrainingError::Stopped) }
    }

    pub(super) fn setup(
        &self,
        named: &NamedExperiment,
        played: &Match,
    ) -> Result<ContestSpec, TrainingError> {
        let (game, options) = find_game(&played.game)?;
        let openings = self.openings(named, &played.openings, game, &options)?;
        Ok(ContestSpec {
            kind: "match",
            name: format!("reproduce {}", named.name),
            game,
            options,
            players: vec![played.first.clone(), played.second.clone()],
            resources: self.resources.clone(),
            form: TournamentFormat::RoundRobin,
            games: self.overrides.games.unwrap_or(played.games),
            openings,
            limits: Limits { depth: played.depth, nodes: played.nodes, ..Limits::default() },
            adjudication: Adjudication { max_plies: played.max_plies, ..Adjudication::default() },
            sprt: None,
            seed: named.experiment.seed,
            concurrency: self.concurrency,
        })
    }

    /// Openings of an experiment: those of the game, none, or those of a file.
    pub(super) fn openings(
        &self,
        named: &NamedExperiment,
        choice: &str,
        game: &dyn Game,
        options: &Options,
    ) -> Result<Openings, TextError> {
        match choice {
            "none" => Ok(Openings::start_position()),
            "suite" => Openings::suite(&options.to_string()).ok_or_else(|| {
                let expected = "none: there is no suite for this game";
                TextError::whole("openings of the experiment", choice, expected)
            }),
            file => opening_list(named, file, game, options).map(Openings::from_file),
        }
    }

    /// Counts drawn games that ended by repetition or without progress although a side was ahead:
    /// by the endgame tables where they have the last position, else in material.
    fn loops(
        &self,
        setup: &ContestSpec,
        games: impl Iterator<Item = Result<StoredGame, TrainingError>>,
    ) -> Result<u64, TrainingError> {
        let mut ends = Vec::new();
        for game in games {
            let game = game?;
            if game.result != Outcome::Draw {
                continue;
            }
            let board = last_position(setup, &game)?;
            let endless = board.ending().is_some_and(|finish| {
                matches!(finish.reason, EndReason::Repetition | EndReason::NoProgress)
            });
            if endless {
                let unequal = board.material().is_some_and(|material| material != 0);
                ends.push((board.position(), unequal));
            }
        }
        let positions: Vec<String> = ends.iter().map(|(position, _)| position.clone()).collect();
        let values = self.values(setup, &positions)?;
        let is_loop = |((_, unequal), value): (&(String, bool), &Option<EndgameValue>)| match value
        {
            Some(EndgameValue::Draw) => false,
            Some(EndgameValue::Win | EndgameValue::Loss) => true,
            Some(EndgameValue::Unknown) | None => *unequal,
        };
        Ok(ends.iter().zip(&values).filter(|end| is_loop((end.0, end.1))).count() as u64)
    }

    /// Looks positions up in the endgame tables, which are built first if they do not exist.
    fn values(
        &self,
        setup: &ContestSpec,
        positions: &[String],
    ) -> Result<Vec<Option<EndgameValue>>, TrainingError> {
        let (Some(endgames), Some(data)) = (setup.game.endgames(), &self.resources.data) else {
            return Ok(vec![None; positions.len()]);
        };
        if positions.is_empty() || !endgames.has_tables(&setup.options)? {
            return Ok(vec![None; positions.len()]);
        }
        let folder = data.path.join("endgame").join(setup.game.id());
        let work = Workers { threads: self.concurrency, stop: self.stop };
        let built = endgames.build(&folder, BUILT_PIECES, &work, &mut |step| {
            if let Some(report) = data.on_step.as_ref().filter(|_| !step.found) {
                report(step);
            }
        });
        built.map_err(|error| match error {
            EndgameError::Stopped => TrainingError::Stopped,
            error => TrainingError::Disk(error.to_string()),
        })?;
        let values = endgames.values(&folder, BUILT_PIECES, &setup.options, positions);
        values.map_err(|error| TrainingError::Disk(error.to_string()))
    }

    fn train(
        &self,
        name: &str,
        training: &TrainingTime,
        seed: u64,
        on_step: &mut dyn FnMut(&ExperimentProgress<'_>),
    ) -> Result<Vec<TrainingCost>, TrainingError> {
        let mut trained = Vec::new();
        for (index, player) in training.players.iter().enumerate() {
            let job = self.job(name, training, seed, index)?;
            let sessions =
                TdTraining::new(&job)?.session_results(&job, self.stop, &mut |progress| {
                    let all = progress.total * training.players.len() as u64;
                    on_step(&ExperimentProgress {
                        experiment: name,
                        done: progress.done + progress.total * index as u64,
                        total: all,
                        unit: "sessions",
                        note: format!("{player}, {}", progress.note),
                    });
                })?;
            trained.push(TrainingCost::of(player, sessions));
        }
        Ok(trained)
    }

    /// Job that trains one player, as `ludus train` would do it.
    fn job(
        &self,
        name: &str,
        training: &TrainingTime,
        seed: u64,
        index: usize,
    ) -> Result<Job, TrainingError> {
        let player = &training.players[index];
        let settings = TdRecipe { td: training.td.clone() };
        let mut recipe = Recipe::new(&training.game, player, settings);
        recipe.seed = seed;
        // Only the settings of this kind: a run must resume even if defaults of other kinds change.
        let (kind, game, td) = (recipe.kind().name, &training.game, &training.td);
        let training_recipe = TrainingRecipe { kind, game, player, seed, td };
        let text = toml::to_string(&training_recipe)
            .map_err(|error| TrainingError::Disk(error.to_string()))?;
        Ok(Job {
            recipe,
            text,
            recipe_dir: PathBuf::new(),
            folder: self.runs.join(name).join(format!("training-{}", index + 1)),
            resume: self.resume,
            threads: 1,
        })
    }
}

/// A match that was played.
pub(super) struct PlayedMatch<'a> {
    /// Specification of the match.
    pub setup: &'a ContestSpec,
    /// Its distinct games.
    pub games: &'a [StoredGame],
    /// Number of games that repeated one of these.
    pub repeats: u64,
}

/// Openings or positions of a file of an experiment.
pub(super) fn opening_list(
    named: &NamedExperiment,
    file: &str,
    game: &dyn Game,
    options: &Options,
) -> Result<Vec<Opening>, TextError> {
    let source = Source::of_file(file, None)
        .ok_or_else(|| wrong(file, "a .pgn, .pdn, .sgf, .epd, .fen or .txt file"))?;
    openings::read(source, named.files.text(file)?.as_bytes(), game, options)
        .map_err(|error| TextError { what: format!("{file}: {}", error.what), ..error })
}

/// Error of findings that are of another kind than their experiment.
fn other_task(named: &NamedExperiment) -> TrainingError {
    TrainingError::Disk(format!("{}: findings of another experiment", named.name))
}

impl PlayedMatch<'_> {
    /// The games, as the store returns them.
    fn found(&self) -> impl Iterator<Item = Result<StoredGame, TrainingError>> {
        self.games.iter().cloned().map(Ok)
    }

    pub(super) fn standings(&self) -> Result<Standings, TrainingError> {
        let result =
            contest::result_of_games(self.setup, self.games.iter().cloned()).map_err(run_error)?;
        let mut standings = result.standings;
        standings.cells[0][1].repeats = self.repeats;
        Ok(standings)
    }
}

/// Converts an error of a match.
pub(super) fn run_error(error: ContestError) -> TrainingError {
    match error {
        ContestError::Player(error) => TrainingError::Player(error),
        ContestError::Opening(error) => TrainingError::Text(error),
        ContestError::Store(error) => store_error(&error),
        ContestError::Lock(error) => TrainingError::Disk(error.to_string()),
        other @ ContestError::OtherBuild { .. } => TrainingError::Build(other.to_string()),
    }
}

/// Converts an error of the store.
pub(super) fn store_error(error: &StoreError) -> TrainingError {
    TrainingError::Disk(error.to_string())
}

/// Final position of a stored game.
pub(super) fn last_position(
    setup: &ContestSpec,
    game: &StoredGame,
) -> Result<Box<dyn Board>, TextError> {
    // An opening made of moves is part of the game's moves; any other is a position.
    let start = game.opening.as_deref().filter(|opening| !game.moves.starts_with(opening));
    let mut board = setup.game.open(&setup.options, start)?;
    for mv in game.moves.split_whitespace() {
        board.play(mv)?;
    }
    Ok(board)
}
