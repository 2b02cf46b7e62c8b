//! Opening books: the same however often they are interrupted and on any number of threads.

use ludus_core::{Notation, Options, Position};
use ludus_games::go::{Go, GoMove};
use ludus_players::go::book::Book;
use ludus_training::{
    TrainingError,
    book::{BookJob, BookSettings},
};
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

fn settings() -> BookSettings {
    BookSettings {
        options: Options::parse("go:size=5", Go::OPTIONS).unwrap(),
        player: "fuego-like:playouts=50,memory=1MB".to_owned(),
        positions: 30,
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
    assert_eq!(told, (1..=30).collect::<Vec<_>>());
    assert!(book.positions() > 20 && book.plies() >= 2, "{book:?}");

    let stopped = job(&settings, &pieces, &stop)
        .run(&mut |done| _ = stop.fetch_or(done == 21, Ordering::Relaxed));
    assert!(matches!(stopped, Err(TrainingError::Stopped)), "{stopped:?}");
    stop.store(false, Ordering::Relaxed);
    // An unfinished file is a valid book, except for the line that was cut off.
    let mut text = fs::read_to_string(&pieces).unwrap();
    let kept = Book::parse(&text).unwrap().positions();
    assert!((21..30).contains(&kept), "{kept}");
    text += "C3 D4: C";
    fs::write(&pieces, text).unwrap();
    let resumed = BookJob { resume: true, threads: 3, ..job(&settings, &pieces, &stop) };
    resumed.run(&mut |_| {}).unwrap();
    let [whole, pieces] = [&whole, &pieces].map(|path| fs::read_to_string(path).unwrap());
    assert_eq!(whole, pieces);
    assert_eq!(Book::parse(&whole).unwrap(), book);
    assert!(whole.contains("\n# ludus book build go:size=5 --player "), "{whole}");
}

#[test]
fn likely_positions_come_first_for_both_sides() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("book.txt");
    let stop = AtomicBool::new(false);
    let (few, many) = (BookSettings { positions: 4, ..settings() }, settings());
    let book = job(&few, &out, &stop).run(&mut |_| {}).unwrap();
    let start = Go::start(&settings().options).unwrap();
    assert!(book.contains(&start), "the side that begins");
    let after = |text: &str| start.after(start.parse_move(text).unwrap());
    assert!(book.contains(&after("C3")) && !book.contains(&after("A1")), "hardly anybody plays A1");
    let more = BookJob { resume: true, ..job(&many, &out, &stop) };
    let book = more.run(&mut |_| {}).unwrap();
    // After the first move of the book, its side is asked again.
    let (first, _) = book.book_moves(&start, &mut ludus_core::Random::new(1))[0];
    let replied = start.after(GoMove::Play(first));
    let mut replies = Vec::new();
    replied.legal_moves(&mut replies);
    assert!(replies.iter().any(|&reply| book.contains(&replied.after(reply))));
}

#[test]
fn a_book_can_be_made_longer() {
    let folder = tempfile::tempdir().unwrap();
    let [once, twice] = ["once.txt", "twice.txt"].map(|name| folder.path().join(name));
    let stop = AtomicBool::new(false);
    let (short, long) = (BookSettings { positions: 10, ..settings() }, settings());
    job(&short, &twice, &stop).run(&mut |_| {}).unwrap();
    BookJob { resume: true, ..job(&long, &twice, &stop) }.run(&mut |_| {}).unwrap();
    job(&long, &once, &stop).run(&mut |_| {}).unwrap();
    // Rounds of ten and of thirty start differently, but positions searched by both have the same
    // result.
    let [once, twice] = [&once, &twice].map(|path| fs::read_to_string(path).unwrap());
    let lines: Vec<&str> = twice.lines().filter(|line| once.contains(line)).collect();
    assert!(lines.len() >= 30, "{once}{twice}");
}

#[test]
fn what_is_there_is_not_overwritten_and_mistakes_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("book.txt");
    let stop = AtomicBool::new(false);
    let few = BookSettings { positions: 2, ..settings() };
    job(&few, &out, &stop).run(&mut |_| {}).unwrap();
    let error = |settings: &BookSettings, resume: bool| {
        let job = BookJob { resume, ..job(settings, &out, &stop) };
        job.run(&mut |_| {}).unwrap_err().to_string()
    };
    assert!(error(&few, false).contains("--resume"));
    let other = BookSettings { seed: 8, ..few.clone() };
    assert!(error(&other, true).contains("another --out"));
    let text = fs::read_to_string(&out).unwrap();
    fs::write(&out, text + "C3 C3: D4 1/2\n").unwrap();
    let message = error(&few, true);
    assert!(message.contains("line 5"), "{message}");
    let nobody = BookSettings { player: "nobody".to_owned(), ..few };
    let out = folder.path().join("none.txt");
    assert!(job(&nobody, &out, &stop).run(&mut |_| {}).unwrap_err().to_string().contains("nobody"));
    assert!(!out.exists());
}
