//! Whole contests: fair, the same on any number of threads, and resumed without losing a game.

use ludus_arena::{
    adjudicate::{Adjudication, ResignRule},
    contest::{
        ContestCallbacks, ContestProgress, ContestResult, ContestSpec, StartMode, load, register,
        resume, run,
    },
    openings::{self, Openings},
    parallel::GameObserver,
    report::{self, ShowTimes},
    schedule::{PlannedGame, TournamentFormat},
    sprt::SprtVerdict,
    store::Store,
};
use ludus_core::Limits;
use ludus_players::{Board, Resources, find_game};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

fn setup(game: &str, players: &[&str], games: u64) -> ContestSpec {
    let (game, options) = find_game(game).unwrap();
    ContestSpec {
        resources: Resources::default(),
        kind: "tournament",
        name: "test".to_owned(),
        openings: Openings::default_for(&options.to_string()),
        players: players.iter().map(ToString::to_string).collect(),
        form: TournamentFormat::RoundRobin,
        games,
        limits: Limits::default(),
        adjudication: Adjudication::default(),
        sprt: None,
        seed: 7,
        concurrency: 2,
        game,
        options,
    }
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn store(&self) -> Store {
        Store::open(&self.0.path().join("ludus.sqlite")).unwrap()
    }
}

fn held(setup: &ContestSpec, folder: &Folder, start: StartMode) -> ContestResult {
    run(setup, &folder.store(), start, &AtomicBool::new(false), &mut |_| {}).unwrap()
}

fn table(held: &ContestResult) -> String {
    report::text(held, ShowTimes::Hidden)
}

#[test]
fn the_table_is_the_same_on_any_number_of_threads() {
    let mut setup = setup("draughts", &["random", "greedy", "minimax:depth=2"], 20);
    let one = held(&ContestSpec { concurrency: 1, ..setup }, &Folder::new(), StartMode::New);
    setup = self::setup("draughts", &["random", "greedy", "minimax:depth=2"], 20);
    let many = held(&ContestSpec { concurrency: 4, ..setup }, &Folder::new(), StartMode::New);
    assert_eq!(table(&one), table(&many));
    assert_eq!(one.standings.games(), 60);
    assert!(one.complete);
}

#[test]
fn an_interrupted_contest_goes_on_and_ends_in_the_same_table() {
    let players = ["random", "greedy", "minimax:depth=4"];
    let undisturbed = held(&setup("connect4", &players, 40), &Folder::new(), StartMode::New);
    let folder = Folder::new();
    let setup = setup("connect4", &players, 40);
    let (mut stops, mut stored) = (0, 0);
    loop {
        let stop = AtomicBool::new(false);
        let part = run(&setup, &folder.store(), StartMode::Resume, &stop, &mut |progress| {
            if progress.done > stored + 5 {
                stop.store(true, Ordering::Relaxed);
            }
        })
        .unwrap();
        if part.complete {
            assert_eq!(table(&part), table(&undisturbed));
            break;
        }
        assert!(table(&part).contains("--resume"));
        stored = part.standings.played();
        stops += 1;
        assert!(stops < 50);
    }
    assert!(stops > 0, "it was never interrupted");
}

#[test]
fn a_new_run_leaves_the_old_one_alone() {
    let folder = Folder::new();
    let setup = setup("tictactoe", &["random", "greedy"], 10);
    let first = held(&setup, &folder, StartMode::New);
    let second = held(&setup, &folder, StartMode::New);
    assert_ne!(first.id, second.id);
    assert_eq!(table(&first), table(&second));
    let resumed = held(&setup, &folder, StartMode::Resume);
    assert_eq!(resumed.id, second.id);
}

#[test]
fn a_sequential_test_stops_when_it_knows() {
    let mut unequal = setup("tictactoe", &["minimax:depth=9", "random"], 2_000);
    unequal.sprt = Some("elo0=0,elo1=50".parse().unwrap());
    let result = held(&unequal, &Folder::new(), StartMode::New);
    assert_eq!(result.sprt.unwrap().verdict, SprtVerdict::AcceptH1);
    assert!(result.complete && result.standings.games() < 2_000);
    let mut equal = setup("tictactoe", &["random", "random:"], 4_000);
    equal.players[1] = "random".to_owned();
    equal.sprt = Some("elo0=0,elo1=60".parse().unwrap());
    let result = held(&equal, &Folder::new(), StartMode::New);
    assert_ne!(result.sprt.unwrap().verdict, SprtVerdict::AcceptH1);
}

#[test]
fn knockouts_have_a_champion() {
    let mut knockout = setup(
        "connect4",
        &["random", "greedy", "minimax:depth=1", "engine:nodes=20000,table=1MB", "minimax:depth=2"],
        4,
    );
    knockout.form = TournamentFormat::Knockout;
    let result = held(&knockout, &Folder::new(), StartMode::New);
    assert_eq!(result.champion, Some(3), "{}", table(&result));
}

#[test]
fn long_games_are_forced_draws_and_lost_ones_are_adjudicated() {
    let mut short = setup("chess", &["random", "greedy"], 10);
    short.adjudication.max_plies = Some(20);
    let result = held(&short, &Folder::new(), StartMode::New);
    let cell = result.standings.cells[0][1];
    assert!(cell.forced_draws > 0 && cell.forced_draws <= cell.wdl.draws, "{}", table(&result));
    let mut resigning = setup("chess", &["greedy", "minimax:depth=2"], 6);
    resigning.adjudication.resign = Some(ResignRule { score: 500, moves: 2 });
    let result = held(&resigning, &Folder::new(), StartMode::New);
    assert!(result.standings.cells[1][0].wdl.wins > 0, "{}", table(&result));
}

#[test]
fn a_knockout_stopped_after_its_ties_is_not_complete() {
    // Perfect players draw every game, so tie breaks exceed the planned games.
    let players = ["minimax:depth=9", "minimax:depth=8", "minimax:depth=7", "minimax:depth=6"];
    let mut setup = setup("tictactoe", &players, 1);
    setup.form = TournamentFormat::Knockout;
    let folder = Folder::new();
    let stop = AtomicBool::new(false);
    let part = run(&setup, &folder.store(), StartMode::New, &stop, &mut |progress| {
        stop.store(progress.done >= progress.planned, Ordering::Relaxed);
    })
    .unwrap();
    assert_eq!((part.champion, part.complete), (None, false));
    let whole = held(&setup, &folder, StartMode::Resume);
    assert_eq!((whole.champion, whole.complete), (Some(0), true));
}

#[test]
fn half_a_pair_decides_no_sequential_test() {
    let mut setup = setup("connect4", &["minimax:depth=3", "random"], 1001);
    setup.sprt = Some("elo0=0,elo1=30,alpha=0.05,beta=0.05".parse().unwrap());
    let mut last = None;
    run(&setup, &Folder::new().store(), StartMode::New, &AtomicBool::new(false), &mut |progress| {
        let llr = progress.sprt.expect("there is a test").llr;
        if progress.done % 2 == 1 {
            assert_eq!(llr, last.unwrap_or(0.0), "after game {}", progress.done);
        }
        last = Some(llr);
    })
    .unwrap();
}

#[test]
fn openings_of_another_board_are_refused() {
    let (game, options) = find_game("go").unwrap();
    let source = openings::Source::Records(ludus_formats::Format::Sgf, None);
    let small = "(;GM[1]SZ[9];B[ee];W[cc])".as_bytes();
    let error = openings::read(source, small, game, &options).unwrap_err().to_string();
    assert!(error.contains("go:size=9") && error.contains("opening 1"), "{error}");
    let (game, options) = find_game("go:size=9").unwrap();
    assert_eq!(openings::read(source, small, game, &options).unwrap()[0].moves, ["E5", "C7"]);
}

#[test]
fn positions_of_other_games_are_not_cut_like_epd() {
    let (game, options) = find_game("go:size=9").unwrap();
    let position = "9/9/2X6/9/9/9/6X2/9/9 w - 0 0/0";
    let read = openings::read(openings::Source::Positions, position.as_bytes(), game, &options);
    assert_eq!(read.unwrap()[0].position.as_deref(), Some(position));
}

/// Records the number of moves at every observed position, and the games that ended.
#[derive(Default)]
struct Notes {
    positions: Mutex<Vec<(u64, usize)>>,
    ended: Mutex<Vec<u64>>,
}

impl GameObserver for Notes {
    fn on_position(&self, planned: &PlannedGame, board: &dyn Board) {
        self.positions.lock().unwrap().push((planned.index, board.moves_played()));
    }

    fn on_end(&self, planned: &PlannedGame) {
        self.ended.lock().unwrap().push(planned.index);
    }
}

#[test]
fn who_looks_on_sees_every_move() {
    let setup = ContestSpec {
        openings: Openings::start_position(),
        ..setup("tictactoe", &["random", "greedy"], 4)
    };
    let folder = Folder::new();
    let store = folder.store();
    let notes = Notes::default();
    let id = register(&setup, &store, StartMode::New).unwrap();
    let mut audience =
        ContestCallbacks { on_progress: &mut |_| {}, observer: Some(&notes), on_wait: None };
    resume(&setup, &store, id, &AtomicBool::new(false), &mut audience).unwrap();
    let positions = notes.positions.into_inner().unwrap();
    let mut ended = notes.ended.into_inner().unwrap();
    ended.sort_unstable();
    assert_eq!(ended, [0, 1, 2, 3]);
    for game in store.contest_games(id) {
        let game = game.unwrap();
        let seen: Vec<usize> =
            positions.iter().filter(|(index, _)| *index == game.index).map(|at| at.1).collect();
        assert_eq!(seen, (0..=game.plies as usize).collect::<Vec<_>>(), "game {}", game.index);
    }
}

/// Blocks all games but the first until the contest is stopped, and plays slowly from then on, so that
/// it stops before it is over.
struct Dawdler<'a>(&'a AtomicBool);

impl GameObserver for Dawdler<'_> {
    fn on_position(&self, planned: &PlannedGame, _: &dyn Board) {
        while planned.index >= 20 && !self.0.load(Ordering::Relaxed) {
            thread::yield_now();
        }
        thread::sleep(Duration::from_millis(2));
    }

    fn on_end(&self, _: &PlannedGame) {}
}

#[test]
fn a_stored_contest_is_looked_at_and_gone_on_with() {
    let setup = setup("connect4", &["random", "greedy", "minimax:depth=2"], 100);
    let folder = Folder::new();
    let store = folder.store();
    let stop = AtomicBool::new(false);
    let id = register(&setup, &store, StartMode::New).unwrap();
    let mut raise =
        |progress: &ContestProgress<'_>| stop.store(progress.done >= 5, Ordering::Relaxed);
    let mut audience = ContestCallbacks {
        on_progress: &mut raise,
        observer: Some(&Dawdler(&stop)),
        on_wait: None,
    };
    let part = resume(&setup, &store, id, &stop, &mut audience).unwrap();
    assert!(!part.complete);
    let stored = store.contests(10).unwrap().pop().unwrap();
    assert_eq!((stored.id, stored.finished_at), (part.id, None));
    let again = ContestSpec::from_stored(&stored, Resources::default(), 2).unwrap();
    let seen = load(&again, &store, stored.id).unwrap();
    assert_eq!(seen.standings.games(), stored.games);
    assert_eq!(store.contest(stored.id).unwrap().unwrap().games, stored.games, "nothing played");
    let mut audience = ContestCallbacks { on_progress: &mut |_| {}, observer: None, on_wait: None };
    let whole = resume(&again, &store, stored.id, &AtomicBool::new(false), &mut audience).unwrap();
    let fresh = held(&setup, &Folder::new(), StartMode::New);
    assert_eq!(table(&whole), table(&fresh));
    assert!(store.contest(stored.id).unwrap().unwrap().finished_at.is_some());
    assert_eq!(store.contest(999).unwrap(), None);
}
