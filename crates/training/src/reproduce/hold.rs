//! Doing an experiment: its match is held in the arena, its trainings are runs with folders, so
//! that both go on wherever they were cut off.

use super::{
    Board, BoardsFindings, Experiment, Match, Named, Saved, SavingsFindings, Task, TrainingTime,
};
use crate::{
    Job, Kind, Recipe, TrainingError,
    cloning::{Session, TdSettings},
    td::TdRunner,
};
use ludus_arena::{
    adjudicate::Adjudication,
    contest::{Held, Setup, Start, count_games, hold},
    game::Effort,
    openings::Openings,
    run::RunError,
    schedule::Form,
    store::{Store, StoreError, StoredGame},
    table::{Cell, Standings},
};
use ludus_core::{Limits, Reason, TextError};
use ludus_players::{Resources, Session as Position, database::BUILT_PIECES, find_game};
use ludus_search::tables::{EndgameError, Value, retrograde::Work};
use serde::{Deserialize, Serialize};
use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

/// Where experiments are done.
pub struct Lab<'a> {
    /// Keeps the games of matches.
    pub store: &'a Store,
    /// What players may use. Results must not depend on what they find there.
    pub resources: Resources,
    /// The folder above those of the trainings.
    pub runs: PathBuf,
    /// Whether to go on with what an earlier run has left.
    pub resume: bool,
    /// What to do otherwise than the experiments say.
    pub changes: Changes,
    /// Games played at once.
    pub concurrency: usize,
    /// Raised to stop.
    pub stop: &'a AtomicBool,
}

/// What to do otherwise than the experiments say.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Changes {
    /// Games of a match, or on each board.
    pub games: Option<u64>,
    /// Simulations a move, of experiments that say it.
    pub playouts: Option<u64>,
    /// Boards to play on, of experiments that say it.
    pub sizes: Option<Vec<u8>>,
    /// Who takes the place of the base program in matches of Go.
    pub opponent: Option<String>,
}

/// How far an experiment is.
pub struct Step<'a> {
    /// Its name.
    pub experiment: &'a str,
    /// Games or sessions done.
    pub done: u64,
    /// And in all.
    pub total: u64,
    /// What is counted.
    pub unit: &'static str,
    /// What else there is to say.
    pub note: String,
}

/// What an experiment has come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Findings {
    /// A match.
    Match(MatchFindings),
    /// Trainings, in the order of the experiment's players.
    Training(Vec<Trained>),
    /// Matches of Go.
    Boards(BoardsFindings),
    /// Searches of Go.
    Savings(SavingsFindings),
    /// Nothing, because something is missing here.
    Skipped(String),
}

/// One of the matches of an experiment.
pub(super) struct Part<'a> {
    /// The experiment.
    pub name: &'a str,
    /// Games of the matches before.
    pub before: u64,
    /// Games of all matches.
    pub total: u64,
}

/// The results of a match, seen by the first player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchFindings {
    /// Won, drawn, lost and pairs.
    pub cell: Cell,
    /// Of the drawn ones, those a side that was ahead could not bring home.
    pub loops: u64,
    /// What the players spent.
    pub efforts: [Effort; 2],
}

/// What the training of a player took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trained {
    /// The player.
    pub player: String,
    /// Training games.
    pub games: u64,
    /// Positions looked at, in tests too.
    pub nodes: u64,
    /// Processor time.
    pub seconds: f64,
    /// Training games that ended in a loop.
    pub loops: u64,
    /// Each session, from which all of this is counted.
    pub sessions: Vec<Session>,
}

impl Trained {
    fn of(player: &str, sessions: Vec<Session>) -> Trained {
        let games = |session: &Session| {
            let record = session.training;
            u64::from(record.won + record.drawn + record.lost)
        };
        Trained {
            player: player.to_owned(),
            games: sessions.iter().map(games).sum(),
            nodes: sessions.iter().map(|session| session.nodes).sum(),
            seconds: sessions.iter().map(|session| session.seconds).sum(),
            loops: sessions.iter().map(|session| u64::from(session.training.loops)).sum(),
            sessions,
        }
    }
}

/// A recipe as it is kept.
#[derive(Serialize)]
struct Said<'a> {
    kind: Kind,
    game: &'a str,
    player: &'a str,
    seed: u64,
    td: &'a TdSettings,
}

impl Lab<'_> {
    /// Checks what only the game can check: the players and their options.
    ///
    /// # Errors
    /// If there is no such player.
    pub fn check(&self, named: &Named) -> Result<(), TrainingError> {
        let Experiment { seed, .. } = named.experiment;
        match named.experiment.task() {
            Task::Match(played) => {
                let (game, _) = find_game(&played.game)?;
                for player in [&played.first, &played.second] {
                    game.check_player(player, &self.resources)?;
                }
            }
            Task::Training(training) => {
                for (index, _) in training.players.iter().enumerate() {
                    TdRunner::new(&self.job(&named.name, training, seed, index)?)?;
                }
            }
            Task::Boards(boards) => self.check_boards(boards)?,
            Task::Savings(savings) => self.check_savings(savings)?,
        }
        Ok(())
    }

    /// Does the experiment, or the rest of it.
    ///
    /// # Errors
    /// If a player or the disk fails, or the stop flag is raised.
    pub fn run(
        &self,
        named: &Named,
        on_step: &mut dyn FnMut(&Step<'_>),
    ) -> Result<Findings, TrainingError> {
        let Experiment { seed, .. } = named.experiment;
        match named.experiment.task() {
            Task::Match(played) => {
                self.hold(&named.name, played, seed, on_step).map(Findings::Match)
            }
            Task::Training(training) => {
                self.train(&named.name, training, seed, on_step).map(Findings::Training)
            }
            Task::Boards(boards) => self.play_boards(named, boards, on_step),
            Task::Savings(savings) => self.count_savings(named, savings, on_step),
        }
    }

    fn hold(
        &self,
        name: &str,
        played: &Match,
        seed: u64,
        on_step: &mut dyn FnMut(&Step<'_>),
    ) -> Result<MatchFindings, TrainingError> {
        let setup = self.setup(name, played, seed)?;
        let part = Part { name, before: 0, total: setup.games };
        let held = self.hold_contest(&setup, &part, on_step)?;
        let games =
            self.store.contest_games(held.id).map(|game| game.map_err(|error| of_store(&error)));
        self.count_match(&setup, &held.standings, games)
    }

    /// Counts the games of a match.
    fn count_match(
        &self,
        setup: &Setup,
        standings: &Standings,
        games: impl Iterator<Item = Result<StoredGame, TrainingError>>,
    ) -> Result<MatchFindings, TrainingError> {
        let [first, second, ..] = standings.efforts[..] else {
            unreachable!("a match has two players");
        };
        let cell = standings.cells[0][1];
        Ok(MatchFindings { cell, loops: self.loops(setup, games)?, efforts: [first, second] })
    }

    /// Findings anew, from the games they came from: those of the matches, in order, and those that
    /// the findings have themselves.
    pub(super) fn recount(
        &self,
        named: &Named,
        findings: &Findings,
        held: &[Played<'_>],
    ) -> Result<Findings, TrainingError> {
        Ok(match (findings, held) {
            (Findings::Match(_), [played, ..]) => {
                let standings = played.standings()?;
                Findings::Match(self.count_match(played.setup, &standings, played.found())?)
            }
            (Findings::Boards(told), held) => {
                let mut told = told.clone();
                for (board, played) in told.boards.iter_mut().zip(held) {
                    *board = Board::count(board.size, &played.standings()?, played.found())?;
                }
                Findings::Boards(told)
            }
            (Findings::Training(told), _) => {
                let again =
                    |trained: &Trained| Trained::of(&trained.player, trained.sessions.clone());
                Findings::Training(told.iter().map(again).collect())
            }
            (Findings::Savings(told), _) => {
                let boards = told.boards.iter().map(Saved::recounted).collect();
                Findings::Savings(SavingsFindings { boards, ..told.clone() })
            }
            (Findings::Skipped(reason), _) => Findings::Skipped(reason.clone()),
            (Findings::Match(_), []) => {
                return Err(TrainingError::Disk(format!("{}: no games", named.name)));
            }
        })
    }

    /// Whether nobody asked to stop.
    pub(super) fn go_on(&self) -> Result<(), TrainingError> {
        if self.stop.load(Ordering::Relaxed) { Err(TrainingError::Stopped) } else { Ok(()) }
    }

    /// Holds a match of an experiment, or the rest of it.
    pub(super) fn hold_contest(
        &self,
        setup: &Setup,
        part: &Part<'_>,
        on_step: &mut dyn FnMut(&Step<'_>),
    ) -> Result<Held, TrainingError> {
        let start = if self.resume { Start::Resume } else { Start::Anew };
        let held = hold(setup, self.store, start, self.stop, &mut |progress| {
            let tally = progress.standings.cells[0][1].tally;
            on_step(&Step {
                experiment: part.name,
                done: part.before + progress.done,
                total: part.total,
                unit: "games",
                note: format!("+{} ={} -{}", tally.wins, tally.draws, tally.losses),
            });
        });
        let held = held.map_err(of_run)?;
        if held.complete { Ok(held) } else { Err(TrainingError::Stopped) }
    }

    pub(super) fn setup(
        &self,
        name: &str,
        played: &Match,
        seed: u64,
    ) -> Result<Setup, TrainingError> {
        let (game, options) = find_game(&played.game)?;
        let openings = match played.openings.as_str() {
            "none" => Openings::usual(),
            _ => Openings::suite(&options.to_string()).ok_or_else(|| {
                let expected = "none: there is no suite for this game";
                TextError::whole("openings of the experiment", &played.openings, expected)
            })?,
        };
        Ok(Setup {
            kind: "match",
            name: format!("reproduce {name}"),
            game,
            options,
            players: vec![played.first.clone(), played.second.clone()],
            resources: self.resources.clone(),
            form: Form::RoundRobin,
            games: self.changes.games.unwrap_or(played.games),
            openings,
            limits: Limits { depth: played.depth, nodes: played.nodes, ..Limits::default() },
            adjudication: Adjudication::default(),
            sprt: None,
            seed,
            concurrency: self.concurrency,
        })
    }

    /// Draws that led nowhere though a side was ahead: by the tables of endings where they know the
    /// last position, else in material.
    fn loops(
        &self,
        setup: &Setup,
        games: impl Iterator<Item = Result<StoredGame, TrainingError>>,
    ) -> Result<u64, TrainingError> {
        let mut ends = Vec::new();
        for game in games {
            let game = game?;
            if game.result != "draw" {
                continue;
            }
            let board = last_position(setup, &game)?;
            let endless = board.ending().is_some_and(|finish| {
                matches!(finish.reason, Reason::Repetition | Reason::NoProgress)
            });
            if endless {
                let unequal = board.material().is_some_and(|material| material != 0);
                ends.push((board.position(), unequal));
            }
        }
        let positions: Vec<String> = ends.iter().map(|(position, _)| position.clone()).collect();
        let values = self.values(setup, &positions)?;
        let is_loop = |((_, unequal), value): (&(String, bool), &Option<Value>)| match value {
            Some(Value::Draw) => false,
            Some(Value::Win | Value::Loss) => true,
            Some(Value::Unknown) | None => *unequal,
        };
        Ok(ends.iter().zip(&values).filter(|end| is_loop((end.0, end.1))).count() as u64)
    }

    /// What the tables of endings say of these positions, made first if they are not there.
    fn values(
        &self,
        setup: &Setup,
        positions: &[String],
    ) -> Result<Vec<Option<Value>>, TrainingError> {
        let (Some(endgames), Some(data)) = (setup.game.endgames(), &self.resources.data) else {
            return Ok(vec![None; positions.len()]);
        };
        if positions.is_empty() || !endgames.know(&setup.options)? {
            return Ok(vec![None; positions.len()]);
        }
        let folder = data.path.join("endgame").join(setup.game.id());
        let work = Work { threads: self.concurrency, stop: self.stop };
        let built = endgames.build(&folder, BUILT_PIECES, &work, &mut |step| {
            if let Some(tell) = data.on_step.as_ref().filter(|_| !step.found) {
                tell(step);
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
        on_step: &mut dyn FnMut(&Step<'_>),
    ) -> Result<Vec<Trained>, TrainingError> {
        let mut trained = Vec::new();
        for (index, player) in training.players.iter().enumerate() {
            let job = self.job(name, training, seed, index)?;
            let sessions = TdRunner::new(&job)?.sessions(self.stop, &mut |progress| {
                let all = progress.total * training.players.len() as u64;
                on_step(&Step {
                    experiment: name,
                    done: progress.done + progress.total * index as u64,
                    total: all,
                    unit: "sessions",
                    note: format!("{player}, {}", progress.note),
                });
            })?;
            trained.push(Trained::of(player, sessions));
        }
        Ok(trained)
    }

    /// The training of one player, as `ludus train` would do it.
    fn job(
        &self,
        name: &str,
        training: &TrainingTime,
        seed: u64,
        index: usize,
    ) -> Result<Job, TrainingError> {
        let player = &training.players[index];
        let mut recipe = Recipe::new(Kind::Td, &training.game, player);
        recipe.seed = seed;
        recipe.td = training.td.clone();
        // Only what it says itself: a run must go on though the defaults of others change.
        let said = Said { kind: recipe.kind, game: &recipe.game, player, seed, td: &recipe.td };
        let text =
            toml::to_string(&said).map_err(|error| TrainingError::Disk(error.to_string()))?;
        Ok(Job {
            recipe,
            text,
            beside: PathBuf::new(),
            folder: self.runs.join(name).join(format!("training-{}", index + 1)),
            resume: self.resume,
            threads: 1,
        })
    }
}

/// A match that was played.
pub(super) struct Played<'a> {
    /// How.
    pub setup: &'a Setup,
    /// Its games, every one once.
    pub games: &'a [StoredGame],
    /// How many more repeated one of these.
    pub repeats: u64,
}

impl Played<'_> {
    /// The games, as the store tells them.
    fn found(&self) -> impl Iterator<Item = Result<StoredGame, TrainingError>> {
        self.games.iter().cloned().map(Ok)
    }

    fn standings(&self) -> Result<Standings, TrainingError> {
        let held = count_games(self.setup, self.games.iter().cloned()).map_err(of_run)?;
        let mut standings = held.standings;
        standings.cells[0][1].repeats = self.repeats;
        Ok(standings)
    }
}

/// What went wrong with a match.
pub(super) fn of_run(error: RunError) -> TrainingError {
    match error {
        RunError::Player(error) => TrainingError::Player(error),
        RunError::Opening(error) => TrainingError::Text(error),
        RunError::Store(error) => of_store(&error),
        other @ RunError::OtherBuild { .. } => TrainingError::Build(other.to_string()),
    }
}

/// What went wrong with the store.
pub(super) fn of_store(error: &StoreError) -> TrainingError {
    TrainingError::Disk(error.to_string())
}

/// The board as a stored game left it.
fn last_position(setup: &Setup, game: &StoredGame) -> Result<Box<dyn Position>, TextError> {
    // An opening that is made of moves is part of the moves; any other is a position.
    let start = game.opening.as_deref().filter(|opening| !game.moves.starts_with(opening));
    let mut board = setup.game.open(&setup.options, start)?;
    for mv in game.moves.split_whitespace() {
        board.play(mv)?;
    }
    Ok(board)
}
