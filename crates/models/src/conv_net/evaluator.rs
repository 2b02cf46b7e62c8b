//! Evaluation of positions.

use super::{
    ConvNet,
    pass::{ForwardPass, GROUP},
    weights::Transformed,
};
use std::sync::Arc;

/// A network ready to judge positions, with buffers of its own. Clones share the weights.
#[derive(Clone)]
pub struct ConvNetEvaluator {
    net: Arc<ConvNet>,
    weights: Arc<Transformed>,
    pass: ForwardPass,
}

impl ConvNetEvaluator {
    /// An evaluator by `net`.
    pub fn new(net: &ConvNet) -> ConvNetEvaluator {
        let weights = Arc::new(Transformed::of(net));
        ConvNetEvaluator { net: Arc::new(net.clone()), weights, pass: ForwardPass::new() }
    }

    /// The network.
    pub fn net(&self) -> &ConvNet {
        &self.net
    }

    /// The value of a position, from 0 to 1.
    ///
    /// # Panics
    /// If the number of planes is another than the network's.
    pub fn value(&mut self, planes: &[u64]) -> f32 {
        assert_eq!(planes.len(), self.net.planes, "a bitboard for each plane");
        self.pass.run(&self.net, &self.weights, std::iter::once(planes))[0]
    }

    /// Appends to `values` those of all positions, whose planes follow each other in `positions`: the
    /// same numbers as one by one, in less time.
    ///
    /// # Panics
    /// If the planes do not make up whole positions.
    pub fn values(&mut self, positions: &[u64], values: &mut Vec<f32>) {
        let planes = self.net.planes;
        assert!(positions.len().is_multiple_of(planes), "whole positions");
        for group in positions.chunks(GROUP * planes) {
            let group = group.chunks_exact(planes);
            values.extend_from_slice(self.pass.run(&self.net, &self.weights, group));
        }
    }
}
