//! Functions that give the same numbers on every machine.

/// The exponential function, to six digits and the same on every machine.
#[inline]
pub fn exp(x: f32) -> f32 {
    let x = x.clamp(-80.0, 80.0);
    let whole = (x * std::f32::consts::LOG2_E).round();
    // ln 2 in two parts, so that the rest is exact.
    let rest = whole.mul_add(-0.693_359_4, x);
    let rest = whole.mul_add(2.121_944_4e-4, rest);
    let mut sum = 1.0 / 720.0;
    for factor in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = rest.mul_add(sum, factor);
    }
    sum * f32::from_bits(((whole as i32 + 127) as u32) << 23)
}

/// The logistic function.
#[inline]
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// The natural logarithm of a positive number, to thirteen digits and the same on every machine.
pub fn ln(x: f64) -> f64 {
    debug_assert!(x >= f64::MIN_POSITIVE);
    const FRACTION_BITS: u32 = f64::MANTISSA_DIGITS - 1;
    let bits = x.to_bits();
    let mut exponent = (bits >> FRACTION_BITS) as i64 - 1023;
    let mut fraction =
        f64::from_bits((bits & ((1 << FRACTION_BITS) - 1)) | (1023 << FRACTION_BITS));
    if fraction > std::f64::consts::SQRT_2 {
        fraction /= 2.0;
        exponent += 1;
    }
    // ln y = 2 (s + s^3/3 + s^5/5 + ...) with s = (y - 1) / (y + 1), which is below 0.18.
    let s = (fraction - 1.0) / (fraction + 1.0);
    let sum = (0..10).rev().fold(0.0, |sum, k| sum * s * s + 1.0 / f64::from(2 * k + 1));
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * s * sum
}

/// `base` to a whole power, by multiplications only.
pub(crate) fn power(base: f32, exponent: u64) -> f32 {
    let (mut product, mut square, mut left) = (1.0, base, exponent);
    while left > 0 {
        if left & 1 == 1 {
            product *= square;
        }
        square *= square;
        left >>= 1;
    }
    product
}
