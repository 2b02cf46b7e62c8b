//! Training on positions with known values: Adam (D. Kingma and J. Ba 2014) over batches.

use super::{
    MAX_OUTPUT_WEIGHT, Net, NnueSample, NnueSamples, OUTPUT_UNIT, Row, SUM_UNIT, Shape, WIDTH,
};
use ludus_core::Random;
use std::thread;

/// The schedule of a training.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct NnueSchedule {
    /// Passes over all positions.
    pub epochs: usize,
    /// Positions per step.
    pub batch: usize,
    /// Initial learning rate. It falls to a hundredth along a cosine.
    pub rate: f32,
    /// Weight decay: the share of a weight lost in a step of size 1.
    pub decay: f32,
}

/// The state of a training. All weights are in one row: those of the first layer, its biases, those of
/// the outputs, their biases.
#[derive(Clone, Debug, PartialEq)]
pub struct NnueTrainerState {
    pub(super) weights: Vec<f32>,
    /// Adam's running means of gradients and of their squares.
    pub(super) means: Vec<f32>,
    pub(super) squares: Vec<f32>,
    pub(super) steps: u64,
    /// The mean error of each epoch, while its weights changed.
    pub history: Vec<f64>,
}

/// Trains networks of one shape.
pub struct NnueTrainer {
    shape: Shape,
    schedule: NnueSchedule,
    threads: usize,
    seed: u64,
}

/// Parts of a batch: their gradients are added up in order, so that the number of threads changes
/// nothing.
const GRADIENT_PARTS: usize = 4;

/// The offset of each kind of weight.
#[derive(Copy, Clone)]
pub(super) struct Layout {
    sum_biases: usize,
    outputs: usize,
    output_biases: usize,
    pub(super) all: usize,
}

impl Layout {
    pub(super) fn of(shape: Shape) -> Layout {
        let Shape { inputs, output_buckets } = shape;
        let sum_biases = inputs * WIDTH;
        let outputs = sum_biases + WIDTH;
        let output_biases = outputs + 2 * WIDTH * output_buckets;
        Layout { sum_biases, outputs, output_biases, all: output_biases + output_buckets }
    }

    /// The offset of the output weights of a bucket for a view.
    #[inline]
    fn outputs_of(self, bucket: usize, view: usize) -> usize {
        self.outputs + (2 * bucket + view) * WIDTH
    }
}

/// The sums of both views of a position.
type Sums = [[f32; WIDTH]; 2];

/// The weights from `at` on that belong to one row.
#[inline]
fn row(weights: &[f32], at: usize) -> &[f32; WIDTH] {
    weights[at..].first_chunk().expect("rows are whole")
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The output for a sample with its base, in units, and its sums.
#[inline]
fn forward(layout: Layout, weights: &[f32], sample: &NnueSample<'_>) -> (f32, Sums) {
    let mut sums = [*row(weights, layout.sum_biases); 2];
    let mut output = sample.base + weights[layout.output_biases + sample.bucket];
    for (view, sums) in sums.iter_mut().enumerate() {
        let mut all = *sums;
        for input in sample.inputs(view) {
            let row = row(weights, input * WIDTH);
            all.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
        }
        let outputs = row(weights, layout.outputs_of(sample.bucket, view));
        let mut products = [0.0; WIDTH];
        for (lane, product) in products.iter_mut().enumerate() {
            let clipped = all[lane].clamp(0.0, 1.0);
            *product = clipped * clipped * outputs[lane];
        }
        output += pairwise_sum(products);
        *sums = all;
    }
    (output, sums)
}

/// The sum of all numbers, half added to half: fast in vectors.
#[inline]
fn pairwise_sum(mut numbers: [f32; WIDTH]) -> f32 {
    let mut half = WIDTH / 2;
    while half > 0 {
        for lane in 0..half {
            numbers[lane] += numbers[lane + half];
        }
        half /= 2;
    }
    numbers[0]
}

/// Adds the gradient of a sample's squared error to `gradient` and returns the error.
fn backward(layout: Layout, weights: &[f32], sample: &NnueSample<'_>, gradient: &mut [f32]) -> f64 {
    let (output, sums) = forward(layout, weights, sample);
    let expected = sigmoid(output);
    let off = expected - sample.goal;
    let slope = 2.0 * off * expected * (1.0 - expected);
    gradient[layout.output_biases + sample.bucket] += slope;
    for (view, sums) in sums.iter().enumerate() {
        let at = layout.outputs_of(sample.bucket, view);
        let outputs = row(weights, at);
        let mut slopes = [0.0; WIDTH];
        for lane in 0..WIDTH {
            let clipped = sums[lane].clamp(0.0, 1.0);
            gradient[at + lane] += slope * clipped * clipped;
            let inside = if clipped == sums[lane] { 2.0 * clipped } else { 0.0 };
            slopes[lane] = slope * outputs[lane] * inside;
        }
        // The biases are the row of an input that is always on.
        for input in sample.inputs(view).chain(std::iter::once(layout.sum_biases / WIDTH)) {
            let row = &mut gradient[input * WIDTH..][..WIDTH];
            row.iter_mut().zip(&slopes).for_each(|(weight, slope)| *weight += slope);
        }
    }
    f64::from(off * off)
}

impl NnueTrainer {
    /// A trainer; `seed` decides the first weights and the order of the positions.
    pub fn new(shape: Shape, schedule: NnueSchedule, seed: u64, threads: usize) -> NnueTrainer {
        NnueTrainer { shape, schedule, threads: threads.clamp(1, GRADIENT_PARTS), seed }
    }

    /// A state with the weights of an earlier training of the same shape.
    pub fn begin_from(&self, earlier: &NnueTrainerState) -> NnueTrainerState {
        NnueTrainerState { weights: earlier.weights.clone(), ..self.begin() }
    }

    /// A state with small random weights.
    pub fn begin(&self) -> NnueTrainerState {
        let layout = Layout::of(self.shape);
        let mut random = Random::new(self.seed).split("weights");
        // As many inputs are on as there are pieces: about 32.
        let spread = |count: usize| (1.0 / count as f64).sqrt();
        let mut weights = vec![0.0; layout.all];
        let first = spread(32);
        for weight in &mut weights[..layout.outputs] {
            *weight = ((2.0 * random.unit() - 1.0) * first) as f32;
        }
        let second = spread(2 * WIDTH);
        for weight in &mut weights[layout.outputs..layout.output_biases] {
            *weight = ((2.0 * random.unit() - 1.0) * second) as f32;
        }
        let zero = vec![0.0; layout.all];
        NnueTrainerState {
            weights,
            means: zero.clone(),
            squares: zero,
            steps: 0,
            history: Vec::new(),
        }
    }

    /// The mean squared error over `samples`.
    pub fn error(&self, state: &NnueTrainerState, samples: &NnueSamples) -> f64 {
        let layout = Layout::of(self.shape);
        let part = samples.len().div_ceil(GRADIENT_PARTS).max(1);
        let of = |first: usize| -> f64 {
            let squared = |row: usize| {
                let sample = samples.get(row);
                let (output, _) = forward(layout, &state.weights, &sample);
                f64::from(sigmoid(output) - sample.goal).powi(2)
            };
            (first..samples.len().min(first + part)).map(squared).sum()
        };
        let sums: Vec<f64> = thread::scope(|scope| {
            let handles: Vec<_> = (0..samples.len())
                .step_by(part)
                .map(|first| scope.spawn(move || of(first)))
                .collect();
            handles.into_iter().map(|handle| handle.join().expect("no thread panics")).collect()
        });
        sums.iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// The mean squared error of the evaluation to be corrected.
    pub fn base_error(&self, samples: &NnueSamples) -> f64 {
        let squared = |row: usize| {
            let sample = samples.get(row);
            f64::from(sigmoid(sample.base) - sample.goal).powi(2)
        };
        (0..samples.len()).map(squared).sum::<f64>() / samples.len().max(1) as f64
    }

    /// Trains one epoch on `samples`.
    pub fn epoch(&self, state: &mut NnueTrainerState, samples: &NnueSamples) {
        let layout = Layout::of(self.shape);
        let mut order: Vec<u32> = (0..samples.len() as u32).collect();
        let name = format!("epoch {}", state.history.len());
        Random::new(self.seed).split(&name).shuffle(&mut order);
        let mut gradients = vec![vec![0.0; layout.all]; GRADIENT_PARTS];
        let batches = order.len().div_ceil(self.schedule.batch).max(1);
        let mut error = 0.0;
        for (number, batch) in order.chunks(self.schedule.batch).enumerate() {
            error += self.gradients(&state.weights, samples, batch, &mut gradients);
            let done = state.history.len() as f32 + number as f32 / batches as f32;
            self.step(state, &mut gradients, batch.len(), done / self.schedule.epochs as f32);
        }
        state.history.push(error / order.len().max(1) as f64);
    }

    /// Computes the gradients of the parts of a batch and returns the summed error.
    fn gradients(
        &self,
        weights: &[f32],
        samples: &NnueSamples,
        batch: &[u32],
        gradients: &mut [Vec<f32>],
    ) -> f64 {
        let layout = Layout::of(self.shape);
        gradients.iter_mut().for_each(|gradient| gradient.fill(0.0));
        let size = batch.len().div_ceil(GRADIENT_PARTS).max(1);
        let mut parts: Vec<(&mut Vec<f32>, &[u32])> =
            gradients.iter_mut().zip(batch.chunks(size)).collect();
        let each = parts.len().div_ceil(self.threads);
        let work = |parts: &mut [(&mut Vec<f32>, &[u32])]| -> f64 {
            let mut error = 0.0;
            for (gradient, rows) in parts {
                for &row in *rows {
                    let sample = samples.get(row as usize);
                    error += backward(layout, weights, &sample, gradient);
                }
            }
            error
        };
        thread::scope(|scope| {
            let handles: Vec<_> =
                parts.chunks_mut(each).map(|parts| scope.spawn(move || work(parts))).collect();
            handles.into_iter().map(|handle| handle.join().expect("no thread panics")).sum()
        })
    }

    /// One step of Adam against the mean gradient. `progress` runs from 0 to 1.
    fn step(
        &self,
        state: &mut NnueTrainerState,
        gradients: &mut [Vec<f32>],
        count: usize,
        progress: f32,
    ) {
        const MEAN_DECAY: f32 = 0.9;
        const SQUARE_DECAY: f32 = 0.999;
        const EPSILON: f32 = 1e-8;
        let layout = Layout::of(self.shape);
        state.steps += 1;
        let steps = state.steps.min(1 << 20) as i32;
        let mean_part = 1.0 - MEAN_DECAY.powi(steps);
        let square_part = 1.0 - SQUARE_DECAY.powi(steps);
        let fall = 0.5 * (1.0 + (std::f32::consts::PI * progress.min(1.0)).cos());
        let rate = self.schedule.rate * (0.01 + 0.99 * fall);
        let keep = 1.0 - rate * self.schedule.decay;
        let (sum, rest) = gradients.split_first_mut().expect("there are parts");
        for part in rest {
            sum.iter_mut().zip(part).for_each(|(sum, part)| *sum += *part);
        }
        let inverse = 1.0 / count as f32;
        for (index, weight) in state.weights.iter_mut().enumerate() {
            let slope = sum[index] * inverse;
            let mean = &mut state.means[index];
            *mean += (1.0 - MEAN_DECAY) * (slope - *mean);
            let square = &mut state.squares[index];
            *square += (1.0 - SQUARE_DECAY) * (slope * slope - *square);
            *weight = *weight * keep
                - rate * (*mean / mean_part) / ((*square / square_part).sqrt() + EPSILON);
        }
        for weight in &mut state.weights[layout.outputs..layout.output_biases] {
            *weight = weight.clamp(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT);
        }
    }

    /// The state with quantised weights.
    pub fn rounded(&self, state: &NnueTrainerState) -> NnueTrainerState {
        let layout = Layout::of(self.shape);
        let mut rounded = state.clone();
        let round = |weights: &mut [f32], unit: i32| {
            let unit = unit as f32;
            weights.iter_mut().for_each(|weight| *weight = (*weight * unit).round() / unit);
        };
        round(&mut rounded.weights[..layout.outputs], SUM_UNIT);
        round(&mut rounded.weights[layout.outputs..layout.output_biases], OUTPUT_UNIT);
        rounded
    }

    /// The quantised network; `scale` is hundredths of the game's unit to one unit of output.
    pub fn net(&self, state: &NnueTrainerState, scale: i32) -> Net {
        let layout = Layout::of(self.shape);
        let round = |at: usize, unit: i32| {
            Row(row(&state.weights, at).map(|weight| (weight * unit as f32).round() as i16))
        };
        let outputs =
            |bucket| [0, 1].map(|view| round(layout.outputs_of(bucket, view), OUTPUT_UNIT));
        let bias_unit = (SUM_UNIT * SUM_UNIT * OUTPUT_UNIT) as f32;
        Net {
            shape: self.shape,
            inputs: (0..self.shape.inputs).map(|input| round(input * WIDTH, SUM_UNIT)).collect(),
            empty: round(layout.sum_biases, SUM_UNIT),
            outputs: (0..self.shape.output_buckets).map(outputs).collect(),
            biases: state.weights[layout.output_biases..]
                .iter()
                .map(|bias| (bias * bias_unit).round() as i32)
                .collect(),
            scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{NnueInputs, Outcome, Position, Side};

    /// Pieces on eight squares.
    #[derive(Copy, Clone, PartialEq, Eq, Debug)]
    struct Fixed([u64; 2]);

    impl Position for Fixed {
        type Move = ();
        fn turn(&self) -> Side {
            Side::First
        }
        fn legal_moves(&self, _: &mut Vec<()>) {}
        fn play(&mut self, (): ()) {}
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn key(&self) -> u64 {
            self.0[0] << 8 | self.0[1]
        }
    }

    impl NnueInputs for Fixed {
        type Position = Fixed;
        type Planes = [u64; 2];
        const INPUTS: usize = 16;
        const ORIENTATIONS: usize = 1;
        const OUTPUT_BUCKETS: usize = 2;
        const EMPTY: [u64; 2] = [0; 2];
        fn planes(position: &Fixed) -> [u64; 2] {
            position.0
        }
        fn orientation(_: &Fixed, _: Side) -> usize {
            0
        }
        fn input(side: Side, _: usize, plane: usize, square: usize) -> usize {
            (plane ^ side.index()) * 8 + square % 8
        }
        fn output_bucket(_: &Fixed) -> usize {
            1
        }
    }

    #[test]
    fn slopes_are_what_small_differences_show() {
        let shape = Shape { inputs: 16, output_buckets: 2 };
        let schedule = NnueSchedule { epochs: 1, batch: 1, rate: 0.1, decay: 0.0 };
        let trainer = NnueTrainer::new(shape, schedule, 3, 1);
        let layout = Layout::of(shape);
        let mut samples = NnueSamples::new::<Fixed>();
        samples.push::<Fixed>(&Fixed([0b1011_0000, 0b0000_0110]), 0.9, 0.3);
        let sample = samples.get(0);
        let mut weights = trainer.begin().weights;
        let mut gradient = vec![0.0; layout.all];
        backward(layout, &weights, &sample, &mut gradient);
        let mut steep = 0;
        for index in 0..layout.all {
            let kept = weights[index];
            let mut error = |weight: f32| {
                weights[index] = weight;
                let off = sigmoid(forward(layout, &weights, &sample).0) - sample.goal;
                f64::from(off).powi(2)
            };
            let step = 1e-3;
            let slope = (error(kept + step) - error(kept - step)) / f64::from(2.0 * step);
            weights[index] = kept;
            let claimed = f64::from(gradient[index]);
            // Clipping bends the curve: a step over the bend shows something in between.
            assert!((slope - claimed).abs() < 2e-3, "weight {index}: {slope} {claimed}");
            steep += usize::from(claimed.abs() > 1e-3);
        }
        assert!(steep > 50, "{steep} weights matter");
    }
}
