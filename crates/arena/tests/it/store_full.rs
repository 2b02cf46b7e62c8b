//! A store on a full disk: what fails is reported, and everything goes on once there is room again.

use crate::store_samples::{contest, game};
use ludus_arena::store::{
    DocumentChange, GameFilter, PendingWrite, Store, StoreError, StoredDocument, StoredGame,
};
use serde_json::json;
use std::sync::mpsc;
use tempfile::TempDir;

/// Games or documents that surely do not fit into the pages that are left.
const MORE_THAN_FITS: u64 = 1_000;

fn new_store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("ludus.sqlite")).unwrap();
    (folder, store)
}

/// Lets the file grow no more.
fn fill(store: &Store) {
    store.set_max_pages(1).unwrap();
}

fn make_room(store: &Store) {
    store.set_max_pages(u32::MAX).unwrap();
}

fn long_game(index: u64) -> StoredGame {
    StoredGame { record: "1. e4 e5 ".repeat(500), ..game(index) }
}

fn document(id: &str, bytes: usize) -> DocumentChange {
    DocumentChange::Save(StoredDocument {
        kind: "table".to_owned(),
        id: id.to_owned(),
        summary: json!({ "id": id }),
        document: json!({ "text": "x".repeat(bytes) }),
        finished: false,
        updated_at: 1,
    })
}

#[track_caller]
fn assert_full(result: &Result<(), StoreError>) {
    match result {
        Err(StoreError::Failed { reason, .. }) => assert!(reason.contains("full"), "{reason}"),
        other => panic!("{other:?}: expected a full disk"),
    }
}

#[test]
fn contests_go_on_when_there_is_room_again() {
    let (_folder, store) = new_store();
    let id = store.begin(&contest("cup")).unwrap().id;
    store.add(id, long_game(0)).unwrap();
    fill(&store);
    let mut stored = 1;
    while store.add(id, long_game(stored)).is_ok() {
        stored += 1;
        assert!(stored < MORE_THAN_FITS, "the disk is never full");
    }
    let pending: Vec<PendingWrite> =
        (stored..stored + 20).map(|index| store.submit(id, long_game(index)).unwrap()).collect();
    for write in pending {
        assert_full(&write.wait());
    }
    // Reading goes on meanwhile, and small changes that need no new page.
    assert_eq!(store.contest_games(id).map(Result::unwrap).count() as u64, stored);
    assert_eq!(store.count_games(&GameFilter::default()).unwrap(), stored);
    store.finish(id).unwrap();

    make_room(&store);
    // A player that the rolled-back transaction added is added again.
    let stranger = StoredGame { first: "gnu_go".to_owned(), ..long_game(stored) };
    store.add(id, stranger.clone()).unwrap();
    let other = store.begin(&contest("league")).unwrap().id;
    store.add(other, game(0)).unwrap();
    store.check_integrity().unwrap();
    let games = store.find("cup").unwrap().unwrap().games;
    let expected = (0..stored).map(long_game).chain([stranger]);
    assert_eq!(games, expected.collect::<Vec<_>>());
}

#[test]
fn documents_go_on_when_there_is_room_again() {
    let (_folder, store) = new_store();
    store.change_documents(vec![document("before", 10)]).unwrap();
    fill(&store);
    let large = || vec![document("small", 10), document("large", 1_000_000)];
    for _ in 0..3 {
        assert_full(&store.change_documents(large()));
    }
    assert_eq!(store.document("table", "small").unwrap(), None, "both or none");
    assert!(store.document("table", "before").unwrap().is_some());
    make_room(&store);
    store.change_documents(large()).unwrap();
    assert_eq!(store.latest_documents("table", 9).unwrap().len(), 3);
    store.check_integrity().unwrap();
}

#[test]
fn a_file_that_cannot_be_opened_again_is_tried_again_by_the_next_job() {
    let folder = tempfile::tempdir().unwrap();
    let (path, aside) = (folder.path().join("ludus.sqlite"), folder.path().join("aside.sqlite"));
    let store = Store::open(&path).unwrap();
    let id = store.begin(&contest("cup")).unwrap().id;
    store.add(id, game(0)).unwrap();
    fill(&store);
    // The failed job closes the file, whose place is then taken by a folder.
    assert_full(&store.change_documents(vec![document("large", 1_000_000)]));
    std::fs::rename(&path, &aside).unwrap();
    std::fs::create_dir(&path).unwrap();
    for _ in 0..2 {
        let error = store.add(id, game(1)).unwrap_err();
        assert!(error.to_string().contains("cannot open"), "{error}");
    }
    std::fs::remove_dir(&path).unwrap();
    std::fs::rename(&aside, &path).unwrap();
    make_room(&store);
    store.add(id, game(1)).unwrap();
    assert_eq!(store.find("cup").unwrap().unwrap().games, [game(0), game(1)]);
}

#[test]
fn changes_of_documents_are_answered_once_they_are_committed() {
    let (folder, store) = new_store();
    let (reply, done) = mpsc::channel();
    for number in 0..50 {
        let reply = reply.clone();
        let change = vec![document(&number.to_string(), 10)];
        store
            .submit_documents(change, move |result| reply.send((number, result)).unwrap())
            .unwrap();
    }
    let other = Store::open(&folder.path().join("ludus.sqlite")).unwrap();
    for _ in 0..50 {
        let (number, result) = done.recv().unwrap();
        result.unwrap();
        assert!(other.document("table", &number.to_string()).unwrap().is_some(), "{number}");
    }
}
