//! How LS-Draughts learns: a genetic algorithm chooses features, each choice trains a network by
//! self-play with cloning, and a tournament of the networks tells which choices are fit (Neto and
//! Julia 2007).

mod report;

use crate::{
    Job, Outcome, Progress, Recipe, Stage, Start, TrainingError,
    cloning::{Accept, Kept, Record, School, State, TdSettings},
    folder::Folder,
    parallel::in_order,
    recipe::range,
    report::{CHART, TEST_CHART, TdReport},
    run::damaged,
    td,
};
use ludus_core::{Options, Random, TextError};
use ludus_games::draughts::{Draughts, features::FEATURES};
use ludus_models::genetic::{Breeding, Genome, Individual, Selection, fittest};
use ludus_players::neural::{Family, Mind, family_of};
use report::{GENERATIONS_CHART, GeneticReport};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    collections::BTreeSet,
    fs,
    sync::atomic::{AtomicBool, Ordering},
};

/// How features are chosen. Of all this our source tells only that there is a genetic algorithm
/// around the training; the rest is decided here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GeneticSettings {
    /// Sets of features in a generation.
    pub population: usize,
    /// Generations, the first of them drawn at random.
    pub generations: usize,
    /// How parents are chosen.
    pub selection: SelectionKind,
    /// From how many the fittest becomes a parent, for `selection = "tournament"`.
    pub contestants: usize,
    /// How likely a child mixes two parents.
    pub crossover: f64,
    /// How likely a feature of a child comes or goes; about one of the 28 changes.
    pub mutation: f64,
    /// How many of the fittest live on.
    pub elite: usize,
    /// The least number of features in a set.
    pub least: usize,
    /// Sessions of `td.games` games that train the network of a set.
    pub sessions: u32,
    /// Openings of the tournament of a generation, after `td.random_plies`; everybody meets everybody
    /// else from each of them with both colours.
    pub openings: usize,
    /// Openings of the play-off among the winners of all generations, each trained in full, in
    /// `td.sessions`: few games do not tell what many will teach. With 0 the winner of the last
    /// generation is trained in full and no other.
    pub play_off: usize,
}

/// How parents are chosen.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SelectionKind {
    /// The fittest of some.
    Tournament,
    /// Anyone, the likelier the fitter.
    Roulette,
}

impl Default for GeneticSettings {
    fn default() -> GeneticSettings {
        GeneticSettings {
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

impl GeneticSettings {
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
        let GeneticSettings { crossover, mutation, elite, least, .. } = *self;
        let selection = match self.selection {
            SelectionKind::Tournament => Selection::Tournament(self.contestants),
            SelectionKind::Roulette => Selection::Roulette,
        };
        Breeding { selection, crossover, mutation, elite, least }
    }
}

/// A set of features and how its network did in the tournament of its generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Contestant {
    /// For each of the 28 features a 1 or a 0.
    pub set: String,
    /// All its games.
    pub record: Record,
}

/// A generation after its tournament.
pub type Generation = Vec<Contestant>;

const GENERATIONS: &str = "generations.json";
/// The networks of all sets that were trained so far, so that none is trained twice.
const MINDS: &str = "minds";
/// The same of those that were trained in full.
const FINALISTS: &str = "finalists";

fn text_of(genome: &Genome) -> String {
    genome.iter().map(|&bit| if bit { '1' } else { '0' }).collect()
}

fn genome_of(text: &str) -> Genome {
    text.chars().map(|digit| digit == '1').collect()
}

/// Places in [`FEATURES`] of a set.
fn features_of(set: &str) -> Vec<usize> {
    set.char_indices().filter(|(_, digit)| *digit == '1').map(|(place, _)| place).collect()
}

/// The fittest of a generation.
fn winner(generation: &[Contestant]) -> &Contestant {
    let individuals = individuals(generation);
    let best = &text_of(&fittest(&individuals).genome);
    generation.iter().find(|one| one.set == *best).expect("the fittest is one of them")
}

fn individuals(generation: &[Contestant]) -> Vec<Individual> {
    let judged =
        |one: &Contestant| Individual { genome: genome_of(&one.set), fitness: one.record.score() };
    generation.iter().map(judged).collect()
}

/// A run.
pub struct GeneticRunner<'a> {
    job: &'a Job,
    family: &'static Family,
    options: Options,
    start: Draughts,
    /// How the network of a set is trained.
    brief: TdSettings,
}

impl<'a> GeneticRunner<'a> {
    /// Checks everything in the recipe that only the game can check.
    pub fn new(job: &'a Job) -> Result<GeneticRunner<'a>, TrainingError> {
        let Recipe { player, game, start, td, genetic, .. } = &job.recipe;
        let (family, options) = family_of(player)?;
        if let Start::File(file) = start {
            let expected = "none: every set of features begins with random weights";
            return Err(TextError::whole("start", file, expected).into());
        }
        let start = td::english_start(game)?;
        let brief = TdSettings { sessions: genetic.sessions, ..td.clone() };
        Ok(GeneticRunner { job, family, options, start, brief })
    }

    /// Does all that is left to do.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, TrainingError> {
        let mut folder = self.job.begin()?;
        for name in [MINDS, FINALISTS] {
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

    fn school<'b>(
        &self,
        settings: &'b TdSettings,
        starts: &'b [Draughts],
        stop: &'b AtomicBool,
    ) -> School<'b> {
        let thinking = (self.family.thinking)(&self.options);
        let (accept, seed) = (Accept::Above(settings.accept), self.job.recipe.seed);
        School { settings, accept, thinking, starts, seed, stop }
    }

    /// All generations.
    fn breed(
        &self,
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Generation>, TrainingError> {
        let settings = &self.job.recipe.genetic;
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
            let minds: Vec<Mind> =
                sets.iter().map(|set| read_mind(folder, set)).collect::<Result<_, _>>()?;
            let generation = self.tournament(&sets, &minds, &openings, stop)?;
            let best = winner(&generation).clone();
            past.push(generation);
            let kept = serde_json::to_vec(&past).expect("plain data can be written");
            folder.write(GENERATIONS, &kept)?;
            folder.log(&json!({ "event": "generation", "number": past.len(), "best": best }))?;
        }
        Ok(past)
    }

    /// Whether these are generations of this recipe.
    fn fits(&self, past: &[Generation]) -> bool {
        let settings = &self.job.recipe.genetic;
        let is_set = |text: &str| {
            text.len() == FEATURES.len() && text.bytes().all(|digit| matches!(digit, b'0' | b'1'))
        };
        past.len() <= settings.generations
            && past.iter().all(|generation| {
                generation.len() == settings.population
                    && generation.iter().all(|one| is_set(&one.set))
            })
    }

    /// The sets of the generation after those before.
    fn sets(&self, past: &[Generation]) -> Vec<String> {
        let settings = &self.job.recipe.genetic;
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
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<(), TrainingError> {
        let distinct: BTreeSet<&String> = sets.iter().collect();
        let new: Vec<&String> =
            distinct.into_iter().filter(|set| !folder.file(&mind_file(set)).is_file()).collect();
        let population = self.job.recipe.genetic.population;
        let total = (population * self.job.recipe.genetic.generations) as u64;
        let known = generation * population + population - new.len();
        let mut done = 0;
        // The one that learned, for in so few games its copy may not have been renewed.
        let work = |_: &mut (), number: u64| {
            let set = new[number as usize];
            let seed = Random::new(self.job.recipe.seed).split(&format!("set {set}")).bits();
            Ok(self.trained(set, &self.brief, seed, stop)?.learner)
        };
        in_order(
            0..new.len() as u64,
            self.job.threads,
            || Ok(()),
            work,
            |mind| {
                let set = new[done];
                folder.write(&mind_file(set), mind.text().as_bytes())?;
                folder.log(&json!({ "event": "trained", "set": set }))?;
                done += 1;
                let note =
                    format!("generation {}, {} features", generation + 1, mind.features.len());
                let done = (known + done) as u64;
                progress(&Progress { stage: Stage::Breeding, done, total, note });
                Ok(())
            },
        )
    }

    /// The training of a set.
    fn trained(
        &self,
        set: &str,
        settings: &TdSettings,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<State, TrainingError> {
        let starts = std::slice::from_ref(&self.start);
        let school = School { seed, ..self.school(settings, starts, stop) };
        let mut state = State::begin(&features_of(set), seed);
        for _ in 0..settings.sessions {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            school.session(&mut state)?;
        }
        Ok(state)
    }

    /// The sets that are trained in full.
    fn finalists(&self, past: &[Generation]) -> Vec<String> {
        let alone = self.job.recipe.genetic.play_off == 0;
        let from = if alone { past.len() - 1 } else { 0 };
        let winners: BTreeSet<&String> = past[from..].iter().map(|one| &winner(one).set).collect();
        winners.into_iter().cloned().collect()
    }

    /// Trains the finalists that are not trained yet, just as `kind = "td"` would train them.
    fn train_fully(
        &self,
        finalists: &[String],
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
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
                let kept = serde_json::to_vec(&Kept::of(&state)).expect("a state can be written");
                folder.write(&finalist_file(new[done]), &kept)?;
                folder.log(&json!({ "event": "finalist", "set": new[done] }))?;
                done += 1;
                let total = finalists.len() as u64;
                let done = total - (new.len() - done) as u64;
                let note = "trained in full".to_owned();
                progress(&Progress { stage: Stage::Breeding, done, total, note });
                Ok(())
            },
        )
    }

    /// Up to `count` boards after random plies, all different.
    fn openings(&self, name: &str, count: usize, stop: &AtomicBool) -> Vec<Draughts> {
        /// Openings drawn for each that is wanted, in case they are equal or end the game.
        const TRIES: usize = 20;
        let school = self.school(&self.brief, &[], stop);
        let mut random = Random::new(self.job.recipe.seed).split(name);
        let mut openings: Vec<Draughts> = Vec::new();
        for _ in 0..TRIES * count {
            if openings.len() == count {
                break;
            }
            let game = school.opening(&self.start, &mut random);
            let board = game.map(|game| *game.last());
            openings.extend(board.filter(|board| !openings.contains(board)));
        }
        if openings.is_empty() { vec![self.start] } else { openings }
    }

    /// Everybody against everybody else from every opening with both colours.
    fn tournament(
        &self,
        sets: &[String],
        minds: &[Mind],
        openings: &[Draughts],
        stop: &AtomicBool,
    ) -> Result<Generation, TrainingError> {
        let pairs: Vec<(usize, usize)> =
            (0..sets.len()).flat_map(|one| (0..one).map(move |other| (one, other))).collect();
        let school = self.school(&self.brief, openings, stop);
        let work = |_: &mut (), number: u64| {
            let (one, other) = pairs[number as usize];
            Ok((one, other, school.match_of(&minds[one], &minds[other])?))
        };
        let contestant = |set: &String| Contestant { set: set.clone(), record: Record::default() };
        let mut generation: Generation = sets.iter().map(contestant).collect();
        in_order(
            0..pairs.len() as u64,
            self.job.threads,
            || Ok(()),
            work,
            |(one, other, record)| {
                add(&mut generation[one].record, record);
                let Record { won, lost, .. } = record;
                add(&mut generation[other].record, Record { won: lost, lost: won, ..record });
                Ok::<(), TrainingError>(())
            },
        )?;
        Ok(generation)
    }

    /// The best of the finalists.
    fn play_off(
        &self,
        finalists: &[String],
        folder: &mut Folder,
        stop: &AtomicBool,
    ) -> Result<String, TrainingError> {
        let mind = |set: &String| Ok(read_finalist(folder, set)?.clone_in_use().clone());
        let minds: Vec<Mind> = finalists.iter().map(mind).collect::<Result<_, TrainingError>>()?;
        let openings = self.openings("play-off", self.job.recipe.genetic.play_off, stop);
        let contest = self.tournament(finalists, &minds, &openings, stop)?;
        folder.log(&json!({ "event": "play-off", "finalists": contest }))?;
        Ok(winner(&contest).set.clone())
    }

    fn finish(
        &self,
        past: &[Generation],
        state: &State,
        folder: &mut Folder,
    ) -> Result<Outcome, TrainingError> {
        let training = TdReport { recipe: &self.job.recipe, state };
        let report = GeneticReport { recipe: &self.job.recipe, past, state };
        folder.write(GENERATIONS_CHART, report.chart().as_bytes())?;
        folder.write(CHART, training.error_chart().as_bytes())?;
        folder.write(TEST_CHART, training.test_chart().as_bytes())?;
        let mind = state.clone_in_use().text();
        td::deliver(&mind, report.summary(), &report.text(), folder)
    }
}

fn mind_file(set: &str) -> String {
    format!("{MINDS}/{set}.txt")
}

fn finalist_file(set: &str) -> String {
    format!("{FINALISTS}/{set}.json")
}

fn read_finalist(folder: &Folder, set: &str) -> Result<State, TrainingError> {
    let name = finalist_file(set);
    let kept = folder.read(&name)?.and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
    let state = kept.and_then(|kept| kept.state());
    state
        .filter(|state| state.learner.features == features_of(set))
        .ok_or_else(|| damaged(folder, &name))
}

fn read_mind(folder: &Folder, set: &str) -> Result<Mind, TrainingError> {
    let name = mind_file(set);
    let bytes = folder.read(&name)?;
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let mind = text.and_then(|text| Mind::parse(&text).ok());
    mind.filter(|mind| mind.features == features_of(set)).ok_or_else(|| damaged(folder, &name))
}

fn add(total: &mut Record, more: Record) {
    total.won += more.won;
    total.drawn += more.drawn;
    total.lost += more.lost;
    total.loops += more.loops;
}
