//! A self-organising map on a line (Kohonen 1982): units that divide inputs among themselves so
//! that neighbours get similar ones.

use ludus_core::Random;

/// How a map is trained.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Training {
    /// How far the winner and its neighbours go towards an input, at first.
    pub rate: f64,
    /// What is left of that after each epoch.
    pub decay: f64,
    /// Training ends when it is less.
    pub least: f64,
}

/// As MP-Draughts does it. (The source says the rate becomes 5 % of itself after each epoch; it must
/// mean that it falls by 5 %.)
impl Default for Training {
    fn default() -> Training {
        Training { rate: 1.0, decay: 0.95, least: 0.1 }
    }
}

/// The map.
#[derive(Clone, Debug, PartialEq)]
pub struct Som {
    /// What each unit stands for.
    pub units: Vec<Vec<f64>>,
}

fn squared_distance(unit: &[f64], input: &[f64]) -> f64 {
    unit.iter().zip(input).map(|(one, other)| (one - other) * (one - other)).sum()
}

impl Som {
    /// A map of `units` units that stand for random points of the range of `inputs`.
    ///
    /// # Panics
    /// If there is no input.
    pub fn random(units: usize, inputs: &[Vec<f64>], random: &mut Random) -> Som {
        assert!(!inputs.is_empty(), "a map is made from inputs");
        let most = (0..inputs[0].len())
            .map(|at| inputs.iter().map(|input| input[at]).fold(0.0, f64::max))
            .collect::<Vec<f64>>();
        let mut unit = || most.iter().map(|most| most * random.unit()).collect();
        Som { units: (0..units).map(|_| unit()).collect() }
    }

    /// The unit nearest to `input`, the first of equals.
    pub fn winner(&self, input: &[f64]) -> usize {
        let mut best = (0, f64::INFINITY);
        for (index, unit) in self.units.iter().enumerate() {
            let distance = squared_distance(unit, input);
            if distance < best.1 {
                best = (index, distance);
            }
        }
        best.0
    }

    /// Trains the map; `on_epoch` is told the rate and the quantisation error of each epoch.
    pub fn train(
        &mut self,
        inputs: &[Vec<f64>],
        training: Training,
        mut on_epoch: impl FnMut(f64, f64),
    ) {
        let mut rate = training.rate;
        while rate >= training.least {
            for input in inputs {
                let winner = self.winner(input);
                let last = (winner + 1).min(self.units.len() - 1);
                for unit in &mut self.units[winner.saturating_sub(1)..=last] {
                    for (weight, value) in unit.iter_mut().zip(input) {
                        *weight += rate * (value - *weight);
                    }
                }
            }
            on_epoch(rate, self.quantisation_error(inputs));
            rate *= training.decay;
        }
    }

    /// The mean distance of the inputs from their units.
    pub fn quantisation_error(&self, inputs: &[Vec<f64>]) -> f64 {
        let distance =
            |input: &Vec<f64>| squared_distance(&self.units[self.winner(input)], input).sqrt();
        inputs.iter().map(distance).sum::<f64>() / inputs.len() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points around three centres.
    fn clouds(random: &mut Random) -> Vec<Vec<f64>> {
        let centres = [[0.0, 0.0], [10.0, 0.0], [5.0, 9.0]];
        let mut point =
            |index: usize| centres[index % 3].map(|at: f64| at + random.unit()).to_vec();
        (0..300).map(&mut point).collect()
    }

    #[test]
    fn clouds_are_told_apart() {
        let mut random = Random::new(7);
        let points = clouds(&mut random);
        let mut som = Som::random(5, &points, &mut random);
        let before = som.quantisation_error(&points);
        let mut errors = Vec::new();
        som.train(&points, Training::default(), |_, error| errors.push(error));
        assert!(errors.last().unwrap() < &before && errors.len() == 45, "{errors:?}");
        let winners: Vec<usize> = points.iter().map(|point| som.winner(point)).collect();
        for (one, other) in (0..297).map(|at| (at, at + 1)) {
            assert_ne!(winners[one], winners[other], "points of two clouds share a unit");
        }
    }

    #[test]
    fn the_winner_is_the_nearest() {
        let som = Som { units: vec![vec![0.0, 0.0], vec![4.0, 0.0], vec![4.0, 4.0]] };
        assert_eq!(
            [[1.0, 0.0], [2.0, 0.0], [3.0, 0.5], [4.0, 3.0]].map(|it| som.winner(&it)),
            [0, 0, 1, 2]
        );
    }
}
