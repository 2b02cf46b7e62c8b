//! Files of earlier versions open without loss.

use ludus_arena::{
    contest::{ContestCallbacks, ContestSpec, load, resume},
    game::Category,
    parallel::ContestError,
    store::{GameFilter, GameOrder, Store, StoreError},
};
use ludus_core::EndReason;
use ludus_players::{Resources, identity::UNKNOWN_BUILD};
use sqlx::{AssertSqlSafe, Connection, Row, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};
use tempfile::TempDir;

/// A copy of the store from before ids.
fn before_ids() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ludus.sqlite");
    let stored = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/stores/before-ids.sqlite");
    fs::copy(stored, &path).unwrap();
    (folder, path)
}

/// Rows as text, by a query of the file itself.
pub fn rows(path: &Path, query: &str) -> Vec<Vec<String>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let options = SqliteConnectOptions::new().filename(path);
        let mut connection = SqliteConnection::connect_with(&options).await.unwrap();
        let query = sqlx::query(AssertSqlSafe(query.to_owned()));
        let rows = query.fetch_all(&mut connection).await.unwrap();
        let text = |row: &sqlx::sqlite::SqliteRow| {
            (0..row.len()).map(|column| row.get::<String, _>(column)).collect()
        };
        let rows = rows.iter().map(text).collect();
        connection.close().await.unwrap();
        rows
    })
}

#[test]
fn games_of_old_stores_are_all_there() {
    let (_folder, path) = before_ids();
    let games = "SELECT CAST(g.id AS TEXT), c.name, c.game, f.spec, s.spec,
            COALESCE(g.opening, ''), g.moves, g.result, g.reason, COALESCE(g.category, ''),
            COALESCE(g.detail, ''), CAST(g.plies AS TEXT), g.record,
            CAST(g.finished_at AS TEXT), g.stats
        FROM games g JOIN contests c ON c.id = g.contest
        JOIN players f ON f.id = g.first_player JOIN players s ON s.id = g.second_player
        ORDER BY g.id";
    let before = rows(&path, games);
    assert_eq!(before.len(), 46);
    let store = Store::open(&path).unwrap();
    let filter = GameFilter { order: GameOrder::Oldest, ..GameFilter::default() };
    let after: Vec<Vec<String>> = store
        .games(&filter)
        .map(|row| {
            let row = row.unwrap();
            let played = row.played;
            assert_eq!([&row.build, &row.first_build, &row.second_build], [UNKNOWN_BUILD; 3]);
            vec![
                row.id.to_string(),
                row.contest_name,
                row.game,
                played.first,
                played.second,
                played.opening.unwrap_or_default(),
                played.moves,
                played.result.id().to_owned(),
                played.reason.to_string(),
                played.category.map_or("", Category::id).to_owned(),
                played.detail.unwrap_or_default(),
                played.plies.to_string(),
                played.record,
                played.finished_at.to_string(),
                serde_json::json!(played.stats).to_string(),
            ]
        })
        .collect();
    assert_eq!(after.len(), before.len());
    for (after, before) in after.iter().zip(&before) {
        let (texts, stats) = before.split_at(14);
        assert_eq!(after[..14], *texts);
        // Parsing a number may change its last digit.
        let stats: serde_json::Value = serde_json::from_str(&stats[0]).unwrap();
        assert_eq!(after[14], stats.to_string());
    }
    let ids: Vec<String> = rows(&path, "SELECT DISTINCT reason FROM games").concat();
    assert!(ids.len() >= 13, "{ids:?}");
    assert!(ids.iter().all(|id| EndReason::from_id(id).is_ok()), "{ids:?}");
}

#[test]
fn ratings_and_contests_of_old_stores_are_all_there() {
    let (_folder, path) = before_ids();
    let ratings = "SELECT r.game, p.spec, CAST(r.games AS TEXT) FROM ratings r
        JOIN players p ON p.id = r.player ORDER BY r.game, p.spec";
    let before = rows(&path, ratings);
    let store = Store::open(&path).unwrap();
    let mut after: Vec<Vec<String>> = Vec::new();
    for rating in store.ratings(None).unwrap() {
        assert_eq!(rating.player.build, UNKNOWN_BUILD);
        after.push(vec![rating.game, rating.player.spec, rating.games.to_string()]);
    }
    after.sort();
    assert_eq!(after, before);

    let contests = store.contests(100).unwrap();
    assert_eq!(contests.len(), 18);
    for contest in contests {
        let setup = ContestSpec::from_stored(&contest, Resources::default(), 1).unwrap();
        let held = load(&setup, &store, contest.id).unwrap();
        assert!(held.standings.games() > 0 && contest.games > 0, "{}", contest.name);
    }
}

#[test]
fn what_the_app_kept_in_old_stores_is_all_there() {
    let (_folder, path) = before_ids();
    let documents = "SELECT id, COALESCE(json_extract(summary, '$.ending.reason'), ''),
        COALESCE(json_extract(document, '$.decided.reason'), '') FROM documents ORDER BY id";
    let before = rows(&path, documents);
    assert_eq!(before.len(), 9);
    let store = Store::open(&path).unwrap();
    let mut decided = 0;
    for row in before {
        let [id, ending, decision] = &row[..] else { panic!("{row:?}") };
        let document = store.document("table", id).unwrap().unwrap();
        assert!(document.document["moves"].is_array() && document.summary["id"] == **id);
        if !ending.is_empty() {
            assert_eq!(document.summary["ending"]["reason"], **ending, "words stay words");
            let reason = document.summary["ending"]["reason_id"].as_str().unwrap();
            assert_eq!(EndReason::from_id(reason).unwrap().to_string(), *ending);
        }
        if !decision.is_empty() {
            let reason = document.document["decided"]["reason"].as_str().unwrap();
            assert_eq!(EndReason::from_id(reason).unwrap().to_string(), *decision);
            decided += 1;
        }
    }
    assert_eq!(decided, 3, "on time, by resignation, by agreement");
}

#[test]
fn unknown_words_in_old_stores_are_an_error_and_stay() {
    let (_folder, path) = before_ids();
    rows(&path, "UPDATE games SET reason = 'by magic' WHERE id = 7 RETURNING reason");
    let store = Store::open(&path).unwrap();
    let error = store.game(7).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("\"by magic\"") && text.contains("one of board, checkmate"), "{text}");
    assert!(store.game(8).unwrap().is_some());
    assert_eq!(rows(&path, "SELECT reason FROM games WHERE id = 7"), [["by magic"]]);
}

#[test]
fn contests_of_old_stores_are_read_and_not_gone_on_with() {
    let (_folder, path) = before_ids();
    let store = Store::open(&path).unwrap();
    let contests = store.contests(100).unwrap();
    let resume = |finished: bool| {
        let contest = contests.iter().find(|c| c.finished_at.is_some() == finished).unwrap();
        let setup = ContestSpec::from_stored(contest, Resources::default(), 1).unwrap();
        let mut audience =
            ContestCallbacks { on_progress: &mut |_| {}, observer: None, on_wait: None };
        resume(&setup, &store, contest.id, &AtomicBool::new(false), &mut audience)
    };
    assert!(resume(true).unwrap().complete);
    let error = resume(false).map(|held| held.id).unwrap_err();
    assert!(matches!(error, ContestError::OtherBuild { contest: 18, .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("ludus was unknown build when it started and is "), "{text}");
}
