//! Time to evaluate a board by a network, and to train on one.

use ludus_core::Random;
use ludus_models::board_net::{
    BoardNet, BoardNetEvaluator, BoardNetOutput, BoardNetSchedule, BoardNetTrainer, LEGAL,
    TrainingPosition,
};
use std::time::Instant;

fn main() {
    let net = BoardNet::new(6, &mut Random::new(1));
    for size in [9, 13, 19] {
        let points = vec![LEGAL | 0x0001_2345; size * size];
        let (mut evaluator, mut evaluation) = (BoardNetEvaluator::new(), BoardNetOutput::default());
        let start = Instant::now();
        for _ in 0..1000 {
            evaluator.evaluate(&net, size, &points, &mut evaluation);
        }
        println!("{size}x{size}: {:.0} us a look", start.elapsed().as_secs_f64() * 1e3);
        let sample = TrainingPosition {
            size,
            points: points.into(),
            moves: Box::new([(3, 1)]),
            winner: 0.5,
            owners: vec![1; size * size].into(),
        };
        let mut trainer = BoardNetTrainer::new(net.clone());
        let schedule = BoardNetSchedule { rate: 1e-3, steps: 10, decay: 0.0 };
        let start = Instant::now();
        for _ in 0..4 {
            trainer.step(&vec![(&sample, 0); 128], &schedule, 1);
        }
        println!("{size}x{size}: {:.0} us a sample", start.elapsed().as_secs_f64() * 1e6 / 512.0);
    }
}
