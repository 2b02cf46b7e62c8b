//! Generations of sets of features, one after another.

use super::{
    BREEDING, FeatureSelection, FeatureSelectionSettings,
    networks::{TrainingPlan, network_file, read_network},
};
use crate::{
    Run, TrainingError, TrainingStage,
    checkpoint::{CheckpointedStage, Pace, StepReport},
    folder::RunFolder,
    kinds::td::{MatchScore, TdState},
};
use ludus_core::Random;
use ludus_knowledge::draughts::features::FEATURES;
use ludus_models::genetic::{Genome, Individual, fittest};
use ludus_players::draughts::neural::LearnedModel;
use serde::{Deserialize, Serialize};
use serde_json::json;

const CHECKPOINT: &str = "generations.json";

/// A set of features and the score of its network in the tournament of its generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contestant {
    /// A 1 or a 0 for each of the 28 features.
    pub set: String,
    /// Score of all its games.
    pub record: MatchScore,
}

/// A generation after its tournament.
pub type Generation = Vec<Contestant>;

pub(super) fn text_of(genome: &Genome) -> String {
    genome.iter().map(|&bit| if bit { '1' } else { '0' }).collect()
}

fn genome_of(text: &str) -> Genome {
    text.chars().map(|digit| digit == '1').collect()
}

/// Indices of a set's features in [`FEATURES`].
pub(super) fn features_of(set: &str) -> Vec<usize> {
    set.char_indices().filter(|(_, digit)| *digit == '1').map(|(place, _)| place).collect()
}

/// Fittest set of a generation.
pub(super) fn winner(generation: &[Contestant]) -> &Contestant {
    let individuals = individuals(generation);
    let best = &text_of(&fittest(&individuals).genome);
    generation.iter().find(|one| one.set == *best).expect("the fittest is one of them")
}

fn individuals(generation: &[Contestant]) -> Vec<Individual> {
    let individual =
        |one: &Contestant| Individual { genome: genome_of(&one.set), fitness: one.record.score() };
    generation.iter().map(individual).collect()
}

/// The generations of a run: each trains the networks of its sets and lets them play.
pub(super) struct GenerationStage<'a> {
    pub selection: &'a FeatureSelection<'a>,
    pub settings: &'a FeatureSelectionSettings,
}

impl CheckpointedStage for GenerationStage<'_> {
    type State = Vec<Generation>;

    const STAGE: TrainingStage = BREEDING;

    fn load(&self, folder: &RunFolder) -> Result<Option<Vec<Generation>>, TrainingError> {
        folder.json_checkpoint(CHECKPOINT, |past: Vec<Generation>| self.fits(&past).then_some(past))
    }

    fn save(&mut self, past: &Vec<Generation>, folder: &RunFolder) -> Result<(), TrainingError> {
        folder.write_json(CHECKPOINT, past)
    }

    fn begin(&mut self, _: &mut Run<'_>) -> Result<Vec<Generation>, TrainingError> {
        Ok(Vec::new())
    }

    fn is_done(&self, past: &Vec<Generation>) -> bool {
        past.len() >= self.settings.generations
    }

    fn step(&mut self, past: &mut Vec<Generation>, run: &mut Run<'_>) -> Result<(), TrainingError> {
        let sets = self.sets(past);
        self.train(&sets, past.len(), run)?;
        let name = format!("openings {}", past.len());
        let openings = self.selection.openings(&name, self.settings.openings, run);
        let models: Vec<LearnedModel> =
            sets.iter().map(|set| read_network(&run.folder, set)).collect::<Result<_, _>>()?;
        past.push(self.selection.tournament(&sets, &models, &openings, run)?);
        Ok(())
    }

    fn report(&mut self, past: &Vec<Generation>, _: Pace) -> StepReport {
        let best = winner(past.last().expect("a step leaves a generation"));
        StepReport {
            entry: Some(json!({ "event": "generation", "number": past.len(), "best": best })),
            done: (past.len() * self.settings.population) as u64,
            total: self.settings.total(),
            note: format!("generation {}, {} features", past.len(), features_of(&best.set).len()),
        }
    }
}

impl GenerationStage<'_> {
    /// Whether these are generations of this recipe.
    fn fits(&self, past: &[Generation]) -> bool {
        let is_set = |text: &str| {
            text.len() == FEATURES.len() && text.bytes().all(|digit| matches!(digit, b'0' | b'1'))
        };
        past.len() <= self.settings.generations
            && past.iter().all(|generation| {
                generation.len() == self.settings.population
                    && generation.iter().all(|one| is_set(&one.set))
            })
    }

    /// Sets of the generation after `past`.
    fn sets(&self, past: &[Generation]) -> Vec<String> {
        let name = format!("generation {}", past.len());
        let mut random = Random::new(self.selection.seed).split(&name);
        let breeding = self.settings.breeding();
        let genomes = match past.last() {
            None => breeding.first(self.settings.population, FEATURES.len(), &mut random),
            Some(last) => breeding.next(&individuals(last), &mut random),
        };
        genomes.iter().map(text_of).collect()
    }

    /// Trains the networks of all sets that have none yet.
    fn train(
        &self,
        sets: &[String],
        generation: usize,
        run: &mut Run<'_>,
    ) -> Result<(), TrainingError> {
        let plan = TrainingPlan {
            settings: &self.selection.short_training,
            seed: &|set| Random::new(self.selection.seed).split(&format!("set {set}")).bits(),
            event: "trained",
            file: network_file,
            // The learner, since after so few games its copy may not have been renewed.
            contents: |state| state.learner.text(),
        };
        let (all, total) = ((generation + 1) * self.settings.population, self.settings.total());
        self.selection.train_missing(sets, &plan, run, &mut |run, state: &TdState, missing| {
            let features = state.learner.features.len();
            let note = format!("generation {}, {features} features", generation + 1);
            run.progress(BREEDING, (all - missing) as u64, total, note);
        })
    }
}
