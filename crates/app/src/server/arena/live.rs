//! A contest as it stands, and the games that are being played.

use super::super::{
    view::View,
    watched::{Phase, State, Watched},
};
use ludus_arena::{
    contest::{self, Audience, Held, Progress, Setup},
    elo::Estimate,
    report,
    run::Observer,
    schedule::{Form, Planned},
    sprt::SprtState,
    store::{Store, StoredContest},
    table::Standings,
};
use ludus_core::BoardView;
use ludus_players::Session;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    time::{Duration, Instant},
};
use utoipa::ToSchema;

/// Boards shown at the same time.
const BOARDS: usize = 8;
/// So many tables in such a time and no more: copying one for every game of fast players would hold
/// them up.
const TABLES: u32 = 4;
const COUNT: Duration = Duration::from_millis(50);
/// From one look at a board to the next: games of fast players need not be seen move by move.
const GLANCE: Duration = Duration::from_millis(150);

/// What became of a contest that nobody plays.
pub fn phase_of(contest: &StoredContest) -> Phase {
    if contest.finished_at.is_some() { Phase::Finished } else { Phase::Stopped }
}

/// A contest that is watched.
pub struct Live {
    pub id: i64,
    name: String,
    game: String,
    form: Form,
    planned: u64,
    pub work: Watched<SoFar>,
}

/// How far a contest has come.
pub struct SoFar {
    standings: Standings,
    sprt: Option<SprtState>,
    champion: Option<usize>,
    no_new_games: bool,
    done: u64,
    /// Since when tables are counted, and how many there were.
    counted: (Instant, u32),
    /// By the number of the game.
    boards: BTreeMap<u64, Board>,
}

struct Board {
    players: [usize; 2],
    view: BoardView,
    last_cells: Vec<usize>,
    moves: usize,
    seen: Instant,
}

/// A contest for the page.
#[derive(Serialize, ToSchema)]
pub struct Document {
    id: String,
    name: String,
    game: String,
    players: Vec<String>,
    form: &'static str,
    /// Games played.
    done: u64,
    planned: u64,
    /// Games played that differ: all tables, ratings and tests count these.
    distinct: u64,
    /// Games played that repeated one of them move for move.
    repeats: u64,
    state: Phase,
    error: Option<String>,
    /// The games of each player against each other, as the first sees them; null on the diagonal.
    table: Vec<Vec<Option<Counts>>>,
    /// Best first.
    ratings: Vec<RatingRow>,
    sprt: Option<SprtView>,
    /// The difference of two players.
    #[serde(skip_serializing_if = "Option::is_none")]
    elo: Option<EloView>,
    /// The winner of a knockout.
    #[serde(skip_serializing_if = "Option::is_none")]
    champion: Option<String>,
    /// Games that are being played.
    boards: Vec<BoardDocument>,
}

#[derive(Serialize, ToSchema)]
pub struct Counts {
    wins: u64,
    draws: u64,
    losses: u64,
}

/// A player's rating; the average is 0. Players `d` apart are expected to score `1 / (1 +
/// 10^(-d/400))` against each other; those of two players are the halves of `elo`.
#[derive(Serialize, ToSchema)]
pub struct RatingRow {
    player: String,
    elo: Option<f64>,
    /// Half of the 95 % interval.
    error: Option<f64>,
    /// The ends of the 95 % interval; after nothing but wins there is only the lower one.
    low: Option<f64>,
    high: Option<f64>,
    /// Points a game, from 0 to 1.
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
pub struct BoardDocument {
    first: String,
    second: String,
    view: View,
    last_cells: Vec<usize>,
    moves: usize,
}

impl Live {
    pub fn new(id: i64, setup: &Setup, phase: Phase) -> Live {
        let so_far = SoFar {
            standings: Standings::new(&setup.players),
            sprt: None,
            champion: None,
            no_new_games: false,
            done: 0,
            counted: (Instant::now(), 0),
            boards: BTreeMap::new(),
        };
        Live {
            id,
            name: setup.name.clone(),
            game: setup.options.to_string(),
            form: setup.form,
            planned: setup.planned(),
            work: Watched::new(phase, so_far),
        }
    }

    pub fn done(&self) -> u64 {
        self.work.state().so_far.done
    }

    pub fn error(&self) -> Option<String> {
        self.work.state().error.clone()
    }

    /// Plays until all games are played or it is stopped.
    pub fn hold(&self, setup: &Setup, store: &Store) {
        let mut on_progress = |progress: &Progress<'_>| self.note(progress);
        let mut audience = Audience { on_progress: &mut on_progress, observer: Some(self) };
        let play = || contest::go_on(setup, store, self.id, self.work.stopping(), &mut audience);
        match catch_unwind(AssertUnwindSafe(play)) {
            Ok(Ok(held)) => self.show(&held),
            Ok(Err(error)) => self.fail(&error.to_string()),
            Err(_) => self.fail("a player broke down: this is a fault of the player"),
        }
    }

    fn note(&self, progress: &Progress<'_>) {
        let mut state = self.work.state();
        let so_far = &mut state.so_far;
        so_far.done = progress.done;
        if so_far.counted.0.elapsed() >= COUNT {
            so_far.counted = (Instant::now(), 0);
        }
        so_far.counted.1 += 1;
        if so_far.counted.1 > TABLES {
            return;
        }
        drop(state);
        self.work.change(|State { so_far, .. }| {
            so_far.standings.clone_from(progress.standings);
            so_far.sprt = progress.sprt;
        });
    }

    /// Shows what a contest has come to that nobody plays.
    pub fn show(&self, held: &Held) {
        self.work.change(|State { phase, so_far, .. }| {
            so_far.standings.clone_from(&held.standings);
            so_far.sprt = held.sprt;
            so_far.champion = held.champion;
            so_far.done = held.standings.played();
            so_far.no_new_games = held.no_new_games;
            so_far.boards.clear();
            *phase = if held.complete { Phase::Finished } else { Phase::Stopped };
        });
    }

    pub fn fail(&self, why: &str) {
        self.work.change(|State { phase, error, so_far }| {
            so_far.boards.clear();
            *error = Some(why.to_owned());
            *phase = Phase::Failed;
        });
    }

    /// All there is to see.
    pub fn document(&self) -> Document {
        let state = self.work.state();
        let so_far = &state.so_far;
        let standings = so_far.standings.clone();
        let players = standings.players.clone();
        let board = |board: &Board| BoardDocument {
            first: players[board.players[0]].clone(),
            second: players[board.players[1]].clone(),
            view: board.view.clone().into(),
            last_cells: board.last_cells.clone(),
            moves: board.moves,
        };
        let (phase, error, done) = (state.phase, state.error.clone(), so_far.done);
        let (sprt, champion) = (so_far.sprt, so_far.champion);
        let no_new_games = so_far.no_new_games;
        let boards = so_far.boards.values().map(board).collect();
        drop(state); // ratings take a while, and those who play must not wait for them
        Document {
            id: self.id.to_string(),
            name: self.name.clone(),
            game: self.game.clone(),
            form: match self.form {
                Form::RoundRobin => "round-robin",
                Form::Gauntlet => "gauntlet",
                Form::Knockout => "knockout",
            },
            done,
            planned: self.planned.max(done),
            distinct: standings.games(),
            repeats: standings.repeats(),
            state: phase,
            error,
            table: table(&standings),
            ratings: ratings(&standings),
            sprt: sprt.map(|sprt| SprtView::new(sprt, no_new_games)),
            elo: (players.len() == 2).then(|| EloView::from(standings.cells[0][1].sample().elo())),
            champion: champion.map(|champion| players[champion].clone()),
            players,
            boards,
        }
    }
}

impl Observer for Live {
    fn on_position(&self, planned: &Planned, session: &dyn Session) {
        let now = Instant::now();
        let state = self.work.state();
        let boards = &state.so_far.boards;
        match boards.get(&planned.index) {
            Some(board) if now < board.seen + GLANCE => return,
            None if boards.len() >= BOARDS => return,
            _ => {}
        }
        drop(state);
        let board = Board {
            players: [planned.first, planned.second],
            view: session.view(),
            last_cells: session.last_move_cells(),
            moves: session.moves_played(),
            seen: now,
        };
        self.work.change(|state| drop(state.so_far.boards.insert(planned.index, board)));
    }

    fn on_end(&self, planned: &Planned) {
        self.work.state().so_far.boards.remove(&planned.index);
    }
}

fn table(standings: &Standings) -> Vec<Vec<Option<Counts>>> {
    let row = |(player, cells): (usize, &Vec<ludus_arena::table::Cell>)| {
        let counts = |(other, cell): (usize, &ludus_arena::table::Cell)| {
            let tally = cell.tally;
            let counts = Counts { wins: tally.wins, draws: tally.draws, losses: tally.losses };
            (player != other).then_some(counts)
        };
        cells.iter().enumerate().map(counts).collect()
    };
    standings.cells.iter().enumerate().map(row).collect()
}

fn ratings(standings: &Standings) -> Vec<RatingRow> {
    let rated = report::ratings(standings);
    let order = match &rated {
        Some(ratings) => ratings.ranking(),
        None => (0..standings.players.len()).collect(),
    };
    let row = |player: usize| {
        let tally = standings.total(player).tally;
        let elo = rated.as_ref().map_or(Estimate::default(), |ratings| ratings.players[player].elo);
        RatingRow {
            player: standings.players[player].clone(),
            elo: elo.value,
            error: elo.error(),
            low: elo.low,
            high: elo.high,
            score: tally.score(),
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
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
