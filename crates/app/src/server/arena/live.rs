//! A contest in progress or loaded from the store: standings, ratings, and games being played.

use super::super::{
    background_job::{BackgroundJob, JobState, Phase},
    view::BoardDiagram,
};
use super::ContestResources;
use ludus_arena::{
    contest::{self, ContestCallbacks, ContestProgress, ContestResult, ContestSpec},
    elo::Estimate,
    parallel::GameObserver,
    report,
    schedule::{PlannedGame, TournamentFormat},
    sprt::SprtState,
    store::{Store, StoredContest},
    table::{
        Standings,
        columns::{GridColumn, grid_columns},
    },
};
use ludus_core::BoardView;
use ludus_players::Board;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};
use utoipa::ToSchema;

/// Maximum number of boards shown.
const MAX_SHOWN_BOARDS: usize = 8;
/// Maximum number of cross-table updates per window: copying the table after every game would slow down
/// fast players.
const MAX_TABLE_UPDATES: u32 = 4;
const TABLE_UPDATE_WINDOW: Duration = Duration::from_millis(50);
/// Minimum time between two updates of a board: fast games are not shown move by move.
const MIN_BOARD_INTERVAL: Duration = Duration::from_millis(150);

/// Phase of a stored contest that is not running here.
pub fn phase_of(contest: &StoredContest) -> Phase {
    if contest.finished_at.is_some() { Phase::Finished } else { Phase::Stopped }
}

/// A contest that can be watched.
pub struct LiveContest {
    pub id: i64,
    name: String,
    game: String,
    form: TournamentFormat,
    planned: u64,
    pub job: BackgroundJob<ContestStatus>,
}

/// Status of a contest.
pub struct ContestStatus {
    standings: Standings,
    sprt: Option<SprtState>,
    champion: Option<usize>,
    no_new_games: bool,
    done: u64,
    /// Start of the current update window, and table updates in it.
    table_updates: (Instant, u32),
    /// Boards by game number.
    boards: BTreeMap<u64, WatchedBoard>,
}

struct WatchedBoard {
    players: [usize; 2],
    view: BoardView,
    last_cells: Vec<usize>,
    moves: usize,
    updated_at: Instant,
}

/// A contest.
#[derive(Serialize, ToSchema)]
pub struct ContestView {
    id: String,
    name: String,
    game: String,
    players: Vec<String>,
    form: &'static str,
    /// Games played.
    done: u64,
    planned: u64,
    /// Distinct games: only these count in table, ratings and SPRT.
    distinct: u64,
    /// Games identical to an earlier one, move for move.
    repeats: u64,
    state: Phase,
    error: Option<String>,
    /// Cross table: results of the row's player against the column's; null on the diagonal.
    table: Vec<Vec<Option<WdlView>>>,
    /// Columns beside the cross table.
    columns: Vec<ColumnView>,
    /// Ratings, best first.
    ratings: Vec<RatingRow>,
    sprt: Option<SprtView>,
    /// Elo difference of two players.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    elo: Option<EloView>,
    /// Winner of a knockout.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    champion: Option<String>,
    /// Games in progress.
    boards: Vec<ContestBoardView>,
}

#[derive(Serialize, ToSchema)]
pub struct WdlView {
    wins: u64,
    draws: u64,
    losses: u64,
}

/// A column with the text of every player, in the order of `players`.
#[derive(Serialize, ToSchema)]
pub struct ColumnView {
    heading: &'static str,
    values: Vec<String>,
}

/// Elo rating of a player; the average is 0. A player rated `d` points higher is expected to score
/// `1 / (1 + 10^(-d/400))`; with two players the ratings are ± half of `elo`.
#[derive(Serialize, ToSchema)]
pub struct RatingRow {
    player: String,
    elo: Option<f64>,
    /// Half-width of the 95 % confidence interval.
    error: Option<f64>,
    /// Bounds of the 95 % confidence interval; after wins only there is no upper one.
    low: Option<f64>,
    high: Option<f64>,
    /// Points per game, from 0 to 1.
    score: Option<f64>,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
}

#[derive(Serialize, ToSchema)]
pub struct SprtView {
    llr: f64,
    lower: f64,
    upper: f64,
    /// Such as `H1 accepted`; `undecided: no new games` if the players only repeated games.
    verdict: String,
}

#[derive(Serialize, ToSchema)]
pub struct EloView {
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

#[derive(Serialize, ToSchema)]
pub struct ContestBoardView {
    first: String,
    second: String,
    view: BoardDiagram,
    last_cells: Vec<usize>,
    moves: usize,
}

impl LiveContest {
    pub fn new(id: i64, setup: &ContestSpec, phase: Phase) -> LiveContest {
        let status = ContestStatus {
            standings: Standings::new(&setup.players),
            sprt: None,
            champion: None,
            no_new_games: false,
            done: 0,
            table_updates: (Instant::now(), 0),
            boards: BTreeMap::new(),
        };
        LiveContest {
            id,
            name: setup.name.clone(),
            game: setup.options.to_string(),
            form: setup.form,
            planned: setup.planned(),
            job: BackgroundJob::new(phase, status),
        }
    }

    pub fn done(&self) -> u64 {
        self.job.state().status.done
    }

    pub fn error(&self) -> Option<String> {
        self.job.state().error.clone()
    }

    /// Plays until all games are finished or the contest is stopped; gives the permit back before others see
    /// that it is no longer running.
    pub fn run(&self, setup: &ContestSpec, store: &Store, resources: ContestResources) {
        let mut on_progress = |progress: &ContestProgress<'_>| self.set_progress(progress);
        let mut callbacks =
            ContestCallbacks { observer: Some(self), ..ContestCallbacks::new(&mut on_progress) };
        let play = || contest::resume(setup, store, self.id, self.job.stop_flag(), &mut callbacks);
        let played = catch_unwind(AssertUnwindSafe(play));
        drop(resources);
        match played {
            Ok(Ok(result)) => self.set_result(&result),
            Ok(Err(error)) => self.fail(&error.to_string()),
            Err(_) => self.fail("internal error of a player"),
        }
    }

    fn set_progress(&self, progress: &ContestProgress<'_>) {
        let mut state = self.job.state();
        let status = &mut state.status;
        status.done = progress.done;
        if status.table_updates.0.elapsed() >= TABLE_UPDATE_WINDOW {
            status.table_updates = (Instant::now(), 0);
        }
        status.table_updates.1 += 1;
        if status.table_updates.1 > MAX_TABLE_UPDATES {
            return;
        }
        drop(state);
        self.job.change(|JobState { status, .. }| {
            status.standings.clone_from(progress.standings);
            status.sprt = progress.sprt;
        });
    }

    /// Sets the result of a contest that is no longer running.
    pub fn set_result(&self, result: &ContestResult) {
        self.job.change(|JobState { phase, status, .. }| {
            status.standings.clone_from(&result.standings);
            status.sprt = result.sprt;
            status.champion = result.champion;
            status.done = result.standings.played();
            status.no_new_games = result.no_new_games;
            status.boards.clear();
            *phase = if result.complete { Phase::Finished } else { Phase::Stopped };
        });
    }

    pub fn fail(&self, why: &str) {
        self.job.change(|JobState { phase, error, status }| {
            status.boards.clear();
            *error = Some(why.to_owned());
            *phase = Phase::Failed;
        });
    }

    /// The contest with its table and ratings.
    pub fn document(&self) -> ContestView {
        let state = self.job.state();
        let status = &state.status;
        let standings = status.standings.clone();
        let players = standings.players.clone();
        let board = |board: &WatchedBoard| ContestBoardView {
            first: players[board.players[0]].clone(),
            second: players[board.players[1]].clone(),
            view: board.view.clone().into(),
            last_cells: board.last_cells.clone(),
            moves: board.moves,
        };
        let (phase, error, done) = (state.phase, state.error.clone(), status.done);
        let (sprt, champion) = (status.sprt, status.champion);
        let no_new_games = status.no_new_games;
        let boards = status.boards.values().map(board).collect();
        drop(state); // released before the ratings are computed, which takes a while
        ContestView {
            id: self.id.to_string(),
            name: self.name.clone(),
            game: self.game.clone(),
            form: match self.form {
                TournamentFormat::RoundRobin => "round-robin",
                TournamentFormat::Gauntlet => "gauntlet",
                TournamentFormat::Knockout => "knockout",
            },
            done,
            planned: self.planned.max(done),
            distinct: standings.games(),
            repeats: standings.repeats(),
            state: phase,
            error,
            table: table(&standings),
            columns: columns(&standings),
            ratings: ratings(&standings),
            sprt: sprt.map(|sprt| SprtView::new(sprt, no_new_games)),
            elo: (players.len() == 2).then(|| EloView::from(standings.cells[0][1].sample().elo())),
            champion: champion.map(|champion| players[champion].clone()),
            players,
            boards,
        }
    }
}

impl GameObserver for LiveContest {
    fn on_position(&self, planned: &PlannedGame, board: &dyn Board) {
        let now = Instant::now();
        let state = self.job.state();
        let boards = &state.status.boards;
        match boards.get(&planned.index) {
            Some(board) if now < board.updated_at + MIN_BOARD_INTERVAL => return,
            None if boards.len() >= MAX_SHOWN_BOARDS => return,
            _ => {}
        }
        drop(state);
        let board = WatchedBoard {
            players: [planned.first, planned.second],
            view: board.view(),
            last_cells: board.last_move_cells(),
            moves: board.moves_played(),
            updated_at: now,
        };
        self.job.change(|state| drop(state.status.boards.insert(planned.index, board)));
    }

    fn on_end(&self, planned: &PlannedGame) {
        self.job.state().status.boards.remove(&planned.index);
    }
}

fn table(standings: &Standings) -> Vec<Vec<Option<WdlView>>> {
    let row = |(player, cells): (usize, &Vec<ludus_arena::table::HeadToHead>)| {
        let counts = |(other, cell): (usize, &ludus_arena::table::HeadToHead)| {
            let wdl = cell.wdl;
            let counts = WdlView { wins: wdl.wins, draws: wdl.draws, losses: wdl.losses };
            (player != other).then_some(counts)
        };
        cells.iter().enumerate().map(counts).collect()
    };
    standings.cells.iter().enumerate().map(row).collect()
}

fn columns(standings: &Standings) -> Vec<ColumnView> {
    let players: Vec<usize> = (0..standings.players.len()).collect();
    let view = |GridColumn { heading, values }| ColumnView { heading, values };
    grid_columns(standings, &players).into_iter().map(view).collect()
}

fn ratings(standings: &Standings) -> Vec<RatingRow> {
    let rated = report::ratings(standings);
    let order = match &rated {
        Some(ratings) => ratings.ranking(),
        None => (0..standings.players.len()).collect(),
    };
    let row = |player: usize| {
        let wdl = standings.total(player).wdl;
        let elo = rated.as_ref().map_or(Estimate::default(), |ratings| ratings.players[player].elo);
        RatingRow {
            player: standings.players[player].clone(),
            elo: elo.value,
            error: elo.error(),
            low: elo.low,
            high: elo.high,
            score: wdl.score(),
            games: wdl.games(),
            wins: wdl.wins,
            draws: wdl.draws,
            losses: wdl.losses,
        }
    };
    order.into_iter().map(row).collect()
}

impl SprtView {
    fn new(state: SprtState, no_new_games: bool) -> SprtView {
        let SprtState { llr, lower, upper, verdict } = state;
        let why = if no_new_games { ": no new games" } else { "" };
        SprtView { llr, lower, upper, verdict: format!("{verdict}{why}") }
    }
}

impl From<Estimate> for EloView {
    fn from(Estimate { value, low, high }: Estimate) -> EloView {
        EloView { value, low, high }
    }
}
