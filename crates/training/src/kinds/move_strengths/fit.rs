//! Fit of move strengths: every move made is a choice among the moves that could have been made.

use super::MoveStrengthsSettings;
use crate::go_self_play::{GoGameFile, held_out, replay};
use ludus_core::{LeafEvaluator, TextError};
use ludus_games::go::{Go, GoMove};
use ludus_knowledge::go::{
    leaf_evaluator::GoLeafEvaluator,
    move_features::{MoveFeatures, NO_FEATURE, Team, groups},
};
use ludus_models::bradley_terry::{Competitions, PredictionStats, Strengths};
use serde::{Deserialize, Serialize};

/// Choices of the games, and how often each feature was offered and chosen.
pub(super) struct ChoiceData {
    /// Training choices.
    pub train: Competitions,
    /// Held-out choices.
    pub held_out: Competitions,
    /// Counts by group and feature, of the training choices.
    pub counts: Vec<Vec<FeatureCount>>,
    /// Numbers of training games and held-out games.
    pub games: [u64; 2],
    guide: GoLeafEvaluator,
}

/// Choices in which a feature was chosen, and in which it was offered.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FeatureCount {
    pub chosen: u32,
    pub offered: u32,
}

impl ChoiceData {
    pub fn new() -> ChoiceData {
        let counts = groups().map(|features| vec![FeatureCount::default(); features]).to_vec();
        let [train, held_out] = [(); 2].map(|()| Competitions::new(&groups()));
        ChoiceData { train, held_out, counts, games: [0; 2], guide: GoLeafEvaluator::strong() }
    }

    /// Adds the games of a file.
    pub fn add(
        &mut self,
        file: &GoGameFile<'_>,
        settings: &MoveStrengthsSettings,
    ) -> Result<(), TextError> {
        for (number, moves) in file.games.iter().enumerate() {
            let is_held_out = held_out(number as u64, settings.validation);
            self.games[usize::from(is_held_out)] += 1;
            let first = settings.random_plies + settings.skip;
            // The line with the game's options comes before the games.
            let in_line = |error: TextError| TextError { line: number + 2, column: 1, ..error };
            replay(&file.options, moves, |position, mv, ply| {
                if ply >= first {
                    self.add_choice(position, mv, is_held_out);
                }
            })
            .map_err(in_line)?;
        }
        Ok(())
    }

    fn add_choice(&mut self, position: &Go, chosen: GoMove, is_held_out: bool) {
        let mut moves = Vec::new();
        self.guide.moves(position, &mut moves);
        let place = moves.iter().position(|&mv| mv == chosen).unwrap_or_else(|| {
            moves.push(chosen);
            moves.len() - 1
        });
        let features = MoveFeatures::new(position);
        let teams: Vec<Team> = moves.iter().map(|&mv| features.of(mv)).collect();
        if is_held_out {
            self.held_out.add(teams.as_flattened(), place);
        } else {
            self.train.add(teams.as_flattened(), place);
            self.count(&teams, place);
        }
    }

    fn count(&mut self, teams: &[Team], place: usize) {
        for (group, counts) in self.counts.iter_mut().enumerate() {
            let mut offered: Vec<u16> = teams.iter().map(|team| team[group]).collect();
            offered.sort_unstable();
            offered.dedup();
            for feature in offered.into_iter().filter(|&feature| feature != NO_FEATURE) {
                let count = &mut counts[usize::from(feature)];
                count.offered += 1;
                count.chosen += u32::from(teams[place][group] == feature);
            }
        }
    }
}

/// Strengths, and the quality of their predictions at each step, the first before any step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FitState {
    pub strengths: Strengths,
    pub history: Vec<FitStep>,
}

/// Quality of the predictions of one step's strengths.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct FitStep {
    pub train: PredictionStats,
    pub held_out: PredictionStats,
}

impl FitStep {
    fn of(strengths: &Strengths, data: &ChoiceData) -> FitStep {
        let [train, held_out] =
            [&data.train, &data.held_out].map(|choices| strengths.prediction_stats(choices));
        FitStep { train, held_out }
    }
}

impl FitState {
    pub fn begin(data: &ChoiceData) -> FitState {
        let strengths = Strengths::uniform(&groups());
        FitState { history: vec![FitStep::of(&strengths, data)], strengths }
    }

    /// Number of steps done.
    pub fn steps(&self) -> usize {
        self.history.len() - 1
    }

    pub fn step(&mut self, data: &ChoiceData, prior: f64) {
        self.strengths.mm_step(&data.train, prior);
        self.history.push(FitStep::of(&self.strengths, data));
    }
}

/// Checkpoint of a state: floating-point numbers as bits, so that they are read exactly as written.
#[derive(Serialize, Deserialize)]
pub(super) struct FitCheckpoint {
    strengths: Vec<Vec<u64>>,
    history: Vec<[u64; 6]>,
}

impl FitCheckpoint {
    pub fn of(state: &FitState) -> FitCheckpoint {
        let bits = |group: &Vec<f64>| group.iter().map(|strength| strength.to_bits()).collect();
        let step = |step: &FitStep| {
            let numbers = [step.train, step.held_out]
                .map(|stats| [stats.log_likelihood, stats.first, stats.mean_rank]);
            [0, 1, 2, 3, 4, 5].map(|index: usize| numbers[index / 3][index % 3].to_bits())
        };
        FitCheckpoint {
            strengths: state.strengths.groups.iter().map(bits).collect(),
            history: state.history.iter().map(step).collect(),
        }
    }

    /// The state, unless its features are others.
    pub fn state(&self) -> Option<FitState> {
        let fits = self.strengths.iter().map(Vec::len).eq(groups()) && !self.history.is_empty();
        let numbers = |bits: &Vec<u64>| bits.iter().copied().map(f64::from_bits).collect();
        let step = |bits: &[u64; 6]| {
            let [a, b, c, d, e, f] = bits.map(f64::from_bits);
            let stats = |log_likelihood, first, mean_rank| PredictionStats {
                log_likelihood,
                first,
                mean_rank,
            };
            FitStep { train: stats(a, b, c), held_out: stats(d, e, f) }
        };
        fits.then(|| FitState {
            strengths: Strengths { groups: self.strengths.iter().map(numbers).collect() },
            history: self.history.iter().map(step).collect(),
        })
    }
}
