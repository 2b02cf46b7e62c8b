//! Settings of a feature selection.

use crate::recipe::range;
use ludus_core::TextError;
use ludus_knowledge::draughts::features::FEATURES;
use ludus_models::genetic::{Breeding, ParentSelection};
use serde::{Deserialize, Serialize};

/// Feature selection settings. The source says only that a genetic algorithm is wrapped around the
/// training; the rest is our choice.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FeatureSelectionSettings {
    /// Sets of features in a generation.
    pub population: usize,
    /// Number of generations, the first of them random.
    pub generations: usize,
    /// Selection of parents.
    pub selection: SelectionKind,
    /// Tournament size, for `selection = "tournament"`.
    pub contestants: usize,
    /// Probability of crossover.
    pub crossover: f64,
    /// Mutation probability of each feature; on average about one of the 28 changes.
    pub mutation: f64,
    /// Number of the fittest that survive.
    pub elite: usize,
    /// Minimum number of features in a set.
    pub least: usize,
    /// Sessions of `td.games` games that train the network of a set.
    pub sessions: u32,
    /// Openings of a generation's tournament, after `td.random_plies`; a round robin from each of
    /// them with both colours.
    pub openings: usize,
    /// Openings of the play-off among the winners of all generations, each fully trained with
    /// `td.sessions`: short trainings predict long ones poorly. With 0 only the winner of the last
    /// generation is fully trained.
    pub play_off: usize,
}

/// Selection of parents.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SelectionKind {
    /// Tournament selection: the fittest of a few random candidates.
    Tournament,
    /// Roulette selection: probability in proportion to fitness.
    Roulette,
}

impl Default for FeatureSelectionSettings {
    fn default() -> FeatureSelectionSettings {
        FeatureSelectionSettings {
            population: 16,
            generations: 10,
            selection: SelectionKind::Tournament,
            contestants: 3,
            crossover: 0.9,
            mutation: 0.04,
            elite: 2,
            least: 4,
            sessions: 5,
            openings: 2,
            play_off: 20,
        }
    }
}

impl FeatureSelectionSettings {
    pub(super) fn check(&self) -> Result<(), TextError> {
        let whole = |name: &str, value: usize, least: usize, most: usize| {
            range(&format!("genetic.{name}"), value as f64, least as f64, most as f64)
        };
        whole("population", self.population, 2, 10_000)?;
        whole("generations", self.generations, 1, 100_000)?;
        whole("contestants", self.contestants, 1, 10_000)?;
        whole("elite", self.elite, 0, self.population)?;
        whole("least", self.least, 1, FEATURES.len())?;
        whole("sessions", self.sessions as usize, 1, 1_000_000)?;
        whole("openings", self.openings, 1, 10_000)?;
        whole("play_off", self.play_off, 0, 10_000)?;
        range("genetic.crossover", self.crossover, 0.0, 1.0)?;
        range("genetic.mutation", self.mutation, 0.0, 1.0)
    }

    /// Sets of all generations.
    pub(super) fn total(&self) -> u64 {
        (self.population * self.generations) as u64
    }

    pub(super) fn breeding(&self) -> Breeding {
        let FeatureSelectionSettings { crossover, mutation, elite, least, .. } = *self;
        let selection = match self.selection {
            SelectionKind::Tournament => ParentSelection::Tournament(self.contestants),
            SelectionKind::Roulette => ParentSelection::Roulette,
        };
        Breeding { selection, crossover, mutation, elite, least }
    }
}
