//! The board against a deliberately plain one: arrays, flood fills and a list of all past boards.

use ludus_core::{Notation, Options, Position, Random, Side, perft::perft};
use ludus_games::go::{
    Go, GoBoard, GoMove, Point,
    playout::play_out,
    rules::{Ko, Scoring},
};
use std::collections::HashSet;

/// A board as an array: `Some(side)` or empty, row by row from the top.
type Stones = Vec<Option<Side>>;

#[derive(Clone)]
struct Plain {
    size: usize,
    stones: Stones,
    turn: Side,
    passes: u8,
    prisoners: [u32; 2],
    /// Every board so far with the side to move then, this one last.
    past: Vec<(Stones, Side)>,
}

fn neighbours(size: usize, index: usize) -> Vec<usize> {
    let (row, column) = (index / size, index % size);
    let mut found = Vec::new();
    if row > 0 {
        found.push(index - size);
    }
    if row + 1 < size {
        found.push(index + size);
    }
    if column > 0 {
        found.push(index - 1);
    }
    if column + 1 < size {
        found.push(index + 1);
    }
    found
}

/// The connected points of the same content as `start`, and everything beside them.
fn flood(size: usize, stones: &Stones, start: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut group, mut border) = (vec![start], Vec::new());
    let mut seen = vec![false; size * size];
    seen[start] = true;
    let mut next = 0;
    while let Some(&index) = group.get(next) {
        next += 1;
        for neighbour in neighbours(size, index) {
            if !std::mem::replace(&mut seen[neighbour], true) {
                let same = stones[neighbour] == stones[start];
                if same { &mut group } else { &mut border }.push(neighbour);
            }
        }
    }
    (group, border)
}

fn liberties(size: usize, stones: &Stones, index: usize) -> Vec<usize> {
    let (_, border) = flood(size, stones, index);
    border.into_iter().filter(|&point| stones[point].is_none()).collect()
}

impl Plain {
    fn new(size: usize, turn: Side) -> Plain {
        let stones = vec![None; size * size];
        let past = vec![(stones.clone(), turn)];
        Plain { size, stones, turn, passes: 0, prisoners: [0; 2], past }
    }

    /// The board after a stone on `index`, with the stones captured of the other and of the own.
    fn place(&self, index: usize) -> (Stones, usize, usize) {
        let mut stones = self.stones.clone();
        stones[index] = Some(self.turn);
        let mut captured = 0;
        for neighbour in neighbours(self.size, index) {
            if stones[neighbour] == Some(!self.turn)
                && liberties(self.size, &stones, neighbour).is_empty()
            {
                for point in flood(self.size, &stones, neighbour).0 {
                    stones[point] = None;
                    captured += 1;
                }
            }
        }
        let mut lost = 0;
        if liberties(self.size, &stones, index).is_empty() {
            for point in flood(self.size, &stones, index).0 {
                stones[point] = None;
                lost += 1;
            }
        }
        (stones, captured, lost)
    }

    fn is_legal(&self, index: usize, ko: Ko, suicide: bool) -> bool {
        if self.stones[index].is_some() {
            return false;
        }
        let (stones, captured, lost) = self.place(index);
        if lost > 0 && !suicide {
            return false;
        }
        match ko {
            Ko::Simple => {
                // The last move was a stone, and taking one stone would undo it.
                let before = self.past.len().checked_sub(2).map(|last| &self.past[last].0);
                !(self.passes == 0 && captured == 1 && before == Some(&stones))
            }
            Ko::Positional => self.past.iter().all(|(past, _)| *past != stones),
            Ko::Situational => {
                self.past.iter().all(|(past, turn)| *past != stones || *turn == self.turn)
            }
        }
    }

    fn moves(&self, ko: Ko, suicide: bool) -> Vec<Option<usize>> {
        if self.passes == 2 {
            return Vec::new();
        }
        let points = 0..self.stones.len();
        points.filter(|&index| self.is_legal(index, ko, suicide)).map(Some).chain([None]).collect()
    }

    fn play(&mut self, mv: Option<usize>) {
        if let Some(index) = mv {
            let (stones, captured, lost) = self.place(index);
            self.stones = stones;
            self.prisoners[self.turn.index()] += captured as u32;
            self.prisoners[(!self.turn).index()] += lost as u32;
            self.passes = 0;
        } else {
            self.passes += 1;
        }
        self.turn = !self.turn;
        self.past.push((self.stones.clone(), self.turn));
    }

    /// Stones and surrounded empty points of each side.
    fn count(&self) -> ([i32; 2], [i32; 2]) {
        let (mut stones, mut territory) = ([0; 2], [0; 2]);
        for index in 0..self.stones.len() {
            if let Some(side) = self.stones[index] {
                stones[side.index()] += 1;
                continue;
            }
            let (_, border) = flood(self.size, &self.stones, index);
            let touches = |side| border.iter().any(|&point| self.stones[point] == Some(side));
            match Side::BOTH.map(touches) {
                [true, false] => territory[0] += 1,
                [false, true] => territory[1] += 1,
                _ => {}
            }
        }
        (stones, territory)
    }

    fn score(&self, scoring: Scoring) -> i32 {
        let (stones, territory) = self.count();
        let others = match scoring {
            Scoring::Area => stones[0] - stones[1],
            Scoring::Territory => self.prisoners[0] as i32 - self.prisoners[1] as i32,
        };
        territory[0] - territory[1] + others
    }
}

fn start(spec: &str) -> Go {
    Go::start(&Options::parse(spec, Go::OPTIONS).unwrap()).unwrap()
}

fn index(board: &GoBoard, point: Point) -> usize {
    let (row, column) = board.row_column(point);
    row * board.size() + column
}

fn plain_move(go: &Go, mv: GoMove) -> Option<usize> {
    match mv {
        GoMove::Play(point) => Some(index(go.board(), point)),
        GoMove::Pass => None,
    }
}

/// Every stone, chain, liberty, eye and neighbourhood of `board` against flood fills.
fn check_board(board: &GoBoard, stones: &Stones) {
    let size = board.size();
    for point in board.points() {
        let here = index(board, point);
        assert_eq!(board.stone(point), stones[here], "{board:?}");
        assert_eq!(board.is_empty(point), stones[here].is_none());
        let beside: HashSet<usize> = board.neighbours(point).map(|n| index(board, n)).collect();
        assert_eq!(beside, HashSet::from_iter(neighbours(size, here)));
        for (bits, step) in [(0, (-1, 0)), (1, (0, -1)), (5, (-1, 1)), (7, (1, 1))] {
            let row = (here / size).checked_add_signed(step.0).filter(|&row| row < size);
            let column = (here % size).checked_add_signed(step.1).filter(|&column| column < size);
            let expected = row.zip(column).map_or(3, |(row, column)| {
                stones[row * size + column].map_or(0, |side| side.index() as u16 + 1)
            });
            assert_eq!(board.neighbourhood(point) >> (2 * bits) & 3, expected, "{board:?}");
        }
        if stones[here].is_none() {
            continue;
        }
        let (group, _) = flood(size, stones, here);
        let chain: HashSet<usize> = board.chain_stones(point).map(|s| index(board, s)).collect();
        assert_eq!(chain, HashSet::from_iter(group.iter().copied()), "{board:?}");
        assert_eq!(board.chain_size(point), group.len());
        assert!(board.chain_stones(point).all(|stone| board.chain(stone) == board.chain(point)));
        let free = liberties(size, stones, here);
        assert_eq!(board.liberties(point), free.len(), "{board:?}");
        let last = (free.len() == 1).then(|| free[0]);
        assert_eq!(board.last_liberty(point).map(|p| index(board, p)), last, "{board:?}");
        assert_eq!(board.in_atari(point), last.is_some());
    }
    let empties: HashSet<usize> = board.empties().iter().map(|&p| index(board, p)).collect();
    assert_eq!(empties, (0..size * size).filter(|&i| stones[i].is_none()).collect());
    assert_eq!(empties.len(), board.empties().len());
    for side in Side::BOTH {
        let count = stones.iter().filter(|&&stone| stone == Some(side)).count();
        assert_eq!(board.count(side), count);
    }
}

fn contents(board: &GoBoard) -> Stones {
    board.points().map(|point| board.stone(point)).collect()
}

/// A random game of both, move sets, captures, boards and counts compared all the way.
fn compare_game(spec: &str, random: &mut Random, limit: usize, pass_chance: usize) {
    let mut go = start(spec);
    let rules = *go.rules();
    let mut plain = Plain::new(go.board().size(), go.turn());
    let mut moves = Vec::new();
    for _ in 0..limit {
        moves.clear();
        go.legal_moves(&mut moves);
        let ours: Vec<Option<usize>> = moves.iter().map(|&mv| plain_move(&go, mv)).collect();
        assert_eq!(ours, plain.moves(rules.ko, rules.suicide), "{spec}\n{go:?}");
        check_board(go.board(), &plain.stones);
        assert_eq!([0, 1].map(|s| go.prisoners(Side::BOTH[s])), plain.prisoners, "{spec}\n{go:?}");
        let score = plain.score(rules.scoring) as f32 - rules.komi();
        assert_eq!(go.score(), score, "{spec}\n{go:?}");
        assert_eq!(go.margin(), (plain.passes == 2).then_some(score));
        for &mv in &moves {
            if let GoMove::Play(point) = mv {
                let (_, captured, lost) = plain.place(index(go.board(), point));
                assert_eq!(go.board().captures(go.turn(), point), captured, "{go:?}");
                assert_eq!(go.board().is_suicide(go.turn(), point), lost > 0, "{go:?}");
            }
        }
        let Some(mut mv) = random.pick(&moves) else { break };
        if mv == GoMove::Pass && random.below(pass_chance) != 0 {
            mv = moves[0];
        }
        plain.play(plain_move(&go, mv));
        go.play(mv);
    }
}

#[test]
fn random_games_agree() {
    let mut random = Random::new(2);
    for ko in ["simple", "positional", "situational"] {
        for suicide in ["off", "on"] {
            for (size, games, limit) in
                [(2, 40, 60), (3, 20, 120), (4, 8, 120), (5, 3, 150), (7, 2, 150), (9, 1, 150)]
            {
                for game in 0..games {
                    let scoring = ["area", "territory"][game % 2];
                    let spec =
                        format!("go:size={size},ko={ko},suicide={suicide},scoring={scoring}");
                    compare_game(&spec, &mut random, limit, 4);
                }
            }
        }
    }
}

#[test]
fn random_games_on_large_boards_agree() {
    let mut random = Random::new(3);
    for spec in ["go:size=13", "go:size=19", "go:size=25,ko=situational,suicide=on"] {
        compare_game(spec, &mut random, 60, 50);
    }
}

fn plain_perft(plain: &Plain, ko: Ko, suicide: bool, depth: u32) -> u64 {
    let moves = plain.moves(ko, suicide);
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |mv| {
        let mut next = plain.clone();
        next.play(mv);
        plain_perft(&next, ko, suicide, depth - 1)
    };
    moves.into_iter().map(after).sum()
}

#[test]
fn perft_agrees() {
    for (spec, depth) in [
        ("go:size=2", 11),
        ("go:size=2,ko=simple", 9),
        ("go:size=2,ko=situational", 10),
        ("go:size=2,suicide=on", 9),
        ("go:size=2,ko=simple,suicide=on", 8),
        ("go:size=2,ko=situational,suicide=on", 9),
        ("go:size=3", 6),
        ("go:size=4", 4),
        ("go:size=5", 3),
        ("go:size=9", 2),
        ("go:size=19", 2),
    ] {
        let go = start(spec);
        let plain = Plain::new(go.board().size(), go.turn());
        let expected = plain_perft(&plain, go.rules().ko, go.rules().suicide, depth);
        assert_eq!(perft(&go, depth), expected, "{spec} {depth}");
    }
}

#[test]
fn playouts_leave_a_sound_board_and_a_right_count() {
    let mut random = Random::new(4);
    for size in [2, 3, 5, 7, 9, 10, 13, 17, 19, 22, 25] {
        for _ in 0..if size < 10 { 40 } else { 4 } {
            let mut board = GoBoard::new(size);
            let area = play_out(&mut board, Side::First, 0, &mut random);
            let stones = contents(&board);
            check_board(&board, &stones);
            let plain = Plain { stones, ..Plain::new(size, Side::First) };
            assert_eq!(area, plain.score(Scoring::Area), "{board:?}");
            if size < 5 {
                continue; // no room for eyes: captures go round in circles until they are cut
            }
            for &point in board.empties() {
                for side in Side::BOTH {
                    let ko = board.ko() == Some(point);
                    assert!(
                        board.is_eye(side, point) || board.is_suicide(side, point) || ko,
                        "{side:?} stopped early at {point:?}:\n{board:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn rollouts_judge_as_the_final_board_does() {
    let mut random = Random::new(5);
    let go = start("go:size=7,komi=0");
    let (mut wins, games) = (0, 4_000);
    for _ in 0..games {
        let seed = random.bits();
        let outcome = go.rollout(&mut Random::new(seed), &mut Vec::new());
        let margin = play_out(&mut go.board().clone(), Side::First, 0, &mut Random::new(seed));
        assert_eq!(outcome, ludus_core::Outcome::from_margin(margin as f32));
        wins += u32::from(margin > 0);
    }
    assert!((games * 50 / 100..games * 65 / 100).contains(&wins), "moving first helps a little");
}
