//! A self-organising map on a line (Kohonen 1982): units that divide inputs among themselves so
//! that neighbours get similar ones.

use ludus_core::{Random, TextError};

/// Training parameters of a map. The defaults are those of MP-Draughts. (The source says that the rate
/// becomes 5 % of itself after each epoch; it must mean that it falls by 5 %.)
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct SomTraining {
    /// Initial learning rate: the share of the way that the winner and its neighbours go towards an input.
    pub rate: f32,
    /// The factor of the rate after each epoch.
    pub decay: f32,
    /// The rate below which training ends.
    pub least: f32,
    /// Neighbours on each side of the winner that learn with it.
    pub radius: usize,
}

impl Default for SomTraining {
    fn default() -> SomTraining {
        SomTraining { rate: 1.0, decay: 0.95, least: 0.1, radius: 1 }
    }
}

/// The map.
#[derive(Clone, Debug, PartialEq)]
pub struct Som {
    /// The weights of each unit, all of one length.
    pub units: Vec<Vec<f32>>,
}

/// The square of the Euclidean distance.
#[inline]
pub fn squared_distance(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| (one - other) * (one - other)).sum()
}

impl Som {
    /// A map of `units` units with random weights between zero and the greatest inputs.
    ///
    /// # Panics
    /// If there is no unit or no input.
    pub fn random(units: usize, inputs: &[Vec<f32>], random: &mut Random) -> Som {
        assert!(units > 0 && !inputs.is_empty(), "a map has units and is made from inputs");
        let most: Vec<f32> = (0..inputs[0].len())
            .map(|at| inputs.iter().map(|input| input[at]).fold(0.0, f32::max))
            .collect();
        let mut unit = || most.iter().map(|most| most * random.unit() as f32).collect();
        Som { units: (0..units).map(|_| unit()).collect() }
    }

    /// The length of an input.
    pub fn inputs(&self) -> usize {
        self.units[0].len()
    }

    /// The unit nearest to `input`, the first of equals.
    #[inline]
    pub fn winner(&self, input: &[f32]) -> usize {
        let mut best = (0, f32::INFINITY);
        for (index, unit) in self.units.iter().enumerate() {
            let distance = squared_distance(unit, input);
            if distance < best.1 {
                best = (index, distance);
            }
        }
        best.0
    }

    /// Moves the winner and its neighbours towards `input`.
    pub fn step(&mut self, input: &[f32], rate: f32, radius: usize) {
        let winner = self.winner(input);
        let last = (winner + radius).min(self.units.len() - 1);
        for unit in &mut self.units[winner.saturating_sub(radius)..=last] {
            for (weight, value) in unit.iter_mut().zip(input) {
                *weight += rate * (value - *weight);
            }
        }
    }

    /// Trains the map; `on_epoch` gets the rate and the quantisation error of each epoch.
    pub fn train(
        &mut self,
        inputs: &[Vec<f32>],
        training: SomTraining,
        mut on_epoch: impl FnMut(f32, f64),
    ) {
        let mut rate = training.rate;
        while rate >= training.least {
            for input in inputs {
                self.step(input, rate, training.radius);
            }
            on_epoch(rate, self.quantisation_error(inputs));
            rate *= training.decay;
        }
    }

    /// The indices of the inputs each unit wins, in order.
    pub fn clusters(&self, inputs: &[Vec<f32>]) -> Vec<Vec<usize>> {
        let mut clusters = vec![Vec::new(); self.units.len()];
        for (place, input) in inputs.iter().enumerate() {
            clusters[self.winner(input)].push(place);
        }
        clusters
    }

    /// The mean distance of the inputs from their units.
    pub fn quantisation_error(&self, inputs: &[Vec<f32>]) -> f64 {
        let distance = |input: &Vec<f32>| {
            f64::from(squared_distance(&self.units[self.winner(input)], input)).sqrt()
        };
        inputs.iter().map(distance).sum::<f64>() / inputs.len() as f64
    }

    /// The map as text: a line on its size, then a line with the weights of each unit.
    pub fn text(&self) -> String {
        let mut text = format!("som {} units, {} inputs\n", self.units.len(), self.inputs());
        for unit in &self.units {
            let cells: Vec<String> = unit.iter().map(f32::to_string).collect();
            text += &(cells.join(" ") + "\n");
        }
        text
    }

    /// Reads what [`text`](Som::text) wrote.
    ///
    /// # Errors
    /// If the text is something else, with the line.
    pub fn parse(text: &str) -> Result<Som, TextError> {
        let fault = |line: usize, found: &str, expected: String| TextError {
            line,
            column: 1,
            ..TextError::whole("map", found, expected)
        };
        let mut lines = text.lines();
        let head = lines.next().unwrap_or("");
        let size = || {
            let (units, inputs) = head.strip_prefix("som ")?.split_once(" units, ")?;
            let inputs: usize = inputs.strip_suffix(" inputs")?.parse().ok()?;
            let units: usize = units.parse().ok()?;
            (units > 0 && inputs > 0).then_some((units, inputs))
        };
        let expected = || "som N units, M inputs, none of them 0".to_owned();
        let (units, inputs) = size().ok_or_else(|| fault(1, head, expected()))?;
        let mut read = |index: usize| {
            let line = lines.next().unwrap_or("end of text");
            let cells = line.split_whitespace().map_while(|cell| cell.parse().ok());
            let weights: Vec<f32> = cells.filter(|weight: &f32| weight.is_finite()).collect();
            let complete = weights.len() == inputs && line.split_whitespace().count() == inputs;
            complete
                .then_some(weights)
                .ok_or_else(|| fault(index + 2, line, format!("{inputs} numbers")))
        };
        let units = (0..units).map(&mut read).collect::<Result<_, _>>()?;
        match lines.next() {
            None => Ok(Som { units }),
            Some(line) => Err(fault(units.len() + 2, line, "the end of the map".to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points around three centres, in turn.
    fn clouds(random: &mut Random) -> Vec<Vec<f32>> {
        let centres = [[0.0, 0.0], [10.0, 0.0], [5.0, 9.0]];
        let mut point =
            |index: usize| centres[index % 3].map(|at: f32| at + random.unit() as f32).to_vec();
        (0..300).map(&mut point).collect()
    }

    #[test]
    fn clouds_are_told_apart() {
        let mut random = Random::new(7);
        let points = clouds(&mut random);
        let mut som = Som::random(5, &points, &mut random);
        let before = som.quantisation_error(&points);
        let mut errors = Vec::new();
        som.train(&points, SomTraining::default(), |_, error| errors.push(error));
        assert!(errors.last().unwrap() < &before && errors.len() == 45, "{errors:?}");
        for cluster in som.clusters(&points) {
            let clouds: Vec<usize> = cluster.iter().map(|place| place % 3).collect();
            assert!(clouds.iter().all(|cloud| *cloud == clouds[0]), "two clouds share a unit");
        }
    }

    #[test]
    fn the_winner_is_the_nearest_and_the_first_of_equals() {
        let som = Som { units: vec![vec![0.0, 0.0], vec![4.0, 0.0], vec![4.0, 4.0]] };
        assert_eq!(
            [[1.0, 0.0], [2.0, 0.0], [3.0, 0.5], [4.0, 3.0]].map(|it| som.winner(&it)),
            [0, 0, 1, 2]
        );
    }

    /// By hand: (1, 4) is nearest to the unit at 2; it and its neighbours go half the way, the unit
    /// at 9 stays.
    #[test]
    fn one_step_moves_the_winner_and_its_neighbours() {
        let at = |first: f32| vec![first, 0.0];
        let mut som = Som { units: vec![at(-3.0), at(2.0), at(5.0), at(9.0)] };
        som.step(&[1.0, 4.0], 0.5, 1);
        let moved = [[-1.0, 2.0], [1.5, 2.0], [3.0, 2.0], [9.0, 0.0]];
        assert_eq!(som.units, moved.map(|unit| unit.to_vec()));
        // At the end of the line there is one neighbour only.
        som.step(&[9.0, 4.0], 1.0, 1);
        assert_eq!(som.units[2..], [vec![9.0, 4.0], vec![9.0, 4.0]]);
        assert_eq!(som.units[1], [1.5, 2.0]);
    }

    #[test]
    fn errors_and_clusters_by_hand() {
        let som = Som { units: vec![vec![0.0, 0.0], vec![10.0, 0.0], vec![50.0, 0.0]] };
        let inputs = [[3.0, 4.0], [10.0, 1.0], [0.0, 0.0]].map(|input| input.to_vec());
        assert_eq!(som.quantisation_error(&inputs), (5.0 + 1.0 + 0.0) / 3.0);
        assert_eq!(som.clusters(&inputs), [vec![0, 2], vec![1], vec![]]);
    }

    #[test]
    fn a_map_survives_its_text_and_wrong_ones_are_named() {
        let inputs = [vec![3.0, 0.7, 1e-3]];
        let som = Som::random(4, &inputs, &mut Random::new(2));
        let text = som.text();
        assert_eq!(Som::parse(&text).unwrap(), som);
        let wrong = [
            (text.replace("som 4", "som x"), 1),
            (text.replace("4 units", "0 units"), 1),
            (text.replace("4 units", "5 units"), 6),
            (text.replace("4 units", "3 units"), 5),
            (text.replacen('\n', "\nnan ", 1), 2),
            (text.clone() + "more", 6),
            (String::new(), 1),
        ];
        for (text, line) in wrong {
            let error = Som::parse(&text).unwrap_err();
            assert_eq!(error.line, line, "{error}");
        }
    }
}
