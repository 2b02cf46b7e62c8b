//! Axis: maps values to pixels, with ticks at round numbers.

/// A linear map of values to pixels.
#[derive(Copy, Clone, Debug)]
pub(super) struct Axis {
    pub low: f64,
    pub high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// Maps values from `low` to `high` to pixels `from` to `to`. An empty range is widened around its
    /// value.
    pub fn new(low: f64, high: f64, from: f64, to: f64) -> Axis {
        let (low, high) = match (low.is_finite(), high.is_finite()) {
            (true, true) => (low.min(high), low.max(high)),
            _ => (0.0, 1.0),
        };
        let least = 1e-9 * low.abs().max(high.abs()).max(1e-3);
        let widen = if high - low < least { low.abs().max(1.0) / 2.0 } else { 0.0 };
        Axis { low: low - widen, high: high + widen, from, to }
    }

    /// Like [`new`](Self::new), with the ends moved out to the next ticks.
    pub fn rounded(low: f64, high: f64, from: f64, to: f64, ticks: usize) -> Axis {
        let axis = Axis::new(low, high, from, to);
        let step = step(axis.high - axis.low, ticks);
        Axis {
            low: (axis.low / step + 1e-9).floor() * step,
            high: (axis.high / step - 1e-9).ceil() * step,
            ..axis
        }
    }

    /// The pixel of a value, clamped to the ends of the axis.
    pub fn place(&self, value: f64) -> f64 {
        self.place_beyond(value.clamp(self.low, self.high))
    }

    /// The pixel of a value, also outside the axis, for shapes that are clipped at its ends. Clamped only
    /// far outside the picture.
    pub fn place_beyond(&self, value: f64) -> f64 {
        let part = ((value - self.low) / (self.high - self.low)).clamp(-9.0, 10.0);
        self.from + part * (self.to - self.from)
    }

    /// About `count` round values within the range, in ascending order, with labels.
    pub fn ticks(&self, count: usize) -> Vec<(f64, String)> {
        let step = step(self.high - self.low, count);
        let decimals = usize::try_from(-(step.log10() + 1e-9).floor() as i64).unwrap_or(0);
        let first = (self.low / step - 1e-9).ceil();
        let last = (self.high / step + 1e-9).floor();
        (0..=(last - first) as usize)
            .map(|index| (first + index as f64) * step)
            .map(|value| (value, label(value, decimals)))
            .collect()
    }
}

/// The step of 1, 2 or 5 times a power of ten nearest to `count` ticks over `range`.
fn step(range: f64, count: usize) -> f64 {
    let rough = range / count.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    let round = steps.into_iter().find(|&round| rough <= round * power * 1.01);
    round.unwrap_or(10.0) * power
}

/// A number with thousands separators and a typographic minus sign.
fn label(value: f64, decimals: usize) -> String {
    let digits = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = digits.split_once('.').unwrap_or((&digits, ""));
    let mut text = String::new();
    if value < 0.0 && digits.bytes().any(|digit| (b'1'..=b'9').contains(&digit)) {
        text.push('−');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text.push_str(fraction);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> Vec<String> {
        Axis::new(low, high, 0.0, 100.0).ticks(5).into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(0.0, 100.0), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(labels(-130.0, 270.0), ["−100", "0", "100", "200"]);
        assert_eq!(labels(0.0, 100_000.0)[1], "20,000");
        assert_eq!(labels(0.47, 0.53), ["0.48", "0.50", "0.52"]);
    }

    #[test]
    fn strange_ranges_are_still_ranges() {
        for (low, high) in
            [(3.0, 3.0), (0.0, 0.0), (f64::NAN, 1.0), (f64::INFINITY, 0.0), (5.0, -5.0)]
        {
            let axis = Axis::new(low, high, 10.0, 20.0);
            assert!(axis.low < axis.high);
            assert!((1..20).contains(&axis.ticks(5).len()), "{low} {high}");
            assert!((10.0..=20.0).contains(&axis.place(1e300)));
        }
        let axis = Axis::rounded(-7.0, 93.0, 0.0, 100.0, 5);
        assert_eq!((axis.low, axis.high), (-20.0, 100.0));
    }
}
