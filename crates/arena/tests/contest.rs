//! Whole contests: fair, the same on any number of threads, and resumed without losing a game.

use ludus_arena::{
    adjudicate::{Adjudication, ResignRule},
    contest::{Held, Setup, Start, hold},
    openings,
    report::{self, Times},
    schedule::Form,
    sprt::Verdict,
    store::Store,
};
use ludus_core::Limits;
use ludus_players::find_game;
use std::sync::atomic::{AtomicBool, Ordering};

fn setup(game: &str, players: &[&str], games: u64) -> Setup {
    let (game, options) = find_game(game).unwrap();
    Setup {
        kind: "tournament",
        name: "test".to_owned(),
        openings: openings::suite(&options.to_string()).unwrap_or_default(),
        players: players.iter().map(ToString::to_string).collect(),
        form: Form::RoundRobin,
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

fn held(setup: &Setup, folder: &Folder, start: Start) -> Held {
    hold(setup, &folder.store(), start, &AtomicBool::new(false), &mut |_| {}).unwrap()
}

fn table(held: &Held) -> String {
    report::text(held, Times::Hidden)
}

#[test]
fn the_table_is_the_same_on_any_number_of_threads() {
    let mut setup = setup("draughts", &["random", "greedy", "minimax:depth=2"], 20);
    let one = held(&Setup { concurrency: 1, ..setup }, &Folder::new(), Start::Anew);
    setup = self::setup("draughts", &["random", "greedy", "minimax:depth=2"], 20);
    let many = held(&Setup { concurrency: 4, ..setup }, &Folder::new(), Start::Anew);
    assert_eq!(table(&one), table(&many));
    assert_eq!(one.standings.games(), 60);
    assert!(one.complete);
}

#[test]
fn an_interrupted_contest_goes_on_and_ends_in_the_same_table() {
    let players = ["random", "greedy", "minimax:depth=1"];
    let undisturbed = held(&setup("connect4", &players, 700), &Folder::new(), Start::Anew);
    let folder = Folder::new();
    let setup = setup("connect4", &players, 700);
    // Many more games than may wait for the store, or the last would be played before the first
    // counts.
    let mut stops = 0;
    loop {
        let stop = AtomicBool::new(false);
        let mut seen = 0;
        let part = hold(&setup, &folder.store(), Start::Resume, &stop, &mut |progress| {
            seen += 1;
            if seen > 100 && progress.done % 17 == 0 {
                stop.store(true, Ordering::Relaxed);
            }
        })
        .unwrap();
        if part.complete {
            assert_eq!(table(&part), table(&undisturbed));
            break;
        }
        assert!(table(&part).contains("--resume"));
        stops += 1;
        assert!(stops < 50);
    }
    assert!(stops > 0, "it was never interrupted");
}

#[test]
fn a_new_run_leaves_the_old_one_alone() {
    let folder = Folder::new();
    let setup = setup("tictactoe", &["random", "greedy"], 10);
    let first = held(&setup, &folder, Start::Anew);
    let second = held(&setup, &folder, Start::Anew);
    assert_ne!(first.id, second.id);
    assert_eq!(table(&first), table(&second));
    let resumed = held(&setup, &folder, Start::Resume);
    assert_eq!(resumed.id, second.id);
}

#[test]
fn a_sequential_test_stops_when_it_knows() {
    let mut unequal = setup("tictactoe", &["minimax:depth=9", "random"], 2_000);
    unequal.sprt = Some("elo0=0,elo1=50".parse().unwrap());
    let result = held(&unequal, &Folder::new(), Start::Anew);
    assert_eq!(result.sprt.unwrap().verdict, Verdict::AcceptH1);
    assert!(result.complete && result.standings.games() < 2_000);
    let mut equal = setup("tictactoe", &["random", "random:"], 4_000);
    equal.players[1] = "random".to_owned();
    equal.sprt = Some("elo0=0,elo1=60".parse().unwrap());
    let result = held(&equal, &Folder::new(), Start::Anew);
    assert_ne!(result.sprt.unwrap().verdict, Verdict::AcceptH1);
}

#[test]
fn knockouts_have_a_champion() {
    let mut knockout = setup(
        "connect4",
        &["random", "greedy", "minimax:depth=1", "minimax:depth=4", "minimax:depth=2"],
        4,
    );
    knockout.form = Form::Knockout;
    let result = held(&knockout, &Folder::new(), Start::Anew);
    assert_eq!(result.champion, Some(3), "{}", table(&result));
}

#[test]
fn long_games_are_forced_draws_and_lost_ones_are_adjudicated() {
    let mut short = setup("chess", &["random", "greedy"], 10);
    short.adjudication.max_plies = Some(20);
    let result = held(&short, &Folder::new(), Start::Anew);
    let cell = result.standings.cells[0][1];
    assert!(cell.forced_draws > 0 && cell.forced_draws <= cell.tally.draws, "{}", table(&result));
    let mut resigning = setup("chess", &["greedy", "minimax:depth=2"], 6);
    resigning.adjudication.resign = Some(ResignRule { score: 500, moves: 2 });
    let result = held(&resigning, &Folder::new(), Start::Anew);
    assert!(result.standings.cells[1][0].tally.wins > 0, "{}", table(&result));
}
