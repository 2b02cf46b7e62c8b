//! Runs of discs, found in all directions at once.
//!
//! The four lanes of a vector hold the four pairs of opposite directions: along a row, along both
//! diagonals, along a column. Shifting left looks one way, shifting right the other. The loops over
//! [`Lanes`] are plain integer code that compilers turn into four-lane vector instructions where
//! the machine has them.

/// One word for each pair of directions.
type Lanes = [u64; 4];

/// How far apart neighbours are: to the right, down left, down, down right.
const STEPS: [u32; 4] = [1, 7, 8, 9];

/// A run that changes column must not cross the edge, so it never holds a disc of the outer
/// columns; a run along a column may.
const INNER_COLUMNS: u64 = 0x7E7E_7E7E_7E7E_7E7E;
const INNER: Lanes = [INNER_COLUMNS, INNER_COLUMNS, u64::MAX, INNER_COLUMNS];

#[inline(always)]
fn lanes(value: impl Fn(usize) -> u64) -> Lanes {
    [value(0), value(1), value(2), value(3)]
}

#[inline(always)]
fn join(lanes: Lanes) -> u64 {
    (lanes[0] | lanes[1]) | (lanes[2] | lanes[3])
}

/// The runs of `through` that begin next to `from`: those reached by left shifts and those reached
/// by right shifts. They grow to one, two, four and six discs, the most that can be enclosed.
#[inline(always)]
fn runs(from: u64, through: &Lanes) -> (Lanes, Lanes) {
    let mut left = lanes(|i| through[i] & (from << STEPS[i]));
    let mut right = lanes(|i| through[i] & (from >> STEPS[i]));
    left = lanes(|i| left[i] | (through[i] & (left[i] << STEPS[i])));
    right = lanes(|i| right[i] | (through[i] & (right[i] >> STEPS[i])));
    let left_pairs = lanes(|i| through[i] & (through[i] << STEPS[i]));
    let right_pairs = lanes(|i| left_pairs[i] >> STEPS[i]);
    for _ in 0..2 {
        left = lanes(|i| left[i] | (left_pairs[i] & (left[i] << (2 * STEPS[i]))));
        right = lanes(|i| right[i] | (right_pairs[i] & (right[i] >> (2 * STEPS[i]))));
    }
    (left, right)
}

/// The squares where the owner of `own` may place a disc.
#[inline]
pub(super) fn placements(own: u64, other: u64) -> u64 {
    let through = lanes(|i| other & INNER[i]);
    let (left, right) = runs(own, &through);
    let ends = lanes(|i| (left[i] << STEPS[i]) | (right[i] >> STEPS[i]));
    join(ends) & !(own | other)
}

/// The discs of `other` turned over when the owner of `own` places one on `square`.
#[inline]
pub(super) fn flips(own: u64, other: u64, square: u8) -> u64 {
    let through = lanes(|i| other & INNER[i]);
    let (left, right) = runs(1 << square, &through);
    // A run is turned over if an own disc stands right behind it.
    let behind_left = lanes(|i| (left[i] << STEPS[i]) & own);
    let behind_right = lanes(|i| (right[i] >> STEPS[i]) & own);
    join(closed(left, behind_left)) | join(closed(right, behind_right))
}

#[inline(always)]
fn closed(runs: Lanes, behind: Lanes) -> Lanes {
    lanes(|i| if behind[i] == 0 { 0 } else { runs[i] })
}
