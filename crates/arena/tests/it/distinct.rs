//! Distinct games: openings depend on the seed and do not run out, and repeated games are counted once.

use ludus_arena::{
    adjudicate::Adjudication,
    contest::{
        ContestResult, ContestSpec, StartMode, load, register, result_of_games, resume, run,
    },
    game::{Category, Opening},
    openings::{OpeningBook, Openings, WhenExhausted},
    repeats::GameKey,
    report::{self, ShowTimes},
    schedule::{TournamentFormat, pairing},
    sprt::SprtVerdict,
    store::{Store, StoredGame},
};
use ludus_core::{EndReason, Limits, Outcome, position::mix};
use ludus_players::{Resources, find_game};
use std::{collections::HashSet, sync::atomic::AtomicBool};

fn setup(game: &str, players: [&str; 2], games: u64) -> ContestSpec {
    let (game, options) = find_game(game).unwrap();
    ContestSpec {
        resources: Resources::default(),
        kind: "match",
        name: "test".to_owned(),
        openings: Openings::default_for(&options.to_string()),
        players: players.iter().map(ToString::to_string).collect(),
        form: TournamentFormat::RoundRobin,
        games,
        limits: Limits::default(),
        adjudication: Adjudication::default(),
        sprt: None,
        seed: 1,
        concurrency: 2,
        game,
        options,
    }
}

/// Two deterministic players.
const REPEATERS: [&str; 2] = ["minimax:depth=3", "minimax:depth=2"];

/// The same game again and again, with each colour.
fn repetitive(games: u64) -> ContestSpec {
    ContestSpec { openings: Openings::start_position(), ..setup("tictactoe", REPEATERS, games) }
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

fn openings(game: &str, source: &Openings, seed: u64, count: usize) -> Vec<Opening> {
    let (game, options) = find_game(game).unwrap();
    let book = OpeningBook::new(game, &options, source, seed);
    (0..count).map(|number| book.opening(number).unwrap()).collect()
}

/// The positions openings lead to.
fn positions(game: &str, openings: &[Opening]) -> HashSet<String> {
    let (game, options) = find_game(game).unwrap();
    let position = |opening: &Opening| {
        let mut board = game.open(&options, opening.position.as_deref()).unwrap();
        for mv in &opening.moves {
            board.play(mv).unwrap();
        }
        assert!(board.ending().is_none());
        board.position()
    };
    openings.iter().map(position).collect()
}

#[test]
fn two_thousand_openings_from_174_ballots_are_distinct() {
    let source = Openings::suite("draughts").unwrap();
    let planned = openings("draughts", &source, 1, 2_000);
    assert_eq!(positions("draughts", &planned).len(), 2_000);
    // One half of the suite comes first.
    let first = positions("draughts", &planned[..87]);
    assert!(first.is_subset(&positions("draughts", &source.first)));
}

#[test]
fn a_match_as_long_as_the_suite_is_another_one_with_another_seed() {
    for game in ["connect4", "draughts"] {
        let source = Openings::suite(game).unwrap();
        let played = |seed| {
            let count = source.first.len();
            positions(game, &openings(game, &source, seed, count))
        };
        let (one, two) = (played(1), played(2));
        let shared = one.intersection(&two).count();
        assert!(shared < one.len() / 2, "{game}: {shared} of {}", one.len());
    }
}

#[test]
fn the_seed_decides_openings_and_nothing_else_does() {
    for game in ["chess", "reversi", "connect4", "draughts:rules=russian", "tictactoe"] {
        let source = Openings::default_for(game);
        let count = source.first.len() + 20;
        let one = openings(game, &source, 1, count);
        assert_eq!(one, openings(game, &source, 1, count), "{game}");
        let two = openings(game, &source, 2, count);
        assert_ne!(one[source.first.len()..], two[source.first.len()..], "{game}");
        if source.first.len() > 1 {
            assert_ne!(one[..20], two[..20], "{game}");
        }
        // In any order of requests.
        let (found, options) = find_game(game).unwrap();
        let book = OpeningBook::new(found, &options, &source, 1);
        assert_eq!(book.opening(count - 1).unwrap(), one[count - 1]);
        assert_eq!(book.opening(0).unwrap(), one[0]);
    }
}

#[test]
fn a_file_goes_on_with_longer_openings_of_its_own() {
    let moves = |text: &str| Opening {
        position: None,
        moves: text.split_whitespace().map(str::to_owned).collect(),
    };
    let ending =
        Opening { position: Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned()), moves: Vec::new() };
    // The third transposes to the first, so it is no other opening.
    let file = vec![moves("d2d4 a7a6 c2c4"), ending.clone(), moves("c2c4 a7a6 d2d4")];
    let made = openings("chess", &Openings::from_file(file), 3, 40);
    assert_eq!(positions("chess", &made).len(), 40);
    for opening in &made {
        let from_c4 = opening.position.is_none() && opening.moves.contains(&"c2c4".to_owned());
        assert!(from_c4 || opening.position == ending.position, "{opening:?}");
    }
}

#[test]
fn a_small_game_begins_again_when_it_has_no_more_openings() {
    let source = Openings::default_for("split-nim:coins=3");
    let made = openings("split-nim:coins=3", &source, 1, 100);
    let distinct = positions("split-nim:coins=3", &made).len();
    assert!(distinct < 100);
    assert_eq!(made[distinct], made[0]);
}

#[test]
fn those_who_want_the_usual_position_get_nothing_else() {
    for source in [Openings::start_position(), Openings::default_for("go:size=9")] {
        let made = openings("go:size=9", &source, 5, 10);
        assert!(made.iter().all(|opening| *opening == Opening::default()));
    }
}

#[test]
fn openings_of_earlier_versions_keep_their_order() {
    let list = r#"[{"moves":["9-13"]},{"moves":["9-14"]}]"#;
    let stored: Openings = serde_json::from_str(list).unwrap();
    assert_eq!(stored.then, WhenExhausted::Repeat);
    let moves: Vec<String> =
        openings("draughts", &stored, 9, 3).iter().map(|opening| opening.moves.join(" ")).collect();
    assert_eq!(moves, ["9-13", "9-14", "9-13"]);
    let source = Openings::suite("draughts").unwrap();
    let text = serde_json::to_string(&source).unwrap();
    assert_eq!(serde_json::from_str::<Openings>(&text).unwrap(), source);
}

/// Moves of all games, by number.
fn games(folder: &Folder, id: i64) -> Vec<String> {
    folder.store().contest_games(id).map(|game| game.unwrap().moves).collect()
}

#[test]
fn another_seed_is_another_match() {
    let players = ["alphabeta:depth=2", "alphabeta:depth=1"];
    let played = |seed: u64, concurrency: usize| {
        let folder = Folder::new();
        let setup = ContestSpec { seed, concurrency, ..setup("draughts", players, 40) };
        let held = held(&setup, &folder, StartMode::New);
        assert_eq!((held.standings.games(), held.standings.repeats()), (40, 0));
        games(&folder, held.id)
    };
    let one = played(1, 1);
    assert_eq!(one, played(1, 4));
    assert_ne!(one, played(2, 4));
}

fn table(held: &ContestResult) -> String {
    let json = report::match_json("tictactoe", held, ShowTimes::Hidden);
    report::text(held, ShowTimes::Hidden) + &json.to_string()
}

#[test]
fn repeated_games_count_once() {
    let folder = Folder::new();
    let once = held(&repetitive(10), &folder, StartMode::New);
    assert_eq!((once.standings.games(), once.standings.repeats()), (2, 8));
    assert_eq!(once.standings.cells[0][1].pairs.pairs(), 1);
    assert!(once.complete);
    assert_eq!(games(&folder, once.id).len(), 2, "a repeated game is not stored");
    let repeats = folder.store().repeats(once.id).unwrap();
    assert_eq!(repeats, [(2, 0), (3, 1), (4, 0), (5, 1), (6, 0), (7, 1), (8, 0), (9, 1)]);
    assert_eq!(folder.store().contest(once.id).unwrap().unwrap().games, 10);

    let text = report::text(&once, ShowTimes::Hidden);
    assert!(text.contains("10 games, 2 distinct"), "{text}");
    let json = report::match_json("tictactoe", &once, ShowTimes::Hidden);
    assert_eq!(
        (&json["games"], &json["distinct"], &json["repeats"]),
        (&2.into(), &2.into(), &8.into())
    );

    // The same with other threads, and when loaded later.
    let many = ContestSpec { concurrency: 4, ..repetitive(10) };
    let others = held(&many, &folder, StartMode::New);
    let on_the_ladder = folder.store().pair_results("tictactoe").unwrap();
    let on_the_ladder: u64 = on_the_ladder.iter().map(|r| r.wins + r.draws + r.losses).sum();
    assert_eq!(on_the_ladder, 2, "a game of two contests counts once");
    let renumbered = |held: ContestResult| ContestResult { id: 1, ..held };
    let once = renumbered(once);
    assert_eq!(table(&once), table(&renumbered(others)));
    assert_eq!(table(&once), table(&load(&many, &folder.store(), 1).unwrap()));
    let resumed =
        held(&ContestSpec { concurrency: 1, ..repetitive(10) }, &folder, StartMode::Resume);
    assert_eq!(table(&once), table(&renumbered(resumed)));
}

#[test]
fn a_program_killed_before_it_noted_repeats_finds_them_again() {
    let whole = Folder::new();
    let undisturbed = held(&repetitive(12), &whole, StartMode::New);
    let played: Vec<StoredGame> =
        whole.store().contest_games(undisturbed.id).map(Result::unwrap).collect();
    // Killed with games 0 to 4, 6 and 9 on the disk, of which only number 3 was noted.
    let folder = Folder::new();
    let setup = repetitive(12);
    let id = register(&setup, &folder.store(), StartMode::New).unwrap();
    for index in [0, 1, 2, 4, 6, 9] {
        let game = &played[index % 2];
        folder.store().add(id, StoredGame { index: index as u64, ..game.clone() }).unwrap();
    }
    folder.store().mark_repeat(id, 3, 1).unwrap().wait().unwrap();
    let looked_at = load(&setup, &folder.store(), id).unwrap();
    assert_eq!((looked_at.standings.games(), looked_at.standings.repeats()), (2, 5));
    let mut audience = ludus_arena::contest::ContestCallbacks {
        on_progress: &mut |_| {},
        observer: None,
        on_wait: None,
    };
    let resumed =
        resume(&setup, &folder.store(), id, &AtomicBool::new(false), &mut audience).unwrap();
    assert_eq!(table(&resumed), table(&ContestResult { id, ..undisturbed }));
    assert_eq!(folder.store().repeats(id).unwrap().len(), 10);
    assert_eq!(games(&folder, id).len(), 2);
}

#[test]
fn a_sequential_test_ends_when_nothing_new_comes() {
    let mut setup = repetitive(100_000);
    setup.sprt = Some("elo0=0,elo1=10".parse().unwrap());
    let held = held(&setup, &Folder::new(), StartMode::New);
    assert_eq!(held.sprt.unwrap().verdict, SprtVerdict::Undecided);
    assert!(held.complete && held.no_new_games);
    assert!(held.standings.played() < 1_000, "{}", held.standings.played());
    assert!(report::text(&held, ShowTimes::Hidden).contains("no new games"));
    assert_eq!(report::match_json("tictactoe", &held, ShowTimes::Hidden)["no_new_games"], true);
}

fn game(index: u64, moves: &str, result: &str) -> StoredGame {
    StoredGame {
        index,
        first: "a".to_owned(),
        second: "b".to_owned(),
        opening: None,
        moves: moves.to_owned(),
        result: Outcome::from_id(result).unwrap(),
        reason: EndReason::NoPieces,
        category: None,
        detail: None,
        plies: 1,
        stats: Default::default(),
        record: String::new(),
        finished_at: 0,
    }
}

#[test]
fn an_incident_is_no_repeat() {
    let key =
        |category| GameKey::of(&StoredGame { category: Some(category), ..game(0, "x", "draw") });
    assert_eq!((key(Category::Forfeit), key(Category::Time)), (None, None));
    assert_eq!(key(Category::Forced), GameKey::of(&game(7, "x", "draw")));
    let other = |moves: &str, result: &str| GameKey::of(&game(0, moves, result));
    assert_ne!(other("x", "draw"), other("x", "first"));
    assert_ne!(other("x", "draw"), other("y", "draw"));
    let opening =
        |opening: &str| StoredGame { opening: Some(opening.to_owned()), ..game(0, "x y", "draw") };
    assert_ne!(GameKey::of(&opening("position")), other("x y", "draw"));
    assert_eq!(GameKey::of(&opening("x")), other("x y", "draw"));
}

/// Matches of two players of equal strength whose games depend only on players, opening and colours, so
/// that a repeated opening carries no new evidence.
#[test]
fn the_interval_of_a_match_holds_the_truth_however_often_games_repeat() {
    const MATCHES: u64 = 200;
    for openings in [174, 1_000_000] {
        let covering = (0..MATCHES).filter(|&number| {
            let setup = setup("draughts", ["random", "greedy"], 2_000);
            let games = pairing((0, 1), 0, setup.games).map(|planned| {
                let opening = planned.opening % openings;
                let parts = [number, opening as u64, planned.first as u64];
                let hash = parts.iter().fold(7, |hash, &part| mix(hash ^ mix(part)));
                let result = ["first", "second", "draw"][(hash >> 32) as usize % 3];
                game(planned.index, &format!("{opening}"), result)
            });
            let held = result_of_games(&setup, games).unwrap();
            let most = 2 * openings.min(1_000) as u64;
            assert_eq!((held.standings.games(), held.standings.played()), (most, 2_000));
            let elo = held.standings.cells[0][1].sample().elo();
            elo.low.unwrap() <= 0.0 && 0.0 <= elo.high.unwrap()
        });
        let covering = covering.count();
        assert!((182..=200).contains(&covering), "{covering} of {MATCHES}, {openings} openings");
    }
}
