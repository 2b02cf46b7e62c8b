//! Opening books: the same however often they are interrupted and on any number of threads.

use ludus_core::{Notation, Options};
use ludus_games::go::Go;
use ludus_lab::{
    LabError,
    book::{BookJob, BookSettings},
};
use ludus_players::go_book::Book;
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

fn settings() -> BookSettings {
    BookSettings {
        options: Options::parse("go:size=5", Go::OPTIONS).unwrap(),
        player: "fuego-like:playouts=30,memory=1MB".to_owned(),
        finisher: "random".to_owned(),
        games: 12,
        plies: 4,
        explore: 30,
        least: 1,
        seed: 7,
    }
}

fn job<'a>(settings: &'a BookSettings, out: &'a Path, stop: &'a AtomicBool) -> BookJob<'a> {
    BookJob { settings, out, resume: false, threads: 1, stop }
}

#[test]
fn an_interrupted_book_is_the_same_in_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, pieces] = ["whole.txt", "pieces.txt"].map(|name| folder.path().join(name));
    let settings = settings();
    let stop = AtomicBool::new(false);
    let mut told = Vec::new();
    let book = job(&settings, &whole, &stop).run(&mut |done| told.push(done)).unwrap();
    assert_eq!(told, (1..=12).collect::<Vec<_>>());
    assert!(book.positions() > 3 && book.plies() == 3, "{book:?}");

    let stopped =
        job(&settings, &pieces, &stop).run(&mut |done| stop.store(done == 5, Ordering::Relaxed));
    assert!(matches!(stopped, Err(LabError::Stopped)), "{stopped:?}");
    assert!(!pieces.exists());
    stop.store(false, Ordering::Relaxed);
    // The process was killed in the middle of a line.
    let games = job(&settings, &pieces, &stop).games_file();
    let mut text = fs::read_to_string(&games).unwrap();
    text += "5 0.5 C";
    fs::write(&games, text).unwrap();
    let resumed = BookJob { resume: true, threads: 3, ..job(&settings, &pieces, &stop) };
    let mut first = 0;
    resumed.run(&mut |done| first = if first == 0 { done } else { first }).unwrap();
    assert_eq!(first, 6);
    let [whole, pieces] = [&whole, &pieces].map(|path| fs::read_to_string(path).unwrap());
    assert_eq!(whole, pieces);
    assert_eq!(Book::parse(&whole).unwrap(), book);
    assert!(whole.contains("\n# ludus book build go:size=5 --games 12 "), "{whole}");
}

#[test]
fn what_is_there_is_not_overwritten_and_mistakes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("book.txt");
    let stop = AtomicBool::new(false);
    let few = BookSettings { games: 2, ..settings() };
    job(&few, &out, &stop).run(&mut |_| {}).unwrap();
    let error = |settings: &BookSettings, resume: bool| {
        let job = BookJob { resume, ..job(settings, &out, &stop) };
        job.run(&mut |_| {}).unwrap_err().to_string()
    };
    assert!(error(&few, false).contains("--resume"));
    let other = BookSettings { seed: 8, ..few.clone() };
    assert!(error(&other, true).contains("another --out"));
    let games = job(&few, &out, &stop).games_file();
    let text = fs::read_to_string(&games).unwrap();
    for (bad, wanted) in
        [("3 1 C3\n", "game 2"), ("2 7 C3\n", "0, 0.5 or 1"), ("2 1 pass\n", "pass")]
    {
        fs::write(&games, text.clone() + bad).unwrap();
        let message = error(&few, true);
        assert!(message.contains(wanted) && message.contains("line 4"), "{message}");
    }
    let nobody = BookSettings { player: "nobody".to_owned(), ..few };
    let out = folder.path().join("none.txt");
    let job = job(&nobody, &out, &stop);
    assert!(job.run(&mut |_| {}).unwrap_err().to_string().contains("nobody"));
    assert!(!job.games_file().exists());
}
