use super::{
    backward::{Backward, Transposed},
    grid::Grid,
    kernels::{convolve, correlate, exp, plain_convolve, plain_correlate, transposed},
    *,
};

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

/// A position whose target is where its first plane is set.
fn sample(size: usize, random: &mut Random) -> TrainingPosition {
    let target = random.below(size * size);
    let mut points: Box<[u32]> = (0..size * size).map(|_| LEGAL | 2).collect();
    for _ in 0..3 {
        points[random.below(size * size)] |= 4;
    }
    points[target] |= 1;
    let winner = if target < size * size / 2 { 1.0 } else { 0.0 };
    let owners = points.iter().map(|bits| if bits & 4 != 0 { 2 } else { 0 }).collect();
    let moves = Box::new([(target as u16, 3), ((size * size) as u16, 1)]);
    TrainingPosition { size, points, moves, winner, owners }
}

#[test]
fn gradients_are_those_of_the_loss() {
    let random = &mut Random::new(3);
    let mut net = BoardNet::new(2, random);
    // Nothing at zero, where there would be no slope to see.
    net.rows.iter_mut().for_each(|row| row.add_scaled(&noise(random), 0.05));
    let sample = sample(5, random);
    let trainer = BoardNetTrainer::new(net.clone());
    let (gradient, _) = trainer.gradient(&[(&sample, 5)], 1);
    let loss = |net: &BoardNet| trainer::loss(net, &sample, 5);
    let mut checked = 0;
    for row in (0..net.rows.len()).step_by(7) {
        let lane = row % WIDTH;
        let slope = f64::from(gradient[row].0[lane]);
        let at = |step: f32| {
            let mut moved = net.clone();
            moved.rows[row].0[lane] += step;
            loss(&moved)
        };
        let measured = (at(2e-3) - at(-2e-3)) / 4e-3;
        // A kink of a rectifier may lie in between: most must agree, not all.
        if (measured - slope).abs() > 0.02 * slope.abs().max(0.02) {
            continue;
        }
        checked += 1;
    }
    assert!(checked * 100 > net.rows.len() / 7 * 95, "{checked} of {}", net.rows.len() / 7);
}

#[test]
fn symmetries_are_eight_and_their_own_kind() {
    let sample = sample(4, &mut Random::new(4));
    for symmetry in 0..8 {
        let mut seen: Vec<usize> = (0..17).map(|index| sample.turned(index, symmetry)).collect();
        assert_eq!(seen[16], 16, "a pass stays a pass");
        seen.sort_unstable();
        assert!(seen.into_iter().eq(0..17));
    }
}

fn taught(threads: usize) -> (BoardNetTrainer, Losses) {
    let random = &mut Random::new(5);
    let mut trainer = BoardNetTrainer::new(BoardNet::new(1, random));
    let schedule = BoardNetSchedule { rate: 4e-3, steps: 240, decay: 0.0 };
    let mut last = Losses::default();
    for _ in 0..240 {
        let samples: Vec<TrainingPosition> = (0..48).map(|_| sample(5, random)).collect();
        let turned: Vec<(&TrainingPosition, u8)> = samples.iter().zip((0..8).cycle()).collect();
        last = trainer.step(&turned, &schedule, threads);
    }
    (trainer, last)
}

#[test]
fn it_learns_and_threads_do_not_matter() {
    let (trainer, losses) = taught(1);
    assert!(losses.first > 0.8 && losses.owners < 0.05, "{losses:?}");
    assert_eq!(taught(3).0, trainer);
}

#[test]
fn files_give_back_what_was_written() {
    let trainer = taught(1).0;
    let read = BoardNetTrainer::from_bytes(&trainer.to_bytes(), "checkpoint").unwrap();
    assert_eq!(read, trainer);
    let net = trainer.net().rounded();
    let bytes = net.to_bytes("a test");
    assert_eq!(BoardNet::from_bytes(&bytes, "net").unwrap(), net);
    for (bytes, what) in [
        (&b"something else\n"[..], "begins with"),
        (&bytes[..bytes.len() - 1], "damaged"),
        (&[&bytes[..100], &[bytes[100] ^ 1], &bytes[101..]].concat(), "damaged"),
    ] {
        let error = BoardNet::from_bytes(bytes, "some.net").unwrap_err().to_string();
        assert!(error.contains(what) && error.contains("some.net"), "{error}");
    }
}

#[test]
fn what_is_seen_does_not_depend_on_what_was_seen_before() {
    let net = BoardNet::new(2, &mut Random::new(6));
    let points = |size: usize| vec![LEGAL | 5; size * size];
    let mut evaluator = BoardNetEvaluator::new();
    let [mut first, mut other, mut again] = [const { None }; 3].map(Option::unwrap_or_default);
    evaluator.evaluate(&net, 9, &points(9), &mut first);
    evaluator.evaluate(&net, 5, &points(5), &mut other);
    evaluator.evaluate(&net, 9, &points(9), &mut again);
    assert_eq!(first, again);
    assert_eq!((other.logits.len(), other.owners.len()), (26, 25));
}

#[test]
fn nothing_goes_back_to_the_border() {
    let random = &mut Random::new(7);
    let mut net = BoardNet::new(1, random);
    net.rows.iter_mut().for_each(|row| row.add_scaled(&noise(random), 0.05));
    let grid = Grid::new(5);
    let mut backward = Backward::new(5);
    let mut pass = forward::ForwardPass::new(5, 1);
    pass.set(std::iter::repeat_n(3, 25));
    pass.run(&net);
    let errors =
        backward::OutputErrors { logits: vec![0.1; 26], owners: vec![0.1; 25], winner: 1.0 };
    let mut gradient = vec![Channels::ZERO; net.rows.len()];
    backward.run(&net, &Transposed::of(&net), &pass, &errors, &mut gradient);
    let inside = grid.size * grid.size;
    for cells in pass.trunk.iter().chain(&pass.middle).chain([&backward.trunk, &backward.change]) {
        let touched = cells.iter().filter(|cell| **cell != Channels::ZERO).count();
        let on_board = grid.cells(cells).filter(|cell| **cell != Channels::ZERO).count();
        assert!(touched == on_board && touched <= inside && touched > 0);
    }
}
