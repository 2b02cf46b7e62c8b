//! Training on positions: Adam (Kingma and Ba 2015) on mean gradients. The result is the moving average of
//! the weights.

use super::{
    BoardNet, Channels,
    backward::{Backward, OutputErrors, Transposed},
    forward::{ForwardPass, to_chances},
};
use crate::kernels::power;
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// The plane of the legal moves of the side to move.
pub const LEGAL: u32 = 1 << 31;

/// A training sample. Points go row by row; a pass has the index behind the last.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingPosition {
    /// Points in a row of the board.
    pub size: usize,
    /// For each point, a bit for each plane.
    pub points: Box<[u32]>,
    /// Target policy: moves and their weights.
    pub moves: Box<[(u16, u16)]>,
    /// Target value: the winning probability of the side to move.
    pub winner: f32,
    /// Target ownership: the share of the side to move in each point in the end, from 0 to 2; empty if
    /// unknown.
    pub owners: Box<[u8]>,
}

impl TrainingPosition {
    /// The index of a point or a pass under one of the eight symmetries of a square.
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

/// The learning-rate schedule.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct BoardNetSchedule {
    /// Initial learning rate.
    pub rate: f32,
    /// Number of steps; the rate falls to a hundredth linearly.
    pub steps: u64,
    /// Weight decay, as a share of the rate.
    pub decay: f32,
}

impl BoardNetSchedule {
    fn rate_at(&self, step: u64) -> f32 {
        // Warm-up: small steps while Adam's moments are estimates of few gradients.
        let warm = ((step + 1) as f32 / WARM_UP_STEPS).min(1.0);
        let left = 1.0 - step as f32 / self.steps as f32;
        self.rate * warm * left.max(0.01)
    }
}

const WARM_UP_STEPS: f32 = 200.0;
/// Positions whose gradients are added up by one thread. The sums do not depend on the number of threads.
const CHUNK_POSITIONS: usize = 16;
/// Weight of the ownership loss of all points, where the policy loss has weight 1.
const OWNERSHIP_LOSS_WEIGHT: f32 = 1.5;
/// Weight of the value loss.
const WINNER_LOSS_WEIGHT: f32 = 1.5;
/// Share of the moving average of the weights that a step keeps.
const WEIGHT_AVERAGE_DECAY: f32 = 0.999;

/// The mean losses of a network.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Losses {
    /// Policy loss: cross entropy of moves.
    pub moves: f64,
    /// Accuracy: the share of the positions in which the likeliest move is the one with the most weight.
    pub first: f64,
    /// Value loss: squared error of the winning probability.
    pub winner: f64,
    /// Ownership loss: squared error.
    pub owners: f64,
    /// Number of positions.
    pub count: f64,
    /// Number of positions with a target policy.
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

    /// Turns sums into means.
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

/// The buffers of one thread.
struct Workspace {
    pass: ForwardPass,
    backward: Backward,
    errors: OutputErrors,
    chances: Vec<f32>,
}

impl Workspace {
    fn new(size: usize, blocks: usize) -> Workspace {
        Workspace {
            pass: ForwardPass::new(size, blocks),
            backward: Backward::new(size),
            errors: OutputErrors::default(),
            chances: Vec::new(),
        }
    }

    /// Evaluates a sample and computes its losses and the gradients by the outputs.
    fn evaluate(&mut self, net: &BoardNet, sample: &TrainingPosition, symmetry: u8) -> Losses {
        let points = sample.size * sample.size;
        let mut turned = vec![0; points];
        for (index, &bits) in sample.points.iter().enumerate() {
            turned[sample.turned(index, symmetry)] = bits;
        }
        self.pass.set(turned.iter().copied());
        self.pass.run(net);
        self.chances.clone_from(&self.pass.logits);
        for (chance, bits) in self.chances.iter_mut().zip(&turned) {
            *chance = if bits & LEGAL != 0 { *chance } else { f32::NEG_INFINITY };
        }
        to_chances(&mut self.chances);
        let mut losses = Losses { count: 1.0, ..Losses::default() };
        self.score_moves(sample, symmetry, &mut losses);
        self.errors.winner = WINNER_LOSS_WEIGHT * (self.pass.winner - sample.winner);
        losses.winner = f64::from(self.pass.winner - sample.winner).powi(2);
        self.score_owners(sample, symmetry, &mut losses);
        losses
    }

    fn score_moves(&mut self, sample: &TrainingPosition, symmetry: u8, losses: &mut Losses) {
        let total: f32 = sample.moves.iter().map(|&(_, weight)| f32::from(weight)).sum();
        self.errors.logits.clear();
        if total == 0.0 {
            self.errors.logits.resize(self.chances.len(), 0.0);
            return;
        }
        losses.with_moves = 1.0;
        self.errors.logits.extend(&self.chances);
        let (mut most, mut favourite) = (0, 0);
        for &(index, weight) in &sample.moves {
            let at = sample.turned(usize::from(index), symmetry);
            let share = f32::from(weight) / total;
            self.errors.logits[at] -= share;
            losses.moves -= f64::from(share) * f64::from(self.chances[at].max(1e-9)).ln();
            if weight > most {
                (most, favourite) = (weight, at);
            }
        }
        let best =
            (0..self.chances.len()).max_by(|&a, &b| self.chances[a].total_cmp(&self.chances[b]));
        losses.first = if best == Some(favourite) { 1.0 } else { 0.0 };
    }

    fn score_owners(&mut self, sample: &TrainingPosition, symmetry: u8, losses: &mut Losses) {
        let points = sample.size * sample.size;
        self.errors.owners.clear();
        self.errors.owners.resize(points, 0.0);
        let share = OWNERSHIP_LOSS_WEIGHT / points as f32;
        for (index, &owner) in sample.owners.iter().enumerate() {
            let at = sample.turned(index, symmetry);
            let off = self.pass.owners[at] - f32::from(owner) / 2.0;
            self.errors.owners[at] = share * off;
            losses.owners += f64::from(off).powi(2) / points as f64;
        }
    }
}

/// A network in training.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardNetTrainer {
    pub(super) net: BoardNet,
    /// The moving average of the weights.
    pub(super) averaged: Vec<Channels>,
    pub(super) means: Vec<Channels>,
    pub(super) squares: Vec<Channels>,
    pub(super) steps: u64,
}

impl BoardNetTrainer {
    /// Starts training with a network.
    pub fn new(net: BoardNet) -> BoardNetTrainer {
        let zeros = vec![Channels::ZERO; net.rows.len()];
        BoardNetTrainer {
            averaged: net.rows.clone(),
            means: zeros.clone(),
            squares: zeros,
            net,
            steps: 0,
        }
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The network with the averaged weights.
    pub fn net(&self) -> BoardNet {
        BoardNet { layout: self.net.layout.clone(), rows: self.averaged.clone() }
    }

    /// One step on a batch, each sample under a symmetry; returns the losses before it.
    pub fn step(
        &mut self,
        samples: &[(&TrainingPosition, u8)],
        schedule: &BoardNetSchedule,
        threads: usize,
    ) -> Losses {
        let (gradient, losses) = self.gradient(samples, threads);
        let rate = schedule.rate_at(self.steps);
        self.steps += 1;
        let share = 1.0 / samples.len() as f32;
        let [first, second] = [0.9f32, 0.999].map(|kept| 1.0 - power(kept, self.steps));
        let kept = WEIGHT_AVERAGE_DECAY.min(1.0 - 1.0 / (self.steps + 1) as f32);
        let rows = self.net.rows.iter_mut().zip(&mut self.averaged);
        let moments = self.means.iter_mut().zip(&mut self.squares);
        for (((row, averaged), (mean, square)), gradient) in rows.zip(moments).zip(&gradient) {
            for lane in 0..super::WIDTH {
                let wanted = gradient.0[lane] * share;
                mean.0[lane] += 0.1 * (wanted - mean.0[lane]);
                square.0[lane] += 0.001 * (wanted * wanted - square.0[lane]);
                let step = (mean.0[lane] / first) / ((square.0[lane] / second).sqrt() + 1e-8);
                row.0[lane] -= rate * (step + schedule.decay * row.0[lane]);
                averaged.0[lane] += (1.0 - kept) * (row.0[lane] - averaged.0[lane]);
            }
        }
        losses
    }

    /// The sum of the gradients of all samples.
    pub(super) fn gradient(
        &self,
        samples: &[(&TrainingPosition, u8)],
        threads: usize,
    ) -> (Vec<Channels>, Losses) {
        let back = Transposed::of(&self.net);
        let chunks: Vec<&[(&TrainingPosition, u8)]> = samples.chunks(CHUNK_POSITIONS).collect();
        let parts = in_parallel(chunks.len(), threads, |number| self.part(chunks[number], &back));
        let mut parts = parts.into_iter();
        let (mut sum, mut losses) = parts.next().expect("samples");
        for (part, more) in parts {
            losses.add(&more);
            sum.iter_mut().zip(&part).for_each(|(sum, row)| sum.add(row));
        }
        (sum, losses.mean())
    }

    fn part(
        &self,
        samples: &[(&TrainingPosition, u8)],
        back: &Transposed,
    ) -> (Vec<Channels>, Losses) {
        let mut gradient = vec![Channels::ZERO; self.net.rows.len()];
        let mut losses = Losses::default();
        let mut workspaces = Workspaces::new(self.net.blocks());
        for &(sample, symmetry) in samples {
            let workspace = workspaces.of(sample.size);
            losses.add(&workspace.evaluate(&self.net, sample, symmetry));
            workspace.backward.run(
                &self.net,
                back,
                &workspace.pass,
                &workspace.errors,
                &mut gradient,
            );
        }
        (gradient, losses)
    }
}

impl BoardNet {
    /// The mean losses on samples.
    pub fn losses(&self, samples: &[&TrainingPosition], threads: usize) -> Losses {
        let chunks: Vec<&[&TrainingPosition]> = samples.chunks(CHUNK_POSITIONS).collect();
        let parts = in_parallel(chunks.len(), threads, |number| {
            let mut losses = Losses::default();
            let mut workspaces = Workspaces::new(self.blocks());
            for sample in chunks[number] {
                losses.add(&workspaces.of(sample.size).evaluate(self, sample, 0));
            }
            losses
        });
        let mut losses = Losses::default();
        parts.iter().for_each(|part| losses.add(part));
        losses.mean()
    }
}

/// Buffers for each size of board.
struct Workspaces {
    blocks: usize,
    workspaces: Vec<(usize, Workspace)>,
}

impl Workspaces {
    fn new(blocks: usize) -> Workspaces {
        Workspaces { blocks, workspaces: Vec::new() }
    }

    fn of(&mut self, size: usize) -> &mut Workspace {
        let at = match self.workspaces.iter().position(|(known, _)| *known == size) {
            Some(at) => at,
            None => {
                self.workspaces.push((size, Workspace::new(size, self.blocks)));
                self.workspaces.len() - 1
            }
        };
        &mut self.workspaces[at].1
    }
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

/// The loss whose gradient is computed, to check it numerically.
#[cfg(test)]
pub(super) fn loss(net: &BoardNet, sample: &TrainingPosition, symmetry: u8) -> f64 {
    let mut workspace = Workspace::new(sample.size, net.blocks());
    let moves = workspace.evaluate(net, sample, symmetry).moves;
    let entropy = |said: f32, truth: f32| {
        let [said, truth] = [said, truth].map(f64::from);
        -truth * said.ln() - (1.0 - truth) * (1.0 - said).ln()
    };
    let winner = entropy(workspace.pass.winner, sample.winner);
    let owners: f64 = (sample.owners.iter().enumerate())
        .map(|(index, &owner)| {
            let at = sample.turned(index, symmetry);
            entropy(workspace.pass.owners[at], f32::from(owner) / 2.0)
        })
        .sum();
    let share = f64::from(OWNERSHIP_LOSS_WEIGHT) / sample.owners.len() as f64;
    moves + f64::from(WINNER_LOSS_WEIGHT) * winner + share * owners
}
