//! Learning from positions: Adam (Kingma and Ba 2015) on mean gradients, and the mean of the weights
//! on the way as what was learned.

use super::{
    BoardNet, Cell,
    backward::{Backward, Transposed, Wrong},
    forward::{Pass, to_chances},
};
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// The plane that says where the side to move may play.
pub const LEGAL: u32 = 1 << 31;

/// A position to learn from. Points go row by row; a pass has the number behind the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// Points in a row.
    pub size: usize,
    /// A bit of each plane.
    pub points: Box<[u32]>,
    /// Moves and their weights.
    pub moves: Box<[(u16, u16)]>,
    /// The chance of the side to move to win.
    pub winner: f32,
    /// How much of each point is the side to move's in the end, from 0 to 2; empty if unknown.
    pub owners: Box<[u8]>,
}

impl Lesson {
    /// The number of a point or a pass under one of the eight symmetries of a square.
    pub(super) fn turned(&self, index: usize, symmetry: u8) -> usize {
        let size = self.size;
        if index == size * size {
            return index;
        }
        let (mut row, mut column) = (index / size, index % size);
        if symmetry & 1 != 0 {
            row = size - 1 - row;
        }
        if symmetry & 2 != 0 {
            column = size - 1 - column;
        }
        if symmetry & 4 != 0 {
            (row, column) = (column, row);
        }
        row * size + column
    }
}

/// How fast to learn.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Schedule {
    /// The first step's size.
    pub rate: f32,
    /// Steps in all; the rate falls to a hundredth in a straight line.
    pub steps: u64,
    /// Weights shrink by this part of the rate.
    pub decay: f32,
}

impl Schedule {
    fn rate_at(&self, step: u64) -> f32 {
        // The first steps are small, while Adam knows little.
        let warm = ((step + 1) as f32 / WARM_UP).min(1.0);
        let left = 1.0 - step as f32 / self.steps as f32;
        self.rate * warm * left.max(0.01)
    }
}

const WARM_UP: f32 = 200.0;
/// Positions whose gradients one thread adds up. The sums do not depend on the number of threads.
const CHUNK: usize = 16;
/// How much the owners of all points count, where the move counts 1.
const OWNERS: f32 = 1.5;
/// How much the winner counts.
const WINNER: f32 = 1.5;
/// How much the mean of the weights keeps at a step.
const KEPT: f32 = 0.999;

/// How far off a network is, in the mean.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Losses {
    /// Cross entropy of moves.
    pub moves: f64,
    /// The part of the positions in which the likeliest move is the one with the most weight.
    pub first: f64,
    /// Squared error of the winner's chance.
    pub winner: f64,
    /// Squared error of owners.
    pub owners: f64,
    /// Positions.
    pub count: f64,
    /// Those of them with moves to learn.
    pub with_moves: f64,
}

impl Losses {
    fn add(&mut self, other: &Losses) {
        self.moves += other.moves;
        self.first += other.first;
        self.winner += other.winner;
        self.owners += other.owners;
        self.count += other.count;
        self.with_moves += other.with_moves;
    }

    /// Sums made means.
    fn mean(mut self) -> Losses {
        for sum in [&mut self.moves, &mut self.first] {
            *sum /= self.with_moves.max(1.0);
        }
        for sum in [&mut self.winner, &mut self.owners] {
            *sum /= self.count.max(1.0);
        }
        self
    }
}

/// One thread's room.
struct Room {
    pass: Pass,
    backward: Backward,
    wrong: Wrong,
    chances: Vec<f32>,
}

impl Room {
    fn new(size: usize, blocks: usize) -> Room {
        Room {
            pass: Pass::new(size, blocks),
            backward: Backward::new(size),
            wrong: Wrong::default(),
            chances: Vec::new(),
        }
    }

    /// Lets the network look at a lesson, and says what was wrong.
    fn look(&mut self, net: &BoardNet, lesson: &Lesson, symmetry: u8) -> Losses {
        let points = lesson.size * lesson.size;
        let mut turned = vec![0; points];
        for (index, &bits) in lesson.points.iter().enumerate() {
            turned[lesson.turned(index, symmetry)] = bits;
        }
        self.pass.set(turned.iter().copied());
        self.pass.run(net);
        self.chances.clone_from(&self.pass.logits);
        for (chance, bits) in self.chances.iter_mut().zip(&turned) {
            *chance = if bits & LEGAL != 0 { *chance } else { f32::NEG_INFINITY };
        }
        to_chances(&mut self.chances);
        let mut losses = Losses { count: 1.0, ..Losses::default() };
        self.judge_moves(lesson, symmetry, &mut losses);
        self.wrong.winner = WINNER * (self.pass.winner - lesson.winner);
        losses.winner = f64::from(self.pass.winner - lesson.winner).powi(2);
        self.judge_owners(lesson, symmetry, &mut losses);
        losses
    }

    fn judge_moves(&mut self, lesson: &Lesson, symmetry: u8, losses: &mut Losses) {
        let total: f32 = lesson.moves.iter().map(|&(_, weight)| f32::from(weight)).sum();
        self.wrong.logits.clear();
        if total == 0.0 {
            self.wrong.logits.resize(self.chances.len(), 0.0);
            return;
        }
        losses.with_moves = 1.0;
        self.wrong.logits.extend(&self.chances);
        let (mut most, mut favourite) = (0, 0);
        for &(index, weight) in &lesson.moves {
            let at = lesson.turned(usize::from(index), symmetry);
            let share = f32::from(weight) / total;
            self.wrong.logits[at] -= share;
            losses.moves -= f64::from(share) * f64::from(self.chances[at].max(1e-9)).ln();
            if weight > most {
                (most, favourite) = (weight, at);
            }
        }
        let best =
            (0..self.chances.len()).max_by(|&a, &b| self.chances[a].total_cmp(&self.chances[b]));
        losses.first = if best == Some(favourite) { 1.0 } else { 0.0 };
    }

    fn judge_owners(&mut self, lesson: &Lesson, symmetry: u8, losses: &mut Losses) {
        let points = lesson.size * lesson.size;
        self.wrong.owners.clear();
        self.wrong.owners.resize(points, 0.0);
        let share = OWNERS / points as f32;
        for (index, &owner) in lesson.owners.iter().enumerate() {
            let at = lesson.turned(index, symmetry);
            let off = self.pass.owners[at] - f32::from(owner) / 2.0;
            self.wrong.owners[at] = share * off;
            losses.owners += f64::from(off).powi(2) / points as f64;
        }
    }
}

/// A network that learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Trainer {
    pub(super) net: BoardNet,
    /// The mean of the weights so far, the last ones most.
    pub(super) learned: Vec<Cell>,
    pub(super) means: Vec<Cell>,
    pub(super) squares: Vec<Cell>,
    pub(super) steps: u64,
}

impl Trainer {
    /// Starts with a network.
    pub fn new(net: BoardNet) -> Trainer {
        let zeros = vec![Cell::ZERO; net.rows.len()];
        Trainer { learned: net.rows.clone(), means: zeros.clone(), squares: zeros, net, steps: 0 }
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// What was learned so far.
    pub fn net(&self) -> BoardNet {
        BoardNet { layout: self.net.layout.clone(), rows: self.learned.clone() }
    }

    /// Learns from some positions, each seen under a symmetry, and says how far off it was.
    pub fn step(
        &mut self,
        lessons: &[(&Lesson, u8)],
        schedule: &Schedule,
        threads: usize,
    ) -> Losses {
        let (gradient, losses) = self.gradient(lessons, threads);
        let rate = schedule.rate_at(self.steps);
        self.steps += 1;
        let share = 1.0 / lessons.len() as f32;
        let [first, second] = [0.9f32, 0.999].map(|kept| 1.0 - power(kept, self.steps));
        let kept = KEPT.min(1.0 - 1.0 / (self.steps + 1) as f32);
        let rows = self.net.rows.iter_mut().zip(&mut self.learned);
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for (((row, learned), (mean, square)), gradient) in rows.zip(moments).zip(&gradient) {
            for lane in 0..super::WIDTH {
                let wanted = gradient.0[lane] * share;
                mean.0[lane] += 0.1 * (wanted - mean.0[lane]);
                square.0[lane] += 0.001 * (wanted * wanted - square.0[lane]);
                let step = (mean.0[lane] / first) / ((square.0[lane] / second).sqrt() + 1e-8);
                row.0[lane] -= rate * (step + schedule.decay * row.0[lane]);
                learned.0[lane] += (1.0 - kept) * (row.0[lane] - learned.0[lane]);
            }
        }
        losses
    }

    /// The sum of the gradients of all lessons.
    pub(super) fn gradient(
        &self,
        lessons: &[(&Lesson, u8)],
        threads: usize,
    ) -> (Vec<Cell>, Losses) {
        let back = Transposed::of(&self.net);
        let chunks: Vec<&[(&Lesson, u8)]> = lessons.chunks(CHUNK).collect();
        let parts = in_parallel(chunks.len(), threads, |number| self.part(chunks[number], &back));
        let mut parts = parts.into_iter();
        let (mut sum, mut losses) = parts.next().expect("lessons");
        for (part, more) in parts {
            losses.add(&more);
            sum.iter_mut().zip(&part).for_each(|(sum, row)| sum.add(row));
        }
        (sum, losses.mean())
    }

    fn part(&self, lessons: &[(&Lesson, u8)], back: &Transposed) -> (Vec<Cell>, Losses) {
        let mut gradient = vec![Cell::ZERO; self.net.rows.len()];
        let mut losses = Losses::default();
        let mut rooms = Rooms::new(self.net.blocks());
        for &(lesson, symmetry) in lessons {
            let room = rooms.of(lesson.size);
            losses.add(&room.look(&self.net, lesson, symmetry));
            room.backward.run(&self.net, back, &room.pass, &room.wrong, &mut gradient);
        }
        (gradient, losses)
    }
}

impl BoardNet {
    /// How far off it is on positions it does not learn from.
    pub fn losses(&self, lessons: &[&Lesson], threads: usize) -> Losses {
        let chunks: Vec<&[&Lesson]> = lessons.chunks(CHUNK).collect();
        let parts = in_parallel(chunks.len(), threads, |number| {
            let mut losses = Losses::default();
            let mut rooms = Rooms::new(self.blocks());
            for lesson in chunks[number] {
                losses.add(&rooms.of(lesson.size).look(self, lesson, 0));
            }
            losses
        });
        let mut losses = Losses::default();
        parts.iter().for_each(|part| losses.add(part));
        losses.mean()
    }
}

/// A room for each size of board.
struct Rooms {
    blocks: usize,
    rooms: Vec<(usize, Room)>,
}

impl Rooms {
    fn new(blocks: usize) -> Rooms {
        Rooms { blocks, rooms: Vec::new() }
    }

    fn of(&mut self, size: usize) -> &mut Room {
        let at = match self.rooms.iter().position(|(known, _)| *known == size) {
            Some(at) => at,
            None => {
                self.rooms.push((size, Room::new(size, self.blocks)));
                self.rooms.len() - 1
            }
        };
        &mut self.rooms[at].1
    }
}

/// `base` to a whole power, by multiplications only.
fn power(base: f32, exponent: u64) -> f32 {
    let (mut product, mut square, mut left) = (1.0, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            product *= square;
        }
        square *= square;
        left >>= 1;
    }
    product
}

/// The results of `work` for the numbers below `count`, in order.
fn in_parallel<T: Send>(count: usize, threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let (next, work) = (&next, &work);
    let run = || {
        let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|number| *number < count);
        std::iter::from_fn(take).map(|number| (number, work(number))).collect::<Vec<_>>()
    };
    let mut results = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(run)).collect();
        let mut results = run();
        for other in others {
            results.extend(other.join().expect("a thread that learns"));
        }
        results
    });
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}

/// What gradients are the slopes of.
#[cfg(test)]
pub(super) fn loss(net: &BoardNet, lesson: &Lesson, symmetry: u8) -> f64 {
    let mut room = Room::new(lesson.size, net.blocks());
    let moves = room.look(net, lesson, symmetry).moves;
    let entropy = |said: f32, truth: f32| {
        let [said, truth] = [said, truth].map(f64::from);
        -truth * said.ln() - (1.0 - truth) * (1.0 - said).ln()
    };
    let winner = entropy(room.pass.winner, lesson.winner);
    let owners: f64 = (lesson.owners.iter().enumerate())
        .map(|(index, &owner)| {
            let at = lesson.turned(index, symmetry);
            entropy(room.pass.owners[at], f32::from(owner) / 2.0)
        })
        .sum();
    let share = f64::from(OWNERS) / lesson.owners.len() as f64;
    moves + f64::from(WINNER) * winner + share * owners
}
