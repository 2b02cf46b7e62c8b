//! Linear evaluations under training: their weights, and players that use them.

use crate::{
    Job, StartWeights, TrainingError,
    players::{check_limits, unfit},
    run::checksum,
};
use ludus_core::{
    Choice, HasEval, History, Limits, LinearEval, Options, Player, PlayerError, SearchControl,
    TextError, Weights, WithWeights, options::split_name,
};
use ludus_players::{
    Handcrafted, Resources, Roster,
    common::engine::{self, Networked},
};
use ludus_search::alphabeta::{Budget, Minimax};
use std::fs;

/// A game whose handcrafted evaluation can be tuned: any that is linear in its weights.
pub trait TunableEval:
    Roster<Knowledge: LinearEval<Position = Self> + HasEval<Self, Handcrafted: WithWeights>>
{
}

impl<P> TunableEval for P where
    P: Roster<Knowledge: LinearEval<Position = Self> + HasEval<Self, Handcrafted: WithWeights>>
{
}

/// Builds the player named by `text`, such as `engine:nodes=2000`, with `weights`.
///
/// # Errors
/// If there is no such player, it has no weights, or it is limited by time: then no seed would give
/// the same games twice.
pub fn player_with_weights<P: TunableEval>(
    text: &str,
    weights: &Weights,
) -> Result<Box<dyn Player<P>>, PlayerError> {
    let (name, _) = split_name(text);
    let Some(recipe) = P::recipes().into_iter().find(|recipe| recipe.id == name) else {
        return Err(unfit(text, "a player with tunable weights: minimax, engine"));
    };
    let options = Options::parse(text, recipe.options)?;
    let evaluation = Handcrafted::<P>::with_weights(weights);
    match name {
        "minimax" => {
            let depth = options.integer("depth") as u32;
            if depth == 0 {
                return Err(unfit(text, "a depth, such as minimax:depth=2"));
            }
            Ok(Box::new(MinimaxWith { evaluation, depth }))
        }
        "engine" => {
            check_limits(text, &options)?;
            if !options.text("weights").is_empty() {
                return Err(unfit(text, "no weights: they come from the recipe's start"));
            }
            Ok(engine::with_evaluator(evaluation, &options, &Resources::default())?)
        }
        _ => Err(unfit(text, "a player with tunable weights: minimax, engine")),
    }
}

/// Identity of the evaluation by which the engine named by `player` plays or judges.
pub(crate) fn evaluation_checksum<P: TunableEval + Networked>(player: &str) -> String {
    let weights = P::Knowledge::handcrafted().weights().text(P::Knowledge::GROUPS);
    let hand = checksum(&weights);
    match player.contains("eval=hand") {
        true => hand,
        false => format!("{hand} and {:016x}", P::net().checksum()),
    }
}

/// Plain minimax with given weights.
struct MinimaxWith<P: Roster> {
    evaluation: Handcrafted<P>,
    depth: u32,
}

impl<P: Roster> Player<P> for MinimaxWith<P> {
    fn name(&self) -> &str {
        "minimax"
    }

    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        let mut budget = Budget::new(limits, control.stop);
        let report =
            Minimax::new(&mut self.evaluation, &mut budget).search(game.last(), self.depth);
        let mv = *report.line.first().ok_or_else(|| PlayerError::failed("the game is over"))?;
        Ok(Choice::play(mv, report))
    }
}

/// A linear evaluation to be trained: its game, the weights it starts from, and which may change.
pub(crate) struct EvalInTraining<P> {
    pub options: Options,
    /// Position before the random opening.
    pub position: P,
    pub start: Weights,
    /// Whether each weight may change.
    pub free: Vec<bool>,
}

impl<P: TunableEval> EvalInTraining<P> {
    /// Reads the weights a job starts from and checks its player and files of games; the groups in
    /// `fixed` keep their weights.
    pub fn new(job: &Job, fixed: &[String]) -> Result<EvalInTraining<P>, TrainingError> {
        let options = Options::parse(&job.recipe.game, P::OPTIONS)?;
        let start = start_weights::<P>(job)?;
        job.check_data()?;
        player_with_weights::<P>(&job.recipe.player, &start)?;
        let free = free_terms::<P>(fixed)?;
        Ok(EvalInTraining { position: P::start(&options)?, options, start, free })
    }
}

fn start_weights<P: TunableEval>(job: &Job) -> Result<Weights, TextError> {
    let Some(path) = job.start_file() else {
        return Ok(match job.recipe.start {
            StartWeights::Zero => Weights::zero(P::Knowledge::GROUPS),
            _ => P::Knowledge::handcrafted().weights(),
        });
    };
    let text = fs::read_to_string(&path).map_err(|error| {
        let expected = format!("hand, zero or a file of weights ({error})");
        TextError::whole("start", &path.display().to_string(), expected)
    })?;
    Weights::parse(&text, P::Knowledge::GROUPS)
}

/// Terms that may change: those outside the `fixed` groups.
fn free_terms<P: TunableEval>(fixed: &[String]) -> Result<Vec<bool>, TextError> {
    for name in fixed {
        if !P::Knowledge::GROUPS.iter().any(|group| group.name == name) {
            let names: Vec<&str> = P::Knowledge::GROUPS.iter().map(|group| group.name).collect();
            let expected = format!("one of the groups {}", names.join(", "));
            return Err(TextError::whole("fixed group", name, expected));
        }
    }
    let is_free = |name: &str| !fixed.iter().any(|fixed| fixed == name);
    Ok(P::Knowledge::GROUPS
        .iter()
        .flat_map(|group| std::iter::repeat_n(is_free(group.name), group.terms))
        .collect())
}
