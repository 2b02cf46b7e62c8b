//! Genetic feature selection, as for LS-Draughts: a genetic algorithm chooses sets of features,
//! each set trains a network by TD self-play, and a tournament of the networks gives the fitness of
//! the sets (Neto and Julia 2007).

mod generations;
mod networks;
mod report;
mod settings;

pub use generations::{Contestant, Generation};
pub use settings::{FeatureSelectionSettings, SelectionKind};

use super::{Settings, Training, TrainingKind};
use crate::{
    Job, LearnedWeights, Recipe, Run, StartWeights, TrainableGame, Trained, TrainingError,
    TrainingStage,
    kinds::td::{
        CloneThreshold, MatchScore, SelfPlayTrainer, TdCheckpoint, TdSettings, english_start,
    },
    parallel::in_order,
};
use generations::{GenerationStage, winner};
use ludus_core::{Random, TextError};
use ludus_games::draughts::Draughts;
use ludus_players::draughts::neural::{LearnedModel, SearchConfig, family_of};
use networks::{TrainingPlan, create_folders, finalist_file, read_finalist};
use report::FeatureSelectionReport;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{collections::BTreeSet, sync::atomic::AtomicBool};

/// Genetic selection of features for networks that learn by TD.
pub static KIND: TrainingKind = TrainingKind::new::<FeatureSelectionRecipe>(
    "genetic",
    "features for such a network, chosen by a genetic algorithm",
    &[TrainableGame::new::<Draughts>(|job| Ok(Box::new(FeatureSelection::new(job)?)))],
);

/// Training of networks on sets of features.
const BREEDING: TrainingStage =
    TrainingStage { activity: "training on sets of features", unit: "sets of features" };

/// Sections of a recipe for feature selection.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FeatureSelectionRecipe {
    /// Full training of the finalists.
    pub td: TdSettings,
    /// Genetic algorithm.
    pub genetic: FeatureSelectionSettings,
}

impl Settings for FeatureSelectionRecipe {
    fn kind(&self) -> &'static TrainingKind {
        &KIND
    }

    fn check(&self, _: &Recipe) -> Result<(), TextError> {
        self.td.check("td")?;
        self.genetic.check()
    }
}

/// A feature selection of one player.
struct FeatureSelection<'a> {
    settings: &'a FeatureSelectionRecipe,
    seed: u64,
    search_config: SearchConfig,
    start: Draughts,
    /// Settings of the short training of each set.
    short_training: TdSettings,
}

impl Training for FeatureSelection<'_> {
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError> {
        create_folders(&run.folder)?;
        let settings = &self.settings.genetic;
        let past = run.stage(&mut GenerationStage { selection: self, settings })?;
        let finalists = self.finalists(&past);
        self.train_fully(&finalists, run)?;
        let best = self.play_off(&finalists, run)?;
        let state = read_finalist(&run.folder, &best)?;
        let report = FeatureSelectionReport {
            player: &run.job.recipe.player,
            settings: &self.settings.td,
            past: &past,
            state: &state,
        };
        let weights = LearnedWeights::Text(state.current_clone().text());
        Ok(Trained { weights, report: report.report() })
    }
}

impl<'a> FeatureSelection<'a> {
    /// Checks player, game and start.
    fn new(job: &'a Job) -> Result<FeatureSelection<'a>, TrainingError> {
        let Recipe { player, game, start, seed, .. } = &job.recipe;
        let settings: &FeatureSelectionRecipe = job.recipe.settings();
        let (family, options) = family_of(player)?;
        if let StartWeights::File(file) = start {
            let expected = "none: every set of features starts with random weights";
            return Err(TextError::whole("start", file, expected).into());
        }
        let start = english_start(game)?;
        let sessions = settings.genetic.sessions;
        let short_training = TdSettings { sessions, ..settings.td.clone() };
        let search_config = (family.search_config)(&options);
        Ok(FeatureSelection { settings, seed: *seed, search_config, start, short_training })
    }

    fn trainer<'b>(
        &self,
        settings: &'b TdSettings,
        starts: &'b [Draughts],
        stop: &'b AtomicBool,
    ) -> SelfPlayTrainer<'b> {
        let accept = CloneThreshold::Above(settings.accept);
        let (search_config, seed) = (self.search_config, self.seed);
        SelfPlayTrainer { settings, accept, search_config, starts, seed, stop }
    }

    /// Sets that are fully trained.
    fn finalists(&self, past: &[Generation]) -> Vec<String> {
        let alone = self.settings.genetic.play_off == 0;
        let from = if alone { past.len() - 1 } else { 0 };
        let winners: BTreeSet<&String> = past[from..].iter().map(|one| &winner(one).set).collect();
        winners.into_iter().cloned().collect()
    }

    /// Trains the remaining finalists, exactly as `kind = "td"` would.
    fn train_fully(&self, finalists: &[String], run: &mut Run<'_>) -> Result<(), TrainingError> {
        let plan = TrainingPlan {
            settings: &self.settings.td,
            seed: &|_| self.seed,
            event: "finalist",
            file: finalist_file,
            contents: |state| {
                serde_json::to_string(&TdCheckpoint::of(state)).expect("a state can be written")
            },
        };
        self.train_missing(finalists, &plan, run, &mut |run, _, missing| {
            let (done, total) = (finalists.len() - missing, finalists.len());
            run.progress(BREEDING, done as u64, total as u64, "trained in full".to_owned());
        })
    }

    /// Up to `count` different positions after random plies.
    fn openings(&self, name: &str, count: usize, run: &Run<'_>) -> Vec<Draughts> {
        /// Openings drawn for each one needed, in case they repeat or end the game.
        const MAX_DRAWS_PER_OPENING: usize = 20;
        let trainer = self.trainer(&self.short_training, &[], run.stop);
        let mut random = Random::new(self.seed).split(name);
        let mut openings: Vec<Draughts> = Vec::new();
        for _ in 0..MAX_DRAWS_PER_OPENING * count {
            if openings.len() == count {
                break;
            }
            let game = trainer.opening(&self.start, &mut random);
            let board = game.map(|game| *game.last());
            openings.extend(board.filter(|board| !openings.contains(board)));
        }
        if openings.is_empty() { vec![self.start] } else { openings }
    }

    /// Round robin from every opening with both colours.
    fn tournament(
        &self,
        sets: &[String],
        models: &[LearnedModel],
        openings: &[Draughts],
        run: &Run<'_>,
    ) -> Result<Generation, TrainingError> {
        let pairs: Vec<(usize, usize)> =
            (0..sets.len()).flat_map(|one| (0..one).map(move |other| (one, other))).collect();
        let trainer = self.trainer(&self.short_training, openings, run.stop);
        let work = |_: &mut (), number: u64| {
            let (one, other) = pairs[number as usize];
            Ok((one, other, trainer.play_match(&models[one], &models[other])?))
        };
        let contestant =
            |set: &String| Contestant { set: set.clone(), record: MatchScore::default() };
        let mut generation: Generation = sets.iter().map(contestant).collect();
        let count = pairs.len() as u64;
        in_order(
            0..count,
            run.job.threads,
            || Ok(()),
            work,
            |(one, other, record)| {
                generation[one].record += record;
                let MatchScore { won, lost, .. } = record;
                generation[other].record += MatchScore { won: lost, lost: won, ..record };
                Ok::<(), TrainingError>(())
            },
        )?;
        Ok(generation)
    }

    /// Best of the finalists.
    fn play_off(&self, finalists: &[String], run: &mut Run<'_>) -> Result<String, TrainingError> {
        let model = |set: &String| Ok(read_finalist(&run.folder, set)?.current_clone().clone());
        let models: Vec<LearnedModel> =
            finalists.iter().map(model).collect::<Result<_, TrainingError>>()?;
        let openings = self.openings("play-off", self.settings.genetic.play_off, run);
        let contest = self.tournament(finalists, &models, &openings, run)?;
        run.log(&json!({ "event": "play-off", "finalists": contest }))?;
        Ok(winner(&contest).set.clone())
    }
}
