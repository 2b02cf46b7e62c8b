//! Evaluation of positions.

use super::{ConvNet, pass::Pass};
use std::sync::Arc;

/// A network ready to judge positions, with buffers of its own. Clones share the weights.
#[derive(Clone)]
pub struct ConvNetEvaluator {
    net: Arc<ConvNet>,
    pass: Pass,
}

impl ConvNetEvaluator {
    /// An evaluator by `net`.
    pub fn new(net: &ConvNet) -> ConvNetEvaluator {
        ConvNetEvaluator { net: Arc::new(net.clone()), pass: Pass::new() }
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
        self.pass.forward(&self.net, planes)
    }

    /// Appends to `values` those of all positions, whose planes follow each other in `positions`: the
    /// same numbers as one by one, in less time.
    ///
    /// # Panics
    /// If the planes do not make up whole positions.
    pub fn values(&mut self, positions: &[u64], values: &mut Vec<f32>) {
        let positions = positions.chunks_exact(self.net.planes);
        assert!(positions.remainder().is_empty(), "whole positions");
        values.extend(positions.map(|planes| self.pass.forward(&self.net, planes)));
    }
}
