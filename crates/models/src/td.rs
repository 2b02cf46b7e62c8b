//! Temporal-difference learning, TD(λ): predictions learn from the predictions after them (Sutton 1988),
//! move by move, as in NeuroDraughts and its successors.

use crate::mlp::{HIDDEN, Mlp, OUTPUT, Prediction, Row, WIDTH};

/// The parameters of TD(λ).
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct TdParameters {
    /// λ: the share of an eligibility trace that is left one move later.
    pub lambda: f32,
    /// γ, the discount: the value now of a prediction one move later.
    pub gamma: f32,
    /// Momentum: the share of the last change that is added to the next, if both have one direction.
    pub momentum: f32,
    /// Factor of the learning rates, 1 for the published ones: one over the number of inputs for weights
    /// from an input, one over the number of hidden units for weights from a hidden unit.
    pub rate: f32,
}

impl Default for TdParameters {
    fn default() -> TdParameters {
        TdParameters { lambda: 0.1, gamma: 0.98, momentum: 0.9, rate: 1.0 }
    }
}

/// The eligibility traces of one learner in one game.
#[derive(Clone, Debug)]
pub struct TemporalDifference {
    parameters: TdParameters,
    /// Eligibility traces: the discounted gradients of the predictions so far.
    rows: Vec<Row>,
    hidden: Row,
    /// The last changes.
    changed_rows: Vec<Row>,
    changed_hidden: Row,
    last: Option<f32>,
}

impl TemporalDifference {
    /// For a network of `inputs` inputs.
    pub fn new(inputs: usize, parameters: TdParameters) -> TemporalDifference {
        TemporalDifference {
            parameters,
            rows: vec![[0.0; WIDTH]; inputs + 1],
            hidden: [0.0; WIDTH],
            changed_rows: vec![[0.0; WIDTH]; inputs + 1],
            changed_hidden: [0.0; WIDTH],
            last: None,
        }
    }

    /// Starts a new game without traces.
    pub fn new_game(&mut self) {
        for row in self.rows.iter_mut().chain(&mut self.changed_rows) {
            *row = [0.0; WIDTH];
        }
        self.hidden = [0.0; WIDTH];
        self.changed_hidden = [0.0; WIDTH];
        self.last = None;
    }

    /// Predicts the value of the next position and corrects the prediction before it; returns the TD error
    /// of that.
    pub fn step(&mut self, net: &mut Mlp, inputs: u128) -> Option<f32> {
        let value = net.value(inputs);
        let error = self.last.map(|last| self.parameters.gamma * value - last);
        if let Some(error) = error {
            self.learn(net, error);
        }
        let prediction = net.predict(inputs);
        self.update_traces(net, &prediction);
        self.last = Some(prediction.value);
        error
    }

    /// Ends the game with `reward` and corrects the last prediction; returns its TD error.
    pub fn finish(&mut self, net: &mut Mlp, reward: f32) -> Option<f32> {
        let error = self.last.take().map(|last| reward - last)?;
        self.learn(net, error);
        Some(error)
    }

    /// Decays the traces and adds the gradient of a prediction.
    fn update_traces(&mut self, net: &Mlp, prediction: &Prediction) {
        let lambda = self.parameters.lambda;
        let slope = 1.0 - prediction.value * prediction.value;
        let mut gradient = [0.0; WIDTH];
        let units = prediction.hidden.iter().zip(&net.hidden).take(HIDDEN);
        for (part, (height, weight)) in gradient.iter_mut().zip(units) {
            *part = slope * weight * (1.0 - height * height);
        }
        gradient[OUTPUT] = slope;
        let bias = self.rows.len() - 1;
        for (input, trace) in self.rows.iter_mut().enumerate() {
            let is_on = input == bias || prediction.inputs >> input & 1 == 1;
            *trace = decayed(*trace, lambda, &gradient, if is_on { 1.0 } else { 0.0 });
        }
        self.hidden = decayed(self.hidden, lambda, &prediction.hidden, slope);
    }

    /// Changes all weights for an error.
    fn learn(&mut self, net: &mut Mlp, error: f32) {
        let TdParameters { momentum, rate, .. } = self.parameters;
        let from_inputs = rate * error / net.inputs() as f32;
        let from_hidden = rate * error / HIDDEN as f32;
        let rows = net.rows.iter_mut().zip(&self.rows).zip(&mut self.changed_rows);
        for ((weights, traces), changes) in rows {
            change(weights, traces, changes, from_inputs, momentum);
        }
        change(&mut net.hidden, &self.hidden, &mut self.changed_hidden, from_hidden, momentum);
    }
}

/// `lambda` times `traces` plus `share` times `parts`.
#[inline]
fn decayed(mut traces: Row, lambda: f32, parts: &Row, share: f32) -> Row {
    for lane in 0..WIDTH {
        traces[lane] = lambda * traces[lane] + share * parts[lane];
    }
    traces
}

/// Moves weights along their traces, with momentum in the same direction.
#[inline]
fn change(weights: &mut Row, traces: &Row, changes: &mut Row, step: f32, momentum: f32) {
    // Rows are taken out and put back whole: only then does the compiler use vectors.
    let (mut moved, mut now) = (*weights, *changes);
    for lane in 0..WIDTH {
        let plain = step * traces[lane];
        let same_way = plain * now[lane] > 0.0;
        now[lane] = plain + if same_way { momentum * now[lane] } else { 0.0 };
        moved[lane] += now[lane];
    }
    (*weights, *changes) = (moved, now);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;

    /// Every weight that is used, to be changed.
    fn each_weight(net: &mut Mlp, mut each: impl FnMut(usize, &mut f32)) {
        let rows = net.rows.iter_mut().flat_map(|row| row[..=OUTPUT].iter_mut());
        rows.chain(&mut net.hidden[..HIDDEN]).enumerate().for_each(|(at, weight)| each(at, weight));
    }

    fn each_trace(td: &TemporalDifference) -> Vec<f32> {
        let rows = td.rows.iter().flat_map(|row| &row[..=OUTPUT]);
        rows.chain(&td.hidden[..HIDDEN]).copied().collect()
    }

    #[test]
    fn the_first_traces_are_the_numerical_gradient() {
        let mut random = Random::new(3);
        let mut net = Mlp::random(12, &mut random);
        for inputs in [0, 0b1, 0b1010_0110_0011, 0b1111_1111_1111] {
            let mut td = TemporalDifference::new(12, TdParameters::default());
            td.step(&mut net, inputs);
            let traces = each_trace(&td);
            let step = 1e-2;
            for (at, trace) in traces.into_iter().enumerate() {
                let mut value_at = |offset: f32| {
                    each_weight(&mut net, |index, weight| {
                        *weight += if index == at { offset } else { 0.0 };
                    });
                    net.value(inputs)
                };
                let slope = (value_at(step) - value_at(-2.0 * step)) / (2.0 * step);
                value_at(step);
                assert!((slope - trace).abs() < 2e-3, "weight {at}: {trace}, not {slope}");
            }
        }
    }

    #[test]
    fn traces_fade_and_add_up() {
        let mut net = Mlp::random(5, &mut Random::new(4));
        let parameters = TdParameters { lambda: 0.5, rate: 0.0, ..TdParameters::default() };
        let gradient = |net: &mut Mlp, inputs| {
            let mut td = TemporalDifference::new(5, parameters);
            td.step(net, inputs);
            each_trace(&td)
        };
        let (first, second) = (gradient(&mut net, 0b00110), gradient(&mut net, 0b01010));
        let mut td = TemporalDifference::new(5, parameters);
        td.step(&mut net, 0b00110);
        td.step(&mut net, 0b01010);
        for ((trace, first), second) in each_trace(&td).into_iter().zip(first).zip(second) {
            assert!((trace - (0.5 * first + second)).abs() < 1e-6);
        }
    }

    #[test]
    fn momentum_is_added_in_the_same_direction_only() {
        let traces = [1.0; WIDTH];
        let (mut weights, mut changes) = ([0.0; WIDTH], [0.0; WIDTH]);
        change(&mut weights, &traces, &mut changes, 1.0, 0.5);
        change(&mut weights, &traces, &mut changes, 1.0, 0.5);
        assert_eq!((weights[0], changes[0]), (2.5, 1.5));
        change(&mut weights, &traces, &mut changes, -1.0, 0.5);
        assert_eq!((weights[0], changes[0]), (1.5, -1.0));
    }

    /// A walk over seven places, left end lost, right end won (Sutton 1988): the value of a place is
    /// known.
    #[test]
    fn a_random_walk_is_learnt() {
        let mut random = Random::new(5);
        let mut net = Mlp::random(7, &mut random);
        let parameters = TdParameters { gamma: 1.0, momentum: 0.0, rate: 0.05, lambda: 0.3 };
        let mut td = TemporalDifference::new(7, parameters);
        for _ in 0..20_000 {
            td.new_game();
            let mut place = 3;
            let reward = loop {
                td.step(&mut net, 1 << place);
                match (place, random.below(2)) {
                    (0, 0) => break -1.0,
                    (6, 1) => break 1.0,
                    (_, 0) => place -= 1,
                    _ => place += 1,
                }
            };
            td.finish(&mut net, reward);
        }
        for place in 0..7 {
            let expected = (place as f32 - 3.0) / 4.0;
            let found = net.value(1 << place);
            assert!((found - expected).abs() < 0.2, "place {place}: {found}, not {expected}");
        }
    }
}
