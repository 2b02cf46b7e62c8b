//! Files of networks and checkpoints of training.
//!
//! Shapes are written as the number of inputs and the layers: `64 48:tanh,24:tanh,12:softmax`.

use super::{
    Activation, DenseLayer, DenseLoss, DenseNet, DenseRule, DenseTrainer, Layout, Optimiser,
    trainer::State,
};
use crate::{
    adam::Adam,
    weights_file::{Content, closed, floats, open},
};
use ludus_core::TextError;

const NET: Content = Content { kind: "dense network", magic: "ludus dense net 1" };
const TRAINING: Content =
    Content { kind: "training of a dense network", magic: "ludus dense net training 1" };
/// Largest number of inputs or units of a file.
const MAX_UNITS: usize = 1 << 20;
/// Largest number of layers of a file.
const MAX_LAYERS: usize = 64;

const ACTIVATIONS: &[(Activation, &str)] = &[
    (Activation::Identity, "identity"),
    (Activation::Relu, "relu"),
    (Activation::Tanh, "tanh"),
    (Activation::Sigmoid, "sigmoid"),
    (Activation::Softmax, "softmax"),
];

const LOSSES: &[(DenseLoss, &str)] = &[
    (DenseLoss::SquaredError, "squared-error"),
    (DenseLoss::LogLoss, "log-loss"),
    (DenseLoss::CrossEntropy, "cross-entropy"),
];

const MOMENTUM: &str = "momentum:";

fn name_of<T: PartialEq + Copy>(value: T, names: &[(T, &'static str)]) -> &'static str {
    names.iter().find(|(known, _)| *known == value).map_or("", |(_, name)| name)
}

fn named<T: Copy>(name: &str, names: &[(T, &str)]) -> Option<T> {
    names.iter().find(|(_, known)| *known == name).map(|(value, _)| *value)
}

fn optimiser_text(optimiser: Optimiser) -> String {
    match optimiser {
        Optimiser::Sgd => "sgd".to_owned(),
        Optimiser::Momentum(kept) => format!("{MOMENTUM}{kept}"),
        Optimiser::Adam => "adam".to_owned(),
    }
}

fn optimiser(text: &str) -> Option<Optimiser> {
    match text {
        "sgd" => Some(Optimiser::Sgd),
        "adam" => Some(Optimiser::Adam),
        _ => finite(text.strip_prefix(MOMENTUM)?).map(Optimiser::Momentum),
    }
}

fn finite(text: &str) -> Option<f32> {
    text.parse().ok().filter(|number: &f32| number.is_finite())
}

fn shape_text(net: &DenseNet) -> String {
    let layer =
        |layer: &DenseLayer| format!("{}:{}", layer.units, name_of(layer.activation, ACTIVATIONS));
    let layers: Vec<String> = net.layers().iter().map(layer).collect();
    format!("{} {}", net.inputs(), layers.join(","))
}

/// The shape in the first two words.
fn layout<'a>(words: &mut impl Iterator<Item = &'a str>) -> Option<Layout> {
    let size = |text: &str| text.parse().ok().filter(|size| (1..=MAX_UNITS).contains(size));
    let layer = |text: &str| {
        let (units, activation) = text.split_once(':')?;
        Some(DenseLayer { units: size(units)?, activation: named(activation, ACTIVATIONS)? })
    };
    let inputs = size(words.next()?)?;
    let layers: Vec<DenseLayer> = words.next()?.split(',').map(layer).collect::<Option<_>>()?;
    (layers.len() <= MAX_LAYERS).then(|| Layout::new(inputs, &layers))
}

fn bad_shape(content: Content, name: &str) -> TextError {
    let expected = "a first line with the number of inputs and the units and activations of each layer, \
                    such as `64 24:tanh,12:softmax`";
    content.wrong(name, expected)
}

fn bytes_of(numbers: &[f32]) -> impl Iterator<Item = u8> + '_ {
    numbers.iter().flat_map(|number| number.to_le_bytes())
}

impl DenseNet {
    /// The network as a file. `about` is one line of text on its origin.
    pub fn to_bytes(&self, about: &str) -> Vec<u8> {
        let about = about.replace(['\n', '\r'], " ");
        let mut bytes = NET.heading(&format!("{} {about}", shape_text(self)));
        bytes.extend(bytes_of(&self.parameters));
        closed(bytes)
    }

    /// A checksum of all weights.
    pub fn checksum(&self) -> u64 {
        crate::checksum(&self.to_bytes(""))
    }

    /// Reads a network; `name` is the file's, for errors.
    ///
    /// # Errors
    /// If it is no network or damaged.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<DenseNet, TextError> {
        let (heading, body) = open(bytes, NET, name)?;
        let layout = layout(&mut heading.split(' ')).ok_or_else(|| bad_shape(NET, name))?;
        let parameters = floats(body, layout.parameters, NET, name)?;
        Ok(DenseNet { layout, parameters })
    }
}

impl DenseTrainer {
    /// A checkpoint with all that is needed to resume, exact to the last bit.
    pub fn to_bytes(&self) -> Vec<u8> {
        let DenseRule { loss, optimiser, l2 } = self.rule;
        let heading = format!(
            "{} {} {} {l2} {}",
            shape_text(&self.net),
            name_of(loss, LOSSES),
            optimiser_text(optimiser),
            self.steps
        );
        let mut bytes = TRAINING.heading(&heading);
        bytes.extend(bytes_of(&self.net.parameters));
        match &self.state {
            State::Sgd => {}
            State::Momentum(last) => bytes.extend(bytes_of(last)),
            State::Adam(adam) => {
                bytes.extend(bytes_of(&adam.means).chain(bytes_of(&adam.squares)));
            }
        }
        closed(bytes)
    }

    /// Reads what [`to_bytes`](DenseTrainer::to_bytes) wrote; `name` is the file's, for errors.
    ///
    /// # Errors
    /// If it is something else or damaged.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<DenseTrainer, TextError> {
        let (heading, body) = open(bytes, TRAINING, name)?;
        let mut words = heading.split(' ');
        let layout = layout(&mut words).ok_or_else(|| bad_shape(TRAINING, name))?;
        let bad_rule = || {
            let expected = "behind the shape a loss that fits it, an optimiser, the L2 weight and the \
                            number of steps, such as `log-loss sgd 0.00001 100`";
            TRAINING.wrong(name, expected)
        };
        let mut rule = || {
            let loss = named(words.next()?, LOSSES)?;
            let optimiser = optimiser(words.next()?)?;
            let rule = DenseRule { loss, optimiser, l2: finite(words.next()?)? };
            Some((rule, words.next()?.parse().ok()?))
        };
        let (rule, steps) = rule().ok_or_else(bad_rule)?;
        if !layout.layers.last().is_some_and(|last| rule.loss.fits(last.activation)) {
            return Err(bad_rule());
        }
        let all = layout.parameters;
        let copies = match rule.optimiser {
            Optimiser::Sgd => 1,
            Optimiser::Momentum(_) => 2,
            Optimiser::Adam => 3,
        };
        let numbers = floats(body, copies * all, TRAINING, name)?;
        let mut parts = numbers.chunks_exact(all).map(<[f32]>::to_vec);
        let mut part = || parts.next().expect("as many as were read");
        let net = DenseNet { layout, parameters: part() };
        let state = match rule.optimiser {
            Optimiser::Sgd => State::Sgd,
            Optimiser::Momentum(_) => State::Momentum(part()),
            Optimiser::Adam => State::Adam(Adam { means: part(), squares: part(), steps }),
        };
        Ok(DenseTrainer::with(net, rule, state, steps))
    }
}
