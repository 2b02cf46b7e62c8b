//! Shared parts of the games' tests: perft files and golden playthroughs.

use ludus_core::{
    History, Notation, Options, Random,
    perft::{divide, perft, perft_paths},
};
use std::{fmt::Write as _, fs, path::PathBuf, thread};

fn path(folder: &str, name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", folder, name].iter().collect()
}

/// Runs the small counts of `tests/perft/FILE.perft`, one after the other.
///
/// ```text
/// game draughts:rules=russian      options for the lines below
/// position TEXT                    start from here; without it, from the start of the game
/// perft DEPTH NODES
/// large perft DEPTH NODES          takes seconds
/// large paths DEPTH NODES          the same; a move that can be made by several paths counts for each
/// ```
pub fn perft_file<P: Notation>(file: &str) {
    check_counts::<P>(file, |kind, position, depth| {
        (kind == "perft").then(|| perft(position, depth))
    });
}

/// Runs the large counts of `tests/perft/FILE.perft`, each on all processors.
pub fn large_perft_file<P: Notation + Sync>(file: &str) {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    check_counts::<P>(file, |kind, position, depth| {
        let mut moves = Vec::new();
        let counts = match kind {
            "large perft" => {
                position.legal_moves(&mut moves);
                divide(position, &moves, depth, threads, perft)
            }
            "large paths" => {
                position.legal_paths(&mut moves);
                divide(position, &moves, depth, threads, perft_paths)
            }
            _ => return None,
        };
        Some(counts.iter().sum())
    });
}

/// Compares what `count` counts for the kind of a line, the position and the depth with the nodes
/// written there. It leaves a line out by `None`.
fn check_counts<P: Notation>(file: &str, count: impl Fn(&str, &P, u32) -> Option<u64>) {
    let text = fs::read_to_string(path("perft", &format!("{file}.perft"))).unwrap();
    let mut options = Options::defaults(P::ID, P::OPTIONS);
    let mut position = P::start(&options).unwrap();
    let mut checked = 0;
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').unwrap();
        match word {
            "game" => {
                options = Options::parse(rest, P::OPTIONS).unwrap();
                position = P::start(&options).unwrap();
            }
            "position" => position = P::parse(&options, rest).unwrap(),
            "perft" | "large" => {
                let (line, nodes) = line.rsplit_once(' ').unwrap();
                let (kind, depth) = line.rsplit_once(' ').unwrap();
                if let Some(counted) = count(kind, &position, depth.parse().unwrap()) {
                    let nodes: u64 = nodes.parse().unwrap();
                    assert_eq!(counted, nodes, "{file}: {} {line}", position.text());
                    checked += 1;
                }
            }
            _ => panic!("{file}: what is {line:?}?"),
        }
    }
    assert!(checked > 0, "{file} checks nothing");
}

/// Compares a seeded random game, written out in full, with `tests/playthroughs/FILE.txt`.
/// `LUDUS_BLESS=1 cargo test` writes the files anew, for review as a diff.
pub fn playthrough<P: Notation>(file: &str, spec: &str, seed: u64) {
    let options = Options::parse(spec, P::OPTIONS).unwrap();
    let mut random = Random::new(seed);
    let mut game = History::new(P::start(&options).unwrap());
    let mut text = format!("game {spec}\n");
    let mut moves = Vec::new();
    while P::ending(&game).is_none() && game.moves().len() < 400 {
        let position = game.last();
        moves.clear();
        position.legal_moves(&mut moves);
        let names: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
        let mv = random.pick(&moves).unwrap();
        writeln!(text, "\nposition {}\nkey {:016x}", position.text(), position.key()).unwrap();
        writeln!(text, "moves {}", names.join(" ")).unwrap();
        writeln!(text, "play {} = {}", position.move_text(mv), position.record_text(mv)).unwrap();
        game.push(mv);
    }
    writeln!(text, "\nposition {}", game.last().text()).unwrap();
    writeln!(text, "ending {:?} margin {:?}", P::ending(&game), game.last().margin()).unwrap();
    let path = path("playthroughs", &format!("{file}.txt"));
    if std::env::var_os("LUDUS_BLESS").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    for (number, (ours, theirs)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(
            ours,
            theirs,
            "{file}.txt, line {}; if meant, run with LUDUS_BLESS=1",
            number + 1
        );
    }
    assert_eq!(text, golden, "{file}.txt differs; if meant, run with LUDUS_BLESS=1");
}
