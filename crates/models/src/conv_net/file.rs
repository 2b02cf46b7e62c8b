//! Files of networks and checkpoints of training.

use super::{ConvNet, ConvNetTrainer, Layout, MAX_PLANES};
use crate::{
    adam::Adam,
    kernels::WIDTH,
    weights_file::{Content, closed, floats, open},
};
use ludus_core::TextError;

const NET: Content = Content { kind: "convolutional network", magic: "ludus conv net 1" };
const TRAINING: Content =
    Content { kind: "training of a convolutional network", magic: "ludus conv net training 1" };

/// All trained numbers of a network, in the order of its layers.
fn weights(net: &ConvNet) -> impl Iterator<Item = f32> + '_ {
    net.rows.iter().flat_map(|row| row.0).take(net.parameters())
}

/// A network of these weights, as many as its planes ask for.
fn net_of(planes: usize, weights: &[f32]) -> ConvNet {
    let mut net = ConvNet::zero(planes);
    for (row, weights) in net.rows.iter_mut().zip(weights.chunks(WIDTH)) {
        row.0[..weights.len()].copy_from_slice(weights);
    }
    net
}

impl ConvNet {
    /// The network as a file. `about` is one line of text on its origin.
    pub fn to_bytes(&self, about: &str) -> Vec<u8> {
        let about = about.replace(['\n', '\r'], " ");
        let mut bytes = NET.heading(&format!("{} {about}", self.planes));
        bytes.extend(weights(self).flat_map(f32::to_le_bytes));
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
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<ConvNet, TextError> {
        let (heading, body) = open(bytes, NET, name)?;
        let planes = planes_of(NET, heading.split(' ').next(), name)?;
        let weights = floats(body, Layout::new(planes).parameters(), NET, name)?;
        Ok(net_of(planes, &weights))
    }
}

fn planes_of(content: Content, word: Option<&str>, name: &str) -> Result<usize, TextError> {
    let planes = word.and_then(|word| word.parse().ok());
    planes.filter(|planes| (1..=MAX_PLANES).contains(planes)).ok_or_else(|| {
        content.wrong(name, &format!("a number of planes from 1 to {MAX_PLANES} in its first line"))
    })
}

impl ConvNetTrainer {
    /// A checkpoint with all that is needed to resume, exact to the last bit.
    pub fn to_bytes(&self) -> Vec<u8> {
        let heading = format!("{} {}", self.net.planes, self.adam.steps);
        let mut bytes = TRAINING.heading(&heading);
        let rows = self.net.rows.iter().flat_map(|row| &row.0);
        let all = rows.chain(&self.adam.means).chain(&self.adam.squares);
        bytes.extend(all.flat_map(|number| number.to_le_bytes()));
        closed(bytes)
    }

    /// Reads what [`to_bytes`](ConvNetTrainer::to_bytes) wrote; `name` is the file's, for errors.
    ///
    /// # Errors
    /// If it is something else or damaged.
    pub fn from_bytes(bytes: &[u8], name: &str) -> Result<ConvNetTrainer, TextError> {
        let (heading, body) = open(bytes, TRAINING, name)?;
        let mut words = heading.split(' ');
        let planes = planes_of(TRAINING, words.next(), name)?;
        let steps = words.next().and_then(|word| word.parse().ok());
        let steps = steps.ok_or_else(|| TRAINING.wrong(name, "a number of steps"))?;
        let all = Layout::new(planes).rows * WIDTH;
        let numbers = floats(body, 3 * all, TRAINING, name)?;
        let mut parts = numbers.chunks_exact(all).map(<[f32]>::to_vec);
        let mut part = || parts.next().expect("three parts");
        let net = net_of(planes, &part());
        Ok(ConvNetTrainer::with(net, Adam { means: part(), squares: part(), steps }))
    }
}

impl PartialEq for ConvNetTrainer {
    fn eq(&self, other: &ConvNetTrainer) -> bool {
        self.net == other.net && self.adam == other.adam
    }
}
