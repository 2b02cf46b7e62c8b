//! Neuroevolution, as for Anaconda: networks play each other, the better half survives and has
//! children (Chellapilla and Fogel 1999, 2001).

mod checkpoint;
mod report;
mod settings;

pub use settings::NeuroevolutionSettings;

use super::{Settings, Training, TrainingKind};
use crate::{
    Job, LearnedWeights, Recipe, Run, TrainableGame, Trained, TrainingError, TrainingStage,
    checkpoint::{CheckpointedStage, Pace, StepReport},
    folder::RunFolder,
    kinds::td::english_start,
    parallel::in_order,
};
use ludus_core::{History, Limits, Outcome, Position, Random, SearchControl, Side, TextError};
use ludus_games::draughts::Draughts;
use ludus_knowledge::draughts::DraughtsKnowledge;
use ludus_models::{
    evolution::{self, Member},
    spatial,
};
use ludus_players::draughts::anaconda::{EvolvedWeights, SpatialEval, options_of, search_settings};
use ludus_search::{
    Search,
    alphabeta::{SearchSettings, Searcher},
};
use report::NeuroevolutionReport;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};

/// Neuroevolution: networks play each other, the better half survives and has children.
pub static KIND: TrainingKind = TrainingKind::new::<NeuroevolutionRecipe>(
    "evolution",
    "networks that play each other: the better half survives and has children",
    &[TrainableGame::new::<Draughts>(|job| Ok(Box::new(Neuroevolution::new(job)?)))],
);

const CHECKPOINT: &str = "checkpoint.bin";

/// Section of a recipe for neuroevolution.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NeuroevolutionRecipe {
    /// Evolution.
    pub evolution: NeuroevolutionSettings,
}

impl Settings for NeuroevolutionRecipe {
    fn kind(&self) -> &'static TrainingKind {
        &KIND
    }

    fn check(&self, _: &Recipe) -> Result<(), TextError> {
        self.evolution.check()
    }
}

/// Statistics of a generation.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GenerationStats {
    /// Highest number of points.
    pub best: i32,
    /// Points of all parents and children together.
    pub total: i32,
    /// Games drawn.
    pub drawn: u32,
    /// Mean mutation spread of the survivors' weights.
    pub spread: f32,
    /// King value of the best.
    pub king: f32,
    /// Number of children among the survivors.
    pub children: u32,
}

/// State of an evolution.
#[derive(Clone, Debug, PartialEq)]
pub struct NeuroevolutionState {
    /// Survivors, best first.
    pub parents: Vec<Member>,
    /// Statistics of all generations so far.
    pub past: Vec<GenerationStats>,
}

/// A neuroevolution of one player.
struct Neuroevolution<'a> {
    settings: &'a NeuroevolutionSettings,
    seed: u64,
    search_settings: SearchSettings,
    start: Draughts,
    /// Network to start from, if the recipe names one.
    ancestor: Option<EvolvedWeights>,
}

fn weights_of(member: &Member) -> EvolvedWeights {
    EvolvedWeights { king: member.dial, weights: member.weights.clone() }
}

/// A game to play: its starting position and players, the first to move first.
struct Game {
    start: Draughts,
    players: [usize; 2],
}

impl Training for Neuroevolution<'_> {
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError> {
        let state = run.stage(&mut GenerationStage(self))?;
        let weights = weights_of(self.best(&state, run)?).text();
        let player = &run.job.recipe.player;
        let report = NeuroevolutionReport { player, settings: self.settings, state: &state };
        Ok(Trained { report: report.report(), weights: LearnedWeights::Text(weights) })
    }
}

/// The generations of an evolution.
struct GenerationStage<'a>(&'a Neuroevolution<'a>);

impl CheckpointedStage for GenerationStage<'_> {
    type State = NeuroevolutionState;

    const STAGE: TrainingStage =
        TrainingStage { activity: "playing the games of generations", unit: "generations" };

    fn load(&self, folder: &RunFolder) -> Result<Option<NeuroevolutionState>, TrainingError> {
        let parents = self.0.settings.parents;
        folder.checkpoint(CHECKPOINT, |bytes| NeuroevolutionState::from_bytes(bytes, parents))
    }

    fn save(
        &mut self,
        state: &NeuroevolutionState,
        folder: &RunFolder,
    ) -> Result<(), TrainingError> {
        folder.write(CHECKPOINT, &state.bytes())
    }

    fn begin(&mut self, _: &mut Run<'_>) -> Result<NeuroevolutionState, TrainingError> {
        Ok(self.0.begin())
    }

    fn is_done(&self, state: &NeuroevolutionState) -> bool {
        state.past.len() >= self.0.settings.generations
    }

    fn step(
        &mut self,
        state: &mut NeuroevolutionState,
        run: &mut Run<'_>,
    ) -> Result<(), TrainingError> {
        self.0.generation(state, run)
    }

    /// Games.
    fn amount(&self, state: &NeuroevolutionState) -> u64 {
        let NeuroevolutionSettings { parents, games, .. } = self.0.settings;
        (state.past.len() * 2 * parents * games) as u64
    }

    fn report(&mut self, state: &NeuroevolutionState, pace: Pace) -> StepReport {
        let number = state.past.len();
        let GenerationStats { best, king, .. } = state.past[number - 1];
        StepReport {
            entry: Some(json!({
                "event": "generation", "number": number, "generation": state.past[number - 1],
                "seconds": pace.seconds,
            })),
            done: number as u64,
            total: self.0.settings.generations as u64,
            note: format!("best {best}, king {king:.1}, {:.0} games/s", pace.rate()),
        }
    }
}

impl<'a> Neuroevolution<'a> {
    /// Checks player, game and start.
    fn new(job: &'a Job) -> Result<Neuroevolution<'a>, TrainingError> {
        let Recipe { player, game, seed, .. } = &job.recipe;
        let NeuroevolutionRecipe { evolution: settings } = job.recipe.settings();
        let search_settings = search_settings(&options_of(player)?);
        let ancestor = job.start(EvolvedWeights::parse)?;
        let start = english_start(game)?;
        Ok(Neuroevolution { settings, seed: *seed, search_settings, start, ancestor })
    }

    fn random(&self, name: &str) -> Random {
        Random::new(self.seed).split(name)
    }

    fn begin(&self) -> NeuroevolutionState {
        let (heredity, mut random) = (self.settings.heredity(), self.random("first"));
        let member = |random: &mut Random| match &self.ancestor {
            None => heredity.first(spatial::WEIGHTS, random),
            Some(EvolvedWeights { king, weights }) => Member {
                weights: weights.clone(),
                spreads: vec![heredity.spread; spatial::WEIGHTS],
                dial: king.clamp(heredity.dial_least, heredity.dial_most),
            },
        };
        let parents = (0..self.settings.parents).map(|_| member(&mut random)).collect();
        NeuroevolutionState { parents, past: Vec::new() }
    }

    /// Runs one generation: children are born, all play, the better half survives.
    fn generation(
        &self,
        state: &mut NeuroevolutionState,
        run: &Run<'_>,
    ) -> Result<(), TrainingError> {
        let mut random = self.random(&format!("generation {}", state.past.len()));
        let heredity = self.settings.heredity();
        let parents = state.parents.len();
        let mut population = state.parents.clone();
        population.extend(state.parents.iter().map(|one| heredity.child(one, &mut random)));
        let pairings = evolution::pairings(population.len(), self.settings.games, &mut random);
        let game = |(one, other)| Game { start: self.start, players: [one, other] };
        let games: Vec<Game> = pairings.into_iter().map(game).collect();
        let outcomes = self.play(&population, &games, run)?;
        let mut points = vec![0; population.len()];
        for (game, &outcome) in games.iter().zip(&outcomes) {
            let [one, other] = game.players;
            points[one] += self.settings.points(outcome, Side::First);
            if self.settings.both {
                points[other] += self.settings.points(outcome, Side::Second);
            }
        }
        let living = evolution::best(&points, parents);
        state.parents = living.iter().map(|&member| population[member].clone()).collect();
        let spreads = state.parents.iter().flat_map(|one| &one.spreads);
        let mean = spreads.map(|&spread| f64::from(spread)).sum::<f64>()
            / (parents * spatial::WEIGHTS) as f64;
        state.past.push(GenerationStats {
            best: points[living[0]],
            total: points.iter().sum(),
            drawn: outcomes.iter().filter(|outcome| **outcome == Outcome::Draw).count() as u32,
            spread: mean as f32,
            king: state.parents[0].dial,
            children: living.iter().filter(|&&member| member >= parents).count() as u32,
        });
        Ok(())
    }

    /// Plays all games; outcomes in order.
    fn play(
        &self,
        population: &[Member],
        games: &[Game],
        run: &Run<'_>,
    ) -> Result<Vec<Outcome>, TrainingError> {
        let stop = run.stop;
        let evaluators: Vec<SpatialEval> =
            population.iter().map(|one| SpatialEval::new(&weights_of(one), Side::First)).collect();
        let work = |_: &mut (), number: u64| {
            let Game { start, players } = &games[number as usize];
            let sides = [Side::First, Side::Second];
            let searchers = [0, 1].map(|seat| {
                let evaluator = evaluators[players[seat]].of_side(sides[seat]);
                Searcher::new(self.search_settings, None, &evaluator, DraughtsKnowledge, 1)
            });
            self.game(*start, searchers, stop)
        };
        let mut outcomes = Vec::with_capacity(games.len());
        in_order(
            0..games.len() as u64,
            run.job.threads,
            || Ok(()),
            work,
            |outcome| {
                outcomes.push(outcome);
                Ok(())
            },
        )?;
        Ok(outcomes)
    }

    fn game(
        &self,
        start: Draughts,
        mut searchers: [Searcher<Draughts, SpatialEval, DraughtsKnowledge>; 2],
        stop: &AtomicBool,
    ) -> Result<Outcome, TrainingError> {
        let limits = Limits { depth: Some(self.settings.depth), ..Limits::default() };
        let mut game = History::new(start);
        while game.moves().len() < self.settings.longest {
            if let Some((outcome, _)) = Draughts::ending(&game) {
                return Ok(outcome);
            }
            let turn = game.last().turn().index();
            let mut control = SearchControl { stop, on_report: &mut |_| {} };
            let line = searchers[turn].search(&game, &limits, &mut control).line;
            // The result of a stopped search is not the one it would have come to.
            if stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            game.push(line[0]);
        }
        Ok(Draughts::ending(&game).map_or(Outcome::Draw, |(outcome, _)| outcome))
    }

    /// Best network of the last generation: by a play-off if the recipe asks for one.
    fn best<'b>(
        &self,
        state: &'b NeuroevolutionState,
        run: &Run<'_>,
    ) -> Result<&'b Member, TrainingError> {
        let parents = &state.parents;
        let mut random = self.random("play-off");
        let mut games = Vec::new();
        for _ in 0..self.settings.play_off {
            let Some(start) = self.opening(&mut random) else { continue };
            for one in 0..parents.len() {
                let others = (0..parents.len()).filter(|&other| other != one);
                games.extend(others.map(|other| Game { start, players: [one, other] }));
            }
        }
        let mut points = vec![0; parents.len()];
        for (game, outcome) in games.iter().zip(self.play(parents, &games, run)?) {
            for (player, side) in game.players.into_iter().zip([Side::First, Side::Second]) {
                points[player] += outcome.value(side) as i32;
            }
        }
        Ok(&parents[evolution::best(&points, 1)[0]])
    }

    /// Plays random plies from the start; `None` if the game ended on the way.
    fn opening(&self, random: &mut Random) -> Option<Draughts> {
        let mut board = self.start;
        let mut moves = Vec::new();
        for _ in 0..self.settings.random_plies {
            moves.clear();
            board.legal_moves(&mut moves);
            board.play(random.pick(&moves)?);
        }
        board.outcome().is_none().then_some(board)
    }
}
