//! Networks of the draughts players that learned by playing.

/// Anaconda.
pub const ANACONDA: &str = include_str!("../learners/anaconda.txt");

/// IIGA.
pub const IIGA: &str = include_str!("../learners/iiga.txt");

/// LS-Draughts.
pub const LS_DRAUGHTS: &str = include_str!("../learners/ls-draughts.txt");

/// MP-Draughts, all specialists.
pub const MP_DRAUGHTS: &str = include_str!("../learners/mp-draughts.txt");

/// NeuroDraughts.
pub const NEURODRAUGHTS: &str = include_str!("../learners/neurodraughts.txt");

/// VisionDraughts.
pub const VISIONDRAUGHTS: &str = include_str!("../learners/visiondraughts.txt");
