//! The small network of the draughts learners: inputs that are on or off, one hidden layer, one
//! output, every layer connected to every later one, tanh everywhere.

use crate::activation::tanh;
use ludus_core::{Random, TextError};

/// Hidden units, as in NeuroDraughts and its successors.
pub const HIDDEN: usize = 20;
/// The column of a row that holds the weight to the output.
pub(crate) const OUTPUT: usize = HIDDEN;
/// Numbers in a row: the hidden units, the output, and padding to whole vectors.
pub(crate) const WIDTH: usize = (HIDDEN + 1).next_multiple_of(LANES);
/// Numbers in a vector.
const LANES: usize = 8;

/// The weights of one input to the hidden units and to the output.
pub(crate) type Row = [f32; WIDTH];

/// The network.
#[derive(Clone, Debug, PartialEq)]
pub struct Mlp {
    /// A row for each input; the last is the bias, an input that is always on.
    pub(crate) rows: Vec<Row>,
    /// From the hidden units to the output.
    pub(crate) hidden: Row,
}

/// A prediction with the activations that produced it.
#[derive(Copy, Clone, Debug)]
pub struct Prediction {
    /// From -1, a sure loss, to 1, a sure win.
    pub value: f32,
    /// The hidden units.
    pub(crate) hidden: Row,
    /// The inputs that were on.
    pub(crate) inputs: u128,
}

impl Mlp {
    /// A network with small random weights.
    ///
    /// # Panics
    /// If there are 128 inputs or more.
    pub fn random(inputs: usize, random: &mut Random) -> Mlp {
        assert!(inputs < 128, "a network has fewer than 128 inputs");
        const SPREAD: f32 = 0.2;
        let mut weight = || (random.unit() as f32 - 0.5) * 2.0 * SPREAD;
        let mut row = |used: usize| {
            let mut row = [0.0; WIDTH];
            row[..used].fill_with(&mut weight);
            row
        };
        Mlp { rows: (0..=inputs).map(|_| row(HIDDEN + 1)).collect(), hidden: row(HIDDEN) }
    }

    /// The number of its inputs.
    pub fn inputs(&self) -> usize {
        self.rows.len() - 1
    }

    /// The value it predicts for these inputs.
    #[inline]
    pub fn value(&self, inputs: u128) -> f32 {
        self.predict(inputs).value
    }

    /// The value it predicts for these inputs, with the activations needed to learn from it.
    #[inline]
    pub fn predict(&self, inputs: u128) -> Prediction {
        let mut sums = *self.rows.last().expect("there is a bias");
        let mut rest = inputs;
        while rest != 0 {
            sums = added(sums, &self.rows[rest.trailing_zeros() as usize]);
            rest &= rest - 1;
        }
        let direct = sums[OUTPUT];
        sums[OUTPUT] = 0.0;
        let mut hidden = sums;
        // Loops over whole arrays: only these does the compiler turn into vectors.
        for unit in &mut hidden {
            *unit = tanh(*unit);
        }
        let value = tanh(direct + product(&hidden, &self.hidden));
        Prediction { value, hidden, inputs }
    }

    /// All weights, in the order of the text.
    fn weights(&self) -> impl Iterator<Item = f32> + '_ {
        let rows = self.rows.iter().flat_map(|row| row[..=OUTPUT].iter());
        rows.chain(&self.hidden[..HIDDEN]).copied()
    }

    /// The network as text: a line on its size, then for each input and the bias a line with its
    /// weights, then a line with those of the hidden units.
    pub fn text(&self) -> String {
        let mut text = format!("mlp {} inputs, {HIDDEN} hidden\n", self.inputs());
        let line = |weights: &[f32]| {
            let cells: Vec<String> = weights.iter().map(f32::to_string).collect();
            cells.join(" ") + "\n"
        };
        text.extend(self.rows.iter().map(|row| line(&row[..=OUTPUT])));
        text + &line(&self.hidden[..HIDDEN])
    }

    /// Reads what [`text`](Mlp::text) wrote.
    ///
    /// # Errors
    /// If the text is something else, with the line.
    pub fn parse(text: &str) -> Result<Mlp, TextError> {
        let fault = |line: usize, found: &str, expected: String| TextError {
            line,
            column: 1,
            ..TextError::whole("network", found, expected)
        };
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let head = lines.next().map_or("", |(_, line)| line);
        let size = || {
            let (inputs, hidden) = head.strip_prefix("mlp ")?.split_once(" inputs, ")?;
            let hidden: usize = hidden.strip_suffix(" hidden")?.parse().ok()?;
            inputs.parse().ok().filter(|&inputs: &usize| inputs < 128 && hidden == HIDDEN)
        };
        let expected = format!("mlp N inputs, {HIDDEN} hidden, with N below 128");
        let inputs = size().ok_or_else(|| fault(1, head, expected))?;
        let mut read = |count: usize| {
            let (number, line) = lines.next().unwrap_or((inputs + 3, "end of text"));
            let weights: Vec<f32> =
                line.split_whitespace().map_while(|cell| cell.parse().ok()).collect();
            let mut row = [0.0; WIDTH];
            if weights.len() != count || weights.iter().any(|weight| !weight.is_finite()) {
                return Err(fault(number, line, format!("{count} numbers")));
            }
            row[..count].copy_from_slice(&weights);
            Ok(row)
        };
        let rows = (0..=inputs).map(|_| read(HIDDEN + 1)).collect::<Result<Vec<Row>, _>>()?;
        Ok(Mlp { rows, hidden: read(HIDDEN)? })
    }

    /// Whether all weights are finite.
    pub fn is_finite(&self) -> bool {
        self.weights().all(f32::is_finite)
    }
}

#[inline]
fn added(mut sums: Row, row: &Row) -> Row {
    for lane in 0..WIDTH {
        sums[lane] += row[lane];
    }
    sums
}

/// The dot product, lane by lane.
#[inline]
fn product(units: &Row, weights: &Row) -> f32 {
    let mut products = [0.0; LANES];
    for first in (0..WIDTH).step_by(LANES) {
        for lane in 0..LANES {
            products[lane] += units[first + lane] * weights[first + lane];
        }
    }
    products.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same in double precision, one step at a time.
    fn plain(net: &Mlp, inputs: u128) -> f64 {
        let on = |input: usize| input == net.inputs() || inputs >> input & 1 == 1;
        let into = |column: usize| -> f64 {
            let rows = net.rows.iter().enumerate().filter(|(input, _)| on(*input));
            rows.map(|(_, row)| f64::from(row[column])).sum()
        };
        let hidden = |unit: usize| into(unit).tanh() * f64::from(net.hidden[unit]);
        (into(OUTPUT) + (0..HIDDEN).map(hidden).sum::<f64>()).tanh()
    }

    fn random_inputs(random: &mut Random, inputs: usize) -> u128 {
        let bits = u128::from(random.bits()) << 64 | u128::from(random.bits());
        bits & ((1 << inputs) - 1)
    }

    #[test]
    fn a_prediction_is_that_of_plain_arithmetic() {
        let mut random = Random::new(1);
        for inputs in [1, 38, 45, 100] {
            let net = Mlp::random(inputs, &mut random);
            for _ in 0..100 {
                let on = random_inputs(&mut random, inputs);
                let difference = f64::from(net.value(on)) - plain(&net, on);
                assert!(difference.abs() < 1e-5, "{difference}");
            }
        }
    }

    #[test]
    fn a_network_survives_its_text() {
        let net = Mlp::random(45, &mut Random::new(2));
        assert_eq!(Mlp::parse(&net.text()).unwrap(), net);
        for (from, to) in [("mlp 45", "mlp 450"), ("0.", "nan "), ("\n", " ")] {
            let broken = net.text().replacen(from, to, 1);
            assert!(Mlp::parse(&broken).is_err(), "{from} as {to}");
        }
        assert!(Mlp::parse("").is_err());
    }
}
