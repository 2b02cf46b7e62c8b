//! The move generators against a deliberately plain one on an array of cells.

use ludus_core::{Notation, Options, PieceKind, Position, Random};
use ludus_games::draughts::{Draughts, MoveSquares};
use std::collections::BTreeSet;

const RULES: [&str; 8] =
    ["english", "brazilian", "russian", "international", "italian", "spanish", "czech", "pool"];

fn kings_fly(rules: &str) -> bool {
    !matches!(rules, "english" | "italian")
}

fn men_capture_backwards(rules: &str) -> bool {
    !matches!(rules, "english" | "italian" | "spanish" | "czech")
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Man {
    white: bool,
    king: bool,
}

/// A board of cells, row by row from the top.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Plain {
    rules: &'static str,
    size: i32,
    white_moves: bool,
    cells: Vec<Option<Man>>,
}

type Cell = (i32, i32);

/// A capture on its way: cells visited and cells captured.
#[derive(Clone, PartialEq, Eq, Debug)]
struct CapturePath {
    visited: Vec<Cell>,
    captured: Vec<Cell>,
}

const DIAGONALS: [Cell; 4] = [(1, -1), (1, 1), (-1, 1), (-1, -1)];

fn add((row, column): Cell, (down, right): Cell, times: i32) -> Cell {
    (row + down * times, column + right * times)
}

impl Plain {
    fn new(rules: &'static str, position: &Draughts) -> Plain {
        let view = position.view();
        let first_is_white = !matches!(rules, "english" | "pool");
        let first_moves = position.turn() == ludus_core::Side::First;
        Plain {
            rules,
            size: view.columns as i32,
            white_moves: first_moves == first_is_white,
            cells: view
                .cells
                .iter()
                .map(|cell| {
                    cell.piece.map(|piece| Man {
                        white: piece.light,
                        king: piece.kind == PieceKind::DraughtsKing,
                    })
                })
                .collect(),
        }
    }

    fn inside(&self, (row, column): Cell) -> bool {
        (0..self.size).contains(&row) && (0..self.size).contains(&column)
    }

    fn get(&self, cell: Cell) -> Option<Man> {
        self.cells[(cell.0 * self.size + cell.1) as usize]
    }

    fn set(&mut self, cell: Cell, man: Option<Man>) {
        self.cells[(cell.0 * self.size + cell.1) as usize] = man;
    }

    fn empty(&self, cell: Cell) -> bool {
        self.inside(cell) && self.get(cell).is_none()
    }

    fn number(&self, (row, column): Cell) -> u32 {
        let from_top = (row * self.size / 2 + column / 2 + 1) as u32;
        if self.rules == "spanish" { 33 - from_top } else { from_top }
    }

    fn own(&self) -> Vec<(Cell, Man)> {
        let all = (0..self.size).flat_map(|row| (0..self.size).map(move |column| (row, column)));
        all.filter_map(|cell| Some((cell, self.get(cell)?)))
            .filter(|(_, man)| man.white == self.white_moves)
            .collect()
    }

    fn ahead(&self) -> i32 {
        if self.white_moves { -1 } else { 1 }
    }

    fn crowns(&self, (row, _): Cell) -> bool {
        row == if self.white_moves { 0 } else { self.size - 1 }
    }

    /// The enemy that a piece on `at` can capture along `diagonal`, and where it may land.
    fn jump(
        &self,
        at: Cell,
        king: bool,
        diagonal: Cell,
        gone: &[Cell],
    ) -> Option<(Cell, Vec<Cell>)> {
        let flying = king && kings_fly(self.rules);
        if !king && !men_capture_backwards(self.rules) && diagonal.0 != self.ahead() {
            return None;
        }
        let mut distance = 1;
        while flying && self.empty(add(at, diagonal, distance)) {
            distance += 1;
        }
        let over = add(at, diagonal, distance);
        if !self.inside(over) || gone.contains(&over) {
            return None;
        }
        let enemy = self.get(over)?;
        if enemy.white == self.white_moves || self.rules == "italian" && !king && enemy.king {
            return None;
        }
        let behind = (distance + 1..).map(|distance| add(at, diagonal, distance));
        let mut landings: Vec<Cell> = behind.take_while(|&cell| self.empty(cell)).collect();
        if !flying {
            landings.truncate(1);
        }
        (!landings.is_empty()).then_some((over, landings))
    }

    fn can_capture(&self, at: Cell, king: bool, gone: &[Cell]) -> bool {
        DIAGONALS.iter().any(|&diagonal| self.jump(at, king, diagonal, gone).is_some())
    }

    /// Finishes `path` in every manner; `self` has the moving piece taken off.
    fn capture_on(&self, path: &CapturePath, king: bool, out: &mut Vec<CapturePath>) {
        let at = *path.visited.last().unwrap();
        for diagonal in DIAGONALS {
            let Some((over, landings)) = self.jump(at, king, diagonal, &path.captured) else {
                continue;
            };
            let mut captured = path.captured.clone();
            captured.push(over);
            let crowned = |cell| !king && self.rules == "russian" && self.crowns(cell);
            let goes_on = |cell: &Cell| self.can_capture(*cell, king || crowned(*cell), &captured);
            let must_go_on = landings.iter().any(goes_on);
            for &landing in landings.iter().filter(|&cell| !must_go_on || goes_on(cell)) {
                let mut longer =
                    CapturePath { visited: path.visited.clone(), captured: captured.clone() };
                longer.visited.push(landing);
                if must_go_on {
                    self.capture_on(&longer, king || crowned(landing), out);
                } else {
                    out.push(longer);
                }
            }
        }
    }

    /// Every capture by every sequence of landing squares.
    fn captures(&self) -> Vec<CapturePath> {
        let mut paths = Vec::new();
        for (cell, man) in self.own() {
            let mut lifted = self.clone();
            lifted.set(cell, None);
            let path = CapturePath { visited: vec![cell], captured: Vec::new() };
            lifted.capture_on(&path, man.king, &mut paths);
        }
        for merit in self.merits() {
            let most = paths.iter().map(|path| merit(self, path)).max();
            paths.retain(|path| Some(merit(self, path)) == most);
        }
        paths
    }

    /// Each leaves only the captures with the most of it, one after the other.
    fn merits(&self) -> Vec<fn(&Plain, &CapturePath) -> Vec<usize>> {
        let pieces = |_: &Plain, path: &CapturePath| vec![path.captured.len()];
        let king = |plain: &Plain, path: &CapturePath| {
            vec![usize::from(plain.get(path.visited[0]).unwrap().king)]
        };
        let kings_in_order = |plain: &Plain, path: &CapturePath| {
            let is_king = |&cell: &Cell| usize::from(plain.get(cell).unwrap().king);
            path.captured.iter().map(is_king).collect::<Vec<_>>()
        };
        let kings = |plain: &Plain, path: &CapturePath| {
            let is_king = |cell: &&Cell| plain.get(**cell).unwrap().king;
            vec![path.captured.iter().filter(is_king).count()]
        };
        match self.rules {
            "brazilian" | "international" => vec![pieces],
            "italian" => vec![pieces, king, kings, kings_in_order],
            "spanish" => vec![pieces, kings],
            "czech" => vec![king],
            _ => vec![],
        }
    }

    fn quiet(&self) -> Vec<CapturePath> {
        let mut paths = Vec::new();
        for (cell, man) in self.own() {
            for diagonal in DIAGONALS {
                if !man.king && diagonal.0 != self.ahead() {
                    continue;
                }
                let far = if man.king && kings_fly(self.rules) { self.size } else { 1 };
                let line = (1..=far).map(|distance| add(cell, diagonal, distance));
                for to in line.take_while(|&to| self.empty(to)) {
                    paths.push(CapturePath { visited: vec![cell, to], captured: Vec::new() });
                }
            }
        }
        paths
    }

    fn paths(&self) -> Vec<CapturePath> {
        let captures = self.captures();
        if captures.is_empty() { self.quiet() } else { captures }
    }

    fn squares(&self, path: &CapturePath) -> MoveSquares {
        let mut captured: Vec<u32> = path.captured.iter().map(|&cell| self.number(cell)).collect();
        captured.sort_unstable();
        let [from, .., to] = path.visited[..] else { panic!("a move has two squares") };
        MoveSquares { from: self.number(from), to: self.number(to), captured }
    }

    /// Whether a king captures on along a line from a square that is not the first behind the
    /// captured piece: such rests make no path of their own.
    fn rests(&self, path: &CapturePath) -> bool {
        path.visited.windows(3).zip(&path.captured).any(|(legs, &over)| {
            let sign = |from: Cell, to: Cell| ((to.0 - from.0).signum(), (to.1 - from.1).signum());
            let diagonal = sign(legs[0], legs[1]);
            diagonal == sign(legs[1], legs[2]) && legs[1] != add(over, diagonal, 1)
        })
    }

    fn after(&self, path: &CapturePath) -> Plain {
        let mut next = self.clone();
        let (from, to) = (path.visited[0], *path.visited.last().unwrap());
        let mut man = self.get(from).unwrap();
        next.set(from, None);
        for &cell in &path.captured {
            next.set(cell, None);
        }
        let touches = path.visited.iter().any(|&cell| self.crowns(cell));
        man.king |= self.crowns(to) || self.rules == "russian" && touches;
        next.set(to, Some(man));
        next.white_moves = !self.white_moves;
        next
    }

    fn perft(&self, depth: u32) -> u64 {
        let mut seen = BTreeSet::new();
        let mut count = 0;
        for path in self.paths() {
            if seen.insert(self.squares(&path)) {
                count += if depth == 1 { 1 } else { self.after(&path).perft(depth - 1) };
            }
        }
        count
    }
}

/// Compares moves, paths and the positions after them.
fn compare(rules: &'static str, position: &Draughts) {
    let place = format!("{rules} {}", position.text());
    let plain = Plain::new(rules, position);
    let plain_paths = plain.paths();
    let expected: BTreeSet<MoveSquares> =
        plain_paths.iter().map(|path| plain.squares(path)).collect();
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let found: BTreeSet<MoveSquares> = moves.iter().map(|&mv| position.move_squares(mv)).collect();
    assert_eq!(found, expected, "{place}");
    assert_eq!(moves.len(), expected.len(), "a move is listed twice: {place}");
    assert_eq!(position.count_moves(), expected.len(), "{place}");

    let mut paths = Vec::new();
    position.legal_paths(&mut paths);
    let mut paths: Vec<MoveSquares> = paths.iter().map(|&mv| position.move_squares(mv)).collect();
    let own = plain_paths.iter().filter(|path| !plain.rests(path));
    let mut expected: Vec<MoveSquares> = own.map(|path| plain.squares(path)).collect();
    paths.sort();
    expected.sort();
    assert_eq!(paths, expected, "paths of {place}");

    for path in &plain_paths {
        let squares = plain.squares(path);
        let mv = moves.iter().find(|&&mv| position.move_squares(mv) == squares).unwrap();
        let next = Plain::new(rules, &position.after(*mv));
        assert_eq!(next, plain.after(path), "after {path:?} in {place}");
    }
}

fn options(rules: &str) -> Options {
    Options::parse(&format!("draughts:rules={rules}"), Draughts::OPTIONS).unwrap()
}

#[test]
fn moves_agree_over_random_games() {
    for rules in RULES {
        let mut random = Random::new(11);
        let mut moves = Vec::new();
        for _ in 0..60 {
            let mut position = Draughts::start(&options(rules)).unwrap();
            for _ in 0..120 {
                compare(rules, &position);
                moves.clear();
                position.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                position.play(mv);
            }
        }
    }
}

/// Pieces thrown on the board, many of them kings: long captures, loops and doubles.
fn scattered(rules: &str, random: &mut Random) -> Option<Draughts> {
    let squares = if rules == "international" { 50 } else { 32 };
    let mut numbers: Vec<usize> = (1..=squares).collect();
    random.shuffle(&mut numbers);
    let mut lists = [String::new(), String::new()];
    let most = if rules == "international" { 14 } else { 9 };
    let kings = 1 + random.below(4);
    let pieces = 3 + random.below(2 * most);
    for (index, number) in numbers.into_iter().take(pieces).enumerate() {
        let king = if random.below(4) < kings { "K" } else { "" };
        let comma = if lists[index % 2].is_empty() { "" } else { "," };
        lists[index % 2] += &format!("{comma}{king}{number}");
    }
    let turn = if random.below(2) == 0 { "W" } else { "B" };
    let text = format!("{turn}:W{}:B{}", lists[0], lists[1]);
    Draughts::parse(&options(rules), &text).ok()
}

#[test]
fn moves_agree_on_scattered_pieces() {
    for rules in RULES {
        let mut random = Random::new(12);
        let mut compared = 0;
        let mut doubles = 0;
        while compared < 3_000 {
            let Some(position) = scattered(rules, &mut random) else { continue };
            compare(rules, &position);
            let mut paths = Vec::new();
            position.legal_paths(&mut paths);
            doubles += usize::from(paths.len() > position.count_moves());
            compared += 1;
        }
        assert!(doubles > 0, "no position of {rules} had two paths of one move");
    }
}

#[test]
fn perft_agrees_on_scattered_pieces() {
    for rules in RULES {
        let mut random = Random::new(13);
        let mut compared = 0;
        while compared < 40 {
            let Some(position) = scattered(rules, &mut random) else { continue };
            let counted = ludus_core::perft::perft(&position, 3);
            let expected = Plain::new(rules, &position).perft(3);
            assert_eq!(counted, expected, "{rules} {}", position.text());
            compared += 1;
        }
    }
}

/// The source of the rich positions in the perft file.
#[test]
fn perft_file_agrees() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/perft/draughts.perft");
    let text = std::fs::read_to_string(path).unwrap();
    let mut rules = RULES[0];
    let mut position = Draughts::start(&options(rules)).unwrap();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["game", spec] => {
                rules = RULES.into_iter().find(|rules| spec.ends_with(rules)).unwrap();
                position = Draughts::start(&options(rules)).unwrap();
            }
            ["position", text] => position = Draughts::parse(&options(rules), text).unwrap(),
            ["perft", depth, nodes] => {
                let (depth, nodes): (u32, u64) = (depth.parse().unwrap(), nodes.parse().unwrap());
                if nodes < 50_000 {
                    assert_eq!(Plain::new(rules, &position).perft(depth), nodes, "{rules} {line}");
                }
            }
            ["large", ..] => {}
            _ => panic!("what is {line:?}?"),
        }
    }
}
