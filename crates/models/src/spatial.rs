//! The network of Anaconda (Chellapilla and Fogel 2001): it sees what stands on the 32 dark squares
//! of a board of 64, first by all square parts of the board, then as a whole.
//!
//! The first layer has a unit for each of the 91 square parts from 3×3 to 8×8, which sees the dark
//! squares inside; then come layers of 40 and of 10 units and the output, all tanh, each with a bias:
//! 5,046 weights, as published. The sum of the inputs goes straight into the output, with weight 1,
//! which is why it is not among them.

use crate::activation::tanh;

/// Dark squares.
pub const INPUTS: usize = 32;
/// Number of square parts of the board: units of the first layer.
pub const PART_COUNT: usize = 91;
/// Units of the second layer.
pub const SECOND_LAYER_UNITS: usize = 40;
/// Units of the third layer.
pub const THIRD_LAYER_UNITS: usize = 10;
/// Weights of the network, biases among them.
pub const WEIGHTS: usize = 5046;

/// Squares in a row of the board.
const SIDE: usize = 8;
/// Sides of the square parts.
const PART_SIZES: std::ops::RangeInclusive<usize> = 3..=SIDE;
/// Numbers in a vector. Only rows cut into such pieces does the compiler turn into vectors whatever their
/// length.
const LANES: usize = 8;

/// A number for each unit of a layer, and zeros to whole vectors.
type Row<const N: usize> = [[f32; LANES]; N];
type First = Row<{ PART_COUNT.div_ceil(LANES) }>;
type Second = Row<{ SECOND_LAYER_UNITS.div_ceil(LANES) }>;
type Third = Row<{ THIRD_LAYER_UNITS.div_ceil(LANES) }>;

/// Row and column of an input: four in a row, those of the first row on its odd columns.
fn place(input: usize) -> (usize, usize) {
    let row = input / 4;
    (row, 2 * (input % 4) + (row + 1) % 2)
}

/// The square parts, each with the inputs inside it.
pub fn parts() -> Vec<Vec<usize>> {
    let mut parts = Vec::with_capacity(PART_COUNT);
    for size in PART_SIZES {
        for top in 0..=SIDE - size {
            for left in 0..=SIDE - size {
                let inside = |input: &usize| {
                    let (row, column) = place(*input);
                    (top..top + size).contains(&row) && (left..left + size).contains(&column)
                };
                parts.push((0..INPUTS).filter(inside).collect());
            }
        }
    }
    parts
}

/// The number of weights of each unit, including its bias, in the order of the weights.
pub fn units() -> Vec<usize> {
    let first = parts().into_iter().map(|inside| 1 + inside.len());
    let second = std::iter::repeat_n(1 + PART_COUNT, SECOND_LAYER_UNITS);
    let third = std::iter::repeat_n(1 + SECOND_LAYER_UNITS, THIRD_LAYER_UNITS);
    first.chain(second).chain(third).chain([1 + THIRD_LAYER_UNITS]).collect()
}

/// The network, laid out for speed: the weights from a unit are one row.
#[derive(Clone, Debug, PartialEq)]
pub struct Spatial {
    first: [First; INPUTS],
    first_bias: First,
    second: [Second; PART_COUNT],
    second_bias: Second,
    third: [Third; SECOND_LAYER_UNITS],
    third_bias: Third,
    output: Third,
    output_bias: f32,
}

impl Spatial {
    /// The network of these weights: unit after unit, layer after layer, of each the bias and then the
    /// weights from the units before.
    ///
    /// # Panics
    /// If there are not [`WEIGHTS`] of them.
    pub fn new(weights: &[f32]) -> Box<Spatial> {
        assert_eq!(weights.len(), WEIGHTS, "the network has {WEIGHTS} weights");
        let mut net = Box::new(Spatial {
            first: [zeros(); INPUTS],
            first_bias: zeros(),
            second: [zeros(); PART_COUNT],
            second_bias: zeros(),
            third: [zeros(); SECOND_LAYER_UNITS],
            third_bias: zeros(),
            output: zeros(),
            output_bias: 0.0,
        });
        let mut rest = weights.iter().copied();
        let mut next = || rest.next().expect("there are enough weights");
        for (unit, inside) in parts().into_iter().enumerate() {
            *at(&mut net.first_bias, unit) = next();
            inside.into_iter().for_each(|input| *at(&mut net.first[input], unit) = next());
        }
        for unit in 0..SECOND_LAYER_UNITS {
            *at(&mut net.second_bias, unit) = next();
            net.second.iter_mut().for_each(|row| *at(row, unit) = next());
        }
        for unit in 0..THIRD_LAYER_UNITS {
            *at(&mut net.third_bias, unit) = next();
            net.third.iter_mut().for_each(|row| *at(row, unit) = next());
        }
        net.output_bias = next();
        (0..THIRD_LAYER_UNITS).for_each(|unit| *at(&mut net.output, unit) = next());
        net
    }

    /// The sum of the output unit; its tanh is the network's value. The tanh is monotone, so it changes no
    /// choice, and it would make large sums equal.
    #[inline]
    pub fn sum(&self, inputs: &[f32; INPUTS]) -> f32 {
        let mut units = self.first_bias;
        let mut total = 0.0;
        for (row, &input) in self.first.iter().zip(inputs) {
            if input != 0.0 {
                units = added(units, row, input);
                total += input;
            }
        }
        let units = tanh_all(units);
        let mut middle = self.second_bias;
        for (row, &unit) in self.second.iter().zip(units.as_flattened()) {
            middle = added(middle, row, unit);
        }
        let middle = tanh_all(middle);
        let mut last = self.third_bias;
        for (row, &unit) in self.third.iter().zip(middle.as_flattened()) {
            last = added(last, row, unit);
        }
        let last = tanh_all(last);
        let pairs = last.as_flattened().iter().zip(self.output.as_flattened());
        let product: f32 = pairs.map(|(unit, weight)| unit * weight).sum();
        product + self.output_bias + total
    }

    /// The value of the network, from -1 to 1.
    pub fn value(&self, inputs: &[f32; INPUTS]) -> f32 {
        tanh(self.sum(inputs))
    }
}

fn zeros<const N: usize>() -> Row<N> {
    [[0.0; LANES]; N]
}

fn at<const N: usize>(row: &mut Row<N>, unit: usize) -> &mut f32 {
    &mut row[unit / LANES][unit % LANES]
}

/// `sums` plus `share` times a row.
#[inline]
fn added<const N: usize>(mut sums: Row<N>, row: &Row<N>, share: f32) -> Row<N> {
    for piece in 0..N {
        for lane in 0..LANES {
            sums[piece][lane] += share * row[piece][lane];
        }
    }
    sums
}

/// The tanh of all.
#[inline]
fn tanh_all<const N: usize>(mut sums: Row<N>) -> Row<N> {
    for piece in &mut sums {
        for sum in piece {
            *sum = tanh(*sum);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;

    #[test]
    fn it_has_the_published_size() {
        assert_eq!(
            (parts().len(), units().len()),
            (PART_COUNT, PART_COUNT + SECOND_LAYER_UNITS + THIRD_LAYER_UNITS + 1)
        );
        assert_eq!(units().into_iter().sum::<usize>(), WEIGHTS);
        // 36 parts of 3×3, 25 of 4×4, and so on to the board itself.
        let sizes: Vec<usize> = parts().iter().map(Vec::len).collect();
        assert!(sizes[..36].iter().all(|&size| size == 4 || size == 5));
        assert!(sizes[36..61].iter().all(|&size| size == 8));
        assert_eq!(sizes[90], INPUTS);
        assert_eq!(parts()[0], [0, 4, 5, 8]);
    }

    /// The same in double precision, straight from the weights.
    fn plain(weights: &[f32], inputs: &[f32; INPUTS]) -> f64 {
        let mut rest = weights.iter().map(|&weight| f64::from(weight));
        let mut unit = |before: &[f64]| {
            let bias = rest.next().unwrap();
            bias + before.iter().map(|value| value * rest.next().unwrap()).sum::<f64>()
        };
        let inputs = inputs.map(f64::from);
        let inside =
            |part: &Vec<usize>| -> Vec<f64> { part.iter().map(|&it| inputs[it]).collect() };
        let first: Vec<f64> = parts().iter().map(|part| unit(&inside(part)).tanh()).collect();
        let second: Vec<f64> = (0..SECOND_LAYER_UNITS).map(|_| unit(&first).tanh()).collect();
        let third: Vec<f64> = (0..THIRD_LAYER_UNITS).map(|_| unit(&second).tanh()).collect();
        unit(&third) + inputs.iter().sum::<f64>()
    }

    #[test]
    fn the_sum_is_that_of_plain_arithmetic() {
        let mut random = Random::new(1);
        for _ in 0..20 {
            let weights: Vec<f32> = (0..WEIGHTS).map(|_| random.normal() as f32 * 0.3).collect();
            let net = Spatial::new(&weights);
            for _ in 0..10 {
                let inputs: [f32; INPUTS] = std::array::from_fn(|_| {
                    random.pick(&[0.0, 0.0, 1.0, -1.0, 1.7, -1.7]).unwrap()
                });
                let (found, expected) = (f64::from(net.sum(&inputs)), plain(&weights, &inputs));
                assert!((found - expected).abs() < 1e-3, "{found}, not {expected}");
                assert!((f64::from(net.value(&inputs)) - expected.tanh()).abs() < 1e-3);
            }
        }
    }
}
