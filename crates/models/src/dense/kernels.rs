//! Inner loops: sums of products by a matrix, which has a row of weights for each input.
//!
//! The compiler turns the loops over the numbers of an array into vectors; these do not meet, so the
//! width of the vectors does not matter.

/// Numbers that are added up side by side.
const LANES: usize = 16;

/// Adds to `sums` the rows of `weights`, each as often as `input` says, from the first input to the last.
pub(super) fn multiply(input: &[f32], weights: &[f32], sums: &mut [f32]) {
    let units = sums.len();
    if units == 1 {
        sums[0] += dot(input, weights);
        return;
    }
    let mut start = 0;
    while start < units {
        let block = match units - start {
            64.. => columns::<64>,
            32.. => columns::<32>,
            16.. => columns::<16>,
            8.. => columns::<8>,
            4.. => columns::<4>,
            _ => columns::<1>,
        };
        start += block(input, weights, start, sums);
    }
}

/// [`multiply`] for `N` units from `start`, whose sums stay in registers. Returns `N`.
fn columns<const N: usize>(
    input: &[f32],
    weights: &[f32],
    start: usize,
    sums: &mut [f32],
) -> usize {
    let rows = weights.chunks_exact(sums.len());
    let sums: &mut [f32; N] = sums[start..].first_chunk_mut().expect("N units");
    let mut block = *sums;
    for (value, row) in input.iter().zip(rows) {
        let row: &[f32; N] = row[start..].first_chunk().expect("N units");
        for lane in 0..N {
            block[lane] = row[lane].mul_add(*value, block[lane]);
        }
    }
    *sums = block;
    N
}

/// Adds to `sums` the rows of `weights` with these numbers.
pub(super) fn add_rows(active: &[u32], weights: &[f32], sums: &mut [f32]) {
    let units = sums.len();
    for &index in active {
        let row = &weights[index as usize * units..][..units];
        sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += weight);
    }
}

/// Adds `row` times `factor` to `sums`.
pub(super) fn add_scaled(row: &[f32], factor: f32, sums: &mut [f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, value)| *sum = value.mul_add(factor, *sum));
}

/// The sum of products, in lanes that are added up from the first to the last.
pub(super) fn dot(one: &[f32], other: &[f32]) -> f32 {
    let (ones, one_rest) = one.as_chunks::<LANES>();
    let (others, other_rest) = other.as_chunks::<LANES>();
    let mut lanes = [0.0f32; LANES];
    for (one, other) in ones.iter().zip(others) {
        for lane in 0..LANES {
            lanes[lane] = one[lane].mul_add(other[lane], lanes[lane]);
        }
    }
    for (lane, (one, other)) in lanes.iter_mut().zip(one_rest.iter().zip(other_rest)) {
        *lane = one.mul_add(*other, *lane);
    }
    lanes.iter().sum()
}
