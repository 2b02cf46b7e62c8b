//! The store: writing, queries, errors.

use crate::{
    old_stores::rows,
    store_samples::{contest, game},
};
use ludus_arena::store::{
    ContestFilter, DocumentChange, GameFilter, GameOrder, PairResults, PendingWrite, PlayerId,
    Store, StoreError, StoredDocument, StoredRating,
};
use std::{
    fs,
    path::{Path, PathBuf},
    thread,
};
use tempfile::TempDir;

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("made/anew/ludus.sqlite");
    (folder, path)
}

#[test]
fn a_contest_is_found_again_with_its_games_in_order() {
    let (_folder, path) = folder();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.find("spring"), Ok(None));
    let begun = store.begin(&contest("spring")).unwrap();
    assert!(begun.games.is_empty() && !begun.finished);
    for index in [3, 0, 700, 2] {
        store.add(begun.id, game(index)).unwrap();
    }
    let other = store.begin(&contest("autumn")).unwrap();
    store.add(other.id, game(0)).unwrap();
    store.finish(begun.id).unwrap();
    drop(store);

    let store = Store::open(&path).unwrap();
    let found = store.find("spring").unwrap().unwrap();
    assert_eq!(found.games, [0, 2, 3, 700].map(game));
    assert!(found.finished);
    assert_eq!(store.begin(&contest("spring")).unwrap(), found);
    store.restart(begun.id).unwrap();
    let restarted = store.find("spring").unwrap().unwrap();
    assert!(restarted.games.is_empty() && !restarted.finished);
    assert_eq!(store.find("autumn").unwrap().unwrap().games, [game(0)]);
    store.check_integrity().unwrap();
}

#[test]
fn a_game_is_never_doubled_and_a_bad_one_spoils_no_other() {
    let (_folder, path) = folder();
    let store = Store::open(&path).unwrap();
    let id = store.begin(&contest("cup")).unwrap().id;
    store.add(id, game(1)).unwrap();
    // All of these are likely to be in one transaction.
    let sent: Vec<_> = [(id, 2), (id, 1), (id + 7, 4), (id, 3), (id, 3)]
        .map(|(contest, index)| store.submit(contest, game(index)).unwrap())
        .into_iter()
        .map(PendingWrite::wait)
        .collect();
    let doubled = |index| Err(StoreError::DuplicateGame { contest: id, index });
    let missing = Err(StoreError::NoContest(id + 7));
    assert_eq!(sent, [Ok(()), doubled(1), missing, Ok(()), doubled(3)]);
    assert_eq!(store.find("cup").unwrap().unwrap().games, [1, 2, 3].map(game));

    assert!(matches!(store.add(id, game(u64::MAX)), Err(StoreError::Invalid(_))));
    let mut odd = contest("league");
    odd.kind = "war".to_owned();
    assert!(matches!(store.begin(&odd), Err(StoreError::Invalid(_))));
    assert_eq!(store.finish(99), Err(StoreError::NoContest(99)));
    assert_eq!(store.restart(99), Err(StoreError::NoContest(99)));
}

/// Fractions of milliseconds come back to the last bit.
#[test]
fn times_are_read_as_they_were_stored() {
    let (_folder, path) = folder();
    let store = Store::open(&path).unwrap();
    let id = store.begin(&contest("cup")).unwrap().id;
    let mut random = ludus_core::Random::new(1);
    let timed = |index| {
        let mut timed = game(index);
        timed.stats[0].milliseconds = 1000.0 * random.unit();
        timed.stats[1].milliseconds = 1e6 * random.unit();
        timed
    };
    let games: Vec<_> = (0..400).map(timed).collect();
    for game in &games {
        store.submit(id, game.clone()).unwrap().wait().unwrap();
    }
    assert_eq!(store.find("cup").unwrap().unwrap().games, games);
}

#[test]
fn many_threads_add_at_once() {
    let (_folder, path) = folder();
    let store = Store::open(&path).unwrap();
    let id = store.begin(&contest("cup")).unwrap().id;
    thread::scope(|scope| {
        for first in 0..4 {
            let store = store.clone();
            scope.spawn(move || {
                for index in (first..200).step_by(4) {
                    store.add(id, game(index)).unwrap();
                }
            });
        }
    });
    let games: Vec<_> = store.contest_games(id).map(Result::unwrap).collect();
    assert_eq!(games, (0..200).map(game).collect::<Vec<_>>());
}

#[test]
fn games_handed_in_are_stored_before_the_file_closes() {
    let (_folder, path) = folder();
    let store = Store::open(&path).unwrap();
    let id = store.begin(&contest("cup")).unwrap().id;
    for index in 0..50 {
        drop(store.submit(id, game(index)).unwrap());
    }
    drop(store);
    assert_eq!(Store::open(&path).unwrap().contest_games(id).count(), 50);
    assert!(!path.with_extension("sqlite-wal").exists(), "the log is folded into the file");
}

#[test]
fn several_programs_share_a_file() {
    let (_folder, path) = folder();
    thread::scope(|scope| {
        for number in 0..4_u64 {
            let path = &path;
            scope.spawn(move || {
                let store = Store::open(path).unwrap();
                let id = store.begin(&contest("cup")).unwrap().id;
                for index in 0..25 {
                    store.add(id, game(number * 25 + index)).unwrap();
                }
            });
        }
    });
    assert_eq!(Store::open(&path).unwrap().find("cup").unwrap().unwrap().games.len(), 100);
}

#[test]
fn filters_find_games() {
    let (_folder, path) = folder();
    let store = Store::open(&path).unwrap();
    let id = store.begin(&contest("spring")).unwrap().id;
    for index in 0..600 {
        drop(store.submit(id, game(index)).unwrap());
    }
    let mut go = contest("autumn");
    go.game = "go:size=9".to_owned();
    let go_id = store.begin(&go).unwrap().id;
    let mut strange = game(0);
    (strange.first, strange.record) = ("gnu_go".to_owned(), "(;GM[1]KM[6_5%])".to_owned());
    store.add(go_id, strange).unwrap();

    let count = |filter: GameFilter| store.games(&filter).map(Result::unwrap).count();
    let all = GameFilter::default;
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(count(all()), 601);
    assert_eq!(count(GameFilter { game: text("go"), ..all() }), 1);
    assert_eq!(count(GameFilter { game: text("go:size=9"), ..all() }), 1);
    assert_eq!(count(GameFilter { game: text("go:size=19"), ..all() }), 0);
    assert_eq!(count(GameFilter { game: text("go:"), ..all() }), 0);
    assert_eq!(count(GameFilter { game: text("tictactoe:"), ..all() }), 600);
    assert_eq!(count(GameFilter { game: text("%"), ..all() }), 0);
    assert_eq!(count(GameFilter { player: text("minimax"), ..all() }), 601);
    assert_eq!(count(GameFilter { player: text("minimax:depth=3"), ..all() }), 601);
    assert_eq!(count(GameFilter { player: text("minimax:depth=2"), ..all() }), 0);
    assert_eq!(count(GameFilter { player: text("gnu_go"), ..all() }), 1);
    assert_eq!(count(GameFilter { result: text("draw"), ..all() }), 200);
    assert_eq!(count(GameFilter { contest: Some(ContestFilter::Id(id)), ..all() }), 600);
    let named = ContestFilter::Name("the autumn cup".to_owned());
    assert_eq!(count(GameFilter { contest: Some(named), ..all() }), 1);
    assert_eq!(count(GameFilter { text: text("GAME 59"), ..all() }), 11);
    assert_eq!(count(GameFilter { text: text("6_5%"), ..all() }), 1);
    assert_eq!(count(GameFilter { text: text("'; DROP TABLE games"), ..all() }), 0);
    let both = GameFilter { result: text("first"), player: text("gnu_go"), ..all() };
    assert_eq!(count(both), 1);

    let indices = |filter: GameFilter| -> Vec<u64> {
        store.games(&filter).map(|row| row.unwrap().played.index).collect()
    };
    let spring = || Some(ContestFilter::Id(id));
    let newest = GameFilter { contest: spring(), limit: Some(3), offset: 2, ..all() };
    assert_eq!(indices(newest), [597, 596, 595]);
    let oldest = GameFilter { contest: spring(), order: GameOrder::Oldest, ..all() };
    assert_eq!(indices(oldest), (0..600).collect::<Vec<_>>());
    assert_eq!(indices(GameFilter { limit: Some(0), ..all() }), [0; 0]);
    assert_eq!(indices(GameFilter { offset: u64::MAX, ..all() }), [0; 0]);

    let row = store.games(&all()).next().unwrap().unwrap();
    assert_eq!((row.game.as_str(), row.contest_name.as_str()), ("go:size=9", "the autumn cup"));
    assert_eq!(store.game(row.id).unwrap(), Some(row));
    assert_eq!(store.game(-1), Ok(None));
}

#[test]
fn ratings_are_replaced_game_by_game() {
    let (_folder, path) = folder();
    let store = Store::open(&path).unwrap();
    let rating = |game: &str, spec: &str, rating| StoredRating {
        game: game.to_owned(),
        player: PlayerId { spec: spec.to_owned(), build: "1.0".to_owned() },
        rating,
        error: 12.5,
        games: 40,
        score: 0.75,
        computed_at: 1_800_000_000,
    };
    store.save_ratings("go:size=9", &[rating("go:size=9", "random", -100.0)]).unwrap();
    let first = [rating("chess", "random", 0.0), rating("chess", "greedy", 50.0)];
    store.save_ratings("chess", &first).unwrap();
    let second = [rating("chess", "random", -10.0), rating("chess", "uci:path=x", 2000.0)];
    store.save_ratings("chess", &second).unwrap();
    let [low, high] = second;
    assert_eq!(store.ratings(Some("chess")).unwrap(), [high.clone(), low.clone()]);
    let nine = rating("go:size=9", "random", -100.0);
    assert_eq!(store.ratings(None).unwrap(), [high, low, nine.clone()]);
    assert_eq!(store.ratings(Some("go")).unwrap(), [nine]);
    assert_eq!(store.ratings(Some("reversi")).unwrap(), []);
    let nonsense = rating("chess", "random", f64::NAN);
    assert!(matches!(store.save_ratings("chess", &[nonsense]), Err(StoreError::Invalid(_))));
}

#[test]
fn results_are_counted_by_player_and_build() {
    let (_folder, path) = folder();
    let store = Store::open(&path).unwrap();
    for (fingerprint, build, games) in [("old", "1.0", 7), ("new", "2.0", 1)] {
        let mut contest = contest(fingerprint);
        contest.build = build.to_owned();
        let id = store.begin(&contest).unwrap().id;
        (0..games).for_each(|index| store.add(id, game(index)).unwrap());
    }
    let pair = |build: &str, [wins, draws, losses]: [u64; 3]| {
        let player = |spec: &str| PlayerId { spec: spec.to_owned(), build: build.to_owned() };
        PairResults {
            first: player("random"),
            second: player("minimax:depth=3"),
            wins,
            draws,
            losses,
        }
    };
    let counted = store.pair_results("tictactoe").unwrap();
    assert_eq!(counted, [pair("1.0", [3, 2, 2]), pair("2.0", [1, 0, 0])]);
    assert_eq!(store.pair_results("go").unwrap(), []);
}

/// A closed file with 300 games.
fn filled(path: &Path) {
    let store = Store::open(path).unwrap();
    let id = store.begin(&contest("cup")).unwrap().id;
    for index in 0..300 {
        drop(store.submit(id, game(index)).unwrap());
    }
}

#[test]
fn files_that_are_not_ours_are_refused_and_left_alone() {
    let (folder, _) = folder();
    let path = folder.path().join("ludus.sqlite");
    let refused = |content: &[u8]| {
        fs::write(&path, content).unwrap();
        let error = Store::open(&path).map(drop).unwrap_err();
        assert!(error.is_file_error() && !error.to_string().contains('\n'), "{error}");
        assert_eq!(fs::read(&path).unwrap(), content, "untouched");
        error
    };
    assert_eq!(refused(b"not a database at all"), StoreError::Foreign(path.clone()));
    assert_eq!(refused(&[7; 8192]), StoreError::Foreign(path.clone()));

    let ours = folder.path().join("ours.sqlite");
    filled(&ours);
    let whole = fs::read(&ours).unwrap();
    let mut foreign = whole.clone();
    foreign[68..72].copy_from_slice(&1_u32.to_be_bytes()); // the application id in the header
    assert_eq!(refused(&foreign), StoreError::Foreign(path.clone()));
    let mut smashed = whole.clone();
    smashed[100..4096].fill(0xA5); // the page that lists the tables
    assert!(matches!(refused(&smashed), StoreError::Damaged { .. }));

    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(matches!(Store::open(&path), Err(StoreError::Open { .. })));
    let below = path.join("x").join("y.sqlite");
    fs::write(path.join("x"), "").unwrap();
    assert!(matches!(Store::open(&below), Err(StoreError::Open { .. })));
    fs::write(&ours, "").unwrap();
    assert!(Store::open(&ours).is_ok(), "an empty file is a new one");
}

#[test]
fn damage_is_an_error_wherever_it_is() {
    let (_folder, path) = folder();
    filled(&path);
    let whole = fs::read(&path).unwrap();
    let mut caught = 0;
    for page in 0..whole.len() / 4096 {
        let mut smashed = whole.clone();
        let start = if page == 0 { 100 } else { page * 4096 };
        smashed[start..(page + 1) * 4096].fill(0xA5);
        fs::write(&path, &smashed).unwrap();
        let read = Store::open(&path).and_then(|store| {
            store.games(&GameFilter::default()).collect::<Result<Vec<_>, _>>()?;
            store.check_integrity()
        });
        caught += usize::from(read.is_err_and(|error| error.is_file_error()));
    }
    assert_eq!(caught, whole.len() / 4096);
    fs::write(&path, &whole[..whole.len() / 2 / 4096 * 4096]).unwrap();
    let read = Store::open(&path).and_then(|store| store.check_integrity());
    assert!(matches!(read, Err(StoreError::Damaged { .. })), "{read:?}");
}

#[test]
fn a_newer_file_is_refused_by_an_older_program() {
    let (_folder, path) = folder();
    filled(&path);
    mark_as_newer(&path);
    let error = Store::open(&path).map(drop).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 1000, .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("schema version 1000, this ludus knows up to 4"), "{text}");
}

/// Adds a migration that this program does not know.
fn mark_as_newer(path: &Path) {
    execute(
        path,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
         VALUES (1000, 'from the future', TRUE, x'00', 0)",
    );
}

#[test]
fn a_failed_commit_leaves_nothing_behind() {
    let (_folder, path) = folder();
    let store = Store::open(&path).unwrap();
    let id = store.begin(&contest("cup")).unwrap().id;
    execute(
        &path,
        "CREATE TRIGGER fail BEFORE INSERT ON games
         BEGIN SELECT RAISE(ABORT, 'the disk is full'); END",
    );
    let error = store.add(id, game(0)).unwrap_err();
    assert!(matches!(error, StoreError::Failed { .. }), "{error:?}");
    assert!(error.to_string().ends_with("the disk is full"), "{error}");
    assert!(!error.is_file_error());
    execute(&path, "DROP TRIGGER fail");
    // The rollback removed the players added with the game; they are added again.
    store.add(id, game(0)).unwrap();
    assert_eq!(store.find("cup").unwrap().unwrap().games, [game(0)]);
}

/// Changes the file directly.
fn execute(path: &Path, sql: &'static str) {
    use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let options = SqliteConnectOptions::new().filename(path);
        let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
        sqlx::query(sql).execute(&mut connection).await.unwrap();
        connection.close().await.unwrap();
    });
}

fn document(id: &str, finished: bool, updated_at: i64) -> StoredDocument {
    StoredDocument {
        kind: "table".to_owned(),
        id: id.to_owned(),
        summary: serde_json::json!({ "id": id }),
        document: serde_json::json!({ "moves": ["e2e4"] }),
        finished,
        updated_at,
    }
}

#[test]
fn documents_are_replaced_listed_trimmed_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.sqlite");
    let store = Store::open(&path).unwrap();
    let all = [document("a", true, 1), document("b", false, 2), document("c", true, 3)];
    store.change_documents(all.map(DocumentChange::Save).into()).unwrap();
    store.change_documents(vec![DocumentChange::Save(document("b", false, 4))]).unwrap();
    drop(store);
    let store = Store::open(&path).unwrap();
    let ids = |store: &Store| -> Vec<String> {
        let found = store.latest_documents("table", 10).unwrap();
        found.into_iter().map(|document| document.id).collect()
    };
    assert_eq!(ids(&store), ["b", "c", "a"]);
    assert_eq!(store.document("table", "b").unwrap(), Some(document("b", false, 4)));
    assert_eq!(store.document("run", "b").unwrap(), None);
    assert_eq!(store.trim_documents("table", 2).unwrap(), 1);
    assert_eq!(ids(&store), ["b", "c"], "the oldest finished one goes");
    let delete = || DocumentChange::Delete { kind: "table".to_owned(), id: "b".to_owned() };
    store.change_documents(vec![delete(), delete()]).unwrap();
    assert_eq!(ids(&store), ["c"]);
}

/// Statistics that cannot be read would count as no effort at all.
#[test]
fn damaged_statistics_are_reported() {
    for stats in [r#"[{"moves": 3}, {}]"#, "[]", "{}", "null", "moves 3"] {
        let (_folder, path) = folder();
        let store = Store::open(&path).unwrap();
        let begun = store.begin(&contest("spring")).unwrap();
        store.add(begun.id, game(0)).unwrap();
        drop(store);
        rows(&path, &format!("UPDATE games SET stats = '{stats}'"));
        let read = Store::open(&path).unwrap().find("spring");
        let Err(StoreError::Damaged { reason, .. }) = read else { panic!("{stats}: {read:?}") };
        assert!(reason.contains(&format!("statistics {stats}")), "{reason}");
    }
}
