//! Errors and gradients over many positions, on several threads.
//!
//! Positions are divided into a fixed number of shards, and the shards' sums are added in a fixed
//! order, so the result is bit-identical for any number of threads.

use super::{Objective, samples::TermSamples};

/// Opening and ending weight of every term, in units (a hundredth of the numbers in files).
pub type TaperedWeights = Vec<[f64; 2]>;

/// More shards would serve more threads, and cost more memory with large pattern tables.
const SHARDS: usize = 4;

/// A tuning problem: positions, their targets, and the error function.
pub struct TuningProblem<'a> {
    samples: &'a TermSamples,
    objective: Objective,
    goals: Vec<f32>,
    threads: usize,
}

/// Buffers for the gradient of a batch.
pub struct GradientSums {
    shards: Vec<Shard>,
}

#[derive(Clone)]
struct Shard {
    gradient: TaperedWeights,
    error: f64,
}

impl GradientSums {
    /// Buffers for this number of terms.
    pub fn new(terms: usize) -> GradientSums {
        GradientSums { shards: vec![Shard { gradient: vec![[0.0; 2]; terms], error: 0.0 }; SHARDS] }
    }

    /// Gradient of the summed error.
    pub fn gradient(&self) -> &[[f64; 2]] {
        &self.shards[0].gradient
    }
}

impl<'a> TuningProblem<'a> {
    /// The problem of minimising `objective` over `samples`.
    pub fn new(
        samples: &'a TermSamples,
        objective: Objective,
        threads: usize,
    ) -> TuningProblem<'a> {
        let goals = samples.rows().iter().map(|row| objective.goal(row) as f32).collect();
        TuningProblem { samples, objective, goals, threads }
    }

    /// Evaluation of position `index` in units, and its damping factor.
    #[inline]
    fn value(&self, index: usize, weights: &[[f64; 2]]) -> (f64, f64) {
        let row = &self.samples.rows()[index];
        let mut sum = [0.0; 2];
        for (term, count) in self.samples.counts(index) {
            let [opening, ending] = weights[term];
            sum[0] += opening * count;
            sum[1] += ending * count;
        }
        let ending = f64::from(row.ending);
        let sum = sum[0] * (1.0 - ending) + sum[1] * ending;
        let damp = f64::from(row.damp[usize::from(sum < 0.0)]);
        (sum * damp, damp)
    }

    /// Evaluations of the positions `rows` in units.
    pub fn values(&self, rows: &[u32], weights: &[[f64; 2]]) -> Vec<f64> {
        rows.iter().map(|&row| self.value(row as usize, weights).0).collect()
    }

    /// Mean error over `rows`.
    pub fn mean_error(&self, rows: &[u32], weights: &[[f64; 2]]) -> f64 {
        let mut errors = [0.0; SHARDS];
        self.share(&mut errors, rows, |error, rows| {
            for &row in rows {
                let (units, _) = self.value(row as usize, weights);
                *error += self.objective.error(units, self.goals[row as usize].into()).0;
            }
        });
        errors.iter().sum::<f64>() / rows.len().max(1) as f64
    }

    /// Sums errors and gradients over `rows` into `sums`; returns the summed error.
    pub fn accumulate(&self, rows: &[u32], weights: &[[f64; 2]], sums: &mut GradientSums) -> f64 {
        self.share(&mut sums.shards, rows, |shard, rows| {
            shard.gradient.fill([0.0; 2]);
            shard.error = 0.0;
            for &row in rows {
                self.add_row(row as usize, weights, shard);
            }
        });
        let (first, others) = sums.shards.split_first_mut().expect("there are shards");
        for other in others {
            first.error += other.error;
            for (sum, part) in first.gradient.iter_mut().zip(&other.gradient) {
                sum[0] += part[0];
                sum[1] += part[1];
            }
        }
        first.error
    }

    #[inline]
    fn add_row(&self, index: usize, weights: &[[f64; 2]], shard: &mut Shard) {
        let (units, damp) = self.value(index, weights);
        let (error, slope) = self.objective.error(units, self.goals[index].into());
        shard.error += error;
        let ending = f64::from(self.samples.rows()[index].ending);
        let slopes = [slope * damp * (1.0 - ending), slope * damp * ending];
        for (term, count) in self.samples.counts(index) {
            let sum = &mut shard.gradient[term];
            sum[0] += slopes[0] * count;
            sum[1] += slopes[1] * count;
        }
    }

    /// Divides `rows` among the shards, and the shards among threads.
    fn share<T: Send>(&self, shards: &mut [T], rows: &[u32], work: impl Fn(&mut T, &[u32]) + Sync) {
        let part = rows.len().div_ceil(shards.len()).max(1);
        let piece = |shard: usize| {
            &rows[(shard * part).min(rows.len())..((shard + 1) * part).min(rows.len())]
        };
        let each = shards.len().div_ceil(self.threads.max(1));
        let run = |first: usize, own: &mut [T]| {
            for (index, shard) in own.iter_mut().enumerate() {
                work(shard, piece(first + index));
            }
        };
        std::thread::scope(|scope| {
            let mut groups = shards.chunks_mut(each).enumerate();
            let own = groups.next();
            for (group, shards) in groups {
                let run = &run;
                scope.spawn(move || run(group * each, shards));
            }
            if let Some((_, shards)) = own {
                run(0, shards);
            }
        });
    }
}
