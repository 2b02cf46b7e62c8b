use super::{
    backward::{Backward, Transposed},
    *,
};
use crate::kernels::PaddedGrid;

fn noise(random: &mut Random) -> Channels {
    Channels(std::array::from_fn(|_| random.normal() as f32))
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
    let grid = PaddedGrid::new(5);
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
