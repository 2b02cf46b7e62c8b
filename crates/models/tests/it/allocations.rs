//! Steps and evaluations do not allocate once their buffers are there.

use ludus_core::Random;
use ludus_models::{
    conv_net::{ConvNet, ConvNetEvaluator, ConvNetSamples, ConvNetTrainer},
    dense::{
        Activation, DenseInput, DenseLayer, DenseLoss, DenseNet, DensePass, DenseRule,
        DenseTrainer, Optimiser,
    },
};
use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts the allocations of each thread.
struct Counting;

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread that ends may allocate after its counter is gone.
        let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's duty.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's duty.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The allocations of the second call.
fn allocations(mut work: impl FnMut()) -> usize {
    work();
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

#[test]
fn allocations_are_counted() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
}

#[test]
fn dense_networks_do_not_allocate() {
    let layers = [(48, Activation::Tanh), (12, Activation::Softmax)];
    let layers = layers.map(|(units, activation)| DenseLayer { units, activation });
    let net = DenseNet::new(64, &layers, &mut Random::new(1));
    let mut pass = DensePass::new(&net);
    let input = DenseInput::Active(&[1, 5, 40]);
    let look = || {
        net.evaluate(input, &mut pass);
    };
    assert_eq!(allocations(look), 0);
    for optimiser in [Optimiser::Sgd, Optimiser::Momentum(0.9), Optimiser::Adam] {
        let rule = DenseRule { loss: DenseLoss::CrossEntropy, optimiser, l2: 1e-4 };
        let mut trainer = DenseTrainer::new(net.clone(), rule);
        let target = [1.0 / 12.0; 12];
        let learn = || {
            trainer.learn(input, &target, 0.01);
        };
        assert_eq!(allocations(learn), 0, "{optimiser:?}");
    }
}

#[test]
fn the_convolutional_network_does_not_allocate() {
    let random = &mut Random::new(2);
    let net = ConvNet::new(14, random);
    let mut samples = ConvNetSamples::new(14);
    for _ in 0..70 {
        let planes: [u64; 14] = std::array::from_fn(|_| random.bits() & random.bits());
        samples.push(&planes, random.unit() as f32);
    }
    let mut evaluator = ConvNetEvaluator::new(&net);
    let look = || {
        evaluator.value(samples.position(3));
    };
    assert_eq!(allocations(look), 0);
    let batch: Vec<u32> = (0..70).collect();
    let mut trainer = ConvNetTrainer::new(net);
    let step = || {
        trainer.step(&samples, &batch, 1e-3, 1);
    };
    assert_eq!(allocations(step), 0);
}
