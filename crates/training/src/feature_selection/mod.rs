//! Genetic feature selection, as for LS-Draughts: a genetic algorithm chooses sets of features,
//! each set trains a network by TD self-play, and a tournament of the networks gives the fitness of
//! the sets (Neto and Julia 2007).

mod report;

use crate::{
    Job, Recipe, RunResult, StartWeights, TrainingError, TrainingProgress, TrainingStage,
    folder::RunFolder,
    parallel::in_order,
    recipe::range,
    report::{CHART, TEST_CHART, TdReport},
    run::damaged,
    td,
    td_self_play::{
        CloneThreshold, MatchScore, SelfPlayTrainer, TdCheckpoint, TdSettings, TdState,
    },
};
use ludus_core::{Options, Random, TextError};
use ludus_games::draughts::{Draughts, features::FEATURES};
use ludus_models::genetic::{Breeding, Genome, Individual, ParentSelection, fittest};
use ludus_players::draughts::neural::{LearnedModel, NeuralFamily, family_of};
use report::{FeatureSelectionReport, GENERATIONS_CHART};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    collections::BTreeSet,
    fs,
    sync::atomic::{AtomicBool, Ordering},
};

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
    pub(crate) fn check(&self) -> Result<(), TextError> {
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

    fn breeding(&self) -> Breeding {
        let FeatureSelectionSettings { crossover, mutation, elite, least, .. } = *self;
        let selection = match self.selection {
            SelectionKind::Tournament => ParentSelection::Tournament(self.contestants),
            SelectionKind::Roulette => ParentSelection::Roulette,
        };
        Breeding { selection, crossover, mutation, elite, least }
    }
}

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

const GENERATIONS: &str = "generations.json";
/// Folder of the networks trained so far, so that no set is trained twice.
const NETWORKS_DIR: &str = "minds";
/// Folder of the fully trained networks.
const FINALISTS_DIR: &str = "finalists";

fn text_of(genome: &Genome) -> String {
    genome.iter().map(|&bit| if bit { '1' } else { '0' }).collect()
}

fn genome_of(text: &str) -> Genome {
    text.chars().map(|digit| digit == '1').collect()
}

/// Indices of a set's features in [`FEATURES`].
fn features_of(set: &str) -> Vec<usize> {
    set.char_indices().filter(|(_, digit)| *digit == '1').map(|(place, _)| place).collect()
}

/// Fittest set of a generation.
fn winner(generation: &[Contestant]) -> &Contestant {
    let individuals = individuals(generation);
    let best = &text_of(&fittest(&individuals).genome);
    generation.iter().find(|one| one.set == *best).expect("the fittest is one of them")
}

fn individuals(generation: &[Contestant]) -> Vec<Individual> {
    let individual =
        |one: &Contestant| Individual { genome: genome_of(&one.set), fitness: one.record.score() };
    generation.iter().map(individual).collect()
}

/// A feature selection run.
pub struct FeatureSelectionRunner<'a> {
    job: &'a Job,
    family: &'static NeuralFamily,
    options: Options,
    start: Draughts,
    /// Settings of the short training of each set.
    short_training: TdSettings,
}

impl<'a> FeatureSelectionRunner<'a> {
    /// Checks what only the game can check of the recipe.
    pub fn new(job: &'a Job) -> Result<FeatureSelectionRunner<'a>, TrainingError> {
        let Recipe { player, game, start, td, feature_selection, .. } = &job.recipe;
        let (family, options) = family_of(player)?;
        if let StartWeights::File(file) = start {
            let expected = "none: every set of features starts with random weights";
            return Err(TextError::whole("start", file, expected).into());
        }
        let start = td::english_start(game)?;
        let short_training = TdSettings { sessions: feature_selection.sessions, ..td.clone() };
        Ok(FeatureSelectionRunner { job, family, options, start, short_training })
    }

    /// Runs all stages, or resumes them.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        let mut folder = self.job.begin()?;
        for name in [NETWORKS_DIR, FINALISTS_DIR] {
            let path = folder.file(name);
            fs::create_dir_all(&path).map_err(|error| TrainingError::disk(&path, &error))?;
        }
        let past = self.breed(&mut folder, stop, progress)?;
        let finalists = self.finalists(&past);
        self.train_fully(&finalists, &mut folder, stop, progress)?;
        let best = self.play_off(&finalists, &mut folder, stop)?;
        let state = read_finalist(&folder, &best)?;
        self.finish(&past, &state, &mut folder)
    }

    fn trainer<'b>(
        &self,
        settings: &'b TdSettings,
        starts: &'b [Draughts],
        stop: &'b AtomicBool,
    ) -> SelfPlayTrainer<'b> {
        let search_config = (self.family.search_config)(&self.options);
        let (accept, seed) = (CloneThreshold::Above(settings.accept), self.job.recipe.seed);
        SelfPlayTrainer { settings, accept, search_config, starts, seed, stop }
    }

    /// Runs all generations.
    fn breed(
        &self,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<Vec<Generation>, TrainingError> {
        let settings = &self.job.recipe.feature_selection;
        let mut past: Vec<Generation> = match folder.read(GENERATIONS)? {
            None => Vec::new(),
            Some(bytes) => serde_json::from_slice::<Vec<Generation>>(&bytes)
                .ok()
                .filter(|past| self.fits(past))
                .ok_or_else(|| damaged(folder, GENERATIONS))?,
        };
        while past.len() < settings.generations {
            let sets = self.sets(&past);
            self.train(&sets, past.len(), folder, stop, progress)?;
            let name = format!("openings {}", past.len());
            let openings = self.openings(&name, settings.openings, stop);
            let models: Vec<LearnedModel> =
                sets.iter().map(|set| read_network(folder, set)).collect::<Result<_, _>>()?;
            let generation = self.tournament(&sets, &models, &openings, stop)?;
            let best = winner(&generation).clone();
            past.push(generation);
            let checkpoint = serde_json::to_vec(&past).expect("plain data can be written");
            folder.write(GENERATIONS, &checkpoint)?;
            folder.log(&json!({ "event": "generation", "number": past.len(), "best": best }))?;
        }
        Ok(past)
    }

    /// Whether these are generations of this recipe.
    fn fits(&self, past: &[Generation]) -> bool {
        let settings = &self.job.recipe.feature_selection;
        let is_set = |text: &str| {
            text.len() == FEATURES.len() && text.bytes().all(|digit| matches!(digit, b'0' | b'1'))
        };
        past.len() <= settings.generations
            && past.iter().all(|generation| {
                generation.len() == settings.population
                    && generation.iter().all(|one| is_set(&one.set))
            })
    }

    /// Sets of the generation after `past`.
    fn sets(&self, past: &[Generation]) -> Vec<String> {
        let settings = &self.job.recipe.feature_selection;
        let name = format!("generation {}", past.len());
        let mut random = Random::new(self.job.recipe.seed).split(&name);
        let breeding = settings.breeding();
        let genomes = match past.last() {
            None => breeding.first(settings.population, FEATURES.len(), &mut random),
            Some(last) => breeding.next(&individuals(last), &mut random),
        };
        genomes.iter().map(text_of).collect()
    }

    /// Trains the networks of all sets that have none yet.
    fn train(
        &self,
        sets: &[String],
        generation: usize,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<(), TrainingError> {
        let distinct: BTreeSet<&String> = sets.iter().collect();
        let new: Vec<&String> =
            distinct.into_iter().filter(|set| !folder.file(&network_file(set)).is_file()).collect();
        let population = self.job.recipe.feature_selection.population;
        let total = (population * self.job.recipe.feature_selection.generations) as u64;
        let known = generation * population + population - new.len();
        let mut done = 0;
        // The learner, since after so few games its copy may not have been renewed.
        let work = |_: &mut (), number: u64| {
            let set = new[number as usize];
            let seed = Random::new(self.job.recipe.seed).split(&format!("set {set}")).bits();
            Ok(self.trained(set, &self.short_training, seed, stop)?.learner)
        };
        in_order(
            0..new.len() as u64,
            self.job.threads,
            || Ok(()),
            work,
            |model| {
                let set = new[done];
                folder.write(&network_file(set), model.text().as_bytes())?;
                folder.log(&json!({ "event": "trained", "set": set }))?;
                done += 1;
                let note =
                    format!("generation {}, {} features", generation + 1, model.features.len());
                let done = (known + done) as u64;
                progress(&TrainingProgress { stage: TrainingStage::Breeding, done, total, note });
                Ok(())
            },
        )
    }

    /// Trains a network on a set.
    fn trained(
        &self,
        set: &str,
        settings: &TdSettings,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<TdState, TrainingError> {
        let starts = std::slice::from_ref(&self.start);
        let trainer = SelfPlayTrainer { seed, ..self.trainer(settings, starts, stop) };
        let mut state = TdState::begin(&features_of(set), seed);
        for _ in 0..settings.sessions {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            trainer.session(&mut state)?;
        }
        Ok(state)
    }

    /// Sets that are fully trained.
    fn finalists(&self, past: &[Generation]) -> Vec<String> {
        let alone = self.job.recipe.feature_selection.play_off == 0;
        let from = if alone { past.len() - 1 } else { 0 };
        let winners: BTreeSet<&String> = past[from..].iter().map(|one| &winner(one).set).collect();
        winners.into_iter().cloned().collect()
    }

    /// Trains the remaining finalists, exactly as `kind = "td"` would.
    fn train_fully(
        &self,
        finalists: &[String],
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<(), TrainingError> {
        let is_new = |set: &&String| !folder.file(&finalist_file(set)).is_file();
        let new: Vec<&String> = finalists.iter().filter(is_new).collect();
        let Recipe { td, seed, .. } = &self.job.recipe;
        let mut done = 0;
        let work = |_: &mut (), number: u64| self.trained(new[number as usize], td, *seed, stop);
        in_order(
            0..new.len() as u64,
            self.job.threads,
            || Ok(()),
            work,
            |state| {
                let checkpoint =
                    serde_json::to_vec(&TdCheckpoint::of(&state)).expect("a state can be written");
                folder.write(&finalist_file(new[done]), &checkpoint)?;
                folder.log(&json!({ "event": "finalist", "set": new[done] }))?;
                done += 1;
                let total = finalists.len() as u64;
                let done = total - (new.len() - done) as u64;
                let note = "trained in full".to_owned();
                progress(&TrainingProgress { stage: TrainingStage::Breeding, done, total, note });
                Ok(())
            },
        )
    }

    /// Up to `count` different positions after random plies.
    fn openings(&self, name: &str, count: usize, stop: &AtomicBool) -> Vec<Draughts> {
        /// Openings drawn for each one needed, in case they repeat or end the game.
        const MAX_DRAWS_PER_OPENING: usize = 20;
        let trainer = self.trainer(&self.short_training, &[], stop);
        let mut random = Random::new(self.job.recipe.seed).split(name);
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
        stop: &AtomicBool,
    ) -> Result<Generation, TrainingError> {
        let pairs: Vec<(usize, usize)> =
            (0..sets.len()).flat_map(|one| (0..one).map(move |other| (one, other))).collect();
        let trainer = self.trainer(&self.short_training, openings, stop);
        let work = |_: &mut (), number: u64| {
            let (one, other) = pairs[number as usize];
            Ok((one, other, trainer.play_match(&models[one], &models[other])?))
        };
        let contestant =
            |set: &String| Contestant { set: set.clone(), record: MatchScore::default() };
        let mut generation: Generation = sets.iter().map(contestant).collect();
        in_order(
            0..pairs.len() as u64,
            self.job.threads,
            || Ok(()),
            work,
            |(one, other, record)| {
                add(&mut generation[one].record, record);
                let MatchScore { won, lost, .. } = record;
                add(&mut generation[other].record, MatchScore { won: lost, lost: won, ..record });
                Ok::<(), TrainingError>(())
            },
        )?;
        Ok(generation)
    }

    /// Best of the finalists.
    fn play_off(
        &self,
        finalists: &[String],
        folder: &mut RunFolder,
        stop: &AtomicBool,
    ) -> Result<String, TrainingError> {
        let model = |set: &String| Ok(read_finalist(folder, set)?.current_clone().clone());
        let models: Vec<LearnedModel> =
            finalists.iter().map(model).collect::<Result<_, TrainingError>>()?;
        let openings = self.openings("play-off", self.job.recipe.feature_selection.play_off, stop);
        let contest = self.tournament(finalists, &models, &openings, stop)?;
        folder.log(&json!({ "event": "play-off", "finalists": contest }))?;
        Ok(winner(&contest).set.clone())
    }

    fn finish(
        &self,
        past: &[Generation],
        state: &TdState,
        folder: &mut RunFolder,
    ) -> Result<RunResult, TrainingError> {
        let training = TdReport { recipe: &self.job.recipe, state };
        let report = FeatureSelectionReport { recipe: &self.job.recipe, past, state };
        folder.write(GENERATIONS_CHART, report.chart().as_bytes())?;
        folder.write(CHART, training.error_chart().as_bytes())?;
        folder.write(TEST_CHART, training.test_chart().as_bytes())?;
        let model = state.current_clone().text();
        td::deliver(&model, report.summary(), &report.text(), folder)
    }
}

fn network_file(set: &str) -> String {
    format!("{NETWORKS_DIR}/{set}.txt")
}

fn finalist_file(set: &str) -> String {
    format!("{FINALISTS_DIR}/{set}.json")
}

fn read_finalist(folder: &RunFolder, set: &str) -> Result<TdState, TrainingError> {
    let name = finalist_file(set);
    let checkpoint =
        folder.read(&name)?.and_then(|bytes| serde_json::from_slice::<TdCheckpoint>(&bytes).ok());
    let state = checkpoint.and_then(|checkpoint| checkpoint.state());
    state
        .filter(|state| state.learner.features == features_of(set))
        .ok_or_else(|| damaged(folder, &name))
}

fn read_network(folder: &RunFolder, set: &str) -> Result<LearnedModel, TrainingError> {
    let name = network_file(set);
    let bytes = folder.read(&name)?;
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let model = text.and_then(|text| LearnedModel::parse(&text).ok());
    model.filter(|model| model.features == features_of(set)).ok_or_else(|| damaged(folder, &name))
}

fn add(total: &mut MatchScore, more: MatchScore) {
    total.won += more.won;
    total.drawn += more.drawn;
    total.lost += more.lost;
    total.loops += more.loops;
}
