use super::{kernels::multiply, *};

const ALL: [Activation; 5] = [
    Activation::Identity,
    Activation::Relu,
    Activation::Tanh,
    Activation::Sigmoid,
    Activation::Softmax,
];

fn layers(shape: &[(usize, Activation)]) -> Vec<DenseLayer> {
    shape.iter().map(|&(units, activation)| DenseLayer { units, activation }).collect()
}

fn numbers(count: usize, random: &mut Random) -> Vec<f32> {
    (0..count).map(|_| random.normal() as f32).collect()
}

/// A network whose biases are not zero.
fn noisy(inputs: usize, shape: &[(usize, Activation)], random: &mut Random) -> DenseNet {
    let mut net = DenseNet::new(inputs, &layers(shape), random);
    for layer in 0..shape.len() {
        net.biases_mut(layer).iter_mut().for_each(|bias| *bias = 0.3 * random.normal() as f32);
    }
    net
}

/// The outputs in double precision, one product at a time.
fn plain(net: &DenseNet, input: &[f32]) -> Vec<f64> {
    let mut values: Vec<f64> = input.iter().map(|&value| f64::from(value)).collect();
    for (number, layer) in net.layers().iter().enumerate() {
        let weight = |input, unit| f64::from(net.weights(number)[input * layer.units + unit]);
        let sum = |unit: usize| -> f64 {
            let products =
                values.iter().enumerate().map(|(input, value)| value * weight(input, unit));
            products.sum::<f64>() + f64::from(net.biases(number)[unit])
        };
        let sums: Vec<f64> = (0..layer.units).map(sum).collect();
        let total: f64 = sums.iter().map(|sum| sum.exp()).sum();
        let output = |sum: f64| match layer.activation {
            Activation::Identity => sum,
            Activation::Relu => sum.max(0.0),
            Activation::Tanh => sum.tanh(),
            Activation::Sigmoid => 1.0 / (1.0 + (-sum).exp()),
            Activation::Softmax => sum.exp() / total,
        };
        values = sums.into_iter().map(output).collect();
    }
    values
}

fn plain_loss(loss: DenseLoss, outputs: &[f64], target: &[f32]) -> f64 {
    let both = outputs.iter().zip(target).map(|(&output, &target)| (output, f64::from(target)));
    both.map(|(output, target)| match loss {
        DenseLoss::SquaredError => (output - target).powi(2),
        DenseLoss::LogLoss => -target * output.ln() - (1.0 - target) * (1.0 - output).ln(),
        DenseLoss::CrossEntropy => -target * output.ln(),
    })
    .sum()
}

#[test]
fn products_are_sums_from_the_first_input_to_the_last() {
    let random = &mut Random::new(1);
    for units in (2..40).chain([63, 64, 65, 100, 129]) {
        let (input, weights) = (numbers(21, random), numbers(21 * units, random));
        let mut sums = numbers(units, random);
        let mut expected = sums.clone();
        for (value, row) in input.iter().zip(weights.chunks(units)) {
            for (sum, weight) in expected.iter_mut().zip(row) {
                *sum = weight.mul_add(*value, *sum);
            }
        }
        multiply(&input, &weights, &mut sums);
        assert_eq!(sums, expected, "{units} units");
    }
}

#[test]
fn outputs_are_those_of_plain_arithmetic() {
    let random = &mut Random::new(2);
    for last in ALL {
        for first in ALL {
            let net = noisy(37, &[(19, first), (64, first), (5, last)], random);
            let (input, mut pass) = (numbers(37, random), DensePass::new(&net));
            let outputs = net.evaluate(DenseInput::Values(&input), &mut pass);
            for (output, expected) in outputs.iter().zip(plain(&net, &input)) {
                let allowed = 1e-4 * expected.abs().max(1.0);
                assert!((f64::from(*output) - expected).abs() < allowed, "{first:?} {last:?}");
            }
        }
    }
}

#[test]
fn indices_are_inputs_of_one() {
    let random = &mut Random::new(3);
    for units in [1, 7, 48] {
        let net = noisy(960, &[(units, Activation::Tanh), (2, Activation::Softmax)], random);
        let active: Vec<u32> = (0..34).map(|index| index * 28 + random.below(28) as u32).collect();
        let mut values = vec![0.0; 960];
        active.iter().for_each(|&index| values[index as usize] = 1.0);
        let (mut pass, mut other) = (DensePass::new(&net), DensePass::new(&net));
        let logits = net.logits(DenseInput::Active(&active), &mut pass);
        for (one, other) in logits.iter().zip(net.logits(DenseInput::Values(&values), &mut other)) {
            assert!((one - other).abs() < 1e-5);
        }
        let rule = DenseRule { loss: DenseLoss::CrossEntropy, optimiser: Optimiser::Sgd, l2: 0.0 };
        let mut trainers = [(); 2].map(|()| DenseTrainer::new(net.clone(), rule));
        let inputs = [DenseInput::Active(&active), DenseInput::Values(&values)];
        for (trainer, input) in trainers.iter_mut().zip(inputs) {
            trainer.gradient(&[DenseSample { input, target: &[0.25, 0.75] }], 1);
        }
        for (one, other) in trainers[0].summed().iter().zip(trainers[1].summed()) {
            assert!((one - other).abs() < 1e-5);
        }
    }
}

#[test]
fn gradients_are_those_of_differences() {
    let random = &mut Random::new(4);
    for loss in [DenseLoss::SquaredError, DenseLoss::LogLoss, DenseLoss::CrossEntropy] {
        for last in ALL.into_iter().filter(|last| loss.fits(*last)) {
            for hidden in ALL {
                let shape = [(9, hidden), (17, hidden), (3, last)];
                let net = noisy(6, &shape, random);
                let input = numbers(6, random);
                // Targets need not add up to one.
                let target: Vec<f32> = (0..3).map(|_| random.unit() as f32).collect();
                let rule = DenseRule { loss, optimiser: Optimiser::Sgd, l2: 0.0 };
                let mut trainer = DenseTrainer::new(net.clone(), rule);
                let sample = DenseSample { input: DenseInput::Values(&input), target: &target };
                let told = trainer.gradient(&[sample], 1);
                let expected = plain_loss(loss, &plain(&net, &input), &target);
                assert!((told - expected).abs() < 1e-4 * expected.max(1.0), "{told} {expected}");
                for _ in 0..40 {
                    let at = random.below(net.parameters());
                    let off = |step: f32| {
                        let mut net = net.clone();
                        net.parameters[at] += step;
                        let loss = plain_loss(loss, &plain(&net, &input), &target);
                        (f64::from(net.parameters[at]), loss)
                    };
                    let ((low, less), (high, more)) = (off(-1e-5), off(1e-5));
                    let expected = (more - less) / (high - low);
                    let found = f64::from(trainer.summed()[at]);
                    let allowed = 1e-5 + 0.01 * expected.abs();
                    let of = format!("{loss:?} {hidden:?} {last:?}");
                    assert!((found - expected).abs() < allowed, "{of}: {found} {expected}");
                }
            }
        }
    }
}

#[test]
fn optimisers_take_the_steps_of_their_definitions() {
    let weights = |optimiser, l2, steps| {
        let net = DenseNet::zero(1, &layers(&[(1, Activation::Identity)]));
        let rule = DenseRule { loss: DenseLoss::SquaredError, optimiser, l2 };
        let mut trainer = DenseTrainer::new(net, rule);
        for _ in 0..steps {
            trainer.learn(DenseInput::Values(&[1.0]), &[1.0], 0.1);
        }
        (trainer.net().weights(0)[0], trainer.net().biases(0)[0])
    };
    let near = |(weight, bias): (f32, f32), (expected, other): (f32, f32)| {
        assert!((weight - expected).abs() < 1e-5 && (bias - other).abs() < 1e-5, "{weight} {bias}");
    };
    // The gradient of (w + b - 1)^2 is -2 at first; after steps of 0.2 it is -1.2.
    near(weights(Optimiser::Sgd, 0.0, 1), (0.2, 0.2));
    near(weights(Optimiser::Sgd, 0.0, 2), (0.32, 0.32));
    near(weights(Optimiser::Sgd, 0.5, 2), (0.31, 0.32));
    near(weights(Optimiser::Momentum(0.5), 0.0, 2), (0.42, 0.42));
    // The first step of Adam is as long as its rate.
    near(weights(Optimiser::Adam, 0.0, 1), (0.1, 0.1));
}

const XOR: [([f32; 2], [f32; 2]); 4] =
    [([0., 0.], [1., 0.]), ([0., 1.], [0., 1.]), ([1., 0.], [0., 1.]), ([1., 1.], [1., 0.])];

#[test]
fn it_learns_what_no_single_layer_can() {
    for (optimiser, rate) in
        [(Optimiser::Sgd, 0.5), (Optimiser::Momentum(0.9), 0.05), (Optimiser::Adam, 0.01)]
    {
        let shape = layers(&[(16, Activation::Tanh), (2, Activation::Softmax)]);
        let net = DenseNet::new(2, &shape, &mut Random::new(5));
        let rule = DenseRule { loss: DenseLoss::CrossEntropy, optimiser, l2: 0.0 };
        let mut trainer = DenseTrainer::new(net, rule);
        for _ in 0..1500 {
            for (input, target) in &XOR {
                trainer.learn(DenseInput::Values(input), target, rate);
            }
        }
        let mut pass = DensePass::new(trainer.net());
        for (input, target) in &XOR {
            let outputs = trainer.net().evaluate(DenseInput::Values(input), &mut pass);
            assert!((outputs[0] - target[0]).abs() < 0.1, "{optimiser:?} {input:?} {outputs:?}");
        }
    }
}

/// Labels that a logistic regression gives, and the regression trained on them.
fn regression(threads: usize, steps: usize, optimiser: Optimiser) -> (DenseTrainer, f64) {
    let random = &mut Random::new(6);
    let truth = numbers(960, random);
    let rows: Vec<(Vec<u32>, f32)> = (0..1000)
        .map(|_| {
            let active: Vec<u32> = (0..20).map(|k| k * 48 + random.below(48) as u32).collect();
            let sum: f32 = active.iter().map(|&index| truth[index as usize]).sum();
            (active, if sum > 0.0 { 1.0 } else { 0.0 })
        })
        .collect();
    let rule = DenseRule { loss: DenseLoss::LogLoss, optimiser, l2: 1e-5 };
    let mut trainer = DenseTrainer::new(DenseNet::logistic(960), rule);
    let samples: Vec<DenseSample> = (rows.iter())
        .map(|(active, label)| DenseSample {
            input: DenseInput::Active(active),
            target: std::slice::from_ref(label),
        })
        .collect();
    let mut loss = 0.0;
    for _ in 0..steps {
        loss = trainer.step(&samples, 0.05, threads);
    }
    (trainer, loss)
}

#[test]
fn logistic_regression_separates_what_can_be_separated() {
    let (_, first) = regression(1, 1, Optimiser::Adam);
    assert!((first - std::f64::consts::LN_2).abs() < 1e-6, "{first}");
    let (_, last) = regression(2, 150, Optimiser::Adam);
    assert!(last < 0.15, "{last}");
}

#[test]
fn threads_do_not_matter() {
    for optimiser in [Optimiser::Sgd, Optimiser::Momentum(0.9), Optimiser::Adam] {
        let one = regression(1, 3, optimiser);
        assert!([2, 5, 64].iter().all(|&threads| regression(threads, 3, optimiser) == one));
    }
}

#[test]
fn checkpoints_are_exact() {
    for optimiser in [Optimiser::Sgd, Optimiser::Momentum(0.9), Optimiser::Adam] {
        let (trainer, _) = regression(1, 3, optimiser);
        let mut read = DenseTrainer::from_bytes(&trainer.to_bytes(), "checkpoint").unwrap();
        assert!(read == trainer);
        let mut whole = trainer;
        for trainer in [&mut whole, &mut read] {
            trainer.learn(DenseInput::Active(&[1, 5, 900]), &[0.5], 0.01);
        }
        assert!(read == whole);
    }
}

#[test]
fn files_give_back_what_was_written() {
    let random = &mut Random::new(7);
    let net = noisy(64, &[(48, Activation::Relu), (12, Activation::Softmax)], random);
    let bytes = net.to_bytes("a test\nof files");
    assert_eq!(DenseNet::from_bytes(&bytes, "net").unwrap(), net);
    let made = |heading: &str| {
        let mut bytes = format!("{heading}\n1234").into_bytes();
        bytes.extend(crate::checksum(&bytes).to_le_bytes());
        bytes
    };
    for (bytes, what) in [
        (b"something else\n".to_vec(), "begins with"),
        (bytes[..bytes.len() - 1].to_vec(), "damaged"),
        ([&bytes[..100], &[bytes[100] ^ 1], &bytes[101..]].concat(), "damaged"),
        (made("ludus dense net 1 960 1:sigmoid"), "961 numbers"),
        (made("ludus dense net 1 960 1:wobbly"), "units and activations"),
        (made("ludus dense net 1 0 1:tanh"), "units and activations"),
        (made("ludus dense net 1 9"), "units and activations"),
    ] {
        let error = DenseNet::from_bytes(&bytes, "some.net").unwrap_err().to_string();
        assert!(error.contains(what) && error.contains("some.net"), "{error}");
    }
    for rest in ["960 1:tanh log-loss sgd 0 1", "9 1:tanh", "9 1:tanh squared-error momentum:x 0 1"]
    {
        let bytes = made(&format!("ludus dense net training 1 {rest}"));
        let error = DenseTrainer::from_bytes(&bytes, "some.net").unwrap_err().to_string();
        assert!(error.contains("a loss that fits"), "{error}");
    }
}
