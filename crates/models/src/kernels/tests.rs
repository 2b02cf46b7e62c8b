use super::*;
use ludus_core::Random;

const WINDOW_ROWS: usize = 9 * WIDTH;

fn noise(random: &mut Random) -> Channels {
    Channels(std::array::from_fn(|_| random.normal() as f32))
}

/// Noise on the board, zero around it.
fn noisy_board(grid: PaddedGrid, random: &mut Random) -> Vec<Channels> {
    let mut cells = vec![Channels::ZERO; grid.length()];
    grid.cells_mut(&mut cells).for_each(|cell| *cell = noise(random));
    cells
}

/// The sum a window gives at a cell, in double precision.
fn plain(
    grid: PaddedGrid,
    input: &[Channels],
    weights: &[Channels],
    at: usize,
    output: usize,
) -> f64 {
    let steps = grid.steps(weights.len() / WIDTH);
    let mut sum = 0.0;
    for (tap, step) in steps.iter().enumerate() {
        let cell = &input[at.wrapping_add_signed(*step)];
        for channel in 0..WIDTH {
            let weight = weights[tap * WIDTH + channel].0[output];
            sum += f64::from(cell.0[channel]) * f64::from(weight);
        }
    }
    sum
}

#[test]
fn windows_are_plain_sums() {
    let random = &mut Random::new(1);
    for size in [2, 5, 9, 13] {
        for taps in [1, 9] {
            let grid = PaddedGrid::new(size);
            let input = noisy_board(grid, random);
            let weights: Vec<Channels> = (0..taps * WIDTH).map(|_| noise(random)).collect();
            let mut output = vec![Channels::ZERO; grid.length()];
            convolve(grid, &input, &weights, &mut output);
            for (row, column) in [(0, 0), (0, size - 1), (size - 1, 0), (size / 2, size - 1)] {
                let at = grid.place(row, column);
                for channel in [0, 7, WIDTH - 1] {
                    let expected = plain(grid, &input, &weights, at, channel);
                    assert!((f64::from(output[at].0[channel]) - expected).abs() < 1e-3);
                }
            }
            let on_board: usize = grid.cells(&output).count();
            assert_eq!(on_board, size * size);
            let touched = output.iter().filter(|cell| **cell != Channels::ZERO).count();
            assert_eq!(touched, size * size, "the border stays as it was");
        }
    }
}

#[test]
fn changes_go_back_the_way_values_came() {
    // <y, W x> = <W' y, x> = <gradient of W, W>
    let random = &mut Random::new(2);
    let grid = PaddedGrid::new(7);
    let (x, y) = (noisy_board(grid, random), noisy_board(grid, random));
    let weights: Vec<Channels> = (0..WINDOW_ROWS).map(|_| noise(random)).collect();
    let dot = |a: &[Channels], b: &[Channels]| -> f64 {
        let pairs = a.iter().zip(b).flat_map(|(a, b)| a.0.into_iter().zip(b.0));
        pairs.map(|(a, b)| f64::from(a) * f64::from(b)).sum()
    };
    let mut output = vec![Channels::ZERO; grid.length()];
    convolve(grid, &x, &weights, &mut output);
    let forward = dot(&y, &output);
    let mut back = vec![Channels::ZERO; weights.len()];
    transposed(&weights, &mut back);
    convolve(grid, &y, &back, &mut output);
    assert!((dot(&x, &output) - forward).abs() < 1e-5 * forward.abs().max(1e4));
    let mut gradient = vec![Channels::ZERO; weights.len()];
    correlate(grid, &x, &y, &mut gradient);
    assert!((dot(&gradient, &weights) - forward).abs() < 1e-5 * forward.abs().max(1e4));
}

#[test]
fn vectors_of_any_width_give_the_same_numbers() {
    let random = &mut Random::new(8);
    let grid = PaddedGrid::new(9);
    let (x, y) = (noisy_board(grid, random), noisy_board(grid, random));
    let weights: Vec<Channels> = (0..WINDOW_ROWS).map(|_| noise(random)).collect();
    let mut outputs = [(); 2].map(|()| vec![Channels::ZERO; grid.length()]);
    convolve(grid, &x, &weights, &mut outputs[0]);
    plain_convolve(grid, &x, &weights, &mut outputs[1]);
    assert_eq!(outputs[0], outputs[1]);
    let mut gradients = [(); 2].map(|()| vec![Channels([0.5; WIDTH]); WINDOW_ROWS]);
    correlate(grid, &x, &y, &mut gradients[0]);
    plain_correlate(grid, &x, &y, &mut gradients[1]);
    assert_eq!(gradients[0], gradients[1]);
}

#[test]
fn exponentials_are_near_enough() {
    for step in -400..=400 {
        let x = step as f32 / 10.0;
        let expected = f64::from(x).exp();
        assert!((f64::from(exp(x)) - expected).abs() < 3e-6 * expected, "{x}");
    }
}

#[test]
fn logarithms_are_near_enough() {
    for step in 1..=4000 {
        for x in [f64::from(step) / 1000.0, f64::from(step) * 1e-15, f64::from(step) * 1e9] {
            let error = (ln(x) - x.ln()).abs();
            assert!(error < 1e-13 * x.ln().abs().max(1.0), "{x}");
        }
    }
}

fn noises(count: usize, random: &mut Random) -> Vec<Channels> {
    (0..count).map(|_| noise(random)).collect()
}

#[test]
fn matrices_give_the_same_numbers_on_any_machine() {
    let random = &mut Random::new(9);
    for (items, depth) in [(1, 1), (2, 3), (7, 2), (8, 1), (19, 2)] {
        let (inputs, matrix) = (noises(items * depth, random), noises(depth * WIDTH, random));
        let mut sums = [(); 2].map(|()| vec![Channels([0.25; WIDTH]); items]);
        multiply_add(&inputs, depth, &matrix, &mut sums[0]);
        plain_multiply_add(&inputs, depth, &matrix, &mut sums[1]);
        assert_eq!(sums[0], sums[1]);
        let changes = noises(items, random);
        let mut gradients = [[Channels([0.5; WIDTH]); WIDTH]; 2];
        add_outer_products(&inputs[depth - 1..], depth, &changes, &mut gradients[0]);
        plain_add_outer_products(&inputs[depth - 1..], depth, &changes, &mut gradients[1]);
        assert_eq!(gradients[0], gradients[1]);
        let expected = |channel: usize, output: usize| -> f64 {
            let products = changes.iter().enumerate().map(|(item, change)| {
                f64::from(inputs[item * depth + depth - 1].0[channel]) * f64::from(change.0[output])
            });
            0.5 + products.sum::<f64>()
        };
        for (channel, output) in [(0, 0), (3, 31), (31, 7)] {
            let found = f64::from(gradients[0][channel].0[output]);
            assert!((found - expected(channel, output)).abs() < 1e-4);
        }
    }
}

#[test]
fn transformed_windows_are_windows() {
    use winograd::*;
    let random = &mut Random::new(10);
    let grid = PaddedGrid::new(8);
    let (input, weights) = (noisy_board(grid, random), noises(WINDOW_ROWS, random));
    let mut expected = vec![Channels::ZERO; grid.length()];
    convolve(grid, &input, &weights, &mut expected);
    let dense: Vec<Channels> = grid.cells(&input).copied().collect();
    let mut matrices = vec![Channels::ZERO; ELEMENTS * WIDTH];
    transform_weights(&weights, &mut matrices);
    let mut elements = [Channels::ZERO; ELEMENTS * TILES];
    transform_input(dense.first_chunk().unwrap(), &mut elements);
    let mut products = [Channels::ZERO; ELEMENTS * TILES];
    for element in 0..ELEMENTS {
        let (inputs, matrix) = (&elements[element * TILES..], &matrices[element * WIDTH..]);
        let products = &mut products[element * TILES..][..TILES];
        multiply_add(&inputs[..TILES], 1, &matrix[..WIDTH], products);
    }
    let mut output = [Channels::ZERO; CELLS];
    transform_output(&products, &mut output);
    for (cell, expected) in output.iter().zip(grid.cells(&expected)) {
        for (value, expected) in cell.0.iter().zip(expected.0) {
            assert!((value - expected).abs() < 2e-4, "{value} {expected}");
        }
    }
}

#[test]
fn transforms_and_their_transposes_agree() {
    use winograd::*;
    // <y, T x> = <T' y, x>
    let random = &mut Random::new(11);
    let dot = |a: &[Channels], b: &[Channels]| -> f64 {
        let pairs = a.iter().zip(b).flat_map(|(a, b)| a.0.into_iter().zip(b.0));
        pairs.map(|(a, b)| f64::from(a) * f64::from(b)).sum()
    };
    let agree = |one: f64, other: f64| assert!((one - other).abs() < 0.05, "{one} {other}");
    let cells: [Channels; CELLS] = noises(CELLS, random).try_into().unwrap();
    let elements: [Channels; ELEMENTS * TILES] =
        noises(ELEMENTS * TILES, random).try_into().unwrap();
    let (mut small, mut large) = (cells, elements);
    transform_input(&cells, &mut large);
    input_gradient(&elements, &mut small);
    agree(dot(&elements, &large), dot(&small, &cells));
    transform_output(&elements, &mut small);
    output_gradient(&cells, &mut large);
    agree(dot(&cells, &small), dot(&large, &elements));
    let (weights, change) = (noises(WINDOW_ROWS, random), noises(ELEMENTS * WIDTH, random));
    let (mut matrices, mut gradient) = (change.clone(), vec![Channels::ZERO; WINDOW_ROWS]);
    transform_weights(&weights, &mut matrices);
    add_weights_gradient(&change, &mut gradient);
    agree(dot(&change, &matrices), dot(&gradient, &weights));
}
