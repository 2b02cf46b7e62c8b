use super::*;
use ludus_core::Random;

const WINDOW_ROWS: usize = 9 * WIDTH;

fn noise(random: &mut Random) -> Channels {
    Channels(std::array::from_fn(|_| random.normal() as f32))
}

/// Noise on the board, zero around it.
fn noisy_board(grid: Grid, random: &mut Random) -> Vec<Channels> {
    let mut cells = vec![Channels::ZERO; grid.length()];
    grid.cells_mut(&mut cells).for_each(|cell| *cell = noise(random));
    cells
}

/// The sum a window gives at a cell, in double precision.
fn plain(grid: Grid, input: &[Channels], weights: &[Channels], at: usize, output: usize) -> f64 {
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
            let grid = Grid::new(size);
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
    let grid = Grid::new(7);
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
    let grid = Grid::new(9);
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
