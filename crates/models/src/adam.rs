//! Adam (Kingma and Ba 2015): steps by running means of gradients and of their squares.

use crate::kernels::power;

/// Share of the running mean of gradients that a step keeps.
const KEPT_MEAN: f32 = 0.9;
/// Share of the running mean of squares that a step keeps.
const KEPT_SQUARE: f32 = 0.999;
/// Keeps steps finite while there are no gradients.
const SMALLEST_DEVIATION: f32 = 1e-8;

/// The running means of all weights.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Adam {
    pub means: Vec<f32>,
    pub squares: Vec<f32>,
    /// Steps made.
    pub steps: u64,
}

/// One step: its learning rate, and the corrections of means that began at zero.
pub(crate) struct AdamStep<'a> {
    adam: &'a mut Adam,
    rate: f32,
    first: f32,
    second: f32,
}

impl Adam {
    pub fn new(weights: usize) -> Adam {
        Adam { means: vec![0.0; weights], squares: vec![0.0; weights], steps: 0 }
    }

    /// Begins a step.
    pub fn step(&mut self, rate: f32) -> AdamStep<'_> {
        self.steps += 1;
        let [first, second] = [KEPT_MEAN, KEPT_SQUARE].map(|kept| 1.0 - power(kept, self.steps));
        AdamStep { adam: self, rate, first, second }
    }
}

impl AdamStep<'_> {
    /// Changes the weights whose number begins at `from` by `share` times their gradient.
    #[inline]
    pub fn update(&mut self, from: usize, weights: &mut [f32], gradient: &[f32], share: f32) {
        let means = &mut self.adam.means[from..][..weights.len()];
        let squares = &mut self.adam.squares[from..][..weights.len()];
        let moments = means.iter_mut().zip(squares);
        for ((weight, gradient), (mean, square)) in weights.iter_mut().zip(gradient).zip(moments) {
            let wanted = gradient * share;
            *mean += (1.0 - KEPT_MEAN) * (wanted - *mean);
            *square += (1.0 - KEPT_SQUARE) * (wanted * wanted - *square);
            let deviation = (*square / self.second).sqrt() + SMALLEST_DEVIATION;
            *weight -= self.rate * (*mean / self.first) / deviation;
        }
    }
}
