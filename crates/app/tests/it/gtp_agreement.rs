//! `ludus gtp` beside GNU Go: both get the same random games and must agree, after every move, on
//! what is legal, on the stones and on the captures. Without GNU Go this is skipped.
//!
//! `LUDUS_GNUGO_GAMES` sets the number of games (20).

use crate::gtp_peer::{Peer, Reply, number_from_environment};
use ludus_core::{Notation, Options, Position, Random, Side};
use ludus_formats::gtp::Vertex;
use ludus_games::go::{Go, GoMove, Point};
use ludus_test_support::program_or_skip;

/// GNU Go supports sizes from 5 to 19, and drops the first moves of long games.
const SIZES: std::ops::RangeInclusive<usize> = 5..=19;
const MAX_GAME_MOVES: usize = 400;

#[derive(Default)]
struct Counts {
    moves: usize,
    refused: usize,
    questions: usize,
    forbidden_empty: usize,
    /// Moves of the current game by Black and White, and of earlier games.
    captures: [u64; 2],
    captured: u64,
}

/// A random game as commands for both engines. The library only selects moves, most of them legal; the
/// engines decide whether they are.
struct Script {
    random: Random,
    position: Go,
    /// Points of the last captures, where a ko may be.
    emptied: Vec<Point>,
    lines: Vec<String>,
}

impl Script {
    fn of(seed: u64) -> Vec<String> {
        let sizes = SIZES.count() as u64;
        // Two of three games on small boards, which have the most captures and repetitions.
        let size = if seed.is_multiple_of(3) { 5 + seed / 3 % sizes } else { 5 + seed % 4 };
        let options = Options::parse(&format!("go:size={size}"), Go::OPTIONS).unwrap();
        let lines = vec![format!("boardsize {size}"), "clear_board".to_owned()];
        let position = Go::start(&options).unwrap();
        let mut script = Script { random: Random::new(seed), position, emptied: Vec::new(), lines };
        let length = MAX_GAME_MOVES.min(4 * (size * size) as usize);
        for _ in 0..length {
            script.step();
        }
        script.lines
    }

    /// One move, legal or not, followed by queries on which both have to agree.
    fn step(&mut self) {
        // The protocol allows a side to move twice.
        let side =
            if self.random.below(20) == 0 { !self.position.turn() } else { self.position.turn() };
        let seen = self.position.with_turn(side);
        let mv = self.choose(&seen);
        self.query("play", side, mv);
        let is_legal = !matches!(mv, GoMove::Play(point) if seen.illegal(point).is_some());
        if is_legal {
            self.play(&seen, mv);
        }
        for side in Side::BOTH {
            let any = GoMove::Play(self.any_point());
            self.query("is_legal", side, any);
            if let Some(point) = self.random.pick(&self.emptied) {
                self.query("is_legal", side, GoMove::Play(point));
            }
        }
        for name in ["captures", "list_stones"] {
            self.lines.extend(["black", "white"].map(|colour| format!("{name} {colour}")));
        }
    }

    fn any_point(&mut self) -> Point {
        let board = self.position.board();
        let points: Vec<Point> = board.points().collect();
        points[self.random.below(points.len())]
    }

    fn choose(&mut self, seen: &Go) -> GoMove {
        match self.random.below(20) {
            0 => GoMove::Pass,
            1 | 2 => GoMove::Play(self.any_point()),
            _ => {
                let points = seen.board().points();
                let legal: Vec<Point> =
                    points.filter(|&point| seen.illegal(point).is_none()).collect();
                self.random.pick(&legal).map_or(GoMove::Pass, GoMove::Play)
            }
        }
    }

    fn play(&mut self, seen: &Go, mv: GoMove) {
        let after = seen.after(mv);
        let (before, now) = (seen.board(), after.board());
        let taken = before.points().filter(|&point| !before.is_empty(point) && now.is_empty(point));
        let taken: Vec<Point> = taken.collect();
        if !taken.is_empty() {
            self.emptied = taken;
        }
        self.position = after;
    }

    fn query(&mut self, name: &str, side: Side, mv: GoMove) {
        let colour = if side == Side::First { "black" } else { "white" };
        let board = self.position.board();
        let vertex = match mv {
            GoMove::Pass => Vertex::Pass,
            GoMove::Play(point) => {
                let (row, column) = board.row_column(point);
                Vertex::Point { column, row: board.size() - 1 - row }
            }
        };
        self.lines.push(format!("{name} {colour} {vertex}"));
    }
}

/// The words of a response, sorted: the order of stones differs between engines.
fn sorted(reply: &Reply) -> (bool, Vec<&str>) {
    let mut words: Vec<&str> = reply.text.split_whitespace().collect();
    words.sort_unstable();
    (reply.success, words)
}

fn agree_on(seed: u64, ours: &Peer, theirs: &Peer, counts: &mut Counts) {
    let lines = Script::of(seed);
    let bytes = lines.join("\n") + "\n";
    for peer in [ours, theirs] {
        peer.send(bytes.clone().into_bytes());
    }
    let mut stones = String::new();
    for (index, line) in lines.iter().enumerate() {
        let [ours, theirs] = [ours, theirs].map(|peer| {
            peer.reply().unwrap_or_else(|error| panic!("game {seed}, {line}: {error}"))
        });
        let game = || lines[..=index].iter().filter(|line| line.starts_with("play"));
        assert_eq!(
            sorted(&ours),
            sorted(&theirs),
            "{line}: Ludus and GNU Go disagree in game {seed} after {:?}",
            game().collect::<Vec<_>>()
        );
        counts.add(line, &ours, &stones);
        match line.as_str() {
            "list_stones black" => stones = ours.text,
            "list_stones white" => stones = stones + " " + &ours.text,
            _ => {}
        }
    }
}

impl Counts {
    fn add(&mut self, line: &str, reply: &Reply, stones: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[0] {
            "play" if reply.success => self.moves += 1,
            "play" => self.refused += 1,
            "is_legal" => {
                self.questions += 1;
                let is_empty = !stones.split_whitespace().any(|stone| stone == words[2]);
                self.forbidden_empty += usize::from(reply.text == "0" && is_empty);
            }
            "captures" => {
                self.captures[usize::from(words[1] == "white")] = reply.text.parse().unwrap();
            }
            _ => {}
        }
    }
}

#[test]
fn gnu_go_sees_the_same_games() {
    let Some(gnu_go) = program_or_skip!("gnugo") else { return };
    let rules = ["--mode", "gtp", "--chinese-rules", "--positional-superko", "--forbid-suicide"];
    let theirs = Peer::start(gnu_go, &rules);
    let ours = Peer::start(assert_cmd::cargo::cargo_bin!("ludus"), &["gtp"]);
    let games = number_from_environment("LUDUS_GNUGO_GAMES", 20);
    let mut counts = Counts::default();
    for seed in 1..=games {
        agree_on(seed, &ours, &theirs, &mut counts);
        counts.captured += counts.captures.iter().sum::<u64>();
    }
    ours.end().unwrap();
    theirs.end().unwrap();
    println!(
        "{games} games: {} moves and {} captured stones the same, {} moves refused by both; {} \
         questions of legality, {} of them about empty points that are forbidden",
        counts.moves, counts.captured, counts.refused, counts.questions, counts.forbidden_empty
    );
}
