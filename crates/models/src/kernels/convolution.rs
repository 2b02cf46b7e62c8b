//! The inner loops: sums of products over the cells of a board, and by matrices.
//!
//! Every sum is taken in one order, with fused multiplications, whatever the width of the machine's
//! vectors: a lane is a channel, and lanes do not meet. So all machines get the same numbers.
//!
//! Vectors are written out where the machine has them: left to itself the compiler takes cells for
//! lanes as often as not, which is up to 30 times slower (`cargo run --release -p ludus-models --example
//! board_net_speed`).

use super::{Channels, PaddedGrid, WIDTH};

/// Cells behind the last row that a block of cells may reach into.
pub(super) const PADDING_CELLS: usize = 5;

/// All loops for vectors of `$lanes` numbers, with sums of `$cells` cells, `$rows` rows of weights or
/// `$items` items in registers at once.
#[cfg(target_arch = "x86_64")]
macro_rules! vectors {
    ($name:ident, $feature:literal, $vector:ident, $lanes:literal, $cells:literal, $rows:literal,
     $items:literal, $load:ident, $store:ident, $splat:ident, $fused:ident, $add:ident) => {
        mod $name {
            use super::{Channels, PaddedGrid, WIDTH};
            use std::arch::x86_64::{$add, $fused, $load, $splat, $store, $vector};

            const PARTS: usize = WIDTH / $lanes;
            type Row = [$vector; PARTS];

            #[target_feature(enable = $feature)]
            #[inline]
            fn load(cell: &Channels) -> Row {
                let mut row = [$splat(0.0); PARTS];
                for part in 0..PARTS {
                    // SAFETY: the parts make up the cell.
                    row[part] = unsafe { $load(cell.0.as_ptr().add(part * $lanes)) };
                }
                row
            }

            #[target_feature(enable = $feature)]
            #[inline]
            fn store(row: Row, cell: &mut Channels) {
                for part in 0..PARTS {
                    // SAFETY: the parts make up the cell.
                    unsafe { $store(cell.0.as_mut_ptr().add(part * $lanes), row[part]) };
                }
            }

            #[target_feature(enable = $feature)]
            pub fn convolve(
                grid: PaddedGrid,
                input: &[Channels],
                weights: &[Channels],
                output: &mut [Channels],
            ) {
                const { assert!($cells <= super::PADDING_CELLS) };
                let taps = weights.as_chunks::<WIDTH>().0;
                let steps = grid.steps(taps.len());
                for row in 0..grid.size {
                    let first = grid.place(row, 0);
                    for start in (0..grid.size).step_by($cells) {
                        let mut sums = [[$splat(0.0); PARTS]; $cells];
                        for (tap, step) in taps.iter().zip(steps) {
                            let from = (first + start).wrapping_add_signed(*step);
                            let cells: &[Channels; $cells] =
                                input[from..].first_chunk().expect("room behind");
                            for channel in 0..WIDTH {
                                let weights = load(&tap[channel]);
                                for cell in 0..$cells {
                                    let value = $splat(cells[cell].0[channel]);
                                    for part in 0..PARTS {
                                        sums[cell][part] =
                                            $fused(value, weights[part], sums[cell][part]);
                                    }
                                }
                            }
                        }
                        let count = $cells.min(grid.size - start);
                        for (cell, sums) in output[first + start..][..count].iter_mut().zip(sums) {
                            store(sums, cell);
                        }
                    }
                }
            }

            #[target_feature(enable = $feature)]
            pub fn correlate(
                grid: PaddedGrid,
                input: &[Channels],
                change: &[Channels],
                gradient: &mut [Channels],
            ) {
                const { assert!(WIDTH.is_multiple_of($rows)) };
                let steps = grid.steps(gradient.len() / WIDTH);
                let change = &change[grid.span()];
                for (tap, step) in gradient.chunks_exact_mut(WIDTH).zip(steps) {
                    let input = &input[grid.span().start.wrapping_add_signed(*step)..];
                    for (block, rows) in tap.as_chunks_mut::<$rows>().0.iter_mut().enumerate() {
                        let mut sums = [[$splat(0.0); PARTS]; $rows];
                        for (cell, change) in input.iter().zip(change) {
                            let values = &cell.0.as_chunks::<$rows>().0[block];
                            let change = load(change);
                            for row in 0..$rows {
                                let value = $splat(values[row]);
                                for part in 0..PARTS {
                                    sums[row][part] = $fused(value, change[part], sums[row][part]);
                                }
                            }
                        }
                        for row in 0..$rows {
                            let mut sum = load(&rows[row]);
                            for part in 0..PARTS {
                                sum[part] = $add(sum[part], sums[row][part]);
                            }
                            store(sum, &mut rows[row]);
                        }
                    }
                }
            }

            #[target_feature(enable = $feature)]
            pub fn multiply_add(
                inputs: &[Channels],
                depth: usize,
                matrix: &[Channels],
                sums: &mut [Channels],
            ) {
                let (blocks, rest) = sums.as_chunks_mut::<$items>();
                let whole = blocks.len() * $items * depth;
                for (number, sums) in blocks.iter_mut().enumerate() {
                    block(&inputs[number * $items * depth..], depth, matrix, sums);
                }
                for (number, sum) in rest.iter_mut().enumerate() {
                    let inputs = &inputs[whole + number * depth..];
                    block(inputs, depth, matrix, std::array::from_mut(sum));
                }
            }

            /// [`multiply_add`] for `N` items, whose sums stay in registers.
            #[target_feature(enable = $feature)]
            #[inline]
            fn block<const N: usize>(
                inputs: &[Channels],
                depth: usize,
                matrix: &[Channels],
                items: &mut [Channels; N],
            ) {
                let mut sums = [[$splat(0.0); PARTS]; N];
                for item in 0..N {
                    sums[item] = load(&items[item]);
                }
                for (at, rows) in matrix.as_chunks::<WIDTH>().0.iter().enumerate() {
                    let mut cells = [&inputs[at]; N];
                    for item in 1..N {
                        cells[item] = &inputs[item * depth + at];
                    }
                    for channel in 0..WIDTH {
                        let weights = load(&rows[channel]);
                        for item in 0..N {
                            let value = $splat(cells[item].0[channel]);
                            for part in 0..PARTS {
                                sums[item][part] = $fused(value, weights[part], sums[item][part]);
                            }
                        }
                    }
                }
                for item in 0..N {
                    store(sums[item], &mut items[item]);
                }
            }

            #[target_feature(enable = $feature)]
            pub fn add_outer_products(
                inputs: &[Channels],
                stride: usize,
                changes: &[Channels],
                gradient: &mut [Channels; WIDTH],
            ) {
                for (block, rows) in gradient.as_chunks_mut::<$rows>().0.iter_mut().enumerate() {
                    let mut sums = [[$splat(0.0); PARTS]; $rows];
                    for row in 0..$rows {
                        sums[row] = load(&rows[row]);
                    }
                    for (input, change) in inputs.iter().step_by(stride).zip(changes) {
                        let values = &input.0.as_chunks::<$rows>().0[block];
                        let change = load(change);
                        for row in 0..$rows {
                            let value = $splat(values[row]);
                            for part in 0..PARTS {
                                sums[row][part] = $fused(value, change[part], sums[row][part]);
                            }
                        }
                    }
                    for row in 0..$rows {
                        store(sums[row], &mut rows[row]);
                    }
                }
            }
        }
    };
}

// Of 32 registers 12, 18 and 18 are used.
#[cfg(target_arch = "x86_64")]
vectors!(
    sixteen,
    "avx512f",
    __m512,
    16,
    5,
    8,
    8,
    _mm512_loadu_ps,
    _mm512_storeu_ps,
    _mm512_set1_ps,
    _mm512_fmadd_ps,
    _mm512_add_ps
);
// Of 16 registers all, 12 and 12 are used.
#[cfg(target_arch = "x86_64")]
vectors!(
    eight,
    "avx2,fma",
    __m256,
    8,
    2,
    2,
    2,
    _mm256_loadu_ps,
    _mm256_storeu_ps,
    _mm256_set1_ps,
    _mm256_fmadd_ps,
    _mm256_add_ps
);

/// Writes to the cells of the board the sums over their neighbourhoods of `input` times `weights`,
/// which hold for each tap of the window and each input channel the weights of the output channels.
/// One tap is the cell itself, nine are those around it. The border is left as it was.
pub fn convolve(
    grid: PaddedGrid,
    input: &[Channels],
    weights: &[Channels],
    output: &mut [Channels],
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: this machine has what the function is compiled for.
        return unsafe { sixteen::convolve(grid, input, weights, output) };
    } else if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: as above.
        return unsafe { eight::convolve(grid, input, weights, output) };
    }
    plain_convolve(grid, input, weights, output);
}

/// Adds to `gradient` the gradient by the weights of [`convolve`], from the gradient `change` by its
/// output, whose border must be zero.
pub fn correlate(
    grid: PaddedGrid,
    input: &[Channels],
    change: &[Channels],
    gradient: &mut [Channels],
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: this machine has what the function is compiled for.
        return unsafe { sixteen::correlate(grid, input, change, gradient) };
    } else if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: as above.
        return unsafe { eight::correlate(grid, input, change, gradient) };
    }
    plain_correlate(grid, input, change, gradient);
}

/// Adds to each of `sums` its item's input times a matrix. An input is `depth` times [`WIDTH`] numbers,
/// the matrix has a row for each of them, and they are added from the first to the last.
///
/// # Panics
/// If inputs and matrix do not have these sizes.
pub fn multiply_add(inputs: &[Channels], depth: usize, matrix: &[Channels], sums: &mut [Channels]) {
    assert_eq!((inputs.len(), matrix.len()), (depth * sums.len(), depth * WIDTH), "sizes");
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: this machine has what the function is compiled for.
        return unsafe { sixteen::multiply_add(inputs, depth, matrix, sums) };
    } else if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: as above.
        return unsafe { eight::multiply_add(inputs, depth, matrix, sums) };
    }
    plain_multiply_add(inputs, depth, matrix, sums);
}

/// Adds to `gradient` the gradient by a matrix, from the gradients `changes` by its products with
/// `inputs`, of which there is one in every `stride`.
pub fn add_outer_products(
    inputs: &[Channels],
    stride: usize,
    changes: &[Channels],
    gradient: &mut [Channels; WIDTH],
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: this machine has what the function is compiled for.
        return unsafe { sixteen::add_outer_products(inputs, stride, changes, gradient) };
    } else if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: as above.
        return unsafe { eight::add_outer_products(inputs, stride, changes, gradient) };
    }
    plain_add_outer_products(inputs, stride, changes, gradient);
}

/// [`multiply_add`] on any machine.
pub fn plain_multiply_add(
    inputs: &[Channels],
    depth: usize,
    matrix: &[Channels],
    sums: &mut [Channels],
) {
    for (input, sum) in inputs.chunks_exact(depth).zip(sums) {
        for (value, row) in input.iter().flat_map(|cell| &cell.0).zip(matrix) {
            sum.add_scaled(row, *value);
        }
    }
}

/// [`add_outer_products`] on any machine.
pub fn plain_add_outer_products(
    inputs: &[Channels],
    stride: usize,
    changes: &[Channels],
    gradient: &mut [Channels; WIDTH],
) {
    for (channel, row) in gradient.iter_mut().enumerate() {
        for (input, change) in inputs.iter().step_by(stride).zip(changes) {
            row.add_scaled(change, input.0[channel]);
        }
    }
}

/// [`convolve`] on any machine.
pub fn plain_convolve(
    grid: PaddedGrid,
    input: &[Channels],
    weights: &[Channels],
    output: &mut [Channels],
) {
    let taps = weights.as_chunks::<WIDTH>().0;
    let steps = grid.steps(taps.len());
    for (row, column) in (0..grid.size * grid.size).map(|it| (it / grid.size, it % grid.size)) {
        let at = grid.place(row, column);
        let mut sum = Channels::ZERO;
        for (tap, step) in taps.iter().zip(steps) {
            let cell = &input[at.wrapping_add_signed(*step)];
            for (value, weights) in cell.0.iter().zip(tap) {
                sum.add_scaled(weights, *value);
            }
        }
        output[at] = sum;
    }
}

/// [`correlate`] on any machine.
pub fn plain_correlate(
    grid: PaddedGrid,
    input: &[Channels],
    change: &[Channels],
    gradient: &mut [Channels],
) {
    let steps = grid.steps(gradient.len() / WIDTH);
    for (tap, step) in gradient.chunks_exact_mut(WIDTH).zip(steps) {
        for (channel, row) in tap.iter_mut().enumerate() {
            let input = &input[grid.span().start.wrapping_add_signed(*step)..];
            let mut sum = Channels::ZERO;
            for (cell, change) in input.iter().zip(&change[grid.span()]) {
                sum.add_scaled(change, cell.0[channel]);
            }
            row.add(&sum);
        }
    }
}

/// The weights that carry gradients by the output of [`convolve`] back to its input.
pub fn transposed(weights: &[Channels], out: &mut [Channels]) {
    let taps = weights.len() / WIDTH;
    for tap in 0..taps {
        let back = taps - 1 - tap;
        for input in 0..WIDTH {
            for output in 0..WIDTH {
                out[back * WIDTH + output].0[input] = weights[tap * WIDTH + input].0[output];
            }
        }
    }
}
