//! Moves and flips: runs of discs, found in all directions at once.
//!
//! The four lanes of a vector hold the four pairs of opposite directions: along a row, along both
//! diagonals, along a column. Shifting left looks one way, shifting right the other. The loops over
//! `Lanes` are plain integer code that compilers turn into four-lane vector instructions where
//! the machine has them.

/// One word for each pair of directions.
type Lanes = [u64; 4];

/// Distances of neighbours: to the right, down left, down, down right.
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
pub fn placements(own: u64, other: u64) -> u64 {
    let through = lanes(|i| other & INNER[i]);
    let (left, right) = runs(own, &through);
    let ends = lanes(|i| (left[i] << STEPS[i]) | (right[i] >> STEPS[i]));
    join(ends) & !(own | other)
}

/// The squares between one square and the edge, by pairs of opposite directions.
#[repr(align(64))]
struct Rays {
    /// Towards higher squares.
    up: Lanes,
    /// Towards lower squares.
    down: Lanes,
}

static RAYS: [Rays; 64] = {
    let mut rays = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
    let mut square = 0;
    while square < 64 {
        let mut lane = 0;
        while lane < 4 {
            rays[square].up[lane] = ray(square, lane, 1);
            rays[square].down[lane] = ray(square, lane, -1);
            lane += 1;
        }
        square += 1;
    }
    rays
};

const fn ray(square: usize, lane: usize, sign: i32) -> u64 {
    // Columns and rows passed by one step of the lane.
    let (right, down) = [(1, 0), (-1, 1), (0, 1), (1, 1)][lane];
    let (mut column, mut row) = (square as i32 % 8, square as i32 / 8);
    let mut squares = 0;
    loop {
        column += sign * right;
        row += sign * down;
        if column < 0 || column > 7 || row < 0 || row > 7 {
            return squares;
        }
        squares |= 1 << (8 * row + column);
    }
}

/// The discs of `other` turned over when the owner of `own` places one on `square`.
#[inline]
pub fn flips(own: u64, other: u64, square: u8) -> u64 {
    let rays = &RAYS[usize::from(square & 63)];
    // Upwards, an addition carries through the run and stops at the first square that is not the
    // opponent's; if an own disc stands there, everything before it on the ray is turned over.
    let up = lanes(|i| {
        let ray = rays.up[i];
        let stop = (other | !ray).wrapping_add(1) & own & ray;
        stop.wrapping_sub(u64::from(stop != 0)) & ray
    });
    // Downwards, the first such square casts a shadow on all behind it.
    let down = lanes(|i| {
        let (ray, step) = (rays.down[i], STEPS[i]);
        let mut shadow = ray & !other;
        shadow |= shadow >> step;
        shadow |= shadow >> (2 * step);
        shadow |= shadow >> (4 * step);
        let run = ray & !shadow;
        let behind = ((run | 1 << (square & 63)) >> step) & ray & own;
        if behind == 0 { 0 } else { run }
    });
    join(up) | join(down)
}

/// The squares next to each square.
pub static NEIGHBOURS: [u64; 64] = {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = neighbours(1 << square);
        square += 1;
    }
    all
};

/// All squares next to a square of `squares`, without `squares` themselves.
#[inline]
pub const fn neighbours(squares: u64) -> u64 {
    const NOT_A: u64 = 0xFEFE_FEFE_FEFE_FEFE;
    const NOT_H: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    let row = squares | (squares << 1 & NOT_A) | (squares >> 1 & NOT_H);
    (row | row << 8 | row >> 8) & !squares
}

/// The squares of every row, diagonal and column that holds no square of `empty`, by direction.
#[inline]
pub fn full_lines(empty: u64) -> Lanes {
    // Masks for shifts by one, two and four steps that do not cross the edge.
    const RIGHT: [u64; 3] = [0xFEFE_FEFE_FEFE_FEFE, 0xFCFC_FCFC_FCFC_FCFC, 0xF0F0_F0F0_F0F0_F0F0];
    const LEFT: [u64; 3] = [0x7F7F_7F7F_7F7F_7F7F, 0x3F3F_3F3F_3F3F_3F3F, 0x0F0F_0F0F_0F0F_0F0F];
    const ALL: [u64; 3] = [u64::MAX; 3];
    const UP: [[u64; 3]; 4] = [RIGHT, LEFT, ALL, RIGHT];
    const DOWN: [[u64; 3]; 4] = [LEFT, RIGHT, ALL, LEFT];
    let (mut up, mut down) = ([empty; 4], [empty; 4]);
    for jump in 0..3 {
        up = lanes(|i| up[i] | (up[i] << (STEPS[i] << jump) & UP[i][jump]));
        down = lanes(|i| down[i] | (down[i] >> (STEPS[i] << jump) & DOWN[i][jump]));
    }
    lanes(|i| !(up[i] | down[i]))
}

/// The squares that have a neighbour in `squares`, on either side, by direction; wrapped around the
/// edge, so good only for squares off the edge.
#[inline]
pub fn beside(squares: u64) -> Lanes {
    lanes(|i| squares << STEPS[i] | squares >> STEPS[i])
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;

    /// Flips found step by step.
    fn plain_flips(own: u64, other: u64, square: u8) -> u64 {
        let mut all = 0;
        for (lane, &step) in STEPS.iter().enumerate() {
            for sign in [1, -1] {
                let ray = ray(usize::from(square), lane, sign);
                let step = sign * step as i32;
                let (mut at, mut run) = (i32::from(square) + step, 0u64);
                while (0..64).contains(&at) && ray & other & (1 << at) != 0 {
                    run |= 1 << at;
                    at += step;
                }
                if (0..64).contains(&at) && ray & own & (1 << at) != 0 {
                    all |= run;
                }
            }
        }
        all
    }

    #[test]
    fn flips_and_placements_are_what_the_rules_say() {
        let mut random = Random::new(5);
        for round in 0..3000 {
            let [a, b, c] = [(); 3].map(|()| random.bits());
            let own = if round % 3 == 0 { a & c } else { a };
            let other = if round % 2 == 0 { b & !own } else { !own & (b | c) };
            let empty = !(own | other);
            let legal = placements(own, other);
            for square in 0..64 {
                let turned = flips(own, other, square);
                assert_eq!(turned, plain_flips(own, other, square), "{own:x} {other:x} {square}");
                let placed = empty >> square & 1 == 1 && turned != 0;
                assert_eq!(legal >> square & 1 == 1, placed, "{own:x} {other:x} {square}");
            }
        }
    }

    #[test]
    fn full_lines_hold_no_empty_square() {
        let mut random = Random::new(6);
        for _ in 0..500 {
            let empty = random.bits() & random.bits() & random.bits();
            let full = full_lines(empty);
            for square in 0..64 {
                for (lane, full) in full.iter().enumerate() {
                    let line = 1 << square | ray(square, lane, 1) | ray(square, lane, -1);
                    assert_eq!(full >> square & 1 == 1, line & empty == 0, "{empty:x} {square}");
                }
            }
        }
    }
}
