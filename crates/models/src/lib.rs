//! Models and the rules they learn by. They know no game: a model sees numbers.
#![warn(missing_docs)]

mod activation;
mod adam;
pub mod board_net;
pub mod bradley_terry;
mod checksum;
pub mod conv_net;
pub mod dense;
pub mod evolution;
pub mod genetic;
pub mod kernels;
pub mod mlp;
pub mod nnue;
mod parallel;
pub mod som;
pub mod spatial;
pub mod td;
mod weights_file;

use checksum::checksum;
pub use mlp::Mlp;
pub use som::Som;
pub use spatial::Spatial;
pub use td::TemporalDifference;
