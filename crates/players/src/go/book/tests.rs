use super::*;
use crate::{Resources, build_player};
use ludus_core::{Action, Choice, History, Limits, SearchControl};
use std::sync::atomic::AtomicBool;

fn go(size: usize) -> Options {
    Options::parse(&format!("go:size={size}"), Go::OPTIONS).unwrap()
}

fn after(size: usize, moves: &str) -> Go {
    let mut position = Go::start(&go(size)).unwrap();
    for word in moves.split_whitespace() {
        position.play(position.parse_move(word).unwrap());
    }
    position
}

fn line_of(size: usize, moves: &str) -> Vec<Point> {
    let mut position = Go::start(&go(size)).unwrap();
    let read = |word: &str| {
        let point = read_point(&position, word).unwrap();
        position.play(GoMove::Play(point));
        point
    };
    moves.split_whitespace().map(read).collect()
}

/// Adds the last move of a line as a book move after the others.
fn advise(book: &mut Book, moves: &str, stats: BookMoveStats) {
    let line = line_of(book.size(), moves);
    let (point, before) = line.split_last().unwrap();
    book.insert(before, &[(*point, stats)]);
}

fn chosen(book: &Book, position: &Go, seed: u64) -> Option<String> {
    let (point, _) = book.choose(position, &mut Random::new(seed))?;
    Some(position.move_text(GoMove::Play(point)))
}

#[test]
fn a_rotated_position_gives_the_rotated_move() {
    let book = Book::parse("book of go:size=9\nE5 C3: G4 3/4\n").unwrap();
    for (moves, expected) in [
        ("E5 C3", ["G4", "D7"]),
        ("E5 G7", ["C6", "F3"]),
        ("E5 G3", ["F7", "C4"]),
        ("E5 C7", ["D3", "G6"]),
    ] {
        let mut found: Vec<String> =
            (0..40).map(|seed| chosen(&book, &after(9, moves), seed).unwrap()).collect();
        found.sort();
        found.dedup();
        // C3 lies on a diagonal, so the move and its mirror image are the same.
        let mut expected = expected.map(str::to_owned);
        expected.sort();
        assert_eq!(found, expected, "{moves}");
    }
    let lopsided = Book::parse("book of go:size=9\nE5 C4: G3 3/4\n").unwrap();
    for (moves, expected) in
        [("E5 C4", "G3"), ("E5 C6", "G7"), ("E5 D3", "C7"), ("E5 G6", "C7"), ("E5 F7", "G3")]
    {
        let found = chosen(&lopsided, &after(9, moves), 1);
        assert_eq!(found.as_deref(), Some(expected), "{moves}");
    }
}

#[test]
fn the_order_of_moves_does_not_matter() {
    let mut book = Book::new(&go(9)).unwrap();
    advise(&mut book, "C3 G7 G3 C7 E5", BookMoveStats { games: 1, half_points: 2 });
    // After four stones in the corners both lines are in one position.
    advise(&mut book, "G3 C7 C3 G7 E5", BookMoveStats { games: 1, half_points: 0 });
    assert_eq!(book.text("").matches("E5 1/2\n").count(), 1, "{}", book.text(""));
    assert!(book.contains(&after(9, "C7 G3 C3 G7")) && !book.contains(&after(9, "C7 C3 G3")));
    assert_eq!(chosen(&book, &after(9, "C7 G3 C3 G7"), 1).as_deref(), Some("E5"));
    assert_eq!(chosen(&book, &after(9, "C7 C3 G3"), 1), None);
    assert_eq!(key(&after(9, "C7 G3 C3 G7")), key(&after(9, "G3 C7 C3 G7")));
}

#[test]
fn each_line_of_the_text_describes_one_position() {
    let mut book = Book::new(&go(9)).unwrap();
    advise(&mut book, "E5", BookMoveStats { games: 2, half_points: 3 });
    advise(&mut book, "C3 E5", BookMoveStats { games: 1, half_points: 0 });
    assert_eq!(book.line(&after(9, "")), "start: E5 1.5/2\n");
    assert!(book.line(&after(9, "G7")).ends_with(": E5 0/1\n"));
    assert_eq!(book.line(&after(9, "E5")), "");
    assert_eq!(
        book.text("made so"),
        book.heading("made so") + &book.line(&after(9, "")) + &book.line(&after(9, "C3"))
    );
    assert_eq!((book.positions(), book.moves(), book.plies()), (2, 2, 1));
    // A move that only lost is never chosen.
    assert_eq!(chosen(&book, &after(9, "C3"), 1), None);
}

#[test]
fn rarely_tried_moves_are_not_chosen() {
    let book = Book::parse("book of go:size=9\nstart: E5 3/10 C3 5/5 B2 4/4\n").unwrap();
    let mut found: Vec<String> =
        (0..80).map(|seed| chosen(&book, &after(9, ""), seed).unwrap()).collect();
    found.sort();
    found.dedup();
    assert_eq!(found, ["C3", "C7", "E5", "G3", "G7"]);
}

#[test]
fn books_are_read_as_they_were_written() {
    let mut random = Random::new(5);
    let mut book = Book::new(&go(5)).unwrap();
    for _ in 0..50 {
        let mut position = Go::start(&go(5)).unwrap();
        let mut line = Vec::new();
        for _ in 0..8 {
            let points = position.board().points();
            let legal: Vec<Point> =
                points.filter(|&point| position.illegal(point).is_none()).collect();
            let point = random.pick(&legal).unwrap();
            let stats = BookMoveStats { games: 2, half_points: random.below(5) as u32 };
            if random.below(4) > 0 {
                book.insert(&line, &[(point, stats)]);
            }
            line.push(point);
            position.play(GoMove::Play(point));
        }
    }
    let text = book.text("a remark");
    let read = Book::parse(&text).unwrap();
    assert_eq!(read.text("a remark"), text);
    assert_eq!(read, book);
}

#[test]
fn moves_of_the_book_are_legal() {
    // White has just captured in a ko: the book move would retake at once.
    let mut book = Book::new(&go(5)).unwrap();
    let ko = "B3 C3 A2 D2 B1 C1 C2 B2";
    let position = after(5, ko);
    let retake = read_point(&after(5, "B3 C3 A2 D2 B1 C1"), "C2").unwrap();
    book.add(&position, &[], retake, BookMoveStats { games: 9, half_points: 18 });
    assert!(position.illegal(retake).is_some());
    assert_eq!(chosen(&book, &position, 1), None);
    for seed in 0..20 {
        for book in built_in().unwrap() {
            let mut random = Random::new(seed);
            let mut position = book.start.clone();
            while let Some((point, known)) = book.choose(&position, &mut random) {
                assert!(known.iter().any(|(other, _)| *other == point));
                assert_eq!(position.illegal(point), None);
                position.play(GoMove::Play(point));
            }
        }
    }
}

fn choose(spec: &str, game: &History<Go>, seed: u64) -> Choice<GoMove> {
    let mut player = build_player::<Go>(spec, &Resources::default()).unwrap();
    player.new_game(seed);
    let stop = AtomicBool::new(false);
    let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
    player.choose(game, &Limits::default(), &mut control).unwrap()
}

#[test]
fn players_follow_a_book_only_when_it_is_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("book.txt");
    std::fs::write(&file, "book of go:size=7\nstart: A1 5/5 B1 5/5\n").unwrap();
    let game = History::new(Go::start(&go(7)).unwrap());
    let edge = |choice: &Choice<GoMove>| {
        let Action::Play(mv) = choice.action else { return false };
        let text = game.last().move_text(mv);
        ["A1", "A7", "G1", "G7", "A2", "A6", "B1", "B7", "F1", "F7", "G2", "G6"].contains(&&*text)
    };
    for player in ["engine", "fuego-like", "btt-go"] {
        let spec = |book: &str| format!("{player}:playouts=50,book={book}");
        let with = spec(&file.display().to_string());
        let moves: Vec<Choice<GoMove>> = (0..12).map(|seed| choose(&with, &game, seed)).collect();
        assert!(moves.iter().all(|choice| edge(choice) && choice.report.nodes == 0), "{player}");
        assert!(moves.iter().any(|choice| choice.action != moves[0].action), "{player}");
        assert_eq!(choose(&with, &game, 3).action, moves[3].action, "the same seed, the same move");
        for other in ["off", "on"] {
            // No book is built in for this size.
            let choice = choose(&spec(other), &game, 1);
            assert!(choice.report.nodes > 0, "{player} {other}");
        }
    }
    let game = History::new(Go::start(&go(9)).unwrap());
    assert!(choose("engine:playouts=50,book=off", &game, 1).report.nodes > 0);
    assert!(choose("fuego-like:playouts=50", &game, 1).report.nodes > 0, "off unless asked for");
    for player in ["engine:playouts=50,book=on", "btt-go:playouts=50,book=on"] {
        let choice = choose(player, &game, 1);
        assert_eq!(choice.report.nodes, 0, "{player}: a book is built in for 9x9");
        assert!(choice.report.moves.iter().any(|known| known.visits > 0));
    }
}

#[test]
fn bad_books_are_refused_with_the_line() {
    let good = "book of go:size=9\nstart: E5 1/2\n";
    assert!(Book::parse(good).is_ok());
    for (text, line, wanted) in [
        ("", 1, "book of go:size=9"),
        ("start: E5 1/2\n", 1, "book of go:size=9"),
        ("book of go:size=9\nE5 1/2\n", 2, "a colon"),
        ("book of go:size=9\n# a remark\n\nstart: E5\n", 4, "7.5/12"),
        ("book of go:size=9\nstart:\n", 2, "7.5/12"),
        ("book of go:size=9\nstart: E5 3/2\n", 2, "7.5/12"),
        ("book of go:size=9\nstart: E5 0.3/2\n", 2, "7.5/12"),
        ("book of go:size=9\nstart: E5 NaN/2\n", 2, "7.5/12"),
        ("book of go:size=9\nstart: E5 1/99999999999\n", 2, "7.5/12"),
        ("book of go:size=9\nstart: pass 1/2\n", 2, "passes are not in books"),
        ("book of go:size=9\nstart: K10 1/2\n", 2, ""),
        ("book of go:size=9\nE5 E5: C3 1/2\n", 2, ""),
        ("book of go:size=9\nC3: E5 1/2\nG7: E5 1/2\n", 3, "each position once"),
    ] {
        let error = Book::parse(text).unwrap_err();
        assert_eq!(error.line, line, "{text:?}: {error}");
        assert!(error.expected.contains(wanted), "{text:?}: {error}");
    }
    assert!(Book::parse("book of go:size=99\n").is_err());
    let missing = build_player::<Go>("engine:book=no-such-file", &Resources::default());
    let error = missing.err().unwrap().to_string();
    assert!(error.contains("no-such-file"), "{error}");
}
