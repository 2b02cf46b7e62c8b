use super::*;

/// Boards whose target is the share of the squares of the first plane on one half.
fn samples(planes: usize, count: usize, seed: u64) -> ConvNetSamples {
    let random = &mut Random::new(seed);
    let mut samples = ConvNetSamples::new(planes);
    for _ in 0..count {
        let boards: Vec<u64> =
            (0..planes).map(|_| random.bits() & random.bits() & random.bits()).collect();
        let [one, other] = [boards[0] & 0xffff_ffff, boards[0] >> 32].map(u64::count_ones);
        samples.push(&boards, (one + 1) as f32 / (one + other + 2) as f32);
    }
    samples
}

/// A network whose biases are not zero.
fn noisy(planes: usize, seed: u64) -> ConvNet {
    let random = &mut Random::new(seed);
    let mut net = ConvNet::new(planes, random);
    let last = net.rows.len() - 1;
    for row in &mut net.rows[..last] {
        row.0.iter_mut().for_each(|weight| *weight += 0.02 * random.normal() as f32);
    }
    net.rows[last].0[0] = 0.1;
    net
}

/// The value in double precision, one product at a time.
fn plain(net: &ConvNet, planes: &[u64]) -> f64 {
    let on = |plane: usize, square: usize| (planes[plane] >> square & 1) as f64;
    let mut input: Vec<Vec<f64>> = (0..SQUARES)
        .map(|square| (0..planes.len()).map(|plane| on(plane, square)).collect())
        .collect();
    for layer in 0..WINDOWS {
        let weights = net.of(&net.layout.windows[layer]);
        let channels = input[0].len();
        let bias = &net.rows[net.layout.biases + layer];
        input = (0..SQUARES)
            .map(|square| {
                let mut sums: Vec<f64> = bias.0.iter().map(|&bias| f64::from(bias)).collect();
                for tap in 0..TAPS {
                    let (row, column) = (square / SIZE + tap / 3, square % SIZE + tap % 3);
                    if !(1..=SIZE).contains(&row) || !(1..=SIZE).contains(&column) {
                        continue;
                    }
                    for (channel, value) in input[(row - 1) * SIZE + column - 1].iter().enumerate()
                    {
                        for (sum, weight) in
                            sums.iter_mut().zip(weights[tap * channels + channel].0)
                        {
                            *sum += value * f64::from(weight);
                        }
                    }
                }
                sums.into_iter().map(|sum| sum.max(0.0)).collect()
            })
            .collect();
    }
    let number = |range: &Range<usize>, index: usize| {
        f64::from(net.rows[range.start + index / WIDTH].0[index % WIDTH])
    };
    let hidden = |unit: usize| {
        let half = unit / WIDTH * SQUARES * WIDTH;
        let weight =
            |index: usize| number(&net.layout.hidden, (half + index) * WIDTH + unit % WIDTH);
        let inputs = input.iter().flatten().enumerate();
        let sum: f64 = inputs.map(|(index, value)| value * weight(index)).sum();
        (sum + number(&net.layout.hidden_bias, unit)).max(0.0)
    };
    let sum: f64 = (0..HIDDEN).map(|unit| hidden(unit) * number(&net.layout.output, unit)).sum();
    1.0 / (1.0 + (-sum - f64::from(net.rows[net.layout.output_bias].0[0])).exp())
}

#[test]
fn the_study_s_network_has_its_number_of_parameters() {
    let net = ConvNet::new(14, &mut Random::new(1));
    assert_eq!(net.parameters(), 163_009);
    assert_eq!(ConvNet::new(15, &mut Random::new(1)).parameters(), 163_009 + 9 * 32);
}

#[test]
fn values_are_plain_sums() {
    for planes in [1, 14, 15, 32] {
        let (net, samples) = (noisy(planes, 2), samples(planes, 8, 3));
        for index in 0..samples.len() {
            let planes = samples.position(index);
            let (value, expected) = (f64::from(net.value(planes)), plain(&net, planes));
            assert!((value - expected).abs() < 1e-5, "{value} {expected}");
        }
        let everywhere = vec![u64::MAX; planes];
        assert!((f64::from(net.value(&everywhere)) - plain(&net, &everywhere)).abs() < 1e-5);
    }
}

#[test]
fn a_batch_gives_the_numbers_of_its_positions() {
    let (net, samples) = (noisy(14, 4), samples(14, 150, 5));
    let mut evaluator = ConvNetEvaluator::new(&net);
    let alone: Vec<f32> =
        (0..samples.len()).map(|index| evaluator.value(samples.position(index))).collect();
    for count in [0, 1, 2, 3, 5, 64, 150] {
        let positions: Vec<u64> =
            (0..count).flat_map(|index| samples.position(index).to_vec()).collect();
        let mut values = vec![7.0];
        evaluator.values(&positions, &mut values);
        assert_eq!(values[1..], alone[..count]);
    }
    let all: Vec<u32> = (0..150).collect();
    assert_eq!(net.values(&samples, &all, 1), alone);
    assert_eq!(net.values(&samples, &all, 3), alone);
}

#[test]
fn gradients_are_those_of_differences() {
    let (net, samples) = (noisy(14, 6), samples(14, 3, 7));
    let batch = [0, 1, 2];
    let mut trainer = ConvNetTrainer::new(net.clone());
    trainer.gradient(&samples, &batch, 1);
    let gradient = trainer.summed().to_vec();
    let loss = |net: &ConvNet| -> f64 {
        let off = |index: u32| {
            let planes = samples.position(index as usize);
            plain(net, planes) - f64::from(samples.target(index as usize))
        };
        batch.iter().map(|&index| off(index).powi(2)).sum()
    };
    let random = &mut Random::new(8);
    let layout = &net.layout;
    let single = [&layout.hidden_bias, &layout.output, &(layout.biases..layout.biases + WINDOWS)];
    let ranges = layout.windows.iter().chain([&layout.hidden]).chain(single);
    let last = layout.output_bias;
    for range in ranges.chain([&(last..last + 1)]) {
        for _ in 0..12 {
            let row = range.start + random.below(range.len());
            let lane = if row == last { 0 } else { random.below(WIDTH) };
            let mut nets = [net.clone(), net.clone()];
            nets[0].rows[row].0[lane] -= 1e-5;
            nets[1].rows[row].0[lane] += 1e-5;
            let width = f64::from(nets[1].rows[row].0[lane]) - f64::from(nets[0].rows[row].0[lane]);
            let expected = (loss(&nets[1]) - loss(&nets[0])) / width;
            let found = f64::from(gradient[row].0[lane]);
            let allowed = 1e-5 + 0.01 * expected.abs();
            assert!((found - expected).abs() < allowed, "row {row}: {found} {expected}");
        }
    }
}

fn taught(threads: usize, steps: usize) -> ConvNetTrainer {
    let samples = samples(3, 400, 9);
    let mut trainer = ConvNetTrainer::new(ConvNet::new(3, &mut Random::new(10)));
    go_on(&mut trainer, &samples, threads, steps);
    trainer
}

fn go_on(trainer: &mut ConvNetTrainer, samples: &ConvNetSamples, threads: usize, steps: usize) {
    for _ in 0..steps {
        let from = trainer.steps() as u32 * 130 % 270;
        let batch: Vec<u32> = (from..from + 130).collect();
        trainer.step(samples, &batch, 1e-3, threads);
    }
}

#[test]
fn it_learns_and_threads_do_not_matter() {
    let (trainer, samples) = (taught(2, 60), samples(3, 400, 9));
    let all: Vec<u32> = (0..400).collect();
    let before = ConvNet::new(3, &mut Random::new(10)).error(&samples, &all, 2);
    let after = trainer.net().error(&samples, &all, 2);
    assert!(after < before / 4.0, "{before} {after}");
    let few = taught(1, 5);
    assert!(taught(3, 5) == few && taught(7, 5) == few);
    assert_eq!(taught(3, 5).net().checksum(), few.net().checksum());
}

#[test]
fn a_checkpoint_goes_on_to_the_same_weights() {
    let whole = taught(2, 6);
    let half = taught(2, 3).to_bytes();
    let mut read = ConvNetTrainer::from_bytes(&half, "checkpoint").unwrap();
    assert_eq!(read.steps(), 3);
    assert!(read == taught(1, 3));
    go_on(&mut read, &samples(3, 400, 9), 2, 3);
    assert!(read == whole);
}

#[test]
fn files_give_back_what_was_written() {
    let net = noisy(15, 11);
    let bytes = net.to_bytes("a test\nof files");
    assert_eq!(ConvNet::from_bytes(&bytes, "net").unwrap(), net);
    let mut many = b"ludus conv net 1 33 \n".to_vec();
    many.extend(crate::checksum(&many).to_le_bytes());
    let mut short = b"ludus conv net 1 14 \n1234".to_vec();
    short.extend(crate::checksum(&short).to_le_bytes());
    for (bytes, what) in [
        (&b"something else\n"[..], "begins with"),
        (&bytes[..bytes.len() - 1], "damaged"),
        (&[&bytes[..100], &[bytes[100] ^ 1], &bytes[101..]].concat(), "damaged"),
        (&many, "from 1 to 32"),
        (&short, "163009 numbers"),
        (&taught(1, 1).to_bytes(), "begins with"),
    ] {
        let error = ConvNet::from_bytes(bytes, "some.net").unwrap_err().to_string();
        assert!(error.contains(what) && error.contains("some.net"), "{error}");
    }
    assert!(ConvNetTrainer::from_bytes(&bytes, "net").is_err());
}
