//! Labelled positions as a network sees them.

use super::{
    ChessCnnSettings,
    label_file::{LabelledPosition, read_labelled},
    labels::LABELS_FILE,
};
use crate::{Run, TrainingError, go_self_play::held_out};
use ludus_core::TextError;
use ludus_games::chess::Chess;
use ludus_knowledge::chess::{STUDY_PLANES, study_planes};
use ludus_models::conv_net::ConvNetSamples;
use std::collections::HashSet;

/// Distinct positions of all files that have a score, with their targets.
pub(super) struct Dataset {
    pub labelled: Vec<LabelledPosition>,
    pub samples: ConvNetSamples,
    /// Numbers of the positions to learn from.
    pub train: Vec<u32>,
    /// Numbers of the positions held out.
    pub held_out: Vec<u32>,
}

impl Dataset {
    /// Reads the run's own positions and those of the files that the recipe names. Of equal
    /// positions the first counts.
    pub fn read(settings: &ChessCnnSettings, run: &Run<'_>) -> Result<Dataset, TrainingError> {
        let own = (settings.positions > 0).then(|| run.folder.file(LABELS_FILE));
        let (mut labelled, mut seen) = (Vec::new(), HashSet::new());
        for path in own.into_iter().chain(run.job.data_files()) {
            let file = read_labelled(&path)?;
            let new = |label: &LabelledPosition| {
                label.score().is_some() && seen.insert(label.position.without_clock())
            };
            labelled.extend(file.into_iter().filter(new));
        }
        drop(seen);
        let mut samples = ConvNetSamples::new(plane_count(settings));
        let mut planes = Vec::new();
        for label in &labelled {
            planes.clear();
            let position = label.position.unpack().expect("checked when it was read");
            study_planes(&position, settings.turn, &mut planes);
            let score = label.score().expect("those without are left out");
            samples.push(&planes, settings.target.target(score));
        }
        let (held_out, train): (Vec<u32>, Vec<u32>) = (0..labelled.len() as u32)
            .partition(|&number| held_out(number.into(), settings.validation));
        if train.is_empty() || held_out.is_empty() {
            let found = format!("{} positions", labelled.len());
            let expected = "enough to learn from and to hold some out (chess_cnn.validation)";
            return Err(TextError::whole("labelled positions", &found, expected).into());
        }
        Ok(Dataset { labelled, samples, train, held_out })
    }

    /// Mean target of the positions to learn from.
    pub fn mean_target(&self) -> f64 {
        let targets = self.train.iter().map(|&number| f64::from(self.target(number)));
        targets.sum::<f64>() / self.train.len() as f64
    }

    /// Mean squared error of `value` on the positions held out, in their order.
    pub fn held_out_error(&self, mut value: impl FnMut(&Chess) -> f64) -> f64 {
        let squares = self.held_out.iter().map(|&number| {
            let position = self.labelled[number as usize].position.unpack();
            let position = position.expect("checked when it was read");
            (value(&position) - f64::from(self.target(number))).powi(2)
        });
        squares.sum::<f64>() / self.held_out.len() as f64
    }

    fn target(&self, number: u32) -> f32 {
        self.samples.target(number as usize)
    }
}

/// Number of planes of a network with these settings.
pub(super) fn plane_count(settings: &ChessCnnSettings) -> usize {
    STUDY_PLANES + usize::from(settings.turn)
}
