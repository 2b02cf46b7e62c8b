//! Neuroevolution, as for Anaconda: networks play each other, the better half survives and has
//! children (Chellapilla and Fogel 1999, 2001).

mod checkpoint;
mod report;

use crate::{
    Job, Recipe, RunResult, TrainingError, TrainingProgress, TrainingStage, folder::RunFolder,
    parallel::in_order, recipe::range, report::CHART, run::damaged, td,
};
use ludus_core::{
    Ending, History, Limits, Outcome, Position, Random, SearchControl, Side, TextError,
};
use ludus_games::draughts::{Draughts, DraughtsKnowledge};
use ludus_models::{
    evolution::{self, EvolutionParams, Member},
    spatial,
};
use ludus_players::draughts::anaconda::{EvolvedWeights, SpatialEval, options_of, search_settings};
use ludus_search::alphabeta::{SearchSettings, Searcher};
use report::NeuroevolutionReport;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// Neuroevolution settings. The defaults follow the published evolution as far as it is known;
/// docs/LEARNERS.md lists the uncertainties.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NeuroevolutionSettings {
    /// Networks that survive a generation; each has one child.
    pub parents: usize,
    /// Number of generations.
    pub generations: usize,
    /// Games in which each network moves first, against randomly drawn opponents.
    pub games: usize,
    /// Search depth in plies.
    pub depth: u32,
    /// Points for a win.
    pub win: i32,
    /// Points for a draw.
    pub draw: i32,
    /// Points for a loss.
    pub loss: i32,
    /// Whether a game counts for the drawn opponent as well.
    pub both: bool,
    /// Plies after which a game is drawn: 100 moves of each side.
    pub longest: usize,
    /// Bound of the initial weights, positive and negative.
    pub weights: f32,
    /// Initial standard deviation of mutations.
    pub spread: f32,
    /// Initial king value.
    pub king: f32,
    /// Step of the king value: a child's is higher by this, lower by this, or the same.
    pub king_step: f32,
    /// Minimum king value.
    pub king_least: f32,
    /// Maximum king value.
    pub king_most: f32,
    /// Openings from which the parents of the last generation play each other, with both colours,
    /// to choose the best; with 0, as published, it is the one with most points in that generation.
    pub play_off: usize,
    /// Random plies of these openings.
    pub random_plies: usize,
}

impl Default for NeuroevolutionSettings {
    fn default() -> NeuroevolutionSettings {
        let EvolutionParams { weights, spread, dial, dial_step, dial_least, dial_most } =
            EvolutionParams::default();
        NeuroevolutionSettings {
            parents: 15,
            generations: 840,
            games: 5,
            depth: 4,
            win: 1,
            draw: 0,
            loss: -2,
            both: true,
            longest: 200,
            weights,
            spread,
            king: dial,
            king_step: dial_step,
            king_least: dial_least,
            king_most: dial_most,
            play_off: 0,
            random_plies: 6,
        }
    }
}

impl NeuroevolutionSettings {
    pub(crate) fn check(&self) -> Result<(), TextError> {
        let number = |name: &str, value: f64, least: f64, most: f64| {
            range(&format!("evolution.{name}"), value, least, most)
        };
        number("parents", self.parents as f64, 1.0, 10_000.0)?;
        number("generations", self.generations as f64, 1.0, 1e6)?;
        number("games", self.games as f64, 1.0, 10_000.0)?;
        number("depth", self.depth.into(), 1.0, 20.0)?;
        for (name, points) in [("win", self.win), ("draw", self.draw), ("loss", self.loss)] {
            number(name, points.into(), -1000.0, 1000.0)?;
        }
        number("longest", self.longest as f64, 2.0, 10_000.0)?;
        number("weights", self.weights.into(), 0.0, 100.0)?;
        number("spread", self.spread.into(), 0.0, 100.0)?;
        number("king_least", self.king_least.into(), 0.0, 100.0)?;
        number("king_most", self.king_most.into(), self.king_least.into(), 100.0)?;
        number("king", self.king.into(), self.king_least.into(), self.king_most.into())?;
        number("king_step", self.king_step.into(), 0.0, 100.0)?;
        number("play_off", self.play_off as f64, 0.0, 10_000.0)?;
        number("random_plies", self.random_plies as f64, 0.0, 100.0)
    }

    fn heredity(&self) -> EvolutionParams {
        EvolutionParams {
            weights: self.weights,
            spread: self.spread,
            dial: self.king,
            dial_step: self.king_step,
            dial_least: self.king_least,
            dial_most: self.king_most,
        }
    }

    /// Points of a game for the player of `side`.
    fn points(&self, outcome: Outcome, side: Side) -> i32 {
        match outcome {
            Outcome::Draw => self.draw,
            Outcome::Win(winner) if winner == side => self.win,
            Outcome::Win(_) => self.loss,
        }
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

const CHECKPOINT: &str = "checkpoint.bin";

/// A neuroevolution run.
pub struct NeuroevolutionRunner<'a> {
    job: &'a Job,
    settings: &'a NeuroevolutionSettings,
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

impl<'a> NeuroevolutionRunner<'a> {
    /// Checks what only the game can check of the recipe.
    pub fn new(job: &'a Job) -> Result<NeuroevolutionRunner<'a>, TrainingError> {
        let Recipe { player, game, neuroevolution: settings, .. } = &job.recipe;
        let search_settings = search_settings(&options_of(player)?);
        let ancestor = job.start(EvolvedWeights::parse)?;
        let start = td::english_start(game)?;
        Ok(NeuroevolutionRunner { job, settings, search_settings, start, ancestor })
    }

    /// Runs all generations, or resumes them.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        let mut folder = self.job.begin()?;
        let state = self.evolve(&mut folder, stop, progress)?;
        let best = self.best(&state, stop)?;
        let report = NeuroevolutionReport { recipe: &self.job.recipe, state: &state };
        for (name, chart) in report.charts() {
            folder.write(name, chart.as_bytes())?;
        }
        td::deliver(&weights_of(best).text(), report.summary(), &report.text(), &mut folder)
    }

    fn random(&self, name: &str) -> Random {
        Random::new(self.job.recipe.seed).split(name)
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

    fn evolve(
        &self,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<NeuroevolutionState, TrainingError> {
        let mut state = match folder.read(CHECKPOINT)? {
            None => self.begin(),
            Some(bytes) => NeuroevolutionState::from_bytes(&bytes, self.settings.parents)
                .ok_or_else(|| damaged(folder, CHECKPOINT))?,
        };
        let (started, first) = (Instant::now(), state.past.len());
        while state.past.len() < self.settings.generations {
            self.generation(&mut state, stop)?;
            folder.write(CHECKPOINT, &state.bytes())?;
            let generation = *state.past.last().expect("a generation leaves an entry");
            let seconds = started.elapsed().as_secs_f64();
            let done = state.past.len();
            folder.log(&json!({
                "event": "generation", "number": done, "generation": generation, "seconds": seconds,
            }))?;
            let games = (done - first) * 2 * self.settings.parents * self.settings.games;
            let note = format!(
                "best {}, king {:.1}, {:.0} games/s",
                generation.best,
                generation.king,
                games as f64 / seconds.max(1e-9),
            );
            let (done, total) = (done as u64, self.settings.generations as u64);
            progress(&TrainingProgress { stage: TrainingStage::Evolving, done, total, note });
        }
        Ok(state)
    }

    /// Runs one generation: children are born, all play, the better half survives.
    fn generation(
        &self,
        state: &mut NeuroevolutionState,
        stop: &AtomicBool,
    ) -> Result<(), TrainingError> {
        let mut random = self.random(&format!("generation {}", state.past.len()));
        let heredity = self.settings.heredity();
        let parents = state.parents.len();
        let mut population = state.parents.clone();
        population.extend(state.parents.iter().map(|one| heredity.child(one, &mut random)));
        let pairings = evolution::pairings(population.len(), self.settings.games, &mut random);
        let game = |(one, other)| Game { start: self.start, players: [one, other] };
        let games: Vec<Game> = pairings.into_iter().map(game).collect();
        let outcomes = self.play(&population, &games, stop)?;
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
        stop: &AtomicBool,
    ) -> Result<Vec<Outcome>, TrainingError> {
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
            self.job.threads,
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
        stop: &AtomicBool,
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
        for (game, outcome) in games.iter().zip(self.play(parents, &games, stop)?) {
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
